// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <thread>

namespace ridgepoint {

/// Turns SIGINT and SIGTERM into a stop request while it lives; a second one ends the process at once with code 130.
/// Create it before any other thread starts: the signals are blocked in this thread and those it starts.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt &) = delete;
    Interrupt &operator=(const Interrupt &) = delete;

    std::stop_token token() const { return m_source.get_token(); }

private:
    std::stop_source m_source;
    std::jthread m_thread;
};

} // namespace ridgepoint
