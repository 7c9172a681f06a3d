// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/warp/warp_feature.h"

#include "app/window/export/paper.h"
#include "app/window/window_parts.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>

namespace warpglass {

WarpFeature::WarpFeature(Shell& shell) : Feature(shell), m_panel(new WarpPanel(m_parts->rightSplit)) {
    m_parts->rightSplit->addWidget(m_panel);
    m_parts->facts = m_panel;
}

void WarpFeature::connectAll() {
    SelectionModel* selection = &m_bench->selection();
    connect(m_bench, &Workbench::settled, this, // the place may be the same in another run
            [this, selection] { m_panel->set(m_bench->trace(), selection->get()); });
    connect(selection, &SelectionModel::changed, this, [this](const Selection& now, Selection before) {
        before.motion = now.motion;
        if (!(before == now)) // else on the way to the next moment
            m_panel->set(m_bench->trace(), now);
    });
    connect(m_panel, &WarpPanel::laneChosen, selection, [selection](int lane) {
        Selection next = selection->get();
        next.lane = lane;
        selection->set(next);
    });
    m_panel->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_panel, &QWidget::customContextMenuRequested, this, &WarpFeature::openMenu);
}

void WarpFeature::openMenu(QPoint at) {
    auto* menu = new QMenu(m_panel);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(action("copyNumbers")->text(), this, [this] {
        QApplication::clipboard()->setMimeData(tableForClipboard(m_panel->csv()).release());
        m_shell.message()->showNote(tr("The numbers are on the clipboard."));
    });
    menu->popup(m_panel->mapToGlobal(at));
}

} // namespace warpglass
