// SPDX-License-Identifier: GPL-3.0-or-later
// What lies in a device's L2 after what a program did: its launches, copies and fills go in, and out come the pieces of
// memory that are still there, each with how much else has come since.
//
// Measured on an H200 with 50 MB of L2 (h200-micro.csv, left_*, kept_* and fresh_*): what kernels read or write, what is filled,
// and what is copied within the device stays until 40 MB have come since, the last of it longest. What is copied from the
// host or to it puts nothing of that out, unless it is so little (64 KB) that it comes along with the commands. It fills
// what is free: 24 MB where no kernel has run, and of 40 MB what twice that of kernels leaves; there it lasts until as much
// else has been copied. Where nothing is free it goes through a small part, of which 3.6 MB last until as much of anything has
// come. Behind a fill L2 is full of lines that have to be written out: what a kernel reads then finds 24 MB, of which
// what it writes beyond 4 MB takes some: the next launch has to fetch a quarter of 32 MB again that were read, and of as much
// that was read as was written, 2 times 4, 8, 12 and 16 MB, nothing, 3.2, 5.5 and 6.9 MB (again/*).
#pragma once

#include "gpu/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass {

struct L2Range {
    std::uint64_t begin = 0, end = 0; // addresses
    bool operator==(const L2Range&) const = default;
};

struct L2Piece {
    L2Range at;
    std::uint64_t oldest = 0, newest = 0; // bytes that have come since its beginning, and since its end, were touched
    bool copied = false;                  // from the host or to it
    bool filled = false;                  // as a whole, and not written out yet
    bool operator==(const L2Piece&) const = default;
};

class L2Contents {
public:
    explicit L2Contents(std::uint64_t l2Bytes) : m_l2Bytes(l2Bytes) {}
    // By a kernel, a fill or a copy within the device: all of these at the same pace, each from its beginning to its end.
    void touch(std::vector<L2Range> ranges, bool filled = false);
    void launch(std::vector<L2Range> ranges, std::uint64_t written); // by a kernel: bytes of them that it has written
    void copy(L2Range range);                                        // from the host or to it
    std::vector<L2Piece> pieces() const;                             // by address

    // Bytes after which nothing is left of what was touched; and of what was copied while so many lie there touched.
    static std::uint64_t room(std::uint64_t l2Bytes);
    static std::uint64_t roomOfCopies(std::uint64_t l2Bytes, std::uint64_t touched);

private:
    struct Entry {
        L2Range at;
        std::uint64_t when = 0, copy = 0; // m_come and m_copied, of what is copied
        bool copied = false, filled = false;
        std::uint32_t group = 0; // touched together
    };
    std::uint64_t takeOut(const L2Range& range); // bytes of it that were there and were not copied
    std::uint64_t touched() const;               // bytes of all that were not copied
    // Bytes of all that can have put it out, if copies have that room.
    std::uint64_t since(const Entry& copied, std::uint64_t room) const;
    void trim();
    std::uint64_t m_l2Bytes;
    std::vector<Entry> m_entries;           // the latest first
    std::uint64_t m_come = 0, m_copied = 0; // bytes that have come in all, and from the host or to it
    std::uint32_t m_group = 0;
};

// "700000000000+400000@3a0000-0,c:...": begin, bytes, oldest, newest, in hexadecimal digits; c: before what was copied, w: before what was filled.
std::string text(const std::vector<L2Piece>& pieces);
Result<std::vector<L2Piece>> parseL2Pieces(std::string_view text);

} // namespace warpglass
