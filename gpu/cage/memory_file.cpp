// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cage/memory_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace warpglass::cage {

MemoryFile::MemoryFile(const char* name) : m_file(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING)) {}
MemoryFile::~MemoryFile() {
    if (m_file >= 0)
        close(m_file);
}
bool MemoryFile::keepSizeOf(std::uint64_t bytes) const {
    return ftruncate(m_file, off_t(bytes)) == 0 && fcntl(m_file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) == 0;
}

} // namespace warpglass::cage
