// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/theme.h"

#include <QDockWidget>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

namespace warpglass {

// A panel beside the views. By its slim title it is dragged to the other side, above or below, or out of the window; the
// button for places, or a right click on the title, does the same by menu. Above and below it is wide and low, and what it
// holds lies side by side (lieChanged). The arrow in it, or a key, folds it away. Two things hide it and neither forgets the
// other: a person who folds it, and what takes the whole window for a while (the class room, a program's page). For a class
// its contents alone are shown, folded or floating as it may be at the desk.
class SideDock : public QDockWidget {
    Q_OBJECT
public:
    SideDock(const char* name, QWidget* contents, int width, QWidget* parent);

    void setFolded(bool folded);
    bool isFolded() const { return m_folded; }
    void setAside(bool aside);
    void setForClass(bool shown);   // what it holds, wide and without its title; at the end it is as it was
    void takeRestored(bool folded); // QMainWindow has put it where it was
    void setTheme(const Theme& theme);
    void setTitle(const QString& title);
    void moveTo(Qt::DockWidgetArea area); // of the window that it is a dock of
    Qt::DockWidgetArea area() const;
    // How what it holds lies: side by side above and below the views, else one over the other.
    Qt::Orientation lie() const;
    QMenu* places(); // where it can stand
    int firstWidth() const { return m_width; }

signals:
    void foldedChanged(bool folded);
    void lieChanged(Qt::Orientation lie);

protected:
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void retranslate();
    void refresh();
    void fitType(qreal typeBefore);
    void fitClass();

    const int m_width;
    qreal m_type = 1; // scale of the font
    bool m_folded = false, m_aside = false, m_forClass = false, m_floated = false;
    int m_widthAtDesk = 0; // before it was shown to a class, until it has it again
    QLabel* m_title;
    QToolButton *m_place, *m_float, *m_fold;
    QMenu* m_places;
};

} // namespace warpglass
