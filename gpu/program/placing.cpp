// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/program/placing.h"

#include <algorithm>
#include <unordered_map>

namespace warpglass::program {

namespace {

constexpr std::int64_t farthest = std::int64_t(1) << 60; // of what a damaged file may add up to

class Clocks {
public:
    explicit Clocks(const std::vector<ProgramStream>& streams)
        : m_streams(streams), m_free(std::max<std::size_t>(1, streams.size())) {}

    void hostWaits(Operation& o) {
        o.start = m_host;
        m_host = o.end = m_latest;
    }
    void ofHost(Operation& o) const { o.start = o.end = m_host; }
    void ofStream(Operation& o) {
        const std::size_t stream = std::min<std::size_t>(o.stream, m_free.size() - 1);
        Blocking* device = nullptr;
        const bool isDefault = stream < m_streams.size() && m_streams[stream].name == "default";
        o.start = std::max(m_host, m_free[stream]);
        if (stream < m_streams.size() && m_streams[stream].blocking != 0) {
            device = &m_devices[m_streams[stream].device];
            o.start = std::max(o.start, isDefault ? device->others : device->ofDefault);
        }
        o.end = std::min(o.start + o.duration, farthest);
        if (device) {
            std::int64_t& mine = isDefault ? device->ofDefault : device->others;
            mine = std::max(mine, o.end);
        }
        m_free[stream] = o.end;
        m_latest = std::max(m_latest, o.end);
    }

private:
    struct Blocking { // when all is done that was given to a device's default stream, and to those that wait for it
        std::int64_t ofDefault = 0, others = 0;
    };
    const std::vector<ProgramStream>& m_streams;
    std::int64_t m_host = 0, m_latest = 0;
    std::vector<std::int64_t> m_free; // [stream] the same
    std::unordered_map<std::uint32_t, Blocking> m_devices;
};

} // namespace

Durations durationsOf(const ProgramTrace& program) {
    Durations durations{.measured = program.info.backend == BackendKind::Cuda};
    for (const Operation& o : program.operations) {
        durations.estimated += o.timed == TimeOrigin::Estimated;
        durations.modelled += o.timed == TimeOrigin::Modelled;
    }
    return durations;
}

void place(ProgramTrace& program) {
    if (const Durations durations = durationsOf(program); durations.measured || !durations.known())
        return;
    Clocks clocks(program.streams);
    for (Operation& o : program.operations) {
        if (o.kind == OperationKind::Wait)
            clocks.hostWaits(o);
        else if (o.kind == OperationKind::Allocate || o.kind == OperationKind::Free)
            clocks.ofHost(o);
        else
            clocks.ofStream(o);
        o.called = o.start;
        o.returned = o.end;
    }
}

} // namespace warpglass::program
