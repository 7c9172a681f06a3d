// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/virtual/core/graph.h"

#include <algorithm>
#include <atomic>
#include <queue>
#include <unordered_map>

namespace warpglass::virtual_device {

namespace {

std::uint64_t nextNumber() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

bool byNumber(const GraphNode* a, const GraphNode* b) {
    return a->number < b->number;
}

std::vector<std::size_t> placesOf(const GraphNode& node, const std::unordered_map<const GraphNode*, std::size_t>& at) {
    std::vector<std::size_t> places;
    for (const GraphNode* b : node.before)
        places.push_back(at.at(b));
    return places;
}

std::unordered_map<const GraphNode*, std::size_t> numbered(const Graph& graph) {
    std::unordered_map<const GraphNode*, std::size_t> at;
    for (const auto& node : graph.nodes)
        at.emplace(node.get(), at.size());
    return at;
}

// Memory of one kind on the other side cannot be copied by a node that was made for it.
bool mayBecome(const Work& old, const Work& now) {
    const auto *a = std::get_if<CopyRequest>(&old), *b = std::get_if<CopyRequest>(&now);
    return !a || (a->kind == b->kind && a->slices == b->slices);
}

UpdateAnswer compare(const Graph& executable, const Graph& from) {
    const auto ours = numbered(executable), theirs = numbered(from);
    const std::size_t both = std::min(executable.nodes.size(), from.nodes.size());
    for (std::size_t n = 0; n < both; ++n) {
        const GraphNode &a = *executable.nodes[n], &b = *from.nodes[n];
        const auto wanted = placesOf(a, ours), given = placesOf(b, theirs);
        if (wanted != given) {
            std::size_t k = 0; // the edge that is another one
            while (k < given.size() && k < wanted.size() && given[k] == wanted[k])
                ++k;
            return {UpdateResult::TopologyChanged, &b, k < given.size() ? b.before[k] : nullptr};
        }
        if (a.work.index() != b.work.index())
            return {UpdateResult::NodeTypeChanged, &b, nullptr};
        if (!mayBecome(a.work, b.work))
            return {UpdateResult::ParametersChanged, &b, nullptr};
        const auto inA = innerGraphs(a.work), inB = innerGraphs(b.work);
        if (inA.size() != inB.size())
            return {UpdateResult::ParametersChanged, &b, nullptr};
        for (std::size_t k = 0; k < inA.size(); ++k)
            if (const auto inside = compare(*inA[k], *inB[k]); inside.result != UpdateResult::Success)
                return inside;
    }
    if (executable.nodes.size() != from.nodes.size())
        return {UpdateResult::TopologyChanged, both < from.nodes.size() ? from.nodes[both].get() : nullptr, nullptr};
    return {};
}

void take(Graph& executable, const Graph& from) {
    for (std::size_t n = 0; n < from.nodes.size(); ++n) {
        GraphNode &a = *executable.nodes[n], &b = *from.nodes[n];
        const auto inA = innerGraphs(a.work), inB = innerGraphs(b.work);
        for (std::size_t k = 0; k < inA.size(); ++k)
            take(*inA[k], *inB[k]);
        if (inA.empty())
            a.work = b.work;
        a.device = b.device;
        a.origin = b.number;
    }
}

} // namespace

std::vector<std::shared_ptr<Graph>> innerGraphs(const Work& work) {
    if (const auto* child = std::get_if<ChildGraph>(&work))
        return {child->graph};
    const auto* conditional = std::get_if<Conditional>(&work);
    return conditional ? conditional->bodies : std::vector<std::shared_ptr<Graph>>{};
}

void UserObject::release(std::uint64_t count) {
    const bool last = references > 0 && references <= count;
    references -= std::min(references, count);
    if (last && destroy)
        destroy(object);
}

Graph::~Graph() {
    for (const auto& node : nodes)
        known->erase(node.get());
    for (const auto& [object, count] : objects)
        object->release(count);
}

GraphNode* Graph::add(Device* device, Work work, std::span<GraphNode* const> before) {
    GraphNode* node = nodes.emplace_back(std::make_unique<GraphNode>()).get();
    node->work = std::move(work);
    node->device = device;
    node->graph = this;
    node->number = nextNumber();
    known->insert(node);
    for (GraphNode* b : before)
        connect(b, node);
    return node;
}

void Graph::remove(GraphNode* node) {
    known->erase(node);
    for (const auto& other : nodes)
        std::erase(other->before, node);
    std::erase_if(nodes, [node](const auto& n) { return n.get() == node; });
}

bool Graph::connect(GraphNode* from, GraphNode* to) {
    const auto at = std::lower_bound(to->before.begin(), to->before.end(), from, byNumber);
    if (at != to->before.end() && *at == from)
        return false;
    to->before.insert(at, from);
    return true;
}

bool Graph::disconnect(GraphNode* from, GraphNode* to) {
    return std::erase(to->before, from) > 0;
}

GraphNode* Graph::copyOf(std::uint64_t number) {
    for (const auto& node : nodes) {
        if (node->origin == number)
            return node.get();
        for (const auto& inner : innerGraphs(node->work))
            if (GraphNode* inside = inner->copyOf(number))
                return inside;
    }
    return nullptr;
}

std::shared_ptr<Graph> copyOf(const Graph& graph) {
    auto copy = std::make_shared<Graph>(graph.known);
    std::unordered_map<const GraphNode*, GraphNode*> twin;
    for (const auto& node : graph.nodes) {
        Work work = node->work;
        if (auto* child = std::get_if<ChildGraph>(&work))
            child->graph = copyOf(*child->graph);
        if (auto* conditional = std::get_if<Conditional>(&work))
            for (auto& body : conditional->bodies)
                body = copyOf(*body);
        GraphNode* made = copy->add(node->device, std::move(work), {});
        made->origin = node->number;
        made->enabled = node->enabled;
        made->listed = node->listed;
        made->attributes = node->attributes;
        twin[node.get()] = made;
    }
    for (const auto& node : graph.nodes) // an edge may come from a node that was made later
        for (const GraphNode* b : node->before)
            copy->connect(twin[b], twin[node.get()]);
    copy->owned = graph.owned;
    copy->ofDevice = graph.ofDevice;
    copy->conditions = graph.conditions;
    copy->objects = graph.objects;
    for (const auto& [object, count] : copy->objects)
        object->references += count;
    return copy;
}

std::vector<GraphNode*> runningOrder(const Graph& graph, std::optional<std::uint64_t> adverse) {
    const std::uint64_t seed = adverse.value_or(0);
    const auto placeOf = [&](const GraphNode* n) {
        return !adverse    ? n->number
               : seed == 0 ? ~n->number
                           : (n->number ^ seed * 0x9e3779b97f4a7c15ull) * 0xd6e8feb86659fd93ull;
    };
    const auto later = [&](const GraphNode* a, const GraphNode* b) { return placeOf(a) > placeOf(b); };
    std::priority_queue<GraphNode*, std::vector<GraphNode*>, decltype(later)> ready(later);
    std::unordered_map<const GraphNode*, std::size_t> open;
    std::unordered_map<const GraphNode*, std::vector<GraphNode*>> after;
    for (const auto& node : graph.nodes) {
        open[node.get()] = node->before.size();
        for (const GraphNode* b : node->before)
            after[b].push_back(node.get());
        if (node->before.empty())
            ready.push(node.get());
    }
    std::vector<GraphNode*> order;
    while (!ready.empty()) {
        GraphNode* node = ready.top();
        ready.pop();
        order.push_back(node);
        for (GraphNode* next : after[node])
            if (--open[next] == 0)
                ready.push(next);
    }
    if (order.size() < graph.nodes.size())
        order.clear();
    return order;
}

bool hasCycle(const Graph& graph) {
    if (!graph.nodes.empty() && runningOrder(graph).empty())
        return true;
    return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const auto& node) {
        const auto inner = innerGraphs(node->work);
        return std::any_of(inner.begin(), inner.end(), [](const auto& g) { return hasCycle(*g); });
    });
}

UpdateAnswer update(Graph& executable, const Graph& from) {
    const UpdateAnswer answer = compare(executable, from);
    if (answer.result == UpdateResult::Success)
        take(executable, from);
    return answer;
}

} // namespace warpglass::virtual_device
