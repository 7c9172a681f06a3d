// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>

namespace warpglass {

// The narrow strip that a folded side leaves: its name, written upward, and a press brings the side back.
class SideRail : public QToolButton {
    Q_OBJECT
public:
    SideRail(const char* name, QWidget* parent);
    void setTitle(const QString& title);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {sizeHint().width(), 0}; }

protected:
    void paintEvent(QPaintEvent*) override;

private:
    QString m_title; // of the side; not the button's text, which lies across
};

} // namespace warpglass
