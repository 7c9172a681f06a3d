// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/program/order.h"

#include "gpu/program/placing.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace warpglass::program {

Order::Order(const std::vector<ProgramStream>& streams) {
    for (const ProgramStream& s : streams)
        add(s);
    if (m_streams.empty())
        m_streams.push_back({{}, {}, &m_devices[{0, 0}]});
}

void Order::add(const ProgramStream& stream) {
    const auto row = std::uint32_t(m_streams.size());
    m_streams.push_back({stream, {}, &m_devices[{stream.process, stream.device}]});
    if (Device& device = deviceOf(row); device.defaultStream == noIndex && stream.name == "default")
        device.defaultStream = row;
}

bool Order::blocking(std::uint32_t stream) const {
    return m_streams[stream].blocking != 0;
}

void Order::behind(std::uint32_t stream, WaitReason reason) {
    if (m_streams[stream].last != noIndex)
        m_found.push_back({m_streams[stream].last, reason, stream});
}

void Order::ofStream(const Operation& o, std::uint32_t stream) {
    behind(stream, WaitReason::Stream);
    if (o.kind == OperationKind::StreamWait)
        if (const auto event = m_events.find({m_streams[stream].process, o.from}); event != m_events.end())
            m_found.push_back({event->second, WaitReason::Event, noIndex});
    if (!blocking(stream))
        return;
    const Device& device = deviceOf(stream);
    if (stream == device.defaultStream) {
        for (const std::uint32_t other : device.sinceDefault)
            behind(other, WaitReason::DefaultStream);
    } else if (device.defaultStream != noIndex && blocking(device.defaultStream)) {
        // Behind what came later in its own stream, it is behind the default stream's by that.
        const std::uint32_t own = m_streams[stream].last, theirs = m_streams[device.defaultStream].last;
        if (own == noIndex || (theirs != noIndex && own < theirs))
            behind(device.defaultStream, WaitReason::DefaultStream);
    }
}

void Order::ofHost(const Operation& o, std::uint32_t stream) {
    Device& device = deviceOf(stream);
    if (o.from == waitsForStream) {
        behind(stream, WaitReason::Host);
        if (stream == device.defaultStream)
            for (const std::uint32_t other : device.sinceDefault)
                behind(other, WaitReason::Host);
    } else if (o.from == waitsForDevice || o.from == 0) {
        for (const std::uint32_t each : device.sinceHost) {
            behind(each, WaitReason::Host);
            m_streams[each].sinceHost = false;
        }
        device.sinceHost.clear();
    } else if (const auto event = m_events.find({m_streams[stream].process, o.from}); event != m_events.end())
        m_found.push_back({event->second, WaitReason::Host, noIndex});
}

void Order::given(std::uint32_t stream, std::uint32_t operation) {
    m_streams[stream].last = operation;
    Device& device = deviceOf(stream);
    const auto enter = [stream](bool& isIn, std::vector<std::uint32_t>& list) {
        if (!isIn)
            list.push_back(stream);
        isIn = true;
    };
    enter(m_streams[stream].sinceHost, device.sinceHost);
    if (!blocking(stream))
        return;
    if (stream != device.defaultStream)
        return enter(m_streams[stream].sinceDefault, device.sinceDefault);
    for (const std::uint32_t other : device.sinceDefault)
        m_streams[other].sinceDefault = false;
    device.sinceDefault.clear();
}

const std::vector<Dependency>& Order::next(const Operation& o, std::uint32_t operation) {
    const std::uint32_t stream = std::min(o.stream, std::uint32_t(m_streams.size() - 1));
    m_found.clear();
    if ((o.kind == OperationKind::Allocate || o.kind == OperationKind::Free) && o.from != inStreamsOrder)
        return m_found;
    if (o.kind == OperationKind::Wait) {
        ofHost(o, stream);
        return m_found;
    }
    ofStream(o, stream);
    if (o.kind == OperationKind::Record && o.from != 0)
        m_events[{m_streams[stream].process, o.from}] = operation;
    given(stream, operation);
    return m_found;
}

namespace {

bool isPoint(OperationKind kind) {
    return kind == OperationKind::Record || kind == OperationKind::StreamWait || kind == OperationKind::Allocate ||
           kind == OperationKind::Free;
}

// What something waits for, as far as it counts: the work of its own stream, and of the others what ends last.
struct Behind {
    std::uint32_t own = noIndex, other = noIndex;
    WaitReason reason = WaitReason::Event;                        // of other
    std::int64_t rest = std::numeric_limits<std::int64_t>::min(); // when the last of the others that do not count ends
};

class Waits {
public:
    explicit Waits(const ProgramTrace& program) : m_program(program) {}

    Behind of(const std::vector<Dependency>& found) const {
        Behind b;
        for (const Dependency& d : found)
            add(b, d);
        return b;
    }
    void keep(std::uint32_t point, const Behind& b) { m_points[point] = b; }
    std::int64_t endOf(std::uint32_t operation) const {
        return operation == noIndex ? std::numeric_limits<std::int64_t>::min() : m_program.operations[operation].end;
    }

private:
    void add(Behind& b, Dependency d) const {
        const auto point = m_points.find(d.operation);
        if (d.reason == WaitReason::Stream) {
            if (point != m_points.end())
                b = point->second;
            else
                b.own = d.operation;
            return;
        }
        if (point != m_points.end()) { // what it passes on
            const Behind& passed = point->second;
            b.rest = std::max({b.rest, passed.rest, std::min(endOf(passed.own), endOf(passed.other))});
            d.operation = endOf(passed.other) > endOf(passed.own) ? passed.other : passed.own;
        }
        if (d.operation == noIndex || d.operation == b.own || d.operation == b.other)
            return;
        const bool later = endOf(d.operation) > endOf(b.other) || b.other == noIndex;
        b.rest = std::max(b.rest, endOf(later ? b.other : d.operation));
        if (later) {
            b.other = d.operation;
            b.reason = d.reason;
        }
    }

    const ProgramTrace& m_program;
    std::unordered_map<std::uint32_t, Behind> m_points; // events and waits for them
};

} // namespace

std::vector<Waited> waitsOf(const ProgramTrace& program) {
    const Durations durations = durationsOf(program);
    std::vector<Waited> waited;
    Order order(program.streams);
    Waits waits(program);
    std::vector<std::int64_t> hosts(std::max<std::size_t>(1, program.info.processes.size())); // when each went on after
                                                                                              // its last wait
    for (std::uint32_t n = 0; n < program.operations.size(); ++n) {
        const Operation& o = program.operations[n];
        const Behind b = waits.of(order.next(o, n));
        const bool ofHost = o.kind == OperationKind::Wait;
        std::int64_t& host = hosts[std::min<std::size_t>(program.processOf(o), hosts.size() - 1)];
        if (isPoint(o.kind))
            waits.keep(n, b);
        else if (b.other != noIndex) {
            const std::int64_t asked = ofHost ? o.start : std::max(host, o.called);
            const std::int64_t ready = std::max({asked, waits.endOf(b.own), b.rest});
            const std::int64_t ns = durations.known() ? std::max<std::int64_t>(0, waits.endOf(b.other) - ready) : 0;
            waited.push_back({n, b.other, b.reason, ns});
        }
        if (ofHost)
            host = std::max(host, o.end);
    }
    return waited;
}

} // namespace warpglass::program
