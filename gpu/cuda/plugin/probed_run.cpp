// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/plugin/probed_run.h"
#include "gpu/base/messages/gpu.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <fmt/format.h>
#include <limits>

namespace warpglass::cuda {

namespace {

using probe::ProbeMemory;
constexpr std::size_t bufferCount = ProbeMemory::Count_;

constexpr std::uint64_t mostRecordBytes = std::uint64_t(2) << 30;

// The probes' buffers on the device, and the control block that tells the kernel where they are.
class ProbeBuffers {
public:
    static Result<ProbeBuffers> make(const ProbeMemory& memory) {
        ProbeBuffers result;
        for (std::size_t b = 0; b < bufferCount; ++b) {
            auto allocated = DeviceBuffer::allocate(bytesOfBuffer(memory, b));
            if (!allocated)
                return allocated.error();
            result.m_device[b] = std::move(*allocated);
        }
        return result;
    }

    // As at first: records zeroed, the others with what they hold before a launch.
    Result<void> restore(const ProbeMemory& memory) {
        for (std::size_t b = 0; b < bufferCount; ++b) {
            DeviceBuffer& device = m_device[b];
            if (memory.initial[b].empty()) {
                const auto code = cudaMemset(reinterpret_cast<void*>(device.address()), 0, device.bytes());
                if (device.bytes() > 0 && code != cudaSuccess)
                    return errorOf(code, say::ProbesNotCleared);
            } else if (auto ok = device.write(memory.initial[b]); !ok) {
                return ok;
            }
        }
        return {};
    }

    Result<void> tell(const LinkedModule& module, const ProbeMemory& memory) const {
        probe::Control control = memory.control;
        static_assert(offsetof(probe::Control, blockCapacity) == bufferCount * sizeof(std::uint64_t),
                      "the control block begins with one pointer a buffer, in the buffers' order");
        std::array<std::uint64_t, bufferCount> pointers{};
        for (std::size_t b = 0; b < bufferCount; ++b)
            pointers[b] = m_device[b].address();
        std::memcpy(static_cast<void*>(&control), pointers.data(), sizeof pointers);
        const auto symbol = module.global(probe::controlSymbol);
        if (!symbol)
            return symbol.error();
        const auto code = cudaMemcpy(reinterpret_cast<void*>(symbol->first), &control,
                                     std::min(sizeof control, symbol->second), cudaMemcpyHostToDevice);
        return code == cudaSuccess ? Result<void>() : Result<void>(errorOf(code, say::ProbesNotTold));
    }

    Result<std::array<std::vector<std::byte>, bufferCount>> read() const {
        std::array<std::vector<std::byte>, bufferCount> all;
        for (std::size_t b = 0; b < bufferCount; ++b) {
            all[b].resize(m_device[b].bytes());
            if (auto ok = m_device[b].read(all[b]); !ok)
                return ok.error();
        }
        return all;
    }

    // While the kernel runs, on a stream that was made before.
    Result<std::array<std::vector<std::byte>, bufferCount>> readBeside(cudaStream_t stream) const {
        std::array<std::vector<std::byte>, bufferCount> all;
        for (std::size_t b = 0; b < bufferCount; ++b) {
            all[b].resize(m_device[b].bytes());
            if (all[b].empty())
                continue;
            const auto code = cudaMemcpyAsync(all[b].data(), reinterpret_cast<const void*>(m_device[b].address()),
                                              all[b].size(), cudaMemcpyDeviceToHost, stream);
            if (code != cudaSuccess)
                return errorOf(code, say::ProbesNotRead);
        }
        if (const auto code = cudaStreamSynchronize(stream); code != cudaSuccess)
            return errorOf(code, say::ProbesNotRead);
        return all;
    }

private:
    static std::size_t bytesOfBuffer(const ProbeMemory& memory, std::size_t b) {
        return b == ProbeMemory::Records ? memory.recordBytes : memory.initial[b].size();
    }
    std::array<DeviceBuffer, bufferCount> m_device;
};

probe::RawRecords viewOf(const std::array<std::vector<std::byte>, bufferCount>& bytes) {
    probe::RawRecords raw;
    for (std::size_t b = 0; b < bufferCount; ++b)
        raw.buffer[b] = bytes[b];
    return raw;
}

// True if some lane of a chosen warp had more to say than fitted.
bool overflowed(const ProbeMemory& memory, const std::vector<std::uint32_t>& needed) {
    const auto& bytes = memory.initial[ProbeMemory::Streams];
    for (std::size_t i = 0; i < needed.size() && (i + 1) * sizeof(probe::Stream) <= bytes.size(); ++i) {
        probe::Stream stream;
        std::memcpy(&stream, bytes.data() + i * sizeof stream, sizeof stream);
        if (needed[i] > stream.end - stream.first)
            return true;
    }
    return false;
}

// Reads the clocks of all SMs, by a kernel of a few small blocks an SM. Without it blocks on SMs where no probed warp
// ran could not be put on the common axis.
class SmClocks {
public:
    static Result<SmClocks> make(const Driver& driver, int smCount, const std::function<void()>& alive) {
        auto module = LinkedModule::link(driver, probe::clockKernel(), "clocks.ptx", CompileMode::Optimised);
        if (!module)
            return module.error();
        const auto function = module->function("wgp_clocks");
        if (!function)
            return function.error();
        constexpr std::uint32_t blocksAnSm = 8, rowBytes = 24;
        SmClocks clocks(driver, std::move(*module), *function, std::uint32_t(smCount) * blocksAnSm, alive);
        auto rows = DeviceBuffer::allocate(std::size_t(clocks.m_blocks) * rowBytes);
        if (!rows)
            return rows.error();
        clocks.m_rows = std::move(*rows);
        return clocks;
    }

    Result<void> read(std::vector<probe::ClockPair>& pairs) {
        std::uint64_t address = m_rows.address();
        constexpr double limitSeconds = 10;
        const auto launched =
            launchAndWait(m_driver, m_function, {{m_blocks, 1, 1}, {32, 1, 1}, 0}, {&address}, limitSeconds, m_alive);
        if (!launched)
            return launched.error();
        if (!launched->ended || launched->code != cudaSuccess)
            return faultOf(*launched, "the kernel that reads the clocks", limitSeconds);
        std::vector<std::byte> rows(m_rows.bytes());
        if (auto ok = m_rows.read(rows); !ok)
            return ok;
        const auto read = probe::readClockRows(rows);
        pairs.insert(pairs.end(), read.begin(), read.end());
        return {};
    }

private:
    SmClocks(const Driver& driver, LinkedModule module, CUfunction function, std::uint32_t blocks,
             const std::function<void()>& alive)
        : m_driver(driver), m_module(std::move(module)), m_function(function), m_blocks(blocks), m_alive(alive) {}
    const Driver& m_driver;
    LinkedModule m_module;
    CUfunction m_function;
    std::uint32_t m_blocks;
    const std::function<void()>& m_alive;
    DeviceBuffer m_rows;
};

// Blocks of a cooperative launch must all be resident together; probes take registers, and so may take their places.
bool fitsAtOnce(const Driver& driver, CUfunction function, const LaunchShape& shape, int smCount) {
    int blocks = 0;
    driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, int(shape.block.count()), shape.sharedBytes);
    return std::uint64_t(std::max(blocks, 0)) * std::uint64_t(smCount) >= shape.grid.count();
}

// Registers a thread with which they are, as far as registers go: of 65,536 an SM, handed out by eights.
std::uint32_t registersFor(const LaunchShape& shape, int smCount) {
    constexpr std::uint64_t registersOfSm = 65536, least = 24;
    const std::uint64_t blocks = (shape.grid.count() + std::uint64_t(smCount) - 1) / std::uint64_t(smCount);
    const std::uint64_t threads = warpsFor(shape.block.count()) * lanesPerWarp * std::max<std::uint64_t>(blocks, 1);
    return std::uint32_t(std::max(least, registersOfSm / threads / 8 * 8));
}

// The kernel with probes, its shared memory laid out as the program's: as the compiler does it or, as in programs that
// were linked on the device, the linker; with as many registers as let its blocks run.
Result<LinkedModule> linkAlike(const Driver& driver, const probe::ProbedModule& module, const LaunchPlan& plan,
                               const LaunchShape& shape, const KernelForm& form, int smCount,
                               const std::function<void()>& alive) {
    std::uint32_t found = 0;
    for (const SharedLayout layout :
         {form.layout, form.layout == SharedLayout::Linked ? SharedLayout::Compiled : SharedLayout::Linked}) {
        const auto link = [&](std::uint32_t registers) {
            auto made = LinkedModule::link(driver, module.ptx, plan.moduleName, plan.mode, false, registers, layout);
            alive();
            return made;
        };
        auto made = link(0);
        if (!made)
            return made.error();
        const auto function = made->function(plan.entry);
        if (!function)
            return function.error();
        found = attributeOf(driver, *function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
        if (form.sharedBytes && found != *form.sharedBytes)
            continue;
        const bool tooWide =
            attributeOf(driver, *function, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK) < shape.block.count();
        if (tooWide || (shape.cooperative && !fitsAtOnce(driver, *function, shape, smCount)))
            return link(registersFor(shape, tooWide ? std::numeric_limits<int>::max() : smCount));
        return made;
    }
    return Error{say::OtherSharedLayout(found, *form.sharedBytes)};
}

} // namespace

bool launchesKernels(const ptx::Module& module) {
    return std::any_of(module.functions.begin(), module.functions.end(), [](const ptx::Function& f) {
        return f.name.find("cudaCDP2") != std::string::npos || f.name.find("cudaLaunchDevice") != std::string::npos;
    });
}

Result<ProbedRun> runProbed(const Driver& driver, const LaunchPlan& plan, const LaunchShape& shape,
                            const RunOptions& options, const ptx::Module& clean, LaunchMemory& memory,
                            const TraceInfo& info, const Cupti* cupti, const std::function<void()>& alive,
                            const std::function<void(const Launched&)>& hung, const KernelForm& form) {
    auto chosen = chosenBlocks(options.detail, plan.grid.count());
    if (!chosen)
        return chosen.error();
    probe::ProbeOptions how;
    how.accesses = options.detail.accesses;
    how.flatBlocks = plan.block.y == 1 && plan.block.z == 1 && !launchesKernels(clean);
    how.oneDimensional = how.flatBlocks && plan.grid.y == 1 && plan.grid.z == 1;
    const auto module = probe::insertProbes(clean, how);
    if (!module)
        return module.error();
    auto linked = linkAlike(driver, *module, plan, shape, form, info.smCount, alive);
    if (!linked)
        return linked.error();
    const auto function = linked->function(plan.entry);
    if (!function)
        return function.error();

    ProbedRun run;
    for (const auto& [attribute, value] : form.settings)
        driver.cuFuncSetAttribute(*function, attribute, value);
    run.registers = attributeOf(driver, *function, CU_FUNC_ATTRIBUTE_NUM_REGS);
    if (const auto code = linked->machineCode(plan.entry))
        run.code = *code;

    // The parameters that probing added, behind the kernel's own.
    std::vector<std::byte> filler(module->fillerBytesOf(plan.entry)), hidden(module->hiddenBytes);
    std::vector<void*> parameters = memory.values();
    for (std::vector<std::byte>* extra : {&filler, &hidden})
        if (!extra->empty())
            parameters.push_back(extra->data());

    auto clocks = SmClocks::make(driver, info.smCount, alive);
    if (!clocks)
        return clocks.error();
    probe::RecordOptions decoding;
    decoding.smClockMHz = info.smClockMHz;
    decoding.info = info;
    // From compute capability 9.0 on the system keeps the first kilobyte of each block's shared memory for itself.
    decoding.sharedBase = info.ccMajor >= 9 ? 1024 : 0;

    probe::MemoryBudget budget = probe::standardBudget(*module);
    budget.recordBytes = std::clamp<std::uint64_t>(options.maxEvents * sizeof(probe::Record), 1 << 16, mostRecordBytes);
    for (int attempt = 0;; ++attempt) {
        const auto room = probe::planMemory(*module, plan.grid, plan.block, *chosen, budget);
        if (!room)
            return room.error();
        auto buffers = ProbeBuffers::make(*room);
        if (!buffers)
            return buffers.error();
        if (auto ok = buffers->tell(*linked, *room); !ok)
            return ok.error();
        const Repeatable launch{driver,
                                *function,
                                shape,
                                parameters,
                                [&]() -> Result<void> {
                                    if (auto ok = memory.restore(); !ok)
                                        return ok;
                                    if (auto ok = memory.setVariables(*linked); !ok)
                                        return ok;
                                    return buffers->restore(*room);
                                },
                                options.timeLimitSeconds,
                                alive,
                                hung};
        if (attempt == 0 && memory.canRepeat() && !memory.isSlow() && !form.whileRunning) {
            const auto durations = timedLaunches(launch, 3, cupti);
            if (!durations)
                return durations.error();
            run.durationNs = (*durations)[durations->size() / 2];
        }
        // The recorded launch: by now the GPU runs at full speed, and its clocks are read right before and after.
        decoding.pairs.clear();
        if (auto ok = launch.prepare(); !ok)
            return ok.error();
        if (auto ok = clocks->read(decoding.pairs); !ok)
            return ok.error();
        cudaStream_t beside = nullptr; // else the driver would wait for the kernel to make it
        if (form.whileRunning)
            if (const auto code = cudaStreamCreateWithFlags(&beside, cudaStreamNonBlocking); code != cudaSuccess)
                return errorOf(code, say::ProbesNotRead);
        memory.launching();
        const auto launched =
            launchAndWait(driver, *function, launch.shape, parameters, options.timeLimitSeconds, alive);
        if (!launched)
            return launched.error();
        if (!launched->ended) {
            const auto bytes = form.whileRunning
                                   ? buffers->readBeside(beside)
                                   : Result<std::array<std::vector<std::byte>, bufferCount>>(Error{say::ProbesNotRead});
            decoding.unfinished = true;
            if (bytes)
                if (auto trace = probe::readRecords(clean, *module, *room, plan, viewOf(*bytes), decoding)) {
                    run.trace = std::move(*trace);
                    form.whileRunning(std::move(run), *launched);
                }
            hung(*launched);
        }
        if (launched->code != cudaSuccess)
            return faultOf(*launched, "the kernel with probes", options.timeLimitSeconds);
        if (auto ok = clocks->read(decoding.pairs); !ok)
            return ok.error();
        const auto bytes = buffers->read();
        if (!bytes)
            return bytes.error();
        const probe::RawRecords raw = viewOf(*bytes);
        if (!memory.canRepeat() || memory.isSlow())
            run.durationNs = launched->milliseconds * 1e6;
        if (attempt == 0 && memory.canRepeat()) {
            budget.needed = probe::neededRecords(*room, raw);
            if (overflowed(*room, budget.needed))
                continue;
        }
        auto trace = probe::readRecords(clean, *module, *room, plan, raw, decoding);
        if (!trace)
            return trace.error();
        run.trace = std::move(*trace);
        for (const Said& note : module->notes)
            run.trace.diagnostics.push_back(noteOf(note));
        auto results = memory.read();
        if (!results)
            return results.error();
        run.buffers = std::move(*results);
        return run;
    }
}

} // namespace warpglass::cuda
