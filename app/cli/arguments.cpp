// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"

#include "core/base/error.h"
#include "core/base/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace ridgepoint::arguments {

namespace {

Error usage(const std::string &flag, const std::string &text, const std::string &wanted)
{
    return Error(ErrorKind::Usage, fmt::format("{} was given '{}', but it takes {}.", flag, text, wanted));
}

} // namespace

double number(const std::string &flag, const std::string &text, double least, double most, const std::string &unit)
{
    double value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (fault != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || value < least ||
        value > most) {
        throw usage(flag, text,
                    fmt::format("a number from {} to {} ({})", format::exact(least), format::exact(most), unit));
    }
    return value;
}

std::int64_t wholeNumber(const std::string &flag, const std::string &text, std::int64_t least, std::int64_t most)
{
    std::int64_t value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (fault != std::errc() || end != text.data() + text.size() || value < least || value > most)
        throw usage(flag, text, fmt::format("a whole number from {} to {}", least, most));
    return value;
}

std::vector<std::int64_t> wholeNumbers(const std::string &flag, const std::string &text, std::int64_t least,
                                       std::int64_t most)
{
    std::vector<std::int64_t> values;
    std::size_t start = 0;
    while (start <= text.size()) {
        const auto comma = std::min(text.find(',', start), text.size());
        if (text.find_first_not_of(' ', start) >= comma) // the value as typed says more than ''
            throw usage(flag, text, fmt::format("whole numbers from {} to {} with commas between them, as in 1,4,16", least, most));
        const auto value = wholeNumber(flag, text.substr(start, comma - start), least, most);
        if (std::find(values.begin(), values.end(), value) != values.end())
            throw Error(ErrorKind::Usage, fmt::format("{} names {} twice; name each value once.", flag, value));
        values.push_back(value);
        start = comma + 1;
    }
    return values;
}

DType dtype(const std::string &text)
{
    if (const auto value = parseDType(text))
        return *value;
    throw usage("--dtype", text, "fp32, fp16 or bf16");
}

std::vector<std::string> names(const std::string &flag, const std::string &text)
{
    std::vector<std::string> chosen;
    std::size_t start = 0;
    while (start <= text.size()) {
        const auto comma = std::min(text.find(',', start), text.size());
        std::string name = text.substr(start, comma - start);
        name.erase(0, name.find_first_not_of(' '));
        name.erase(name.find_last_not_of(' ') + 1);
        if (name.empty())
            throw usage(flag, text, "names with commas between them, as in a,b,c");
        if (std::find(chosen.begin(), chosen.end(), name) != chosen.end())
            throw Error(ErrorKind::Usage, fmt::format("{} names {} twice; name each once.", flag, name));
        chosen.push_back(std::move(name));
        start = comma + 1;
    }
    return chosen;
}

std::vector<DType> dtypes(const std::string &text)
{
    std::vector<DType> chosen;
    for (const std::string &name : names("--dtypes", text)) {
        const auto value = parseDType(name);
        if (!value)
            throw usage("--dtypes", text, "fp32, fp16, bf16 or several of them, as in bf16,fp32");
        if (std::find(chosen.begin(), chosen.end(), *value) != chosen.end())
            throw Error(ErrorKind::Usage,
                        fmt::format("--dtypes names {} twice; name each dtype once.", dtypeName(*value)));
        chosen.push_back(*value);
    }
    return chosen;
}

Accounting accounting(const std::string &text)
{
    if (const auto value = parseAccounting(text))
        return *value;
    throw usage("--accounting", text, "textbook or exact");
}

std::vector<DecodeMode> modes(const std::string &text)
{
    std::vector<DecodeMode> chosen;
    std::size_t start = 0;
    while (start <= text.size()) {
        const auto comma = std::min(text.find(',', start), text.size());
        const auto value = parseMode(text.substr(start, comma - start));
        if (!value)
            throw usage("--mode", text, "eager, graph or fused, or several as in eager,graph (graph and fused need a GPU)");
        if (std::find(chosen.begin(), chosen.end(), *value) != chosen.end())
            throw Error(ErrorKind::Usage, fmt::format("--mode names {} twice; name each mode once.", modeName(*value)));
        chosen.push_back(*value);
        start = comma + 1;
    }
    return chosen;
}

std::vector<TtftMethod> methods(const std::string &text)
{
    if (text == "all")
        return {TtftMethod::Subtraction, TtftMethod::Stream, TtftMethod::Loop};
    std::vector<TtftMethod> chosen;
    for (const auto value : wholeNumbers("--method", text, 1, 3))
        chosen.push_back(static_cast<TtftMethod>(value));
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

Format format(const std::string &text)
{
    if (text == "table")
        return Format::Table;
    if (text == "json")
        return Format::Json;
    if (text == "csv")
        return Format::Csv;
    throw usage("--format", text, "table, json or csv");
}

} // namespace ridgepoint::arguments
