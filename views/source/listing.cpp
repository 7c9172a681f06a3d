// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/source/listing.h"

#include "gpu/ptx/join.h"
#include "views/common/shown_words.h"
#include "views/source/event_counts.h"
#include "views/source/inlining.h"

#include <algorithm>
#include <map>

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
    return shown(out);
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

void addMemory(LineCount& line, const InstructionCount& c) {
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

void add(LineCount& line, const InstructionCount& c) {
    line.issued += c.executions;
    line.lanes += c.lanes;
    if (c.isConditional) {
        line.branches += c.executions;
        line.divergent += c.divergent;
    }
    addMemory(line, c);
}

void link(Listing& listing, std::uint32_t line) {
    if (line == 0 || line > std::uint32_t(listing.lines.size()))
        return;
    listing.lines[int(line) - 1].linked = true;
    listing.firstLinked = listing.firstLinked ? std::min(listing.firstLinked, int(line)) : int(line);
    listing.lastLinked = std::max(listing.lastLinked, int(line));
}

// How often source lines were run by a warp, from the instructions that belong to them. The same body inlined at two
// places ran as often as both together; an instruction of the body runs as often as a loop in it goes round, and says
// that of the caller only if it is the first.
class Executions {
public:
    // level: of the instruction's chain; 0 is the line that it is of.
    void add(const InlineChain& chain, std::size_t level, const InstructionCount& c, std::uint64_t executions) {
        const InlineChain callers(chain.begin() + std::ptrdiff_t(level) + 1, chain.end());
        const auto [at, isNew] = m_runs.try_emplace({chain[level], callers});
        Run& run = at->second;
        run.parted = std::max(run.parted, c.isConditional ? c.divergent : 0);
        if (level == 0)
            run.own = std::max(run.own, executions);
        else if (isNew || c.ptxLine < run.firstInlined) {
            run.firstInlined = c.ptxLine;
            run.inlined = executions;
        }
    }
    void give(Listing& listing) const {
        for (const auto& [where, run] : m_runs) {
            LineCount& count = listing.lines[int(where.first) - 1].count;
            count.executions += run.own ? run.own : run.inlined;
            count.parted += run.parted;
        }
    }

private:
    struct Run {
        std::uint64_t own = 0, inlined = 0, parted = 0;
        std::uint32_t firstInlined = ~0u;
    };
    std::map<std::pair<std::uint32_t, InlineChain>, Run> m_runs; // line, and the lines that called it
};

} // namespace

bool isPython(const Kernel& kernel) {
    return kernel.sourceName.ends_with(".py");
}

namespace {
QSet<QString> variablesOf(const Kernel& kernel) {
    QSet<QString> names;
    if (kernel.ptx.find(".debug_info") == std::string::npos)
        return names;
    if (const auto module = ptx::parseJoined(kernel.ptx, kernel.name))
        for (const ptx::DebugInfo::Variable& v : ptx::debugInfo(*module, kernel.ptx).variables)
            names.insert(QString::fromStdString(v.name));
    return names;
}
} // namespace

std::shared_ptr<const Listings> makeListings(TracePtr trace, std::uint32_t launch) {
    auto all = std::make_shared<Listings>();
    all->launch = launch;
    const Kernel& kernel = trace->kernelOf(trace->launches[launch]);
    all->source = listingOf(kernel.source, isPython(kernel) ? pythonTokens : cudaTokens);
    all->ptx = listingOf(kernel.ptx, ptxTokens);
    all->variables = variablesOf(kernel);
    all->sourceOfPtx.resize(all->ptx.lines.size() + 1);
    all->ptxOfSource.resize(all->source.lines.size() + 1);
    std::vector<InlineChain> chains = inlineChains(kernel);
    chains.resize(std::size_t(all->sourceOfPtx.size()));
    for (InlineChain& chain : chains) // a text that has fewer lines than the compiler says
        std::erase_if(chain, [&](std::uint32_t line) { return line >= std::uint32_t(all->ptxOfSource.size()); });
    for (const LineLink& l : kernel.lines) {
        if (l.ptxLine >= std::uint32_t(all->sourceOfPtx.size()))
            continue;
        link(all->ptx, l.ptxLine);
        for (const std::uint32_t line : chains[l.ptxLine]) {
            link(all->source, line);
            all->ptxOfSource[int(line)].push_back(l.ptxLine);
        }
        if (!chains[l.ptxLine].empty())
            all->sourceOfPtx[int(l.ptxLine)] = chains[l.ptxLine].front();
    }
    Executions executions;
    const InstructionCount* before = nullptr;
    std::uint64_t executed = 0; // by all rows of the instruction so far
    EventCounts ofEvents;
    std::span<const InstructionCount> counts = trace->countsOf(launch);
    if (counts.empty()) {
        ofEvents = countEvents(*trace, launch);
        counts = ofEvents.rows;
        all->countedWarps = ofEvents.warps;
        all->allWarps = ofEvents.all;
    }
    all->anyCount = !counts.empty();
    for (const InstructionCount& c : counts) {
        if (c.ptxLine == 0 || c.ptxLine > std::uint32_t(all->ptx.lines.size()))
            continue;
        executed = before && isPartOf(*before, c) ? executed + c.executions : c.executions;
        before = &c;
        LineCount& ptx = all->ptx.lines[int(c.ptxLine) - 1].count;
        add(ptx, c);
        all->issued += c.executions;
        ptx.executions = executed;
        ptx.parted = c.isConditional ? c.divergent : 0;
        const InlineChain& chain = chains[c.ptxLine];
        for (std::size_t level = 0; level < chain.size(); ++level) {
            LineCount& line = all->source.lines[int(chain[level]) - 1].count;
            add(line, c);
            executions.add(chain, level, c, executed);
            line.inlined += level > 0 ? c.executions : 0;
        }
        if (chain.empty() && c.callerLine > 0 && c.callerLine <= std::uint32_t(all->source.lines.size()))
            addMemory(all->source.lines[int(c.callerLine) - 1].count, c);
    }
    executions.give(all->source);
    for (const Sample& s : trace->samples) {
        if (s.launch != launch || s.site >= trace->sites.size() || s.stall.ends_with("stalled_selected"))
            continue; // a selected warp does not wait
        const Site& site = trace->sites[s.site];
        const std::uint32_t ptx = site.ptxLine;
        if (ptx == 0 && !site.where.empty() && site.where.front().file == 0 && // of a report, which knows no PTX
            site.where.front().line <= std::uint32_t(all->source.lines.size()))
            all->source.lines[int(site.where.front().line) - 1].count.samples += s.count;
        if (ptx == 0 || ptx > std::uint32_t(all->ptx.lines.size()))
            continue;
        all->ptx.lines[int(ptx) - 1].count.samples += s.count;
        for (const std::uint32_t line : chains[ptx])
            all->source.lines[int(line) - 1].count.samples += s.count;
    }
    for (const ListingLine& line : all->source.lines)
        all->issued += all->anyCount ? 0 : line.count.samples;
    all->sampled = !all->anyCount && all->issued > 0;
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
