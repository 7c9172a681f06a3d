// SPDX-License-Identifier: GPL-3.0-or-later
// Launches.
#include "gpu/seat/detail.h"
#include "gpu/seat/graphs.h"
#include "gpu/seat/seat.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

using namespace warpglass::seat;
using warpglass::Dim3;

namespace {

// The parameters' bytes, given one by one as cuLaunchKernel takes them, or in one buffer; in room, if they fit there.
std::span<const std::byte> argumentsOf(const LoadedKernel& kernel, void** parameters, void** extra,
                                       std::span<std::byte> room, std::vector<std::byte>& more) {
    if (kernel.parameterBytes() > room.size()) {
        more.resize(kernel.parameterBytes());
        room = more;
    }
    const std::span<std::byte> bytes = room.first(kernel.parameterBytes());
    std::fill(bytes.begin(), bytes.end(), std::byte{});
    std::byte* buffer = nullptr;
    if (!parameters)
        for (; extra && extra[0] != CU_LAUNCH_PARAM_END; extra += 2)
            if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
                buffer = static_cast<std::byte*>(extra[1]);
    for (std::size_t n = 0; n < kernel.parameters.size() && (parameters || buffer); ++n) {
        const auto& p = kernel.parameters[n];
        std::memcpy(bytes.data() + p.offset, parameters ? parameters[n] : buffer + p.offset, p.bytes);
    }
    return bytes;
}

// Whether the driver will take it: a launch that it refuses is none to record.
bool fits(const LoadedKernel& kernel, const LaunchShape& shape) {
    constexpr std::uint32_t unasked = 48 * 1024; // bytes of shared memory that a block has without asking for more
    if (shape.grid.count() == 0 || shape.block.count() == 0 || shape.block.count() > kernel.maxThreads)
        return false;
    int most = 0;
    return kernel.sharedBytes + shape.sharedBytes <= unasked ||
           (driver().cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, kernel.function) ==
                CUDA_SUCCESS &&
            shape.sharedBytes <= std::uint32_t(most));
}

// A kernel that this thread has launched and that need not be looked at any more: its launches are only listed. Programs
// launch few kernels very often, so that such a launch takes no lock before the driver has it.
struct Listed {
    void* handle = nullptr;
    LoadedKernel* kernel = nullptr;
    unsigned changes = 0; // of the images, when it was looked up
    warpglass::program::RecordedShape shape;
    std::uint32_t shapeRow = warpglass::noIndex;
};

Listed& listed(void* handle) {
    constexpr unsigned bits = 6;
    thread_local std::array<Listed, 1 << bits> table;
    return table[std::uint64_t(reinterpret_cast<std::uintptr_t>(handle)) * 0x9e37'79b9'7f4a'7c15 >> (64 - bits)];
}

template <class F>
CUresult launch(void* handle, LaunchShape shape, CUstream stream, bool perThread, void** parameters, void** extra,
                F carryOut) {
    Seat& s = seat();
    if (s.isCaptured(stream, perThread))
        return carryOut();
    std::unique_lock guard(s.lock, std::defer_lock);
    Listed& known = listed(handle);
    const unsigned changes = s.images.changes();
    const bool onlyListed = known.handle == handle && known.kernel && known.changes == changes;
    LoadedKernel* kernel = known.kernel;
    if (!onlyListed) {
        guard.lock();
        s.begin();
        kernel = s.images.kernel(handle);
        if (!kernel)
            return carryOut();
        s.recorder.kernelRow(*kernel);
    }
    std::array<std::byte, 512> room;
    std::vector<std::byte> more;
    const std::span<const std::byte> arguments = argumentsOf(*kernel, parameters, extra, room, more);
    Operation o;
    o.kind = OperationKind::Launch;
    o.kernel = kernel->row;
    const Expected expected{Expected::Kind::Kernel, kernel->nameHash};
    Detail detail;
    if (!onlyListed) {
        // While a stream is captured nothing may be waited for; the kernel's next launch is as good.
        if (auto options = s.capturing == 0 && fits(*kernel, shape) ? s.recorder.choose(*kernel) : s.recorder.pass())
            detail = recordInDetail(s, *kernel, shape, arguments, *options);
        else
            guard.unlock(); // what was told and kept of a recorded one belongs to the next row
    }
    o.called = s.recorder.now();
    const CUresult result = detail.done ? CUDA_SUCCESS : s.passed(carryOut);
    o.returned = s.recorder.now();
    o.error = std::uint32_t(result);
    if (!guard.owns_lock())
        guard.lock();
    const warpglass::program::RecordedShape asked{shape.grid, shape.block, shape.cluster.value_or(Dim3{1, 1, 1}),
                                                  shape.sharedBytes, shape.cooperative ? 1u : 0u};
    if (onlyListed)
        s.recorder.pass();
    else
        known = {handle, s.recorder.mayChoose(*kernel) ? nullptr : kernel, changes, {}, warpglass::noIndex};
    if (known.shapeRow == warpglass::noIndex || known.shape != asked)
        known.shape = asked, known.shapeRow = s.recorder.shape(asked);
    o.shape = known.shapeRow;
    const std::uint32_t row =
        s.add(o, stream, perThread, result == CUDA_SUCCESS && !detail.done ? &expected : nullptr, arguments);
    if (detail.done && detail.durationNs > 0)
        s.recorder.add(warpglass::program::OperationTime{row, o.called - detail.durationNs, o.called});
    return result;
}

LaunchShape shapeOf(const CUlaunchConfig& c) {
    LaunchShape shape{{c.gridDimX, c.gridDimY, c.gridDimZ}, {c.blockDimX, c.blockDimY, c.blockDimZ}, c.sharedMemBytes};
    for (unsigned n = 0; n < c.numAttrs; ++n) {
        const auto& value = c.attrs[n].value;
        if (c.attrs[n].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
            shape.cluster = Dim3{value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
        if (c.attrs[n].id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
            shape.cooperative = value.cooperative != 0;
    }
    return shape;
}

} // namespace

WG_SEAT_CALL_PTSZ(cuLaunchKernel,
                  (CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, CUstream stream, void** parameters, void** extra),
                  (f, gx, gy, gz, bx, by, bz, shared, stream, parameters, extra),
                  return launch(f, {{gx, gy, gz}, {bx, by, bz}, shared}, stream, perThread, parameters, extra,
                                carryOut);)
WG_SEAT_CALL_PTSZ(cuLaunchCooperativeKernel,
                  (CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, CUstream stream, void** parameters),
                  (f, gx, gy, gz, bx, by, bz, shared, stream, parameters),
                  LaunchShape shape{{gx, gy, gz}, {bx, by, bz}, shared};
                  shape.cooperative = true; return launch(f, shape, stream, perThread, parameters, nullptr, carryOut);)
WG_SEAT_CALL_PTSZ(cuLaunchKernelEx, (const CUlaunchConfig* c, CUfunction f, void** parameters, void** extra),
                  (c, f, parameters, extra), if (!c) return carryOut();
                  return launch(f, shapeOf(*c), c->hStream, perThread, parameters, extra, carryOut);)

WG_SEAT_CALL(cuGraphInstantiate_v2,
             (CUgraphExec * exec, CUgraph graph, CUgraphNode* node, char* log, std::size_t bytes),
             (exec, graph, node, log, bytes), const CUresult result = carryOut();
             if (result == CUDA_SUCCESS) noteGraph(seat(), *exec, graph); return result;)
WG_SEAT_CALL(cuGraphInstantiateWithFlags, (CUgraphExec * exec, CUgraph graph, unsigned long long flags),
             (exec, graph, flags), const CUresult result = carryOut();
             if (result == CUDA_SUCCESS) noteGraph(seat(), *exec, graph); return result;)
WG_SEAT_CALL_PTSZ(cuGraphInstantiateWithParams,
                  (CUgraphExec * exec, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS* parameters),
                  (exec, graph, parameters), const CUresult result = carryOut();
                  if (result == CUDA_SUCCESS) noteGraph(seat(), *exec, graph); return result;)
WG_SEAT_CALL(cuGraphExecUpdate_v2, (CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo* info),
             (exec, graph, info), const CUresult result = carryOut();
             if (result == CUDA_SUCCESS) noteGraph(seat(), exec, graph); return result;)
WG_SEAT_CALL(cuGraphExecKernelNodeSetParams_v2,
             (CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* parameters), (exec, node, parameters),
             const CUresult result = carryOut();
             if (result == CUDA_SUCCESS && parameters) noteNode(seat(), exec, node, *parameters); return result;)
// What makes another graph of an executable one, so that its nodes are not known any more: what the call takes behind the
// executable graph, and by what name.
#define CHANGES_GRAPH(call, parameters, ...)                                                                           \
    WG_SEAT_CALL(call, (CUgraphExec exec, parameters), (exec, __VA_ARGS__), graphChanged(seat(), exec);                \
                 return carryOut();)
#define WITH(...) __VA_ARGS__
CHANGES_GRAPH(cuGraphExecMemcpyNodeSetParams, WITH(CUgraphNode node, const CUDA_MEMCPY3D* copy, CUcontext context),
              node, copy, context)
CHANGES_GRAPH(cuGraphExecMemsetNodeSetParams,
              WITH(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* fill, CUcontext context), node, fill, context)
CHANGES_GRAPH(cuGraphExecHostNodeSetParams, WITH(CUgraphNode node, const CUDA_HOST_NODE_PARAMS* function), node,
              function)
CHANGES_GRAPH(cuGraphExecChildGraphNodeSetParams, WITH(CUgraphNode node, CUgraph child), node, child)
CHANGES_GRAPH(cuGraphExecEventRecordNodeSetEvent, WITH(CUgraphNode node, CUevent event), node, event)
CHANGES_GRAPH(cuGraphExecEventWaitNodeSetEvent, WITH(CUgraphNode node, CUevent event), node, event)
CHANGES_GRAPH(cuGraphExecNodeSetParams, WITH(CUgraphNode node, CUgraphNodeParams* parameters), node, parameters)
CHANGES_GRAPH(cuGraphNodeSetEnabled, WITH(CUgraphNode node, unsigned enabled), node, enabled)
#undef WITH
#undef CHANGES_GRAPH
WG_SEAT_CALL(cuGraphExecDestroy, (CUgraphExec exec), (exec), forgetGraph(seat(), exec); return carryOut();)
WG_SEAT_CALL_PTSZ(cuGraphLaunch, (CUgraphExec exec, CUstream stream), (exec, stream),
                  return launchGraph(seat(), exec, stream, perThread, [&] { return carryOut(); });)
