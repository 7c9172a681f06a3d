// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes of graphs that copy: boxes, bytes, from and to variables.
#include "gpu/virtual/runtime/graphs.h"

namespace warpglass::virtual_device {

Status workFrom(Device& d, const CallCopy3D& given, Work& work) {
    CopyRequest request;
    const Status status = boxRequest(d, given, request);
    work = std::move(request);
    return status;
}

Status linearWork(void* to, const void* from, std::size_t bytes, int kind, Work& work) {
    if (kind < hostToHost || kind > byAddress)
        return invalidMemcpyDirection;
    CopyRequest request;
    request.to = to, request.from = from, request.bytes = bytes, request.kind = kind;
    work = std::move(request);
    return success;
}

namespace {

CallCopy3D boxOf(const CopyRequest& r) {
    if (r.asked)
        return *r.asked;
    CallCopy3D box{};
    box.from = {const_cast<void*>(r.from), r.fromPitch ? r.fromPitch : r.bytes, r.bytes, r.rows};
    box.to = {r.to, r.toPitch ? r.toPitch : r.bytes, r.bytes, r.rows};
    box.extent = {r.bytes, r.rows, r.slices};
    box.kind = r.kind;
    return box;
}

} // namespace

} // namespace warpglass::virtual_device

using namespace warpglass::virtual_device;

WG_API int cudaGraphAddMemcpyNode(void** node, void* graph, void* const* before, std::size_t count,
                                  const CallCopy3D* given) {
    return addNode(node, graph, before, count,
                   [&](Device& d, Graph&, Work& work) { return workFrom(d, *given, work); });
}
WG_API int cudaGraphAddMemcpyNode1D(void** node, void* graph, void* const* before, std::size_t count, void* to,
                                    const void* from, std::size_t bytes, int kind) {
    return addNode(node, graph, before, count,
                   [&](Device&, Graph&, Work& work) { return linearWork(to, from, bytes, kind, work); });
}
WG_API int cudaGraphMemcpyNodeGetParams(void* node, CallCopy3D* given) {
    return onNode<CopyRequest>(node, [&](Device&, GraphNode&, const CopyRequest& r) {
        *given = boxOf(r);
        return success;
    });
}
WG_API int cudaGraphMemcpyNodeSetParams(void* node, const CallCopy3D* given) {
    return setNode(node, [&](Device& d, Work& work) { return workFrom(d, *given, work); });
}
WG_API int cudaGraphMemcpyNodeSetParams1D(void* node, void* to, const void* from, std::size_t bytes, int kind) {
    return setNode(node, [&](Device&, Work& work) { return linearWork(to, from, bytes, kind, work); });
}
WG_API int cudaGraphExecMemcpyNodeSetParams(void* executable, void* node, const CallCopy3D* given) {
    return setExecNode(executable, node, [&](Device& d, Work& work) { return workFrom(d, *given, work); });
}
WG_API int cudaGraphExecMemcpyNodeSetParams1D(void* executable, void* node, void* to, const void* from,
                                              std::size_t bytes, int kind) {
    return setExecNode(executable, node, [&](Device&, Work& work) { return linearWork(to, from, bytes, kind, work); });
}

namespace {
Status toSymbol(Device& d, const void* symbol, const void* from, std::size_t bytes, std::size_t offset, int kind,
                Work& work) {
    CopyRequest request;
    const Status status = variableRequest(d, symbol, offset, bytes, nullptr, from, kind, request);
    work = std::move(request);
    return status;
}
Status fromSymbol(Device& d, void* to, const void* symbol, std::size_t bytes, std::size_t offset, int kind,
                  Work& work) {
    CopyRequest request;
    const Status status = variableRequest(d, symbol, offset, bytes, to, nullptr, kind, request);
    work = std::move(request);
    return status;
}
} // namespace

WG_API int cudaGraphAddMemcpyNodeToSymbol(void** node, void* graph, void* const* before, std::size_t count,
                                          const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                                          int kind) {
    return addNode(node, graph, before, count,
                   [&](Device& d, Graph&, Work& work) { return toSymbol(d, symbol, from, bytes, offset, kind, work); });
}
WG_API int cudaGraphAddMemcpyNodeFromSymbol(void** node, void* graph, void* const* before, std::size_t count, void* to,
                                            const void* symbol, std::size_t bytes, std::size_t offset, int kind) {
    return addNode(node, graph, before, count,
                   [&](Device& d, Graph&, Work& work) { return fromSymbol(d, to, symbol, bytes, offset, kind, work); });
}
WG_API int cudaGraphMemcpyNodeSetParamsToSymbol(void* node, const void* symbol, const void* from, std::size_t bytes,
                                                std::size_t offset, int kind) {
    return setNode(node, [&](Device& d, Work& work) { return toSymbol(d, symbol, from, bytes, offset, kind, work); });
}
WG_API int cudaGraphMemcpyNodeSetParamsFromSymbol(void* node, void* to, const void* symbol, std::size_t bytes,
                                                  std::size_t offset, int kind) {
    return setNode(node, [&](Device& d, Work& work) { return fromSymbol(d, to, symbol, bytes, offset, kind, work); });
}
WG_API int cudaGraphExecMemcpyNodeSetParamsToSymbol(void* executable, void* node, const void* symbol, const void* from,
                                                    std::size_t bytes, std::size_t offset, int kind) {
    return setExecNode(executable, node,
                       [&](Device& d, Work& work) { return toSymbol(d, symbol, from, bytes, offset, kind, work); });
}
WG_API int cudaGraphExecMemcpyNodeSetParamsFromSymbol(void* executable, void* node, void* to, const void* symbol,
                                                      std::size_t bytes, std::size_t offset, int kind) {
    return setExecNode(executable, node,
                       [&](Device& d, Work& work) { return fromSymbol(d, to, symbol, bytes, offset, kind, work); });
}
