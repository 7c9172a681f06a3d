// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/window_mode.h"

#include <cstddef>
#include <iterator>

namespace warpglass {

namespace {

using M = WindowMode;
constexpr bool yes = true, no = false;

// In the order of the enum.
// clang-format off
constexpr Seen table[] = {
    // mode              page           clock         desk left right transport answers card
    {M::Start,           Front::Start,   Clock::Rests, yes, no,  no,   no,       no,     no},
    {M::Program,         Front::Program, Clock::Steps, yes, no,  no,   no,       no,     no},
    {M::Launch,          Front::Launch,  Clock::Runs,  yes, yes, yes,  yes,      yes,    no},
    {M::Question,        Front::Launch,  Clock::Runs,  yes, yes, no,   yes,      no,     yes},
    {M::Prediction,      Front::Launch,  Clock::Board, yes, yes, no,   no,       no,     no},
    {M::ClassProgram,    Front::Program, Clock::Steps, no,  no,  no,   no,       no,     no},
    {M::Class,           Front::Launch,  Clock::Runs,  no,  no,  no,   no,       no,     no},
    {M::ClassWithCode,   Front::Launch,  Clock::Runs,  no,  no,  yes,  no,       no,     no},
    {M::ClassQuestion,   Front::Launch,  Clock::Runs,  no,  no,  no,   no,       no,     yes},
    {M::ClassPrediction, Front::Launch,  Clock::Board, no,  no,  no,   no,       no,     no},
};
// clang-format on

constexpr bool inOrder() {
    for (std::size_t i = 0; i < std::size(table); ++i)
        if (table[i].mode != M(i))
            return false;
    return std::size(table) == std::size_t(M::ClassPrediction) + 1;
}
static_assert(inOrder());

} // namespace

WindowMode modeOf(const Situation& now) {
    if (now.page == Front::Start)
        return M::Start;
    if (now.page == Front::Program)
        return now.presenting ? M::ClassProgram : M::Program;
    if (now.predicting) // whoever asks for the board while a card is there has the board
        return now.presenting ? M::ClassPrediction : M::Prediction;
    if (now.asking)
        return now.presenting ? M::ClassQuestion : M::Question;
    if (now.presenting)
        return now.code ? M::ClassWithCode : M::Class;
    return M::Launch;
}

std::span<const Seen> seenTable() {
    return table;
}

const Seen& seenIn(WindowMode mode) {
    return table[std::size_t(mode)];
}

} // namespace warpglass
