// SPDX-License-Identifier: GPL-3.0-or-later
// Streams, events, waiting, and graphs by capture.
#include "gpu/virtual/runtime/call.h"

using namespace warpglass::virtual_device;

namespace {

constexpr int leastPriority = 0, greatestPriority = -5;

int create(void** stream, unsigned flags, int priority) {
    return call([&](Device& d) {
        Stream* made = d.streams.create(flags, std::clamp(priority, greatestPriority, leastPriority));
        made->row = d.recorder.add(warpglass::program::ProgramStream{
            .priority = made->priority, .blocking = made->flags & streamNonBlocking ? 0u : 1u});
        *stream = made;
        return success;
    });
}

Status record(Device& d, void* eventHandle, void* streamHandle) {
    Event* event = d.streams.event(eventHandle);
    Stream* stream = d.streams.find(streamHandle);
    if (!event || !stream)
        return invalidHandle;
    event->capture = stream->capture;
    return d.submit(streamHandle, [&d, event, row = stream->row] {
        Operation o;
        o.kind = OperationKind::Record;
        o.stream = row;
        event->time = o.start = o.end = d.recorder.now();
        event->recorded = true;
        d.recorder.add(o);
        return success;
    });
}

} // namespace

WG_API int cudaStreamCreate(void** stream) {
    return create(stream, 0, 0);
}
WG_API int cudaStreamCreateWithFlags(void** stream, unsigned flags) {
    return create(stream, flags, 0);
}
WG_API int cudaStreamCreateWithPriority(void** stream, unsigned flags, int priority) {
    return create(stream, flags, priority);
}
WG_API int cudaStreamDestroy(void* stream) {
    return call([&](Device& d) { return d.streams.destroy(stream) ? success : invalidHandle; });
}
WG_ALIAS(cudaStreamDestroy_v5050, cudaStreamDestroy);

WG_API int cudaStreamSynchronize(void* handle) {
    return ask([&](Device& d) {
        const Stream* stream = d.streams.find(handle);
        if (!stream)
            return d.broken != success ? d.broken : invalidHandle;
        return stream->capture ? captureUnsupported : d.wait(stream->row);
    });
}
WG_ALIAS(cudaStreamSynchronize_ptsz, cudaStreamSynchronize);
WG_API int cudaStreamQuery(void* handle) {
    return call([&](Device& d) { return d.streams.find(handle) ? success : invalidHandle; });
}
WG_ALIAS(cudaStreamQuery_ptsz, cudaStreamQuery);
WG_API int cudaStreamGetPriority(void* handle, int* priority) {
    return call([&](Device& d) {
        const Stream* stream = d.streams.find(handle);
        *priority = stream ? stream->priority : 0;
        return stream ? success : invalidHandle;
    });
}
WG_ALIAS(cudaStreamGetPriority_ptsz, cudaStreamGetPriority);
WG_API int cudaStreamGetFlags(void* handle, unsigned* flags) {
    return call([&](Device& d) {
        const Stream* stream = d.streams.find(handle);
        *flags = stream ? stream->flags : 0;
        return stream ? success : invalidHandle;
    });
}
WG_ALIAS(cudaStreamGetFlags_ptsz, cudaStreamGetFlags);
WG_API int cudaStreamGetId(void* handle, unsigned long long* id) {
    return call([&](Device& d) {
        const Stream* stream = d.streams.find(handle);
        *id = stream ? stream->id : 0;
        return stream ? success : invalidHandle;
    });
}
WG_ALIAS(cudaStreamGetId_ptsz, cudaStreamGetId);
WG_API int cudaStreamGetDevice(void*, int* ordinal) {
    *ordinal = 0;
    return success;
}
WG_ALIAS(cudaStreamGetDevice_ptsz, cudaStreamGetDevice);
WG_API int cudaStreamSetAttribute(void*, int, const void*) {
    return success; // where data is kept in caches
}
WG_ALIAS(cudaStreamSetAttribute_ptsz, cudaStreamSetAttribute);
WG_API int cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    if (least)
        *least = leastPriority;
    if (greatest)
        *greatest = greatestPriority;
    return success;
}
WG_API int cudaCtxResetPersistingL2Cache() {
    return success;
}

// The work of a stream that waits comes behind what was asked for before. A stream that waits for an event of a capture
// takes part in it.
WG_API int cudaStreamWaitEvent(void* streamHandle, void* eventHandle, unsigned) {
    return call([&](Device& d) {
        Stream* stream = d.streams.find(streamHandle);
        const Event* event = d.streams.event(eventHandle);
        if (!stream || !event)
            return invalidHandle;
        if (event->capture)
            stream->capture = event->capture;
        return success;
    });
}
WG_ALIAS(cudaStreamWaitEvent_ptsz, cudaStreamWaitEvent);

WG_API int cudaEventCreateWithFlags(void** event, unsigned flags) {
    return call([&](Device& d) {
        *event = d.streams.createEvent(flags);
        return success;
    });
}
WG_API int cudaEventCreate(void** event) {
    return cudaEventCreateWithFlags(event, 0);
}
WG_API int cudaEventDestroy(void* event) {
    return call([&](Device& d) { return d.streams.destroyEvent(event) ? success : invalidHandle; });
}
WG_API int cudaEventRecord(void* event, void* stream) {
    return call([&](Device& d) { return record(d, event, stream); });
}
WG_ALIAS(cudaEventRecord_ptsz, cudaEventRecord);
WG_API int cudaEventRecordWithFlags(void* event, void* stream, unsigned) {
    return cudaEventRecord(event, stream);
}
WG_ALIAS(cudaEventRecordWithFlags_ptsz, cudaEventRecordWithFlags);
WG_API int cudaEventSynchronize(void* event) {
    return ask([&](Device& d) { return d.streams.event(event) ? d.wait() : invalidHandle; });
}
WG_API int cudaEventQuery(void* event) {
    return call([&](Device& d) { return d.streams.event(event) ? success : invalidHandle; });
}
WG_API int cudaEventElapsedTime(float* milliseconds, void* start, void* end) {
    return call([&](Device& d) {
        const Event *a = d.streams.event(start), *b = d.streams.event(end);
        if (!a || !b || !a->recorded || !b->recorded || ((a->flags | b->flags) & eventDisableTiming))
            return invalidHandle;
        *milliseconds = float(double(b->time - a->time) * 1e-6);
        return success;
    });
}
WG_ALIAS(cudaEventElapsedTime_v2, cudaEventElapsedTime);

WG_API int cudaStreamBeginCapture(void* handle, int) {
    return call([&](Device& d) {
        Stream* stream = d.streams.find(handle);
        if (!stream || reinterpret_cast<std::uint64_t>(handle) <= 1)
            return captureUnsupported;
        stream->capture = std::make_shared<Graph>();
        stream->capturesItself = true;
        return success;
    });
}
WG_ALIAS(cudaStreamBeginCapture_ptsz, cudaStreamBeginCapture);
WG_API int cudaStreamEndCapture(void* handle, void** graph) {
    return call([&](Device& d) {
        Stream* stream = d.streams.find(handle);
        if (!stream || !stream->capture || !stream->capturesItself)
            return captureInvalidated;
        const std::shared_ptr<Graph> captured = stream->capture;
        d.streams.endCapture(captured);
        *graph = d.streams.keep(captured);
        return success;
    });
}
WG_ALIAS(cudaStreamEndCapture_ptsz, cudaStreamEndCapture);
WG_API int cudaStreamIsCapturing(void* handle, int* status) {
    return call([&](Device& d) {
        const Stream* stream = d.streams.find(handle);
        *status = stream && stream->capture ? 1 : 0;
        return stream ? success : invalidHandle;
    });
}
WG_ALIAS(cudaStreamIsCapturing_ptsz, cudaStreamIsCapturing);
WG_API int cudaThreadExchangeStreamCaptureMode(int*) {
    return success;
}

namespace {
int instantiate(void** executable, void* graph) {
    return call([&](Device& d) {
        const std::shared_ptr<Graph> from = d.streams.graph(graph);
        if (!from)
            return invalidValue;
        *executable = d.streams.keep(std::make_shared<Graph>(*from));
        return success;
    });
}
} // namespace

// CUDA 11's form has a log behind the graph, CUDA 12's flags: neither changes what is made.
WG_API int cudaGraphInstantiate(void** executable, void* graph) {
    return instantiate(executable, graph);
}
WG_API int cudaGraphInstantiateWithFlags(void** executable, void* graph, unsigned long long) {
    return instantiate(executable, graph);
}
WG_API int cudaGraphLaunch(void* executable, void* stream) {
    return call([&](Device& d) {
        const std::shared_ptr<Graph> graph = d.streams.graph(executable);
        if (!graph)
            return invalidValue;
        for (const Work& work : graph->work)
            if (const Status status = d.submit(stream, work); status != success)
                return status;
        return success;
    });
}
WG_ALIAS(cudaGraphLaunch_ptsz, cudaGraphLaunch);
WG_API int cudaGraphUpload(void*, void*) {
    return success;
}
WG_ALIAS(cudaGraphUpload_ptsz, cudaGraphUpload);
WG_API int cudaGraphDestroy(void* graph) {
    return call([&](Device& d) { return d.streams.drop(graph) ? success : invalidValue; });
}
WG_API int cudaGraphExecDestroy(void* graph) {
    return cudaGraphDestroy(graph);
}
