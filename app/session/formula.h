// SPDX-License-Identifier: GPL-3.0-or-later
// Formulas: what the host computes to know whether a kernel's result is right, as one writes it beside a kernel.
//
//   out[i] = i < n ? 3 * in[i] + 1 : 0          total[0] = sum(k, 0, n, in[k])
//   c[i] = sum(k, 0, 16, a[floor(i / 16) * 16 + k] * b[k * 16 + i % 16])
//
// On the left stand a buffer and the element: i is each of them, a number is that one alone. On the right stands an
// expression (gpu/base/expression.h) over the names of the launch's arguments as they are before the launch, a buffer with
// an index.
#pragma once

#include "gpu/base/expression.h"
#include "gpu/base/result.h"
#include "gpu/launch/plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass::session {

struct Formula {
    std::string text, buffer;
    std::optional<std::uint64_t> element; // nothing: all of them
    Expression right;
};

// Error: what is wrong with the text, without a place.
Result<Formula> parseFormula(std::string_view text);

// The elements of a buffer, or of a number as it is passed, as they are in memory.
std::vector<double> valuesOf(const std::vector<std::byte>& bytes, ElementType type);

// One element that is not what the formula says, and how many others are not.
struct WrongValues {
    std::string buffer;
    std::uint64_t element = 0;
    double found = 0, right = 0;
    std::uint64_t wrong = 0, of = 0; // of: elements that were looked at
};

// What the launch is to make of its buffers. It holds for numbers of 64 bits, too, while they are below 2^53.
struct RightResult {
    struct Values {
        std::size_t argument = 0; // of the plan
        std::uint64_t first = 0;  // element
        std::vector<double> values;
    };
    std::vector<Values> all;
    double tolerance = 0; // of floats, relative to the value, and to 1 where it is smaller

    WrongValues judge(const std::vector<Argument>& arguments, const Buffers& buffers) const;
};
// What it takes to work them out, in elements that are read, or computed by eight characters of a formula.
double workOf(const std::vector<Formula>& formulas, const std::vector<Argument>& arguments);
// Error: a name that the launch does not have, an index outside of a buffer, a formula that takes too long.
Result<RightResult> rightResult(const std::vector<Formula>& formulas, const std::vector<Argument>& arguments,
                                double tolerance);

} // namespace warpglass::session
