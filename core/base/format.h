// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

/// Formatting at the edge: SI values in, short readable text out. Decimal units (1 GB = 1e9 B), '.' as the decimal
/// point whatever the locale, three significant digits unless said otherwise. A NaN gives "-": a missing value is shown
/// as missing, never as zero.
namespace ridgepoint::format {

std::string bytes(double value);           ///< "2.21 GB", "22.5 KB", "512 B"
std::string seconds(double value);         ///< "6.88 ms", "34.0 us", "1.20 s"
std::string bandwidth(double value);       ///< "320 GB/s", "4.67 TB/s"
std::string flops(double value);           ///< "65.0 TFLOP/s"
std::string flop(double value);            ///< "2.20 GFLOP"
std::string intensity(double value);       ///< "203 FLOP/B"
std::string tokensPerSecond(double value); ///< "6780 tok/s"
std::string count(double value);           ///< "1,100,048,384"
std::string percent(double fraction);      ///< 0.157 -> "15.7 %"; always one decimal
std::string ratio(double value);           ///< "1.34"
/// Shortest text that reads back to the same double; "" for NaN (a gap in a CSV).
std::string exact(double value);
/// `digits` significant digits, no exponent within 1e-4..1e9.
std::string significant(double value, int digits);

} // namespace ridgepoint::format
