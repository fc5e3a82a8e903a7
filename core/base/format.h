// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <cstddef>
#include <string>
#include <string_view>

/// Formatting at the edge: SI values in, short readable text out. Decimal units (1 GB = 1e9 B), '.' as the decimal
/// point whatever the locale, three significant digits unless said otherwise. A NaN gives "-": a missing value is shown
/// as missing, never as zero. So does an infinite one: no text of the program says "inf".
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
/// Shortest text that reads back to the same double; "" for what is not finite (a gap in a CSV).
std::string exact(double value);
/// `digits` significant digits, no exponent within 1e-4..1e9.
std::string significant(double value, int digits);

/// A number of tokens that may be a mean: "128", "128.5", "1,024".
std::string meanCount(double value);

/// What stands where the rest of a text was left out.
inline constexpr std::string_view kCutMark = "[...";
/// The first `most` characters of UTF-8 text, and how many more there are: "abc [... and 7 more characters]". Cut between
/// characters; a text that is not longer comes back whole.
std::string elided(std::string_view utf8, std::size_t most);

} // namespace ridgepoint::format
