// SPDX-License-Identifier: GPL-3.0-or-later
// What is under the pointer, and what wheel, drags and keys do.
#include "views/common/agreeing.h"
#include "views/common/ticks.h"
#include "views/source/source_options.h"
#include "views/source/source_picture.h"

namespace warpglass {

namespace {

// What a change does, if it does something.
template <typename Does>
std::optional<Change> changed(const Picture& picture, Does&& does) {
    Change change = picture.unchanged();
    return does(change) ? std::optional(std::move(change)) : std::nullopt;
}

} // namespace

const Pane* SourcePicture::paneAt(QPointF at) const {
    for (const Pane* pane : {&m_layout.source, &m_layout.ptx, &m_layout.machine})
        if (pane->rows.contains(at))
            return pane;
    return nullptr;
}

// The line under the pointer, and those of the other texts that belong to it.
void SourcePicture::paintOverlay(QPainter& painter, QPointF at) const {
    const Pane* under = paneAt(at);
    const int line = under ? under->lineAt(at.y()) : 0;
    if (line == 0)
        return;
    QColor soft = context.theme.accent;
    const auto fill = [&](const Pane& pane, int n, float strength) {
        soft.setAlphaF(strength);
        if (pane.shown() && n > 0)
            painter.fillRect(pane.row(n) & pane.rows, soft);
    };
    fill(*under, line, 0.12f);
    constexpr float others = 0.07f;
    QVector<int> ptx;
    if (under == &m_layout.source) {
        if (line < m_listings->ptxOfSource.size())
            for (const std::uint32_t n : m_listings->ptxOfSource[line])
                ptx << int(n);
    } else {
        const int of = under == &m_layout.ptx ? line : m_machine ? int(m_machine->rows[line - 1].ptx) : 0;
        if (of > 0 && of < m_listings->sourceOfPtx.size()) {
            ptx << of;
            fill(m_layout.source, int(m_listings->sourceOfPtx[of]), others);
        }
    }
    for (const int n : ptx) {
        if (under != &m_layout.ptx)
            fill(m_layout.ptx, n, others);
        if (under != &m_layout.machine && m_machine && n < m_machine->rowsOfPtx.size())
            for (const int row : m_machine->rowsOfPtx[n])
                fill(m_layout.machine, row, others);
    }
}

Spot SourcePicture::spotAt(QPointF at) const {
    Spot spot;
    const bool folded = m_layout.fold.contains(at);
    if (folded || (m_layout.machine.shown() && m_layout.sideBySide && context.clickable &&
                   m_layout.machine.heading.adjusted(-20, 0, 0, 0).contains(at))) {
        spot.where = folded ? m_layout.fold : m_layout.machine.heading;
        spot.toolTip = folded ? SourceText::tr("Show the machine code") : SourceText::tr("Fold the machine code");
        Change change = unchanged();
        shownTextChoice().set(change.options, folded ? ShownText::All : ShownText::Both);
        spot.click = change;
        spot.cursor = Qt::PointingHandCursor;
        return spot;
    }
    const Pane* pane = paneAt(at);
    const int line = pane ? pane->lineAt(at.y()) : 0;
    if (!pane)
        return spot;
    const bool ptx = pane == &m_layout.ptx;
    const bool ofEvents = m_listings->countedWarps > 0;
    if (pane == &m_layout.machine) {
        if (!m_machine || line == 0)
            return spot;
        spot.toolTip = machineToolTip(*m_machine, line);
        Change change = unchanged();
        change.selection.ptxLine = m_machine->rows[line - 1].ptx;
        change.selection.sourceLine = m_machine->rows[line - 1].source;
        chosenRow.set(change.options, line);
        spot.where = pane->row(line) & pane->rows;
        if (change != unchanged())
            spot.click = change;
        return spot;
    }
    spot.toolTip =
        lineToolTip(ptx ? m_listings->ptx : m_listings->source, line, ptx, ofEvents, ofEvents ? 0 : m_listings->issued);
    if (line == 0)
        return spot;
    if (const auto before = ptx || !m_pinned ? std::nullopt : pinnedWork(*m_pinned, m_match, m_listings->source, line))
        spot.toolTip += (spot.toolTip.isEmpty() ? QString() : QStringLiteral("\n")) +
                        agreeing(SourceText::tr("A: %1 warp {instruction|instructions}"), numberText(*before));
    if (m_machine)
        spot.toolTip +=
            (spot.toolTip.isEmpty() ? QString() : QStringLiteral("\n")) +
            machineSentences(*m_listings, *m_machine, 0, ptx ? std::uint32_t(line) : 0, ptx ? 0 : std::uint32_t(line));
    spot.where = pane->row(line) & pane->rows;
    if (const QString name = ptx || !context.clickable || m_warp == noIndex
                                 ? QString()
                                 : wordAt(*pane, m_listings->source, context.theme, m_left, at);
        m_listings->variables.contains(name)) { // the window answers it (app/window/who)
        const Warp& warp = context.trace->warps[m_warp];
        const Block& block = context.trace->blockOf(warp);
        spot.doubleAction = QStringLiteral("who:%1 of block %2 warp %3")
                                .arg(name, QString::number(block.index), QString::number(m_warp - block.firstWarp));
        spot.toolTip += (spot.toolTip.isEmpty() ? QString() : QStringLiteral("\n")) +
                        SourceText::tr("Double click: the values of %1 in each lane, and when they change").arg(name);
    }
    Change change = unchanged();
    change.selection.sourceLine = ptx ? m_listings->sourceOfPtx[line] : std::uint32_t(line);
    change.selection.ptxLine = ptx ? std::uint32_t(line) : 0;
    chosenRow.clear(change.options);
    if (change != unchanged())
        spot.click = change;
    return spot;
}

std::optional<Change> SourcePicture::answer(const Input& input) const {
    const auto wheel = [this](const WheelInput& i) {
        return changed(*this, [&](Change& c) {
            return i.modifiers & Qt::ShiftModifier ? moveLeft(c, -40 * i.steps) : scroll(c, i.at, -3 * i.steps);
        });
    };
    const auto drag = [this](const DragInput& i) {
        return changed(*this, [&](Change& c) {
            const bool sideways = moveLeft(c, i.from.x() - i.to.x());
            return scroll(c, i.from, (i.from.y() - i.to.y()) / m_layout.source.lineHeight) || sideways;
        });
    };
    return std::visit(InputCases{wheel, drag, [this](const KeyInput& i) { return key(i); }}, input);
}

std::optional<Change> SourcePicture::key(const KeyInput& input) const {
    if (input.modifiers & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
        return std::nullopt;
    return changed(*this, [&](Change& c) {
        switch (input.key) {
        case Qt::Key_Up:
        case Qt::Key_W:
            return selectNeighbour(c, -1);
        case Qt::Key_Down:
        case Qt::Key_S:
            return selectNeighbour(c, 1);
        case Qt::Key_Left:
        case Qt::Key_A:
            return moveLeft(c, -40);
        case Qt::Key_Right:
        case Qt::Key_D:
            return moveLeft(c, 40);
        case Qt::Key_F:
        case Qt::Key_Home:
            for (const auto& setting : {sourceFrom, ptxFrom, machineFrom, textLeft})
                setting.clear(c.options);
            if (input.key == Qt::Key_Home)
                c.selection.sourceLine = c.selection.ptxLine = 0;
            return true;
        default:
            return false;
        }
    });
}

bool SourcePicture::scroll(Change& change, QPointF at, double lines) const {
    const Setting<double>* from = &sourceFrom;
    const Pane* pane = &m_layout.source;
    for (const auto& [other, its] : {std::pair{&m_layout.ptx, &ptxFrom}, {&m_layout.machine, &machineFrom}})
        if (other->whole.contains(at) || (!pane->shown() && other->shown())) {
            pane = other;
            from = its;
        }
    const double next = qBound(0.0, pane->from + lines, qMax(0.0, pane->lines - pane->inSight));
    if (!pane->shown() || next == pane->from)
        return false;
    from->set(change.options, next);
    return true;
}

bool SourcePicture::moveLeft(Change& change, double by) const {
    const double next = qBound(0.0, m_left + by, 2000.0);
    textLeft.set(change.options, next);
    return next != m_left;
}

bool SourcePicture::selectNeighbour(Change& change, int by) const {
    const bool ptx = !m_layout.source.shown();
    const Listing& l = ptx ? m_listings->ptx : m_listings->source;
    if (l.lines.isEmpty())
        return false;
    const int now = int(ptx ? m_ptxLine : m_sourceLine);
    const int next = now ? qBound(1, now + by, int(l.lines.size())) : qMax(1, l.firstLinked);
    for (const auto& setting : {sourceFrom, ptxFrom, machineFrom})
        setting.clear(change.options);
    change.selection.sourceLine = ptx ? m_listings->sourceOfPtx[next] : std::uint32_t(next);
    change.selection.ptxLine = ptx ? std::uint32_t(next) : 0;
    return true;
}

} // namespace warpglass
