// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/caption.h"

#include "gpu/metrics/model_accuracy.h"
#include "gpu/metrics/why_words.h"

#include "views/common/marks.h"
#include "views/common/sentences.h"
#include "views/common/ticks.h"

#include <QCoreApplication>

namespace warpglass {

namespace {

struct CaptionText {
    Q_DECLARE_TR_FUNCTIONS(TraceCaption)
};

// "without_l1-misses": "L1 misses".
std::string wordsOfCounter(const std::string& metric) {
    const auto limit = parseEnum<Limit>(metric.substr(std::string_view("without_").size()));
    return limit ? wordsOf(*limit) : metric;
}

} // namespace

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
    parts << CaptionText::tr(name(info.mode));
    parts << (info.backend == BackendKind::Cuda
                  ? CaptionText::tr("run on %1").arg(QString::fromStdString(info.deviceName))
                  : CaptionText::tr("emulated %1").arg(QString::fromStdString(info.deviceName)));
    if (info.timeUnit == TimeUnit::Steps)
        parts << CaptionText::tr("order only, no time: counted");
    else
        parts << CaptionText::tr("times %1").arg(originName(info.timeOrigin));
    QStringList without;
    for (const Counter& counter : trace.counters)
        if (counter.metric.starts_with("without_") && counter.value == 1)
            without << sentence(wordsOfCounter(counter.metric));
    if (!without.isEmpty())
        parts << CaptionText::tr("without %1").arg(without.join(QStringLiteral(", ")));
    if (info.timing) {
        const ModelAccuracy a = modelAccuracy(quotedRole);
        parts << (modelIsMeasuredOn(info.deviceName) ? CaptionText::tr("mean model error %1 %, rank correlation %2")
                                                           .arg(qRound(100 * a.meanError))
                                                           .arg(a.rankCorrelation, 0, 'f', 2)
                                                     : CaptionText::tr("model not compared with this device"));
    }
    if (info.clockResidual > 0)
        parts << CaptionText::tr("clock error ± %1").arg(timeText({info.clockResidual}, info.timeUnit));
    const std::uint64_t lost = trace.lostEvents();
    if (lost > 0)
        parts << CaptionText::tr("%1 events were not recorded").arg(numberText(lost));
    return parts.join(QStringLiteral("  ·  "));
}

} // namespace warpglass
