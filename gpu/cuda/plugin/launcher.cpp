// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/plugin/launcher.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/base/messages/gpu.h"

#include "gpu/cuda/plugin/tensor_maps.h"

#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <set>
#include <thread>

namespace warpglass::cuda {

namespace {

using Clock = std::chrono::steady_clock;

struct Event {
    Event() { cudaEventCreate(&event); }
    ~Event() { cudaEventDestroy(event); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    cudaEvent_t event = nullptr;
};

int attribute(cudaDeviceAttr which, int device) {
    int value = 0;
    cudaDeviceGetAttribute(&value, which, device);
    return value;
}

// Clusters of more than 8 blocks are not portable, and must be asked for.
CUresult launchClusters(const Driver& driver, CUfunction function, const LaunchShape& shape,
                        std::vector<void*>& parameters) {
    if (shape.cluster->count() > 8)
        driver.cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
    CUlaunchAttribute attributes[2]{};
    attributes[0].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attributes[0].value.clusterDim = {shape.cluster->x, shape.cluster->y, shape.cluster->z};
    attributes[1].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    attributes[1].value.cooperative = 1;
    CUlaunchConfig config{};
    config.gridDimX = shape.grid.x;
    config.gridDimY = shape.grid.y;
    config.gridDimZ = shape.grid.z;
    config.blockDimX = shape.block.x;
    config.blockDimY = shape.block.y;
    config.blockDimZ = shape.block.z;
    config.sharedMemBytes = shape.sharedBytes;
    config.attrs = attributes;
    config.numAttrs = shape.cooperative ? 2 : 1;
    return driver.cuLaunchKernelEx(&config, function, parameters.data(), nullptr);
}

} // namespace

Result<Arguments> Arguments::make(const Driver& driver, const LaunchPlan& plan,
                                  std::vector<std::vector<std::byte>> initial) {
    Arguments result;
    if (!plan.arrays.empty()) {
        const auto first = initial.end() - std::ptrdiff_t(plan.arrays.size());
        auto textures = DeviceTextures::make(driver, plan,
                                             {std::make_move_iterator(first), std::make_move_iterator(initial.end())});
        if (!textures)
            return textures.error();
        result.m_textures = std::move(*textures);
    }
    std::vector<const Argument*> all;
    for (const auto* some : {&plan.arguments, &plan.globalBuffers})
        for (const Argument& argument : *some)
            all.push_back(&argument);
    result.m_parameters = plan.arguments.size();
    const auto bytesOfBuffer = [](const Argument& a) { return a.count * std::uint64_t(bytesOf(a.type)); };

    std::map<std::string, std::uint64_t> addresses;
    for (const Argument* argument : all) { // every buffer has its address before one is written down
        One one;
        one.isBuffer = argument->isBuffer;
        if (one.isBuffer) {
            auto memory = DeviceBuffer::allocate(bytesOfBuffer(*argument));
            if (!memory)
                return memory.error();
            one.memory = std::move(*memory);
            one.address = one.memory.address();
            addresses[argument->name] = one.address;
        }
        result.m_all.push_back(std::move(one));
    }
    const auto point = [&](const std::vector<BufferPointer>& pointers, std::vector<std::byte>& into) -> Result<void> {
        for (const BufferPointer& pointer : pointers) {
            const std::uint64_t* object = result.m_textures ? result.m_textures->object(pointer.buffer) : nullptr;
            if (object && pointer.offset + 8 <= into.size()) {
                std::memcpy(into.data() + pointer.offset, object, 8);
                continue;
            }
            const auto target = addresses.find(pointer.buffer);
            if (target == addresses.end() || pointer.offset + 8 > into.size())
                return Error{say::NoAddressAt(pointer.buffer, std::to_string(pointer.offset))};
            const std::uint64_t address = target->second + pointer.addend;
            std::memcpy(into.data() + pointer.offset, &address, 8);
        }
        return {};
    };
    for (std::size_t i = 0; i < all.size(); ++i) {
        One& one = result.m_all[i];
        std::vector<std::byte>& bytes = initial[i];
        if (one.isBuffer && !all[i]->pointers.empty())
            bytes.resize(bytesOfBuffer(*all[i]));
        if (auto ok = point(all[i]->pointers, bytes); !ok)
            return ok.error();
        if (all[i]->tensorMap) {
            const auto base = addresses.find(all[i]->tensorMap->buffer);
            if (base == addresses.end())
                return Error{say::MapNamesNoBuffer(all[i]->tensorMap->buffer)};
            auto encoded = encodeTensorMap(driver, *all[i]->tensorMap, base->second);
            if (!encoded)
                return encoded.error();
            bytes = std::move(*encoded);
        }
        if (!one.isBuffer) {
            one.scalar = std::move(bytes);
            one.scalar.resize(std::max<std::size_t>(one.scalar.size(), 8)); // never read past the end
            continue;
        }
        auto pristine = DeviceBuffer::allocate(bytes.size()); // nothing: zeros, of which no copy is kept
        if (!pristine)
            return pristine.error();
        one.pristine = std::move(*pristine);
        if (auto ok = one.pristine.write(bytes); !ok)
            return ok.error();
    }
    for (const GlobalPatch& patch : plan.globals) {
        Variable variable{patch.symbol, patch.bytes};
        if (auto ok = point(patch.pointers, variable.bytes); !ok)
            return ok.error();
        result.m_variables.push_back(std::move(variable));
    }
    if (auto ok = result.restore(); !ok)
        return ok.error();
    return result;
}

Result<void> Arguments::setVariables(const LinkedModule& module) const {
    for (const Variable& variable : m_variables) {
        const auto place = module.global(variable.symbol);
        if (!place)
            return place.error();
        const cudaError_t code =
            cudaMemcpy(reinterpret_cast<void*>(std::uintptr_t(place->first)), variable.bytes.data(),
                       std::min(variable.bytes.size(), place->second), cudaMemcpyHostToDevice);
        if (code != cudaSuccess)
            return errorOf(code, say::GpuVariableNotSet);
    }
    return m_textures ? m_textures->bindReferences(module.handle()) : Result<void>();
}

Result<void> Arguments::restore() {
    for (One& one : m_all)
        if (one.isBuffer)
            if (auto ok = one.pristine.bytes() > 0 ? one.memory.copyFrom(one.pristine) : one.memory.clear(); !ok)
                return ok;
    return m_textures ? m_textures->restore() : Result<void>();
}

Result<std::vector<std::vector<std::byte>>> Arguments::read() const {
    std::vector<std::vector<std::byte>> all;
    for (const One& one : m_all) {
        auto& bytes = all.emplace_back();
        if (!one.isBuffer)
            continue;
        bytes.resize(one.memory.bytes());
        if (auto ok = one.memory.read(bytes); !ok)
            return ok.error();
    }
    if (m_textures) {
        auto arrays = m_textures->read();
        if (!arrays)
            return arrays.error();
        all.insert(all.end(), std::make_move_iterator(arrays->begin()), std::make_move_iterator(arrays->end()));
    }
    return all;
}

std::vector<void*> Arguments::values() {
    std::vector<void*> all;
    for (std::size_t i = 0; i < m_parameters; ++i)
        all.push_back(m_all[i].isBuffer ? static_cast<void*>(&m_all[i].address)
                                        : static_cast<void*>(m_all[i].scalar.data()));
    return all;
}

bool synchronisesGrid(const ptx::Module& module, const std::string& entry) {
    std::set<std::string> seen{entry};
    for (std::vector<std::string> open{entry}; !open.empty();) {
        const ptx::Function* function = module.findFunction(open.back());
        open.pop_back();
        if (!function)
            continue;
        for (const ptx::Instruction& i : function->body)
            for (const ptx::Operand& o : i.operands) {
                if (o.kind == ptx::Operand::Kind::Special && o.name.starts_with("%envreg"))
                    return true;
                if (o.kind == ptx::Operand::Kind::Symbol && seen.insert(o.name).second)
                    open.push_back(o.name);
            }
    }
    return false;
}

Result<void> checkShape(const LaunchShape& shape, int device) {
    const Dim3 g = shape.grid, b = shape.block;
    if (g.count() == 0 || b.count() == 0)
        return Error{say::GridRunsNothing(g.text(), b.text())};
    for (const auto& [value, limit, told] :
         {std::tuple(b.count(), cudaDevAttrMaxThreadsPerBlock, say::ThreadsOverLimit),
          std::tuple(std::uint64_t(b.x), cudaDevAttrMaxBlockDimX, say::ThreadsInXOverLimit),
          std::tuple(std::uint64_t(b.y), cudaDevAttrMaxBlockDimY, say::ThreadsInYOverLimit),
          std::tuple(std::uint64_t(b.z), cudaDevAttrMaxBlockDimZ, say::ThreadsInZOverLimit),
          std::tuple(std::uint64_t(g.x), cudaDevAttrMaxGridDimX, say::BlocksInXOverLimit),
          std::tuple(std::uint64_t(g.y), cudaDevAttrMaxGridDimY, say::BlocksInYOverLimit),
          std::tuple(std::uint64_t(g.z), cudaDevAttrMaxGridDimZ, say::BlocksInZOverLimit),
          std::tuple(std::uint64_t(shape.sharedBytes), cudaDevAttrMaxSharedMemoryPerBlockOptin,
                     say::SharedOverLimit)}) {
        const auto most = std::uint64_t(attribute(limit, device));
        if (value > most)
            return Error{told(value, most)};
    }
    return {};
}

Result<Launched> launchAndWait(const Driver& driver, CUfunction function, const LaunchShape& shape,
                               std::vector<void*> parameters, double limitSeconds, const std::function<void()>& alive) {
    if (shape.sharedBytes > 48 * 1024) // more has to be asked for
        driver.cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, int(shape.sharedBytes));
    const Event begin, end;
    cudaEventRecord(begin.event, nullptr);
    if (shape.cluster && !driver.cuLaunchKernelEx)
        return Error{say::NoClusters};
    const CUresult refused =
        shape.cluster ? launchClusters(driver, function, shape, parameters)
        : shape.cooperative
            ? driver.cuLaunchCooperativeKernel(function, shape.grid.x, shape.grid.y, shape.grid.z, shape.block.x,
                                               shape.block.y, shape.block.z, shape.sharedBytes, nullptr,
                                               parameters.data())
            : driver.cuLaunchKernel(function, shape.grid.x, shape.grid.y, shape.grid.z, shape.block.x, shape.block.y,
                                    shape.block.z, shape.sharedBytes, nullptr, parameters.data(), nullptr);
    if (refused != CUDA_SUCCESS)
        return errorOf(driver, refused, say::GpuRefused);
    cudaEventRecord(end.event, nullptr);

    Launched launched;
    const auto started = Clock::now();
    auto spoke = started;
    for (;;) {
        launched.code = cudaEventQuery(end.event);
        if (launched.code != cudaErrorNotReady)
            break;
        const auto now = Clock::now();
        if (std::chrono::duration<double>(now - started).count() > limitSeconds) {
            launched.ended = false;
            return launched;
        }
        if (now - spoke > std::chrono::milliseconds(200)) {
            alive();
            spoke = now;
        }
        std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
    if (launched.code == cudaSuccess)
        launched.code = cudaDeviceSynchronize(); // what the kernel printed comes out here
    if (launched.code == cudaSuccess) {
        float milliseconds = 0;
        cudaEventElapsedTime(&milliseconds, begin.event, end.event);
        launched.milliseconds = double(milliseconds);
    }
    return launched;
}

Error faultOf(const Launched& launched, const Said& kernel, double limitSeconds) {
    if (!launched.ended)
        return {say::DidNotEnd(kernel.message(), fmt::format("{:g}", limitSeconds)), "", 0, 0, say::LookForEndlessLoop};
    return {say::FailedOnGpu(kernel.message(), cudaGetErrorString(launched.code), std::to_string(int(launched.code))),
            "", 0, 0, say::EmulatorNamesTheLine};
}

} // namespace warpglass::cuda
