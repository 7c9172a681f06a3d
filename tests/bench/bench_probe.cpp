// SPDX-License-Identifier: GPL-3.0-or-later
// What recording costs on a GPU: the documents' reductions of 2^24 ints at 512 threads a block, clean and with probes,
// with standard and with full detail. One line of JSON each. Without a GPU it says so and ends well.
#include "gpu/cuda/plugin.h"
#include "gpu/kernels/catalogue.h"

#include <fmt/format.h>

int main() {
    using namespace warpglass;
    const auto backend = loadCudaBackend();
    if (const auto ok = backend->available(); !ok) {
        fmt::print("no GPU to measure on: {}\n", ok.error().text());
        return 0;
    }
    int failures = 0;
    for (const char* kernel : {"reduceNeighbored", "reduceNeighboredLess", "reduceInterleaved", "reduce0"})
        for (const Detail::Kind detail : {Detail::Kind::Auto, Detail::Kind::All}) {
            const CatalogueEntry* entry = findKernel(kernel);
            LaunchRequest request = entry->look;
            request.size = 1 << 24;
            request.grid.reset();
            request.block = Dim3{512, 1, 1};
            const auto plan = makePlan(*entry, request);
            RunOptions options;
            options.device = "0";
            options.counters = false;
            options.detail.kind = detail;
            Progress progress;
            const auto run = plan ? backend->run(*plan, options, progress) : Result<Recording>(plan.error());
            if (!run) {
                fmt::print("{}: {}\n", kernel, run.error().text());
                ++failures;
                continue;
            }
            const Kernel& k = run->trace->kernels.front();
            std::uint64_t lost = 0;
            for (const Loss& loss : run->trace->losses)
                lost += loss.events;
            fmt::print("{{\"kernel\": \"{}\", \"detail\": \"{}\", \"clean_ns\": {:.0f}, \"probed_ns\": {:.0f}, "
                       "\"slowdown\": {:.3f}, \"events\": {}, \"lost\": {}}}\n",
                       kernel, detail == Detail::Kind::All ? "all" : "auto", k.cleanDurationNs, k.probedDurationNs,
                       k.cleanDurationNs > 0 ? k.probedDurationNs / k.cleanDurationNs : 0.0, run->trace->events.size(),
                       lost);
        }
    return failures > 0;
}
