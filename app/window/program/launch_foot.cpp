// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/program/launch_foot.h"

#include "views/common/ticks.h"
#include "views/program/program_model.h"
#include "views/program/program_text.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace warpglass {

namespace {
constexpr std::size_t mostAtOnce = 100; // launches that one wish records: each is a trace of its own
}

LaunchFoot::LaunchFoot(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("panel"));
    setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 6, 12, 8);
    m_note = new QLabel(this);
    m_note->setObjectName(QStringLiteral("launchNote"));
    m_note->setWordWrap(true);
    m_note->setTextFormat(Qt::PlainText);
    m_note->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(m_note);
    auto* row = new QHBoxLayout;
    const auto button = [&](const char* name) {
        auto* b = new QPushButton(this);
        b->setObjectName(QLatin1String(name));
        row->addWidget(b);
        return b;
    };
    m_open = button("openLaunch");
    m_record = button("recordLaunch");
    m_recordFirst = button("recordFirst");
    m_recordAll = button("recordAll");
    row->addStretch(1);
    column->addLayout(row);
    connect(m_open, &QPushButton::clicked, this, [this] { emit openRequested(m_operation); });
    connect(m_record, &QPushButton::clicked, this, [this] {
        if (const auto number = m_program ? m_program->numberOf(m_operation) : std::nullopt)
            emit recordRequested({*number});
    });
    connect(m_recordFirst, &QPushButton::clicked, this, [this] { emit recordRequested(unrecorded(1)); });
    connect(m_recordAll, &QPushButton::clicked, this, [this] { emit recordRequested(unrecorded(mostAtOnce)); });
    retranslate();
}

void LaunchFoot::setLaunch(const ProgramModelPtr& program, std::uint32_t operation, std::uint32_t kernel) {
    m_program = program;
    m_operation = operation;
    m_kernel = kernel;
    refresh();
}

void LaunchFoot::setWhyNoMore(const QString& why) {
    m_whyNoMore = why;
    refresh();
}

void LaunchFoot::setBusy(bool busy) {
    m_busy = busy;
    refresh();
}

void LaunchFoot::offerRecording() {
    if (m_record->isEnabled())
        m_record->setFocus();
}

void LaunchFoot::retranslate() {
    m_open->setText(tr("Show its warps"));
    m_record->setText(tr("Record this launch too"));
    m_recordFirst->setText(tr("Record its first launch"));
    m_record->setToolTip(tr("Runs the program again with this launch recorded; what was recorded stays"));
    m_recordFirst->setToolTip(m_record->toolTip());
    m_recordAll->setToolTip(m_record->toolTip());
    refresh();
}

std::vector<std::uint64_t> LaunchFoot::unrecorded(std::size_t most) const {
    std::vector<std::uint64_t> numbers;
    if (!m_program || m_kernel >= m_program->kernels.size())
        return numbers;
    for (const std::uint32_t n : m_program->kernels[m_kernel].launches) {
        if (numbers.size() >= most)
            break;
        if (const auto number = m_program->numberOf(n);
            number && !program::hasWarps(*m_program->trace, m_program->operation(n)))
            numbers.push_back(*number); // a call of a library has none
    }
    return numbers;
}

void LaunchFoot::refresh() {
    const std::uint32_t n = m_operation;
    const bool launch = m_program && m_program->numberOf(n).has_value();
    const bool recorded = launch && program::hasWarps(*m_program->trace, m_program->operation(n));
    const bool opens = launch && m_program->operation(n).recording != noIndex;
    const KernelSum* sum = m_program && m_kernel < m_program->kernels.size() ? &m_program->kernels[m_kernel] : nullptr;
    const std::size_t missing = sum ? sum->launches.size() - std::size_t(sum->recorded) : 0;
    const bool never = sum && !m_program->trace->kernels[m_kernel].unrecorded.empty();
    const bool first = sum && missing > 0 && sum->recorded == 0 && !(launch && sum->launches.front() == n);

    QString text;
    if (recorded)
        text = tr("%1 was recorded: show its warps (Enter, or a double click).").arg(operationText(*m_program, n));
    else if (opens)
        text = tr("%1 has no warps to look at: %2. Its machine code was kept (Enter, or a double click).")
                   .arg(operationText(*m_program, n), whyUnrecorded(*m_program, n));
    else if (launch)
        text = tr("%1 has no warps to look at: %2.").arg(operationText(*m_program, n), whyUnrecorded(*m_program, n));
    else if (m_program && n != noIndex)
        text = m_program->operation(n).error ? QStringLiteral("%1: %2").arg(operationText(*m_program, n),
                                                                            errorText(m_program->operation(n).error))
                                             : operationText(*m_program, n);
    else if (sum)
        text = tr("%1 of %2 launches are recorded.")
                   .arg(numberText(sum->recorded), numberText(std::uint64_t(sum->launches.size())));
    else if (m_program)
        text = tr("Choose a launch to see its warps.");
    const bool wants = (launch && !recorded) || (!launch && missing > 0);
    if (wants && !m_whyNoMore.isEmpty())
        text += QLatin1Char(' ') + tr("More launches cannot be recorded: %1").arg(m_whyNoMore);
    m_note->setText(text);

    const bool can = m_whyNoMore.isEmpty() && !never && !m_busy;
    m_open->setVisible(opens);
    m_record->setVisible(launch && !recorded);
    m_recordFirst->setVisible(first);
    m_recordAll->setVisible(missing > 1);
    for (QPushButton* b : {m_record, m_recordFirst, m_recordAll})
        b->setEnabled(can);
    m_recordAll->setText(missing > mostAtOnce ? tr("Record %1 more launches of it").arg(mostAtOnce)
                                              : tr("Record all its launches (%1 more)").arg(missing));
}

} // namespace warpglass
