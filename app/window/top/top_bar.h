// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

// Small coloured words: where the numbers on the screen come from.
class ChipRow : public QWidget {
    Q_OBJECT
public:
    struct Chip {
        QString text, toolTip;
        QColor ink, soft;
    };
    using QWidget::QWidget;
    void set(const QVector<Chip>& chips, const Theme& theme);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent*) override;
    bool event(QEvent*) override;

private:
    int chipAt(QPointF at) const;
    QVector<Chip> m_chips;
    Theme m_theme = Theme::make(ThemeKind::Light);
};

// A line of text that gives way: cut with dots where there is no room, whole in its tool tip.
class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    using QLabel::QLabel;
    QSize minimumSizeHint() const override { return {0, QLabel::minimumSizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent*) override;
};

// Chips of one trace: backend or device, whether times are measured or modelled and how exact, what is counted.
QVector<ChipRow::Chip> chipsOf(const Trace& trace, const Theme& theme);

// Logo, where we are, origin chips, and the four buttons everybody needs. Actions live in the window; the bar only has
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
    void setStarting(bool starting);          // the start page is in front: nothing is run from there
    void setGpuProblem(const Error& problem); // why no GPU can be used
    bool hasGpu() const { return !m_gpuProblem; }

    QPushButton *run, *runOnGpu, *present;
    QToolButton *compare, *menu;
    QToolButton* program; // from a launch to its program, and back
    QToolButton* home;    // the logo: to the start page

protected:
    bool event(QEvent*) override;
    void changeEvent(QEvent*) override;
    void resizeEvent(QResizeEvent*) override;

private:
    void retranslate();
    void refreshChips();
    QLabel* m_name;
    ElidedLabel* m_place;
    ChipRow* m_chips;
    std::optional<Error> m_gpuProblem;
    TracePtr m_trace, m_other;
    Theme m_theme = Theme::make(ThemeKind::Light);
};

} // namespace warpglass
