// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/top/top_bar.h"

#include "app/window/icons.h"
#include "gpu/metrics/model_accuracy.h"
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
const auto crumbEnd = QStringLiteral(" › "), dots = QStringLiteral("…");
} // namespace

QString ElidedLabel::textFor(int width) const {
    const QFontMetrics metrics = fontMetrics();
    QString rest = text();
    while (metrics.horizontalAdvance(rest) > width) {
        const qsizetype next = rest.indexOf(crumbEnd, rest.startsWith(dots) ? dots.size() + crumbEnd.size() : 0);
        if (next < 0)
            return metrics.elidedText(rest, Qt::ElideRight, width);
        rest = dots + rest.sliced(next);
    }
    return rest;
}

void ElidedLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setFont(font());
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(contentsRect(), Qt::AlignLeft | Qt::AlignVCenter, textFor(contentsRect().width()));
}

class ChipText {
    Q_DECLARE_TR_FUNCTIONS(ChipText)
};

QVector<Chip> chipsOf(const Trace& trace) {
    QVector<Chip> chips;
    const TraceInfo& info = trace.info;
    const auto add = [&](const QString& text, const QString& tip, Origin origin) { chips.append({text, tip, origin}); };
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
        if (const Said error = info.timing ? kindError(trace) : Said(); !error.empty())
            add(sentence(error), sentence(kindErrorSentence(trace)), Origin::Modelled);
        if (!info.timing)
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
                      ChipText::tr("The recording buffer was full; what was lost is counted exactly"), Origin::Counted,
                      true});
    return chips;
}

TopBar::TopBar(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("topBar"));
    setAttribute(Qt::WA_StyledBackground);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(14, 5, 14, 5);
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
    m_place->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    m_arrangements = new QWidget(this);
    m_arrangements->setObjectName(QStringLiteral("arrangements"));
    auto* segments = new QHBoxLayout(m_arrangements);
    segments->setContentsMargins(0, 0, 0, 0);
    segments->setSpacing(0);
    const auto word = [this](const char* objectName, QToolButton*& button) {
        button = new QToolButton(this);
        button->setObjectName(QLatin1String(objectName));
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        button->setFocusPolicy(Qt::StrongFocus);
        button->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    };
    for (QToolButton** button : {&learn, &explore, &build}) {
        word("arrangement", *button);
        (*button)->setCheckable(true);
        segments->addWidget(*button);
    }
    learn->setProperty("end", QStringLiteral("left"));
    build->setProperty("end", QStringLiteral("right"));
    word("launchLine", launch);
    launch->setCheckable(true);
    word("origin", origin);
    origin->setPopupMode(QToolButton::InstantPopup);
    origin->setMenu(new QMenu(origin));
    row->addWidget(home);
    row->addWidget(m_name);
    row->addSpacing(6);
    row->addWidget(m_arrangements);
    row->addSpacing(6);
    row->addWidget(program);
    row->addWidget(m_place);
    row->addWidget(launch);
    row->addStretch(1);
    row->addWidget(origin);
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
    learn->setText(tr("Learn"));
    learn->setToolTip(tr("A question, the code, one picture (Alt+1)"));
    explore->setText(tr("Explore"));
    explore->setToolTip(tr("The gallery, and every view of a run (Alt+2)"));
    build->setText(tr("Build"));
    build->setToolTip(tr("A kernel of your own, and its picture (Alt+3)"));
    m_arrangements->setAccessibleName(tr("How the window is arranged"));
    launch->setToolTip(tr("How it is launched: opens block, grid, size, device"));
    origin->setToolTip(tr("Where the numbers come from"));
    refreshOrigin();
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
    refreshOrigin();
}

void TopBar::setGpuProblem(const Error& problem) {
    m_gpuProblem = problem;
    retranslate();
}

void TopBar::setPlaceOf(const Seen& seen) {
    m_seenPlace = seen.place;
    const bool own = m_seenPlace == Place::Build, views = own || m_seenPlace == Place::Explore;
    run->setVisible(own);
    runOnGpu->setVisible(own && hasGpu());
    compare->setVisible(views);
    present->setVisible(seen.page == Front::Program);
    m_tellsLaunch = views && !seen.card && seen.clock != Clock::Board && !launch->text().isEmpty();
    refreshOrigin();
}

void TopBar::setLaunch(const QString& line) {
    launch->setText(line);
    launch->setAccessibleName(tr("Launch: %1").arg(line));
}

void TopBar::setPlace(const QStringList& breadcrumb) {
    m_place->setText(shown(breadcrumb.join(crumbEnd)));
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
    refreshOrigin();
}

// One word for all of them; what each means stands in its menu.
void TopBar::refreshOrigin() {
    const QVector<Chip> chips = m_trace ? chipsOf(*m_trace) : QVector<Chip>{};
    QStringList words;
    origin->menu()->clear();
    bool lost = false;
    for (const Chip& chip : chips) {
        words << chip.text;
        lost = lost || chip.wrong;
        origin->menu()->addAction(tr("%1: %2").arg(chip.text, chip.toolTip));
    }
    const bool tellsError = m_trace && m_trace->info.timing && chips.size() > 2 && chips[2].origin == Origin::Modelled;
    m_originWords = lost ? QStringList{words.last()} : words.mid(0, tellsError ? 3 : 2);
    origin->setAccessibleName(tr("Where the numbers come from"));
    origin->setAccessibleDescription(words.join(tr(", ")));
    const Origin kind = chips.isEmpty() ? Origin::Counted : chips[std::min<qsizetype>(1, chips.size() - 1)].origin;
    const QColor ink = lost ? m_theme.wrong : m_theme.origin(kind),
                 soft = lost ? m_theme.sunken : m_theme.originSoft(kind);
    const QString look =
        QStringLiteral("QToolButton#origin { color: %1; background: %2; }").arg(ink.name(), soft.name());
    if (look != origin->styleSheet())
        origin->setStyleSheet(look);
    fitRow();
}

// Where there is no room for all of them the origin is told in fewer words, in one, then the launch's line goes, then the origin:
// the palette and the pictures have both.
void TopBar::fitRow() {
    const bool tells = !m_originWords.isEmpty() && (m_seenPlace == Place::Explore || m_seenPlace == Place::Build);
    const auto first = [&](qsizetype count) {
        return m_originWords.mid(0, count).join(tr(", ")) + QStringLiteral(" \u25be");
    };
    const QString brief = first(1);
    constexpr int gap = 14, forPlace = 70;
    int room = width() - 2 * gap - forPlace;
    for (const QWidget* part :
         std::initializer_list<QWidget*>{home, m_arrangements, program, run, runOnGpu, compare, present, menu})
        if (!part->isHidden())
            room -= part->sizeHint().width() + gap;
    const int around = origin->sizeHint().width() - origin->fontMetrics().horizontalAdvance(origin->text()) + gap;
    const auto wide = [&](const QString& text) { return around + origin->fontMetrics().horizontalAdvance(text); };
    const int line = m_tellsLaunch ? launch->sizeHint().width() + gap : 0;
    const bool both = line + wide(brief) <= room;
    qsizetype count = m_originWords.size();
    while (count > 1 && line + wide(first(count)) > room)
        --count;
    if (const QString text = first(count); text != origin->text())
        origin->setText(text);
    origin->setVisible(tells && wide(brief) <= room);
    launch->setVisible(m_tellsLaunch && (tells ? both : line <= room));
}

// A least width in a style sheet is all that a layout leaves a button of where room is scarce: "Compare" would read
// "mp". Whenever words or style may have changed, the least is the whole.
bool TopBar::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show)
        for (QWidget* button : std::initializer_list<QWidget*>{home, learn, explore, build, program, launch, origin,
                                                               run, runOnGpu, compare, present, menu})
            button->setMinimumWidth(button->sizeHint().width());
    return QWidget::event(event);
}

// The product's name is told by the window's title, too; where it stood, the kernel's has room.
void TopBar::resizeEvent(QResizeEvent* event) {
    m_name->setVisible(width() >= roomForName * m_theme.fontScale);
    fitRow();
    QWidget::resizeEvent(event);
}

void TopBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

} // namespace warpglass
