// SPDX-License-Identifier: GPL-3.0-or-later
// The exercise that somebody works at, without its widgets: which one, how its text was last graded, how many hints were
// asked for. What is written is graded on every launch of the exercise, those that are not shown, too, in a thread of its
// own; newer text overtakes older.
#pragma once

#include "app/session/grade.h"
#include "app/window/model/pad.h"
#include "views/common/job.h"

#include <QObject>
#include <QString>

#include <optional>

namespace warpglass {

// How the pad launches an exercise: as its first launch that is shown.
PadSettings padSettingsOf(const session::Exercise& exercise);

class ExerciseDesk : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    const std::vector<session::Exercise>& all() const { return session::builtInExercises(); }
    const session::Exercise* current() const { return m_exercise; } // null: none
    void open(int exercise);                                        // nothing happens for one that is not there
    void leave();

    // file: "first-kernel.cu"; compiled: of this text, if it is there already.
    void judge(const QString& file, const QString& text, std::shared_ptr<const session::CompiledText> compiled);
    bool judging() const { return m_job.running(); }
    const std::optional<session::Grade>& grade() const { return m_grade; } // of the last text; nothing: none yet

    int hints() const { return m_hints; } // that are shown
    bool hasHint() const { return m_exercise && m_hints < int(m_exercise->hints.size()); }
    void showHint();

signals:
    void changed();
    void failed(const warpglass::Error& error); // it cannot be graded here

private:
    const session::Exercise* m_exercise = nullptr;
    std::optional<session::Grade> m_grade;
    int m_hints = 0;
    Job m_job;
};

} // namespace warpglass
