// SPDX-License-Identifier: GPL-3.0-or-later
// What a process can no longer do behind the walls, tried there; that a run in the cage is the run that it would be
// here; and what is told of a cage that breaks, by programs that stand in for it.
#include "gpu/base/messages/emulator.h"
#include "gpu/cage/answer.h"
#include "gpu/cage/caged_emulator.h"
#include "gpu/cage/packing.h"
#include "gpu/cage/walls.h"
#include "gpu/emulator/emulator.h"
#include "gpu/kernels/catalogue.h"
#include "gpu/launch/arguments.h"
#include "gpu/trace/compare.h"
#include "tests/cage/older_system.h"

#include <gtest/gtest.h>

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
#include <sys/wait.h>
#include <unistd.h>

using namespace warpglass;
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

class Scratch {
public:
    Scratch() {
        std::string name = (fs::temp_directory_path() / "cage-test-XXXXXX").string();
        path = mkdtemp(name.data());
    }
    ~Scratch() { fs::remove_all(path); }
    fs::path path;
};

// A program in place of warpglass-cage.
fs::path standIn(const Scratch& scratch, const std::string& does) {
    const fs::path file = scratch.path / "stand-in";
    std::ofstream(file) << "#!/bin/sh\n" << does << '\n';
    fs::permissions(file, fs::perms::owner_all);
    return file;
}

LaunchPlan planOfKernel(const std::string& name) {
    auto plan = makePlan(*findKernel(name), {});
    EXPECT_TRUE(plan.ok()) << name;
    return plan ? std::move(*plan) : LaunchPlan();
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
                      cage::limitProcess({.memoryBytes = 1 << 20});
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
    // What computing needs stays.
    EXPECT_EQ(behindWalls([] { return false; }), 0);
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
    };
    for (const auto& [name, deed] : deeds)
        EXPECT_EQ(behindWalls(deed), 0) << name;
    EXPECT_EQ(behindWalls([] {
                  raise(SIGSEGV);
                  return false;
              }),
              -SIGSEGV); // its own fault ends it
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

// Buffers of words, of a file, and of nothing; read by a kernel that copies them, on both sides.
TEST(CagedEmulator, GetsWhatBuffersBeginWith) {
    const Scratch scratch;
    std::ofstream(scratch.path / "numbers", std::ios::binary) << "0123456789abcdef";
    LaunchPlan plan;
    plan.kernelName = plan.entry = "copies";
    plan.ptx = ".version 8.0\n.target sm_75\n.address_size 64\n"
               ".visible .entry copies(.param .u64 from, .param .u64 to) {\n"
               ".reg .b32 %r<3>;\n.reg .b64 %rd<5>;\nld.param.u64 %rd1, [from];\nld.param.u64 %rd2, [to];\n"
               "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd1, %rd1, %rd3;\n"
               "add.s64 %rd2, %rd2, %rd3;\nld.global.u32 %r2, [%rd1];\nst.global.u32 [%rd2], %r2;\nret;\n}\n";
    plan.grid = Dim3{1};
    plan.block = Dim3{4};
    const auto copied = [&](const std::string& initial, bool results) {
        const std::vector<std::string> specs{"from:u32[4]=" + initial, "to:u32[4]=7"};
        auto arguments = parseArguments(specs);
        EXPECT_TRUE(arguments.ok()) << initial;
        plan.arguments = std::move(*arguments);
        Progress progress;
        RunOptions options;
        options.results = results;
        auto run = makeCagedEmulator()->run(plan, options, progress);
        EXPECT_TRUE(run.ok()) << (run ? "" : run.error().text());
        return run ? std::move(run->buffers) : Buffers();
    };
    const auto words = [](std::initializer_list<std::uint32_t> numbers) {
        std::vector<std::byte> bytes(4 * numbers.size());
        std::memcpy(bytes.data(), numbers.begin(), bytes.size());
        return bytes;
    };
    EXPECT_EQ(copied("iota", true).at(1), words({0, 1, 2, 3}));
    EXPECT_EQ(copied("5", true).at(1), words({5, 5, 5, 5}));
    EXPECT_EQ(copied("8,9", true).at(1), words({8, 9, 0, 0}));
    EXPECT_EQ(copied("hex:0100000002", true).at(1), words({1, 2, 0, 0}));
    EXPECT_EQ(copied("file:" + (scratch.path / "numbers").string(), true).at(1),
              words({0x33323130, 0x37363534, 0x62613938, 0x66656463})); // the letters, the lowest first
    EXPECT_TRUE(copied("iota", false).empty());                         // nobody wants them
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
    EXPECT_EQ(errorOf("head -c 100000 /dev/urandom >&4; exit 0").message, "the emulator itself broke here (no answer)");
    EXPECT_EQ(errorOf("exit 9").message, "there is not enough memory here to run mathKernel1");
    EXPECT_FALSE(isOfTheCage(errorOf("exit 9")));
    Progress progress;
    const auto none = makeCagedEmulator({}, "/nowhere/warpglass-cage")->run(planOfKernel("mathKernel1"), {}, progress);
    ASSERT_FALSE(none.ok());
    EXPECT_TRUE(isOfTheCage(none.error()));
}

// A file in memory that shrinks under its reader would end this process (SIGBUS), one that grows would fill the memory.
TEST(CagedEmulator, CannotChangeTheSizesOfWhatBothSidesHave) {
    for (const int file : {3, 5}) { // what is asked, the progress
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

TEST(CagedEmulator, IsEndedAtOnceWhenItsRunIsCancelled) {
    const Scratch scratch;
    // It closes what would tell of its end, and hears no signal that can be ignored.
    const auto backend =
        makeCagedEmulator({}, standIn(scratch, "trap '' TERM INT HUP; exec 6>&-; while :; do :; done"));
    Progress progress;
    const auto began = std::chrono::steady_clock::now();
    std::jthread cancel([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        progress.cancel();
    });
    const auto run = backend->run(planOfKernel("mathKernel1"), {}, progress);
    ASSERT_FALSE(run.ok());
    EXPECT_EQ(run.error().message, "the run was stopped");
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(5));
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

// An answer of which any byte is another is refused, or is a recording that keeps all promises: nothing else.
// What is said crosses as identifier and arguments, and its words are made here: a broken child may answer with any.
TEST(CagedEmulator, IsBelievedNoWordsOfItsOwn) {
    LaunchPlan plan = planOfKernel("mathKernel1");
    RunOptions options;
    options.results = false;
    plan.check = {};
    Progress progress;
    const auto crossed = [&](Said said) {
        auto run = makeEmulator()->run(plan, options, progress);
        EXPECT_TRUE(run.ok());
        Trace& trace = const_cast<Trace&>(*run->trace);
        trace.diagnostics = {{.message = said}};
        run->fault = Error{.message = said, .remedy = say::RunUntimed};
        const cage::MemoryFile file("answer");
        EXPECT_TRUE(cage::putAnswer(file.descriptor(), run));
        auto taken = cage::takeAnswer(file.descriptor(), plan, options);
        EXPECT_TRUE(taken && taken->ok());
        EXPECT_EQ((**taken).fault->message, (**taken).trace->diagnostics.at(0).message);
        EXPECT_EQ((**taken).fault->remedy.id(), say::RunUntimed.id);
        return (**taken).fault->message;
    };
    const Said typed = say::OfBlock(say::NoBarrier(16), "k", "(0)", say::EndOfFunction);
    EXPECT_EQ(crossed(typed), typed);
    EXPECT_TRUE(crossed(typed).isTyped());
    // No such identifier; one with other arguments than its text asks for; names that are no UTF-8; words alone.
    EXPECT_EQ(crossed(Said(message(MessageId(60000), 1))), "");
    EXPECT_FALSE(crossed(Said(message(say::NoBarrier.id))).isTyped());
    EXPECT_EQ(crossed(Said(message(say::NoBarrier.id))), "There is no barrier : a block has barriers 0 to 15");
    EXPECT_EQ(crossed(say::BufferNamed("a\xff")), "buffer \"a\ufffd\"");
    EXPECT_EQ(crossed(Said(std::string("a\xff"))), "a\ufffd");
}

TEST(CagedEmulator, TakesNoForgedAnswer) {
    const LaunchPlan plan = planOfKernel("reduceNeighbored");
    RunOptions options;
    options.timing = true;
    options.detail.accesses = true;
    Progress progress;
    auto run = makeEmulator()->run(plan, options, progress);
    ASSERT_TRUE(run.ok());
    const cage::MemoryFile whole("whole");
    ASSERT_TRUE(cage::putAnswer(whole.descriptor(), run));
    const cage::MappedFile mapped(whole.descriptor());
    const std::vector<std::byte> bytes(mapped.bytes().begin(), mapped.bytes().end());
    const auto taken = [&](const std::vector<std::byte>& changed) {
        const cage::MemoryFile file("changed");
        cage::Packer packer(file.descriptor());
        packer.bytes(changed.data(), changed.size());
        EXPECT_TRUE(packer.finish());
        return cage::takeAnswer(file.descriptor(), plan, options);
    };
    ASSERT_TRUE(taken(bytes) && taken(bytes)->ok());
    const auto keepsItsPromises = [&](const std::vector<std::byte>& changed) {
        const auto answer = taken(changed);
        if (answer && answer->ok()) {
            EXPECT_TRUE(validateOutline(*(**answer).trace).ok());
            EXPECT_EQ((**answer).buffers.size(), plan.arguments.size());
        }
    };
    for (std::size_t n = 0; n < 2000; ++n) {
        std::vector<std::byte> changed = bytes;
        const std::size_t at = n < 500 ? n : n * 7919 % bytes.size(); // a prime: places all over it
        changed[at] ^= std::byte(n % 2 ? 0xff : 1 << n % 8);
        keepsItsPromises(changed);
        if (n % 20 == 0) { // cut off there
            EXPECT_FALSE(taken({bytes.begin(), bytes.begin() + std::ptrdiff_t(at)}));
        }
    }
}
