// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/machine/open_meetings.h"

#include <algorithm>

namespace warpglass::machine {

namespace {

constexpr std::uint16_t breakCode = 0x942;

unsigned barrierOf(const Function& function, std::uint32_t c) {
    return unsigned(function.bits[c][0] >> 16) & 15;
}

// Where indexed branches go: what is come to by no other way.
std::vector<std::uint32_t> tablesOf(const Function& function, std::uint32_t end) {
    std::vector<bool> reached(end + 1, false);
    reached[0] = true;
    for (const auto& [place, name] : function.inner)
        reached[std::min<std::uint64_t>(place / instructionBytes, end)] = true;
    for (std::uint32_t c = 0; c < end; ++c) {
        const Instruction& in = function.code[c];
        if (in.goesOn())
            reached[c + 1] = true;
        if (in.flow == Flow::Branch && in.target)
            reached[std::min<std::uint64_t>(*in.target / instructionBytes, end)] = true;
    }
    std::vector<std::uint32_t> tables;
    for (std::uint32_t c = 0; c < end; ++c)
        if (!reached[c])
            tables.push_back(c);
    return tables;
}

// Barriers that lanes of a guarded jump have left just before it.
std::vector<unsigned> broken(const Function& function, std::uint32_t jump) {
    std::vector<unsigned> barriers;
    const Instruction& to = function.code[jump];
    for (std::uint32_t c = jump; c-- > 0 && function.code[c].flow == Flow::Next;)
        if (const Instruction& in = function.code[c];
            in.opcode == breakCode && in.guard == to.guard && in.negated == to.negated)
            barriers.push_back(barrierOf(function, c));
    return barriers;
}

} // namespace

OpenMeetings openMeetings(const Function& function) {
    using Open = std::vector<std::uint32_t>;
    const auto end = std::uint32_t(function.withoutFilling());
    OpenMeetings all{std::vector<Open>(end), std::vector<bool>(end, false), tablesOf(function, end)};
    std::vector<std::uint32_t> changed;
    const auto arrive = [&](std::uint64_t at, const Open& open) {
        if (at >= end)
            return;
        const auto c = std::uint32_t(at);
        if (!all.reached[c]) {
            all.reached[c] = true;
            all.open[c] = open;
            changed.push_back(c);
        } else if (std::erase_if(all.open[c],
                                 [&](std::uint32_t b) { return std::ranges::find(open, b) == open.end(); }) > 0) {
            changed.push_back(c);
        }
    };
    arrive(0, {});
    for (const auto& [place, name] : function.inner)
        arrive(place / instructionBytes, {});
    while (!changed.empty()) {
        const std::uint32_t c = changed.back();
        changed.pop_back();
        const Instruction& in = function.code[c];
        Open open = all.open[c];
        const auto close = [&](unsigned barrier) {
            std::erase_if(open, [&](std::uint32_t b) { return barrierOf(function, b) == barrier; });
        };
        if (in.flow == Flow::Meet || in.flow == Flow::Join ||
            (in.opcode == breakCode && in.guard == alwaysTrue && !in.negated))
            close(barrierOf(function, c));
        if (in.flow == Flow::Meet)
            open.push_back(c);
        if (in.goesOn())
            arrive(c + 1, open);
        if (in.flow != Flow::Branch)
            continue;
        for (const unsigned barrier : broken(function, c))
            close(barrier);
        if (in.target)
            arrive(*in.target / instructionBytes, open);
        else
            for (const std::uint32_t to : all.tables)
                arrive(to, open);
    }
    return all;
}

} // namespace warpglass::machine
