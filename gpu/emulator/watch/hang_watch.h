// SPDX-License-Identifier: GPL-3.0-or-later
// What led to a hang. A launch that hangs is run once more with the words that it waits for, and the mbarriers of the blocks
// that stand, being watched: so the explanation costs nothing while all goes well.
#pragma once

#include "gpu/emulator/state/exec.h"
#include "gpu/emulator/watch/rounds.h"

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace warpglass::emulator {

struct HangsOn {
    std::vector<Rounds::Word> words;   // those first for which others wait
    std::vector<std::uint64_t> blocks; // linear, ascending: some of those that stand
    bool hasGlobal() const;
};
// Of global memory, and of a block's shared memory, from its beginning on.
constexpr Rounds::Word globalWord(std::uint64_t address) {
    return {~std::uint64_t(0), address};
}
constexpr Rounds::Word sharedWord(std::uint64_t block, std::uint32_t offset) {
    return {block, offset};
}

Rounds::Word wordOf(const HangWait& wait);

class HangWatch {
public:
    struct Use { // of a word
        std::uint32_t launch = 0, thread = 0, position = 0;
        std::uint64_t block = 0, value = 0; // as much of it as the access has, up to 8 bytes
    };
    struct Word {
        std::optional<Use> written; // last, by who changed it
        std::vector<Use> seen;      // by who has read what was last written, or tried to change it, a thread once
        struct Changes {            // of a thread
            std::uint32_t first = 0, last = 0, times = 0; // positions
        };
        std::map<std::pair<std::uint64_t, std::uint32_t>, Changes> changed; // by block and thread of this launch
    };
    struct Store { // of a lane near a word that is watched
        std::uint64_t block = 0, address = 0;
        std::uint32_t thread = 0;
    };
    using WarpKey = std::pair<std::uint64_t, std::uint32_t>;    // block, warp
    using BarrierKey = std::pair<std::uint64_t, std::uint32_t>; // block, byte of its shared memory
    struct Pass {                                               // of a wait at an mbarrier
        BarrierKey barrier;
        std::uint32_t phase = 0, position = 0;
        std::uint64_t when = 0; // events of mbarriers so far; 0: never
    };
    struct Behind { // an arrival
        Pass pass;
        std::uint32_t passesBefore = 0,
                      passesEach = 0; // how often the warp had passed there by then; since the arrival before
    };
    struct Arrivals {                                     // of a warp at an mbarrier
        std::uint32_t position = 0, phase = 0, turns = 0; // of the last one; instructions
        std::uint32_t lanes = 0;                          // arrivals of the last one
        std::uint32_t ofPhase = 0;                        // all of that phase
        LaneMask ever, now;                               // that have arrived; in that phase
        std::uint64_t when = 0;                           // the last one
        std::vector<Behind> behind; // what the warp passed on its way from the arrival before, wherever that was
    };
    struct Waits {   // of a warp at an mbarrier of its block
        Pass passed; // the last one
        std::uint32_t passes = 0;
        bool isEarly = false;                    // it passed before any phase was over, at
        std::uint32_t earlyAt = 0;               // that position
        std::optional<std::uint32_t> firstPhase; // that held it up
    };
    struct Elsewhere { // a copy that told another mbarrier than the one for which its warp had announced bytes
        std::uint32_t position = 0;
        BarrierKey told;
        std::uint64_t bytes = 0;
    };
    struct Story {                                      // of an mbarrier since it was initialised
        std::uint32_t position = noIndex, count = 0;    // of mbarrier.init
        std::uint32_t announcedAt = noIndex, phase = 0; // by expect_tx, in that phase
        std::uint64_t announced = 0;                    // bytes
        std::map<WarpKey, Arrivals> arrived;
        std::map<std::uint32_t, Waits> waits;                                          // by warp
        std::vector<Elsewhere> elsewhere;                                              // behind what was announced last
        std::deque<std::pair<std::uint32_t, std::map<WarpKey, std::uint32_t>>> lately; // phase, arrivals: the last ones
    };
    struct Came { // a warp to a barrier of its block
        struct Other {
            std::uint32_t times = 0, position = 0;
        };
        std::uint32_t times = 0, position = 0;
        std::map<std::uint32_t, Other> since, usually; // to which others: since then, and between the last two times
    };

    explicit HangWatch(HangsOn on);
    void access(Exec& x, const Inst& in);
    // An event of the mbarrier of that block's.
    void phase(const Exec& x, const BlockState& home, const RecordedPhase& event);
    // A wait at one of them that nothing held up, since no phase was over yet.
    void passedEarly(const Exec& x, std::uint32_t barrier, std::uint32_t position);
    // A copy that is asked for now, and that will tell one of them.
    void copy(const Exec& x, const BlockState& home, const PendingCopy& copy);
    // The running warp comes to a barrier of its block.
    void barrier(const Exec& x, std::uint32_t number, std::uint32_t position);

    const Word* word(const Rounds::Word& word) const; // nullptr: it is not watched
    const Rounds& rounds() const { return m_rounds; }
    // By position: who wrote near words that are watched, the last time at each address.
    const std::map<std::uint32_t, std::vector<Store>>& stores() const { return m_stores; }
    const Story* story(const BlockState& home, std::uint32_t barrier) const { return story({home.index, barrier}); }
    const Story* story(const BarrierKey& barrier) const; // nullptr: it is none of theirs
    const std::map<BarrierKey, Story>& stories() const { return m_stories; }
    // Of a block: who came to which barrier, by number and warp.
    const std::map<std::uint32_t, std::map<std::uint32_t, Came>>& cameTo(std::uint64_t block) const;

private:
    static bool use(Exec& x, const Inst& in, int lane, const std::byte* at, Word& word); // whether it changes the word
    void store(Exec& x, const Inst& in, int lane, std::uint64_t address);
    std::map<Rounds::Word, Word> m_words;
    Rounds m_rounds;
    std::uint64_t m_from = 0, m_to = 0; // near those in global memory
    std::map<std::uint32_t, std::vector<Store>> m_stores;
    std::vector<std::uint64_t> m_blocks;
    bool looksAt(const BlockState& block) const;
    std::map<BarrierKey, Story> m_stories;
    std::map<WarpKey, std::vector<Pass>> m_way; // what it passed since its last arrival, or the last pass before that
    std::set<WarpKey> m_arrived;                // behind what m_way has: the next pass begins it anew
    std::map<WarpKey, BarrierKey> m_announced;  // for which, last
    std::map<std::uint64_t, std::map<std::uint32_t, std::map<std::uint32_t, Came>>> m_came;
    std::uint64_t m_now = 0;
};

} // namespace warpglass::emulator
