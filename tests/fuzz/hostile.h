// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel's body written line by line, its registers full of what nobody expects: edges of all windows of memory, of all
// widths, sizes a little too large, descriptors.
#pragma once

#include "tests/fuzz/dice.h"

#include "gpu/ptx/instruction_set.h"

#include <array>
#include <string>
#include <vector>

namespace warpglass::fuzz {

std::uint64_t hostileNumber(Dice& dice);

// Most of the numbers that registers are filled with stand in a row of the kernel's parameter w: each turn through the body, and
// each launch of the same text, has others.
inline constexpr std::size_t mostNumbers = 128; // of eight bytes
inline constexpr std::size_t numbersOfAll = 1024;

class Body {
public:
    explicit Body(Dice& its) : dice(its) {}
    Dice& dice;

    void line(std::string text) { m_lines.push_back(std::move(text)); }
    const std::vector<std::string>& lines() const { return m_lines; }
    std::string declarations() const;                                       // of the registers that the lines name
    const std::vector<std::uint64_t>& numbers() const { return m_numbers; } // of w

    // bytes: 0 (a predicate), 1 (.b8), 2, 4, 8, 16.
    std::string result(int bytes); // a register, the last ones are values later
    std::string value(int bytes);  // a register that holds something, by lines of its own
    std::string list(int count, int bytes, bool isResult, bool withHoles = false);
    std::string address(ptx::ModifierSet words); // in brackets, in the space that the words tell
    std::string sharedAddress(bool wide = false);
    std::string globalAddress();
    std::string barrier(); // mostly a sound one
    std::string label();   // a name of its own

private:
    static std::size_t kindOf(int bytes);
    std::string fresh(int bytes);
    std::string base64(); // a register with an address
    std::string offset();
    // What stands for the number in an instruction: a register that it is read into, or its digits.
    std::string given(std::uint64_t number, int bytes);
    bool give(const std::string& name, std::uint64_t number,
              int bytes); // a line; false: it is not to be given, or no more is
    std::vector<std::string> m_lines;
    std::vector<std::uint64_t> m_numbers;
    std::array<int, 6> m_used{1, 0, 1, 2, 2, 0}; // the first ones are the frame's own
    std::array<int, 6> m_results{};              // the last one of each kind, if any
    int m_labels = 0;
};

} // namespace warpglass::fuzz
