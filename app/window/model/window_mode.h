// SPDX-License-Identifier: GPL-3.0-or-later
// What of the window is seen, decided in one place. A feature says what it is at (the situation); which mode that is, and
// what a mode shows, stands here. Nobody else asks whether something is shown because of something else.
#pragma once

#include <cstdint>
#include <span>

namespace warpglass {

// What the middle of the window belongs to.
enum class Front : std::uint8_t { Launch, Program, Start };

struct Situation {
    Front page = Front::Launch;
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
    Launch,
    Question,   // a card in the place of the view
    Prediction, // a board in the view
    ClassProgram,
    Class,
    ClassWithCode,
    ClassQuestion,
    ClassPrediction,
};
WindowMode modeOf(const Situation& situation);

// Which actions of the Play menu mean something.
enum class Clock : std::uint8_t {
    Runs,  // all of them
    Steps, // from one event to the next
    Board, // ends the prediction, and lets time flow if it does
    Rests, // none but the choice of motion
};

// A row of the table: what a mode shows.
struct Seen {
    WindowMode mode;
    Front page;
    Clock clock;
    bool desk;      // what one works with: top bar, tabs, facts of the warp. A class sees none of it
    bool left;      // the side with kernels and launch
    bool right;     // the side with the code
    bool transport; // its strip tells when something happens
    bool answers;   // what would tell besides: the table of differences, the kernel's story
    bool card;      // the question's, in the place of the view
};
std::span<const Seen> seenTable();
const Seen& seenIn(WindowMode mode);

} // namespace warpglass
