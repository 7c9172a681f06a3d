// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/timing/untimed_sms.h"
#include "gpu/base/lane_mask.h"
#include "gpu/emulator/code/bounds.h"
#include "gpu/emulator/run/sm_result.h"

#include <algorithm>
#include <utility>

namespace warpglass::emulator {

UntimedSms::UntimedSms(GridRun& run, std::size_t places, std::int64_t pause)
    : m_run(run), m_cluster(std::size_t(run.launch.cluster.count())), m_pause(pause),
      m_warps(warpsFor(run.launch.block.count())), m_begun(std::size_t(run.launch.grid.count()), false) {
    m_perSm = std::max<std::size_t>(1, places / m_cluster);
}

void UntimedSms::deal(std::vector<std::uint64_t> blocks, double from, double interval) {
    const std::size_t sm = m_sms.size();
    m_sms.push_back({std::move(blocks), 0});
    for (std::size_t k = 0; k < m_perSm; ++k) {
        Place place;
        place.sm = sm;
        if (!takeNext(place))
            return;
        m_starts.emplace(from + double(k) * interval, place.unit.front(), m_places.size());
        m_places.push_back(std::move(place));
    }
}

void UntimedSms::adopt(LivingBlock block) {
    Place place;
    place.since = m_instructions;
    place.blocks.push_back(std::move(block));
    m_places.push_back(std::move(place));
    goOn(m_places.size() - 1);
}

bool UntimedSms::takeNext(Place& place) {
    place.unit.clear();
    place.issued = 0;
    if (place.sm == none)
        return false;
    Sm& sm = m_sms[place.sm];
    for (; place.unit.size() < m_cluster && sm.next < sm.blocks.size(); ++sm.next)
        place.unit.push_back(sm.blocks[sm.next]);
    return !place.unit.empty();
}

void UntimedSms::comeTo(std::int64_t cycle, double instructions) {
    m_cycle = cycle;
    m_instructions = instructions;
    while (!m_starts.empty() && std::get<0>(m_starts.top()) <= double(cycle)) {
        const std::size_t place = std::get<2>(m_starts.top());
        m_starts.pop();
        m_places[place].since = instructions;
        goOn(place);
    }
    while (!m_turns.empty() && std::get<0>(m_turns.top()) <= instructions && !m_run.stopped()) {
        const std::size_t place = std::get<2>(m_turns.top());
        m_turns.pop();
        turn(place);
    }
}

void UntimedSms::finish() {
    m_alone = true;
    while (!(m_turns.empty() && m_starts.empty()) && !m_run.stopped()) {
        Order& order = m_turns.empty() ? m_starts : m_turns;
        const std::size_t place = std::get<2>(order.top());
        order.pop();
        turn(place);
    }
}

// Of a warp, that has issued so much: few at first, when much is a matter of who comes first.
std::uint64_t UntimedSms::turnOf(std::uint64_t issued) const {
    return std::clamp(issued / 4, bounds.turnBesideTimed, m_alone ? bounds.slice : 4 * bounds.turnBesideTimed);
}

// The place's next turn is due when others are where it will be then.
void UntimedSms::goOn(std::size_t k) {
    const Place& place = m_places[k];
    const std::uint64_t warps = m_warps * std::max(place.unit.size(), place.blocks.size());
    const std::uint64_t blocks = warps / m_warps;
    m_turns.emplace(place.since + double(place.issued + warps * turnOf(place.issued / warps)) / double(blocks),
                    place.unit.empty() ? place.blocks.front().index : place.unit.front(), k);
}

bool UntimedSms::run(Place& place, std::uint64_t instructions) {
    bool worked = false;
    for (std::size_t k = 0; k < place.blocks.size() && !m_run.stopped();) {
        LivingBlock& block = place.blocks[k];
        const BlockRunner& runner = *block.runner;
        const std::uint64_t before = runner.issued();
        if (m_run.living().finished(block, instructions)) {
            place.issued += m_run.result.timed->issued[block.index] - before;
            place.blocks.erase(place.blocks.begin() + std::ptrdiff_t(k));
            worked = true;
        } else {
            place.issued += runner.issued() - before;
            worked |= runner.moved() == Moved::Work;
            ++k;
        }
    }
    return worked;
}

void UntimedSms::turn(std::size_t k) {
    Place& place = m_places[k];
    for (const std::uint64_t block : std::exchange(place.unit, {})) {
        m_begun[block] = true;
        place.blocks.push_back(m_run.living().begun(block, nullptr, 0));
    }
    const std::uint64_t before = place.issued, warps = m_warps * place.blocks.size();
    const std::uint64_t instructions = turnOf(before / warps);
    const bool worked = run(place, instructions < bounds.slice ? instructions : 0);
    if (m_run.stopped())
        return;
    if (place.blocks.empty()) {
        if (takeNext(place))
            m_starts.emplace(double(m_cycle + m_pause), place.unit.front(), k);
    } else if (m_alone && !worked) { // it waits for somebody, and has its turns with all that do
        for (LivingBlock& block : place.blocks)
            m_run.living().adopt(std::move(block));
        place.blocks.clear();
    } else {
        if (place.issued == before) // its time goes by all the same
            place.issued += warps * instructions;
        goOn(k);
    }
}

} // namespace warpglass::emulator
