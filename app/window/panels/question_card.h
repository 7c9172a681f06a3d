// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/model/lessons.h"
#include "app/window/panels/code_text.h"

#include <QWidget>

class QBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;
class QScrollArea;

namespace warpglass {

// A lesson's question, in the place of the view until it is answered, since the view would tell: on the left the
// question with its choices, a field for a number or a switch for each lane; on the right the kernel's code, from which
// the answer can be had.
class QuestionCard : public QWidget {
    Q_OBJECT
public:
    explicit QuestionCard(QWidget* parent = nullptr);
    void ask(const LessonQuestion& question, const QString& language);
    void setCode(const QString& code);         // empty: there is none to show
    LaneMask lanes() const { return m_lanes; } // that are marked
    void takeKeys(); // whoever has only a keyboard begins at the answer, not at the far end of the window

signals:
    void answered(const QString& given, bool right); // given: in the person's words; empty: they want to see

protected:
    void changeEvent(QEvent*) override;
    void showEvent(QShowEvent*) override;
    void keyPressEvent(QKeyEvent*) override;
    bool eventFilter(QObject*, QEvent*) override;

private:
    void retranslate();
    void clear();
    void addChoices();
    void addNumber();
    void addLanes();
    void giveNumber();
    void giveLanes();
    bool keyOnLane(QWidget* lane, const QKeyEvent& key); // true: it meant something

    LessonQuestion m_question;
    QString m_language = QStringLiteral("en");
    QScrollArea* m_scroll;
    QLabel *m_lead, *m_text, *m_codeTitle;
    QWidget* m_answers = nullptr;
    QBoxLayout* m_column;
    QPushButton *m_give = nullptr, *m_show;
    QLineEdit* m_number = nullptr;
    CodeText* m_code;
    QVector<QToolButton*> m_laneButtons; // in a grid; empty: lanes are not asked for
    LaneMask m_lanes;
};

} // namespace warpglass
