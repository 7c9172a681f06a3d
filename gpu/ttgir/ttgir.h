// SPDX-License-Identifier: GPL-3.0-or-later
// The text of a module in TTGIR, as far as it tells of tensors: which operations a line of Python became, and what their
// tensors look like. Lines that are none of that are passed over.
#pragma once

#include "gpu/ttgir/encodings.h"

#include <string>
#include <string_view>
#include <vector>

namespace warpglass::ttgir {

struct Tensor {
    Place shape;
    std::string type;       // of an element: "f16", "i32", "*f32" of pointers
    std::uint32_t bits = 0; // of what it points to, of pointers; 0: not known
    std::string encoding;   // "#blocked", or written out; empty: it has none
    bool shared = false;    // in shared memory (!ttg.memdesc)
    bool operator==(const Tensor&) const = default;
};

struct SourceLine {
    std::string file;
    std::uint32_t line = 0;
    bool operator==(const SourceLine&) const = default;
};

struct TensorOperation {
    std::string name;               // "tt.load"
    std::uint32_t textLine = 0;     // of the TTGIR
    std::vector<SourceLine> places; // its own line, then those that called the function it is in
    std::vector<Tensor> tensors;    // of its types, each once, in the order of the text
};

struct Ttgir {
    std::string kernel;                                      // of the first public function
    std::uint32_t warps = 0, threadsPerWarp = 0, blocks = 0; // blocks of a cluster; 0: it does not say
    Aliases aliases;
    std::vector<TensorOperation> operations; // those that have tensors
};

// Nothing: it is no module with layouts.
std::optional<Ttgir> readTtgir(std::string_view text);

} // namespace warpglass::ttgir
