// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pad/pad_panel.h"
#include "gpu/base/messages/session.h"

#include "app/window/model/requests.h"
#include "app/window/pad/argument_table.h"
#include "app/window/pad/change_line.h"
#include "app/window/pad/pad_compiler_page.h"
#include "app/window/pad/pad_editor.h"
#include "app/window/pad/pad_program_page.h"
#include "app/window/pad/run_strip.h"
#include "views/common/shown_words.h"
#include "views/common/whole_file.h"

#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSplitter>
#include <QTabBar>
#include <QVBoxLayout>

#include <cstring>

namespace warpglass {

namespace {

constexpr int pauseMs = 600, argumentPauseMs = 350, turnPauseMs = 120; // after the last keystroke
constexpr int largestShared = 232448; // bytes: the most that a block of any device gets

} // namespace

PadPanel::PadPanel(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("padPanel"));
    setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 4, 8, 4);
    head->setSpacing(10);
    m_name = new QLabel(this);
    m_name->setObjectName(QStringLiteral("panelTitle"));
    m_state = new QLabel(this);
    m_state->setObjectName(QStringLiteral("small"));
    m_save = new QToolButton(this);
    m_save->setObjectName(QStringLiteral("padSave"));
    head->addWidget(m_name);
    head->addWidget(m_state, 1);
    head->addWidget(m_save);
    column->addLayout(head);
    m_other = new QLabel(this);
    m_other->setObjectName(QStringLiteral("padOther"));
    m_other->setContentsMargins(12, 2, 12, 4);
    m_other->setWordWrap(true);
    m_other->hide();
    column->addWidget(m_other);

    m_change = new ChangeLine(this);
    column->addWidget(m_change);
    auto* split = new QSplitter(Qt::Vertical, this);
    split->setHandleWidth(1);
    split->setChildrenCollapsible(false);
    m_editor = new PadEditor(split);
    m_pages = new QTabWidget(split);
    m_pages->setObjectName(QStringLiteral("padPages"));
    m_pages->setDocumentMode(true);
    m_pages->tabBar()->setDrawBase(false);
    auto* kernelPage = new QWidget(m_pages);
    buildKernelPage(kernelPage);
    m_compiler = new PadCompilerPage(m_pages);
    m_programPage = new PadProgramPage(m_pages);
    for (QWidget* page : std::initializer_list<QWidget*>{kernelPage, m_compiler, m_programPage})
        m_pages->addTab(page, QString());
    knowProgram(false);
    split->addWidget(m_editor);
    split->addWidget(m_pages);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 1);
    split->setSizes({270, 230});
    column->addWidget(split, 1);
    m_turns = new TurnRow(this);
    m_strip = new RunStrip(this);
    column->addWidget(m_turns);
    column->addWidget(m_strip);

    connectAll();
    connectProgram();
    retranslate();
}

void PadPanel::buildKernelPage(QWidget* page) {
    page->setObjectName(QStringLiteral("padKernel"));
    auto* lower = new QVBoxLayout(page);
    lower->setContentsMargins(12, 6, 8, 6);
    lower->setSpacing(5);
    auto* form = new QHBoxLayout;
    m_kernelLabel = new QLabel(page);
    m_kernelLabel->setObjectName(QStringLiteral("formLabel"));
    m_kernels = new QComboBox(page);
    m_kernels->setObjectName(QStringLiteral("padKernels"));
    m_kernels->setEditable(true);
    m_kernels->setInsertPolicy(QComboBox::NoInsert);
    m_kernels->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_kernels->setMinimumContentsLength(10);
    m_sharedLabel = new QLabel(page);
    m_sharedLabel->setObjectName(QStringLiteral("formLabel"));
    m_shared = new QSpinBox(page);
    m_shared->setObjectName(QStringLiteral("padShared"));
    m_shared->setRange(0, largestShared);
    m_shared->setSingleStep(256);
    m_kernelLabel->setBuddy(m_kernels);
    m_sharedLabel->setBuddy(m_shared);
    form->addWidget(m_kernelLabel);
    form->addWidget(m_kernels, 1);
    form->addWidget(m_sharedLabel);
    form->addWidget(m_shared);
    lower->addLayout(form);
    m_arguments = new ArgumentTable(page);
    lower->addWidget(m_arguments, 1);
    m_occupancy = new QLabel(page);
    m_occupancy->setObjectName(QStringLiteral("padOccupancy"));
    m_occupancy->setWordWrap(true);
    lower->addWidget(m_occupancy);
}

void PadPanel::connectAll() {
    for (QTimer* timer : {&m_pause, &m_argumentPause, &m_turnPause})
        timer->setSingleShot(true);
    m_pause.setInterval(pauseMs);
    m_turnPause.setInterval(turnPauseMs);
    connect(&m_turnPause, &QTimer::timeout, this, &PadPanel::look);
    connect(m_turns, &TurnRow::turned, this, &PadPanel::turn);
    m_argumentPause.setInterval(argumentPauseMs);
    connect(&m_pause, &QTimer::timeout, this, &PadPanel::look);
    connect(&m_argumentPause, &QTimer::timeout, this, &PadPanel::launch);
    connect(m_editor, &QsciScintilla::textChanged, this, [this] {
        if (m_quiet)
            return;
        m_state->setText(tr("…"));
        m_look.cancel();
        m_turned.reset();
        m_passing = false;
        m_pause.start();
        emit titleChanged();
    });
    connect(m_editor, &QsciScintilla::modificationChanged, this, [this] {
        retranslate();
        emit titleChanged();
    });
    connect(m_kernels, &QComboBox::activated, this,
            [this](int index) { chooseKernel(m_kernels->itemData(index).toString()); });
    connect(m_kernels->lineEdit(), &QLineEdit::returnPressed, this, [this] { chooseKernel(m_kernels->currentText()); });
    connect(m_arguments, &ArgumentTable::edited, this, [this] {
        ofKernel().arguments = m_arguments->set();
        m_argumentPause.start();
    });
    connect(m_shared, &QSpinBox::valueChanged, this, [this](int bytes) {
        if (m_quiet)
            return;
        ofKernel().shared = std::uint32_t(bytes);
        sayOccupancy();
        m_argumentPause.start();
    });
    connect(m_save, &QToolButton::clicked, this, &PadPanel::saveWanted);
    connect(m_editor, &PadEditor::saveWanted, this, &PadPanel::saveWanted);
    connect(m_editor, &PadEditor::stopWanted, this, &PadPanel::stopWanted);
    connect(m_editor, &PadEditor::runWanted, this, [this] {
        if (showsProgram())
            runProgram();
        else
            look();
    });
    connect(m_compiler, &PadCompilerPage::edited, this, [this] {
        m_compiler->take(m_settings);
        m_known.reset(); // it was made by other options
        m_look.cancel();
        m_pause.start();
    });
    connect(m_pages, &QTabWidget::currentChanged, this, [this](int page) {
        if (!m_quiet && page == Arguments && m_isProgram)
            launch(); // the kernel alone, which had waited
    });
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, &PadPanel::fileChanged);
}

void PadPanel::connectProgram() {
    connect(m_programPage, &PadProgramPage::edited, this, [this] { m_programPage->take(m_settings); });
    connect(m_programPage, &PadProgramPage::runWanted, this, &PadPanel::runProgram);
    connect(m_programPage, &PadProgramPage::stopWanted, this, &PadPanel::stopProgram);
    connect(&m_program, &ProgramRun::stateChanged, this, [this] { m_programPage->showState(m_program); });
    connect(&m_program, &ProgramRun::said, m_programPage, &PadProgramPage::add);
    connect(&m_program, &ProgramRun::failed, this, [this](const Error& error) {
        m_end.reset();
        m_programPage->showEnd(tr("It was not run."));
        m_editor->setMarks(marksOf(error, m_path));
        emit failed(saidOnce(error, m_path));
    });
    connect(&m_program, &ProgramRun::ended, this, &PadPanel::programEnded);
}

void PadPanel::knowProgram(bool isProgram) {
    m_isProgram = isProgram;
    m_pages->setTabVisible(Program, isProgram);
}

void PadPanel::runProgram() {
    if (!isOpen() || !m_isProgram)
        return;
    m_pages->setCurrentIndex(Program);
    const auto problem = [&](const QString& where) {
        emit failed(Error{.message = say::NoPlaceToWrite, .file = where.toStdString()});
    };
    if (!m_scratch)
        m_scratch = std::make_unique<QTemporaryDir>();
    const QFileInfo info(m_path);
    QString file = info.absoluteFilePath();
    if (!m_onDisk || modified()) { // what is written here runs, not what was saved
        file = m_scratch->filePath(info.fileName());
        WholeFile copy(file);
        if (!copy.open(QIODevice::WriteOnly) || copy.write(m_editor->text().toUtf8()) < 0 || !copy.commit())
            return problem(file);
    }
    const bool beside = m_onDisk && QFileInfo(info.absolutePath()).isWritable();
    const QDir place(beside ? info.absolutePath() : m_scratch->path());
    session::ProgramRequest request = padProgram(m_like, m_path, file, m_settings);
    request.output = place.filePath(info.completeBaseName() + QStringLiteral("-recorded")).toStdString();
    m_end.reset();
    m_programPage->begin();
    m_editor->setMarks({});
    m_program.start(request, m_like.backend, m_onDisk ? info.absolutePath() : m_scratch->path());
}

void PadPanel::stopProgram() {
    m_program.stop();
}

void PadPanel::programEnded(int status, const QString& file) {
    m_end = {status, file};
    sayEnd();
    m_editor->setMarks(marksOfProgram(m_programPage->output(), m_path));
    if (!file.isEmpty())
        emit programRecorded(file);
}

void PadPanel::sayEnd() {
    if (!m_end)
        return;
    const auto& [status, file] = *m_end;
    constexpr int ofSignals = 128;
    QString sentence = status == 0          ? tr("It has ended.")
                       : status > ofSignals ? tr("It was ended by signal %1 (%2).")
                                                  .arg(status - ofSignals)
                                                  .arg(QString::fromLocal8Bit(strsignal(status - ofSignals)))
                                            : tr("It has ended with status %1.").arg(status);
    sentence += QLatin1Char(' ') + (file.isEmpty() ? tr("Nothing is recorded.")
                                                   : tr("Recorded in %1.").arg(QFileInfo(file).absolutePath()));
    m_programPage->showEnd(sentence);
}

void PadPanel::retranslate() {
    m_name->setText(m_path.isEmpty()
                        ? tr("No kernel open")
                        : shown(QFileInfo(m_path).fileName()) + (modified() ? QStringLiteral(" •") : QString()));
    m_name->setToolTip(m_onDisk ? shown(QFileInfo(m_path).absoluteFilePath()) : QString());
    m_save->setText(tr("Save"));
    m_save->setToolTip(tr("Saves the text, and beside it how it is launched"));
    m_kernelLabel->setText(tr("Kernel"));
    m_kernels->setToolTip(tr("Which kernel of the file runs. Write an instance of a template: scale<float, 4>"));
    m_kernels->setAccessibleName(m_kernelLabel->text());
    m_sharedLabel->setText(tr("Shared"));
    m_shared->setToolTip(tr("Dynamic shared memory of a block, in bytes"));
    m_shared->setAccessibleName(tr("Dynamic shared memory of a block, in bytes"));
    m_editor->setAccessibleName(tr("Text of the kernel"));
    m_pages->setTabText(Arguments, tr("Arguments"));
    m_pages->setTabText(Compiler, tr("Compiler"));
    m_pages->setTabText(Program, tr("Program"));
    m_pages->tabBar()->setAccessibleName(tr("Arguments, compiler and program"));
    sayOccupancy();
    sayEnd();
}

void PadPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void PadPanel::setTheme(const Theme& theme) {
    m_editor->setTheme(theme);
    m_programPage->setTheme(theme);
}

bool PadPanel::modified() const {
    return m_editor->isModified();
}

QString PadPanel::text() const {
    return m_editor->text();
}

void PadPanel::goToLine(int line) {
    m_editor->setCursorPosition(line - 1, 0);
    m_editor->ensureLineVisible(line - 1);
    m_editor->setFocus();
}

bool PadPanel::holds(const RunRequest& request) const {
    return isOpen() && request.text && request.kernel == m_path.toStdString();
}

void PadPanel::look() {
    m_pause.stop();
    if (!isOpen())
        return;
    knowProgram(m_path.endsWith(QLatin1String(".cu")) &&
                session::factsOfSource(m_editor->text().toStdString()).hasMain);
    m_state->setText(tr("compiling"));
    RunRequest request = padSource(m_like, m_path, textThatRuns(), m_settings);
    request.compiled = m_known;
    m_look.start([request](Progress&) { return session::lookInto(request); },
                 [this](const Result<session::KernelFile>& file) { looked(file); });
}

void PadPanel::looked(const Result<session::KernelFile>& file) {
    const bool goesBack = std::exchange(m_goesBack, false);
    if (!file) {
        m_state->setText(tr("has an error"));
        m_editor->setMarks(marksOf(file.error(), m_path));
        emit failed(saidOnce(file.error(), m_path));
        emit lookedAt(nullptr);
        return;
    }
    m_editor->setMarks({});
    m_file = *file;
    m_count.cancel();
    m_counted.reset();
    emit lookedAt(m_file->compiled);
    fillKernels();
    m_kernel = padKernel(*m_file, m_settings.kernel);
    if (!m_kernel) {
        m_state->setText(QString());
        m_arguments->clear();
        m_turns->clear();
        if (showsProgram()) { // its kernels may be elsewhere
            emit rested();
            return;
        }
        emit failed(Error{.message = m_file->templates.empty() ? "this program has no kernel"
                                                               : "a template has no code until it is instantiated",
                          .file = QFileInfo(m_path).fileName().toStdString(),
                          .remedy = m_file->templates.empty()
                                        ? "Write a __global__ function."
                                        : "Write the instance into the field Kernel: " + m_file->templates.front() +
                                              " with types and numbers."});
        return;
    }
    showKernel();
    if (goesBack)
        m_state->setText(QString());
    else
        launch();
}

void PadPanel::fillKernels() {
    m_quiet = true;
    // An instance of a template that is being written there stays as it is.
    QLineEdit* const field = m_kernels->lineEdit();
    const std::optional<std::pair<QString, int>> typed =
        field->hasFocus() && field->isModified() ? std::optional(std::pair(field->text(), field->cursorPosition()))
                                                 : std::nullopt;
    m_kernels->clear();
    for (const session::FileKernel& kernel : m_file->kernels) {
        m_kernels->addItem(QString::fromStdString(kernel.signature), QString::fromStdString(kernel.entry));
        m_kernels->setItemData(m_kernels->count() - 1, tr("line %1").arg(kernel.line), Qt::ToolTipRole);
    }
    for (const std::string& open : m_file->templates)
        m_kernels->addItem(QString::fromStdString(open), QString::fromStdString(open));
    if (typed) {
        field->setText(typed->first);
        field->setCursorPosition(typed->second);
        field->setModified(true);
    }
    m_quiet = false;
}

void PadPanel::chooseKernel(const QString& wanted) {
    const QString name = wanted.trimmed();
    if (name.isEmpty() || !m_file)
        return;
    for (const std::string& open : m_file->templates)
        if (name == QString::fromStdString(open)) { // its types are to be written first
            m_kernels->setEditText(name);
            m_kernels->lineEdit()->setSelection(int(name.indexOf(QLatin1Char('<'))) + 1, int(name.size()));
            m_kernels->setFocus();
            return;
        }
    m_settings.kernel = name;
    m_kernels->lineEdit()->setModified(false); // it is written
    const auto here = [&](const session::FileKernel& k) {
        return name == QString::fromStdString(k.entry) || name == QString::fromStdString(k.signature);
    };
    const auto found = std::find_if(m_file->kernels.begin(), m_file->kernels.end(), here);
    if (found == m_file->kernels.end()) {
        look(); // an instance that is still to be made
        return;
    }
    m_settings.kernel = QString::fromStdString(found->entry);
    m_kernel = &*found;
    showKernel();
    launch();
}

PadKernel& PadPanel::ofKernel() {
    return m_settings.kernels[m_kernel ? QString::fromStdString(m_kernel->entry) : QString()];
}

void PadPanel::showKernel() {
    m_quiet = true;
    if (QLineEdit* field = m_kernels->lineEdit(); !field->hasFocus() || !field->isModified())
        m_kernels->setCurrentIndex(m_kernels->findData(QString::fromStdString(m_kernel->entry)));
    if (QLineEdit* field = m_kernels->lineEdit(); !field->hasFocus())
        field->home(false); // its name, where there is no room for its parameters
    const PadKernel& set = ofKernel();
    m_shared->setValue(int(set.shared));
    const RunRequest request = padRequest(m_like, m_path, m_editor->text(), *m_file, *m_kernel, m_settings);
    m_arguments->show(padRows(m_kernel->parameters, m_file->globals), set.arguments, threadsOf(request.launch));
    m_turns->show(m_path.endsWith(QLatin1String(".cu")) ? turnablesIn(textThatRuns()) : QVector<Turnable>(),
                  request.launch.block.value_or(Dim3{}), *request.launch.grid);
    m_quiet = false;
    countRegisters();
    sayOccupancy();
}

void PadPanel::launch() {
    m_argumentPause.stop();
    if (!m_file || !m_kernel)
        return;
    m_state->setText(QString());
    if (showsProgram()) { // it runs when a person says so
        emit rested();
        return;
    }
    m_launched = m_settings;
    // The text that was looked into; what has been typed since is compiled after its own pause.
    emit runRequested(
        padRequest(m_like, m_path, QString::fromStdString(m_file->compiled->text), *m_file, *m_kernel, m_settings),
        m_passing);
}

void PadPanel::adopt(const RunRequest& request) {
    m_like.backend = request.backend;
    m_like.options = request.options;
    m_like.accesses = request.accesses;
    const bool chosen = request.modeChosen || request.launch.mode != usualMode(request.options.timing);
    m_settings.mode = chosen ? std::optional(request.launch.mode) : std::nullopt;
    if (!m_kernel)
        return;
    PadKernel& set = ofKernel();
    set.grid = request.launch.grid;
    set.block = request.launch.block;
}

void PadPanel::relaunch(const RunRequest& request) {
    const bool otherCode = request.launch.mode != modeOf(m_settings, m_like.options.timing);
    adopt(request);
    if (otherCode || !m_kernel) {
        look();
        return;
    }
    showKernel();
    launch();
}

void PadPanel::sayOther(const QString& sentence) {
    m_other->setText(sentence);
    m_other->setVisible(!sentence.isEmpty());
}

void PadPanel::showFault(const Error& error) {
    m_editor->setMarks(marksOf(error, m_path));
}

} // namespace warpglass
