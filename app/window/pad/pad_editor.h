// SPDX-License-Identifier: GPL-3.0-or-later
// The text of the kernel pad: QScintilla in the program's colours, with the lines that are wrong marked.
#pragma once

#include "app/window/model/pad.h"
#include "app/window/model/pinned_change.h"
#include "views/common/theme.h"

#include <Qsci/qsciscintilla.h>

namespace warpglass {

class PadEditor : public QsciScintilla {
    Q_OBJECT
public:
    explicit PadEditor(QWidget* parent = nullptr);

    void setFile(const QString& path, const QString& text); // by its name CUDA or PTX
    void setTheme(const Theme& theme);
    void setMarks(QVector<PadMark> marks); // instead of those before
    int markCount() const { return m_marks; }
    // Lines that are other than in the run that is pinned, coloured by what they did; a tip says what that was.
    void setChanges(const QVector<ChangedLine>& changes);
    const QVector<ChangedLine>& changes() const { return m_changes; }
    void replaceText(const QString& text); // what is other in it: undo takes it back, and the cursor stays

signals:
    void saveWanted(); // Ctrl+S, which means the text while one writes
    void runWanted();  // Ctrl+Return
    void stopWanted(); // Esc
    void undoWanted(); // the keys; whoever hears it undoes a run, or the typing
    void redoWanted();

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void paintAs(const Theme& theme);
    int columnsFrom(int column) const;
    Theme m_theme = Theme::make(ThemeKind::Light);
    QVector<PadMark> m_listed; // as they were set
    QVector<ChangedLine> m_changes;
    int m_marks = 0; // of them on a line that there is
};

} // namespace warpglass
