// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/mutate.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <random>
#include <vector>

namespace fuzz {

namespace {

using nlohmann::json;

class Changer {
public:
    explicit Changer(std::uint64_t seed) : m_random(seed) {}

    std::size_t below(std::size_t n) { return n ? static_cast<std::size_t>(m_random() % n) : 0; }

    bool change(std::string_view text, std::string &out)
    {
        int depth = 0;
        for (const char c : text) {
            depth += c == '[' || c == '{' ? 1 : 0;
            if (depth > 2000) // of brackets in all: dump() and the destructor walk by recursion
                return false;
        }
        json value = json::parse(text, nullptr, false);
        if (value.is_discarded() || !value.is_structured())
            return false;
        for (std::size_t changes = 1 + below(3); changes > 0; --changes)
            changeOne(value);
        out = value.dump(-1, ' ', false, json::error_handler_t::replace);
        return true;
    }

private:
    void collect(json &value, json *parent, std::vector<std::pair<json *, json *>> &all)
    {
        all.emplace_back(&value, parent);
        if (value.is_structured())
            for (json &child : value)
                collect(child, &value, all);
    }

    json rare()
    {
        static const json values[] = {nullptr,
                                      true,
                                      false,
                                      0,
                                      1,
                                      -1,
                                      2,
                                      0.5,
                                      -0.0,
                                      1e-300,
                                      5e-324,
                                      1e9,
                                      1e15,
                                      1e16,
                                      1e30,
                                      1e300,
                                      std::numeric_limits<double>::max(),
                                      std::numeric_limits<std::int64_t>::max(),
                                      std::numeric_limits<std::int64_t>::min(),
                                      std::numeric_limits<std::uint64_t>::max(),
                                      2147483647,
                                      4294967296,
                                      "",
                                      "x",
                                      "1e999",
                                      "NaN",
                                      "-1",
                                      "a|b,c\"d\n\x1b[31m",
                                      "\xe4\xbd\xa0\xc3\xa9",
                                      json::array(),
                                      json::object(),
                                      json::array({1, 2}),
                                      std::string(300, 'y')};
        return values[below(std::size(values))];
    }

    void changeOne(json &root)
    {
        std::vector<std::pair<json *, json *>> all;
        collect(root, nullptr, all);
        if (all.size() < 2)
            return;
        // Values rather than what holds them, three times of four: there are more of them to go wrong.
        auto [at, parent] = all[1 + below(all.size() - 1)];
        for (int i = 0; i < 8 && at->is_structured() && below(4); ++i)
            std::tie(at, parent) = all[1 + below(all.size() - 1)];
        switch (below(7)) {
        case 0:
        case 1:
            *at = rare();
            break;
        case 2:
            if (at->is_number())
                *at = at->get<double>() * std::pow(10.0, static_cast<double>(below(80)) - 40) * (below(8) ? 1 : -1);
            else
                *at = rare();
            break;
        case 3: {
            const json copy = *all[below(all.size())].first;
            if (copy.size() < 200)
                *at = copy;
            break;
        }
        case 4:
            if (parent->is_array())
                parent->erase(parent->begin() + (at - &(*parent)[0]));
            else
                for (auto item = parent->begin(); item != parent->end(); ++item)
                    if (&*item == at) {
                        parent->erase(item);
                        break;
                    }
            break;
        case 5:
            if (parent->is_array() && parent->size() < 64)
                for (std::size_t copies = 1 + below(4); copies > 0; --copies) {
                    const json copy = (*parent)[below(parent->size())];
                    parent->push_back(copy);
                }
            else
                *at = rare();
            break;
        default:
            if (at->is_number_integer())
                *at = at->get<std::int64_t>() / 2 + (below(2) ? 1 : -1);
            else
                *at = rare();
        }
    }

    std::mt19937_64 m_random;
};

} // namespace

std::string changedJson(std::string_view text, std::uint64_t seed)
{
    Changer changer(seed);
    std::string changed;
    if (text.size() > 8 && text[8] == '{') { // safetensors
        std::uint64_t length = 0;
        std::memcpy(&length, text.data(), 8);
        if (length <= text.size() - 8) {
            const std::string_view data = text.substr(8 + length);
            if (!changer.change(text.substr(8, length), changed))
                return {};
            length = changed.size();
            std::string file(8, '\0');
            std::memcpy(file.data(), &length, 8);
            return file.append(changed).append(data);
        }
    }
    if (changer.change(text, changed))
        return changed;
    std::vector<std::pair<std::size_t, std::size_t>> lines; // that begin as an object
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        if (text[at] == '{')
            lines.emplace_back(at, end);
        at = end + 1;
    }
    if (lines.empty())
        return {};
    const auto [begin, end] = lines[changer.below(lines.size())];
    if (!changer.change(text.substr(begin, end - begin), changed))
        return {};
    return std::string(text.substr(0, begin)) + changed + std::string(text.substr(end));
}

std::string changedNumber(std::string_view text, std::uint64_t seed)
{
    Changer changer(seed);
    static const char *const numbers[] = {"0",
                                          "-1",
                                          "1",
                                          "NaN",
                                          "nan",
                                          "Infinity",
                                          "-inf",
                                          "1e999",
                                          "1e300",
                                          "1e-300",
                                          "5e-324",
                                          "0.5",
                                          "1,5",
                                          "9223372036854775808",
                                          "-9223372036854775808",
                                          "18446744073709551616",
                                          "2147483648",
                                          "100000000",
                                          "1000000",
                                          "1e15",
                                          "+3",
                                          "0x10",
                                          "",
                                          "\"\"",
                                          "--1",
                                          "1.2.3"};
    constexpr std::string_view digits = "0123456789";
    std::size_t first = text.find_first_of(digits, changer.below(text.size()));
    if (first == std::string_view::npos)
        first = text.find_first_of(digits);
    if (first == std::string_view::npos)
        return {};
    while (first > 0 && digits.find(text[first - 1]) != std::string_view::npos)
        --first;
    const std::size_t end = std::min(text.find_first_not_of("0123456789.eE+-", first), text.size());
    return std::string(text.substr(0, first)) + numbers[changer.below(std::size(numbers))] +
           std::string(text.substr(end));
}

} // namespace fuzz
