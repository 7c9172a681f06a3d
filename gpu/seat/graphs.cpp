// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/seat/graphs.h"

#include "gpu/seat/detail.h"

#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

namespace warpglass::seat {

namespace {

using program::GraphNodeKind;

struct Node {
    CUgraphNode node = nullptr;    // nullptr: of a graph within the graph
    std::uint32_t place = noIndex; // in the description
    Operation operation;
    LoadedKernel* kernel = nullptr;
    Expected expected;
    std::vector<std::byte> arguments;
};

struct Graph {
    std::vector<Node> nodes; // those that are listed, children's, too
    CUgraph copy = nullptr;  // as it was when it was instantiated; nullptr: it cannot be copied or has changed since
    std::vector<CUgraphNode> order;     // nodes of the copy, each behind those that it depends on
    std::vector<CUgraphNode> originals; // [of nodes] as the program knows them
    program::ProgramGraph description;
    program::RecordedGraph recorded;

    void letGo() {
        if (copy)
            driver().cuGraphDestroy(copy);
        copy = nullptr;
    }
};

std::unordered_map<CUgraphExec, Graph>& graphs() {
    static auto* const all = new std::unordered_map<CUgraphExec, Graph>;
    return *all;
}

void setKernel(Seat& seat, Node& n, const CUDA_KERNEL_NODE_PARAMS& p) {
    n.operation.kind = OperationKind::Launch;
    n.kernel = seat.images.kernel(p.func ? static_cast<void*>(p.func) : static_cast<void*>(p.kern));
    if (!n.kernel)
        return;
    n.operation.kernel = seat.recorder.kernelRow(*n.kernel);
    n.operation.shape = seat.recorder.shape({{p.gridDimX, p.gridDimY, p.gridDimZ},
                                             {p.blockDimX, p.blockDimY, p.blockDimZ},
                                             {1, 1, 1},
                                             p.sharedMemBytes,
                                             0});
    n.expected.what = n.kernel->nameHash;
    n.arguments.assign(n.kernel->parameterBytes(), std::byte{});
    if (p.kernelParams)
        for (std::size_t k = 0; k < n.kernel->parameters.size(); ++k)
            std::memcpy(n.arguments.data() + n.kernel->parameters[k].offset, p.kernelParams[k],
                        n.kernel->parameters[k].bytes);
}

bool read(Seat& seat, CUgraphNode node, CUgraphNodeType type, Node& n) {
    const Driver& d = driver();
    n.node = node;
    static std::uint64_t numbered = 0; // under the seat's lock
    n.expected.graphNode = ++numbered;
    if (type == CU_GRAPH_NODE_TYPE_KERNEL) {
        CUDA_KERNEL_NODE_PARAMS p{};
        if (d.cuGraphKernelNodeGetParams_v2(node, &p) != CUDA_SUCCESS)
            return false;
        setKernel(seat, n, p);
        return n.kernel != nullptr;
    }
    if (type == CU_GRAPH_NODE_TYPE_MEMCPY) {
        CUDA_MEMCPY3D p{};
        if (d.cuGraphMemcpyNodeGetParams(node, &p) != CUDA_SUCCESS)
            return false;
        n.operation.kind = OperationKind::Copy;
        n.operation.bytes = p.WidthInBytes * p.Height * p.Depth;
        n.operation.to =
            p.dstMemoryType == CU_MEMORYTYPE_HOST ? reinterpret_cast<std::uint64_t>(p.dstHost) : p.dstDevice;
        n.operation.from =
            p.srcMemoryType == CU_MEMORYTYPE_HOST ? reinterpret_cast<std::uint64_t>(p.srcHost) : p.srcDevice;
        n.operation.direction = directionOf(seat.isDevice(n.operation.from), seat.isDevice(n.operation.to));
        n.expected.kind = Expected::Kind::Copy;
        n.expected.what = n.operation.bytes;
        return true;
    }
    if (type == CU_GRAPH_NODE_TYPE_MEMSET) {
        CUDA_MEMSET_NODE_PARAMS p{};
        if (d.cuGraphMemsetNodeGetParams(node, &p) != CUDA_SUCCESS)
            return false;
        n.operation.kind = OperationKind::Fill;
        n.operation.to = p.dst;
        n.operation.bytes = std::uint64_t(p.elementSize) * p.width * p.height;
        n.expected.kind = Expected::Kind::Fill;
        n.expected.what = n.operation.bytes;
        return true;
    }
    return false;
}

std::vector<CUgraphNode> nodesOf(CUgraph graph) {
    std::size_t count = 0;
    std::vector<CUgraphNode> all;
    if (driver().cuGraphGetNodes(graph, nullptr, &count) == CUDA_SUCCESS && count > 0) {
        all.resize(count);
        driver().cuGraphGetNodes(graph, all.data(), &count);
        all.resize(count);
    }
    return all;
}

std::vector<CUgraphNode> nodesBefore(CUgraphNode node) {
    std::size_t count = 0;
    std::vector<CUgraphNode> all;
    if (driver().cuGraphNodeGetDependencies_v2(node, nullptr, nullptr, &count) == CUDA_SUCCESS && count > 0) {
        all.resize(count);
        std::vector<CUgraphEdgeData> edges(count);
        driver().cuGraphNodeGetDependencies_v2(node, all.data(), edges.data(), &count);
        all.resize(count);
    }
    return all;
}

GraphNodeKind kindOf(CUgraphNodeType type) {
    switch (type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        return GraphNodeKind::Kernel;
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        return GraphNodeKind::Copy;
    case CU_GRAPH_NODE_TYPE_MEMSET:
        return GraphNodeKind::Fill;
    case CU_GRAPH_NODE_TYPE_HOST:
        return GraphNodeKind::Host;
    case CU_GRAPH_NODE_TYPE_GRAPH:
        return GraphNodeKind::Child;
    case CU_GRAPH_NODE_TYPE_EMPTY:
        return GraphNodeKind::Empty;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
        return GraphNodeKind::EventWait;
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        return GraphNodeKind::EventRecord;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        return GraphNodeKind::Allocate;
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        return GraphNodeKind::Free;
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
        return GraphNodeKind::Condition;
    default:
        return GraphNodeKind::Other;
    }
}

// Nodes of the graph and of the graphs within it.
void collect(Seat& seat, CUgraph graph, std::uint32_t parent, Graph& into) {
    const Driver& d = driver();
    std::map<CUgraphNode, std::uint32_t> places;
    std::vector<program::ProgramGraphNode>& described = into.description.nodes;
    for (CUgraphNode node : nodesOf(graph)) {
        CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
        CUgraph child = nullptr;
        if (d.cuGraphNodeGetType(node, &type) != CUDA_SUCCESS)
            continue;
        const auto place = std::uint32_t(described.size());
        places[node] = place;
        described.push_back({.kind = kindOf(type), .parent = parent});
        if (type == CU_GRAPH_NODE_TYPE_GRAPH && d.cuGraphChildGraphNodeGetGraph(node, &child) == CUDA_SUCCESS) {
            collect(seat, child, place, into);
        } else if (Node n; read(seat, node, type, n)) {
            n.place = place;
            described[place].kernel = n.operation.kernel;
            described[place].shape = n.operation.shape;
            described[place].bytes = n.operation.bytes;
            described[place].direction = n.operation.direction;
            into.nodes.push_back(std::move(n));
        }
    }
    for (const auto& [node, place] : places)
        for (CUgraphNode before : nodesBefore(node))
            if (const auto found = places.find(before); found != places.end())
                described[place].behind.push_back(found->second);
}

std::vector<CUgraphNode> inOrder(CUgraph graph) {
    std::vector<CUgraphNode> order, open;
    std::set<CUgraphNode> placed;
    for (CUgraphNode first : nodesOf(graph))
        for (open.push_back(first); !open.empty();) {
            CUgraphNode missing = nullptr;
            for (CUgraphNode needed : nodesBefore(open.back()))
                if (placed.count(needed) == 0)
                    missing = needed;
            if (missing) {
                open.push_back(missing);
                continue;
            }
            if (placed.insert(open.back()).second)
                order.push_back(open.back());
            open.pop_back();
        }
    return order;
}

// A graph of this node alone, launched; node: of the copy.
CUresult launchOne(const Graph& graph, CUgraphNode node, CUstream stream, bool perThread) {
    const Driver& d = driver();
    CUgraph one = nullptr;
    CUgraphNode kept = nullptr;
    CUgraphExec exec = nullptr;
    CUresult result = d.cuGraphClone(&one, graph.copy);
    if (result == CUDA_SUCCESS)
        result = d.cuGraphNodeFindInClone(&kept, node, one);
    for (CUgraphNode other : result == CUDA_SUCCESS ? nodesOf(one) : std::vector<CUgraphNode>())
        if (other != kept)
            d.cuGraphDestroyNode(other);
    if (result == CUDA_SUCCESS)
        result = d.cuGraphInstantiateWithFlags(&exec, one, 0);
    if (result == CUDA_SUCCESS)
        result = d.cuGraphLaunch(exec, perThread && !stream ? CU_STREAM_PER_THREAD : stream);
    if (exec) {
        if (result == CUDA_SUCCESS)
            result = d.cuCtxSynchronize();
        d.cuGraphExecDestroy(exec);
    }
    if (one)
        d.cuGraphDestroy(one);
    return result;
}

// Cluster and cooperation are attributes of a node.
LaunchShape shapeOf(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS& p) {
    LaunchShape shape{{p.gridDimX, p.gridDimY, p.gridDimZ}, {p.blockDimX, p.blockDimY, p.blockDimZ}, p.sharedMemBytes};
    CUlaunchAttributeValue value{};
    if (driver().cuGraphKernelNodeGetAttribute(node, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, &value) == CUDA_SUCCESS &&
        value.clusterDim.x > 0)
        shape.cluster = Dim3{value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
    if (driver().cuGraphKernelNodeGetAttribute(node, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value) == CUDA_SUCCESS)
        shape.cooperative = value.cooperative != 0;
    return shape;
}

using Chosen = std::vector<std::optional<RunOptions>>;

// The caller holds the lock.
CUresult launchInPieces(Seat& seat, Graph& graph, const Chosen& chosen, CUstream stream, bool perThread) {
    const Inside inside;
    CUresult result = CUDA_SUCCESS;
    const std::int64_t called = seat.recorder.now();
    const std::uint32_t launch = seat.launched(graph.recorded, graph.description, called, stream, perThread);
    for (CUgraphNode node : graph.order) {
        std::size_t n = 0;
        while (n < graph.nodes.size() && graph.nodes[n].node != node)
            ++n;
        Operation o;
        Detail detail;
        const bool listed = n < graph.nodes.size();
        if (listed) {
            const Node& known = graph.nodes[n];
            o = known.operation;
            CUDA_KERNEL_NODE_PARAMS p{};
            if (chosen[n] && driver().cuGraphKernelNodeGetParams_v2(node, &p) == CUDA_SUCCESS)
                detail = recordInDetail(seat, *known.kernel, shapeOf(node, p), known.arguments, *chosen[n]);
        }
        o.called = seat.recorder.now();
        if (!detail.done && result == CUDA_SUCCESS)
            result = launchOne(graph, node, stream, perThread);
        o.returned = seat.recorder.now();
        o.error = std::uint32_t(result);
        if (listed) {
            seat.recorder.within(launch, graph.nodes[n].place);
            seat.add(o, stream, perThread, nullptr, graph.nodes[n].arguments);
        }
    }
    seat.recorder.within();
    return result;
}

} // namespace

void noteGraph(Seat& seat, CUgraphExec exec, CUgraph graph) {
    const std::lock_guard guard(seat.lock);
    seat.begin();
    const Inside inside;
    Graph& g = graphs()[exec];
    g.letGo();
    g.nodes.clear();
    g.description = {};
    if (seat.recorder.settings().detail != "none" && driver().cuGraphClone(&g.copy, graph) == CUDA_SUCCESS)
        g.order = inOrder(g.copy);
    else
        g.copy = nullptr;
    collect(seat, graph, noIndex, g);
    g.originals.clear();
    for (Node& n : g.nodes) {
        CUgraphNode own = nullptr;
        g.originals.push_back(n.node); // as the program knows it
        n.node = g.copy && driver().cuGraphNodeFindInClone(&own, n.node, g.copy) == CUDA_SUCCESS ? own : nullptr;
    }
}

void noteNode(Seat& seat, CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS& parameters) {
    const std::lock_guard guard(seat.lock);
    const Inside inside;
    const auto found = graphs().find(exec);
    if (found == graphs().end())
        return;
    Graph& g = found->second;
    for (std::size_t n = 0; n < g.nodes.size(); ++n)
        if (g.originals[n] == node) {
            setKernel(seat, g.nodes[n], parameters);
            if (!g.nodes[n].node ||
                driver().cuGraphKernelNodeSetParams_v2(g.nodes[n].node, &parameters) != CUDA_SUCCESS)
                g.letGo();
        }
}

void graphChanged(Seat& seat, CUgraphExec exec) {
    const std::lock_guard guard(seat.lock);
    const Inside inside;
    if (const auto found = graphs().find(exec); found != graphs().end())
        found->second.letGo();
}

void forgetGraph(Seat& seat, CUgraphExec exec) {
    const std::lock_guard guard(seat.lock);
    const Inside inside;
    if (const auto found = graphs().find(exec); found != graphs().end()) {
        found->second.letGo();
        graphs().erase(found);
    }
}

CUresult launchGraph(Seat& seat, CUgraphExec exec, CUstream stream, bool perThread,
                     const std::function<CUresult()>& carryOut) {
    std::unique_lock guard(seat.lock);
    const auto found = graphs().find(exec);
    if (found == graphs().end() || seat.isCaptured(stream, perThread))
        return carryOut();
    Graph& graph = found->second;
    Chosen chosen(graph.nodes.size());
    bool any = false;
    for (std::size_t n = 0; n < chosen.size(); ++n)
        if (LoadedKernel* kernel = graph.nodes[n].kernel) {
            const bool can = graph.copy && graph.nodes[n].node && seat.capturing == 0;
            if ((chosen[n] = can ? seat.recorder.choose(*kernel) : seat.recorder.pass()))
                any = true;
        }
    if (any)
        return launchInPieces(seat, graph, chosen, stream, perThread);
    guard.unlock();
    const std::int64_t called = seat.recorder.now();
    const CUresult result = seat.passed(carryOut);
    const std::int64_t returned = seat.recorder.now();
    guard.lock();
    const std::uint32_t launch = seat.launched(graph.recorded, graph.description, called, stream, perThread);
    for (const Node& n : graph.nodes) {
        Operation o = n.operation;
        seat.recorder.within(launch, n.place);
        o.called = called, o.returned = returned;
        o.error = std::uint32_t(result);
        seat.add(o, stream, perThread, result == CUDA_SUCCESS ? &n.expected : nullptr, n.arguments);
    }
    seat.recorder.within();
    return result;
}

} // namespace warpglass::seat
