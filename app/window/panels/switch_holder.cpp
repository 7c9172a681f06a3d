// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/panels/switch_holder.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>

namespace warpglass {

SwitchHolder::SwitchHolder(ViewWidget* view, QWidget* parent) : QScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setFocusPolicy(Qt::NoFocus);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_row = new QWidget(this);
    auto* layout = new QHBoxLayout(m_row);
    layout->setContentsMargins(0, 0, 0, 0);
    m_bar = new SwitchBar(view, m_row);
    layout->addStretch(1);
    layout->addWidget(m_bar);
    setWidget(m_row);
    m_bar->installEventFilter(this);
}

QSize SwitchHolder::sizeHint() const {
    return {400, m_row->sizeHint().height() + 2};
}

void SwitchHolder::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    fit();
}

bool SwitchHolder::eventFilter(QObject* object, QEvent* event) {
    if (object == m_bar && event->type() == QEvent::LayoutRequest) {
        updateGeometry();
        QMetaObject::invokeMethod(this, &SwitchHolder::fit, Qt::QueuedConnection);
    }
    return QScrollArea::eventFilter(object, event);
}

void SwitchHolder::fit() {
    const QList<QLabel*> labels = m_bar->findChildren<QLabel*>();
    int labelled = m_bar->sizeHint().width();
    for (const QLabel* label : labels) {
        if (label->isHidden())
            labelled += label->sizeHint().width() + 6; // with its gap
    }
    const bool narrow = labelled > viewport()->width();
    for (QLabel* label : labels) {
        if (label->isHidden() != narrow)
            label->setHidden(narrow);
        if (label->buddy())
            label->buddy()->setToolTip(narrow ? label->text() : QString());
    }
}

} // namespace warpglass
