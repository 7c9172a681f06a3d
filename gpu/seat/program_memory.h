// SPDX-License-Identifier: GPL-3.0-or-later
// The program's memory on the GPU, kept while one of its launches runs several times.
#pragma once

#include "gpu/cuda/plugin/device_buffer.h"
#include "gpu/cuda/plugin/launcher.h"
#include "gpu/seat/seat.h"

#include <string>
#include <utility>
#include <vector>

namespace warpglass::seat {

class ProgramMemory : public cuda::LaunchMemory {
public:
    struct Variable {
        std::string name;
        std::uint64_t address = 0, bytes = 0; // the program's
    };
    // variables: those of global memory that the kernel names. constants: those of constant memory, which every module
    // has for itself. keep: so that it can be put back. Error: why it cannot be kept.
    static Result<ProgramMemory> make(const Seat& seat, const std::vector<Variable>& variables,
                                      std::vector<Variable> constants, std::vector<void*> values, bool keep);

    Result<void> restore() override;
    Result<void> setVariables(const cuda::LinkedModule& module) const override;
    Result<std::vector<std::vector<std::byte>>> read() const override { return std::vector<std::vector<std::byte>>(); }
    std::vector<void*> values() override { return m_values; }
    bool canRepeat() const override { return m_keeps; }
    bool isSlow() const override { return m_slow; }
    void setSlow() { m_slow = true; }
    void launching() override { m_launched = !m_keeps; }
    bool launched() const { return m_launched; } // the one time that it may

private:
    struct Kept {
        std::uint64_t address = 0, bytes = 0;
        cuda::DeviceBuffer copy;
    };
    std::vector<Kept> m_kept;
    std::vector<Variable> m_constants;
    std::vector<void*> m_values;
    bool m_keeps = false, m_launched = false, m_slow = false;
};

} // namespace warpglass::seat
