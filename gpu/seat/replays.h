// SPDX-License-Identifier: GPL-3.0-or-later
// Launches of the program made once more, with probes, by a worker: a process and a context that are not the program's
// (gpu/cuda/replay_request.h).
#pragma once

#include "gpu/cuda/replay_request.h"
#include "gpu/cuda/worker_process.h"
#include "gpu/trace/trace.h"

#include <optional>

namespace warpglass::seat {

struct Replayed {
    TracePtr trace; // with what is known of the kernel with probes
    double durationNs = 0;
};

class Replays {
public:
    // memory: what the launch begins with. The request's file is written and taken away again. hung: with probes it did
    // not end, so that it should not be repeated in the program either.
    Result<Replayed> make(cuda::ReplayRequest request, const KeptMemory& memory, bool& hung);

    // In the child of a fork: the worker is the parent's.
    void forked();

private:
    std::optional<cuda::WorkerProcess> m_worker; // kept from one launch to the next, until one fails
};

} // namespace warpglass::seat
