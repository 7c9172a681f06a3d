// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of a process that this one has started, which the system copies to memory of this one and back: once, where a
// line copies twice. The other side names the places. That is no more to it than to write the same bytes on a line: it can
// name none but its own, what lies there is copied before it is looked at, and what is not there is refused.
#pragma once

#include "gpu/base/progress.h"

#include <cstddef>
#include <cstdint>
#include <span>

#include <sys/types.h>

namespace warpglass::cage {

class OtherMemory {
public:
    OtherMemory(pid_t process, const Progress& progress) : m_process(process), m_progress(progress) {}
    bool canBeReached() const; // false: the system refuses it
    // False: some of it is not there, or all was cancelled.
    bool read(std::span<std::byte> to, std::uint64_t from) const;
    bool write(std::span<const std::byte> from, std::uint64_t to) const;

private:
    template <class Copies>
    bool inPieces(std::size_t count, std::uint64_t there, Copies copies) const;
    pid_t m_process;
    const Progress& m_progress;
};

} // namespace warpglass::cage
