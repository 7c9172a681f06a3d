// SPDX-License-Identifier: GPL-3.0-or-later
// The words round a reduction tree: title, what is told of each step, names of the rows, legend and verdict.
#include "views/common/agreeing.h"
#include "views/reduction/reduction_play.h"
#include "views/reduction/reduction_scene.h"

#include "views/common/marks.h"
#include "views/common/ticks.h"
#include "views/reduction/reduction_pinned.h"
#include "views/reduction/reduction_text.h"

#include <algorithm>

namespace warpglass {

namespace {

void paintSide(QPainter& painter, const ReductionScene& s, int step) {
    const ReductionLayout& l = s.layout;
    const ReductionStep& st = s.tree().steps[step];
    const QRectF r = l.sideRect(step);
    const QFont small = s.theme.small();
    QFont bold = s.theme.body();
    bold.setBold(true);
    const qreal line = lineHeight(small);
    const bool later = toCome(s, step);
    // Of each line what the width holds: divergent warps before how many there are.
    const auto fitted = [&](const QStringList& texts) { return firstThatFits(texts, small, r.width()); };
    QStringList lines;
    QString threads = ReductionText::tr("%1 of %2 threads").arg(st.threads).arg(s.tree().threads);
    if (st.usefulThreads != st.threads)
        threads += agreeing(ReductionText::tr(", %1 {counts|count}"), st.usefulThreads);
    const QString warps = ReductionText::tr("%1 of %2 warps").arg(st.warps).arg(s.tree().warps);
    lines << fitted({threads, agreeing(ReductionText::tr("%1 {thread|threads}"), st.threads)});
    lines << (st.divergentWarps
                  ? fitted({warps + ReductionText::tr(", %1 divergent").arg(st.divergentWarps),
                            ReductionText::tr("%1 divergent").arg(st.divergentWarps)})
                  : fitted({warps + ReductionText::tr(", none divergent"), ReductionText::tr("none divergent")}));
    if (st.passes)
        lines << fitted({agreeing(ReductionText::tr("%1 bank {pass|passes}, %2 at best"), st.passes, st.idealPasses),
                         agreeing(ReductionText::tr("%1 {pass|passes}"), numberText(st.passes))});
    if (st.sectors)
        lines << agreeing(ReductionText::tr("%1 {sector|sectors}"), numberText(st.sectors));
    const std::size_t inputs = s.tree().values[st.sums[0]].inputs.size();
    bool sameInputs = inputs > 2;
    for (const std::uint32_t sum : st.sums)
        sameInputs = sameInputs && s.tree().values[sum].inputs.size() == inputs;
    const QString head = sameInputs       ? ReductionText::tr("%1 numbers a thread").arg(inputs)
                         : st.stride == 0 ? ReductionText::tr("step %1").arg(step + 1)
                         : st.shuffled    ? ReductionText::tr("lanes %1 apart").arg(st.stride)
                                          : ReductionText::tr("stride %1").arg(st.stride);
    // What does not fit is left out from the end; the tooltip tells all.
    const qreal headHeight = lineHeight(bold);
    const int room = std::max(0, int((r.height() - headHeight) / line));
    const int shown = std::min(room, int(lines.size()));
    qreal y = r.top() + std::max(0.0, (r.height() - headHeight - shown * line) / 2);
    paintText(painter, {r.left(), y, r.width(), headHeight}, head, bold, later ? s.theme.textMuted : s.theme.text);
    if (shown < int(lines.size())) { // the memory's part at least in short
        const QString brief = st.passes    ? agreeing(ReductionText::tr("%1 {pass|passes}"), numberText(st.passes))
                              : st.sectors ? agreeing(ReductionText::tr("%1 {sector|sectors}"), numberText(st.sectors))
                                           : QString();
        const qreal left = r.left() + textWidth(bold, head) + 8;
        if (textWidth(small, brief) <= r.right() - left)
            paintText(painter, {left, y, r.right() - left, headHeight}, brief, small, s.theme.textMuted,
                      Qt::AlignRight | Qt::AlignVCenter);
    }
    y += headHeight;
    // A tree that is scrolled ends where its plot does: a line whole, or not at all.
    const auto whole = [&](qreal top) { return top >= l.plot.top() - 1 && top + line <= l.plot.bottom() + 1; };
    for (int i = 0; i < shown; ++i, y += line) {
        if (!whole(y))
            continue;
        const bool warn = i == 1 && st.divergentWarps > 0;
        paintText(painter, {r.left(), y, r.width(), line}, lines[i], small,
                  warn && !later ? s.theme.attention : s.theme.textMuted);
    }
    if (st.barrierAfter) {
        const qreal at = l.cellRect(step + 1, 0).top() - 5;
        painter.setPen(QPen(fadedTo(s.theme.textMuted, s.theme, 0.35), 1, Qt::DotLine));
        painter.drawLine(QPointF(l.plot.left() - 4, at), QPointF(l.side.left() - 8, at)); // the words go on beside it
        const QFont mono = s.theme.smallMono();
        if (l.step >= 3.6 * line && whole(at - line)) // else it would stand on the row's name
            paintText(painter, {l.title.left(), at - line, l.plot.left() - l.title.left() - 6, line},
                      ReductionText::tr("barrier"), mono, s.theme.textMuted);
    }
}

void paintRowNames(QPainter& painter, const ReductionScene& s) {
    const QFont small = s.theme.small();
    for (int row = 0; row <= s.layout.steps; ++row) {
        const QRectF cell = s.layout.cellRect(row, 0);
        if (cell.bottom() < s.layout.plot.top() || cell.top() > s.layout.plot.bottom())
            continue;
        QFont font = small;
        const bool now = s.playing && row == s.current + 1;
        font.setBold(now);
        const qreal width = s.layout.plot.left() - s.layout.title.left() - 6;
        paintText(painter, {s.layout.title.left(), cell.top(), width, cell.height()},
                  row == 0 ? ReductionText::tr("numbers") : ReductionText::tr("step %1").arg(row), font,
                  now ? s.theme.attention : s.theme.textMuted);
    }
}

} // namespace

void paintReductionTitle(QPainter& painter, const ReductionScene& s) {
    const ReductionTree& tree = s.tree();
    const Theme& t = s.theme;
    const Block& block = s.trace().blocks[s.model->block];
    int given = 0;
    for (const std::uint32_t v : s.rows()[0].values)
        given += v != noIndex;
    const ReductionValue& root = tree.values[tree.root];
    const QString folds =
        s.mark + ReductionText::tr("How block %1 folds its %2 numbers")
                     .arg(blockIndexText(s.trace(), block),
                          numberText(std::uint64_t(std::max<std::uint32_t>(root.numbers, std::uint32_t(given)))));
    const QString kernel = QString::fromStdString(s.trace().kernelOf(s.trace().launchOf(block)).name);
    const qreal chip = chipWidth(originName(Origin::Counted), t);
    paintOriginChip(painter, {s.layout.title.right() - chip, s.layout.title.center().y() - chipHeight(t) / 2},
                    Origin::Counted, t);
    QString from = agreeing(ReductionText::tr("from %1 recorded {load|loads}, %2 {store|stores}"),
                            numberText(tree.loads), numberText(tree.stores));
    if (tree.shuffles)
        from += agreeing(ReductionText::tr(", %1 {shuffle|shuffles}"), numberText(tree.shuffles));
    const qreal right = s.layout.title.right() - chip - 8, width = textWidth(t.small(), from) + 2;
    const QFont least = t.leastTitle();
    const QRectF forHeading = s.layout.title.adjusted(0, 0, -chip - 12, 0);
    const qreal used =
        paintHeading(painter, forHeading,
                     firstThatFits({folds + QStringLiteral(" · ") + kernel, folds}, least, forHeading.width()), t);
    if (s.layout.title.left() + used + 16 + width < right) {
        paintText(painter, {right - width, s.layout.title.top(), width, s.layout.title.height()}, from, t.small(),
                  t.textMuted, Qt::AlignRight | Qt::AlignVCenter);
    }
}

void paintReductionSides(QPainter& painter, const ReductionScene& s) {
    painter.save();
    painter.setClipRect(
        QRectF(s.layout.title.left(), s.layout.plot.top(), s.layout.title.width(), s.layout.plot.height()),
        Qt::IntersectClip);
    paintRowNames(painter, s);
    for (int step = 0; step < s.layout.steps && !hiddenStep(s, step); ++step)
        paintSide(painter, s, step);
    painter.restore();
}

namespace {

// Where cells are too narrow for numbers, those of the step that is played, else of the first, as sums: as many as have room.
void paintSums(QPainter& painter, const ReductionScene& s, const QRectF& where) {
    const int step = s.playing ? s.current : 0;
    if (step < 0 || writingOf(s, step).how != Written::No)
        return;
    const QFont small = s.theme.small();
    QString words = ReductionText::tr("step %1").arg(step + 1);
    QString between = QStringLiteral("  ");
    for (const std::uint32_t sum : s.tree().steps[std::size_t(step)].sums) {
        constexpr std::size_t most = 4; // numbers that are read at a glance
        if (comeOf(s, sum) < 1 || s.tree().values[sum].inputs.size() > most)
            continue;
        const QString more = words + between + sumText(s.tree(), sum);
        if (textWidth(small, more) > where.width())
            break;
        words = more;
        between = QStringLiteral("  ·  ");
    }
    if (between.contains(QChar(0xb7)))
        paintText(painter, where, words, small, s.theme.textMuted, Qt::AlignRight | Qt::AlignVCenter);
}

} // namespace

void paintReductionFoot(QPainter& painter, const ReductionScene& s) {
    const Theme& t = s.theme;
    const ReductionTree& tree = s.tree();
    const QFont small = t.small();
    qreal x = s.layout.legend.left();
    const qreal y = s.layout.legend.center().y(), radius = lineHeight(small) * 0.45;
    const auto entry = [&](const QColor& fill, const QPen& pen, const QString& text) {
        if (x + 2 * radius + 5 + textWidth(small, text) > s.layout.legend.right())
            return; // tool tips tell it
        painter.setPen(pen);
        painter.setBrush(fill);
        painter.drawEllipse(QPointF(x + radius, y), radius, radius);
        const qreal width = textWidth(small, text) + 2;
        paintText(painter, {x + 2 * radius + 5, s.layout.legend.top(), width, s.layout.legend.height()}, text, small,
                  t.text);
        x += 2 * radius + 5 + width + 16;
    };
    if (!s.layout.legend.isEmpty()) {
        entry(t.category(1), QPen(t.window, 1), ReductionText::tr("thread that adds"));
        entry(t.window, QPen(t.textMuted, 1, Qt::DashLine), ReductionText::tr("thread that waits"));
        if (tree.additions() > tree.usefulAdditions())
            entry(fadedTo(t.category(1), t, 0.6), QPen(t.window, 1),
                  tree.resultsInTree > 1 ? ReductionText::tr("adds nothing to this sum") // to another one
                                         : ReductionText::tr("adds what nobody needs"));
        if (tree.raced)
            entry(fadedTo(t.wrong, t, 0.7), QPen(t.wrong, 2), ReductionText::tr("no barrier between the warps"));
        if (s.pinned) {
            entry(t.window, pinnedNodePen(t), ReductionText::tr("where A added"));
            const qreal room = s.layout.legend.right() - x;
            const QStringList texts = pinnedReductionTexts(s.pinned->tree);
            if (const QString text = firstThatFits(texts, small, room); textWidth(small, text) <= room)
                paintText(painter, {x, s.layout.legend.top(), room, s.layout.legend.height()}, text, small, t.text);
        }
    }

    if (!s.layout.legend.isEmpty())
        paintSums(painter, s, {x, s.layout.legend.top(), s.layout.legend.right() - x, s.layout.legend.height()});
    if (!resultKnown(s))
        return;
    const ReductionValue& root = tree.values[tree.root];
    ReductionValue expected = root;
    expected.bits = tree.expected;
    QFont bold = t.body();
    bold.setBold(true);
    QString verdict = ReductionText::tr("sum %1").arg(valueText(root)) + QStringLiteral(" · ");
    if (tree.right && tree.raced == 0) {
        verdict += ReductionText::tr("right");
    } else if (tree.right) {
        verdict +=
            agreeing(ReductionText::tr("right by luck: %1 {number|numbers} changed hands with no barrier"), tree.raced);
    } else if (!tree.missing.empty() || !tree.doubled.empty()) {
        verdict += ReductionText::tr("wrong: should be %1").arg(valueText(expected));
        if (!tree.missing.empty())
            verdict += agreeing(ReductionText::tr(", %1 {number is|numbers are} missing"), tree.missing.size());
        if (!tree.doubled.empty())
            verdict += agreeing(ReductionText::tr(", %1 {is|are} counted twice"), tree.doubled.size());
    } else {
        verdict += ReductionText::tr("wrong: should be %1").arg(valueText(expected));
    }
    const bool good = tree.right && tree.raced == 0;
    const qreal used = paintText(painter, s.layout.verdict, verdict, bold, good ? t.good : t.wrong) + 14;
    const double share =
        100.0 * double(tree.usefulAdditions()) / double(std::max<std::uint64_t>(1, tree.threadStepsPaid()));
    const QString cost =
        ReductionText::tr("additions %1 · barriers %2 · thread-steps paid %3, used %4 (%5)")
            .arg(numberText(tree.additions()), numberText(std::uint64_t(tree.barriers)),
                 numberText(tree.threadStepsPaid()), numberText(tree.usefulAdditions()), percentText(share, 0));
    const QRectF rest = s.layout.verdict.adjusted(used, 0, 0, 0);
    const QString brief =
        ReductionText::tr("additions %1 · barriers %2 · %3 of the thread-steps used")
            .arg(numberText(tree.additions()), numberText(std::uint64_t(tree.barriers)), percentText(share, 0));
    const QString least = ReductionText::tr("%1 of the thread-steps used").arg(percentText(share, 0));
    paintText(painter, rest, firstThatFits({cost, brief, least}, small, rest.width()), small, t.textMuted);
}

} // namespace warpglass
