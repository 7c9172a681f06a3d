// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/claim_target.h"

#include "app/session/check.h"
#include "gpu/device/device.h"
#include "gpu/metrics/claims.h"
#include "gpu/metrics/metrics.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace warpglass {

namespace {

using nlohmann::json;

// What claims are about besides metrics, and the views that show it.
constexpr std::pair<std::string_view, const char*> factViews[] = {
    {"ptx_branches", "lanes"},      {"missing_syncwarp", "source"},     {"output_lines", "source"},
    {"launches_ran", "launchtree"}, {"launches_dropped", "launchtree"}, {"depth", "launchtree"},
    {"right", "launchtree"},        {"warps_per_block", "launchmap"},   {"idle_lanes_per_block", "launchmap"},
};

QString viewOf(const QString& name) {
    const std::string key = name.toStdString();
    if (const MetricDefinition* metric = findMetric(key))
        return QString::fromUtf8(metric->view.data(), qsizetype(metric->view.size()));
    for (const auto& [fact, view] : factViews)
        if (key == fact)
            return QString::fromLatin1(view);
    return {};
}

// The first {"run": ...} in "how", and the second if there are two.
void collectRuns(const json& how, std::vector<const json*>& runs) {
    if (how.contains("run"))
        runs.push_back(&how);
    if (how.contains("ratio"))
        for (const json& part : how["ratio"])
            collectRuns(part, runs);
}

bool isMemory(const QString& view) {
    return view == QLatin1String("memory");
}

RunRequest requestFor(const json& how, const QString& view) {
    RunRequest request = session::claimLaunch(how["run"]);
    request.accesses = request.options.detail.accesses = isMemory(view);
    return request;
}

// The event of the first recorded warp that wanted() takes, as a selection.
template <typename Wanted>
std::optional<Selection> first(const Trace& trace, const Selection& base, Wanted&& wanted) {
    for (std::uint32_t row = 0; row < trace.warps.size(); ++row) {
        const Warp& w = trace.warps[row];
        for (std::uint32_t n = 0; n < w.eventCount; ++n) {
            const Event e = trace.event(w, n);
            if (!wanted(e))
                continue;
            Selection s = base;
            s.warp = row;
            s.block = w.block;
            s.launch = trace.blocks[w.block].launch;
            s.time = e.time;
            s.ptxLine = trace.sites[e.site].ptxLine;
            s.sourceLine = sourceLineOf(trace.kernelOf(trace.launches[s.launch]), trace.sites[e.site]);
            return s;
        }
    }
    return std::nullopt;
}

// The PTX line of the launch with the largest figure above zero, of all its rows; 0 if there is none.
template <typename Figure>
std::uint32_t worstLine(const Trace& trace, Figure&& figure) {
    std::uint32_t line = 0;
    double most = 0, f = 0;
    const InstructionCount* before = nullptr;
    for (const InstructionCount& c : trace.countsOf(0)) {
        f = before && isPartOf(*before, c) ? f + figure(c) : figure(c);
        before = &c;
        if (f > most) {
            most = f;
            line = c.ptxLine;
        }
    }
    return line;
}

} // namespace

ClaimTarget targetOf(const Claim& claim) {
    ClaimTarget target;
    const json& how = *claim.how;
    std::vector<const json*> runs;
    collectRuns(how, runs);
    if (!runs.empty()) {
        target.metric = QString::fromStdString(runs.front()->value("metric", ""));
        target.view = viewOf(target.metric);
        target.run = requestFor(*runs.front(), target.view);
        if (runs.size() > 1 && (*runs[1])["run"] != (*runs[0])["run"])
            target.compare = requestFor(*runs[1], target.view);
        if (target.metric == QLatin1String("shared_bank_conflicts"))
            target.options[QStringLiteral("space")] = QStringLiteral("shared");
        else if (isMemory(target.view))
            target.options[QStringLiteral("space")] = QStringLiteral("global");
        return target;
    }
    if (how.contains("occupancy")) {
        const json& o = how["occupancy"];
        target.view = QStringLiteral("occupancy");
        target.metric = QStringLiteral("theoretical_occupancy");
        target.options[QStringLiteral("cc")] =
            QStringLiteral("%1.%2").arg(o.value("major", 9)).arg(o.value("minor", 0));
        target.options[QStringLiteral("threads")] = o.value("threads", 256u);
        target.options[QStringLiteral("registers")] = o.value("registers", 0u);
        target.options[QStringLiteral("shared")] = o.value("shared", 0u) + o.value("dynamic_shared", 0u);
        return target;
    }
    if (how.contains("device")) {
        if (const DeviceSpec* device = findDevice(how["device"].get<std::string>())) {
            target.view = QStringLiteral("occupancy");
            target.options[QStringLiteral("cc")] =
                QStringLiteral("%1.%2").arg(device->limits().major).arg(device->limits().minor);
        }
        return target;
    }
    if (claim.metric.find("Little") != std::string::npos) {
        target.view = QStringLiteral("scheduler");
        target.options[QStringLiteral("show")] = QStringLiteral("little");
    }
    return target;
}

Selection placeOf(const Trace& trace, const QString& metric, const Selection& otherwise) {
    if (trace.launches.empty())
        return otherwise;
    std::uint32_t line = 0;
    if (metric == QLatin1String("shared_bank_conflicts")) {
        line = worstLine(trace, [](const InstructionCount& c) {
            return c.isMemory && c.space == MemorySpace::Shared ? double(c.passes) - double(c.idealPasses) : 0.0;
        });
    } else if (viewOf(metric) == QLatin1String("memory")) {
        const bool stores = metric.startsWith(QLatin1String("gst"));
        line = worstLine(trace, [&](const InstructionCount& c) {
            const bool mine = c.isMemory && c.space == MemorySpace::Global &&
                              c.access == (stores ? AccessKind::Store : AccessKind::Load);
            // What is moved for nothing; a line that wastes nothing still counts a little, so that one is found.
            return mine ? 32.0 * double(c.sectors) - double(c.bytesDistinct) + 1e-6 * double(c.sectors) : 0.0;
        });
    } else if (viewOf(metric) == QLatin1String("lanes")) {
        line = worstLine(trace, [](const InstructionCount& c) { return c.isConditional ? double(c.divergent) : 0.0; });
        if (const auto found = first(trace, otherwise, [&](const Event& e) {
                return e.kind == EventKind::Branch && trace.sites[e.site].ptxLine == line && !e.taken.empty() &&
                       e.taken != e.active;
            }))
            return *found;
    } else if (metric == QLatin1String("stall_sync")) {
        if (const auto found =
                first(trace, otherwise, [](const Event& e) { return e.kind == EventKind::BarrierArrive; }))
            return *found;
    } else if (metric == QLatin1String("idle_lanes_per_block") || metric == QLatin1String("warps_per_block")) {
        for (const Block& block : trace.blocks) {
            if (block.warpCount == 0)
                continue;
            Selection s = otherwise;
            s.launch = block.launch;
            s.block = std::uint32_t(&block - trace.blocks.data());
            s.warp = block.firstWarp + block.warpCount - 1u;
            return s;
        }
    }
    if (line != 0)
        if (const auto found = first(trace, otherwise, [&](const Event& e) {
                return e.kind == EventKind::Access && trace.sites[e.site].ptxLine == line;
            }))
            return *found;
    return otherwise;
}

} // namespace warpglass
