// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/timing/l2_holdings.h"

#include <algorithm>

namespace warpglass::emulator {

L2Holdings::L2Holdings(const MemorySurroundings& around) : m_around(around) {
    std::uint64_t touched = 0, filled = 0;
    for (const L2Piece& p : around.had) {
        touched += p.copied ? 0 : p.at.end - p.at.begin;
        filled += p.filled ? p.at.end - p.at.begin : 0;
    }
    m_room = {double(L2Contents::room(around.l2Bytes)), double(L2Contents::roomOfCopies(around.l2Bytes, touched))};
    m_unwritten = filled > 0 ? std::min(1.0, double(filled) / m_room[0]) : 0;
}

const L2Piece* L2Holdings::warm(std::uint64_t sector) {
    const std::uint64_t at = sector * 32;
    if (!m_piece || at - m_piece->at.begin >= m_piece->at.end - m_piece->at.begin) {
        const auto next = std::upper_bound(m_around.had.begin(), m_around.had.end(), at,
                                           [](std::uint64_t a, const L2Piece& p) { return a < p.at.begin; });
        if (next == m_around.had.begin() || at >= next[-1].at.end)
            return nullptr;
        m_piece = &next[-1];
    }
    const L2Piece& p = *m_piece;
    const double share = double(at - p.at.begin) / double(p.at.end - p.at.begin);
    const double since = double(p.oldest) - double(p.oldest - p.newest) * share;
    return since + m_come < m_room[p.copied] ? &p : nullptr;
}

// What comes takes the place of what has lain there longest.
void L2Holdings::comes(double sectors) {
    m_come += 32.0 * sectors * m_around.sms();
}

// A sector comes from DRAM when the SM's own blocks have not had it, no earlier block has either, and L2 did not hold it
// when the launch began. Beyond what the table could hold, of the lines that an instruction wants as many come from there
// as did before, each as a whole.
L2Holdings::Found L2Holdings::from(std::uint64_t sector, std::uint32_t block, std::uint32_t position,
                                   std::uint64_t before) {
    if (position >= m_shares.size())
        m_shares.resize(position + 1);
    Share& share = m_shares[position];
    if (m_own.contains(sector))
        return {From::Own};
    m_own.add(sector);
    const TouchTable* const table = m_around.touched;
    const std::uint32_t other = table ? table->first(sector) : ~0u;
    const L2Piece* const piece = m_around.had.empty() ? nullptr : this->warm(sector);
    const bool warm = piece != nullptr;
    const bool another = !warm && share.line != sector / 4;
    if (another) {
        share.line = sector / 4;
        share.lineFromDram = false;
    }
    if (other == ~0u && !warm && table && table->full() && share.lines >= 16) {
        if (another) {
            share.owed += double(share.dram) / double(share.lines);
            share.lineFromDram = share.owed >= 1;
            share.owed -= share.lineFromDram ? 1 : 0;
        }
        return {share.lineFromDram ? From::Dram : From::Others};
    }
    const Found found = table && !warm ? together(sector, block, other) : Found{From::Dram};
    const bool there =
        other != ~0u && (m_around.fetches || (block >= other && found.sms <= 1) || cameBefore(sector, block, before));
    bool dram = !there && !warm;
    if (!dram && other < block && m_around.l2Bytes > 0) { // fetched so long ago that L2 has lost it again
        const std::uint64_t waves = (block - other) / std::max<std::uint64_t>(1, m_around.waveBlocks);
        dram = waves > 1 && waves * table->sectors() * 32 > 2 * m_around.l2Bytes;
    }
    tell(sector);
    if (!warm) {
        share.lines += another;
        share.dram += dram && !share.lineFromDram;
        share.lineFromDram = share.lineFromDram || dram;
    }
    return dram ? found : Found{warm && piece->copied && block <= other ? From::Copied : From::Others};
}

// Blocks of a wave want the same at the same time of their lives: it is fetched for the one that began first, and the others
// wait for what is left of that (first_touch/* of tests/timing/h200-micro.csv: 132 SMs have the same 4 MB as soon as one has).
L2Holdings::Found L2Holdings::together(std::uint64_t sector, std::uint32_t block, std::uint32_t other) const {
    const double others = m_around.fetches ? 0 : m_around.touched->wantedBy(sector, block);
    if (others <= 0)
        return {From::Dram};
    return {From::Dram, std::clamp(1 + others, 1.0, m_around.sms()), other < block ? double(block - other) : 0};
}

// Blocks that stay take one tile after the other, and not all the same in the same turn: what another one wanted in an earlier
// part of its life has come. A block is ahead of others by no more than it wants while DRAM answers.
bool L2Holdings::cameBefore(std::uint64_t sector, std::uint32_t block, std::uint64_t before) const {
    constexpr std::uint64_t ahead = 2048; // touches: a stage of 32 KB whose swizzled pieces are of 16 bytes
    return before > ahead && m_around.touched && m_around.touched->wantedWithin(sector, block, before - ahead);
}

void L2Holdings::tell(std::uint64_t sector) {
    if (!m_around.fetches || !m_around.touched)
        return;
    m_around.touched->makeRoom(1); // these SMs take turns
    m_around.touched->add(sector, m_around.together ? 0 : m_around.sm, m_around.sm);
}

void L2Holdings::comesAt(std::uint64_t sector, double cycle) {
    if (m_around.fetches)
        m_around.fetches->comes[sector / 2] = cycle;
}

double L2Holdings::comesAt(std::uint64_t sector) const {
    if (!m_around.fetches)
        return 0;
    const auto at = m_around.fetches->comes.find(sector / 2);
    return at == m_around.fetches->comes.end() ? 0 : at->second;
}

bool L2Holdings::bringsNeighbour(std::uint64_t sector, std::uint32_t block) {
    const std::uint64_t neighbour = sector ^ 1;
    const std::uint32_t first = m_around.touched ? m_around.touched->first(neighbour) : ~0u;
    if (m_own.contains(neighbour) || first < block || (m_around.fetches && first != ~0u))
        return false;
    m_own.add(neighbour);
    tell(neighbour);
    return true;
}

bool L2Holdings::writes(std::uint64_t sector) {
    if (m_written.contains(sector))
        return false;
    m_written.add(sector);
    return true;
}

void L2Holdings::takesPlace(std::uint64_t sector) {
    m_own.add(sector);
    if (!m_around.had.empty() && !warm(sector))
        comes(1);
}

bool L2Holdings::firstPart(std::uint64_t sector, std::uint32_t block) {
    if (m_part.contains(sector))
        return false;
    m_part.add(sector);
    return !m_around.touched || m_around.touched->first(sector) >= block;
}

} // namespace warpglass::emulator
