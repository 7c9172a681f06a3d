// SPDX-License-Identifier: GPL-3.0-or-later
// The passes over addresses and notes that this machine can run, for each kind of processor, and what those over notes
// are for.
#pragma once

#include "gpu/emulator/lanes/alu.h"
#include "gpu/emulator/shadow/note_passes.h"

#include <vector>

namespace warpglass::emulator {

#if defined(__x86_64__)

struct Processor {
    const char* name;
    const AddressPasses* addresses;
    const NotePasses* notes;
};
inline std::vector<Processor> processors() {
    std::vector<Processor> all = {{"baseline", &baseline::addressPasses, &baseline::notePasses}};
    if (hasAvx2())
        all.push_back({"AVX2", &avx2::addressPasses, &avx2::notePasses});
    if (hasAvx512())
        all.push_back({"AVX-512", &avx512::addressPasses, &avx512::notePasses});
    return all;
}

// What each test asks, in words.
inline bool isBad(NoteTest test, Note note, Note own, const Bad& bad) {
    const bool before = note < bad.block, now = note >= bad.epoch, mine = ((note ^ own) & NoteBits::thread) == 0,
               warps = ((note ^ own) & NoteBits::warp) == 0, atomic = (note & NoteBits::atomic) != 0,
               strong = (note & NoteBits::strong) != 0;
    switch (test) {
    case NoteTest::Never:
        return before;
    case NoteTest::NotBefore:
        return before || now;
    case NoteTest::Read:
        return before || (now && !mine && !(atomic && warps));
    case NoteTest::Written:
        return now && !mine;
    case NoteTest::ReadByOthers: // the bit of strong stores is that of other warps there
        return now && (!warps || strong);
    case NoteTest::Raised:
        return now && !warps && (atomic || strong);
    case NoteTest::Stored:
        return before || (now && !atomic);
    }
    return false;
}

#endif

} // namespace warpglass::emulator
