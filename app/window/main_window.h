// SPDX-License-Identifier: GPL-3.0-or-later
// app/window: the window. What is open and looked at is the workbench's (model/workbench.h), what a lesson does the
// lesson player's, what a person can do stands in a table (model/actions.h); the window joins them to the widgets. The
// panels tell it what a person wants. No panel knows another, no view a backend.
//
//   main_window.cpp           what the workbench says, shown
//   main_window_actions.cpp   what each action does, and the wires between panels and workbench
//   main_window_input.cpp     keys and mouse that are no actions
//   main_window_files.cpp     opening, saving, exporting
//   main_window_program.cpp   a whole program beside the launch that is looked at
//   main_window_exercises.cpp an exercise in the pad, and its grade
//   main_window_menus.cpp     the palette, context menus, clipboard and paper
//   main_window_look.cpp      theme, language, settings
//   main_window_present.cpp   presentation: the class's screen and the presenter's
//   main_window_start.cpp     the start page, and the tour
#pragma once

#include "app/window/language.h"
#include "app/window/model/claim_target.h"
#include "app/window/model/exercise_desk.h"
#include "app/window/model/ghosts.h"
#include "app/window/model/lesson_player.h"
#include "app/window/model/program_desk.h"
#include "app/window/model/workbench.h"
#include "app/window/palette/command_palette.h"
#include "app/window/sweep/sweep_control.h"
#include "views/common/theme.h"
#include "views/common/view.h"

#include <QAction>
#include <QMainWindow>

#include <memory>

class QComboBox;
class QMenu;

namespace warpglass {

class ActionSet;
class ComparePanel;
class ExercisePage;
class MessageBar;
class NotesKeeper;
class PredictDesk;
class PresenterNotes;
class PresenterOverlay;
class Tour;
class TransportBar;
class ViewArea;
class ViewWidget;
struct SessionMemory;
struct WindowParts;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    // What a person can do, callable by tests and by main().
    void openFile(const QString& path);
    void runKernel(const QString& kernel); // as the gallery does
    void run(const RunRequest& request) { m_bench->run(request); }
    void openTables(const QStringList& paths); // sweeps (.csv) and traces, charted together
    void openResult(int row);                  // the launch of a bar
    void compareWith(const RunSource& source) { m_bench->compareWith(source); }
    void startLesson(int lesson, int step);
    void startLesson(const QString& name) { startLesson(m_lessons.find(name), 0); }
    void startExercise(int exercise);         // of the program's; opens its starter in the pad
    void showProgramPage(bool program);       // in place of the launch's columns; nothing without a program
    void openLaunch(std::uint32_t operation); // of the program: its trace, or why there is none
    bool restoreSession();                    // what was open the last time; false: nothing
    void appear();                            // shows itself; the first time on all of a small screen
    void begin();                             // as who has named nothing: there, or on the start page
    void showStartPage(bool start);           // in front of everything, or again what was there
    void startTour();
    void setThemeName(const QString& name);
    void setLanguage(const QString& name);
    void setFontScale(qreal scale);
    void setPresenting(bool presenting);
    QString exportCurrentView(const QString& path); // "" or why not
    QString exportAllViews(const QString& folder, const QString& suffix);

    const RunPtr& current() const { return m_bench->current(); }
    const RunPtr& other() const { return m_bench->other(); }
    bool busy() const { return m_bench->busy() || m_programs->busy(); }
    ProgramDesk& programs() { return *m_programs; }
    bool showsProgram() const;
    bool showsStart() const;
    Workbench& bench() { return *m_bench; }
    SelectionModel& selection() { return m_bench->selection(); }
    ExerciseDesk& exercises() { return *m_exercises; }
    SweepControl& sweep() { return *m_sweep; }
    ComparePanel& differences();
    TransportBar& transport();
    ViewArea& views();
    PredictDesk& prediction() { return *m_predict; }
    PresenterOverlay& overlay() { return *m_overlay; }
    PresenterNotes& presenterNotes() { return *m_notesWindow; }
    Tour& tour() { return *m_tour; }
    bool presenting() const { return m_presenting; }
    const Theme& theme() const { return m_theme; }
    QAction* action(const QString& name) const; // of model/actions.h; null if there is none

signals:
    void shown(); // a job's answer is on the screen

protected:
    void keyPressEvent(QKeyEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    void dragEnterEvent(QDragEnterEvent*) override;
    void dropEvent(QDropEvent*) override;
    void closeEvent(QCloseEvent*) override;
    void changeEvent(QEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    bool eventFilter(QObject*, QEvent*) override;

private:
    // what the workbench says
    void showOpened();
    void showFailure(const Error& error);
    void tellMissingWalls(); // once, after a stranger's kernel has run
    void showSight(const Sight& sight);
    void showPolicies(const std::vector<TracePtr>& traces);
    void refreshActions();
    void refreshCompare();
    void foldIfCrowded(int widthBefore, qreal typeBefore);           // the sides, once there is no room for them
    void refreshDifferences();                                       // the table of what two runs differ in
    void showDifferences();                                          // or not
    void nameSides();                                                // of two runs of one kernel, in every view
    QString sideName(const RunPtr& run, const RunPtr& beside) const; // "run 3: block 128": in what it differs
    void followCode(); // the code beside the picture is the picture's, or says that it is not
    void refreshPlace();
    void refreshStory();
    void tellStory(bool asking);
    void refreshPrediction(); // what else would tell, is put away
    // what a person wants
    void connectBench();
    void connectPanels();
    void makeActions();
    void fillCompareMenu(QMenu* menu);
    void fillRecentMenu(QMenu* menu);
    void requested(const QString& actionName); // by a view
    void runWith(const std::function<void(RunRequest&)>& change);
    void compareOrStop();
    void runTimed();
    void comparePolicies();
    void askWhy();
    void askWhyIfQuick();
    void showWhy(); // the answer, or why there is none
    void showClaim(const ClaimTarget& target, bool inView);
    void stepEvent(int direction);
    void connectClock();
    // The transport walks along what the view in front shows: the open trace, or one of the view's own. anew: the open
    // trace or its moments are others than before.
    void followClock(bool anew);
    std::optional<OwnClock> ownClock() const; // of the view in front
    void focusView();                         // keys mean the view again
    void loadLessons();
    void leaveLesson();
    void answered(const QString& given, bool right); // a lesson's question
    QString answerText() const;
    void turn(const QVector<SwitchChange>& changes);
    QVariant switchNow(const QString& view, const QString& option) const;
    // a program
    void connectProgram();
    void programOpened();
    void programGrown(std::uint64_t added, const std::vector<std::uint64_t>& others);
    void refreshProgram(); // its button, and where we are
    MessageBar* messageInFront();
    ViewWidget* viewInFront() const;
    // exercises
    void connectExercises();
    void nameExerciseTab(); // in the language that is shown
    void openInPad(const session::ExerciseSource& source);
    void showSolution();
    // files
    void connectPad();
    void newKernel();
    void openKernel(const QString& path);
    bool saveKernel();  // false: not saved
    bool mayLeavePad(); // asks about a text that was not saved
    void openDialog(bool toCompare);
    void saveDialog();
    void savePartDialog(); // what the timeline shows now, as a trace of its own
    bool writeWithSentence(const Trace& trace, const QString& path);
    void followNotes(const QString& tracePath, bool keep = false); // bookmarks lie beside the trace
    void exportDialog(int what, const Lesson* lesson = nullptr);   // an ExportDialog::What; null: the one that plays
    void exportDifferences();
    void remember(const QString& path);
    // menus
    void connectMenus();
    QVector<PaletteItem> paletteItems();
    void showPalette();
    void copyPicture(ViewWidget* view);
    void copyNumbers(ViewWidget* view);
    void printDialog(ViewWidget* view);
    // presenting
    void makePresenter();
    void goStep(int direction); // what a presenter's remote presses: of a lesson, a prediction, or in time
    void showCode(bool code);
    void showNotes(bool notes);
    void refreshPresenter();
    // start
    void connectStart();
    void makeTour();
    void tourIfDue(); // it was asked for, and now there is something to see
    // look
    void applyTheme();
    qreal presentedScale() const; // of the type for a class
    SessionMemory memory() const;
    void readSettings();
    void writeSettings();

    void findGhost(); // a recording of the launch that is open
    Ghosts m_ghosts;
    Job m_ghostJob;
    Workbench* m_bench;
    ProgramDesk* m_programs;
    SweepControl* m_sweep;
    ExerciseDesk* m_exercises;
    ExercisePage* m_exercisePage = nullptr;
    LessonPlayer m_lessons;
    QString m_given; // the answer to the step's question, in the person's words; empty: none was given
    bool m_givenRight = false;
    std::unique_ptr<WindowParts> m_parts;
    std::unique_ptr<ActionSet> m_actions;
    PredictDesk* m_predict = nullptr;
    PresenterOverlay* m_overlay = nullptr;
    PresenterNotes* m_notesWindow = nullptr;
    NotesKeeper* m_notes = nullptr;      // of the timeline; null if there is none
    CommandPalette* m_palette = nullptr; // made when it is first asked for
    Tour* m_tour = nullptr;
    Theme m_theme = Theme::make(ThemeKind::Light);
    Language m_language;
    qreal m_fontScale = 1.0;
    bool m_presenting = false, m_wasMaximised = false, m_presentingCode = false;
    int m_tabAtDesk = 0;           // of source, PTX and pad
    QComboBox* m_opened = nullptr; // by the mouse: the list of choices that is open; only compared, never followed
    bool m_programBehind = false;  // the start page
    bool m_tourDue = false, m_tourFromStart = false; // due: asked for, and nothing is there yet
    bool m_programOfPad = false;                     // the program that is on its way was run by the pad
    bool m_padAway = false;                          // another picture's code stands where the pad was
    bool m_comparisonEnded = false;                  // by a run that is neither of both: to be said when it is there
    bool m_toldWalls = false;
    bool m_forwarding = false; // a key is on its way to the view and back
    QStringList m_recent;      // files, the newest first
};

} // namespace warpglass
