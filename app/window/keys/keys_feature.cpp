// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/keys/keys_feature.h"

#include "app/window/gallery/gallery_panel.h"
#include "app/window/lesson/lessons_panel.h"
#include "app/window/window_parts.h"

#include <QAbstractButton>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>

namespace warpglass {

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

void KeysFeature::connectAll() {
    qApp->installEventFilter(this);
}

// What happens to boxes and buttons before they know it. A focused button or drop-down keeps Space for itself: without
// this the shortcut of the transport would take it. Whatever was pressed with the mouse gives the focus back to the
// view, a drop-down when its list closes, so that Home, Space and the arrows mean the view and not the next launch; who
// went there by the keyboard stays there. The wheel scrolls past boxes that do not have the focus.
bool KeysFeature::eventFilter(QObject* object, QEvent* event) {
    auto* box = qobject_cast<QComboBox*>(object);
    QWidget* window = m_shell.window;
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
    if (event->type() == QEvent::MouseButtonPress && box && within(box, window))
        m_opened = box;
    if (event->type() == QEvent::Hide && m_opened && object->parent() == m_opened &&
        object->inherits("QComboBoxPrivateContainer")) {
        m_opened = nullptr;
        QMetaObject::invokeMethod(&m_shell, &Shell::focusView, Qt::QueuedConnection); // the box wants it once more
    }
    if (event->type() == QEvent::KeyPress && box && within(box, window) && !box->isEditable() &&
        !turnsBox(static_cast<QKeyEvent&>(*event))) {
        QApplication::sendEvent(window, event);
        return true;
    }
    if (event->type() == QEvent::MouseButtonRelease && object->isWidgetType()) {
        const QWidget* focused = QApplication::focusWidget();
        const auto* released = static_cast<QWidget*>(object);
        if (within(focused, window) && (released == focused || focused->isAncestorOf(released)) &&
            isDoneWhenReleased(focused))
            QMetaObject::invokeMethod(
                this,
                [this, focused] {
                    if (QApplication::focusWidget() == focused) // unless what was pressed has sent it elsewhere
                        m_shell.focusView();
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
        if (m_shell.now().presenting && letter && object->objectName() == QLatin1String("questionNumber")) {
            event->ignore();
            return true;
        }
    }
    return Feature::eventFilter(object, event);
}

} // namespace warpglass
