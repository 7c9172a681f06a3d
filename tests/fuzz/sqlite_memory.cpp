// SPDX-License-Identifier: GPL-3.0-or-later
// SQLite in a fuzzer's program: with memory that no sanitizer watches, and without locks. It is not built with sanitizers,
// and what it hands out lies in its pages, so they saw nothing there; a third of the time went into it.
//
// What it gives back is kept by size until it asks again: an input opens a database and closes it, and the allocator of the
// C library gave the pages to the system and took them back each time, a tenth of what an input takes.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <sqlite3.h>

extern "C" void* __libc_malloc(std::size_t);
extern "C" void __libc_free(void*);

namespace {

constexpr std::size_t head = 16; // the size, before what SQLite gets
constexpr std::size_t leastBits = 5, mostBits = 17;

struct Kept {
    Kept* next;
};
std::array<Kept*, mostBits + 1> kept; // of 2^n bytes each, with the head

unsigned bitsOf(int size) {
    const auto bits = unsigned(std::bit_width(std::size_t(size) + head - 1));
    return bits < leastBits ? leastBits : bits;
}
void* begin(void* of) {
    return of ? static_cast<char*>(of) - head : nullptr;
}
int sizeOf(void* of) {
    int size = 0;
    if (of)
        std::memcpy(&size, begin(of), sizeof size);
    return size;
}
void* take(int size) {
    const unsigned bits = bitsOf(size);
    void* bytes = nullptr;
    if (bits <= mostBits && kept[bits]) {
        bytes = kept[bits];
        kept[bits] = kept[bits]->next;
    } else {
        bytes = __libc_malloc(bits <= mostBits ? std::size_t(1) << bits : std::size_t(size) + head);
    }
    if (!bytes)
        return nullptr;
    std::memcpy(bytes, &size, sizeof size);
    return static_cast<char*>(bytes) + head;
}
void give(void* of) {
    if (!of)
        return;
    const unsigned bits = bitsOf(sizeOf(of));
    if (bits > mostBits)
        return __libc_free(begin(of));
    auto* const free = static_cast<Kept*>(begin(of));
    free->next = kept[bits];
    kept[bits] = free;
}
void* again(void* of, int size) {
    const int before = sizeOf(of);
    if (of && bitsOf(before) == bitsOf(size) && bitsOf(size) <= mostBits) {
        std::memcpy(begin(of), &size, sizeof size);
        return of;
    }
    void* const more = take(size);
    if (more && of) {
        std::memcpy(more, of, std::size_t(before < size ? before : size));
        give(of);
    }
    return more;
}

const int configured = [] {
    static const sqlite3_mem_methods methods{take,
                                             give,
                                             again,
                                             sizeOf,
                                             [](int size) { return (size + 7) / 8 * 8; },
                                             [](void*) { return SQLITE_OK; },
                                             [](void*) {},
                                             nullptr};
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
    return sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
}();

} // namespace
