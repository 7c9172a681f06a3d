// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/switch_bar.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>

#include <algorithm>

namespace warpglass {

SwitchBar::SwitchBar(ViewWidget* widget, QWidget* parent) : QWidget(parent), m_widget(widget) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    connect(widget, &ViewWidget::optionsChanged, this, &SwitchBar::rebuild, Qt::QueuedConnection);
    rebuild();
}

void SwitchBar::rebuild() {
    const QVector<Switch> switches = m_widget->view().switches(m_widget->context());
    // A drop-down that is open must not vanish under the pointer: if only values changed, values are set.
    const auto boxes = m_row ? m_row->findChildren<QComboBox*>() : QList<QComboBox*>{};
    bool same = m_row && boxes.size() == switches.size();
    for (int i = 0; same && i < switches.size(); ++i) {
        same = boxes[i]->objectName() == switches[i].option && boxes[i]->count() == switches[i].choices.size();
        for (int c = 0; same && c < switches[i].choices.size(); ++c)
            same = boxes[i]->itemData(c) == switches[i].choices[c].first &&
                   boxes[i]->itemText(c).endsWith(switches[i].choices[c].second);
    }
    if (!same) {
        delete m_row;
        m_row = new QWidget(this);
        for (const Switch& s : switches) {
            auto* label = new QLabel(s.label, m_row);
            auto* box = new QComboBox(m_row);
            box->setObjectName(s.option);
            box->setAccessibleName(s.label);
            box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
            label->setBuddy(box);
            for (const auto& [value, text] : s.choices)
                box->addItem(text, value);
            connect(box, &QComboBox::activated, this,
                    [this, box](int i) { m_widget->setOption(box->objectName(), box->itemData(i)); });
        }
        spread();
        layout()->addWidget(m_row);
        m_row->show();
    }
    const auto now = m_row->findChildren<QComboBox*>();
    for (int i = 0; i < switches.size(); ++i) {
        const int at =
            now[i]->findData(optionOf(m_widget->context().options, switches[i].option, switches[i].standard));
        now[i]->setCurrentIndex(qMax(0, at));
    }
}

void SwitchBar::setLines(int lines) {
    if (lines == m_lines)
        return;
    m_lines = lines;
    spread();
}

void SwitchBar::spread() {
    const auto labels = m_row->findChildren<QLabel*>();
    const auto boxes = m_row->findChildren<QComboBox*>();
    delete m_row->layout();
    auto* column = new QVBoxLayout(m_row);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    const qsizetype each = (boxes.size() + m_lines - 1) / m_lines;
    for (qsizetype begin = 0; begin < boxes.size(); begin += each) {
        auto* line = new QHBoxLayout;
        line->addStretch(1);
        for (qsizetype i = begin; i < std::min(begin + each, boxes.size()); ++i) {
            line->addWidget(labels[i]);
            line->addWidget(boxes[i]);
        }
        column->addLayout(line);
    }
}

void SwitchBar::changeEvent(QEvent* e) {
    if (e->type() == QEvent::LanguageChange)
        rebuild();
    QWidget::changeEvent(e);
}

} // namespace warpglass
