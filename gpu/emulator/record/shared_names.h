// SPDX-License-Identifier: GPL-3.0-or-later
// What lies in shared memory, as debug information names it (nvcc -G): elements and members of variables, also those of a
// struct that a pointer of the kernel means, as where one is laid over extern memory. Without it members of structs whose
// declarations the kernel's source has, if their size is what the PTX says.
#pragma once

#include "gpu/base/message.h"
#include "gpu/emulator/state/exec.h"
#include "gpu/launch/shared_members.h"
#include "gpu/ptx/debug_info.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpglass::emulator {

class SharedNames {
public:
    // Reads what its module tells, which outlives this, and the source of its kernel.
    explicit SharedNames(const LaunchState& launch);
    // The pointers to structs in shared memory that threads of the block hold where they are.
    void look(const BlockState& block);
    // "ring.full[1]", of so many bytes there; nothing: nobody tells.
    std::optional<std::string> at(std::uint64_t offset, std::uint64_t bytes) const;

private:
    struct View { // a struct, from that byte of shared memory on
        std::string name;
        std::uint64_t base = 0;
        std::uint32_t type = ptx::DebugInfo::none;
    };
    void look(const WarpContext& warp, const Frame& frame, std::uint32_t position, std::uint32_t lanes);
    void add(View view);

    const Program& m_program;
    ptx::DebugInfo m_info;
    std::vector<View> m_views; // the variables, then what pointers mean
    cuda_text::SharedMembers m_members;
};

// An mbarrier of the block as its users call it: by its member, by its place in an array of them, else by its byte.
Message mbarrierName(const SharedNames& names, const Program& program, const BlockState& home, std::uint32_t at);
// Whether that is a name of its own.
bool isNamedMbarrier(const SharedNames& names, const Program& program, const BlockState& home, std::uint32_t at);

} // namespace warpglass::emulator
