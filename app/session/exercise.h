// SPDX-License-Identifier: GPL-3.0-or-later
// Exercises: a kernel to mend or to write, launches whose right results the host works out, and goals that are measured
// on the recording.
//
// An exercise is one JSON file with its sources beside it (resources/exercises; anybody can write one; docs/exercises.md
// is its guide):
//   { "format": 1, "name": "no-divided-warp", "order": 20,
//     "title": {"en": "...", "zh_CN": "..."}, "summary": {...}, "task": {...},
//     "kernel": "paint", "starter": "no-divided-warp.cu", "solution": "no-divided-warp-solution.cu", "mode": "as-written", "device_launches": false, "asynchronous": false,
//     "launches": [ { "grid": "4", "block": "64", "arguments": ["out:i32[256]=0", "n:i32=256"],
//                     "right": ["out[i] = i % 2 == 0 ? 100 : 200"], "hidden": false } ],
//     "goals": [ { "title": {...}, "expect": "divergent = 0", "help": {...}, "launches": [1] } ],
//     "hints": [ {...}, {...} ] }
// Launch words are those of a lesson's run (json_reading.h), formulas those of formula.h, expectations those of
// expectation.h. A hidden launch is graded and not shown, so that the answer cannot be written down instead of computed.
// Where a .ptx of a source's name lies beside it, nobody needs a compiler for that source.
#pragma once

#include "app/session/expectation.h"
#include "app/session/formula.h"
#include "app/session/json_reading.h"
#include "app/session/session.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warpglass::session {

struct ExerciseGoal {
    LocalWords title, help; // help: what to think of where it is missed
    Expectation expectation;
    std::vector<int> launches; // counted from 1; empty: all
    int line = 0;              // of the file
};

struct ExerciseLaunch {
    RunRequest request; // without kernel and text
    std::vector<Formula> right;
    bool hidden = false;
    int line = 0;
};

struct ExerciseSource {
    std::string name, text;                       // "no-divided-warp.cu"
    std::shared_ptr<const CompiledText> compiled; // where a .ptx lies beside it
};

struct Exercise {
    std::string name;
    std::optional<int> order;
    LocalWords title, summary, task;
    std::string kernel;
    CompileMode mode = CompileMode::Optimised;
    double tolerance = 1e-5;   // of floats
    bool asynchronous = false; // whether the kernel may use copies, barriers and products that go on beside the threads
    bool deviceLaunches = false; // whether the kernel may launch others; goals are asked of the exercise's own launch
    ExerciseSource starter, solution;
    std::vector<ExerciseLaunch> launches;
    std::vector<ExerciseGoal> goals;
    std::vector<LocalWords> hints;

    std::string signature() const; // "paint(int* out, int n)", of the starter
};

// The text of a file beside the exercise; nothing: there is none.
using FileBeside = std::function<std::optional<std::string>(const std::string& name)>;

// Error: one sentence with the line.
Result<Exercise> parseExercise(std::string_view text, const std::string& fileName, const FileBeside& beside);
Result<Exercise> readExercise(const std::string& path);

// Those of the program, by their order. They are right: a test says so.
const std::vector<Exercise>& builtInExercises();
// By name among those of the program, or the path of a .json file.
Result<Exercise> findExercise(const std::string& nameOrPath);

} // namespace warpglass::session
