// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel pad: a .cu or .ptx is written here, its kernel and arguments are chosen below it, and on each pause in the
// typing it is compiled, looked into and run, so that all views follow what is typed. Newer typing cancels what is
// under way. Grid, block, mode and device are the launch panel's; adopt() tells what it says.
#pragma once

#include "app/window/model/pad.h"
#include "views/common/job.h"
#include "views/common/theme.h"

#include <QComboBox>
#include <QFileSystemWatcher>
#include <QLabel>
#include <QSpinBox>
#include <QTimer>
#include <QToolButton>
#include <QWidget>

namespace warpglass {

class ArgumentTable;
class PadEditor;

class PadPanel : public QWidget {
    Q_OBJECT
public:
    explicit PadPanel(QWidget* parent = nullptr);

    void openNew();                             // the first kernel, without a file
    Result<void> openFile(const QString& path); // and its settings
    Result<void> save(const QString& path);     // and its settings; from then on the file is that one
    bool isOpen() const { return !m_path.isEmpty(); }
    bool holds(const RunRequest& request) const;   // a launch of this text's
    const QString& path() const { return m_path; } // "untitled.cu" before it was saved
    bool hasFile() const { return m_onDisk; }
    bool modified() const;

    void adopt(const RunRequest& request);    // shape, mode, device: from now on the pad's, too
    void relaunch(const RunRequest& request); // adopted and run
    void showFault(const Error& error);       // of a run: at its line
    void setTheme(const Theme& theme);

signals:
    void runRequested(const warpglass::RunRequest& request);
    void failed(const warpglass::Error& error);
    void told(const QString& sentence);
    void saveWanted();
    void titleChanged();

protected:
    void changeEvent(QEvent* event) override;

private:
    void begin(const QString& path, const QString& text, PadSettings settings, bool onDisk);
    void look(); // compile and see what is there
    void looked(const Result<session::KernelFile>& file);
    void chooseKernel(const QString& wanted);
    void showKernel();
    void launch();
    void fillKernels();
    void sayOccupancy();
    void fileChanged();
    void watch();
    void retranslate();
    PadKernel& ofKernel();

    PadEditor* m_editor;
    ArgumentTable* m_arguments;
    QLabel *m_name, *m_kernelLabel, *m_sharedLabel, *m_occupancy, *m_state;
    QToolButton* m_save;
    QComboBox* m_kernels;
    QSpinBox* m_shared;
    QTimer m_pause, m_argumentPause;
    Job m_look;
    QFileSystemWatcher m_watcher;

    QString m_path;
    bool m_onDisk = false, m_quiet = false;
    PadSettings m_settings;
    RunRequest m_like;                         // device, policy, what is recorded
    std::optional<session::KernelFile> m_file; // of the text as it was when last looked into
    const session::FileKernel* m_kernel = nullptr;
};

} // namespace warpglass
