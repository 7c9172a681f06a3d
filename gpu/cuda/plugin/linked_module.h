// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/cuda/cubin_counts.h"
#include "gpu/cuda/plugin/driver.h"
#include "gpu/trace/tables.h"

#include <memory>
#include <string>
#include <vector>

namespace warpglass::cuda {

// How a module's shared memory is laid out. ptxas places the variables of a kernel that it compiles as a whole; the linker
// places them anew, and forgets what alignment dynamic shared memory was declared with (nvlink 13.0: 16 bytes for 1,024).
enum class SharedLayout : std::uint8_t { Compiled, Linked };

// PTX, compiled by the driver and loaded into the current context; unloaded when this goes.
class LinkedModule {
public:
    // as-written: the driver's compiler does not optimise either. Modules that launch kernels are linked with the
    // device runtime. lineTable: the cubin says which line mark each instruction came from. mostRegisters: of a thread;
    // 0 = as many as the compiler likes. layout: what launches kernels, or has a line table, only the linker can make. Error: the compiler's own log.
    static Result<LinkedModule> link(const Driver& driver, const std::string& ptx, const std::string& name,
                                     CompileMode mode, bool lineTable = false, std::uint32_t mostRegisters = 0,
                                     SharedLayout layout = SharedLayout::Linked);
    LinkedModule(LinkedModule&& other) noexcept;
    LinkedModule& operator=(LinkedModule&&) = delete;
    ~LinkedModule();

    Result<CUfunction> function(const std::string& entry) const;
    // Address and size of a module's variable.
    Result<std::pair<CUdeviceptr, std::size_t>> global(const std::string& symbol) const;
    Result<CubinCounts> machineCode(const std::string& entry) const { return countCubin(m_cubin, entry); }

    CUmodule handle() const { return m_module; }
    // As the linker made it. Where the layout is the compiler's, what runs is the same code with other shared addresses.
    const std::vector<std::byte>& cubin() const { return m_cubin; }

private:
    explicit LinkedModule(const Driver& driver) : m_driver(&driver) {}
    const Driver* m_driver;
    CUmodule m_module = nullptr;
    std::vector<std::byte> m_cubin;
};

} // namespace warpglass::cuda
