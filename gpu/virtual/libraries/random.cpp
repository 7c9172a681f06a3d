// SPDX-License-Identifier: GPL-3.0-or-later
// cuRAND's interface of the host: generators fill memory of the device in the order of their stream, or of the host at once.
#include "gpu/base/messages/program.h"
#include "gpu/virtual/libraries/generators.h"
#include "gpu/virtual/libraries/library.h"
#include "gpu/virtual/libraries/quasirandom.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

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
    unsigned dimensions = 1;              // of one that fills a space evenly
    std::shared_ptr<Generator> generator; // null: seed and offset are still to be taken
    bool ofHost = false;
    unsigned device = 0;
    void* stream = nullptr;
};

using Generators = Handles<void*, RandomHandle>;

bool isQuasi(GeneratorKind kind) {
    return kind >= GeneratorKind::Sobol32 && kind <= GeneratorKind::ScrambledSobol64;
}
std::unique_ptr<Generator> made(const RandomHandle& h) {
    if (!isQuasi(h.kind))
        return makeGenerator(h.kind, h.seed);
    const bool wide = h.kind == GeneratorKind::Sobol64 || h.kind == GeneratorKind::ScrambledSobol64;
    return makeSobol(h.dimensions, wide,
                     h.kind == GeneratorKind::ScrambledSobol32 || h.kind == GeneratorKind::ScrambledSobol64);
}

template <class F>
int withGenerator(void* handle, F f) {
    const std::lock_guard lock(machine().lock);
    RandomHandle* const generator = Generators::all().find(handle);
    return generator ? f(*generator) : int(randomNotInitialized);
}

bool withKind(void* handle, bool (*is)(GeneratorKind)) {
    const std::lock_guard lock(machine().lock);
    const RandomHandle* const generator = Generators::all().find(handle);
    return generator && is(generator->kind);
}

int create(void** handle, int kind, bool ofHost) {
    if (kind == 100 || kind == 200) // the defaults
        kind = int(kind == 100 ? GeneratorKind::Xorwow : GeneratorKind::Sobol32);
    if (!handle || (!isQuasi(GeneratorKind(kind)) && !makeGenerator(GeneratorKind(kind), 0)))
        return typeError;
    const std::lock_guard lock(machine().lock);
    auto one = std::make_unique<RandomHandle>();
    one->kind = GeneratorKind(kind), one->ofHost = ofHost, one->device = device().number;
    *handle = one.get();
    Generators::all().keep(*handle, std::move(one));
    return randomSuccess;
}

// count numbers at `to`, made by fill(generator, where, count). isWord: they are the generator's own, of its width.
template <class T, class F>
int generate(void* handle, const Called& function, T* to, std::size_t count, F fill, bool isWord = false) {
    return withGenerator(handle, [&](RandomHandle& h) -> int {
        if (!h.generator) {
            h.generator = made(h);
            h.generator->skip(h.offset);
        }
        if (count == 0)
            return randomSuccess;
        if (isQuasi(h.kind) && count % h.dimensions != 0)
            return lengthNotMultiple;
        if constexpr (std::is_integral_v<T>)
            if (isWord && (sizeof(T) == 8) != h.generator->isWide())
                return typeError;
        const auto whole = [fill](Generator& g, T* at, std::size_t n) {
            g.begin(n);
            fill(g, at, n);
        };
        if (h.ofHost) {
            whole(*h.generator, to, count);
            return randomSuccess;
        }
        Device& d = *machine().devices[h.device];
        if (d.broken != success)
            return preexistingFailure;
        Pieces pieces;
        pieces.writes(to, count * sizeof(T));
        const Status status =
            giveCall(d, h.stream, libraryFunction(d, function, {"cuRAND", say::ByGenerators}), std::move(pieces),
                     [g = h.generator, whole, count](Places m) { whole(*g, reinterpret_cast<T*>(m[0]), count); });
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
    if (count % 2 != 0 && !withKind(handle, isQuasi))
        return lengthNotMultiple;
    return generate(handle, function, to, count, [=](Generator& g, T* at, std::size_t n) {
        for (std::size_t k = 0; g.dimensions() > 0 && k < n; ++k) { // a pair would be of two points
            const double v = double(mean) + double(deviation) * normalOf(unitOf<T>(g));
            at[k] = T(logarithmic ? std::exp(v) : v);
        }
        if (g.dimensions() > 0)
            return;
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

// Where the distribution of Poisson reaches a probability. Beyond nine deviations there is less than a double tells from nothing.
class PoissonTable {
public:
    explicit PoissonTable(double mean) {
        const double width = 9 * std::sqrt(mean) + 30;
        m_first = std::max(0.0, std::floor(mean - width));
        double sum = 0;
        for (double k = m_first; k <= mean + width; ++k)
            m_reached.push_back(sum += std::exp(k * std::log(mean) - mean - std::lgamma(k + 1)));
    }
    std::uint32_t at(double probability) const {
        const auto found = std::lower_bound(m_reached.begin(), m_reached.end(), probability);
        return std::uint32_t(m_first + double(found - m_reached.begin()));
    }

private:
    double m_first = 0;
    std::vector<double> m_reached;
};

// For all dimensions there are, as many words as they have bits.
template <class T>
int directionVectors(T** to, int set) {
    constexpr unsigned bits = sizeof(T) * 8;
    const bool known = bits == 32 ? set == 101 || set == 102 : set == 103 || set == 104;
    if (!to || !known)
        return outOfRange;
    static std::vector<T>& all = *new std::vector<T>([] {
        std::vector<T> made;
        for (unsigned dimension = 0; dimension < mostDimensions; ++dimension)
            for (unsigned bit = 0; bit < bits; ++bit)
                made.push_back(T(directionsOf(dimension)[bit] >> (64 - bits)));
        return made;
    }());
    *to = all.data();
    return randomSuccess;
}
template <class T>
int scrambleConstants(T** to) {
    if (!to)
        return outOfRange;
    static std::vector<T>& all = *new std::vector<T>([] {
        std::vector<T> made;
        for (unsigned dimension = 0; dimension < mostDimensions; ++dimension)
            made.push_back(T(scrambleOf(dimension) >> (64 - sizeof(T) * 8)));
        return made;
    }());
    *to = all.data();
    return randomSuccess;
}

} // namespace

WG_API int curandGetDirectionVectors32(std::uint32_t** vectors, int set) {
    return directionVectors(vectors, set);
}
WG_API int curandGetDirectionVectors64(std::uint64_t** vectors, int set) {
    return directionVectors(vectors, set);
}
WG_API int curandGetScrambleConstants32(std::uint32_t** constants) {
    return scrambleConstants(constants);
}
WG_API int curandGetScrambleConstants64(std::uint64_t** constants) {
    return scrambleConstants(constants);
}
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
        if (isQuasi(h.kind))
            return int(typeError);
        h.seed = seed;
        h.generator.reset();
        return int(randomSuccess);
    });
}
WG_API int curandSetQuasiRandomGeneratorDimensions(void* handle, unsigned dimensions) {
    return withGenerator(handle, [&](RandomHandle& h) {
        if (!isQuasi(h.kind))
            return int(typeError);
        if (dimensions == 0 || dimensions > mostDimensions)
            return int(outOfRange);
        h.dimensions = dimensions;
        h.generator.reset();
        return int(randomSuccess);
    });
}
WG_API int curandSetGeneratorOffset(void* handle, unsigned long long offset) {
    constexpr unsigned long long most = 1ull << 32; // that is stepped over one by one
    return withGenerator(handle, [&](RandomHandle& h) -> int {
        if (h.kind == GeneratorKind::Mt19937 || h.kind == GeneratorKind::Mtgp32)
            return typeError;
        if (h.kind != GeneratorKind::Philox4x32 && !isQuasi(h.kind) && offset > most)
            return outOfRange;
        h.offset = offset;
        h.generator.reset();
        return randomSuccess;
    });
}
WG_API int curandSetGeneratorOrdering(void* handle, int order) { // there is one order here
    return withGenerator(handle, [&](RandomHandle& h) {
        return (isQuasi(h.kind) ? order == 201 : order >= 100 && order <= 104) ? int(randomSuccess) : int(outOfRange);
    });
}
WG_API int curandGenerateSeeds(void* handle) {
    return withGenerator(handle, [](RandomHandle&) { return int(randomSuccess); });
}
WG_API int curandGenerate(void* handle, std::uint32_t* to, std::size_t count) {
    return generate(
        handle, __func__, to, count,
        [](Generator& g, std::uint32_t* at, std::size_t n) {
            for (std::size_t k = 0; k < n; ++k)
                at[k] = g.next();
        },
        true);
}
WG_API int curandGenerateLongLong(void* handle, unsigned long long* to, std::size_t count) {
    return generate(
        handle, __func__, to, count,
        [](Generator& g, unsigned long long* at, std::size_t n) {
            for (std::size_t k = 0; k < n; ++k)
                at[k] = g.nextWide();
        },
        true);
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
        if (g.dimensions() > 0) {
            const PoissonTable table(mean);
            for (std::size_t k = 0; k < n; ++k)
                at[k] = table.at(g.fineUnit());
            return;
        }
        std::poisson_distribution<std::int64_t> draw(mean);
        Bits bits{g};
        for (std::size_t k = 0; k < n; ++k)
            at[k] = std::uint32_t(draw(bits));
    });
}
