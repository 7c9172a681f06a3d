// SPDX-License-Identifier: GPL-3.0-or-later
// The sentences of grading, in both languages.
#pragma once

#include "app/session/grade.h"

namespace warpglass::session::words {

LocalWords title(const std::string& goal, const Exercise& exercise);

LocalWords emptyFile();
LocalWords emptyFileHelp(const Exercise& exercise);
LocalWords forbidden(const std::string& include);
LocalWords forbiddenHelp();
LocalWords forbiddenByteHelp();
LocalWords compileHelp();
LocalWords compilerEndless();
LocalWords noKernel(const Exercise& exercise, const std::string& there); // there: names of kernels; may be empty
LocalWords noKernelHelp(const Exercise& exercise);
LocalWords otherParameters(const std::string& signature);
LocalWords otherParametersHelp(const Exercise& exercise);
LocalWords launchesOthers();
LocalWords launchesOthersHelp();
LocalWords uncounted(const std::string& what);
LocalWords uncountedHelp();
LocalWords launchRefusedHelp();
LocalWords tooMuchMemoryHelp();
LocalWords unknownInstructionHelp();
LocalWords outOfTime(std::uint32_t seconds);
LocalWords outOfTimeHelp();
LocalWords diagnosticHelp(DiagnosticKind kind);
LocalWords diagnosticHelp(const Diagnostic& diagnostic); // of a hang: by what its root waits for
LocalWords wrongResult(const WrongValues& values);
LocalWords wrongResultHelp(bool othersRight, bool hidden);
LocalWords inLaunch(LocalWords words, const ExerciseLaunch& launch, int number); // "... (launch 2: grid 4, block 64)"
LocalWords mostAtLine(LocalWords words, int line);
LocalWords state(GoalState state);

} // namespace warpglass::session::words
