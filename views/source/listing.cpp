// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/source/listing.h"

#include <algorithm>

namespace warpglass {

namespace {

QString withoutTabs(const QString& line) {
    QString out;
    out.reserve(line.size() + 8);
    for (const QChar c : line) {
        if (c == QLatin1Char('\t'))
            out += QString(4 - out.size() % 4, QLatin1Char(' '));
        else if (c != QLatin1Char('\r'))
            out += c;
    }
    return out;
}

Listing listingOf(const std::string& text, QVector<Token> (*tokens)(const QString&, bool&)) {
    Listing listing;
    bool inComment = false;
    QStringList lines = QString::fromStdString(text).split(QLatin1Char('\n'));
    if (!lines.isEmpty() && lines.back().isEmpty())
        lines.removeLast();
    listing.lines.reserve(lines.size());
    for (const QString& raw : lines) {
        ListingLine line;
        line.text = withoutTabs(raw);
        line.tokens = tokens(line.text, inComment);
        listing.lines.push_back(std::move(line));
    }
    return listing;
}

void add(LineCount& line, const InstructionCount& c) {
    line.executions = std::max(line.executions, c.executions);
    line.issued += c.executions;
    line.lanes += c.lanes;
    if (c.isConditional) {
        line.branches += c.executions;
        line.divergent += c.divergent;
    }
    if (!c.isMemory)
        return;
    if (c.space == MemorySpace::Shared) {
        line.sharedRequests += c.requests;
        line.passes += c.passes;
    } else if (c.space == MemorySpace::Global || c.space == MemorySpace::Local) {
        line.requests += c.requests;
        line.sectors += c.sectors;
    }
}

void link(Listing& listing, std::uint32_t line) {
    if (line == 0 || line > std::uint32_t(listing.lines.size()))
        return;
    listing.lines[int(line) - 1].linked = true;
    listing.firstLinked = listing.firstLinked ? std::min(listing.firstLinked, int(line)) : int(line);
    listing.lastLinked = std::max(listing.lastLinked, int(line));
}

} // namespace

std::shared_ptr<const Listings> makeListings(TracePtr trace, std::uint32_t launch) {
    auto all = std::make_shared<Listings>();
    all->launch = launch;
    const Kernel& kernel = trace->kernelOf(trace->launches[launch]);
    all->source = listingOf(kernel.source, cudaTokens);
    all->ptx = listingOf(kernel.ptx, ptxTokens);
    all->sourceOfPtx.resize(all->ptx.lines.size() + 1);
    all->ptxOfSource.resize(all->source.lines.size() + 1);
    for (const LineLink& l : kernel.lines) {
        if (l.ptxLine >= std::uint32_t(all->sourceOfPtx.size()))
            continue;
        link(all->ptx, l.ptxLine);
        if (l.callLine == 0 || l.callLine >= std::uint32_t(all->ptxOfSource.size()))
            continue;
        link(all->source, l.callLine);
        all->sourceOfPtx[int(l.ptxLine)] = l.callLine;
        all->ptxOfSource[int(l.callLine)].push_back(l.ptxLine);
    }
    for (const InstructionCount& c : trace->countsOf(launch)) {
        if (c.ptxLine == 0 || c.ptxLine > std::uint32_t(all->ptx.lines.size()))
            continue;
        add(all->ptx.lines[int(c.ptxLine) - 1].count, c);
        all->mostExecutions = std::max(all->mostExecutions, c.executions);
        if (const std::uint32_t line = all->sourceOfPtx[int(c.ptxLine)])
            add(all->source.lines[int(line) - 1].count, c);
    }
    for (const Sample& s : trace->samples) {
        if (s.launch != launch || s.site >= trace->sites.size() || s.stall.ends_with("stalled_selected"))
            continue; // a selected warp does not wait
        const std::uint32_t ptx = trace->sites[s.site].ptxLine;
        if (ptx == 0 || ptx > std::uint32_t(all->ptx.lines.size()))
            continue;
        all->ptx.lines[int(ptx) - 1].count.samples += s.count;
        if (const std::uint32_t line = all->sourceOfPtx[int(ptx)])
            all->source.lines[int(line) - 1].count.samples += s.count;
    }
    all->trace = std::move(trace);
    return all;
}

CurrentLine currentLine(const Listings& listings, std::uint32_t warpRow, Time time) {
    CurrentLine now;
    const Trace& trace = *listings.trace;
    if (warpRow >= trace.warps.size())
        return now;
    const Warp& warp = trace.warps[warpRow];
    const std::int64_t n = trace.eventAt(warp, time);
    if (n < 0)
        return now;
    const std::size_t row = std::size_t(warp.firstEvent) + std::size_t(n);
    now.ptx = trace.sites[trace.events.site(row)].ptxLine;
    if (now.ptx < std::uint32_t(listings.sourceOfPtx.size()))
        now.source = listings.sourceOfPtx[int(now.ptx)];
    now.ended = time >= warp.end && warp.end > warp.start;
    return now;
}

} // namespace warpglass
