// SPDX-License-Identifier: GPL-3.0-or-later
// The program warpglass-cage (caged_emulator.h): closes itself off, then runs one plan.
#include "gpu/base/memory_limit.h"
#include "gpu/base/messages/files.h"
#include "gpu/cage/answer.h"
#include "gpu/cage/fields.h"
#include "gpu/cage/protocol.h"
#include "gpu/cage/walls.h"
#include "gpu/emulator/emulator.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <limits>
#include <new>
#include <span>

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

std::size_t hear(std::span<std::byte> bytes) {
    ssize_t n = -1;
    while ((n = read(lineFile, bytes.data(), bytes.size())) < 0 && errno == EINTR) {
    }
    return n > 0 ? std::size_t(n) : 0;
}

bool answerWith(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t n = write(lineFile, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes = bytes.subspan(std::size_t(n));
    }
    return true;
}

// What a buffer holds at first, into its place.
void askFor(Unpacker& answer, std::uint32_t number, std::span<std::byte> to, bool byPlace) {
    Packer packer(answerWith);
    bool asks = true;
    auto at = reinterpret_cast<std::uint64_t>(to.data());
    travelAll(packer, asks, number, at);
    std::byte done{};
    packer.finish();
    if (byPlace)
        travel(answer, done);
    else
        answer.bytes(to.data(), to.size());
    if (!answer.good())
        _exit(2); // nobody is there
}

Result<Recording> run(Progress& progress, bool& byPlace) {
    Unpacker unpacker(hear, std::numeric_limits<std::uint64_t>::max());
    unpacker.ask = [&](std::uint32_t number, std::span<std::byte> to) { askFor(unpacker, number, to, byPlace); };
    LaunchPlan plan;
    RunOptions options;
    travelAll(unpacker, byPlace, plan, options);
    if (!unpacker.good())
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
    if (count != 4 || words[3] != protocol())
        return otherBuildStatus;
    prctl(PR_SET_PDEATHSIG, SIGKILL); // it goes when who started it goes
    if (getppid() != std::atoi(words[1]))
        return 2;
    std::set_terminate(stop);
    std::signal(SIGXFSZ, SIG_IGN);
    if (syscall(SYS_close_range, lastFile + 1, ~0u, 0) != 0) // older than Linux 5.9
        for (int file = lastFile + 1; file < int(sysconf(_SC_OPEN_MAX)); ++file)
            close(file);
    void* const shared = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED, progressFile, 0);
    if (shared == MAP_FAILED)
        return 2;
    limitProcess({.memoryBytes = memoryLimit(), .cpuSeconds = std::uint32_t(std::atoi(words[2]))});
    closeAllOff();
    // From here on this process can do nothing but compute, and write its answer.
    auto& progress = *new (shared) Progress;
    bool byPlace = false, asks = false;
    Result<Recording> answer = run(progress, byPlace);
    Packer packer(answerWith, memoryLimit(), byPlace);
    travel(packer, asks);
    if (!putAnswer(packer, answer))
        _exit(noMemoryStatus);
    std::byte end;
    hear({&end, 1}); // it has all of it
    _exit(0);
}
