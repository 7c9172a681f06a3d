// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes as a kernel that assembles: instructions of the whole instruction table, in a frame with everything that they can
// take hold of, and a launch of it.
#pragma once

#include "gpu/launch/backend.h"

#include <string>
#include <string_view>
#include <vector>

namespace warpglass::fuzz {

inline constexpr std::size_t mostGeneratedBytes = 1 << 12; // of an input

struct Generated {
    LaunchPlan plan;
    RunOptions options;
    std::vector<std::string> lines; // of the body; makeText makes the plan's PTX of them
    std::string declarations;
    std::vector<std::uint64_t> numbers; // of a turn
    int firstLine = 0;                  // of the body, in the text
    int turns = 1;                      // of each warp through the body

    void makeText();
    // What an error of the decoder or parser names goes out of the body; false: it names no line of it.
    bool leaveOut(const std::string& error);
    // Until it is no more refused for a line. False: it is, for something else. WARPGLASS_FUZZ_SHOW: tells the text.
    bool run(Backend& backend);
    // One that ran, launched so often as it was decoded, each time with other numbers: a launch takes a tenth of the time that
    // its text takes to be read, a turn of a warp through the body a hundredth of a launch.
    void again(int times);

private:
    // The plan's parameter w: numbers of a row for each turn, as long as they fit. 0: the first row is `numbers`.
    void give(std::uint64_t launch);
    std::size_t rows() const; // of w, a power of two
};
// Runs it, and again; the emulator may take half a GB.
void runOften(Generated it);
Generated generated(std::string_view bytes);
// A body of one instruction, of the table's row and form with these numbers.
Generated generatedOne(std::string_view bytes, std::size_t row, std::size_t form);

} // namespace warpglass::fuzz
