// SPDX-License-Identifier: GPL-3.0-or-later
// What the driver's calls about graphs say in another way than the runtime's: copies by a struct of their own, kernels by
// one of two handles. All else is an alias, beside the runtime's calls.
#include "gpu/virtual/runtime/graphs.h"
#include "gpu/virtual/driver/driver.h"

#include <cstring>

using namespace warpglass::virtual_device;

namespace {

struct KernelNode { // CUDA_KERNEL_NODE_PARAMS_v2
    CallKernelNode first;
    void *kernel, *context;
};
// A kernel without function is named by its handle in a library.
CallKernelNode runtimeForm(const KernelNode& given) {
    CallKernelNode node = given.first;
    if (!node.function)
        node.function = given.kernel;
    return node;
}

struct NodeWords { // CUgraphNodeParams: the runtime's but for kernels and copies
    int type;
    int reserved[3];
    union {
        long long padding[29];
        KernelNode kernel;
        struct {
            int flags, reserved;
            void* context;
            DriverCopy3D box;
        } copy;
        CallConditionalNode conditional; // a context behind it
    } of;
    long long reserved2;
};
static_assert(sizeof(NodeWords) == sizeof(CallNode));

Status workOf(Device& d, NodeWords& given, Graph& graph, Work& work) {
    if (NodeType(given.type) == NodeType::Kernel)
        return workFrom(d, runtimeForm(given.of.kernel), work);
    if (NodeType(given.type) == NodeType::Copy) {
        CopyRequest request;
        const Status status = driverBox(d, given.of.copy.box, request);
        work = std::move(request);
        return status;
    }
    CallNode node;
    std::memcpy(&node, &given, sizeof node);
    const Status status = workFrom(d, node, graph, work);
    std::memcpy(&given, &node, sizeof node);
    return status;
}

Status copyWork(Device& d, const DriverCopy3D& given, Work& work) {
    CopyRequest request;
    const Status status = driverBox(d, given, request);
    work = std::move(request);
    return status;
}

} // namespace

extern "C" int cudaGraphKernelNodeGetParams(void* node, CallKernelNode* given);
extern "C" int cudaGraphKernelNodeSetParams(void* node, const CallKernelNode* given);
extern "C" int cudaGraphExecKernelNodeSetParams(void* executable, void* node, const CallKernelNode* given);
extern "C" int cudaGraphAddKernelNode(void** node, void* graph, void* const* before, std::size_t count,
                                      const CallKernelNode* given);

WG_API int cuGraphAddKernelNode_v2(void** node, void* graph, void* const* before, std::size_t count,
                                   const KernelNode* given) {
    const CallKernelNode form = runtimeForm(*given);
    return cudaGraphAddKernelNode(node, graph, before, count, &form);
}
WG_API int cuGraphKernelNodeSetParams_v2(void* node, const KernelNode* given) {
    const CallKernelNode form = runtimeForm(*given);
    return cudaGraphKernelNodeSetParams(node, &form);
}
WG_API int cuGraphExecKernelNodeSetParams_v2(void* executable, void* node, const KernelNode* given) {
    const CallKernelNode form = runtimeForm(*given);
    return cudaGraphExecKernelNodeSetParams(executable, node, &form);
}
// The driver knows no addresses of the host's that stand for kernels.
WG_API int cuGraphKernelNodeGetParams(void* node, CallKernelNode* given) {
    const int status = cudaGraphKernelNodeGetParams(node, given);
    if (status != success)
        return status;
    return onNode<KernelRequest>(node, [&](Device&, GraphNode&, const KernelRequest& r) {
        given->function = r.kernel;
        return success;
    });
}
WG_API int cuGraphKernelNodeGetParams_v2(void* node, KernelNode* given) {
    given->kernel = given->context = nullptr;
    return cuGraphKernelNodeGetParams(node, &given->first);
}

WG_API int cuGraphAddMemcpyNode(void** node, void* graph, void* const* before, std::size_t count,
                                const DriverCopy3D* given, void*) {
    return addNode(node, graph, before, count,
                   [&](Device& d, Graph&, Work& work) { return copyWork(d, *given, work); });
}
WG_API int cuGraphMemcpyNodeSetParams(void* node, const DriverCopy3D* given) {
    return setNode(node, [&](Device& d, Work& work) { return copyWork(d, *given, work); });
}
WG_API int cuGraphExecMemcpyNodeSetParams(void* executable, void* node, const DriverCopy3D* given, void*) {
    return setExecNode(executable, node, [&](Device& d, Work& work) { return copyWork(d, *given, work); });
}
WG_API int cuGraphMemcpyNodeGetParams(void* node, DriverCopy3D* given) {
    return onNode<CopyRequest>(node, [&](Device& d, GraphNode&, const CopyRequest& r) {
        *given = driverForm(d, r);
        return success;
    });
}

WG_API int cuGraphAddNode_v2(void** node, void* graph, void* const* before, const void*, std::size_t count,
                             NodeWords* given) {
    const int status = addNode(node, graph, before, count,
                               [&](Device& d, Graph& g, Work& work) { return workOf(d, *given, g, work); });
    if (status == success && NodeType(given->type) == NodeType::Conditional)
        answerBodies(*node, given->of.conditional);
    return status;
}
WG_API int cuGraphAddNode(void** node, void* graph, void* const* before, std::size_t count, NodeWords* given) {
    return cuGraphAddNode_v2(node, graph, before, nullptr, count, given);
}
WG_API int cuGraphNodeSetParams(void* node, NodeWords* given) {
    return call([&](Device& d) {
        GraphNode* known = d.streams.node(node);
        return replaceWork(d, known, [&](Device&, Work& work) { return workOf(d, *given, *known->graph, work); });
    });
}
WG_API int cuGraphExecNodeSetParams(void* executable, void* node, NodeWords* given) {
    return call([&](Device& d) {
        const std::shared_ptr<Graph> graph = d.streams.graph(executable);
        const GraphNode* from = d.streams.node(node);
        return graph && from ? replaceWork(d, graph->copyOf(from->number),
                                           [&](Device&, Work& work) { return workOf(d, *given, *graph, work); })
                             : invalidValue;
    });
}
