// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/interrupt.h"

#include <csignal>
#include <cstdio>
#include <ctime>
#include <unistd.h>

namespace ridgepoint {

namespace {

sigset_t stopSignals()
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    return set;
}

} // namespace

Interrupt::Interrupt()
{
    const auto set = stopSignals();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    m_thread = std::jthread([this](std::stop_token ending) {
        const auto waited = stopSignals();
        while (!ending.stop_requested()) {
            timespec pause{0, 100'000'000};
            if (sigtimedwait(&waited, nullptr, &pause) < 0)
                continue;
            if (m_source.stop_requested())
                _exit(130);
            std::fputs("\nStopping after this step; press Ctrl+C again to end at once.\n", stderr);
            m_source.request_stop();
        }
    });
}

Interrupt::~Interrupt()
{
    m_thread.request_stop();
    m_thread.join();
    const auto set = stopSignals();
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

} // namespace ridgepoint
