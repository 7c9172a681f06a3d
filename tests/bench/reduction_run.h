// SPDX-License-Identifier: GPL-3.0-or-later
// The documents' reductions as the benchmarks run them: blocks of 512, no events.
#pragma once

#include "gpu/emulator/emulator.h"
#include "gpu/kernels/catalogue.h"

#include <benchmark/benchmark.h>

#include <optional>

namespace warpglass {

// Nothing, and the benchmark is skipped with the reason, where it cannot be planned.
inline std::optional<LaunchPlan> reductionPlan(benchmark::State& state, const char* kernel, std::int64_t size,
                                               CompileMode mode = CompileMode::Optimised) {
    const CatalogueEntry* entry = findKernel(kernel);
    LaunchRequest request;
    request.size = size;
    request.block = Dim3{512};
    request.mode = mode;
    auto plan = entry ? makePlan(*entry, request) : Result<LaunchPlan>(Error{"no such kernel"});
    if (!plan) {
        state.SkipWithError(plan.error().text().c_str());
        return std::nullopt;
    }
    return std::move(*plan);
}

inline RunOptions bareOptions(int threads, bool timing) {
    RunOptions options;
    options.detail.kind = Detail::Kind::None;
    options.threads = threads;
    options.timing = timing;
    return options;
}

} // namespace warpglass
