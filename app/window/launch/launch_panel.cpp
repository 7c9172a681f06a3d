// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/launch/launch_panel.h"

#include "app/window/model/requests.h"
#include "gpu/device/device.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QStyle>
#include <QVBoxLayout>

#include <limits>

namespace warpglass {

namespace {

constexpr int settleMs = 350; // after the last keystroke or click

enum RecordChoice { Structure, Accesses, Timing };

void mark(QLineEdit* field, bool wrong) {
    if (field->property("wrong").toBool() == wrong)
        return;
    field->setProperty("wrong", wrong);
    field->style()->unpolish(field);
    field->style()->polish(field);
}

} // namespace

LaunchPanel::LaunchPanel(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("launchPanel"));
    setAttribute(Qt::WA_StyledBackground);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 8, 0, 0);
    outer->setSpacing(4);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(14, 0, 12, 0);
    m_title = new QLabel(this);
    m_title->setObjectName(QStringLiteral("panelTitle"));
    m_preset = new QComboBox(this);
    m_preset->setObjectName(QStringLiteral("preset"));
    m_preset->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    m_preset->addItems({QString(), QString(), QString()});
    head->addWidget(m_title, 1);
    head->addWidget(m_preset);
    outer->addLayout(head);

    auto* scroll = new QScrollArea(this);
    scroll->setObjectName(QStringLiteral("launchScroll"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* body = new QWidget(scroll);
    body->setObjectName(QStringLiteral("launchForm"));
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(14, 2, 12, 10);
    column->setSpacing(5);
    m_form = new QFormLayout;
    m_parameterForm = new QFormLayout;
    for (QFormLayout* form : {m_form, m_parameterForm}) {
        form->setContentsMargins(0, 0, 0, 0);
        form->setHorizontalSpacing(8);
        form->setVerticalSpacing(5);
        form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    }
    const auto lineRow = [&](const char* name, QLabel*& label, QLineEdit*& field) {
        label = new QLabel(body);
        label->setObjectName(QStringLiteral("formLabel"));
        field = new QLineEdit(body);
        field->setObjectName(QString::fromLatin1(name));
        label->setBuddy(field);
        m_form->addRow(label, field);
        connect(field, &QLineEdit::textEdited, this, &LaunchPanel::edited);
        connect(field, &QLineEdit::returnPressed, this, [this] {
            if (requestFromFields()) {
                m_later.stop();
                emit changed(m_request);
                emit entered();
            }
        });
    };
    const auto comboRow = [&](const char* name, QLabel*& label, QComboBox*& field) {
        label = new QLabel(body);
        label->setObjectName(QStringLiteral("formLabel"));
        field = new QComboBox(body);
        field->setObjectName(QString::fromLatin1(name));
        field->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        field->setMinimumContentsLength(6);
        label->setBuddy(field);
        m_form->addRow(label, field);
        connect(field, &QComboBox::activated, this, &LaunchPanel::edited);
    };
    lineRow("block", m_blockLabel, m_block);
    lineRow("grid", m_gridLabel, m_grid);
    lineRow("size", m_sizeLabel, m_size);
    column->addLayout(m_form);
    column->addLayout(m_parameterForm);
    auto* lower = new QFormLayout;
    lower->setContentsMargins(0, 0, 0, 0);
    lower->setHorizontalSpacing(8);
    lower->setVerticalSpacing(5);
    lower->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    QFormLayout* upper = m_form;
    m_form = lower;
    comboRow("mode", m_modeLabel, m_mode);
    comboRow("device", m_deviceLabel, m_device);
    comboRow("policy", m_policyLabel, m_policy);
    comboRow("record", m_recordLabel, m_record);
    m_form = upper;
    column->addLayout(lower);
    m_problem = new QLabel(body);
    m_problem->setObjectName(QStringLiteral("small"));
    m_problem->setWordWrap(true);
    m_problem->hide();
    column->addWidget(m_problem);
    column->addStretch(1);
    scroll->setWidget(body);
    outer->addWidget(scroll, 1);

    m_mode->addItem(QString(), int(CompileMode::Optimised));
    m_mode->addItem(QString(), int(CompileMode::AsWritten));
    for (const DeviceSpec& device : devices())
        m_device->addItem(
            QString::fromStdString(device.name).remove(QStringLiteral("NVIDIA ")).remove(QStringLiteral("GeForce ")),
            QString::fromStdString(device.key));
    for (SchedulingPolicy policy : {SchedulingPolicy::Gto, SchedulingPolicy::Gty, SchedulingPolicy::Lrr})
        m_policy->addItem(QString(), int(policy));
    for (int choice : {Structure, Accesses, Timing})
        m_record->addItem(QString(), choice);

    m_device->setPlaceholderText(QStringLiteral("GPU"));
    m_policy->setPlaceholderText(QStringLiteral("GPU"));
    connect(m_mode, &QComboBox::activated, this, [this] { m_request.modeChosen = true; });
    connect(m_device, &QComboBox::activated, this, [this] { m_request.backend = "emulator"; }); // a model was chosen
    m_later.setSingleShot(true);
    m_later.setInterval(settleMs);
    connect(&m_later, &QTimer::timeout, this, [this] {
        for (QLineEdit* field : {m_block, m_grid, m_size})
            field->setModified(false); // what is written from now on is newer
        emit changed(m_request);
    });
    connect(m_preset, &QComboBox::activated, this, [this](int index) {
        if (index > 0)
            preset(index == 2);
        m_preset->setCurrentIndex(0);
    });
    retranslate();
    showNothing();
}

void LaunchPanel::retranslate() {
    m_title->setText(tr("Launch"));
    m_preset->setItemText(0, tr("Presets"));
    m_preset->setItemText(1, tr("Small, to look at"));
    m_preset->setItemText(2, tr("As in the document"));
    m_preset->setAccessibleName(tr("Presets of the launch"));
    m_blockLabel->setText(tr("Block"));
    m_gridLabel->setText(tr("Grid"));
    m_sizeLabel->setText(tr("Elements"));
    m_modeLabel->setText(tr("Mode"));
    m_deviceLabel->setText(tr("Device"));
    m_policyLabel->setText(tr("Policy"));
    m_recordLabel->setText(tr("Record"));
    m_block->setToolTip(tr("Threads of a block, such as 64, 16x16 or 8x8x4; at most 1024 in all"));
    m_grid->setToolTip(tr("Blocks of the grid; empty: as many as the elements need"));
    nameAutomaticGrid();
    m_size->setPlaceholderText(tr("auto"));
    m_size->setToolTip(tr("How many elements the kernel works on"));
    m_mode->setItemText(0, tr("optimised"));
    m_mode->setItemText(1, tr("code as written"));
    m_mode->setToolTip(
        tr("Optimised code may have lost the branches you see in the source; code as written keeps them. It is a debug "
           "build, so with cycles code is optimised until you choose otherwise."));
    m_device->setToolTip(tr("The device the emulator takes for a model"));
    m_policy->setItemText(0, tr("greedy, oldest"));
    m_policy->setItemText(1, tr("greedy, youngest"));
    m_policy->setItemText(2, tr("round robin"));
    m_policy->setToolTip(tr("Which ready warp a scheduler takes next; it matters where cycles are recorded"));
    m_record->setItemText(Structure, tr("paths"));
    m_record->setItemText(Accesses, tr("with accesses"));
    m_record->setItemText(Timing, tr("with cycles"));
    m_record->setToolTip(
        tr("What is recorded: the paths of warps and, of up to 64 blocks, the addresses and values of "
           "their accesses (on a GPU only where chosen, since it takes longer), or also what each warp "
           "does in every cycle (modelled)"));
    for (QWidget* field :
         std::initializer_list<QWidget*>{m_block, m_grid, m_size, m_mode, m_device, m_policy, m_record})
        field->setAccessibleDescription(field->toolTip());
    m_block->setAccessibleName(m_blockLabel->text());
    m_grid->setAccessibleName(m_gridLabel->text());
    m_size->setAccessibleName(m_sizeLabel->text());
    m_mode->setAccessibleName(m_modeLabel->text());
    m_device->setAccessibleName(m_deviceLabel->text());
    m_policy->setAccessibleName(m_policyLabel->text());
    m_record->setAccessibleName(m_recordLabel->text());
}

// Three forms, one column: all labels are as wide as the widest.
void LaunchPanel::alignLabels() {
    int width = 0;
    const QList<QLabel*> labels = findChildren<QLabel*>(QStringLiteral("formLabel"));
    for (QLabel* label : labels) {
        label->setMinimumWidth(0);
        width = std::max(width, label->sizeHint().width());
    }
    for (QLabel* label : labels)
        label->setMinimumWidth(width);
}

void LaunchPanel::setLanguage(const QString& language) {
    m_language = language;
    const std::optional<Dim3> actual = m_actualGrid;
    m_quiet = true;
    rebuildParameters();
    fieldsFromRequest();
    m_quiet = false;
    m_actualGrid = actual;
    nameAutomaticGrid();
}

void LaunchPanel::showNothing() {
    m_request = {};
    m_recording = false;
    m_quiet = true;
    rebuildParameters();
    fieldsFromRequest();
    m_quiet = false;
    setEnabled(false);
}

void LaunchPanel::show(const RunRequest& request) {
    const bool other = request.kernel != m_request.kernel || m_parameters.empty();
    if (request.kernel == m_request.kernel && m_later.isActive())
        return; // what is being changed runs in a moment, and is shown then
    m_later.stop();
    m_quiet = true;
    m_writing = request.kernel == m_request.kernel && !m_recording;
    m_recording = false;
    m_request = request;
    if (other)
        rebuildParameters();
    fieldsFromRequest();
    m_writing = m_quiet = false;
    const bool ofCatalogue = findKernel(request.kernel) != nullptr;
    setEnabled(ofCatalogue || request.text); // a file is run as it stands, the pad's text as one likes
    m_size->setEnabled(ofCatalogue);
    m_preset->setEnabled(ofCatalogue);
}

void LaunchPanel::showRecording(const RunRequest& launched) {
    showNothing();
    m_recording = true;
    m_request = launched;
    m_quiet = true;
    fieldsFromRequest();
    m_quiet = false;
}

void LaunchPanel::sayOlderPicture() {
    m_problem->setText(tr("This launch did not run: the picture shows the one before it."));
    m_problem->show();
}

void LaunchPanel::setActualGrid(Dim3 grid) {
    m_actualGrid = grid;
    nameAutomaticGrid();
}

void LaunchPanel::setAsking(bool asking) {
    m_asking = asking;
    nameAutomaticGrid();
}

void LaunchPanel::nameAutomaticGrid() {
    m_grid->setPlaceholderText(
        m_actualGrid && !m_asking ? tr("%1 (auto)").arg(QString::fromStdString(m_actualGrid->text())) : tr("auto"));
}

void LaunchPanel::rebuildParameters() {
    while (m_parameterForm->rowCount() > 0)
        m_parameterForm->removeRow(0);
    m_parameters.clear();
    const CatalogueEntry* entry = m_recording ? nullptr : findKernel(m_request.kernel); // a file does not tell them
    if (!entry) {
        alignLabels();
        return;
    }
    for (const Parameter& parameter : entry->parameters) {
        auto* name = new QLabel(QString::fromStdString(parameter.name), this);
        name->setObjectName(QStringLiteral("formLabel"));
        auto* box = new QSpinBox(this);
        box->setObjectName(QStringLiteral("parameter_") + QString::fromStdString(parameter.name));
        const auto limited = [](std::int64_t n) {
            return int(std::clamp<std::int64_t>(n, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
        };
        box->setRange(limited(parameter.minimum), limited(parameter.maximum));
        box->setValue(limited(parameter.standard));
        const QString meaning = QString::fromStdString(
            m_language.startsWith(QLatin1String("zh")) ? parameter.meaningZh : parameter.meaningEn);
        box->setToolTip(meaning);
        name->setToolTip(meaning);
        box->setAccessibleName(name->text());
        box->setAccessibleDescription(meaning);
        name->setBuddy(box);
        m_parameterForm->addRow(name, box);
        connect(box, &QSpinBox::valueChanged, this, &LaunchPanel::edited);
        m_parameters.push_back({parameter.name, name, box});
    }
    alignLabels();
}

void LaunchPanel::fieldsFromRequest() {
    const CatalogueEntry* entry = m_recording ? nullptr : findKernel(m_request.kernel);
    const LaunchRequest& l = m_request.launch;
    const LaunchRequest standard = entry ? entry->look : LaunchRequest{};
    const auto text = [](const std::optional<Dim3>& wanted, const std::optional<Dim3>& fallback) {
        const std::optional<Dim3>& shape = wanted ? wanted : fallback;
        return shape ? QString::fromStdString(shape->text()) : QString();
    };
    // Half a shape that somebody is writing stays as it is.
    const auto put = [this](QLineEdit* field, const QString& now) {
        if (m_writing && field->hasFocus() && field->isModified())
            return;
        if (field->text() != now) // else what is marked in it, to be written over, would no longer be
            field->setText(now);
        mark(field, false);
    };
    put(m_block, text(l.block, standard.block));
    // A grid that follows from the elements stays empty, so that it goes on following when the block is changed.
    put(m_grid, text(l.grid, standard.size ? std::nullopt : standard.grid));
    m_actualGrid.reset();
    nameAutomaticGrid();
    const std::optional<std::int64_t> size = l.size ? l.size : standard.size;
    put(m_size, size ? QString::number(*size) : QString());
    m_problem->hide();
    for (ParameterField& field : m_parameters) {
        auto at = l.set.find(field.name);
        if (at == l.set.end() && entry) {
            at = standard.set.find(field.name);
            if (at == standard.set.end())
                continue;
        }
        field.box->setValue(int(at->second));
    }
    m_mode->setCurrentIndex(std::max(0, m_mode->findData(int(l.mode))));
    const int device = m_device->findData(QString::fromStdString(m_request.options.device));
    m_device->setCurrentIndex(m_request.backend == "cuda" ? -1 : std::max(0, device));
    // A GPU schedules as it does; a policy is a model's.
    m_policy->setCurrentIndex(m_recording && m_request.backend == "cuda"
                                  ? -1
                                  : std::max(0, m_policy->findData(int(m_request.options.policy))));
    m_record->setCurrentIndex(m_request.options.timing            ? Timing
                              : m_request.options.detail.accesses ? Accesses
                                                                  : Structure);
    m_policy->setEnabled(m_request.options.timing);
}

bool LaunchPanel::requestFromFields() {
    QString problem;
    const auto shape = [&problem](QLineEdit* field, bool mayBeEmpty) -> std::optional<Dim3> {
        const QString text = field->text().trimmed();
        const std::optional<Dim3> parsed = parseDim3(text.toStdString());
        const bool wrong = text.isEmpty() ? !mayBeEmpty : !parsed;
        mark(field, wrong);
        if (wrong)
            problem = tr("\"%1\" is not a shape: write 64, 16x16 or 8x8x4.").arg(text);
        return parsed;
    };
    RunRequest request = m_request;
    request.launch.block = shape(m_block, true);
    request.launch.grid = shape(m_grid, true);
    const QString sizeText = m_size->text().trimmed();
    bool ok = true;
    if (sizeText.isEmpty()) {
        request.launch.size.reset();
    } else {
        const qlonglong size = sizeText.toLongLong(&ok);
        ok = ok && size > 0;
        request.launch.size = size;
        if (!ok)
            problem = tr("\"%1\" is not a number of elements.").arg(sizeText);
    }
    mark(m_size, !ok);
    for (const ParameterField& field : m_parameters)
        request.launch.set[field.name] = field.box->value();
    request.launch.mode = CompileMode(m_mode->currentData().toInt());
    if (m_device->currentIndex() >= 0)
        request.options.device = m_device->currentData().toString().toStdString(); // else the GPU that is in use
    request.options.policy = SchedulingPolicy(m_policy->currentData().toInt());
    recordCycles(request, m_record->currentIndex() == Timing);
    m_mode->setCurrentIndex(m_mode->findData(int(request.launch.mode)));
    request.options.detail.accesses = m_record->currentIndex() == Accesses;
    m_policy->setEnabled(request.options.timing);
    m_problem->setVisible(!problem.isEmpty());
    m_problem->setText(problem);
    if (!problem.isEmpty())
        return false;
    m_request = request;
    return true;
}

void LaunchPanel::edited() {
    if (m_quiet)
        return;
    if (requestFromFields())
        m_later.start();
    else
        m_later.stop();
}

void LaunchPanel::preset(bool document) {
    const CatalogueEntry* entry = findKernel(m_request.kernel);
    if (!entry || m_recording)
        return;
    const CompileMode mode = m_request.launch.mode;
    m_request.launch = document ? entry->document : entry->look;
    m_request.launch.mode = mode;
    m_quiet = true;
    rebuildParameters();
    fieldsFromRequest();
    m_quiet = false;
    emit changed(m_request);
}

void LaunchPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange)
        alignLabels();
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

} // namespace warpglass
