// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/profilers/report.h"
#include "gpu/profilers/beside.h"
#include "gpu/profilers/ncu_export.h"
#include "gpu/profilers/nsys.h"
#include "gpu/profilers/scopes.h"

#include "tests/fuzz/scratch.h"
#include "tests/fuzz/targets.h"

#include <fstream>

namespace warpglass::fuzz {

namespace {

void exportOfNsys(std::string_view bytes) {
    const std::filesystem::path path = scratchFolder() / "report.sqlite";
    std::ofstream(path, std::ios::binary | std::ios::trunc).write(bytes.data(), std::streamsize(bytes.size()));
    const auto read = profilers::readNsys(path);
    if (!read)
        return;
    for (const program::Operation& o : read->operations) {
        if (o.stream >= read->streams.size())
            wrong("an operation has no stream");
        if (o.kind == program::OperationKind::Launch && o.kernel >= read->kernels.size())
            wrong("a launch has no kernel");
    }
}

void rangesOf(std::string_view bytes) {
    const auto read = profilers::readScopes(bytes, "x.json");
    if (!read)
        return;
    for (const profilers::ScopeTrace& trace : *read)
        for (const profilers::Scope& scope : trace.scopes)
            if (scope.name >= trace.names.size() || scope.end < scope.begin || scope.begin < trace.begin)
                wrong("a range has no name, or ends before it begins");
}

} // namespace

void report(std::string_view bytes) {
    if (bytes.starts_with("SQLite"))
        return exportOfNsys(bytes);
    if (bytes.starts_with('{') || bytes.starts_with('['))
        return rangesOf(bytes);
    profilers::NcuReport pages;
    if (!profilers::addNcuCsv(pages, bytes, "x.csv"))
        return;
    const profilers::Report all = profilers::reportOf(pages);
    if (all.traces.size() != pages.launches.size() || all.program.operations.size() != pages.launches.size())
        wrong("launches are lost");
    for (const Trace& trace : all.traces) {
        if (!validate(trace))
            continue; // what no device has: refused where it is opened
        (void)profilers::beside(trace, trace);
        profilers::NcuReport again;
        if (!profilers::addNcuCsv(again, profilers::ncuCsv(trace), "again.csv") &&
            trace.kernels[0].name.find('\n') == std::string::npos)
            wrong("what was written is not read");
    }
}

} // namespace warpglass::fuzz
