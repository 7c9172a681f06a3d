// SPDX-License-Identifier: GPL-3.0-or-later
// The picture is painted once into a pixmap of the screen's own resolution; the pointer only repaints what lies on top.
#include "views/common/view_widget.h"

#include "views/common/accessible_view.h"
#include "views/common/marks.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QTextDocument>
#include <QToolTip>
#include <QWheelEvent>

#include <cmath>

namespace warpglass {

namespace {

constexpr qreal dragThreshold = 4; // px the pointer moves before a press is a drag
constexpr QPointF nowhere{-1, -1};

// Whether a picture of one context holds the model that the other wants; only time and size are not.
bool sameModel(const PaintContext& a, const PaintContext& b) {
    return a.trace == b.trace && a.other == b.other && a.companions == b.companions && a.ghost == b.ghost &&
           a.layer == b.layer && a.pinned == b.pinned && a.results == b.results && a.program == b.program &&
           a.options == b.options && a.selection.launch == b.selection.launch;
}

std::string kernelOf(const TracePtr& trace) {
    return trace && !trace->launches.empty() ? trace->kernelOf(trace->launches.front()).name : std::string();
}

// What an input changed, on top of what was changed since the picture was made (the time of a run that plays, say).
Selection laidOver(Selection now, const Selection& before, const Selection& after) {
    const auto take = [&](auto member) {
        if (!(after.*member == before.*member))
            now.*member = after.*member;
    };
    take(&Selection::launch);
    take(&Selection::block);
    take(&Selection::warp);
    take(&Selection::lane);
    take(&Selection::ptxLine);
    take(&Selection::sourceLine);
    take(&Selection::time);
    take(&Selection::visible);
    take(&Selection::followed);
    if (!(after.time == before.time))
        now.motion = {};
    return now;
}

} // namespace

ViewWidget::ViewWidget(std::unique_ptr<View> view, SelectionModel* selection, QWidget* parent)
    : QWidget(parent), m_view(std::move(view)), m_selection(selection ? selection : new SelectionModel(this)) {
    makeViewsAccessible();
    m_context.theme = Theme::make(ThemeKind::Light);
    m_context.selection = m_selection->get();
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setObjectName(m_view->key());
    setAccessibleName(m_view->title());
    setAccessibleDescription(m_view->question());
    connect(m_selection, &SelectionModel::changed, this, [this](const Selection& now) {
        const bool seen = !(m_view->looksAt(now) == m_view->looksAt(m_context.selection));
        const bool elsewhere = !(now == m_context.selection) && !now.motion.playing;
        m_context.selection = now;
        if (seen)
            invalidate();
        if (elsewhere && isVisible())
            tellPlace(this);
    });
    connect(&m_job, &Job::progressed, this, [this](double fraction) {
        m_fraction = fraction;
        update();
    });
}

ViewWidget::~ViewWidget() = default;

const Picture* ViewWidget::picture() {
    if (!m_stale)
        return m_picture.get();
    if (size().isEmpty())
        return nullptr;
    if (!m_view->quick(m_context, m_picture.get())) {
        startComposing();
        return nullptr;
    }
    stopComposing();
    Progress nobody;
    m_picture = m_view->compose(m_context, rect(), nobody, m_picture);
    m_stale = false;
    m_unpainted = true;
    emit composed();
    return m_picture.get();
}

// The thread works on a copy of the context, so what a person does meanwhile does not race.
void ViewWidget::startComposing() {
    if (m_ordered && sameModel(*m_ordered, m_context))
        return; // what is new in the context comes afterwards, and is quick then
    m_ordered = m_context;
    m_fraction.reset();
    m_job.start([view = m_view.get(), context = m_context, area = QRectF(rect()),
                 previous = m_picture](Progress& progress) { return view->compose(context, area, progress, previous); },
                [this, changes = m_changes](PicturePtr made) {
                    m_ordered.reset();
                    if (made) {
                        m_picture = std::move(made);
                        m_unpainted = true;
                        m_stale = changes != m_changes;
                        emit composed();
                    }
                    update();
                });
}

void ViewWidget::stopComposing() {
    m_ordered.reset();
    m_job.cancel();
}

void ViewWidget::setTrace(TracePtr trace, TracePtr other) {
    if (trace != m_context.trace) {
        m_context.companions.clear();
        m_context.ghost.reset();
        m_context.layer.reset();
        if (trace && m_context.trace && kernelOf(trace) != kernelOf(m_context.trace))
            for (const QString& option : m_view->askedOfKernel())
                m_context.options.remove(option);
    }
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

void ViewWidget::setGhost(TracePtr ghost) {
    if (m_context.ghost == ghost)
        return;
    m_context.ghost = std::move(ghost);
    invalidate();
}

void ViewWidget::setLayer(ScopesPtr layer) {
    if (m_context.layer == layer)
        return;
    m_context.layer = std::move(layer);
    invalidate();
}

void ViewWidget::setPinned(TracePtr pinned) {
    if (m_context.pinned == pinned)
        return;
    m_context.pinned = std::move(pinned);
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

void ViewWidget::setProgram(std::shared_ptr<const ProgramModel> program) {
    m_context.program = std::move(program);
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
    if (value.isValid())
        m_context.options[name] = value;
    else
        m_context.options.remove(name);
    invalidate();
    emit optionsChanged();
}

void ViewWidget::setOptions(const Options& options) {
    if (m_context.options == options)
        return;
    m_context.options = options;
    invalidate();
    emit optionsChanged();
}

void ViewWidget::invalidate() {
    m_stale = true;
    ++m_changes;
    update();
}

bool ViewWidget::take(const Input& input) {
    const Picture* now = picture();
    const std::optional<Change> change = now ? now->answer(input) : std::nullopt;
    if (change)
        take(*change);
    return change.has_value();
}

void ViewWidget::take(const Change& change) {
    const Selection before = m_context.selection;
    const Selection selection = laidOver(before, m_picture->context.selection, change.selection);
    if (change.options != m_context.options) {
        m_context.options = change.options;
        invalidate();
        emit optionsChanged();
    }
    if (!(selection == before)) // whoever hears of the options may have gone elsewhere
        m_selection->set(selection);
}

bool ViewWidget::event(QEvent* e) {
    if (e->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(e);
        const Picture* now = picture();
        const QString text = now ? tipAt(*now, m_words, help->pos()) : QString();
        if (text.isEmpty())
            QToolTip::hideText();
        else
            // Names out of a file are words, whatever they look like.
            QToolTip::showText(help->globalPos(), Qt::mightBeRichText(text) ? Qt::convertFromPlainText(text) : text,
                               this);
        return true;
    }
    return QWidget::event(e);
}

void ViewWidget::paintEvent(QPaintEvent*) {
    const qreal ratio = devicePixelRatioF();
    const QSize pixels(int(std::ceil(width() * ratio)), int(std::ceil(height() * ratio)));
    if (pixels.isEmpty())
        return;
    const Picture* now = picture();
    const bool fits = m_picture && m_picture->area == QRectF(rect());
    if (fits && (m_unpainted || m_pixels.size() != pixels || m_pixels.devicePixelRatio() != ratio)) {
        if (m_pixels.size() != pixels)
            m_pixels = QPixmap(pixels);
        m_pixels.setDevicePixelRatio(ratio);
        QPainter painter(&m_pixels);
        m_words = paintPicture(*m_picture, painter);
        m_unpainted = false;
    }
    QPainter painter(this);
    if (!m_pixels.isNull())
        painter.drawPixmap(0, 0, m_pixels); // the old picture stays until there is a new one
    else
        painter.fillRect(rect(), m_context.theme.window);
    if (!now) {
        paintProgress(painter);
        return;
    }
    if (!now->emptiness()) {
        painter.setRenderHint(QPainter::Antialiasing);
        now->paintOverlay(painter, m_pointer);
    }
    if (hasFocus()) { // the keyboard must see where it is
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(QPen(m_context.theme.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
    }
}

void ViewWidget::paintProgress(QPainter& painter) const {
    if (!m_ordered || !m_fraction)
        return;
    const QRectF strip(width() * 0.3, height() * 0.5 - 4, width() * 0.4, 8);
    painter.fillRect(strip.adjusted(-24, -40, 24, 24), m_context.theme.panel);
    paintShareBar(painter, strip, *m_fraction, m_context.theme.accent, m_context.theme);
    paintText(painter, strip.translated(0, -24).adjusted(0, 0, 0, 10), tr("Preparing the picture…"),
              m_context.theme.body(), m_context.theme.text, Qt::AlignCenter);
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

// The two clicks of it were clicks, too: the first has selected what the second one opens.
void ViewWidget::mouseDoubleClickEvent(QMouseEvent* e) {
    const Picture* now = e->button() == Qt::LeftButton ? picture() : nullptr;
    const QString action = now ? now->spotAt(e->position()).doubleAction : QString();
    if (action.isEmpty())
        mousePressEvent(e);
    else
        emit actionRequested(action);
}

void ViewWidget::mouseMoveEvent(QMouseEvent* e) {
    m_pointer = e->position();
    if (m_down) {
        const bool begins = !m_dragging && (m_pointer - m_pressed).manhattanLength() >= dragThreshold;
        m_dragging = m_dragging || begins;
        if (m_dragging) {
            take(DragInput{m_dragAt, m_pointer, begins});
            m_dragAt = m_pointer;
        }
    } else if (const Picture* now = picture()) {
        setCursor(now->spotAt(m_pointer).cursor);
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
    const Picture* now = picture();
    if (!now)
        return;
    const Spot spot = now->spotAt(e->position());
    if (!spot.action.isEmpty())
        emit actionRequested(spot.action);
    else if (spot.click)
        take(*spot.click);
}

void ViewWidget::wheelEvent(QWheelEvent* e) {
    const QPoint delta = e->angleDelta();
    const double steps = double(delta.y() ? delta.y() : delta.x()) / 120.0;
    e->setAccepted(steps != 0 && take(WheelInput{e->position(), steps, e->modifiers()}));
}

void ViewWidget::keyPressEvent(QKeyEvent* e) {
    const Picture* now = picture();
    if (const Emptiness* empty = now ? now->emptiness() : nullptr) {
        const bool enter = e->key() == Qt::Key_Return || e->key() == Qt::Key_Enter || e->key() == Qt::Key_Space;
        if (enter && !empty->action.isEmpty())
            emit actionRequested(QString(empty->action));
        else
            QWidget::keyPressEvent(e);
        return;
    }
    if (take(KeyInput{e->key(), e->modifiers()}))
        return;
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
        m_picture = nullptr; // its model may hold words: nothing of it serves again
        stopComposing();
        invalidate();
        emit optionsChanged();
    }
    QWidget::changeEvent(e);
}

} // namespace warpglass
