// SPDX-License-Identifier: GPL-3.0-or-later
// A row for every column of the picture, of both traces if two are shown.
#include "views/lanes/lanes_picture.h"

namespace warpglass {

QString LanesPicture::csv() const {
    QString out = QStringLiteral("kernel,layer,block,warp,ptx_line,source_line,step,time,time_unit,time_origin,"
                                 "active_mask,taken_mask,lanes_chosen,"
                                 "lanes_active,divergent,mask_origin\n");
    for (const auto& scene : m_scenes) {
        if (scene->request.warp == noIndex)
            continue;
        const Trace& trace = *scene->request.trace;
        for (int i = 0; i < scene->count(); ++i) {
            const SceneColumn col = scene->column(i);
            const Branch& b = scene->branches()[col.branch];
            const Event e = trace.event(trace.warps[col.warp], col.event);
            const Block& block = trace.blocks[scene->request.block];
            QString warp = QString::number(trace.warps[col.warp].warpInBlock);
            int chosen = 0, active = 0, divergent = 0;
            QString activeMask = QStringLiteral("0x%1").arg(e.active.bits, 8, 16, QLatin1Char('0'));
            QString takenMask = QStringLiteral("0x%1").arg(e.taken.bits, 8, 16, QLatin1Char('0'));
            if (scene->request.wholeBlock) {
                const BlockColumn& sum = scene->sums(i);
                for (std::size_t l = 0; l < 32; ++l) {
                    chosen += sum.chosen[l];
                    active += sum.chosen[l] + sum.other[l];
                }
                divergent = sum.divergent;
                warp = QStringLiteral("all");
                activeMask.clear();
                takenMask.clear();
            } else {
                const LaneSplit split = scene->splitOf(i);
                chosen = split.chosen.count();
                active = (split.chosen | split.other).count();
                divergent = split.diverges();
            }
            const QStringList fields{
                csvField(kernelName(*scene)),
                m_state.layer == LanesLayer::Ptx ? QStringLiteral("ptx") : QStringLiteral("source"),
                QString::number(block.index),
                warp,
                QString::number(b.ptxLine),
                b.sourceLine ? QString::number(b.sourceLine) : QString(),
                QString::number(col.step + 1),
                QString::number(col.time.value),
                QString::fromLatin1(name(trace.info.timeUnit)),
                QString::fromLatin1(
                    name(trace.info.timeUnit == TimeUnit::Steps ? Origin::Counted : trace.info.timeOrigin)),
                activeMask,
                takenMask,
                QString::number(chosen),
                QString::number(active),
                QString::number(divergent),
                QStringLiteral("counted")};
            out += fields.join(QLatin1Char(',')) + QLatin1Char('\n');
        }
    }
    return out;
}

} // namespace warpglass
