// SPDX-License-Identifier: GPL-3.0-or-later
// What the calls about graphs share. The driver's forms are the runtime's by other names wherever both have the same
// arguments; they stand beside each other.
#pragma once

#include "gpu/virtual/runtime/call.h"

namespace warpglass::virtual_device {

// Work from what a program says of a node. A launch is checked as if it ran now.
Status workFrom(Device& d, const CallKernelNode& given, Work& work);
Status workFrom(Device& d, const CallCopy3D& given, Work& work);
Status workFrom(Device& d, const CallFill& given, Work& work);
Status workFrom(Device& d, const CallNode& given, Graph& graph, Work& work);
void answerBodies(void* node, CallConditionalNode& given);
Status linearWork(void* to, const void* from, std::size_t bytes, int kind, Work& work);

// Adds a node whose work make(device, graph, work) gives. Those that it waits for must be of the same graph.
template <class F>
int addNode(void** result, void* graph, void* const* before, std::size_t count, F make) {
    return call([&](Device& d) {
        const std::shared_ptr<Graph> known = d.streams.graph(graph);
        if (!known || !result || (count && !before))
            return invalidValue;
        std::vector<GraphNode*> nodes;
        for (std::size_t n = 0; n < count; ++n) {
            nodes.push_back(d.streams.node(before[n]));
            if (!nodes.back() || nodes.back()->graph != known.get())
                return invalidValue;
        }
        Work work;
        if (const Status status = make(d, *known, work); status != success)
            return status;
        *result = known->add(&d, std::move(work), nodes);
        return success;
    });
}

// f(device, node, its work of this kind)
template <class Kind, class F>
int onNode(void* node, F f) {
    return call([&](Device& d) {
        GraphNode* known = d.streams.node(node);
        Kind* work = known ? std::get_if<Kind>(&known->work) : nullptr;
        return work ? Status(f(d, *known, *work)) : invalidValue;
    });
}

// Gives a node work of the kind that it has.
template <class F>
Status replaceWork(Device& d, GraphNode* node, F make) {
    Work work;
    if (!node)
        return invalidValue;
    if (const Status status = make(d, work); status != success)
        return status;
    if (work.index() != node->work.index())
        return invalidValue;
    node->work = std::move(work);
    return success;
}
template <class F>
int setNode(void* node, F make) {
    return call([&](Device& d) { return replaceWork(d, d.streams.node(node), make); });
}
// The same of an executable graph, at the node that was made of this one.
template <class F>
int setExecNode(void* executable, void* node, F make) {
    return call([&](Device& d) {
        const std::shared_ptr<Graph> graph = d.streams.graph(executable);
        const GraphNode* from = d.streams.node(node);
        return graph && from ? replaceWork(d, graph->copyOf(from->number), make) : invalidValue;
    });
}

// Fills a program's list: how many there are if it has none yet, else as many as it takes.
template <class T>
void listOut(const std::vector<T>& all, T* list, std::size_t* count) {
    if (list)
        for (std::size_t n = 0; n < *count; ++n)
            list[n] = n < all.size() ? all[n] : T{};
    *count = list ? std::min(*count, all.size()) : all.size();
}

} // namespace warpglass::virtual_device
