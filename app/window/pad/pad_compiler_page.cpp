// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pad/pad_compiler_page.h"

#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>

namespace warpglass {

PadCompilerPage::PadCompilerPage(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("padCompiler"));
    auto* form = new QFormLayout(this);
    form->setContentsMargins(12, 6, 8, 6);
    form->setHorizontalSpacing(8);
    form->setVerticalSpacing(5);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    const auto row = [&](const char* name, QLabel*& label, QWidget* field, QWidget* whole) {
        label = new QLabel(this);
        label->setObjectName(QStringLiteral("formLabel"));
        label->setBuddy(field);
        field->setObjectName(QLatin1String(name));
        form->addRow(label, whole);
    };
    m_includes = new QLineEdit(this);
    m_browse = new QToolButton(this);
    m_browse->setObjectName(QStringLiteral("padAddFolder"));
    m_browse->setText(QStringLiteral("…"));
    auto* folders = new QWidget(this);
    auto* line = new QHBoxLayout(folders);
    line->setContentsMargins(0, 0, 0, 0);
    line->addWidget(m_includes, 1);
    line->addWidget(m_browse);
    m_defines = new QLineEdit(this);
    m_arch = new QComboBox(this);
    m_arch->setEditable(true);
    m_arch->setInsertPolicy(QComboBox::NoInsert);
    for (const char* arch : {"", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_90a"})
        m_arch->addItem(QLatin1String(arch));
    m_nvcc = new QLineEdit(this);
    row("padIncludes", m_includesLabel, m_includes, folders);
    row("padDefines", m_definesLabel, m_defines, m_defines);
    row("padArch", m_archLabel, m_arch, m_arch);
    row("padNvcc", m_nvccLabel, m_nvcc, m_nvcc);
    for (QLineEdit* field : {m_includes, m_defines, m_nvcc})
        connect(field, &QLineEdit::textEdited, this, &PadCompilerPage::edited);
    connect(m_arch, &QComboBox::activated, this, &PadCompilerPage::edited);
    connect(m_arch->lineEdit(), &QLineEdit::textEdited, this, &PadCompilerPage::edited);
    connect(m_browse, &QToolButton::clicked, this, &PadCompilerPage::addFolder);
    retranslate();
}

void PadCompilerPage::retranslate() {
    m_includesLabel->setText(tr("Include folders"));
    m_includes->setToolTip(tr("Folders of headers, parted by blanks, from the file's folder; \"quotes\" keep blanks"));
    m_browse->setToolTip(tr("Add a folder of headers"));
    m_browse->setAccessibleName(m_browse->toolTip());
    m_definesLabel->setText(tr("Definitions"));
    m_defines->setPlaceholderText(QStringLiteral("N=16 FAST"));
    m_defines->setToolTip(tr("Macros, parted by blanks: NAME or NAME=VALUE"));
    m_archLabel->setText(tr("Architecture"));
    m_arch->lineEdit()->setPlaceholderText(tr("that of the device"));
    m_arch->setItemData(0, tr("that of the device"), Qt::AccessibleTextRole); // of the row without a word
    m_arch->setToolTip(tr("What the code is compiled for: sm_90"));
    m_nvccLabel->setText(tr("Further options"));
    m_nvcc->setPlaceholderText(QStringLiteral("--use_fast_math"));
    m_nvcc->setToolTip(tr("Options as nvcc takes them; NVRTC takes those that it knows"));
    for (auto [label, field] : std::initializer_list<std::pair<QLabel*, QWidget*>>{{m_includesLabel, m_includes},
                                                                                   {m_definesLabel, m_defines},
                                                                                   {m_archLabel, m_arch},
                                                                                   {m_nvccLabel, m_nvcc}}) {
        field->setAccessibleName(label->text());
        field->setAccessibleDescription(field->toolTip());
    }
    m_arch->lineEdit()->setAccessibleName(m_archLabel->text());
}

void PadCompilerPage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void PadCompilerPage::show(const PadSettings& settings, const QString& path) {
    m_path = path;
    m_includes->setText(lineOf(settings.includes));
    m_defines->setText(lineOf(settings.defines));
    m_arch->setEditText(settings.arch);
    m_nvcc->setText(lineOf(settings.nvcc));
    const bool cuda = path.endsWith(QLatin1String(".cu")), triton = path.endsWith(QLatin1String(".py"));
    for (QWidget* field : std::initializer_list<QWidget*>{m_includes, m_browse, m_nvcc})
        field->setEnabled(cuda); // nothing else is compiled by nvcc
    for (QWidget* field : std::initializer_list<QWidget*>{m_defines, m_arch})
        field->setEnabled(cuda || triton);
}

void PadCompilerPage::take(PadSettings& settings) const {
    settings.includes = wordsOf(m_includes->text());
    settings.defines = wordsOf(m_defines->text());
    settings.arch = m_arch->currentText().trimmed();
    settings.nvcc = wordsOf(m_nvcc->text());
}

void PadCompilerPage::addFolder() {
    const QDir here(QFileInfo(m_path).absolutePath());
    const QString chosen = QFileDialog::getExistingDirectory(this, tr("Add a folder of headers"), here.path());
    if (chosen.isEmpty())
        return;
    const QString relative = here.relativeFilePath(chosen); // the settings travel with the file
    QStringList folders = wordsOf(m_includes->text());
    folders << (relative.startsWith(QLatin1String("../..")) ? chosen : relative);
    m_includes->setText(lineOf(folders));
    emit edited();
}

} // namespace warpglass
