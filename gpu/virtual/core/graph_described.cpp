// SPDX-License-Identifier: GPL-3.0-or-later
// What a recording says of a graph.
#include "gpu/virtual/core/device.h"

#include <unordered_map>

namespace warpglass::virtual_device {

namespace {

using program::GraphNodeKind;

GraphNodeKind kindOf(const Work& work) {
    using enum GraphNodeKind;
    constexpr GraphNodeKind kinds[] = {Kernel,    Copy,        Fill,     Host, Child,     Empty,
                                       EventWait, EventRecord, Allocate, Free, Condition, Library};
    static_assert(std::size(kinds) == std::variant_size_v<Work>);
    return kinds[work.index()];
}

} // namespace

program::ProgramGraph Device::described(const Graph& graph) {
    program::ProgramGraph all;
    describe(graph, noIndex, 0, all);
    return all;
}

void Device::describe(const Graph& graph, std::uint32_t parent, std::uint32_t body, program::ProgramGraph& into) {
    for (const auto& node : graph.nodes) {
        node->listed = std::uint32_t(into.nodes.size());
        program::ProgramGraphNode& n = into.nodes.emplace_back();
        n.kind = kindOf(node->work);
        n.parent = parent;
        n.body = body;
        if (const auto* launched = std::get_if<KernelRequest>(&node->work)) {
            n.kernel = recorder.kernelRow(*launched->kernel);
            n.shape = recorder.shape(launched->shape);
        } else if (const auto* library = std::get_if<LibraryCall>(&node->work)) {
            n.kernel = recorder.kernelRow(*library->name);
        } else if (const auto* copied = std::get_if<CopyRequest>(&node->work)) {
            n.bytes = copied->bytes * copied->rows * copied->slices;
            const auto isDevices = [&](const void* at) {
                return memory.resolve(reinterpret_cast<std::uint64_t>(at), copied->bytes) != nullptr;
            };
            n.direction = directionOf(*copied, isDevices(copied->from), isDevices(copied->to));
        } else if (const auto* filled = std::get_if<FillRequest>(&node->work)) {
            n.bytes = filled->count * filled->valueBytes * filled->rows * filled->slices;
        } else if (const auto* allocation = std::get_if<GraphAllocation>(&node->work)) {
            n.bytes = allocation->bytes;
        }
        const std::vector<std::shared_ptr<Graph>> inner = innerGraphs(node->work);
        for (std::size_t k = 0; k < inner.size(); ++k)
            describe(*inner[k], node->listed, std::uint32_t(k), into);
    }
    for (const auto& node : graph.nodes) // an edge may come from a node that was made later
        for (const GraphNode* b : node->before)
            into.nodes[node->listed].behind.push_back(b->listed);
}

} // namespace warpglass::virtual_device
