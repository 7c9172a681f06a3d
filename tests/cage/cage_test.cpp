// SPDX-License-Identifier: GPL-3.0-or-later
// What a process can no longer do behind the walls, tried there; that a run in the cage is the run that it would be
// here; and what is told of a cage that breaks, by programs that stand in for it.
#include "gpu/base/companion.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/cage/caged_emulator.h"
#include "gpu/cage/line.h"
#include "gpu/cage/memory_file.h"
#include "gpu/cage/walls.h"
#include "gpu/emulator/emulator.h"
#include "gpu/launch/arguments.h"
#include "gpu/trace/compare.h"
#include "tests/cage/older_system.h"
#include "tests/cage/plan_of_kernel.h"
#include "tests/cage/stand_in.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace warpglass;
using tests::planOfKernel;
using tests::Scratch;
using tests::standIn;
namespace fs = std::filesystem;

namespace {

// The exit status of a child that has closed itself off before it does this; -signal where one ended it.
int behindWalls(const std::function<bool()>& works) {
    const pid_t child = fork();
    if (child == 0) {
        cage::closeAllOff();
        _exit(works() ? 1 : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool isSanitized = true; // the filter is left out there
#else
constexpr bool isSanitized = false;
#endif

// Lets the other end have this file, too.
bool sendDescriptor(int end, int file) {
    char letter = 'x';
    iovec text{&letter, 1};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> room{};
    msghdr message{};
    message.msg_iov = &text;
    message.msg_iovlen = 1;
    message.msg_control = room.data();
    message.msg_controllen = room.size();
    cmsghdr* const head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(head), &file, sizeof file);
    return sendmsg(end, &message, 0) == 1;
}

Error errorOf(const std::string& does) {
    const Scratch scratch;
    Progress progress;
    const auto run = makeCagedEmulator({}, standIn(scratch, does))->run(planOfKernel("mathKernel1"), {}, progress);
    EXPECT_FALSE(run.ok());
    return run ? Error{} : run.error();
}

} // namespace

TEST(Walls, NothingIsMissingOfThemWhereTheSystemHasAll) {
    const bool landlock = syscall(444, nullptr, 0, 1) > 0, filters = prctl(PR_GET_SECCOMP) >= 0;
    EXPECT_EQ(cage::missingWalls().empty(), landlock && filters) << cage::missingWalls();
}

// Each wall holds without the other, and a run is the run that it is with both.
TEST(Walls, WhereOneIsMissingTheOthersHold) {
    if (!cage::missingWalls().empty())
        GTEST_SKIP() << "this system lacks one: " << cage::missingWalls();
    const Scratch scratch;
    const fs::path file = scratch.path / "file";
    std::ofstream(file) << "text";
    const auto here = [] {
        Progress progress;
        return makeEmulator()->run(planOfKernel("mathKernel1"), {}, progress);
    }();
    ASSERT_TRUE(here.ok());
    for (const tests::OlderSystem system :
         {tests::OlderSystem{.landlock = false, .filters = true},
          tests::OlderSystem{.landlock = true, .filters = false}, tests::OlderSystem{}}) {
        const auto on = [&](const std::function<bool()>& holds) { // 1: it does
            const pid_t child = fork();
            if (child == 0)
                _exit(tests::becomeOlder(system) ? int(holds()) : 2);
            int status = 0;
            waitpid(child, &status, 0);
            return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
        };
        SCOPED_TRACE(std::string(system.landlock ? "Landlock " : "") + (system.filters ? "filters" : ""));
        EXPECT_EQ(on([&] {
                      const std::string missing = cage::missingWalls();
                      return missing.find("Landlock") != std::string::npos &&
                             (missing.find("seccomp") != std::string::npos) == !system.filters;
                  }),
                  1);
        EXPECT_EQ(on([&] {
                      Progress progress;
                      const auto run = makeCagedEmulator()->run(planOfKernel("mathKernel1"), {}, progress);
                      return run.ok() && run->buffers == here->buffers && !firstDifference(*run->trace, *here->trace);
                  }),
                  1);
        if (isSanitized)
            continue;
        EXPECT_EQ(on([&] { return cage::closeAllOff() == system.filters; }), 1);
        const bool closed = system.landlock || system.filters;
        EXPECT_EQ(on([&] {
                      cage::closeAllOff();
                      return (open(file.c_str(), O_RDONLY) < 0) == closed &&
                             (open((scratch.path / "new").c_str(), O_WRONLY | O_CREAT, 0600) < 0) == closed;
                  }),
                  1);
        EXPECT_EQ(on([&] { // what Landlock does not cover
                      cage::closeAllOff();
                      return (socket(AF_UNIX, SOCK_STREAM, 0) < 0) == system.filters;
                  }),
                  1);
        EXPECT_EQ(on([&] { // limits there are in any case
                      cage::limitProcess({.memoryBytes = 128 << 10});
                      return mmap(nullptr, std::size_t(8) << 30, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
                             MAP_FAILED;
                  }),
                  1);
    }
}

TEST(Walls, BehindThemAProcessComputesAndNoMore) {
    if (isSanitized)
        GTEST_SKIP() << "sanitizers need what the filter refuses";
    const Scratch scratch;
    const fs::path file = scratch.path / "file";
    std::ofstream(file) << "text";
    const cage::MemoryFile memory("memory");
    int ends[2], pipe_[2];
    char line[] = "x";
    ASSERT_TRUE(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0 && pipe(pipe_) == 0);
    // What computing and answering needs stays.
    EXPECT_EQ(behindWalls([] { return false; }), 0);
    EXPECT_EQ(behindWalls([&] { return write(ends[0], line, 1) == 1 && read(ends[1], line, 1) == 1; }), 1);
    EXPECT_EQ(behindWalls([] {
                  int sum = 0;
                  std::thread([&] { sum = 3; }).join();
                  std::vector<char> much(64 << 20, 'x');
                  return sum == 3 && much.back() == 'x';
              }),
              1);
    // Each of these works here and not there.
    const std::vector<std::pair<const char*, std::function<bool()>>> deeds{
        {"read", [&] { return open(file.c_str(), O_RDONLY) >= 0; }},
        {"read itself", [] { return open("/proc/self/exe", O_RDONLY) >= 0; }},
        {"write", [&] { return open((scratch.path / "new").c_str(), O_WRONLY | O_CREAT, 0600) >= 0; }},
        {"look whether it is there",
         [&] {
             struct stat what {};
             return stat(file.c_str(), &what) == 0;
         }},
        {"list", [] { return syscall(SYS_openat, AT_FDCWD, "/", O_RDONLY | O_DIRECTORY) >= 0; }},
        {"socket", [] { return socket(AF_UNIX, SOCK_STREAM, 0) >= 0; }},
        {"network", [] { return socket(AF_INET, SOCK_STREAM, 0) >= 0; }},
        {"process",
         [] {
             const pid_t child = fork();
             if (child == 0)
                 _exit(0);
             return child > 0;
         }},
        {"program",
         [] {
             char name[] = "/bin/true";
             char* const words[] = {name, nullptr};
             return execv(name, words) == 0 || errno != EPERM; // that it is refused, not that it is not there
         }},
        {"signal to others", [] { return kill(getppid(), 0) == 0; }},
        {"memory of others", [] { return syscall(SYS_process_vm_readv, getppid(), nullptr, 0, nullptr, 0, 0) >= 0; }},
        {"code",
         [] { return mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED; }},
        {"other privileges", [] { return prctl(PR_SET_NAME, "other") == 0; }},
        {"a file in memory", [] { return syscall(SYS_memfd_create, "more", 0) >= 0; }},
        {"a longer file", [&] { return ftruncate(memory.descriptor(), 1 << 20) == 0; }},
        {"a byte at a place of a file", [&] { return pwrite(memory.descriptor(), "x", 1, 1 << 20) == 1; }},
        {"its own pages for others to read",
         [&] {
             iovec page{line, 1};
             return syscall(SYS_vmsplice, pipe_[1], &page, 1, 0) == 1;
         }},
        {"a descriptor for others", [&] { return sendDescriptor(ends[0], memory.descriptor()); }},
    };
    for (const auto& [name, deed] : deeds)
        EXPECT_EQ(behindWalls(deed), 0) << name;
    EXPECT_EQ(behindWalls([] {
                  raise(SIGSEGV);
                  return false;
              }),
              -SIGSEGV); // its own fault ends it
    for (const int end : {ends[0], ends[1], pipe_[0], pipe_[1]})
        close(end);
}

// What it prints goes into a file in memory; no file becomes longer than that.
TEST(Walls, NoFileTakesMoreThanAFewLines) {
    const cage::MemoryFile file("said");
    const pid_t child = fork();
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);
        cage::limitProcess({});
        const std::vector<char> text(cage::mostSaid + 1, 'x');
        _exit(write(file.descriptor(), text.data(), text.size()) == ssize_t(cage::mostSaid) &&
                      write(file.descriptor(), text.data(), 1) < 0
                  ? 1
                  : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1);
}

TEST(Walls, ACompilerReadsWhatIsNamed) {
    if (syscall(444, nullptr, 0, 1) <= 0)
        GTEST_SKIP() << "no Landlock here";
    const Scratch open_, closed;
    std::ofstream(open_.path / "a") << "a";
    std::ofstream(closed.path / "b") << "b";
    fs::create_symlink(closed.path / "b", open_.path / "link");
    const pid_t child = fork();
    if (child == 0) {
        cage::FileRules({"/usr/lib"}, {open_.path}).apply();
        const bool reads = open((open_.path / "a").c_str(), O_RDONLY) >= 0 &&
                           open((open_.path / "new").c_str(), O_WRONLY | O_CREAT, 0600) >= 0 &&
                           open("/usr/lib", O_RDONLY | O_DIRECTORY) >= 0;
        const bool doesNot = open((closed.path / "b").c_str(), O_RDONLY) < 0 &&
                             open((open_.path / "link").c_str(), O_RDONLY) < 0 && open("/etc/passwd", O_RDONLY) < 0 &&
                             open("/usr/lib/new", O_WRONLY | O_CREAT, 0600) < 0;
        _exit(reads && doesNot ? 0 : 1 + int(reads) + 2 * int(doesNot));
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
}

TEST(CagedEmulator, RunsAsTheEmulatorHereDoes) {
    const auto here = makeEmulator(), caged = makeCagedEmulator();
    for (const char* name : {"mathKernel1", "reduceNeighbored", "nestedHelloWorld"})
        for (const bool timing : {false, true}) {
            if (!findKernel(name))
                continue;
            const LaunchPlan plan = planOfKernel(name);
            RunOptions options;
            options.timing = timing;
            options.detail.accesses = true;
            options.command = "as asked";
            options.asked = {{"kernel", name}};
            Progress one, other;
            const auto a = here->run(plan, options, one), b = caged->run(plan, options, other);
            ASSERT_EQ(a.ok(), b.ok()) << name << (b ? "" : b.error().text());
            if (!a)
                continue;
            EXPECT_EQ(firstDifference(*a->trace, *b->trace).value_or("none"), "none") << name;
            EXPECT_EQ(a->trace->output, b->trace->output);
            EXPECT_EQ(a->buffers, b->buffers) << name;
            EXPECT_EQ(a->check.check, b->check.check);
            EXPECT_EQ(a->warpInstructions, b->warpInstructions);
        }
}

// What one process finds out of a timed launch another one goes on with, as in one process.
TEST(CagedEmulator, HandsFindingsOn) {
    LaunchRequest request;
    request.size = 1 << 16; // 256 blocks of 256
    request.block = Dim3{256};
    const auto plan = makePlan(*findKernel("mathKernel1"), request);
    ASSERT_TRUE(plan) << plan.error().text();
    const auto here = makeEmulator(), caged = makeCagedEmulator();
    RunOptions options;
    options.timing = options.keepFindings = true;
    options.threads = 1; // in whose order the table is filled
    options.results = false;
    Progress progress;
    const auto a = here->run(*plan, options, progress), b = caged->run(*plan, options, progress);
    ASSERT_TRUE(a.ok() && b.ok());
    ASSERT_TRUE(a->findings && b->findings);
    EXPECT_EQ(*a->findings, *b->findings);
    options.findings = b->findings;
    const auto again = caged->run(*plan, options, progress);
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again->trace->timings.at(0).durationNs, a->trace->timings.at(0).durationNs);
    EXPECT_LT(again->warpInstructions, a->warpInstructions);
}

TEST(CagedEmulator, TellsWhatTheEmulatorRefuses) {
    LaunchPlan plan = planOfKernel("mathKernel1");
    plan.entry = "nothing";
    Progress progress;
    const auto run = makeCagedEmulator()->run(plan, {}, progress);
    ASSERT_FALSE(run.ok());
    EXPECT_EQ(run.error().message, "there is no kernel nothing in the module");
    EXPECT_FALSE(isOfTheCage(run.error()));
}

TEST(CagedEmulator, ThatBreaksLeavesThisProcessASentence) {
    const Error fault = errorOf("echo 'row < rows failed' >&2; kill -SEGV $$");
    EXPECT_EQ(fault.message, "the emulator itself broke here (signal 11): row < rows failed");
    EXPECT_NE(fault.remedy.find("Please report it"), std::string::npos);
    EXPECT_TRUE(isOfTheCage(fault));
    EXPECT_TRUE(isOfTheCage(errorOf("exit 1")));
    EXPECT_EQ(errorOf("exit 0").message, "the emulator itself broke here (no answer)");
    EXPECT_EQ(errorOf("head -c 100000 /dev/urandom >&3; exit 0").message, "the emulator itself broke here (no answer)");
    EXPECT_EQ(errorOf("exit 9").message, "there is not enough memory here to run mathKernel1");
    EXPECT_FALSE(isOfTheCage(errorOf("exit 9")));
    Progress progress;
    const auto none = makeCagedEmulator({}, "/nowhere/warpglass-cage")->run(planOfKernel("mathKernel1"), {}, progress);
    ASSERT_FALSE(none.ok());
    EXPECT_TRUE(isOfTheCage(none.error()));
}

TEST(CagedEmulator, OfAnotherBuildIsNotTakenForBroken) {
    const std::string real = companion("warpglass-cage").string();
    {
        const Scratch scratch;
        Progress progress;
        const auto same = standIn(scratch, "exec " + real + " $1 $2 $3"); // as it is started
        EXPECT_TRUE(makeCagedEmulator({}, same)->run(planOfKernel("mathKernel1"), {}, progress).ok());
    }
    const Error other = errorOf("exec " + real + " $1 $2 0123456789abcdef");
    EXPECT_NE(other.message.find("is of another build than this program"), std::string::npos) << other.message;
    EXPECT_TRUE(isOfTheCage(other));
}

// A file in memory that shrinks under its reader would end this process (SIGBUS), one that grows would fill the memory.
TEST(CagedEmulator, CannotChangeTheSizesOfWhatBothSidesHave) {
    for (const int file : {1, 4}) { // what it says, the progress
        const std::string at = "/proc/self/fd/" + std::to_string(file);
        EXPECT_NE(errorOf("truncate -s 0 " + at + " 2>/dev/null && exit 3; sleep 0.1; exit 4").message.find("status 4"),
                  std::string::npos)
            << file;
        EXPECT_NE(errorOf("truncate -s 1G " + at + " 2>/dev/null && exit 3; exit 4").message.find("status 4"),
                  std::string::npos)
            << file;
    }
    const Error talks = errorOf("while echo 0123456789012345678901234567890123456789; do :; done 2>/dev/null; exit 4");
    EXPECT_NE(talks.message.find("(status 4): 0123456789"), std::string::npos) << talks.message;
}

// However it behaves: it hears no signal that can be ignored, closes its end, hears nothing, speaks without an end.
TEST(CagedEmulator, IsEndedAtOnceWhenItsRunIsCancelled) {
    LaunchPlan plan = planOfKernel("mathKernel1");
    plan.moduleName = std::string(8 << 20, 'm'); // more than the line holds
    for (const char* does :
         {"exec 3>&-; while :; do :; done", "while :; do :; done", "cat <&3 >/dev/null; while :; do :; done",
          "cat <&3 >/dev/null; while printf '\\000' >&3; do sleep 0.05; done; sleep 60"}) {
        const Scratch scratch;
        const auto backend = makeCagedEmulator({}, standIn(scratch, std::string("trap '' TERM INT HUP; ") + does));
        Progress progress;
        const auto began = std::chrono::steady_clock::now();
        std::jthread cancel([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
            progress.cancel();
        });
        const auto run = backend->run(plan, {}, progress);
        ASSERT_FALSE(run.ok());
        EXPECT_EQ(run.error().message, "the run was stopped") << does;
        EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(5)) << does;
    }
}

// What is no answer is not read to its end.
TEST(CagedEmulator, ThatNeverStopsSpeakingIsEnded) {
    EXPECT_EQ(errorOf("cat /dev/zero >&3").message, "the emulator itself broke here (no answer)");
    EXPECT_EQ(errorOf("cat /dev/urandom >&3").message, "the emulator itself broke here (no answer)");
    EXPECT_EQ(errorOf("printf '\\001' >&3; cat /dev/zero >&3").message, "the emulator itself broke here (no answer)");
}

// Of its limit the emulator's process knows, and answers no more than that.
TEST(CagedEmulator, TellsThatARecordingIsTooLarge) {
    LaunchRequest request;
    request.size = 1 << 16;
    request.block = Dim3{512};
    auto plan = makePlan(*findKernel("reduceNeighbored"), request);
    ASSERT_TRUE(plan.ok());
    plan->check = nullptr;
    RunOptions options;
    options.detail = {.kind = Detail::Kind::All, .blocks = {}, .accesses = true};
    options.results = false;
    Progress progress;
    const auto run = makeCagedEmulator({.memoryBytes = 2 << 20})->run(*plan, options, progress);
    ASSERT_FALSE(run.ok());
    EXPECT_EQ(run.error().message, "there is not enough memory here to run reduceNeighbored");
    EXPECT_TRUE(makeCagedEmulator({.memoryBytes = 64 << 20})->run(*plan, options, progress).ok());
}

TEST(CagedEmulator, HandsNoFileToTheOtherSide) {
    Progress progress;
    cage::Line line(progress, [] { return 0.0; });
    const cage::MemoryFile file("file");
    ASSERT_TRUE(sendDescriptor(line.otherEnd(), file.descriptor()));
    const auto open_ = [] { return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()); };
    const auto before = open_();
    std::array<std::byte, 2> letters{};
    EXPECT_EQ(line.take(letters), 1U);
    EXPECT_EQ(open_(), before);
    EXPECT_FALSE(line.isOver());
    line.giveOtherEnd(); // nobody has it
    EXPECT_EQ(line.take(letters), 0U);
    EXPECT_TRUE(line.isOver());
}

TEST(CagedEmulator, IsEndedByItsProcessorTime) {
    const LaunchPlan plan = [] {
        LaunchPlan endless;
        endless.kernelName = endless.entry = "k";
        endless.ptx = ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k() {\nA: bra A;\n}\n";
        endless.grid = endless.block = Dim3{1};
        return endless;
    }();
    RunOptions options;
    options.instructionLimit = std::uint64_t(1) << 50;
    Progress progress;
    const auto run = makeCagedEmulator({.cpuSeconds = 1})->run(plan, options, progress);
    ASSERT_FALSE(run.ok());
    EXPECT_NE(run.error().message.find("more than 1 second of the processors"), std::string::npos)
        << run.error().text();
}
