// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListWidget>

namespace warpglass {

// A list whose current row may be chosen from elsewhere without a word: Qt tells whoever listens to the screen that the
// row has the focus, even while another widget has it, and a reader of screens would go there.
class QuietList : public QListWidget {
public:
    using QListWidget::QListWidget;

protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override {
        if (hasFocus())
            QListWidget::currentChanged(current, previous);
        else // the same but for what is told; NOLINTNEXTLINE(bugprone-parent-virtual-call)
            QAbstractItemView::currentChanged(current, previous);
    }
};

} // namespace warpglass
