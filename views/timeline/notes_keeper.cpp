// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/notes_keeper.h"

#include "views/common/view_widget.h"
#include "views/timeline/timeline_notes.h"

namespace warpglass {

NotesKeeper::NotesKeeper(ViewWidget* timeline) : QObject(timeline), m_timeline(timeline) {
    connect(timeline, &ViewWidget::optionsChanged, this, &NotesKeeper::save);
}

void NotesKeeper::follow(const QString& tracePath, bool keep) {
    m_path = tracePath;
    if (!m_timeline)
        return;
    if (keep) {
        m_saved = m_timeline->context().options.value(notesOption);
        if (const QString problem = writeNotes(m_path, notesFromOption(m_saved)); !problem.isEmpty())
            emit failed(problem);
        return;
    }
    QString problem;
    const TimelineNotes notes = tracePath.isEmpty() ? TimelineNotes{} : readNotes(tracePath, &problem);
    m_saved = notesToOption(notes);
    if (!problem.isEmpty()) {
        m_path.clear(); // what cannot be read is not overwritten
        emit failed(problem);
    }
    m_timeline->setOption(notesOption, m_saved);
}

void NotesKeeper::save() {
    if (!m_timeline || m_path.isEmpty())
        return;
    const QVariant now = m_timeline->context().options.value(notesOption);
    if (now.toString() == m_saved.toString())
        return;
    QString problem;
    const TimelineNotes theirs = readNotes(m_path, &problem); // another window may show the same trace
    const TimelineNotes merged = mergedNotes(notesFromOption(m_saved), notesFromOption(now), theirs);
    if (problem.isEmpty())
        problem = writeNotes(m_path, merged);
    if (!problem.isEmpty()) {
        emit failed(problem);
        return;
    }
    m_saved = notesToOption(merged);
    m_timeline->setOption(notesOption, m_saved);
}

} // namespace warpglass
