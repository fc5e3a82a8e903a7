// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/events.h"

namespace ridgepoint {

const std::string &runIdOf(const Event &event)
{
    return std::visit([](const auto &e) -> const std::string & { return e.runId; }, event);
}

} // namespace ridgepoint
