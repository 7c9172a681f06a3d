// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/base/patience.h"
#include "gpu/base/result.h"
#include "views/common/theme.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QTimer>
#include <QToolButton>
#include <QWidget>

#include <cstdint>
#include <optional>
#include <utility>

namespace warpglass {

// One readable sentence over the view: what went wrong, where, what to do; or how far a long run is, with its stop
// button, which is asked about where nothing has moved for a minute.
class MessageBar : public QWidget {
    Q_OBJECT
public:
    explicit MessageBar(QWidget* parent = nullptr);
    void showError(const Error& error);
    void showError(const QString& sentence);
    void showOutcome(const Error& error);   // how a run ended
    void setAnswering(bool answering);      // an outcome waits until the question has its answer: it may be it
    void showNote(const QString& sentence); // not wrong: "written to ..."; it goes by itself
    void clearNote();
    using Step = std::optional<std::pair<int, int>>; // of several runs: which, from 1, and how many there are
    // 0 to 1; opening: a file is read, nothing runs
    void showProgress(double fraction, bool opening = false, const Step& step = {});
    void showTurning(std::uint32_t warp, int line); // of what runs: it goes round and round there; line 0: not known
    void clear();
    void clearProgress();
    void fit(); // takes a third of the window at most
    QString text() const { return m_text->text(); }
    bool showsError() const { return isVisibleTo(parentWidget()) && m_kind == Kind::Error; }
    void setTheme(const Theme& theme);

signals:
    void stopRequested();

protected:
    void changeEvent(QEvent*) override;
    void resizeEvent(QResizeEvent*) override;

private:
    enum class Kind { None, Error, Note, Progress };
    void become(Kind kind, const QString& words);
    void retranslate();
    QString progressText() const;
    bool m_opening = false, m_still = false, m_outcome = false, m_answering = false;
    QTimer m_noteTime;
    std::optional<std::pair<std::uint32_t, int>> m_turning;
    Step m_step;
    Standstill m_standstill;
    Kind m_kind = Kind::None;
    std::optional<Error> m_error; // that is told, to be told again in another language
    QLabel *m_icon, *m_text;
    QScrollArea* m_scroll; // a long sentence is scrolled: the view below keeps its room
    QProgressBar* m_progress;
    QPushButton* m_stop;
    QToolButton* m_close;
    Theme m_theme = Theme::make(ThemeKind::Light);
};

} // namespace warpglass
