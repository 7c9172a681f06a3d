// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pad/pad_panel.h"

#include "app/window/pad/argument_table.h"
#include "app/window/pad/pad_editor.h"
#include "gpu/device/device.h"
#include "gpu/device/occupancy.h"

#include <QEvent>
#include <QFile>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSaveFile>
#include <QSplitter>
#include <QVBoxLayout>

namespace warpglass {

namespace {

constexpr int pauseMs = 600, argumentPauseMs = 350; // after the last keystroke
constexpr qint64 largestText = 4 << 20;
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

    auto* split = new QSplitter(Qt::Vertical, this);
    split->setHandleWidth(1);
    split->setChildrenCollapsible(false);
    m_editor = new PadEditor(split);
    auto* below = new QWidget(split);
    below->setObjectName(QStringLiteral("padBelow"));
    auto* lower = new QVBoxLayout(below);
    lower->setContentsMargins(12, 6, 8, 6);
    lower->setSpacing(5);
    auto* form = new QHBoxLayout;
    m_kernelLabel = new QLabel(below);
    m_kernelLabel->setObjectName(QStringLiteral("formLabel"));
    m_kernels = new QComboBox(below);
    m_kernels->setObjectName(QStringLiteral("padKernels"));
    m_kernels->setEditable(true);
    m_kernels->setInsertPolicy(QComboBox::NoInsert);
    m_kernels->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_kernels->setMinimumContentsLength(10);
    m_sharedLabel = new QLabel(below);
    m_sharedLabel->setObjectName(QStringLiteral("formLabel"));
    m_shared = new QSpinBox(below);
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
    m_arguments = new ArgumentTable(below);
    lower->addWidget(m_arguments, 1);
    m_occupancy = new QLabel(below);
    m_occupancy->setObjectName(QStringLiteral("small"));
    m_occupancy->setWordWrap(true);
    lower->addWidget(m_occupancy);
    split->addWidget(m_editor);
    split->addWidget(below);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 1);
    split->setSizes({330, 170});
    column->addWidget(split, 1);

    for (QTimer* timer : {&m_pause, &m_argumentPause})
        timer->setSingleShot(true);
    m_pause.setInterval(pauseMs);
    m_argumentPause.setInterval(argumentPauseMs);
    connect(&m_pause, &QTimer::timeout, this, &PadPanel::look);
    connect(&m_argumentPause, &QTimer::timeout, this, &PadPanel::launch);
    connect(m_editor, &QsciScintilla::textChanged, this, [this] {
        if (m_quiet)
            return;
        m_state->setText(tr("…"));
        m_look.cancel();
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
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, &PadPanel::fileChanged);
    retranslate();
}

void PadPanel::retranslate() {
    m_name->setText(m_path.isEmpty() ? tr("No kernel open")
                                     : QFileInfo(m_path).fileName() + (modified() ? QStringLiteral(" •") : QString()));
    m_name->setToolTip(m_onDisk ? QFileInfo(m_path).absoluteFilePath() : QString());
    m_save->setText(tr("Save"));
    m_save->setToolTip(tr("Saves the text, and beside it how it is launched"));
    m_kernelLabel->setText(tr("Kernel"));
    m_kernels->setToolTip(tr("Which kernel of the file runs. Write an instance of a template: scale<float, 4>"));
    m_kernels->setAccessibleName(m_kernelLabel->text());
    m_sharedLabel->setText(tr("Shared"));
    m_shared->setToolTip(tr("Dynamic shared memory of a block, in bytes"));
    m_shared->setAccessibleName(tr("Dynamic shared memory of a block, in bytes"));
    m_editor->setAccessibleName(tr("Text of the kernel"));
    sayOccupancy();
}

void PadPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void PadPanel::setTheme(const Theme& theme) {
    m_editor->setTheme(theme);
}

bool PadPanel::modified() const {
    return m_editor->isModified();
}

bool PadPanel::holds(const RunRequest& request) const {
    return isOpen() && request.text && request.kernel == m_path.toStdString();
}

void PadPanel::begin(const QString& path, const QString& text, PadSettings settings, bool onDisk) {
    m_look.cancel();
    m_argumentPause.stop();
    m_path = path;
    m_onDisk = onDisk;
    m_settings = std::move(settings);
    m_file.reset();
    m_kernel = nullptr;
    m_quiet = true;
    m_editor->setFile(path, text);
    m_kernels->clear();
    m_arguments->clear();
    m_quiet = false;
    retranslate();
    watch();
    emit titleChanged();
    look();
}

void PadPanel::openNew() {
    begin(QStringLiteral("untitled.cu"), firstKernel(), {}, false);
}

Result<void> PadPanel::openFile(const QString& path) {
    QFile file(path);
    const auto problem = [&](const std::string& what) {
        return Error{.message = what, .file = path.toStdString(), .remedy = "Check the path."};
    };
    if (!file.open(QIODevice::ReadOnly))
        return problem("the file cannot be read: " + file.errorString().toStdString());
    const QByteArray bytes = file.read(largestText + 1);
    if (bytes.size() > largestText || bytes.contains('\0'))
        return problem(bytes.size() > largestText ? "the file is too large for an editor" : "the file is no text");
    auto settings = readPadSettings(path);
    begin(path, QString::fromUtf8(bytes), settings ? *settings : PadSettings{}, true);
    if (!settings)
        return settings.error();
    return {};
}

Result<void> PadPanel::save(const QString& path) {
    m_watcher.removePaths(m_watcher.files());
    QSaveFile file(path);
    const QByteArray bytes = m_editor->text().toUtf8();
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit()) {
        watch();
        return Error{.message = "the kernel cannot be saved: " + file.errorString().toStdString(),
                     .file = path.toStdString(),
                     .remedy = "Choose another folder."};
    }
    const bool other = path != m_path;
    m_path = path;
    m_onDisk = true;
    m_editor->setModified(false);
    watch();
    retranslate();
    emit titleChanged();
    if (other) // its includes are looked for beside it, and what runs goes by its name
        look();
    return writePadSettings(path, m_settings);
}

void PadPanel::watch() {
    if (!m_watcher.files().isEmpty())
        m_watcher.removePaths(m_watcher.files());
    if (m_onDisk)
        m_watcher.addPath(m_path);
}

// Another editor has saved the file: what it says runs, unless something here would be lost.
void PadPanel::fileChanged() {
    QTimer::singleShot(50, this, [this] { // editors write a new file and rename it
        watch();
        QFile file(m_path);
        if (!m_onDisk || !file.open(QIODevice::ReadOnly))
            return;
        const QString text = QString::fromUtf8(file.read(largestText));
        if (text == m_editor->text())
            return;
        if (modified()) {
            emit told(tr("%1 was changed by another program; what is written here is kept until you open it again.")
                          .arg(QFileInfo(m_path).fileName()));
            return;
        }
        m_quiet = true;
        int line = 0, at = 0;
        m_editor->getCursorPosition(&line, &at);
        m_editor->setText(text);
        m_editor->setModified(false);
        m_editor->setCursorPosition(line, at);
        m_quiet = false;
        look();
    });
}

void PadPanel::look() {
    m_pause.stop();
    if (!isOpen())
        return;
    m_state->setText(tr("compiling"));
    const RunRequest request = padSource(m_like, m_path, m_editor->text(), m_settings);
    m_look.start([request](Progress&) { return session::lookInto(request); },
                 [this](const Result<session::KernelFile>& file) { looked(file); });
}

void PadPanel::looked(const Result<session::KernelFile>& file) {
    if (!file) {
        m_state->setText(tr("has an error"));
        m_editor->setMarks(marksOf(file.error(), m_path));
        emit failed(file.error());
        return;
    }
    m_editor->setMarks({});
    m_file = *file;
    fillKernels();
    m_kernel = padKernel(*m_file, m_settings.kernel);
    if (!m_kernel) {
        m_state->setText(QString());
        m_arguments->clear();
        emit failed(Error{.message = m_file->templates.empty() ? "this program has no kernel"
                                                               : "a template has no code until it is instantiated",
                          .file = m_path.toStdString(),
                          .remedy = m_file->templates.empty()
                                        ? "Write a __global__ function."
                                        : "Write the instance into the field below: " + m_file->templates.front() +
                                              " with types and numbers."});
        return;
    }
    showKernel();
    launch();
}

void PadPanel::fillKernels() {
    m_quiet = true;
    m_kernels->clear();
    for (const session::FileKernel& kernel : m_file->kernels) {
        m_kernels->addItem(QString::fromStdString(kernel.signature), QString::fromStdString(kernel.entry));
        m_kernels->setItemData(m_kernels->count() - 1, tr("line %1").arg(kernel.line), Qt::ToolTipRole);
    }
    for (const std::string& open : m_file->templates)
        m_kernels->addItem(QString::fromStdString(open), QString::fromStdString(open));
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
    m_kernels->setCurrentIndex(m_kernels->findData(QString::fromStdString(m_kernel->entry)));
    const PadKernel& set = ofKernel();
    m_shared->setValue(int(set.shared));
    const RunRequest request = padRequest(m_like, m_path, m_editor->text(), *m_file, *m_kernel, m_settings);
    m_arguments->show(m_kernel->parameters, set.arguments,
                      request.launch.block->count() * request.launch.grid->count());
    m_quiet = false;
    sayOccupancy();
}

void PadPanel::sayOccupancy() {
    m_occupancy->clear();
    if (!m_file || !m_kernel)
        return;
    const DeviceSpec* device = findDevice(m_like.options.device);
    if (!device)
        return;
    const PadKernel set = m_settings.kernels.value(QString::fromStdString(m_kernel->entry));
    const RunRequest request = padRequest(m_like, m_path, QString(), *m_file, *m_kernel, m_settings);
    OccupancyInput input;
    input.threads = std::uint32_t(request.launch.block->count());
    input.sharedStatic = m_kernel->sharedBytes;
    input.sharedDynamic = set.shared;
    input.sharedLimit = SharedLimit::OptIn;
    const Occupancy fits = occupancy(device->limits(), input);
    QString text = tr("%1 blocks of %2 threads fit on an SM: %3 of %4 warps (%5 %), not counting registers.")
                       .arg(fits.blocksPerSm)
                       .arg(input.threads)
                       .arg(fits.activeWarps)
                       .arg(fits.maxWarps)
                       .arg(fits.percent, 0, 'f', 0);
    if (m_kernel->takesDynamicShared && set.shared == 0)
        text += QLatin1Char(' ') + tr("The kernel takes dynamic shared memory, and it gets none.");
    if (m_file->hasMain)
        text += QLatin1Char(' ') + tr("This is a whole program; only the kernel is run here, not main().");
    m_occupancy->setText(text);
}

void PadPanel::launch() {
    m_argumentPause.stop();
    if (!m_file || !m_kernel)
        return;
    m_state->setText(QString());
    // The text that was looked into; what has been typed since is compiled after its own pause.
    emit runRequested(
        padRequest(m_like, m_path, QString::fromStdString(m_file->compiled->text), *m_file, *m_kernel, m_settings));
}

void PadPanel::adopt(const RunRequest& request) {
    m_like.backend = request.backend;
    m_like.options = request.options;
    m_like.accesses = request.accesses;
    m_settings.mode = request.launch.mode;
    if (!m_kernel)
        return;
    PadKernel& set = ofKernel();
    set.grid = request.launch.grid;
    set.block = request.launch.block;
}

void PadPanel::relaunch(const RunRequest& request) {
    const bool otherCode = request.launch.mode != m_settings.mode;
    adopt(request);
    if (otherCode || !m_kernel) {
        look();
        return;
    }
    showKernel();
    launch();
}

void PadPanel::showFault(const Error& error) {
    m_editor->setMarks(marksOf(error, m_path));
}

} // namespace warpglass
