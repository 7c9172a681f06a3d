// SPDX-License-Identifier: GPL-3.0-or-later
// The machine code as a third text of the view: an instruction a line, with what is known of it from the PTX.
#pragma once

#include "views/common/machine_sight.h"
#include "views/source/listing.h"

namespace warpglass {

struct MachineRow {
    std::uint32_t ptx = 0, source = 0; // lines, 0: none
    // Warps that executed its line of PTX: carried over, and no count of its own. An unrolled line's copies share them.
    std::uint64_t executions = 0;
    bool shared = false;
    // Warps that executed this very instruction, as a GPU counted them, and their lanes whose predicate held.
    bool counted = false;
    std::uint64_t warps = 0, lanes = 0;
    // Cycles of warps that the timing model has waiting at its line of PTX; at the first of the line's instructions.
    std::uint64_t stalled = 0;
    // Warps that the PC sampler of a GPU saw waiting at this very instruction, by CUPTI's reason, the most frequent first.
    QVector<std::pair<QString, std::uint64_t>> samples;
    std::uint64_t sampled = 0;
    std::uint32_t live = 0; // registers of a thread that hold a value; 0: nobody said
    bool spill = false;     // moves a value between registers and local memory
    bool local = false;     // so, or an array there
};

struct MachineListing {
    MachineSightPtr sight;
    Listing listing;                 // [0] is the instruction at the function's beginning
    QVector<MachineRow> rows;        // of each
    QVector<QVector<int>> rowsOfPtx; // [PTX line]: lines of `listing`, from 1
    std::uint64_t stalled = 0;       // of all
    std::uint64_t sampled = 0;       // of all; 0 also where this is not the code that was sampled
    bool anyExecutions = false, anyCounted = false;

    // Of a line of the source: all of its PTX's, ascending.
    QVector<int> rowsOf(const Listings& listings, std::uint32_t sourceLine) const;
};
std::shared_ptr<const MachineListing> makeMachineListing(const Listings& listings, MachineSightPtr sight);

// "80", in hexadecimal digits, of a line of the listing.
QString placeText(int line);

// What is said of a selected place, in sentences; the first that holds: of a machine instruction (a line of the listing;
// 0: none), of a line of PTX, of the source, of the whole kernel.
QString machineSentences(const Listings& listings, const MachineListing& machine, int row, std::uint32_t ptxLine,
                         std::uint32_t sourceLine);
// A row for every instruction.
QString machineCsv(const MachineListing& machine);
QString machineToolTip(const MachineListing& machine, int row);

} // namespace warpglass
