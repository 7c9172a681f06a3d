// SPDX-License-Identifier: GPL-3.0-or-later
// Bookmarks with notes. They belong to the reader, not to the run, so they lie in a file of their own beside the trace
// (FILE.wgt.notes.json) and the trace is never touched. In the view they travel as one of its options, so that a
// picture still depends on nothing but its context, and exports show them too.
#pragma once

#include "gpu/base/time.h"
#include "gpu/trace/tables.h"
#include "views/common/option_keeper.h"

#include <QString>
#include <QVariant>
#include <QVector>

namespace warpglass {

struct TimelineNote {
    Time time;                    // of the trace's axis
    std::uint32_t warp = noIndex; // row of the warp table, or none
    QString text;                 // may be empty: a bare bookmark
    bool operator==(const TimelineNote&) const = default;
};
using TimelineNotes = QVector<TimelineNote>; // ascending time

inline constexpr const char* notesOption = "notes"; // of PaintContext::options

// Added in its place; a note at the same time and warp is replaced.
TimelineNotes withNote(TimelineNotes notes, const TimelineNote& note);
// What two readers come to who both began with `base`: what either has added or changed is there, what either has taken
// away is not; where both changed one note, mine stays.
TimelineNotes mergedNotes(const TimelineNotes& base, const TimelineNotes& mine, const TimelineNotes& theirs);
// The note nearest to a time, at most `reach` away: its index, or -1.
int noteNear(const TimelineNotes& notes, Time time, Time reach);
// The next (direction > 0) or previous note from a time, going round at the ends: its index, or -1 without notes.
int noteAfter(const TimelineNotes& notes, Time time, int direction);

QVariant notesToOption(const TimelineNotes& notes);
TimelineNotes notesFromOption(const QVariant& option);

QString notesPath(const QString& tracePath); // FILE.wgt.notes.json
// Notes of a trace file; none if it has no notes file. problem (may be nullptr): why an existing file cannot be read.
TimelineNotes readNotes(const QString& tracePath, QString* problem = nullptr);
// Empty, or why not. Without notes the file is removed.
QString writeNotes(const QString& tracePath, const TimelineNotes& notes);
// For an OptionKeeper.
KeptOption keptNotes();

} // namespace warpglass
