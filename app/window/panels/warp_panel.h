// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/model/warp_facts.h"
#include "views/common/theme.h"

#include <QWidget>

namespace warpglass {

// The selected warp at the current time: its 32 lanes, what happens, and facts with their origin. Painted, not built
// from labels, so that it follows a playing trace without laying out again.
class WarpPanel : public QWidget {
    Q_OBJECT
public:
    explicit WarpPanel(QWidget* parent = nullptr);
    void set(const TracePtr& trace, const Selection& selection);
    QRectF strip() const; // the lanes, side by side
    void setTheme(const Theme& theme);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    const WarpFacts& facts() const { return m_facts; }

signals:
    void laneChosen(int lane);

protected:
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    void changeEvent(QEvent*) override;
    bool event(QEvent*) override;

private:
    void refresh();
    int laneAt(QPointF at) const; // -1: none
    TracePtr m_trace;
    Selection m_selection;
    WarpFacts m_facts;
    QVector<Fact> m_launchFacts;
    Theme m_theme = Theme::make(ThemeKind::Light);
};

} // namespace warpglass
