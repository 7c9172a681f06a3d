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
    std::vector<std::uint64_t> numbers; // that w begins with
    int firstLine = 0;                  // of the body, in the text

    void makeText();
    // What an error of the decoder or parser names goes out of the body; false: it names no line of it.
    bool leaveOut(const std::string& error);
    // Until it is no more refused for a line. False: it is, for something else. WARPGLASS_FUZZ_SHOW: tells the text.
    bool run(Backend& backend);
    // One that ran, launched so often as it was decoded, each time with other numbers: a launch takes a tenth of the time that
    // its text takes to be read.
    void again(int times);

private:
    void give(const std::vector<std::uint64_t>& given); // to the plan, as its parameter w
};
// Runs it, and again; the emulator may take half a GB.
void runOften(Generated it);
Generated generated(std::string_view bytes);
// A body of one instruction, of the table's row and form with these numbers.
Generated generatedOne(std::string_view bytes, std::size_t row, std::size_t form);

} // namespace warpglass::fuzz
