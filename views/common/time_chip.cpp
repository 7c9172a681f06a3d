// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/time_chip.h"

#include "views/common/marks.h"

#include <QCoreApplication>

namespace warpglass {

bool isDebugBuild(const TraceInfo& info) {
    return info.mode == CompileMode::AsWritten && info.timeUnit != TimeUnit::Steps;
}

QString timeChipText(const TraceInfo& info, const Theme& theme, qreal room) {
    QString origin = originName(info.timeOrigin);
    if (!isDebugBuild(info))
        return origin;
    const QString whole = QCoreApplication::translate("TimeChip", "%1, debug build").arg(origin);
    return chipWidth(whole, theme) <= room ? whole : origin;
}

QRectF paintTimeChip(QPainter& painter, QPointF topLeft, const TraceInfo& info, const Theme& theme, qreal room) {
    return paintChip(painter, topLeft, timeChipText(info, theme, room), theme.origin(info.timeOrigin),
                     theme.originSoft(info.timeOrigin), theme);
}

} // namespace warpglass
