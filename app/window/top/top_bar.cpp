// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/top/top_bar.h"

#include "app/window/icons.h"
#include "views/common/agreeing.h"
#include "views/common/marks.h"
#include "views/common/sentences.h"
#include "views/common/shown_words.h"
#include "views/common/ticks.h"

#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace warpglass {

namespace {
constexpr int roomForName = 1100; // px of the bar
}

void ChipRow::set(const QVector<Chip>& chips, const Theme& theme) {
    m_chips = chips;
    m_theme = theme;
    QStringList words;
    for (const Chip& chip : chips)
        words << chip.text;
    setAccessibleDescription(words.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

QSize ChipRow::sizeHint() const {
    return {0, int(chipHeight(m_theme)) + 4}; // what is left over: the name and the buttons go before it
}

int ChipRow::chipAt(QPointF at) const {
    qreal x = 0;
    for (int i = 0; i < m_chips.size(); ++i) {
        const qreal width = chipWidth(m_chips[i].text, m_theme);
        if (at.x() >= x && at.x() < x + width)
            return i;
        x += width + 6;
    }
    return -1;
}

void ChipRow::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    qreal x = 0;
    const qreal y = (height() - chipHeight(m_theme)) / 2;
    for (const Chip& chip : m_chips) {
        const qreal chipW = chipWidth(chip.text, m_theme);
        if (x + chipW > width())
            break; // a chip is shown whole or not at all; its words are in the tooltip of the window's first chip and
                   // in exports
        paintChip(painter, {x, y}, chip.text, chip.ink, chip.soft, m_theme);
        x += chipW + 6;
    }
}

bool ChipRow::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int i = chipAt(help->pos());
        if (i >= 0)
            QToolTip::showText(help->globalPos(), m_chips[i].toolTip, this);
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

void ElidedLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setFont(font());
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(contentsRect(), Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(text(), Qt::ElideLeft, contentsRect().width()));
}

class ChipText {
    Q_DECLARE_TR_FUNCTIONS(ChipText)
};

QVector<ChipRow::Chip> chipsOf(const Trace& trace, const Theme& theme) {
    QVector<ChipRow::Chip> chips;
    const TraceInfo& info = trace.info;
    const auto add = [&](const QString& text, const QString& tip, Origin origin) {
        chips.append({text, tip, theme.origin(origin), theme.originSoft(origin)});
    };
    const QString device = shown(QString::fromStdString(info.deviceName));
    if (info.backend == BackendKind::Cuda) {
        add(ChipText::tr("measured on %1").arg(device), ChipText::tr("Run on a real GPU; times come from its clock"),
            Origin::Measured);
        if (info.clockResidual > 0)
            add(QStringLiteral("± %1").arg(timeText({info.clockResidual}, info.timeUnit)),
                ChipText::tr("The SMs' clocks could be aligned to within this much"), Origin::Measured);
        for (const Kernel& kernel : trace.kernels) {
            if (kernel.cleanDurationNs > 0 && kernel.probedDurationNs > 0) {
                add(ChipText::tr("probing cost %1 ×")
                        .arg(decimalText(kernel.probedDurationNs / kernel.cleanDurationNs, 2)),
                    ChipText::tr("Duration with probes by duration without"), Origin::Modelled);
                break;
            }
        }
    } else {
        add(ChipText::tr("emulator"), ChipText::tr("Run on this computer's CPU by interpreting PTX"), Origin::Counted);
        if (info.timing)
            add(ChipText::tr("modelled %1").arg(QString(device).remove(QStringLiteral("NVIDIA "))),
                ChipText::tr("Times come from a model of this device, not from a clock"), Origin::Modelled);
        else
            add(ChipText::tr("order only, no time"),
                ChipText::tr("Positions on the time line are steps of execution, not time"), Origin::Modelled);
    }
    add(ChipText::tr("counted"), ChipText::tr("Counts of instructions, lanes and sectors are exact"), Origin::Counted);
    add(info.mode == CompileMode::AsWritten ? ChipText::tr("code as written") : ChipText::tr("optimised"),
        info.mode == CompileMode::AsWritten
            ? ChipText::tr("Compiled without optimisation: the branches of the source are there")
            : ChipText::tr("Compiled with optimisation: branches may have become selects"),
        Origin::Counted);
    const std::uint64_t lost = trace.lostEvents();
    if (lost > 0)
        chips.append({agreeing(ChipText::tr("%1 {event|events} lost"), numberText(lost)),
                      ChipText::tr("The recording buffer was full; what was lost is counted exactly"), theme.wrong,
                      theme.sunken});
    return chips;
}

TopBar::TopBar(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("topBar"));
    setAttribute(Qt::WA_StyledBackground);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(14, 6, 14, 6);
    row->setSpacing(8);
    home = new QToolButton(this);
    home->setObjectName(QStringLiteral("home"));
    home->setFocusPolicy(Qt::TabFocus);
    m_name = new QLabel(QStringLiteral("Warpglass"), this);
    m_name->setObjectName(QStringLiteral("productName"));
    program = new QToolButton(this);
    program->setObjectName(QStringLiteral("toProgram"));
    program->setFocusPolicy(Qt::StrongFocus);
    program->setToolButtonStyle(Qt::ToolButtonTextOnly);
    program->hide();
    m_place = new ElidedLabel(this);
    m_place->setObjectName(QStringLiteral("breadcrumb"));
    m_place->setTextFormat(Qt::PlainText);
    m_chips = new ChipRow(this);
    m_chips->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    row->addWidget(home);
    row->addWidget(m_name);
    row->addSpacing(14);
    row->addWidget(program);
    row->addWidget(m_place);
    row->addSpacing(14);
    row->addWidget(m_chips, 1);
    run = new QPushButton(this);
    run->setObjectName(QStringLiteral("primary"));
    runOnGpu = new QPushButton(this);
    compare = new QToolButton(this);
    compare->setObjectName(QStringLiteral("compareButton"));
    compare->setPopupMode(QToolButton::MenuButtonPopup);
    compare->setToolButtonStyle(Qt::ToolButtonTextOnly);
    compare->setFocusPolicy(Qt::StrongFocus);
    present = new QPushButton(this);
    menu = new QToolButton(this);
    menu->setObjectName(QStringLiteral("menuButton"));
    menu->setPopupMode(QToolButton::InstantPopup);
    menu->setFocusPolicy(Qt::StrongFocus);
    home->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    for (QWidget* w : std::initializer_list<QWidget*>{run, runOnGpu, compare, present, menu}) {
        w->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed); // a button's word is never cut
        row->addWidget(w);
    }
    retranslate();
    setTheme(m_theme);
}

void TopBar::retranslate() {
    run->setText(tr("Run again"));
    run->setToolTip(tr("Run the kernel again as the launch panel says (Ctrl+R)"));
    runOnGpu->setText(tr("Run on GPU"));
    runOnGpu->setToolTip(m_gpuProblem ? sentence(*m_gpuProblem)
                                      : tr("Run on the GPU instead of the emulator (Ctrl+G)"));
    compare->setText(tr("Compare"));
    compare->setToolTip(tr("Show a second kernel or run beside this one (Ctrl+D)"));
    compare->setAccessibleName(tr("Compare"));
    present->setText(tr("Present F5"));
    present->setToolTip(tr("Full screen with large type: only the view and the text of the step"));
    home->setAccessibleName(tr("Start page"));
    home->setToolTip(tr("Start page: lessons, kernels, recent files (Alt+Home)"));
    menu->setAccessibleName(tr("Menu"));
    menu->setToolTip(tr("Files, export, look, language, help (F10)"));
    m_chips->setAccessibleName(tr("Where the numbers come from"));
    refreshChips();
}

void TopBar::setTheme(const Theme& theme) {
    m_theme = theme;
    const int side = qRound(26 * theme.fontScale);
    home->setIcon(logoIcon());
    home->setIconSize({side, side});
    run->setIcon(themedIcon(QStringLiteral("play"), theme.textOnAccent, theme.border));
    const int icon = qRound(13 * theme.fontScale);
    run->setIconSize({icon, icon});
    menu->setIcon(themedIcon(QStringLiteral("menu"), theme));
    menu->setIconSize({qRound(16 * theme.fontScale), qRound(16 * theme.fontScale)});
    refreshChips();
}

void TopBar::setGpuProblem(const Error& problem) {
    m_gpuProblem = problem;
    retranslate();
}

void TopBar::setStarting(bool starting) {
    for (QWidget* button : std::initializer_list<QWidget*>{run, runOnGpu, compare, present, m_chips})
        button->setVisible(!starting);
}

void TopBar::setPlace(const QStringList& breadcrumb) {
    m_place->setText(shown(breadcrumb.join(QStringLiteral(" › "))));
    m_place->setToolTip(m_place->text());
}

void TopBar::setProgram(const QString& text, const QString& toolTip) {
    program->setText(text);
    program->setToolTip(toolTip);
    program->setAccessibleName(toolTip);
    program->setVisible(!text.isEmpty());
}

void TopBar::setTrace(const TracePtr& trace, const TracePtr& other) {
    m_trace = trace;
    m_other = other;
    refreshChips();
}

void TopBar::refreshChips() {
    m_chips->set(m_trace ? chipsOf(*m_trace, m_theme) : QVector<ChipRow::Chip>{}, m_theme);
}

// A least width in a style sheet is all that a layout leaves a button of where room is scarce: "Compare" would read
// "mp". Whenever words or style may have changed, the least is the whole.
bool TopBar::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show)
        for (QWidget* button : std::initializer_list<QWidget*>{home, program, run, runOnGpu, compare, present, menu})
            button->setMinimumWidth(button->sizeHint().width());
    return QWidget::event(event);
}

// The product's name is told by the window's title, too; where it stood, the kernel's has room.
void TopBar::resizeEvent(QResizeEvent* event) {
    m_name->setVisible(width() >= roomForName * m_theme.fontScale);
    QWidget::resizeEvent(event);
}

void TopBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

} // namespace warpglass
