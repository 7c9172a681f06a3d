// SPDX-License-Identifier: GPL-3.0-or-later
// The picture is painted once into a pixmap of the screen's own resolution; the pointer only repaints what lies on top.
#include "views/common/view.h"

#include "views/common/marks.h"

#include <QAccessible>
#include <QElapsedTimer>
#include <QFuture>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QTimer>
#include <QToolTip>
#include <QWheelEvent>
#include <QtConcurrent>

#include <cmath>

namespace warpglass {

namespace {
constexpr qreal dragThreshold = 4; // px the pointer moves before a press is a drag
constexpr QPointF nowhere{-1, -1};
} // namespace

ViewWidget::ViewWidget(std::unique_ptr<View> view, SelectionModel* selection, QWidget* parent)
    : QWidget(parent), m_view(std::move(view)), m_selection(selection ? selection : new SelectionModel(this)) {
    m_context.theme = Theme::make(ThemeKind::Light);
    m_context.selection = m_selection->get();
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setObjectName(m_view->key());
    setAccessibleName(m_view->title());
    setAccessibleDescription(m_view->question());
    connect(m_selection, &SelectionModel::changed, this, [this](const Selection& now) {
        m_context.selection = now;
        invalidate();
    });
}

// A newer job cancels the older; the thread works on a copy of the context, so what the user does meanwhile does not
// race.
struct ViewWidget::Preparation {
    PaintContext context;
    Progress progress;
    QFuture<void> future;
    QElapsedTimer since;
    QTimer tick; // repaints the progress

    ~Preparation() {
        progress.cancel();
        future.waitForFinished();
    }
};

ViewWidget::~ViewWidget() = default;

void ViewWidget::startPreparing() {
    const bool same = m_preparation && m_preparation->context.trace == m_context.trace &&
                      m_preparation->context.other == m_context.other &&
                      m_preparation->context.selection.launch == m_context.selection.launch &&
                      m_preparation->context.options == m_context.options &&
                      m_preparation->context.companions == m_context.companions;
    if (same && !m_preparation->future.isFinished())
        return;
    m_preparation = std::make_unique<Preparation>();
    Preparation* job = m_preparation.get();
    job->context = m_context;
    job->since.start();
    connect(&job->tick, &QTimer::timeout, this, [this] {
        if (m_view->prepared(m_context)) {
            m_preparation->tick.stop();
            invalidate();
        } else if (m_preparation->future.isFinished()) {
            invalidate(); // cancelled or out of date: paintEvent starts again
        } else {
            update();
        }
    });
    job->tick.start(15);
    job->future = QtConcurrent::run([view = m_view.get(), job] { view->prepare(job->context, job->progress); });
}

void ViewWidget::setTrace(TracePtr trace, TracePtr other) {
    if (trace != m_context.trace)
        m_context.companions.clear();
    m_context.trace = std::move(trace);
    m_context.other = std::move(other);
    m_context.otherShift.reset();
    invalidate();
    emit optionsChanged(); // the choices of the switches may depend on the trace
}

void ViewWidget::setOtherShift(std::optional<Time> shift) {
    m_context.otherShift = shift;
    invalidate();
}

void ViewWidget::setCompanions(std::vector<TracePtr> companions) {
    m_context.companions = std::move(companions);
    invalidate();
    emit optionsChanged();
}

void ViewWidget::setResults(ResultsPtr results) {
    m_context.results = std::move(results);
    m_context.options.remove(QStringLiteral("row"));
    invalidate();
    emit optionsChanged();
}

void ViewWidget::setTheme(const Theme& theme) {
    m_context.theme = theme;
    invalidate();
}

void ViewWidget::setOption(const QString& name, const QVariant& value) {
    if (m_context.options.value(name) == value)
        return;
    m_context.options[name] = value;
    invalidate();
    emit optionsChanged();
}

void ViewWidget::invalidate() {
    m_dirty = true;
    update();
}

void ViewWidget::take(const PaintContext& changed) {
    const bool options = changed.options != m_context.options;
    m_context.options = changed.options;
    invalidate();
    if (options)
        emit optionsChanged();
    m_selection->set(changed.selection);
}

bool ViewWidget::event(QEvent* e) {
    if (e->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(e);
        const QString text = m_view->emptiness(m_context) ? QString() : m_view->toolTip(rect(), m_context, help->pos());
        if (text.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    return QWidget::event(e);
}

void ViewWidget::paintEvent(QPaintEvent*) {
    const qreal ratio = devicePixelRatioF();
    const QSize pixels(int(std::ceil(width() * ratio)), int(std::ceil(height() * ratio)));
    if (pixels.isEmpty())
        return;
    if (!m_view->emptiness(m_context) && !m_view->prepared(m_context)) {
        startPreparing();
        QPainter painter(this);
        if (!m_picture.isNull())
            painter.drawPixmap(0, 0, m_picture); // the old picture stays until there is a new one
        else
            painter.fillRect(rect(), m_context.theme.window);
        if (m_preparation->since.elapsed() > 300) {
            const QRectF strip(width() * 0.3, height() * 0.5 - 4, width() * 0.4, 8);
            painter.fillRect(strip.adjusted(-24, -40, 24, 24), m_context.theme.panel);
            paintShareBar(painter, strip, m_preparation->progress.fraction(), m_context.theme.accent, m_context.theme);
            paintText(painter, strip.translated(0, -24).adjusted(0, 0, 0, 10), tr("Preparing the picture…"),
                      m_context.theme.body(), m_context.theme.text, Qt::AlignCenter);
        }
        return;
    }
    if (m_dirty || m_picture.size() != pixels || m_picture.devicePixelRatio() != ratio) {
        if (m_picture.size() != pixels)
            m_picture = QPixmap(pixels);
        m_picture.setDevicePixelRatio(ratio);
        QPainter painter(&m_picture);
        m_actionRect = paintView(*m_view, painter, rect(), m_context);
        m_dirty = false;
    }
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_picture);
    if (!m_view->emptiness(m_context)) {
        painter.setRenderHint(QPainter::Antialiasing);
        m_view->paintOverlay(painter, rect(), m_context, m_pointer);
    }
    if (hasFocus()) { // the keyboard must see where it is
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(QPen(m_context.theme.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
    }
}

void ViewWidget::resizeEvent(QResizeEvent*) {
    invalidate();
}

void ViewWidget::mousePressEvent(QMouseEvent* e) {
    if (e->button() != Qt::LeftButton) {
        e->ignore(); // back and forward buttons belong to the window
        return;
    }
    m_down = true;
    m_dragging = false;
    m_pressed = m_dragAt = e->position();
}

void ViewWidget::mouseMoveEvent(QMouseEvent* e) {
    m_pointer = e->position();
    setCursor(m_actionRect.contains(m_pointer) ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (m_down) {
        if (!m_dragging && (m_pointer - m_pressed).manhattanLength() >= dragThreshold)
            m_dragging = true;
        if (m_dragging) {
            PaintContext changed = m_context;
            if (m_view->drag(rect(), changed, m_dragAt, m_pointer))
                take(changed);
            m_dragAt = m_pointer;
        }
    }
    update();
}

void ViewWidget::mouseReleaseEvent(QMouseEvent* e) {
    if (e->button() != Qt::LeftButton || !m_down) {
        e->ignore();
        return;
    }
    m_down = false;
    if (m_dragging) {
        m_dragging = false;
        return;
    }
    if (const auto emptiness = m_view->emptiness(m_context)) {
        if (m_actionRect.contains(e->position()))
            emit actionRequested(emptiness->action);
        return;
    }
    const QString action = m_view->actionAt(rect(), m_context, e->position());
    if (!action.isEmpty()) {
        emit actionRequested(action);
        return;
    }
    PaintContext changed = m_context;
    if (m_view->press(rect(), changed, e->position())) {
        take(changed);
        return;
    }
    m_selection->set(m_view->hit(rect(), m_context, e->position()));
}

void ViewWidget::wheelEvent(QWheelEvent* e) {
    const QPoint delta = e->angleDelta();
    const double steps = double(delta.y() ? delta.y() : delta.x()) / 120.0;
    PaintContext changed = m_context;
    if (steps != 0 && m_view->wheel(rect(), changed, e->position(), steps, e->modifiers())) {
        take(changed);
        e->accept();
    } else {
        e->ignore();
    }
}

void ViewWidget::keyPressEvent(QKeyEvent* e) {
    if (const auto emptiness = m_view->emptiness(m_context)) {
        if (!emptiness->action.isEmpty() &&
            (e->key() == Qt::Key_Return || e->key() == Qt::Key_Enter || e->key() == Qt::Key_Space))
            emit actionRequested(emptiness->action);
        else
            QWidget::keyPressEvent(e);
        return;
    }
    PaintContext changed = m_context;
    if (m_view->key(rect(), changed, e->key(), e->modifiers())) {
        take(changed);
        return;
    }
    if (m_context.trace && (e->key() == Qt::Key_Period || e->key() == Qt::Key_Comma)) {
        Selection selection = m_context.selection;
        if (selection.warp == noIndex)
            selection.warp = warpToShow(selection, *m_context.trace);
        m_selection->set(stepped(selection, *m_context.trace, e->key() == Qt::Key_Period ? 1 : -1));
        return;
    }
    QWidget::keyPressEvent(e);
}

void ViewWidget::leaveEvent(QEvent*) {
    m_pointer = nowhere;
    update();
}

void ViewWidget::changeEvent(QEvent* e) {
    if (e->type() == QEvent::LanguageChange) {
        setAccessibleName(m_view->title());
        setAccessibleDescription(m_view->question());
        invalidate();
        emit optionsChanged();
    }
    QWidget::changeEvent(e);
}

} // namespace warpglass
