// SPDX-License-Identifier: GPL-3.0-or-later
// cuBLAS: handles, their modes, and copies of vectors and matrices.
#include "gpu/base/messages/program.h"
#include "gpu/virtual/libraries/blas.h"
#include "gpu/virtual/runtime/call.h"

#include <cstring>

namespace warpglass::virtual_device::blas {

namespace {
using BlasHandles = Handles<void*, Handle>;
constexpr int blasVersion = 130000; // 13.0.0
} // namespace

Handle* handleAt(void* handle) {
    const std::lock_guard lock(machine().lock);
    return BlasHandles::all().find(handle);
}

Device& Call::device() const {
    return *machine().devices[m_handle->device];
}

std::vector<const void*> Call::listed(const void* pointers, int count) {
    std::vector<const void*> all(std::size_t(std::max(count, 0)));
    if (all.empty() || !needs(pointers != nullptr))
        return all;
    const std::lock_guard lock(machine().lock);
    const std::uint64_t bytes = all.size() * sizeof(void*);
    pieces.reads(pointers, bytes);
    if (const std::byte* list = machine().memory.resolve(reinterpret_cast<std::uint64_t>(pointers), bytes))
        std::memcpy(all.data(), list, bytes);
    return all;
}

int Call::give(bool isNothing, std::function<void(Places)> work) {
    if (!m_handle || !m_valid)
        return failed();
    Device& d = device();
    const std::lock_guard lock(d.lock);
    if (d.broken != success)
        return executionFailed;
    Stream* const stream = d.streams.find(m_handle->stream);
    if (!stream || (m_waits && stream->capture)) // a number for the host cannot be waited for there
        return executionFailed;
    if (!isNothing) {
        program::RecordedKernel& function = libraryFunction(d, m_function, {"cuBLAS", answeredBy()});
        if (giveCall(d, m_handle->stream, function, std::move(pieces), std::move(work)) != success)
            return executionFailed;
    }
    return m_waits && d.wait(d.rowOf(*stream), program::waitsForStream) != success ? executionFailed : blasSuccess;
}

} // namespace warpglass::virtual_device::blas

using namespace warpglass::virtual_device;
using namespace warpglass::virtual_device::blas;

namespace {

template <class F>
int with(void* handle, F f) {
    Handle* const h = handleAt(handle);
    if (!h)
        return notInitialized;
    f(*h);
    return blasSuccess;
}

// Rows of elements between the host and the device; the host waits unless it gives a stream.
[[gnu::always_inline]] inline int copyElements(int rows, int count, int bytes, const void* from, std::int64_t fromStep,
                                               void* to, std::int64_t toStep, int kind, void* stream, bool waits) {
    if (rows < 0 || count < 0 || bytes <= 0 || fromStep < std::max(1, rows) || toStep < std::max(1, rows))
        return blasInvalidValue;
    CopyRequest r;
    r.from = from, r.to = to, r.kind = kind;
    r.bytes = std::uint64_t(rows) * std::uint64_t(bytes), r.rows = std::uint64_t(count);
    r.fromPitch = std::uint64_t(fromStep * bytes), r.toPitch = std::uint64_t(toStep * bytes);
    if (r.fromPitch == r.bytes && r.toPitch == r.bytes) // one behind the other
        r.bytes *= std::exchange(r.rows, r.rows > 0 ? 1 : 0);
    const int status = call([&](Device& d) { return d.copies(waits, [&] { return d.copy(r, stream); }); });
    return status == success ? blasSuccess : mappingError;
}

} // namespace

WG_API int cublasCreate_v2(void** handle) {
    if (!handle)
        return blasInvalidValue;
    auto made = std::make_unique<Handle>();
    Device& d = device();
    const std::lock_guard lock(d.lock);
    if (d.broken != success)
        return notInitialized;
    made->device = d.number;
    *handle = made.get();
    BlasHandles::all().keep(*handle, std::move(made));
    return blasSuccess;
}
WG_API int cublasDestroy_v2(void* handle) {
    const std::lock_guard lock(machine().lock);
    return BlasHandles::all().drop(handle) ? blasSuccess : notInitialized;
}
WG_API int cublasGetVersion_v2(void* handle, int* is) {
    return with(handle, [&](Handle&) { *is = blasVersion; });
}
WG_API int cublasGetProperty(int which, int* value) { // major, minor, patch
    if (which < 0 || which > 2 || !value)
        return blasInvalidValue;
    *value = which == 0 ? blasVersion / 10000 : 0;
    return blasSuccess;
}
WG_API std::size_t cublasGetCudartVersion() {
    return blasVersion / 10;
}
WG_API int cublasSetStream_v2(void* handle, void* stream) {
    return with(handle, [&](Handle& h) { h.stream = stream; });
}
WG_API int cublasGetStream_v2(void* handle, void** stream) {
    return with(handle, [&](Handle& h) { *stream = h.stream; });
}
WG_API int cublasSetPointerMode_v2(void* handle, int mode) {
    return with(handle, [&](Handle& h) { h.scalarsOnDevice = mode == 1; });
}
WG_API int cublasGetPointerMode_v2(void* handle, int* mode) {
    return with(handle, [&](Handle& h) { *mode = h.scalarsOnDevice; });
}
WG_API int cublasSetAtomicsMode(void* handle, int mode) {
    return with(handle, [&](Handle& h) { h.atomics = mode; });
}
WG_API int cublasGetAtomicsMode(void* handle, int* mode) {
    return with(handle, [&](Handle& h) { *mode = h.atomics; });
}
WG_API int cublasSetMathMode(void* handle, int mode) {
    return with(handle, [&](Handle& h) { h.math = mode; });
}
WG_API int cublasGetMathMode(void* handle, int* mode) {
    return with(handle, [&](Handle& h) { *mode = h.math; });
}
WG_API int cublasSetSmCountTarget(void* handle, int sms) {
    return with(handle, [&](Handle& h) { h.sms = sms; });
}
WG_API int cublasGetSmCountTarget(void* handle, int* sms) {
    return with(handle, [&](Handle& h) { *sms = h.sms; });
}
// How products of floats and doubles are to be made of shorter numbers: here they are made of their own, as exactly as any.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define WG_KEPT(NAME, T, FIELD)                                                                                        \
    WG_API int cublasSet##NAME(void* handle, T value) {                                                                \
        return with(handle, [&](Handle& h) { h.emulation.FIELD = value; });                                            \
    }                                                                                                                  \
    WG_API int cublasGet##NAME(void* handle, T* value) {                                                               \
        return with(handle, [&](Handle& h) { *value = h.emulation.FIELD; });                                           \
    }
// NOLINTEND(bugprone-macro-parentheses)
WG_KEPT(EmulationStrategy, int, strategy)
WG_KEPT(EmulationSpecialValuesSupport, int, specialValues)
WG_KEPT(FixedPointEmulationMantissaControl, int, control)
WG_KEPT(FixedPointEmulationMaxMantissaBitCount, int, maxBits)
WG_KEPT(FixedPointEmulationMantissaBitOffset, int, bitOffset)
WG_API int cublasSetWorkspace_v2(void* handle, void*, std::size_t) {
    return with(handle, [](Handle&) {});
}
WG_API int cublasLoggerConfigure(int, int, int, const char*) {
    return blasSuccess;
}

namespace {
struct StatusWords {
    int number;
    const char *name, *text;
};
constexpr StatusWords statuses[] = {
    {0, "CUBLAS_STATUS_SUCCESS", "success"},
    {1, "CUBLAS_STATUS_NOT_INITIALIZED", "the library was not initialized"},
    {3, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
    {7, "CUBLAS_STATUS_INVALID_VALUE", "an unsupported value or parameter was passed"},
    {8, "CUBLAS_STATUS_ARCH_MISMATCH", "the device lacks a feature"},
    {11, "CUBLAS_STATUS_MAPPING_ERROR", "an access to memory failed"},
    {13, "CUBLAS_STATUS_EXECUTION_FAILED", "the function failed to launch on the device"},
    {14, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed"},
    {15, "CUBLAS_STATUS_NOT_SUPPORTED", "the functionality is not supported"},
    {16, "CUBLAS_STATUS_LICENSE_ERROR", "the licence was not found"}};
} // namespace
WG_API const char* cublasGetStatusName(int status) {
    for (const StatusWords& s : statuses)
        if (s.number == status)
            return s.name;
    return "unknown status";
}
WG_API const char* cublasGetStatusString(int status) {
    for (const StatusWords& s : statuses)
        if (s.number == status)
            return s.text;
    return "unknown status";
}

WG_API int cublasSetVector(int n, int bytes, const void* from, int fromStep, void* to, int toStep) {
    return copyElements(1, n, bytes, from, fromStep, to, toStep, hostToDevice, nullptr, true);
}
WG_API int cublasGetVector(int n, int bytes, const void* from, int fromStep, void* to, int toStep) {
    return copyElements(1, n, bytes, from, fromStep, to, toStep, deviceToHost, nullptr, true);
}
WG_API int cublasSetVectorAsync(int n, int bytes, const void* from, int fromStep, void* to, int toStep, void* stream) {
    return copyElements(1, n, bytes, from, fromStep, to, toStep, hostToDevice, stream, false);
}
WG_API int cublasGetVectorAsync(int n, int bytes, const void* from, int fromStep, void* to, int toStep, void* stream) {
    return copyElements(1, n, bytes, from, fromStep, to, toStep, deviceToHost, stream, false);
}
WG_API int cublasSetMatrix(int rows, int columns, int bytes, const void* from, int lda, void* to, int ldb) {
    return copyElements(rows, columns, bytes, from, lda, to, ldb, hostToDevice, nullptr, true);
}
WG_API int cublasGetMatrix(int rows, int columns, int bytes, const void* from, int lda, void* to, int ldb) {
    return copyElements(rows, columns, bytes, from, lda, to, ldb, deviceToHost, nullptr, true);
}
WG_API int cublasSetMatrixAsync(int rows, int columns, int bytes, const void* from, int lda, void* to, int ldb,
                                void* stream) {
    return copyElements(rows, columns, bytes, from, lda, to, ldb, hostToDevice, stream, false);
}
WG_API int cublasGetMatrixAsync(int rows, int columns, int bytes, const void* from, int lda, void* to, int ldb,
                                void* stream) {
    return copyElements(rows, columns, bytes, from, lda, to, ldb, deviceToHost, stream, false);
}
