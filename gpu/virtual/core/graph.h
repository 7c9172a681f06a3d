// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs of work: nodes, and for each the nodes that must have ended before it. They come from a program that puts them
// together node by node, or from a stream that is captured. What is launched is a copy of its own, made executable by
// bringing the nodes into an order in which none comes before one that it waits for: the order in which they were made,
// wherever the edges leave a choice.
#pragma once

#include "gpu/virtual/core/requests.h"

#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>

namespace warpglass::virtual_device {

class Device;

// cudaGraphNodeType, CUgraphNodeType; those between are semaphores and batches.
enum class NodeType : int {
    Kernel,
    Copy,
    Fill,
    Host,
    Child,
    Empty,
    EventWait,
    EventRecord,
    Allocation = 10,
    Free,
    Conditional = 13
};
constexpr NodeType typeOf(const Work& work) {
    using enum NodeType;
    constexpr NodeType types[] = {Kernel,    Copy,        Fill,       Host, Child,       Empty,
                                  EventWait, EventRecord, Allocation, Free, Conditional, Kernel};
    static_assert(std::size(types) == std::variant_size_v<Work>);
    return types[work.index()];
}

struct GraphNode {
    Work work;
    Device* device = nullptr; // that was current
    Graph* graph = nullptr;
    std::vector<GraphNode*> before; // ascending by number, each once
    std::uint64_t number = 0;       // no other node of the process has it
    std::uint64_t origin = 0;       // number of the node that this is a copy of
    bool enabled = true;
    std::uint32_t listed = noIndex; // its place in ProgramGraph::nodes, once the graph has been described
    std::map<int, std::array<char, 64>> attributes; // that only the program asks for again
    std::vector<void*> pointers;                    // handed out to the program: to arguments, or handles of bodies
};

// Something of the program that lives as long as graphs hold on to it.
struct UserObject {
    void* object = nullptr;
    void (*destroy)(void*) = nullptr;
    std::uint64_t references = 0;
    void release(std::uint64_t count);
};

// Which nodes there are, so that a handle that is none is found out.
using NodeSet = std::set<const void*>;

// What graphs with conditions have: where the word lies, and what it begins with at each launch, if that is said.
struct Condition {
    std::uint64_t word = 0;
    std::optional<std::uint32_t> first;
};

// Graphs that work holds inside.
std::vector<std::shared_ptr<Graph>> innerGraphs(const Work& work);

struct Graph {
    explicit Graph(std::shared_ptr<NodeSet> set) : known(std::move(set)) {}
    ~Graph();
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;

    GraphNode* add(Device* device, Work work, std::span<GraphNode* const> before);
    void remove(GraphNode* node);                 // with its edges
    bool connect(GraphNode* from, GraphNode* to); // false: it is there already
    bool disconnect(GraphNode* from, GraphNode* to);
    // Of this graph or one inside it; nullptr if there is none.
    GraphNode* copyOf(std::uint64_t number);

    std::vector<std::unique_ptr<GraphNode>> nodes; // by number
    std::shared_ptr<NodeSet> known;
    std::map<std::shared_ptr<UserObject>, std::uint64_t> objects; // references that the graph holds
    std::vector<std::shared_ptr<void>> owned;                     // memory of GraphAllocation, shared with copies
    std::vector<Condition> conditions;
    unsigned ofDevice = 0;           // that was current when it was made
    std::uint64_t flags = 0;         // of an executable one
    program::RecordedGraph recorded; // of one that was launched
};

std::shared_ptr<Graph> copyOf(const Graph& graph);
// The nodes in an order in which they may run; empty if some wait for each other and there are any.
// With a seed another such order: 0, whatever was made last comes first; else by chance.
std::vector<GraphNode*> runningOrder(const Graph& graph, std::optional<std::uint64_t> adverse = {});
bool hasCycle(const Graph& graph); // or a graph inside it

// cudaGraphExecUpdateResult
enum class UpdateResult : int {
    Success = 0,
    TopologyChanged = 2,
    NodeTypeChanged = 3,
    ParametersChanged = 5,
};
struct UpdateAnswer {
    UpdateResult result = UpdateResult::Success;
    const GraphNode *node = nullptr, *from = nullptr; // of the new graph, where they differ
};
// Gives an executable graph the work of another one of the same form, node for node; all or nothing.
UpdateAnswer update(Graph& executable, const Graph& from);

} // namespace warpglass::virtual_device
