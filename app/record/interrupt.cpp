// SPDX-License-Identifier: GPL-3.0-or-later
//
// A thread that waits for the signals, instead of a handler: what it may do is not limited to what is safe in a
// handler, and no global variable is needed.
#include "app/record/interrupt.h"

#include <csignal>
#include <cstdio>
#include <ctime>
#include <unistd.h>

namespace warpglass::record {

namespace {

sigset_t watchedSignals() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    return set;
}

void watch(const std::stop_token& stop, Progress& progress) {
    const sigset_t signals = watchedSignals();
    const bool terminal = isatty(STDERR_FILENO) != 0;
    constexpr int millisecondsPerTurn = 100;
    bool written = false;
    for (int turn = 0; !stop.stop_requested(); ++turn) {
        const timespec wait{0, millisecondsPerTurn * 1'000'000L};
        const int caught = sigtimedwait(&signals, nullptr, &wait);
        if (caught == SIGINT || caught == SIGTERM) {
            if (progress.cancelled())
                _exit(128 + caught);
            progress.cancel();
        }
        if (terminal && turn * millisecondsPerTurn >= 1000 && !progress.cancelled()) {
            std::fprintf(stderr, "\r%3.0f %%", 100 * progress.fraction());
            written = true;
        }
    }
    if (written)
        std::fprintf(stderr, "\r     \r");
}

} // namespace

Interrupt::Interrupt(Progress& progress) {
    const sigset_t signals = watchedSignals();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    m_watcher = std::jthread([&progress](const std::stop_token& stop) { watch(stop, progress); });
}

Interrupt::~Interrupt() {
    m_watcher.request_stop();
    m_watcher.join();
    const sigset_t signals = watchedSignals();
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

} // namespace warpglass::record
