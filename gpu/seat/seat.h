// SPDX-License-Identifier: GPL-3.0-or-later
// gpu/seat: between a program and NVIDIA's driver, on a GPU. A library that is loaded before the program's own
// (LD_PRELOAD) and looks at its calls of the driver, whether the program makes them itself or CUDA's runtime does. Every
// call goes on to the driver as it came; launches, copies and the like are taken down in a journal (gpu/program).
//
//   entry_points   how calls come here, and the driver's own functions
//   calls_*        what is looked at, a file a subject
//   images         what the program has loaded, and the PTX in it
//   nvrtc          the PTX of what it has compiled itself
//   nccl           which collective its launches are of
//   detail         a launch recorded with its warps
//   replays        the part of it that is another process's
//   activity       when the GPU did what it was asked to do (CUPTI)
//
// A launch that is to be recorded in detail is made once more with probes by a process of its own (replays), from what its
// memory held and at the same addresses: what goes wrong there costs the recording and nothing else. Beside the program's
// own work its kernel, as the program has it, is repeated for duration and counters, with the memory of the program saved
// and put back; then the program's launch goes to the driver. What cannot be made again elsewhere is told; only if asked
// (Settings::inPlace) does the kernel with probes run in the program, from a module whose variables are the program's.
//
// Nothing of the program's is replaced when it is loaded, so launches that are not chosen run the code that the program
// came with.
#pragma once

#include "gpu/program/program_recorder.h"
#include "gpu/seat/activity.h"
#include "gpu/seat/calls.h"
#include "gpu/seat/images.h"
#include "gpu/seat/nccl.h"
#include "gpu/seat/replays.h"

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <shared_mutex>

namespace warpglass::seat {

using program::directionOf;
using program::Operation;
using program::OperationKind;

struct Held { // memory of the program
    std::uint64_t bytes = 0;
    program::MemoryKind kind = program::MemoryKind::Device;
    CUcontext context = nullptr;
};

class Seat {
public:
    explicit Seat(program::Settings settings);

    std::recursive_mutex lock;
    program::ProgramRecorder recorder;
    Activity activity;
    Images images;
    Replays replays;
    std::chrono::nanoseconds searchedCode{0}; // how long machine code was looked for, to be kept
    std::map<std::uint64_t, Held> memory;     // [address]
    Said shared;                              // why others than this context may use its memory; empty: none does
    std::uint64_t memoryToKeep;               // bytes, with the launches that are still to be recorded
    std::atomic<unsigned> contextChanges = 0; // of any thread
    std::atomic<int> capturing = 0;           // streams that are being captured
    // Held by whoever asks the driver for work, and by a recording alone: while the program's memory is kept aside,
    // no other thread may change it. Taken after `lock`, never before.
    std::shared_mutex gate;

    void nameStream(CUstream stream, unsigned flags, int priority);
    void forgetStream(CUstream stream);
    bool isDevice(std::uint64_t address) const;
    // Whether what is asked of the stream now goes into a graph.
    bool isCaptured(CUstream stream, bool perThread) const;
    // Takes down what has been carried out, with called and returned; its row. expected: what the GPU's records will call
    // it, if it works there.
    std::uint32_t add(Operation o, CUstream stream, bool perThread, const Expected* expected = nullptr,
                      std::span<const std::byte> arguments = {});
    // A call of NCCL's, now.
    CollectiveUnderWay collective(program::Collective what, CUstream stream);
    // A launch of a graph: its row.
    std::uint32_t launched(program::RecordedGraph& graph, const program::ProgramGraph& description, std::int64_t called,
                           CUstream stream, bool perThread);
    template <class F>
    CUresult passed(F carryOut) {
        const std::shared_lock open(gate);
        return carryOut();
    }
    void waited(); // the program has waited for the GPU: a time to look at its records
    void begin();  // before anything is taken down; does what needs a context once there is one
    void finish(); // at the program's end
    void forked(); // in the child: the rows that are known are its parent's journal's

private:
    struct StreamRow {
        std::uint32_t row = 0;    // in the journal
        std::uint32_t number = 0; // CUPTI's
    };
    StreamRow rowOf(CUstream stream, bool perThread);
    StreamRow findRow(CUstream stream, bool perThread);
    std::map<std::pair<CUcontext, CUstream>, StreamRow> m_streams; // context: of default streams, else nullptr
    std::int64_t m_collected = 0;
    bool m_began = false;
};

// The process' one, made on first use and never destroyed.
Seat& seat();

// Carries the call out and takes it down, unless it goes into a graph.
template <class F>
CUresult observed(Operation o, CUstream stream, bool perThread, F carryOut, const Expected* expected = nullptr) {
    Seat& s = seat();
    if (s.isCaptured(stream, perThread))
        return carryOut();
    o.called = s.recorder.now();
    const CUresult result = o.kind == OperationKind::Wait ? carryOut() : s.passed(carryOut);
    o.returned = s.recorder.now();
    o.error = std::uint32_t(result);
    s.add(o, stream, perThread, result == CUDA_SUCCESS ? expected : nullptr);
    return result;
}

} // namespace warpglass::seat

// A function of the driver's that the seat has put itself before. The text behind is its body, in which carryOut() asks
// the driver and perThread says which form it is.
#define WG_SEAT_ONE(name, form, thread, parameters, names, ...)                                                        \
    extern "C" __attribute__((visibility("default"))) CUresult CUDAAPI form parameters {                               \
        using namespace warpglass::seat;                                                                               \
        static const auto real = reinterpret_cast<decltype(&::name)>(driverFunction(Call::form));                      \
        const auto carryOut = [&] { return real names; };                                                              \
        [[maybe_unused]] constexpr bool perThread = thread;                                                            \
        if (!real)                                                                                                     \
            return CUDA_ERROR_NOT_INITIALIZED;                                                                         \
        if (Inside::here())                                                                                            \
            return carryOut();                                                                                         \
        __VA_ARGS__                                                                                                    \
    }
#define WG_SEAT_CALL(name, parameters, names, ...) WG_SEAT_ONE(name, name, false, parameters, names, __VA_ARGS__)
#define WG_SEAT_CALL_PTSZ(name, parameters, names, ...)                                                                \
    WG_SEAT_ONE(name, name, false, parameters, names, __VA_ARGS__)                                                     \
    WG_SEAT_ONE(name, name##_ptsz, true, parameters, names, __VA_ARGS__)
#define WG_SEAT_CALL_PTDS(name, parameters, names, ...)                                                                \
    WG_SEAT_ONE(name, name, false, parameters, names, __VA_ARGS__)                                                     \
    WG_SEAT_ONE(name, name##_ptds, true, parameters, names, __VA_ARGS__)
