// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/plugin/launcher.h"

#include <chrono>
#include <fmt/format.h>
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

} // namespace

Result<Arguments> Arguments::make(const LaunchPlan& plan, std::vector<std::vector<std::byte>> initial) {
    Arguments result;
    for (std::size_t i = 0; i < plan.arguments.size(); ++i) {
        One one;
        one.isBuffer = plan.arguments[i].isBuffer;
        if (one.isBuffer) {
            const Argument& argument = plan.arguments[i];
            const auto take = [](DeviceMemory& memory, std::uint64_t bytes) -> Result<void> {
                auto allocated = DeviceMemory::allocate(bytes);
                if (!allocated)
                    return allocated.error();
                memory = std::move(*allocated);
                return {};
            };
            if (auto ok = take(one.memory, argument.count * std::uint64_t(bytesOf(argument.type))); !ok)
                return ok.error();
            if (auto ok = take(one.pristine, initial[i].size()); !ok) // nothing: zeros, of which no copy is kept
                return ok.error();
            if (auto ok = one.pristine.write(initial[i]); !ok)
                return ok.error();
            one.address = one.memory.address();
        } else {
            one.scalar = std::move(initial[i]);
            one.scalar.resize(std::max<std::size_t>(one.scalar.size(), 8)); // never read past the end
        }
        result.m_all.push_back(std::move(one));
    }
    if (auto ok = result.restore(); !ok)
        return ok.error();
    return result;
}

Result<void> Arguments::restore() {
    for (One& one : m_all)
        if (one.isBuffer)
            if (auto ok = one.pristine.bytes() > 0 ? one.memory.copyFrom(one.pristine) : one.memory.clear(); !ok)
                return ok;
    return {};
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
    return all;
}

std::vector<void*> Arguments::values() {
    std::vector<void*> all;
    for (One& one : m_all)
        all.push_back(one.isBuffer ? static_cast<void*>(&one.address) : static_cast<void*>(one.scalar.data()));
    return all;
}

Result<void> checkShape(const Shape& shape, int device) {
    const Dim3 g = shape.grid, b = shape.block;
    if (g.count() == 0 || b.count() == 0)
        return Error{fmt::format("a grid of {} blocks of {} threads runs nothing", g.text(), b.text())};
    const auto over = [&](std::uint64_t value, cudaDeviceAttr limit, const char* what) -> Result<void> {
        const auto most = std::uint64_t(attribute(limit, device));
        if (value <= most)
            return {};
        return Error{fmt::format("{} {} are more than this GPU's limit of {}", value, what, most)};
    };
    for (const auto& [value, limit, what] :
         {std::tuple(b.count(), cudaDevAttrMaxThreadsPerBlock, "threads a block"),
          std::tuple(std::uint64_t(b.x), cudaDevAttrMaxBlockDimX, "threads a block in x"),
          std::tuple(std::uint64_t(b.y), cudaDevAttrMaxBlockDimY, "threads a block in y"),
          std::tuple(std::uint64_t(b.z), cudaDevAttrMaxBlockDimZ, "threads a block in z"),
          std::tuple(std::uint64_t(g.x), cudaDevAttrMaxGridDimX, "blocks in x"),
          std::tuple(std::uint64_t(g.y), cudaDevAttrMaxGridDimY, "blocks in y"),
          std::tuple(std::uint64_t(g.z), cudaDevAttrMaxGridDimZ, "blocks in z"),
          std::tuple(std::uint64_t(shape.sharedBytes), cudaDevAttrMaxSharedMemoryPerBlockOptin,
                     "bytes of shared memory a block")})
        if (auto ok = over(value, limit, what); !ok)
            return ok;
    return {};
}

Result<Launched> launchAndWait(const Driver& driver, CUfunction function, const Shape& shape,
                               std::vector<void*> parameters, double limitSeconds, const std::function<void()>& alive) {
    if (shape.sharedBytes > 48 * 1024) // more has to be asked for
        driver.cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, int(shape.sharedBytes));
    const Event begin, end;
    cudaEventRecord(begin.event, nullptr);
    const CUresult refused =
        driver.cuLaunchKernel(function, shape.grid.x, shape.grid.y, shape.grid.z, shape.block.x, shape.block.y,
                              shape.block.z, shape.sharedBytes, nullptr, parameters.data(), nullptr);
    if (refused != CUDA_SUCCESS)
        return errorOf(driver, refused, "the GPU refused the launch");
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

Error faultOf(const Launched& launched, const std::string& kernel, double limitSeconds) {
    if (!launched.ended)
        return {
            fmt::format("{} did not end within {:g} seconds and was stopped", kernel, limitSeconds), "", 0, 0,
            "Look for a loop that never ends or a barrier that some threads never reach; the emulator names the line."};
    const char* remedy = "Run it on the emulator, which names the line, block and thread.";
    return {fmt::format("{} failed on the GPU: {} (error {})", kernel, cudaGetErrorString(launched.code),
                        int(launched.code)),
            "", 0, 0, remedy};
}

} // namespace warpglass::cuda
