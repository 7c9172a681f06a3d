// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/program/placing.h"

#include "gpu/program/devices.h"
#include "gpu/program/order.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

namespace warpglass::program {

namespace {

constexpr std::int64_t farthest = std::int64_t(1) << 60; // of what a damaged file may add up to

std::int64_t whole(double ns) {
    return std::int64_t(std::llround(std::clamp(ns, 0.0, double(farthest))));
}
std::int64_t later(std::int64_t time, double ns) {
    return std::min(time + whole(ns), farthest);
}

// Of a copy: to or from the host, or between devices.
struct Way {
    std::optional<DevicePair> peers;
    bool ofHost = false;
    bool engine() const { return ofHost || peers; }
};

double callNs(const Operation& o, const Way& way, const Pace& pace) {
    switch (o.kind) {
    case OperationKind::Launch:
    case OperationKind::HostFunction:
    case OperationKind::Library:
        return pace.launchCall;
    case OperationKind::Copy: // within the device a kernel does it
        return way.engine() ? pace.copyCall : pace.launchCall;
    case OperationKind::Fill:
        return pace.fillCall;
    case OperationKind::Allocate:
    case OperationKind::Free:
        return o.from == inStreamsOrder ? pace.poolCall : pace.memoryCall;
    case OperationKind::Record:
        return pace.recordCall;
    case OperationKind::StreamWait:
        return pace.behindCall;
    case OperationKind::Wait:
        return pace.waitIdle;
    }
    return 0;
}

// For how long the device copies or fills; 0 for other operations. pinned: the side that is the host's.
double transferNs(const Operation& o, bool pinned, const Way& way, std::uint32_t device, const Pace& pace) {
    const bool to = o.direction == Direction::HostToDevice, from = o.direction == Direction::DeviceToHost;
    const Pace::Transfer t = o.kind == OperationKind::Fill   ? pace.fill
                             : o.kind != OperationKind::Copy ? Pace::Transfer()
                             : to                            ? (pinned ? pace.pinnedTo : pace.pageableTo)
                             : from                          ? (pinned ? pace.pinnedFrom : pace.pageableFrom)
                             : !way.peers                    ? pace.within
                             : o.memory == throughHost       ? pace.linkThroughHost
                             : way.peers->from == device     ? pace.linkPut
                                                             : pace.linkGet;
    return t.rate > 0 ? t.begin + double(o.bytes) / t.rate : 0;
}

// What has no length of its own: it passes on when what is before it ends.
bool passesOn(OperationKind kind) {
    return kind == OperationKind::Record || kind == OperationKind::StreamWait || kind == OperationKind::Allocate ||
           kind == OperationKind::Free;
}

// Puts one operation after the other; keeps when each host asks next, and when each copy engine is free.
class Placer {
public:
    Placer(ProgramTrace& program, const Pace& pace)
        : m_program(program), m_pace(pace), m_order(program.streams),
          m_hosts(std::max<std::size_t>(1, program.info.processes.size())) {}

    void place(std::uint32_t n) {
        Operation& o = m_program.operations[n];
        std::int64_t& host = m_hosts[std::min<std::size_t>(m_program.processOf(o), m_hosts.size() - 1)];
        std::int64_t ready = 0, ended = 0; // for what is before it; and when that ends
        const Way way = wayOf(o, n);
        m_onEngine.push_back(way.engine());
        for (const Dependency& d : m_order.next(o, n))
            ready = std::max(ready, readyFor(o, d.operation)),
            ended = std::max(ended, m_program.operations[d.operation].end);
        const bool ofCall =
            (o.kind == OperationKind::Allocate || o.kind == OperationKind::Free) && o.from != inStreamsOrder;
        const GraphStep* const step = stepAt(n);
        if (step && step->launch == m_graphLaunch) { // asked for with the node before it
            o.called = m_graphCalled, o.returned = host;
        } else {
            o.called = host;
            o.returned = later(host, callNs(o, way, m_pace));
            if (step) {
                m_graphLaunch = step->launch, m_graphCalled = o.called;
                o.returned = later(host, m_pace.launchCall);
                if (m_graphLaunch < m_program.graphLaunches.size())
                    m_program.graphLaunches[m_graphLaunch].called = host;
            }
        }
        if (o.kind == OperationKind::Wait) {
            o.start = host;
            o.end = o.returned = std::max(o.returned, later(ready, ready > host ? m_pace.waitReturn : 0));
        } else if (ofCall) {
            o.start = host, o.end = o.returned;
        } else {
            work(o, n, way, ready, ended);
        }
        host = o.returned;
    }

private:
    // nullptr: it is no node of a graph. Operations come in their order, and so do steps.
    const GraphStep* stepAt(std::uint32_t n) {
        const std::vector<GraphStep>& steps = m_program.graphSteps;
        while (m_step < steps.size() && steps[m_step].operation < n)
            ++m_step;
        return m_step < steps.size() && steps[m_step].operation == n ? &steps[m_step] : nullptr;
    }
    // When an operation can begin for what is before it. Points pass on, whose engine they come behind.
    std::int64_t readyFor(const Operation& o, std::uint32_t before) {
        const Operation& b = m_program.operations[before];
        const bool point = passesOn(o.kind) || o.kind == OperationKind::Wait;
        if (point) {
            m_onEngine.back() = m_onEngine[before];
            return o.kind != OperationKind::Wait && deviceOf(o) != deviceOf(b) ? later(b.end, m_pace.otherDevice)
                                                                               : b.end;
        }
        return later(b.end, m_onEngine[before] || m_onEngine.back() ? m_pace.otherEngine : m_pace.between);
    }
    void work(Operation& o, std::uint32_t n, const Way& way, std::int64_t ready, std::int64_t ended) {
        const bool copies = o.kind == OperationKind::Copy, point = passesOn(o.kind);
        const bool pinned = o.direction == Direction::HostToDevice   ? isPinned(o.from, n)
                            : o.direction == Direction::DeviceToHost ? isPinned(o.to, n)
                                                                     : true;
        // Memory that is not pinned goes through the host, which first waits for what its stream has to do.
        if (!pinned && ended > o.called)
            o.returned = later(ended, m_pace.waitReturn + m_pace.copyCall);
        o.start = point ? std::max(o.called, ready) : std::max(later(o.returned, m_pace.start), ready);
        if (copies || o.kind == OperationKind::Fill) {
            o.duration = whole(transferNs(o, pinned, way, deviceOf(o), m_pace));
            o.timed = o.duration > 0 ? TimeOrigin::Estimated : TimeOrigin::None;
        }
        std::int64_t* const free = engineOf(o, way);
        if (free)
            o.start = std::max(o.start, *free);
        o.end = later(o.start, double(std::clamp<std::int64_t>(o.duration, 0, farthest)));
        if (free)
            *free = o.end;
        if (copies && (o.memory == waitedFor || !pinned))
            o.returned = std::max(o.returned, later(o.end, m_pace.waitReturn));
    }
    // The host's memory that a copy engine reaches by itself: that CUDA gave, or was told of.
    bool isPinned(std::uint64_t address, std::uint32_t n) const {
        return m_program.allocationAt(address, n) != nullptr;
    }
    std::uint32_t deviceOf(const Operation& o) const {
        return o.stream < m_program.streams.size() ? m_program.streams[o.stream].device : 0;
    }
    Way wayOf(const Operation& o, std::uint32_t n) const {
        return {peersOf(m_program, n),
                o.direction == Direction::HostToDevice || o.direction == Direction::DeviceToHost};
    }
    // When its engine is free: one for each direction between the host and a device, and from one device to another. nullptr: it has none.
    std::int64_t* engineOf(const Operation& o, const Way& way) {
        if (!way.engine())
            return nullptr;
        const std::uint32_t from = way.peers ? way.peers->from : deviceOf(o), to = way.peers ? way.peers->to : from;
        return &m_engines[{m_program.processOf(o), from, to, o.direction}];
    }

    ProgramTrace& m_program;
    const Pace& m_pace;
    Order m_order;
    std::vector<std::int64_t> m_hosts;
    std::vector<bool> m_onEngine; // [operation] it is a copy by an engine, or passes on from one
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, Direction>, std::int64_t> m_engines;
    std::size_t m_step = 0; // of graphSteps, the next
    std::uint32_t m_graphLaunch = noIndex;
    std::int64_t m_graphCalled = 0; // when it was asked for
};

} // namespace

Durations durationsOf(const ProgramTrace& program) {
    Durations durations{.measured = program.info.backend == BackendKind::Cuda};
    for (const Operation& o : program.operations)
        if (o.kind == OperationKind::Launch) {
            durations.estimated += o.timed == TimeOrigin::Estimated;
            durations.modelled += o.timed == TimeOrigin::Modelled;
        }
    return durations;
}

void place(ProgramTrace& program, const Pace& pace) {
    if (const Durations durations = durationsOf(program); durations.measured || !durations.known())
        return;
    Placer placer(program, pace);
    for (std::uint32_t n = 0; n < program.operations.size(); ++n)
        placer.place(n);
}

} // namespace warpglass::program
