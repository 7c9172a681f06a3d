// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/warp/warp_panel.h"

#include "views/common/marks.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

namespace warpglass {

namespace {

constexpr qreal warpMargin = 14;

LaneMark markOf(const WarpFacts& facts, int lane) {
    switch (facts.lane[std::size_t(lane)]) {
    case LaneNow::NoThread:
        return LaneMark::Absent;
    case LaneNow::NotStarted:
    case LaneNow::Off:
        return LaneMark::Off;
    case LaneNow::Exited:
        return LaneMark::Exited;
    case LaneNow::On:
        break;
    }
    // As in the divergence view's layer of the source: who does not enter waits.
    return facts.divergent && !facts.marked.has(lane) ? LaneMark::Off : LaneMark::On;
}

QString laneText(const WarpFacts& facts, int lane) {
    if (!facts.divergent || facts.lane[std::size_t(lane)] != LaneNow::On)
        return laneMarkName(markOf(facts, lane));
    const bool enters = facts.marked.has(lane);
    if (facts.loop)
        return enters ? WarpPanel::tr("goes round again") : WarpPanel::tr("leaves the loop");
    return enters ? WarpPanel::tr("enters") : WarpPanel::tr("does not, and waits");
}

} // namespace

FactRows layFacts(const QVector<Fact>& facts, qreal width, const Theme& theme) {
    constexpr qreal gap = 6;
    FactRows laid;
    std::array<int, allOf<Origin>.size()> votes{};
    for (const Fact& fact : facts)
        if (++votes[std::size_t(fact.origin)] > votes[std::size_t(laid.origin)])
            laid.origin = fact.origin;
    QFont bold = theme.body();
    bold.setBold(true);
    qreal labels = 0;
    for (const Fact& fact : facts)
        labels = std::max(labels, textWidth(theme.body(), fact.label));
    labels = std::min(labels + 10 * theme.fontScale, width * 0.52);
    for (const Fact& fact : facts) {
        FactRow row{.label = fact.label, .value = fact.value, .origin = originName(fact.origin), .of = fact.origin};
        const qreal number = textWidth(bold, fact.value) + 2;
        const auto told = [&](const QString& words) { return textWidth(theme.small(), words) + 2; };
        const QString whole = fact.note.isEmpty() ? row.origin : row.origin + QLatin1Char(' ') + fact.note;
        const bool differs = fact.origin != laid.origin;
        if ((differs || !fact.note.isEmpty()) && labels + number + gap + told(whole) <= width) {
            row.origin = whole;
            row.originWidth = told(whole);
        } else if (differs) { // else it would pass for what the others come from
            row.originWidth = told(row.origin);
        }
        const qreal others = number + (row.originWidth > 0 ? row.originWidth + gap : 0);
        row.valueAt = std::max(0.0, std::min(labels, width - others)); // the label gives way
        row.valueWidth = width - row.valueAt - (others - number);
        laid.rows.append(row);
    }
    return laid;
}

WarpPanel::WarpPanel(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("warpPanel"));
    setAttribute(Qt::WA_StyledBackground);
    setFocusPolicy(Qt::NoFocus);
    refresh();
}

void WarpPanel::set(const TracePtr& trace, const Selection& selection) {
    const bool other = trace != m_trace || selection.launch != m_selection.launch;
    m_trace = trace;
    m_selection = selection;
    if (other)
        m_launchFacts = trace ? launchFacts(*trace, selection.launch) : QVector<Fact>{};
    refresh();
}

void WarpPanel::setTheme(const Theme& theme) {
    m_theme = theme;
    updateGeometry();
    update();
}

void WarpPanel::refresh() {
    m_facts = m_trace ? warpFacts(*m_trace, m_selection) : WarpFacts{};
    setAccessibleName(m_facts.valid ? m_facts.title : tr("Selected warp"));
    QStringList words{m_facts.place, m_facts.happens, m_facts.lanes};
    for (const Fact& fact : m_facts.facts)
        words << fact.label + QLatin1Char(' ') + fact.value;
    setAccessibleDescription(words.join(QStringLiteral(", ")));
    update();
}

QSize WarpPanel::minimumSizeHint() const {
    return {200, int(sizeHint().height() * 0.55)};
}

QSize WarpPanel::sizeHint() const {
    const qreal row = lineHeight(m_theme.body()) + 7 * m_theme.fontScale;
    return {300, int(10 * row + 60 * m_theme.fontScale)};
}

QRectF WarpPanel::strip() const {
    const qreal s = m_theme.fontScale, line = lineHeight(m_theme.body());
    return {warpMargin, 12 * s + 2 * line + 12 * s, width() - 2 * warpMargin, 20 * s};
}

int WarpPanel::laneAt(QPointF at) const {
    const QRectF s = strip();
    if (!m_facts.valid || !s.contains(at))
        return -1;
    return std::min(lanesPerWarp - 1, int((at.x() - s.left()) / s.width() * lanesPerWarp));
}

void WarpPanel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& t = m_theme;
    const qreal s = t.fontScale, line = lineHeight(t.body()), w = width() - 2 * warpMargin;
    painter.fillRect(QRectF(0, 0, width(), height()), t.panel);
    painter.fillRect(QRectF(0, 0, width(), 1), t.border);
    QFont bold = t.body();
    bold.setBold(true);

    const auto pair = [&](qreal y, const QString& left, const QFont& leftFont, const QColor& leftColour,
                          const QString& right, const QFont& rightFont, const QColor& rightColour) {
        const qreal rightWidth = std::min(w * 0.6, textWidth(rightFont, right) + 2);
        paintText(painter, {warpMargin, y, w - rightWidth - 8, line}, left, leftFont, leftColour);
        paintText(painter, {warpMargin + w - rightWidth, y, rightWidth, line}, right, rightFont, rightColour,
                  Qt::AlignRight | Qt::AlignVCenter);
    };
    qreal y = 12 * s;
    m_tips.clear();
    const auto rows = [&](const QString& heading, const QVector<Fact>& facts) {
        if (facts.isEmpty() || y + line > height())
            return;
        const FactRows laid = layFacts(facts, w, t);
        const QString origin = originName(laid.origin);
        paintText(painter, {warpMargin, y, w - chipWidth(origin, t) - 6, line}, heading, bold, t.text);
        paintChip(painter, {warpMargin + w - chipWidth(origin, t), y + (line - chipHeight(t)) / 2}, origin,
                  t.origin(laid.origin), t.originSoft(laid.origin), t);
        y += line + 4 * s;
        const qreal row = line + 7 * s;
        for (const FactRow& fact : laid.rows) {
            if (y + row > height())
                break;
            paintText(painter, {warpMargin, y, fact.valueAt - 6, row}, fact.label, t.body(), t.textMuted);
            paintText(painter, {warpMargin + fact.valueAt, y, fact.valueWidth, row}, fact.value, bold, t.text);
            if (fact.originWidth > 0)
                paintText(painter, {warpMargin + w - fact.originWidth, y, fact.originWidth, row}, fact.origin,
                          t.small(), t.origin(fact.of), Qt::AlignRight | Qt::AlignVCenter);
            painter.fillRect(QRectF(warpMargin, y + row - 1, w, 1), t.border);
            m_tips.append({QRectF(warpMargin, y, w, row),
                           QStringLiteral("%1: %2 · %3").arg(fact.label, fact.value, fact.origin)});
            y += row;
        }
    };
    if (!m_facts.valid) {
        if (m_trace) {
            rows(tr("Launch"), m_launchFacts);
            return;
        }
        paintText(painter, {warpMargin, y, w, line}, tr("Selected warp"), bold, t.text);
        y += line + 8 * s;
        paintParagraph(&painter, {warpMargin, y, w, height() - y},
                       tr("Run a kernel and click a warp: its lanes and what they do are told here."), t.body(),
                       t.textMuted);
        return;
    }
    pair(y, m_facts.title, bold, t.text, m_facts.place, t.small(), t.textMuted);
    y += line + 4 * s;
    pair(y, m_facts.happens, t.body(), t.text, m_facts.lanes, bold, m_facts.divergent ? t.attention : t.textMuted);

    const QRectF cells = strip();
    const qreal pitch = cells.width() / lanesPerWarp;
    for (int lane = 0; lane < lanesPerWarp; ++lane) {
        const QRectF cell(cells.left() + lane * pitch, cells.top(), pitch - 1, cells.height());
        paintLane(painter, cell, markOf(m_facts, lane), t);
        if (lane == m_selection.lane) {
            painter.setPen(QPen(t.attention, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(cell.adjusted(-1, -1, 1, 1), 2, 2);
        }
    }
    y = cells.bottom() + 2 * s;
    for (int lane : {0, 7, 15, 23, 31})
        paintText(painter, {cells.left() + lane * pitch - 20, y, pitch + 40, lineHeight(t.small())},
                  QString::number(lane), t.small(), t.textMuted, Qt::AlignCenter);
    y += lineHeight(t.small()) + 4 * s;
    rows(tr("At this moment"), m_facts.facts);
    y += 10 * s;
    if (y + 2 * line + 12 * s <= height())
        rows(tr("The launch"), m_launchFacts);
}

QString WarpPanel::csv() const {
    QString table = QStringLiteral("fact,value,origin\n");
    for (const QVector<Fact>& facts : {m_facts.facts, m_launchFacts})
        for (const Fact& fact : facts)
            table += QStringLiteral("%1,%2,%3\n")
                         .arg(csvField(fact.label), csvField(fact.value),
                              csvField((originName(fact.origin) + QLatin1Char(' ') + fact.note).trimmed()));
    return table;
}

void WarpPanel::mousePressEvent(QMouseEvent* event) {
    if (const int lane = laneAt(event->position()); lane >= 0)
        emit laneChosen(lane == m_selection.lane ? -1 : lane);
}

bool WarpPanel::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int lane = laneAt(help->pos());
        QString tip = lane >= 0 ? tr("lane %1: %2").arg(lane).arg(laneText(m_facts, lane)) : QString();
        for (const auto& [where, text] : m_tips)
            if (where.contains(help->pos()))
                tip = text;
        QToolTip::showText(help->globalPos(), tip, this); // hides it where there is none
        return true;
    }
    return QWidget::event(event);
}

void WarpPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        if (m_trace)
            m_launchFacts = launchFacts(*m_trace, m_selection.launch);
        refresh();
    }
    QWidget::changeEvent(event);
}

} // namespace warpglass
