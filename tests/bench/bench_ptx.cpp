// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes of PTX a second, on one thread: parsing a module, and parsing it with every entry decoded for the emulator. The
// module is this repository's shared-memory reductions (68 KB, 14 kernels), as the compiler wrote them.
#include "gpu/emulator/decode/decode.h"
#include "gpu/kernels/catalogue.h"
#include "gpu/ptx/parse.h"

#include <benchmark/benchmark.h>

#include <string>

namespace {

using namespace warpglass;

std::string moduleText() {
    LaunchRequest request;
    auto plan = makePlan(*findKernel("reduce0"), request);
    return plan ? plan->ptx : std::string();
}

emulator::Symbols symbolsOf(const ptx::Module& module) {
    emulator::Symbols symbols;
    for (std::size_t f = 0; f < module.functions.size(); ++f)
        symbols.functions[module.functions[f].name] = std::uint32_t(f);
    std::uint64_t next = 0x7f0000000000;
    for (const auto& v : module.variables)
        symbols.variables[v.name] = {v.space, next += 4096};
    return symbols;
}

void parsing(benchmark::State& state) {
    const std::string text = moduleText();
    const bool decodes = state.range(0) == 1;
    std::size_t kernels = 0;
    for (auto _ : state) {
        auto module = ptx::parse(text, "reduce_shared.ptx");
        if (!module) {
            state.SkipWithError(module.error().text().c_str());
            return;
        }
        if (!decodes)
            continue;
        const emulator::Symbols symbols = symbolsOf(*module);
        for (std::size_t f = 0; f < module->functions.size(); ++f)
            if (module->functions[f].isEntry) {
                auto program = emulator::decode(*module, std::uint32_t(f), symbols, 0);
                if (!program) {
                    state.SkipWithError(program.error().text().c_str());
                    return;
                }
                kernels += program->code.size();
            }
    }
    benchmark::DoNotOptimize(kernels);
    state.counters[decodes ? "ptx_parse_and_decode_bytes_per_s" : "ptx_parse_bytes_per_s"] =
        benchmark::Counter(double(text.size()) * double(state.iterations()), benchmark::Counter::kIsRate);
}

BENCHMARK(parsing)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
