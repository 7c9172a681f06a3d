// SPDX-License-Identifier: GPL-3.0-or-later
// app/window: the window. It is a list of features (features.cpp) on a shell (shell.h), and gives them what Qt gives a
// window: keys, the mouse, its closing. What is open and looked at is the workbench's (model/workbench.h), what is seen is
// decided by one mode (model/window_mode.h), what a person can do stands in a table (model/actions.h), and what is done
// then in the folder of the feature. No panel knows another, no view a backend.
#pragma once

#include "app/window/shell.h"

namespace warpglass {

class TransportBar;
class ViewArea;
struct SessionMemory;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    void appear();         // shows itself; the first time on all of a small screen
    void begin();          // as who has named nothing: there, or on the start page
    bool restoreSession(); // what was open the last time; false: nothing
    void openFile(const QString& path) { m_shell->open(path); }
    void setLanguage(const QString& name) { m_shell->setLanguage(name); }

    Shell& shell() { return *m_shell; }
    template <class T>
    T& feature() const { // as its header says what it can be asked for
        return m_shell->feature<T>();
    }
    Workbench& bench() { return *m_shell->bench; }
    SelectionModel& selection() { return bench().selection(); }
    const RunPtr& current() const { return m_shell->bench->current(); }
    const RunPtr& other() const { return m_shell->bench->other(); }
    bool busy() const { return m_shell->busy(); }
    ViewArea& views();
    TransportBar& transport();
    const Theme& theme() const { return m_shell->theme; }
    QAction* action(const QString& name) const { return m_shell->action(name); }

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

private:
    void escape();
    SessionMemory memory() const;

    Shell* m_shell = nullptr;
    bool m_forwarding = false; // a key is on its way to the view and back
};

} // namespace warpglass
