// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/export/report.h"

#include "app/window/export/report_parts.h"
#include "app/window/model/differences.h"
#include "app/window/view_registry.h"
#include "gpu/metrics/metrics.h"
#include "gpu/metrics/model_accuracy.h"
#include "gpu/trace/register_origin.h"
#include "views/common/beside.h"
#include "views/common/caption.h"
#include "views/common/marks.h"
#include "views/common/sentences.h"
#include "views/common/shown_words.h"
#include "views/common/ticks.h"
#include "views/common/whole_file.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QLocale>
#include <QSysInfo>

namespace warpglass {

namespace {

QString text(const std::string& s) {
    return shown(QString::fromStdString(s));
}

constexpr int mostDiagnostics = 20;

QString processorName() {
    QFile file(QStringLiteral("/proc/cpuinfo"));
    if (file.open(QIODevice::ReadOnly))
        for (const QByteArray& line : file.readAll().split('\n'))
            if (line.startsWith("model name"))
                return QString::fromUtf8(line.mid(line.indexOf(':') + 1)).trimmed();
    return QSysInfo::currentCpuArchitecture();
}

} // namespace

QVector<QPair<QString, QString>> reportFacts(const Trace& trace) {
    QVector<QPair<QString, QString>> facts;
    const TraceInfo& info = trace.info;
    const auto add = [&](const QString& label, const QString& value) {
        if (!value.isEmpty())
            facts.append({label, value});
    };
    if (!trace.launches.empty()) {
        const Launch& l = trace.launches.front();
        const Kernel& k = trace.kernelOf(l);
        add(ReportText::tr("kernel"), text(k.sourceName.empty() ? k.name : k.name + " (" + k.sourceName + ")"));
        QString shape = ReportText::tr("grid %1, block %2").arg(text(l.grid.text()), text(l.block.text()));
        if (l.sharedBytes > 0)
            shape += ReportText::tr(", %1 bytes of dynamic shared memory").arg(l.sharedBytes);
        add(ReportText::tr("launch"), shape);
        if (k.registers > 0)
            add(ReportText::tr("registers a thread"), registersEstimated(trace, 0)
                                                          ? ReportText::tr("%1 (estimated)").arg(k.registers)
                                                          : QString::number(k.registers));
        if (k.cleanDurationNs > 0 && k.probedDurationNs > 0)
            add(ReportText::tr("what probing cost"), ReportText::tr("%1 clean, %2 with probes (measured)")
                                                         .arg(figureText(k.cleanDurationNs, QStringLiteral("ns")),
                                                              figureText(k.probedDurationNs, QStringLiteral("ns"))));
    }
    add(ReportText::tr("compiled"), info.mode == CompileMode::AsWritten
                                        ? ReportText::tr("as written, nothing optimised away")
                                        : ReportText::tr("optimised"));
    QString device = text(info.deviceName);
    if (info.ccMajor > 0)
        device += ReportText::tr(", compute capability %1.%2").arg(info.ccMajor).arg(info.ccMinor);
    if (info.smCount > 0)
        device += ReportText::tr(", %1 SMs").arg(info.smCount);
    if (info.smClockMHz > 0)
        device += ReportText::tr(", %1 MHz").arg(decimalText(info.smClockMHz, 0));
    add(info.backend == BackendKind::Cuda ? ReportText::tr("ran on") : ReportText::tr("emulated device"), device);
    add(ReportText::tr("driver"), text(info.driver));
    add(ReportText::tr("recorded by"), text(info.program));
    add(ReportText::tr("recorded at"), text(info.when));
    add(ReportText::tr("command"), text(info.command));
    if (info.timeUnit == TimeUnit::Steps)
        add(ReportText::tr("times"),
            ReportText::tr("order only, in steps of one warp instruction: counted, no nanoseconds"));
    else
        add(ReportText::tr("times"), ReportText::tr("nanoseconds, %1").arg(originName(info.timeOrigin)));
    if (info.clockResidual > 0)
        add(ReportText::tr("clock error"), QStringLiteral("± %1").arg(timeText({info.clockResidual}, info.timeUnit)));
    for (const TimingRow& t : trace.timings)
        if (t.launch == 0)
            add(ReportText::tr("timing model"),
                ReportText::tr("scheduling policy %1; %2 SMs cycle by cycle, %3 blocks; launch overhead %4")
                    .arg(text(t.policy), QString::number(t.timedSms), numberText(t.timedBlocks),
                         figureText(t.overheadNs, QStringLiteral("ns"))));
    if (info.timing)
        add(ReportText::tr("error of the model for such kernels"), sentence(kindErrorSentence(trace)));
    const std::uint64_t lost = trace.lostEvents();
    add(ReportText::tr("events"),
        lost == 0 ? ReportText::tr("%1 recorded, none lost").arg(numberText(std::uint64_t(trace.events.size())))
                  : ReportText::tr("%1 recorded, %2 lost")
                        .arg(numberText(std::uint64_t(trace.events.size())), numberText(lost)));
    return facts;
}

QVector<QPair<QString, QString>> machineFacts() {
    return {
        {ReportText::tr("system"), QSysInfo::prettyProductName() + QStringLiteral(", ") + QSysInfo::kernelType() +
                                       QLatin1Char(' ') + QSysInfo::kernelVersion()},
        {ReportText::tr("processor"), processorName()},
        {ReportText::tr("written by"),
         QStringLiteral("Warpglass %1, Qt %2").arg(QStringLiteral(WARPGLASS_VERSION), QString::fromLatin1(qVersion()))},
        {ReportText::tr("written at"), QDateTime::currentDateTimeUtc().toString(Qt::ISODate)}};
}

namespace {

ReportTable factsTable(const QVector<QPair<QString, QString>>& facts) {
    ReportTable table;
    table.shares = {1, 4};
    for (const auto& [label, value] : facts)
        table.rows.append({{label, {}, true}, {value, {}, false}});
    return table;
}

ReportTable metricsTable(const Trace& trace) {
    ReportTable table;
    table.header = {ReportText::tr("metric"), ReportText::tr("value"), ReportText::tr("origin"),
                    ReportText::tr("how it is worked out"), QStringLiteral("Nsight Compute")};
    table.shares = {2.0, 1.1, 0.9, 4.0, 4.4};
    table.rightAligned = {1};
    for (const Metric& m : metrics(trace, 0)) {
        const MetricDefinition* metric = findMetric(m.name);
        const QString meaning = metric ? text(std::string(metric->formula)) : QString();
        table.rows.append({{text(m.name), {}, false},
                           {m.value ? figureText(*m.value, text(m.unit)) : QStringLiteral("–"), {}, false},
                           {m.value ? originName(m.origin) : QString(), m.origin, false},
                           {m.value ? meaning : text(m.why), {}, true},
                           {text(m.nsight), {}, true}});
    }
    return table;
}

ReportTable differencesTable(const QVector<Difference>& rows) {
    ReportTable table;
    table.header = {ReportText::tr("metric"), QStringLiteral("A"),     ReportText::tr("origin"), QStringLiteral("B"),
                    ReportText::tr("origin"), QStringLiteral("B − A"), QStringLiteral("B / A")};
    table.shares = {2.4, 1.5, 1, 1.5, 1, 1.5, 1};
    table.rightAligned = {1, 3, 5, 6};
    for (const Difference& d : rows) {
        const auto value = [&](const std::optional<double>& v) {
            return v ? figureText(*v, d.unit) : QStringLiteral("–");
        };
        const auto origin = [](bool there, Origin o) {
            return ReportCell{there ? originName(o) : QString(), there ? std::optional(o) : std::nullopt, false};
        };
        const auto ratio = d.ratio();
        table.rows.append(
            {{d.metric, {}, false},
             {value(d.a), {}, false},
             origin(d.a.has_value(), d.originA),
             {value(d.b), {}, false},
             origin(d.b.has_value(), d.originB),
             {value(d.difference()), {}, false},
             {ratio ? (d.mixed() ? QStringLiteral("⚠ ") : QString()) + decimalText(*ratio, 3) : QStringLiteral("–"),
              {},
              false}});
    }
    return table;
}

QString titleOf(const Trace& trace) {
    if (trace.launches.empty())
        return QStringLiteral("Warpglass");
    const Launch& l = trace.launches.front();
    return QStringLiteral("%1 <<<%2, %3>>>")
        .arg(text(trace.kernelOf(l).name), text(l.grid.text()), text(l.block.text()));
}

} // namespace

ReportTable numbersTable(const Trace& trace, const Trace* other) {
    return other ? differencesTable(differences(trace, *other)) : metricsTable(trace);
}

ReportDocument reportDocument(const ReportRequest& request) {
    ReportDocument document;
    const Trace& trace = *request.context.trace;
    const Trace* other = request.context.other.get();
    document.title = titleOf(trace);
    if (other)
        document.title += QStringLiteral("  |  ") + titleOf(*other);
    document.sections.append(
        {other ? ReportText::tr("Run A: what the figures rest on") : ReportText::tr("What the figures rest on"),
         request.file, factsTable(reportFacts(trace))});
    if (other) {
        document.sections.append(
            {ReportText::tr("Run B: what the figures rest on"), {}, factsTable(reportFacts(*other))});
        const QVector<Difference> rows = differences(trace, *other);
        document.sections.append(
            {ReportText::tr("Differences"), differencesWarning(rows, trace, *other), numbersTable(trace, other)});
    } else {
        document.sections.append({ReportText::tr("Metrics of the launch"), {}, numbersTable(trace, nullptr)});
    }
    if (!trace.diagnostics.empty()) {
        ReportTable table;
        table.shares = {1};
        for (const Diagnostic& d : trace.diagnostics)
            if (table.rows.size() < mostDiagnostics)
                table.rows.append({ReportCell{text(d.message), {}, false}});
        document.sections.append({ReportText::tr("What the run found wrong"), {}, table});
    }
    document.sections.append(
        {ReportText::tr("The machine this report was written on"), {}, factsTable(machineFacts())});
    return document;
}

QString writeReport(const ReportRequest& request, const QString& path, Progress& progress) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix != QLatin1String("html") && suffix != QLatin1String("pdf"))
        return ReportText::tr("A report ends in .html or .pdf; \"%1\" does not.").arg(path);
    if (!request.context.trace || request.context.trace->launches.empty())
        return ReportText::tr("There is no run to report on.");
    std::vector<ReportPicture> pictures;
    QVector<ReportView> views = request.views;
    const bool chosen = !views.isEmpty();
    if (!chosen)
        for (const QString& key : viewKeys())
            views.append({key, {}});
    for (const ReportView& wanted : views) {
        ReportPicture picture;
        picture.view = makeView(wanted.key);
        if (!picture.view)
            return ReportText::tr("There is no view \"%1\".").arg(wanted.key);
        picture.context = request.context;
        picture.context.options = wanted.options;
        if (!chosen && picture.view->thoroughEmptiness(picture.context))
            continue;
        pictures.push_back(std::move(picture));
    }
    WholeFile file(path); // nothing half-written stays behind
    if (!file.open(QIODevice::WriteOnly))
        return file.whyNot();
    const ReportDocument document = reportDocument(request);
    const bool written = suffix == QLatin1String("html")
                             ? writeReportHtml(document, pictures, request.context.theme, file, progress)
                             : writeReportPdf(document, pictures, request.context.theme, file, progress);
    if (progress.cancelled()) {
        file.cancelWriting();
        return ReportText::tr("The report was cancelled.");
    }
    if (!written || !file.commit())
        return file.whyNot();
    progress.report(1.0);
    return {};
}

} // namespace warpglass
