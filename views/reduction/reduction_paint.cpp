// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a reduction tree. What is drawn follows the width of a column: numbers and threads as text where they fit,
// shapes below that, and lines only, one for each pixel, where many columns share it.
#include "views/common/marks.h"
#include "views/common/ticks.h"
#include "views/reduction/reduction_view.h"

#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <set>

namespace warpglass {
namespace {

using Kind = ReductionValue::Kind;

constexpr qreal textPitch = 22, shapePitch = 7;

QColor faded(const QColor& c, const Theme& theme, qreal share) {
    const auto part = [share](int a, int b) { return int(a + (b - a) * share + 0.5); };
    return {part(c.red(), theme.window.red()), part(c.green(), theme.window.green()),
            part(c.blue(), theme.window.blue())};
}

bool toCome(const ReductionScene& s, int step) {
    return s.playing && step > s.current;
}

// Columns in sight, one more on either side.
std::pair<int, int> sight(const ReductionLayout& l) {
    const int first = int(std::floor((l.plot.left() - l.left) / l.pitch)) - 1;
    const int last = int(std::ceil((l.plot.right() - l.left) / l.pitch)) + 1;
    return {std::clamp(first, 0, l.columns), std::clamp(last, 0, l.columns)};
}

QColor sumColour(const ReductionScene& s, const ReductionValue& v) {
    if (v.raced) {
        return s.theme.wrong;
    }
    const QColor on = s.theme.kind == ThemeKind::Dark ? s.theme.category(1) : s.theme.category(1);
    return v.useful ? on : faded(on, s.theme, 0.6);
}

bool contains(const std::vector<std::uint32_t>& rows, std::uint32_t row) {
    return std::find(rows.begin(), rows.end(), row) != rows.end();
}

std::uint32_t givenOf(const ReductionTree& tree, std::uint32_t row) {
    while (tree.values[row].kind == Kind::Copy) {
        row = tree.values[row].inputs[0];
    }
    return row;
}

void paintCells(QPainter& painter, const ReductionScene& s, int row) {
    const ReductionLayout& l = s.layout;
    const Theme& t = s.theme;
    const auto [first, last] = sight(l);
    const bool later = toCome(s, row - 1);
    const bool text = l.pitch >= textPitch, shapes = l.pitch >= shapePitch;
    QFont font = t.body(), bold = t.body();
    bold.setBold(true);
    const ReductionRow& r = (*s.rows)[std::size_t(row)];
    // The smallest size at which the widest number of the row fits.
    if (text) {
        QString widest;
        for (int c = first; c < last; ++c) {
            const std::uint32_t v = r.values[std::size_t(c)];
            const QString number = v != noIndex ? valueText(s.tree->values[v]) : QString();
            widest = number.size() > widest.size() ? number : widest;
        }
        while (bold.pixelSize() > 8 && textWidth(bold, widest) > l.cellRect(0, 0).width() - 2) {
            bold.setPixelSize(bold.pixelSize() - 1);
        }
        font.setPixelSize(bold.pixelSize());
    }
    for (int c = first; c < last; ++c) {
        const std::uint32_t row1 = r.values[std::size_t(c)];
        if (row1 == noIndex) {
            continue;
        }
        const ReductionValue& v = s.tree->values[row1];
        const QRectF cell = l.cellRect(row, c);
        const bool fresh = r.fresh[std::size_t(c)] && !later, bright = row == 0 || fresh;
        const bool lost = row == 0 && contains(s.tree->missing, givenOf(*s.tree, row1));
        const bool twice = row == 0 && contains(s.tree->doubled, givenOf(*s.tree, row1));
        const QColor edge = lost || twice || (v.raced && bright) ? t.wrong
                            : fresh                              ? (v.useful ? t.accent : t.textMuted)
                                                                 : t.border;
        if (!shapes) {
            painter.fillRect(QRectF(cell.left(), cell.top(), std::max(cell.width(), 0.75), cell.height()),
                             bright ? (fresh ? edge : faded(t.accent, t, 0.55)) : t.sunken);
            continue;
        }
        painter.setPen(QPen(edge, bright && (fresh || lost || twice) ? 1.6 : 1, later ? Qt::DotLine : Qt::SolidLine));
        painter.setBrush(bright ? t.panel : t.window);
        painter.drawRoundedRect(cell, std::min(5.0, l.pitch * 0.15), std::min(5.0, l.pitch * 0.15));
        if (lost || twice) {
            paintHatch(painter, cell.adjusted(1, 1, -1, -1), Hatch::Cross, faded(t.wrong, t, 0.55));
        }
        if (text && !later) {
            const bool strong = bright && (row == 0 || v.useful);
            paintText(painter, cell, valueText(v), strong ? bold : font, strong ? t.text : t.textMuted,
                      Qt::AlignCenter);
        }
    }
}

// From the row above into the node; its own cell straight down, others in a curve.
void paintEdges(QPainter& painter, const ReductionScene& s, int step) {
    const ReductionLayout& l = s.layout;
    const bool later = toCome(s, step), fine = l.pitch >= shapePitch;
    const qreal from = l.cellRect(step, 0).bottom(), to = l.cellRect(step + 1, 0).top();
    std::set<std::pair<int, int>> drawn; // pixels
    const QFont font = s.theme.small();
    for (const std::uint32_t row : s.tree->steps[std::size_t(step)].sums) {
        const ReductionValue& v = s.tree->values[row];
        const QPointF node = l.node(step, v.column);
        QColor ink = v.raced ? s.theme.wrong : s.theme.accent;
        ink = !v.useful && !v.raced ? faded(ink, s.theme, 0.65) : ink;
        ink = later ? faded(ink, s.theme, 0.7) : ink;
        painter.setBrush(Qt::NoBrush);
        int stub = 0;
        for (const std::uint32_t in : v.inputs) {
            const std::uint32_t at = drawnInput(*s.tree, in);
            const int column = s.tree->values[at].column;
            const bool above = column >= 0 && column < l.columns &&
                               (*s.rows)[std::size_t(step)].values[std::size_t(column)] != noIndex;
            if (!above) { // a number that no row shows: told beside the node
                if (l.pitch >= 2 * textPitch) {
                    paintText(painter,
                              {node.x() + l.nodeRadius() + 2, node.y() - lineHeight(font) * (1.1 + stub), l.pitch,
                               lineHeight(font)},
                              QStringLiteral("+ ") + valueText(s.tree->values[at]), font, s.theme.textMuted);
                    ++stub;
                }
                continue;
            }
            const qreal x = l.x(column);
            if (std::max(x, node.x()) < l.plot.left() - 2 || std::min(x, node.x()) > l.plot.right() + 2) {
                continue;
            }
            if (!fine && !drawn.insert({int(x), int(node.x())}).second) {
                continue;
            }
            const bool raced = s.tree->values[at].raced;
            painter.setPen(QPen(raced && !later ? s.theme.wrong : ink, fine ? 1.8 : 0.8,
                                v.shuffled && column != v.column ? Qt::DashLine : Qt::SolidLine));
            if (std::abs(x - node.x()) < 0.5) {
                painter.drawLine(QPointF(x, from), node);
                continue;
            }
            QPainterPath path(QPointF(x, from));
            // Arrives from above, at the node's shoulder, so that it passes over the nodes between.
            const qreal side = x > node.x() ? 1 : -1, r = l.nodeRadius(), height = node.y() - from;
            const QPointF shoulder(node.x() + side * r * 0.8, node.y() - r * 0.6);
            const qreal reach = std::min(std::abs(x - node.x()) * 0.6, 4 * r + 40);
            path.cubicTo({x, from + height * 0.62},
                         {shoulder.x() + side * reach, node.y() - std::min(1.7 * r, height * 0.5)}, shoulder);
            painter.drawPath(path);
        }
        if (node.x() > l.plot.left() - l.pitch && node.x() < l.plot.right() + l.pitch) {
            if (fine || drawn.insert({-1, int(node.x())}).second) {
                painter.setPen(QPen(ink, fine ? 1.8 : 0.8));
                painter.drawLine(node, QPointF(node.x(), to));
            }
        }
    }
}

// waiting: only the threads that wait, which lie below the edges; else only those that add, which lie above.
void paintNodes(QPainter& painter, const ReductionScene& s, int step, bool waiting) {
    const ReductionLayout& l = s.layout;
    const Theme& t = s.theme;
    const bool later = toCome(s, step);
    const qreal radius = l.nodeRadius();
    const auto [first, last] = sight(l);
    QFont font = t.small();
    font.setBold(true);
    const QString widest(int(std::to_string(std::max(1u, s.tree->threads) - 1).size()), QLatin1Char('0'));
    while (font.pixelSize() > 7 && textWidth(font, widest) > 2 * radius - 3) {
        font.setPixelSize(font.pixelSize() - 1);
    }
    const bool text = textWidth(font, widest) <= 2 * radius - 1;
    std::vector<bool> busy(std::max<std::size_t>(s.tree->threads, std::size_t(l.columns)), false),
        taken(std::size_t(l.columns), false);
    for (const std::uint32_t row : s.tree->steps[std::size_t(step)].sums) {
        busy[s.tree->values[row].thread] = true;
        taken[std::size_t(s.tree->values[row].column)] = true;
    }
    QFont idle = font;
    idle.setBold(false);
    for (int c = first; waiting && l.pitch >= shapePitch && c < last && c < int(s.tree->threads);
         ++c) { // threads that wait
        if (!taken[std::size_t(c)] && !busy[std::size_t(c)]) {
            painter.setPen(QPen(t.border, 1, Qt::DashLine));
            painter.setBrush(t.window);
            painter.drawEllipse(l.node(step, c), radius * 0.9, radius * 0.9);
            if (text) {
                paintText(painter, QRectF(l.node(step, c) - QPointF(radius, radius), QSizeF(2 * radius, 2 * radius)),
                          QString::number(c), idle, faded(t.textMuted, t, 0.25), Qt::AlignCenter);
            }
        }
    }
    if (waiting) {
        return;
    }
    for (const std::uint32_t row : s.tree->steps[std::size_t(step)].sums) {
        const ReductionValue& v = s.tree->values[row];
        if (v.column < first || v.column >= last) {
            continue;
        }
        const QPointF at = l.node(step, v.column);
        const QColor fill = later ? faded(sumColour(s, v), t, 0.7) : sumColour(s, v);
        if (l.pitch < shapePitch) {
            painter.fillRect(QRectF(at.x() - std::max(0.6, l.pitch * 0.4), at.y() - radius * 1.5,
                                    std::max(1.2, l.pitch * 0.8), radius * 3),
                             fill);
            continue;
        }
        const bool chosen = s.selection.warp == v.warp && s.selection.lane == int(v.thread % lanesPerWarp);
        painter.setPen(chosen ? QPen(t.text, 2.5) : v.raced ? QPen(t.wrong, 2) : QPen(t.window, 1.5));
        painter.setBrush(v.raced && !later ? faded(t.wrong, t, 0.7) : fill);
        painter.drawEllipse(at, radius, radius);
        if (text) {
            paintText(painter, QRectF(at - QPointF(radius, radius), QSizeF(2 * radius, 2 * radius)),
                      QString::number(v.thread), font, later || v.raced ? t.text : QColor(0x20160a), Qt::AlignCenter);
        }
    }
}

void paintWarpBorders(QPainter& painter, const ReductionScene& s) {
    const ReductionLayout& l = s.layout;
    const QFont font = s.theme.small();
    const qreal y = l.plot.top() - lineHeight(font) - 2;
    const int warps = int(warpsFor(s.tree->threads));
    qreal free = l.plot.left();
    const qreal label = textWidth(font, sayReduction("warp %1").arg(std::max(0, warps - 1))) + 10;
    const int every = std::max(1, int(std::ceil(label / (lanesPerWarp * l.pitch)))); // warps between two names
    for (int w = 0; w < warps; ++w) {
        const qreal x0 = l.left + w * lanesPerWarp * l.pitch,
                    x1 = std::min(x0 + lanesPerWarp * l.pitch, l.left + l.columns * l.pitch);
        if (x1 < l.plot.left() || x0 > l.plot.right() || w * lanesPerWarp >= l.columns) {
            continue;
        }
        if (w > 0 && x0 >= l.plot.left()) {
            painter.setPen(QPen(faded(s.theme.textMuted, s.theme, 0.3), 1, Qt::DashDotLine));
            painter.drawLine(QPointF(x0, l.plot.top() - 6), QPointF(x0, l.plot.bottom()));
        }
        if (w % every != 0) {
            continue;
        }
        const QString text = sayReduction("warp %1").arg(w);
        const qreal left = std::max({x0 + 3, l.plot.left(), free});
        if (l.plot.right() - left >= textWidth(font, text) && (every > 1 || x1 - left >= textWidth(font, text))) {
            paintText(painter, {left, y, textWidth(font, text) + 2, lineHeight(font)}, text, font, s.theme.textMuted);
            free = left + textWidth(font, text) + 8;
        }
    }
}

void paintSide(QPainter& painter, const ReductionScene& s, int step) {
    const ReductionLayout& l = s.layout;
    const ReductionStep& st = s.tree->steps[std::size_t(step)];
    const QRectF r = l.sideRect(step);
    const QFont small = s.theme.small();
    QFont bold = s.theme.body();
    bold.setBold(true);
    const qreal line = lineHeight(small);
    const bool later = toCome(s, step);
    QStringList lines;
    QString threads = sayReduction("%1 of %2 threads").arg(st.threads).arg(s.tree->threads);
    if (st.usefulThreads != st.threads) {
        threads += sayReduction(", %1 count").arg(st.usefulThreads);
    }
    QString warps = sayReduction("%1 of %2 warps").arg(st.warps).arg(s.tree->warps);
    warps +=
        st.divergentWarps ? sayReduction(", %1 divergent").arg(st.divergentWarps) : sayReduction(", none divergent");
    lines << threads << warps;
    if (st.passes) {
        lines << sayReduction("%1 bank passes, %2 at best").arg(st.passes).arg(st.idealPasses);
    }
    if (st.sectors) {
        lines << sayReduction("%1 sectors").arg(numberText(st.sectors));
    }
    const std::size_t inputs = s.tree->values[st.sums[0]].inputs.size();
    bool sameInputs = inputs > 2;
    for (const std::uint32_t sum : st.sums) {
        sameInputs = sameInputs && s.tree->values[sum].inputs.size() == inputs;
    }
    const QString head = sameInputs       ? sayReduction("%1 numbers a thread").arg(inputs)
                         : st.stride == 0 ? sayReduction("step %1").arg(step + 1)
                         : st.shuffled    ? sayReduction("lanes %1 apart").arg(st.stride)
                                          : sayReduction("stride %1").arg(st.stride);
    // What does not fit is left out from the end; the tooltip tells all.
    const qreal headHeight = lineHeight(bold);
    const int room = std::max(0, int((r.height() - headHeight) / line));
    const int shown = std::min(room, int(lines.size()));
    qreal y = r.top() + std::max(0.0, (r.height() - headHeight - shown * line) / 2);
    paintText(painter, {r.left(), y, r.width(), headHeight}, head, bold, later ? s.theme.textMuted : s.theme.text);
    if (shown < int(lines.size())) { // the memory's part at least in short
        const QString brief = st.passes    ? sayReduction("%1 passes").arg(numberText(st.passes))
                              : st.sectors ? sayReduction("%1 sectors").arg(numberText(st.sectors))
                                           : QString();
        const qreal left = r.left() + textWidth(bold, head) + 8;
        paintText(painter, {left, y, r.right() - left, headHeight}, brief, small, s.theme.textMuted,
                  Qt::AlignRight | Qt::AlignVCenter);
    }
    y += headHeight;
    for (int i = 0; i < shown; ++i, y += line) {
        const bool warn = i == 1 && st.divergentWarps > 0;
        paintText(painter, {r.left(), y, r.width(), line}, lines[i], small,
                  warn && !later ? s.theme.attention : s.theme.textMuted);
    }
    if (st.barrierAfter) {
        const qreal at = l.cellRect(step + 1, 0).top() - 5;
        painter.setPen(QPen(faded(s.theme.textMuted, s.theme, 0.35), 1, Qt::DotLine));
        painter.drawLine(QPointF(l.plot.left() - 4, at), QPointF(l.side.right(), at));
        QFont mono = s.theme.mono();
        mono.setPixelSize(small.pixelSize());
        paintText(painter, {l.title.left(), at - line, l.plot.left() - l.title.left() - 6, line},
                  sayReduction("barrier"), mono, s.theme.textMuted);
    }
}

void paintRowNames(QPainter& painter, const ReductionScene& s) {
    const QFont small = s.theme.small();
    for (int row = 0; row <= s.layout.steps; ++row) {
        const QRectF cell = s.layout.cellRect(row, 0);
        if (cell.bottom() < s.layout.plot.top() || cell.top() > s.layout.plot.bottom()) {
            continue;
        }
        QFont font = small;
        const bool now = s.playing && row == s.current + 1;
        font.setBold(now);
        const qreal width = s.layout.plot.left() - s.layout.title.left() - 6;
        paintText(painter, {s.layout.title.left(), cell.top(), width, cell.height()},
                  row == 0 ? sayReduction("numbers") : sayReduction("step %1").arg(row), font,
                  now ? s.theme.attention : s.theme.textMuted);
    }
}

void paintFoot(QPainter& painter, const ReductionScene& s) {
    const Theme& t = s.theme;
    const ReductionTree& tree = *s.tree;
    const QFont small = t.small();
    qreal x = s.layout.legend.left();
    const qreal y = s.layout.legend.center().y(), radius = lineHeight(small) * 0.45;
    const auto entry = [&](const QColor& fill, const QPen& pen, const QString& text) {
        painter.setPen(pen);
        painter.setBrush(fill);
        painter.drawEllipse(QPointF(x + radius, y), radius, radius);
        const qreal width = textWidth(small, text) + 2;
        paintText(painter, {x + 2 * radius + 5, s.layout.legend.top(), width, s.layout.legend.height()}, text, small,
                  t.text);
        x += 2 * radius + 5 + width + 16;
    };
    entry(t.category(1), QPen(t.window, 1), sayReduction("thread that adds"));
    entry(t.window, QPen(t.textMuted, 1, Qt::DashLine), sayReduction("thread that waits"));
    if (tree.additions() > tree.usefulAdditions()) {
        entry(faded(t.category(1), t, 0.6), QPen(t.window, 1), sayReduction("adds what nobody needs"));
    }
    if (tree.raced) {
        entry(faded(t.wrong, t, 0.7), QPen(t.wrong, 2), sayReduction("no barrier between the warps"));
    }

    const ReductionValue& root = tree.values[tree.root];
    ReductionValue expected = root;
    expected.bits = tree.expected;
    QFont bold = t.body();
    bold.setBold(true);
    QString verdict = sayReduction("sum %1").arg(valueText(root)) + QStringLiteral(" · ");
    if (tree.right && tree.raced == 0) {
        verdict += sayReduction("right");
    } else if (tree.right) {
        verdict += sayReduction("right by luck: %1 numbers changed hands with no barrier").arg(tree.raced);
    } else if (!tree.missing.empty() || !tree.doubled.empty()) {
        verdict += sayReduction("wrong: should be %1").arg(valueText(expected));
        if (!tree.missing.empty()) {
            verdict += sayReduction(", %1 numbers are missing").arg(tree.missing.size());
        }
        if (!tree.doubled.empty()) {
            verdict += sayReduction(", %1 are counted twice").arg(tree.doubled.size());
        }
    } else {
        verdict += sayReduction("wrong: should be %1").arg(valueText(expected));
    }
    const bool good = tree.right && tree.raced == 0;
    const qreal used = paintText(painter, s.layout.verdict, verdict, bold, good ? t.good : t.wrong) + 14;
    const double share =
        100.0 * double(tree.usefulAdditions()) / double(std::max<std::uint64_t>(1, tree.threadStepsPaid()));
    const QString cost =
        sayReduction("additions %1 · barriers %2 · thread-steps paid %3, used %4 (%5)")
            .arg(numberText(tree.additions()), numberText(std::uint64_t(tree.barriers)),
                 numberText(tree.threadStepsPaid()), numberText(tree.usefulAdditions()), percentText(share, 0));
    paintText(painter, s.layout.verdict.adjusted(used, 0, 0, 0), cost, small, t.textMuted);
}

} // namespace

QString valueText(const ReductionValue& v) {
    if (v.isFloat) {
        const double n = number(v);
        return n == std::floor(n) && std::abs(n) < 1e9 ? numberText(std::int64_t(n)) : QString::number(n, 'g', 6);
    }
    return numberText(std::int64_t(number(v)));
}

void paintReduction(QPainter& painter, const ReductionScene& s) {
    const ReductionTree& tree = *s.tree;
    const Theme& t = s.theme;
    const Block& block = s.trace->blocks[s.block];
    int given = 0;
    for (const std::uint32_t v : (*s.rows)[0].values) {
        given += v != noIndex;
    }
    const ReductionValue& root = tree.values[tree.root];
    const QString heading =
        sayReduction("How block %1 folds its %2 numbers · %3")
            .arg(QString::fromStdString(s.trace->blockIndex(block).indexText()),
                 numberText(std::uint64_t(std::max<std::uint32_t>(root.numbers, std::uint32_t(given)))),
                 QString::fromStdString(s.trace->kernelOf(s.trace->launchOf(block)).name));
    const qreal chip = chipWidth(originName(Origin::Counted), t);
    paintOriginChip(painter, {s.layout.title.right() - chip, s.layout.title.center().y() - chipHeight(t) / 2},
                    Origin::Counted, t);
    QString from =
        sayReduction("from %1 recorded loads, %2 stores").arg(numberText(tree.loads), numberText(tree.stores));
    if (tree.shuffles) {
        from += sayReduction(", %1 shuffles").arg(numberText(tree.shuffles));
    }
    const qreal right = s.layout.title.right() - chip - 8, width = textWidth(t.small(), from) + 2;
    const qreal used = paintText(painter, s.layout.title.adjusted(0, 0, -chip - 12, 0), heading, t.title(), t.text);
    if (s.layout.title.left() + used + 16 + width < right) {
        paintText(painter, {right - width, s.layout.title.top(), width, s.layout.title.height()}, from, t.small(),
                  t.textMuted, Qt::AlignRight | Qt::AlignVCenter);
    }
    const QRectF& plot = s.layout.plot;
    paintWarpBorders(painter, s);
    painter.save();
    painter.setClipRect(plot.adjusted(-1, -1, 1, 1), Qt::IntersectClip);
    for (int step = 0; step < s.layout.steps; ++step) {
        if (s.layout.cellRect(step, 0).top() <= plot.bottom() &&
            s.layout.cellRect(step + 1, 0).bottom() >= plot.top()) {
            paintNodes(painter, s, step, true);
            paintEdges(painter, s, step);
            paintNodes(painter, s, step, false);
        }
    }
    for (int row = 0; row <= s.layout.steps; ++row) {
        paintCells(painter, s, row);
    }
    painter.restore();
    painter.save();
    painter.setClipRect(QRectF(s.layout.title.left(), plot.top(), s.layout.title.width(), plot.height()),
                        Qt::IntersectClip);
    paintRowNames(painter, s);
    for (int step = 0; step < s.layout.steps; ++step) {
        paintSide(painter, s, step);
    }
    painter.restore();
    paintFoot(painter, s);
}

} // namespace warpglass
