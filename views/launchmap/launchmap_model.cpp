// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/launchmap/launchmap_model.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace warpglass {
namespace {

constexpr int maxPlaces = 255; // no SM holds more than 32 blocks; a damaged trace may claim more

std::vector<std::int64_t> runningSums(const std::vector<std::int64_t>& sorted) {
    std::vector<std::int64_t> sums(sorted.size() + 1, 0);
    std::partial_sum(sorted.begin(), sorted.end(), sums.begin() + 1);
    return sums;
}

Balance balanceOf(std::vector<std::uint32_t> blocks) { // [sm]
    Balance balance;
    balance.blocks = std::move(blocks);
    if (balance.blocks.empty()) {
        return balance;
    }
    const auto [least, most] = std::minmax_element(balance.blocks.begin(), balance.blocks.end());
    balance.least = *least;
    balance.most = *most;
    balance.mean = std::accumulate(balance.blocks.begin(), balance.blocks.end(), 0.0) / double(balance.blocks.size());
    return balance;
}

void sortUnlessSorted(std::vector<std::int64_t>& values) {
    if (!std::is_sorted(values.begin(), values.end())) {
        std::sort(values.begin(), values.end());
    }
}

std::uint64_t countUpTo(const std::vector<std::int64_t>& sorted, std::int64_t t) {
    return std::uint64_t(std::upper_bound(sorted.begin(), sorted.end(), t) - sorted.begin());
}

} // namespace

bool ran(const Block& block) {
    return block.end > block.start;
}

BlockState blockState(const Block& block, Time now) {
    if (!ran(block)) {
        return BlockState::NotRun;
    }
    if (now < block.start) {
        return BlockState::Waiting;
    }
    return now < block.end ? BlockState::Resident : BlockState::Done;
}

LaunchMapModel::LaunchMapModel(const Trace& trace, std::uint32_t launchRow,
                               std::optional<std::uint32_t> computedBlocksPerSm)
    : m_launch(launchRow) {
    const Launch& launch = trace.launches[launchRow];
    const auto blocks = trace.blocksOf(launch);
    m_range = {launch.start, launch.end};
    for (const Block& b : blocks) {
        m_smCount = std::max(m_smCount, int(b.sm) + 1);
        if (!ran(b)) {
            continue;
        }
        m_range.begin = std::min(m_range.begin, b.start);
        m_range.end = std::max(m_range.end, b.end);
    }
    m_smCount = std::max(m_smCount, trace.info.smCount);

    m_spans.reserve(blocks.size());
    for (const Block& b : blocks) {
        m_spans.push_back({(b.start - m_range.begin).value, (b.end - m_range.begin).value});
    }
    m_starts.reserve(blocks.size());
    m_ends.reserve(blocks.size());
    for (const Span& s : m_spans) {
        if (s.end > s.begin) {
            m_starts.push_back(s.begin);
            m_ends.push_back(s.end);
        }
    }
    sortUnlessSorted(m_starts);
    sortUnlessSorted(m_ends);
    m_startSums = runningSums(m_starts);
    m_endSums = runningSums(m_ends);
    std::size_t ended = 0;
    for (std::size_t i = 0; i < m_starts.size(); ++i) {
        while (m_ends[ended] <= m_starts[i]) {
            if (++ended == m_ends.size()) {
                break;
            }
        }
        m_peak = std::max<std::uint64_t>(m_peak, i + 1 - std::min(ended, i + 1));
        if (ended == m_ends.size()) {
            break;
        }
    }

    std::vector<std::uint32_t> had(std::size_t(m_smCount), 0);
    for (const Block& b : blocks) {
        had[b.sm] += ran(b);
    }
    m_balance = balanceOf(std::move(had));

    placeBlocks(trace);
    const auto observed = std::uint32_t(m_places);
    findWaves(computedBlocksPerSm, observed);
}

Balance LaunchMapModel::balanceAt(Time now, std::span<const std::uint32_t> coming) const {
    const std::int64_t t = (now - m_range.begin).value;
    std::vector<std::uint32_t> begun(std::size_t(m_smCount), 0);
    for (std::size_t cell = 0; cell + 1 < m_placeFirst.size(); ++cell) {
        const auto first = m_placeRows.begin() + m_placeFirst[cell],
                   last = m_placeRows.begin() + m_placeFirst[cell + 1];
        const auto later = std::partition_point(first, last, [&](std::uint32_t b) { return m_spans[b].begin <= t; });
        std::uint32_t& on = begun[cell / std::size_t(m_places)];
        on += std::uint32_t(later - first);
        if (!coming.empty())
            on -= std::uint32_t(std::count_if(
                first, later, [&](std::uint32_t b) { return std::binary_search(coming.begin(), coming.end(), b); }));
    }
    return balanceOf(std::move(begun));
}

// Greedy interval colouring, an SM at a time, in order of start: as few places as were ever needed together.
void LaunchMapModel::placeBlocks(const Trace& trace) {
    const auto blocks = trace.blocksOf(trace.launches[m_launch]);
    std::vector<std::uint32_t> first(std::size_t(m_smCount) + 1, 0);
    for (const Block& b : blocks) {
        first[b.sm + 1u] += ran(b);
    }
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<std::uint32_t> bySm(m_starts.size());
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    for (std::uint32_t i = 0; i < blocks.size(); ++i) {
        if (ran(blocks[i])) {
            bySm[next[blocks[i].sm]++] = i;
        }
    }

    m_place.assign(blocks.size(), 0);
    const auto earlier = [this](std::uint32_t a, std::uint32_t b) { return m_spans[a].begin < m_spans[b].begin; };
    std::vector<std::int64_t> freeAt;
    for (int sm = 0; sm < m_smCount; ++sm) {
        const auto begin = bySm.begin() + first[std::size_t(sm)], end = bySm.begin() + first[std::size_t(sm) + 1];
        if (!std::is_sorted(begin, end, earlier)) {
            std::stable_sort(begin, end, earlier);
        }
        freeAt.clear();
        for (auto it = begin; it != end; ++it) {
            const Span span = m_spans[*it];
            std::size_t place = 0;
            while (place < freeAt.size() && freeAt[place] > span.begin) {
                ++place;
            }
            if (place == freeAt.size() && place < maxPlaces) {
                freeAt.push_back(0);
            }
            place = std::min(place, freeAt.size() - 1);
            freeAt[place] = span.end;
            m_place[*it] = std::uint8_t(place);
        }
        m_places = std::max(m_places, int(freeAt.size()));
    }

    m_placeFirst.assign(std::size_t(m_smCount) * std::size_t(m_places) + 1, 0);
    const auto cell = [&](std::uint32_t i) { return std::size_t(blocks[i].sm) * std::size_t(m_places) + m_place[i]; };
    for (std::uint32_t i = 0; i < blocks.size(); ++i) {
        m_placeFirst[cell(i) + 1] += ran(blocks[i]);
    }
    std::partial_sum(m_placeFirst.begin(), m_placeFirst.end(), m_placeFirst.begin());
    m_placeRows.resize(bySm.size());
    std::vector<std::uint32_t> at(m_placeFirst.begin(), m_placeFirst.end() - 1);
    for (const std::uint32_t i : bySm) {
        m_placeRows[at[cell(i)]++] = i;
    }
}

// Which number of blocks an SM holds at once? What the rules allow. That fewer were ever seen together says nothing of
// room: blocks are handed out one after the other, and short ones end before the SM is full. More were seen only where
// the rules were not told all.
void LaunchMapModel::findWaves(std::optional<std::uint32_t> computed, std::uint32_t observed) {
    Waves& w = m_waves;
    w.blocksPerSm = observed;
    const std::uint64_t n = m_starts.size();
    if (computed && *computed >= observed) {
        w.blocksPerSm = *computed;
        w.basis = CapacityBasis::Computed;
    }
    m_places = std::max(m_places, 1);
    // Places that no SM ever had the blocks to fill would make the others small.
    m_drawnPlaces = std::max(m_places, std::min(int(w.blocksPerSm), int(m_balance.most)));
    w.capacity = std::uint64_t(w.blocksPerSm) * std::uint64_t(m_smCount);
    if (n == 0 || w.capacity == 0) {
        return;
    }
    w.full = n / w.capacity;
    w.lastWaveBlocks = n % w.capacity;
    const std::int64_t end = m_range.length().value, tailBegin = m_starts.back();
    w.tail = {m_range.begin + Time{tailBegin}, m_range.end};
    const auto use = [&](std::int64_t from) {
        const double room = double(w.capacity) * double(end - from);
        return room > 0 ? 100.0 * double(area(end) - area(from)) / room : 0.0;
    };
    w.tailUse = use(tailBegin);
    w.tailShare = end > 0 ? 100.0 * double(end - tailBegin) / double(end) : 0;
    w.launchUse = use(0);
}

std::int64_t LaunchMapModel::area(std::int64_t t) const {
    const std::uint64_t s = countUpTo(m_starts, t), e = countUpTo(m_ends, t);
    return (std::int64_t(s) * t - m_startSums[s]) - (std::int64_t(e) * t - m_endSums[e]);
}

std::uint64_t LaunchMapModel::resident(Time now) const {
    const std::int64_t t = (now - m_range.begin).value;
    return countUpTo(m_starts, t) - countUpTo(m_ends, t);
}

BlockCounts LaunchMapModel::counts(Time now) const {
    const std::int64_t t = (now - m_range.begin).value;
    const std::uint64_t started = countUpTo(m_starts, t), done = countUpTo(m_ends, t);
    return {m_starts.size() - started, started - done, done, m_spans.size() - m_starts.size()};
}

double LaunchMapModel::meanResident(TimeRange span) const {
    const std::int64_t a = (span.begin - m_range.begin).value, b = (span.end - m_range.begin).value;
    return b > a ? double(area(b) - area(a)) / double(b - a) : double(resident(span.begin));
}

Time LaunchMapModel::waveStart(std::uint64_t wave) const {
    return m_range.begin + Time{m_starts[std::size_t(wave * m_waves.capacity)]};
}

std::uint32_t LaunchMapModel::blockIn(int sm, int place, Time now) const {
    if (sm < 0 || sm >= m_smCount || place < 0 || place >= m_places || m_placeRows.empty()) {
        return noIndex;
    }
    const std::size_t cell = std::size_t(sm) * std::size_t(m_places) + std::size_t(place);
    const auto begin = m_placeRows.begin() + m_placeFirst[cell], end = m_placeRows.begin() + m_placeFirst[cell + 1];
    const std::int64_t t = (now - m_range.begin).value;
    const auto after =
        std::upper_bound(begin, end, t, [this](std::int64_t time, std::uint32_t b) { return time < m_spans[b].begin; });
    if (after == begin || t >= m_spans[*(after - 1)].end) {
        return noIndex;
    }
    return *(after - 1);
}

std::vector<std::uint32_t> LaunchMapModel::beginningAt(Time now) const {
    const std::int64_t t = (now - m_range.begin).value;
    std::vector<std::uint32_t> blocks;
    const auto [first, last] = std::equal_range(m_starts.begin(), m_starts.end(), t);
    if (first == last)
        return blocks; // without looking at all of them
    blocks.reserve(std::size_t(last - first));
    for (std::uint32_t b = 0; b < m_spans.size(); ++b)
        if (m_spans[b].begin == t && m_spans[b].end > t)
            blocks.push_back(b);
    return blocks;
}

int LaunchMapModel::residentOn(int sm, Time now) const {
    int n = 0;
    for (int place = 0; place < m_places; ++place) {
        n += blockIn(sm, place, now) != noIndex;
    }
    return n;
}

std::optional<Time> LaunchMapModel::nextChange(Time now) const {
    const std::int64_t t = (now - m_range.begin).value;
    std::optional<std::int64_t> best;
    for (const auto* list : {&m_starts, &m_ends}) {
        const auto it = std::upper_bound(list->begin(), list->end(), t);
        if (it != list->end() && (!best || *it < *best)) {
            best = *it;
        }
    }
    return best ? std::optional(m_range.begin + Time{*best}) : std::nullopt;
}

std::optional<Time> LaunchMapModel::previousChange(Time now) const {
    const std::int64_t t = (now - m_range.begin).value;
    std::optional<std::int64_t> best;
    for (const auto* list : {&m_starts, &m_ends}) {
        const auto it = std::lower_bound(list->begin(), list->end(), t);
        if (it != list->begin() && (!best || *(it - 1) > *best)) {
            best = *(it - 1);
        }
    }
    return best ? std::optional(m_range.begin + Time{*best}) : std::nullopt;
}

std::size_t LaunchMapModel::bytes() const {
    return (m_starts.size() + m_ends.size() + m_startSums.size() + m_endSums.size()) * sizeof(std::int64_t) +
           m_place.size() + (m_placeRows.size() + m_placeFirst.size()) * sizeof(std::uint32_t) +
           m_spans.size() * sizeof(Span);
}

} // namespace warpglass
