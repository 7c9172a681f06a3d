// SPDX-License-Identifier: GPL-3.0-or-later
// What led to a hang. A launch that hangs is run once more with the words that it waits for, and the mbarriers of the blocks
// that stand, being watched: so the explanation costs nothing while all goes well.
#pragma once

#include "gpu/emulator/state/exec.h"

#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace warpglass::emulator {

struct HangsOn {
    std::vector<std::uint64_t> words;  // of global memory
    std::vector<std::uint64_t> blocks; // linear, ascending: some of those that stand
};

class HangWatch {
public:
    struct Use { // of a word
        std::uint32_t launch = 0, thread = 0, position = 0;
        std::uint64_t block = 0, value = 0; // as much of it as the access has, up to 8 bytes
    };
    struct Word {
        std::optional<Use> written; // last, by who changed it
        std::vector<Use> seen;      // by who has read what was last written, or tried to change it, a thread once
    };
    struct Arrivals {                                     // of a warp at an mbarrier
        std::uint32_t position = 0, phase = 0, turns = 0; // of the last one; instructions
        std::uint32_t lanes = 0;                          // arrivals of the last one
        std::uint32_t ofPhase = 0;                        // all of that phase
        LaneMask ever, now;                               // that have arrived; in that phase
    };
    struct Story {                                                           // of an mbarrier since it was initialised
        std::uint32_t position = noIndex, count = 0;                         // of mbarrier.init
        std::uint32_t announcedAt = noIndex, phase = 0;                      // by expect_tx, in that phase
        std::uint64_t announced = 0;                                         // bytes
        std::map<std::pair<std::uint64_t, std::uint32_t>, Arrivals> arrived; // by block and warp
    };

    explicit HangWatch(HangsOn on) : m_blocks(std::move(on.blocks)) {
        for (const std::uint64_t a : on.words)
            m_words[a] = {};
    }
    void access(Exec& x, const Inst& in);
    // An event of the mbarrier of that block's.
    void phase(const Exec& x, const BlockState& home, const RecordedPhase& event);

    const Word* word(std::uint64_t address) const; // nullptr: it is not watched
    const Story* story(const BlockState& home, std::uint32_t barrier) const;

private:
    static void use(Exec& x, const Inst& in, int lane, std::uint64_t first, Word& word);
    std::unordered_map<std::uint64_t, Word> m_words;
    std::vector<std::uint64_t> m_blocks;
    std::map<std::pair<std::uint64_t, std::uint32_t>, Story> m_stories; // by block and byte of its shared memory
};

} // namespace warpglass::emulator
