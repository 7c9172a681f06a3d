// SPDX-License-Identifier: GPL-3.0-or-later
// A whole program on a page of its own, in place of a launch's columns: over time above, below it the kernels and the
// launches of the chosen one. What is chosen in one is chosen in all. The page shows and asks; the window opens launches
// and records more of them.
#pragma once

#include "app/window/model/program_tables.h"
#include "app/window/panels/message_bar.h"
#include "app/window/program/launch_foot.h"
#include "app/window/program/spark_delegate.h"
#include "views/common/view_widget.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>

namespace warpglass {

class ProgramPage : public QWidget {
    Q_OBJECT
public:
    explicit ProgramPage(QWidget* parent = nullptr);

    void setProgram(const ProgramModelPtr& program); // another one: nothing is chosen, all is shown
    void growTo(const ProgramModelPtr& program);     // the same with more recordings: what is chosen stays
    void setWhyNoMore(const QString& why);           // why no launch can be recorded; empty: it can
    void setBusy(bool busy);                         // something runs: no second is begun
    void setTheme(const Theme& theme);
    void choose(std::uint32_t operation); // in the view and in the lists; noIndex: nothing
    void chooseKernel(std::uint32_t kernel);
    std::uint32_t operation() const;
    std::uint32_t kernel() const;
    void showTimes(TimeRange times);   // an empty range: all
    bool showView(const QString& key); // brings it forward; false: the page does not have it
    void step(int direction);          // to the next or the previous operation, as the keys . and , of the view
    // A launch that was asked for and has no trace: says why, and offers to record it.
    void showUnrecorded(std::uint32_t operation);

    MessageBar* message;
    ViewWidget *view, *graphs; // over time; of a program that launches graphs, those
    QTableView *kernels, *launches;
    QSplitter *split, *lists; // the picture over the lists; the lists beside each other

signals:
    void openRequested(quint32 operation);
    void recordRequested(const std::vector<std::uint64_t>& launches);

protected:
    bool eventFilter(QObject*, QEvent*) override;
    void changeEvent(QEvent*) override;
    void keyPressEvent(QKeyEvent*) override;
    void showEvent(QShowEvent*) override;

private:
    QWidget* buildKernels();
    QWidget* buildLaunches();
    void connectParts();
    void retranslate();
    void follow(); // what the view has chosen, into the lists
    void refreshFoot();
    void refreshShapes();
    void refreshFaults();
    void refreshGraphs();
    void refreshColumns();
    void fitNames();
    std::uint32_t firstOf(std::uint32_t kernel) const;

    ProgramModelPtr m_program;
    SelectionModel* m_selection; // of the times that are shown: a launch's views have their own
    KernelTable* m_kernelTable;
    LaunchTable* m_launchTable;
    SparkDelegate* m_spark;
    QTabWidget* m_tabs; // launches; messages; graphs
    QListWidget* m_faults;
    QLabel* m_kernelTitle;
    QPushButton* m_all;
    QLineEdit* m_find;   // above the kernels, of a program with many
    QComboBox* m_shapes; // of the chosen kernel, if it was launched in several
    LaunchFoot* m_foot;
    bool m_following = false, m_stretched = false;
};

} // namespace warpglass
