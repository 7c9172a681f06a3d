// SPDX-License-Identifier: GPL-3.0-or-later
// What the launch map tells in words: tooltips, and its data as CSV.
#include "views/common/agreeing.h"
#include "views/common/marks.h"
#include "views/common/ticks.h"
#include "views/launchmap/launchmap_scene.h"
#include "views/launchmap/launchmap_text.h"

namespace warpglass {
namespace {

QString times(const LaunchMapScene& s) {
    return QStringLiteral(" (") + originName(s.placed()) + QLatin1Char(')');
}

QString aboutBlock(const LaunchMapScene& s, std::uint32_t index) {
    const Block* b = s.blockRow(index);
    if (!b) {
        return {};
    }
    QStringList lines;
    lines << LaunchMapText::tr("Block %1, number %2: %3")
                 .arg(indexText(s.launch->grid.at(index), s.launch->grid), numberText(std::uint64_t(index)),
                      stateName(s.stateOf(*b)));
    if (!ran(*b))
        return lines.join(QLatin1Char('\n'));
    lines << LaunchMapText::tr("SM %1, place %2").arg(b->sm).arg(s.model->place(index)) + times(s);
    lines << LaunchMapText::tr("resident from %1 to %2: %3")
                     .arg(timeOf(s, b->start), timeOf(s, b->end), spanOf(s, b->end - b->start)) +
                 times(s);
    lines << (b->warpCount ? agreeing(LaunchMapText::tr("%1 {warp|warps}, recorded in detail"), b->warpCount)
                           : agreeing(LaunchMapText::tr("%1 {warp|warps}, no detail recorded"), s.threads.warps));
    if (const QString gpu = ghostBlockText(s, index); !gpu.isEmpty())
        lines << gpu;
    return lines.join(QLatin1Char('\n'));
}

QString aboutSm(const LaunchMapScene& s, int sm) {
    return agreeing(LaunchMapText::tr("SM %1: %2 resident now, %3 {block|blocks} in all"), sm,
                    s.model->residentOn(sm, s.now),
                    numberText(std::uint64_t(s.model->balance().blocks[std::size_t(sm)]))) +
           times(s);
}

QString aboutLane(const LaunchMapScene& s, std::uint32_t warp, int lane) {
    const auto thread = s.threads.thread(warp, lane);
    const QString where = LaunchMapText::tr("warp %1, lane %2").arg(warp).arg(lane);
    if (!thread) {
        return where + QLatin1Char('\n') +
               agreeing(LaunchMapText::tr("no thread: the block's %1 {thread does|threads do} not fill its last warp"),
                        s.threads.threads);
    }
    QString text = LaunchMapText::tr("threadIdx %1, linear %2")
                       .arg(indexText(*thread, s.threads.block))
                       .arg(s.threads.linear(warp, lane)) +
                   QLatin1Char('\n') + where;
    if (const Warp* row = s.warpRow(warp)) {
        const auto now = s.trace->lanesAt(*row, s.now);
        const QString does = !now.started                        ? LaunchMapText::tr("not started")
                             : now.ended || now.exited.has(lane) ? LaunchMapText::tr("ended")
                             : now.on.has(lane)                  ? LaunchMapText::tr("on")
                                                                 : LaunchMapText::tr("off: waits for the others");
        text += QLatin1Char('\n') + LaunchMapText::tr("now: %1").arg(does) + QStringLiteral(" (") +
                originName(Origin::Counted) + QLatin1Char(')');
    }
    return text;
}

QString aboutTime(const LaunchMapScene& s, Time t) {
    const BlockCounts counts = s.model->counts(t);
    const Waves& w = s.model->waves();
    QString text = agreeing(LaunchMapText::tr("at %1: %2 resident of %3 {place|places}, %4 waiting, %5 done"),
                            timeOf(s, t), numberText(counts.resident), numberText(w.capacity),
                            numberText(counts.waiting), numberText(counts.done)) +
                   times(s);
    text +=
        QLatin1Char('\n') + LaunchMapText::tr("whole launch: %1 of places x time used").arg(percentText(w.launchUse));
    if (w.hasTail() && w.tail.contains(t)) {
        text += QLatin1Char('\n') + LaunchMapText::tr("tail: no block waits any more; %1 of places x time used here")
                                        .arg(percentText(w.tailUse));
    }
    return text;
}

} // namespace

QString launchMapToolTip(const LaunchMapScene& s, QPointF at) {
    if (const auto block = s.grid.blockAt(at); block && s.layout.grid.contains(at)) {
        return aboutBlock(s, std::uint32_t(*block));
    }
    if (const int sm = s.device.smAt(at); sm >= 0) {
        const int place = s.device.placeAt(sm, at);
        const std::uint32_t block = place >= 0 ? s.blockIn(sm, place) : noIndex;
        return aboutSm(s, sm) + (block != noIndex ? QLatin1Char('\n') + aboutBlock(s, block) : QString());
    }
    if (s.layout.chart.contains(at)) {
        const Time then = s.chart.time(at.x());
        const QString pinned = pinnedAtText(s, then);
        return pinned.isEmpty() ? aboutTime(s, then) : aboutTime(s, then) + QLatin1Char('\n') + pinned;
    }
    if (s.layout.balance.contains(at)) {
        const auto& blocks = s.model->balance().blocks;
        const int sm = int((at.x() - s.layout.balance.left()) / s.layout.balance.width() * double(blocks.size()));
        return sm >= 0 && std::size_t(sm) < blocks.size() ? aboutSm(s, sm) : QString();
    }
    if (const auto thread = s.threadCells.threadAt(at)) {
        return aboutLane(s, s.threads.warpOf(*thread), s.threads.laneOf(*thread));
    }
    if (const auto lane = s.warps.laneAt(at)) {
        return lane->second >= 0 ? aboutLane(s, lane->first, lane->second)
                                 : agreeing(LaunchMapText::tr("warp %1: %2 {thread|threads}"), lane->first,
                                            s.threads.threadsIn(lane->first));
    }
    if (const int lane = s.lanes.laneAt(at); lane >= 0) {
        return aboutLane(s, s.warp, lane);
    }
    return {};
}

QString launchMapCsv(const Trace& trace, const LaunchMapModel& model) {
    const Launch& launch = trace.launches[model.launch()];
    const QString unit = QString::fromLatin1(name(trace.info.timeUnit)),
                  origin = QString::fromLatin1(name(trace.info.timeOrigin));
    const QString kernel = csvField(QString::fromStdString(trace.kernelOf(launch).name));
    QString out = QStringLiteral("kernel,launch,block,x,y,z,sm,place,start,end,time_unit,detail_warps,origin\n");
    for (std::uint32_t i = 0; i < launch.blockCount; ++i) {
        const Block& b = trace.blocks[launch.firstBlock + i];
        const Dim3 at = launch.grid.at(b.index);
        out += kernel;
        for (const std::int64_t v :
             {std::int64_t(model.launch()), std::int64_t(b.index), std::int64_t(at.x), std::int64_t(at.y),
              std::int64_t(at.z), std::int64_t(b.sm), std::int64_t(model.place(i)), b.start.value, b.end.value}) {
            out += QLatin1Char(',') + QString::number(v);
        }
        out += QLatin1Char(',') + unit + QLatin1Char(',') + QString::number(b.warpCount) + QLatin1Char(',') + origin +
               QLatin1Char('\n');
    }
    return out;
}

} // namespace warpglass
