// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/watch/spin_loops.h"
#include "gpu/emulator/code/bounds.h"
#include "gpu/emulator/state/exec.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <set>

namespace warpglass::emulator {

namespace {

constexpr std::uint32_t lookEvery = 16; // askings in vain between two looks at the registers
constexpr std::uint32_t longestPatience = 4096;
constexpr std::uint32_t waitsUnseen = 8; // waits at an mbarrier, in vain, to one look at the registers

std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
    return std::rotl(hash ^ word, 29) * 0x9e3779b97f4a7c15ull;
}

std::uint64_t registers(const Exec& x) {
    const std::uint32_t bytes = x.program->functions[x.frame->function].frameBytes;
    std::uint64_t hash = x.mask;
    for (const StackEntry& e : x.warp->stack)
        hash = mix(mix(hash, e.pc), e.mask.bits);
    std::array<std::uint64_t, 8> each{}; // side by side: what one waits for the others do not
    std::uint32_t at = 0;
    for (; at + sizeof each <= bytes; at += sizeof each) {
        std::array<std::uint64_t, 8> words;
        std::memcpy(&words, x.rows + at, sizeof words);
        for (std::size_t k = 0; k < each.size(); ++k)
            each[k] = mix(each[k], words[k]);
    }
    for (const std::uint64_t h : each)
        hash = mix(hash, h);
    for (; at + 8 <= bytes; at += 8) {
        std::uint64_t word;
        std::memcpy(&word, x.rows + at, 8);
        hash = mix(hash, word);
    }
    return hash;
}

// An atomic that leaves its word as it finds it: as some programs read one that others write.
bool changesNothing(const InstInfo& info) {
    using ptx::Operation;
    if (info.is.opcode != ptx::Opcode::Atom || info.source->operands.size() < 3)
        return false;
    const ptx::Operand& b = info.source->operands[2];
    if (b.kind != ptx::Operand::Kind::Integer)
        return false;
    switch (info.is.operation) {
    case Operation::Add:
    case Operation::Or:
    case Operation::Xor:
        return b.integer == 0;
    case Operation::And:
        return b.integer == -1 || (b.integer == 0xffffffff && ptx::bytesOf(info.is.types[0]) == 4);
    case Operation::Max:
        return b.integer == 0 && !ptx::isSigned(info.is.types[0]);
    default:
        return false;
    }
}

// What its lanes wait for now: each for its own word of this access, and for those that the same loop has asked before.
void keepPolls(Exec& x, std::uint32_t lanes, const LastPoll& here) {
    std::vector<LastPoll>& kept = x.warp->polls;
    x.warp->poll = here;
    std::erase_if(kept, [&](const LastPoll& p) { return (p.lanes.bits & lanes) != 0; });
    for (std::uint32_t rest = lanes; rest;) {
        LastPoll one = here;
        one.address = x.address[std::size_t(std::countr_zero(rest))];
        one.lanes = {};
        for (std::uint32_t m = rest; m; m &= m - 1)
            if (const int lane = std::countr_zero(m); x.address[std::size_t(lane)] == one.address)
                one.lanes = one.lanes | LaneMask::of(lane);
        rest &= ~one.lanes.bits;
        kept.push_back(one);
    }
    const Polls& p = x.polls;
    for (std::uint32_t place = 0; place < p.room; ++place)
        if (const Polls::Seen& s = p.seen[place];
            p.isLate(place) &&
            (s.where.position != here.position || (s.where.lanes.bits == lanes && s.where.address != here.address)))
            kept.push_back(s.where);
}

// Whether this answer, to which nothing has changed, is the one at which to look at the registers.
bool looksHere(const Exec& x, std::uint64_t answer) {
    const Polls& p = x.polls;
    const auto asks = [&](std::uint64_t there) { // whether this loop does
        const std::uint32_t place = there != 0 ? p.find(there) : p.room;
        return place < p.room && p.isLate(place);
    };
    if (p.at == answer || asks(p.at))
        return p.at == answer;
    bool elsewhere = false; // where an earlier turn has ended
    for (const VainTurn& v : x.warp->vain) {
        if (v.answer == answer)
            return true;
        elsewhere |= asks(v.answer);
    }
    return !elsewhere;
}

// For a loop that asks for more words than are remembered, if this is an answer that it has had before.
void makeRoom(Polls& p, std::uint64_t answer) {
    const std::uint32_t ago = p.asked - p.marked;
    if (answer == p.mark) {
        p.room = std::clamp(ago, p.room, std::uint32_t(p.seen.size()));
        p.patience = std::max(p.patience, lookEvery / fewWords * p.room);
        p.mark = 0;
    } else if (p.mark == 0 || ago > p.seen.size()) {
        p.mark = answer;
        p.marked = p.asked;
    }
}

} // namespace

void keepPoll(WarpContext& warp, const LastPoll& poll) {
    warp.poll = poll;
    std::erase_if(warp.polls, [&](const LastPoll& p) { return (p.lanes.bits & poll.lanes.bits) != 0; });
    warp.polls.push_back(poll);
}

void notePoll(Exec& x, const Inst& in, std::uint32_t lanes, Row row, std::uint32_t rowBytes) {
    Polls& p = x.polls;
    if (p.waits || row == noRow)
        return;
    p.used = true;
    // One lane stands for all: what the others found is in the registers.
    const auto lane = std::size_t(std::countr_zero(lanes));
    std::uint64_t value = 0; // copied by sizes known here: pieces put together would have to be waited for
    if (rowBytes == 4)
        std::memcpy(&value, x.rows + row + lane * 4, 4);
    else
        std::memcpy(&value, x.rows + row + lane * rowBytes, sizeof value);
    const std::uint64_t answer = mix(mix(mix(in.index + 1, lanes), x.address[lane]), value);
    const std::uint32_t place = p.find(answer);
    ++p.asked;
    if (place == p.room) {
        makeRoom(p, answer);
        p.expected = p.next++ % p.room;
        p.answers[p.expected] = answer;
        p.seen[p.expected] = {0, p.asked, {in.index, {lanes}, x.address[lane], x.access.space}};
        p.unchanged = p.looked = 0;
        if (p.room == fewWords)
            p.patience = lookEvery;
        p.at = 0;
        return;
    }
    Polls::Seen& seen = p.seen[place];
    seen.asked = p.asked;
    p.expected = place + 1 == p.room ? 0 : place + 1;
    // Between two looks every path of the warp must have had its turn.
    const auto paths = std::uint32_t(x.warp->stack.size());
    const bool several = x.independent && paths > 1;
    if (++p.unchanged - p.looked < (several ? std::uint32_t(bounds.pathTurn) * paths : p.patience) ||
        !looksHere(x, answer))
        return;
    p.looked = p.unchanged;
    p.at = answer;
    keepPolls(x, lanes, seen.where);
    const std::uint64_t now = registers(x);
    p.waits = seen.registers == now;
    if (seen.registers != 0 && !p.waits) // it counts, or works: others can look later
        p.patience = std::min(2 * p.patience, longestPatience);
    p.state = mix(now, in.index);
    seen.registers = now;
    // Many words that stay are no sign of waiting, as two or three are: working loops ask so, too.
    p.restless = p.room == fewWords && p.unchanged >= bounds.restlessPolls;
    if (p.waits || p.restless)
        x.sliceEnd = 0; // the turn ends with this piece
}

void noteWait(Exec& x, const Inst& in, std::uint32_t lanes, std::uint64_t address) {
    WarpContext& warp = *x.warp;
    keepPoll(warp, {in.index, {lanes}, address, MemorySpace::Shared});
    x.sliceEnd = 0;
    x.polls.restless = true;
    // Frames are long, and most who wait do so a few times before they go on.
    if (x.block->timed || (!warp.standsStill && ++warp.waitsInVain % waitsUnseen != 0))
        return;
    const std::uint64_t now = mix(registers(x), in.index);
    // Paths of one warp may wait in turn at several places: each must have been here before with the same registers.
    const bool before = std::find(warp.waits.begin(), warp.waits.end(), now) != warp.waits.end();
    warp.standsStill = before;
    if (!before)
        warp.waits[warp.nextWait++ % warp.waits.size()] = now;
    x.polls.waits = before;
    x.polls.restless = !before;
    x.polls.state = before ? 1 : now;
    x.polls.at = mix(mix(in.index + 1, lanes), address);
}

namespace {

bool inGlobal(const InstInfo& info) {
    return info.isMemory && (info.genericSpace || info.space == MemorySpace::Global);
}

// Whether some short loop has an instruction of which holds(k, first, end), where first to end are the loop's.
template <typename F>
bool inSomeLoop(const Program& program, F holds) {
    for (std::uint32_t at = 0; at < program.code.size(); ++at) {
        const InstInfo& info = program.info[at];
        if (!info.isBranch || info.isExit || info.is.opcode != ptx::Opcode::Bra)
            continue;
        const std::uint32_t first = program.code[at].branch.target;
        if (first > at || at - first > bounds.pollLoop)
            continue;
        for (std::uint32_t k = first; k < at; ++k)
            if (inGlobal(program.info[k]) && holds(k, first, at))
                return true;
    }
    return false;
}

} // namespace

namespace {

bool asksOnly(const InstInfo& info) {
    return (info.is.access == ptx::Access::Load && info.is.semantics != ptx::Semantics::Default) ||
           changesNothing(info);
}

// An atomic that tries the same again and again, of whose compared value no instruction of the loop that `counts` makes
// another; one that goes on with what it has found is a sum by swapping.
template <typename Counts>
bool locks(const Program& program, std::uint32_t k, std::uint32_t first, std::uint32_t end, Counts counts) {
    const InstInfo& info = program.info[k];
    const bool tries = info.is.opcode == ptx::Opcode::Atom &&
                       (info.is.operation == ptx::Operation::Cas || info.is.operation == ptx::Operation::Exch);
    const Row row = program.code[k].b;
    return tries && std::none_of(program.info.begin() + first, program.info.begin() + end, [&](const InstInfo& i) {
               return counts(i) && std::find(i.writes.begin(), i.writes.end(), row) != i.writes.end();
           });
}

} // namespace

bool passesCaches(const InstInfo& info) {
    return info.is.cache == ptx::CacheOperator::Cg || info.is.cache == ptx::CacheOperator::Cv;
}

// Along the code as it stands, which is how a question and its branch are written.
void markAsked(Program& program) {
    constexpr std::uint32_t ahead = 512; // a node's eight children, say, are asked before anything is decided
    for (std::uint32_t at = 0; at < program.code.size(); ++at) {
        InstInfo& asks = program.info[at];
        const bool strong =
            asks.access == AccessKind::Atomic || passesCaches(asks) || asks.is.semantics != ptx::Semantics::Default;
        if (!inGlobal(asks) || !strong || asks.access == AccessKind::Store)
            continue;
        std::set<Row> made(asks.writes.begin(), asks.writes.end());
        const std::uint32_t end = std::min(at + 1 + ahead, program.functions[asks.function].end);
        for (std::uint32_t k = at + 1; k < end && !made.empty() && !asks.isAsked; ++k) {
            const InstInfo& info = program.info[k];
            const bool of = std::any_of(info.reads.begin(), info.reads.end(), [&](Row r) { return made.contains(r); });
            asks.isAsked = of && info.isBranch;
            for (const Row row : info.writes)
                if (of && !info.isMemory)
                    made.insert(row);
                else if (!program.code[k].guard)
                    made.erase(row);
        }
    }
}

bool pollsInLoop(const Program& program) {
    return inSomeLoop(program, [&](std::uint32_t k, std::uint32_t first, std::uint32_t end) {
        return asksOnly(program.info[k]) || locks(program, k, first, end, [](const InstInfo&) { return true; });
    });
}

bool waitsInLoop(const Program& program) {
    const auto makesAnother = [](const InstInfo& i) {
        return i.is.opcode != ptx::Opcode::Mov || !i.source || i.source->operands.size() < 2 ||
               i.source->operands[1].kind != ptx::Operand::Kind::Integer;
    };
    return inSomeLoop(program, [&](std::uint32_t k, std::uint32_t first, std::uint32_t end) {
        return asksOnly(program.info[k]) || locks(program, k, first, end, makesAnother);
    });
}

bool orderedForOthers(const InstInfo& info) {
    return info.opClass == OpClass::Fence && info.is.family == ptx::Family::Fence && info.is.scope != ptx::Scope::Cta &&
           info.is.scope != ptx::Scope::Cluster && !info.source->has(ptx::Modifier::Proxy) &&
           !info.source->has(ptx::Modifier::MbarrierInit);
}

bool swapsInLoop(const Program& program) {
    return inSomeLoop(program, [&](std::uint32_t k, std::uint32_t, std::uint32_t) {
        const InstInfo& info = program.info[k];
        return info.is.opcode == ptx::Opcode::Atom && info.is.operation == ptx::Operation::Cas;
    });
}

} // namespace warpglass::emulator
