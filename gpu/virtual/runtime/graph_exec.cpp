// SPDX-License-Identifier: GPL-3.0-or-later
// Captures of streams, and executable graphs: made, changed as a whole, launched.
#include "gpu/virtual/runtime/graphs.h"

#include <algorithm>
#include <utility>

using namespace warpglass::virtual_device;

namespace {

constexpr int invalidStructure = 2, instantiateError = 1; // cudaGraphInstantiateResult

Status instantiate(Device& d, void** executable, void* graph, unsigned long long flags) {
    const std::shared_ptr<Graph> from = d.streams.graph(graph);
    if (!from || !executable || hasCycle(*from))
        return invalidValue;
    auto made = copyOf(*from);
    made->flags = flags;
    *executable = d.streams.keep(std::move(made));
    return success;
}

bool nodesFrom(Device& d, void* const* given, std::size_t count, std::vector<GraphNode*>& nodes) {
    for (std::size_t n = 0; n < count; ++n) {
        nodes.push_back(d.streams.node(given[n]));
        if (!nodes.back())
            return false;
    }
    return true;
}

// 0: not captured, 1: captured, 2: was, but something spoiled it.
int captureState(const Stream& stream) {
    return !stream.capture ? 0 : stream.capture->why == success ? 1 : 2;
}

int captureInfo(void* handle, int* status, unsigned long long* id, void** graph, void* const** before,
                const void** edges, std::size_t* count) {
    return call([&](Device& d) {
        Stream* stream = d.streams.find(handle);
        if (!stream || !status)
            return stream ? invalidValue : invalidHandle;
        *status = captureState(*stream);
        if (*status != 1)
            return success;
        Capture& capture = *stream->capture;
        if (id)
            *id = capture.id;
        if (graph)
            *graph = capture.handle ? capture.handle : capture.handle = d.streams.keep(capture.graph);
        if (before) {
            thread_local std::vector<void*> nodes; // "until the next call"
            nodes.assign(stream->tail.begin(), stream->tail.end());
            *before = nodes.data();
        }
        if (edges)
            *edges = nullptr;
        if (count)
            *count = stream->tail.size();
        return success;
    });
}

int updateTail(void* handle, void* const* given, std::size_t count, unsigned flags) {
    constexpr unsigned replace = 1;
    return call([&](Device& d) {
        Stream* stream = d.streams.find(handle);
        std::vector<GraphNode*> nodes;
        if (!stream || !stream->capture)
            return stream ? illegalState : invalidHandle;
        if (!nodesFrom(d, given, count, nodes))
            return invalidValue;
        if (flags & replace)
            stream->tail.clear();
        for (GraphNode* node : nodes)
            if (std::find(stream->tail.begin(), stream->tail.end(), node) == stream->tail.end())
                stream->tail.push_back(node);
        return success;
    });
}

// How a graph takes another one's work; what it says by number, and the nodes.
Status updateExecutable(Device& d, void* executable, void* graph, UpdateAnswer& answer) {
    const std::shared_ptr<Graph> own = d.streams.graph(executable), from = d.streams.graph(graph);
    if (!own || !from)
        return invalidValue;
    answer = update(*own, *from);
    return answer.result == UpdateResult::Success ? success : updateFailed;
}
int updateOld(void* executable, void* graph, void** node, int* result) { // of 11
    return call([&](Device& d) {
        UpdateAnswer answer;
        const Status status = updateExecutable(d, executable, graph, answer);
        if (node)
            *node = const_cast<GraphNode*>(answer.node);
        if (result)
            *result = status == invalidValue ? 1 : int(answer.result);
        return status;
    });
}

} // namespace

WG_API int cudaStreamBeginCapture(void* handle, int) {
    return call([&](Device& d) {
        Stream* stream = d.streams.find(handle);
        if (!stream || reinterpret_cast<std::uint64_t>(handle) <= 1)
            return captureUnsupported;
        return d.streams.beginCapture(*stream, nullptr, {});
    });
}
WG_ALIAS(cudaStreamBeginCapture_ptsz, cudaStreamBeginCapture);
WG_ALIAS(cuStreamBeginCapture, cudaStreamBeginCapture);
WG_ALIAS(cuStreamBeginCapture_v2, cudaStreamBeginCapture);
WG_ALIAS(cuStreamBeginCapture_ptsz, cudaStreamBeginCapture);
WG_ALIAS(cuStreamBeginCapture_v2_ptsz, cudaStreamBeginCapture);
WG_API int cudaStreamBeginCaptureToGraph(void* handle, void* graph, void* const* before, const void*, std::size_t count,
                                         int) {
    return call([&](Device& d) {
        Stream* stream = d.streams.find(handle);
        std::vector<GraphNode*> nodes;
        if (!stream || reinterpret_cast<std::uint64_t>(handle) <= 1)
            return captureUnsupported;
        return graph && nodesFrom(d, before, count, nodes) ? d.streams.beginCapture(*stream, graph, nodes)
                                                           : invalidValue;
    });
}
WG_ALIAS(cudaStreamBeginCaptureToGraph_ptsz, cudaStreamBeginCaptureToGraph);
WG_ALIAS(cuStreamBeginCaptureToGraph, cudaStreamBeginCaptureToGraph);
WG_ALIAS(cuStreamBeginCaptureToGraph_ptsz, cudaStreamBeginCaptureToGraph);
WG_API int cudaStreamEndCapture(void* handle, void** graph) {
    return call([&](Device& d) {
        Stream* stream = d.streams.find(handle);
        void* made = nullptr;
        const Status status = stream ? d.streams.endCapture(*stream, made) : invalidHandle;
        if (graph) // who captured into a graph of his own has it already
            *graph = made;
        return status;
    });
}
WG_ALIAS(cudaStreamEndCapture_ptsz, cudaStreamEndCapture);
WG_ALIAS(cuStreamEndCapture, cudaStreamEndCapture);
WG_ALIAS(cuStreamEndCapture_ptsz, cudaStreamEndCapture);
WG_API int cudaStreamIsCapturing(void* handle, int* status) {
    return call([&](Device& d) {
        const Stream* stream = d.streams.find(handle);
        *status = stream ? captureState(*stream) : 0;
        return stream ? success : invalidHandle;
    });
}
WG_ALIAS(cudaStreamIsCapturing_ptsz, cudaStreamIsCapturing);
WG_ALIAS(cuStreamIsCapturing, cudaStreamIsCapturing);
WG_ALIAS(cuStreamIsCapturing_ptsz, cudaStreamIsCapturing);
WG_API int cudaThreadExchangeStreamCaptureMode(int* mode) {
    thread_local int own = 0; // global
    return call([&](Device&) {
        constexpr int relaxed = 2;
        if (!mode || *mode < 0 || *mode > relaxed)
            return invalidValue;
        std::swap(own, *mode);
        return success;
    });
}
WG_ALIAS(cuThreadExchangeStreamCaptureMode, cudaThreadExchangeStreamCaptureMode);

// With data of edges (13), without (12's _v2), and with neither graph nor nodes (11).
WG_API int cudaStreamGetCaptureInfo_v3(void* stream, int* status, unsigned long long* id, void** graph,
                                       void* const** before, const void** edges, std::size_t* count) {
    return captureInfo(stream, status, id, graph, before, edges, count);
}
WG_ALIAS(cuStreamGetCaptureInfo_v3, cudaStreamGetCaptureInfo_v3);
WG_ALIAS(cuStreamGetCaptureInfo_v3_ptsz, cudaStreamGetCaptureInfo_v3);
WG_API int cudaStreamGetCaptureInfo_v2(void* stream, int* status, unsigned long long* id, void** graph,
                                       void* const** before, std::size_t* count) {
    return captureInfo(stream, status, id, graph, before, nullptr, count);
}
WG_ALIAS(cudaStreamGetCaptureInfo_v2_ptsz, cudaStreamGetCaptureInfo_v2);
WG_ALIAS(cuStreamGetCaptureInfo_v2, cudaStreamGetCaptureInfo_v2);
WG_ALIAS(cuStreamGetCaptureInfo_v2_ptsz, cudaStreamGetCaptureInfo_v2);
WG_API int cudaStreamGetCaptureInfo(void* stream, int* status, unsigned long long* id, void** graph,
                                    void* const** before, const void** edges, std::size_t* count) {
    return runtimeMajor() >= 13 ? captureInfo(stream, status, id, graph, before, edges, count)
                                : captureInfo(stream, status, id, nullptr, nullptr, nullptr, nullptr);
}
WG_ALIAS(cudaStreamGetCaptureInfo_ptsz, cudaStreamGetCaptureInfo);
WG_API int cuStreamGetCaptureInfo(void* stream, int* status, unsigned long long* id) {
    return captureInfo(stream, status, id, nullptr, nullptr, nullptr, nullptr);
}
WG_ALIAS(cuStreamGetCaptureInfo_ptsz, cuStreamGetCaptureInfo);
WG_API int cudaStreamUpdateCaptureDependencies_v2(void* stream, void* const* nodes, const void*, std::size_t count,
                                                  unsigned flags) {
    return updateTail(stream, nodes, count, flags);
}
WG_ALIAS(cuStreamUpdateCaptureDependencies_v2, cudaStreamUpdateCaptureDependencies_v2);
WG_ALIAS(cuStreamUpdateCaptureDependencies_v2_ptsz, cudaStreamUpdateCaptureDependencies_v2);
WG_API int cudaStreamUpdateCaptureDependencies(void* stream, void* const* nodes, void* third, std::size_t fourth,
                                               unsigned fifth) {
    return runtimeMajor() >= 13 ? updateTail(stream, nodes, fourth, fifth)
                                : updateTail(stream, nodes, reinterpret_cast<std::size_t>(third), unsigned(fourth));
}
WG_ALIAS(cudaStreamUpdateCaptureDependencies_ptsz, cudaStreamUpdateCaptureDependencies);
WG_API int cuStreamUpdateCaptureDependencies(void* stream, void* const* nodes, std::size_t count, unsigned flags) {
    return updateTail(stream, nodes, count, flags);
}
WG_ALIAS(cuStreamUpdateCaptureDependencies_ptsz, cuStreamUpdateCaptureDependencies);

WG_API int cudaGraphInstantiateWithFlags(void** executable, void* graph, unsigned long long flags) {
    return call([&](Device& d) { return instantiate(d, executable, graph, flags); });
}
WG_ALIAS(cuGraphInstantiateWithFlags, cudaGraphInstantiateWithFlags);
// 11's form has a node and a log behind the graph, 12's flags.
WG_API int cudaGraphInstantiate(void** executable, void* graph, unsigned long long flags) {
    return cudaGraphInstantiateWithFlags(executable, graph, runtimeMajor() >= 12 ? flags : 0);
}
WG_API int cuGraphInstantiate(void** executable, void* graph) {
    return cudaGraphInstantiateWithFlags(executable, graph, 0);
}
WG_ALIAS(cuGraphInstantiate_v2, cuGraphInstantiate);
WG_API int cudaGraphInstantiateWithParams(void** executable, void* graph, CallInstantiate* words) {
    return call([&](Device& d) {
        const Status status = instantiate(d, executable, graph, words->flags);
        const std::shared_ptr<Graph> known = d.streams.graph(graph);
        words->node = nullptr;
        words->result = status == success ? 0 : known && hasCycle(*known) ? invalidStructure : instantiateError;
        return status;
    });
}
WG_ALIAS(cudaGraphInstantiateWithParams_ptsz, cudaGraphInstantiateWithParams);
WG_ALIAS(cuGraphInstantiateWithParams, cudaGraphInstantiateWithParams);
WG_ALIAS(cuGraphInstantiateWithParams_ptsz, cudaGraphInstantiateWithParams);
WG_API int cudaGraphExecGetFlags(void* executable, unsigned long long* flags) {
    return call([&](Device& d) {
        const std::shared_ptr<Graph> known = d.streams.graph(executable);
        if (!known || !flags)
            return invalidValue;
        *flags = known->flags;
        return success;
    });
}
WG_ALIAS(cuGraphExecGetFlags, cudaGraphExecGetFlags);
WG_API int cudaGraphExecDestroy(void* executable) {
    return call([&](Device& d) { return d.streams.drop(executable) ? success : invalidValue; });
}
WG_ALIAS(cuGraphExecDestroy, cudaGraphExecDestroy);

WG_API int cuGraphExecUpdate_v2(void* executable, void* graph, CallUpdateResult* result) {
    return call([&](Device& d) {
        UpdateAnswer answer;
        const Status status = updateExecutable(d, executable, graph, answer);
        if (result)
            *result = {status == invalidValue ? 1 : int(answer.result), const_cast<GraphNode*>(answer.node),
                       const_cast<GraphNode*>(answer.from)};
        return status;
    });
}
WG_API int cuGraphExecUpdate(void* executable, void* graph, void** node, int* result) {
    return updateOld(executable, graph, node, result);
}
WG_API int cudaGraphExecUpdate(void* executable, void* graph, void* third, int* fourth) {
    return runtimeMajor() >= 12 ? cuGraphExecUpdate_v2(executable, graph, static_cast<CallUpdateResult*>(third))
                                : updateOld(executable, graph, static_cast<void**>(third), fourth);
}

namespace {
int enabledNode(void* executable, void* node, bool sets, unsigned* value) {
    return call([&](Device& d) {
        const std::shared_ptr<Graph> graph = d.streams.graph(executable);
        const GraphNode* from = d.streams.node(node);
        GraphNode* own = graph && from ? graph->copyOf(from->number) : nullptr;
        if (!own || own->work.index() > 2) // kernels, copies and fills can be left out
            return invalidValue;
        if (sets)
            own->enabled = *value != 0;
        *value = own->enabled;
        return success;
    });
}
} // namespace

WG_API int cudaGraphNodeSetEnabled(void* executable, void* node, unsigned enabled) {
    return enabledNode(executable, node, true, &enabled);
}
WG_ALIAS(cuGraphNodeSetEnabled, cudaGraphNodeSetEnabled);
WG_API int cudaGraphNodeGetEnabled(void* executable, void* node, unsigned* enabled) {
    return enabledNode(executable, node, false, enabled);
}
WG_ALIAS(cuGraphNodeGetEnabled, cudaGraphNodeGetEnabled);

WG_API int cudaGraphLaunch(void* executable, void* stream) {
    return launching([&](Device& d) {
        const std::shared_ptr<Graph> graph = d.streams.graph(executable);
        return graph ? d.launchGraph(graph, stream) : invalidValue;
    });
}
WG_ALIAS(cudaGraphLaunch_ptsz, cudaGraphLaunch);
WG_ALIAS(cuGraphLaunch, cudaGraphLaunch);
WG_ALIAS(cuGraphLaunch_ptsz, cudaGraphLaunch);
WG_API int cudaGraphUpload(void* executable, void* stream) {
    return call(
        [&](Device& d) { return d.streams.graph(executable) && d.streams.find(stream) ? success : invalidValue; });
}
WG_ALIAS(cudaGraphUpload_ptsz, cudaGraphUpload);
WG_ALIAS(cuGraphUpload, cudaGraphUpload);
WG_ALIAS(cuGraphUpload_ptsz, cudaGraphUpload);
