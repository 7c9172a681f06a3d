// SPDX-License-Identifier: GPL-3.0-or-later
// Keys and mouse that are no actions: what the views did not want moves in time, and ends what runs.
#include "app/window/action_set.h"
#include "app/window/main_window.h"
#include "app/window/predict/predict_desk.h"
#include "app/window/present/presenter_overlay.h"
#include "app/window/start/tour.h"
#include "app/window/window_parts.h"

#include <QAbstractButton>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QMouseEvent>

namespace warpglass {

void MainWindow::stepEvent(int direction) {
    if (showsStart())
        return;
    if (showsProgram()) {
        m_parts->program->step(direction);
        return;
    }
    if (!current())
        return;
    TransportBar* transport = m_parts->transport;
    transport->stop();
    const Trace& trace = *current()->trace;
    const Selection& selection = this->selection().get();
    std::optional<Time> time;
    if (selection.warp < trace.warps.size())
        time = neighbourEvent(trace, trace.warps[selection.warp], selection.time, direction);
    else if (selection.block < trace.blocks.size())
        time = neighbourEvent(trace, trace.blocks[selection.block], selection.time, direction);
    else
        direction > 0 ? transport->stepForward() : transport->stepBack();
    if (time)
        this->selection().setTime(*time);
}

// Keys that no widget wanted. Views get them first (they have the focus, or are asked here); what is left moves in
// time.
void MainWindow::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) {
        if (m_bench->stop() || m_programs->stop())
            return;
        if (m_overlay->tool() != PresenterOverlay::Tool::None)
            m_overlay->setTool(PresenterOverlay::Tool::None);
        else if (m_predict->on())
            m_predict->stop();
        else if (m_presenting)
            setPresenting(false);
        else if (showsStart() && (current() || m_programs->program()))
            showStartPage(false);
        else
            m_parts->transport->stop();
        return;
    }
    ViewWidget* view = viewInFront();
    if (view && !m_forwarding && !view->hasFocus()) {
        m_forwarding = true;
        QKeyEvent copy(event->type(), event->key(), event->modifiers(), event->text());
        QApplication::sendEvent(view, &copy);
        m_forwarding = false;
        return; // an ignored copy has come back to this function and been handled below
    }
    if (showsStart()) {
        QMainWindow::keyPressEvent(event);
        return;
    }
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && view && view->context().results && view->context().options.contains(QStringLiteral("row"))) {
        openResult(view->context().options.value(QStringLiteral("row")).toInt()); // the bar chosen by the arrows
        return;
    }
    if (showsProgram()) {
        QMainWindow::keyPressEvent(event);
        return;
    }
    Selection next = selection().get();
    if (event->key() == Qt::Key_Home && next.visible != TimeRange{}) {
        next.visible = {};
        selection().set(next);
    } else if (event->key() == Qt::Key_Left) {
        m_parts->transport->stepBack();
    } else if (event->key() == Qt::Key_Right) {
        m_parts->transport->stepForward();
    } else {
        QMainWindow::keyPressEvent(event);
    }
}

void MainWindow::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::BackButton)
        selection().back();
    else if (event->button() == Qt::ForwardButton)
        selection().forward();
    else
        QMainWindow::mousePressEvent(event);
}

namespace {

// In the window, or in a panel of it that floats beside it; not in a dialog.
bool within(const QWidget* widget, const QWidget* window) {
    for (const QWidget* w = widget; w; w = w->parentWidget()) {
        if (w == window)
            return true;
        if (w->isWindow() && !qobject_cast<const SideDock*>(w))
            return false;
    }
    return false;
}

// A box whose list is closed keeps the keys that open and turn it; all others, Home and letters among them, would choose
// by the way, and mean the view.
bool turnsBox(const QKeyEvent& key) {
    switch (key.key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Space:
    case Qt::Key_Tab:
    case Qt::Key_Backtab:
        return true;
    default:
        return false;
    }
}

// What a person presses with the mouse and is done with; a field that is written in is not.
bool isDoneWhenReleased(const QWidget* widget) {
    const bool chosenFrom = qobject_cast<const QListWidget*>(widget);
    return qobject_cast<const QAbstractButton*>(widget) || qobject_cast<const QTabBar*>(widget) ||
           qobject_cast<const QAbstractSlider*>(widget) ||
           (chosenFrom && (qobject_cast<const GalleryPanel*>(widget->parentWidget()) ||
                           qobject_cast<const LessonsPanel*>(widget->parentWidget())));
}

} // namespace

void MainWindow::focusView() {
    if (m_tour && m_tour->running()) {
        m_tour->next->setFocus(); // its keys work on behind a click
    } else if (m_parts->views->question->isVisible()) {
        if (!m_parts->views->question->isAncestorOf(QApplication::focusWidget()))
            m_parts->views->question->takeKeys();
    } else if (ViewWidget* view = viewInFront()) {
        if (qobject_cast<SideDock*>(QApplication::activeWindow())) // what was pressed is in one that floats
            activateWindow();
        view->setFocus();
    } else if (showsStart()) {
        m_parts->start->setFocus();
    }
}

// What happens to boxes and buttons before they know it. A focused button or drop-down keeps Space for itself: without
// this the shortcut of the transport would take it. Whatever was pressed with the mouse gives the focus back to the
// view, a drop-down when its list closes, so that Home, Space and the arrows mean the view and not the next launch; who
// went there by the keyboard stays there. The wheel scrolls past boxes that do not have the focus.
bool MainWindow::eventFilter(QObject* object, QEvent* event) {
    auto* box = qobject_cast<QComboBox*>(object);
    // Qt gives the focus to whom the wheel is over before anybody is asked.
    if ((event->type() == QEvent::Polish || event->type() == QEvent::Show) &&
        (box || qobject_cast<QAbstractSpinBox*>(object)))
        if (auto* field = static_cast<QWidget*>(object); field->focusPolicy() == Qt::WheelFocus)
            field->setFocusPolicy(Qt::StrongFocus);
    if (event->type() == QEvent::Wheel && (box || qobject_cast<QAbstractSpinBox*>(object)) &&
        !static_cast<QWidget*>(object)->hasFocus()) {
        event->ignore();
        return true;
    }
    if (event->type() == QEvent::MouseButtonPress && box && within(box, this))
        m_opened = box;
    if (event->type() == QEvent::Hide && m_opened && object->parent() == m_opened &&
        object->inherits("QComboBoxPrivateContainer")) {
        m_opened = nullptr;
        QMetaObject::invokeMethod(this, &MainWindow::focusView, Qt::QueuedConnection); // the box wants it once more
    }
    if (event->type() == QEvent::KeyPress && box && within(box, this) && !box->isEditable() &&
        !turnsBox(static_cast<QKeyEvent&>(*event))) {
        keyPressEvent(static_cast<QKeyEvent*>(event));
        return true;
    }
    if (event->type() == QEvent::MouseButtonRelease && object->isWidgetType()) {
        const QWidget* focused = QApplication::focusWidget();
        const auto* released = static_cast<QWidget*>(object);
        if (within(focused, this) && (released == focused || focused->isAncestorOf(released)) &&
            isDoneWhenReleased(focused))
            QMetaObject::invokeMethod(
                this,
                [this, focused] {
                    if (QApplication::focusWidget() == focused) // unless what was pressed has sent it elsewhere
                        focusView();
                },
                Qt::QueuedConnection);
    }
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool presses = qobject_cast<QAbstractButton*>(object) || qobject_cast<QComboBox*>(object);
        if (presses && key->key() == Qt::Key_Space && key->modifiers() == Qt::NoModifier) {
            event->accept();
            return true;
        }
        // A letter is none of a number's, and the class room's keys are letters.
        const bool letter = key->key() >= Qt::Key_A && key->key() <= Qt::Key_Z && key->modifiers() == Qt::NoModifier;
        if (m_presenting && letter && object->objectName() == QLatin1String("questionNumber")) {
            event->ignore();
            return true;
        }
    }
    return QMainWindow::eventFilter(object, event);
}

void MainWindow::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange && m_actions) {
        m_actions->retranslate();
        retranslate(*m_parts);
        QMetaObject::invokeMethod( // once the views have said in the new language what they are
            this, [this] { tellStory(m_lessons.asking()); }, Qt::QueuedConnection);
    }
    QMainWindow::changeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().first().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.isEmpty())
        return;
    event->acceptProposedAction();
    openFile(urls[0].toLocalFile());
    if (urls.size() > 1) // two are compared
        m_bench->show({.current = urls[0].toLocalFile(), .other = urls[1].toLocalFile()});
}

} // namespace warpglass
