// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/launchtree/launchtree_text.h"

#include "gpu/base/messages/emulator.h"
#include "gpu/base/messages/gpu.h"
#include "views/common/agreeing.h"
#include "views/common/marks.h"
#include "views/common/sentences.h"
#include "views/common/shown_words.h"
#include "views/common/ticks.h"

#include <QFontMetricsF>

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

QString namedRow(const Trace& trace, const TreeRow& row, std::optional<std::uint64_t> grids, const QString& name) {
    const QString shape = shapeText(trace.launches[row.launches.front()]);
    const QString text = name.isEmpty() ? shape : name + QLatin1Char(' ') + shape;
    return row.isGroup
               ? agreeing(LaunchTreeText::tr("%1 {grid|grids}"), numberText(grids.value_or(row.launches.size()))) +
                     QStringLiteral("  ") + text
               : text;
}

} // namespace

QString shapeText(const Launch& launch) {
    return QStringLiteral("<<<%1, %2>>>")
        .arg(QString::fromStdString(launch.grid.text()), QString::fromStdString(launch.block.text()));
}

QString rowText(const Trace& trace, const TreeRow& row, std::optional<std::uint64_t> grids) {
    return namedRow(trace, row, grids,
                    shown(QString::fromStdString(trace.kernelOf(trace.launches[row.launches.front()]).name)));
}

QString fittedRowText(const Trace& trace, const TreeRow& row, std::optional<std::uint64_t> grids, const QFont& font,
                      qreal room) {
    const QString name = shown(QString::fromStdString(trace.kernelOf(trace.launches[row.launches.front()]).name));
    const qreal others = textWidth(font, namedRow(trace, row, grids, {}) + QLatin1Char(' '));
    const QString fitted = QFontMetricsF(font).elidedText(name, Qt::ElideMiddle, room - others);
    constexpr qsizetype least = 7; // letters; fewer name nothing
    return namedRow(trace, row, grids, fitted == name || fitted.size() > least ? fitted : QString());
}

namespace {
bool isForPending(const Said& reason) {
    if (!reason.isTyped()) // of an older recording
        return reason.text().find("pending") != std::string::npos;
    const MessageId id = reason.id();
    return id == say::TooManyPending.id || id == say::PendingOverLimit.id || id == say::NoParameterBuffer.id ||
           id == say::BufferWithoutLaunch.id;
}
} // namespace

QString droppedText(const TreeTotals& totals) {
    QString what =
        (totals.dropped == 1 ? LaunchTreeText::tr("%1 launch never ran: %2. The call returned an error inside the "
                                                  "kernel, where nobody looked.")
                             : LaunchTreeText::tr("%1 launches never ran: %2. The call returned an error inside the "
                                                  "kernel, where nobody looked."))
            .arg(numberText(totals.dropped), sentence(totals.dropReason));
    if (!isForPending(totals.dropReason)) // the remedy is for this reason alone
        return what;
    return what + QLatin1Char(' ') +
           LaunchTreeText::tr("With few blocks the same program is right. Raise "
                              "cudaLimitDevRuntimePendingLaunchCount, or launch one grid for all.");
}

QString whoText(const Trace& trace, const TreeRow& row, bool withStream) {
    const Launch& first = trace.launches[row.launches.front()];
    if (first.parentLaunch == noIndex)
        return streamText(StreamKind::Host);
    QString stream = streamText(first.stream);
    if (row.isGroup)
        return stream;
    const Launch& parent = trace.launches[first.parentLaunch];
    const QString block = indexText(parent.grid.at(first.parentBlock), parent.grid);
    const QString thread = indexText(parent.block.at(first.parentThread), parent.block);
    return withStream ? LaunchTreeText::tr("by block %1 thread %2, %3").arg(block, thread, stream)
                      : LaunchTreeText::tr("by block %1 thread %2").arg(block, thread);
}

QString rowToolTip(const Trace& trace, const TreeRow& row) {
    const QString last = row.dropped
                             ? sentence(trace.launches[row.launches.front()].reason)
                             : LaunchTreeText::tr("%1 (%2)").arg(timeText(row.end - row.start, trace.info.timeUnit),
                                                                 originName(trace.info.timeOrigin));
    return QStringList{
        rowText(trace, row), whoText(trace, row),
        agreeing(LaunchTreeText::tr("depth %1, %2 {grid|grids} below"), row.depth, numberText(row.descendants)), last}
        .join(QLatin1Char('\n'));
}

} // namespace warpglass
