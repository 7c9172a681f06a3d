// SPDX-License-Identifier: GPL-3.0-or-later
// SQLite in a fuzzer's program: with memory that no sanitizer watches, and without locks. It is not built with sanitizers,
// and what it hands out lies in its pages, so they saw nothing there; a third of the time went into it.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <sqlite3.h>

extern "C" void* __libc_malloc(std::size_t);
extern "C" void* __libc_realloc(void*, std::size_t);
extern "C" void __libc_free(void*);

namespace {

constexpr std::size_t head = 16; // the size, before what SQLite gets

void* sized(void* bytes, int size) {
    if (!bytes)
        return nullptr;
    std::memcpy(bytes, &size, sizeof size);
    return static_cast<char*>(bytes) + head;
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

const int configured = [] {
    static const sqlite3_mem_methods methods{
        [](int size) { return sized(__libc_malloc(std::size_t(size) + head), size); },
        [](void* of) { __libc_free(begin(of)); },
        [](void* of, int size) { return sized(__libc_realloc(begin(of), std::size_t(size) + head), size); },
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
