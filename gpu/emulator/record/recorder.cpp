// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/record/recorder.h"

#include <bit>

namespace warpglass::emulator {

RecordedWarp& Recorder::at(std::uint32_t warp) {
    if (m_block.warps.size() <= warp)
        m_block.warps.resize(warp + 1);
    return m_block.warps[warp];
}
RecordedWarp& Recorder::at(const WarpContext& warp) {
    return at(warp.number);
}

bool Recorder::push(RecordedWarp& w, RecordedEvent e) {
    if (w.events.size() >= m_limit) {
        ++w.lost;
        return false;
    }
    w.events.push_back(e);
    return true;
}

bool Recorder::full(RecordedWarp& w) {
    if (m_block.addresses.size() < bounds.accessLanesOfBlock)
        return false;
    ++w.lost;
    return true;
}

std::vector<StateRow>* Recorder::statesOf(std::uint32_t warp, std::uint32_t warps) {
    if (m_block.warps.size() < warps)
        m_block.warps.resize(warps);
    return &m_block.warps[warp].states;
}

void Recorder::end(std::uint32_t warp, LaneMask live, std::int64_t time) {
    m_block.warps[warp].live = live;
    m_block.warps[warp].end = time;
}

void Recorder::stretchAfter(std::int64_t time, double factor) {
    const auto stretch = [&](std::int64_t& t) {
        if (t > time)
            t = time + std::int64_t(double(t - time) * factor);
    };
    for (RecordedWarp& w : m_block.warps) {
        for (RecordedEvent& e : w.events)
            stretch(e.time);
        stretch(w.end);
    }
    for (const auto& note : m_block.copies) {
        stretch(note->issued);
        stretch(note->complete);
    }
    for (RecordedPhase& e : m_block.phases)
        stretch(e.time);
}

void Recorder::event(const WarpContext& warp, EventKind kind, std::uint32_t site, LaneMask active, LaneMask taken,
                     std::int64_t time) {
    RecordedWarp& w = at(warp);
    if (kind == EventKind::Exit)
        w.pathMask &= ~active.bits;
    else if (kind != EventKind::Launch)
        w.pathMask = active.bits;
    push(w, {time, site, kind, active, taken, noIndex});
}

void Recorder::path(const Exec& x, std::uint32_t position) {
    RecordedWarp& w = at(*x.warp);
    if (w.pathMask == x.mask)
        return;
    w.pathMask = x.mask;
    push(w, {x.warp->clock, x.program->info[position].pathSite, EventKind::Path, {x.mask}, {}, noIndex});
}

void Recorder::copy(std::shared_ptr<CopyNote> note) {
    if (m_block.copies.size() < bounds.copiesOfBlock)
        m_block.copies.push_back(std::move(note));
    else
        ++at(note->warp).lost;
}

void Recorder::phase(const RecordedPhase& event) {
    if (m_block.phases.size() < bounds.copiesOfBlock)
        m_block.phases.push_back(event);
    else if (event.warp != noIndex)
        ++at(event.warp).lost;
}

std::uint32_t Recorder::siteOf(const Exec& x, const Inst& in) {
    const std::uint32_t caller = in.memory.isSplit ? callerOf(x) : noIndex;
    if (caller == noIndex)
        return x.program->info[in.index].site;
    auto& called = m_block.called;
    const auto at = called.try_emplace({in.index, caller}, std::uint32_t(called.size())).first;
    return std::uint32_t(x.program->sites.size()) + at->second;
}

void Recorder::access(Exec& x, const Inst& in, std::int64_t time, bool round) {
    const std::uint32_t m = x.access.active.bits;
    const InstInfo& info = x.program->info[in.index];
    if (m == 0 || info.isAsync || info.byRounds != round) // a copy has its own row
        return;
    RecordedWarp& w = at(*x.warp);
    if (full(w))
        return;
    if (!push(w, {time, siteOf(x, in), EventKind::Access, {m}, {}, std::uint32_t(m_block.accesses.size())}))
        return;
    AccessRow row;
    row.space = x.access.space;
    row.kind = x.access.kind;
    // A value has 64 bits at most: 128 are told as two.
    const std::uint32_t halves = in.memory.bytes == 16 ? 2 : 1;
    row.bytesPerElement = std::uint8_t(in.memory.bytes / halves);
    row.elements = std::uint8_t(in.memory.elements * halves);
    row.isFloat = ptx::isFloat(x.program->info[in.index].is.type());
    row.firstLane = m_block.addresses.size();
    row.firstValue = m_block.values.size();
    m_block.accesses.push_back(row);
    // Addresses as the program sees them: offsets in shared and local memory, full addresses elsewhere. What an atomic
    // is recorded with is its operand.
    const bool atomic = row.kind == AccessKind::Atomic;
    for (std::uint32_t rest = m; rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        m_block.addresses.push_back(x.address[std::size_t(lane)]);
        for (std::uint32_t v = 0; v < in.memory.elements; ++v) {
            const Row data = in.memory.elements > 1 ? x.program->vectors[in.memory.vector][v] : atomic ? in.b : in.dst;
            std::uint64_t value = 0;
            const std::byte* from = x.rows + data + std::size_t(lane) * in.memory.rowBytes;
            for (std::uint32_t h = 0; h < halves; ++h) {
                if (data != noRow)
                    std::memcpy(&value, from + 8 * h, row.bytesPerElement);
                m_block.values.push_back(value);
            }
        }
    }
}

void Recorder::shuffle(const Exec& x, const Inst& in, std::uint32_t active, const std::array<std::uint32_t, 32>& source,
                       std::int64_t time) {
    if (!m_accesses)
        return;
    RecordedWarp& w = at(*x.warp);
    if (full(w))
        return;
    if (!push(w, {time,
                  x.program->info[in.index].site,
                  EventKind::Shuffle,
                  {active},
                  {},
                  std::uint32_t(m_block.accesses.size())}))
        return;
    AccessRow row;
    row.shuffle = true;
    row.firstLane = m_block.addresses.size();
    row.firstValue = m_block.values.size();
    m_block.accesses.push_back(row);
    for (std::uint32_t rest = active; rest; rest &= rest - 1) {
        const auto lane = std::size_t(std::countr_zero(rest));
        m_block.addresses.push_back(source[lane]);
        std::uint32_t value = 0;
        if (in.dst != noRow)
            std::memcpy(&value, x.rows + in.dst + lane * 4, 4);
        m_block.values.push_back(value);
    }
}

} // namespace warpglass::emulator
