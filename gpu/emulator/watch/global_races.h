// SPDX-License-Identifier: GPL-3.0-or-later
// Races in global memory: two warps of one launch touch a word, at least one of them writing, and nothing says which of
// them comes first. Looked for only when asked (RunOptions::checkRaces), on one host thread.
//
// What orders two accesses of different warps:
// - a barrier of the block that both belong to;
// - a flag. Whoever has written data, executes a fence and then writes a word with a strong instruction (an atomic, a
//   volatile, relaxed or releasing store) hands on what it did and what it knew; whoever reads that word with a strong
//   instruction afterwards gets it, once it executes a fence, comes to a barrier or has acquired by the reading itself.
//   Locks, tickets, grid barriers, look-back scans and queues are made of this. What the other warps of the block did before
//   their last barrier is handed on too.
// Two strong accesses never race, unless one is for its block alone (.cta) and the other of another block; nor do accesses
// of lanes of one warp that go the same way or have synchronised since, nor a store of the value that is there already.
//
// Who has found a flag changed, and reads then what was written before it by a volatile store, relies on an order that nothing
// gives if the writer has no fence between the two: told as a race, too.
//
// Of a race behind a flag it is told which step is missing: the warp remembers the last flags that it and its block asked, and who had
// written them. Each such step is told once, not each word that it lets race.
//
// Adverse (RunOptions::adverse): what a race lets happen happens. A read finds what was there before the write that it races
// with, and of two writes the earlier one stays.
//
// Time is one number for the launch that goes up whenever something is handed on. Each word remembers its last write, the
// last one that was not strong (atomics that follow do not hide it), the last strong one of another block (until somebody
// is given an atomic's old value, and so knows what came before) and three reads, each with thread, place and time: the last one, and the last ones by another block and by another warp of
// the same block. What a warp knows of others is a list of (block,
// warp, time), "everything that this one did until then"; lists are shared and only copied when they grow. Lists that
// grow beyond a bound become "everything until now": that can hide a race, never invent one. So can the three reads.
#pragma once

#include "gpu/emulator/state/exec.h"
#include "gpu/emulator/watch/lock_order.h"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace warpglass::emulator {

// What was done by others before, as far as somebody knows; immutable once shared.
struct Knowledge {
    struct Item {
        std::uint32_t block = 0, warp = 0; // warp 32: all of the block
        std::uint32_t until = 0;           // everything before that time (of one warp: at that time, too)
    };
    std::uint32_t all = 0;   // everything of everybody before that time
    std::vector<Item> items; // ascending (block, warp)
};
using KnowledgePtr = std::shared_ptr<const Knowledge>; // nullptr: nothing

class RaceWatch {
public:
    // before: of an adverse run, the memory as it is now is kept, to be found by who races.
    explicit RaceWatch(const Program& program, GlobalMemory* before = nullptr);
    ~RaceWatch();
    // After the access of x.access was carried out; x.address as the space has it.
    void access(Exec& x, const Inst& in);
    void fence(Exec& x, const Inst& in);
    void meet(const std::vector<std::uint64_t>& blocks); // at a barrier of all of them, a cluster's
    void ended(std::uint64_t block);                     // it will do nothing more

private:
    struct Party {
        std::uint32_t block = 0, time = 0; // time 0: nobody
        std::uint32_t position = 0;
        std::uint32_t lanes = 0;            // that executed it together
        std::uint16_t thread = 0, sync = 0; // low bits of the warp's syncEpoch
        bool strong = false;
        bool ofBlock = false; // strong for the threads of its block alone
    };
    struct Cell {
        Party write, reads[3]; // by another block: 1, by another warp: 2
        Party plain, other;    // the last write that was not strong; the last strong one of another block than write's
        std::uint32_t value = 0;    // after the last access
        std::uint32_t previous = 0; // adverse: before the last writer's first write
    };
    struct Page {
        Cell cells[256];
    };
    struct Flag { // a word that strong instructions touch
        KnowledgePtr handed, handedInBlock;
        std::uint32_t block = ~0u; // of handedInBlock
        std::uint64_t version = 0;
    };
    struct Asked { // a flag of global memory, by a strong read
        std::uint64_t address = 0;
        std::uint32_t position = 0;
        bool ofBlock = false;
        Party write;          // the last one before
        KnowledgePtr inBlock; // what that handed on for its own block
    };
    struct WarpPart {
        KnowledgePtr known;             // got since the last barrier
        KnowledgePtr open, openInBlock; // what a fence would get of flags that were read: any, one of the block alone
        std::array<Asked, 4> asked;
        std::uint32_t nextAsked = 0;
        KnowledgePtr publishes;         // by a strong write: what was so when it last executed a fence
        KnowledgePtr inBlock;           // the same for the own block, where a fence of the block is enough
        const Flag* lastFlag = nullptr; // that it asked, and which version it saw: who polls asks again and again
        std::uint64_t lastVersion = ~std::uint64_t(0);
        bool lastAcquired = false;
    };
    struct BlockPart {
        std::uint32_t epoch = 0;   // BlockState::epoch, as seen last
        std::uint32_t barrier = 0; // time of the last barrier
        KnowledgePtr known, publishes;
        std::array<Asked, 8> asked; // by its warps, before the last barrier
        std::uint32_t nextAsked = 0;
        WarpPart warps[32];
        std::unordered_map<std::uint64_t, Flag> flags; // in shared memory
    };

    BlockPart& blockOf(const Exec& x);
    KnowledgePtr everything(const BlockPart& b, std::uint32_t block, std::uint32_t warp);
    KnowledgePtr join(const KnowledgePtr& a, const KnowledgePtr& b) const;
    enum class Order : std::uint8_t { Is, NotAcquired, None };
    Order order(const BlockPart& b, const Party& me, const Party& p) const;
    bool reliesOnFlag(const Exec& x, const BlockPart& b, const Party& me, const Party& p, std::uint64_t unit) const;
    void noteAsked(WarpPart& w, const InstInfo& info, std::uint32_t position, std::uint64_t address);
    // Which step is missing; nothing: it has been told.
    std::optional<Message> missing(Exec& x, const BlockPart& b, const Party& me, const Party& p, Order order,
                                   std::uint64_t address);
    std::uint32_t valueBefore(std::uint64_t address) const;
    bool staysUnseen(const Party& reader, std::uint64_t unit);
    struct Looks {
        std::uint64_t unit = 0;
        std::uint32_t times = 0; // one after the other
    };
    std::unordered_map<std::uint64_t, Looks> m_looks; // [block, warp, position] in an adverse run
    Cell* cellAt(std::uint64_t unit);
    void strongAccess(Exec& x, BlockPart& b, const InstInfo& info, std::uint64_t address, bool reads, bool writes);
    void touch(Exec& x, const Inst& in, BlockPart& b, int lane, std::uint64_t address, bool writes, bool strong);
    void tell(Exec& x, const Inst& in, const BlockPart& b, const Party& me, std::uint64_t address, bool writes,
              const Party& other, Order order, bool otherWrote, std::uint32_t value, std::uint32_t before);

    LockOrder m_locks;
    std::uint32_t m_grain; // bytes of a cell
    bool m_adverse = false;
    std::map<std::uint64_t, std::vector<std::byte>> m_before; // [address]
    std::set<std::uint64_t> m_toldWords;
    // By who asked for a flag and who wrote it, and by two that race.
    std::set<std::pair<std::uint32_t, std::uint32_t>> m_toldSteps, m_toldPairs;
    std::uint32_t m_time = 1;
    std::unordered_map<std::uint64_t, std::unique_ptr<Page>> m_pages;
    std::uint64_t m_lastPage = ~std::uint64_t(0);
    Page* m_last = nullptr;
    std::unordered_map<std::uint64_t, Flag> m_flags; // in global memory
    std::unordered_map<std::uint32_t, BlockPart> m_blocks;
    std::uint64_t m_versions = 0;
    bool m_full = false; // something was left out; told once
    bool m_toldFull = false;
};

} // namespace warpglass::emulator
