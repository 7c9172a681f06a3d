// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/window_mode.h"

#include <cstddef>
#include <iterator>

namespace warpglass {

namespace {

using M = WindowMode;
using P = Place;
using F = Front;
using C = Clock;
using T = Transport;
constexpr bool yes = true, no = false;

// In the order of the enum.
// clang-format off
constexpr Seen table[] = {
    // mode                place        page        clock     desk tabs column left right gallery rails transport answers card
    {M::Start,             P::None,     F::Start,   C::Rests, yes, no,  no,    no,  no,   yes,    no,   T::None,  no,     no},
    {M::Program,           P::None,     F::Program, C::Steps, yes, no,  no,    no,  no,   yes,    no,   T::None,  no,     no},
    {M::Learn,             P::Learn,    F::Launch,  C::Runs,  yes, no,  yes,   yes, yes,  yes,    no,   T::Play,  no,     no},
    {M::LearnQuestion,     P::Learn,    F::Launch,  C::Runs,  yes, no,  no,    yes, no,   yes,    no,   T::None,  no,     yes},
    {M::LearnPrediction,   P::Learn,    F::Launch,  C::Board, yes, no,  no,    yes, no,   yes,    no,   T::None,  no,     no},
    {M::Exercise,          P::Exercise, F::Launch,  C::Runs,  yes, no,  no,    yes, yes,  no,     no,   T::Play,  no,     no},
    {M::Explore,           P::Explore,  F::Launch,  C::Runs,  yes, yes, no,    yes, yes,  yes,    yes,  T::Steps, yes,    no},
    {M::ExploreQuestion,   P::Explore,  F::Launch,  C::Runs,  yes, yes, no,    yes, no,   yes,    no,   T::Steps, no,     yes},
    {M::ExplorePrediction, P::Explore,  F::Launch,  C::Board, yes, yes, no,    yes, no,   yes,    no,   T::None,  no,     no},
    {M::Build,             P::Build,    F::Launch,  C::Runs,  yes, yes, no,    yes, yes,  no,     yes,  T::Steps, yes,    no},
    {M::BuildQuestion,     P::Build,    F::Launch,  C::Runs,  yes, yes, no,    yes, no,   no,     no,   T::Steps, no,     yes},
    {M::BuildPrediction,   P::Build,    F::Launch,  C::Board, yes, yes, no,    yes, no,   no,     no,   T::None,  no,     no},
    {M::ClassProgram,      P::None,     F::Program, C::Steps, no,  no,  no,    no,  no,   yes,    no,   T::None,  no,     no},
    {M::Class,             P::None,     F::Launch,  C::Runs,  no,  no,  no,    no,  no,   yes,    no,   T::None,  no,     no},
    {M::ClassLesson,       P::None,     F::Launch,  C::Runs,  no,  no,  yes,   no,  no,   yes,    no,   T::None,  no,     no},
    {M::ClassWithCode,     P::None,     F::Launch,  C::Runs,  no,  no,  no,    no,  yes,  yes,    no,   T::None,  no,     no},
    {M::ClassQuestion,     P::None,     F::Launch,  C::Runs,  no,  no,  no,    no,  no,   yes,    no,   T::None,  no,     yes},
    {M::ClassPrediction,   P::None,     F::Launch,  C::Board, no,  no,  no,    no,  no,   yes,    no,   T::None,  no,     no},
};
// clang-format on

constexpr bool inOrder() {
    for (std::size_t i = 0; i < std::size(table); ++i)
        if (table[i].mode != M(i))
            return false;
    return std::size(table) == std::size_t(M::ClassPrediction) + 1;
}
static_assert(inOrder());

// One of three that stand beside each other: nothing special, a question, a prediction.
M at(M plain, const Situation& now) {
    return M(int(plain) + (now.predicting ? 2 : now.asking ? 1 : 0)); // whoever asks for the board has the board
}

} // namespace

WindowMode modeOf(const Situation& now) {
    if (now.page == Front::Start)
        return M::Start;
    if (now.page == Front::Program)
        return now.presenting ? M::ClassProgram : M::Program;
    if (now.presenting) {
        if (now.predicting)
            return M::ClassPrediction;
        if (now.asking)
            return M::ClassQuestion;
        return now.code ? M::ClassWithCode : now.lesson ? M::ClassLesson : M::Class;
    }
    switch (now.arrangement) {
    case Arrangement::Learn:
        return now.exercise && !now.lesson && !now.predicting ? M::Exercise : at(M::Learn, now);
    case Arrangement::Explore:
        return at(M::Explore, now);
    case Arrangement::Build:
        break;
    }
    return at(M::Build, now);
}

std::span<const Seen> seenTable() {
    return table;
}

const Seen& seenIn(WindowMode mode) {
    return table[std::size_t(mode)];
}

FirstSides firstSides(Place place) {
    switch (place) {
    case Place::Exercise:
        return {.left = yes, .right = yes, .launch = no, .facts = no, .time = no};
    case Place::Explore:
        return {.left = yes, .right = no, .launch = no, .facts = yes, .time = no};
    case Place::Build:
        return {.left = no, .right = yes, .launch = yes, .facts = no, .time = no};
    case Place::Learn:
    case Place::None:
        break;
    }
    return {.left = no, .right = no, .launch = no, .facts = yes, .time = no};
}

} // namespace warpglass
