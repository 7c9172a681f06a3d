// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/base/progress.h"
#include "gpu/base/result.h"
#include "gpu/device/l2_contents.h"
#include "gpu/device/limit.h"
#include "gpu/device/policy.h"
#include "gpu/launch/plan.h"
#include "gpu/trace/trace.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warpglass {

// Which blocks get events; blocks and totals are recorded for all.
struct Detail {
    enum class Kind : std::uint8_t { None, Auto, All, Blocks };
    Kind kind =
        Kind::Auto; // Auto: the first blocks of each SM's first wave, bounded in number (backends agree: autoBlocks)
    std::vector<std::uint64_t> blocks; // linear indices, for Blocks
    bool accesses = false; // loads, stores, atomics and shuffles with addresses and values, for the chosen blocks
};

// "block:0,7" is a form of its own: parseDetail of the command line.
template <>
inline constexpr auto enumWords<Detail::Kind> = EnumWords("choice of detail", {"none", "auto", "all"});

enum class Reconvergence : std::uint8_t {
    PostDominatorStack, // default; a spin lock inside a warp hangs, and is reported
    IndependentThreads, // forward progress for every lane
};
template <>
inline constexpr auto enumWords<Reconvergence> = EnumWords("way to reconverge", {"stack", "independent"});

// What the emulator does when a thread reads or writes where there is no memory, or at a misaligned address.
enum class OnFault : std::uint8_t {
    Stop,  // default; as a GPU does
    Report // told; the thread goes on without that access
};
template <>
inline constexpr auto enumWords<OnFault> = EnumWords("thing to do about a fault", {"stop", "report"});

// What an estimate of a launch's duration rests on beside its counts.
struct EstimateAround {
    std::uint64_t reached = 0; // bytes of memory that the kernel can ask for; 0: all that there is
    double inL2 = 0;           // of these, the share that lies in L2 when it begins
};

// What any backend is asked.
struct CommonOptions {
    Detail detail;
    std::string device = "h200";          // emulator: key of the device table; cuda: ordinal or name
    std::uint64_t maxEvents = 50'000'000; // bound on recorded events; what does not fit is counted as lost. With 0 and
                                          // Detail::Kind::None, cuda makes no probed run: no blocks are told either
    std::string command = {};             // what was asked for; backends copy it to TraceInfo::command
    std::vector<AskedWord> asked = {};    // the same for who launches it again; backends copy it to Trace::asked
};

// A word whose uses are all told. An element is counted as the access that uses it counts: out[3] of eight bytes each are
// bytes 24 to 31.
struct WatchedWord {
    bool shared = false;                // of the block's shared memory, else global
    std::uint64_t block = 0;            // linear; of shared memory
    std::string object;                 // a buffer's or a variable's name; empty: base is what it begins at
    std::uint64_t base = 0;             // address
    std::optional<std::uint64_t> index; // of the element; nothing: whoever uses any of the four bytes at base
    bool operator==(const WatchedWord&) const = default;
};
// A variable of a function's in the source, whose values are all told, as far as debug information tells where it is.
struct WatchedVariable {
    std::string name, path;                    // "sum"; of an array or a struct ".a[3]"; empty: all of it
    std::uint32_t line = 0;                    // told whenever a thread comes to it; 0: whenever the value changes
    std::optional<std::uint64_t> block;        // linear; nothing: of all
    std::optional<std::uint32_t> thread, warp; // linear in their block
    bool operator==(const WatchedVariable&) const = default;
};
inline constexpr std::size_t mostWordUses = 4096; // that are told, the last ones

// What the emulator alone is asked.
struct EmulatorOptions {
    bool timing = false; // run the timing model
    SchedulingPolicy policy = defaultPolicy;
    // With timing:
    LimitSet without; // the device as it would be without these; counts stay
    std::vector<std::uint32_t>
        withoutLines;      // of the PTX text, ascending: coalescing, conflicts, misses and atomics are
                           // taken away there only; empty: everywhere
    bool coldCode = false; // warps wait for the first fetch of each line of code; else that time is part
                           // of the launch's overhead, and equal paths take equal time
    bool warmL2 = false;   // code, and what is in memory, lie in L2 as well, as far as L2 has room, as
                           // behind a kernel that made it; else a launch finds its caches empty
    std::optional<std::vector<L2Piece>> l2 = {}; // of memory this alone, where it is known

    std::optional<EstimateAround> estimate = {}; // how long launches take is estimated
    Reconvergence reconvergence = Reconvergence::PostDominatorStack;
    bool takenSideFirst = false; // which side of a divergent branch runs first: fall-through (false) or taken (true)
    int threads = 0;             // of the host; 0 = all
    std::uint64_t instructionLimit = 0; // a warp that runs more instructions is reported as endless; 0 = default
    bool checkMemory = true;            // bounds, alignment, initialisation, shared-memory races
    bool checkFirstUse = true;          // global memory that is read before anybody wrote there
    bool checkRaces = false;            // races in global memory between warps of a launch; slow
    bool checkOrder = false;            // the same of kernels alone that wait for flags or locks in a loop
    // Another order of blocks and warps, by this seed (0: the reverse one); what races finds what was there before. On one
    // host thread, with checkRaces.
    std::optional<std::uint64_t> adverse = {};
    bool checkFinite = false; // operations that make infinity or NaN of finite numbers; slow
    bool results = true;      // hand back what the buffers hold then; a check of the result gets them anyhow
    OnFault onFault = OnFault::Stop;
    // With timing: what a run finds out that no limit changes is handed on (Recording::findings), and another run of the same
    // plan takes it for granted. It runs what it times, and no more: what the launch leaves in memory and its counts are
    // not all there, and nothing is checked beyond it. They may be another process's: who reads them trusts them with nothing.
    bool keepFindings = false;
    std::shared_ptr<const std::vector<std::byte>> findings = {};
    // A twin of each number in fp64, and what the launch leaves held against it: by this relative error, or, if it is 0, by half of a
    // type's digits. On one host thread, and not timed; slow.
    std::optional<double> twin = {};
    std::optional<WatchedWord> word = {};         // its uses become notes of the trace (WordUsed, WordUses); slow
    std::optional<WatchedVariable> variable = {}; // the same of its values (VariableSet, VariableHeld, VariableSets)
};

// What a GPU alone is asked.
struct CudaOptions {
    bool counters = true;         // hardware counters in the clean run
    double timeLimitSeconds = 30; // a launch that takes longer is stopped and reported
};

struct RunOptions : CommonOptions, EmulatorOptions, CudaOptions {};

struct Recording {
    TracePtr trace;
    Buffers buffers; // after the run, in argument order; none where nobody wants them
    CheckResult check;
    std::uint64_t warpInstructions = 0;
    double wallSeconds = 0; // of the run itself
    double estimatedNs = 0; // if RunOptions::estimate asked for it
    std::shared_ptr<const std::vector<std::byte>> findings =
        {};                     // if RunOptions::keepFindings asked, and there are some
    std::optional<Error> fault; // the kernel itself failed (wild store, deadlock): trace and buffers hold what was done
};

class Backend {
public:
    virtual ~Backend() = default;
    virtual std::string name() const = 0; // "emulator", "cuda"
    // Why it cannot run here, in one sentence a student understands; ok if it can.
    virtual Result<void> available() const = 0;
    // Error: refused before launch, cancelled, or the machine failed. A fault of the kernel is in the Recording.
    virtual Result<Recording> run(const LaunchPlan& plan, const RunOptions& options, Progress& progress) = 0;
};

// The blocks that Detail::Kind::Auto chooses, the same on every backend: all of them up to 64; else block 0 to 31 and
// an even spread, 64 together. Ascending linear indices.
std::vector<std::uint64_t> autoBlocks(std::uint64_t gridBlocks);
// The chosen blocks of any Detail, ascending, without repeats; those outside the grid are an error.
Result<std::vector<std::uint64_t>> chosenBlocks(const Detail& detail, std::uint64_t gridBlocks);

} // namespace warpglass
