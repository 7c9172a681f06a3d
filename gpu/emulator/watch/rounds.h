// SPDX-License-Identifier: GPL-3.0-or-later
// What threads do from one change of a word to their next, for a launch that hangs on it: what is done each time, and where it
// was left undone. Places are lines of the kernel, since loops are unrolled; without lines, instructions.
#pragma once

#include "gpu/emulator/state/exec.h"

#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace warpglass::emulator {

class Rounds {
public:
    using Word = std::pair<std::uint64_t, std::uint64_t>;                   // block, of shared memory; address
    using Thread = std::tuple<std::uint32_t, std::uint64_t, std::uint32_t>; // launch, block, thread
    using Line = std::pair<std::uint32_t, std::uint32_t>;                   // of a file; of none: noIndex, position
    using Times = std::map<Line, std::uint32_t>;                            // how often somebody has come there

    struct Place { // of a line, an instruction
        std::uint32_t position = noIndex, call = noIndex;
    };
    struct Change {
        Place place;
        std::uint64_t when = 0;
    };
    struct Changes { // of a word, at a line
        std::uint64_t times = 0;
        // By where their threads came since their change before: how often, in how many of them, and whose those were.
        std::map<Line, std::map<std::uint32_t, std::map<Thread, std::uint64_t>>> behind;
        // Words that their threads changed on the way to all of them but the last one; and on the way to that.
        std::set<std::pair<Line, Word>> before, last;
        Thread lastBy;
    };
    struct FirstLoad { // of a thread, since the word was last changed
        std::uint32_t position = noIndex;
        std::uint64_t when = 0;
    };
    struct OfWord {
        std::map<Line, Changes> changes;
        struct Since { // a thread's last change of the word, or since it was first seen
            Times came;
            std::set<std::pair<Line, Word>> changed;
        };
        std::map<Thread, Since> since;
        std::map<Thread, FirstLoad> loaded;
        std::optional<Line> lastAt;
        std::uint64_t lastWhen = 0;
    };

    explicit Rounds(const std::vector<Word>& words);
    // A lane's access from there on; of: the watched word that it touches, if it does; changes: it stores something.
    void access(const Exec& x, const Inst& in, int lane, const Word& at, const Word* of, bool changes);
    void barrier(const Exec& x); // the running warp comes to one

    const OfWord* word(const Word& word) const;                                  // nullptr: it is not watched
    std::optional<Change> changed(const Thread& thread, const Word& word) const; // by the thread, last
    static Line lineAt(const Program& program, std::uint32_t position, std::uint32_t call);
    const std::vector<Place>& placesAt(const Line& line) const; // where somebody came

private:
    struct Own { // of a thread
        Line last{noIndex, noIndex};
        Word at; // there
        std::map<Word, Change> changed;
    };
    static void change(OfWord& word, const Thread& thread, const Line& line);
    Line lineOf(const Program& program, const Place& place);
    std::map<Word, OfWord> m_words;
    std::map<Thread, Own> m_threads;
    std::map<std::tuple<const Program*, std::uint32_t, std::uint32_t>, Line> m_lines;
    std::map<Line, std::vector<Place>> m_places;
    std::uint64_t m_now = 0;
};

} // namespace warpglass::emulator
