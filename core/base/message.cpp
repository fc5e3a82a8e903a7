// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/message.h"

namespace ridgepoint {

std::string Message::filled(const std::string &translated) const
{
    std::string text;
    for (std::size_t at = 0; at < translated.size(); ++at) {
        const char digit = translated[at] == '%' && at + 1 < translated.size() ? translated[at + 1] : '\0';
        if (digit >= '1' && digit <= '9' && static_cast<std::size_t>(digit - '1') < arguments.size()) {
            text += arguments[static_cast<std::size_t>(digit - '1')];
            ++at;
        } else {
            text += translated[at];
        }
    }
    return text;
}

} // namespace ridgepoint
