// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/program_text.h"

#include "views/program/collective_text.h"
#include "views/program/program_waits.h"

#include "gpu/device/device.h"
#include "gpu/metrics/model_accuracy.h"
#include "gpu/program/devices.h"
#include "gpu/program/ends.h"
#include "gpu/program/settings.h"
#include "views/common/agreeing.h"
#include "views/common/sentences.h"
#include "views/common/shown_words.h"
#include "views/common/ticks.h"

#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace warpglass {

using program::Direction;
using program::MemoryKind;
using program::Operation;
using program::OperationKind;

KindLook lookOf(OperationKind kind, const Theme& theme) {
    switch (kind) {
    case OperationKind::Launch:
        return {theme.laneOn};
    case OperationKind::Copy:
        return {theme.category(1)};
    case OperationKind::Fill:
        return {theme.category(3), Hatch::Dot};
    case OperationKind::Allocate:
        return {theme.category(2)};
    case OperationKind::Free:
        return {theme.category(7), Hatch::Diagonal};
    case OperationKind::Wait:
        return {theme.laneOff, Hatch::Dash};
    case OperationKind::Record:
        return {theme.category(4), Hatch::Ring};
    case OperationKind::StreamWait:
        return {theme.category(6), Hatch::Dash};
    case OperationKind::Library:
        return {theme.laneOn, Hatch::Diagonal};
    case OperationKind::HostFunction:
        break;
    }
    return {theme.category(5), Hatch::Dot};
}

namespace {

// The kernel that takes most time; null where times rank none.
const KernelSum* hottest(const ProgramModel& model) {
    const auto most = std::max_element(model.kernels.begin(), model.kernels.end(),
                                       [](const KernelSum& a, const KernelSum& b) { return a.total < b.total; });
    return model.deviceTimes && most != model.kernels.end() && most->total > 0 ? &*most : nullptr;
}

} // namespace

std::vector<QColor> kernelColours(const ProgramModel& model, const Theme& theme) {
    constexpr float palest = 0.62F; // of the way to the ground
    std::vector<QColor> colours(model.kernels.size(), theme.laneOn);
    const KernelSum* most = hottest(model);
    for (std::size_t k = 0; most && k < colours.size(); ++k) {
        const float pale = palest * (1 - float(double(model.kernels[k].total) / double(most->total)));
        const QColor &full = theme.laneOn, &ground = theme.panel;
        colours[k] = QColor::fromRgbF(full.redF() + (ground.redF() - full.redF()) * pale,
                                      full.greenF() + (ground.greenF() - full.greenF()) * pale,
                                      full.blueF() + (ground.blueF() - full.blueF()) * pale);
    }
    return colours;
}

QString mostTimeText(const ProgramModel& model) {
    const KernelSum* most = hottest(model);
    if (!most || model.kernels.size() < 2)
        return {};
    const QString share = (most->estimated > 0 ? QStringLiteral("≈ ") : QString()) + percentText(model.share(*most));
    return ProgramText::tr("most time: %1, %2").arg(kernelText(model, most->launches.front()), share);
}

QString kindText(OperationKind kind) {
    switch (kind) {
    case OperationKind::Launch:
        return ProgramText::tr("launch");
    case OperationKind::Copy:
        return ProgramText::tr("copy");
    case OperationKind::Fill:
        return ProgramText::tr("fill");
    case OperationKind::Allocate:
        return ProgramText::tr("allocation");
    case OperationKind::Free:
        return ProgramText::tr("free");
    case OperationKind::Wait:
        return ProgramText::tr("host waits");
    case OperationKind::Record:
        return ProgramText::tr("event");
    case OperationKind::StreamWait:
        return ProgramText::tr("wait for an event");
    case OperationKind::Library:
        return ProgramText::tr("call of a library");
    case OperationKind::HostFunction:
        break;
    }
    return ProgramText::tr("function of the host");
}

QString directionText(Direction direction) {
    switch (direction) {
    case Direction::HostToDevice:
        return ProgramText::tr("host to device");
    case Direction::DeviceToHost:
        return ProgramText::tr("device to host");
    case Direction::DeviceToDevice:
        return ProgramText::tr("device to device");
    case Direction::HostToHost:
        return ProgramText::tr("host to host");
    case Direction::None:
        break;
    }
    return {};
}

QString memoryText(MemoryKind kind) {
    switch (kind) {
    case MemoryKind::Device:
        return ProgramText::tr("device memory");
    case MemoryKind::Managed:
        return ProgramText::tr("managed memory");
    case MemoryKind::Host:
        return ProgramText::tr("pinned memory");
    case MemoryKind::Registered:
        return ProgramText::tr("registered memory");
    case MemoryKind::Variable:
        break;
    }
    return ProgramText::tr("a variable");
}

namespace {

// "rank 1: host" of several processes.
QString ofProcess(const program::ProgramTrace& trace, std::uint32_t process, const QString& what) {
    if (process >= trace.info.processes.size())
        return what;
    const program::ProgramProcess& one = trace.info.processes[process];
    return one.rank >= 0 ? ProgramText::tr("rank %1: %2").arg(QString::number(one.rank), what)
                         : ProgramText::tr("process %1: %2").arg(QString::number(one.process), what);
}

} // namespace

QString streamText(const program::ProgramTrace& trace, std::uint32_t stream) {
    const bool known = stream < trace.streams.size();
    QString name = known ? QString::fromStdString(trace.streams[stream].name) : QString();
    if (name == QLatin1String("default") || (name.isEmpty() && stream == 0))
        name = ProgramText::tr("default stream");
    else if (name.isEmpty())
        name = ProgramText::tr("stream %1").arg(stream);
    if (!known)
        return name;
    const auto elsewhere = [](const program::ProgramStream& s) { return s.device > 0; };
    if (std::any_of(trace.streams.begin(), trace.streams.end(), elsewhere))
        name = ProgramText::tr("device %1: %2").arg(QString::number(trace.streams[stream].device), name);
    return ofProcess(trace, trace.streams[stream].process, name);
}

QString rowText(const ProgramModel& model, const ProgramRow& row) {
    return row.host ? ofProcess(*model.trace, row.process, ProgramText::tr("host"))
                    : streamText(*model.trace, row.stream);
}

QString bytesText(std::uint64_t bytes) {
    static constexpr std::pair<double, const char*> units[] = {{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}};
    if (bytes >= 100'000)
        for (const auto& [size, unit] : units)
            if (double(bytes) >= size)
                return decimalText(double(bytes) / size, 1) + QLatin1Char(' ') + QLatin1String(unit);
    return agreeing(ProgramText::tr("%1 {byte|bytes}"), numberText(bytes));
}

QString errorText(std::uint32_t error) {
    static constexpr std::pair<std::uint32_t, const char*> names[] = {{1, "cudaErrorInvalidValue"},
                                                                      {2, "cudaErrorMemoryAllocation"},
                                                                      {9, "cudaErrorInvalidConfiguration"},
                                                                      {209, "cudaErrorNoKernelImageForDevice"},
                                                                      {400, "cudaErrorInvalidResourceHandle"},
                                                                      {700, "cudaErrorIllegalAddress"},
                                                                      {701, "cudaErrorLaunchOutOfResources"},
                                                                      {702, "cudaErrorLaunchTimeout"},
                                                                      {710, "cudaErrorAssert"},
                                                                      {716, "cudaErrorMisalignedAddress"},
                                                                      {719, "cudaErrorLaunchFailure"},
                                                                      {720, "cudaErrorCooperativeLaunchTooLarge"},
                                                                      {801, "cudaErrorNotSupported"}};
    const auto* known =
        std::find_if(std::begin(names), std::end(names), [&](const auto& row) { return row.first == error; });
    const QString number = ProgramText::tr("error %1").arg(error);
    return known == std::end(names) ? number : number + QStringLiteral(", ") + QLatin1String(known->second);
}

QString durationText(std::int64_t ns) {
    if (ns < 10'000)
        return numberText(ns) + QStringLiteral(" ns");
    static constexpr std::pair<std::int64_t, const char*> units[] = {{1'000'000'000, "s"}, {1'000'000, "ms"}};
    const auto written = [](double value, const QString& unit) {
        return decimalText(value, value < 99.995 ? 2 : 1) + QLatin1Char(' ') + unit;
    };
    for (const auto& [size, unit] : units)
        if (ns >= size)
            return written(double(ns) / double(size), QLatin1String(unit));
    return written(double(ns) / 1e3, QStringLiteral("µs"));
}

QString tickText(std::int64_t ns, std::int64_t step) {
    const auto in = [&](std::int64_t size, const QString& unit) {
        int digits = 0; // as many as two neighbouring marks need to differ
        for (std::int64_t s = step; s % size != 0 && digits < 3; s *= 10)
            ++digits;
        return decimalText(double(ns) / double(size), digits) + QLatin1Char(' ') + unit;
    };
    if (step >= 100'000'000)
        return in(1'000'000'000, QStringLiteral("s"));
    if (step >= 100'000)
        return in(1'000'000, QStringLiteral("ms"));
    if (step >= 1'000)
        return in(1'000, QStringLiteral("µs"));
    return numberText(ns) + QStringLiteral(" ns");
}

int estimateError() {
    static const int percent = int(std::lround(100 * estimateAccuracy().meanError));
    return percent;
}

QString clockText(const ProgramModel& model) {
    if (!model.deviceTimes)
        return ProgramText::tr("times: the emulator's own work, not the device's");
    if (model.durations.estimated > 0)
        return ProgramText::tr("times: estimates, off by %1 % on an H200").arg(estimateError());
    if (!model.durations.measured)
        return ProgramText::tr("times: modelled");
    return model.timedByGpu ? ProgramText::tr("times: the GPU's, on the host's clock")
                            : ProgramText::tr("times: the host's clock");
}

QString clockToolTip(const ProgramModel& model) {
    if (model.durations.measured)
        return clockText(model);
    if (!model.deviceTimes)
        return ProgramText::tr(
            "Nobody has estimated how long the launches take on the device; what is shown is how long "
            "the emulator worked, which ranks no kernels.");
    QStringList lines;
    if (model.durations.estimated > 0)
        lines
            << ProgramText::tr(
                   "%1 launches are estimated (≈) from what they have counted: off by %2 % on average on an H200, held "
                   "to the timing model on kernels that the estimate was not made with.")
                   .arg(numberText(model.durations.estimated))
                   .arg(estimateError());
    if (model.durations.modelled > 0)
        lines << ProgramText::tr("%1 launches are modelled cycle by cycle.").arg(numberText(model.durations.modelled));
    lines << ProgramText::tr(
        "Copies, fills and what calls cost the host are estimates, by the pace of an H200 and its host. What the "
        "program itself does on the host takes no time, nor do calls of libraries.");
    return lines.join(QLatin1Char('\n'));
}

QString launchTimeText(const ProgramModel& model, std::uint32_t operation) {
    const Operation& o = model.operation(operation);
    const bool guess = o.timed == program::TimeOrigin::Estimated;
    return (guess ? QStringLiteral("≈ ") : QString()) + durationText(lengthOf(o));
}

QString deviceText(const program::ProgramInfo& info) {
    const DeviceSpec* known = findDevice(info.device);
    const QString device = QString::fromStdString(known ? known->name : info.device);
    return info.backend == BackendKind::Cuda ? ProgramText::tr("run on %1").arg(device)
                                             : ProgramText::tr("emulated %1").arg(device);
}

QString kernelText(const ProgramModel& model, std::uint32_t operation) {
    const std::uint32_t kernel = model.operation(operation).kernel;
    if (kernel >= model.trace->kernels.size())
        return ProgramText::tr("a kernel without a name");
    return shown(QString::fromStdString(model.trace->kernels[kernel].name));
}

QString withoutScopes(const QString& kernel) {
    static const QRegularExpression scope(QStringLiteral(R"((?:\b[A-Za-z_]\w*|\(anonymous namespace\))::)"));
    return QString(kernel).remove(scope);
}

QString shapeText(const ProgramModel& model, std::uint32_t operation) {
    const std::uint32_t shape = model.operation(operation).shape;
    if (shape >= model.trace->shapes.size())
        return {};
    const program::RecordedShape& s = model.trace->shapes[shape];
    return QStringLiteral("<<<%1, %2>>>")
        .arg(QString::fromStdString(s.grid.text()), QString::fromStdString(s.block.text()));
}

QString operationText(const ProgramModel& model, std::uint32_t n) {
    const Operation& o = model.operation(n);
    if (o.kind == OperationKind::Launch)
        return ProgramText::tr("launch %1: %2 %3")
            .arg(model.numberOf(n).value_or(0))
            .arg(kernelText(model, n), shapeText(model, n))
            .trimmed();
    QStringList words{kindText(o.kind)};
    if (const auto peers = program::peersOf(*model.trace, n))
        words << ProgramText::tr("device %1 to device %2").arg(peers->from).arg(peers->to);
    else if (o.kind == OperationKind::Copy && o.direction != Direction::None)
        words << directionText(o.direction);
    if (o.kind == OperationKind::Allocate)
        words << memoryText(o.memory);
    if (o.kind == OperationKind::Library)
        words << kernelText(model, n);
    if (o.bytes > 0)
        words << bytesText(o.bytes);
    return words.join(QStringLiteral(", "));
}

QStringList argumentTexts(const ProgramModel& model, std::uint32_t operation) {
    QStringList lines;
    for (const program::ArgumentWords& a : program::argumentWords(*model.trace, operation)) {
        QString line = QStringLiteral("%1 %2").arg(QString::fromStdString(a.type), QString::fromStdString(a.value));
        if (a.allocation)
            line += QStringLiteral(" (%1)").arg(
                ProgramText::tr("byte %1 of %2, %3")
                    .arg(numberText(a.offset), bytesText(a.allocation->bytes), memoryText(a.allocation->kind)));
        lines << line;
    }
    return lines;
}

QString messageText(const program::ProgramMessage& message) {
    return message.message.arguments.empty() && message.message.id == MessageId::Plain ? sentence(message.text)
                                                                                       : sentence(message.message);
}

QString operationToolTip(const ProgramModel& model, std::uint32_t n) {
    const Operation& o = model.operation(n);
    QStringList lines{operationText(model, n)};
    lines << ProgramText::tr("%1 at %2")
                 .arg(launchTimeText(model, n), durationText(beginOf(o) - model.range.begin.value));
    if (o.timed == program::TimeOrigin::Estimated && o.kind != OperationKind::Launch)
        lines << ProgramText::tr("estimated from its bytes, by the pace of an H200 and its host");
    else if (o.timed == program::TimeOrigin::Estimated)
        lines << ProgramText::tr("estimated from what it has counted, off by %1 % on an H200").arg(estimateError());
    else if (o.timed == program::TimeOrigin::Modelled)
        lines << ProgramText::tr("modelled cycle by cycle");
    if (!isOfHost(o.kind))
        lines << streamText(*model.trace, o.stream);
    if (const auto [asked, answered] = callOf(o); !isOfHost(o.kind) && asked != beginOf(o))
        lines << ProgramText::tr("asked for at %1, by a call of %2")
                     .arg(durationText(asked - model.range.begin.value), durationText(answered - asked));
    if (const QString wait = waitText(model, n); !wait.isEmpty())
        lines << wait;
    lines += collectiveTexts(model, n);
    if (o.kind == OperationKind::Launch) {
        if (o.shape < model.trace->shapes.size() && model.trace->shapes[o.shape].sharedBytes > 0)
            lines << ProgramText::tr("%1 of dynamic shared memory")
                         .arg(bytesText(model.trace->shapes[o.shape].sharedBytes));
        lines += argumentTexts(model, n);
        lines << (program::hasWarps(*model.trace, o) ? ProgramText::tr("recorded: a double click shows its warps")
                  : o.recording != noIndex ? ProgramText::tr("no warps: a double click shows the kernel's machine code")
                                           : ProgramText::tr("not recorded"));
    }
    if (o.error)
        lines << errorText(o.error);
    for (const program::ProgramMessage& m : model.trace->messages)
        if (m.operation == n)
            lines << messageText(m);
    return lines.join(QLatin1Char('\n'));
}

QString markToolTip(const ProgramModel& model, const Mark& mark) {
    QString first = operationToolTip(model, mark.operation);
    if (mark.count == 1)
        return first;
    return ProgramText::tr("%1 operations in this pixel; the longest:").arg(numberText(std::uint64_t(mark.count))) +
           QLatin1Char('\n') + first;
}

QString whyUnrecorded(const ProgramModel& model, std::uint32_t n) {
    const program::ProgramTrace& trace = *model.trace;
    const Operation& o = model.operation(n);
    if (o.kind != OperationKind::Launch || program::hasWarps(trace, o))
        return {};
    if (o.kernel < trace.kernels.size() && !trace.kernels[o.kernel].unrecorded.empty())
        return sentence(trace.kernels[o.kernel].unrecorded);
    if (o.error)
        return ProgramText::tr("it did not run to its end: %1").arg(errorText(o.error));
    const program::Settings asked = program::settingsFrom(trace.info.origin.settings);
    if (asked.detail == "none")
        return ProgramText::tr("the program was recorded without detail");
    if (const std::size_t recorded = program::launchesWithWarps(trace); recorded >= asked.maxRecorded)
        return ProgramText::tr("%1 launches were recorded, which was the most that was asked for")
            .arg(numberText(std::uint64_t(recorded)));
    if (!asked.launches.empty())
        return ProgramText::tr("other launches were asked for");
    if (!asked.kernels.empty())
        return ProgramText::tr("only the first launch of each kernel that was asked for is recorded by itself");
    return ProgramText::tr("only the first launch of each kernel is recorded by itself");
}

QString endText(const program::ProgramInfo& info) {
    if (info.exitStatus > 128)
        return ProgramText::tr("ended by signal %1").arg(info.exitStatus - 128);
    if (info.exitStatus < 0 && !info.made.starts_with("warpglass"))
        return {}; // a report of another profiler's, which does not say
    if (info.exitStatus < 0)
        return ProgramText::tr("exit status not known");
    return ProgramText::tr("exit status %1").arg(info.exitStatus);
}

namespace {

QString processText(const program::ProgramProcess& one) {
    return one.rank >= 0 ? ProgramText::tr("rank %1").arg(one.rank) : ProgramText::tr("process %1").arg(one.process);
}

} // namespace

std::vector<FaultText> faultTexts(const ProgramModel& model) {
    std::vector<FaultText> faults;
    const program::ProgramTrace& trace = *model.trace;
    if (trace.info.exitStatus > 0)
        faults.push_back({noIndex, ProgramText::tr("The program did not end well: %1.").arg(endText(trace.info))});
    for (const program::ProgramProcess& process : trace.info.processes)
        if (const std::int64_t status = process.exitStatus; status > 128)
            faults.push_back({noIndex, ProgramText::tr("%1 was ended by signal %2 (%3).")
                                           .arg(processText(process), numberText(std::uint64_t(status - 128)),
                                                QString::fromStdString(program::signalName(status - 128)))});
        else if (status > 0)
            faults.push_back({noIndex, ProgramText::tr("%1 ended with exit status %2.")
                                           .arg(processText(process), numberText(std::uint64_t(status)))});
        else if (status == program::endedSilently)
            faults.push_back(
                {noIndex, ProgramText::tr("%1 ended without a word: it was killed, left by _exit(), or still works.")
                              .arg(processText(process))});
    if (trace.info.lost > 0)
        faults.push_back({noIndex, ProgramText::tr("%1 operations found no room on the disk and are not shown.")
                                       .arg(numberText(trace.info.lost))});
    std::set<std::uint32_t> told;
    for (const program::ProgramMessage& m : trace.messages) {
        told.insert(m.operation);
        const bool of = m.operation < trace.operations.size();
        const QString text = messageText(m);
        faults.push_back(
            {of ? m.operation : noIndex,
             of ? QStringLiteral("%1: %2").arg(operationText(model, m.operation), text) : text,
             m.kind == MessageKind::Note || m.kind == MessageKind::NotRun || m.kind == MessageKind::Unrecorded});
    }
    constexpr std::size_t mostFailed = 1000;
    std::uint64_t more = 0;
    for (std::uint32_t n = 0; model.failed && n < trace.operations.size(); ++n) {
        if (trace.operations[n].error == 0 || told.contains(n))
            continue;
        if (faults.size() >= mostFailed)
            ++more;
        else
            faults.push_back(
                {n, QStringLiteral("%1: %2").arg(operationText(model, n), errorText(trace.operations[n].error))});
    }
    if (more > 0)
        faults.push_back(
            {noIndex, agreeing(ProgramText::tr("%1 more {operation|operations} failed."), numberText(more))});
    return faults;
}

} // namespace warpglass
