// SPDX-License-Identifier: GPL-3.0-or-later
// What the machine itself does, so that figures of two machines, or of one machine at two hours, can be set side by
// side: a fixed walk of dependent integer operations through a table that lies in the first cache, copies of 64 MB, and
// what its widest vectors multiply and add, which bounds products of matrices: floats, and bytes.
#include <array>
#include <benchmark/benchmark.h>
#include <cstdint>
#include <cstring>
#include <vector>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace {

void integers(benchmark::State& state) {
    std::array<std::uint32_t, 4096> table{};
    for (std::uint32_t i = 0; i < table.size(); ++i)
        table[i] = i * 2654435761u;
    constexpr int steps = 1 << 20;
    std::uint32_t x = 1;
    for (auto _ : state) {
        for (int i = 0; i < steps; ++i) {
            x ^= x << 13, x ^= x >> 17, x ^= x << 5;
            x += table[x >> 20];
        }
        benchmark::DoNotOptimize(x);
    }
    state.counters["machine_integer_steps_per_s"] =
        benchmark::Counter(double(steps) * double(state.iterations()), benchmark::Counter::kIsRate);
}

void copies(benchmark::State& state) {
    std::vector<char> from(64 << 20, 1), to(64 << 20);
    for (auto _ : state) {
        std::memcpy(to.data(), from.data(), from.size());
        benchmark::DoNotOptimize(to.data());
        benchmark::ClobberMemory();
    }
    state.counters["machine_copied_bytes_per_s"] =
        benchmark::Counter(double(from.size()) * double(state.iterations()), benchmark::Counter::kIsRate);
}

#if defined(__x86_64__)
// Sixteen vectors, none of which waits for another. The operation is written out: a compiler would fold it.
#define WARPGLASS_SIXTEEN(f) f(0) f(1) f(2) f(3) f(4) f(5) f(6) f(7) f(8) f(9) f(10) f(11) f(12) f(13) f(14) f(15)
#define WARPGLASS_FLOATS(k) asm("vfmadd231ps %1, %1, %0" : "+v"(a[k]) : "v"(other));
#define WARPGLASS_BYTES(k) asm("vpdpbusd %1, %1, %0" : "+v"(a[k]) : "v"(other));
constexpr int rounds = 1 << 16;
[[gnu::target("avx512f")]] int multiplyFloats() {
    __m512i a[16], other = _mm512_setzero_si512();
    for (auto& v : a)
        v = other;
    for (int i = 0; i < rounds; ++i) {
        WARPGLASS_SIXTEEN(WARPGLASS_FLOATS)
    }
    for (const auto& v : a)
        other = _mm512_or_si512(other, v);
    return _mm512_cvtsi512_si32(other);
}
[[gnu::target("avx512f,avx512vnni")]] int multiplyBytes() {
    __m512i a[16], other = _mm512_setzero_si512();
    for (auto& v : a)
        v = other;
    for (int i = 0; i < rounds; ++i) {
        WARPGLASS_SIXTEEN(WARPGLASS_BYTES)
    }
    for (const auto& v : a)
        other = _mm512_or_si512(other, v);
    return _mm512_cvtsi512_si32(other);
}
void products(benchmark::State& state, int (*multiply)(), const char* name, int each) {
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512vnni"))
        return state.SkipWithError("a processor without AVX-512");
    for (auto _ : state)
        benchmark::DoNotOptimize(multiply());
    state.counters[name] =
        benchmark::Counter(16.0 * rounds * each * double(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(products, floats, &multiplyFloats, "machine_float_products_per_s", 16)->Repetitions(5);
BENCHMARK_CAPTURE(products, bytes, &multiplyBytes, "machine_byte_products_per_s", 64)->Repetitions(5);
#endif

BENCHMARK(integers)->Repetitions(5)->Unit(benchmark::kMillisecond);
BENCHMARK(copies)->Repetitions(5)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
