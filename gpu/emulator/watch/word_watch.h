// SPDX-License-Identifier: GPL-3.0-or-later
// Who used a word, in the order in which it was used: asked of a launch that is made again (EmulatorOptions::word). The last
// uses are kept, the others counted, so that memory stays bounded. Others pay nothing: it is one of the watchers.
#pragma once

#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/state/exec.h"
#include "gpu/launch/backend.h"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace warpglass::emulator {

// The same word by an address, if it is of global memory; of shared memory only whether there is such a variable. Error: the
// launch has no memory of that name.
Result<WatchedWord> placeOfWord(const WatchedWord& asked, const Program& program, GlobalMemory& memory);

class WordWatch {
public:
    // As placeOfWord() has it.
    explicit WordWatch(WatchedWord asked) : m_asked(std::move(asked)) {}

    void access(Exec& x, const Inst& in); // of x.access and x.address
    // Bytes that an asynchronous copy moves, asked for at that position; counted in words of four bytes.
    void copied(Exec& x, MemorySpace space, AccessKind kind, const BlockState& home, std::uint64_t at,
                std::uint64_t bytes, const std::byte* values, std::uint32_t position, int lane);

    // All of it as notes, the last use first, with their number behind it.
    std::vector<Diagnostic> told() const;

private:
    std::optional<std::uint64_t> baseIn(const Exec& x, MemorySpace space, const BlockState& home);
    std::optional<std::uint64_t> elementOf(std::uint64_t base, std::uint64_t at, std::uint64_t each,
                                           std::uint64_t count) const;
    // A use is put into words only when it is told: most are dropped before.
    struct Use {
        Diagnostics::Spot at;
        AccessKind kind = AccessKind::Load;
        ptx::Type type = ptx::Type::None; // that the value is shown as
        std::uint32_t size = 0;
        std::array<std::byte, 16> value{};
        std::uint64_t address = 0, step = 0; // of the warp
    };
    void keep(const Exec& x, AccessKind kind, std::uint32_t position, int lane, std::uint64_t address, ptx::Type type,
              std::span<const std::byte> value);

    WatchedWord m_asked;
    std::optional<std::uint64_t> m_sharedBase; // once it is known
    const Program* m_program = nullptr;        // of which that is known
    std::vector<Use> m_uses; // the last ones: the next one's place is m_reads + m_writes, going around
    std::uint64_t m_reads = 0, m_writes = 0;
};

} // namespace warpglass::emulator
