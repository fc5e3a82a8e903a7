// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Marks a text of the core for translation: lupdate collects it under the context; the core itself does not translate.
/// Word for word Qt's own definition, so that a file that meets both, in either order, has one macro.
#ifndef QT_TRANSLATE_NOOP
#define QT_TRANSLATE_NOOP(scope, x) x
#endif

namespace ridgepoint {

/// A sentence that the core makes and the window may translate: an English pattern with %1, %2, ... and what stands there.
/// The pattern is looked up under the translation context "core"; the arguments are figures formatted already, or names.
struct Message {
    std::string pattern;
    std::vector<std::string> arguments;
    bool operator==(const Message &) const = default;

    bool empty() const { return pattern.empty(); }
    std::string english() const { return filled(pattern); }
    /// `pattern` (its translation) with the arguments filled in. A %n without an argument stays as it is.
    std::string filled(const std::string &translated) const;
};

/// `text` as `pattern` with arguments, or nothing where it is not of that pattern. A %n that the pattern holds once takes the
/// shortest text up to what follows it, and never an empty one.
std::optional<Message> takenApart(std::string_view text, std::string_view pattern);

} // namespace ridgepoint
