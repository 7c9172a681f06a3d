// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/messages/machine.h"
#include "gpu/machine/fate.h"

#include <algorithm>

namespace warpglass::machine {

Message wordsOf(const PtxFate& fate, const Function& function, unsigned arch) {
    const std::size_t count = fate.code.size();
    switch (fate.fate) {
    case LineFate::Gone:
        return say::FateGone();
    case LineFate::Merged:
        return say::FateMerged(std::to_string(fate.into));
    case LineFate::Joined:
        return say::FateJoined(std::to_string(fate.into), fate.bytes);
    case LineFate::Copied:
        return fate.inLoop ? say::FateCopied(fate.copies, count) : say::FateRepeated(fate.copies, count);
    case LineFate::Predicated:
        return say::FatePredicated(count);
    case LineFate::Hoisted:
        return say::FateHoisted(count);
    case LineFate::Kept:
        break;
    }
    constexpr std::size_t most = 6; // names that a line has room for
    std::string names;
    for (std::size_t i = 0; i < std::min(count, most); ++i) {
        const std::string_view name = mnemonic(function.code[fate.code[i]].opcode, arch);
        names += (i ? ", " : "") + (name.empty() ? std::string("?") : std::string(name));
    }
    return say::FateKept(count, names + (count > most ? ", …" : ""));
}

Message wordsOf(const Decision& decision, const Message& place) {
    const std::size_t count = decision.code.size();
    switch (decision.fate) {
    case BranchFate::Left:
        return decision.meets ? say::BranchLeft(place) : Message(say::BranchLeftNowhere);
    case BranchFate::Uniform:
        return say::BranchUniform;
    case BranchFate::Select:
        return say::BranchSelect(count);
    case BranchFate::Predicated:
        return say::BranchPredicated(count);
    case BranchFate::Exit:
        return say::BranchExit;
    case BranchFate::Unrolled:
        return say::BranchUnrolled;
    case BranchFate::Gone:
        break;
    }
    return say::BranchGone;
}

Message wordsHere(const Decision& decision, const Message& words) {
    return decision.isLoop ? say::LoopHere(words) : say::DecisionHere(words);
}

Message wordsAt(const Decision& decision, std::uint32_t sourceLine, const Message& words) {
    const std::string line = std::to_string(sourceLine ? sourceLine : decision.line);
    if (sourceLine)
        return decision.isLoop ? say::LoopOf(line, words) : say::BranchOf(line, words);
    return decision.isLoop ? say::LoopOfPtx(line, words) : say::DecisionOfPtx(line, words);
}

std::optional<Message> spillWords(const PtxFate& fate) {
    return fate.spills ? std::optional(say::FateSpilled(fate.spills)) : std::nullopt;
}

} // namespace warpglass::machine
