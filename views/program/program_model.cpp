// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/program_model.h"

#include <algorithm>

namespace warpglass {

using program::Operation;
using program::OperationKind;

namespace {

// A damaged file may say anything; a picture of it still has times that go forward and fit.
constexpr std::int64_t farthest = std::int64_t(1) << 60;

std::int64_t endOf(const Operation& o) {
    return std::clamp<std::int64_t>(o.end, beginOf(o), farthest);
}

} // namespace

std::pair<std::int64_t, std::int64_t> callOf(const Operation& o) {
    const std::int64_t asked = std::clamp<std::int64_t>(o.called, -farthest, farthest);
    return {asked, std::clamp<std::int64_t>(o.returned, asked, farthest)};
}

std::int64_t beginOf(const Operation& o) {
    return std::clamp<std::int64_t>(o.start, -farthest, farthest);
}

std::int64_t lengthOf(const Operation& o) {
    return endOf(o) - beginOf(o);
}

bool isOfLibrary(const ProgramModel& model, const KernelSum& kernel) {
    return !kernel.launches.empty() && model.operation(kernel.launches.front()).kind == OperationKind::Library;
}

bool isOfHost(OperationKind kind) {
    return kind == OperationKind::Allocate || kind == OperationKind::Free || kind == OperationKind::Wait;
}

bool isUpper(OperationKind kind) {
    return kind == OperationKind::Launch || kind == OperationKind::Library || kind == OperationKind::HostFunction ||
           kind == OperationKind::Wait;
}

std::size_t RowLine::firstFrom(std::int64_t begin) const {
    return std::size_t(std::lower_bound(latest.begin(), latest.end(), begin) - latest.begin());
}

std::optional<std::uint32_t> ProgramModel::numberOf(std::uint32_t operation) const {
    const auto at = std::lower_bound(launches.begin(), launches.end(), operation);
    if (at == launches.end() || *at != operation)
        return std::nullopt;
    return std::uint32_t(at - launches.begin());
}

const program::Waited* ProgramModel::waitOf(std::uint32_t operation) const {
    const auto at = std::lower_bound(waits.begin(), waits.end(), operation,
                                     [](const program::Waited& w, std::uint32_t n) { return w.operation < n; });
    return at != waits.end() && at->operation == operation ? &*at : nullptr;
}

double ProgramModel::share(const KernelSum& kernel) const {
    return launchTime > 0 ? 100.0 * double(kernel.total) / double(launchTime) : 0;
}

namespace {

RowItem itemOf(const program::ProgramTrace& trace, const Operation& o, std::uint32_t n, std::int64_t start,
               std::int64_t end) {
    const bool named = o.kind == OperationKind::Launch || o.kind == OperationKind::Library;
    const std::uint32_t kernel = named ? o.kernel : noIndex;
    return {start, end, n, kernel, o.kind, program::hasWarps(trace, o), o.error != 0};
}

void order(RowLine& line) {
    const auto earlier = [](const RowItem& a, const RowItem& b) { return a.start < b.start; };
    if (!std::is_sorted(line.items.begin(), line.items.end(), earlier))
        std::stable_sort(line.items.begin(), line.items.end(), earlier);
    line.latest.reserve(line.items.size());
    std::int64_t latest = line.items.empty() ? 0 : line.items.front().end;
    for (const RowItem& item : line.items)
        line.latest.push_back(latest = std::max(latest, item.end));
}

void draw(KernelSum& sum, const program::ProgramTrace& trace) {
    const std::size_t count = sum.launches.size(), points = std::min<std::size_t>(count, sparkPoints);
    for (std::size_t p = 0; p < points; ++p) {
        const std::size_t from = p * count / points, to = (p + 1) * count / points;
        double ns = 0;
        for (std::size_t n = from; n < to; ++n) {
            ns += double(lengthOf(trace.operations[sum.launches[n]]));
        }
        sum.spark.push_back(float(ns / double(to - from)));
    }
}

void add(KernelSum& sum, const program::ProgramTrace& trace, const Operation& o, std::uint32_t n) {
    const std::int64_t ns = lengthOf(o);
    sum.least = sum.launches.empty() ? ns : std::min(sum.least, ns);
    sum.most = std::max(sum.most, ns);
    sum.total += ns;
    sum.recorded += program::hasWarps(trace, o);
    sum.estimated += o.timed == program::TimeOrigin::Estimated;
    sum.failed += o.error != 0;
    sum.launches.push_back(n);
}

} // namespace

bool shows(const ProgramRow& row, const program::ProgramTrace& trace, const Operation& o) {
    return row.host == isOfHost(o.kind) && (row.host ? row.process == trace.processOf(o) : row.stream == o.stream);
}

ProgramModelPtr makeProgramModel(std::shared_ptr<const program::ProgramTrace> trace) {
    auto model = std::make_shared<ProgramModel>();
    model->durations = program::durationsOf(*trace);
    model->deviceTimes = model->durations.known();
    if (model->deviceTimes && !model->durations.measured) {
        auto placed = std::make_shared<program::ProgramTrace>(*trace);
        program::place(*placed);
        trace = std::move(placed);
    }
    model->trace = std::move(trace);
    const program::ProgramTrace& t = *model->trace;
    model->waits = program::waitsOf(t);
    model->collectives = program::collectiveGroups(t);
    model->kernels.resize(t.kernels.size());
    for (std::size_t k = 0; k < t.kernels.size(); ++k)
        model->kernels[k].kernel = std::uint32_t(k);

    const std::size_t hosts = std::max<std::size_t>(1, t.info.processes.size());
    std::vector<ProgramRow> rows(hosts + std::max<std::size_t>(1, t.streams.size()));
    for (std::size_t r = 0; r < rows.size(); ++r) {
        rows[r].host = r < hosts;
        rows[r].stream = rows[r].host ? 0 : std::uint32_t(r - hosts);
        rows[r].process = rows[r].host                        ? std::uint32_t(r)
                          : rows[r].stream < t.streams.size() ? t.streams[rows[r].stream].process
                                                              : 0;
    }
    std::int64_t begin = 0, end = 0, last = 0; // last: begin of the latest
    for (std::uint32_t n = 0; n < t.operations.size(); ++n) {
        const Operation& o = t.operations[n];
        const std::int64_t start = beginOf(o), stop = endOf(o);
        begin = n == 0 ? start : std::min(begin, start);
        end = n == 0 ? stop : std::max(end, stop);
        last = n == 0 ? start : std::max(last, start);
        ProgramRow& host = rows[std::min<std::size_t>(t.processOf(o), hosts - 1)];
        if (const auto [asked, answered] = callOf(o); !isOfHost(o.kind) && (asked != start || answered != stop)) {
            host.upper.items.push_back(itemOf(t, o, n, asked, answered));
            begin = std::min(begin, asked);
            end = std::max(end, answered);
            model->timedByGpu = t.info.backend == BackendKind::Cuda;
        }
        ProgramRow& row =
            isOfHost(o.kind) ? host : rows[hosts + std::min<std::size_t>(o.stream, rows.size() - hosts - 1)];
        model->occurs[std::size_t(o.kind)] = true;
        model->failed = model->failed || o.error != 0;
        (isUpper(o.kind) ? row.upper : row.lower).items.push_back(itemOf(t, o, n, start, stop));
        if (o.kind == OperationKind::Launch)
            model->launches.push_back(n);
        else if (o.kind != OperationKind::Library)
            continue;
        model->launchTime += stop - start;
        if (o.kernel < model->kernels.size())
            add(model->kernels[o.kernel], t, o, n);
    }
    model->range = {{begin}, {std::max(end, last + 1)}}; // what ends it without length is in it, too
    for (std::size_t r = 0; r < rows.size(); ++r) {
        order(rows[r].upper);
        order(rows[r].lower);
        if (rows[r].host || !rows[r].upper.items.empty() || !rows[r].lower.items.empty())
            model->rows.push_back(std::move(rows[r]));
    }
    std::stable_sort(model->rows.begin(), model->rows.end(),
                     [](const ProgramRow& a, const ProgramRow& b) { return a.process < b.process; });
    for (KernelSum& sum : model->kernels)
        draw(sum, t);
    return model;
}

ProgramModelPtr makeProgramModel(program::ProgramTrace trace) {
    return makeProgramModel(std::make_shared<const program::ProgramTrace>(std::move(trace)));
}

} // namespace warpglass
