// SPDX-License-Identifier: GPL-3.0-or-later
// A program of one's own on Warpglass' libraries: runs a kernel of the catalogue on the emulator, prints its metrics, and
// writes the recording.
//
//   emulate reduceNeighbored            the metrics
//   emulate reduceNeighbored out.wgt    and a file for the window
#include "gpu/emulator/emulator.h"
#include "gpu/kernels/catalogue.h"
#include "gpu/metrics/metrics.h"
#include "gpu/trace/file.h"

#include <cstdio>

int main(int count, char** words) {
    const warpglass::CatalogueEntry* kernel = count > 1 ? warpglass::findKernel(words[1]) : nullptr;
    if (!kernel) {
        std::fprintf(stderr, "emulate: say which kernel of the catalogue (warpglass-record list)\n");
        return 2;
    }
    const auto refused = [](const warpglass::Error& error) {
        std::fprintf(stderr, "emulate: %s\n", error.text().c_str());
        return 1;
    };
    const auto plan = warpglass::makePlan(*kernel, {});
    if (!plan)
        return refused(plan.error());
    warpglass::Progress progress;
    const auto run = warpglass::makeEmulator()->run(*plan, {}, progress);
    if (!run)
        return refused(run.error());
    for (const warpglass::Metric& metric : warpglass::metrics(*run->trace, 0))
        if (metric.value)
            std::printf("%s = %g %s\n", metric.name.c_str(), *metric.value, metric.unit.c_str());
    if (count > 2)
        if (const auto written = warpglass::writeTrace(*run->trace, words[2], progress); !written)
            return refused(written.error());
    return run->fault ? refused(*run->fault) : 0;
}
