// SPDX-License-Identifier: GPL-3.0-or-later
// A text as the view shows it: lines, tokens, what the trace counted on each, and which lines of the other text belong
// to it.
#pragma once

#include "gpu/trace/trace.h"
#include "views/source/tokens.h"

#include <QSet>
#include <QStringList>

#include <memory>

namespace warpglass {

// Exact totals of one line over the launch. A source line is made of several instructions: executions is the largest of
// them (how often the line was run by a warp), of a line that calls an inlined function that of the body's first
// instruction; parted is the largest in the same way, for the branches of one condition; everything else is the sum. What is inlined counts for the line of its body, summed over all calls, and
// for each line that called it.
struct LineCount {
    std::uint64_t executions = 0;
    std::uint64_t issued = 0;    // warp-instructions
    std::uint64_t lanes = 0;     // thread-instructions
    std::uint64_t parted = 0;    // executions of the line at which lanes parted: of its branch that parted most
    std::uint64_t divergent = 0; // executions of branches whose lanes went both ways
    std::uint64_t branches = 0;  // executions of conditional branches
    std::uint64_t requests = 0;  // of global and local memory
    std::uint64_t sectors = 0;   // 32-byte sectors of them
    std::uint64_t sharedRequests = 0, passes = 0;
    std::uint64_t samples = 0; // of the PC sampler (GPU): warps seen stalled here
    std::uint64_t inlined = 0; // of issued: of functions that this line calls and that were inlined; theirs, too
    bool any() const { return issued > 0; }
    double lanesOn() const { return issued ? double(lanes) / double(issued * lanesPerWarp) : 0; } // 0 to 1
    double sectorsPerRequest() const { return requests ? double(sectors) / double(requests) : 0; }
    double workOf(std::uint64_t all) const {
        return all ? double(issued ? issued : samples) / double(all) : 0;
    } // 0 to 1
    double passesPerRequest() const { return sharedRequests ? double(passes) / double(sharedRequests) : 0; }
};

struct ListingLine {
    QString text; // tabs are spaces already
    QVector<Token> tokens;
    LineCount count;
    bool linked = false; // some line of the other text belongs to it
};

struct Listing {
    QVector<ListingLine> lines; // [0] is line 1
    int firstLinked = 0;        // 1-based; 0 = none. The kernel's own part of the file.
    int lastLinked = 0;
};

struct Listings {
    TracePtr trace;
    std::uint32_t launch = 0;
    Listing source, ptx;
    std::uint64_t countedWarps = 0, allWarps = 0; // of whose events the counts are; 0: they are of the whole launch
    const Kernel& kernel() const { return trace->kernelOf(trace->launches[launch]); }
    bool anyCount = false;
    bool sampled = false;     // nothing was counted, and a sampler saw where warps were: a report of another profiler's
    std::uint64_t issued = 0; // warp-instructions of all lines of the PTX; where sampled, all samples
    QVector<std::uint32_t> sourceOfPtx;          // [PTX line]: source line, the innermost; 0 = none
    QVector<QVector<std::uint32_t>> ptxOfSource; // [source line]: PTX lines, ascending; of inlined code for all callers
    QSet<QString> variables;                     // of its functions, as debug information has them (-G); else none
};

bool isPython(const Kernel& kernel); // its source is a Triton file
std::shared_ptr<const Listings> makeListings(TracePtr trace, std::uint32_t launch);
// A row for every line that ran, of both texts.
QString listingsCsv(const Listings& listings);

// The line at which a warp is at a moment: that of its last event. Lines are 1-based, 0 = unknown or not started.
struct CurrentLine {
    std::uint32_t ptx = 0, source = 0;
    bool ended = false;
};
CurrentLine currentLine(const Listings& listings, std::uint32_t warp, Time time);

} // namespace warpglass
