// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pad/pad_program_page.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QScrollBar>
#include <QVBoxLayout>

namespace warpglass {

namespace {
constexpr qsizetype mostShown = 1 << 20; // characters: a program may print without end
constexpr int mostLines = 20000;
} // namespace

PadProgramPage::PadProgramPage(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("padProgram"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 6, 8, 6);
    column->setSpacing(5);
    auto* form = new QHBoxLayout;
    form->setSpacing(8);
    const auto row = [&](const char* name, QLabel*& label, QLineEdit*& field) {
        label = new QLabel(this);
        label->setObjectName(QStringLiteral("formLabel"));
        field = new QLineEdit(this);
        field->setObjectName(QLatin1String(name));
        label->setBuddy(field);
        form->addWidget(label);
        form->addWidget(field, 1);
        connect(field, &QLineEdit::textEdited, this, &PadProgramPage::edited);
        connect(field, &QLineEdit::returnPressed, this, &PadProgramPage::runWanted);
    };
    row("padProgramArguments", m_argumentsLabel, m_arguments);
    row("padProgramFiles", m_filesLabel, m_files);
    auto* foot = new QHBoxLayout;
    m_run = new QPushButton(this);
    m_run->setObjectName(QStringLiteral("primary"));
    m_state = new QLabel(this);
    m_state->setObjectName(QStringLiteral("padProgramState"));
    m_state->setWordWrap(true);
    foot->addWidget(m_run);
    foot->addWidget(m_state, 1);
    m_output = new QPlainTextEdit(this);
    m_output->setObjectName(QStringLiteral("padProgramOutput"));
    m_output->setReadOnly(true);
    m_output->setUndoRedoEnabled(false);
    m_output->setMaximumBlockCount(mostLines);
    m_output->setFrameShape(QFrame::NoFrame);
    m_output->setMinimumHeight(40);
    column->addLayout(form);
    column->addLayout(foot);
    column->addWidget(m_output, 1);
    connect(m_run, &QPushButton::clicked, this, [this] {
        if (m_now == ProgramRun::State::Idle)
            emit runWanted();
        else
            emit stopWanted();
    });
    retranslate();
}

void PadProgramPage::retranslate() {
    m_argumentsLabel->setText(tr("Arguments"));
    m_arguments->setToolTip(tr("What main() gets, as on a command line"));
    m_filesLabel->setText(tr("More files"));
    m_files->setToolTip(tr("Further .cu and .cpp files of the program, parted by blanks, from this file's folder"));
    for (auto [label, field] : {std::pair(m_argumentsLabel, m_arguments), std::pair(m_filesLabel, m_files)}) {
        field->setAccessibleName(label->text());
        field->setAccessibleDescription(field->toolTip());
    }
    m_output->setPlaceholderText(tr("What the program prints"));
    m_output->setAccessibleName(m_output->placeholderText());
    const bool idle = m_now == ProgramRun::State::Idle;
    m_run->setText(!idle ? tr("Stop") : tr("Run as a program"));
    m_run->setToolTip(idle ? tr("Builds it, runs it on the virtual device, and opens what it did (Ctrl+Return)")
                           : tr("Ends the program; what it did until then is kept"));
    switch (m_now) {
    case ProgramRun::State::Idle:
        m_state->setText(m_end);
        break;
    case ProgramRun::State::Building:
        m_state->setText(tr("Building, %1 s").arg(int(m_seconds)));
        break;
    case ProgramRun::State::Running:
        m_state->setText(tr("Running, %1 s").arg(int(m_seconds)));
        break;
    case ProgramRun::State::Stopping:
        m_state->setText(tr("Stopping"));
        break;
    }
}

void PadProgramPage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void PadProgramPage::setTheme(const Theme& theme) {
    // As a style, because the window's own style names a font.
    m_output->setStyleSheet(QStringLiteral("font-family: \"%1\"; font-size: %2px;")
                                .arg(theme.mono().family())
                                .arg(theme.mono().pixelSize()));
}

void PadProgramPage::show(const PadSettings& settings) {
    m_arguments->setText(settings.programArguments);
    m_files->setText(lineOf(settings.programFiles));
    m_end.clear();
    m_output->clear();
    m_shown = 0;
    retranslate();
}

void PadProgramPage::take(PadSettings& settings) const {
    settings.programArguments = m_arguments->text();
    settings.programFiles = wordsOf(m_files->text());
}

void PadProgramPage::showState(const ProgramRun& run) {
    m_now = run.state();
    m_seconds = run.seconds();
    retranslate();
}

void PadProgramPage::begin() {
    m_end.clear();
    m_output->clear();
    m_shown = 0;
}

void PadProgramPage::add(const QString& text) {
    if (m_shown >= mostShown)
        return;
    m_shown += text.size();
    const bool atEnd = m_output->verticalScrollBar()->value() == m_output->verticalScrollBar()->maximum();
    QTextCursor end(m_output->document());
    end.movePosition(QTextCursor::End);
    end.insertText(m_shown < mostShown ? text : text + QLatin1Char('\n') + tr("(The rest is not shown.)"));
    if (atEnd)
        m_output->verticalScrollBar()->setValue(m_output->verticalScrollBar()->maximum());
}

void PadProgramPage::showEnd(const QString& sentence) {
    m_end = sentence;
    retranslate();
}

} // namespace warpglass
