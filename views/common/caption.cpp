// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/caption.h"

#include "gpu/metrics/model_accuracy.h"
#include "gpu/metrics/why_words.h"

#include "views/common/agreeing.h"
#include "views/common/marks.h"
#include "views/common/sentences.h"
#include "views/common/ticks.h"

#include <QCoreApplication>

#include <algorithm>

namespace warpglass {

namespace {

struct CaptionText {
    Q_DECLARE_TR_FUNCTIONS(TraceCaption)
};

enum class CaptionRank { Device, Clock, Model, Mode, Without, Times, Lost, Kernel }; // in this order they go

struct CaptionPart {
    CaptionRank rank;
    QString text;
};

QString joined(const QVector<CaptionPart>& parts) {
    QStringList texts;
    for (const CaptionPart& part : parts)
        texts << part.text;
    return texts.join(QStringLiteral("  ·  "));
}

// "without_l1-misses": "L1 misses".
Said wordsOfCounter(const std::string& metric) {
    const auto limit = parseEnum<Limit>(metric.substr(std::string_view("without_").size()));
    return limit ? Said(wordsOf(*limit)) : Said(metric);
}

QVector<CaptionPart> partsOf(const Trace& trace, const Selection& selection) {
    QVector<CaptionPart> parts;
    const auto add = [&](CaptionRank rank, const QString& text) { parts.push_back({rank, text}); };
    const TraceInfo& info = trace.info;
    if (!trace.launches.empty()) {
        const Launch& launch = trace.launches[selection.launch < trace.launches.size() ? selection.launch : 0];
        if (launch.kernel < trace.kernels.size())
            add(CaptionRank::Kernel,
                QStringLiteral("%1 <<<%2, %3>>>")
                    .arg(QString::fromStdString(trace.kernels[launch.kernel].name),
                         QString::fromStdString(launch.grid.text()), QString::fromStdString(launch.block.text())));
    }
    add(CaptionRank::Mode, CaptionText::tr(name(info.mode)));
    add(CaptionRank::Device, info.backend == BackendKind::Cuda
                                 ? CaptionText::tr("run on %1").arg(QString::fromStdString(info.deviceName))
                                 : CaptionText::tr("emulated %1").arg(QString::fromStdString(info.deviceName)));
    if (info.timeUnit == TimeUnit::Steps)
        add(CaptionRank::Times, CaptionText::tr("order only, no time: counted"));
    else
        add(CaptionRank::Times, CaptionText::tr("times %1").arg(originName(info.timeOrigin)));
    QStringList without;
    for (const Counter& counter : trace.counters)
        if (counter.metric.starts_with("without_") && counter.value == 1)
            without << sentence(wordsOfCounter(counter.metric));
    if (!without.isEmpty())
        add(CaptionRank::Without, CaptionText::tr("without %1").arg(without.join(QStringLiteral(", "))));
    if (info.timing) {
        const Said error = kindError(trace, selection.launch < trace.launches.size() ? selection.launch : 0);
        add(CaptionRank::Model,
            error.empty() ? CaptionText::tr("model not compared with this device") : sentence(error));
    }
    if (info.clockResidual > 0)
        add(CaptionRank::Clock, CaptionText::tr("clock error ± %1").arg(timeText({info.clockResidual}, info.timeUnit)));
    const std::uint64_t lost = trace.lostEvents();
    if (lost > 0)
        add(CaptionRank::Lost, agreeing(CaptionText::tr("%1 {event was|events were} not recorded"), numberText(lost)));
    return parts;
}

} // namespace

QString traceCaption(const Trace& trace, const Selection& selection) {
    return joined(partsOf(trace, selection));
}

QString fittedTraceCaption(const Trace& trace, const Selection& selection, const QFont& font, qreal width) {
    QVector<CaptionPart> parts = partsOf(trace, selection);
    while (parts.size() > 1 && textWidth(font, joined(parts)) > width + 0.5)
        parts.erase(std::min_element(parts.begin(), parts.end(),
                                     [](const CaptionPart& a, const CaptionPart& b) { return a.rank < b.rank; }));
    return joined(parts);
}

} // namespace warpglass
