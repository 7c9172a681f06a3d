// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/watch/hang_watch.h"

#include "gpu/emulator/state/cluster.h"

#include <algorithm>

namespace warpglass::emulator {

namespace {

constexpr std::size_t mostReaders = 256; // that are remembered of a word
constexpr std::size_t mostLately = 8;    // phases of an mbarrier of which is known who arrived in them
constexpr std::size_t mostElsewhere = 8; // copies that told another mbarrier, of one that waits for bytes
constexpr std::size_t mostWay = 8;       // passes between two arrivals
constexpr std::size_t mostChange = 4096; // threads that change a word

// An atomic that leaves the word as it finds it: a compare and swap in vain, who locks what is locked, a sum of nothing.
bool inVain(const Exec& x, const Inst& in, int lane, std::uint64_t value) {
    return x.access.kind == AccessKind::Atomic && in.memory.hasResult && x.access.bytes <= 8 &&
           std::memcmp(x.rows + in.dst + std::size_t(lane) * in.memory.rowBytes, &value, x.access.bytes) == 0;
}

constexpr std::uint64_t nearby = 1 << 16; // bytes from a word: others' flags
constexpr std::size_t mostStores = 4096;  // of a position

} // namespace

bool HangsOn::hasGlobal() const {
    return std::any_of(words.begin(), words.end(), [](const Rounds::Word& w) { return w == globalWord(w.second); });
}

Rounds::Word wordOf(const HangWait& wait) {
    return wait.space == MemorySpace::Global ? globalWord(wait.address)
                                             : sharedWord(wait.block, sharedOffset(wait.address));
}

HangWatch::HangWatch(HangsOn on) : m_rounds(on.words), m_blocks(std::move(on.blocks)) {
    for (const Rounds::Word& word : on.words) {
        m_words[word] = {};
        if (word != globalWord(word.second))
            continue;
        m_from = std::min(m_to == 0 ? word.second : m_from, word.second);
        m_to = std::max(m_to, word.second);
    }
    m_from -= std::min(m_from, nearby);
    m_to += m_to > 0 ? nearby : 0;
}

void HangWatch::store(Exec& x, const Inst& in, int lane, std::uint64_t address) {
    std::vector<Store>& own = m_stores[in.index]; // somebody came there, whether or not a word was changed
    if (x.access.kind == AccessKind::Atomic && x.access.bytes <= 8) {
        std::uint64_t value = 0;
        const std::byte* const at = x.global->find(address, x.access.bytes, x.hint).bytes();
        if (at)
            std::memcpy(&value, at, x.access.bytes);
        if (at && inVain(x, in, lane, value))
            return;
    }
    const Store store{x.block->index, address, x.warp->number * 32 + std::uint32_t(lane)};
    if (own.size() < mostStores && std::none_of(own.begin(), own.end(), [&](const Store& s) {
            return s.address == address && s.block == store.block;
        }))
        own.push_back(store);
}

// The lane's access, whose bytes those are, of the word.
bool HangWatch::use(Exec& x, const Inst& in, int lane, const std::byte* at, Word& word) {
    Use use{x.launch->launch, x.warp->number * 32 + std::uint32_t(lane), in.index, x.block->index, 0};
    if (at)
        std::memcpy(&use.value, at, std::min<std::size_t>(8, x.access.bytes));
    if (x.access.kind != AccessKind::Load && !inVain(x, in, lane, use.value)) {
        word.written = use;
        word.seen.clear();
        const std::pair key{use.block, use.thread};
        if (use.launch == x.launch->launch && (word.changed.size() < mostChange || word.changed.contains(key))) {
            Word::Changes& own = word.changed[key];
            own.first = own.times == 0 ? in.index : own.first;
            own.last = in.index;
            ++own.times;
        }
        return true;
    }
    const auto same = std::find_if(word.seen.begin(), word.seen.end(), [&](const Use& u) {
        return u.launch == use.launch && u.block == use.block && u.thread == use.thread;
    });
    if (same != word.seen.end())
        *same = use;
    else if (word.seen.size() < mostReaders)
        word.seen.push_back(use);
    return false;
}

void HangWatch::access(Exec& x, const Inst& in) {
    const bool isShared = x.access.space == MemorySpace::Shared, stores = x.access.kind != AccessKind::Load;
    if (m_words.empty() || (!isShared && x.access.space != MemorySpace::Global))
        return;
    eachLane(x.access.active.bits, [&](int lane) {
        std::uint64_t first = x.address[std::size_t(lane)];
        if (isShared && rankOf(x, first) != rankOf(x, 0))
            return; // of another block of its cluster
        if (isShared)
            first = sharedOffset(first);
        const bool isNear = !isShared && first >= m_from && first < m_to;
        if (stores && isNear)
            store(x, in, lane, first);
        const Rounds::Word* of = nullptr;
        bool changes = stores;
        const Rounds::Word begin = isShared ? sharedWord(x.block->index, std::uint32_t(first)) : globalWord(first);
        for (auto word = m_words.lower_bound(begin);
             (isShared || isNear) && word != m_words.end() && word->first.first == begin.first &&
             word->first.second < first + x.access.bytes;
             ++word) {
            const std::byte* const at = isShared ? x.block->shared.find(first, x.access.bytes)
                                                 : x.global->find(first, x.access.bytes, x.hint).bytes();
            of = &word->first;
            changes = use(x, in, lane, at, word->second);
        }
        m_rounds.access(x, in, lane, begin, of, changes);
    });
}

bool HangWatch::looksAt(const BlockState& block) const {
    return std::binary_search(m_blocks.begin(), m_blocks.end(), block.index);
}

void HangWatch::phase(const Exec& x, const BlockState& home, const RecordedPhase& e) {
    if (!looksAt(home))
        return;
    ++m_now;
    const BarrierKey key{home.index, e.barrier};
    const WarpKey warp{x.block->index, x.warp->number};
    Story& story = m_stories[key];
    if (e.kind == PhaseEventKind::Init) {
        story = {};
        story.position = e.position;
        story.count = e.count;
    } else if (e.kind == PhaseEventKind::Expect) {
        story.announced = e.count + (story.phase == e.phase ? story.announced : 0);
        story.announcedAt = e.position;
        story.phase = e.phase;
        story.elsewhere.clear();
        m_announced[warp] = key;
    } else if (e.kind == PhaseEventKind::Arrive) {
        Arrivals& own = story.arrived[warp];
        const bool first = own.turns == 0 || own.phase != e.phase;
        own.ofPhase = e.count + (first ? 0 : own.ofPhase);
        own.now = first ? e.lanes : own.now | e.lanes;
        own.ever = own.ever | e.lanes;
        own.lanes = e.count;
        own.phase = e.phase;
        own.position = e.position;
        own.when = m_now;
        std::vector<Behind> behind;
        for (const Pass& pass : m_way[warp]) {
            const std::uint32_t passes = m_stories[pass.barrier].waits[warp.second].passes;
            const auto before = std::find_if(own.behind.begin(), own.behind.end(),
                                             [&](const Behind& b) { return b.pass.barrier == pass.barrier; });
            const bool known = before != own.behind.end();
            behind.push_back({pass, passes, passes - (known ? before->passesBefore : 0)});
            if (known && !first && passes == before->passesBefore) // other lanes of the same
                behind.back().passesEach = before->passesEach;
        }
        own.behind = std::move(behind);
        m_arrived.insert(warp);
        ++own.turns;
        if (story.lately.empty() || story.lately.back().first != e.phase)
            story.lately.push_back({e.phase, {}});
        ++story.lately.back().second[warp];
        if (story.lately.size() > mostLately)
            story.lately.pop_front();
    } else if (e.kind == PhaseEventKind::Pass) {
        Waits& own = story.waits[x.warp->number];
        own.passed = {key, e.phase, e.position, m_now};
        ++own.passes;
        std::vector<Pass>& way = m_way[warp];
        if (m_arrived.erase(warp) > 0)
            way.clear();
        const auto same = std::find_if(way.begin(), way.end(), [&](const Pass& pass) { return pass.barrier == key; });
        if (same != way.end())
            way.erase(same);
        else if (way.size() == mostWay)
            way.erase(way.begin() + 1); // the first and the last ones matter
        way.push_back(own.passed);
    } else if (e.kind == PhaseEventKind::Wait) {
        if (Waits& own = story.waits[x.warp->number]; !own.firstPhase && own.passed.when == 0 && !own.isEarly)
            own.firstPhase = e.phase;
    }
}

void HangWatch::passedEarly(const Exec& x, std::uint32_t barrier, std::uint32_t position) {
    if (!looksAt(*x.block))
        return;
    Waits& own = m_stories[{x.block->index, barrier}].waits[x.warp->number];
    own.isEarly = true;
    own.earlyAt = position;
}

void HangWatch::copy(const Exec& x, const BlockState& home, const PendingCopy& copy) {
    if (copy.barrier == noIndex || copy.reported == 0 || !looksAt(home))
        return;
    const auto announced = m_announced.find({x.block->index, x.warp->number});
    const BarrierKey told{home.index, copy.barrier};
    if (announced == m_announced.end() || announced->second == told)
        return;
    std::vector<Elsewhere>& list = m_stories[announced->second].elsewhere;
    const auto same = std::find_if(list.begin(), list.end(),
                                   [&](const Elsewhere& e) { return e.position == copy.position && e.told == told; });
    if (same != list.end())
        same->bytes += copy.reported;
    else if (list.size() < mostElsewhere)
        list.push_back({copy.position, told, copy.reported});
}

void HangWatch::barrier(const Exec& x, std::uint32_t number, std::uint32_t position) {
    m_rounds.barrier(x);
    if (!looksAt(*x.block))
        return;
    auto& ofBlock = m_came[x.block->index];
    for (auto& [other, warps] : ofBlock)
        if (const auto own = warps.find(x.warp->number); other != number && own != warps.end()) {
            Came::Other& since = own->second.since[number];
            ++since.times;
            since.position = position;
        }
    Came& came = ofBlock[number][x.warp->number];
    ++came.times;
    came.position = position;
    came.usually = std::exchange(came.since, {});
}

const HangWatch::Word* HangWatch::word(const Rounds::Word& word) const {
    const auto at = m_words.find(word);
    return at == m_words.end() ? nullptr : &at->second;
}

const HangWatch::Story* HangWatch::story(const BarrierKey& barrier) const {
    const auto at = m_stories.find(barrier);
    return at == m_stories.end() ? nullptr : &at->second;
}

const std::map<std::uint32_t, std::map<std::uint32_t, HangWatch::Came>>& HangWatch::cameTo(std::uint64_t block) const {
    static const std::map<std::uint32_t, std::map<std::uint32_t, Came>> nobody;
    const auto at = m_came.find(block);
    return at == m_came.end() ? nobody : at->second;
}

} // namespace warpglass::emulator
