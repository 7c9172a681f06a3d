// SPDX-License-Identifier: GPL-3.0-or-later
// cuFFT: plans and their execution, by FFTW, whose advanced interface takes the same sizes, strides and distances.
#include "gpu/base/messages/program.h"
#include "gpu/virtual/libraries/library.h"
#include "gpu/virtual/runtime/call.h"

#include <cstring>
#include <vector>

#include <dlfcn.h>

using namespace warpglass::virtual_device;
namespace say = warpglass::say;

namespace {

enum FftStatus : int {
    fftSuccess = 0,
    invalidPlan = 1,
    invalidType = 3,
    fftInvalidValue = 4,
    fftExecFailed = 6,
    setupFailed = 7,
    invalidSize = 8,
};
constexpr int fftVersion = 12000;                          // 12.0.0
enum FftType : int { C2C = 0x29, R2C = 0x2a, C2R = 0x2c }; // in double 0x40 more
constexpr int inDouble = 0x40;
constexpr unsigned estimate = 1u << 6; // FFTW_ESTIMATE: touches no memory

struct Fftw {
    using Many = void* (*)(int rank, const int* n, int count, void* in, const int* inEmbed, int inStride,
                           int inDistance, void* out, const int* outEmbed, int outStride, int outDistance, int sign,
                           unsigned flags);
    using ManyReal = void* (*)(int rank, const int* n, int count, void* in, const int* inEmbed, int inStride,
                               int inDistance, void* out, const int* outEmbed, int outStride, int outDistance,
                               unsigned flags);
    Many complex = nullptr;
    ManyReal forward = nullptr, backward = nullptr;
    void (*execute)(void*) = nullptr;
    void (*destroy)(void*) = nullptr;
    bool isThere() const { return complex && forward && backward && execute && destroy; }
};

// In double or in float, which are two libraries.
const Fftw& fftw(bool isDouble) {
    static const auto open = [](const char* variable, const char* file, const std::string& prefix) {
        Fftw f;
        if (void* const library = openHostLibrary(variable, {file})) {
            const auto take = [&]<class T>(T& to, const char* name) {
                to = reinterpret_cast<T>(dlsym(library, (prefix + name).c_str()));
            };
            take(f.complex, "plan_many_dft");
            take(f.forward, "plan_many_dft_r2c");
            take(f.backward, "plan_many_dft_c2r");
            take(f.execute, "execute");
            take(f.destroy, "destroy_plan");
        }
        return f;
    };
    static const Fftw ofDouble = open("WARPGLASS_FFTW", "libfftw3.so.3", "fftw_"),
                      ofFloat = open("WARPGLASS_FFTWF", "libfftw3f.so.3", "fftwf_");
    return isDouble ? ofDouble : ofFloat;
}

// How one side of the transforms lies, in elements; a plan without it has its rows one behind the other.
struct Side {
    bool given = false;
    std::vector<int> embed;
    int stride = 1, distance = 0;
};

struct Plan {
    int type = 0; // 0: not made yet
    std::vector<int> n;
    int batch = 1;
    Side in, out;
    void* stream = nullptr;
    unsigned device = 0;
    bool isDouble() const { return (type & inDouble) != 0; }
    int kind() const { return type & ~inDouble; }
};

using Plans = Handles<int, Plan>;

template <class F>
int withPlan(int handle, F f) {
    const std::lock_guard lock(machine().lock);
    Plan* const plan = Plans::all().find(handle);
    return plan ? f(*plan) : int(invalidPlan);
}

int createPlan(int* handle) {
    if (!handle)
        return fftInvalidValue;
    const std::lock_guard lock(machine().lock);
    static int last = 0;
    *handle = ++last;
    Plans::all().keep(*handle, std::make_unique<Plan>()).device = device().number;
    return fftSuccess;
}

template <class N>
int make(int handle, int rank, const N* n, const Side& in, const Side& out, int type, int batch, std::size_t* work) {
    if (rank < 1 || rank > 3 || !n || batch < 1)
        return rank < 1 || rank > 3 ? fftInvalidValue : invalidSize;
    const int kind = type & ~inDouble;
    if (kind != C2C && kind != R2C && kind != C2R)
        return invalidType;
    for (int k = 0; k < rank; ++k)
        if (n[k] < 1 || n[k] > 1 << 27)
            return invalidSize;
    if (work)
        *work = 0; // there is no area of the device's
    return withPlan(handle, [&](Plan& p) -> int {
        if (p.type != 0)
            return invalidPlan; // it was made before
        p.type = type, p.n.assign(n, n + rank), p.batch = batch, p.in = in, p.out = out;
        return fftSuccess;
    });
}

template <class N>
Side sideOf(int rank, const N* embed, N stride, N distance) {
    Side s;
    if (embed && rank >= 1 && rank <= 3)
        s.given = true, s.embed.assign(embed, embed + rank), s.stride = int(stride), s.distance = int(distance);
    return s;
}

// The sizes that a side has: of a real transform's complex side the last one is half, and 1.
std::vector<int> sizesOf(const Plan& p, bool complexSide) {
    std::vector<int> sizes = p.n;
    if (complexSide && p.kind() != C2C)
        sizes.back() = sizes.back() / 2 + 1;
    return sizes;
}

// In place, rows of real numbers have room for the complex ones.
Side layoutOf(const Plan& p, const Side& given, bool complexSide, bool inPlace) {
    Side s = given;
    if (!s.given) {
        s.embed = sizesOf(p, complexSide);
        if (!complexSide && inPlace)
            s.embed.back() = 2 * (p.n.back() / 2 + 1);
        s.distance = 1;
        for (const int size : s.embed)
            s.distance *= size;
    }
    return s;
}

// The memory of a side: row by row where rows lie at one distance from each other, else from the first to the last byte.
struct Room {
    std::uint64_t bytes = 0, rows = 1, pitch = 0;
};
Room roomOf(const Plan& p, const Side& s, bool complexSide) {
    const std::uint64_t element = (complexSide ? 2u : 1u) * (p.isDouble() ? 8u : 4u);
    const std::vector<int> sizes = sizesOf(p, complexSide);
    const auto n = [](int v) { return std::uint64_t(std::max(v, 0)); };
    std::uint64_t span = 0, step = n(s.stride), rows = n(p.batch);
    bool even = true; // all rows follow each other at one distance
    for (std::size_t k = sizes.size(); k-- > 0; step *= n(s.embed[k])) {
        span += (n(sizes[k]) - 1) * step;
        if (k + 1 < sizes.size())
            rows *= n(sizes[k]);
        even = even && (k == 0 || k + 1 == sizes.size() || s.embed[k] == sizes[k]);
    }
    const bool packed = p.batch == 1 || n(s.distance) == step;
    const std::uint64_t row = (n(sizes.back()) - 1) * n(s.stride) + 1;
    if (even && packed && s.stride == 1 && sizes.size() > 1 && n(s.embed.back()) >= row)
        return {row * element, rows, n(s.embed.back()) * element};
    if (n(s.distance) > span) // one transform behind the other
        return {(span + 1) * element, n(p.batch), n(s.distance) * element};
    return {(span + 1 + (n(p.batch) - 1) * n(s.distance)) * element};
}

int execute(int handle, const Called& function, int type, void* from, void* to, int sign) {
    return withPlan(handle, [&](Plan& p) -> int {
        if (p.type != type)
            return p.type == 0 ? invalidPlan : invalidType;
        if (sign != 1 && sign != -1)
            return fftInvalidValue;
        Device& d = *machine().devices[p.device];
        if (d.broken != success)
            return fftExecFailed;
        const Fftw& host = fftw(p.isDouble());
        if (!host.isThere()) {
            const char* const file = p.isDouble() ? "libfftw3.so.3" : "libfftw3f.so.3";
            d.tellOnce(say::LibraryAbsent(function.name, "FFTW", file));
            return setupFailed;
        }
        const bool inPlace = from == to, realIn = p.kind() == R2C, realOut = p.kind() == C2R;
        const Side in = layoutOf(p, p.in, !realIn, inPlace), out = layoutOf(p, p.out, !realOut, inPlace);
        const Room reads = roomOf(p, in, !realIn), writes = roomOf(p, out, !realOut);
        Pieces pieces;
        pieces.reads(from, reads.bytes, reads.rows, reads.pitch);
        pieces.writes(to, writes.bytes, writes.rows, writes.pitch);
        const auto work = [plan = p, in, out, reads, inPlace, sign, &host](Places m) {
            void *source = m[0], *const target = m[1];
            std::vector<std::byte> copy; // FFTW may write over what it transforms to real numbers
            if (plan.kind() == C2R && !inPlace) {
                copy.assign(m[0], m[0] + (reads.rows - 1) * reads.pitch + reads.bytes);
                source = copy.data();
            }
            const int rank = int(plan.n.size());
            const auto real = [&](Fftw::ManyReal make) {
                return make(rank, plan.n.data(), plan.batch, source, in.embed.data(), in.stride, in.distance, target,
                            out.embed.data(), out.stride, out.distance, estimate);
            };
            void* const made =
                plan.kind() == R2C ? real(host.forward)
                : plan.kind() == C2R
                    ? real(host.backward)
                    : host.complex(rank, plan.n.data(), plan.batch, source, in.embed.data(), in.stride, in.distance,
                                   target, out.embed.data(), out.stride, out.distance, sign, estimate);
            if (!made)
                return;
            host.execute(made);
            host.destroy(made);
        };
        const Status status = giveCall(d, p.stream, libraryFunction(d, function, {"cuFFT", warpglass::plain("FFTW")}),
                                       std::move(pieces), work);
        return status == success ? int(fftSuccess) : int(fftExecFailed);
    });
}

int makeOf(int handle, std::initializer_list<int> n, int type, int batch, std::size_t* work) {
    return make(handle, int(n.size()), n.begin(), Side(), Side(), type, batch, work);
}
// A plan and its handle at once; what is wrong takes the handle away again.
template <class F>
int planned(int* handle, F f) {
    int status = createPlan(handle);
    if (status != fftSuccess)
        return status;
    status = f(*handle);
    if (status != fftSuccess)
        withPlan(*handle, [&](Plan&) { return int(Plans::all().drop(*handle)); });
    return status;
}
int noWork(std::size_t* work) {
    if (work)
        *work = 0;
    return fftSuccess;
}

} // namespace

WG_API int cufftCreate(int* handle) {
    return createPlan(handle);
}
WG_API int cufftDestroy(int handle) {
    return withPlan(handle, [&](Plan&) {
        Plans::all().drop(handle);
        return int(fftSuccess);
    });
}
WG_API int cufftMakePlan1d(int handle, int nx, int type, int batch, std::size_t* work) {
    return makeOf(handle, {nx}, type, batch, work);
}
WG_API int cufftMakePlan2d(int handle, int nx, int ny, int type, std::size_t* work) {
    return makeOf(handle, {nx, ny}, type, 1, work);
}
WG_API int cufftMakePlan3d(int handle, int nx, int ny, int nz, int type, std::size_t* work) {
    return makeOf(handle, {nx, ny, nz}, type, 1, work);
}
WG_API int cufftMakePlanMany(int handle, int rank, int* n, int* inEmbed, int inStride, int inDistance, int* outEmbed,
                             int outStride, int outDistance, int type, int batch, std::size_t* work) {
    return make(handle, rank, n, sideOf(rank, inEmbed, inStride, inDistance),
                sideOf(rank, outEmbed, outStride, outDistance), type, batch, work);
}
WG_API int cufftMakePlanMany64(int handle, int rank, long long* n, long long* inEmbed, long long inStride,
                               long long inDistance, long long* outEmbed, long long outStride, long long outDistance,
                               int type, long long batch, std::size_t* work) {
    return make(handle, rank, n, sideOf(rank, inEmbed, inStride, inDistance),
                sideOf(rank, outEmbed, outStride, outDistance), type, int(batch), work);
}
WG_API int cufftPlan1d(int* handle, int nx, int type, int batch) {
    return planned(handle, [&](int h) { return makeOf(h, {nx}, type, batch, nullptr); });
}
WG_API int cufftPlan2d(int* handle, int nx, int ny, int type) {
    return planned(handle, [&](int h) { return makeOf(h, {nx, ny}, type, 1, nullptr); });
}
WG_API int cufftPlan3d(int* handle, int nx, int ny, int nz, int type) {
    return planned(handle, [&](int h) { return makeOf(h, {nx, ny, nz}, type, 1, nullptr); });
}
WG_API int cufftPlanMany(int* handle, int rank, int* n, int* inEmbed, int inStride, int inDistance, int* outEmbed,
                         int outStride, int outDistance, int type, int batch) {
    return planned(handle, [&](int h) {
        return cufftMakePlanMany(h, rank, n, inEmbed, inStride, inDistance, outEmbed, outStride, outDistance, type,
                                 batch, nullptr);
    });
}
WG_API int cufftExecC2C(int handle, void* from, void* to, int sign) {
    return execute(handle, __func__, C2C, from, to, sign);
}
WG_API int cufftExecR2C(int handle, void* from, void* to) {
    return execute(handle, __func__, R2C, from, to, -1);
}
WG_API int cufftExecC2R(int handle, void* from, void* to) {
    return execute(handle, __func__, C2R, from, to, 1);
}
WG_API int cufftExecZ2Z(int handle, void* from, void* to, int sign) {
    return execute(handle, __func__, C2C | inDouble, from, to, sign);
}
WG_API int cufftExecD2Z(int handle, void* from, void* to) {
    return execute(handle, __func__, R2C | inDouble, from, to, -1);
}
WG_API int cufftExecZ2D(int handle, void* from, void* to) {
    return execute(handle, __func__, C2R | inDouble, from, to, 1);
}
WG_API int cufftSetStream(int handle, void* stream) {
    return withPlan(handle, [&](Plan& p) {
        p.stream = stream;
        return int(fftSuccess);
    });
}
WG_API int cufftSetAutoAllocation(int handle, int) {
    return withPlan(handle, [](Plan&) { return int(fftSuccess); });
}
WG_API int cufftSetWorkArea(int handle, void*) {
    return withPlan(handle, [](Plan&) { return int(fftSuccess); });
}
WG_API int cufftGetVersion(int* version) {
    *version = fftVersion;
    return fftSuccess;
}
WG_API int cufftGetProperty(int which, int* value) { // major, minor, patch
    if (which < 0 || which > 2 || !value)
        return fftInvalidValue;
    *value = which == 0 ? fftVersion / 1000 : 0;
    return fftSuccess;
}
// No area of the device's is needed, whatever is planned.
WG_API int cufftGetSize(int, std::size_t* work) {
    return noWork(work);
}
WG_API int cufftGetSize1d(int, int, int, int, std::size_t* work) {
    return noWork(work);
}
WG_API int cufftGetSize2d(int, int, int, int, std::size_t* work) {
    return noWork(work);
}
WG_API int cufftGetSize3d(int, int, int, int, int, std::size_t* work) {
    return noWork(work);
}
WG_API int cufftGetSizeMany(int, int, int*, int*, int, int, int*, int, int, int, int, std::size_t* work) {
    return noWork(work);
}
WG_API int cufftEstimate1d(int, int, int, std::size_t* work) {
    return noWork(work);
}
WG_API int cufftEstimate2d(int, int, int, std::size_t* work) {
    return noWork(work);
}
WG_API int cufftEstimate3d(int, int, int, int, std::size_t* work) {
    return noWork(work);
}
WG_API int cufftEstimateMany(int, int*, int*, int, int, int*, int, int, int, int, std::size_t* work) {
    return noWork(work);
}
