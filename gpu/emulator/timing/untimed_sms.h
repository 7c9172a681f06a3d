// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks that are not timed, by turns with those that are. Each has the place on its SM in which it would live, begins when
// the block before it has ended there, and comes as far as the timed ones do on the average in the same time,
// warp-instruction by warp-instruction: a few of each of its warps are run when the timed ones have come as far.
//
// When nothing is timed any more those that live go on by turns, which become longer and longer, then the others: so who waits
// for somebody is known to, in the end, and waits with all that do (living_blocks.h).
#pragma once

#include "gpu/emulator/run/living_blocks.h"

#include <cstdint>
#include <queue>
#include <tuple>
#include <vector>

namespace warpglass::emulator {

class UntimedSms {
public:
    // places: blocks at once on one SM; pause: cycles from a block's end until the next begins in its place.
    UntimedSms(GridRun& run, std::size_t places, std::int64_t pause);
    // An SM gets these blocks (of clusters: all of one, then all of the next), from this cycle on, one each interval while
    // there are places.
    void deal(std::vector<std::uint64_t> blocks, double from, double interval);
    void adopt(LivingBlock block); // one that was timed until now
    // Time has come to this cycle, and a block that was there all the time to so many warp-instructions.
    void comeTo(std::int64_t cycle, double instructions);
    void finish(); // nothing is timed any more
    bool hasBegun(std::uint64_t block) const { return m_begun[block]; }

private:
    struct Place {
        std::size_t sm = none;
        std::vector<std::uint64_t> unit; // to begin
        std::vector<LivingBlock> blocks; // that live, of one cluster
        double since = 0;                // warp-instructions of others when it began
        std::uint64_t issued = 0;        // by all of its blocks from then on
    };
    struct Sm {
        std::vector<std::uint64_t> blocks;
        std::size_t next = 0; // of blocks
    };
    using Next = std::tuple<double, std::uint64_t, std::size_t>; // when, block, place
    using Order = std::priority_queue<Next, std::vector<Next>, std::greater<>>;
    static constexpr std::size_t none = ~std::size_t(0);

    bool takeNext(Place& place); // of its SM; false: there is none
    std::uint64_t turnOf(std::uint64_t issued) const;
    void goOn(std::size_t place);
    void turn(std::size_t place);
    bool run(Place& place, std::uint64_t instructions); // a turn of each of its blocks; true: one did more than wait

    GridRun& m_run;
    std::size_t m_perSm, m_cluster;
    std::int64_t m_pause, m_cycle = 0;
    std::uint64_t m_warps; // of a block
    bool m_alone = false;  // nothing is timed
    std::vector<Sm> m_sms;
    std::vector<Place> m_places;
    std::vector<bool> m_begun;
    Order m_starts; // by cycle
    Order m_turns;  // by what a block has issued that was there all the time
    double m_instructions = 0;
};

} // namespace warpglass::emulator
