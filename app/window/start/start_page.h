// SPDX-License-Identifier: GPL-3.0-or-later
// What a person sees who has opened nothing: a first picture to predict, the lessons in their order, a kernel of the
// gallery or of one's own, files of the days before, exercises. Language and look are at hand: who cannot read the page
// looks for them first. The page shows and asks; the window does what is asked.
#pragma once

#include "app/window/model/lessons.h"
#include "app/window/panels/message_bar.h"
#include "app/window/start/start_list.h"

#include <QBoxLayout>
#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>

namespace warpglass {

// The question that the page begins with: 32 lanes in front of a branch.
class LanesSketch : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    void setTheme(const Theme& theme);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent*) override;

private:
    Theme m_theme = Theme::make(ThemeKind::Light);
};

class StartPage : public QWidget {
    Q_OBJECT
public:
    explicit StartPage(QWidget* parent = nullptr);

    void setLessons(const QVector<Lesson>& lessons);
    void setExercises(const QVector<QPair<LocalText, LocalText>>& titlesAndSummaries);
    void setKernels(int count); // of the gallery
    void setRecent(const QStringList& files);
    void setOpen(const QString& name); // what one may go back to; empty: nothing is open
    void setLanguage(const QString& language);
    void setTheme(const Theme& theme);
    void addLook(QAction* action, bool begins); // one of the choices of language and theme; begins: a new group

    MessageBar* message;
    QPushButton *predict, *tour, *back;    // the great ones
    QPushButton *gallery, *write, *browse; // of kernels
    StartList *lessons, *exercises, *recent;

signals:
    void fileChosen(const QString& path);

protected:
    void changeEvent(QEvent*) override;
    void keyPressEvent(QKeyEvent*) override; // Enter presses a button, too
    void resizeEvent(QResizeEvent*) override;
    void showEvent(QShowEvent*) override;

private:
    QFrame* card(const char* name, QLabel*& heading);
    void retranslate();
    void fill();
    void arrange(); // the cards beside each other, or one below the other

    QVector<Lesson> m_lessons;
    QVector<QPair<LocalText, LocalText>> m_exercises;
    QStringList m_recent;
    QString m_open, m_language = QStringLiteral("en");
    int m_kernels = 0;
    Theme m_theme = Theme::make(ThemeKind::Light);
    QScrollArea* m_scroll;
    QLabel *m_title, *m_about, *m_lessonsTitle, *m_kernelsTitle, *m_recentTitle, *m_exercisesTitle, *m_noRecent;
    LanesSketch* m_sketch;
    QBoxLayout *m_cards, *m_hero, *m_look, *m_great;
    QVector<QToolButton*> m_lastLooks; // put away where there is no room
};

} // namespace warpglass
