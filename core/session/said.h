// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <string>
#include <string_view>
#include <vector>

namespace ridgepoint {

/// The patterns of what the core and the engine say in plain English because it is stored or printed as it stands: notes and
/// reasons of a session's file, cells of a table, what a run is at, faults. Those with most words of their own first.
const std::vector<std::string> &saidPatterns();

/// `text` taken apart by saidPatterns(): one Message a sentence. A sentence of no pattern is a Message of itself without
/// arguments, so that english() of all, with a space between, is the text again. Arguments may be texts of patterns too.
/// `inner`: of a text that stood for a %n; only there are patterns looked for that are hardly more than their arguments, such as
/// "%1 to %2".
std::vector<Message> said(std::string_view text, bool inner = false);

} // namespace ridgepoint
