// SPDX-License-Identifier: GPL-3.0-or-later
// The branches of the chosen warp or block as a table, the costliest of the launch first: where, how often, how often lanes
// parted, what share of the launch's lanes that leaves unused, and how many lanes took it.
#include "gpu/metrics/metrics.h"
#include "views/common/agreeing.h"
#include "views/common/ticks.h"
#include "views/lanes/lanes_paint.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace warpglass {

namespace {

QString lineOf(const std::string& text, std::uint32_t line) {
    if (line == 0)
        return {};
    std::size_t at = 0;
    for (std::uint32_t n = 1; n < line; ++n) {
        at = text.find('\n', at);
        if (at == std::string::npos)
            return {};
        ++at;
    }
    const std::size_t end = text.find('\n', at);
    return QString::fromUtf8(text.data() + at, qsizetype((end == std::string::npos ? text.size() : end) - at))
        .simplified();
}

// Where each column of the table stands; the texts of the code get what is left.
struct Across {
    qreal place, code, runs, divergent, lost, histogram, end;
    bool showHistogram;
};

Across across(const LanesPanel& panel, const Theme& theme) {
    const qreal s = theme.fontScale;
    Across a;
    const QRectF& t = panel.table;
    a.showHistogram = t.width() > 540 * s;
    a.end = t.right();
    a.histogram = a.showHistogram ? a.end - 118 * s : a.end;
    a.lost = a.histogram - 56 * s - (a.showHistogram ? 10 * s : 0);
    a.divergent = a.lost - 66 * s;
    a.runs = a.divergent - 48 * s;
    a.place = t.left();
    a.code = t.left() + qMin<qreal>(84 * s, t.width() * 0.2);
    return a;
}

const Kernel* kernelOf(const LanesScene& scene) {
    const Trace& trace = *scene.request.trace;
    if (scene.request.launch >= trace.launches.size())
        return nullptr;
    return &trace.kernelOf(trace.launches[scene.request.launch]);
}

} // namespace

QString sourceText(const Kernel& kernel, std::uint32_t line) {
    return lineOf(kernel.source, line);
}
QString ptxText(const Kernel& kernel, std::uint32_t line) {
    return lineOf(kernel.ptx, line);
}

QVector<int> tableOrder(const LanesScene& scene) {
    const auto& branches = scene.branches();
    QVector<int> order(qsizetype(branches.size()));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        const Branch& x = branches[std::size_t(a)];
        const Branch& y = branches[std::size_t(b)];
        return std::tuple(x.lost, x.divergent, x.executions) > std::tuple(y.lost, y.divergent, y.executions);
    });
    return order;
}

QRectF tableRow(const LanesPanel& panel, int n) {
    return {panel.table.left(), panel.table.top() + (n + 1) * panel.tableRow, panel.table.width(), panel.tableRow};
}

void paintBranchTable(QPainter& painter, const LanesPanelPicture& p) {
    const LanesPanel& panel = p.panel;
    if (panel.table.isNull() || panel.tableRows <= 0)
        return;
    const Theme& theme = p.theme;
    const BranchLayer layer = p.scene.request.layer;
    const Across a = across(panel, theme);
    const qreal gap = 10 * theme.fontScale;
    const auto text = [&](qreal left, qreal right, const QRectF& row, const QString& what, const QFont& font,
                          const QColor& ink, Qt::Alignment align = Qt::AlignLeft) {
        paintText(painter, {left, row.top(), right - left, row.height()}, what, font, ink, align | Qt::AlignVCenter);
    };
    const QRectF head = tableRow(panel, -1);
    const QString branch = LanesText::tr("branch"), executed = LanesText::tr("executed");
    if (a.place + textWidth(theme.small(), branch) + gap <= a.divergent - gap - textWidth(theme.small(), executed))
        text(a.place, a.code - gap, head, branch, theme.small(), theme.textMuted);
    text(a.runs - 40 * theme.fontScale, a.divergent - gap, head, executed, theme.small(), theme.textMuted,
         Qt::AlignRight);
    text(a.divergent, a.lost - gap, head, LanesText::tr("divergent"), theme.small(), theme.textMuted, Qt::AlignRight);
    text(a.lost - gap, a.histogram - gap, head, LanesText::tr("lost"), theme.small(), theme.textMuted, Qt::AlignRight);
    if (a.showHistogram)
        text(a.histogram, a.end, head,
             layer == BranchLayer::Ptx ? LanesText::tr("lanes that jump") : LanesText::tr("lanes that enter"),
             theme.small(), theme.textMuted);

    const Kernel* kernel = kernelOf(p.scene);
    const QVector<int> order = tableOrder(p.scene);
    const auto& branches = p.scene.branches();
    for (int n = 0; n < order.size() && n < panel.tableRows; ++n) {
        const Branch& b = branches[std::size_t(order[n])];
        const QRectF row = tableRow(panel, n);
        painter.fillRect(QRectF(row.left(), row.top(), row.width(), 1), theme.border);
        const bool chosen = std::size_t(order[n]) == p.scene.chosen && !p.scene.request.allBranches;
        if (chosen)
            painter.fillRect(row.adjusted(-4, 1, 4, 0), theme.accentSoft);
        if (n == panel.tableRows - 1 && order.size() > panel.tableRows) {
            const qsizetype more = order.size() - n;
            text(a.place, a.end, row,
                 firstThatFits({agreeing(LanesText::tr("and %1 more {branch: make the view taller to see it|branches: "
                                                       "make the view taller to see them}"),
                                         more),
                                agreeing(LanesText::tr("and %1 more {branch|branches}"), more)},
                               theme.small(), a.end - a.place),
                 theme.small(), theme.textMuted);
            break;
        }
        QFont bold = theme.small();
        bold.setBold(chosen);
        text(a.place, a.code - gap, row, placeName(b, layer) + partName(b, layer), bold, theme.text);
        QString code = layer == BranchLayer::Source && kernel ? sourceText(*kernel, b.sourceLine) : QString();
        if (code.isEmpty())
            code = QString::fromStdString(b.text);
        text(a.code, a.runs - 2, row, code, theme.smallMono(), theme.text);
        if (!p.toldAll()) {
            text(a.runs, a.divergent - gap, row, QStringLiteral("–"), theme.small(), theme.textMuted, Qt::AlignRight);
            continue;
        }
        text(a.runs, a.divergent - gap, row, numberText(b.executions), theme.small(), theme.text, Qt::AlignRight);
        const double share = b.executions ? double(b.divergent) / double(b.executions) : 0;
        text(a.divergent, a.lost - gap, row, percentText(100 * share), bold, share > 0 ? theme.attention : theme.text,
             Qt::AlignRight);
        text(a.lost - gap, a.histogram - gap, row, percentText(100 * b.lost), bold,
             b.lost > 0 ? theme.attention : theme.text, Qt::AlignRight);
        if (!a.showHistogram)
            continue;
        // 33 bars, none to all lanes: executions in which the lanes stayed together green, those in which they parted
        // orange.
        const auto& histogram = b.histogram(layer);
        const std::uint64_t most = *std::max_element(histogram.begin(), histogram.end());
        const qreal width = (a.end - a.histogram) / 33;
        const qreal top = row.top() + 4, height = row.height() - 7;
        painter.fillRect(QRectF(a.histogram, row.bottom() - 3, a.end - a.histogram, 1), theme.border);
        for (int lanes = 0; lanes <= lanesPerWarp && most; ++lanes) {
            const std::uint64_t n_ = histogram[std::size_t(lanes)];
            if (!n_)
                continue;
            const qreal h = qMax(2.0, height * double(n_) / double(most));
            const qreal orange = h * double(b.parted(layer)[std::size_t(lanes)]) / double(n_);
            const qreal x = a.histogram + lanes * width, w = qMax(1.5, width - 0.8);
            painter.fillRect(QRectF(x, top + height - h, w, h - orange), theme.good);
            painter.fillRect(QRectF(x, top + height - orange, w, orange), theme.attention);
        }
    }
}

void paintSummary(QPainter& painter, const LanesPanelPicture& p) {
    const Theme& theme = p.theme;
    const Trace& trace = *p.scene.request.trace;
    const qreal gap = 8 * theme.fontScale;
    QRectF row = p.panel.summary;
    row.setHeight(lineHeight(theme.body()) + 4 * theme.fontScale);
    // The first of the labels is for a row with room; the number goes before both, and where it comes from before the
    // longer one.
    const auto put = [&](const QStringList& labels, const QString& value, const QColor& ink, Origin origin) {
        QFont bold = theme.body();
        bold.setBold(true);
        const qreal chip = chipWidth(originName(origin), theme), number = textWidth(bold, value) + gap;
        if (textWidth(theme.small(), labels.front()) + number + chip + gap > row.width() &&
            row.left() > p.panel.summary.left()) { // the second fact goes on a row of its own
            row.setLeft(p.panel.summary.left());
            row.translate(0, row.height());
        }
        QString label = firstThatFits(labels, theme.small(), row.width() - number - chip - gap);
        if (textWidth(theme.small(), label) > row.width() - number - chip - gap)
            label = firstThatFits(labels, theme.small(), row.width() - number);
        row.setLeft(row.left() + paintText(painter, row, label, theme.small(), theme.textMuted) + gap);
        row.setLeft(row.left() + paintText(painter, row, value, bold, ink) + gap);
        if (row.width() >= chip)
            paintOriginChip(painter, {row.left(), row.center().y() - chipHeight(theme) / 2}, origin, theme);
        row.setLeft(row.left() + chip + 3 * gap);
    };
    if (const auto efficiency = metric(trace, p.scene.request.launch, "branch_efficiency");
        efficiency && efficiency->value && (!p.play.playing || p.toldAll())) {
        const double v = *efficiency->value;
        put({LanesText::tr("branch efficiency of the launch"), LanesText::tr("branch efficiency")}, percentText(v),
            v < 99.95 ? theme.attention : theme.good, efficiency->origin);
    }
    if (p.paths && p.paths->lanesPaid && p.play.whole()) {
        const Serialised& s = *p.paths;
        if (s.timed)
            put({s.together ? LanesText::tr("lanes used / paid in this path")
                            : LanesText::tr("lanes used / paid in these paths"),
                 LanesText::tr("lanes used / paid")},
                LanesText::tr("%1 of %2: %3")
                    .arg(numberText(s.lanesUsed), numberText(s.lanesPaid), percentText(100 * s.share())),
                s.lanesUsed < s.lanesPaid ? theme.attention : theme.good,
                trace.info.timeUnit == TimeUnit::Steps ? Origin::Counted : trace.info.timeOrigin);
        else
            put({LanesText::tr("lanes used / paid, a path each (how long each took was not recorded)"),
                 LanesText::tr("lanes used / paid, a path each"), LanesText::tr("lanes used / paid")},
                LanesText::tr("%1 of %2").arg(numberText(s.lanesUsed), numberText(s.lanesPaid)), theme.attention,
                Origin::Counted);
    }
}

} // namespace warpglass
