// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a Trace's tables. Plain data; what the columns mean is said here and nowhere else.
#pragma once

#include "gpu/base/dim3.h"
#include "gpu/base/enum_words.h"
#include "gpu/base/lane_mask.h"
#include "gpu/base/time.h"
#include "gpu/trace/machine_codes.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace warpglass {

inline constexpr std::uint32_t noIndex = 0xffffffffu;

// Where a number comes from. Every number that is shown or exported carries it.
enum class Origin : std::uint8_t {
    Measured, // a GPU's clock or CUPTI
    Counted,  // exact, from execution
    Modelled, // the emulator's timing model
};

enum class TimeUnit : std::uint8_t {
    Nanoseconds,
    Steps, // functional run: one warp-instruction each; warps of a block advance side by side and meet at barriers
};

enum class BackendKind : std::uint8_t { Emulator, Cuda };
enum class CompileMode : std::uint8_t { Optimised, AsWritten };

// One row: what this trace is.
struct TraceInfo {
    BackendKind backend = BackendKind::Emulator;
    std::string deviceName;       // "NVIDIA H200"
    int ccMajor = 0, ccMinor = 0; // compute capability
    int smCount = 0;
    double smClockMHz = 0, memoryClockMHz = 0;
    std::string driver;  // empty on the emulator
    std::string program; // "warpglass 0.1.0"
    CompileMode mode = CompileMode::Optimised;
    TimeUnit timeUnit = TimeUnit::Steps;
    Origin timeOrigin = Origin::Modelled;
    std::int64_t clockStep = 1;     // smallest difference two times can have, in timeUnit
    std::int64_t clockResidual = 0; // worst error of the SM clocks' alignment, in timeUnit (GPU only)
    bool recordedPaths = false;     // EventKind::Path events are there (emulator); otherwise only what probes see
    bool recordedAccesses = false;  // EventKind::Access events and the access table are there
    bool timing = false;            // states are there
    std::string when;      // ISO 8601, UTC, of a run on a GPU; empty on the emulator, whose runs do not depend on it
    std::string command;   // what was asked for, for the reader of an exported picture
    std::int64_t size = 0; // problem size the catalogue was asked for; 0 = not from the catalogue
};

// One word of what a launch was asked for, under the command line's name for it without its dashes ("arg",
// "a:f32[64]=iota"), in the order in which it was given: enough to launch again what is in the kernels' texts. Empty for
// launches of whole programs, and in files that did not keep it (format 4 and older).
struct AskedWord {
    std::string option, value;
    bool operator==(const AskedWord&) const = default;
};

// What a piece of memory is that a launch began with.
enum class KeptRole : std::uint8_t {
    Memory,     // an allocation of the program's
    Heap,       // the same, from a kernel's own malloc
    Variable,   // of the module, in global memory
    Constant,   // a variable of the module's constant memory; its address is 0
    Parameters, // of the kernel, as its .param space holds them; their address is 0
};

// Whether the memory that a launch began with is kept, and else why not; word "memory" of AskedWord.
enum class Keeping : std::uint8_t {
    Kept,
    Size,     // it is more than was to be kept
    Textures, // the launch uses textures or surfaces
};

// A piece of the memory that a program's launch began with; together they are enough to make the launch again. Empty
// where a launch was described by words (`asked`), and in files of format 5 and older.
struct KeptArea {
    KeptRole role = KeptRole::Memory;
    std::uint64_t address = 0, bytes = 0;                                // as the kernel saw it
    std::string name;                                                    // "memory at 0x7f..."; of a variable its own
    std::uint64_t words() const { return bytes / 8 + (bytes % 8 != 0); } // of KeptMemory::words
    bool operator==(const KeptArea&) const = default;
};

// A place in the user's source. line and column are 1-based; line 0 = unknown.
struct SourcePlace {
    std::uint32_t file = 0; // index into Kernel::files
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    bool operator==(const SourcePlace&) const = default;
};

// One executable PTX line of a kernel and the CUDA source line it came from.
struct LineLink {
    std::uint32_t ptxLine = 0;  // 1-based line of Kernel::ptx
    SourcePlace source;         // innermost place; line 0 if the compiler gave none
    std::uint32_t callLine = 0; // line of Kernel::source after following inlined-at to the kernel's own file; 0 = none
};

struct Kernel {
    std::string name;               // as the catalogue and the user call it: "reduceNeighbored"
    std::string entry;              // as PTX calls it (mangled)
    std::string source;             // CUDA source text; may be empty
    std::string sourceName;         // "reduce_global.cu"
    std::string ptx;                // the PTX text that ran, unprobed
    std::string ttgir;              // of a kernel of Triton's: how its tiles lie (gpu/ttgir); may be empty
    std::vector<std::string> files; // .file table
    std::uint32_t registers = 0;    // a thread; 0 = unknown (emulator without ptxas)
    std::uint32_t sharedBytes = 0;  // static, a block
    std::uint32_t localBytes = 0;   // a thread
    std::vector<LineLink> lines;    // ascending ptxLine
    // What probing changed (GPU): conditional branches in machine code and registers, clean and probed; 0 = unknown.
    std::uint32_t cleanBranches = 0, probedBranches = 0, probedRegisters = 0, cleanInstructions = 0,
                  probedInstructions = 0;
    double cleanDurationNs = 0, probedDurationNs = 0;
    std::uint32_t ptxBranches = 0; // conditional branch instructions in the PTX of the entry and what it calls
    std::uint32_t ptxSelects = 0;  // selp instructions there: what a branch becomes when it is optimised away
};

enum class SiteKind : std::uint8_t {
    Entry,
    Branch,
    Barrier,
    Access,
    Shuffle,
    Launch,
    Exit,
    Path,        // first instruction of a basic block where a warp's active mask changed (branch side or reconvergence)
    Instruction, // any other instruction, at which the PC sampler saw warps; no event happens there
};

// Texture: fetches of textures and accesses of surfaces. Their memory is laid out in a way that is not published, so that
// their addresses say which texel it was, and no sectors are told.
enum class MemorySpace : std::uint8_t { Global, Shared, Local, Constant, Param, Texture };
enum class AccessKind : std::uint8_t { Load, Store, Atomic };

// A place in the code at which events happen.
struct Site {
    std::uint32_t kernel = 0;
    SiteKind kind = SiteKind::Entry;
    std::uint32_t ptxLine = 0;      // line of Kernel::ptx
    std::vector<SourcePlace> where; // [0] innermost, then the inlined-at chain; empty = unknown
    std::string text;               // the PTX instruction, one line: "@%p2 bra $L__BB0_4;"
};

enum class LaunchStatus : std::uint8_t { Ran, Dropped };
enum class StreamKind : std::uint8_t { Host, Default, Tail, FireAndForget };

struct Launch {
    std::uint32_t kernel = 0;
    Dim3 grid, block;
    std::uint32_t sharedBytes = 0; // dynamic
    Time start, end;
    // Who launched it; noIndex for a launch from the host.
    std::uint32_t parentLaunch = noIndex;
    std::uint32_t parentBlock = noIndex;  // linear blockIdx in the parent
    std::uint32_t parentThread = noIndex; // linear threadIdx in that block
    std::uint32_t site = noIndex;
    StreamKind stream = StreamKind::Host;
    std::uint32_t depth = 0; // 0 = from the host
    LaunchStatus status = LaunchStatus::Ran;
    Said reason;                                  // why dropped
    std::uint32_t firstBlock = 0, blockCount = 0; // rows of the block table, in linear blockIdx order
};

struct Block {
    std::uint32_t launch = 0;
    std::uint32_t index = 0; // linear blockIdx: launch.grid.at(index)
    Time start, end;
    std::uint32_t firstWarp = 0; // rows of the warp table, in warp order
    std::uint16_t warpCount = 0; // 0: no detail was recorded for this block
    std::uint16_t sm = 0;
    bool operator==(const Block&) const = default;
};

struct Warp {
    std::uint32_t block = 0; // row of the block table
    std::uint16_t warpInBlock = 0;
    std::uint16_t slot = 0;     // hardware warp slot of the SM
    std::uint8_t scheduler = 0; // 0 to 3
    LaneMask liveLanes;         // lanes that hold a thread (partial last warp: fewer than 32)
    Time start, end;
    std::uint64_t firstEvent =
        0; // rows of the event table, in time order; running on from the warp before, also with none
    std::uint32_t eventCount = 0;
    std::uint64_t firstState = 0; // rows of the state table
    std::uint32_t stateCount = 0;
};

enum class EventKind : std::uint8_t {
    Entry,         // active: lanes that start
    Branch,        // before a conditional branch. active: lanes that reach it; taken: lanes for which the jump is made
    BarrierArrive, // active: lanes that arrive
    BarrierLeave,  // active: lanes that go on
    Access,        // see the access table. active: lanes that access
    Shuffle,       // active: lanes that take part; the access table holds source lanes and values
    Launch,        // active: lanes that call; taken: lanes whose launch was accepted
    Exit,          // active: lanes that end here; taken: lanes of the warp that have ended after it
    Path,          // active: lanes on from here on
};

struct Event {
    Time time;
    std::uint32_t site = 0;
    EventKind kind = EventKind::Entry;
    LaneMask active;
    LaneMask taken;
    bool operator==(const Event&) const = default;
};

// What a resident warp does in a cycle: NVIDIA's names.
enum class WarpState : std::uint8_t {
    Selected,
    Eligible, // (eligible = "not selected")
    StallBarrier,
    StallLongScoreboard,
    StallShortScoreboard,
    StallWait,
    StallMathPipeThrottle,
    StallLgThrottle,
    StallMioThrottle,
    StallBranchResolving,
    StallNoInstruction,
    StallMembar,
    StallSleeping,
    StallDrain,
    StallDispatch,
    Count_
};

struct StateRow {
    Time begin, end; // in SM cycles; cycle 0 is the trace's time 0
    WarpState state = WarpState::Selected;
    std::uint32_t ptxLine = 0; // 1-based line of Kernel::ptx: the instruction that is issued (Selected), or that the
                               // warp waits to issue; 0 = none (the warp has issued its last one)
};

// What the timing model assumed and looked at, for one launch.
struct TimingRow {
    std::uint32_t launch = 0;
    std::string policy;                  // "lrr", "gto", "gty"
    std::uint32_t timedSms = 0;          // SMs run cycle by cycle, from SM 0 on
    std::uint64_t timedBlocks = 0;       // blocks whose start and end are the model's own
    std::uint64_t timedInstructions = 0; // warp-instructions issued in time
    std::uint64_t timedCycles = 0;       // of the SM that took longest
    double overheadNs = 0;               // from the launch to the first instruction, part of the duration
    double durationNs = 0;               // modelled, of the whole launch
};

// One access of one warp. Lanes are packed: entry k belongs to the k-th set bit of the event's active mask.
struct AccessRow {
    std::uint64_t event = 0; // row of the event table
    MemorySpace space = MemorySpace::Global;
    AccessKind kind = AccessKind::Load;
    std::uint8_t bytesPerElement = 4; // 1 2 4 8
    std::uint8_t elements = 1;        // 1, 2 or 4 (vector access)
    bool shuffle = false;             // addresses are source lanes, values what was received
    bool isFloat = false;             // values are IEEE floats of bytesPerElement
    std::uint64_t firstLane = 0;      // into Trace::accessAddresses
    std::uint64_t firstValue = 0;     // into Trace::accessValues; elements values a lane, lane after lane
};

// Exact totals of one PTX instruction over a whole launch (all blocks, detail or not); one of memory that reached several
// spaces, or stands in a header's function that several lines of the kernel call, has a row for each of them (isPartOf).
struct InstructionCount {
    std::uint32_t launch = 0;
    std::uint32_t ptxLine = 0;
    std::uint32_t callerLine = 0; // of Kernel::source: what called a function of other files; 0: none did
    std::uint64_t executions = 0; // warp-instructions issued
    std::uint64_t lanes = 0;      // thread-instructions: active lanes summed
    // Conditional branches
    bool isBranch = false; // any control transfer the hardware counts as a branch instruction
    bool isConditional = false;
    std::uint64_t divergent = 0; // executions whose active lanes went both ways
    std::uint64_t takenLanes = 0;
    // Memory
    bool isMemory = false;
    MemorySpace space = MemorySpace::Global;
    AccessKind access = AccessKind::Load;
    std::uint64_t requests = 0;       // executions with at least one active lane
    std::uint64_t bytesDistinct = 0;  // distinct bytes touched, a request, summed
    std::uint64_t bytesRequested = 0; // lanes x bytes
    std::uint64_t sectors = 0;        // distinct 32-byte sectors a request, summed (global, local)
    std::uint64_t lines = 0;          // distinct 128-byte lines a request, summed
    std::uint64_t passes = 0;         // shared: passes needed
    std::uint64_t idealPasses = 0;    // shared: passes without any conflict
    std::uint64_t turns = 0;          // atomics: lanes at a request's most wanted word, summed; each has its turn
};

enum class AsyncCopyKind : std::uint8_t {
    Lanes,   // cp.async: up to 16 bytes a thread
    Bulk,    // cp.async.bulk: one piece
    Tensor,  // cp.async.bulk.tensor: a box of a tensor
    Reduce,  // cp.reduce.async.bulk, red.async: added to what is there
    Store,   // st.async
    Product, // tcgen05.mma and tcgen05.cp: what they read of shared memory goes into tensor memory
};

// A copy that goes on while the warp that asked for it does something else.
struct AsyncCopy {
    std::uint32_t warp = 0; // row of the warp table: who asked
    std::uint32_t site = 0;
    AsyncCopyKind kind = AsyncCopyKind::Lanes;
    LaneMask lanes; // that asked
    Time issued;
    Time complete; // its last byte is where it goes, and whoever waits for it can know
    std::uint64_t bytes = 0;
    MemorySpace from = MemorySpace::Global, to = MemorySpace::Shared;
    std::uint32_t barrier = noIndex; // byte of shared memory of the mbarrier that is told; noIndex: a group
    std::uint32_t place = noIndex;   // lowest byte of shared memory that it fills, else reads; noIndex: not known
};

enum class PhaseEventKind : std::uint8_t {
    Init,     // count: arrivals that each phase expects
    Expect,   // count: bytes of copies that the phase is to wait for, too
    Arrive,   // count: arrivals of these lanes
    Copied,   // count: bytes that a copy says have come
    Wait,     // these lanes ask for a phase that is not over, and go on asking
    Pass,     // these lanes have found the phase over
    Complete, // nothing is missing any more: the next phase begins
    Inval,
};

// What happened to an mbarrier, a barrier in shared memory.
struct PhaseEvent {
    std::uint32_t block = 0;      // row of the block table: whose shared memory it lies in
    std::uint32_t warp = noIndex; // row of the warp table; noIndex: a copy, or a warp without detail
    std::uint32_t site = 0;
    Time time;
    PhaseEventKind kind = PhaseEventKind::Init;
    std::uint32_t barrier = 0; // byte of shared memory; noIndex: a wait for groups of copies or products (GPU)
    std::uint32_t phase = 0;   // of the barrier, counted from 0, that it is about
    std::uint32_t count = 0;   // see PhaseEventKind
    std::uint32_t missing = 0; // arrivals that this phase still waits for, afterwards
    LaneMask lanes;
};

struct Sample { // PC sampling (GPU)
    std::uint32_t launch = 0;
    std::uint32_t site = noIndex; // nearest site, or noIndex
    std::uint32_t sassOffset = 0;
    std::string stall; // CUPTI's stall-reason name
    std::uint64_t count = 0;
};

struct MachineCount { // executions of one instruction of the machine code, counted on a GPU by CUPTI
    std::uint32_t launch = 0;
    std::uint32_t site = noIndex; // at its line of PTX, or noIndex
    std::uint32_t sassOffset = 0; // as Sample's
    std::uint64_t executions = 0; // warps
    std::uint64_t lanes = 0;      // of all of them together, those whose predicate held
};

struct Counter {
    std::uint32_t launch = 0;
    std::string metric; // documents' name where there is one, else the Nsight name
    std::string nsight; // Nsight name
    double value = 0;
    std::string unit;
    Origin origin = Origin::Measured;
};

struct Loss {
    std::uint32_t warp = 0;
    std::uint64_t events = 0; // exact number of events that were not recorded
};

enum class DiagnosticKind : std::uint8_t {
    OutOfBounds,
    Misaligned,
    UninitialisedRead,
    SharedRace,
    MissingSyncwarp,
    BarrierDivergence,
    Deadlock,
    DivisionByZero,
    EndlessLoop,
    Trap,
    LaunchDropped,
    Other,       // files hold numbers: what is newer follows
    AsyncHazard, // memory of an asynchronous copy is touched before somebody has waited for it
    GlobalRace,
    MemoryLeak,
    InvalidFree,
    OutsideObject, // within the memory, and outside of the variable that the address is of
    NotFinite,     // infinity or NaN is made of finite numbers
    DigitsLost,    // numbers are not what fp64 makes of them, where somebody had asked: the operation that lost them
    BesideTwin     // what else is told of numbers beside their twins in fp64
};

// What lanes wait for where a launch hangs.
enum class HangKind : std::uint8_t {
    Barrier,  // of the block, by its number
    Mbarrier, // by its byte of shared memory
    Word,     // that another thread is to write, by its address
    Cluster,  // the cluster's barrier
    Lanes,    // others of the same warp
    Warpgroup // the other warps of it
};

// Lanes that stand alike where a launch hangs: those of one block, and how many blocks have such.
struct HangWait {
    HangKind kind = HangKind::Barrier;
    bool isRoot = false;           // what it waits for is not held up by another of these
    std::uint32_t block = noIndex; // linear, the first
    std::uint64_t blocks = 0, lanes = 0;
    std::string warps; // of that block: "0-3, 8"
    std::uint32_t ptxLine = 0;
    SourcePlace source;
    MemorySpace space = MemorySpace::Shared;
    std::uint64_t address = 0;                                          // or the barrier's number
    std::uint32_t phase = 0, arrivalsMissing = 0, arrivalsExpected = 0; // of barriers
    std::uint64_t bytesMissing = 0;                                     // of copies
    Said what, why;                // for what; why it never comes, as far as it is known
    std::vector<std::uint32_t> on; // that would have to go on first, by their place in the list
    bool operator==(const HangWait& other) const = default;
};

// Something the run found wrong; not fatal if the run went on.
struct Diagnostic {
    DiagnosticKind kind = DiagnosticKind::Other;
    bool fatal = false;
    Said message; // complete sentence for a student
    std::uint32_t launch = noIndex;
    std::uint32_t block = noIndex;  // linear blockIdx
    std::uint32_t thread = noIndex; // linear threadIdx
    std::uint32_t ptxLine = 0;
    SourcePlace source;
    std::uint64_t address = 0;
    std::uint64_t count = 1;     // how often, if told once
    std::vector<HangWait> waits; // of a launch that hangs: who waits for whom
};

// cycle = offset + cyclesPerNs * ns, for one SM.
struct SmClock {
    std::uint32_t sm = 0;
    double cyclesPerNs = 0;
    double offset = 0;
    double residualNs = 0;
};

// Words, as written to files and JSON; the window translates them.
template <>
inline constexpr auto enumWords<Origin> = EnumWords("origin", {"measured", "counted", "modelled"});
template <>
inline constexpr auto enumWords<TimeUnit> = EnumWords("unit of time", {"ns", "steps"});
template <>
inline constexpr auto enumWords<BackendKind> = EnumWords("backend", {"emulator", "cuda"});
template <>
inline constexpr auto enumWords<CompileMode> = EnumWords("compile mode", {"optimised", "as-written"});
template <>
inline constexpr auto enumWords<KeptRole> = EnumWords("role of kept memory",
                                                      {"memory", "heap", "variable", "constant", "parameters"});
template <>
inline constexpr auto enumWords<Keeping> = EnumWords("reason to keep no memory", {"kept", "size", "textures"});
template <>
inline constexpr auto enumWords<SiteKind> = EnumWords("kind of site",
                                                      {"entry", "branch", "barrier", "access", "shuffle", "launch",
                                                       "exit", "path", "instruction"});
template <>
inline constexpr auto enumWords<EventKind> = EnumWords("kind of event",
                                                       {"entry", "branch", "barrier_arrive", "barrier_leave", "access",
                                                        "shuffle", "launch", "exit", "path"});
template <>
inline constexpr auto enumWords<MemorySpace> = EnumWords("memory space",
                                                         {"global", "shared", "local", "constant", "param", "texture"});
template <>
inline constexpr auto enumWords<AccessKind> = EnumWords("kind of access", {"load", "store", "atomic"});
template <>
inline constexpr auto enumWords<LaunchStatus> = EnumWords("status of a launch", {"ran", "dropped"});
template <>
inline constexpr auto enumWords<StreamKind> = EnumWords("kind of stream",
                                                        {"host", "default", "tail", "fire_and_forget"});
template <>
inline constexpr auto enumWords<WarpState> =
    EnumWords("state of a warp",
              {"selected", "eligible", "stall_barrier", "stall_long_scoreboard", "stall_short_scoreboard", "stall_wait",
               "stall_math_pipe_throttle", "stall_lg_throttle", "stall_mio_throttle", "stall_branch_resolving",
               "stall_no_instruction", "stall_membar", "stall_sleeping", "stall_drain", "stall_dispatch"});
static_assert(allOf<WarpState>.size() == std::size_t(WarpState::Count_));
template <>
inline constexpr auto enumWords<DiagnosticKind> =
    EnumWords("kind of diagnostic",
              {"out_of_bounds",      "misaligned",     "uninitialised_read", "shared_race",  "missing_syncwarp",
               "barrier_divergence", "deadlock",       "division_by_zero",   "endless_loop", "trap",
               "launch_dropped",     "other",          "async_hazard",       "global_race",  "memory_leak",
               "invalid_free",       "outside_object", "not_finite",         "digits_lost",  "beside_twin"});
static_assert(allOf<DiagnosticKind>.back() == DiagnosticKind::BesideTwin);
template <>
inline constexpr auto enumWords<HangKind> = EnumWords("kind of wait",
                                                      {"barrier", "mbarrier", "word", "cluster", "lanes", "warpgroup"});
template <>
inline constexpr auto enumWords<AsyncCopyKind> = EnumWords("kind of asynchronous copy",
                                                           {"lanes", "bulk", "tensor", "reduce", "store", "product"});
template <>
inline constexpr auto enumWords<PhaseEventKind> =
    EnumWords("kind of mbarrier event", {"init", "expect", "arrive", "copied", "wait", "pass", "complete", "inval"});

} // namespace warpglass
