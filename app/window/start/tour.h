// SPDX-License-Identifier: GPL-3.0-or-later
// A short tour over the real window: everything is dimmed but the part that is spoken of, beside it a card with two or
// three sentences. Arrows, Page keys, Enter and the mouse go on and back; Esc ends it. Parts that cannot be seen (folded
// away, or put away because they would tell an answer) are passed over.
#pragma once

#include "views/common/theme.h"

#include <QFrame>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QWidget>

#include <functional>

namespace warpglass {

struct TourStation {
    QVector<QPointer<QWidget>> parts; // that are spoken of; together they have one frame
    std::function<QString()> title, text;
};

class Tour : public QWidget {
    Q_OBJECT
public:
    Tour(QVector<TourStation> stations, QWidget* window);

    void start(); // at the first station that can be seen; nothing happens if none can
    bool running() const { return m_station >= 0; }
    int station() const { return m_station; } // of those it was given; -1: none
    void go(int direction);
    void end();
    void setTheme(const Theme& theme);
    QRect spot() const { return m_spot; } // what is not dimmed

    QLabel *title, *text, *count;
    QPushButton *previous, *next, *skip;

signals:
    void ended();

protected:
    bool event(QEvent*) override;
    bool eventFilter(QObject*, QEvent*) override; // the window's size, the buttons' arrows
    bool focusNextPrevChild(bool next) override;  // stays within the card
    void paintEvent(QPaintEvent*) override;
    void keyPressEvent(QKeyEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    void changeEvent(QEvent*) override;

private:
    QRect placeOf(const TourStation& station) const; // in the window; empty: it cannot be seen
    int seen(int from, int direction) const;         // the next station that can; -1: none
    void show(int station);
    void arrange();
    void retranslate();

    QVector<TourStation> m_stations;
    int m_station = -1;
    QRect m_spot;
    QFrame* m_card;
    QPointer<QWidget> m_focusBefore;
    Theme m_theme = Theme::make(ThemeKind::Light);
};

} // namespace warpglass
