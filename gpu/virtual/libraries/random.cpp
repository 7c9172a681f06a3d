// SPDX-License-Identifier: GPL-3.0-or-later
// cuRAND's interface of the host: generators fill memory of the device in the order of their stream, or of the host at once.
#include "gpu/base/messages/program.h"
#include "gpu/virtual/libraries/generators.h"
#include "gpu/virtual/libraries/library.h"

#include <cmath>
#include <numbers>
#include <random>

using namespace warpglass::virtual_device;
namespace say = warpglass::say;

namespace {

enum RandomStatus : int {
    randomSuccess = 0,
    randomNotInitialized = 101,
    typeError = 103,
    outOfRange = 104,
    lengthNotMultiple = 105,
    randomLaunchFailure = 201,
    preexistingFailure = 202,
};
constexpr int randomVersion = 10400; // 10.4.0

struct RandomHandle {
    GeneratorKind kind{};
    std::uint64_t seed = 0, offset = 0;
    std::shared_ptr<Generator> generator; // null: seed and offset are still to be taken
    bool ofHost = false;
    unsigned device = 0;
    void* stream = nullptr;
};

using Generators = Handles<void*, RandomHandle>;

// Of cuRAND's kinds of generators (curand.h) those that are not here.
const char* missingKind(int kind) {
    switch (kind) {
    case 141:
        return "cuRAND's CURAND_RNG_PSEUDO_MTGP32";
    case 200:
    case 201:
        return "cuRAND's CURAND_RNG_QUASI_SOBOL32";
    case 202:
        return "cuRAND's CURAND_RNG_QUASI_SCRAMBLED_SOBOL32";
    case 203:
        return "cuRAND's CURAND_RNG_QUASI_SOBOL64";
    case 204:
        return "cuRAND's CURAND_RNG_QUASI_SCRAMBLED_SOBOL64";
    default:
        return nullptr;
    }
}

template <class F>
int withGenerator(void* handle, F f) {
    const std::lock_guard lock(machine().lock);
    RandomHandle* const generator = Generators::all().find(handle);
    return generator ? f(*generator) : int(randomNotInitialized);
}

int create(void** handle, int kind, bool ofHost) {
    if (kind == 100) // the default
        kind = int(GeneratorKind::Xorwow);
    if (!handle || !makeGenerator(GeneratorKind(kind), 0)) {
        if (const char* name = handle ? missingKind(kind) : nullptr)
            tellMissing(name);
        return typeError;
    }
    const std::lock_guard lock(machine().lock);
    auto made = std::make_unique<RandomHandle>();
    made->kind = GeneratorKind(kind), made->ofHost = ofHost, made->device = device().number;
    *handle = made.get();
    Generators::all().keep(*handle, std::move(made));
    return randomSuccess;
}

// count numbers at `to`, made by fill(generator, where, count).
template <class T, class F>
int generate(void* handle, const Called& function, T* to, std::size_t count, F fill) {
    return withGenerator(handle, [&](RandomHandle& h) -> int {
        if (!h.generator) {
            h.generator = makeGenerator(h.kind, h.seed);
            h.generator->skip(h.offset);
        }
        if (count == 0)
            return randomSuccess;
        if (h.ofHost) {
            fill(*h.generator, to, count);
            return randomSuccess;
        }
        Device& d = *machine().devices[h.device];
        if (d.broken != success)
            return preexistingFailure;
        Pieces pieces;
        pieces.writes(to, count * sizeof(T));
        const Status status =
            giveCall(d, h.stream, libraryFunction(d, function, {"cuRAND", say::ByGenerators}), std::move(pieces),
                     [g = h.generator, fill, count](Places m) { fill(*g, reinterpret_cast<T*>(m[0]), count); });
        return status == success ? int(randomSuccess) : int(randomLaunchFailure);
    });
}

template <class T>
double unitOf(Generator& g) {
    return sizeof(T) == sizeof(double) ? g.fineUnit() : g.unit();
}

template <class T>
int uniform(void* handle, const Called& function, T* to, std::size_t count) {
    return generate(handle, function, to, count, [](Generator& g, T* at, std::size_t n) {
        for (std::size_t k = 0; k < n; ++k)
            at[k] = T(unitOf<T>(g));
    });
}

// Box and Muller: A Note on the Generation of Random Normal Deviates, 1958: numbers come in pairs.
template <class T>
int normal(void* handle, const Called& function, T* to, std::size_t count, T mean, T deviation, bool logarithmic) {
    if (count % 2 != 0)
        return lengthNotMultiple;
    return generate(handle, function, to, count, [=](Generator& g, T* at, std::size_t n) {
        for (std::size_t k = 0; k + 1 < n; k += 2) {
            const double radius = std::sqrt(-2 * std::log(unitOf<T>(g))), angle = 2 * std::numbers::pi * unitOf<T>(g);
            for (const std::size_t second : {std::size_t(0), std::size_t(1)}) {
                const double v =
                    double(mean) + double(deviation) * radius * (second ? std::cos(angle) : std::sin(angle));
                at[k + second] = T(logarithmic ? std::exp(v) : v);
            }
        }
    });
}

struct Bits { // a generator as the standard library asks for one
    using result_type = std::uint32_t;
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return ~result_type(0); }
    result_type operator()() { return generator.next(); }
    Generator& generator;
};

} // namespace

WG_API int curandCreateGenerator(void** handle, int kind) {
    return create(handle, kind, false);
}
WG_API int curandCreateGeneratorHost(void** handle, int kind) {
    return create(handle, kind, true);
}
WG_API int curandDestroyGenerator(void* handle) {
    return withGenerator(handle, [&](RandomHandle&) {
        Generators::all().drop(handle);
        return int(randomSuccess);
    });
}
WG_API int curandGetVersion(int* version) {
    *version = randomVersion;
    return randomSuccess;
}
WG_API int curandGetProperty(int which, int* value) { // major, minor, patch
    if (which < 0 || which > 2 || !value)
        return outOfRange;
    *value = which == 0 ? randomVersion / 1000 : which == 1 ? randomVersion / 100 % 10 : 0;
    return randomSuccess;
}
WG_API int curandSetStream(void* handle, void* stream) {
    return withGenerator(handle, [&](RandomHandle& h) {
        h.stream = stream;
        return int(randomSuccess);
    });
}
WG_API int curandSetPseudoRandomGeneratorSeed(void* handle, unsigned long long seed) {
    return withGenerator(handle, [&](RandomHandle& h) {
        h.seed = seed;
        h.generator.reset();
        return int(randomSuccess);
    });
}
WG_API int curandSetGeneratorOffset(void* handle, unsigned long long offset) {
    constexpr unsigned long long most = 1ull << 32; // that is stepped over one by one
    return withGenerator(handle, [&](RandomHandle& h) -> int {
        if (h.kind == GeneratorKind::Mt19937)
            return typeError;
        if (h.kind != GeneratorKind::Philox4x32 && offset > most)
            return outOfRange;
        h.offset = offset;
        h.generator.reset();
        return randomSuccess;
    });
}
WG_API int curandSetGeneratorOrdering(void* handle, int order) { // there is one order here
    return withGenerator(
        handle, [&](RandomHandle&) { return order >= 100 && order <= 104 ? int(randomSuccess) : int(outOfRange); });
}
WG_API int curandGenerateSeeds(void* handle) {
    return withGenerator(handle, [](RandomHandle&) { return int(randomSuccess); });
}
WG_API int curandGenerate(void* handle, std::uint32_t* to, std::size_t count) {
    return generate(handle, __func__, to, count, [](Generator& g, std::uint32_t* at, std::size_t n) {
        for (std::size_t k = 0; k < n; ++k)
            at[k] = g.next();
    });
}
WG_API int curandGenerateUniform(void* handle, float* to, std::size_t count) {
    return uniform(handle, __func__, to, count);
}
WG_API int curandGenerateUniformDouble(void* handle, double* to, std::size_t count) {
    return uniform(handle, __func__, to, count);
}
WG_API int curandGenerateNormal(void* handle, float* to, std::size_t count, float mean, float deviation) {
    return normal(handle, __func__, to, count, mean, deviation, false);
}
WG_API int curandGenerateNormalDouble(void* handle, double* to, std::size_t count, double mean, double deviation) {
    return normal(handle, __func__, to, count, mean, deviation, false);
}
WG_API int curandGenerateLogNormal(void* handle, float* to, std::size_t count, float mean, float deviation) {
    return normal(handle, __func__, to, count, mean, deviation, true);
}
WG_API int curandGenerateLogNormalDouble(void* handle, double* to, std::size_t count, double mean, double deviation) {
    return normal(handle, __func__, to, count, mean, deviation, true);
}
WG_API int curandGeneratePoisson(void* handle, std::uint32_t* to, std::size_t count, double mean) {
    if (!(mean > 0 && mean < 0x1p31))
        return outOfRange;
    return generate(handle, __func__, to, count, [mean](Generator& g, std::uint32_t* at, std::size_t n) {
        std::poisson_distribution<std::int64_t> draw(mean);
        Bits bits{g};
        for (std::size_t k = 0; k < n; ++k)
            at[k] = std::uint32_t(draw(bits));
    });
}
