// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/model/window_mode.h"
#include "gpu/base/result.h"
#include "gpu/trace/trace.h"
#include "views/common/theme.h"

#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <QVector>
#include <QWidget>

#include <optional>

namespace warpglass {

// A small word on where numbers on the screen come from.
struct Chip {
    QString text, toolTip;
    Origin origin = Origin::Counted;
    bool wrong = false; // something is missing
};

// A place, outermost first, that gives way where there is no room: what is outermost goes first, at last the end of the
// innermost, since a name begins with what tells it from others. Whole in its tool tip.
class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    using QLabel::QLabel;
    QSize minimumSizeHint() const override { return {0, QLabel::minimumSizeHint().height()}; }
    QString textFor(int width) const; // px

protected:
    void paintEvent(QPaintEvent*) override;
};

// Chips of one trace: backend or device, whether times are measured or modelled and how exact, what is counted.
QVector<Chip> chipsOf(const Trace& trace);

// Logo, arrangements, where we are, the launch in a line, where numbers come from, and the buttons that everybody needs. Actions live in the window; the bar only has
// the buttons for them.
class TopBar : public QWidget {
    Q_OBJECT
public:
    explicit TopBar(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    void setPlace(const QStringList& breadcrumb);
    // What the button of the program says; empty: there is none to go to.
    void setProgram(const QString& text, const QString& toolTip);
    void setTrace(const TracePtr& trace, const TracePtr& other);
    void setPlaceOf(const Seen& seen);        // which buttons are there
    void setLaunch(const QString& line);      // how the open kernel was launched, in a line; empty: not to be told
    void setGpuProblem(const Error& problem); // why no GPU can be used
    bool hasGpu() const { return !m_gpuProblem; }

    QPushButton *run, *runOnGpu, *present;
    QToolButton *compare, *menu;
    QToolButton* program;                 // from a launch to its program, and back
    QToolButton* home;                    // the logo: to the start page
    QToolButton *learn, *explore, *build; // how the window is arranged
    QToolButton* launch;                  // the line, which opens the launch's fields
    QToolButton* origin;                  // where the numbers come from; unfolds

protected:
    bool event(QEvent*) override;
    void changeEvent(QEvent*) override;
    void resizeEvent(QResizeEvent*) override;

private:
    void retranslate();
    void refreshOrigin();
    void fitRow();
    QLabel* m_name;
    ElidedLabel* m_place;
    QWidget* m_arrangements;
    Place m_seenPlace = Place::None;
    bool m_tellsLaunch = false;
    QStringList m_originWords; // that the one chip says
    std::optional<Error> m_gpuProblem;
    TracePtr m_trace, m_other;
    Theme m_theme = Theme::make(ThemeKind::Light);
};

} // namespace warpglass
