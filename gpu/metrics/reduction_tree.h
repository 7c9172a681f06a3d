// SPDX-License-Identifier: GPL-3.0-or-later
// The additions a block really made, as a tree: derived from its recorded loads, stores, shuffles and barriers, without
// knowing the kernel.
//
// How: a thread's stored value is compared with what the thread read since it last stored, and with what it still holds
// in a register. If it is their sum, the store is an addition and its inputs are the versions of the cells (or the
// lanes) that were read; if it equals one of them it is a copy; else it is a new number that the thread worked out by
// itself. A value handed out by a shuffle is compared in the same way. Every cell keeps its versions, so a thread that
// read too early is seen to have read the old one. Barriers divide the run into phases; additions of one phase that
// need each other are divided into steps. Whether the tree is right is then plain: the last sum must hold every number
// once.
//
// A wrong sum is told only of a block that folds: where one tree covers what the block wrote. Results are what it wrote to
// global memory and never read; if there are none, whatever it left in global memory. In a product of matrices some sums
// are found, by chance of small numbers too, but its results are no part of one tree: that is no reduction, and no tree.
#pragma once

#include "gpu/trace/trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace warpglass {

struct ReductionCell {
    MemorySpace space = MemorySpace::Global;
    std::uint64_t address = 0;
    int column = -1;   // place in the row of numbers: rank of the address among the cells that take part; -1 = does not
    bool read = false; // by the block
    std::uint32_t last = noIndex; // row of values: what the block wrote there last; noIndex: wrote nothing
};

struct ReductionValue {
    enum class Kind : std::uint8_t {
        Given, // was there before, or worked out by a thread in a way that is no addition
        Copy,  // of one other value
        Sum,   // of two or more
    };
    Kind kind = Kind::Given;
    std::uint32_t cell = noIndex;   // row of cells; noIndex: in a register
    std::uint32_t thread = noIndex; // linear threadIdx of who made it; noIndex: was there before
    std::uint32_t warp = noIndex;   // row of the trace's warp table
    std::uint64_t bits = 0;
    std::uint8_t bytes = 4;
    bool isFloat = false;
    std::vector<std::uint32_t> inputs; // rows of values, older than this one
    std::uint64_t event = 0;           // row of the event table; when it was added
    Time time;
    std::uint32_t phase = 0;      // barriers passed before
    std::uint32_t step = noIndex; // of a Sum: row of steps
    int column = -1;              // where it stands in its row; of a register: the thread
    std::uint32_t numbers = 0;    // given numbers it holds, each counted as often as it is held
    bool shuffled = false;        // an input came from a lane
    bool useful = false;          // the last sum is made of it
    bool raced = false;           // read or overwritten by another warp with no barrier between
    bool warpOrder = false; // used by another lane of the warp with no barrier between: right only if lanes go in step
};

struct ReductionStep {
    std::uint32_t phase = 0;
    std::vector<std::uint32_t> sums;              // rows of values, ascending column
    std::uint32_t threads = 0, usefulThreads = 0; // that add; whose sum the last one is made of
    std::uint32_t warps = 0, divergentWarps = 0;  // that add; that do so with some of their living lanes off
    std::uint32_t stride = 0;  // distance of the two inputs in elements (lanes for shuffles); 0 = not the same for all
    std::uint64_t sectors = 0; // 32-byte sectors of global memory moved for it
    std::uint64_t passes = 0, idealPasses = 0; // of shared memory
    bool shuffled = false;
    bool barrierAfter = false;
    Time begin, end;           // first and last addition
    std::uint32_t ptxLine = 0; // 0 = several
};

struct ReductionTree {
    std::vector<ReductionCell> cells;
    std::vector<ReductionValue> values; // in the order they came to be
    std::vector<ReductionStep> steps;
    int columns = 0;
    std::uint32_t threads = 0, warps = 0; // of the block
    std::uint32_t root = noIndex;         // row of values: the sum that holds most
    std::vector<std::uint32_t> missing;   // given numbers that were to be added and are not in the last sum
    std::vector<std::uint32_t> doubled;   // given numbers that are in it more than once
    std::uint64_t expected = 0;           // bits: sum of all given numbers, each once
    std::uint64_t loads = 0, stores = 0, shuffles = 0, atomics = 0; // accesses of single lanes
    std::uint32_t barriers = 0;
    std::uint32_t raced = 0;                      // values so marked
    std::uint32_t given = 0;                      // numbers that went into some sum
    std::uint32_t most = 0;                       // of them in the sum that holds most
    std::uint32_t results = 0, resultsInTree = 0; // places that the block wrote as results; that one tree leads to
    bool right = false;                           // the last sum holds every number once, and is their sum
    std::string why;                              // if there is no tree: why, one sentence
    bool found() const { return root != noIndex; }
    std::uint64_t additions() const; // sums made
    std::uint64_t usefulAdditions() const;
    std::uint64_t threadStepsPaid() const; // steps x threads of the block
};

// block: row of the block table.
ReductionTree reductionTree(const Trace& trace, std::uint32_t block);

// The number that a value's bits mean: floats as they are, integers as signed of their width.
double number(const ReductionValue& value);

} // namespace warpglass
