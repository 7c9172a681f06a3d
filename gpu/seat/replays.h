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
    // memory: what the launch begins with. The request's file is written and taken away again. fault: the kernel failed
    // there as it ran, as it may by itself; any other error leaves nothing to be told of it.
    Result<Replayed> make(cuda::ReplayRequest request, const KeptMemory& memory, bool& fault);

    // In the child of a fork: the worker is the parent's.
    void forked();

private:
    // again: another worker may do it.
    Result<Replayed> makeOnce(const cuda::ReplayRequest& request, const KeptMemory& memory, bool& fault, bool& again);

    std::optional<cuda::WorkerProcess> m_worker; // kept from one launch to the next, until one fails
};

} // namespace warpglass::seat
