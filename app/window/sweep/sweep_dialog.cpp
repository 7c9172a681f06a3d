// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/sweep/sweep_dialog.h"

#include "app/window/model/requests.h"
#include "app/window/panels/scroll_page.h"
#include "gpu/device/device.h"
#include "gpu/trace/file.h"
#include "views/common/agreeing.h"
#include "views/common/sentences.h"

#include <QDir>
#include <QEvent>
#include <QHBoxLayout>
#include <QTemporaryFile>
#include <QVBoxLayout>

#include <algorithm>

namespace warpglass {

namespace {

constexpr const char* recordingsKey = "recordings";

QStringList wordsOf(const QLineEdit* field) {
    QStringList words;
    for (const QString& word : field->text().split(QLatin1Char(','), Qt::SkipEmptyParts))
        if (!word.trimmed().isEmpty())
            words << word.trimmed();
    return words;
}

// The recordings that come with the program, as traces. One that cannot be read is left out.
std::vector<TracePtr> shippedRecordings() {
    std::vector<TracePtr> traces;
    for (const QString& path : QDir(QStringLiteral(":/recordings")).entryList({QStringLiteral("*.wgt")})) {
        QFile packed(QStringLiteral(":/recordings/") + path);
        QTemporaryFile copy; // the file format is read from a disk
        if (!packed.open(QIODevice::ReadOnly) || !copy.open() || copy.write(packed.readAll()) < 0 || !copy.flush())
            continue;
        Progress progress;
        if (auto trace = readTrace(copy.fileName().toStdString(), progress); trace && session::requestLike(**trace))
            traces.push_back(std::move(*trace));
    }
    return traces;
}

} // namespace

SweepDialog::SweepDialog(SweepJob* job, QWidget* parent) : QDialog(parent), m_job(job) {
    setObjectName(QStringLiteral("sweepDialog"));
    auto* column = new QVBoxLayout(this);
    auto* page = new QWidget(this);
    m_form = new QFormLayout(page);
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    const auto row = [this](const char* text, QWidget* field, const char* name) {
        auto* label = new QLabel(this);
        label->setBuddy(field);
        field->setObjectName(QString::fromLatin1(name));
        m_labels.append({label, text});
        m_form->addRow(label, field);
    };
    const auto line = [this](const char* example) {
        auto* edit = new QLineEdit(this);
        edit->setPlaceholderText(QString::fromLatin1(example));
        edit->setMinimumWidth(360);
        connect(edit, &QLineEdit::textChanged, this, &SweepDialog::refresh);
        return edit;
    };
    m_preset = new QComboBox(this);
    row(QT_TR_NOOP("Table"), m_preset, "sweepPreset");
    m_story = new QLabel(this);
    m_story->setObjectName(QStringLiteral("muted"));
    m_story->setWordWrap(true);
    m_form->addRow(QString(), m_story);
    m_kernels = line("reduceNeighbored, reduceInterleaved");
    auto* kernels = new QWidget(this);
    auto* kernelRow = new QHBoxLayout(kernels);
    kernelRow->setContentsMargins(0, 0, 0, 0);
    m_family = new QPushButton(this);
    m_family->setAutoDefault(false);
    kernelRow->addWidget(m_kernels, 1);
    kernelRow->addWidget(m_family);
    row(QT_TR_NOOP("Kernels"), kernels, "sweepKernels");
    m_labels.last().first->setBuddy(m_kernels);
    m_blocks = line("32x32, 32x16, 16x16, 256");
    row(QT_TR_NOOP("Blocks"), m_blocks, "sweepBlocks");
    m_grids = line("32, 64, 128");
    row(QT_TR_NOOP("Grids"), m_grids, "sweepGrids");
    m_sizes = line("65536, 1048576");
    row(QT_TR_NOOP("Sizes"), m_sizes, "sweepSizes");
    m_devices = line("h200, a100, rtx4070");
    row(QT_TR_NOOP("Emulated devices"), m_devices, "sweepDevices");
    const auto boxes = [this](QCheckBox** all, const auto& words) {
        auto* group = new QWidget(this);
        auto* layout = new QHBoxLayout(group);
        layout->setContentsMargins(0, 0, 0, 0);
        for (const char* word : words) {
            *all = new QCheckBox(QString::fromLatin1(word), this);
            connect(*all, &QCheckBox::toggled, this, &SweepDialog::refresh);
            layout->addWidget(*all++);
        }
        layout->addStretch(1);
        return group;
    };
    row(QT_TR_NOOP("Compiled"), boxes(m_modes, enumWords<CompileMode>.words), "sweepModes");
    row(QT_TR_NOOP("Scheduling"), boxes(m_policies, enumWords<SchedulingPolicy>.words), "sweepPolicies");
    m_backend = new QComboBox(this);
    row(QT_TR_NOOP("Run on"), m_backend, "sweepBackend");
    m_timing = new QCheckBox(this);
    m_timing->setObjectName(QStringLiteral("sweepTiming"));
    m_timing->setChecked(true);
    m_form->addRow(QString(), m_timing);
    m_repeats = new QSpinBox(this);
    m_repeats->setRange(1, 1000);
    m_repeats->setValue(5);
    row(QT_TR_NOOP("Runs of each on a GPU"), m_repeats, "sweepRepeats");
    column->addWidget(new ScrollPage(page, this), 1);
    m_count = new QLabel(this);
    m_count->setWordWrap(true);
    column->addWidget(m_count);
    m_progress = new QProgressBar(this);
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->hide();
    column->addWidget(m_progress);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    m_close = new QPushButton(this);
    m_start = new QPushButton(this);
    m_start->setObjectName(QStringLiteral("primary"));
    m_start->setDefault(true);
    buttons->addWidget(m_close);
    buttons->addWidget(m_start);
    column->addLayout(buttons);

    connect(m_preset, &QComboBox::currentIndexChanged, this, &SweepDialog::refresh);
    connect(m_backend, &QComboBox::currentIndexChanged, this, &SweepDialog::refresh);
    connect(m_close, &QPushButton::clicked, this, &QDialog::close);
    connect(m_start, &QPushButton::clicked, this, [this] { m_job->running() ? m_job->stop() : start(); });
    connect(m_family, &QPushButton::clicked, this, [this] {
        const CatalogueEntry* mine = findKernel(wordsOf(m_kernels).value(0).toStdString());
        QStringList names;
        for (const CatalogueEntry& entry : catalogue())
            if (mine && entry.family == mine->family)
                names << QString::fromStdString(entry.name);
        if (!names.isEmpty())
            m_kernels->setText(names.join(QStringLiteral(", ")));
    });
    connect(m_job, &SweepJob::rowDone, this, &SweepDialog::showProgress);
    connect(m_job, &SweepJob::finished, this, &SweepDialog::showProgress);
    m_poll.setInterval(100);
    connect(&m_poll, &QTimer::timeout, this, &SweepDialog::showProgress);
    retranslate();
}

void SweepDialog::setBase(const session::RunRequest& request) {
    m_base = request;
    const auto put = [](QLineEdit* field, const std::string& text) { field->setText(QString::fromStdString(text)); };
    put(m_kernels, request.kernel);
    put(m_blocks, request.launch.block ? request.launch.block->text() : std::string());
    put(m_grids, request.launch.grid ? request.launch.grid->text() : std::string());
    put(m_sizes, request.launch.size ? std::to_string(*request.launch.size) : std::string());
    put(m_devices, request.backend == "cuda" ? "h200" : request.options.device);
    session::RunRequest timed = request;
    recordCycles(timed, request.options.timing || m_timing->isChecked());
    for (int i = 0; i < 2; ++i)
        m_modes[i]->setChecked(int(timed.launch.mode) == i);
    for (int i = 0; i < 3; ++i)
        m_policies[i]->setChecked(int(request.options.policy) == i);
    refresh();
}

void SweepDialog::setLanguage(const QString& language) {
    m_language = language;
    retranslate();
}

void SweepDialog::choosePreset(const QString& key) {
    m_preset->setCurrentIndex(std::max(0, m_preset->findData(key)));
}

void SweepDialog::retranslate() {
    setWindowTitle(tr("Sweep and compare"));
    for (const auto& [label, text] : m_labels)
        label->setText(tr(text));
    const auto keep = [](QComboBox* box, const QVector<QPair<QString, QString>>& items) {
        const QVariant now = box->currentData();
        const QSignalBlocker quiet(box);
        box->clear();
        for (const auto& [value, text] : items)
            box->addItem(text, value);
        box->setCurrentIndex(std::max(0, box->findData(now)));
    };
    QVector<QPair<QString, QString>> presets{{QString(), tr("Lists of my own")}};
    const bool chinese = m_language.startsWith(QLatin1String("zh"));
    for (const session::SweepPreset& preset : session::sweepPresets())
        presets.append(
            {QString::fromStdString(preset.key),
             QString::fromStdString((chinese ? preset.titleZh : preset.titleEn) + " (" + preset.document + ")")});
    presets.append({QString::fromLatin1(recordingsKey), tr("Recordings of a GPU against the model")});
    keep(m_preset, presets);
    keep(m_backend, {{QStringLiteral("emulator"), tr("the emulator")},
                     {QStringLiteral("cuda"), tr("this machine's GPU")},
                     {QStringLiteral("both"), tr("both")}});
    m_timing->setText(tr("Model cycles on the emulator (times, occupancy, stalls)"));
    m_family->setText(tr("Whole family"));
    m_close->setText(tr("Close"));
    refresh();
}

Result<session::SweepRequest> SweepDialog::request() const {
    using session::SweepRequest;
    const auto wrong = [](const QString& word, const QString& remedy) {
        return Error{.message = tr("\"%1\" cannot be read").arg(word).toStdString(), .remedy = remedy.toStdString()};
    };
    session::RunRequest base = m_base;
    const QString backend = m_backend->currentData().toString();
    base.backend = backend == QLatin1String("cuda") ? "cuda" : "emulator";
    base.options.device = base.backend == "cuda" ? "" : "h200";
    base.options.timing = m_timing->isChecked();
    base.options.detail = Detail{.kind = Detail::Kind::Auto};
    base.accesses = false;
    const QString key = m_preset->currentData().toString();
    SweepRequest sweep;
    if (key == QLatin1String(recordingsKey)) {
        base.kernel.clear();
        sweep.base = base;
        sweep.base.options.detail.kind = Detail::Kind::None;
        sweep.title = tr("Recordings of a GPU against the model").toStdString();
        sweep.keepTraces = true;
        return sweep; // the recordings themselves are read when it starts
    }
    if (const session::SweepPreset* preset = session::findPreset(key.toStdString())) {
        base.launch = {};
        base.launch.mode =
            m_modes[1]->isChecked() && !m_modes[0]->isChecked() ? CompileMode::AsWritten : CompileMode::Optimised;
        sweep = session::sweepOf(*preset, base);
        sweep.title = m_language.startsWith(QLatin1String("zh")) ? preset->titleZh : preset->titleEn;
        if (!preset->policies.empty())
            sweep.base.options.timing = true;
    } else {
        sweep.base = base;
        base.launch.block.reset();
        for (const QString& kernel : wordsOf(m_kernels)) {
            if (!findKernel(kernel.toStdString()))
                return wrong(kernel, tr("Choose kernels of the gallery, with commas between them."));
            sweep.kernels.push_back(kernel.toStdString());
        }
        if (sweep.kernels.empty())
            return Error{.message = tr("no kernel is named").toStdString(),
                         .remedy = tr("Choose kernels of the gallery, with commas between them.").toStdString()};
        sweep.base.kernel = sweep.kernels.front();
        if (sweep.kernels.size() > 1)
            sweep.base.launch.set.clear(); // parameters are those of one kernel
        sweep.base.launch.block.reset();
        sweep.base.launch.grid.reset();
        sweep.base.launch.size.reset();
        const auto shapes = [&](const QLineEdit* field, std::vector<Dim3>& to) -> std::optional<Error> {
            for (const QString& word : wordsOf(field)) {
                const auto shape = parseDim3(word.toStdString());
                if (!shape)
                    return wrong(word, tr("Write shapes with x, and commas between them: 32x32, 32x16."));
                to.push_back(*shape);
            }
            return std::nullopt;
        };
        if (const auto error = shapes(m_blocks, sweep.blocks))
            return *error;
        if (const auto error = shapes(m_grids, sweep.grids))
            return *error;
        for (const QString& word : wordsOf(m_sizes)) {
            bool ok = false;
            const qint64 size = word.toLongLong(&ok);
            if (!ok || size < 1)
                return wrong(word, tr("Sizes are whole numbers of at least 1."));
            sweep.sizes.push_back(size);
        }
        for (int i = 0; i < 2; ++i)
            if (m_modes[i]->isChecked())
                sweep.modes.push_back(CompileMode(i));
        for (int i = 0; i < 3; ++i)
            if (m_policies[i]->isChecked())
                sweep.policies.push_back(SchedulingPolicy(i));
    }
    if (base.backend == "emulator")
        for (const QString& word : wordsOf(m_devices)) {
            if (!findDevice(word.toStdString()))
                return wrong(word,
                             tr("Devices are h200, h100, a100, v100, rtx4070, rtx3090, gtx1060, k20x and m2070."));
            sweep.devices.push_back(word.toStdString());
        }
    if (backend == QLatin1String("both"))
        sweep.backends = {"emulator", "cuda"};
    sweep.repeats = m_repeats->value();
    sweep.keepTraces = true;
    return sweep;
}

// How many launches, and what they will be drawn as: two lists of several values make a heat map.
QString SweepDialog::countText(const session::SweepRequest& sweep) const {
    const auto launches = session::requestsOf(sweep).size();
    QStringList lists;
    const auto list = [&](std::size_t values, const char* name) {
        if (values > 1)
            lists << tr(name);
    };
    list(sweep.kernels.size(), QT_TR_NOOP("Kernels"));
    list(sweep.blocks.size(), QT_TR_NOOP("Blocks"));
    list(sweep.grids.size(), QT_TR_NOOP("Grids"));
    list(sweep.sizes.size(), QT_TR_NOOP("Sizes"));
    const bool once =
        sweep.backends.size() < 2 && sweep.devices.size() < 2 && sweep.modes.size() < 2 && sweep.policies.size() < 2;
    return once && lists.size() == 2
               ? tr("%1 launches, drawn as a heat map: %2 by %3").arg(launches).arg(lists[0], lists[1])
               : agreeing(tr("%1 {launch|launches}"), launches);
}

void SweepDialog::refresh() {
    const QString key = m_preset->currentData().toString();
    const bool own = key.isEmpty(), recordings = key == QLatin1String(recordingsKey);
    for (QWidget* field :
         {static_cast<QWidget*>(m_kernels), static_cast<QWidget*>(m_family), static_cast<QWidget*>(m_blocks),
          static_cast<QWidget*>(m_grids), static_cast<QWidget*>(m_sizes)})
        field->setEnabled(own);
    for (QCheckBox* box : m_policies)
        box->setEnabled(own);
    for (QCheckBox* box : m_modes)
        box->setEnabled(!recordings);
    m_backend->setEnabled(!recordings);
    m_timing->setEnabled(!recordings && m_backend->currentData().toString() != QLatin1String("cuda"));
    m_devices->setEnabled(!recordings && m_backend->currentData().toString() != QLatin1String("cuda"));
    m_repeats->setEnabled(!recordings && m_backend->currentData().toString() != QLatin1String("emulator"));
    if (recordings) {
        m_story->setText(tr("Each recording that comes with the program, and the same launch on the emulator."));
    } else if (const session::SweepPreset* preset = session::findPreset(key.toStdString())) {
        QStringList words;
        for (const std::string& kernel : preset->kernels)
            words << QString::fromStdString(kernel);
        QStringList shapes;
        for (const Dim3& block : preset->blocks)
            shapes << QString::fromStdString(block.text());
        m_story->setText(words.join(QStringLiteral(", ")) +
                         (shapes.isEmpty() ? QString() : QStringLiteral("  ·  ") + shapes.join(QStringLiteral(", "))));
    } else {
        m_story->setText(tr("Every combination of the lists runs once. An empty list leaves the kernel's own."));
    }
    if (m_job->running())
        return;
    const auto sweep = request();
    m_start->setEnabled(sweep.ok());
    m_start->setText(tr("Sweep"));
    m_count->setText(!sweep ? sentence(sweep.error()) : recordings ? QString() : countText(*sweep));
}

void SweepDialog::start() {
    auto sweep = request();
    if (!sweep) {
        m_count->setText(sentence(sweep.error()));
        return;
    }
    if (m_preset->currentData().toString() == QLatin1String(recordingsKey))
        sweep->recorded = shippedRecordings();
    m_job->start(std::move(*sweep));
    m_poll.start();
    showProgress();
}

void SweepDialog::showProgress() {
    const bool running = m_job->running();
    m_progress->setVisible(running);
    m_progress->setValue(int(1000 * m_job->fraction()));
    m_start->setText(running ? tr("Stop") : tr("Sweep"));
    m_start->setEnabled(true);
    if (running) {
        m_count->setText(agreeing(tr("%1 {launch|launches} done"), m_job->rows().size()));
        return;
    }
    m_poll.stop();
    if (!m_job->rows().empty()) {
        const auto failed = std::count_if(m_job->rows().begin(), m_job->rows().end(),
                                          [](const session::SweepRow& row) { return row.result.values.empty(); });
        m_count->setText(
            failed > 0 ? agreeing(tr("%1 {launch|launches} done, %2 of them did not run"), m_job->rows().size(), failed)
                       : agreeing(tr("%1 {launch|launches} done"), m_job->rows().size()));
    }
}

void SweepDialog::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QDialog::changeEvent(event);
}

} // namespace warpglass
