// SPDX-License-Identifier: GPL-3.0-or-later
// Grading: a hand-in is compiled in a private folder, run on the emulator with the exercise's launches, and its goals are
// judged on the recordings. Nothing of it ever runs on the processor; the emulator runs it in a process that knows nothing
// of the exercise but the inputs (gpu/cage), and the compiler reads no other file. This process alone judges.
//
//   compiles   the source compiles, and includes nothing but headers of CUDA and of the compiler
//   kernel     the kernel is there and takes what the exercise gives it
//   ends       every launch can be launched and comes to its end without a fault
//   clean      the emulator has found nothing wrong: no race, no read of what nobody has written, ...
//   result     every launch has the right result
//   goal 1...  those of the exercise
//
// What cannot be judged because something before it failed is said to be so. Each goal that is missed has a sentence that
// helps and, where there is one, the line of the hand-in.
#pragma once

#include "app/session/exercise.h"
#include "gpu/base/enum_words.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace warpglass::session {

enum class GoalState : std::uint8_t { Reached, Missed, NotJudged };

struct GoalGrade {
    std::string goal;
    GoalState state = GoalState::NotJudged;
    LocalWords title, found, help; // found and help: of what is missed
    int line = 0;                  // of the hand-in; 0: none
    int launch = 0;                // from 1; 0: none
};

struct Grade {
    std::string exercise, file;
    std::vector<GoalGrade> goals;

    bool passed() const;
    int reached() const;
};

struct HandIn {
    std::string name; // "ada.cu" or "ada.ptx"; no path
    std::string text;
    std::shared_ptr<const CompiledText> compiled; // of the text, if it is there already
};

struct GradeLimits {
    std::uint32_t seconds = 20; // of all launches together
    std::uint32_t compilerSeconds = 60;
    std::uint64_t memoryBytes = std::uint64_t(2) << 30; // of a launch; of each process of the compiler four times that
    std::uint64_t instructionsOfWarp = 2'000'000;       // a warp that runs more does not end
    int threads = 0;                                    // of the emulator; 0: all
};

// All of an exercise's goals, none of them judged.
Grade nothingJudged(const Exercise& exercise, const HandIn& handIn);

// Error: it cannot be graded here (no compiler, no folder to compile in, cancelled), or the emulator broke on it.
Result<Grade> grade(const Exercise& exercise, const HandIn& handIn, const GradeLimits& limits, Progress& progress);

// What is wrong with an exercise itself: its starter reaches all goals, its solution misses one, a text lacks a language.
// Each a sentence with the line of the exercise's file, or 0. Empty: it is right.
struct ExerciseFinding {
    int line = 0;
    std::string text;
};
Result<std::vector<ExerciseFinding>> checkExercise(const Exercise& exercise, const GradeLimits& limits,
                                                   Progress& progress);

nlohmann::ordered_json gradeJson(const Grade& grade, const std::string& language);
std::string gradeText(const Grade& grade, const std::string& language);

} // namespace warpglass::session
