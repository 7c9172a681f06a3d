// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/switch_bar.h"

#include <QScrollArea>

namespace warpglass {

// A view's switches in whatever width there is: labels go first when it is too narrow for all, then the boxes' spare room,
// then there are two lines of them, and what is still too wide is cut. Without it four drop-downs would decide how narrow
// the window may be.
class SwitchHolder : public QScrollArea {
    Q_OBJECT
public:
    explicit SwitchHolder(ViewWidget* view, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {60, sizeHint().height()}; }

protected:
    void resizeEvent(QResizeEvent*) override;
    void showEvent(QShowEvent*) override;
    void hideEvent(QHideEvent*) override;
    bool eventFilter(QObject*, QEvent*) override;

private:
    void fit();
    QWidget* m_row;
    SwitchBar* m_bar;
};

} // namespace warpglass
