// SPDX-License-Identifier: GPL-3.0-or-later
// Streams, events and captures of the driver: the runtime's own, by other names.
#include "gpu/virtual/driver/driver.h"

extern "C" {
int cudaStreamCreateWithPriority(void**, unsigned, int);
int cudaStreamDestroy(void*);
int cudaStreamSynchronize(void*);
int cudaStreamQuery(void*);
int cudaStreamWaitEvent(void*, void*, unsigned);
int cudaStreamGetPriority(void*, int*);
int cudaStreamGetFlags(void*, unsigned*);
int cudaEventCreateWithFlags(void**, unsigned);
int cudaEventDestroy(void*);
int cudaEventRecord(void*, void*);
int cudaEventSynchronize(void*);
int cudaEventQuery(void*);
int cudaEventElapsedTime(float*, void*, void*);
int cudaLaunchHostFunc(void*, void (*)(void*), void*);
int cudaStreamAddCallback(void*, void (*)(void*, int, void*), void*, unsigned);
int cudaEventRecordWithFlags(void*, void*, unsigned);
int cudaStreamGetId(void*, unsigned long long*);
}

WG_API int cuStreamCreate(void** stream, unsigned flags) {
    return cudaStreamCreateWithPriority(stream, flags, 0);
}
WG_API int cuStreamCreateWithPriority(void** stream, unsigned flags, int priority) {
    return cudaStreamCreateWithPriority(stream, flags, priority);
}
WG_API int cuStreamDestroy_v2(void* stream) {
    return cudaStreamDestroy(stream);
}
WG_ALIAS(cuStreamDestroy, cuStreamDestroy_v2);
WG_API int cuStreamSynchronize(void* stream) {
    return cudaStreamSynchronize(stream);
}
WG_ALIAS(cuStreamSynchronize_ptsz, cuStreamSynchronize);
WG_API int cuStreamQuery(void* stream) {
    return cudaStreamQuery(stream);
}
WG_ALIAS(cuStreamQuery_ptsz, cuStreamQuery);
WG_API int cuStreamWaitEvent(void* stream, void* event, unsigned flags) {
    return cudaStreamWaitEvent(stream, event, flags);
}
WG_ALIAS(cuStreamWaitEvent_ptsz, cuStreamWaitEvent);
WG_API int cuStreamGetPriority(void* stream, int* priority) {
    return cudaStreamGetPriority(stream, priority);
}
WG_API int cuStreamGetFlags(void* stream, unsigned* flags) {
    return cudaStreamGetFlags(stream, flags);
}
WG_ALIAS(cuStreamGetFlags_ptsz, cuStreamGetFlags);
WG_ALIAS(cuStreamGetPriority_ptsz, cuStreamGetPriority);
WG_API int cuStreamGetId(void* stream, unsigned long long* id) {
    return cudaStreamGetId(stream, id);
}
WG_ALIAS(cuStreamGetId_ptsz, cuStreamGetId);
WG_API int cuLaunchHostFunc(void* stream, void (*function)(void*), void* data) {
    return cudaLaunchHostFunc(stream, function, data);
}
WG_ALIAS(cuLaunchHostFunc_ptsz, cuLaunchHostFunc);
WG_API int cuStreamAddCallback(void* stream, void (*function)(void*, int, void*), void* data, unsigned flags) {
    return cudaStreamAddCallback(stream, function, data, flags);
}
WG_ALIAS(cuStreamAddCallback_ptsz, cuStreamAddCallback);
WG_API int cuEventCreate(void** event, unsigned flags) {
    return cudaEventCreateWithFlags(event, flags);
}
WG_API int cuEventDestroy_v2(void* event) {
    return cudaEventDestroy(event);
}
WG_ALIAS(cuEventDestroy, cuEventDestroy_v2);
WG_API int cuEventRecord(void* event, void* stream) {
    return cudaEventRecord(event, stream);
}
WG_ALIAS(cuEventRecord_ptsz, cuEventRecord);
WG_API int cuEventRecordWithFlags(void* event, void* stream, unsigned flags) {
    return cudaEventRecordWithFlags(event, stream, flags);
}
WG_ALIAS(cuEventRecordWithFlags_ptsz, cuEventRecordWithFlags);
WG_API int cuEventSynchronize(void* event) {
    return cudaEventSynchronize(event);
}
WG_API int cuEventQuery(void* event) {
    return cudaEventQuery(event);
}
WG_API int cuEventElapsedTime(float* milliseconds, void* start, void* end) {
    return cudaEventElapsedTime(milliseconds, start, end);
}
WG_ALIAS(cuEventElapsedTime_v2, cuEventElapsedTime);
