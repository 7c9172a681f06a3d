// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/run/hang.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/run/standing.h"

#include <algorithm>

namespace warpglass::emulator {

namespace {

constexpr std::size_t watchedBlocks = 64; // whose mbarriers are looked at in the second run
constexpr std::size_t toldWaits = 4;

Message whoIsLeft(const GridRun& run, const std::deque<LivingBlock>& blocks, std::uint64_t places) {
    std::uint64_t ended = 0;
    for (std::uint64_t b = 0; b < run.result.steps.size(); ++b)
        ended += run.result.steps[b] > 0;
    for (const LivingBlock& b : blocks) // the timing model knows how long they took so far
        ended -= run.result.steps[b.index] > 0;
    const std::uint64_t all = run.launch.grid.count(), begun = std::min(all, ended + blocks.size());
    return begun < all ? say::CannotBegin(all - begun, places) : say::NobodyLeft(ended, all);
}

} // namespace

Hang explainHang(const GridRun& run, const std::deque<LivingBlock>& blocks, std::uint64_t places) {
    std::vector<const BlockState*> states;
    states.reserve(blocks.size());
    for (const LivingBlock& b : blocks)
        states.push_back(&b.runner->block());
    Hang hang;
    hang.on.blocks.reserve(std::min(states.size(), watchedBlocks));
    for (std::size_t b = 0; b < std::min(states.size(), watchedBlocks); ++b)
        hang.on.blocks.push_back(states[b]->index);
    std::sort(hang.on.blocks.begin(), hang.on.blocks.end());
    std::vector<std::uint64_t> notBegun;
    if (run.launch.workspace != 0) { // it may wait at the grid's barrier
        std::vector<bool> begun(run.result.steps.size());
        for (const LivingBlock& b : blocks)
            begun[b.index] = true;
        for (std::uint64_t b = 0; b < begun.size(); ++b)
            if (!begun[b] && run.result.steps[b] == 0)
                notBegun.push_back(b);
    }
    const Standing standing(run.launch, run.memory, std::move(states), run.options.hang, std::move(notBegun),
                            &run.device.children);
    hang.waits = standing.waits();
    std::vector<Message> who;
    for (std::size_t w = 0; w < hang.waits.size(); ++w) {
        const HangWait& wait = hang.waits[w];
        if (wait.kind == HangKind::Word)
            hang.on.words.push_back(wordOf(wait));
        if (w < toldWaits)
            who.push_back(standing.sentence(w));
    }
    if (hang.waits.size() > toldWaits)
        who.push_back(say::MorePlaces(hang.waits.size() - toldWaits));
    if (!hang.waits.empty())
        hang.position = standing.position(0);
    hang.atBarrier = hang.waits.empty() || hang.waits.front().kind != HangKind::Word;
    hang.sentence = hang.atBarrier ? say::LaunchHangs(who) : say::LoopWaits(who, whoIsLeft(run, blocks, places));
    if (standing.isRing()) {
        hang.sentence = say::InARing(std::move(hang.sentence));
        if (standing.nobodyBegan())
            hang.sentence = say::NobodyBegins(std::move(hang.sentence));
        if (const std::size_t fills = standing.fills(); standing.nobodyBegan() && fills != noIndex)
            hang.sentence = say::FillerBegins(std::move(hang.sentence), standing.warpsAt(fills));
    }
    return hang;
}

} // namespace warpglass::emulator
