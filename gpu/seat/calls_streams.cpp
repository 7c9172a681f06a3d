// SPDX-License-Identifier: GPL-3.0-or-later
// Streams, events, waiting, and what is loaded.
#include "gpu/seat/seat.h"

using namespace warpglass::seat;
using warpglass::program::waitsForDevice;
using warpglass::program::waitsForStream;

namespace {

template <class F>
CUresult wait(F carryOut, CUstream stream, bool perThread, std::uint64_t what) {
    Operation o;
    o.from = what;
    o.kind = OperationKind::Wait;
    const CUresult result = observed(o, stream, perThread, carryOut);
    seat().waited();
    return result;
}

// A question whether that is done. Once it is, the host has waited for it.
template <class F>
CUresult ask(F carryOut, CUstream stream, bool perThread, std::uint64_t what) {
    const CUresult result = carryOut();
    return result == CUDA_SUCCESS ? wait([] { return CUDA_SUCCESS; }, stream, perThread, what) : result;
}

template <class F>
CUresult hostFunction(F carryOut, CUstream stream, bool perThread) {
    Operation o;
    o.kind = OperationKind::HostFunction;
    return observed(o, stream, perThread, carryOut);
}

Operation ofEvent(OperationKind kind, CUevent event) {
    Operation o;
    o.kind = kind;
    o.from = reinterpret_cast<std::uint64_t>(event);
    return o;
}

template <class F>
CUresult named(F carryOut, CUstream* stream, unsigned flags, int priority) {
    const CUresult result = carryOut();
    if (result == CUDA_SUCCESS)
        seat().nameStream(*stream, flags, priority);
    return result;
}

template <class F>
CUresult captureBegun(F carryOut) {
    const CUresult result = carryOut();
    seat().capturing += result == CUDA_SUCCESS ? 1 : 0;
    return result;
}

template <class F, class Note>
CUresult loaded(F carryOut, Note note) {
    const CUresult result = carryOut();
    if (result == CUDA_SUCCESS) {
        const std::lock_guard guard(seat().lock);
        note(seat().images);
    }
    return result;
}

template <class F>
CUresult unloaded(F carryOut, const void* handle) {
    {
        const std::lock_guard guard(seat().lock);
        seat().images.forget(handle);
    }
    return carryOut();
}

} // namespace

// Which context a thread works in is asked again after these.
#define WG_SEAT_CONTEXT(name, parameters, names)                                                                       \
    WG_SEAT_CALL(name, parameters, names, const CUresult result = carryOut(); ++seat().contextChanges; return result;)
WG_SEAT_CONTEXT(cuCtxSetCurrent, (CUcontext c), (c))
WG_SEAT_CONTEXT(cuCtxPushCurrent_v2, (CUcontext c), (c))
WG_SEAT_CONTEXT(cuCtxPopCurrent_v2, (CUcontext * c), (c))
WG_SEAT_CONTEXT(cuCtxCreate_v2, (CUcontext * c, unsigned flags, CUdevice device), (c, flags, device))
WG_SEAT_CONTEXT(cuCtxCreate_v3, (CUcontext * c, CUexecAffinityParam* some, int count, unsigned flags, CUdevice device),
                (c, some, count, flags, device))
WG_SEAT_CONTEXT(cuCtxCreate_v4, (CUcontext * c, CUctxCreateParams* parameters, unsigned flags, CUdevice device),
                (c, parameters, flags, device))
WG_SEAT_CONTEXT(cuCtxDestroy_v2, (CUcontext c), (c))
WG_SEAT_CONTEXT(cuDevicePrimaryCtxReset_v2, (CUdevice device), (device))

WG_SEAT_CALL(cuStreamCreate, (CUstream * stream, unsigned flags), (stream, flags),
             return named(carryOut, stream, flags, 0);)
WG_SEAT_CALL(cuStreamCreateWithPriority, (CUstream * stream, unsigned flags, int priority), (stream, flags, priority),
             return named(carryOut, stream, flags, priority);)
WG_SEAT_CALL(cuStreamDestroy_v2, (CUstream stream), (stream), const CUresult result = carryOut();
             seat().forgetStream(stream); return result;)
WG_SEAT_CALL_PTSZ(cuStreamSynchronize, (CUstream stream), (stream),
                  return wait(carryOut, stream, perThread, waitsForStream);)
WG_SEAT_CALL_PTSZ(cuStreamQuery, (CUstream stream), (stream), return ask(carryOut, stream, perThread, waitsForStream);)
WG_SEAT_CALL(cuEventQuery, (CUevent event), (event),
             return ask(carryOut, nullptr, perThread, reinterpret_cast<std::uint64_t>(event));)
WG_SEAT_CALL(cuCtxSynchronize, (), (), return wait(carryOut, nullptr, perThread, waitsForDevice);)
WG_SEAT_CALL(cuEventSynchronize, (CUevent event), (event),
             return wait(carryOut, nullptr, perThread, reinterpret_cast<std::uint64_t>(event));)
WG_SEAT_CALL_PTSZ(cuEventRecord, (CUevent event, CUstream stream), (event, stream),
                  return observed(ofEvent(OperationKind::Record, event), stream, perThread, carryOut);)
WG_SEAT_CALL_PTSZ(cuEventRecordWithFlags, (CUevent event, CUstream stream, unsigned flags), (event, stream, flags),
                  return observed(ofEvent(OperationKind::Record, event), stream, perThread, carryOut);)
WG_SEAT_CALL_PTSZ(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned flags), (stream, event, flags),
                  return observed(ofEvent(OperationKind::StreamWait, event), stream, perThread, carryOut);)
WG_SEAT_CALL_PTSZ(cuLaunchHostFunc, (CUstream stream, CUhostFn function, void* data), (stream, function, data),
                  return hostFunction(carryOut, stream, perThread);)
WG_SEAT_CALL_PTSZ(cuStreamAddCallback, (CUstream stream, CUstreamCallback function, void* data, unsigned flags),
                  (stream, function, data, flags), return hostFunction(carryOut, stream, perThread);)
WG_SEAT_CALL_PTSZ(cuStreamBeginCapture_v2, (CUstream stream, CUstreamCaptureMode mode), (stream, mode),
                  return captureBegun(carryOut);)
WG_SEAT_CALL_PTSZ(cuStreamBeginCaptureToGraph,
                  (CUstream stream, CUgraph graph, const CUgraphNode* nodes, const CUgraphEdgeData* edges,
                   std::size_t count, CUstreamCaptureMode mode),
                  (stream, graph, nodes, edges, count, mode), return captureBegun(carryOut);)
WG_SEAT_CALL_PTSZ(cuStreamEndCapture, (CUstream stream, CUgraph* graph), (stream, graph),
                  const bool captured = seat().isCaptured(stream, perThread);
                  const CUresult result = carryOut(); seat().capturing -= captured ? 1 : 0; // it has ended, well or not
                  return result;)

WG_SEAT_CALL(cuModuleLoad, (CUmodule * module, const char* file), (module, file),
             return loaded(carryOut, [&](Images& images) { images.addModuleFile(*module, file); });)
WG_SEAT_CALL(cuModuleLoadData, (CUmodule * module, const void* image), (module, image),
             return loaded(carryOut, [&](Images& images) { images.addModule(*module, image); });)
WG_SEAT_CALL(cuModuleLoadDataEx,
             (CUmodule * module, const void* image, unsigned count, CUjit_option* options, void** values),
             (module, image, count, options, values),
             return loaded(carryOut, [&](Images& images) { images.addModule(*module, image); });)
WG_SEAT_CALL(cuModuleLoadFatBinary, (CUmodule * module, const void* image), (module, image),
             return loaded(carryOut, [&](Images& images) { images.addModule(*module, image); });)
WG_SEAT_CALL(cuModuleUnload, (CUmodule module), (module), return unloaded(carryOut, module);)
WG_SEAT_CALL(cuLibraryLoadData,
             (CUlibrary * library, const void* code, CUjit_option* jit, void** jitValues, unsigned jitCount,
              CUlibraryOption* options, void** values, unsigned count),
             (library, code, jit, jitValues, jitCount, options, values, count),
             return loaded(carryOut, [&](Images& images) { images.addLibrary(*library, code); });)
WG_SEAT_CALL(cuLibraryLoadFromFile,
             (CUlibrary * library, const char* file, CUjit_option* jit, void** jitValues, unsigned jitCount,
              CUlibraryOption* options, void** values, unsigned count),
             (library, file, jit, jitValues, jitCount, options, values, count),
             return loaded(carryOut, [&](Images& images) { images.addLibraryFile(*library, file); });)
WG_SEAT_CALL(cuLibraryUnload, (CUlibrary library), (library), return unloaded(carryOut, library);)
