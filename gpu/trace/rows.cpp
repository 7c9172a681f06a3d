// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/trace/rows.h"
#include "gpu/base/messages/files.h"

#include "gpu/trace/file_layout.h"

#include <fmt/format.h>

namespace warpglass {

FlatRows flatten(const Trace& trace) {
    FlatRows rows;
    rows.info.push_back(trace.info);
    for (std::uint32_t k = 0; k < trace.kernels.size(); ++k) {
        for (const std::string& path : trace.kernels[k].files)
            rows.kernelFiles.push_back({k, path});
        for (const LineLink& link : trace.kernels[k].lines)
            rows.kernelLines.push_back({k, link});
    }
    for (std::uint32_t s = 0; s < trace.sites.size(); ++s)
        for (const SourcePlace& place : trace.sites[s].where)
            rows.sitePlaces.push_back({s, place});
    for (std::uint32_t d = 0; d < trace.diagnostics.size(); ++d)
        for (std::uint32_t w = 0; w < trace.diagnostics[d].waits.size(); ++w) {
            const HangWait& wait = trace.diagnostics[d].waits[w];
            rows.hangWaits.push_back({d, wait});
            for (const std::uint32_t on : wait.on)
                rows.hangEdges.push_back({d, w, on});
        }
    for (std::size_t at = 0; at < trace.output.size(); at += outputPiece)
        rows.output.push_back({trace.output.substr(at, outputPiece)});
    return rows;
}

Result<void> unflatten(FlatRows rows, Trace& trace) {
    if (rows.info.size() != 1)
        return Error{say::TraceRows(std::to_string(rows.info.size()))};
    trace.info = std::move(rows.info.front());
    for (KernelFileRow& row : rows.kernelFiles) {
        if (row.kernel >= trace.kernels.size())
            return Error{say::RowOfNothing("kernel_files", "kernel", std::to_string(row.kernel))};
        trace.kernels[row.kernel].files.push_back(std::move(row.path));
    }
    for (const KernelLineRow& row : rows.kernelLines) {
        if (row.kernel >= trace.kernels.size())
            return Error{say::RowOfNothing("kernel_lines", "kernel", std::to_string(row.kernel))};
        trace.kernels[row.kernel].lines.push_back(row.link);
    }
    for (const SitePlaceRow& row : rows.sitePlaces) {
        if (row.site >= trace.sites.size())
            return Error{say::RowOfNothing("site_places", "site", std::to_string(row.site))};
        trace.sites[row.site].where.push_back(row.place);
    }
    for (HangWaitRow& row : rows.hangWaits) {
        if (row.diagnostic >= trace.diagnostics.size())
            return Error{say::RowOfNothing("hang_waits", "diagnostic", std::to_string(row.diagnostic))};
        trace.diagnostics[row.diagnostic].waits.push_back(std::move(row.wait));
    }
    for (const HangEdgeRow& row : rows.hangEdges) {
        if (row.diagnostic >= trace.diagnostics.size())
            return Error{say::RowOfNothing("hang_edges", "diagnostic", std::to_string(row.diagnostic))};
        std::vector<HangWait>& waits = trace.diagnostics[row.diagnostic].waits;
        if (row.wait >= waits.size() || row.on >= waits.size())
            return Error{say::RowOfNothing("hang_edges", "wait", std::to_string(std::max(row.wait, row.on)))};
        waits[row.wait].on.push_back(row.on);
    }
    for (OutputRow& row : rows.output)
        trace.output += row.text;
    return {};
}

} // namespace warpglass
