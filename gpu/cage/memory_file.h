// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace warpglass::cage {

// A file without a name; gone with its last descriptor.
class MemoryFile {
public:
    explicit MemoryFile(const char* name);
    ~MemoryFile();
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    int descriptor() const { return m_file; }
    // From now on nobody can make it shorter, which would end who has it mapped (SIGBUS), nor longer. False: it cannot
    // be held.
    bool keepSizeOf(std::uint64_t bytes) const;

private:
    int m_file = -1;
};

} // namespace warpglass::cage
