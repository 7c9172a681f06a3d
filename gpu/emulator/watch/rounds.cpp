// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/watch/rounds.h"

#include "gpu/emulator/record/diagnostics.h"

#include <algorithm>

namespace warpglass::emulator {

namespace {

constexpr std::size_t mostWords = 8;      // the first ones, for which the others wait
constexpr std::size_t mostThreads = 4096; // that use flags
constexpr std::size_t mostLines = 256;    // of a thread

} // namespace

Rounds::Rounds(const std::vector<Word>& words) {
    for (const Word& word : words)
        if (m_words.size() < mostWords)
            m_words[word];
}

Rounds::Line Rounds::lineAt(const Program& program, std::uint32_t position, std::uint32_t call) {
    const SourcePlace place = callerPlace(program, position, call).source;
    return place.line > 0 ? Line{place.file, place.line} : Line{noIndex, position};
}

Rounds::Line Rounds::lineOf(const Program& program, const Place& place) {
    const auto [at, isNew] = m_lines.try_emplace({&program, place.position, place.call});
    if (isNew) {
        at->second = lineAt(program, place.position, place.call);
        m_places[at->second].push_back(place);
    }
    return at->second;
}

void Rounds::barrier(const Exec& x) {
    const std::uint32_t first = x.warp->number * 32;
    const Thread begin{x.launch->launch, x.block->index, first}, end{x.launch->launch, x.block->index, first + 32};
    for (auto own = m_threads.lower_bound(begin); own != m_threads.end() && own->first < end; ++own)
        own->second.last = {noIndex, noIndex};
}

void Rounds::change(OfWord& word, const Thread& thread, const Line& line) {
    Changes& changes = word.changes[line];
    OfWord::Since& since = word.since[thread];
    for (const auto& [at, times] : since.came)
        ++changes.behind[at][times][thread];
    if (changes.times == 1)
        changes.before = changes.last;
    else
        std::erase_if(changes.before, [&](const auto& was) { return !changes.last.contains(was); });
    changes.last = std::move(since.changed);
    changes.lastBy = thread;
    ++changes.times;
    word.lastAt = line;
    word.loaded.clear();
    since = {};
}

void Rounds::access(const Exec& x, const Inst& in, int lane, const Word& at, const Word* of, bool changes) {
    if (m_words.empty())
        return;
    const Thread thread{x.launch->launch, x.block->index, x.warp->number * 32 + std::uint32_t(lane)};
    auto known = m_threads.find(thread);
    if (known == m_threads.end()) {
        const bool isFlag = in.memory.isStrong || x.access.kind == AccessKind::Atomic || (of && changes);
        if (!isFlag || m_threads.size() == mostThreads)
            return;
        known = m_threads.try_emplace(thread).first;
    }
    Own& own = known->second;
    Place place{in.index, noIndex};
    for (const Frame* f = x.frame; f && f->parent; f = f->parent)
        place.call = f->callPosition;
    const Line line = lineOf(*x.program, place);
    ++m_now;
    const auto watched = of ? m_words.find(*of) : m_words.end();
    if (watched != m_words.end() && changes)
        watched->second.lastWhen = m_now;
    else if (watched != m_words.end())
        watched->second.loaded.try_emplace(thread, FirstLoad{in.index, m_now});
    if (changes && (own.changed.size() < mostLines || own.changed.contains(at)))
        own.changed[at] = {place, m_now};
    if (own.last != line || own.at != at || changes) // who asks the same again has not gone round
        for (auto& [name, word] : m_words) {
            if (changes && of && *of == name) {
                change(word, thread, line);
                continue;
            }
            OfWord::Since& since = word.since[thread];
            if (since.came.size() < mostLines || since.came.contains(line))
                ++since.came[line];
            if (changes && since.changed.size() < mostLines)
                since.changed.insert({line, at});
        }
    own.last = line;
    own.at = at;
}

const Rounds::OfWord* Rounds::word(const Word& word) const {
    const auto at = m_words.find(word);
    return at == m_words.end() ? nullptr : &at->second;
}

std::optional<Rounds::Change> Rounds::changed(const Thread& thread, const Word& word) const {
    const auto own = m_threads.find(thread);
    if (own == m_threads.end() || !own->second.changed.contains(word))
        return std::nullopt;
    return own->second.changed.at(word);
}

const std::vector<Rounds::Place>& Rounds::placesAt(const Line& line) const {
    static const std::vector<Place> none;
    const auto at = m_places.find(line);
    return at == m_places.end() ? none : at->second;
}

} // namespace warpglass::emulator
