// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/worker_process.h"
#include "gpu/base/messages/files.h"

#include "gpu/base/companion.h"
#include "gpu/base/messages/gpu.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace warpglass::cuda {

namespace {

// Writing to a worker that died must be an error, not the end of the program.
class IgnoreBrokenPipe {
public:
    IgnoreBrokenPipe() {
        struct sigaction ignore {};
        ignore.sa_handler = SIG_IGN;
        sigaction(SIGPIPE, &ignore, &m_before);
    }
    ~IgnoreBrokenPipe() { sigaction(SIGPIPE, &m_before, nullptr); }
    IgnoreBrokenPipe(const IgnoreBrokenPipe&) = delete;
    IgnoreBrokenPipe& operator=(const IgnoreBrokenPipe&) = delete;

private:
    struct sigaction m_before {};
};

void closeOnce(int& fd) {
    if (fd >= 0)
        ::close(fd);
    fd = -1;
}

struct Spawn {
    const char* path;
    posix_spawn_file_actions_t* actions;
    char* const* argv;
    char* const* environment;
    pid_t pid = -1;
    int failed = 0;
};

int spawn(void* data) {
    auto& s = *static_cast<Spawn*>(data);
    s.failed = posix_spawn(&s.pid, s.path, s.actions, nullptr, s.argv, s.environment);
    return 0;
}

// In a process between, which tells nobody that it has ended and which no wait() of the program's finds: its child has no
// parent here. It shares our memory while it lives, as vfork() does.
void spawnApart(Spawn& s) {
    constexpr std::size_t bytes = 256 * 1024;
    void* stack = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED) {
        s.failed = errno;
        return;
    }
    const int between = clone(spawn, static_cast<char*>(stack) + bytes, CLONE_VM | CLONE_VFORK, &s);
    if (between < 0)
        s.failed = errno;
    else
        while (waitpid(between, nullptr, __WALL) < 0 && errno == EINTR) {
        }
    munmap(stack, bytes);
}

// Waits for a killed process without holding up the caller: the driver may take seconds to let go of it.
void reap(pid_t pid) {
    for (int i = 0; i < 20; ++i) {
        if (waitpid(pid, nullptr, WNOHANG) != 0)
            return;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    std::thread([pid] { waitpid(pid, nullptr, 0); }).detach();
}

} // namespace

std::filesystem::path workerProgram(const char* name) {
    return companion(name);
}

Result<WorkerProcess> WorkerProcess::start(const std::filesystem::path& program, Of whose) {
    std::error_code code;
    if (!std::filesystem::exists(program, code))
        return Error{say::NoGpuPart, "", 0, 0, say::InstallGpuPart};
    int to[2] = {-1, -1}, from[2] = {-1, -1};
    if (pipe2(to, O_CLOEXEC) != 0)
        return Error{say::NoPipe(std::strerror(errno))};
    if (pipe2(from, O_CLOEXEC) != 0) {
        const Error error{say::NoPipe(std::strerror(errno))};
        ::close(to[0]);
        ::close(to[1]);
        return error;
    }
    WorkerProcess worker;
    worker.m_of = whose;
    worker.m_errors = memfd_create("warpglass-worker-errors", MFD_CLOEXEC);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
    if (worker.m_errors >= 0)
        posix_spawn_file_actions_adddup2(&actions, worker.m_errors, STDERR_FILENO);
    std::string path = program.string();
    char apart[] = "apart";
    char* argv[] = {path.data(), whose == Of::Nobody ? apart : nullptr, nullptr};
    std::vector<char*> environment;
    for (char** word = environ; *word; ++word)
        if (whose == Of::Us || std::strncmp(*word, "LD_PRELOAD=", 11) != 0)
            environment.push_back(*word);
    environment.push_back(nullptr);
    Spawn asked{path.c_str(), &actions, argv, environment.data()};
    if (whose == Of::Us)
        spawn(&asked);
    else
        spawnApart(asked);
    const int failed = asked.failed;
    worker.m_pid = asked.pid;
    posix_spawn_file_actions_destroy(&actions);
    ::close(to[0]);
    ::close(from[1]);
    worker.m_to = to[1];
    worker.m_from = from[0];
    if (failed != 0) {
        worker.m_pid = -1;
        return Error{say::WorkerNotStarted(std::strerror(failed)), path};
    }
    return worker;
}

WorkerProcess::WorkerProcess(WorkerProcess&& other) noexcept
    : m_pid(std::exchange(other.m_pid, -1)), m_of(other.m_of), m_to(std::exchange(other.m_to, -1)),
      m_from(std::exchange(other.m_from, -1)), m_errors(std::exchange(other.m_errors, -1)) {}

WorkerProcess::~WorkerProcess() {
    closeOnce(m_to);
    closeOnce(m_from);
    if (m_pid > 0)
        kill();
    closeOnce(m_errors);
}

void WorkerProcess::kill() {
    if (m_pid <= 0)
        return;
    ::kill(m_pid, SIGKILL);
    if (m_of == Of::Us)
        reap(m_pid);
    m_pid = -1;
}

bool WorkerProcess::ended(int options, int* status) const {
    return m_of == Of::Us && m_pid > 0 && waitpid(m_pid, status, options) != 0;
}

bool WorkerProcess::send(FrameKind kind, const void* data, std::size_t bytes) {
    const IgnoreBrokenPipe guard;
    return writeFrame(m_to, kind, data, bytes);
}

bool WorkerProcess::alive() {
    if (m_pid <= 0)
        return false;
    if (ended(WNOHANG)) {
        m_pid = -1;
        return false;
    }
    struct pollfd from {
        m_from, POLLIN, 0
    };
    return poll(&from, 1, 0) == 0; // between two requests it has nothing to say
}

std::string WorkerProcess::lastWords() const {
    if (m_errors < 0)
        return {};
    std::string text(2000, '\0');
    const ssize_t n = pread(m_errors, text.data(), text.size(), 0);
    text.resize(n > 0 ? std::size_t(n) : 0);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
        text.pop_back();
    return text;
}

Result<Frame> WorkerProcess::receive(Progress& progress, double silence) {
    using Clock = std::chrono::steady_clock;
    auto heard = Clock::now();
    for (;;) {
        if (progress.cancelled()) {
            kill();
            return Error{say::RunCancelled};
        }
        struct pollfd from {
            m_from, POLLIN, 0
        };
        const int ready = poll(&from, 1, 50);
        if (ready == 0 || (ready < 0 && errno == EINTR)) {
            if (std::chrono::duration<double>(Clock::now() - heard).count() > silence) {
                kill();
                return Error{say::WorkerSilent(fmt::format("{:.0f}", silence)), "", 0, 0, say::GpuMayBeBusy};
            }
            continue;
        }
        auto frame = readFrame(m_from);
        heard = Clock::now();
        if (!frame) {
            int status = 0;
            const bool known = ended(0, &status);
            m_pid = -1;
            const Message how = !known                ? Message(say::PipeClosed)
                                : WIFSIGNALED(status) ? say::EndedBySignal(std::to_string(WTERMSIG(status)))
                                                      : say::EndedWithStatus(std::to_string(WEXITSTATUS(status)));
            const std::string words = lastWords();
            return Error{words.empty() ? say::WorkerEnded(how) : say::WorkerEndedSaying(how, words)};
        }
        if (frame->kind != FrameKind::Progress)
            return std::move(*frame);
        double fraction = 0;
        if (frame->payload.size() == sizeof fraction) {
            std::memcpy(&fraction, frame->payload.data(), sizeof fraction);
            progress.report(fraction);
        }
    }
}

} // namespace warpglass::cuda
