// SPDX-License-Identifier: GPL-3.0-or-later
// Ends the emulator's own process while it runs a stranger's kernel, as a fault of the emulator would.
#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <thread>

#include <unistd.h>

namespace warpglass::tests {

// The process warpglass-cage that this process has started, or one that it has started; 0: there is none.
inline pid_t cageBelow() {
    struct Row {
        pid_t parent = 0;
        bool isCage = false;
    };
    std::map<pid_t, Row> all;
    std::error_code code;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", code)) {
        const pid_t pid = std::atoi(entry.path().filename().c_str());
        std::ifstream in(entry.path() / "stat");
        std::string text;
        if (pid <= 0 || !std::getline(in, text) || text.rfind(')') + 4 > text.size())
            continue;
        all[pid] = {std::atoi(text.c_str() + text.rfind(')') + 4), text.find("(warpglass-cage)") != std::string::npos};
    }
    for (const auto& [pid, row] : all)
        if (row.isCage)
            for (pid_t above = row.parent; above > 1 && all.contains(above); above = all[above].parent)
                if (above == getpid())
                    return pid;
    return 0;
}

// Waits for one that runs for a moment already, and ends it, in a thread of its own.
class Breaking {
public:
    explicit Breaking(int signal = SIGSEGV) {
        m_thread = std::thread([this, signal] {
            pid_t seen = 0;
            while (!m_over) {
                const pid_t now = cageBelow();
                if (now > 0 && now == seen && kill(now, signal) == 0) {
                    m_broke = true;
                    return;
                }
                seen = now;
                std::this_thread::sleep_for(std::chrono::milliseconds(200)); // it has closed itself off by then
            }
        });
    }
    ~Breaking() {
        m_over = true;
        m_thread.join();
    }
    bool broke() const { return m_broke; }

private:
    std::atomic<bool> m_over = false, m_broke = false;
    std::thread m_thread;
};

// A kernel without an end, without parameters.
inline constexpr const char* endlessKernel = ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k() {\n"
                                             ".reg .b32 %r<2>;\nmov.u32 %r1, 0;\nA: add.u32 %r1, %r1, 1;\nbra A;\n}\n";

} // namespace warpglass::tests
