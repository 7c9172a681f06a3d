// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/launch/validate.h"

#include "gpu/base/memory_limit.h"
#include "gpu/base/messages/files.h"
#include "gpu/base/messages/launch.h"
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

Error refusal(Message message, Message remedy) {
    return Error{.message = std::move(message), .remedy = std::move(remedy)};
}

std::string shape(Dim3 d) {
    return d.z != 1 ? fmt::format("({}, {}, {})", d.x, d.y, d.z) : fmt::format("({}, {})", d.x, d.y);
}

Result<void> validateBlock(Dim3 block, const DeviceSpec& device) {
    const std::uint32_t axes[3] = {block.x, block.y, block.z};
    for (int i = 0; i < 3; ++i)
        if (axes[i] == 0)
            return refusal(say::BlockEmpty(shape(block), axisName[i]), say::EveryAxisOfBlock);
    const std::uint32_t limit = device.limits().threadsPerBlock;
    // A product of three 32-bit axes can wrap around in 64 bits, of two it cannot.
    const std::uint64_t plane = std::uint64_t(block.x) * block.y;
    if (plane > limit || plane * block.z > limit) {
        const bool more = plane > limit && block.z > 1; // and how many, may be no number of 64 bits
        return refusal((more ? say::BlockMuchTooLarge
                             : say::BlockTooLarge)(shape(block), more ? plane : plane * block.z, device.name,
                                                   fmt::format("{}.{}", device.ccMajor, device.ccMinor), limit),
                       say::SmallerBlock);
    }
    if (block.z > blockLimitZ)
        return refusal(say::BlockTooLongZ(shape(block), block.z, blockLimitZ), say::SmallerBlock);
    return {};
}

Result<void> validateGrid(Dim3 grid, const DeviceSpec& device) {
    const std::uint32_t gridLimit[3] = {device.ccMajor >= 3 ? 0x7fffffffu : 65535u, gridLimitYz, gridLimitYz};
    const std::uint32_t axes[3] = {grid.x, grid.y, grid.z};
    for (int i = 0; i < 3; ++i) {
        if (axes[i] == 0)
            return refusal(say::GridEmpty(shape(grid), axisName[i]), say::EveryAxisOfGrid);
        if (axes[i] > gridLimit[i])
            return refusal(say::GridTooLong(shape(grid), axes[i], axisName[i], device.name, gridLimit[i], axisName[i]),
                           i == 0 ? say::LargerBlocks : say::LongestOnX);
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
    const auto refuse = [&](Message what) { return Error{std::move(what), file, entry.line, 0, say::ChooseGridBlock}; };
    const auto asDim3 = [](const std::array<std::uint32_t, 3>& n) {
        return Dim3{n[0], std::max(n[1], 1u), std::max(n[2], 1u)};
    };
    const Dim3 exact = asDim3(entry.reqntid), most = asDim3(entry.maxntid), cluster = clusterOf(entry, wanted);
    if (entry.reqntid[0] && !(block == exact))
        return refuse(say::CompiledForBlocks(exact.text(), exact.count(), block.text()));
    if (entry.maxntid[0] && block.count() > most.count())
        return refuse(say::CompiledForMost(most.count(), block.count()));
    if (wanted && !(*wanted == cluster))
        return refuse(say::CompiledForClusters(cluster.text(), cluster.count(), wanted->text()));
    if (cluster.count() == 0 || cluster.count() > 16)
        return refuse(say::ClusterSize(cluster.text(), cluster.count()));
    if (grid.x % cluster.x || grid.y % cluster.y || grid.z % cluster.z)
        return refuse(say::NoWholeClusters(grid.text(), cluster.text()));
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
        return refusal(say::SharedTooMuch(shared, device.name, sharedLimit), say::LessShared);
    return {};
}

Result<void> validateVariables(const ptx::Module& module) {
    std::uint64_t constants = 0;
    const auto refuse = [&](int line, Message what) { return Error{std::move(what), module.name, line, 0, {}}; };
    for (const ptx::Variable& v : module.variables)
        if (v.space == ptx::StateSpace::Const && (constants = endBehind(constants, v)) > constantBytes)
            return refuse(v.line, say::ConstantsTooMuch(v.name, constants, constantBytes));
    const auto sharedFits = [](const ptx::Variable& v) {
        return v.space != ptx::StateSpace::Shared || v.sizeBytes() <= sharedBytesOfAny;
    };
    const auto refuseShared = [&](const ptx::Variable& v) {
        return refuse(v.line, say::SharedOfNoGpu(v.name, v.sizeBytes()));
    };
    for (const ptx::Variable& v : module.variables)
        if (!sharedFits(v))
            return refuseShared(v);
    for (const ptx::Function& f : module.functions) {
        std::uint64_t parameters = 0;
        for (const ptx::Variable& v : f.params)
            if ((parameters = endBehind(parameters, v)) > mostParameterBytes)
                return refuse(f.line, say::ParametersTooMuch(f.name, mostParameterBytes));
        std::uint64_t results = 0;
        for (const ptx::Variable& v : f.returns)
            if ((results = endBehind(results, v)) > mostParameterBytes)
                return refuse(f.line, say::ResultsTooMuch(f.name, mostParameterBytes));
        for (const ptx::Variable& v : f.locals) {
            if (!sharedFits(v))
                return refuseShared(v);
            if (v.space == ptx::StateSpace::Const && (constants = endBehind(constants, v)) > constantBytes)
                return refuse(v.line, say::ConstantsTooMuch(v.name, constants, constantBytes));
            if (v.space == ptx::StateSpace::Param && v.sizeBytes() > mostParameterBytes)
                return refuse(v.line, say::HandsOverTooMuch(v.name, v.sizeBytes(), mostParameterBytes));
        }
    }
    return {};
}

Result<void> validateLocals(const ptx::Function& function, const std::string& file) {
    std::uint64_t local = 0;
    for (const ptx::Variable& v : function.locals)
        if (v.space == ptx::StateSpace::Local && (local = endBehind(local, v)) > localBytes)
            return Error{say::LocalTooMuch(v.name, function.name, local, localBytes), file, v.line, 0,
                         say::SmallerArray};
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
        return refusal(say::DeviceMemoryTooSmall(memoryWords(all), device.name, memoryWords(device.memoryBytes)),
                       say::SmallerBuffers);
    // Variables cost what of them is touched. Buffers are filled, and given back one by one when the run is over.
    addUp(buffers, 1, largest);
    if (buffers > memoryLimit())
        return refusal(say::BuffersTooMuch(memoryWords(buffers), memoryWords(memoryLimit())), say::MemoryRemedy);
    std::uint64_t blocks = std::uint64_t(plan.grid.x) * plan.grid.y;
    blocks = blocks > std::numeric_limits<std::uint32_t>::max() ? blocks : blocks * plan.grid.z;
    addUp(notes, blocks, notesOfBlock);
    if (blocks > std::numeric_limits<std::uint32_t>::max() || notes > memoryLimit())
        return refusal((blocks > std::numeric_limits<std::uint32_t>::max() ? say::GridNotesMore : say::GridNotes)(
                           shape(plan.grid), std::min<std::uint64_t>(blocks, std::numeric_limits<std::uint32_t>::max()),
                           memoryWords(memoryLimit())),
                       say::SmallerGrid);
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
