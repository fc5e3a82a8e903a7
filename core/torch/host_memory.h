// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace ridgepoint {

/// Anonymous memory on huge pages where the system grants them (a stream over 4 KiB pages loses a quarter of the
/// bandwidth to page walks), aligned to 2 MiB, zeroed. `present`: all pages are there when this returns; without it the caller
/// fills all of them before anything is timed, and a pass over the memory is saved.
/// Throws OutOfMemory when it would not fit; the sentence names `what` and both figures.
std::shared_ptr<std::byte> allocateHost(std::size_t bytes, const std::string &what, bool present = true);

} // namespace ridgepoint
