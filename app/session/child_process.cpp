// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/child_process.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warpglass::session {

namespace {

void limit(decltype(RLIMIT_AS) what, std::uint64_t value) {
    rlimit now{};
    if (getrlimit(what, &now) != 0)
        return;
    now.rlim_cur = now.rlim_max == RLIM_INFINITY ? rlim_t(value) : std::min<rlim_t>(rlim_t(value), now.rlim_max);
    setrlimit(what, &now);
}

// Between fork and exec only what a signal handler may call: other threads of this program held locks when it forked.
[[noreturn]] void becomeChild(char* const* arguments, char* const* environment, const ChildPlace& place,
                              const ChildLimits& limits, const ChildFiles* files) {
    const int file = open(place.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int errors = place.errors.empty() ? file : open(place.errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || errors < 0 || dup2(file, STDOUT_FILENO) < 0 || dup2(errors, STDERR_FILENO) < 0)
        _exit(127);
    if (!place.folder.empty() && chdir(place.folder.c_str()) != 0)
        _exit(127);
    const int nothing = open("/dev/null", O_RDONLY);
    if (nothing >= 0)
        dup2(nothing, STDIN_FILENO);
    sigset_t none; // Ctrl-C reaches the child although this program may have blocked it for itself
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    std::signal(SIGXFSZ, SIG_DFL);
    limit(RLIMIT_AS, limits.memoryBytes);
    limit(RLIMIT_FSIZE, limits.fileBytes);
    limit(RLIMIT_CPU, limits.cpuSeconds);
    limit(RLIMIT_CORE, 0);
    if (files)
        files->rules.apply();
    execve(arguments[0], arguments, environment);
    _exit(127);
}

std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> all;
    all.reserve(words.size() + 1);
    for (std::string& word : words)
        all.push_back(word.data());
    all.push_back(nullptr);
    return all;
}

// 0: it is no more. Behind the name, which may hold anything, stand a state and the parent (proc(5)).
pid_t parentOf(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string line;
    std::getline(file, line, '\0');
    const std::size_t name = line.rfind(") ");
    return name == std::string::npos || line.size() < name + 4
               ? 0
               : pid_t(std::strtol(line.c_str() + name + 4, nullptr, 10));
}

std::vector<std::string> environmentWith(const ChildFiles* files) {
    std::vector<std::string> words;
    for (char** word = environ; *word; ++word)
        if (!files || !std::string_view(*word).starts_with("TMPDIR="))
            words.emplace_back(*word);
    if (files)
        words.push_back("TMPDIR=" + files->temporary.string());
    return words;
}

} // namespace

void endWithParent(pid_t parent, int signal) {
    prctl(PR_SET_PDEATHSIG, signal);
    if (getppid() != parent) // it has ended already
        _exit(127);
}

// Each is stopped when it is found, so that it starts nothing more: until nobody new is found.
void endWithItsOwn(pid_t child) {
    std::set<pid_t> found{child};
    kill(child, SIGSTOP);
    for (std::size_t before = 0; before != found.size();) {
        before = found.size();
        std::error_code failed;
        for (const auto& entry : std::filesystem::directory_iterator("/proc", failed)) {
            const std::string name = entry.path().filename().string();
            const pid_t process = pid_t(std::strtol(name.c_str(), nullptr, 10));
            if (process > 0 && found.contains(parentOf(process)) && found.insert(process).second)
                kill(process, SIGSTOP);
        }
    }
    for (const pid_t process : found)
        kill(process, SIGKILL);
}

ChildEnd runChild(const std::vector<std::string>& words, const ChildPlace& place, const ChildLimits& limits,
                  const ChildFiles* files) {
    std::vector<std::string> copies = words, settings = environmentWith(files);
    const std::vector<char*> arguments = pointers(copies), environment = pointers(settings);
    if (words.empty() || access(words[0].c_str(), X_OK) != 0)
        return {.how = ChildEnd::How::NotStarted};
    const pid_t parent = getpid(), child = fork();
    if (child < 0)
        return {.how = ChildEnd::How::NotStarted};
    if (child == 0) {
        endWithParent(parent, SIGKILL);
        becomeChild(arguments.data(), environment.data(), place, limits, files);
    }

    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::seconds(limits.wallSeconds);
    auto pause = std::chrono::milliseconds(1);
    int status = 0;
    for (;;) {
        const pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child)
            break;
        if (ended < 0 && errno != EINTR)
            return {.how = ChildEnd::How::Killed};
        const bool cancelled = place.cancelled && place.cancelled->load();
        if (cancelled || Clock::now() > end) {
            endWithItsOwn(child);
            while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
            }
            return {.how = cancelled ? ChildEnd::How::Cancelled : ChildEnd::How::OutOfTime};
        }
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, std::chrono::milliseconds(20));
    }
    if (WIFSIGNALED(status))
        return {.how = WTERMSIG(status) == SIGXCPU ? ChildEnd::How::OutOfTime : ChildEnd::How::Killed};
    return {.how = ChildEnd::How::Exited, .status = WEXITSTATUS(status)};
}

} // namespace warpglass::session
