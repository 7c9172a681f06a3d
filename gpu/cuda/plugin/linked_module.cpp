// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/plugin/linked_module.h"
#include "gpu/base/messages/gpu.h"

#include "gpu/cuda/plugin/libraries.h"

#include <array>
#include <cstring>
#include <fmt/format.h>
#include <utility>

namespace warpglass::cuda {

namespace {

// The link state and the logs it writes into, which must live as long.
struct Link {
    explicit Link(const Driver& d) : driver(d) {}
    ~Link() {
        if (state)
            driver.cuLinkDestroy(state);
    }
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;

    const Driver& driver;
    CUlinkState state = nullptr;
    std::array<char, 16384> errors{};
};

// The first lines of the compiler's log: the rest repeats them.
std::string firstLines(const char* log, int lines) {
    std::string text;
    for (const char* at = log; *at && lines > 0; ++at) {
        if (*at == '\n')
            --lines;
        text += *at == '\n' ? ' ' : *at;
    }
    while (!text.empty() && text.back() == ' ')
        text.pop_back();
    return text;
}

bool launchesKernels(const std::string& ptx) {
    return ptx.find("cudaCDP2") != std::string::npos || ptx.find("cudaLaunchDevice") != std::string::npos;
}

} // namespace

Result<LinkedModule> LinkedModule::link(const Driver& driver, const std::string& ptx, const std::string& name,
                                        CompileMode mode, bool lineTable, std::uint32_t mostRegisters,
                                        SharedLayout layout) {
    Link link(driver);
    std::vector<CUjit_option> options{CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    std::vector<void*> values{link.errors.data(), reinterpret_cast<void*>(link.errors.size())};
    if (mode == CompileMode::AsWritten) {
        options.insert(options.end(), {CU_JIT_OPTIMIZATION_LEVEL, CU_JIT_GENERATE_DEBUG_INFO});
        values.insert(values.end(), {nullptr, reinterpret_cast<void*>(std::uintptr_t(1))});
    }
    if (mostRegisters > 0) {
        options.push_back(CU_JIT_MAX_REGISTERS);
        values.push_back(reinterpret_cast<void*>(std::uintptr_t(mostRegisters)));
    }
    if (lineTable && mode != CompileMode::AsWritten) {
        options.push_back(CU_JIT_GENERATE_LINE_INFO);
        values.push_back(reinterpret_cast<void*>(std::uintptr_t(1)));
    }
    const auto failed = [&](CUresult code) {
        Error error = errorOf(driver, code, say::NotCompiled);
        if (link.errors[0])
            error.message = say::NotCompiledSaying(firstLines(link.errors.data(), 3));
        error.file = name;
        return error;
    };
    CUresult code = driver.cuLinkCreate(unsigned(options.size()), options.data(), values.data(), &link.state);
    if (code != CUDA_SUCCESS)
        return failed(code);
    code = driver.cuLinkAddData(link.state, CU_JIT_INPUT_PTX, const_cast<char*>(ptx.c_str()), ptx.size() + 1,
                                name.c_str(), 0, nullptr, nullptr);
    if (code != CUDA_SUCCESS)
        return failed(code);
    if (launchesKernels(ptx)) {
        const auto library = findLibrary("libcudadevrt.a");
        if (!library)
            return Error{say::NeedsDeviceRuntime, name, 0, 0, say::InstallDeviceRuntime};
        code = driver.cuLinkAddFile(link.state, CU_JIT_INPUT_LIBRARY, library->c_str(), 0, nullptr, nullptr);
        if (code != CUDA_SUCCESS)
            return failed(code);
    }
    void* cubin = nullptr;
    std::size_t bytes = 0;
    code = driver.cuLinkComplete(link.state, &cubin, &bytes);
    if (code != CUDA_SUCCESS)
        return failed(code);

    LinkedModule result(driver);
    const auto* first = static_cast<const std::byte*>(cubin);
    result.m_cubin.assign(first, first + bytes);
    // The driver gives no cubin of what it compiles as a whole, so that one is linked, too.
    const bool asCompiled = layout == SharedLayout::Compiled && !lineTable && !launchesKernels(ptx) &&
                            ptx.find(".shared") != std::string::npos;
    link.errors[0] = 0;
    code = asCompiled ? driver.cuModuleLoadDataEx(&result.m_module, ptx.c_str(), unsigned(options.size()),
                                                  options.data(), values.data())
                      : driver.cuModuleLoadData(&result.m_module, result.m_cubin.data());
    if (code != CUDA_SUCCESS)
        return failed(code);
    return result;
}

LinkedModule::LinkedModule(LinkedModule&& other) noexcept
    : m_driver(other.m_driver), m_module(std::exchange(other.m_module, nullptr)), m_cubin(std::move(other.m_cubin)) {}

LinkedModule::~LinkedModule() {
    if (m_module)
        m_driver->cuModuleUnload(m_module);
}

Result<CUfunction> LinkedModule::function(const std::string& entry) const {
    CUfunction result = nullptr;
    if (const CUresult code = m_driver->cuModuleGetFunction(&result, m_module, entry.c_str()); code != CUDA_SUCCESS)
        return errorOf(*m_driver, code, say::ModuleNoKernel(entry));
    return result;
}

Result<std::pair<CUdeviceptr, std::size_t>> LinkedModule::global(const std::string& symbol) const {
    std::pair<CUdeviceptr, std::size_t> result{};
    if (const CUresult code = m_driver->cuModuleGetGlobal(&result.first, &result.second, m_module, symbol.c_str());
        code != CUDA_SUCCESS)
        return errorOf(*m_driver, code, say::ModuleNoVariable(symbol));
    return result;
}

} // namespace warpglass::cuda
