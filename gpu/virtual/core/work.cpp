// SPDX-License-Identifier: GPL-3.0-or-later
// Work of streams and graphs: done, with its row in the recording, or kept for a graph.
#include "gpu/virtual/core/device.h"
#include "gpu/virtual/core/host_faults.h"
#include "gpu/virtual/core/host_place.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace warpglass::virtual_device {

Status Device::submit(void* stream, Work work) {
    Stream* s = streams.find(stream);
    if (!s)
        return invalidHandle;
    if (s->capture) {
        s->tail = {s->capture->graph->add(this, std::move(work), s->tail)};
        return success;
    }
    if (s->device != number) // a launch goes to the device that is current, a copy to any
        return std::holds_alternative<KernelRequest>(work)
                   ? invalidHandle
                   : m_machine.devices[s->device]->submit(stream, std::move(work));
    if (broken != success)
        return broken;
    const std::uint32_t row = rowOf(*s);
    if (!m_machine.later)
        return perform(work, row);
    if (const auto* waits = std::get_if<EventWait>(&work))
        m_machine.later->waits(row, waits->event);
    const auto* copied = std::get_if<CopyRequest>(&work);
    const CopyRequest asked = copied ? *copied : CopyRequest{};
    const auto* record = std::get_if<EventRecord>(&work);
    void* const event = record ? record->event : nullptr;
    const Status status = give(
        *s, [this, row, work = std::move(work)] { return perform(work, row); }, copied ? &asked : nullptr);
    if (event)
        m_machine.later->recorded(event, row);
    return status;
}

Status Device::releaseLater(std::uint64_t address, const Stream& stream) {
    return give(stream, [this, address, row = rowOf(stream)] { return release(address, row); });
}

// Copies from and to memory that is not pinned are done, or their bytes are taken, when the call returns.
Status Device::give(const Stream& stream, std::function<Status()> work, const CopyRequest* copy) {
    if (!m_machine.later)
        return work();
    const auto isKnown = [&](const void* at) {
        const auto address = reinterpret_cast<std::uint64_t>(at);
        return memory.isDevices(address) || memory.find(address);
    };
    const bool now = copy && !(isKnown(copy->from) && isKnown(copy->to));
    Status status = success;
    const std::uint32_t row = rowOf(stream), standard = m_machine.devices[stream.device]->defaultRow();
    m_machine.later->put(row, (stream.flags & 1) == 0, standard, [this, work, now, &status, from = calledFrom] {
        calledFrom = from;
        const Status ended = broken != success ? broken : work();
        if (now)
            status = ended;
    });
    if (now)
        m_machine.later->finish(row);
    return status;
}

std::uint32_t Device::rowOf(const Stream& stream) {
    return stream.isDefault ? m_machine.devices[stream.device]->defaultRow() : stream.row;
}

Status Device::recorded(Operation o, std::uint32_t streamRow, Touched touched,
                        const std::function<Status(Operation&)>& work) {
    o.stream = streamRow;
    o.start = recorder.now();
    const Status status = work(o);
    o.end = recorder.now();
    o.error = std::uint32_t(status);
    list(o, std::move(touched));
    return status;
}

Status Device::perform(const Work& work, std::uint32_t row) {
    tellHostAccesses();
    const DeviceWorks works;
    Operation o;
    if (const auto* launched = std::get_if<KernelRequest>(&work))
        return run(*launched, row);
    if (const auto* copied = std::get_if<CopyRequest>(&work)) {
        o.kind = OperationKind::Copy;
        o.from = reinterpret_cast<std::uint64_t>(copied->from);
        o.to = reinterpret_cast<std::uint64_t>(copied->to);
        o.bytes = copied->bytes * copied->rows * copied->slices;
        return recorded(o, row, touchedBy(*copied), [&](Operation& done) { return carryOut(*copied, done); });
    }
    if (const auto* filled = std::get_if<FillRequest>(&work)) {
        o.kind = OperationKind::Fill;
        o.to = filled->to;
        o.bytes = filled->count * filled->valueBytes * filled->rows * filled->slices;
        return recorded(o, row, touchedBy(*filled), [&](Operation&) { return carryOut(*filled); });
    }
    if (const auto* library = std::get_if<LibraryCall>(&work)) {
        o.kind = OperationKind::Library;
        o.kernel = recorder.kernelRow(*library->name);
        return recorded(o, row, touchedBy(*library), [&](Operation& done) { return carryOut(*library, done); });
    }
    if (const auto* called = std::get_if<HostCall>(&work)) {
        o.kind = OperationKind::HostFunction;
        return recorded(o, row, {}, [&](Operation&) {
            const CallPlace from = calledFrom;
            inHostFunction = true;
            called->function(called->data);
            inHostFunction = false;
            calledFrom = from;
            return success;
        });
    }
    if (const auto* child = std::get_if<ChildGraph>(&work))
        return run(*child->graph, row);
    if (const auto* conditional = std::get_if<Conditional>(&work))
        return run(*conditional, row);
    if (const auto* record = std::get_if<EventRecord>(&work)) {
        Event* event = streams.event(record->event);
        if (!event)
            return invalidHandle;
        o.kind = OperationKind::Record;
        o.from = reinterpret_cast<std::uint64_t>(record->event);
        return recorded(o, row, {}, [&](Operation& done) {
            event->time = done.start;
            event->recorded = true;
            return success;
        });
    }
    if (const auto* waits = std::get_if<EventWait>(&work)) {
        o.kind = OperationKind::StreamWait;
        o.from = reinterpret_cast<std::uint64_t>(waits->event);
        return recorded(o, row, {}, [](Operation&) { return success; });
    }
    if (const auto* allocation = std::get_if<GraphAllocation>(&work)) {
        o.kind = OperationKind::Allocate;
        o.to = allocation->address;
        o.bytes = allocation->bytes;
        return recorded(o, row, {}, [&](Operation&) {
            if (!m_machine.taken.emplace(o.to, o.bytes).second)
                return invalidValue;
            graphMemory();
            return success;
        });
    }
    if (const auto* freed = std::get_if<GraphFree>(&work)) {
        if (!m_machine.reserved.count(freed->address)) // memory of the program's own
            return release(freed->address);
        o.kind = OperationKind::Free;
        o.to = freed->address;
        return recorded(o, row, {}, [&](Operation&) { return m_machine.taken.erase(o.to) ? success : invalidValue; });
    }
    return success;
}

namespace {

// Whether nodes may run beside each other.
bool forks(const Graph& graph) {
    std::set<const GraphNode*> followed;
    std::size_t first = 0;
    for (const auto& node : graph.nodes) {
        first += node->before.empty();
        if (node->before.size() > 1 || (!node->before.empty() && !followed.insert(node->before[0]).second))
            return true;
    }
    return first > 1;
}

} // namespace

// A graph inside another one's node is one with it: its nodes follow each other there.
Status Device::run(const Graph& graph, std::uint32_t row) {
    const bool outermost = m_machine.graphDepth++ == 0;
    if (outermost) {
        m_machine.meetings.beginGraph(row);
        m_machine.graphForks = forks(graph);
    }
    const Status status = runNodes(graph, row, outermost);
    if (outermost) {
        m_machine.meetings.endGraph();
        m_machine.graphForks = false;
    }
    --m_machine.graphDepth;
    return status;
}

Status Device::runNodes(const Graph& graph, std::uint32_t row, bool outermost) {
    const std::vector<GraphNode*> order = runningOrder(graph, m_machine.settings.adverse);
    for (std::size_t n = 0; n < order.size(); ++n) {
        const GraphNode& node = *order[n];
        if (outermost) {
            std::vector<std::uint64_t> before;
            for (const GraphNode* b : node.before)
                before.push_back(b->number);
            m_machine.meetings.beginNode(node.number, before);
        }
        if (!node.enabled)
            continue;
        recorder.within(m_machine.graphLaunch, node.listed);
        if (const Status status = node.device->perform(node.work, row); status != success)
            return status;
        if (node.device->broken != success) {
            node.device->refuseBroken(std::span(order).subspan(n + 1), row);
            return success; // as after a launch, the next call tells
        }
    }
    return success;
}

// Which bodies of a condition would have run is not known.
Status Device::refuseBroken(std::span<GraphNode* const> nodes, std::uint32_t row) {
    for (const GraphNode* node : nodes) {
        if (!node->enabled)
            continue;
        recorder.within(m_machine.graphLaunch, node->listed);
        if (const auto* launched = std::get_if<KernelRequest>(&node->work))
            refuseBroken(*launched, row);
        else if (const auto* child = std::get_if<ChildGraph>(&node->work))
            refuseBroken(runningOrder(*child->graph), row);
    }
    return broken;
}

Status Device::run(const Conditional& c, std::uint32_t row) {
    std::uint32_t value = 0;
    const auto look = [&] {
        const std::byte* word = memory.resolve(c.word, sizeof value);
        if (word)
            std::memcpy(&value, word, sizeof value);
        return word != nullptr && broken == success;
    };
    if (!look())
        return broken != success ? success : invalidValue;
    Status status = success;
    if (c.kind == Conditional::Kind::While) {
        while (value != 0 && status == success) {
            status = run(*c.bodies[0], row);
            if (!look())
                break;
        }
        return status;
    }
    // If: the first where it holds, the second where it does not.
    const std::size_t chosen = c.kind == Conditional::Kind::Switch ? value : value != 0 ? 0 : 1;
    return chosen < c.bodies.size() ? run(*c.bodies[chosen], row) : success;
}

Status Device::launchGraph(const std::shared_ptr<Graph>& executable, void* stream) {
    Stream* s = streams.find(stream);
    if (!s)
        return invalidHandle;
    if (broken != success)
        return refuseBroken(runningOrder(*executable), rowOf(*s)); // of no launch
    if (s->capture)
        return submit(stream, ChildGraph{copyOf(*executable)});
    const std::uint32_t launch =
        recorder.launched(executable->recorded, rowOf(*s), recorder.now(), [&] { return described(*executable); });
    const auto runs = [this, launch, row = rowOf(*s)](const Graph& graph) {
        for (const Condition& condition : graph.conditions)
            if (std::byte* word = memory.resolve(condition.word, sizeof *condition.first); word && condition.first)
                std::memcpy(word, &*condition.first, sizeof *condition.first);
        m_machine.graphLaunch = launch;
        const Status status = run(graph, row);
        m_machine.graphLaunch = noIndex;
        recorder.within();
        return status;
    };
    if (!m_machine.later)
        return runs(*executable);
    // The program may change it before it runs.
    return give(*s, [runs, graph = copyOf(*executable)] { return runs(*graph); });
}

std::uint64_t Device::makeCondition(Graph& graph, std::optional<std::uint32_t> first) {
    const std::uint64_t word = memory.allocate(sizeof(std::uint32_t), MemoryKind::Device, number);
    if (word) {
        graph.owned.emplace_back(reinterpret_cast<void*>(word),
                                 [this](void* pointer) { memory.release(reinterpret_cast<std::uint64_t>(pointer)); });
        graph.conditions.push_back({word, first});
    }
    return word;
}

GraphAllocation Device::reserve(Graph& graph, std::uint64_t bytes) {
    const std::uint64_t address = memory.allocate(bytes, MemoryKind::Device, number);
    if (address) {
        m_machine.reserved[address] = bytes;
        graphMemory();
        // What is in use when the last copy of the graph goes stays, as memory like any other.
        graph.owned.emplace_back(reinterpret_cast<void*>(address), [this](void* pointer) {
            const auto at = reinterpret_cast<std::uint64_t>(pointer);
            m_machine.reserved.erase(at);
            if (m_machine.taken.erase(at) == 0)
                memory.release(at);
            else
                m_allocated.insert(at);
        });
    }
    return {address, bytes};
}

// Counts what there is, and keeps the most that there was.
Device::GraphMemory Device::graphMemory() {
    GraphMemory& m = m_graphMemory;
    const auto sum = [&](const std::map<std::uint64_t, std::uint64_t>& all) {
        std::uint64_t bytes = 0;
        for (const auto& [address, size] : all)
            if (const DeviceMemory::Block* block = memory.find(address); block && block->device == number)
                bytes += size;
        return bytes;
    };
    m.used = sum(m_machine.taken);
    m.reserved = sum(m_machine.reserved);
    m.usedHigh = std::max(m.usedHigh, m.used);
    m.reservedHigh = std::max(m.reservedHigh, m.reserved);
    return m;
}

void Device::forgetHigh(bool used) {
    (used ? m_graphMemory.usedHigh : m_graphMemory.reservedHigh) = 0;
    graphMemory();
}

bool Device::giveBack(std::uint64_t address, std::uint32_t row, Status& status) {
    if (!m_machine.reserved.count(address))
        return false;
    status = perform(GraphFree{address}, row);
    return true;
}

} // namespace warpglass::virtual_device
