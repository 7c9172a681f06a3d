// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/watch/hang_watch.h"

#include <algorithm>

namespace warpglass::emulator {

namespace {

constexpr std::size_t mostReaders = 256; // that are remembered of a word

// An atomic that leaves the word as it finds it: a compare and swap in vain, who locks what is locked, a sum of nothing.
bool inVain(const Exec& x, const Inst& in, int lane, std::uint64_t value) {
    return x.access.kind == AccessKind::Atomic && in.memory.hasResult && x.access.bytes <= 8 &&
           std::memcmp(x.rows + in.dst + std::size_t(lane) * in.memory.rowBytes, &value, x.access.bytes) == 0;
}

} // namespace

// The lane's access, from that address on, of the word.
void HangWatch::use(Exec& x, const Inst& in, int lane, std::uint64_t first, Word& word) {
    Use use{x.launch->launch, x.warp->number * 32 + std::uint32_t(lane), in.index, x.block->index, 0};
    if (const std::byte* const at = x.global->find(first, x.access.bytes, x.hint).bytes())
        std::memcpy(&use.value, at, std::min<std::size_t>(8, x.access.bytes));
    if (x.access.kind != AccessKind::Load && !inVain(x, in, lane, use.value)) {
        word = {use, {}};
        return;
    }
    const auto same = std::find_if(word.seen.begin(), word.seen.end(), [&](const Use& u) {
        return u.launch == use.launch && u.block == use.block && u.thread == use.thread;
    });
    if (same != word.seen.end())
        *same = use;
    else if (word.seen.size() < mostReaders)
        word.seen.push_back(use);
}

void HangWatch::access(Exec& x, const Inst& in) {
    if (x.access.space != MemorySpace::Global || m_words.empty())
        return;
    eachLane(x.access.active.bits, [&](int lane) {
        const std::uint64_t first = x.address[std::size_t(lane)];
        for (std::uint64_t address = first; address < first + x.access.bytes; ++address)
            if (const auto at = m_words.find(address); at != m_words.end())
                use(x, in, lane, first, at->second);
    });
}

void HangWatch::phase(const Exec& x, const BlockState& home, const RecordedPhase& e) {
    if (!std::binary_search(m_blocks.begin(), m_blocks.end(), home.index))
        return;
    Story& story = m_stories[{home.index, e.barrier}];
    if (e.kind == PhaseEventKind::Init) {
        story = {};
        story.position = e.position;
        story.count = e.count;
    } else if (e.kind == PhaseEventKind::Expect) {
        story.announced = e.count + (story.phase == e.phase ? story.announced : 0);
        story.announcedAt = e.position;
        story.phase = e.phase;
    } else if (e.kind == PhaseEventKind::Arrive) {
        Arrivals& own = story.arrived[{x.block->index, x.warp->number}];
        const bool first = own.turns == 0 || own.phase != e.phase;
        own.ofPhase = e.count + (first ? 0 : own.ofPhase);
        own.now = first ? e.lanes : own.now | e.lanes;
        own.ever = own.ever | e.lanes;
        own.lanes = e.count;
        own.phase = e.phase;
        own.position = e.position;
        ++own.turns;
    }
}

const HangWatch::Word* HangWatch::word(std::uint64_t address) const {
    const auto at = m_words.find(address);
    return at == m_words.end() ? nullptr : &at->second;
}

const HangWatch::Story* HangWatch::story(const BlockState& home, std::uint32_t barrier) const {
    const auto at = m_stories.find({home.index, barrier});
    return at == m_stories.end() ? nullptr : &at->second;
}

} // namespace warpglass::emulator
