// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/json_fields.h"

#include "core/base/error.h"
#include "core/catalog/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ridgepoint
{

using nlohmann::json;

namespace
{

constexpr int maxNesting = 64;
constexpr std::size_t shownCharacters = 60;

/// Deepest nesting of brackets outside strings. Counted before parsing, so that no later step that walks the document
/// by recursion (a dump, a comparison) can be driven to a stack overflow.
bool nestsTooDeep(std::string_view text)
{
    int depth = 0;
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                inString = false;
        } else if (c == '"') {
            inString = true;
        } else if (c == '[' || c == '{') {
            if (++depth > maxNesting)
                return true;
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return false;
}

std::string described(const json &value)
{
    if (value.is_object())
        return "an object";
    if (value.is_array())
        return "a list";
    if (value.is_string())
        return quotedForSentence(value.get_ref<const std::string &>());
    return value.dump();
}

} // namespace

std::string quotedForSentence(std::string_view text)
{
    std::string shown = "\"";
    for (const char c : text.substr(0, shownCharacters))
        shown += (c >= 0x20 && c < 0x7f) ? c : '?';
    if (text.size() > shownCharacters)
        shown += "...";
    return shown + "\"";
}

json parseJsonObject(std::string_view text, const std::string &origin)
{
    if (nestsTooDeep(text))
        throw Error(ErrorKind::Failure,
                    fmt::format("{} nests deeper than {} levels; no file of this kind does. Replace it by a sound one.",
                                origin, maxNesting));
    json document;
    try {
        document = json::parse(text.begin(), text.end());
    } catch (const json::parse_error &error) {
        // What Python writes for a number that is none.
        const std::string_view rest = text.substr(std::min<std::size_t>(error.byte > 0 ? error.byte - 1 : 0, text.size()));
        if (rest.starts_with("NaN") || rest.starts_with("Infinity"))
            throw Error(ErrorKind::Failure,
                        fmt::format("{} has {} at byte {}; JSON has no such number. Write the number that is meant, or leave the field out.",
                                    origin, rest.front() == 'N' ? "NaN" : "Infinity", error.byte));
        throw Error(
            ErrorKind::Failure,
            fmt::format("{} is not valid JSON: it goes wrong at byte {}. Correct it or replace it by a sound one.",
                        origin, error.byte));
    } catch (const json::exception &) {
        throw Error(ErrorKind::Failure,
                    fmt::format("{} holds a number that no program can read. Correct it or replace it by a sound one.",
                                origin));
    }
    if (!document.is_object())
        throw Error(ErrorKind::Failure,
                    fmt::format("{} must hold a JSON object, and holds {}. Replace it by a sound one.", origin,
                                described(document)));
    return document;
}

JsonFields::JsonFields(const json &object, std::string origin, std::string path)
    : m_object(object), m_origin(std::move(origin)), m_path(std::move(path))
{
}

void JsonFields::fail(std::string_view key, std::string_view what) const
{
    throw Error(ErrorKind::Failure,
                fmt::format("{}: the field \"{}{}\" {}. Correct the file.", m_origin, m_path, key, what));
}

const json *JsonFields::find(std::string_view key) const
{
    const auto it = m_object.find(std::string(key));
    return it == m_object.end() || it->is_null() ? nullptr : &*it;
}

bool JsonFields::has(std::string_view key) const
{
    return find(key) != nullptr;
}

const json &JsonFields::required(std::string_view key) const
{
    const json *value = find(key);
    if (!value)
        fail(key, "is missing");
    return *value;
}

std::string JsonFields::text(std::string_view key) const
{
    const json &value = required(key);
    if (!value.is_string())
        fail(key, fmt::format("must be text, and is {}", described(value)));
    std::string text = value.get<std::string>();
    if (text.empty())
        fail(key, "is empty");
    return text;
}

std::string JsonFields::textOr(std::string_view key, std::string fallback) const
{
    return has(key) ? text(key) : fallback;
}

std::int64_t JsonFields::count(std::string_view key, std::int64_t least, std::int64_t most) const
{
    const json &value = required(key);
    const bool tooLarge = value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t(most);
    if (!value.is_number_integer() || tooLarge || value.get<std::int64_t>() < least || value.get<std::int64_t>() > most)
        fail(key, fmt::format("must be a whole number from {} to {}, and is {}", least, most, described(value)));
    return value.get<std::int64_t>();
}

std::int64_t JsonFields::countOr(std::string_view key, std::int64_t fallback, std::int64_t least,
                                 std::int64_t most) const
{
    return has(key) ? count(key, least, most) : fallback;
}

double JsonFields::number(std::string_view key, double least, double most, std::string_view unit) const
{
    const json &value = required(key);
    const double number = value.is_number() ? value.get<double>() : std::nan("");
    if (!(number >= least && number <= most))
        fail(key, fmt::format("must be a number from {:g} to {:g}{}{}, and is {}", least, most, unit.empty() ? "" : " ",
                              unit, described(value)));
    return number;
}

double JsonFields::numberOr(std::string_view key, double fallback, double least, double most) const
{
    return has(key) ? number(key, least, most) : fallback;
}

bool JsonFields::flagOr(std::string_view key, bool fallback) const
{
    const json *value = find(key);
    if (!value)
        return fallback;
    if (!value->is_boolean())
        fail(key, fmt::format("must be true or false, and is {}", described(*value)));
    return value->get<bool>();
}

std::vector<std::string> JsonFields::texts(std::string_view key) const
{
    std::vector<std::string> texts;
    const json *value = find(key);
    if (!value)
        return texts;
    if (!value->is_array())
        fail(key, fmt::format("must be a list of texts, and is {}", described(*value)));
    for (const json &entry : *value) {
        if (!entry.is_string())
            fail(key, fmt::format("must be a list of texts, and holds {}", described(entry)));
        texts.push_back(entry.get<std::string>());
    }
    return texts;
}

JsonFields JsonFields::object(std::string_view key) const
{
    const json &value = required(key);
    if (!value.is_object())
        fail(key, fmt::format("must be an object, and is {}", described(value)));
    return JsonFields(value, m_origin, fmt::format("{}{}.", m_path, key));
}

void JsonFields::onlyKeys(const std::vector<std::string> &known) const
{
    for (const auto &[key, value] : m_object.items()) {
        if (std::find(known.begin(), known.end(), key) != known.end())
            continue;
        const std::vector<std::string> near = nearestNames(key, known);
        const std::string name = quotedForSentence(m_path + key);
        if (near.empty())
            throw Error(ErrorKind::Failure, fmt::format("{}: the field {} is unknown. Known are: \"{}\".", m_origin, name,
                                                        fmt::join(known, "\", \"")));
        throw Error(ErrorKind::Failure, fmt::format("{}: the field {} is unknown. Is \"{}{}\" meant?", m_origin, name,
                                                    m_path, near.front()));
    }
}

} // namespace ridgepoint
