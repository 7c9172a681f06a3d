// SPDX-License-Identifier: GPL-3.0-or-later
// What of the window is seen, decided in one place. A feature says what it is at (the situation); which mode that is, and
// what a mode shows, stands here. Nobody else asks whether something is shown because of something else.
#pragma once

#include <cstdint>
#include <span>

namespace warpglass {

// What the middle of the window belongs to.
enum class Front : std::uint8_t { Launch, Program, Start };

// How the window is arranged for what a person is at: a question with its picture, the gallery, an own kernel.
enum class Arrangement : std::uint8_t { Learn, Explore, Build };

struct Situation {
    Front page = Front::Launch;
    Arrangement arrangement = Arrangement::Explore;
    bool lesson = false;     // a step of one is shown
    bool exercise = false;   // one is worked at
    bool asking = false;     // a lesson's question is still to be answered
    bool predicting = false; // somebody predicts in the view
    bool flows = false;      // and time flows there as far as the next question
    bool presenting = false; // to a class
    bool code = false;       // which sees the code, too
    bool operator==(const Situation&) const = default;
};

enum class WindowMode : std::uint8_t {
    Start,
    Program,
    Learn,
    LearnQuestion,   // a card in the place of the view
    LearnPrediction, // a board in the view
    Exercise,
    Explore,
    ExploreQuestion,
    ExplorePrediction,
    Build,
    BuildQuestion,
    BuildPrediction,
    ClassProgram,
    Class,
    ClassLesson,
    ClassWithCode,
    ClassQuestion,
    ClassPrediction,
};
WindowMode modeOf(const Situation& situation);

// Whose sides, splits and opened panels are in force: what a person arranges by hand is kept for each.
enum class Place : std::uint8_t { None, Learn, Exercise, Explore, Build };

// Which actions of the Play menu mean something.
enum class Clock : std::uint8_t {
    Runs,  // all of them
    Steps, // from one event to the next
    Board, // ends the prediction, and lets time flow if it does
    Rests, // none but the choice of motion
};

// How much of the transport is there; the keys mean all of it wherever the clock runs.
enum class Transport : std::uint8_t {
    None,
    Play,  // one button, and the strip that tells when something happens
    Steps, // and one moment back and on
};

// A row of the table: what a mode shows.
struct Seen {
    WindowMode mode;
    Place place; // None: as it was
    Front page;
    Clock clock;
    bool desk;    // what one works with: the bar above. A class sees none of it
    bool tabs;    // of the views, and their switches
    bool column;  // the step's words and the code beside the picture; else the words are above it
    bool left;    // the side with kernels and launch may be there
    bool right;   // the side with the code may be there
    bool gallery; // the left side holds kernels and lessons; else the launch, or an exercise, alone
    bool rails;   // a side that is folded away leaves a strip to bring it back by
    Transport transport;
    bool answers; // what would tell besides: the table of differences, the kernel's story
    bool card;    // the question's, in the place of the view
};
std::span<const Seen> seenTable();
const Seen& seenIn(WindowMode mode);

// What a place begins with, before anybody has arranged it.
struct FirstSides {
    bool left, right; // unfolded
    bool launch;      // the fields of the launch
    bool facts;       // of the chosen warp, below the code
    bool time;        // all of the transport
};
FirstSides firstSides(Place place);

} // namespace warpglass
