// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/watch/global_races.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/base/messages/why.h"
#include "gpu/emulator/code/bounds.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/watch/spin_loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

namespace warpglass::emulator {

namespace {

constexpr std::uint32_t wholeBlock = 32;

bool before(const Knowledge::Item& a, const Knowledge::Item& b) {
    return std::tie(a.block, a.warp) < std::tie(b.block, b.warp);
}

bool knows(const Knowledge* k, std::uint32_t block, std::uint32_t warp, std::uint32_t time) {
    if (!k)
        return false;
    if (time < k->all)
        return true;
    const auto find = [&](std::uint32_t w) -> const Knowledge::Item* {
        const Knowledge::Item wanted{block, w, 0};
        const auto at = std::lower_bound(k->items.begin(), k->items.end(), wanted, before);
        return at != k->items.end() && at->block == block && at->warp == w ? &*at : nullptr;
    };
    if (const auto* all = find(wholeBlock); all && time < all->until)
        return true;
    const auto* one = find(warp);
    return one && time <= one->until;
}

bool within(const Knowledge& small, const Knowledge& large) {
    if (small.all > large.all)
        return false;
    auto at = large.items.begin();
    for (const Knowledge::Item& i : small.items) {
        at = std::lower_bound(at, large.items.end(), i, before);
        const bool same = at != large.items.end() && !before(i, *at);
        if (i.until >= large.all && (!same || at->until < i.until))
            return false;
    }
    return true;
}

// Puts another value in place of what this lane has loaded, `offset` bytes behind its address: words of four bytes, of elements
// at least as large. What it has found then.
std::uint32_t findEarlier(Exec& x, const Inst& in, int lane, std::uint64_t offset, std::uint32_t value) {
    const std::uint32_t each = in.memory.bytes;
    if (each >= 4 && each <= in.memory.rowBytes)
        if (const Row row = dataRows(x, in)[offset / each]; row != noRow)
            std::memcpy(x.rows + row + std::size_t(lane) * in.memory.rowBytes + offset % each, &value, 4);
    return value;
}

// "line 15", where the source is known: which file is told of the race itself.
Message shortPlace(const Program& program, std::uint32_t position) {
    Message place = placeText(program, position);
    if (place.id == say::SourceLine.id || place.id == say::SourceLineIn.id)
        if (const auto* line = std::get_if<std::uint64_t>(&place.arguments.front()))
            return say::WhyLineSource(*line);
    return place;
}

bool pointsIntoGlobal(const InstInfo& info) {
    return info.isMemory && (info.genericSpace || info.space == MemorySpace::Global);
}

} // namespace

// A warp that looks at one place again and again finds what others wrote there in the end.
bool RaceWatch::staysUnseen(const Party& reader, std::uint64_t unit) {
    constexpr std::size_t most = 1 << 16;
    constexpr std::uint32_t looks = 64;
    if (m_looks.size() >= most)
        m_looks.clear();
    const std::uint64_t who = (std::uint64_t(reader.block) << 5 | reader.thread / 32u) << 32 | reader.position;
    Looks& last = m_looks[who];
    last.times = last.unit == unit ? last.times + 1 : 1;
    last.unit = unit;
    return last.times <= looks * 32; // of all its lanes
}

RaceWatch::RaceWatch(const Program& program, GlobalMemory* before) : m_grain(4), m_adverse(before != nullptr) {
    for (std::size_t k = 0; k < program.code.size(); ++k)
        if (pointsIntoGlobal(program.info[k]) && program.code[k].memory.bytes < 4)
            m_grain = 1;
    if (!before)
        return;
    std::uint64_t bytes = 0;
    for (const auto& area : before->areas())
        if ((bytes += area->bytes) <= bounds.adverseMemory)
            if (const std::byte* const at = area->numbered().among(area->base, area->bytes).at(area->base))
                m_before.emplace(area->base, std::vector<std::byte>(at, at + area->bytes));
}

std::uint32_t RaceWatch::valueBefore(std::uint64_t address) const {
    std::uint32_t value = 0;
    if (auto at = m_before.upper_bound(address); at != m_before.begin())
        if (const std::uint64_t offset = address - (--at)->first; offset + m_grain <= at->second.size())
            std::memcpy(&value, at->second.data() + offset, m_grain);
    return value;
}
RaceWatch::~RaceWatch() = default;

KnowledgePtr RaceWatch::join(const KnowledgePtr& a, const KnowledgePtr& b) const {
    if (!b || a == b)
        return a;
    if (!a || within(*a, *b))
        return b;
    if (within(*b, *a))
        return a;
    auto sum = std::make_shared<Knowledge>();
    sum->all = std::max(a->all, b->all);
    auto i = a->items.begin(), j = b->items.begin();
    while (i != a->items.end() || j != b->items.end()) {
        Knowledge::Item next;
        if (j == b->items.end() || (i != a->items.end() && before(*i, *j)))
            next = *i++;
        else if (i == a->items.end() || before(*j, *i))
            next = *j++;
        else {
            next = *i++;
            next.until = std::max(next.until, j++->until);
        }
        if (next.until >= sum->all)
            sum->items.push_back(next);
    }
    if (sum->items.size() > bounds.raceKnowledge) {
        sum->items.clear();
        sum->all = m_time + 1;
    }
    return sum;
}

RaceWatch::BlockPart& RaceWatch::blockOf(const Exec& x) {
    BlockPart& b = m_blocks[std::uint32_t(x.block->index)];
    if (b.epoch == x.block->epoch)
        return b;
    if (b.epoch != 0) // a barrier has opened since: all know what each knew
        for (WarpPart& w : b.warps) {
            b.known = join(join(b.known, w.known), join(w.open, w.openInBlock));
            b.publishes = join(b.publishes, w.publishes);
            for (const Asked& a : w.asked)
                if (a.write.time != 0)
                    b.asked[b.nextAsked++ % b.asked.size()] = a;
            w = {};
        }
    b.epoch = x.block->epoch;
    b.barrier = ++m_time;
    return b;
}

// What a warp knows, and what it and its block did.
KnowledgePtr RaceWatch::everything(const BlockPart& b, std::uint32_t block, std::uint32_t warp) {
    auto own = std::make_shared<Knowledge>();
    own->items.push_back({block, warp, m_time});
    own->items.push_back({block, wholeBlock, b.barrier});
    ++m_time; // what follows is later
    return join(join(b.known, b.warps[warp].known), own);
}

void RaceWatch::fence(Exec& x, const Inst& in) {
    const InstInfo& info = x.program->info[in.index];
    BlockPart& b = blockOf(x);
    WarpPart& w = b.warps[x.warp->number];
    w.known = join(w.known, w.openInBlock);
    if (info.is.scope != ptx::Scope::Cta)
        w.known = join(w.known, w.open);
    else
        for (Asked& a : w.asked)
            a.ofBlock = true; // as if it had been asked so
    w.inBlock = everything(b, std::uint32_t(x.block->index), x.warp->number);
    if (info.is.scope != ptx::Scope::Cta)
        w.publishes = w.inBlock;
}

void RaceWatch::strongAccess(Exec& x, BlockPart& b, const InstInfo& info, std::uint64_t address, bool reads,
                             bool writes) {
    const auto block = std::uint32_t(x.block->index);
    WarpPart& w = b.warps[x.warp->number];
    const bool shared = x.access.space == MemorySpace::Shared;
    auto& flags = shared ? b.flags : m_flags;
    using ptx::Semantics;
    const bool releases =
        writes && (info.is.semantics == Semantics::Release || info.is.semantics == Semantics::AcquireRelease ||
                   info.is.semantics == Semantics::Sequential);
    KnowledgePtr handed, inBlock;
    if (writes) {
        if (releases || shared) // in shared memory fences are seldom written, and mostly not needed
            inBlock = everything(b, block, x.warp->number);
        else
            inBlock = w.inBlock;
        handed = releases && info.is.scope != ptx::Scope::Cta ? inBlock : join(b.publishes, w.publishes);
    }
    auto at = flags.find(address);
    if (at == flags.end()) {
        if (!handed && !inBlock)
            return;
        if (flags.size() >= bounds.raceFlags) {
            m_full = true;
            return;
        }
        at = flags.emplace(address, Flag{}).first;
    }
    Flag& flag = at->second;
    const bool acquires = shared || info.is.semantics == Semantics::Acquire ||
                          info.is.semantics == Semantics::AcquireRelease || info.is.semantics == Semantics::Sequential;
    if (reads && (w.lastFlag != &flag || w.lastVersion != flag.version || (acquires && !w.lastAcquired))) {
        const bool own = flag.block == block;
        const KnowledgePtr got = own ? join(flag.handed, flag.handedInBlock) : flag.handed;
        KnowledgePtr& to = acquires && (own || shared || info.is.scope != ptx::Scope::Cta) ? w.known
                           : own                                                           ? w.openInBlock
                                                                                           : w.open;
        to = join(to, got);
        w.lastFlag = &flag;
        w.lastVersion = flag.version;
        w.lastAcquired = acquires;
    }
    if (!writes)
        return;
    const KnowledgePtr was = flag.handed, wasInBlock = flag.handedInBlock;
    flag.handed = join(flag.handed, handed);
    flag.handedInBlock = flag.block == block ? join(flag.handedInBlock, inBlock) : inBlock;
    flag.block = block;
    if (flag.handed != was || flag.handedInBlock != wasInBlock)
        flag.version = ++m_versions;
}

void RaceWatch::noteAsked(WarpPart& w, const InstInfo& info, std::uint32_t position, std::uint64_t address) {
    const Cell* const cell = cellAt(address / m_grain);
    if (!cell || cell->write.time == 0)
        return;
    const auto flag = m_flags.find(address);
    const Asked asked{address, position, info.is.scope == ptx::Scope::Cta, cell->write,
                      flag == m_flags.end() ? nullptr : flag->second.handedInBlock};
    for (Asked& a : w.asked)
        if (a.write.time != 0 && a.address == address) {
            a = asked;
            return;
        }
    w.asked[w.nextAsked++ % w.asked.size()] = asked;
}

RaceWatch::Order RaceWatch::order(const BlockPart& b, const Party& me, const Party& p) const {
    const std::uint32_t warp = me.thread / 32u, other = p.thread / 32u;
    if (p.block == me.block) {
        const auto has = [](const Party& q, const Party& lane) { return (q.lanes >> lane.thread % 32u & 1) != 0; };
        if (p.time < b.barrier || (other == warp && (p.sync != me.sync || has(p, me) || has(me, p))))
            return Order::Is;
    }
    const WarpPart& w = b.warps[warp];
    const auto isIn = [&](const KnowledgePtr& k) { return knows(k.get(), p.block, other, p.time); };
    return isIn(w.known) || isIn(b.known)        ? Order::Is
           : isIn(w.open) || isIn(w.openInBlock) ? Order::NotAcquired
                                                 : Order::None;
}

// Two strong accesses, the reader's a plain volatile one: whether it has gone on, by a branch, for a flag that the same thread
// wrote after this word, or its block behind a barrier.
bool RaceWatch::reliesOnFlag(const Exec& x, const BlockPart& b, const Party& me, const Party& p,
                             std::uint64_t unit) const {
    const auto& info = x.program->info;
    if (x.access.kind != AccessKind::Load || info[me.position].isAsked || info[p.position].access != AccessKind::Store)
        return false;
    const auto writer = m_blocks.find(p.block);
    const std::uint32_t barrier = writer == m_blocks.end() ? 0 : writer->second.barrier;
    const auto& asked = b.warps[me.thread / 32u].asked;
    return std::any_of(asked.begin(), asked.end(), [&](const Asked& a) {
        return a.write.time > p.time && a.write.block == p.block && a.address / m_grain != unit &&
               info[a.position].isAsked &&
               (a.write.thread == p.thread || (p.time < barrier && barrier <= a.write.time));
    });
}

std::optional<Message> RaceWatch::missing(Exec& x, const BlockPart& b, const Party& me, const Party& p, Order order,
                                          std::uint64_t address) {
    const InstInfo& info = x.program->info[me.position];
    if (p.strong && (p.ofBlock || info.is.scope == ptx::Scope::Cta))
        return say::AtomicOfBlock;
    // The last flag that this warp asked and the other one's had written since.
    const WarpPart& w = b.warps[me.thread / 32u];
    const Asked* flag = nullptr;
    const auto look = [&](const auto& asked) {
        for (const Asked& a : asked)
            if (a.write.block == p.block && a.write.time >= p.time && a.write.time != 0 && a.address != address &&
                (!flag || a.write.time > flag->write.time))
                flag = &a;
    };
    look(w.asked);
    if (!flag)
        look(b.asked);
    if (!flag && order == Order::NotAcquired) // handed on by others: the last of a count
        for (const Asked& a : w.asked)
            if (a.write.time != 0 && a.address != address && (!flag || a.write.time > flag->write.time))
                flag = &a;
    if (!flag)
        return p.block == me.block && p.thread / 32u == me.thread / 32u ? Message(say::LanesGoApart)
                                                                        : Message(say::NothingOrders);
    if (m_toldWords.count(flag->address) || !m_toldSteps.emplace(flag->position, flag->write.position).second)
        return std::nullopt;
    const Message word = wordText(*x.global, flag->address), asked = shortPlace(*x.program, flag->position),
                  written = shortPlace(*x.program, flag->write.position);
    if (order == Order::NotAcquired)
        return flag->ofBlock ? say::AcquireOfBlock(word, asked) : say::AcquireMissing(word, asked);
    if (!flag->write.strong)
        return say::PlainFlag(word, asked, written);
    const bool inBlock = knows(flag->inBlock.get(), p.block, p.thread / 32u, p.time);
    return inBlock ? say::ReleaseOfBlock(word, asked, written) : say::ReleaseMissing(word, asked, written);
}

RaceWatch::Cell* RaceWatch::cellAt(std::uint64_t unit) {
    const std::uint64_t page = unit / 256;
    if (page != m_lastPage) {
        auto found = m_pages.find(page);
        if (found == m_pages.end()) {
            if (m_pages.size() >= bounds.racePages) {
                m_full = true;
                return nullptr;
            }
            found = m_pages.emplace(page, std::make_unique<Page>()).first;
        }
        m_last = found->second.get();
        m_lastPage = page;
    }
    return &m_last->cells[unit % 256];
}

void RaceWatch::tell(Exec& x, const Inst& in, const BlockPart& b, const Party& me, std::uint64_t address, bool writes,
                     const Party& other, Order order, bool otherWrote, std::uint32_t value, std::uint32_t before) {
    // What is not acquired works on many a device: a note.
    const DiagnosticKind kind = order == Order::NotAcquired ? DiagnosticKind::Other : DiagnosticKind::GlobalRace;
    if (x.diagnostics->repeated(x, kind, in.index))
        return;
    // The same two instructions the other way round are the same race.
    if (!m_toldPairs.emplace(std::min(in.index, other.position), std::max(in.index, other.position)).second)
        return;
    const std::optional<Message> why = missing(x, b, me, other, order, address);
    if (!why)
        return;
    m_toldWords.insert(address);
    const bool isFloat = x.program->info[in.index].is.type() == ptx::Type::F32 && m_grain == 4;
    const auto held = [&](std::uint32_t v) {
        return isFloat ? fmt::format("{}", std::bit_cast<float>(v)) : fmt::format("{}", std::int32_t(v));
    };
    x.diagnostics->add(x, kind, in.index, me.thread % 32, address,
                       say::GlobalRace(writes ? say::Writes : say::Reads, wordText(*x.global, address), held(value),
                                       x.launch->grid.at(other.block).indexText(),
                                       x.launch->block.at(other.thread).indexText(),
                                       otherWrote ? say::Writes : say::Reads, held(before),
                                       placeText(*x.program, other.position), *why));
}

void RaceWatch::touch(Exec& x, const Inst& in, BlockPart& b, int lane, std::uint64_t address, bool writes,
                      bool strong) {
    const auto block = std::uint32_t(x.block->index);
    const std::uint32_t warp = x.warp->number;
    const bool ofBlock = x.program->info[in.index].is.scope == ptx::Scope::Cta;
    const Party me{block,
                   m_time,
                   in.index,
                   x.computeSeven ? x.mask : ~0u,
                   std::uint16_t(warp * 32 + std::uint32_t(lane)),
                   std::uint16_t(x.warp->syncEpoch),
                   strong,
                   ofBlock};
    const std::uint64_t end = (address + x.access.bytes - 1) / m_grain;
    for (std::uint64_t unit = address / m_grain; unit <= end; ++unit) {
        Cell* cell = cellAt(unit);
        if (!cell)
            return;
        const std::uint64_t at = std::max(address, unit * m_grain);
        std::uint32_t value = 0;
        std::byte* const found = x.global->find(unit * m_grain, m_grain, x.hint).bytes();
        if (found)
            std::memcpy(&value, found, m_grain);
        const auto orderOf = [&](const Party& p) {
            if (p.time == 0)
                return Order::Is;
            const bool bothStrong = p.strong && strong && (p.block == block || (!p.ofBlock && !ofBlock));
            if (!bothStrong)
                return order(b, me, p);
            return !writes && reliesOnFlag(x, b, me, p, unit) && order(b, me, p) == Order::None ? Order::None
                                                                                                : Order::Is;
        };
        const bool same = writes && value == cell->value;
        bool stays = false; // adverse: the earlier write does
        for (const Party* p : {&cell->write, &cell->plain, &cell->other}) {
            if (same || (!writes && p == &cell->other))
                continue;
            const Order how = orderOf(*p);
            if (how == Order::Is)
                continue;
            if (m_adverse && !writes && (!strong || !x.program->info[in.index].isAsked) &&
                staysUnseen(me, unit)) // a flag is seen in the end
                value = findEarlier(x, in, lane, at - address, cell->previous);
            stays = m_adverse && writes && !strong && !p->strong;
            tell(x, in, b, me, at, writes, *p, how, true, value, cell->value);
            break;
        }
        if (stays && found) {
            std::memcpy(found, &cell->value, m_grain);
            continue;
        }
        if (writes) {
            for (const Party& p : cell->reads)
                if (const Order how = orderOf(p); how == Order::None && !same) {
                    tell(x, in, b, me, at, true, p, how, false, value, cell->value);
                    break;
                }
            if (m_adverse && (cell->write.time == 0 || cell->write.block != block || cell->write.thread / 32u != warp ||
                              cell->write.lanes != me.lanes))
                cell->previous = cell->write.time == 0 ? valueBefore(unit * m_grain) : cell->value;
            if (!strong)
                cell->plain = me;
            if (!strong || (x.access.kind == AccessKind::Atomic && in.memory.hasResult))
                cell->other = {};
            else if (cell->write.strong && cell->write.block != block)
                cell->other = cell->write;
            cell->write = me;
            cell->reads[0] = cell->reads[1] = cell->reads[2] = {};
        } else {
            const Party& last = cell->reads[0];
            if (last.block != block) {
                cell->reads[1] = last;
                cell->reads[2] = {};
            } else if (last.thread / 32u != me.thread / 32u) {
                cell->reads[2] = last;
            }
            cell->reads[0] = me;
            if (m_adverse)
                continue; // what it found is not what is there
        }
        cell->value = value;
    }
}

void RaceWatch::access(Exec& x, const Inst& in) {
    const bool global = x.access.space == MemorySpace::Global;
    if (!global && x.access.space != MemorySpace::Shared)
        return;
    const InstInfo& info = x.program->info[in.index];
    const bool atomic = x.access.kind == AccessKind::Atomic;
    const bool strong = atomic || passesCaches(info) || info.is.semantics != ptx::Semantics::Default;
    if (!global && !strong)
        return;
    const bool writes = x.access.kind != AccessKind::Load;
    BlockPart& b = blockOf(x);
    const std::uint32_t lanes = x.access.active.bits;
    if (strong)
        eachLane(lanes, [&](int lane) {
            const std::uint64_t address = x.address[std::size_t(lane)];
            const bool reads = !writes || (atomic && in.memory.hasResult);
            if (reads && global)
                noteAsked(b.warps[x.warp->number], info, in.index, address);
            strongAccess(x, b, info, address, reads, writes);
        });
    if (global)
        eachLane(lanes, [&](int lane) {
            touch(x, in, b, lane, x.address[std::size_t(lane)], writes, strong || info.isGuess);
        });
    if (global && strong && writes)
        ++m_time; // what was stored before a flag is earlier than that
    if (global)
        m_locks.access(x, in);
    if (m_full && !std::exchange(m_toldFull, true))
        x.diagnostics->add(x, DiagnosticKind::Other, in.index, -1, 0, say::RacesPartly);
}

void RaceWatch::meet(const std::vector<std::uint64_t>& blocks) {
    KnowledgePtr all;
    for (const std::uint64_t block : blocks) {
        auto own = std::make_shared<Knowledge>();
        own->items.push_back({std::uint32_t(block), wholeBlock, m_time + 1});
        const BlockPart& b = m_blocks[std::uint32_t(block)];
        all = join(join(all, own), b.known);
        for (const WarpPart& w : b.warps)
            all = join(join(all, w.known), join(w.open, w.openInBlock));
    }
    ++m_time;
    for (const std::uint64_t block : blocks) {
        BlockPart& b = m_blocks[std::uint32_t(block)];
        b.known = join(b.known, all);
    }
}

void RaceWatch::ended(std::uint64_t block) {
    m_blocks.erase(std::uint32_t(block));
}

} // namespace warpglass::emulator
