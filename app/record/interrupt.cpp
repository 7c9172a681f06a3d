// SPDX-License-Identifier: GPL-3.0-or-later
//
// A thread that waits for the signals, instead of a handler: what it may do is not limited to what is safe in a
// handler, and no global variable is needed.
#include "app/record/interrupt.h"
#include "gpu/base/patience.h"

#include <csignal>
#include <cstdio>
#include <ctime>
#include <poll.h>
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

// Asks whether work that stands still is to go on, and waits for the answer beside it.
class Question {
public:
    void ask(Progress& progress) {
        const long seconds = long(patience().count());
        m_asked = isatty(STDIN_FILENO) != 0 && isatty(STDERR_FILENO) != 0 && tcgetpgrp(STDIN_FILENO) == getpgrp();
        if (m_asked) {
            std::fprintf(stderr, "\nNothing has moved for %ld s. Stop it? [y, or Enter to go on] ", seconds);
            return;
        }
        std::fprintf(stderr, "warpglass-record: nothing has moved for %ld s; %s\n", seconds,
                     patienceIsSet()
                         ? "it is stopped. Set the variable WARPGLASS_PATIENCE to more seconds, or to 0."
                         : "it goes on. The variable WARPGLASS_PATIENCE says after how many seconds it is stopped.");
        if (patienceIsSet())
            progress.cancel();
    }
    void hear(Progress& progress) {
        pollfd keys{STDIN_FILENO, POLLIN, 0};
        if (!m_asked || poll(&keys, 1, 0) <= 0)
            return;
        char answer[64];
        const ssize_t read = ::read(STDIN_FILENO, answer, sizeof answer);
        m_asked = false;
        if (read > 0 && (answer[0] == 'y' || answer[0] == 'Y'))
            progress.cancel();
    }
    bool open() const { return m_asked; }

private:
    bool m_asked = false;
};

void watch(const std::stop_token& stop, Progress& progress, const std::function<std::string()>& far) {
    const sigset_t signals = watchedSignals();
    const bool terminal = isatty(STDERR_FILENO) != 0;
    constexpr int millisecondsPerTurn = 100, millisecondsToEnd = 900;
    int ending = 0, turnsSince = 0;
    std::size_t written = 0; // characters that stand on the line
    Standstill standstill;
    Question question;
    std::string before;
    double moves = 0; // what `far` says, too, is a way of getting further
    for (int turn = 0; !stop.stop_requested(); ++turn) {
        const timespec wait{0, millisecondsPerTurn * 1'000'000L};
        const int caught = sigtimedwait(&signals, nullptr, &wait);
        if (caught == SIGINT || caught == SIGTERM) {
            if (progress.cancelled())
                _exit(128 + caught);
            progress.cancel();
            ending = caught;
        } else if (ending != 0 && ++turnsSince * millisecondsPerTurn >= millisecondsToEnd) {
            _exit(128 + ending); // what does not look whether it is to end
        }
        question.hear(progress);
        if (const std::string now = far ? far() : std::string(); now != before) {
            before = now;
            ++moves;
        }
        if (standstill.is(progress.fraction() + moves) && !progress.cancelled())
            question.ask(progress);
        if (terminal && !question.open() && turn * millisecondsPerTurn >= 1000 && !progress.cancelled()) {
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
