// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QScrollArea>

namespace warpglass {

// What a dialog or a panel holds: as large as it wants to be, and scrolled where larger type leaves less.
class ScrollPage : public QScrollArea {
public:
    ScrollPage(QWidget* contents, QWidget* parent);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
};

// As large as it wants to be, and no larger than the window that it belongs to: its buttons are always in reach.
void fitToWindow(QDialog& dialog);
void fitToWindow(QDialog& dialog, QSize wanted);

} // namespace warpglass
