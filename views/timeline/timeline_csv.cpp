// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_picture.h"

namespace warpglass {

// Warps by state, and by the other profiler's ranges, over the visible time, in 1000 equal parts.
QString TimelinePicture::csv() const {
    const TimeRange window = m_layout.scale.window;
    TimelineColumns columns;
    columns.reset(1000, model().categories);
    model().stacked(nullptr, window, columns);
    QString csv = QString("time_%1").arg(name(trace().info.timeUnit));
    for (int k = 0; k < model().categories; ++k)
        csv += QString(",warps_%1")
                   .arg(model().hasStates() ? name(WarpState(k))
                        : k == 1            ? "waiting_at_barrier"
                                            : "running");
    if (m_layer)
        for (const std::string& range : m_layer->scopes->names)
            csv += "," + csvField("warps_in_" + QString::fromStdString(range));
    csv += ",origin\n";
    const auto at = [&](std::size_t c) {
        return Time{window.begin.value +
                    std::int64_t(double(window.length().value) * double(c) / double(columns.size()))};
    };
    std::vector<std::vector<double>> layer;
    if (m_layer) {
        std::vector<Time> edges;
        for (std::size_t c = 0; c <= columns.size(); ++c)
            edges.push_back(at(c));
        layer = m_layer->warpsIn(edges);
    }
    for (std::size_t c = 0; c < columns.size(); ++c) {
        csv += QString::number(at(c).value);
        for (int k = 0; k < model().categories; ++k)
            csv += QString(",%1").arg(double(columns.share(c, k)), 0, 'f', 3);
        if (m_layer)
            for (const double warps : layer[c])
                csv += QString(",%1").arg(warps, 0, 'f', 3);
        csv += QString(",%1\n").arg(name(trace().info.timeOrigin));
    }
    return csv;
}

} // namespace warpglass
