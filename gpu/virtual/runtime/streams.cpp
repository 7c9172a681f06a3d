// SPDX-License-Identifier: GPL-3.0-or-later
// Streams, events, and waiting for them.
#include "gpu/base/messages/program.h"
#include "gpu/virtual/runtime/call.h"

#include <algorithm>
#include <cstring>

using namespace warpglass::virtual_device;

namespace {

constexpr int leastPriority = 0, greatestPriority = -5, streamPriority = 8;

int create(void** stream, unsigned flags, int priority) {
    return call([&](Device& d) {
        Stream* made = d.streams.create(flags, std::clamp(priority, greatestPriority, leastPriority));
        made->row = machine().add(warpglass::program::ProgramStream{
            .priority = made->priority, .blocking = made->flags & streamNonBlocking ? 0u : 1u, .device = made->device});
        *stream = made;
        return success;
    });
}

// Whether its work is done cannot be asked of a stream that is captured, and spoils the capture.
Status mayBeAsked(Stream& stream) {
    if (!stream.capture)
        return success;
    stream.capture->why = captureInvalidated;
    return captureUnsupported;
}

Status record(Device& d, void* eventHandle, void* streamHandle) {
    Event* event = d.streams.event(eventHandle);
    Stream* stream = d.streams.find(streamHandle);
    if (!event || !stream || event->device != stream->device)
        return invalidHandle;
    event->capture = stream->capture;
    event->tail = stream->tail;
    // In a capture it says what others wait for, and is no work.
    return stream->capture ? success : d.submit(streamHandle, EventRecord{eventHandle});
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
        Stream* stream = d.streams.find(handle);
        if (!stream)
            return d.broken != success ? d.broken : invalidHandle;
        const Status status = mayBeAsked(*stream);
        return status == success ? d.wait(d.rowOf(*stream), warpglass::program::waitsForStream) : status;
    });
}
WG_ALIAS(cudaStreamSynchronize_ptsz, cudaStreamSynchronize);
WG_API int cudaStreamQuery(void* handle) {
    return call([&](Device& d) {
        Stream* stream = d.streams.find(handle);
        if (!stream)
            return invalidHandle;
        const Status status = mayBeAsked(*stream);
        if (status == success)
            d.hostKnowsStream(d.rowOf(*stream));
        return status;
    });
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
WG_API int cudaStreamGetDevice(void* handle, int* ordinal) {
    return call([&](Device& d) {
        const Stream* stream = d.streams.find(handle);
        *ordinal = stream ? int(stream->device) : 0;
        return stream ? success : invalidHandle;
    });
}
WG_ALIAS(cuStreamGetDevice, cudaStreamGetDevice);
WG_ALIAS(cuStreamGetDevice_ptsz, cudaStreamGetDevice);
WG_API int cuStreamGetCtx(void* handle, void** context) {
    return call([&](Device& d) {
        const Stream* stream = d.streams.find(handle);
        *context = stream ? primaryContext(stream->device) : nullptr;
        return stream ? success : invalidHandle;
    });
}
WG_ALIAS(cuStreamGetCtx_ptsz, cuStreamGetCtx);
WG_API int cuStreamGetCtx_v2(void* handle, void** context, void** green) {
    *green = nullptr; // there are no contexts of a part of the device
    return cuStreamGetCtx(handle, context);
}
WG_ALIAS(cudaStreamGetDevice_ptsz, cudaStreamGetDevice);
// Where data is kept in caches, and how the host waits: kept for who asks.
WG_API int cudaStreamSetAttribute(void* handle, int attribute, const void* value) {
    return call([&](Device& d) {
        Stream* stream = d.streams.find(handle);
        if (stream && value)
            std::memcpy(stream->attributes[attribute].data(), value, 64);
        return stream ? success : invalidHandle;
    });
}
WG_ALIAS(cudaStreamSetAttribute_ptsz, cudaStreamSetAttribute);
WG_ALIAS(cuStreamSetAttribute, cudaStreamSetAttribute);
WG_ALIAS(cuStreamSetAttribute_ptsz, cudaStreamSetAttribute);
WG_API int cudaStreamGetAttribute(void* handle, int attribute, void* value) {
    return call([&](Device& d) {
        Stream* stream = d.streams.find(handle);
        if (!stream || !value)
            return stream ? invalidValue : invalidHandle;
        const auto known = stream->attributes.find(attribute);
        std::memset(value, 0, 64);
        if (attribute == streamPriority)
            std::memcpy(value, &stream->priority, sizeof stream->priority);
        else if (known != stream->attributes.end())
            std::memcpy(value, known->second.data(), 64);
        return success;
    });
}
WG_ALIAS(cudaStreamGetAttribute_ptsz, cudaStreamGetAttribute);
WG_ALIAS(cuStreamGetAttribute, cudaStreamGetAttribute);
WG_ALIAS(cuStreamGetAttribute_ptsz, cudaStreamGetAttribute);
WG_API int cudaStreamCopyAttributes(void* to, void* from) {
    return call([&](Device& d) {
        Stream *a = d.streams.find(to), *b = d.streams.find(from);
        if (!a || !b)
            return invalidHandle;
        a->attributes = b->attributes;
        return success;
    });
}
WG_ALIAS(cudaStreamCopyAttributes_ptsz, cudaStreamCopyAttributes);
WG_ALIAS(cuStreamCopyAttributes, cudaStreamCopyAttributes);
WG_ALIAS(cuStreamCopyAttributes_ptsz, cudaStreamCopyAttributes);
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
WG_API int cudaStreamWaitEvent(void* streamHandle, void* eventHandle, unsigned flags) {
    return call([&](Device& d) {
        Stream* stream = d.streams.find(streamHandle);
        const Event* event = d.streams.event(eventHandle);
        if (!stream || !event)
            return invalidHandle;
        if (stream->capture && (flags & eventExternal))
            return d.submit(streamHandle, EventWait{eventHandle});
        d.streams.join(*stream, *event);
        // In a capture it says what the stream's next work waits for, and is no work.
        return stream->capture ? success : d.submit(streamHandle, EventWait{eventHandle});
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
WG_API int cudaEventRecordWithFlags(void* event, void* stream, unsigned flags) {
    return call([&](Device& d) {
        const Stream* known = d.streams.find(stream);
        return flags & eventExternal && known && known->capture ? d.submit(stream, EventRecord{event})
                                                                : record(d, event, stream);
    });
}
WG_ALIAS(cudaEventRecordWithFlags_ptsz, cudaEventRecordWithFlags);
WG_API int cudaEventSynchronize(void* event) {
    return ask([&](Device& d) {
        return d.streams.event(event) ? d.wait(d.defaultRow(), reinterpret_cast<std::uint64_t>(event)) : invalidHandle;
    });
}
WG_API int cudaEventQuery(void* event) {
    return call([&](Device& d) {
        if (!d.streams.event(event))
            return invalidHandle;
        d.hostKnowsEvent(reinterpret_cast<std::uint64_t>(event));
        return success;
    });
}
WG_API int cudaEventElapsedTime(float* milliseconds, void* start, void* end) {
    return call([&](Device& d) {
        const Event *a = d.streams.event(start), *b = d.streams.event(end);
        const bool untimed = a && b && ((a->flags | b->flags) & eventDisableTiming);
        if (untimed || (a && b && !(a->recorded && b->recorded)))
            d.tellMistake(untimed ? warpglass::say::EventUntimed : warpglass::say::EventUnrecorded, false);
        if (!a || !b || !a->recorded || !b->recorded || a->device != b->device || untimed)
            return invalidHandle;
        *milliseconds = float(double(b->time - a->time) * 1e-6);
        return success;
    });
}
WG_ALIAS(cudaEventElapsedTime_v2, cudaEventElapsedTime);
