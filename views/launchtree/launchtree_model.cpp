// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/launchtree/launchtree_model.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace warpglass {

namespace {

using Likeness = std::tuple<std::uint32_t, std::uint64_t, std::uint32_t, std::uint32_t, std::uint64_t, std::uint32_t,
                            std::uint32_t, StreamKind, LaunchStatus>;

// Siblings with the same likeness may be folded: kernel, shapes, stream and fate.
Likeness likeness(const Launch& launch) {
    const auto pack = [](Dim3 d) { return (std::uint64_t(d.x) << 32) | d.y; };
    return {launch.kernel,  pack(launch.grid), launch.grid.z, launch.depth, pack(launch.block),
            launch.block.z, launch.site,       launch.stream, launch.status};
}

struct Builder {
    const Trace& trace;
    const std::set<std::string>& unfolded;
    const std::set<std::string>& closed;
    std::size_t most;
    std::vector<std::vector<std::uint32_t>> children; // [launch row + 1]; [0] = from the host
    std::vector<std::uint64_t> below;                 // [launch row]
    std::vector<Time> complete;                       // [launch row]
    std::vector<TreeRow> rows;

    void link() {
        const std::size_t count = trace.launches.size();
        children.resize(count + 1);
        below.assign(count, 0);
        complete.resize(count);
        for (std::size_t i = 0; i < count; ++i)
            complete[i] = trace.launches[i].end;
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t parent = trace.launches[i].parentLaunch;
            children[parent < count ? parent + 1 : 0].push_back(i);
        }
        // A child's row need not come after its parent's, so count by depth, deepest first.
        std::vector<std::uint32_t> order(count);
        for (std::uint32_t i = 0; i < count; ++i)
            order[i] = i;
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return trace.launches[a].depth > trace.launches[b].depth;
        });
        for (std::uint32_t i : order) {
            const std::uint32_t parent = trace.launches[i].parentLaunch;
            if (parent < count) {
                below[parent] += below[i] + 1;
                complete[parent] = std::max(complete[parent], complete[i]);
            }
        }
    }

    TreeRow rowOf(const std::vector<std::uint32_t>& launches, int indent) const {
        const Launch& first = trace.launches[launches.front()];
        TreeRow row;
        row.launches = launches;
        row.parent = first.parentLaunch;
        row.depth = first.depth;
        row.indent = indent;
        row.dropped = first.status == LaunchStatus::Dropped;
        row.start = first.start;
        row.end = first.end;
        row.complete = complete[launches.front()];
        for (std::uint32_t launch : launches) {
            row.start = std::min(row.start, trace.launches[launch].start);
            row.end = std::max(row.end, trace.launches[launch].end);
            row.complete = std::max(row.complete, complete[launch]);
            row.descendants += below[launch];
        }
        return row;
    }

    // Rows to come, the next one last: a list of its own, as launches that launch one another in a chain may be more
    // than calls can be nested.
    struct Pending {
        std::vector<std::uint32_t> launches;
        int indent = 0;
        bool isGroup = false;
    };
    std::vector<Pending> pending;

    void single(std::uint32_t launch, int indent) {
        TreeRow row = rowOf({launch}, indent);
        row.id = std::to_string(launch);
        row.hasChildren = !children[launch + 1].empty();
        row.unfolded = row.hasChildren && !closed.contains(row.id);
        const bool open = row.unfolded;
        rows.push_back(std::move(row));
        if (open)
            siblings(children[launch + 1], indent + 1);
    }

    void group(const std::vector<std::uint32_t>& launches, int indent) {
        TreeRow row = rowOf(launches, indent);
        row.isGroup = true;
        row.hasChildren = true;
        row.id = "g" + std::to_string(launches.front());
        row.unfolded = unfolded.contains(row.id);
        if (row.unfolded)
            for (auto launch = launches.rbegin(); launch != launches.rend(); ++launch)
                pending.push_back({{*launch}, indent + 1});
        rows.push_back(std::move(row));
    }

    void siblings(const std::vector<std::uint32_t>& list, int indent) {
        std::map<Likeness, std::vector<std::uint32_t>> groups;
        std::vector<Likeness> order; // by first appearance
        for (std::uint32_t launch : list) {
            auto& group = groups[likeness(trace.launches[launch])];
            if (group.empty())
                order.push_back(likeness(trace.launches[launch]));
            group.push_back(launch);
        }
        for (auto like = order.rbegin(); like != order.rend(); ++like) {
            auto& alike = groups[*like];
            if (alike.size() >= foldFrom)
                pending.push_back({std::move(alike), indent, true});
            else
                for (auto launch = alike.rbegin(); launch != alike.rend(); ++launch)
                    pending.push_back({{*launch}, indent});
        }
    }

    void build() {
        siblings(children[0], 0);
        while (!pending.empty() && rows.size() < most) {
            const Pending next = std::move(pending.back());
            pending.pop_back();
            if (next.isGroup)
                group(next.launches, next.indent);
            else
                single(next.launches.front(), next.indent);
        }
    }
};

} // namespace

std::vector<TreeRow> treeRows(const Trace& trace, const std::set<std::string>& unfolded,
                              const std::set<std::string>& closed, std::size_t most) {
    Builder builder{trace, unfolded, closed, most, {}, {}, {}, {}, {}};
    builder.link();
    builder.build();
    return std::move(builder.rows);
}

TreeTotals treeTotals(const Trace& trace, std::optional<double> until) {
    TreeTotals totals;
    totals.range = trace.range();
    if (until)
        totals.range.end = std::clamp(Time{std::int64_t(*until)}, totals.range.begin, totals.range.end);
    for (const Launch& launch : trace.launches) {
        if (until && double(launch.start.value) > *until)
            continue;
        if (launch.status == LaunchStatus::Dropped) {
            if (totals.dropped++ == 0)
                totals.dropReason = launch.reason;
        } else {
            ++totals.ran;
            totals.depth = std::max(totals.depth, launch.depth);
        }
    }
    return totals;
}

} // namespace warpglass
