// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"
#include "core/session/session.h"

namespace ridgepoint {

/// What a session holds: model and number format, device by its name, kind of experiment, modes and ranges, as in
/// "Llama 2 7B fp16 on NVIDIA H200: batch sweep, eager, graph, b=1..64, p=512". Empty without a run.
Message sessionTitle(const Session &session);
/// False for no title and for one that a run gave by itself ("sweep llama-2-7b cuda:0"), which names neither device nor mode.
bool hasOwnTitle(const Session &session);
/// The title to show: the session's own, else what it holds.
std::string shownTitle(const Session &session);
/// The same in few words, for a tab: "Llama 2 7B · H200 · sweep eager, graph".
Message sessionShortTitle(const Session &session);

} // namespace ridgepoint
