// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/plugin/replay.h"
#include "gpu/base/messages/gpu.h"

#include "gpu/cuda/plugin/facts.h"
#include "gpu/cuda/plugin/probed_run.h"
#include "gpu/ptx/extract.h"
#include "gpu/ptx/join.h"
#include "gpu/trace/file.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace warpglass::cuda {

namespace {

// Device memory at addresses that somebody else's had, given back when this goes.
class MappedMemory {
public:
    explicit MappedMemory(const Driver& driver) : m_driver(&driver) {}
    MappedMemory(MappedMemory&& other) noexcept : m_driver(other.m_driver), m_parts(std::move(other.m_parts)) {
        other.m_parts.clear();
    }
    MappedMemory& operator=(MappedMemory&&) = delete;
    ~MappedMemory() {
        for (const Part& p : m_parts) {
            if (p.mapped)
                m_driver->cuMemUnmap(p.address, p.bytes);
            if (p.handle)
                m_driver->cuMemRelease(p.handle);
            if (p.pool)
                cudaFreeAsync(reinterpret_cast<void*>(std::uintptr_t(p.address)), nullptr);
            else
                m_driver->cuMemAddressFree(p.address, p.bytes);
        }
    }

    Result<void> map(const AddressRange& range, int device, const std::vector<KeptArea>& areas) {
        CUdeviceptr at = 0;
        if (m_driver->cuMemAddressReserve(&at, range.bytes, 0, range.address, 0) != CUDA_SUCCESS)
            return Error{say::NoRoomForAddresses(fmt::format("0x{:x}", range.address))};
        if (at != range.address) {
            m_driver->cuMemAddressFree(at, range.bytes);
            return poolAt(range, areas);
        }
        Part& part = m_parts.emplace_back(Part{range.address, range.bytes});
        CUmemAllocationProp what{};
        what.type = CU_MEM_ALLOCATION_TYPE_PINNED;
        what.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
        if (m_driver->cuMemCreate(&part.handle, range.bytes, &what, 0) != CUDA_SUCCESS)
            return Error{say::NoRoomTwice(range.bytes >> 20)};
        CUmemAccessDesc access{};
        access.location = what.location;
        access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        part.mapped = m_driver->cuMemMap(at, range.bytes, 0, part.handle, 0) == CUDA_SUCCESS;
        if (!part.mapped || m_driver->cuMemSetAccess(at, range.bytes, &access, 1) != CUDA_SUCCESS)
            return Error{say::NoMemoryAt(fmt::format("0x{:x}", range.address))};
        return {};
    }

private:
    struct Part {
        CUdeviceptr address = 0;
        std::uint64_t bytes = 0;
        CUmemGenericAllocationHandle handle = 0;
        bool mapped = false, pool = false;
    };

    // Memory of a pool (cudaMallocAsync) lies where only a pool has addresses, from the same one on in every process: one
    // piece of it, from there to the end of the last.
    Result<void> poolAt(const AddressRange& range, const std::vector<KeptArea>& areas) {
        std::uint64_t end = range.address;
        for (const KeptArea& a : areas)
            if (a.address >= range.address && a.address < range.address + range.bytes)
                end = std::max(end, a.address + a.bytes);
        void* at = nullptr;
        if (cudaMallocAsync(&at, end - range.address, nullptr) == cudaSuccess) {
            m_parts.push_back(
                {std::uint64_t(reinterpret_cast<std::uintptr_t>(at)), end - range.address, 0, false, true});
            if (m_parts.back().address == range.address && cudaDeviceSynchronize() == cudaSuccess)
                return {};
        }
        cudaGetLastError(); // said here
        return Error{say::NoMemoryAtPrograms(fmt::format("0x{:x}", range.address))};
    }

    const Driver* m_driver;
    std::vector<Part> m_parts;
};

class ReplayMemory : public LaunchMemory {
public:
    static Result<ReplayMemory> make(const Driver& driver, const ReplayRequest& request,
                                     const std::vector<std::string>& contents) {
        ReplayMemory memory(driver, request, contents);
        for (const AddressRange& range : rangesOf(request.areas))
            if (auto ok = memory.m_mapped.map(range, request.device, request.areas); !ok)
                return ok.error();
        for (std::size_t i = 0; i < request.areas.size(); ++i) {
            if (request.areas[i].address == 0)
                continue;
            auto pristine = DeviceBuffer::allocate(contents[i].size());
            if (!pristine)
                return pristine.error();
            if (auto ok = pristine->write(std::as_bytes(std::span(contents[i]))); !ok)
                return ok.error();
            memory.m_pristine.emplace_back(request.areas[i].address, std::move(*pristine));
        }
        return memory;
    }

    Result<void> restore() override {
        for (const auto& [address, copy] : m_pristine)
            if (const auto code = cudaMemcpy(reinterpret_cast<void*>(std::uintptr_t(address)),
                                             reinterpret_cast<void*>(std::uintptr_t(copy.address())), copy.bytes(),
                                             cudaMemcpyDeviceToDevice);
                code != cudaSuccess)
                return errorOf(code, say::LaunchNotPutBack);
        const auto code = cudaDeviceSynchronize();
        return code == cudaSuccess ? Result<void>() : errorOf(code, say::LaunchNotPutBack);
    }
    Result<void> setVariables(const LinkedModule& module) const override {
        for (std::size_t i = 0; i < m_request.areas.size(); ++i) {
            if (m_request.areas[i].role != KeptRole::Constant)
                continue;
            const auto place = module.global(m_request.areas[i].name);
            if (!place) // the kernel does not use it
                continue;
            const auto code = cudaMemcpy(reinterpret_cast<void*>(std::uintptr_t(place->first)), m_contents[i].data(),
                                         std::min(m_contents[i].size(), place->second), cudaMemcpyHostToDevice);
            if (code != cudaSuccess)
                return errorOf(code, say::ConstantNotTaken);
        }
        return {};
    }
    Result<std::vector<std::vector<std::byte>>> read() const override { return std::vector<std::vector<std::byte>>(); }
    bool canRepeat() const override { return !m_request.once; }
    std::vector<void*> values() override {
        std::vector<void*> all;
        for (const std::uint32_t at : m_request.parameters)
            all.push_back(m_parameters.data() + std::min<std::size_t>(at, m_parameters.size()));
        return all;
    }

private:
    ReplayMemory(const Driver& driver, const ReplayRequest& request, const std::vector<std::string>& contents)
        : m_request(request), m_contents(contents), m_mapped(driver),
          m_parameters(contents.empty() ? std::string() : contents.front()) {
        m_parameters.resize(std::max<std::size_t>(m_parameters.size(), request.parameterBytes) + 8);
    }
    const ReplayRequest& m_request;
    const std::vector<std::string>& m_contents;
    MappedMemory m_mapped;
    std::vector<std::pair<std::uint64_t, DeviceBuffer>> m_pristine;
    std::string m_parameters;
};

} // namespace

Result<ReplayAnswer> replay(const ReplayRequest& request, const std::vector<std::string>& contents,
                            const std::function<void()>& alive, const std::function<void()>& giveUp, Missed& missed) {
    const auto driver = loadDriver();
    if (!driver)
        return driver.error();
    if (const cudaError_t code = cudaSetDevice(request.device); code != cudaSuccess)
        return errorOf(code, say::GpuNotUsed);
    cudaFree(nullptr); // a context, before addresses are asked for
    for (const auto& [limit, value] : request.limits)
        cudaDeviceSetLimit(cudaLimit(limit), value);
    const auto device = currentDevice();
    if (!device)
        return device.error();
    auto whole =
        ptx::parseJoined(request.plan.ptx, request.plan.moduleName); // as the seat has it: of several files perhaps
    if (!whole)
        return whole.error();
    ptx::Module module = ptx::extract(*whole, request.plan.entry);
    ptx::bindVariables(module, ptx::Addresses(request.variables.begin(), request.variables.end()));
    missed = Missed::Place;
    auto memory = ReplayMemory::make(*driver, request, contents);
    if (!memory)
        return memory.error();
    missed = Missed::Other;
    alive();
    KernelForm form{request.sharedBytes, {}, SharedLayout::Compiled};
    for (const auto& [attribute, value] : request.settings)
        form.settings.emplace_back(CUfunction_attribute(attribute), value);
    const LaunchPlan& plan = request.plan;
    const auto hung = [&](const Launched&) { giveUp(); };
    const TraceInfo info = infoOf(*device, plan, request.options);
    auto probed = runProbed(*driver, plan, {plan.grid, plan.block, plan.sharedBytes, plan.cluster, request.cooperative},
                            request.options, module, *memory, info, nullptr, alive, hung, form);
    if (!probed) {
        if (cudaDeviceSynchronize() != cudaSuccess) // what is lost stays lost
            missed = Missed::Fault;
        return probed.error();
    }
    addProbedFacts(probed->trace, plan, *probed);
    Progress nobody;
    if (auto ok = writeTrace(probed->trace, request.trace, nobody); !ok)
        return ok.error();
    return ReplayAnswer{probed->durationNs};
}

} // namespace warpglass::cuda
