// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Private to core/session: what the session file and the journal share. Only .cpp files of this folder include it, and tests/fuzz.

#include "core/session/csv_reader.h"
#include "core/session/events.h"
#include "core/session/session.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace ridgepoint::detail {

/// Compact text; bytes that are not UTF-8 become U+FFFD, so that any generated text can be stored.
std::string dump(const nlohmann::json &value);

/// Parses after bounding the number of values (a text or a list counts as several: it takes as much memory), with bounds for the
/// nesting depth and the length of a text, so that a hostile file costs neither stack nor memory. `what` begins the sentence of
/// the Error (Failure): "The session file 'x.json'".
inline constexpr std::size_t kMaxValues = 50'000'000;
nlohmann::json parseBounded(std::string_view text, const std::string &what, std::size_t maxValues = kMaxValues);

/// A JSON value that knows where it stands, so that a fault is named by its path. Lives on the stack; the parent must
/// outlive it.
class Node {
public:
    Node(const nlohmann::json &value, const std::string &what) : m_value(value), m_what(&what) {}

    const nlohmann::json &value() const { return m_value; }
    const std::string &what() const { return *m_what; }
    [[noreturn]] void fail(const std::string &problem) const;

    Node at(const char *key) const;        ///< a field that must be there; fails on a value that is no object
    std::size_t size() const;              ///< of an array; fails on any other value
    Node element(std::size_t index) const; ///< of an array
    /// Calls `use` with the field when it is there and not null.
    template <typename Use>
    void optional(const char *key, Use use) const
    {
        const nlohmann::json *field = find(key);
        if (field && !field->is_null())
            use(Node(*field, *this, key));
    }

    std::string text() const;
    std::int64_t integer(std::int64_t low, std::int64_t high) const;
    std::uint64_t unsignedInteger() const;
    double number() const; ///< null: NaN; fails below zero and for what is beyond any measurement
    double signedNumber() const; ///< likewise, of either sign
    double positive() const;     ///< likewise; fails at zero too: no rate, no time that was measured is zero
    double told() const;         ///< number(), but null fails: a value without which its row says nothing
    bool boolean() const;
    /// The value that `parse` (std::optional<T>(std::string_view)) makes of the text.
    template <typename Parse>
    auto name(Parse parse) const
    {
        const std::string word = text();
        const auto known = parse(word);
        if (!known)
            fail("holds '" + shortened(word) + "', which is not a name that this program knows");
        return *known;
    }
    /// Optional number: absent or null gives NaN.
    double numberAt(const char *key) const;
    std::string textAt(const char *key) const; ///< absent: empty

private:
    Node(const nlohmann::json &value, const Node &parent, const char *key)
        : m_value(value), m_what(parent.m_what), m_parent(&parent), m_key(key)
    {
    }
    const nlohmann::json *find(const char *key) const;
    std::string path() const;

    const nlohmann::json &m_value;
    const std::string *m_what;
    const Node *m_parent = nullptr;
    const char *m_key = nullptr; ///< null: m_index counts
    std::size_t m_index = 0;
};

nlohmann::json toValue(const Session &session);
nlohmann::json toValue(const RunPlan &plan);
nlohmann::json toValue(const Provenance &provenance);
nlohmann::json toValue(const SweepPoint &point);
nlohmann::json toValue(const TtftResult &result);
nlohmann::json toValue(const CalibrationResult &result);
nlohmann::json toValue(const LineRow &row);
nlohmann::json toValue(const StepAnatomy &anatomy);

Session readSession(const Node &node);
RunPlan readPlan(const Node &node);
Provenance readProvenance(const Node &node);
SweepPoint readPoint(const Node &node);
TtftResult readTtft(const Node &node);
CalibrationResult readCalibration(const Node &node);
LineRow readLineRow(const Node &node);
StepAnatomy readAnatomy(const Node &node);

} // namespace ridgepoint::detail
