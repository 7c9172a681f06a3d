// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cage/caged_emulator.h"

#include "gpu/base/companion.h"
#include "gpu/base/memory_limit.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/base/messages/files.h"
#include "gpu/base/parallel.h"
#include "gpu/cage/answer.h"
#include "gpu/cage/fields.h"
#include "gpu/cage/line.h"
#include "gpu/cage/memory_file.h"
#include "gpu/cage/other_memory.h"
#include "gpu/cage/protocol.h"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warpglass {

namespace cage {
namespace {

Error failed(Message how) {
    return {.message = std::move(how), .remedy = say::InstallAgain};
}

std::uint64_t memoryOf(const Limits& limits) {
    return limits.memoryBytes > 0 ? limits.memoryBytes : memoryLimit();
}

// How that process has its memory: it begins anew for each run, and most of what a short one would cost is that the
// system gives it page after page. So in large ones, where the system has some, and none is given back before the end.
constexpr const char* memoryInLargePages = "GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.top_pad=16777216:"
                                           "glibc.malloc.trim_threshold=4294967296:"
                                           "glibc.malloc.mmap_threshold=33554432";

// What the emulator's process sees of its surroundings: the limit, and what says where libraries lie.
std::vector<std::string> environmentOf(const Limits& limits) {
    std::vector<std::string> words{fmt::format("WARPGLASS_MEMORY={}", memoryOf(limits)), memoryInLargePages};
    for (const char* known : {"LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"})
        if (const char* value = std::getenv(known))
            words.push_back(fmt::format("{}={}", known, value));
    return words;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> all;
    all.reserve(words.size() + 1);
    for (std::string& word : words)
        all.push_back(word.data());
    all.push_back(nullptr);
    return all;
}

// The page in which the process says how far it is.
class SharedProgress {
public:
    explicit SharedProgress(const MemoryFile& file) {
        if (file.keepSizeOf(sizeof(Progress)))
            m_at = mmap(nullptr, sizeof(Progress), PROT_READ, MAP_SHARED, file.descriptor(), 0);
    }
    ~SharedProgress() {
        if (m_at != MAP_FAILED)
            munmap(m_at, sizeof(Progress));
    }
    SharedProgress(const SharedProgress&) = delete;
    SharedProgress& operator=(const SharedProgress&) = delete;
    bool there() const { return m_at != MAP_FAILED; }
    double fraction() const {
        const double n = static_cast<const Progress*>(m_at)->fraction();
        return n >= 0 && n <= 1 ? n : 0; // NaN is neither
    }

private:
    void* m_at = MAP_FAILED;
};

// A started process, which is gone when this is.
class Process {
public:
    Process() = default;
    ~Process() {
        if (m_pid > 0) {
            kill(m_pid, SIGKILL);
            while (waitpid(m_pid, nullptr, 0) < 0 && errno == EINTR) {
            }
        }
    }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    // files: what it finds as descriptors 3, 4, ...; its standard output and error go into `said`.
    Result<void> start(const std::filesystem::path& program, std::vector<std::string> words,
                       std::vector<std::string> environment, const std::vector<int>& files, int said) {
        // First behind all numbers that they are to have, so that none is put over another that is still to be moved.
        std::vector<int> all = files;
        const int behind = firstFile + int(all.size());
        for (int& file : all)
            file = fcntl(file, F_DUPFD_CLOEXEC, behind);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&actions, said, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, said, STDERR_FILENO);
        for (std::size_t i = 0; i < all.size(); ++i)
            posix_spawn_file_actions_adddup2(&actions, all[i], firstFile + int(i));
        posix_spawnattr_t attributes;
        posix_spawnattr_init(&attributes);
        sigset_t none, reset;
        sigemptyset(&none);
        sigemptyset(&reset);
        sigaddset(&reset, SIGPIPE);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &reset);
        posix_spawnattr_setpgroup(&attributes, 0); // Ctrl-C is this program's to hear
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
        const std::string path = program.string();
        words.insert(words.begin(), path);
        const std::vector<char*> arguments = pointers(words), settings = pointers(environment);
        const int error = posix_spawn(&m_pid, path.c_str(), &actions, &attributes, arguments.data(), settings.data());
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&actions);
        for (const int file : all)
            close(file);
        if (error == 0)
            return {};
        m_pid = -1;
        return failed(say::CageNotStarted(std::strerror(error)));
    }

    pid_t id() const { return m_pid; }
    // Nothing: it still runs.
    std::optional<int> ended() {
        int status = 0;
        if (waitpid(m_pid, &status, WNOHANG) != m_pid)
            return {};
        m_pid = -1;
        return status;
    }

private:
    pid_t m_pid = -1;
};

// What the buffers of a plan hold at first. Each is made when it is asked for, in the memory that then takes what it holds
// at the end.
class Contents {
public:
    Contents(const std::vector<Packer::Contents>& all, bool keep) : m_all(all), m_room(all.size()), m_keep(keep) {}
    Buffers room() && { return std::move(m_room); }

    // Until the answer begins. False: that took more than the seconds.
    bool giveAsAsked(Unpacker& unpacker, Line& line, OtherMemory* memory, double seconds) {
        double taken = 0;
        for (bool asks = true; travel(unpacker, asks), unpacker.good() && asks;) {
            std::uint32_t number = 0;
            std::uint64_t at = 0;
            travelAll(unpacker, number, at);
            const auto began = std::chrono::steady_clock::now();
            if (!unpacker.good() || number >= m_all.size() || !m_all[number].fill || !give(number, at, line, memory))
                unpacker.fail();
            taken += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
            if (seconds > 0 && taken > seconds)
                return false;
        }
        return true;
    }

private:
    bool give(std::uint32_t number, std::uint64_t at, Line& line, OtherMemory* memory) {
        const auto& [fill, count] = m_all[number];
        std::vector<std::byte>& bytes = m_room[number];
        if (bytes.empty()) {
            bytes.reserve(count);
            askForLargePages(bytes.data(), count);
            bytes.resize(count);
            fill(bytes);
        }
        const std::byte done{1};
        const bool given = memory ? memory->write(bytes, at) && line.send({&done, 1}) : line.send(bytes);
        if (!m_keep)
            bytes = {};
        return given;
    }

    const std::vector<Packer::Contents>& m_all;
    Buffers m_room;
    bool m_keep;
};

// What it has printed, of which the first lines tell what an assertion or a sanitizer saw.
std::string lastWords(int said) {
    std::string text(600, '\0');
    const ssize_t n = pread(said, text.data(), text.size(), 0);
    text.resize(n > 0 ? std::size_t(n) : 0);
    for (char& c : text)
        if (c < ' ' || c > '~')
            c = ' ';
    return text.substr(0, text.find_last_not_of(' ') + 1);
}

Error broken(Message how, int said) {
    const std::string words = lastWords(said);
    return {.message =
                words.empty() ? say::EmulatorBroke(std::move(how)) : say::EmulatorBrokeSaying(std::move(how), words),
            .remedy = say::ReportIt(WARPGLASS_VERSION)};
}

class CagedEmulator final : public Backend {
public:
    CagedEmulator(const Limits& limits, std::filesystem::path program)
        : m_limits(limits), m_program(program.empty() ? companion("warpglass-cage") : std::move(program)) {}

    std::string name() const override { return "emulator"; }
    Result<void> available() const override {
        std::error_code code;
        if (std::filesystem::exists(m_program, code))
            return {};
        return failed(say::CageNotThere(m_program.string()));
    }

    Result<Recording> run(const LaunchPlan& plan, const RunOptions& options, Progress& progress) override {
        if (auto ok = available(); !ok)
            return ok.error();
        const MemoryFile said("warpglass-said"), state("warpglass-progress");
        const SharedProgress far(state);
        Line line(progress, [&] { return far.fraction(); });
        // What it may change of these is the contents: a file that shrinks under its reader ends that, one that grows
        // takes memory.
        if (!said.keepSizeOf(mostSaid) || !far.there() || line.otherEnd() < 0)
            return outOfMemory();
        Process process;
        const std::vector<std::string> words{std::to_string(getpid()), std::to_string(m_limits.cpuSeconds),
                                             std::string(protocol())};
        if (auto ok = process.start(m_program, words, environmentOf(m_limits), {line.otherEnd(), state.descriptor()},
                                    said.descriptor());
            !ok)
            return ok.error();
        line.giveOtherEnd();
        RunOptions there = options;
        there.threads = threadsFor(options.threads);
        there.results = options.results || plan.check; // which is made here
        OtherMemory memory(process.id(), progress);
        bool byPlace = hasFilters() && memory.canBeReached();
        Packer packer([&](std::span<const std::byte> bytes) { return line.send(bytes); });
        travelAll(packer, byPlace, const_cast<LaunchPlan&>(plan), there); // a packer changes nothing
        packer.finish();                                                  // whoever does not hear it gives no answer
        Unpacker unpacker([&](std::span<std::byte> bytes) { return line.take(bytes); }, memoryOf(m_limits),
                          byPlace ? Reach([&](auto to, auto from) { return memory.read(to, from); }) : nullptr);
        Contents contents(packer.contents, there.results);
        if (!contents.giveAsAsked(unpacker, line, byPlace ? &memory : nullptr, m_limits.cpuSeconds))
            return Error{say::TookProcessorTime(m_limits.cpuSeconds)};
        auto taken = takeAnswer(unpacker, plan, options, std::move(contents).room());
        line.endSending();
        if (taken && !unpacker.atEnd())
            taken.reset();
        std::optional<int> status;
        while (line.isOver() && !progress.cancelled() && !(status = process.ended()))
            std::this_thread::sleep_for(std::chrono::milliseconds(1)); // it may go on all the same
        if (progress.cancelled())
            return Error{say::RunStopped};
        if (!status)
            return broken(say::NoAnswer, said.descriptor());
        if (WIFSIGNALED(*status))
            return killed(WTERMSIG(*status), plan, said.descriptor());
        if (WEXITSTATUS(*status) == noMemoryStatus)
            return tooMuch(plan);
        if (WEXITSTATUS(*status) == otherBuildStatus)
            return failed(say::CageOfAnotherBuild(m_program.string()));
        if (WEXITSTATUS(*status) != 0)
            return broken(say::EndedWithStatus(WEXITSTATUS(*status)), said.descriptor());
        if (!taken)
            return broken(say::NoAnswer, said.descriptor());
        if (*taken)
            judge(plan, **taken);
        return std::move(*taken);
    }

private:
    static Error tooMuch(const LaunchPlan& plan) {
        return {.message = say::NotEnoughToRun(plan.kernelName), .remedy = say::SmallerSize};
    }
    Error killed(int signal, const LaunchPlan& plan, int said) const {
        if (signal == SIGXCPU || (signal == SIGKILL && m_limits.cpuSeconds > 0))
            return {.message = say::TookProcessorTime(m_limits.cpuSeconds)};
        if (signal == SIGKILL) // by nobody here: the system, whose memory is short
            return tooMuch(plan);
        return broken(say::EndedBySignal(signal), said);
    }
    static void judge(const LaunchPlan& plan, Recording& recording) {
        if (plan.check && !recording.fault)
            recording.check = plan.check(recording.buffers);
        else if (plan.check)
            recording.check = {Check::Wrong, say::KernelFailedBeforeEnd};
    }

    Limits m_limits;
    std::filesystem::path m_program;
};

} // namespace
} // namespace cage

bool isOfTheCage(const Error& error) {
    const MessageId id = error.message.id();
    return id == say::EmulatorBroke.id || id == say::EmulatorBrokeSaying.id || id == say::CageNotStarted.id ||
           id == say::CageNotThere.id || id == say::CageOfAnotherBuild.id;
}

std::unique_ptr<Backend> makeCagedEmulator(const cage::Limits& limits, const std::filesystem::path& program) {
    return std::make_unique<cage::CagedEmulator>(limits, program);
}

} // namespace warpglass
