// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/panels/drag_over_buttons.h"

#include <QMouseEvent>

namespace warpglass {

void DragOverButtons::add(QAbstractButton* button) {
    m_buttons.append(button);
    button->installEventFilter(this);
}

bool DragOverButtons::eventFilter(QObject* object, QEvent* event) {
    auto* from = static_cast<QAbstractButton*>(object);
    if (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonRelease)
        m_dragging = false;
    if (event->type() != QEvent::MouseMove)
        return QObject::eventFilter(object, event);
    const auto& mouse = static_cast<QMouseEvent&>(*event);
    if (!(mouse.buttons() & Qt::LeftButton))
        return false;
    QWidget* parent = from->parentWidget();
    QWidget* over = parent->childAt(from->mapTo(parent, mouse.position().toPoint()));
    if (!m_dragging) {
        if (!from->isDown() || over == from || !over)
            return false;
        m_dragging = true;
        m_marks = !from->isChecked();
        from->setDown(false); // its release is no click any more
        from->setChecked(m_marks);
    }
    for (const QPointer<QAbstractButton>& button : m_buttons)
        if (button && button == over)
            button->setChecked(m_marks);
    return true;
}

} // namespace warpglass
