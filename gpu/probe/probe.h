// SPDX-License-Identifier: GPL-3.0-or-later
// gpu/probe: Module in, probed Module out (this header); records in, Trace out (decode.h).
//
// Every kernel gets two bodies. At entry each block writes when and where it starts (BlockRow) and looks, uniformly,
// whether it is one of the chosen ones; chosen blocks run the probed copy of the body, all others the clean one. In the
// probed copy stand, at each site: activemask, the vote, the clock, and one predicated 16-byte store by the lowest
// active lane, all without a branch or a call, so that ptxas keeps predicating what it would have predicated. Each lane
// writes to a stream of its own, because two divergent paths have two leaders: neither can overwrite the other, and no
// atomic is needed. A stream that is full keeps counting and stops writing.
//
// What goes on beside the threads is told by who orders it and who waits for it: copies as they are asked for, mbarriers
// as lanes arrive and wait (body_async.cpp). Nobody says when a copy's last byte came but the wait that was for it. In functions
// that have such work, where a few cycles are told by others' waits, two kinds of jumps are left out: those over a few
// instructions, of which machine code makes predicates, and those back in loops whose work is recorded in each turn anyway. With
// accesses all are recorded.
//
// A function called from a kernel also gets a probed copy, `NAME$wgp`, with one more parameter: the number of the
// lane's stream, in whose cell the cursor travels over the call. Functions called through a pointer are reached
// by a bridge (pointer_calls.h). In modules with device-side launches every entry gets two trailing parameters, a filler and
// the launch number, the same offset in all, so that a parent can tell a child who it is without knowing which kernel
// it launches.
#pragma once

#include "gpu/base/result.h"
#include "gpu/launch/plan.h"
#include "gpu/probe/layout.h"
#include "gpu/ptx/module.h"
#include "gpu/trace/tables.h"

#include <cstdint>
#include <string>
#include <vector>

namespace warpglass::probe {

struct ProbeOptions {
    bool accesses = false;    // loads, stores, atomics and shuffles of chosen blocks, with addresses and values
    bool blockRecords = true; // start, end and SM of all blocks
    // The end of an unchosen block is that of its last warp instead of its first (warp 0). Exact, but a store by every
    // warp as it leaves cost 12 % of a reduction's time on an H200, one by warp 0 about 1 %. Chosen blocks, and all
    // blocks of modules with device-side launches, are exact anyway.
    bool allEnds = false;
    bool flatBlocks = false; // blocks have y = z = 1: which lanes are of a warp is told by %tid.x (ignored there, too)
    bool oneDimensional = false; // grid and block of the host's launch have y = z = 1: a cheaper entry (ignored in
                                 // modules with device-side launches, whose children may have any shape)
};

// What an instruction does for work that goes on beside the threads.
enum class AsyncPart : std::uint8_t {
    None,
    Init,        // of an mbarrier
    Arrive,      // arrive, arrive_drop, with expect_tx or without
    Expect,      // expect_tx alone
    Came,        // complete_tx
    Inval,       //
    Try,         // test_wait, try_wait
    CopyLanes,   // cp.async
    LanesArrive, // cp.async.mbarrier.arrive: when those of the lane have come
    LanesCommit, // of a group of cp.async
    LanesWait,   // for groups of them, or for all
    Bulk,        // cp.async.bulk and .tensor, cp.reduce.async.bulk
    BulkCommit,
    BulkWait,
    ProductsWait, // for groups of products: wgmma.wait_group
};

// One of the records of a batch: which words hold what of it.
struct BatchMember {
    static constexpr std::uint8_t none = 0xff;
    std::uint32_t site = 0;
    RecordKind kind = RecordKind::Try;
    std::uint8_t clock = none, before = none; // before: clock of a wait's begin
    std::uint8_t barrier = none;              // address; bit 0: parity of a try, bit 1: it had been in vain before
    std::uint8_t place = none;                // of a copy in shared memory
    std::uint8_t count = none;                // arrivals or bytes; none: `constant`
    std::uint32_t constant = 0;
};
inline constexpr std::uint32_t batchWords = 4 * spareRecords;

// What a record's site number means. Site::kernel is left 0: the decoder knows which kernel ran.
struct ProbeSite {
    Site site;
    std::string function;          // entry or .func it stands in
    std::uint32_t instruction = 0; // index into the clean Function::body
    // Asynchronous work
    AsyncPart async = AsyncPart::None;
    AsyncCopyKind copy = AsyncCopyKind::Lanes;
    MemorySpace from = MemorySpace::Global, to = MemorySpace::Shared;
    bool tells = false;               // an mbarrier is told of a copy's bytes; of Arrive: bytes are expected
    bool counts = true;               // of LanesArrive: its arrival is one of those that the phase waits for (.noinc)
    bool drops = false;               // arrive_drop
    std::uint32_t keeps = 0;          // groups that a wait leaves under way
    std::uint32_t copyNear = noIndex; // of cp.async and of what makes groups of them: site of the first of these
    std::uint32_t poll = noIndex;     // of Try: site of the branch behind it, whose records it writes
    bool pollNegated = false;         // that branch jumps where the phase is not over
    std::vector<BatchMember> batch;   // that are written with this one, in order; empty: no batch ends here
    // Accesses only
    MemorySpace space = MemorySpace::Global; // as far as the opcode says; generic = true else
    bool generic = false;
    AccessKind access = AccessKind::Load;
    std::uint8_t bytesPerElement = 4, elements = 1; // CopyLanes: bytes a lane
    bool isFloat = false;
};

struct ProbedModule {
    std::string ptx;                  // what is given to the driver (or to the emulator)
    std::vector<ProbeSite> sites;     // by site number
    std::vector<std::string> entries; // names of the entries, in the order of LaunchRow::entry
    // Parameters added to every entry, in bytes; 0 for modules without device-side launches. The host passes
    // `fillerBytes` bytes of anything (if not 0), then `hiddenBytes` zero bytes, after the kernel's own parameters.
    std::uint32_t fillerBytesOf(const std::string& entry) const;
    std::uint32_t hiddenBytes = 0;
    std::vector<std::uint32_t> filler; // by entries
    bool launches = false;             // some function launches kernels
    std::vector<Said> notes;           // what is not seen, in sentences
    ProbeOptions options;
};

// Puts probes into every entry and every function that an entry calls. Error: a construct that cannot be probed, with
// its line; the module still runs clean then.
Result<ProbedModule> insertProbes(const ptx::Module& module, const ProbeOptions& options);

// The memory a probed launch needs, as bytes to be copied to the device before the launch. Order and meaning of
// `buffers`:
struct ProbeMemory {
    enum Buffer : std::uint32_t { Records, Streams, Cells, Warps, Blocks, Slots, Launches, Counts, Ends, Count_ };
    std::vector<std::vector<std::byte>>
        initial;                       // [Buffer], full size; Records is zeroed and may be given by size alone
    std::uint64_t recordBytes = 0;     // size of Records (initial[Records] is left empty)
    Control control;                   // pointers still 0: filled by whoever allocates
    std::vector<std::uint64_t> chosen; // linear blocks of the host's launch with detail, ascending
    std::uint32_t warpsPerBlock = 0;   // of the host's launch
};

struct MemoryBudget {
    std::uint64_t recordBytes = std::uint64_t(256) << 20; // bound on the record buffer
    std::uint32_t childBlocks = 64;                       // detail for that many blocks of each child launch
    std::uint32_t childWarps = 0;                         // warp rows for children, all together
    std::uint32_t childBlockRows = 0;                     // block rows for children
    std::uint32_t launchRows = 0;
    // Records each lane of each chosen warp needs, [warp * 32 + lane], from an earlier run (decode.h: neededRecords).
    // Empty: half of a warp's share goes to lane 0, which leads converged code, the rest to the other 31.
    std::vector<std::uint32_t> needed;
};

// Children's bounds for a module with launches, when nothing better is known: 65,536 launches and blocks, 16,384 warps.
MemoryBudget standardBudget(const ProbedModule& module);

Result<ProbeMemory> planMemory(const ProbedModule& module, Dim3 grid, Dim3 block, std::vector<std::uint64_t> chosen,
                               const MemoryBudget& budget);

// The same launch with probes, for a backend that reads LaunchPlan::globals (the emulator): probed text, hidden
// arguments, the control block as a global, the buffers as global buffers. Their contents after the run stand in
// Recording::buffers behind those of the arguments, in the order of ProbeMemory::Buffer.
LaunchPlan probedPlan(const LaunchPlan& clean, const ProbedModule& module, const ProbeMemory& memory);

} // namespace warpglass::probe
