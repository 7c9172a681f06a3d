// SPDX-License-Identifier: GPL-3.0-or-later
// The emulator's 64-bit address space. Each state space has a window, so that a generic address tells its space by its
// high bits; global memory consists of separate areas with unmapped gaps between them, so that a wild pointer is found
// out.
#pragma once

#include "gpu/base/result.h"
#include "gpu/emulator/state/addressed.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace warpglass {
struct Diagnostic;
}

namespace warpglass::emulator {

// Windows of 2^32 bytes each.
inline constexpr std::uint64_t sharedWindow = 0x0000'0001'0000'0000ull, localWindow = 0x0000'0002'0000'0000ull,
                               constWindow = 0x0000'0003'0000'0000ull, paramWindow = 0x0000'0004'0000'0000ull,
                               codeWindow = 0x0000'0005'0000'0000ull;
// Global memory: where it may lie (a GPU's, that is kept, or the host's), and from where addresses of our own are chosen.
inline constexpr std::uint64_t globalLowest = 0x0000'0010'0000'0000ull, globalBase = 0x0000'7f00'0000'0000ull;

enum class Window : std::uint8_t { None, Shared, Local, Const, Param, Code, Global };
constexpr Window windowOf(std::uint64_t address) {
    if (address >= globalLowest)
        return Window::Global;
    const auto high = address >> 32;
    return high <= 5 ? Window(high) : Window::None;
}

// Where the shared memory that the system reserves for itself (1 KiB from compute capability 8.0) begins: here behind
// the block's own, which therefore keeps the offsets that the compiler gave it.
inline constexpr std::uint32_t reservedSharedBytes = 1024;
constexpr std::uint32_t reservedSharedAt(std::uint32_t sharedBytes) {
    return (sharedBytes + 15) / 16 * 16;
}

struct Area {
    struct Free {
        void operator()(void* bytes) const { std::free(bytes); }
    };
    std::uint64_t base = 0, bytes = 0;
    std::uint8_t* written = nullptr; // [4-byte word]: whether somebody wrote there; nullptr: first use is not watched
    std::uint64_t writtenTo = 0;     // below that address all of it is written, and needs no look
    Said name;
    bool heap = false;                          // from the kernel's own malloc
    bool wholeWords = false;                    // the bytes behind its last one are its own, too, up to a whole word
    std::uint64_t freedBytes = 0;               // size before free; bytes is 0 then, so that no cached area can be hit
    std::uint64_t freedAt = 0;                  // the how manieth free() of all
    std::shared_ptr<Diagnostic> ifLost;         // what is told if the kernel never frees it
    const void* takenBy = nullptr;              // the instruction that did, to count it with others of the same
    std::unique_ptr<std::byte[], Free> storage; // the system's zero pages until they are touched
    std::unique_ptr<std::uint8_t[], Free> writtenStorage; // likewise, if it is the area's own

    Addressed numbered() const { return {host, base, bytes}; }
    std::span<std::byte> whole() const { return {host, bytes}; } // for who fills or keeps all of it
    void watchFirstUse();
    void dropFirstUse() {
        written = nullptr;
        writtenStorage.reset();
    }
    // Of [address, address + bytes): a word of which one byte is written counts as written.
    void noteWritten(std::uint64_t address, std::uint64_t length) {
        if (written && length > 0)
            std::memset(written + (address - base) / 4, 1,
                        (address - base + length - 1) / 4 - (address - base) / 4 + 1);
    }

private:
    friend class GlobalMemory;
    friend class Found;
    std::byte* host = nullptr;
};

// Bytes of global memory that were looked for by their address. Nothing: they do not all lie in one area.
class Found {
public:
    Found() = default;
    operator Area*() const { return m_area; }
    Area* operator->() const { return m_area; }
    std::byte* bytes() const { return m_area ? m_area->host + (m_address - m_area->base) : nullptr; }
    // For lanes whose addresses all lie among these bytes.
    Reach reach() const { return m_area->numbered().among(m_area->base, 0); }

private:
    friend class GlobalMemory;
    Found(Area* area, std::uint64_t address) : m_area(area), m_address(address) {}
    Area* m_area = nullptr;
    std::uint64_t m_address = 0;
};

class GlobalMemory {
public:
    // A zeroed area, 512-byte aligned, with a gap of at least 1 MiB before and after it.
    Area& allocate(std::uint64_t bytes, Said name, bool watchFirstUse = false);
    // The same at an address that the caller chooses: at least globalLowest, apart from all other areas.
    Area& place(std::uint64_t base, std::uint64_t bytes, Said name, bool watchFirstUse = false);
    // Memory that somebody else owns and that stays from launch to launch. base: from take(), or any address of a host's
    // own memory from globalLowest on that no area holds. wholeWords: it ends where a word does, as pages do.
    Area& adopt(std::uint64_t base, std::uint64_t bytes, std::byte* data, Said name, bool wholeWords);
    void remove(std::uint64_t base); // of an adopted area
    void rename(std::uint64_t base, Said name);
    // Memory that its owner has given back, by its name, so that whoever still uses it is told so; until others lie there.
    struct Freed {
        std::uint64_t base = 0, bytes = 0;
        Said name;
    };
    void noteFreed(std::uint64_t base);              // before it is removed
    const Freed* freed(std::uint64_t address) const; // nullptr: it was not, or long ago
    // Memory for a kernel's own malloc. There can be very much of it, in small pieces, for as long as a program runs: the
    // gaps are smaller, and what was freed long ago gives its place to a piece of the same size. Null: no addresses are left.
    Area* allocateHeap(std::uint64_t bytes, Said name);
    void freeHeap(Area& area);
    void dropHeap(); // all that there is, as with a device that begins anew
    // Addresses for so many bytes, as allocate() chooses them.
    std::uint64_t take(std::uint64_t bytes);
    // What a launch took for itself goes when it is over: areas of allocate() behind mark, but for what a kernel's own
    // malloc gave.
    std::uint64_t mark() const { return m_next; }
    void releaseSince(std::uint64_t mark);
    // From where addresses are chosen, and where they end; before the first area. At least globalBase.
    void startAt(std::uint64_t base, std::uint64_t end = ~std::uint64_t(0)) { m_next = base, m_end = end; }
    std::uint64_t room() const { return m_end > m_next ? m_end - m_next : 0; } // bytes of addresses
    // The area that holds [address, address + bytes), if there is one. hint is the caller's own cache of the last answer.
    Found find(std::uint64_t address, std::uint64_t bytes, Area*& hint) const {
        if (hint && address - hint->base < hint->bytes && hint->bytes - (address - hint->base) >= bytes)
            return {hint, address};
        return {search(address, bytes, hint), address};
    }
    // Atomics on bytes and 16-bit numbers are made of swaps of the aligned word around them, by the compiler's own headers.
    // Such a word may reach up to three bytes beyond the memory that the last of them lies in, which a device has there.
    // Where the word begins; nothing, if it is in no area that has such bytes, or for other accesses.
    Found wordAtEnd(std::uint64_t address, std::uint32_t bytes) const {
        Area* hint = nullptr;
        const Found found = bytes == 4 && address % 4 == 0 ? find(address, 1, hint) : Found();
        return found && found->wholeWords ? found : Found();
    }
    // The area nearest below the address, for messages; nullptr if there is none.
    const Area* nearest(std::uint64_t address) const;
    // The area nearest above it.
    const Area* next(std::uint64_t address) const;
    std::vector<std::unique_ptr<Area>>& areas() { return m_areas; }

private:
    Area* search(std::uint64_t address, std::uint64_t bytes, Area*& hint) const;
    Area& insert(std::unique_ptr<Area> area);
    std::uint64_t take(std::uint64_t bytes, std::uint64_t gap);
    void forgetFreed();
    std::vector<std::unique_ptr<Area>> m_areas; // ascending base
    std::uint64_t m_next = globalBase, m_end = ~std::uint64_t(0);
    std::map<std::uint64_t, std::deque<Area*>> m_freed; // [bytes], of the heap, the one freed first in front
    std::size_t m_resting = 0;                          // of them all
    std::uint64_t m_frees = 0;
    std::vector<std::unique_ptr<Area>> m_spare; // forgotten ones, to be taken again
    std::deque<Freed> m_givenBack;              // the one freed first in front
};

} // namespace warpglass::emulator
