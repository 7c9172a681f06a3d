// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/launchtree/launchtree_text.h"

#include "views/common/marks.h"
#include "views/common/sentences.h"
#include "views/common/ticks.h"

namespace warpglass {

namespace {

QString streamText(StreamKind stream) {
    switch (stream) {
    case StreamKind::Host:
        return LaunchTreeText::tr("from the host");
    case StreamKind::Default:
        return LaunchTreeText::tr("default stream");
    case StreamKind::Tail:
        return LaunchTreeText::tr("tail launch");
    case StreamKind::FireAndForget:
        return LaunchTreeText::tr("fire and forget");
    }
    return {};
}

} // namespace

QString shapeText(const Launch& launch) {
    return QStringLiteral("<<<%1, %2>>>")
        .arg(QString::fromStdString(launch.grid.text()), QString::fromStdString(launch.block.text()));
}

QString rowText(const Trace& trace, const TreeRow& row, std::optional<std::uint64_t> grids) {
    const Launch& first = trace.launches[row.launches.front()];
    const QString text = QString::fromStdString(trace.kernelOf(first).name) + QLatin1Char(' ') + shapeText(first);
    return row.isGroup ? LaunchTreeText::tr("%1 grids").arg(numberText(grids.value_or(row.launches.size()))) +
                             QStringLiteral("  ") + text
                       : text;
}

QString whoText(const Trace& trace, const TreeRow& row, bool withStream) {
    const Launch& first = trace.launches[row.launches.front()];
    if (first.parentLaunch == noIndex)
        return streamText(StreamKind::Host);
    QString stream = streamText(first.stream);
    if (row.isGroup)
        return stream;
    const Launch& parent = trace.launches[first.parentLaunch];
    const QString block = QString::fromStdString(parent.grid.at(first.parentBlock).indexText());
    const QString thread = QString::fromStdString(parent.block.at(first.parentThread).indexText());
    return withStream ? LaunchTreeText::tr("by block %1 thread %2, %3").arg(block, thread, stream)
                      : LaunchTreeText::tr("by block %1 thread %2").arg(block, thread);
}

QString rowToolTip(const Trace& trace, const TreeRow& row) {
    const QString last = row.dropped
                             ? sentence(trace.launches[row.launches.front()].reason)
                             : LaunchTreeText::tr("%1 (%2)").arg(timeText(row.end - row.start, trace.info.timeUnit),
                                                                 originName(trace.info.timeOrigin));
    return QStringList{rowText(trace, row), whoText(trace, row),
                       LaunchTreeText::tr("depth %1, %2 grids below").arg(row.depth).arg(numberText(row.descendants)),
                       last}
        .join(QLatin1Char('\n'));
}

} // namespace warpglass
