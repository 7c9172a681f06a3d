// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/protocol.h"
#include "gpu/cuda/replay_request.h"
#include "gpu/cuda/worker_process.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace warpglass::cuda {
namespace {

namespace fs = std::filesystem;

TEST(Protocol, FramesComeThroughAPipe) {
    int fds[2];
    ASSERT_EQ(pipe(fds), 0);
    const std::string big(300000, 'x'); // more than a pipe holds at once
    std::thread writer([&] {
        EXPECT_TRUE(writeFrame(fds[1], FrameKind::Json, "{}", 2));
        EXPECT_TRUE(writeFrame(fds[1], FrameKind::Bytes, big.data(), big.size()));
        EXPECT_TRUE(writeFrame(fds[1], FrameKind::Progress, nullptr, 0));
        close(fds[1]);
    });
    auto frame = readFrame(fds[0]);
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->kind, FrameKind::Json);
    EXPECT_EQ(frame->payload, "{}");
    frame = readFrame(fds[0]);
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->payload, big);
    frame = readFrame(fds[0]);
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->kind, FrameKind::Progress);
    EXPECT_FALSE(readFrame(fds[0])); // the other side is gone
    writer.join();
    close(fds[0]);
}

// 512 bytes at 0x7f75e3e00000 lie in the step that begins at 0x7f75e2000000 (32 MiB are 0x2000000); the next two areas share
// steps with each other; one that ends where a step does takes none more. Constants and parameters have no address.
TEST(Protocol, MemoryIsAskedForInSteps) {
    const auto area = [](std::uint64_t address, std::uint64_t bytes) {
        return KeptArea{.role = KeptRole::Memory, .address = address, .bytes = bytes, .name = {}};
    };
    EXPECT_EQ(rangesOf({area(0, 24), area(0x7f75e9f00000, 0x200000), area(0x7f75e3e00000, 512), area(0x7f75e8000000, 1),
                        area(0x7f7000000000, 0x4000000), area(0x7f6000000000, 0)}),
              (std::vector<AddressRange>{
                  {0x7f7000000000, 0x4000000}, {0x7f75e2000000, 0x2000000}, {0x7f75e8000000, 0x4000000}}));
}

TEST(Protocol, ReplaysComeBack) {
    ReplayRequest r;
    r.plan.entry = "_Z3sum";
    r.trace = "/tmp/x.wgt";
    r.device = 2;
    r.once = r.cooperative = true;
    r.sharedBytes = 1024;
    r.parameterBytes = 12;
    r.parameters = {0, 8};
    r.settings = {{8, 232448}};
    r.limits = {{2, 1u << 30}};
    r.variables = {{"table", 0x7f75e3e00000}};
    r.areas = {{.role = KeptRole::Variable, .address = 0x7f75e3e00000, .bytes = 9, .name = "table"}};
    const auto back = replayFromJson(toJson(r));
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_EQ(toJson(*back), toJson(r));
    EXPECT_FALSE(replayFromJson(nlohmann::json{{"plan", 3}}));
}

TEST(Protocol, PlansAndOptionsComeBack) {
    LaunchPlan plan;
    plan.kernelName = "sum";
    plan.ptx = ".version 8.0\n";
    plan.entry = "_Z3sum";
    plan.mode = CompileMode::AsWritten;
    plan.grid = {5, 2, 1};
    plan.block = {32, 4, 1};
    plan.sharedBytes = 4096;
    plan.size = -7;
    plan.pendingLaunchLimit = 65536;
    Argument a;
    a.name = "in";
    a.isBuffer = true;
    a.type = ElementType::F64;
    a.count = 1ull << 33;
    plan.arguments = {a, {}};
    const auto back = planFromJson(toJson(plan));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->kernelName, "sum");
    EXPECT_EQ(back->entry, "_Z3sum");
    EXPECT_EQ(back->mode, CompileMode::AsWritten);
    EXPECT_EQ(back->grid, plan.grid);
    EXPECT_EQ(back->block, plan.block);
    EXPECT_EQ(back->sharedBytes, 4096u);
    EXPECT_EQ(back->size, -7);
    EXPECT_EQ(back->pendingLaunchLimit, 65536u);
    ASSERT_EQ(back->arguments.size(), 2u);
    EXPECT_TRUE(back->arguments[0].isBuffer);
    EXPECT_EQ(back->arguments[0].type, ElementType::F64);
    EXPECT_EQ(back->arguments[0].count, 1ull << 33);

    RunOptions options;
    options.detail.kind = Detail::Kind::Blocks;
    options.detail.blocks = {3, 1ull << 40};
    options.detail.accesses = true;
    options.timeLimitSeconds = 2.5;
    const auto optionsBack = optionsFromJson(toJson(options));
    ASSERT_TRUE(optionsBack);
    EXPECT_EQ(optionsBack->detail.kind, Detail::Kind::Blocks);
    EXPECT_EQ(optionsBack->detail.blocks, options.detail.blocks);
    EXPECT_TRUE(optionsBack->detail.accesses);
    EXPECT_EQ(optionsBack->timeLimitSeconds, 2.5);

    EXPECT_FALSE(planFromJson(nlohmann::json::object()));
    const Error error{"it broke", "a.ptx", 3, 4, "Mend it."};
    EXPECT_EQ(errorFromJson(toJson(error)).text(), error.text());
}

TEST(Protocol, BuffersBeginAsTheirFillSays) {
    Argument a;
    a.isBuffer = true;
    a.type = ElementType::I32;
    a.count = 3;
    EXPECT_TRUE(initialContents(a).empty()) << "zeros need not travel";
    a.fill = [](std::span<std::byte> bytes) { bytes[4] = std::byte(9); };
    EXPECT_EQ(initialContents(a).size(), 12u);
    EXPECT_EQ(initialContents(a)[4], std::byte(9));
    Argument scalar;
    scalar.scalar = {std::byte(1), std::byte(2)};
    EXPECT_EQ(initialContents(scalar), scalar.scalar);
}

// Beside somebody else's program: no wait of that program finds the worker, no signal tells of it, and what is loaded before
// the program is not loaded before it.
TEST(WorkerProcess, ThatIsNobodysIsUnseen) {
    const fs::path script = fs::temp_directory_path() / ("warpglass_nobodys_" + std::to_string(getpid()) + ".sh");
    std::ofstream(script) << "#!/bin/sh\nprintf 'J\\003\\0\\0\\0\\0\\0\\0\\0'; printf '%s' \"$1\" | head -c 2; "
                             "printf '%s' \"${LD_PRELOAD:-.}\"; exec cat\n";
    fs::permissions(script, fs::perms::owner_all);
    static volatile std::sig_atomic_t told = 0;
    const auto before = std::signal(SIGCHLD, [](int) { told = 1; });
    setenv("LD_PRELOAD", "", 1);
    {
        auto worker = WorkerProcess::start(script, WorkerProcess::Of::Nobody);
        ASSERT_TRUE(worker) << worker.error().text();
        Progress progress;
        const auto frame = worker->receive(progress, 20);
        ASSERT_TRUE(frame) << frame.error().text();
        EXPECT_EQ(frame->payload, "ap.");
        EXPECT_TRUE(worker->alive());
        errno = 0;
        EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
        EXPECT_EQ(errno, ECHILD);
    }
    EXPECT_EQ(told, 0);
    std::signal(SIGCHLD, before);
    unsetenv("LD_PRELOAD");
    fs::remove(script);
}

// Stands for a worker: a script that does what a sick one might.
class SickWorker : public ::testing::Test {
protected:
    WorkerProcess workerThat(const std::string& commands) {
        m_script = fs::temp_directory_path() / ("warpglass_worker_" + std::to_string(getpid()) + ".sh");
        std::ofstream(m_script) << "#!/bin/sh\n" << commands << "\n";
        fs::permissions(m_script, fs::perms::owner_all);
        auto worker = WorkerProcess::start(m_script);
        EXPECT_TRUE(worker) << worker.error().text();
        return std::move(*worker);
    }
    void TearDown() override { fs::remove(m_script); }
    fs::path m_script;
    Progress m_progress;
};

TEST_F(SickWorker, ThatIsNotThereIsASentence) {
    const auto worker = WorkerProcess::start("/nowhere/warpglass-gpu-worker");
    ASSERT_FALSE(worker);
    EXPECT_NE(worker.error().text().find("has no part for GPUs"), std::string::npos);
}

TEST_F(SickWorker, ThatDiesIsQuotedWithItsLastWords) {
    auto worker = workerThat("echo 'no more memory' >&2; exit 3");
    const auto frame = worker.receive(m_progress, 10);
    ASSERT_FALSE(frame);
    EXPECT_EQ(frame.error().message, "the GPU worker ended early (status 3): no more memory");
}

TEST_F(SickWorker, ThatCrashesIsToldByItsSignal) {
    auto worker = workerThat("kill -SEGV $$");
    const auto frame = worker.receive(m_progress, 10);
    ASSERT_FALSE(frame);
    EXPECT_NE(frame.error().message.find("signal 11"), std::string::npos) << frame.error().message;
}

TEST_F(SickWorker, ThatDiesWhileItIsSpokenToIsNoCrash) {
    auto worker = workerThat("exit 0");
    const std::string big(1 << 20, 'x');
    EXPECT_FALSE(worker.send(FrameKind::Bytes, big.data(), big.size()));
    EXPECT_FALSE(worker.receive(m_progress, 10));
}

TEST_F(SickWorker, ThatSaysNothingIsStopped) {
    auto worker = workerThat("sleep 100");
    const auto begin = std::chrono::steady_clock::now();
    const auto frame = worker.receive(m_progress, 0.3);
    ASSERT_FALSE(frame);
    EXPECT_NE(frame.error().message.find("said nothing"), std::string::npos);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST_F(SickWorker, CanBeCancelled) {
    auto worker = workerThat("sleep 100");
    m_progress.cancel();
    const auto frame = worker.receive(m_progress, 1000);
    ASSERT_FALSE(frame);
    EXPECT_EQ(frame.error().message, "the run was cancelled");
}

TEST_F(SickWorker, IsNotAliveOnceItHasEnded) {
    auto idle = workerThat("sleep 100");
    EXPECT_TRUE(idle.alive());
    auto gone = workerThat("exit 0");
    for (int i = 0; i < 1000 && gone.alive(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_FALSE(gone.alive());
    EXPECT_FALSE(gone.alive());
}

TEST(Protocol, RefusesAnotherVersion) {
    EXPECT_TRUE(sameVersion({{"version", protocolVersion()}}));
    const auto old = sameVersion(nlohmann::json::object());
    ASSERT_FALSE(old);
    EXPECT_NE(old.error().message.find("an older version"), std::string::npos) << old.error().text();
    const auto newer = sameVersion({{"version", "99.1"}});
    ASSERT_FALSE(newer);
    EXPECT_NE(newer.error().message.find("version 99.1"), std::string::npos) << newer.error().text();
    EXPECT_NE(newer.error().remedy.find("warpglass-gpu"), std::string::npos);
}

// A program of another version gets a sentence from the plug-in, and the worker lives on.
TEST(Worker, RefusesAProgramOfAnotherVersion) {
    if (!fs::exists(workerProgram()))
        GTEST_SKIP() << "built without CUDA";
    auto worker = WorkerProcess::start(workerProgram());
    ASSERT_TRUE(worker) << worker.error().text();
    Progress progress;
    for (const char* request : {R"({"what": "run"})", R"({"what": "run", "version": "99.1"})"}) {
        ASSERT_TRUE(worker->send(request));
        const auto frame = worker->receive(progress, 60);
        ASSERT_TRUE(frame) << frame.error().text();
        EXPECT_NE(frame->payload.find("the other half of what runs kernels on a GPU"), std::string::npos)
            << frame->payload;
        EXPECT_TRUE(worker->alive());
    }
}

// A real worker, with a driver or without: it answers, stays, and answers again.
TEST(Worker, AnswersRequestAfterRequest) {
    if (!fs::exists(workerProgram()))
        GTEST_SKIP() << "built without CUDA";
    auto worker = WorkerProcess::start(workerProgram());
    ASSERT_TRUE(worker) << worker.error().text();
    Progress progress;
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(worker->send(nlohmann::json{{"what", "devices"}, {"version", protocolVersion()}}.dump()));
        const auto frame = worker->receive(progress, 60);
        ASSERT_TRUE(frame) << frame.error().text();
        EXPECT_EQ(frame->kind, FrameKind::Json);
        EXPECT_TRUE(sameVersion(nlohmann::json::parse(frame->payload))) << frame->payload;
        EXPECT_TRUE(worker->alive());
    }
    // What cannot be understood is answered with a sentence, and ends it.
    ASSERT_TRUE(worker->send("[]"));
    const auto frame = worker->receive(progress, 60);
    ASSERT_TRUE(frame) << frame.error().text();
    EXPECT_NE(frame->payload.find("not understood"), std::string::npos) << frame->payload;
    EXPECT_FALSE(worker->receive(progress, 60));
}

TEST_F(SickWorker, ThatTalksNonsenseIsAnError) {
    auto worker = workerThat("printf 'Zxxxxxxxxxxxxxxxx'");
    EXPECT_FALSE(worker.receive(m_progress, 10)); // an impossible length
}

} // namespace
} // namespace warpglass::cuda
