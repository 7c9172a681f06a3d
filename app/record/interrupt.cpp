// SPDX-License-Identifier: GPL-3.0-or-later
//
// A thread that waits for the signals, instead of a handler: what it may do is not limited to what is safe in a
// handler, and no global variable is needed.
#include "app/record/interrupt.h"

#include <csignal>
#include <cstdio>
#include <ctime>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>

namespace warpglass::record {

namespace {

sigset_t watchedSignals() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    return set;
}

void watch(const std::stop_token& stop, Progress& progress, const std::function<std::string()>& far) {
    const sigset_t signals = watchedSignals();
    const bool terminal = isatty(STDERR_FILENO) != 0;
    constexpr int millisecondsPerTurn = 100;
    std::size_t written = 0; // characters that stand on the line
    for (int turn = 0; !stop.stop_requested(); ++turn) {
        const timespec wait{0, millisecondsPerTurn * 1'000'000L};
        const int caught = sigtimedwait(&signals, nullptr, &wait);
        if (caught == SIGINT || caught == SIGTERM) {
            if (progress.cancelled())
                _exit(128 + caught);
            progress.cancel();
        }
        if (terminal && turn * millisecondsPerTurn >= 1000 && !progress.cancelled()) {
            const std::string text = far ? far() : fmt::format("{:3.0f} %", 100 * progress.fraction());
            std::fprintf(stderr, "\r%-*s", int(written), text.c_str());
            written = std::max(written, text.size());
        }
    }
    if (written > 0)
        std::fprintf(stderr, "\r%*s\r", int(written), "");
}

} // namespace

Interrupt::Interrupt(Progress& progress, std::function<std::string()> far) {
    const sigset_t signals = watchedSignals();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    m_watcher =
        std::jthread([&progress, far = std::move(far)](const std::stop_token& stop) { watch(stop, progress, far); });
}

Interrupt::~Interrupt() {
    m_watcher.request_stop();
    m_watcher.join();
    const sigset_t signals = watchedSignals();
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

} // namespace warpglass::record
