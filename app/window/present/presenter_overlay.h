// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QElapsedTimer>
#include <QPolygonF>
#include <QTimer>
#include <QVector>
#include <QWidget>

namespace warpglass {

// What a presenter lays over the window: a spotlight that follows the pointer, a pen whose strokes vanish by
// themselves, or nothing but black. It covers its parent, and lets the mouse through unless the pen is in hand.
class PresenterOverlay : public QWidget {
    Q_OBJECT
public:
    explicit PresenterOverlay(QWidget* parent);
    enum class Tool { None, Spotlight, Pen, Blackout };

    Tool tool() const { return m_tool; }
    void setTool(Tool tool);
    void toggle(Tool tool) { setTool(m_tool == tool ? Tool::None : tool); }
    void clear(); // what the pen has drawn
    void setColours(const QColor& ink, const QColor& shade, qreal scale);
    int strokes() const { return int(m_strokes.size()); } // that are still to be seen
    // How long a stroke is whole, and then takes to vanish.
    static constexpr int stays = 3000, fades = 1500; // ms

signals:
    void toolChanged();

protected:
    bool eventFilter(QObject*, QEvent*) override; // the parent's size; where the pointer is
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    void mouseMoveEvent(QMouseEvent*) override;
    void mouseReleaseEvent(QMouseEvent*) override;

private:
    struct Stroke {
        QPolygonF points;
        qint64 ended = -1; // on the clock; -1: it is being drawn
    };
    void refresh();
    void forget(); // strokes that have vanished
    double opacityOf(const Stroke& stroke) const;

    Tool m_tool = Tool::None;
    QVector<Stroke> m_strokes;
    QElapsedTimer m_clock;
    QTimer m_timer;
    QPointF m_pointer;
    QColor m_ink = Qt::red, m_shade = QColor(0, 0, 0, 170);
    qreal m_scale = 1;
};

} // namespace warpglass
