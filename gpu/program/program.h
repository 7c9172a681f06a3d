// SPDX-License-Identifier: GPL-3.0-or-later
// gpu/program: what a whole program did with a device, operation by operation: launches, copies, fills, memory, and where
// the host waited. The same whichever backend was behind it.
//
// Inside the program's process, Journal (journal.h) takes the operations down as they happen, in a file that survives
// the process however it ends. Afterwards the journal becomes a ProgramTrace, and that a file (program_file.h), which
// opens at once whatever its length. Launches that were recorded in detail have a Trace each, beside it or inside.
//
// Whoever takes operations down (the virtual device, a seat before a driver) needs the journal alone; whoever shows them
// needs program.h and program_file.h.
#pragma once

#include "gpu/base/dim3.h"
#include "gpu/base/enum_words.h"
#include "gpu/base/message.h"
#include "gpu/program/allocations.h"
#include "gpu/program/collectives.h"
#include "gpu/trace/tables.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace warpglass::program {

enum class OperationKind : std::uint8_t {
    Launch,
    Copy,
    Fill,
    Allocate,
    Free,
    Wait,   // the host waits for a stream, an event or the device
    Record, // of an event
    HostFunction,
    StreamWait, // a stream waits for an event
    Library, // a call of a library of the device's (cuBLAS, cuFFT, cuRAND), which the host answered: kernel has its name
};
// Operation::from of a Wait that is for no event; 0 in recordings that do not say.
inline constexpr std::uint64_t waitsForStream = 1, waitsForDevice = 2;
// And of an Allocate or Free that is work of its stream (cudaMallocAsync); 0: it is done by the call.
inline constexpr std::uint64_t inStreamsOrder = 1;
enum class Direction : std::uint8_t { None, HostToDevice, DeviceToHost, DeviceToDevice, HostToHost };
// By whether a copy's two ends are memory of a device.
constexpr Direction directionOf(bool fromDevice, bool toDevice) {
    return fromDevice ? (toDevice ? Direction::DeviceToDevice : Direction::DeviceToHost)
                      : (toDevice ? Direction::HostToDevice : Direction::HostToHost);
}
enum class MemoryKind : std::uint8_t { Device, Managed, Host, Registered, Variable };

// Where Operation::duration comes from.
enum class TimeOrigin : std::uint8_t {
    None,      // there is none: start and end alone say how long it took
    Estimated, // from what the launch has counted
    Modelled,  // by the timing model, cycle by cycle
};

// One row. What a kind does not have is 0, or noIndex where it is a row of another table.
struct Operation {
    std::int64_t start = 0, end = 0; // when it was done: ns since the program's first operation, host clock
    std::uint64_t to = 0, from = 0;  // addresses: of a copy; to alone: of a fill, an allocation, what is freed;
                                     // from alone: the event of a Record, a StreamWait, a Wait, or one of the above
    std::uint64_t bytes = 0;         // copied, filled, allocated
    std::uint64_t arguments = 0;     // of a launch: where its parameter bytes begin in ProgramTrace::arguments
    std::uint32_t stream = 0;        // ProgramTrace::streams
    std::uint32_t kernel = noIndex, shape = noIndex;
    std::uint32_t recording = noIndex; // ProgramTrace::recordings
    std::uint32_t error = 0;           // what the call answered: CUDA's number, 0 = success
    OperationKind kind = OperationKind::Launch;
    Direction direction = Direction::None;
    MemoryKind memory = MemoryKind::Device; // of an allocation
    TimeOrigin timed = TimeOrigin::None;    // of duration
    std::int64_t called = 0, returned = 0;  // when the host asked for it, same clock. On the virtual device, where work
                                            // runs at once, equal to start and end
    std::int64_t duration = 0;              // ns for which the device would work, of an emulated launch; 0: not known
    std::uint64_t rowBytes = 0;             // of a copy or fill of several rows: of each, whatever lies between them
};
static_assert(sizeof(Operation) == 104);

// When an operation was done, as it is known only later.
struct OperationTime {
    std::uint64_t operation = 0;
    std::int64_t start = 0, end = 0;
};

struct Parameter {
    std::string type; // as PTX has it: "u32", "f64", "b8"
    std::uint32_t offset = 0, bytes = 0;
};

struct ProgramKernel {
    std::string name;      // "scale<float>"
    std::string signature; // "void scale<float>(float*, int)", if the name in the binary tells it
    std::string entry;     // the name in the binary
    std::vector<Parameter> parameters;
    std::string maker; // what compiled it while the program ran, with what it was asked for: "Triton 3.6.0, 4 warps"
    Said unrecorded;   // why its launches have no warps; empty if they can
    std::uint32_t parameterBytes() const {
        return parameters.empty() ? 0 : parameters.back().offset + parameters.back().bytes;
    }
};

struct RecordedShape {
    Dim3 grid, block, cluster{1, 1, 1};
    std::uint32_t sharedBytes = 0; // dynamic
    std::uint32_t cooperative = 0; // 1: all blocks live together
    bool operator==(const RecordedShape&) const = default;
};

struct ProgramStream {
    std::string name; // "default", "stream 1"
    std::int32_t priority = 0;
    std::uint32_t blocking = 1; // 0: does not wait for the default stream
    std::uint32_t device = 0;   // its ordinal
    std::uint32_t process = 0;  // row of ProgramInfo::processes
};

struct Allocation {
    std::uint64_t address = 0, bytes = 0;
    std::uint32_t born = 0, freed = noIndex; // rows of operations
    MemoryKind kind = MemoryKind::Device;
    std::uint32_t process = 0; // whose addresses these are: row of ProgramInfo::processes
};

// What a node of a graph does.
enum class GraphNodeKind : std::uint8_t {
    Kernel,
    Copy,
    Fill,
    Host,
    Child, // a graph in its place: the nodes whose parent it is
    Empty, // that others wait for
    EventWait,
    EventRecord,
    Allocate,
    Free,
    Condition, // graphs of which one runs, or none, or one again and again
    Library,   // as OperationKind
    Other,
};
struct ProgramGraphNode {
    GraphNodeKind kind = GraphNodeKind::Other;
    Direction direction = Direction::None; // of a copy
    std::uint32_t parent = noIndex;        // the Child or Condition in which it lies
    std::uint32_t body = 0;                // of a Condition: in which of its graphs
    std::uint32_t kernel = noIndex, shape = noIndex;
    std::uint64_t bytes = 0;           // copied, filled, allocated
    std::vector<std::uint32_t> behind; // nodes that must have ended before, of the same parent and body
};
// As it was when it was made executable; what a node did later, its operations tell. Two of the same content are one.
struct ProgramGraph {
    std::vector<ProgramGraphNode> nodes; // a parent before those in it
};
struct GraphLaunch {
    std::int64_t called = 0; // as in Operation
    std::uint32_t graph = 0, stream = 0;
};
// An operation was a node's work in a launch of its graph.
struct GraphStep {
    std::uint32_t operation = 0, launch = 0, node = 0; // rows of operations and graphLaunches; of ProgramGraph::nodes
};

// A launch whose warps were recorded.
struct ProgramRecording {
    std::uint32_t operation = 0;
    std::string file; // name beside the program's file; empty: inside it
};

// Something that is to be said, of an operation or (noIndex) of the program.
struct ProgramMessage {
    std::uint32_t operation = noIndex;
    std::string text;                        // in English
    MessageKind kind = MessageKind::Unknown; // what decides by a message asks for this, never for words
    Message message = {};                    // what it says; Plain, without arguments: only the text tells
};
ProgramMessage messageOf(std::uint32_t operation, Message message);

// How a program was started, so that it can be run again. It names folders and files of the machine; empty for a process
// that the program started itself, and in recordings that are older.
struct ProgramOrigin {
    std::string folder;               // in which it was started
    std::vector<std::string> sources; // files it was built from; empty: words[0] is the program
    std::vector<std::string> words;   // the program and its arguments, or the arguments alone
    std::vector<std::string> options; // of the build, as warpglass-record takes them: "-I", "include", ...
    std::string settings;             // what was recorded (settings.h)
    std::string seal;                 // of all that by the user who recorded it (gpu/base/seal.h)
    bool known() const { return !sources.empty() || !words.empty(); }
};

// One of several whose recordings were put together.
struct ProgramProcess {
    std::int64_t rank = -1, process = 0, exitStatus = -1; // as ProgramInfo has them
    std::string name() const;                             // "rank 1", or "process 4711" where it has no rank
};

struct ProgramInfo {
    BackendKind backend = BackendKind::Emulator;
    std::string command; // the program and its words, without the machine's paths
    std::string device;
    std::string made; // "warpglass 0.1.0"
    std::int64_t process = 0;
    std::int64_t exitStatus = -1; // -1: unknown; 128 + n: ended by signal n
    std::uint64_t lost = 0;       // operations for which there was no room
    std::int64_t began = 0;       // when its clock began: ns since 1970; 0: not known
    std::int64_t rank = -1;       // among the processes of a parallel run (torchrun, MPI, Slurm); -1: it has none
    std::vector<ProgramProcess> processes; // join.h; empty: there is one, this
    ProgramOrigin origin;
};

struct ProgramTrace {
    ProgramInfo info;
    std::vector<ProgramKernel> kernels;
    std::vector<RecordedShape> shapes;
    std::vector<ProgramStream> streams;
    std::vector<Operation> operations; // in the order of their calls
    std::vector<std::byte> arguments;
    std::vector<Allocation> allocations; // by birth
    AllocationIndex byAddress;           // of allocations; or empty
    std::vector<ProgramRecording> recordings;
    std::vector<ProgramMessage> messages;
    std::vector<ProgramGraph> graphs;
    std::vector<GraphLaunch> graphLaunches;      // of each process in the order of their calls
    std::vector<GraphStep> graphSteps;           // by operation
    std::vector<Collective> collectives;         // of each process in the order of their calls
    std::vector<CollectiveStep> collectiveSteps; // by operation

    std::span<const std::byte> argumentsOf(const Operation& launch) const;
    // Whose operation it is: row of ProgramInfo::processes.
    std::uint32_t processOf(const Operation& operation) const;
    // The allocation of the operation's process that held the address when the operation ran; nullptr if none did.
    const Allocation* allocationAt(std::uint64_t address, std::uint32_t operation) const;
};

// Whether something went wrong that makes the run fail, whatever the program's own exit status: a race, or a fault that was
// passed over.
bool hasFailed(const ProgramTrace& program);

// "SIGKILL" of 9; "?" of a number that has no name.
std::string signalName(std::int64_t signal);

// Whether a launch's warps were recorded. Of a kernel without PTX a recording keeps the machine code alone.
bool hasWarps(const ProgramTrace& program, const Operation& launch);
std::size_t launchesWithWarps(const ProgramTrace& program);

// Rows of the operations that are launches: the n-th is what --launches and --launch call n.
std::vector<std::uint32_t> launchRows(const ProgramTrace& program);

// An argument in words: "out + 16 of 4096 bytes at 0x7f..." for a pointer into an allocation, "0x..." for another
// pointer, a number by its type, the bytes of a struct.
struct ArgumentWords {
    std::string type, value;
    const Allocation* allocation = nullptr; // that it points into
    std::uint64_t offset = 0;
};
std::vector<ArgumentWords> argumentWords(const ProgramTrace& program, std::uint32_t operation);

// Allocations from the operations, in order; for a program, with their index. streams: may be empty where there is one
// process.
std::vector<Allocation> allocationsOf(const std::vector<Operation>& operations,
                                      const std::vector<ProgramStream>& streams = {});
void listAllocations(ProgramTrace& program);

} // namespace warpglass::program

namespace warpglass {
template <>
inline constexpr auto enumWords<program::OperationKind> = EnumWords("kind of operation",
                                                                    {"launch", "copy", "fill", "allocate", "free",
                                                                     "wait", "record", "host", "behind", "library"});
template <>
inline constexpr auto enumWords<program::Direction> = EnumWords("direction", {"none", "htod", "dtoh", "dtod", "htoh"});
template <>
inline constexpr auto enumWords<program::GraphNodeKind> = EnumWords("kind of node",
                                                                    {"kernel", "copy", "fill", "host", "child", "empty",
                                                                     "event_wait", "event_record", "allocate", "free",
                                                                     "condition", "library", "other"});
template <>
inline constexpr auto enumWords<program::TimeOrigin> = EnumWords("origin of a duration",
                                                                 {"none", "estimate", "modelled"});
template <>
inline constexpr auto enumWords<program::MemoryKind> = EnumWords("kind of memory", {"device", "managed", "host",
                                                                                    "registered", "variable"});
} // namespace warpglass
