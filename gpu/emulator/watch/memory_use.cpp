// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/watch/memory_use.h"
#include "gpu/emulator/state/async_state.h"

#include <algorithm>
#include <bit>

namespace warpglass::emulator {

namespace {

// [begin, end) of the bits of an array of words.
void setBits(std::array<std::atomic<std::uint64_t>, 64>& words, std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t word = begin / 64; word * 64 < end; ++word) {
        const std::uint64_t from = std::max(begin, word * 64) - word * 64,
                            to = std::min(end, word * 64 + 64) - word * 64;
        const std::uint64_t bits =
            (to == 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << to) - 1) & ~((std::uint64_t(1) << from) - 1);
        if ((words[word].load(std::memory_order_relaxed) & bits) != bits)
            words[word].fetch_or(bits, std::memory_order_relaxed);
    }
}

void addBits(ByteRanges& ranges, const std::array<std::atomic<std::uint64_t>, 64>& words, std::uint64_t base) {
    for (std::size_t w = 0; w < words.size(); ++w) {
        std::uint64_t bits = words[w].load(std::memory_order_relaxed);
        const std::uint64_t at = base + 64 * w;
        for (unsigned from = 0; bits != 0;) {
            const auto skip = unsigned(std::countr_zero(bits));
            from += skip;
            bits >>= skip;
            const auto run = unsigned(std::countr_one(bits));
            if (!ranges.empty() && ranges.back().end == at + from)
                ranges.back().end += run;
            else if (ranges.size() < MemoryUse::mostRanges)
                ranges.push_back({at + from, at + from + run});
            else
                return;
            from += run;
            bits = run == 64 ? 0 : bits >> run;
        }
    }
}

} // namespace

UsePage* MemoryUse::page(std::uint64_t key, Recent& recent) {
    UsePage*& last = recent[key / 2 % recent.size()];
    if (last && last->key == key) [[likely]]
        return last;
    const std::lock_guard lock(m_mutex);
    const auto found = m_pages.find(key);
    if (found != m_pages.end())
        return last = found->second.get();
    if (m_pages.size() >= mostPages)
        return nullptr;
    auto made = std::make_unique<UsePage>();
    made->key = key;
    return last = m_pages.emplace(key, std::move(made)).first->second.get();
}

void MemoryUse::note(std::uint64_t begin, std::uint64_t end, How how, Recent& recent) {
    while (begin < end) {
        const std::uint64_t number = begin / pageBytes, stop = std::min(end, (number + 1) * pageBytes);
        if (UsePage* p = page(2 * number + how.strong, recent)) {
            if (how.reads)
                setBits(p->reads, begin % pageBytes, begin % pageBytes + (stop - begin));
            if (how.writes)
                setBits(p->writes, begin % pageBytes, begin % pageBytes + (stop - begin));
        }
        begin = stop;
    }
}

void MemoryUse::noteStretch(std::uint64_t begin, std::uint64_t end, How how, Recent& recent) {
    if (end - begin >= pageBytes) {
        ByteRanges& to = how.reads    ? how.strong ? m_stretches.strongReads : m_stretches.reads
                         : how.strong ? m_stretches.strongWrites
                                      : m_stretches.writes;
        const std::lock_guard lock(m_mutex);
        if (to.size() < mostRanges) {
            to.push_back({begin, end});
            return;
        }
    }
    note(begin, end, how, recent);
}

namespace {

void sortAndJoin(ByteRanges& ranges, const ByteRanges& more) {
    if (more.empty())
        return;
    ranges.insert(ranges.end(), more.begin(), more.end());
    std::ranges::sort(ranges, {}, &ByteRange::begin);
    std::size_t last = 0;
    for (const ByteRange& r : ranges)
        if (r.begin <= ranges[last].end)
            ranges[last].end = std::max(ranges[last].end, r.end);
        else
            ranges[++last] = r;
    ranges.resize(last + 1);
}

} // namespace

Touched MemoryUse::touched() const {
    std::vector<const UsePage*> pages;
    pages.reserve(m_pages.size());
    for (const auto& [key, page] : m_pages)
        pages.push_back(page.get());
    std::sort(pages.begin(), pages.end(), [](const UsePage* a, const UsePage* b) { return a->key < b->key; });
    Touched t;
    for (const UsePage* p : pages) {
        const bool strong = p->key % 2 != 0;
        addBits(strong ? t.strongReads : t.reads, p->reads, p->key / 2 * pageBytes);
        addBits(strong ? t.strongWrites : t.writes, p->writes, p->key / 2 * pageBytes);
    }
    sortAndJoin(t.reads, m_stretches.reads);
    sortAndJoin(t.writes, m_stretches.writes);
    sortAndJoin(t.strongReads, m_stretches.strongReads);
    sortAndJoin(t.strongWrites, m_stretches.strongWrites);
    return t;
}

namespace {

void note(Exec& x, std::uint32_t position, int lane, std::uint64_t begin, std::uint64_t end, MemoryUse::How how) {
    if (x.use)
        x.use->note(begin, end, how, x.recentUse);
    const std::uint32_t launches = x.afterLaunches ? x.afterLaunches->launches : 0;
    if (launches == 0)
        return;
    auto& all = x.afterLaunches->all;
    const auto [by, isNew] = all.try_emplace({std::min(launches, UseAfterLaunches::mostLaunches), position});
    if (isNew) {
        by->second.block = std::uint32_t(x.block->index);
        by->second.thread = x.warp->number * 32 + std::uint32_t(std::max(lane, 0));
    }
    by->second.use.note(begin, end, how, by->second.recent);
}

// Whether a whole warp takes one stretch, lane behind lane, as most do.
bool isRow(const Exec& x, const AccessSummary& s) {
    if (s.active.bits != ~0u)
        return false;
    std::uint64_t differs = 0;
    for (std::size_t lane = 0; lane < 32; ++lane)
        differs |= x.address[lane] ^ (x.address[0] + lane * s.bytes);
    return differs == 0;
}

} // namespace

void noteUse(Exec& x, const Inst& in) {
    const AccessSummary& s = x.access;
    const std::uint32_t lanes = s.active.bits;
    if (s.space != MemorySpace::Global || lanes == 0 || (!x.use && x.afterLaunches->launches == 0))
        return;
    const InstInfo& info = x.program->info[in.index];
    const bool atomic = s.kind == AccessKind::Atomic;
    const MemoryUse::How how{s.kind == AccessKind::Load || (atomic && in.memory.hasResult), s.kind != AccessKind::Load,
                             atomic || info.is.semantics != ptx::Semantics::Default || info.isGuess};
    if (isRow(x, s))
        return note(x, in.index, 0, x.address[0], x.address[0] + 32 * s.bytes, how);
    int first = std::countr_zero(lanes);
    std::uint64_t begin = x.address[std::size_t(first)], end = begin + s.bytes;
    for (std::uint32_t rest = lanes & (lanes - 1); rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const std::uint64_t at = x.address[std::size_t(lane)];
        if (at == end) {
            end += s.bytes;
        } else if (at < begin || at + s.bytes > end) {
            note(x, in.index, first, begin, end, how);
            first = lane;
            begin = at;
            end = at + s.bytes;
        }
    }
    note(x, in.index, first, begin, end, how);
}

void noteOpen(Exec& x, Exec::OpenUse& open) {
    if (open.position != noIndex)
        x.use->noteStretch(open.begin, open.end, {open.reads, !open.reads, open.strong}, x.recentUse);
}

void noteAllOpen(Exec& x) {
    if (x.use)
        for (Exec::OpenUse& open : x.openUse)
            noteOpen(x, open);
}

void noteCopy(Exec& x, const PendingCopy& copy) {
    for (const CopyPiece& p : copy.pieces) {
        if (p.take == 0)
            continue;
        if (copy.from == MemorySpace::Global && !copy.fromValues)
            note(x, copy.position, int(p.lane), p.from, p.from + p.take, {.reads = true});
        if (copy.to == MemorySpace::Global)
            note(x, copy.position, int(p.lane), p.to, p.to + p.take,
                 {.writes = true, .strong = copy.operation != ptx::Operation::None});
    }
}

void noteTexels(Exec& x, const Inst& in, int lane, std::span<const std::uint64_t> addresses, std::uint32_t bytes) {
    const AccessKind kind = x.access.kind;
    const bool atomic = kind == AccessKind::Atomic;
    for (const std::uint64_t at : addresses)
        note(x, in.index, lane, at, at + bytes, {kind == AccessKind::Load || atomic, kind != AccessKind::Load, atomic});
}

} // namespace warpglass::emulator
