// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/model/exercise_desk.h"

#include <QLabel>
#include <QPushButton>
#include <QTextBrowser>
#include <QWidget>

namespace warpglass {

// The exercise that somebody works at: what is to be done, the goals with what was found, the hints that were asked for.
class ExercisePage : public QWidget {
    Q_OBJECT
public:
    ExercisePage(ExerciseDesk* desk, QWidget* parent = nullptr);
    void setLanguage(const QString& language);
    QString shownText() const { return m_text->toPlainText(); }

    QPushButton *grade, *hint, *solution;

signals:
    void lineChosen(int line); // of the text in the pad
    void left();

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void refresh();
    QString goalHtml(const session::GoalGrade& goal) const;

    ExerciseDesk* m_desk;
    QLabel* m_state;
    QPushButton* m_leave;
    QTextBrowser* m_text;
    QString m_language = QStringLiteral("en");
};

} // namespace warpglass
