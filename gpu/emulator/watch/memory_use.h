// SPDX-License-Identifier: GPL-3.0-or-later
// Which bytes of global memory a grid touches, exactly, while it runs (gpu/base/touched.h): by plain accesses and by strong
// ones, a bit each in pages. Rows that follow each other are put together before (noteRow): most are of that kind. Texels
// count by where they lie. What the device's runtime copies is not among them. A grid that touches more pages than there is
// room for has the first ones noted: what is not known here is never told.
#pragma once

#include "gpu/base/touched.h"
#include "gpu/emulator/state/exec.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>

namespace warpglass::emulator {

struct PendingCopy;

struct UsePage {
    std::uint64_t key = 0; // 2 * number of the page, + 1 for strong accesses
    std::array<std::atomic<std::uint64_t>, 64> reads{}, writes{};
};

class MemoryUse {
public:
    static constexpr std::uint64_t pageBytes = 4096;
    static constexpr std::size_t mostPages = 1 << 16, mostRanges = 1 << 16;
    struct How {
        bool reads = false, writes = false, strong = false;
    };
    using Recent = std::array<UsePage*, Exec::recentPages>; // of one thread
    // Any thread.
    void note(std::uint64_t begin, std::uint64_t end, How how, Recent& recent);
    void noteStretch(std::uint64_t begin, std::uint64_t end, How how, Recent& recent); // of many rows
    Touched touched() const;                                                           // when nobody notes any longer

private:
    UsePage* page(std::uint64_t key, Recent& recent);
    std::mutex m_mutex;
    std::unordered_map<std::uint64_t, std::unique_ptr<UsePage>> m_pages;
    Touched m_stretches; // of a page and more, as they came
};

// What a grid touches once it has launched others, which run while it does: by how many launches there were before, and by
// the instruction.
class UseAfterLaunches {
public:
    static constexpr std::uint32_t mostLaunches = 16; // what comes behind more is behind the last of these
    struct By {
        MemoryUse use;
        MemoryUse::Recent recent{};
        std::uint32_t block = 0, thread = 0; // who did first
    };
    std::uint32_t launches = 0;                                // but for those that begin when the grid has ended
    std::map<std::pair<std::uint32_t, std::uint32_t>, By> all; // [launches, position]
};

void noteUse(Exec& x, const Inst& in); // of x.access and x.address
// A warp's loads or stores lie one behind the other.
[[gnu::always_inline]] inline void noteRow(Exec& x, const Inst& in, std::uint64_t begin, std::uint64_t end,
                                           bool isStore);
void noteOpen(Exec& x, Exec::OpenUse& open); // what noteRow has put together
void noteAllOpen(Exec& x);
void noteCopy(Exec& x, const PendingCopy& copy); // asked for
// So many bytes from each of these addresses on, of a texture or a surface.
void noteTexels(Exec& x, const Inst& in, int lane, std::span<const std::uint64_t> addresses, std::uint32_t bytes);

inline void noteRow(Exec& x, const Inst& in, std::uint64_t begin, std::uint64_t end, bool isStore) {
    Exec::OpenUse& open = x.openUse[in.index % x.openUse.size()];
    if (open.position == in.index) [[likely]] {
        if (begin == open.end) [[likely]] {
            open.end = end;
            return;
        }
        if (begin >= open.begin && end <= open.end)
            return;
    }
    noteOpen(x, open);
    const InstInfo& info = x.program->info[in.index];
    open = {in.index, !isStore, info.is.semantics != ptx::Semantics::Default || info.isGuess, begin, end};
}

} // namespace warpglass::emulator
