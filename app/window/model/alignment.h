// SPDX-License-Identifier: GPL-3.0-or-later
// Where two traces are laid over each other: at their start, or at the first time both come to the same kind of place.
#pragma once

#include "gpu/trace/trace.h"

#include <QString>
#include <QVector>

#include <optional>

namespace warpglass {

// "start"; "branch", "divergence", "barrier", "release" (of a barrier), "access", "shuffle", "launch", "exit": the
// first such event of any recorded warp; "line:N": the first event at line N of the source.
struct AlignmentChoice {
    QString key, label; // label translated
    bool operator==(const AlignmentChoice&) const = default;
};

// The choices that both traces have. Lines only where both ran the same source.
QVector<AlignmentChoice> alignmentChoices(const Trace& a, const Trace& b);

// When the trace first comes to such a place; nothing if it never does or the key is unknown.
std::optional<Time> firstAt(const Trace& trace, const QString& key);

// What to add to a time of a to get the same moment of b; nothing if one of them never comes there.
std::optional<Time> shiftAt(const Trace& a, const Trace& b, const QString& key);

} // namespace warpglass
