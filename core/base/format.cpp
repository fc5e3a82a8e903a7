// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <string_view>

namespace ridgepoint::format {

namespace {

constexpr int Digits = 3;

/// A number of `digits` significant digits, taken apart.
struct Decimal {
    bool negative = false;
    std::string digits; ///< "688"
    int exponent = 0;   ///< of the first digit: 6.88 has 0
};

Decimal decimalOf(double value, int digits)
{
    // "6.88e+00": the library rounds correctly, so the digits are taken from its text.
    const std::string text = fmt::format("{:.{}e}", std::abs(value), digits - 1);
    const std::size_t e = text.find('e');
    Decimal decimal;
    decimal.negative = std::signbit(value) && value != 0;
    std::copy_if(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(e), std::back_inserter(decimal.digits),
                 [](char c) { return c != '.'; });
    decimal.exponent = std::atoi(text.c_str() + e + 1);
    return decimal;
}

/// Neither a missing value nor one that grew beyond numbers is a measurement.
constexpr std::string_view kNoNumber = "-";

struct Unit {
    double size;
    std::string_view name;
};

/// `value` in the largest unit that leaves at least 1 after rounding (999.7 KB is "1.00 MB", not "1000 KB").
/// `units` run from the smallest to the largest; `whole` names the unit whose counts are whole ("512 B", not "512.0
/// B").
template <std::size_t Count>
std::string inUnits(double value, const Unit (&units)[Count], std::string_view zeroUnit, bool wholeFirst)
{
    if (!std::isfinite(value))
        return std::string(kNoNumber);
    if (value == 0)
        return fmt::format("0 {}", zeroUnit);
    std::size_t chosen = 0;
    for (std::size_t i = 1; i < Count; ++i) {
        if (decimalOf(value / units[i].size, Digits).exponent >= 0)
            chosen = i;
    }
    const double scaled = value / units[chosen].size;
    if (wholeFirst && chosen == 0 && scaled == std::trunc(scaled))
        return fmt::format("{:.0f} {}", scaled, units[0].name);
    return fmt::format("{} {}", significant(scaled, Digits), units[chosen].name);
}

std::string withUnit(double value, std::string_view unit)
{
    return std::isfinite(value) ? fmt::format("{} {}", significant(value, Digits), unit) : std::string(kNoNumber);
}

} // namespace

std::string significant(double value, int digits)
{
    if (!std::isfinite(value))
        return std::string(kNoNumber);
    if (value == 0)
        return "0";
    digits = std::clamp(digits, 1, 17);
    const Decimal decimal = decimalOf(value, digits);
    std::string text;
    if (decimal.exponent < -4 || decimal.exponent > 9) {
        text = fmt::format("{:.{}e}", std::abs(value), digits - 1);
    } else if (decimal.exponent < 0) {
        text = "0." + std::string(static_cast<std::size_t>(-decimal.exponent - 1), '0') + decimal.digits;
    } else {
        const std::size_t whole = static_cast<std::size_t>(decimal.exponent) + 1;
        text = decimal.digits;
        if (whole >= text.size())
            text.append(whole - text.size(), '0');
        else
            text.insert(whole, 1, '.');
    }
    return decimal.negative ? "-" + text : text;
}

std::string bytes(double value)
{
    static constexpr Unit units[] = {{1, "B"}, {1e3, "KB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}, {1e15, "PB"}};
    return inUnits(value, units, "B", true);
}

std::string seconds(double value)
{
    static constexpr Unit units[] = {{1e-9, "ns"}, {1e-6, "us"}, {1e-3, "ms"}, {1, "s"}};
    return inUnits(value, units, "s", false);
}

std::string bandwidth(double value)
{
    static constexpr Unit units[] = {{1, "B/s"}, {1e3, "KB/s"}, {1e6, "MB/s"}, {1e9, "GB/s"}, {1e12, "TB/s"}};
    return inUnits(value, units, "B/s", true);
}

std::string flops(double value)
{
    static constexpr Unit units[] = {{1, "FLOP/s"},    {1e3, "KFLOP/s"},  {1e6, "MFLOP/s"},
                                     {1e9, "GFLOP/s"}, {1e12, "TFLOP/s"}, {1e15, "PFLOP/s"}};
    return inUnits(value, units, "FLOP/s", true);
}

std::string flop(double value)
{
    static constexpr Unit units[] = {{1, "FLOP"},    {1e3, "KFLOP"},  {1e6, "MFLOP"},
                                     {1e9, "GFLOP"}, {1e12, "TFLOP"}, {1e15, "PFLOP"}};
    return inUnits(value, units, "FLOP", true);
}

std::string intensity(double value)
{
    return withUnit(value, "FLOP/B");
}

std::string tokensPerSecond(double value)
{
    return withUnit(value, "tok/s");
}

std::string count(double value)
{
    if (!std::isfinite(value))
        return std::string(kNoNumber);
    const double rounded = std::round(value);
    if (std::abs(rounded) >= 1e15) // no longer exact to the last digit
        return significant(value, Digits);
    std::string text = fmt::format("{:.0f}", std::abs(rounded));
    for (std::ptrdiff_t at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3)
        text.insert(static_cast<std::size_t>(at), 1, ',');
    return rounded < 0 ? "-" + text : text;
}

std::string percent(double fraction)
{
    if (!std::isfinite(fraction))
        return std::string(kNoNumber);
    // One decimal whatever the size: a departure of rounding noise reads "0.0 %", not "1.11e-14 %".
    std::string text = fmt::format("{:.1f}", fraction * 100);
    return (text == "-0.0" ? "0.0" : text) + " %";
}

std::string ratio(double value)
{
    return significant(value, Digits);
}

std::string exact(double value)
{
    return std::isfinite(value) ? fmt::format("{}", value) : std::string();
}

std::string meanCount(double value)
{
    const double tenths = std::round(value * 10) / 10;
    if (!std::isfinite(value) || tenths == std::round(tenths))
        return count(value);
    return count(std::trunc(tenths)) + fmt::format("{:.1f}", std::abs(tenths - std::trunc(tenths))).substr(1);
}

std::string elided(std::string_view utf8, std::size_t most)
{
    const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }; // a character, not its further bytes
    if (utf8.size() <= most)
        return std::string(utf8);
    std::size_t characters = 0, end = utf8.size();
    for (std::size_t i = 0; i < utf8.size(); ++i)
        if (begins(utf8[i]) && characters++ == most)
            end = i;
    if (characters <= most)
        return std::string(utf8);
    return fmt::format("{} {} and {} more characters]", utf8.substr(0, end), kCutMark, count(static_cast<double>(characters - most)));
}

} // namespace ridgepoint::format
