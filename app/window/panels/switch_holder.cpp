// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/panels/switch_holder.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>

#include <algorithm>

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

void SwitchHolder::showEvent(QShowEvent* event) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    QScrollArea::showEvent(event);
    fit();
}

// In a stack of them only the one that is seen says how high all are.
void SwitchHolder::hideEvent(QHideEvent* event) {
    QScrollArea::hideEvent(event);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
}

bool SwitchHolder::eventFilter(QObject* object, QEvent* event) {
    if (object == m_bar && event->type() == QEvent::LayoutRequest) {
        updateGeometry();
        QMetaObject::invokeMethod(this, &SwitchHolder::fit, Qt::QueuedConnection);
    }
    return QScrollArea::eventFilter(object, event);
}

// What yields where the row is too wide: first the labels, which become tool tips, then the room that a box keeps for
// choices longer than the one it shows, then there is a second line, at last the ends of what they show, which tool tips say.
void SwitchHolder::fit() {
    const QList<QLabel*> labels = m_bar->findChildren<QLabel*>();
    const QList<QComboBox*> boxes = m_bar->findChildren<QComboBox*>();
    constexpr int gap = 6; // px between them
    int boxed = 0, labelled = 0;
    for (const QComboBox* box : boxes)
        boxed += box->sizeHint().width() + gap;
    for (const QLabel* label : labels)
        labelled += label->sizeHint().width() + gap;
    const bool narrow = boxed + labelled - gap > viewport()->width();
    const bool tight = isVisible() && boxed - gap > viewport()->width(); // what is hidden has no width yet
    for (QLabel* label : labels) {
        if (label->isHidden() != narrow)
            label->setHidden(narrow);
        if (label->buddy())
            label->buddy()->setToolTip(narrow ? label->text() : QString());
    }
    const auto shownIn = [](const QComboBox& box) { // the width that its text needs
        int longest = 0;
        for (int i = 0; i < box.count(); ++i)
            longest = std::max(longest, box.fontMetrics().horizontalAdvance(box.itemText(i)));
        return box.sizeHint().width() - longest + box.fontMetrics().horizontalAdvance(box.currentText());
    };
    const auto neededFrom = [&](qsizetype begin, qsizetype end) {
        int needed = gap * int(end - begin - 1);
        for (qsizetype i = begin; i < end; ++i)
            needed += shownIn(*boxes[i]);
        return needed;
    };
    const int lines = tight && boxes.size() > 1 && neededFrom(0, boxes.size()) > viewport()->width() ? 2 : 1;
    if (m_bar->lines() != lines) {
        m_bar->setLines(lines);
        updateGeometry();
    }
    const qsizetype each = (boxes.size() + lines - 1) / lines;
    for (qsizetype i = 0; i < boxes.size(); ++i) {
        QComboBox* box = boxes[i];
        const qsizetype begin = i / each * each, end = std::min(begin + each, boxes.size());
        const int gaps = gap * int(end - begin - 1), room = viewport()->width() - gaps;
        const int needed = neededFrom(begin, end) - gaps;
        const int share = needed > room ? shownIn(*box) * room / std::max(1, needed) : shownIn(*box);
        const int most = tight ? share : QWIDGETSIZE_MAX;
        if (box->maximumWidth() != most) {
            box->setMinimumWidth(tight ? share : 0);
            box->setMaximumWidth(most);
            box->view()->setMinimumWidth(tight ? box->sizeHint().width() : 0); // the list shows all of each choice
        }
        if (tight && needed > room)
            box->setToolTip(box->accessibleName() + QStringLiteral(": ") + box->currentText());
        connect(box, &QComboBox::currentTextChanged, this, &SwitchHolder::fit, Qt::UniqueConnection);
    }
}

} // namespace warpglass
