// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/record/launches_collectives.h"

#include "gpu/base/catalogue.h"
#include "gpu/base/quantity.h"
#include "gpu/program/collectives.h"

#include <fmt/format.h>

namespace warpglass::record {

namespace {

namespace prog = program;

constexpr std::size_t mostCollectivesListed = 100; // in the text; JSON has all

// From when the last rank came, as the others waited for it until then.
double gigabytesPerSecond(const prog::ProgramTrace& p, const prog::CollectiveGroup& group) {
    const std::int64_t ns = group.end() - group.lastStart();
    return ns > 0 ? double(p.collectives[group.ranks.front().collective].bytes()) / double(ns) : 0;
}

std::string groupText(const prog::ProgramTrace& p, const prog::CollectiveGroup& group, double unit,
                      const char* unitName) {
    const prog::Collective& c = p.collectives[group.ranks.front().collective];
    std::string text = fmt::format("  {}", name(c.kind));
    if (c.op != prog::CollectiveOp::None)
        text += fmt::format(" {}", name(c.op));
    text += fmt::format(" of {} {} ({})", c.count, name(c.type), quantity(c.bytes(), "byte"));
    if (c.peer != noIndex)
        text += fmt::format(", {} {}",
                            c.kind == prog::CollectiveKind::Send      ? "to rank"
                            : c.kind == prog::CollectiveKind::Receive ? "from rank"
                                                                      : "root",
                            c.peer);
    text += fmt::format(", call {} of communicator {:016x}, {}", c.sequence, c.communicator,
                        quantity(c.ranks, "rank", "ranks"));
    if (const double rate = gigabytesPerSecond(p, group); rate > 0)
        text += fmt::format(", {:.1f} GB/s", rate);
    text += "\n";
    for (const prog::RankOfCollective& r : group.ranks) {
        text += fmt::format("    rank {}", p.collectives[r.collective].rank);
        if (r.operations.empty())
            text += ": nothing was seen that it launched";
        else
            text += fmt::format(": {:.3f} to {:.3f} {}, operation {}", double(r.start) / unit, double(r.end) / unit,
                                unitName, r.operations.front());
        if (group.ranks.size() > 1 && !r.operations.empty() && &r == &group.ranks.back() && group.waited() > 0)
            text += fmt::format(", last: the others waited up to {:.3f} {} for it", double(group.waited()) / unit,
                                unitName);
        text += "\n";
    }
    return text;
}

} // namespace

std::string collectivesText(const prog::ProgramTrace& p, double unit, const char* unitName) {
    const std::vector<prog::CollectiveGroup> groups = prog::collectiveGroups(p);
    if (groups.empty())
        return {};
    std::string text = fmt::format("\n{}\n", quantity(groups.size(), "collective", "collectives"));
    for (std::size_t g = 0; g < groups.size() && g < mostCollectivesListed; ++g)
        text += groupText(p, groups[g], unit, unitName);
    if (groups.size() > mostCollectivesListed)
        text += fmt::format("  and {} more\n", groups.size() - mostCollectivesListed);
    return text;
}

nlohmann::json collectivesJson(const prog::ProgramTrace& p) {
    nlohmann::json all = nlohmann::json::array();
    for (const prog::CollectiveGroup& group : prog::collectiveGroups(p)) {
        const prog::Collective& c = p.collectives[group.ranks.front().collective];
        nlohmann::json row{{"kind", name(c.kind)},        {"op", name(c.op)},
                           {"type", name(c.type)},        {"count", c.count},
                           {"bytes", c.bytes()},          {"communicator", fmt::format("{:016x}", c.communicator)},
                           {"call", c.sequence},          {"ranks_in_all", c.ranks},
                           {"waited_ns", group.waited()}, {"ranks", nlohmann::json::array()}};
        if (c.peer != noIndex)
            row["peer"] = c.peer;
        for (const prog::RankOfCollective& r : group.ranks)
            row["ranks"].push_back({{"rank", p.collectives[r.collective].rank},
                                    {"stream", p.collectives[r.collective].stream},
                                    {"called_ns", p.collectives[r.collective].called},
                                    {"start_ns", r.start},
                                    {"end_ns", r.end},
                                    {"operations", r.operations}});
        all.push_back(std::move(row));
    }
    return all;
}

} // namespace warpglass::record
