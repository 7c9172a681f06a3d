// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cage/packing.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace warpglass::cage {

namespace {
constexpr std::size_t pendingBytes = 1 << 18; // small values go into the file together
constexpr std::size_t largeBytes = 1 << 14;   // others are copied once
} // namespace

MemoryFile::MemoryFile(const char* name) : m_file(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING)) {}
bool MemoryFile::keepSize() const {
    return fcntl(m_file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) == 0;
}
bool MemoryFile::keepSizeOf(std::uint64_t bytes) const {
    return ftruncate(m_file, off_t(bytes)) == 0 && keepSize();
}
MemoryFile::~MemoryFile() {
    if (m_file >= 0)
        close(m_file);
}
MemoryFile::MemoryFile(MemoryFile&& other) noexcept : m_file(std::exchange(other.m_file, -1)) {}

MappedFile::MappedFile(int file) {
    struct stat what {};
    if (fstat(file, &what) != 0 || what.st_size <= 0)
        return;
    void* const at = mmap(nullptr, std::size_t(what.st_size), PROT_READ, MAP_SHARED | MAP_POPULATE, file,
                          0); // all its pages at once
    if (at == MAP_FAILED)
        return;
    m_at = static_cast<const std::byte*>(at);
    m_bytes = std::size_t(what.st_size);
}
MappedFile::~MappedFile() {
    if (m_at)
        munmap(const_cast<std::byte*>(m_at), m_bytes);
}

void Packer::write(const std::byte* from, std::size_t count) {
    while (m_good && count > 0) {
        const ssize_t n = pwrite(m_file, from, count, off_t(m_at));
        if (n < 0 && errno == EINTR)
            continue;
        m_good = n > 0;
        if (!m_good)
            return;
        m_at += std::uint64_t(n);
        from += n;
        count -= std::size_t(n);
    }
}

void Packer::flush() {
    write(m_pending.data(), m_pending.size());
    m_pending.clear();
}

void Packer::bytes(const void* from, std::size_t count) {
    const auto* first = static_cast<const std::byte*>(from);
    if (count > largeBytes || m_pending.size() + count > pendingBytes)
        flush();
    if (count > largeBytes)
        write(first, count);
    else
        m_pending.insert(m_pending.end(), first, first + count);
}

void Packer::align() {
    constexpr std::array<std::byte, rowAlignment> nothing{};
    bytes(nothing.data(), std::size_t(-(m_at + m_pending.size())) % rowAlignment);
}

void Packer::filling(const std::function<void(std::span<std::byte>)>& fill, std::uint64_t count) {
    flush();
    if (!m_good || count == 0)
        return;
    const std::uint64_t page = std::uint64_t(sysconf(_SC_PAGESIZE)), from = m_at / page * page;
    void* at = MAP_FAILED;
    if (ftruncate(m_file, off_t(m_at + count)) == 0)
        at = mmap(nullptr, m_at + count - from, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, m_file, off_t(from));
    m_good = at != MAP_FAILED;
    if (!m_good)
        return;
    fill({static_cast<std::byte*>(at) + (m_at - from), count});
    munmap(at, m_at + count - from);
    m_at += count;
}

bool Packer::finish() {
    flush();
    return m_good;
}

std::span<const std::byte> Unpacker::take(std::uint64_t count) {
    if (!m_good || count > m_all.size() - m_at) {
        m_good = false;
        return {};
    }
    const auto found = m_all.subspan(m_at, std::size_t(count));
    m_at += std::size_t(count);
    return found;
}

void Unpacker::bytes(void* to, std::size_t count) {
    const auto found = take(count);
    if (!found.empty())
        std::memcpy(to, found.data(), count);
}

void Unpacker::align() {
    take(std::size_t(-m_at) % rowAlignment);
}

} // namespace warpglass::cage
