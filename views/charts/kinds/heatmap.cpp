// SPDX-License-Identifier: GPL-3.0-or-later
// A heat map: launches that differ in two things at once, each a cell. A third thing that differs makes a panel of each
// of its values; else there is a panel a metric.
#include "views/charts/charts_text.h"
#include "views/charts/kinds/kinds.h"
#include "views/common/marks.h"

#include <algorithm>
#include <map>
#include <set>

namespace warpglass::charts {

namespace {

// Something that differs between the launches of a table.
struct Swept {
    const char* key; // of the switches
    QString title;
    std::vector<QString> of; // one a row; empty: not known
    QStringList values;      // in order
    bool shape = true;       // of the launch; else of where and how it ran
};

// order: a number that sorts the values; names are in order of appearance then.
struct Read {
    const char* key;
    const char* title;
    std::string (*text)(const ResultRow&);
    double (*order)(const ResultRow&);
    bool shape;
};

std::string shapeOf(Dim3 d) {
    return d == Dim3{0, 0, 0} ? std::string() : d.text();
}
std::string extent(const ResultRow& row, std::uint32_t Dim3::*axis) {
    return row.block == Dim3{0, 0, 0} ? std::string() : std::to_string(row.block.*axis);
}
double unordered(const ResultRow&) {
    return 0;
}

// In the order in which they are put across.
constexpr Read parameters[] = {
    {"blockx", QT_TR_NOOP("Threads in x"), [](const ResultRow& r) { return extent(r, &Dim3::x); },
     [](const ResultRow& r) { return double(r.block.x); }, true},
    {"blocky", QT_TR_NOOP("Threads in y"), [](const ResultRow& r) { return extent(r, &Dim3::y); },
     [](const ResultRow& r) { return double(r.block.y); }, true},
    {"block", QT_TR_NOOP("Block"), [](const ResultRow& r) { return shapeOf(r.block); },
     [](const ResultRow& r) { return double(r.block.count()); }, true},
    {"grid", QT_TR_NOOP("Grid"), [](const ResultRow& r) { return shapeOf(r.grid); },
     [](const ResultRow& r) { return double(r.grid.count()); }, true},
    {"size", QT_TR_NOOP("Problem size"),
     [](const ResultRow& r) { return r.size > 0 ? std::to_string(r.size) : std::string(); },
     [](const ResultRow& r) { return double(r.size); }, true},
    {"kernel", QT_TR_NOOP("Kernel"), [](const ResultRow& r) { return r.kernel; }, unordered, true},
    {"policy", QT_TR_NOOP("Scheduling"), [](const ResultRow& r) { return r.policy; }, unordered, false},
    {"mode", QT_TR_NOOP("Compiled"), [](const ResultRow& r) { return r.mode; }, unordered, false},
    {"device", QT_TR_NOOP("Device"),
     [](const ResultRow& r) { return r.device.empty() ? r.backend : r.device + (r.backend == "cuda" ? " (GPU)" : ""); },
     unordered, false},
};

Swept sweptOf(const ResultTable& table, const Read& read) {
    Swept swept{.key = read.key, .title = ChartsText::tr(read.title), .shape = read.shape};
    std::vector<std::pair<double, QString>> values;
    for (const ResultRow& row : table.rows) {
        const QString text = QString::fromStdString(read.text(row));
        swept.of.push_back(text);
        if (!text.isEmpty() &&
            std::none_of(values.begin(), values.end(), [&](const auto& v) { return v.second == text; }))
            values.emplace_back(read.order(row), text);
    }
    std::stable_sort(values.begin(), values.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [order, text] : values)
        swept.values << text;
    return swept;
}

// What is the same wherever another thing is the same differs only with it: a grid that follows from size and block, a
// block that each kernel has of its own.
bool follows(const Swept& one, const std::vector<const Swept*>& others, std::size_t rows) {
    std::map<QStringList, QString> seen;
    for (std::size_t r = 0; r < rows; ++r) {
        QStringList key;
        for (const Swept* other : others)
            key << other->of[r];
        const auto [at, isNew] = seen.try_emplace(key, one.of[r]);
        if (!isNew && at->second != one.of[r])
            return false;
    }
    return true;
}

// What differs. Two extents of a block count as its shape unless the block's two axes alone were swept.
std::vector<Swept> differing(const ResultTable& table) {
    std::vector<Swept> all;
    for (const Read& read : parameters)
        if (Swept swept = sweptOf(table, read); swept.values.size() > 1)
            all.push_back(std::move(swept));
    const auto drop = [&](auto which) { std::erase_if(all, which); };
    const auto has = [&](const char* key) {
        return std::any_of(all.begin(), all.end(), [&](const Swept& s) { return std::string(s.key) == key; });
    };
    const auto is = [](const char* key) { return [key](const Swept& s) { return std::string(s.key) == key; }; };
    // A grid that follows from everything else, and a kernel's own block.
    for (const char* dependent : {"grid", "block", "size"}) {
        const auto one = std::find_if(all.begin(), all.end(), is(dependent));
        if (one == all.end())
            continue;
        std::vector<const Swept*> others;
        for (const Swept& other : all)
            if (&other != &*one && std::string(other.key) != "blockx" && std::string(other.key) != "blocky" &&
                std::string(other.key) != "grid")
                others.push_back(&other);
        if (!others.empty() && follows(*one, others, table.rows.size()))
            drop(is(dependent));
    }
    const bool axes =
        has("block") && has("blockx") && has("blocky") &&
        std::all_of(all.begin(), all.end(), [](const Swept& s) { return std::string(s.key).starts_with("block"); });
    if (axes)
        drop(is("block"));
    else
        drop([](const Swept& s) { return std::string(s.key) == "blockx" || std::string(s.key) == "blocky"; });
    return all;
}

// Cells that hold a launch, in percent.
int filled(const ResultTable& table, const Swept& across, const Swept& down) {
    std::set<std::pair<QString, QString>> cells;
    for (std::size_t r = 0; r < table.rows.size(); ++r)
        if (!across.of[r].isEmpty() && !down.of[r].isEmpty())
            cells.insert({across.of[r], down.of[r]});
    return int(100 * cells.size() / std::size_t(across.values.size() * down.values.size()));
}

// Launches of two things swept, most pairs of them run, all on one device in one way: else bars compare better.
bool suits(const ResultTable& table) {
    const std::vector<Swept> all = differing(table);
    return table.rows.size() >= 4 && all.size() == 2 && all[0].shape && all[1].shape &&
           filled(table, all[0], all[1]) >= 60;
}

struct Axes {
    const Swept *across = nullptr, *down = nullptr;
    std::vector<const Swept*> rest;
};

const Setting<QString> acrossSetting{"across", QString()}, downSetting{"down", QString()};

Axes axesOf(const Options& options, const std::vector<Swept>& all) {
    const auto named = [&](const QString& key) {
        const auto at =
            std::find_if(all.begin(), all.end(), [&](const Swept& s) { return key == QLatin1String(s.key); });
        return at == all.end() ? nullptr : &*at;
    };
    const auto firstBut = [&](const Swept* but) { return &all[0] != but ? &all[0] : &all[1]; };
    Axes axes;
    axes.down = named(downSetting.of(options));
    axes.across = named(acrossSetting.of(options));
    if (!axes.across)
        axes.across = firstBut(axes.down);
    if (!axes.down || axes.down == axes.across)
        axes.down = firstBut(axes.across);
    for (const Swept& one : all)
        if (&one != axes.across && &one != axes.down)
            axes.rest.push_back(&one);
    return axes;
}

constexpr int mostPanels = 6;

// The panel of one metric, of the rows that are in it.
ChartPanel panelOf(const PaintContext& context, const ResultTable& table, const Axes& axes, const QString& metric,
                   const std::vector<std::size_t>& rows) {
    const Scaled scaled = scaleOf(table, metric);
    ChartPanel panel{.title = metricTitle(metric), .metric = metric, .unit = scaled.unit, .xTitle = axes.across->title};
    panel.yTitle = axes.down->title;
    panel.columns = axes.across->values;
    for (const QString& name : axes.down->values)
        panel.seriesNamed(name, context.theme);
    std::set<std::pair<int, int>> taken; // the first launch of a cell is shown
    for (const std::size_t r : rows) {
        const ResultRow& row = table.rows[r];
        const auto column = int(axes.across->values.indexOf(axes.across->of[r]));
        const auto line = int(axes.down->values.indexOf(axes.down->of[r]));
        if (column < 0 || line < 0 || !taken.insert({column, line}).second)
            continue;
        const ResultValue* value = row.find(metric.toStdString());
        if (!value) {
            if (row.values.empty())
                panel.refusals.append(
                    {column, line, int(r),
                     row.error.empty() ? ChartsText::tr("did not run") : QString::fromStdString(row.error)});
            continue;
        }
        ChartPoint point = pointOf(int(r), *value, scaled);
        point.x = column;
        point.label = axes.across->of[r] + QStringLiteral(" · ") + axes.down->of[r];
        panel.series[line].points.append(point);
    }
    markBestOfSizes(metric, table, [&](auto visit) {
        for (ChartSeries& series : panel.series)
            for (ChartPoint& point : series.points)
                visit(point);
    });
    panel.finish();
    return panel;
}

Chart chart(const PaintContext& context, const ResultTable& table) {
    Chart chart;
    const std::vector<Swept> all = differing(table);
    const Axes axes = axesOf(context.options, all);
    const QStringList metrics = chosenMetrics(context, table);
    std::vector<std::pair<QString, std::vector<std::size_t>>> parts; // by what else differs
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        QStringList words;
        for (const Swept* one : axes.rest)
            words << one->of[r];
        const QString name = words.join(QStringLiteral(" · "));
        const auto known = std::find_if(parts.begin(), parts.end(), [&](const auto& p) { return p.first == name; });
        if (known == parts.end())
            parts.push_back({name, {r}});
        else
            known->second.push_back(r);
    }
    if (axes.rest.empty()) {
        for (const QString& metric : metrics)
            chart.panels.append(panelOf(context, table, axes, metric, parts.front().second));
    } else {
        for (std::size_t n = 0; n < parts.size() && n < std::size_t(mostPanels); ++n) {
            ChartPanel panel = panelOf(context, table, axes, metrics.value(0), parts[n].second);
            panel.title += QStringLiteral(" · ") + parts[n].first;
            chart.panels.append(panel);
        }
        if (parts.size() > std::size_t(mostPanels))
            chart.notes << ChartsText::tr("%1 of %2 tables are drawn.").arg(mostPanels).arg(parts.size());
    }
    const bool best = std::any_of(chart.panels.begin(), chart.panels.end(), [](const ChartPanel& panel) {
        return std::any_of(panel.series.begin(), panel.series.end(), [](const ChartSeries& series) {
            return std::any_of(series.points.begin(), series.points.end(), [](const ChartPoint& p) { return p.best; });
        });
    });
    if (best)
        chart.notes << (hasSeveralSizes(table) ? ChartsText::tr("Framed: the best of its problem size.")
                                               : ChartsText::tr("Framed: the best of its table."));
    if (std::any_of(chart.panels.begin(), chart.panels.end(),
                    [](const auto& panel) { return !panel.refusals.isEmpty(); }))
        chart.notes << ChartsText::tr("Crossed out: did not run; point at it to see why.");
    return chart;
}

std::optional<Emptiness> missing(const PaintContext&, const ResultTable& table) {
    if (auto none = missingMetrics(table))
        return none;
    if (differing(table).size() < 2)
        return sweepInstead(
            ChartsText::tr("A heat map needs launches that differ in two things: sweep blocks and sizes, "
                           "or kernels and blocks."));
    return std::nullopt;
}

// The arrows tell the two apart where a narrow window leaves no room for labels; first, so that they are in sight. What was
// not chosen is said, too: the thing that lies there by itself.
QVector<Switch> switches(const Options& options, const ResultTable& table) {
    const std::vector<Swept> swept = differing(table);
    const auto axis = [&](const Setting<QString>& setting, const QString& label, const QString& arrow,
                          const Swept& now) {
        QVector<QPair<QString, QString>> choices;
        for (const Swept& one : swept)
            choices.append({QString::fromLatin1(one.key), arrow + one.title});
        return Switch{QString::fromLatin1(setting.key), label, choices, QString::fromLatin1(now.key)};
    };
    QVector<Switch> all;
    if (swept.size() > 1) {
        const Axes axes = axesOf(options, swept);
        all << axis(acrossSetting, ChartsText::tr("Across"), QStringLiteral("\u2192 "), *axes.across)
            << axis(downSetting, ChartsText::tr("Down"), QStringLiteral("\u2193 "), *axes.down);
    }
    return all + metricSwitches(options, table);
}

QStringList tip(const Chart&, const ChartPanel& panel, const ChartSeries& series, const ChartPoint& point) {
    QStringList lines{chartNumber(panel.title, panel, point)};
    lines << QStringLiteral("%1: %2").arg(panel.xTitle, panel.columns.value(int(point.x)));
    lines << QStringLiteral("%1: %2").arg(panel.yTitle, series.name);
    if (point.repeats > 1)
        lines << ChartsText::tr("%1 runs, from %2 to %3")
                     .arg(point.repeats)
                     .arg(valueText(point.low), valueText(point.high));
    return lines;
}

// A line a cell, whether it ran or not.
QString csv(const Chart& chart) {
    const auto number = [](double value) { return QString::number(value, 'g', 10); };
    QString text;
    for (const ChartPanel& panel : chart.panels) {
        if (text.isEmpty())
            text = QStringLiteral("table,%1,%2,value,unit,origin,low,high,repeats,note\n")
                       .arg(csvField(panel.xTitle), csvField(panel.yTitle));
        const auto line = [&](int column, const QString& down, const QStringList& rest) {
            text += (QStringList{csvField(panel.title), csvField(panel.columns.value(column)), csvField(down)} + rest)
                        .join(QLatin1Char(',')) +
                    QLatin1Char('\n');
        };
        for (const ChartSeries& series : panel.series)
            for (const ChartPoint& point : series.points)
                line(int(point.x), series.name,
                     {number(point.y), csvField(panel.unit), QString::fromLatin1(name(point.origin)), number(point.low),
                      number(point.high), QString::number(point.repeats), QString()});
        for (const ChartRefusal& refusal : panel.refusals)
            line(refusal.column, panel.series.value(refusal.line).name,
                 {{}, {}, {}, {}, {}, {}, csvField(refusal.why)});
    }
    return text;
}

} // namespace

const ChartKind heatmap{
    .key = "heatmap",
    .title = [] { return ChartsText::tr("Heat map"); },
    .missing = missing,
    .chart = chart,
    .suits = suits,
    .switches = switches,
    .marks = ChartMarks::Cells,
    .tip = tip,
    .csv = csv,
};

} // namespace warpglass::charts
