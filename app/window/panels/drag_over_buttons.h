// SPDX-License-Identifier: GPL-3.0-or-later
// Buttons that are marked by dragging over them: all get what the first one becomes. A click is a click as ever.
#pragma once

#include <QAbstractButton>
#include <QPointer>
#include <QVector>

namespace warpglass {

class DragOverButtons : public QObject {
    Q_OBJECT
public:
    explicit DragOverButtons(QObject* parent) : QObject(parent) {}
    void add(QAbstractButton* button); // checkable; all of one parent

protected:
    bool eventFilter(QObject*, QEvent*) override;

private:
    QVector<QPointer<QAbstractButton>> m_buttons;
    bool m_dragging = false, m_marks = false;
};

} // namespace warpglass
