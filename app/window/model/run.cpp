// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/run.h"

#include "app/session/triton.h"
#include "gpu/base/messages/session.h"

#include "app/window/model/alignment.h"
#include "gpu/base/memory_limit.h"
#include "gpu/trace/file.h"
#include "views/common/shown_words.h"

#include <QCoreApplication>
#include <QTemporaryFile>

#include <new>

namespace warpglass {

namespace {

class RunText {
    Q_DECLARE_TR_FUNCTIONS(Run)
};

constexpr int densityParts = 2048; // of the transport's strip
// More are walked over once something is shown (Workbench::findMoments): every event is unpacked for it, 1.5 s for ten
// million.
constexpr std::uint64_t eventsAtOnce = 500'000;

// Beyond, what the buffers held is not kept: a dozen runs are.
constexpr std::uint64_t mostBufferBytes = std::uint64_t(16) << 20;

std::uint64_t bytesOfBuffers(const LaunchPlan& plan) {
    std::uint64_t bytes = 0;
    for (const std::vector<Argument>* all : {&plan.arguments, &plan.globalBuffers})
        for (const Argument& argument : *all)
            if (argument.isBuffer)
                bytes += argument.count * std::uint64_t(bytesOf(argument.type));
    for (const TexelArray& array : plan.arrays)
        bytes += array.bytes();
    return bytes;
}

std::vector<RunBuffer> buffersOf(const LaunchPlan& plan, const Buffers& held) {
    std::vector<RunBuffer> buffers;
    std::size_t n = 0;
    for (const std::vector<Argument>* all : {&plan.arguments, &plan.globalBuffers})
        for (const Argument& argument : *all)
            if (const std::size_t at = n++; at < held.size() && argument.isBuffer)
                buffers.push_back({argument.name, argument.type, held[at]});
    return buffers;
}

Result<void> openInto(Run& run, const QString& path, Progress& progress) {
    // A recording inside the program is copied out first: the database needs a file.
    std::unique_ptr<QTemporaryFile> copy;
    if (path.startsWith(QLatin1Char(':')))
        copy.reset(QTemporaryFile::createNativeFile(path));
    const QString place = copy ? copy->fileName() : path;
    Result<TracePtr> trace = openTrace(place.toStdString(), progress);
    if (!trace)
        return trace.error();
    run.file = path;
    run.trace = std::move(*trace);
    // What ended the launch then is said now: a picture of half a run must not pass for that of a whole one.
    for (const Diagnostic& d : run.trace->diagnostics)
        if (d.fatal && !run.fault)
            run.fault = Error{.message = d.message};
    return {};
}

Result<void> runInto(Run& run, const RunRequest& request, Progress& progress) {
    // Of the few blocks that are recorded without being chosen the addresses are, too, whatever else is: cycles and
    // addresses are looked at together, and 64 blocks cost the same in any grid. A GPU would take longer for it.
    RunRequest both = request;
    if (both.backend == "emulator" && !both.options.timing)
        both.options.estimate.emplace();
    if (both.backend == "emulator" && both.options.detail.kind == Detail::Kind::Auto)
        both.options.detail.accesses = true;
    if (session::isTritonFile(both.kernel)) {
        auto compiled = session::compiledByTriton(std::move(both));
        if (!compiled)
            return compiled.error();
        both = std::move(*compiled);
    }
    const Result<LaunchPlan> plan = session::planOf(both);
    if (!plan)
        return plan.error();
    both.options.results = bytesOfBuffers(*plan) <= mostBufferBytes;
    Result<Recording> recording = session::runPlan(both, *plan, progress);
    if (!recording)
        return recording.error();
    if (both.options.results)
        run.buffers = buffersOf(*plan, recording->buffers);
    run.estimatedNs = recording->estimatedNs;
    run.request = request;
    run.trace = std::move(recording->trace);
    run.check = std::move(recording->check);
    run.fault = std::move(recording->fault);
    run.warpInstructions = recording->warpInstructions;
    run.wallSeconds = recording->wallSeconds;
    return {};
}

} // namespace

Result<RunPtr> obtain(const RunSource& source, Progress& progress) {
    if (const auto* ready = std::get_if<RunPtr>(&source))
        return *ready;
    auto run = std::make_shared<Run>();
    const auto* path = std::get_if<QString>(&source);
    const auto get = [&]() -> Result<void> {
        try {
            return path ? openInto(*run, *path, progress) : runInto(*run, std::get<RunRequest>(source), progress);
        } catch (const std::bad_alloc&) {
            return outOfMemory();
        }
    };
    const Result<void> got = get();
    if (!got)
        return got.error();
    if (run->trace->launches.empty() || run->trace->kernels.empty())
        return Error{.message = say::TraceWithoutLaunch, .file = run->file.toStdString()};
    run->name = shown(QString::fromStdString(run->trace->kernelOf(run->trace->launches.front()).name));
    return RunPtr(run);
}

Result<Opened> obtain(const RunSource& current, const std::optional<RunSource>& other, Progress& progress,
                      const QString& alignment) {
    Opened opened;
    Result<RunPtr> first = obtain(current, progress);
    if (!first)
        return first.error();
    opened.current = *first;
    if (other && !progress.cancelled()) {
        Result<RunPtr> second = obtain(*other, progress);
        if (!second)
            return second.error();
        opened.other = *second;
        opened.otherShift = shiftAt(*opened.current->trace, *opened.other->trace, alignment);
        if (opened.otherShift)
            opened.alignment = alignment;
    }
    const std::uint64_t events =
        opened.current->trace->events.size() + (opened.other ? opened.other->trace->events.size() : 0);
    if (events <= eventsAtOnce)
        opened.moments = momentsOf(opened, progress);
    return opened;
}

std::shared_ptr<const Moments> momentsOf(const Opened& opened, Progress& progress) {
    return std::make_shared<const Moments>(momentsOf(*opened.current->trace,
                                                     opened.other ? opened.other->trace.get() : nullptr, progress,
                                                     densityParts, opened.otherShift));
}

Result<std::vector<TracePtr>> obtainPolicies(RunRequest request, Progress& progress) {
    std::vector<TracePtr> traces;
    for (const SchedulingPolicy policy : allOf<SchedulingPolicy>) {
        request.options.policy = policy;
        Result<RunPtr> run = obtain(RunSource(request), progress);
        if (!run)
            return run.error();
        traces.push_back((*run)->trace);
    }
    return traces;
}

QString titleOf(const Run& run) {
    const Trace& trace = *run.trace;
    const Launch& l = trace.launches.front();
    return QStringLiteral("%1 <<<%2, %3>>> %4 · %5")
        .arg(run.name, QString::fromStdString(l.grid.text()), QString::fromStdString(l.block.text()),
             trace.info.mode == CompileMode::AsWritten ? RunText::tr("as-written") : RunText::tr("optimised"),
             shown(QString::fromStdString(trace.info.deviceName)));
}

} // namespace warpglass
