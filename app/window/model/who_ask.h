// SPDX-License-Identifier: GPL-3.0-or-later
// Who used a word of memory, asked of a launch that is open: which word a lane uses at the present moment, and where in the
// trace each use stands.
#pragma once

#include "app/session/who.h"
#include "app/window/model/run.h"
#include "views/common/selection.h"

#include <QString>

#include <array>
#include <optional>
#include <vector>

namespace warpglass {

// "0x7f0000100044", or "0x40 of block 5" of shared memory: what the chosen lane of the chosen warp accesses by its event at or
// before the present time. Empty: it accesses nothing there, or addresses were not recorded.
QString wordUsedNow(const Trace& trace, const Selection& selection);
// Makes the launch again, and watches the word, or the variable: of that, in the time of the trace. Error: it cannot be made again.
Result<session::Who> askWho(const Run& open, const QString& word, Progress& progress);
// The values of a warp's lanes in the order in which they changed: a row for each moment.
struct LaneValues {
    struct Row {
        std::uint64_t step = 0;                     // of the warp
        std::optional<Time> time{};                 // of the trace; of what a GPU has measured nobody knows it
        std::uint32_t line = 0;                     // of the source; 0: unknown
        QString name;                               // with element or member: "parts[2]"
        std::array<QString, lanesPerWarp> values{}; // empty: not known yet
        LaneMask changed;
        std::size_t use = 0; // of Who::uses, the first that made it
    };
    std::vector<Row> rows;
    // The last row at or before that time; -1: none, or nobody knows.
    int rowAt(Time time) const;
};
LaneValues laneValues(const Trace& trace, const session::Who& who);

// The access in the trace: block, warp, lane, line and time. Of blocks without events as much as is known: at least the line.
Selection placeOfUse(const Trace& trace, const session::Who& who, std::size_t use, Selection from);

} // namespace warpglass
