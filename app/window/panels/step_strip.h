// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/theme.h"

#include <QLabel>
#include <QPushButton>
#include <QWidget>

class QBoxLayout;
class QScrollArea;

namespace warpglass {

// The text over the view: the kernel's story, or in a lesson the step's title and text with previous and next.
class StepStrip : public QWidget {
    Q_OBJECT
public:
    explicit StepStrip(QWidget* parent = nullptr);
    void showStory(const QString& story, const QString& documents, const QString& references); // references: on hover
    // answered: the step has asked, and may be asked to ask again.
    void showStep(const QString& title, const QString& text, const QString& notes, int step, int steps,
                  const QString& answer = {}, bool answered = false);
    void setTight(bool tight);           // where the view would have no room: the story in one line, all of it on hover
    void setMost(int height);            // of its text: what is longer scrolls, and the view keeps the rest
    void setPresenting(bool presenting); // notes are hidden, story too if there is no lesson
    void setBeside(bool beside);         // beside the view, in a column: the title is what is read first
    void setEndable(bool endable);       // with the button that ends the lesson

    QPushButton *previous, *next, *again;

signals:
    void ended();

protected:
    void changeEvent(QEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    bool eventFilter(QObject*, QEvent*) override;

private:
    void retranslate();
    void fitStory();
    void fitCount();
    void fitText();
    void fitEnd();
    QScrollArea* m_scroll;
    QLabel *m_title, *m_text, *m_answer, *m_notes, *m_count;
    QPushButton* m_end;
    QBoxLayout* m_head;
    int m_step = -1, m_steps = 0;
    QString m_story, m_references;
    bool m_presenting = false, m_tight = false, m_beside = false, m_endable = true, m_answered = false;
    int m_most = QWIDGETSIZE_MAX;
};

} // namespace warpglass
