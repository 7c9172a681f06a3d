// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/theme.h"

#include <QDockWidget>
#include <QLabel>
#include <QToolButton>

namespace warpglass {

// A panel beside the views. By its slim title it is dragged to the other side, above or below, or out of the window; the
// arrow in it, or a key, folds it away. Two things hide it and neither forgets the other: a person who folds it, and
// what takes the whole window for a while (the class room, a program's page).
class SideDock : public QDockWidget {
    Q_OBJECT
public:
    SideDock(const char* name, QWidget* contents, int width, QWidget* parent);

    void setFolded(bool folded);
    bool isFolded() const { return m_folded; }
    void setAside(bool aside);
    void takeRestored(); // QMainWindow has restored what is hidden
    void setTheme(const Theme& theme);
    void setTitle(const QString& title);
    int firstWidth() const { return m_width; }

signals:
    void foldedChanged(bool folded);

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void refresh();

    const int m_width;
    bool m_folded = false, m_aside = false;
    QLabel* m_title;
    QToolButton *m_float, *m_fold;
};

} // namespace warpglass
