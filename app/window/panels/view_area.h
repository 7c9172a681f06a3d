// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/panels/message_bar.h"
#include "app/window/panels/question_card.h"
#include "app/window/panels/step_strip.h"
#include "views/common/view_widget.h"

#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>
#include <QVector>
#include <QWidget>

namespace warpglass {

// The middle of the window: tabs of views, the text of the step, messages, the view with its switches.
class ViewArea : public QWidget {
    Q_OBJECT
public:
    ViewArea(SelectionModel* selection, QWidget* parent = nullptr);

    void setTrace(const TracePtr& trace, const TracePtr& other);
    void setTheme(const Theme& theme);
    void showView(const QString& key); // nothing happens for an unknown one
    void showView(int index);
    void setPresenting(bool presenting);
    void setAsking(bool asking);         // the question's card in the place of the view
    void setPredicting(bool predicting); // switches are put away: they would change what is asked
    QString currentKey() const;
    ViewWidget* current() const; // null if there are no views
    ViewWidget* widget(const QString& key) const;
    int count() const { return int(m_views.size()); }
    ViewWidget* at(int index) const { return m_views[index]; }
    QWidget* header() const { return m_header; } // the tabs, or the list in their place
    QWidget* pictures() const { return m_stack; }

    MessageBar* message;
    StepStrip* strip;
    QuestionCard* question;

signals:
    void actionRequested(const QString& action);
    void currentChanged(const QString& key);

protected:
    void changeEvent(QEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    bool eventFilter(QObject*, QEvent*) override;

private:
    void retranslate();
    void fit();
    void fitTabs();
    QTabBar* m_tabs;
    QToolButton* m_list; // in place of the tabs where they have no room
    QStackedWidget *m_stack, *m_switches;
    QVector<ViewWidget*> m_views;
    void refreshSwitches();
    void fitSwitches(bool narrow);
    QWidget *m_switchRow, *m_header;
    bool m_presenting = false, m_asking = false, m_predicting = false;
};

} // namespace warpglass
