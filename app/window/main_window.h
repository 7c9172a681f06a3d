// SPDX-License-Identifier: GPL-3.0-or-later
// app/window: the window. It owns what is open (a run, and in compare mode a second one), the shared selection, the
// theme and the language, and passes them on; the panels tell it what a person wants. No panel knows another, no view a
// backend.
//
//   main_window.cpp           what is open, running, comparing
//   main_window_build.cpp     widgets and their wires
//   main_window_actions.cpp   actions, menus, keys
//   main_window_lessons.cpp   lessons and presentation
//   main_window_files.cpp     opening, saving, exporting, settings
//   main_window_policies.cpp  the timing model, scheduling policies side by side
#pragma once

#include "app/window/dialogs/export_dialog.h"
#include "app/window/jobs/run_job.h"
#include "app/window/jobs/sweep_control.h"
#include "app/window/language.h"
#include "app/window/panels/claims_panel.h"
#include "app/window/panels/compare_panel.h"
#include "app/window/panels/gallery_panel.h"
#include "app/window/panels/launch_panel.h"
#include "app/window/panels/lessons_panel.h"
#include "app/window/panels/top_bar.h"
#include "app/window/panels/transport_bar.h"
#include "app/window/panels/view_area.h"
#include "app/window/panels/warp_panel.h"
#include "views/common/selection.h"

#include <QActionGroup>
#include <QMainWindow>
#include <QMap>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>

#include <functional>

namespace warpglass {

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    // What a person can do, callable by tests and by main().
    void openFile(const QString& path);
    void runKernel(const QString& kernel); // as the gallery does
    void run(const RunRequest& request);
    void openTables(const QStringList& paths); // sweeps (.csv) and traces, charted together
    void openResult(int row);                  // the launch of a bar
    void compareWith(const RunSource& source);
    void stopComparing();
    void showClaim(const ClaimTarget& target, bool inView); // runs what it is measured by, unless that is open
    void alignAt(const QString& key);                       // both traces, at a place of alignment.h
    void startLesson(int lesson, int step);
    void startLesson(const QString& name);
    void setThemeName(const QString& name);
    void setLanguage(const QString& name);
    void setFontScale(qreal scale);
    void setPresenting(bool presenting);
    QString exportCurrentView(const QString& path); // "" or why not
    QString exportAllViews(const QString& folder, const QString& suffix);

    const RunPtr& current() const { return m_current; }
    const RunPtr& other() const { return m_other; }
    ComparePanel& differences() { return *m_comparePanel; }
    bool busy() const { return m_job->running(); }
    SweepControl& sweep() { return *m_sweep; }
    SelectionModel& selection() { return *m_selection; }
    TransportBar& transport() { return *m_transport; }
    ViewArea& views() { return *m_views; }
    const Theme& theme() const { return m_theme; }
    QAction* action(const QString& name) const { return m_actions.value(name); }

signals:
    void shown(); // a job's answer is on the screen

protected:
    void keyPressEvent(QKeyEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    void dragEnterEvent(QDragEnterEvent*) override;
    void dropEvent(QDropEvent*) override;
    void closeEvent(QCloseEvent*) override;
    void changeEvent(QEvent*) override;
    bool eventFilter(QObject*, QEvent*) override;

private:
    // build
    void build();
    void connectAll();
    // actions
    QAction* addAction(const QString& name, const char* text, const QList<QKeySequence>& keys,
                       std::function<void()> does);
    void makeActions();
    void makeMenus();
    void retranslateActions();
    void fillCompareMenu();
    void fillVariantsMenu();
    void fillRecentMenu();
    void requested(const QString& actionName); // by a view
    void stepEvent(int direction);
    void showKeys();
    void showAbout();
    // running
    void take(const JobResult& result);
    void runWith(const std::function<void(RunRequest&)>& change);
    void runOnGpu();
    std::optional<RunRequest> timedRequest() const;
    void runTimed();
    void comparePolicies();
    void refreshPlace();
    void refreshStory();
    void selectionChanged(const Selection& now);
    Selection firstSelection(const Trace& trace) const;
    RunRequest partnerOf(const RunRequest& request) const; // what compare shows beside it by default
    RunRequest withKernel(const RunRequest& request, const std::string& kernel) const;
    void applyTheme();
    // lessons
    void loadLessons();
    void showStepText();
    void applyStep();
    void applyClaim();
    void leaveLesson();
    // files
    void openDialog(bool toCompare);
    void saveDialog();
    void savePartDialog();                                         // what the timeline shows now, as a trace of its own
    void followNotes(const QString& tracePath, bool keep = false); // bookmarks lie beside the trace
    void exportDialog(ExportDialog::What what);
    void exportDifferences();
    void copyPicture();
    void remember(const QString& path);
    void readSettings();
    void writeSettings();

    SelectionModel* m_selection;
    RunJob* m_job;
    SweepControl* m_sweep;
    RunPtr m_current, m_other, m_previous;
    std::optional<RunSource> m_pendingOther; // compare partner of the job that runs
    Theme m_theme = Theme::make(ThemeKind::Light);
    Language m_language;
    qreal m_fontScale = 1.0;
    bool m_presenting = false, m_wasMaximised = false, m_forwarding = false;

    std::optional<ClaimTarget> m_claim;            // to be shown when its run is there
    QString m_alignment = QStringLiteral("start"); // of the two traces
    QVector<Lesson> m_lessons;
    int m_lesson = -1, m_step = -1;
    bool m_stepWaiting = false; // a job runs for the lesson's step

    TopBar* m_top;
    QSplitter *m_split, *m_leftSplit, *m_rightSplit;
    QTabWidget* m_leftTabs;
    QWidget *m_left, *m_right;
    GalleryPanel* m_gallery;
    LessonsPanel* m_lessonsPanel;
    ClaimsPanel* m_claimsPanel;
    LaunchPanel* m_launch;
    ViewArea* m_views;
    QSplitter* m_middle; // the views, and below them the differences
    ComparePanel* m_comparePanel;
    QTabBar* m_sourceTabs = nullptr;
    ViewWidget* m_source = nullptr;
    WarpPanel* m_warp;
    TransportBar* m_transport;

    QMap<QString, QAction*> m_actions;
    QMap<QString, const char*> m_actionTexts;
    QMap<QMenu*, const char*> m_menuTexts;
    QMenu *m_mainMenu, *m_compareMenu, *m_recentMenu;
    QStringList m_recent;
};

} // namespace warpglass
