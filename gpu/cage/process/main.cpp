// SPDX-License-Identifier: GPL-3.0-or-later
// The program warpglass-cage (caged_emulator.h): closes itself off, then runs one plan.
#include "gpu/base/memory_limit.h"
#include "gpu/base/messages/files.h"
#include "gpu/cage/answer.h"
#include "gpu/cage/fields.h"
#include "gpu/cage/protocol.h"
#include "gpu/cage/walls.h"
#include "gpu/emulator/emulator.h"

#include <csignal>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <utility>

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace warpglass;
using namespace warpglass::cage;

#if defined(__SANITIZE_ADDRESS__)
extern "C" const char* __asan_default_options() { // what looks for leaks starts a process
    return "detect_leaks=0";
}
#endif

namespace {

// What nobody catches: a thread that found no memory, or a fault.
[[noreturn]] void stop() {
    if (const std::exception_ptr thrown = std::current_exception())
        try {
            std::rethrow_exception(thrown);
        } catch (const std::bad_alloc&) {
            _exit(noMemoryStatus);
        } catch (...) {
        }
    std::abort();
}

Result<Recording> run(std::shared_ptr<const MappedFile> asked, Progress& progress) {
    Unpacker unpacker(std::move(asked));
    LaunchPlan plan;
    RunOptions options;
    travelAll(unpacker, plan, options);
    if (!unpacker.good() || !unpacker.atEnd())
        return Error{say::NotUnderstood, {}, 0, 0, say::BuildAgain};
    try {
        return makeEmulator()->run(plan, options, progress);
    } catch (const std::bad_alloc&) {
        return Error{.message = say::NotEnoughToRun(plan.kernelName), .remedy = say::SmallerSize};
    }
}

} // namespace

int main(int count, char** words) {
    takeStack();
    if (count != 3)
        return 2;
    prctl(PR_SET_PDEATHSIG, SIGKILL); // it goes when who started it goes
    if (getppid() != std::atoi(words[1]))
        return 2;
    std::set_terminate(stop);
    std::signal(SIGXFSZ, SIG_IGN);
    if (syscall(SYS_close_range, lastFile + 1, ~0u, 0) != 0) // older than Linux 5.9
        for (int file = lastFile + 1; file < int(sysconf(_SC_OPEN_MAX)); ++file)
            close(file);
    const auto asked = std::make_shared<const MappedFile>(askedFile);
    void* const shared = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED, progressFile, 0);
    if (shared == MAP_FAILED)
        return 2;
    limitProcess({.memoryBytes = memoryLimit(), .cpuSeconds = std::uint32_t(std::atoi(words[2]))});
    closeAllOff();
    // From here on this process can do nothing but compute, and write its answer.
    auto& progress = *new (shared) Progress;
    Result<Recording> answer = run(asked, progress);
    if (!putAnswer(answerFile, answer))
        _exit(noMemoryStatus);
    _exit(0);
}
