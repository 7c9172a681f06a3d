// SPDX-License-Identifier: GPL-3.0-or-later
// The pad's text as a whole program: what it is given, a button that runs it, and what it prints.
#pragma once

#include "app/window/model/pad.h"
#include "app/window/pad/program_run.h"
#include "views/common/theme.h"

#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QWidget>

namespace warpglass {

class PadProgramPage : public QWidget {
    Q_OBJECT
public:
    explicit PadProgramPage(QWidget* parent = nullptr);

    void show(const PadSettings& settings); // another file's: what was printed goes
    void take(PadSettings& settings) const; // what the fields say
    void setTheme(const Theme& theme);

    void showState(const ProgramRun& run);
    void begin();                  // a new run: an empty output
    void add(const QString& text); // of its output
    QString output() const { return m_output->toPlainText(); }
    void showEnd(const QString& sentence); // what came of it; stays until the next run

signals:
    void edited();
    void runWanted();
    void stopWanted();

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();

    QLabel *m_argumentsLabel, *m_filesLabel, *m_state;
    QLineEdit *m_arguments, *m_files;
    QPushButton* m_run;
    QPlainTextEdit* m_output;
    QString m_end;
    qsizetype m_shown = 0; // characters of the output
    ProgramRun::State m_now = ProgramRun::State::Idle;
    double m_seconds = 0;
};

} // namespace warpglass
