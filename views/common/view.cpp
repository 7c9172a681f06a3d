// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/view.h"

#include "gpu/metrics/model_accuracy.h"

#include "views/common/marks.h"
#include "views/common/ticks.h"

#include <QCoreApplication>

namespace warpglass {

QString optionOf(const PaintContext& context, const QString& name, const QString& standard) {
    const QString value = context.options.value(name).toString();
    return value.isEmpty() ? standard : value;
}

namespace {

// The empty state: a sentence in the middle, not wider than is pleasant to read, and below it the button.
QRectF paintEmptiness(QPainter& painter, const QRectF& area, const View::Emptiness& emptiness, const Theme& theme,
                      bool withAction) {
    const qreal s = theme.fontScale;
    const qreal width = qMin(area.width() - 40 * s, 460 * s);
    const QRectF probe(0, 0, width, 0);
    const qreal height = paintParagraph(nullptr, probe, emptiness.why, theme.body(), theme.textMuted);
    const bool button = withAction && !emptiness.actionText.isEmpty();
    const qreal buttonHeight = button ? lineHeight(theme.body()) + 14 * s : 0;
    const qreal top = area.center().y() - (height + buttonHeight + 62 * s) / 2;

    // A warp with nothing in it: eight empty lanes.
    const qreal cell = 12 * s, gap = 3 * s, strip = 8 * cell + 7 * gap;
    for (int i = 0; i < 8; ++i)
        paintLane(painter, {area.center().x() - strip / 2 + i * (cell + gap), top, cell, 18 * s}, LaneMark::Exited,
                  theme);

    const QRectF text(area.center().x() - width / 2, top + 34 * s, width, height);
    if (height < 1.5 * lineHeight(theme.body()))
        paintText(painter, text, emptiness.why, theme.body(), theme.textMuted, Qt::AlignCenter);
    else
        paintParagraph(&painter, text, emptiness.why, theme.body(), theme.textMuted);
    if (!button)
        return {};
    QFont bold = theme.body();
    bold.setBold(true);
    const qreal buttonWidth = textWidth(bold, emptiness.actionText) + 36 * s;
    const QRectF rect(area.center().x() - buttonWidth / 2, text.bottom() + 16 * s, buttonWidth, buttonHeight);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.accent);
    painter.drawRoundedRect(rect, 6 * s, 6 * s);
    paintText(painter, rect, emptiness.actionText, bold, theme.textOnAccent, Qt::AlignCenter);
    return rect;
}

} // namespace

QRectF paintView(const View& view, QPainter& painter, const QRectF& area, const PaintContext& context,
                 bool withAction) {
    painter.fillRect(area, context.theme.window);
    if (const auto emptiness = view.emptiness(context))
        return paintEmptiness(painter, area, *emptiness, context.theme, withAction);
    painter.save();
    painter.setClipRect(area);
    painter.setRenderHint(QPainter::Antialiasing);
    view.paint(painter, area, context);
    painter.restore();
    return {};
}

QString traceCaption(const Trace& trace, const Selection& selection) {
    QStringList parts;
    const TraceInfo& info = trace.info;
    if (!trace.launches.empty()) {
        const Launch& launch = trace.launches[selection.launch < trace.launches.size() ? selection.launch : 0];
        if (launch.kernel < trace.kernels.size())
            parts << QStringLiteral("%1 <<<%2, %3>>>")
                         .arg(QString::fromStdString(trace.kernels[launch.kernel].name),
                              QString::fromStdString(launch.grid.text()), QString::fromStdString(launch.block.text()));
    }
    parts << QString::fromLatin1(name(info.mode));
    parts
        << (info.backend == BackendKind::Cuda
                ? QCoreApplication::translate("TraceCaption", "run on %1").arg(QString::fromStdString(info.deviceName))
                : QCoreApplication::translate("TraceCaption", "emulated %1")
                      .arg(QString::fromStdString(info.deviceName)));
    if (info.timeUnit == TimeUnit::Steps)
        parts << QCoreApplication::translate("TraceCaption", "order only, no time: counted");
    else
        parts << QCoreApplication::translate("TraceCaption", "times %1").arg(originName(info.timeOrigin));
    if (info.timing) {
        const ModelAccuracy a = modelAccuracy("further");
        parts << (info.deviceName.find("H200") != std::string::npos
                      ? QCoreApplication::translate("TraceCaption", "mean model error %1 %, rank correlation %2")
                            .arg(qRound(100 * a.meanError))
                            .arg(a.rankCorrelation, 0, 'f', 2)
                      : QCoreApplication::translate("TraceCaption", "model not compared with this device"));
    }
    if (info.clockResidual > 0)
        parts << QCoreApplication::translate("TraceCaption", "clock error ± %1")
                     .arg(timeText({info.clockResidual}, info.timeUnit));
    std::uint64_t lost = 0;
    for (const Loss& loss : trace.losses)
        lost += loss.events;
    if (lost > 0)
        parts << QCoreApplication::translate("TraceCaption", "%1 events were not recorded").arg(numberText(lost));
    return parts.join(QStringLiteral("  ·  "));
}

} // namespace warpglass
