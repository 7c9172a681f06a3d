// SPDX-License-Identifier: GPL-3.0-or-later
// gpu/virtual: a device without a GPU, behind CUDA's own public interfaces. A program that loads its runtime as a shared
// library (nvcc -cudart shared) or calls the driver finds this library under those libraries' names, and its kernels run
// on the emulator, in its own process.
//
//   core/     the device: memory, modules, streams, launches, what is recorded; no name of CUDA's
//   runtime/  cudaXxx and what nvcc's stubs call, a file a subject
//   driver/   cuXxx
//   libraries/ cuBLAS, cuFFT, cuRAND's host interface, answered by the host
//   names/    names that the real libraries have and this one does not answer: each says so and returns "not supported"
//
// A program with the static runtime is none for it: that runtime makes sure that it talks to NVIDIA's driver, and this
// library does not pretend to be it.
//
// One lock for all: a call of the program holds it, a launch as long as it runs. There may be several devices, all of one
// kind; they share addresses, streams and the recording, and each has memory, variables and faults of its own.
#pragma once

#include "gpu/device/device.h"
#include "gpu/device/l2_contents.h"
#include "gpu/program/meetings.h"
#include "gpu/program/told_meetings.h"
#include "gpu/virtual/core/arrays.h"
#include "gpu/virtual/core/contexts.h"
#include "gpu/virtual/core/host_place.h"
#include "gpu/virtual/core/later.h"
#include "gpu/virtual/core/mappings.h"
#include "gpu/virtual/core/memory.h"
#include "gpu/virtual/core/modules.h"
#include "gpu/virtual/core/pools.h"
#include "gpu/virtual/core/requests.h"
#include "gpu/virtual/core/streams.h"

#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <set>

namespace warpglass::virtual_device {

using program::Operation;
using program::OperationKind;
using program::ProgramRecorder;

class Device;

// What the devices of a process share.
struct Machine {
    explicit Machine(program::Settings settings);
    ~Machine();
    std::recursive_mutex lock;
    const program::Settings settings;
    const DeviceSpec spec;
    DeviceMemory memory;
    Mappings mappings;
    std::vector<std::unique_ptr<emulator::TextureMemory>> textures; // [device]
    Modules modules;
    Streams streams;
    ProgramRecorder recorder;
    MemoryPools pools;
    Arrays arrays;
    std::map<std::uint64_t, std::uint64_t> reserved, taken; // [address] -> bytes, of graphs' memory; what is in use
    program::Meetings meetings;
    std::optional<Later> later;                       // settings.adverse
    std::uint32_t graphLaunch = noIndex;              // row of the one that runs now
    unsigned graphDepth = 0;                          // of graphs that run now, one in the other
    bool graphForks = false;                          // the outermost of them has nodes that may run beside each other
    std::map<std::uint32_t, std::string> kernelNames; // [row of the recording]
    std::vector<CallPlace> calledFrom;                // [operation] of the first mostPlaces
    static constexpr std::size_t mostPlaces = 1 << 20;
    std::vector<std::unique_ptr<Device>> devices;
    std::uint32_t add(const program::ProgramStream& stream);
    std::uint64_t memoryToKeep =
        program::keptLaunches * settings.keepMemory; // bytes, with the launches that are still to be recorded
};

class Device {
public:
    Device(Machine& machine, unsigned number);

    const unsigned number;
    std::recursive_mutex& lock;
    const DeviceSpec& spec;
    DeviceMemory& memory;
    emulator::TextureMemory& textures;
    Modules& modules;
    Streams& streams;
    ProgramRecorder& recorder;
    MemoryPools& pools;
    Arrays& arrays;
    Status broken = success; // a kernel's fault: everything that follows answers it
    // cudaLimit: stack, printf's buffer, heap, depth, pending launches, L2 fetches, two of persisting L2.
    static constexpr std::array<std::uint64_t, 8> firstLimits{1024, 1 << 20, 8 << 20, 2, 2048, 128, 0, 0};
    std::array<std::uint64_t, 8> limits = firstLimits;

    // Work of a stream: at once, or kept as a node while the stream is captured.
    Status submit(void* stream, Work work);
    // The same at once, listed under a stream's row.
    Status perform(const Work& work, std::uint32_t streamRow);
    Status launchGraph(const std::shared_ptr<Graph>& executable, void* stream);
    void finishAll(); // that was put off
    // What is wrong with a launch by its numbers.
    Status check(const KernelRequest& request);
    std::uint32_t mostThreads(LoadedKernel& kernel) const; // of a block, by the kernel's registers
    Status launch(const KernelRequest& request, void* stream);
    Status copy(const CopyRequest& request, void* stream);
    // f asks for copies; waits: the host goes on when they are done.
    template <class F>
    Status copies(bool waits, F f) {
        m_copiesWaited = waits;
        const Status status = f();
        m_copiesWaited = false;
        if (waits)
            hostWaited();
        return status != success ? status : broken;
    }
    Status fill(const FillRequest& request, void* stream);
    // What cudaMalloc and the like ask for; 0 if there is no room.
    // Memory that the program maps: shown in the list as what is allocated and freed.
    Status map(std::uint64_t address, std::uint64_t bytes, std::uint64_t offset, Mappings::Piece* piece);
    Status unmap(std::uint64_t address, std::uint64_t bytes);
    // stream: a row, in whose order that is done; noIndex: by the call.
    std::uint64_t allocate(std::uint64_t bytes, MemoryKind kind, unsigned flags = 0, std::uint32_t stream = noIndex);
    std::uint64_t allocateFrom(const std::shared_ptr<MemoryPool>& pool, std::uint64_t bytes, std::uint32_t stream);
    Status release(std::uint64_t address, std::uint32_t stream = noIndex);
    Status releaseLater(std::uint64_t address, const Stream& stream); // in its order
    // Memory that a graph takes each time it runs; address 0: there is none left.
    GraphAllocation reserve(Graph& graph, std::uint64_t bytes);
    // The handle of a condition of a graph, an address of a word; 0: there is no memory left.
    std::uint64_t makeCondition(Graph& graph, std::optional<std::uint32_t> first);
    // Bytes of it on this device.
    struct GraphMemory {
        std::uint64_t used = 0, usedHigh = 0, reserved = 0, reservedHigh = 0;
    };
    GraphMemory graphMemory();
    void forgetHigh(bool used); // else of what is reserved
    // printf's output comes out here, as a device's does. what: as Operation::from has it.
    Status wait(std::uint32_t streamRow, std::uint64_t what = program::waitsForDevice);
    std::uint64_t heapUsed() const { return m_heapUsed; }
    void reset(); // all is as it was before the program used the device
    void flush();
    // The host has waited for the default stream, for what it asked of: a stream (row), an event; or for nothing, and the
    // program ends.
    void hostWaited();
    void hostKnowsStream(std::uint32_t row);
    void hostKnowsEvent(std::uint64_t event);
    void endWithoutWaiting();
    // What the program did wrong in a call that CUDA refuses with a number: with the operation that comes next, or with
    // none; once for each kind of mistake, as a loop may make many.
    void tellMistake(Message what, bool ofOperation = true);
    Status refuseInHostFunction(); // any call of one that a stream has the host make
    // Of the program, the first time that this is said.
    void tellOnce(Message what);
    void tellHandle(); // a stream's or event's that was asked for last, if it is none
    void tellLeaks(); // where the program or its use of the device ends: of the kernels' malloc, and, if asked, its own
    // Rows of its default stream, and of any stream, in the recording.
    std::uint32_t defaultRow();
    std::uint32_t rowOf(const Stream& stream);

private:
    void tellUnfreed();
    void tellFree(std::uint64_t address);
    // What is wrong with an address that is no memory of the device's, or ends too soon.
    Message placeOf(const Message& act, std::uint64_t address, std::uint64_t bytes) const;
    bool isNews(const KernelRequest& request, const Diagnostic& d); // and is told from now on
    bool isBeside(const Diagnostic& d) const;
    MessageId idOf(const Diagnostic& d) const;
    Status run(const KernelRequest& request, std::uint32_t streamRow);
    Status finish(const KernelRequest& request, const emulator::ResidentOutcome& outcome, bool recorded);
    Status check(const KernelRequest& request, const emulator::Program& program) const;
    Status refuseBroken(const KernelRequest& request, std::uint32_t streamRow);
    Status refuseBroken(std::span<GraphNode* const> nodes, std::uint32_t streamRow);
    // At once, or put off. what: of a copy, if the call has to know how it ends.
    Status give(const Stream& stream, std::function<Status()> work, const CopyRequest* what = nullptr);
    Status run(const Graph& graph, std::uint32_t streamRow);
    Status runNodes(const Graph& graph, std::uint32_t streamRow, bool outermost);
    // What the recording says of it. Its nodes learn their places there.
    program::ProgramGraph described(const Graph& graph);
    void describe(const Graph& graph, std::uint32_t parent, std::uint32_t body, program::ProgramGraph& into);
    Status run(const Conditional& conditional, std::uint32_t streamRow);
    Status recorded(Operation o, std::uint32_t streamRow, Touched touched,
                    const std::function<Status(Operation&)>& work);
    // Into the list, with what it has touched; what it meets is told. The row.
    std::uint32_t list(const Operation& o, Touched touched = {}, std::span<const std::byte> arguments = {});
    void tellMeeting(const Operation& o, std::uint32_t row, const program::Meetings::Found& found);
    void tellHostAccesses();
    void watchHostFor(std::uint32_t row);
    void settleHost();
    // With its line in the program, if that is known; of the file alone that was not named before.
    Message workOf(const Operation& o, std::uint32_t row, std::string* named = nullptr) const;
    Message withLines(Message message) const; // of the calls that asked for the memory it names
    std::optional<Message> lineOf(std::uint32_t row, std::string* named = nullptr) const;
    Message memoryAt(std::uint64_t address, std::uint64_t& offset, std::string* named = nullptr) const;
    program::ToldMeetings m_toldMeetings;
    bool notesTouched(const KernelRequest& request) const;
    Touched touchedBy(const CopyRequest& request) const;
    Touched touchedBy(const FillRequest& request) const;
    static Touched touchedBy(const LibraryCall& call);
    void tellUnwritten(const CopyRequest& request, std::uint32_t row);
    void tellUnwritten(const LibraryCall& call);
    std::optional<Message> withSource(const Diagnostic& d, Message said) const;
    std::byte* hostBytes(const void* address, std::uint64_t bytes, bool& devices);
    Status carryOut(const CopyRequest& request, Operation& operation);
    Status carryOut(const FillRequest& request);
    Status carryOut(const LibraryCall& call, const Operation& operation);
    // False: the address is not a graph's.
    bool giveBack(std::uint64_t address, std::uint32_t streamRow, Status& status);
    Machine& m_machine;
    GraphMemory m_graphMemory;
    std::uint32_t m_brokenBy = noIndex; // row of the operation
    std::set<std::string> m_toldOf;     // what is told once: what kernels do wrong and go on, by place; sources
    L2Contents m_l2;
    struct Reached {
        L2Range all;            // an allocation that an argument leads to
        std::uint64_t from = 0; // where in it
    };
    std::vector<Reached> reached(const KernelRequest& request) const;
    // What a kernel that asked for so many bytes can have touched of them: in each as many, from where it was led to on.
    static std::vector<L2Range> within(const std::vector<Reached>& reached, std::uint64_t bytes);
    std::optional<EstimateAround> around(const std::vector<Reached>& ranges) const;
    static void setDuration(Operation& o, LoadedKernel& kernel, const emulator::ResidentOutcome& outcome);
    std::set<std::uint64_t> m_allocated; // what the program asked for and has not given back
    std::uint64_t m_heapUsed = 0;        // by kernels' malloc, as heapRoom counts
    std::uint32_t m_defaultRow = noIndex;
    bool m_copiesWaited = false;
    std::string m_output;         // of kernels' printf, until the host waits
    std::uint64_t m_printing = 0; // and the bytes that it takes of printf's buffer
    struct Freed {
        std::uint64_t begin = 0, end = 0;
        std::uint32_t operation = noIndex;
    } m_freed;                                                  // by the operation that is listed now
    std::optional<std::pair<std::uint32_t, Message>> m_printed; // the first operation of it, as it is called
    std::shared_ptr<Progress> m_progress = std::make_shared<Progress>();
};

// The process' devices, made on first use, and the one that this thread works with.
Machine& machine();
Device& device();

// CUDA's version, of the name by which the program has loaded the runtime: 12 or 13; 13 if by none.
std::atomic<int>& loadedRuntime();

} // namespace warpglass::virtual_device
