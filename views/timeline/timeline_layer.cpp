// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_layer.h"

#include "gpu/base/messages/files.h"
#include "gpu/base/read_file.h"
#include "views/common/marks.h"
#include "views/timeline/timeline_text.h"

#include <algorithm>

namespace warpglass {

namespace {

using profilers::Scope;
using profilers::ScopeTrace;

constexpr std::uint64_t mostLayerBytes = std::uint64_t(1) << 30;
constexpr double leastRow = 6; // px: in lower rows no range is told from another
constexpr std::uint32_t namesInLegend = 8;

QColor veil(QColor colour, float alpha) {
    colour.setAlphaF(alpha);
    return colour;
}

// The states below have colours, too, and shine through: what lies over them is paler than any of theirs.
void paintVeil(QPainter& painter, const QRectF& where, std::uint32_t name, const Theme& theme) {
    painter.fillRect(where, veil(theme.panel, 0.6F));
    painter.fillRect(where, veil(theme.category(int(name)), 0.35F));
}

// The row of the warp table; noIndex where the trace has none.
std::uint32_t warpOf(const Trace& trace, const Scope& scope) {
    const Launch& launch = trace.launches.front();
    if (scope.block.x >= launch.grid.count() || scope.block.y >= launch.grid.y || scope.block.z >= launch.grid.z)
        return noIndex;
    const std::uint64_t index = launch.grid.linear(scope.block);
    if (index >= launch.blockCount)
        return noIndex;
    const Block& block = trace.blocks[launch.firstBlock + index];
    return scope.warp < block.warpCount ? block.firstWarp + scope.warp : noIndex;
}

Time startOf(const Trace& trace, const Block& block) {
    Time start = trace.warps[block.firstWarp].start;
    for (std::uint32_t w = 1; w < block.warpCount; ++w)
        start = std::min(start, trace.warps[block.firstWarp + w].start);
    return start;
}

void nest(std::vector<TimelineLayer::Box>& boxes, std::uint32_t& most) {
    std::ranges::sort(boxes, [](const auto& a, const auto& b) {
        return a.time.begin != b.time.begin ? a.time.begin < b.time.begin : a.time.end > b.time.end;
    });
    std::vector<Time> open; // ends of those that the next one may lie in
    for (TimelineLayer::Box& box : boxes) {
        while (!open.empty() && open.back() <= box.time.begin)
            open.pop_back();
        box.depth = std::uint32_t(open.size());
        most = std::max(most, box.depth);
        open.push_back(box.time.end);
    }
}

} // namespace

TimelineLayerPtr timelineLayer(const TracePtr& trace, const std::shared_ptr<const ScopeTrace>& scopes) {
    if (!trace || !scopes || trace->launches.empty() || trace->info.timeUnit != TimeUnit::Nanoseconds)
        return nullptr;
    auto layer = std::make_shared<TimelineLayer>();
    layer->scopes = scopes;
    layer->boxes.resize(trace->warps.size());
    std::vector<std::int64_t> first(trace->blocks.size(), std::numeric_limits<std::int64_t>::max()); // of the profiler
    bool some = false;
    for (const Scope& scope : scopes->scopes)
        if (const std::uint32_t w = warpOf(*trace, scope); w != noIndex) {
            std::int64_t& begin = first[trace->warps[w].block];
            begin = std::min(begin, scope.begin);
            layer->boxes[w].push_back({scope.name, 0, {Time{scope.begin}, Time{scope.end}}});
            some = true;
        }
    if (!some)
        return nullptr;
    for (std::size_t w = 0; w < layer->boxes.size(); ++w) {
        const std::uint32_t block = trace->warps[w].block;
        const Time by = layer->boxes[w].empty() ? Time{0}
                        : scopes->clockOfBlock  ? startOf(*trace, trace->blocks[block]) - Time{first[block]}
                                                : trace->launches.front().start - Time{scopes->begin};
        for (TimelineLayer::Box& box : layer->boxes[w])
            box.time = {box.time.begin + by, box.time.end + by};
        nest(layer->boxes[w], layer->depth);
    }
    return layer;
}

bool areOf(const ScopeTrace& scopes, const Trace& trace) {
    if (trace.launches.empty())
        return false;
    const Kernel& kernel = trace.kernelOf(trace.launches.front());
    return scopes.kernel == kernel.name || scopes.kernel == kernel.entry;
}

Result<std::shared_ptr<const ScopeTrace>> scopesOf(const Trace& trace, const std::string& file) {
    const auto text = readFile(file, mostLayerBytes);
    if (!text)
        return text.error();
    auto all = profilers::readScopes(*text, file);
    if (!all)
        return all.error();
    if (trace.launches.empty() || trace.info.timeUnit != TimeUnit::Nanoseconds)
        return Error{.message = say::ScopesNoTimes, .file = file};
    std::string others;
    for (ScopeTrace& one : *all) {
        if (areOf(one, trace))
            return std::make_shared<const ScopeTrace>(std::move(one));
        if (others.find(one.kernel) == std::string::npos && others.size() < 200)
            others += (others.empty() ? "" : ", ") + one.kernel;
    }
    return Error{.message = say::ScopesOfOthers(others, trace.kernelOf(trace.launches.front()).name), .file = file};
}

std::vector<TimelineLayer::Box> TimelineLayer::at(std::uint32_t warp, Time time, Time reach) const {
    std::vector<Box> found;
    for (const Box& box : boxes[warp]) {
        if (box.time.begin > time + reach)
            break;
        const bool isMarker = box.time.length().value == 0;
        if (isMarker ? box.time.begin + reach >= time : box.time.contains(time))
            found.push_back(box);
    }
    return found;
}

std::vector<std::vector<double>> TimelineLayer::warpsIn(const std::vector<Time>& edges) const {
    const std::size_t columns = edges.empty() ? 0 : edges.size() - 1;
    std::vector<std::vector<double>> sums(columns, std::vector<double>(scopes->names.size()));
    for (const std::vector<Box>& warp : boxes)
        for (const Box& box : warp) {
            const auto behind = std::ranges::upper_bound(edges, box.time.begin);
            std::size_t c = behind == edges.begin() ? 0 : std::size_t(behind - edges.begin()) - 1;
            for (; c < columns && edges[c] < box.time.end; ++c) {
                const Time begin = std::max(box.time.begin, edges[c]), end = std::min(box.time.end, edges[c + 1]);
                if (begin < end)
                    sums[c][box.name] += double((end - begin).value) / double((edges[c + 1] - edges[c]).value);
            }
        }
    return sums;
}

void paintTimelineLayer(QPainter& painter, const TimelineLayout& layout, const TimelineModel& model,
                        const TimelineLayer& layer, const Theme& theme) {
    painter.save();
    painter.setClipRect(layout.rows, Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing, false);
    const double words = lineHeight(theme.small());
    std::vector<double> painted(layer.depth + 1); // right end of what is there, at each depth
    for (const TimelineLine& line : layout.lines) {
        if (line.row == noIndex || line.height < leastRow)
            continue;
        const double step = std::min(3.0, (line.height - 4) / (2.0 * (layer.depth + 1)));
        std::ranges::fill(painted, layout.rows.left() - 1);
        for (const std::uint32_t w : model.rows[line.row].warps)
            for (const TimelineLayer::Box& box : layer.boxes[w]) {
                if (box.time.begin > layout.scale.window.end)
                    break;
                const double left = std::max(layout.rows.left() - 2, layout.scale.x(box.time.begin));
                const double right =
                    std::min(layout.rows.right() + 2, std::max(layout.scale.x(box.time.end), left + 1));
                if (right < layout.rows.left() || right <= painted[box.depth] + 0.5)
                    continue; // not in sight, or under what is there
                painted[box.depth] = right;
                const double inset = step * box.depth;
                const QRectF where(left, line.y + 1 + inset, right - left, line.height - 2 - 2 * inset);
                paintVeil(painter, where, box.name, theme);
                painter.setBrush(Qt::NoBrush);
                painter.setPen(QPen(theme.category(int(box.name)), 2));
                painter.drawRect(where);
                const QString label = layer.name(box);
                const double width = textWidth(theme.small(), label) + 8;
                if (width > right - left || words > where.height() + 4)
                    continue;
                const QRectF tag(std::max(left, layout.rows.left()) + 1, where.top(), width,
                                 std::min(words, where.height()));
                painter.fillRect(tag, theme.panel);
                paintText(painter, tag, label, theme.small(), theme.text, Qt::AlignCenter);
            }
    }
    painter.restore();
}

QVector<TimelineLegendEntry> layerLegend(const TimelineLayer& layer, const Theme& theme) {
    QVector<TimelineLegendEntry> legend;
    const auto& names = layer.scopes->names;
    for (std::uint32_t n = 0; n < names.size() && n < namesInLegend; ++n)
        legend.append({TimelineText::tr("%1 (%2)").arg(QString::fromStdString(names[n]),
                                                       QString::fromStdString(layer.scopes->profiler)),
                       veil(theme.category(int(n)), 0.5F), Hatch::None, false});
    return legend;
}

} // namespace warpglass
