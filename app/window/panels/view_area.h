// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/model/window_mode.h"
#include "app/window/panels/code_text.h"
#include "app/window/panels/message_bar.h"
#include "app/window/panels/question_card.h"
#include "app/window/panels/step_strip.h"
#include "app/window/view_registry.h"
#include "views/common/job.h"
#include "views/common/view_widget.h"

#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>
#include <QVector>
#include <QWidget>

#include <bitset>

class QMenu;

namespace warpglass {

// The middle of the window: tabs of views by the question they answer, the text of the step, messages, the view with its
// switches. While somebody learns, the text and the code stand in a column beside the view.
class ViewArea : public QWidget {
    Q_OBJECT
public:
    using Groups = std::bitset<viewGroups>;

    ViewArea(SelectionModel* selection, QWidget* parent = nullptr);

    void setTrace(const TracePtr& trace, const TracePtr& other);
    void setTheme(const Theme& theme);
    void showView(const QString& key); // nothing happens for an unknown one
    void showView(int index);
    void apply(const Seen& seen);
    void fillMenu(QMenu* menu); // with all views, those without a tab among them
    // The groups that have a tab: three at first, then those that somebody has been to.
    Groups known() const { return m_known; }
    void know(Groups groups);
    QString currentKey() const;
    ViewWidget* current() const { return m_views[m_current]; }
    ViewWidget* widget(const QString& key) const;
    int count() const { return int(m_views.size()); }
    ViewWidget* at(int index) const { return m_views[index]; }
    QWidget* header() const { return m_header; } // the tabs, or the list in their place
    QWidget* pictures() const { return m_stack; }
    QSplitter* columns() const { return m_columns; } // of the step, and the view
    bool showsCode() const { return !code->isHidden() && !m_beside->isHidden(); }

    MessageBar* message;
    StepStrip* strip;
    CodeText* code; // in the column
    QuestionCard* question;

signals:
    void actionRequested(const QString& action);
    void currentChanged(const QString& key);

protected:
    void changeEvent(QEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    bool eventFilter(QObject*, QEvent*) override;

private:
    void buildHeader();
    void buildColumns();
    void retranslate();
    void fit();
    void fitTabs();
    void refreshTabs();
    bool says(int view) const;
    void prove(); // of those that only a model knows
    ViewGroup groupOf(int view) const { return m_entries[view].group; }
    QString groupTitle(ViewGroup group) const;
    int firstOf(ViewGroup group) const; // that has a tab; -1: none
    void refreshSwitches();
    void fitSwitches(int wanted); // by the tabs
    void fitCode();
    void fitClass(bool beforeClass);

    QVector<ViewEntry> m_entries;
    QVector<ViewWidget*> m_views;
    int m_current = 0;
    int m_last[viewGroups]; // of each group, the one that was in front; -1: none yet
    Groups m_known;
    QVector<bool> m_proven; // [view] of the open traces; empty: not known yet
    Job m_proof;
    QTabBar *m_groups, *m_members; // the questions; the views that answer the one in front
    QToolButton* m_list;           // of all views; it says which it is where tabs have no room
    QStackedWidget *m_stack, *m_switches;
    QWidget *m_switchRow, *m_header, *m_beside, *m_middle;
    QSplitter* m_columns;
    QByteArray m_atDesk; // their state, while a class looks; else empty
    bool m_narrow = false, m_tabs = true, m_asking = false, m_predicting = false;
};

} // namespace warpglass
