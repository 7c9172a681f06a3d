// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel pad: a .cu or .ptx is written here, its kernel and arguments are chosen below it, and on each pause in the
// typing it is compiled, looked into and run, so that all views follow what is typed. Newer typing cancels what is
// under way. Grid, block, mode and device are the launch panel's; adopt() tells what it says. A text with a main() is a
// program: it is compiled on each pause, too, and run when a person says so.
//
//   pad_panel.cpp      the kernel that is written, its launch, and the program
//   pad_occupancy.cpp  how many of its blocks fit on an SM
//   pad_files.cpp      opening, saving, and what other editors do to the file
//   pad_turn.cpp       sliders in the place of typing, and the way back to a run's text
#pragma once

#include "app/window/model/pad.h"
#include "app/window/pad/program_run.h"
#include "app/window/pad/turn_row.h"
#include "views/common/job.h"
#include "views/common/theme.h"

#include <QComboBox>
#include <QFileSystemWatcher>
#include <QLabel>
#include <QSpinBox>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTimer>
#include <QToolButton>
#include <QWidget>

#include <memory>
#include <optional>
#include <utility>

namespace warpglass {

class ArgumentTable;
class ChangeLine;
class PadCompilerPage;
class PadEditor;
class PadProgramPage;
class RunStrip;

class PadPanel : public QWidget {
    Q_OBJECT
public:
    explicit PadPanel(QWidget* parent = nullptr);

    void openNew(); // the first kernel, without a file
    // A text without a file, as it is launched; compiled: of this text, so that it runs without a compiler.
    void openText(const QString& name, const QString& text, PadSettings settings, const RunRequest& like,
                  std::shared_ptr<const session::CompiledText> compiled);
    Result<void> openFile(const QString& path); // and its settings
    Result<void> save(const QString& path);     // and its settings; from then on the file is that one
    bool isOpen() const { return !m_path.isEmpty(); }
    bool holds(const RunRequest& request) const;   // a launch of this text's
    const QString& path() const { return m_path; } // "untitled.cu" before it was saved
    bool hasFile() const { return m_onDisk; }
    bool modified() const;
    QString text() const;
    QString textThatRuns() const { return m_turned ? *m_turned : text(); } // while a slider is held not the editor's
    // The text and the launch of a run of before, which is open again: nothing runs for it.
    void goBackTo(const RunRequest& request, const PadSettings& settings);
    const PadSettings& launched() const { return m_launched; } // the last one, as it was set
    PadEditor* editor() const { return m_editor; }
    ChangeLine* changeLine() const { return m_change; } // over the editor, until somebody puts it elsewhere
    RunStrip* strip() const { return m_strip; }
    void goToLine(int line); // from 1; the keys are the editor's then

    void adopt(const RunRequest& request);    // shape, mode, device: from now on the pad's, too
    void relaunch(const RunRequest& request); // adopted and run
    void showFault(const Error& error);       // of a run: at its line
    void sayOther(const QString& sentence);   // the picture beside it is another one's; empty: it is its own
    void runProgram();                        // the text as a whole program
    void stopProgram();
    bool programRuns() const { return m_program.state() != ProgramRun::State::Idle; }
    void setTheme(const Theme& theme);

signals:
    // passing: a slider is under way, and this one is not what was wanted
    void runRequested(const warpglass::RunRequest& request, bool passing);
    void failed(const warpglass::Error& error);
    void told(const QString& sentence);
    void lookedAt(const std::shared_ptr<const session::CompiledText>& compiled); // null: it does not compile
    void saveWanted();
    void stopWanted(); // Esc, while one writes
    void titleChanged();
    void rested();                             // a program's text was compiled, and nothing runs
    void programRecorded(const QString& file); // a program has ended, and this is what it did

protected:
    void changeEvent(QEvent* event) override;

private:
    enum Page { Arguments, Compiler, Program };
    void buildKernelPage(QWidget* page);
    void connectAll();
    void connectProgram();
    void programEnded(int status, const QString& file);
    void sayEnd();
    void knowProgram(bool isProgram); // by its text
    bool showsProgram() const { return m_isProgram && m_pages->currentIndex() == Program; }
    void begin(const QString& path, const QString& text, PadSettings settings, bool onDisk);
    void look(); // compile and see what is there
    void looked(const Result<session::KernelFile>& file);
    void chooseKernel(const QString& wanted);
    void showKernel();
    void turn(TurnRow::Kind kind, const QString& name, qint64 value, bool settled);
    void launch();
    void fillKernels();
    void sayOccupancy();
    void countRegisters(); // of the kernel, where there is an assembler; the estimate stands until it has answered
    void fileChanged();
    bool keepOther();
    void watch();
    void retranslate();
    PadKernel& ofKernel();

    PadEditor* m_editor;
    QTabWidget* m_pages;
    ArgumentTable* m_arguments;
    PadCompilerPage* m_compiler;
    PadProgramPage* m_programPage;
    QLabel *m_name, *m_kernelLabel, *m_sharedLabel, *m_occupancy, *m_state, *m_other;
    QToolButton* m_save;
    QComboBox* m_kernels;
    QSpinBox* m_shared;
    ChangeLine* m_change;
    TurnRow* m_turns;
    RunStrip* m_strip;
    QTimer m_pause, m_argumentPause, m_turnPause;
    Job m_look, m_count;
    ProgramRun m_program;
    std::optional<std::pair<int, QString>> m_end; // of the last program: its status and its recording
    std::unique_ptr<QTemporaryDir> m_scratch;     // text that is not saved, recordings that have no other place
    QFileSystemWatcher m_watcher;

    std::shared_ptr<const session::CompiledText> m_known; // a text that need not be compiled
    QString m_path;
    QByteArray m_read; // what the file held when it was last read or written, as this editor would write it
    bool m_onDisk = false, m_quiet = false, m_isProgram = false;
    std::optional<QString> m_turned;            // the text with what a held slider says
    bool m_passing = false, m_goesBack = false; // what is looked into: on the way; not to be run
    PadSettings m_settings, m_launched;
    RunRequest m_like;                         // device, policy, what is recorded
    std::optional<session::KernelFile> m_file; // of the text as it was when last looked into
    const session::FileKernel* m_kernel = nullptr;
    struct Counted {
        std::string symbol;
        int capability = 0;
        std::optional<std::uint32_t> registers; // nothing: asked, and not known
    };
    std::optional<Counted> m_counted; // of m_file
};

} // namespace warpglass
