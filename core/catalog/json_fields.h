// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint
{

/// Largest element count that a shape may name; above it a file is taken to be damaged or hostile.
inline constexpr std::int64_t maxElementCount = std::int64_t(1) << 40;

/// `text` as it may stand in a sentence: in double quotes, control characters and bytes outside ASCII replaced by '?',
/// cut after 60 characters.
std::string quotedForSentence(std::string_view text);

/// Parses a JSON object. Throws Error (Failure) naming `origin` when the text is not JSON, is not an object or nests
/// deeper than 64 levels.
nlohmann::json parseJsonObject(std::string_view text, const std::string &origin);

/// Typed access to the fields of one JSON object. Every fault is an Error (Failure) that names the origin, the field
/// and what was found. A field that is null counts as absent, as it does for the reference implementations. Keeps a
/// reference to the object: it must outlive this.
class JsonFields
{
public:
    JsonFields(const nlohmann::json &object, std::string origin, std::string path = {});

    bool has(std::string_view key) const;
    /// The value, or null when the field is absent.
    const nlohmann::json *find(std::string_view key) const;

    std::string text(std::string_view key) const; ///< required, not empty
    std::string textOr(std::string_view key, std::string fallback) const;
    std::int64_t count(std::string_view key, std::int64_t least = 1, std::int64_t most = maxElementCount) const;
    std::int64_t countOr(std::string_view key, std::int64_t fallback, std::int64_t least = 1,
                         std::int64_t most = maxElementCount) const;
    double number(std::string_view key, double least, double most, std::string_view unit = {}) const;
    double numberOr(std::string_view key, double fallback, double least, double most) const;
    bool flagOr(std::string_view key, bool fallback) const;
    std::vector<std::string> texts(std::string_view key) const; ///< empty when absent
    JsonFields object(std::string_view key) const;              ///< required
    /// Every key of the object must be one of `known`: a mistyped key would otherwise be a silent default.
    void onlyKeys(const std::vector<std::string> &known) const;

    [[noreturn]] void fail(std::string_view key, std::string_view what) const;
    const std::string &origin() const { return m_origin; }
    const nlohmann::json &raw() const { return m_object; }

private:
    const nlohmann::json &required(std::string_view key) const;

    const nlohmann::json &m_object;
    std::string m_origin;
    std::string m_path;
};

} // namespace ridgepoint
