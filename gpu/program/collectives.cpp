// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/program/collectives.h"

#include "gpu/program/program.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace warpglass::program {

std::uint32_t bytesOf(CollectiveType type) {
    using enum CollectiveType;
    switch (type) {
    case I8:
    case U8:
    case E4M3:
    case E5M2:
        return 1;
    case F16:
    case BF16:
        return 2;
    case I32:
    case U32:
    case F32:
        return 4;
    case I64:
    case U64:
    case F64:
        return 8;
    case Unknown:
        break;
    }
    return 0;
}

std::vector<std::uint32_t> collectivesOf(const ProgramTrace& program, std::uint32_t operation) {
    std::vector<std::uint32_t> rows;
    auto at = std::lower_bound(program.collectiveSteps.begin(), program.collectiveSteps.end(), operation,
                               [](const CollectiveStep& s, std::uint32_t o) { return s.operation < o; });
    for (; at != program.collectiveSteps.end() && at->operation == operation; ++at)
        rows.push_back(at->collective);
    return rows;
}

std::int64_t CollectiveGroup::end() const {
    std::int64_t last = 0;
    for (const RankOfCollective& r : ranks)
        last = std::max(last, r.end);
    return last;
}

std::vector<CollectiveGroup> collectiveGroups(const ProgramTrace& program) {
    std::vector<RankOfCollective> calls(program.collectives.size());
    for (std::uint32_t c = 0; c < calls.size(); ++c)
        calls[c].collective = c;
    for (const CollectiveStep& s : program.collectiveSteps) {
        RankOfCollective& call = calls[s.collective];
        const Operation& o = program.operations[s.operation];
        call.start = call.operations.empty() ? o.start : std::min(call.start, o.start);
        call.end = std::max(call.end, o.end);
        call.operations.push_back(s.operation);
    }
    std::map<std::tuple<std::uint64_t, std::uint32_t, std::uint32_t>, std::size_t> known;
    std::vector<CollectiveGroup> groups;
    for (RankOfCollective& call : calls) {
        const Collective& c = program.collectives[call.collective];
        const bool alone = c.kind == CollectiveKind::Send || c.kind == CollectiveKind::Receive;
        const auto [at, isNew] =
            known.try_emplace({c.communicator, c.sequence, alone ? call.collective : noIndex}, groups.size());
        if (isNew)
            groups.emplace_back();
        groups[at->second].ranks.push_back(std::move(call));
    }
    for (CollectiveGroup& g : groups)
        std::stable_sort(g.ranks.begin(), g.ranks.end(),
                         [](const RankOfCollective& a, const RankOfCollective& b) { return a.start < b.start; });
    std::stable_sort(groups.begin(), groups.end(), [](const CollectiveGroup& a, const CollectiveGroup& b) {
        return a.ranks.front().start < b.ranks.front().start;
    });
    return groups;
}

} // namespace warpglass::program
