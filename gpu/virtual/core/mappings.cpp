// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/virtual/core/mappings.h"

#include <fmt/format.h>

#include <algorithm>

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace warpglass::virtual_device {

Mappings::~Mappings() {
    for (const auto& [address, range] : m_ranges)
        munmap(range.data, range.bytes);
    for (const auto& [piece, owned] : m_pieces)
        close(owned->file);
}

std::uint64_t Mappings::reserve(std::uint64_t bytes, std::uint64_t alignment, unsigned device) {
    Range range;
    range.asked = bytes;
    range.bytes = (bytes + granularity - 1) / granularity * granularity;
    range.device = device;
    range.shown.resize(m_devices);
    const std::uint64_t address = m_memory.reserve(range.bytes, std::max(alignment, granularity), device);
    if (address == 0)
        return 0;
    void* data = mmap(nullptr, range.bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data == MAP_FAILED)
        return 0;
    range.data = static_cast<std::byte*>(data);
    m_ranges[address] = std::move(range);
    return address;
}

bool Mappings::free(std::uint64_t address, std::uint64_t bytes) {
    const auto found = m_ranges.find(address);
    if (found == m_ranges.end() || found->second.asked != bytes || !found->second.mappings.empty())
        return false;
    munmap(found->second.data, found->second.bytes);
    m_ranges.erase(found); // the addresses stay taken: there are more than programs use up
    return true;
}

Mappings::Piece* Mappings::keep(int file, std::uint64_t bytes, unsigned device) {
    auto piece = std::make_unique<Piece>();
    piece->bytes = bytes;
    piece->device = device;
    piece->file = file;
    Piece* const result = piece.get();
    m_pieces[result] = std::move(piece);
    m_memory.charge(device, std::int64_t(bytes));
    return result;
}

Mappings::Piece* Mappings::create(std::uint64_t bytes, unsigned device) {
    if (bytes > m_memory.capacity() - m_memory.used(device))
        return nullptr;
    const int file = memfd_create("warpglass", MFD_CLOEXEC);
    if (file < 0)
        return nullptr;
    if (ftruncate(file, off_t(bytes)) != 0) {
        close(file);
        return nullptr;
    }
    return keep(file, bytes, device);
}

Mappings::Piece* Mappings::open(int file, unsigned device) {
    struct stat about {};
    const int own = dup(file);
    if (own < 0 || fstat(own, &about) != 0 || about.st_size <= 0) {
        if (own >= 0)
            close(own);
        return nullptr;
    }
    return keep(own, std::uint64_t(about.st_size), device);
}

bool Mappings::release(Piece* piece) {
    if (!isPiece(piece) || piece->handles == 0)
        return false;
    --piece->handles;
    drop(piece);
    return true;
}

void Mappings::drop(Piece* piece) {
    if (piece->handles > 0 || piece->places > 0)
        return;
    close(piece->file);
    m_memory.charge(piece->device, -std::int64_t(piece->bytes));
    m_pieces.erase(piece);
}

std::map<std::uint64_t, Mappings::Range>::iterator Mappings::rangeOf(std::uint64_t address, std::uint64_t bytes) {
    auto found = m_ranges.upper_bound(address);
    if (found == m_ranges.begin())
        return m_ranges.end();
    --found;
    const std::uint64_t offset = address - found->first;
    return offset < found->second.bytes && bytes <= found->second.bytes - offset ? found : m_ranges.end();
}

bool Mappings::map(std::uint64_t address, std::uint64_t bytes, std::uint64_t offset, Piece* piece) {
    const auto range = rangeOf(address, bytes);
    if (range == m_ranges.end() || !isPiece(piece) || bytes == 0 || (address | bytes | offset) % granularity != 0 ||
        offset > piece->bytes || bytes > piece->bytes - offset)
        return false;
    auto& mappings = range->second.mappings;
    const auto after = mappings.lower_bound(address);
    if ((after != mappings.end() && after->first < address + bytes) ||
        (after != mappings.begin() && std::prev(after)->first + std::prev(after)->second.bytes > address))
        return false;
    std::byte* const data = range->second.data + (address - range->first);
    if (mmap(data, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, piece->file, off_t(offset)) == MAP_FAILED)
        return false;
    mappings[address] = {bytes, piece, 0};
    ++piece->places;
    m_memory.enterMapping(address, bytes, data, piece->device);
    return true;
}

std::vector<std::map<std::uint64_t, Mappings::Mapping>::iterator> Mappings::filling(Range& range, std::uint64_t address,
                                                                                    std::uint64_t bytes) {
    std::vector<std::map<std::uint64_t, Mapping>::iterator> all;
    std::uint64_t at = address;
    for (auto m = range.mappings.find(address); m != range.mappings.end() && m->first == at && at < address + bytes;
         ++m) {
        at += m->second.bytes;
        all.push_back(m);
    }
    if (at != address + bytes)
        all.clear();
    return all;
}

bool Mappings::unmap(std::uint64_t address, std::uint64_t bytes) {
    const auto range = rangeOf(address, bytes);
    if (range == m_ranges.end())
        return false;
    const auto mappings = filling(range->second, address, bytes);
    for (const auto& m : mappings) {
        if (mmap(range->second.data + (m->first - range->first), m->second.bytes, PROT_NONE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
            return false; // the system has no room for another mapping: it stays
        m_memory.leaveMapping(m->first);
        Piece* const piece = m->second.piece;
        range->second.mappings.erase(m);
        --piece->places;
        drop(piece);
    }
    if (!mappings.empty())
        show(range->first, range->second);
    return !mappings.empty();
}

bool Mappings::setAccess(std::uint64_t address, std::uint64_t bytes, std::uint32_t devices, std::uint32_t with) {
    const auto range = rangeOf(address, bytes);
    if (range == m_ranges.end())
        return false;
    const auto mappings = filling(range->second, address, bytes);
    for (const auto& m : mappings)
        m->second.access = (m->second.access & ~devices) | (with & devices);
    show(range->first, range->second);
    return !mappings.empty();
}

std::optional<std::uint32_t> Mappings::access(std::uint64_t address) const {
    auto range = m_ranges.upper_bound(address);
    if (range == m_ranges.begin())
        return std::nullopt;
    const auto& mappings = std::prev(range)->second.mappings;
    auto m = mappings.upper_bound(address);
    if (m == mappings.begin() || address - std::prev(m)->first >= std::prev(m)->second.bytes)
        return std::nullopt;
    return std::prev(m)->second.access;
}

Mappings::Piece* Mappings::pieceAt(std::uint64_t address) {
    const auto range = rangeOf(address, 1);
    if (range == m_ranges.end())
        return nullptr;
    auto m = range->second.mappings.upper_bound(address);
    if (m == range->second.mappings.begin() || address - std::prev(m)->first >= std::prev(m)->second.bytes)
        return nullptr;
    ++std::prev(m)->second.piece->handles;
    return std::prev(m)->second.piece;
}

// Each device sees what it may use; mappings that touch are one piece of memory to it.
void Mappings::show(std::uint64_t address, Range& range) {
    for (unsigned device = 0; device < m_devices; ++device) {
        auto& global = m_memory.global(device);
        for (const std::uint64_t base : range.shown[device])
            global.remove(base);
        range.shown[device].clear();
        for (auto m = range.mappings.begin(); m != range.mappings.end();) {
            const std::uint64_t begin = m->first;
            std::uint64_t end = begin;
            for (; m != range.mappings.end() && m->first == end && (m->second.access >> device & 1); ++m)
                end += m->second.bytes;
            if (end == begin) {
                ++m;
                continue;
            }
            global.adopt(begin, end - begin, range.data + (begin - address),
                         fmt::format("mapped memory at 0x{:x}", begin), true);
            range.shown[device].push_back(begin);
        }
    }
}

} // namespace warpglass::virtual_device
