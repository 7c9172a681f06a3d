// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/launch/validate.h"

#include "gpu/base/memory_limit.h"
#include "gpu/base/quantity.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace warpglass {

namespace {

constexpr std::uint32_t blockLimitZ = 64; // along x and y the limit is that of the whole block, 1024
constexpr std::uint32_t gridLimitYz = 65535;
constexpr std::uint64_t constantBytes = 64 * 1024;      // of a module
constexpr std::uint64_t localBytes = 512 * 1024;        // of a thread
constexpr std::uint64_t sharedBytesOfAny = 1024 * 1024; // more than any device's block may have
constexpr std::uint64_t notesOfBlock = 128; // bytes kept of each block of a grid while it runs, and after it
constexpr std::uint32_t defaultSharedBytes = 48 * 1024; // what a block gets without opting in, on every capability
constexpr const char* axisName[3] = {"x", "y", "z"};

Error refusal(std::string message, std::string remedy) {
    return Error{.message = std::move(message), .remedy = std::move(remedy)};
}

std::string shape(Dim3 d) {
    return d.z != 1 ? fmt::format("({}, {}, {})", d.x, d.y, d.z) : fmt::format("({}, {})", d.x, d.y);
}

Result<void> validateBlock(Dim3 block, const DeviceSpec& device) {
    const std::uint32_t axes[3] = {block.x, block.y, block.z};
    for (int i = 0; i < 3; ++i)
        if (axes[i] == 0)
            return refusal(fmt::format("a block of {} has no threads: its {} is 0", shape(block), axisName[i]),
                           "Give every axis of the block at least 1.");
    const std::uint32_t limit = device.limits().threadsPerBlock;
    // A product of three 32-bit axes can wrap around in 64 bits, of two it cannot.
    const std::uint64_t plane = std::uint64_t(block.x) * block.y;
    if (plane > limit || plane * block.z > limit) {
        const std::string threads =
            plane > limit && block.z > 1 ? fmt::format("more than {}", plane) : fmt::format("{}", plane * block.z);
        return refusal(fmt::format("a block of {} has {} threads; {} (compute capability {}.{}) runs at most {} "
                                   "threads a block",
                                   shape(block), threads, device.name, device.ccMajor, device.ccMinor, limit),
                       "Make the block smaller and the grid larger.");
    }
    if (block.z > blockLimitZ)
        return refusal(fmt::format("a block of {} has {} threads along z; a block may have {} along z", shape(block),
                                   block.z, blockLimitZ),
                       "Make the block smaller and the grid larger.");
    return {};
}

Result<void> validateGrid(Dim3 grid, const DeviceSpec& device) {
    const std::uint32_t gridLimit[3] = {device.ccMajor >= 3 ? 0x7fffffffu : 65535u, gridLimitYz, gridLimitYz};
    const std::uint32_t axes[3] = {grid.x, grid.y, grid.z};
    for (int i = 0; i < 3; ++i) {
        if (axes[i] == 0)
            return refusal(fmt::format("a grid of {} has no blocks: its {} is 0", shape(grid), axisName[i]),
                           "Give every axis of the grid at least 1.");
        if (axes[i] > gridLimit[i])
            return refusal(fmt::format("a grid of {} has {} blocks along {}; {} allows {} along {}", shape(grid),
                                       axes[i], axisName[i], device.name, gridLimit[i], axisName[i]),
                           i == 0 ? "Make the blocks larger, or let a thread do more."
                                  : "Put the longest axis of the grid on x.");
    }
    return {};
}

// Where a variable ends that is laid behind others, which reach up to `at`: nowhere, if that is beyond all memories.
std::uint64_t endBehind(std::uint64_t at, const ptx::Variable& v) {
    constexpr std::uint64_t any = std::uint64_t(1) << 48;
    const std::uint64_t alignment =
        v.alignment ? std::uint64_t(v.alignment) : std::uint64_t(std::max(1, ptx::bytesOf(v.type) * v.vector));
    at = (at + alignment - 1) / alignment * alignment;
    return v.sizeBytes() > any || at > any ? any : at + v.sizeBytes();
}

} // namespace

Dim3 clusterOf(const ptx::Function& entry, const std::optional<Dim3>& wanted) {
    const auto& n = entry.reqnctapercluster;
    if (n[0] == 0 && wanted)
        return *wanted;
    return {std::max(n[0], 1u), std::max(n[1], 1u), std::max(n[2], 1u)};
}

Result<void> validate(const ptx::Function& entry, Dim3 grid, Dim3 block, const std::string& file,
                      const std::optional<Dim3>& wanted) {
    const auto refuse = [&](std::string what) {
        return Error{std::move(what), file, entry.line, 0, "Choose another --grid or --block."};
    };
    const auto asDim3 = [](const std::array<std::uint32_t, 3>& n) {
        return Dim3{n[0], std::max(n[1], 1u), std::max(n[2], 1u)};
    };
    const Dim3 exact = asDim3(entry.reqntid), most = asDim3(entry.maxntid), cluster = clusterOf(entry, wanted);
    if (entry.reqntid[0] && !(block == exact))
        return refuse(
            fmt::format("the kernel is compiled for blocks of {} thread{} (.reqntid, __block_size__), not of {}",
                        exact.text(), exact.count() == 1 ? "" : "s", block.text()));
    if (entry.maxntid[0] && block.count() > most.count())
        return refuse(
            fmt::format("the kernel is compiled for at most {} a block (.maxntid, __launch_bounds__), not for {}",
                        quantity(most.count(), "thread"), block.count()));
    if (wanted && !(*wanted == cluster))
        return refuse(fmt::format(
            "the kernel is compiled for clusters of {} block{} (.reqnctapercluster, __cluster_dims__), not of {}",
            cluster.text(), cluster.count() == 1 ? "" : "s", wanted->text()));
    if (cluster.count() == 0 || cluster.count() > 16)
        return refuse(
            fmt::format("a cluster of {} has {} blocks: it can have 1 to 16", cluster.text(), cluster.count()));
    if (grid.x % cluster.x || grid.y % cluster.y || grid.z % cluster.z)
        return refuse(fmt::format("a grid of {} is no whole number of clusters of {}", grid.text(), cluster.text()));
    return {};
}

Result<void> validate(const LaunchPlan& plan, const DeviceSpec& device, std::uint32_t staticSharedBytes) {
    if (auto ok = validateBlock(plan.block, device); !ok)
        return ok;
    if (auto ok = validateGrid(plan.grid, device); !ok)
        return ok;
    const std::uint64_t shared = std::uint64_t(plan.sharedBytes) + staticSharedBytes;
    const std::uint32_t sharedLimit = std::max(defaultSharedBytes, device.limits().sharedPerBlockOptIn);
    if (shared > sharedLimit)
        return refusal(fmt::format("the block needs {} bytes of shared memory; {} gives a block at most {} bytes",
                                   shared, device.name, sharedLimit),
                       "Use less shared memory a block, or choose a device with more.");
    return {};
}

Result<void> validateVariables(const ptx::Module& module) {
    std::uint64_t constants = 0;
    const auto refuse = [&](int line, std::string what) { return Error{std::move(what), module.name, line, 0, {}}; };
    for (const ptx::Variable& v : module.variables)
        if (v.space == ptx::StateSpace::Const && (constants = endBehind(constants, v)) > constantBytes)
            return refuse(v.line, fmt::format("with {} the module has {} bytes of constant memory; a GPU has {}",
                                              v.name, constants, constantBytes));
    const auto sharedFits = [](const ptx::Variable& v) {
        return v.space != ptx::StateSpace::Shared || v.sizeBytes() <= sharedBytesOfAny;
    };
    const auto refuseShared = [&](const ptx::Variable& v) {
        return refuse(v.line, fmt::format("{} has {} bytes of shared memory; no GPU gives a block so much", v.name,
                                          v.sizeBytes()));
    };
    for (const ptx::Variable& v : module.variables)
        if (!sharedFits(v))
            return refuseShared(v);
    for (const ptx::Function& f : module.functions) {
        std::uint64_t parameters = 0;
        for (const ptx::Variable& v : f.params)
            if ((parameters = endBehind(parameters, v)) > mostParameterBytes)
                return refuse(f.line,
                              fmt::format("{} takes more than the {} bytes of parameters that a kernel may have",
                                          f.name, mostParameterBytes));
        std::uint64_t results = 0;
        for (const ptx::Variable& v : f.returns)
            if ((results = endBehind(results, v)) > mostParameterBytes)
                return refuse(f.line,
                              fmt::format("the results of {} take more than {} bytes", f.name, mostParameterBytes));
        for (const ptx::Variable& v : f.locals) {
            if (!sharedFits(v))
                return refuseShared(v);
            if (v.space == ptx::StateSpace::Const && (constants = endBehind(constants, v)) > constantBytes)
                return refuse(v.line, fmt::format("with {} the module has {} bytes of constant memory; a GPU has {}",
                                                  v.name, constants, constantBytes));
            if (v.space == ptx::StateSpace::Param && v.sizeBytes() > mostParameterBytes)
                return refuse(v.line, fmt::format("{} has {} bytes; what a call hands over has {} at most", v.name,
                                                  v.sizeBytes(), mostParameterBytes));
        }
    }
    return {};
}

Result<void> validateLocals(const ptx::Function& function, const std::string& file) {
    std::uint64_t local = 0;
    for (const ptx::Variable& v : function.locals)
        if (v.space == ptx::StateSpace::Local && (local = endBehind(local, v)) > localBytes)
            return Error{fmt::format("with {} the threads of {} have {} bytes of local memory each; a GPU has {} for a "
                                     "thread",
                                     v.name, function.name, local, localBytes),
                         file, v.line, 0, "Use a smaller array, or one in global memory."};
    return {};
}

namespace {

// Saturates, as the numbers may be anybody's.
void addUp(std::uint64_t& sum, std::uint64_t count, std::uint64_t bytes) {
    std::uint64_t product = 0;
    if (__builtin_mul_overflow(count, bytes, &product) || __builtin_add_overflow(sum, product, &sum))
        sum = std::numeric_limits<std::uint64_t>::max();
}

} // namespace

Result<void> validateMemory(const ptx::Module& module, const LaunchPlan& plan, const DeviceSpec& device) {
    std::uint64_t variables = 0, buffers = 0, largest = 0, notes = 0;
    for (const ptx::Variable& v : module.variables)
        if (v.space == ptx::StateSpace::Global)
            addUp(variables, 1, v.sizeBytes());
    for (const auto* list : {&plan.arguments, &plan.globalBuffers})
        for (const Argument& a : *list)
            if (a.isBuffer) {
                std::uint64_t bytes = 0;
                addUp(bytes, a.count, std::uint64_t(bytesOf(a.type)));
                addUp(buffers, 1, bytes);
                largest = std::max(largest, bytes);
            }
    std::uint64_t all = variables;
    addUp(all, 1, buffers);
    for (const DumpedVariable& v : plan.dumped)
        addUp(buffers, 1, v.bytes);
    if (all > device.memoryBytes)
        return refusal(fmt::format("the buffers and variables of the launch take {}; {} has {}", memoryWords(all),
                                   device.name, memoryWords(device.memoryBytes)),
                       "Use smaller buffers, or choose a device with more memory.");
    // Variables cost what of them is touched. Buffers are filled, and given back one by one when the run is over.
    addUp(buffers, 1, largest);
    if (buffers > memoryLimit())
        return refusal(fmt::format("the buffers of the launch take {} of this machine's memory, where the largest of "
                                   "them is copied after the run; {} is the limit",
                                   memoryWords(buffers), memoryWords(memoryLimit())),
                       memoryRemedy);
    std::uint64_t blocks = std::uint64_t(plan.grid.x) * plan.grid.y;
    blocks = blocks > std::numeric_limits<std::uint32_t>::max() ? blocks : blocks * plan.grid.z;
    addUp(notes, blocks, notesOfBlock);
    if (blocks > std::numeric_limits<std::uint32_t>::max() || notes > memoryLimit())
        return refusal(fmt::format("a grid of {} has {}{} blocks, of each of which something is noted: that takes more "
                                   "than {} of memory, which is the limit",
                                   shape(plan.grid),
                                   blocks > std::numeric_limits<std::uint32_t>::max() ? "more than " : "",
                                   std::min<std::uint64_t>(blocks, std::numeric_limits<std::uint32_t>::max()),
                                   memoryWords(memoryLimit())),
                       "Make the grid smaller.");
    return {};
}

Result<void> validateChild(Dim3 grid, Dim3 block, std::uint64_t sharedBytes, const DeviceSpec& device) {
    LaunchPlan plan;
    plan.grid = grid;
    plan.block = block;
    plan.sharedBytes = std::uint32_t(std::min<std::uint64_t>(sharedBytes, std::numeric_limits<std::uint32_t>::max()));
    if (auto ok = validate(plan, device); !ok)
        return ok;
    return validateMemory({}, plan, device);
}

} // namespace warpglass
