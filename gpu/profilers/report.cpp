// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/profilers/report.h"

#include "gpu/base/messages/program.h"
#include "gpu/metrics/metrics.h"
#include "gpu/profilers/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warpglass::profilers {

namespace {

using namespace program;

std::string baseName(const std::string& path) {
    return path.substr(path.find_last_of("/\\") + 1);
}

std::uint32_t numberOf(const NcuLaunch& launch, std::string_view metric) {
    const NcuMetric* found = launch.find(metric);
    return found && found->value >= 0 && found->value < 4e9 ? std::uint32_t(std::lround(found->value)) : 0;
}

std::int64_t durationOf(const NcuLaunch& launch) {
    const NcuMetric* found = launch.find("gpu__time_duration.sum");
    return found && found->value >= 0 && found->value < 9e15 ? std::llround(found->value) : 0;
}

// Counters by the documents' names, in their units, where there is one.
std::vector<Counter> countersOf(const NcuLaunch& launch) {
    std::vector<Counter> all;
    for (const NcuMetric& m : launch.metrics) {
        const MetricDefinition* known = metricOfNsight(m.name);
        const double scale = known && known->counterScale != 0 ? known->counterScale : 1;
        all.push_back({.launch = 0,
                       .metric = known ? std::string(known->name) : m.name,
                       .nsight = m.name,
                       .value = m.value * scale,
                       .unit = known ? std::string(known->unit) : m.unit,
                       .origin = launch.isMeasured ? Origin::Measured : Origin::Modelled});
    }
    return all;
}

void addCode(Trace& trace, const NcuReport& report, const NcuCode& code) {
    Kernel& kernel = trace.kernels[0];
    for (const std::string& file : code.files)
        kernel.files.push_back(file);
    if (const auto text = report.texts.find(code.files.front()); text != report.texts.end()) {
        kernel.sourceName = baseName(text->first);
        kernel.files[0] = kernel.sourceName;
        for (const std::string& line : text->second)
            kernel.source += line + '\n';
    }
    for (const NcuInstruction& i : code.code) {
        Site site{.kind = SiteKind::Instruction, .text = i.text};
        if (i.line > 0)
            site.where.push_back({i.file, i.line, 0});
        for (const auto& [stall, samples] : i.stalls)
            trace.samples.push_back({.launch = 0,
                                     .site = std::uint32_t(trace.sites.size()),
                                     .sassOffset = std::uint32_t(i.offset),
                                     .stall = stall,
                                     .count = samples});
        trace.sites.push_back(std::move(site));
    }
}

Trace traceOf(const NcuReport& report, std::size_t row) {
    const NcuLaunch& launch = report.launches[row];
    Trace trace;
    trace.info = {.backend = launch.isMeasured ? BackendKind::Cuda : BackendKind::Emulator,
                  .deviceName = launch.deviceName,
                  .ccMajor = launch.ccMajor,
                  .ccMinor = launch.ccMinor,
                  .smCount = int(numberOf(launch, "launch__sm_count")),
                  .program = ncuProgram,
                  .timeUnit = TimeUnit::Nanoseconds,
                  .timeOrigin = launch.isMeasured ? Origin::Measured : Origin::Modelled,
                  .command = launch.processName};
    Kernel kernel;
    kernel.name = kernel.entry = nameOf(launch.kernel);
    kernel.registers = numberOf(launch, "launch__registers_per_thread");
    kernel.sharedBytes = numberOf(launch, "launch__shared_mem_per_block_static");
    trace.kernels.push_back(std::move(kernel));
    trace.launches.push_back({.kernel = 0,
                              .grid = launch.grid,
                              .block = launch.block,
                              .sharedBytes = numberOf(launch, "launch__shared_mem_per_block_dynamic"),
                              .start = Time{0},
                              .end = Time{durationOf(launch)}});
    trace.counters = countersOf(launch);
    if (const NcuCode* code = codeOf(report, row); code && !code->files.empty())
        addCode(trace, report, *code);
    return trace;
}

} // namespace

Report reportOf(const NcuReport& report) {
    Report all;
    ProgramTrace& p = all.program;
    p.info.backend = BackendKind::Cuda;
    p.info.made = ncuProgram;
    if (!report.launches.empty()) {
        p.info.command = report.launches.front().processName;
        p.info.device = report.launches.front().deviceName;
        p.info.process = std::int64_t(report.launches.front().process);
    }
    p.messages.push_back(messageOf(noIndex, say::NcuOneByOne));
    std::vector<std::pair<std::uint32_t, std::uint32_t>> streams; // device and number
    std::int64_t time = 0;
    for (std::size_t row = 0; row < report.launches.size(); ++row) {
        const NcuLaunch& launch = report.launches[row];
        Operation o{.start = time, .kind = OperationKind::Launch};
        o.end = time += durationOf(launch);
        o.called = o.start;
        o.returned = o.end;
        o.kernel = kernelRow(p, launch.kernel);
        o.shape = shapeRow(p, {.grid = launch.grid,
                               .block = launch.block,
                               .sharedBytes = numberOf(launch, "launch__shared_mem_per_block_dynamic")});
        const std::pair stream{launch.device, launch.stream};
        const auto known = std::ranges::find(streams, stream);
        o.stream = std::uint32_t(known - streams.begin());
        if (known == streams.end()) {
            streams.push_back(stream);
            p.streams.push_back({.name = streamName(launch.stream), .device = launch.device});
        }
        o.recording = std::uint32_t(row);
        p.recordings.push_back({.operation = std::uint32_t(row)});
        p.operations.push_back(o);
        all.traces.push_back(traceOf(report, row));
    }
    return all;
}

} // namespace warpglass::profilers
