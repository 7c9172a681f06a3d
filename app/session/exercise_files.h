// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

namespace warpglass::session {

struct ExerciseFile {
    std::string_view name, text;
};

// All files of resources/exercises, built in.
const ExerciseFile* exerciseFiles();
std::size_t exerciseFileCount();

} // namespace warpglass::session
