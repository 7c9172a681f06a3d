// SPDX-License-Identifier: GPL-3.0-or-later
// Copies that are under way in one block, and its barriers in shared memory.
//
// A copy is a promise: nothing of it can be seen before somebody has waited for it. It is therefore carried out when a
// thread waits for its group, or when somebody asks the mbarrier that it reports to; who looks earlier finds what was
// there before, and is told so (DiagnosticKind::AsyncHazard). What it reads of shared memory, it reads when it is asked
// for. With the timing model a copy also needs its time: an mbarrier that is asked too early knows nothing of it, and a
// thread that waits for a group is issued later.
//
// A copy into shared memory is kept by the block that it goes to, one into global memory by the block that asked.
#pragma once

#include "gpu/base/lane_mask.h"
#include "gpu/emulator/code/async_inst.h"
#include "gpu/emulator/shadow/shadow_memory.h"
#include "gpu/emulator/state/addressed.h"
#include "gpu/emulator/state/mbarrier.h"
#include "gpu/emulator/state/stage_state.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <vector>

namespace warpglass::emulator {

struct BlockState;

// What the trace will say of a copy.
struct CopyNote {
    AsyncCopyKind kind = AsyncCopyKind::Lanes;
    std::uint32_t warp = 0, position = 0;
    LaneMask lanes;
    std::int64_t issued = 0, complete = 0; // of the asking block's clock
    std::uint64_t bytes = 0;
    MemorySpace from = MemorySpace::Global, to = MemorySpace::Shared;
    std::uint32_t barrier = noIndex; // byte of shared memory
    std::uint32_t place = noIndex;   // lowest byte of shared memory that is written, else read
    std::int64_t base = 0;           // BlockState::clockBase of the asking block
};

struct TensorWork { // a product or a copy into tensor memory
    bool done = false;
    std::uint32_t warp = 0, position = 0;
    std::shared_ptr<CopyNote> note; // nullptr: nobody records
};

struct RecordedPhase { // an event of an mbarrier of the block
    std::int64_t time = 0;
    std::uint32_t warp = noIndex, position = 0;
    PhaseEventKind kind = PhaseEventKind::Init;
    std::uint32_t barrier = 0, phase = 0, count = 0, missing = 0;
    LaneMask lanes;
};

// cp.async of a warp, as far as it has not been carried out.
struct LaneCopy {
    LaneCopy(std::uint32_t active, std::uint32_t each, std::uint32_t at, std::uint32_t when)
        : lanes(active), bytes(each), position(at), epoch(when) {}
    std::uint32_t lanes, bytes, position, epoch; // bytes: a lane; epoch: the block's, when it was asked for
    // [lane], of active ones; filled by who asks, and not before.
    std::array<std::uint64_t, 32> from, to; // full address of global memory, offset in shared memory
    std::array<std::uint32_t, 32> group;    // how many its thread had committed
    std::array<std::uint8_t, 32> take;      // bytes that come from memory, the others are zeros; unless
    bool takesAll = true;                   // all do
    Reach into;                             // of all lanes' `to`; nowhere: each is looked for when it is carried out
    bool isRow = false;                     // all lanes, one behind the other in shared memory
    bool fromRow = false;                   // and in global memory
    std::int64_t ready = std::numeric_limits<std::int64_t>::max(); // as PendingCopy has it
    std::shared_ptr<CopyNote> note;
};

struct CopyPiece {
    std::uint64_t from = 0, to = 0;    // full address of global memory, offset in shared memory
    std::uint32_t bytes = 0, take = 0; // take of them come from memory; the others are filled
    std::uint32_t lane = 0;
    std::uint64_t kept = 0; // of shared memory: where its bytes are in PendingCopy::values
};

// From the first byte of some pieces to the last one.
struct Hull {
    std::uint64_t first = std::numeric_limits<std::uint64_t>::max(), end = 0;
    void add(std::uint64_t at, std::uint64_t bytes) {
        first = std::min(first, at);
        end = std::max(end, at + bytes);
    }
    bool meets(std::uint64_t from, std::uint64_t to) const { return first < to && from < end; }
    bool meets(const Hull& other) const { return meets(other.first, other.end); }
};

struct PendingCopy {
    std::uint64_t asker = 0; // block
    std::uint32_t warp = 0, position = 0;
    std::vector<CopyPiece> pieces;
    Hull reads, writes;                    // of the pieces' from and to, as it was asked for
    std::array<std::uint32_t, 32> group{}; // [lane] of the asking thread: bulk groups
    bool bulk = false;                     // false: only arrivals
    MemorySpace from = MemorySpace::Global, to = MemorySpace::Shared;
    BlockState* source = nullptr; // whose shared memory is read; nullptr: that block has ended
    // Of a pair of blocks: whose shared memory is written, if it is not the keeper's; until it ends, and its pieces with it.
    BlockState* target = nullptr;
    std::uint64_t fill = 0; // pattern of fillBytes for what does not come from memory
    std::uint32_t fillBytes = 1;
    // st.async, red.async: what comes from registers, at CopyPiece::from. Of a copy out of shared memory: what lay there
    // when it was asked for, which is what a GPU reads before a program comes to overwrite it.
    std::vector<std::byte> values;
    std::uint64_t kept = 0; // bytes of the host's memory that it counts for while it is under way
    bool fromValues = false;
    ptx::Operation operation = ptx::Operation::None; // of a reduction
    ptx::Type type = ptx::Type::None;
    std::uint32_t byteMask = ~0u;    // of each 16 bytes
    std::uint32_t barrier = noIndex; // byte of the mbarrier that is told, in the block that keeps the copy
    std::uint32_t reported = 0;      // bytes it is told
    std::uint32_t laneBytes = 0;     // of the cp.async that its arrivals stand behind
    std::uint32_t phase = 0;         // of it, that was under way when the copy was asked for
    std::uint32_t arrivals = 0;      // lanes that arrive there when all their earlier copies are done
    std::int64_t ready = std::numeric_limits<std::int64_t>::max(); // cycle of the SM, with the timing model
    std::shared_ptr<CopyNote> note;                                // nullptr: nobody records
    bool commits = false;                           // tcgen05.commit: of bytes it knows nothing, but its end is that of
    std::vector<std::shared_ptr<TensorWork>> works; // these
};

struct BarrierNote {
    std::uint32_t phase = 0;                      // phases that are over
    std::int64_t latest = 0, over = 0;            // its last change, and the end of its last phase: block's clock
    std::map<std::uint32_t, std::uint32_t> waits; // warp -> phase that it was last told to wait for, plus one
    // Of a warp: the phase that it last arrived in, plus one; which one last let it pass, plus one, and where it waited.
    struct Passed {
        std::uint32_t arrivedIn = 0, by = 0, position = 0;
    };
    std::map<std::uint32_t, Passed> passed; // by warp
};

// What a product of matrices (wgmma) that is not waited for may still read of shared memory: cells of the block's notes.
struct ProductReads {
    std::uint32_t warp = 0, position = 0, group = 0; // group: how many the warp had committed
    Note since = 0;                                  // later writes came behind it
    std::array<SharedNotes::Range, 2> cells;         // of a and of b; or none
};

// How far the threads' writes of shared memory are behind a fence.proxy.async: notes below these.
struct ProxyFences {
    std::uint32_t renumberings = 0;          // of the notes, when these were taken
    Note all = 0;                            // of whichever thread
    std::vector<std::array<Note, 32>> lanes; // [warp][lane]
};

struct AsyncState {
    struct WarpCopies {
        std::array<std::uint32_t, 32> committed{}, bulk{}; // [lane]: groups of cp.async, of bulk copies
        std::uint32_t products = 0;                        // groups of wgmma
        std::vector<LaneCopy> pending;                     // in the order of asking
    };
    std::deque<PendingCopy> pending;               // in the order of asking
    std::vector<WarpCopies> warps;                 // [warp]
    std::map<std::uint32_t, BarrierNote> barriers; // by byte of shared memory
    std::deque<ProductReads> products;             // in the order of asking
    ProxyFences fences;
    StageState stages;
};

} // namespace warpglass::emulator
