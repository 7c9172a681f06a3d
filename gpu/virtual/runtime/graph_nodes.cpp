// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes of graphs by their kinds: adding one, asking for what it was given, giving it something else; the last also in
// an executable graph. Copies are in graph_copies.cpp.
#include "gpu/virtual/runtime/graphs.h"

#include <algorithm>
#include <cstring>

namespace warpglass::virtual_device {

Status workFrom(Device& d, const CallKernelNode& given, Work& work) {
    LoadedKernel* kernel = nullptr;
    if (const Status status = d.modules.kernelOf(given.function, kernel, d.number); status != success)
        return status;
    KernelRequest request;
    if (const Status status =
            launchRequest(kernel, given.grid, given.block, given.arguments, given.extra, given.sharedBytes, request);
        status != success)
        return status;
    const Status status = d.check(request);
    work = std::move(request);
    return status;
}

Status workFrom(Device&, const CallFill& given, Work& work) {
    if (given.valueBytes != 1 && given.valueBytes != 2 && given.valueBytes != 4)
        return invalidValue;
    FillRequest request;
    request.to = reinterpret_cast<std::uint64_t>(given.to);
    request.value = given.value, request.valueBytes = given.valueBytes;
    request.count = given.width, request.rows = given.height, request.pitch = given.pitch;
    work = request;
    return success;
}

namespace {

Status childFrom(Device& d, void* handle, Graph& parent, Work& work) {
    const std::shared_ptr<Graph> child = d.streams.graph(handle);
    if (!child || child.get() == &parent)
        return invalidValue;
    work = ChildGraph{copyOf(*child)};
    return success;
}

template <class Kind>
Status eventFrom(Device& d, void* event, Work& work) {
    work = Kind{event};
    return d.streams.event(event) ? success : invalidHandle;
}

Status allocationFrom(Device& d, CallAllocationNode& given, Graph& graph, Work& work) {
    if (given.bytes == 0)
        return invalidValue;
    const GraphAllocation made = d.reserve(graph, given.bytes);
    given.address = reinterpret_cast<void*>(made.address);
    work = made;
    return made.address ? success : memoryAllocation;
}

Status conditionalFrom(Device& d, const CallConditionalNode& given, const Graph& graph, Work& work) {
    const bool known = std::any_of(graph.conditions.begin(), graph.conditions.end(),
                                   [&](const Condition& c) { return c.word == given.handle; });
    const bool fits = given.kind == int(Conditional::Kind::While) ? given.count == 1
                      : given.kind == int(Conditional::Kind::If)
                          ? given.count == 1 || given.count == 2
                          : given.kind == int(Conditional::Kind::Switch) && given.count > 0;
    if (!known || !fits)
        return invalidValue;
    Conditional made;
    made.word = given.handle;
    made.kind = Conditional::Kind(given.kind);
    for (unsigned n = 0; n < given.count; ++n)
        made.bodies.push_back(d.streams.makeGraph());
    work = std::move(made);
    return success;
}

CallKernelNode partsOf(Device& d, GraphNode& node, const KernelRequest& r) {
    node.pointers.clear();
    for (const program::Parameter& p : r.kernel->parameters)
        node.pointers.push_back(const_cast<std::byte*>(r.arguments.data()) + p.offset);
    const auto words = [](const Dim3& s) { return CallDim3{s.x, s.y, s.z}; };
    return {const_cast<void*>(d.modules.hostOf(r.kernel)),
            words(r.shape.grid),
            words(r.shape.block),
            r.shape.sharedBytes,
            node.pointers.data(),
            nullptr};
}

// A launch that keeps what attributes have said of the one before it.
Status launchFrom(Device& d, const GraphNode* before, const CallKernelNode& given, Work& work) {
    const Status status = workFrom(d, given, work);
    const auto* old = before ? std::get_if<KernelRequest>(&before->work) : nullptr;
    if (auto* now = std::get_if<KernelRequest>(&work); now && old && status == success) {
        now->cluster = old->cluster, now->cooperative = old->cooperative;
        now->shape.cluster = old->shape.cluster, now->shape.cooperative = old->shape.cooperative;
    }
    return status;
}

} // namespace

Status workFrom(Device& d, const CallNode& given, Graph& graph, Work& work) {
    switch (NodeType(given.type)) {
    case NodeType::Kernel:
        return workFrom(d, given.of.kernel, work);
    case NodeType::Copy:
        return workFrom(d, given.of.copy.box, work);
    case NodeType::Fill:
        return workFrom(d, given.of.fill, work);
    case NodeType::Host:
        work = HostCall{given.of.host.function, given.of.host.data};
        return given.of.host.function ? success : invalidValue;
    case NodeType::Child:
        return childFrom(d, given.of.handle, graph, work);
    case NodeType::Empty:
        work = Nothing{};
        return success;
    case NodeType::EventWait:
        return eventFrom<EventWait>(d, given.of.handle, work);
    case NodeType::EventRecord:
        return eventFrom<EventRecord>(d, given.of.handle, work);
    case NodeType::Allocation:
        return allocationFrom(d, const_cast<CallNode&>(given).of.allocation, graph, work); // it answers in there
    case NodeType::Conditional:
        return conditionalFrom(d, given.of.conditional, graph, work);
    case NodeType::Free:
        work = GraphFree{reinterpret_cast<std::uint64_t>(given.of.handle)};
        return success;
    default:
        return notSupported;
    }
}

} // namespace warpglass::virtual_device

using namespace warpglass::virtual_device;

// The program fills the graphs of a condition after it has made the node.
void warpglass::virtual_device::answerBodies(void* node, CallConditionalNode& given) {
    onNode<Conditional>(node, [&](Device& d, GraphNode& n, const Conditional& c) {
        n.pointers.clear();
        for (const auto& body : c.bodies)
            n.pointers.push_back(d.streams.keep(body));
        given.graphs = n.pointers.data();
        return success;
    });
}

WG_API int cudaGraphConditionalHandleCreate(std::uint64_t* handle, void* graph, unsigned first, unsigned flags) {
    constexpr unsigned assigns = 1;
    return call([&](Device& d) {
        const std::shared_ptr<Graph> known = d.streams.graph(graph);
        if (!known || !handle || flags > assigns)
            return invalidValue;
        *handle = d.makeCondition(*known, flags ? std::optional<std::uint32_t>(first) : std::nullopt);
        return *handle ? success : memoryAllocation;
    });
}
WG_API int cuGraphConditionalHandleCreate(std::uint64_t* handle, void* graph, void*, unsigned first, unsigned flags) {
    return cudaGraphConditionalHandleCreate(handle, graph, first, flags);
}

// Any node, by a struct with its type.
WG_API int cudaGraphAddNode_v2(void** node, void* graph, void* const* before, const void*, std::size_t count,
                               CallNode* given) {
    const int status = addNode(node, graph, before, count,
                               [&](Device& d, Graph& g, Work& work) { return workFrom(d, *given, g, work); });
    if (status == success && NodeType(given->type) == NodeType::Conditional)
        answerBodies(*node, given->of.conditional);
    return status;
}
WG_API int cudaGraphAddNode(void** node, void* graph, void* const* before, void* fourth, void* fifth, CallNode* sixth) {
    return runtimeMajor() >= 13
               ? cudaGraphAddNode_v2(node, graph, before, fourth, reinterpret_cast<std::size_t>(fifth), sixth)
               : cudaGraphAddNode_v2(node, graph, before, nullptr, reinterpret_cast<std::size_t>(fourth),
                                     static_cast<CallNode*>(fifth));
}
WG_API int cudaGraphNodeSetParams(void* node, CallNode* given) {
    return call([&](Device& d) {
        GraphNode* known = d.streams.node(node);
        return replaceWork(d, known, [&](Device&, Work& work) { return workFrom(d, *given, *known->graph, work); });
    });
}
WG_API int cudaGraphExecNodeSetParams(void* executable, void* node, CallNode* given) {
    return call([&](Device& d) {
        const std::shared_ptr<Graph> graph = d.streams.graph(executable);
        const GraphNode* from = d.streams.node(node);
        return graph && from ? replaceWork(d, graph->copyOf(from->number),
                                           [&](Device&, Work& work) { return workFrom(d, *given, *graph, work); })
                             : invalidValue;
    });
}

WG_API int cudaGraphAddKernelNode(void** node, void* graph, void* const* before, std::size_t count,
                                  const CallKernelNode* given) {
    return addNode(node, graph, before, count,
                   [&](Device& d, Graph&, Work& work) { return workFrom(d, *given, work); });
}
WG_ALIAS(cuGraphAddKernelNode, cudaGraphAddKernelNode);
WG_API int cudaGraphKernelNodeGetParams(void* node, CallKernelNode* given) {
    return onNode<KernelRequest>(node, [&](Device& d, GraphNode& n, const KernelRequest& r) {
        *given = partsOf(d, n, r);
        return success;
    });
}
WG_API int cudaGraphKernelNodeSetParams(void* node, const CallKernelNode* given) {
    return setNode(node, [&](Device& d, Work& work) { return launchFrom(d, d.streams.node(node), *given, work); });
}
WG_ALIAS(cuGraphKernelNodeSetParams, cudaGraphKernelNodeSetParams);
WG_API int cudaGraphExecKernelNodeSetParams(void* executable, void* node, const CallKernelNode* given) {
    return setExecNode(executable, node,
                       [&](Device& d, Work& work) { return launchFrom(d, d.streams.node(node), *given, work); });
}
WG_ALIAS(cuGraphExecKernelNodeSetParams, cudaGraphExecKernelNodeSetParams);
WG_API int cudaGraphKernelNodeSetAttribute(void* node, int attribute, const void* value) {
    return onNode<KernelRequest>(node, [&](Device&, GraphNode& n, KernelRequest& r) {
        std::memcpy(n.attributes[attribute].data(), value, 64);
        if (attribute == attributeCooperative)
            setCooperative(r, *static_cast<const int*>(value) != 0);
        if (attribute == attributeCluster) {
            const auto* cluster = static_cast<const CallDim3*>(value);
            setCluster(r, cluster->x ? cluster : nullptr);
        }
        return success;
    });
}
WG_ALIAS(cuGraphKernelNodeSetAttribute, cudaGraphKernelNodeSetAttribute);
WG_API int cudaGraphKernelNodeGetAttribute(void* node, int attribute, void* value) {
    return onNode<KernelRequest>(node, [&](Device&, GraphNode& n, const KernelRequest&) {
        const auto known = n.attributes.find(attribute);
        std::memset(value, 0, 64);
        if (known != n.attributes.end())
            std::memcpy(value, known->second.data(), 64);
        return success;
    });
}
WG_ALIAS(cuGraphKernelNodeGetAttribute, cudaGraphKernelNodeGetAttribute);
WG_API int cudaGraphKernelNodeCopyAttributes(void* first, void* second) {
    return onNode<KernelRequest>(first, [&](Device& d, GraphNode& to, KernelRequest& r) {
        const GraphNode* from = d.streams.node(second);
        const auto* given = from ? std::get_if<KernelRequest>(&from->work) : nullptr;
        if (!given)
            return invalidValue;
        to.attributes = from->attributes;
        r.cluster = given->cluster, r.shape.cluster = given->shape.cluster;
        setCooperative(r, given->cooperative);
        return success;
    });
}
WG_ALIAS(cuGraphKernelNodeCopyAttributes, cudaGraphKernelNodeCopyAttributes);

// The driver's forms have a context behind the struct, which is the current one's.
WG_API int cudaGraphAddMemsetNode(void** node, void* graph, void* const* before, std::size_t count,
                                  const CallFill* given) {
    return addNode(node, graph, before, count,
                   [&](Device& d, Graph&, Work& work) { return workFrom(d, *given, work); });
}
WG_ALIAS(cuGraphAddMemsetNode, cudaGraphAddMemsetNode);
WG_API int cudaGraphMemsetNodeGetParams(void* node, CallFill* given) {
    return onNode<FillRequest>(node, [&](Device&, GraphNode&, const FillRequest& r) {
        *given = {reinterpret_cast<void*>(r.to), r.pitch, r.value, r.valueBytes, r.count, r.rows};
        return success;
    });
}
WG_ALIAS(cuGraphMemsetNodeGetParams, cudaGraphMemsetNodeGetParams);
WG_API int cudaGraphMemsetNodeSetParams(void* node, const CallFill* given) {
    return setNode(node, [&](Device& d, Work& work) { return workFrom(d, *given, work); });
}
WG_ALIAS(cuGraphMemsetNodeSetParams, cudaGraphMemsetNodeSetParams);
WG_API int cudaGraphExecMemsetNodeSetParams(void* executable, void* node, const CallFill* given) {
    return setExecNode(executable, node, [&](Device& d, Work& work) { return workFrom(d, *given, work); });
}
WG_ALIAS(cuGraphExecMemsetNodeSetParams, cudaGraphExecMemsetNodeSetParams);

namespace {
Status hostFrom(const CallHostNode& given, Work& work) {
    work = HostCall{given.function, given.data};
    return given.function ? success : invalidValue;
}
} // namespace

WG_API int cudaGraphAddHostNode(void** node, void* graph, void* const* before, std::size_t count,
                                const CallHostNode* given) {
    return addNode(node, graph, before, count, [&](Device&, Graph&, Work& work) { return hostFrom(*given, work); });
}
WG_ALIAS(cuGraphAddHostNode, cudaGraphAddHostNode);
WG_API int cudaGraphHostNodeGetParams(void* node, CallHostNode* given) {
    return onNode<HostCall>(node, [&](Device&, GraphNode&, const HostCall& r) {
        *given = {r.function, r.data};
        return success;
    });
}
WG_ALIAS(cuGraphHostNodeGetParams, cudaGraphHostNodeGetParams);
WG_API int cudaGraphHostNodeSetParams(void* node, const CallHostNode* given) {
    return setNode(node, [&](Device&, Work& work) { return hostFrom(*given, work); });
}
WG_ALIAS(cuGraphHostNodeSetParams, cudaGraphHostNodeSetParams);
WG_API int cudaGraphExecHostNodeSetParams(void* executable, void* node, const CallHostNode* given) {
    return setExecNode(executable, node, [&](Device&, Work& work) { return hostFrom(*given, work); });
}
WG_ALIAS(cuGraphExecHostNodeSetParams, cudaGraphExecHostNodeSetParams);

WG_API int cudaGraphAddChildGraphNode(void** node, void* graph, void* const* before, std::size_t count, void* child) {
    return addNode(node, graph, before, count,
                   [&](Device& d, Graph& g, Work& work) { return childFrom(d, child, g, work); });
}
WG_ALIAS(cuGraphAddChildGraphNode, cudaGraphAddChildGraphNode);
WG_API int cudaGraphChildGraphNodeGetGraph(void* node, void** graph) {
    return onNode<ChildGraph>(node, [&](Device& d, GraphNode&, const ChildGraph& child) {
        *graph = d.streams.keep(child.graph);
        return success;
    });
}
WG_ALIAS(cuGraphChildGraphNodeGetGraph, cudaGraphChildGraphNodeGetGraph);
WG_API int cudaGraphExecChildGraphNodeSetParams(void* executable, void* node, void* child) {
    return call([&](Device& d) {
        const std::shared_ptr<Graph> graph = d.streams.graph(executable), given = d.streams.graph(child);
        const GraphNode* from = d.streams.node(node);
        GraphNode* own = graph && from ? graph->copyOf(from->number) : nullptr;
        auto* inside = own ? std::get_if<ChildGraph>(&own->work) : nullptr;
        return inside && given && update(*inside->graph, *given).result == UpdateResult::Success ? success
                                                                                                 : invalidValue;
    });
}
WG_ALIAS(cuGraphExecChildGraphNodeSetParams, cudaGraphExecChildGraphNodeSetParams);

WG_API int cudaGraphAddEventRecordNode(void** node, void* graph, void* const* before, std::size_t count, void* event) {
    return addNode(node, graph, before, count,
                   [&](Device& d, Graph&, Work& work) { return eventFrom<EventRecord>(d, event, work); });
}
WG_ALIAS(cuGraphAddEventRecordNode, cudaGraphAddEventRecordNode);
WG_API int cudaGraphAddEventWaitNode(void** node, void* graph, void* const* before, std::size_t count, void* event) {
    return addNode(node, graph, before, count,
                   [&](Device& d, Graph&, Work& work) { return eventFrom<EventWait>(d, event, work); });
}
WG_ALIAS(cuGraphAddEventWaitNode, cudaGraphAddEventWaitNode);
WG_API int cudaGraphEventRecordNodeGetEvent(void* node, void** event) {
    return onNode<EventRecord>(node, [&](Device&, GraphNode&, const EventRecord& r) {
        *event = r.event;
        return success;
    });
}
WG_ALIAS(cuGraphEventRecordNodeGetEvent, cudaGraphEventRecordNodeGetEvent);
WG_API int cudaGraphEventWaitNodeGetEvent(void* node, void** event) {
    return onNode<EventWait>(node, [&](Device&, GraphNode&, const EventWait& r) {
        *event = r.event;
        return success;
    });
}
WG_ALIAS(cuGraphEventWaitNodeGetEvent, cudaGraphEventWaitNodeGetEvent);
WG_API int cudaGraphEventRecordNodeSetEvent(void* node, void* event) {
    return setNode(node, [&](Device& d, Work& work) { return eventFrom<EventRecord>(d, event, work); });
}
WG_ALIAS(cuGraphEventRecordNodeSetEvent, cudaGraphEventRecordNodeSetEvent);
WG_API int cudaGraphEventWaitNodeSetEvent(void* node, void* event) {
    return setNode(node, [&](Device& d, Work& work) { return eventFrom<EventWait>(d, event, work); });
}
WG_ALIAS(cuGraphEventWaitNodeSetEvent, cudaGraphEventWaitNodeSetEvent);
WG_API int cudaGraphExecEventRecordNodeSetEvent(void* executable, void* node, void* event) {
    return setExecNode(executable, node, [&](Device& d, Work& work) { return eventFrom<EventRecord>(d, event, work); });
}
WG_ALIAS(cuGraphExecEventRecordNodeSetEvent, cudaGraphExecEventRecordNodeSetEvent);
WG_API int cudaGraphExecEventWaitNodeSetEvent(void* executable, void* node, void* event) {
    return setExecNode(executable, node, [&](Device& d, Work& work) { return eventFrom<EventWait>(d, event, work); });
}
WG_ALIAS(cuGraphExecEventWaitNodeSetEvent, cudaGraphExecEventWaitNodeSetEvent);

WG_API int cudaGraphAddMemAllocNode(void** node, void* graph, void* const* before, std::size_t count,
                                    CallAllocationNode* given) {
    return addNode(node, graph, before, count,
                   [&](Device& d, Graph& g, Work& work) { return allocationFrom(d, *given, g, work); });
}
WG_ALIAS(cuGraphAddMemAllocNode, cudaGraphAddMemAllocNode);
WG_API int cudaGraphMemAllocNodeGetParams(void* node, CallAllocationNode* given) {
    return onNode<GraphAllocation>(node, [&](Device&, GraphNode&, const GraphAllocation& r) {
        *given = {};
        given->pool.allocation = given->pool.locationType = 1; // memory of a device, kept in place
        given->bytes = r.bytes;
        given->address = reinterpret_cast<void*>(r.address);
        return success;
    });
}
WG_ALIAS(cuGraphMemAllocNodeGetParams, cudaGraphMemAllocNodeGetParams);
WG_API int cudaGraphAddMemFreeNode(void** node, void* graph, void* const* before, std::size_t count, void* address) {
    return addNode(node, graph, before, count, [&](Device&, Graph&, Work& work) {
        work = GraphFree{reinterpret_cast<std::uint64_t>(address)};
        return address ? success : invalidValue;
    });
}
WG_ALIAS(cuGraphAddMemFreeNode, cudaGraphAddMemFreeNode);
WG_API int cudaGraphMemFreeNodeGetParams(void* node, void* address) {
    return onNode<GraphFree>(node, [&](Device&, GraphNode&, const GraphFree& r) {
        std::memcpy(address, &r.address, sizeof r.address);
        return success;
    });
}
WG_ALIAS(cuGraphMemFreeNodeGetParams, cudaGraphMemFreeNodeGetParams);
