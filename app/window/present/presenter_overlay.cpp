// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/present/presenter_overlay.h"

#include <QApplication>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace warpglass {

namespace {

constexpr int strokeFrameMs = 40;
constexpr qreal spotRadius = 120, penWidth = 5; // px at the usual type

} // namespace

PresenterOverlay::PresenterOverlay(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("presenterOverlay"));
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus); // keys go on to the view
    m_timer.setInterval(strokeFrameMs);
    connect(&m_timer, &QTimer::timeout, this, &PresenterOverlay::forget);
    m_clock.start();
    parent->installEventFilter(this);
    qApp->installEventFilter(this); // the pointer, over whatever child it is
    refresh();
}

void PresenterOverlay::setTool(Tool tool) {
    if (tool == m_tool)
        return;
    m_tool = tool;
    m_pointer = mapFromGlobal(QCursor::pos());
    refresh();
    emit toolChanged();
}

void PresenterOverlay::clear() {
    m_strokes.clear();
    refresh();
}

void PresenterOverlay::setColours(const QColor& ink, const QColor& shade, qreal scale) {
    m_ink = ink;
    m_shade = shade;
    m_scale = scale;
    update();
}

void PresenterOverlay::refresh() {
    setAttribute(Qt::WA_TransparentForMouseEvents, m_tool != Tool::Pen);
    setGeometry(parentWidget()->rect());
    const bool shows = m_tool != Tool::None || !m_strokes.isEmpty();
    setVisible(shows);
    if (shows)
        raise();
    if (m_strokes.isEmpty())
        m_timer.stop();
    else if (!m_timer.isActive())
        m_timer.start();
    if (m_tool == Tool::Pen)
        setCursor(Qt::CrossCursor);
    else
        unsetCursor();
    update();
}

void PresenterOverlay::forget() {
    const qsizetype before = m_strokes.size();
    m_strokes.removeIf([this](const Stroke& stroke) { return opacityOf(stroke) <= 0; });
    if (m_strokes.size() != before)
        refresh();
    update();
}

double PresenterOverlay::opacityOf(const Stroke& stroke) const {
    if (stroke.ended < 0)
        return 1;
    const double since = double(m_clock.elapsed() - stroke.ended - stays);
    return std::clamp(1 - since / fades, 0.0, 1.0);
}

bool PresenterOverlay::eventFilter(QObject* object, QEvent* event) {
    if (object == parent() && event->type() == QEvent::Resize)
        setGeometry(parentWidget()->rect());
    if (m_tool == Tool::Spotlight && event->type() == QEvent::MouseMove) {
        m_pointer = mapFromGlobal(static_cast<QMouseEvent*>(event)->globalPosition());
        update();
    }
    return QWidget::eventFilter(object, event);
}

void PresenterOverlay::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (m_tool == Tool::Blackout) {
        painter.fillRect(rect(), Qt::black);
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_tool == Tool::Spotlight) {
        QPainterPath dark;
        dark.addRect(QRectF(rect()));
        dark.addEllipse(m_pointer, spotRadius * m_scale, spotRadius * m_scale);
        painter.fillPath(dark, m_shade); // odd and even: the circle is left out
    }
    for (const Stroke& stroke : m_strokes) {
        painter.setOpacity(opacityOf(stroke));
        painter.setPen(QPen(Qt::white, (penWidth + 3) * m_scale, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPolyline(stroke.points); // an edge, so that it shows on dark, too
        painter.setPen(QPen(m_ink, penWidth * m_scale, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPolyline(stroke.points);
    }
}

void PresenterOverlay::mousePressEvent(QMouseEvent* event) {
    m_strokes.append({{event->position(), event->position()}, -1});
    refresh();
}

void PresenterOverlay::mouseMoveEvent(QMouseEvent* event) {
    if (m_strokes.isEmpty() || m_strokes.last().ended >= 0)
        return;
    m_strokes.last().points.append(event->position());
    update();
}

void PresenterOverlay::mouseReleaseEvent(QMouseEvent*) {
    if (!m_strokes.isEmpty())
        m_strokes.last().ended = m_clock.elapsed();
}

} // namespace warpglass
