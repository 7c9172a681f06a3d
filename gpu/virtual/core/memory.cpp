// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/virtual/core/memory.h"
#include "gpu/base/large_pages.h"
#include "gpu/base/memory_limit.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/base/messages/program.h"
#include "gpu/virtual/core/host_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <sys/mman.h>

namespace warpglass::virtual_device {

namespace {

constexpr std::uint64_t page = 4096;

std::uint64_t wholePages(std::uint64_t bytes) {
    return std::max<std::uint64_t>(page, (bytes + page - 1) / page * page);
}

// A range of addresses in which nothing lies and that nobody may touch; 0 if there is none of this size.
std::uint64_t setAside(std::uint64_t bytes) {
    constexpr std::uint64_t step = std::uint64_t(16) << 30, end = std::uint64_t(1) << 47;
    for (std::uint64_t at = emulator::globalBase; at + bytes < end; at += step) {
        void* got = mmap(reinterpret_cast<void*>(at), bytes, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
        if (got == reinterpret_cast<void*>(at))
            return at;
        if (got != MAP_FAILED) // an old kernel took it for a wish
            munmap(got, bytes);
    }
    return 0;
}

Message nameOf(const DeviceMemory::Block& b) {
    if (b.kind == MemoryKind::Registered)
        return say::RegisteredMemory;
    if (b.operation != noIndex)
        return say::MemoryOfOperation(std::to_string(b.operation));
    return (b.kind == MemoryKind::Managed ? say::ManagedMemoryAt
            : b.kind == MemoryKind::Host  ? say::PinnedMemoryAt
                                          : say::MemoryAt)(fmt::format("0x{:x}", b.address));
}

} // namespace

DeviceMemory::DeviceMemory(std::uint64_t capacity, unsigned devices) : m_views(devices), m_capacity(capacity) {
    for (std::uint64_t bytes = std::uint64_t(512) << 30; bytes >= std::uint64_t(1) << 30 && !m_begin; bytes /= 2)
        if ((m_begin = setAside(bytes)) != 0)
            m_end = m_begin + bytes;
    tellHostFaults(m_begin, m_end);
    const std::uint64_t each = (m_end - m_begin) / devices / page * page;
    for (unsigned n = 0; n < devices && m_begin; ++n) {
        m_views[n].global.startAt(m_begin + n * each + (1 << 20), m_begin + (n + 1) * each);
    }
}

DeviceMemory::~DeviceMemory() {
    if (m_begin)
        munmap(reinterpret_cast<void*>(m_begin), m_end - m_begin);
}

// Freed addresses of the same size first: a program that allocates in a loop would else use them all up.
std::uint64_t DeviceMemory::addressFor(std::uint64_t bytes, View& view) {
    if (const auto vacant = view.vacant.find(bytes); vacant != view.vacant.end()) {
        const std::uint64_t address = vacant->second;
        view.vacant.erase(vacant);
        return address;
    }
    if (!m_begin || bytes > view.global.room() || view.global.room() - bytes < (4 << 20))
        return 0;
    const std::uint64_t taken = view.global.take(bytes + page);
    return (taken + page - 1) / page * page;
}

bool DeviceMemory::sees(unsigned device, const Block& b) const {
    if (b.mapped)
        return false;
    return b.kind != MemoryKind::Device || b.device == device || m_views[device].peers.count(b.device) ||
           (b.shownTo >> device & 1);
}

void DeviceMemory::show(const Block& b) {
    const Said name = nameOf(b);
    for (unsigned n = 0; n < m_views.size(); ++n)
        if (sees(n, b))
            m_views[n].global.adopt(b.address, b.bytes, b.data, name, true);
    showWritten(b, b.written.get());
}

void DeviceMemory::hide(const Block& b) {
    for (unsigned n = 0; n < m_views.size(); ++n)
        if (sees(n, b))
            m_views[n].global.remove(b.address);
}

bool DeviceMemory::connect(unsigned device, unsigned peer) {
    if (m_views[device].peers.count(peer))
        return false;
    for (const auto& [address, b] : m_blocks)
        if (b.kind == MemoryKind::Device && b.device == peer && !b.mapped && !sees(device, b))
            m_views[device].global.adopt(address, b.bytes, b.data,
                                         say::PeerMemoryAt(peer, fmt::format("0x{:x}", address)), true);
    m_views[device].peers.insert(peer);
    for (const auto& [address, b] : m_blocks)
        if (b.device == peer)
            showWritten(b, b.written.get());
    return true;
}

bool DeviceMemory::disconnect(unsigned device, unsigned peer) {
    if (m_views[device].peers.erase(peer) == 0)
        return false;
    for (const auto& [address, b] : m_blocks)
        if (b.kind == MemoryKind::Device && b.device == peer && !b.mapped && !sees(device, b))
            m_views[device].global.remove(address);
    return true;
}

void DeviceMemory::share(std::uint64_t address, std::uint32_t devices) {
    const auto found = m_blocks.find(address);
    if (found == m_blocks.end())
        return;
    hide(found->second);
    found->second.shownTo = devices;
    show(found->second);
}

std::uint64_t DeviceMemory::allocate(std::uint64_t bytes, MemoryKind kind, unsigned device, unsigned flags) {
    View& view = m_views[device];
    const std::uint64_t room = wholePages(bytes);
    const bool counted = kind != MemoryKind::Host;
    if (counted && (bytes > m_capacity || m_capacity - view.used < bytes))
        return 0;
    const std::uint64_t address = addressFor(room, view);
    if (address == 0)
        return 0;
    const bool shared = kind != MemoryKind::Device;
    void* at = shared ? reinterpret_cast<void*>(address) : nullptr;
    void* data = mmap(at, room, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (shared ? MAP_FIXED : 0), -1, 0);
    if (data == MAP_FAILED) {
        view.vacant.emplace(room, address);
        return 0;
    }
    if (bytes <= memoryLimit() / 16) // a program fills what it asks for, but perhaps not most of the machine
        askForLargePages(data, room);
    view.used += counted ? bytes : 0;
    Block& block = m_blocks[address] = {address, bytes, kind, static_cast<std::byte*>(data), flags, device};
    if (kind == MemoryKind::Device)
        watch(block);
    show(block);
    return address;
}

bool DeviceMemory::release(std::uint64_t address) {
    const auto found = m_blocks.find(address);
    if (found == m_blocks.end() || found->second.kind == MemoryKind::Registered || found->second.mapped)
        return false;
    const Block& b = found->second;
    View& view = m_views[b.device];
    const std::uint64_t room = wholePages(b.bytes);
    for (View& v : m_views)
        v.global.noteFreed(address);
    hide(b);
    if (b.kind == MemoryKind::Device)
        munmap(b.data, room);
    else if (mmap(b.data, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) ==
             MAP_FAILED)
        mprotect(b.data, room, PROT_NONE); // the pages stay, but nobody reaches them
    view.used -= b.kind == MemoryKind::Host ? 0 : b.bytes;
    view.vacant.emplace(room, address);
    m_watched.erase(address);
    m_blocks.erase(found);
    return true;
}

// The notes take a quarter of what they are of, where somebody writes.
void DeviceMemory::watch(Block& b) {
    if (b.bytes == 0 || b.bytes > memoryLimit() / 16)
        return;
    b.written.reset(static_cast<std::uint8_t*>(std::calloc((b.bytes + 3) / 4, 1)));
    if (b.written)
        m_watched.insert(b.address);
}

DeviceMemory::Block* DeviceMemory::watched(std::uint64_t address) {
    const auto after = m_watched.upper_bound(address);
    if (after == m_watched.begin())
        return nullptr;
    Block& b = m_blocks.at(*std::prev(after));
    return address - b.address < b.bytes ? &b : nullptr;
}

void DeviceMemory::noteWritten(std::uint64_t address, std::uint64_t bytes) {
    Block* const b = watched(address);
    if (!b || bytes == 0)
        return;
    const std::uint64_t words = (b->bytes + 3) / 4, first = (address - b->address) / 4,
                        end = std::min((address - b->address + bytes + 3) / 4, words);
    if (first <= b->wordsKnown && end == words) // a large piece from end to end: nobody needs the notes
        b->wordsKnown = words;
    else if (first < end)
        std::memset(b->written.get() + first, 1, end - first);
    if (settle(*b))
        m_watched.erase(b->address);
}

void DeviceMemory::noteCopied(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
    Block *const b = watched(to), *const source = watched(from);
    // Words of both must lie alike; a word that is half written counts as written.
    if (!b || !source || (to - b->address) % 4 != 0 || (from - source->address) % 4 != 0)
        return noteWritten(to, bytes);
    const std::uint64_t first = (to - b->address) / 4;
    const std::uint8_t* const words = source->written.get() + (from - source->address) / 4;
    if (bytes % 4 != 0)
        b->written[first + bytes / 4] |= words[bytes / 4];
    std::memmove(b->written.get() + first, words, bytes / 4);
    b->wordsKnown = std::min(b->wordsKnown, first);
    if (settle(*b))
        m_watched.erase(b->address);
}

bool DeviceMemory::settle(Block& b) {
    const std::uint64_t words = (b.bytes + 3) / 4;
    if (b.wordsKnown < words) {
        const void* const missing = std::memchr(b.written.get() + b.wordsKnown, 0, words - b.wordsKnown);
        b.wordsKnown = missing ? std::uint64_t(static_cast<const std::uint8_t*>(missing) - b.written.get()) : words;
    }
    if (std::exchange(b.wordsShown, b.wordsKnown) != b.wordsKnown)
        showWritten(b, b.wordsKnown < words ? b.written.get() : nullptr);
    if (b.wordsKnown < words)
        return false;
    b.written.reset();
    return true;
}

void DeviceMemory::showWritten(const Block& b, std::uint8_t* written) {
    for (View& view : m_views) {
        emulator::Area* hint = nullptr;
        if (emulator::Area* area = view.global.find(b.address, 1, hint); area && area->base == b.address) {
            area->written = written;
            area->writtenTo = b.address + 4 * b.wordsKnown;
        }
    }
}

DeviceMemory::Unwritten DeviceMemory::unwritten(std::uint64_t address, std::uint64_t bytes) const {
    Unwritten u;
    const Block* b = find(address);
    if (!b || !b->written || bytes == 0 || address - b->address + bytes > b->bytes)
        return u;
    const std::uint64_t begin = address - b->address, end = begin + bytes;
    for (std::uint64_t word = std::max(begin / 4, b->wordsKnown); 4 * word < end;) {
        const auto* const at = b->written.get() + word;
        const std::uint64_t rest = (end + 3) / 4 - word;
        if (*at) {
            const void* const gap = std::memchr(at, 0, rest);
            word += gap ? std::uint64_t(static_cast<const std::uint8_t*>(gap) - at) : rest;
            continue;
        }
        const void* const next = std::memchr(at, 1, rest);
        const std::uint64_t last = word + (next ? std::uint64_t(static_cast<const std::uint8_t*>(next) - at) : rest);
        const std::uint64_t from = std::max(begin, 4 * word), to = std::min(end, 4 * last);
        if (u.bytes == 0)
            u.first = b->address + from;
        u.bytes += to - from;
        word = last;
    }
    return u;
}

void DeviceMemory::setOperation(std::uint64_t address, std::uint32_t operation) {
    Block& b = m_blocks.at(address);
    b.operation = operation;
    if (operation == noIndex)
        return;
    const Said name = nameOf(b);
    for (unsigned n = 0; n < m_views.size(); ++n)
        if (sees(n, b) && (b.kind != MemoryKind::Device || b.device == n))
            m_views[n].global.rename(address, name);
}

void DeviceMemory::noteFreedBy(std::uint64_t address, std::uint32_t operation) {
    constexpr std::size_t most = 4096;
    if (m_freedBy.size() >= most)
        m_freedBy.clear();
    m_freedBy[address] = operation;
}

std::uint32_t DeviceMemory::freedBy(std::uint64_t address) const {
    const auto found = m_freedBy.find(address);
    return found == m_freedBy.end() ? noIndex : found->second;
}

void DeviceMemory::settle() {
    std::erase_if(m_watched, [this](std::uint64_t address) { return settle(m_blocks.at(address)); });
}

std::uint64_t DeviceMemory::reserve(std::uint64_t bytes, std::uint64_t alignment, unsigned device) {
    View& view = m_views[device];
    if (!m_begin || bytes > view.global.room() || view.global.room() - bytes < alignment + (4 << 20))
        return 0;
    const std::uint64_t taken = view.global.take(bytes + alignment);
    return (taken + alignment - 1) / alignment * alignment;
}

void DeviceMemory::enterMapping(std::uint64_t address, std::uint64_t bytes, std::byte* data, unsigned device) {
    Block& b = m_blocks[address] = {address, bytes, MemoryKind::Device, data, 0, device};
    b.mapped = true;
}

void DeviceMemory::leaveMapping(std::uint64_t address) {
    m_blocks.erase(address);
}

void DeviceMemory::charge(unsigned device, std::int64_t bytes) {
    m_views[device].used += std::uint64_t(bytes);
}

// The host's own address if the emulator takes it for global memory, else one of ours that stands for it.
std::uint64_t DeviceMemory::enter(void* memory, std::uint64_t bytes) {
    auto address = reinterpret_cast<std::uint64_t>(memory);
    if (m_registered.count(memory) || find(address))
        return 0;
    if (address < emulator::globalLowest)
        address = addressFor(wholePages(bytes), m_views[0]);
    if (address == 0)
        return 0;
    m_registered[memory] = address;
    show(m_blocks[address] = {address, bytes, MemoryKind::Registered, static_cast<std::byte*>(memory), 0, 0});
    return address;
}

bool DeviceMemory::leave(void* memory) {
    const auto found = m_registered.find(memory);
    if (found == m_registered.end())
        return false;
    hide(m_blocks.at(found->second));
    m_blocks.erase(found->second);
    m_registered.erase(found);
    return true;
}

const DeviceMemory::Block* DeviceMemory::find(std::uint64_t address) const {
    if (const auto host = m_registered.upper_bound(reinterpret_cast<const void*>(address));
        host != m_registered.begin()) {
        const auto& [memory, device] = *std::prev(host);
        const Block& b = m_blocks.at(device);
        if (address - reinterpret_cast<std::uint64_t>(memory) < b.bytes)
            return &b;
    }
    const auto after = m_blocks.upper_bound(address);
    if (after == m_blocks.begin())
        return nullptr;
    const Block& b = std::prev(after)->second;
    return address - b.address < std::max<std::uint64_t>(b.bytes, 1) ? &b : nullptr;
}

void DeviceMemory::clear(std::uint64_t address, std::byte* to, std::uint64_t bytes) {
    constexpr std::uint64_t large = 16 << 20;
    const Block* const b = bytes >= large ? find(address) : nullptr;
    const bool ours = b && !b->mapped && b->kind != MemoryKind::Registered && address - b->address + bytes <= b->bytes;
    const std::uint64_t ahead = (page - std::uint64_t(to) % page) % page;
    const std::uint64_t whole = ours ? (bytes - ahead) / page * page : 0;
    if (whole == 0 || madvise(to + ahead, whole, MADV_DONTNEED) != 0) {
        std::memset(to, 0, bytes);
        return;
    }
    std::memset(to, 0, ahead);
    std::memset(to + ahead + whole, 0, bytes - ahead - whole);
}

std::byte* DeviceMemory::resolve(std::uint64_t address, std::uint64_t bytes) {
    for (View& view : m_views) { // of the first device that knows it; all know the same bytes
        emulator::Area* hint = nullptr;
        if (std::byte* const found = view.global.find(address, std::max<std::uint64_t>(bytes, 1), hint).bytes())
            return found;
    }
    return nullptr;
}

} // namespace warpglass::virtual_device
