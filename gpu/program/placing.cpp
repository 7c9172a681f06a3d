// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/program/placing.h"

#include "gpu/program/order.h"

#include <algorithm>

namespace warpglass::program {

namespace {

constexpr std::int64_t farthest = std::int64_t(1) << 60; // of what a damaged file may add up to

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
    Order order(program.streams);
    std::vector<std::int64_t> hosts(std::max<std::size_t>(1, program.info.processes.size())); // when each asks for its
                                                                                              // next operation
    for (std::uint32_t n = 0; n < program.operations.size(); ++n) {
        Operation& o = program.operations[n];
        std::int64_t& host = hosts[std::min<std::size_t>(program.processOf(o), hosts.size() - 1)];
        std::int64_t ready = host;
        for (const Dependency& d : order.next(program.operations[n], n))
            ready = std::max(ready, program.operations[d.operation].end);
        const bool waits = o.kind == OperationKind::Wait;
        const bool ofHost = waits || o.kind == OperationKind::Allocate || o.kind == OperationKind::Free;
        o.start = waits ? host : ready;
        o.end = ofHost ? ready : std::min(ready + std::clamp<std::int64_t>(o.duration, 0, farthest), farthest);
        host = waits ? ready : host;
        o.called = o.start;
        o.returned = o.end;
    }
}

} // namespace warpglass::program
