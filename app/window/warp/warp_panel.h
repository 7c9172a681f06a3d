// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/model/warp_facts.h"
#include "views/common/theme.h"

#include <QWidget>

namespace warpglass {

// Facts laid out in rows of a width: numbers first. A number is whole before anything else has room; its label is cut
// where it must be. What most of them come from is said once, above them; a row says so only where it differs or has a
// note, and where there is room. All in pixels from the left.
struct FactRow {
    QString label, value, origin;
    Origin of = Origin::Counted;
    qreal valueAt = 0, valueWidth = 0, originWidth = 0; // originWidth 0: not said in the row
};
struct FactRows {
    Origin origin = Origin::Measured; // of most
    QVector<FactRow> rows;
};
FactRows layFacts(const QVector<Fact>& facts, qreal width, const Theme& theme);

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
    QString csv() const; // its facts: fact, value, origin
    const QVector<Fact>& ofLaunch() const { return m_launchFacts; }

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
    QVector<std::pair<QRectF, QString>> m_tips; // of the rows, as they were painted
    Theme m_theme = Theme::make(ThemeKind::Light);
};

} // namespace warpglass
