// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/probe/standing.h"

#include "gpu/base/messages/emulator.h"
#include "gpu/base/messages/gpu.h"
#include "gpu/base/number_ranges.h"
#include "gpu/probe/named_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string_view>

namespace warpglass::probe {

namespace {

constexpr std::size_t toldWaits = 4;

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    return first == std::string_view::npos ? std::string_view{} : text.substr(first);
}

// The PTX as far as loops and what they read are concerned.
class Loops {
public:
    explicit Loops(std::string_view ptx) {
        std::map<std::string_view, std::uint32_t> labels;
        std::vector<std::pair<std::uint32_t, std::string_view>> jumps;
        for (std::uint32_t number = 1; !ptx.empty(); ++number) {
            const std::size_t end = ptx.find('\n');
            std::string_view text = trimmed(ptx.substr(0, end));
            ptx = end == std::string_view::npos ? std::string_view{} : ptx.substr(end + 1);
            if (const std::size_t colon = text.find(':');
                colon != std::string_view::npos && text.find_first_of(" \t.,;[@") > colon) {
                labels[text.substr(0, colon)] = number; // the nearest above is meant where names come again
                text = trimmed(text.substr(colon + 1));
            }
            if (!text.empty() && text[0] == '@')
                text = trimmed(text.substr(std::min(text.find_first_of(" \t"), text.size())));
            m_lines.push_back(text);
            if (!text.starts_with("bra"))
                continue;
            const std::string_view to = trimmed(text.substr(std::min(text.find_first_of(" \t"), text.size())));
            const auto above = labels.find(to.substr(0, to.find_first_of("; \t")));
            if (above != labels.end())
                m_loops.emplace_back(above->second, number);
        }
    }

    enum class Reads : std::uint8_t { NoLoop, Nothing, Memory, Mbarrier };
    // Of the innermost loop that the line stands in.
    Reads around(std::uint32_t line, std::uint32_t* read = nullptr) const {
        const std::pair<std::uint32_t, std::uint32_t>* loop = nullptr;
        for (const auto& one : m_loops)
            if (one.first <= line && line <= one.second &&
                (!loop || one.second - one.first < loop->second - loop->first))
                loop = &one;
        if (!loop)
            return Reads::NoLoop;
        Reads reads = Reads::Nothing;
        for (std::uint32_t n = loop->first; n <= loop->second && n <= m_lines.size(); ++n) {
            const std::string_view text = m_lines[n - 1];
            if (text.starts_with("mbarrier.try_wait") || text.starts_with("mbarrier.test_wait"))
                return Reads::Mbarrier;
            if ((text.starts_with("ld.") && !text.starts_with("ld.param")) || text.starts_with("atom")) {
                reads = Reads::Memory;
                if (read) // of several the last: its value is what the jump asks for
                    *read = n;
            }
        }
        return reads;
    }

private:
    std::vector<std::string_view> m_lines;                        // [line - 1]: the instruction
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_loops; // from label to jump
};

// "bar.sync 1, 96;": of a barrier's instruction the numbers behind it that are written there.
std::vector<std::uint32_t> numbersOf(std::string_view text) {
    std::vector<std::uint32_t> numbers;
    const std::size_t space = text.find_first_of(" \t", text.starts_with('@') ? text.find(' ') + 1 : 0);
    for (std::size_t at = space; at < text.size();) {
        at = text.find_first_not_of(", \t", at);
        if (at == std::string_view::npos)
            break;
        const std::size_t end = std::min(text.find_first_of(",; \t", at), text.size());
        std::uint32_t number = 0;
        const auto read = std::from_chars(text.data() + at, text.data() + end, number);
        if (read.ec != std::errc{} || read.ptr != text.data() + end)
            break;
        numbers.push_back(number);
        at = end;
    }
    return numbers;
}

class Looker {
public:
    Looker(const Trace& trace, std::uint32_t launch, std::span<const std::string> parameters,
           const std::string& headers)
        : m_trace(trace), m_launch(trace.launches[launch]), m_kernel(trace.kernelOf(m_launch)), m_loops(m_kernel.ptx),
          m_names(m_kernel, parameters), m_headers(headers) {}

    Standings run() {
        Standings result;
        readPhases();
        for (std::uint32_t b = m_launch.firstBlock; b < m_launch.firstBlock + m_launch.blockCount; ++b)
            if (m_trace.blocks[b].warpCount > 0) {
                ++result.blocks;
                lookAt(b);
            }
        for (auto& [key, group] : m_groups)
            explain(group);
        order();
        std::vector<Message> told;
        for (Group* group : m_order) {
            if (told.size() < toldWaits)
                told.push_back(sentenceOf(*group));
            result.waits.push_back(std::move(group->wait));
        }
        for (std::size_t n = 0; n < told.size(); ++n)
            result.sentence = n == 0 ? told[n] : say::AndAlso(std::move(result.sentence), told[n]);
        return result;
    }

private:
    struct Mbarrier {                                                             // as far as records tell of it
        std::uint32_t count = 0, madeAt = noIndex;                                // site
        std::map<std::uint32_t, std::uint32_t> arrived;                           // [phase]
        std::map<std::uint32_t, std::pair<std::uint64_t, std::uint32_t>> expects; // [phase] bytes, site
        std::map<std::uint32_t, Time> expected;                                   // [phase] when
        std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> last;    // [warp] of arrivals: phase, site
    };
    struct Group { // of lanes whose last record is the same
        HangWait wait;
        std::uint32_t site = 0, block = 0; // rows; block: the first
        std::vector<std::uint32_t> warps;  // of that block
        std::uint64_t last = noIndex;      // block counted last
        std::vector<Message> why;
        Message place;
    };
    using Key = std::tuple<std::uint32_t, EventKind, std::uint64_t>; // site; of an mbarrier which, and its phase

    // What happened to mbarriers, and which wait of a warp is still on.
    void readPhases() {
        for (const Loss& loss : m_trace.losses)
            m_lossy.insert(m_trace.warps[loss.warp].block);
        for (const PhaseEvent& e : m_trace.phaseEvents) {
            if (e.barrier == noIndex || e.block < m_launch.firstBlock ||
                e.block >= m_launch.firstBlock + m_launch.blockCount)
                continue;
            Mbarrier& barrier = m_barriers[{e.block, e.barrier}];
            if (const auto wait = m_waits.find(e.warp);
                wait != m_waits.end() && !(wait->second.lanes & e.lanes).empty())
                m_waits.erase(wait); // its lanes did something else since
            switch (e.kind) {
            case PhaseEventKind::Init:
                barrier = {.count = e.count, .madeAt = e.site};
                m_names.made(m_trace.sites[e.site].ptxLine, e.barrier);
                break;
            case PhaseEventKind::Arrive:
                barrier.arrived[e.phase] += e.count;
                if (e.warp != noIndex)
                    barrier.last[e.warp] = {e.phase, e.site};
                break;
            case PhaseEventKind::Expect:
                barrier.expects[e.phase].first += e.count;
                barrier.expects[e.phase].second = e.site;
                barrier.expected.try_emplace(e.phase, e.time);
                break;
            case PhaseEventKind::Wait:
                if (e.warp != noIndex)
                    m_waits[e.warp] = e;
                break;
            default:
                break;
            }
        }
        m_names.lay(m_kernel.source, m_headers, std::uint64_t(m_kernel.sharedBytes) + m_launch.sharedBytes);
    }

    Message nameOf(std::uint64_t address) const {
        const auto name = m_names.mbarrierAt(std::uint32_t(address));
        return name ? plain(*name) : say::AtByte(address);
    }

    // The caller's line, not that of a helper that all waits share.
    Message placeOf(const Site& site) const {
        if (site.where.empty() || site.where.back().line == 0 || site.where.back().file >= m_kernel.files.size())
            return say::PtxLine(site.ptxLine, site.text);
        const std::string& path = m_kernel.files[site.where.back().file];
        return say::SourceLine(site.where.back().line, path.substr(path.find_last_of('/') + 1), site.ptxLine);
    }

    void lookAt(std::uint32_t block) {
        const Block& of = m_trace.blocks[block];
        for (std::uint32_t w = 0; w < of.warpCount; ++w) {
            const Warp& warp = m_trace.warps[of.firstWarp + w];
            LaneMask left = warp.liveLanes;
            const PhaseEvent* const wait = waitOf(of.firstWarp + w);
            LaneMask waiting = wait ? wait->lanes & left : LaneMask{};
            left = left & ~waiting;
            for (std::uint32_t n = warp.eventCount; n-- > 0 && !left.empty();) {
                const Event event = m_trace.event(warp, n);
                const LaneMask lanes = event.active & left;
                if (lanes.empty())
                    continue;
                left = left & ~event.active;
                if (wait && isPoll(event)) // of the same phase, which is told once a warp
                    waiting = waiting | lanes;
                else if (event.kind != EventKind::Exit)
                    add(event, block, w, lanes);
            }
            if (wait)
                add(*wait, block, w, waiting);
            if (warp.eventCount == 0) // it never began
                continue;
            if (!m_stands.contains({block, w}))
                m_ended[block].push_back(w);
        }
    }

    // The wait at an mbarrier that a warp has not come back from; nullptr: it did something else since.
    const PhaseEvent* waitOf(std::uint32_t row) const {
        const auto at = m_waits.find(row);
        if (at == m_waits.end())
            return nullptr;
        const Warp& warp = m_trace.warps[row];
        for (std::uint32_t n = warp.eventCount; n-- > 0;) {
            const Event event = m_trace.event(warp, n);
            if (event.time <= at->second.time)
                break;
            if (!(event.active & at->second.lanes).empty() && !isPoll(event))
                return nullptr;
        }
        return &at->second;
    }

    bool isPoll(const Event& event) const {
        return event.kind == EventKind::Branch &&
               m_loops.around(m_trace.sites[event.site].ptxLine) == Loops::Reads::Mbarrier;
    }

    void add(const PhaseEvent& wait, std::uint32_t block, std::uint32_t warp, LaneMask lanes) {
        Group& group = groupOf({wait.site, EventKind::Entry, std::uint64_t(wait.barrier) << 32 | wait.phase}, block);
        group.wait.kind = HangKind::Mbarrier;
        group.wait.address = wait.barrier;
        group.wait.phase = wait.phase;
        count(group, block, warp, lanes);
    }

    void add(const Event& event, std::uint32_t block, std::uint32_t warp, LaneMask lanes) {
        const std::size_t before = m_groups.size();
        Group& group = groupOf({event.site, event.kind, 0}, block);
        if (m_groups.size() > before)
            tell(group, event.kind, m_trace.sites[event.site]);
        count(group, block, warp, lanes);
    }

    Group& groupOf(const Key& key, std::uint32_t block) {
        const auto [at, isNew] = m_groups.try_emplace(key);
        Group& group = at->second;
        if (isNew) {
            const Site& site = m_trace.sites[std::get<0>(key)];
            group.site = std::get<0>(key);
            group.block = block;
            group.place = placeOf(site);
            group.wait.block = m_trace.blocks[block].index;
            group.wait.ptxLine = site.ptxLine;
            if (!site.where.empty())
                group.wait.source = site.where.back();
        }
        return group;
    }

    void count(Group& group, std::uint32_t block, std::uint32_t warp, LaneMask lanes) {
        group.wait.lanes += std::uint64_t(lanes.count());
        group.wait.blocks += group.last != block;
        group.last = block;
        if (group.block == block && (group.warps.empty() || group.warps.back() != warp))
            group.warps.push_back(warp);
        m_stands[{block, warp}].insert(&group);
    }

    void tell(Group& group, EventKind kind, const Site& site) const {
        HangWait& wait = group.wait;
        if (kind == EventKind::BarrierArrive && site.text.find("barrier.cluster") == std::string::npos) {
            const auto numbers = numbersOf(site.text);
            wait.kind = HangKind::Barrier;
            wait.address = numbers.empty() ? 0 : numbers[0];
            wait.arrivalsExpected = numbers.size() > 1 ? numbers[1] : std::uint32_t(m_launch.block.count());
            return;
        }
        if (kind == EventKind::BarrierArrive) {
            wait.kind = HangKind::Cluster;
            wait.what = say::SomethingBehind;
            return;
        }
        std::uint32_t read = 0;
        switch (m_loops.around(site.ptxLine, &read)) {
        case Loops::Reads::Mbarrier:
            wait.kind = HangKind::Mbarrier;
            wait.what = say::SomePhase;
            break;
        case Loops::Reads::Memory:
            wait.kind = HangKind::Word;
            wait.space = MemorySpace::Global;
            wait.what = say::SomeValue;
            if (const auto name = m_names.readAt(read))
                wait.what = say::SomeValueOf(*name);
            break;
        case Loops::Reads::Nothing:
            wait.kind = HangKind::Word;
            wait.what = say::SomeEnd;
            break;
        case Loops::Reads::NoLoop:
            wait.kind = HangKind::Word;
            wait.what = say::SomethingBehind;
            break;
        }
    }

    // Of its first block: whoever is not there would have to come, or to arrive, or to write.
    void explain(Group& group) {
        HangWait& wait = group.wait;
        wait.warps = numberRanges(group.warps);
        if (wait.kind == HangKind::Barrier) {
            std::uint32_t come = 0;
            for (const auto& [key, other] : m_groups)
                if (other.wait.kind == HangKind::Barrier && other.wait.address == wait.address &&
                    other.block == group.block)
                    for (const std::uint32_t w : other.warps)
                        come += std::uint32_t(lanesAt(group.block, w, other).count());
            wait.arrivalsMissing = wait.arrivalsExpected - std::min(come, wait.arrivalsExpected);
            wait.what = say::ComeToBarrier(wait.address, come, wait.arrivalsExpected);
        }
        if (const auto barrier = m_barriers.find({group.block, std::uint32_t(wait.address)});
            wait.kind == HangKind::Mbarrier && barrier != m_barriers.end() && explain(group, barrier->second))
            return;
        const auto ended = m_ended.find(group.block);
        if (ended != m_ended.end())
            group.why.push_back(say::WarpsEnded(ended->second.size(), numberRanges(ended->second)));
        for (auto& [key, other] : m_groups) {
            if (&other == &group || other.block != group.block ||
                (wait.kind == HangKind::Barrier && other.wait.kind == HangKind::Barrier &&
                 other.wait.address == wait.address))
                continue;
            group.why.push_back(say::WarpsStand(other.warps.size(), numberRanges(other.warps), other.place));
            // Who polls may be served by any of the others; who stands at a barrier holds them up only if they come there.
            m_on[&group].push_back(&other);
        }
    }

    // Of an mbarrier whose records are all there: what is missing, and who arrived before and does not now. False: who stands
    // or has ended is all that is known.
    bool explain(Group& group, const Mbarrier& barrier) {
        HangWait& wait = group.wait;
        if (m_lossy.contains(group.block) || barrier.count == 0) {
            wait.what = say::PhaseOfParity(wait.phase % 2, wait.address);
            return false;
        }
        const auto of = [&](const auto& map) { return map.contains(wait.phase) ? map.at(wait.phase) : 0; };
        wait.arrivalsExpected = barrier.count;
        wait.arrivalsMissing = barrier.count - std::min(of(barrier.arrived), barrier.count);
        const Message made = barrier.madeAt == noIndex ? Message{} : placeOf(m_trace.sites[barrier.madeAt]);
        const auto expects = barrier.expects.find(wait.phase);
        std::uint64_t asked = 0;
        bool isKnown = true;
        if (expects != barrier.expects.end()) {
            for (const AsyncCopy& copy : m_trace.copies)
                if (m_trace.warps[copy.warp].block == group.block && copy.barrier == wait.address &&
                    copy.issued >= barrier.expected.at(wait.phase)) {
                    asked += copy.bytes;
                    isKnown = isKnown && copy.bytes > 0;
                }
            wait.bytesMissing = asked < expects->second.first && isKnown ? expects->second.first - asked : 0;
        }
        wait.what =
            say::WaitsInPhase(wait.phase, nameOf(wait.address),
                              wait.bytesMissing == 0 ? say::ArrivalsMissing(wait.arrivalsMissing, wait.arrivalsExpected)
                              : wait.arrivalsMissing == 0
                                  ? say::BytesMissing(wait.bytesMissing)
                                  : say::BothMissing(wait.arrivalsMissing, wait.arrivalsExpected, wait.bytesMissing));
        if (wait.bytesMissing > 0)
            group.why.push_back(
                say::BytesNeverCome(expects->second.first, placeOf(m_trace.sites[expects->second.second]), asked));
        if (wait.arrivalsMissing == 0)
            return wait.bytesMissing > 0; // else its bytes are under way for all that is known
        std::vector<std::uint32_t> ended;
        std::map<Group*, std::vector<std::uint32_t>> stands;
        std::uint32_t at = noIndex;
        const std::uint32_t first = m_trace.blocks[group.block].firstWarp;
        for (const auto& [row, last] : barrier.last) {
            if (last.first == wait.phase)
                continue;
            at = last.second;
            const auto where = m_stands.find({group.block, row - first});
            if (where == m_stands.end())
                ended.push_back(row - first);
            else
                for (Group* other : where->second)
                    stands[other].push_back(row - first);
        }
        std::vector<Message> why;
        if (!ended.empty())
            why.push_back(say::WarpsEnded(ended.size(), numberRanges(ended)));
        for (const auto& [other, warps] : stands) {
            why.push_back(say::WarpsStand(warps.size(), numberRanges(warps), other->place));
            if (other != &group)
                m_on[&group].push_back(other);
        }
        if (why.empty()) {
            group.why.push_back(barrier.last.empty()
                                    ? say::NobodyArrives(barrier.count, made)
                                    : say::SoFar(barrier.count, made, barrier.count - wait.arrivalsMissing));
            return false; // who of the others would have to come nobody has shown yet
        }
        Message all = why.front();
        for (std::size_t n = 1; n < why.size(); ++n)
            all = say::AndAlso(std::move(all), why[n]);
        group.why.push_back(say::ArrivedBefore(std::move(all), placeOf(m_trace.sites[at])));
        return true;
    }

    LaneMask lanesAt(std::uint32_t block, std::uint32_t w, const Group& group) const {
        const Warp& warp = m_trace.warps[m_trace.blocks[block].firstWarp + w];
        for (std::uint32_t n = warp.eventCount; n-- > 0;)
            if (const Event event = m_trace.event(warp, n); event.site == group.site)
                return event.active;
        return {};
    }

    // Who waits for nobody that stands is a root; in a ring, which records alone cannot open, those who stand at barriers come
    // first, then who polls.
    void order() {
        for (auto& [key, group] : m_groups)
            m_order.push_back(&group);
        const auto rank = [&](const Group* group) {
            return std::pair(m_on[const_cast<Group*>(group)].size(), int(group->wait.kind));
        };
        std::stable_sort(m_order.begin(), m_order.end(),
                         [&](const Group* a, const Group* b) { return rank(a) < rank(b); });
        for (Group* group : m_order) {
            group->wait.isRoot = m_on[group].empty();
            for (const Group* other : m_on[group])
                group->wait.on.push_back(
                    std::uint32_t(std::find(m_order.begin(), m_order.end(), other) - m_order.begin()));
            for (std::size_t n = 0; n < group->why.size(); ++n)
                group->wait.why = n == 0 ? group->why[n] : say::AndAlso(group->wait.why.message(), group->why[n]);
        }
    }

    Message sentenceOf(const Group& group) const {
        const Message wait =
            say::LanesWait(group.wait.lanes, group.wait.blocks, group.wait.what.message(), group.place);
        return group.why.empty() ? wait : say::WhyNever(wait, group.wait.why.message());
    }

    const Trace& m_trace;
    const Launch& m_launch;
    const Kernel& m_kernel;
    Loops m_loops;
    NamedPlaces m_names;
    const std::string& m_headers;
    std::map<Key, Group> m_groups;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Mbarrier> m_barriers; // block row, byte
    std::map<std::uint32_t, PhaseEvent> m_waits;                            // [warp row] the last one
    std::set<std::uint32_t> m_lossy; // block rows some of whose records did not fit
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<Group*>> m_stands; // block row, warp
    std::map<std::uint32_t, std::vector<std::uint32_t>> m_ended;                  // [block row]
    std::map<Group*, std::vector<Group*>> m_on;
    std::vector<Group*> m_order;
};

} // namespace

Standings standingOf(const Trace& trace, std::uint32_t launch, std::span<const std::string> parameters,
                     const std::string& headers) {
    return launch < trace.launches.size() ? Looker(trace, launch, parameters, headers).run() : Standings{};
}

} // namespace warpglass::probe
