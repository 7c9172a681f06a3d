// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/play/density_strip.h"

#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {
constexpr qreal edge = 6;     // room for the cursor's head at both ends
constexpr qreal barPitch = 5; // px from bar to bar
} // namespace

DensityStrip::DensityStrip(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("densityStrip"));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    retranslate();
}

void DensityStrip::retranslate() {
    setAccessibleName(tr("Time line of events"));
    setToolTip(tr("Events over time. Click to go there, drag with Shift to loop a part."));
}

void DensityStrip::setMoments(std::shared_ptr<const Moments> moments) {
    m_moments = std::move(moments);
    update();
}

void DensityStrip::setTime(Time time) {
    if (time == m_time)
        return;
    m_time = time;
    update();
}

void DensityStrip::setLoop(std::optional<LoopRange> loop) {
    m_loop = loop;
    update();
}

void DensityStrip::setTheme(const Theme& theme) {
    m_theme = theme;
    update();
}

TimeAxis DensityStrip::axis() const {
    return {m_moments->range, edge, std::max<qreal>(1, width() - 2 * edge)};
}

// Times and places outside of the run stand at its ends.
qreal DensityStrip::xOf(Time time) const {
    return axis().x(std::clamp(time, m_moments->range.begin, m_moments->range.end));
}

Time DensityStrip::timeAt(qreal x) const {
    const TimeAxis along = axis();
    return along.nearest(std::clamp(x, along.left, along.left + along.width));
}

void DensityStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.panel);
    const qreal bottom = height() - 4, top = 8;
    if (!m_moments || m_moments->times.empty()) {
        painter.fillRect(QRectF(edge, bottom - 2, width() - 2 * edge, 2), m_theme.border);
        return;
    }
    if (m_loop) {
        const qreal a = xOf(timeOf(*m_moments, m_loop->first)), b = xOf(timeOf(*m_moments, m_loop->last));
        painter.fillRect(QRectF(a, 2, std::max<qreal>(3, b - a), height() - 4), m_theme.accentSoft);
        painter.fillRect(QRectF(a, 2, 2, height() - 4), m_theme.accent);
        painter.fillRect(QRectF(b, 2, 2, height() - 4), m_theme.accent);
    }
    const int bars = std::max(1, int((width() - 2 * edge) / barPitch));
    const auto parts = qint64(m_moments->density.size());
    std::vector<double> heights(std::size_t(bars), 0.0);
    double most = 1;
    for (int bar = 0; bar < bars; ++bar) {
        const qint64 from = parts * bar / bars, to = std::max(from + 1, parts * (bar + 1) / bars);
        for (qint64 i = from; i < std::min(to, parts); ++i)
            heights[std::size_t(bar)] += m_moments->density[std::size_t(i)];
        most = std::max(most, heights[std::size_t(bar)]);
    }
    const qreal now = xOf(m_time), pitch = (width() - 2 * edge) / bars;
    QColor ahead = m_theme.textMuted;
    ahead.setAlpha(95);
    for (int bar = 0; bar < bars; ++bar) {
        if (heights[std::size_t(bar)] <= 0)
            continue;
        // The square root lets a few events be seen beside many.
        const qreal h = std::max(2.0, std::sqrt(heights[std::size_t(bar)] / most) * (bottom - top));
        const qreal x = edge + bar * pitch;
        painter.fillRect(QRectF(x, bottom - h, std::max<qreal>(1.5, pitch - 1.5), h),
                         x <= now ? m_theme.accent : ahead);
    }
    painter.fillRect(QRectF(edge, bottom, width() - 2 * edge, 1), m_theme.border);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.attention);
    painter.drawRect(QRectF(now - 1, 2, 2, height() - 4));
    painter.drawPolygon(QPolygonF{{now - 5, 0}, {now + 5, 0}, {now, 8}});
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(m_theme.accent);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    }
}

void DensityStrip::mousePressEvent(QMouseEvent* event) {
    if (!m_moments || m_moments->times.empty() || event->button() != Qt::LeftButton)
        return;
    m_pressed = timeAt(event->position().x());
    m_looping = event->modifiers().testFlag(Qt::ShiftModifier);
    if (!m_looping)
        emit timeChosen(m_pressed);
}

void DensityStrip::mouseMoveEvent(QMouseEvent* event) {
    if (!m_moments || m_moments->times.empty() || !event->buttons().testFlag(Qt::LeftButton))
        return;
    const Time t = timeAt(event->position().x());
    if (m_looping)
        emit loopChosen({momentAt(*m_moments, std::min(t, m_pressed)), momentAt(*m_moments, std::max(t, m_pressed))});
    else
        emit timeChosen(t);
}

void DensityStrip::wheelEvent(QWheelEvent* event) {
    emit stepped(event->angleDelta().y() > 0 ? -1 : 1);
    event->accept();
}

void DensityStrip::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right)
        emit stepped(event->key() == Qt::Key_Left ? -1 : 1);
    else
        QWidget::keyPressEvent(event);
}

void DensityStrip::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

} // namespace warpglass
