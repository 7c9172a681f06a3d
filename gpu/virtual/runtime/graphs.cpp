// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs put together node by node: making, linking, asking what is there. Parameters of nodes are in graph_nodes.cpp,
// executable graphs in graph_exec.cpp.
#include "gpu/virtual/runtime/graphs.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace warpglass::virtual_device;

namespace {

struct EdgeData { // cudaGraphEdgeData: always of the usual kind here
    unsigned char bytes[8] = {};
};

// From 13 on lists of edges have data about each before their length; in 12 only the forms with _v2.
struct EdgeWords {
    EdgeData* data;
    std::size_t count;
};
EdgeWords edgeWords(bool withData, void* fourth, std::size_t fifth) {
    return withData ? EdgeWords{static_cast<EdgeData*>(fourth), fifth}
                    : EdgeWords{nullptr, reinterpret_cast<std::size_t>(fourth)};
}

int changeEdges(void* graph, void* const* from, void* const* to, std::size_t count, bool add) {
    return call([&](Device& d) {
        const std::shared_ptr<Graph> known = d.streams.graph(graph);
        if (!known || (count && (!from || !to)))
            return invalidValue;
        for (std::size_t n = 0; n < count; ++n) {
            GraphNode *a = d.streams.node(from[n]), *b = d.streams.node(to[n]);
            if (!a || !b || a == b || a->graph != known.get() || b->graph != known.get())
                return invalidValue;
        }
        for (std::size_t n = 0; n < count; ++n) {
            GraphNode *a = d.streams.node(from[n]), *b = d.streams.node(to[n]);
            if (!(add ? known->connect(a, b) : known->disconnect(a, b)))
                return invalidValue;
        }
        return success;
    });
}

int edgesOf(void* graph, void** from, void** to, EdgeData* data, std::size_t* count) {
    return call([&](Device& d) {
        const std::shared_ptr<Graph> known = d.streams.graph(graph);
        if (!known || !count || !from != !to)
            return invalidValue;
        std::vector<void*> starts, ends;
        for (const auto& node : known->nodes)
            for (GraphNode* b : node->before)
                starts.push_back(b), ends.push_back(node.get());
        std::size_t both = *count;
        if (data)
            std::fill_n(data, std::min(both, starts.size()), EdgeData{});
        listOut(starts, from, &both);
        listOut(ends, to, count);
        return success;
    });
}

// `count` words stand where the form without data has a pointer to the length.
int nodesAround(void* node, void** list, EdgeData* data, std::size_t* count, bool before) {
    return call([&](Device& d) {
        const GraphNode* known = d.streams.node(node);
        if (!known || !count)
            return invalidValue;
        std::vector<void*> all;
        if (before)
            all.assign(known->before.begin(), known->before.end());
        else
            for (const auto& other : known->graph->nodes)
                if (std::find(other->before.begin(), other->before.end(), known) != other->before.end())
                    all.push_back(other.get());
        if (data)
            std::fill_n(data, std::min(*count, all.size()), EdgeData{});
        listOut(all, list, count);
        return success;
    });
}

int listNodes(void* graph, void** list, std::size_t* count, bool rootsOnly) {
    return call([&](Device& d) {
        const std::shared_ptr<Graph> known = d.streams.graph(graph);
        if (!known || !count)
            return invalidValue;
        std::vector<void*> all;
        for (const auto& node : known->nodes)
            if (!rootsOnly || node->before.empty())
                all.push_back(node.get());
        listOut(all, list, count);
        return success;
    });
}

const char* wordOf(const Work& work) {
    constexpr const char* words[] = {
        "kernel",          "copy",       "fill", "host function", "graph",       "empty", "wait for an event",
        "record an event", "allocation", "free", "condition",     "library call"};
    return words[work.index()];
}

} // namespace

WG_API int cudaGraphCreate(void** graph, unsigned flags) {
    return call([&](Device& d) {
        if (!graph || flags)
            return invalidValue;
        *graph = d.streams.keep(d.streams.makeGraph());
        return success;
    });
}
WG_ALIAS(cuGraphCreate, cudaGraphCreate);
WG_API int cudaGraphDestroy(void* graph) {
    return call([&](Device& d) { return d.streams.drop(graph) ? success : invalidValue; });
}
WG_ALIAS(cuGraphDestroy, cudaGraphDestroy);
WG_API int cudaGraphClone(void** result, void* graph) {
    return call([&](Device& d) {
        const std::shared_ptr<Graph> known = d.streams.graph(graph);
        if (!known || !result)
            return invalidValue;
        *result = d.streams.keep(copyOf(*known));
        return success;
    });
}
WG_ALIAS(cuGraphClone, cudaGraphClone);
WG_API int cudaGraphNodeFindInClone(void** result, void* node, void* clone) {
    return call([&](Device& d) {
        const GraphNode* known = d.streams.node(node);
        const std::shared_ptr<Graph> graph = d.streams.graph(clone);
        if (!known || !graph || !result)
            return invalidValue;
        *result = graph->copyOf(known->number);
        return *result ? success : invalidValue;
    });
}
WG_ALIAS(cuGraphNodeFindInClone, cudaGraphNodeFindInClone);

WG_API int cudaGraphAddEmptyNode(void** node, void* graph, void* const* before, std::size_t count) {
    return addNode(node, graph, before, count, [](Device&, Graph&, Work& work) {
        work = Nothing{};
        return success;
    });
}
WG_ALIAS(cuGraphAddEmptyNode, cudaGraphAddEmptyNode);
WG_API int cudaGraphDestroyNode(void* node) {
    return call([&](Device& d) {
        GraphNode* known = d.streams.node(node);
        if (!known)
            return invalidValue;
        known->graph->remove(known);
        return success;
    });
}
WG_ALIAS(cuGraphDestroyNode, cudaGraphDestroyNode);
WG_API int cudaGraphNodeGetType(void* node, int* type) {
    return call([&](Device& d) {
        const GraphNode* known = d.streams.node(node);
        if (!known || !type)
            return invalidValue;
        *type = int(typeOf(known->work));
        return success;
    });
}
WG_ALIAS(cuGraphNodeGetType, cudaGraphNodeGetType);

WG_API int cudaGraphGetNodes(void* graph, void** nodes, std::size_t* count) {
    return listNodes(graph, nodes, count, false);
}
WG_ALIAS(cuGraphGetNodes, cudaGraphGetNodes);
WG_API int cudaGraphGetRootNodes(void* graph, void** nodes, std::size_t* count) {
    return listNodes(graph, nodes, count, true);
}
WG_ALIAS(cuGraphGetRootNodes, cudaGraphGetRootNodes);

WG_API int cudaGraphAddDependencies_v2(void* graph, void* const* from, void* const* to, const void*,
                                       std::size_t count) {
    return changeEdges(graph, from, to, count, true);
}
WG_ALIAS(cuGraphAddDependencies_v2, cudaGraphAddDependencies_v2);
WG_API int cudaGraphAddDependencies(void* graph, void* const* from, void* const* to, void* fourth, std::size_t fifth) {
    return changeEdges(graph, from, to, edgeWords(runtimeMajor() >= 13, fourth, fifth).count, true);
}
WG_API int cuGraphAddDependencies(void* graph, void* const* from, void* const* to, std::size_t count) {
    return changeEdges(graph, from, to, count, true);
}
WG_API int cudaGraphRemoveDependencies_v2(void* graph, void* const* from, void* const* to, const void*,
                                          std::size_t count) {
    return changeEdges(graph, from, to, count, false);
}
WG_ALIAS(cuGraphRemoveDependencies_v2, cudaGraphRemoveDependencies_v2);
WG_API int cudaGraphRemoveDependencies(void* graph, void* const* from, void* const* to, void* fourth,
                                       std::size_t fifth) {
    return changeEdges(graph, from, to, edgeWords(runtimeMajor() >= 13, fourth, fifth).count, false);
}
WG_API int cuGraphRemoveDependencies(void* graph, void* const* from, void* const* to, std::size_t count) {
    return changeEdges(graph, from, to, count, false);
}

WG_API int cudaGraphGetEdges_v2(void* graph, void** from, void** to, EdgeData* data, std::size_t* count) {
    return edgesOf(graph, from, to, data, count);
}
WG_ALIAS(cuGraphGetEdges_v2, cudaGraphGetEdges_v2);
WG_API int cuGraphGetEdges(void* graph, void** from, void** to, std::size_t* count) {
    return edgesOf(graph, from, to, nullptr, count);
}
WG_API int cudaGraphGetEdges(void* graph, void** from, void** to, void* fourth, std::size_t* fifth) {
    return runtimeMajor() >= 13 ? edgesOf(graph, from, to, static_cast<EdgeData*>(fourth), fifth)
                                : edgesOf(graph, from, to, nullptr, static_cast<std::size_t*>(fourth));
}
WG_API int cudaGraphNodeGetDependencies_v2(void* node, void** list, EdgeData* data, std::size_t* count) {
    return nodesAround(node, list, data, count, true);
}
WG_ALIAS(cuGraphNodeGetDependencies_v2, cudaGraphNodeGetDependencies_v2);
WG_API int cuGraphNodeGetDependencies(void* node, void** list, std::size_t* count) {
    return nodesAround(node, list, nullptr, count, true);
}
WG_API int cudaGraphNodeGetDependencies(void* node, void** list, void* third, std::size_t* fourth) {
    return runtimeMajor() >= 13 ? nodesAround(node, list, static_cast<EdgeData*>(third), fourth, true)
                                : nodesAround(node, list, nullptr, static_cast<std::size_t*>(third), true);
}
WG_API int cudaGraphNodeGetDependentNodes_v2(void* node, void** list, EdgeData* data, std::size_t* count) {
    return nodesAround(node, list, data, count, false);
}
WG_ALIAS(cuGraphNodeGetDependentNodes_v2, cudaGraphNodeGetDependentNodes_v2);
WG_API int cuGraphNodeGetDependentNodes(void* node, void** list, std::size_t* count) {
    return nodesAround(node, list, nullptr, count, false);
}
WG_API int cudaGraphNodeGetDependentNodes(void* node, void** list, void* third, std::size_t* fourth) {
    return runtimeMajor() >= 13 ? nodesAround(node, list, static_cast<EdgeData*>(third), fourth, false)
                                : nodesAround(node, list, nullptr, static_cast<std::size_t*>(third), false);
}

// A picture of the graph for Graphviz.
WG_API int cudaGraphDebugDotPrint(void* graph, const char* path, unsigned) {
    return call([&](Device& d) {
        const std::shared_ptr<Graph> known = d.streams.graph(graph);
        std::FILE* out = known && path ? std::fopen(path, "w") : nullptr;
        if (!out)
            return invalidValue;
        std::fprintf(out, "digraph {\n");
        for (const auto& node : known->nodes) {
            const auto* launch = std::get_if<KernelRequest>(&node->work);
            std::fprintf(out, "  n%llu [label=\"%s\"];\n", static_cast<unsigned long long>(node->number),
                         launch ? launch->kernel->entry.c_str() : wordOf(node->work));
            for (const GraphNode* b : node->before)
                std::fprintf(out, "  n%llu -> n%llu;\n", static_cast<unsigned long long>(b->number),
                             static_cast<unsigned long long>(node->number));
        }
        std::fprintf(out, "}\n");
        return std::fclose(out) == 0 ? success : invalidValue;
    });
}
WG_ALIAS(cuGraphDebugDotPrint, cudaGraphDebugDotPrint);

// Objects of the program that graphs hold on to.
WG_API int cudaUserObjectCreate(void** result, void* object, void (*destroy)(void*), unsigned references, unsigned) {
    return call([&](Device& d) {
        if (!result || !destroy || references == 0)
            return invalidValue;
        auto made = std::make_shared<UserObject>(UserObject{object, destroy, references});
        *result = made.get();
        d.streams.objectAt(*result) = std::move(made);
        return success;
    });
}
WG_ALIAS(cuUserObjectCreate, cudaUserObjectCreate);
WG_API int cudaUserObjectRetain(void* object, unsigned count) {
    return call([&](Device& d) {
        UserObject* known = d.streams.object(object);
        if (!known || known->references == 0)
            return invalidValue;
        known->references += count;
        return success;
    });
}
WG_ALIAS(cuUserObjectRetain, cudaUserObjectRetain);
WG_API int cudaUserObjectRelease(void* object, unsigned count) {
    return call([&](Device& d) {
        UserObject* known = d.streams.object(object);
        if (!known || known->references == 0)
            return invalidValue;
        known->release(count);
        return success;
    });
}
WG_ALIAS(cuUserObjectRelease, cudaUserObjectRelease);
WG_API int cudaGraphRetainUserObject(void* graph, void* object, unsigned count, unsigned flags) {
    constexpr unsigned move = 1; // the caller's own references become the graph's
    return call([&](Device& d) {
        const std::shared_ptr<Graph> known = d.streams.graph(graph);
        UserObject* o = d.streams.object(object);
        if (!known || !o || o->references == 0)
            return invalidValue;
        known->objects[d.streams.objectAt(object)] += count;
        o->references += flags & move ? 0 : count;
        return success;
    });
}
WG_ALIAS(cuGraphRetainUserObject, cudaGraphRetainUserObject);
WG_API int cudaGraphReleaseUserObject(void* graph, void* object, unsigned count) {
    return call([&](Device& d) {
        const std::shared_ptr<Graph> known = d.streams.graph(graph);
        if (!known || !d.streams.object(object))
            return invalidValue;
        const auto held = known->objects.find(d.streams.objectAt(object));
        if (held == known->objects.end() || held->second < count)
            return invalidValue;
        held->second -= count;
        held->first->release(count);
        if (held->second == 0)
            known->objects.erase(held);
        return success;
    });
}
WG_ALIAS(cuGraphReleaseUserObject, cudaGraphReleaseUserObject);
