// SPDX-License-Identifier: GPL-3.0-or-later
// What warps do: the share of their time in each state, a stacked bar a launch; of one launch a bar a state.
#include "views/charts/charts_text.h"
#include "views/charts/kinds/kinds.h"
#include "views/common/state_words.h"
#include "views/common/ticks.h"

#include <algorithm>
#include <cmath>

namespace warpglass::charts {

namespace {

constexpr double worthShowing = 1; // percent; what is less in every launch is one part together

bool isShare(const ResultValue& value) {
    return value.name.starts_with("share_");
}

bool hasShares(const ResultRow& row) {
    return std::any_of(row.values.begin(), row.values.end(), isShare);
}

std::string shareOf(WarpState state) {
    return std::string("share_") + name(state);
}

// The model's states in NVIDIA's order, then what else a GPU's sampling told; those worth showing.
std::vector<std::string> statesShown(const ResultTable& table) {
    std::vector<std::string> states;
    states.reserve(std::size_t(WarpState::Count_));
    for (int s = 0; s < int(WarpState::Count_); ++s)
        states.push_back(shareOf(WarpState(s)));
    for (const ResultRow& row : table.rows)
        for (const ResultValue& value : row.values)
            if (isShare(value) && std::find(states.begin(), states.end(), value.name) == states.end())
                states.push_back(value.name);
    std::erase_if(states, [&](const std::string& state) {
        return !anyRow(table, [&](const ResultRow& row) {
            const ResultValue* value = row.find(state);
            return value && *value->median >= worthShowing;
        });
    });
    return states;
}

ChartPanel emptyPanel(const std::vector<std::string>& shown, const Theme& theme) {
    ChartPanel panel{.title = ChartsText::tr("Share of the warps' time"),
                     .metric = QStringLiteral("state"),
                     .unit = QStringLiteral("%")};
    for (const std::string& state : shown) {
        ChartSeries series{.name = stateTitle(QString::fromStdString(state)), .colour = theme.border};
        for (int s = 0; s < int(WarpState::Count_); ++s)
            if (state == shareOf(WarpState(s)))
                series.colour = theme.state(WarpState(s));
        series.pattern = int(panel.series.size()) % 7;
        panel.series.append(series);
    }
    panel.series.append({.name = stateTitle(QStringLiteral("others")), .colour = theme.border, .pattern = 1});
    return panel;
}

// One launch: a row a state says more than one long bar.
void unstack(Chart& chart, ChartPanel& panel, const Theme& theme) {
    std::vector<ChartPoint> points;
    for (const ChartSeries& series : panel.series)
        for (const ChartPoint& point : series.points)
            points.emplace_back(point).label = series.name;
    std::stable_sort(points.begin(), points.end(), [](const ChartPoint& a, const ChartPoint& b) { return a.y > b.y; });
    const int row = chart.categoryRows.value(0, -1);
    chart = {};
    panel.series = {{.name = QString(), .colour = theme.category(0)}};
    for (ChartPoint& point : points) {
        point.x = double(chart.categories.size());
        chart.addCategory(point.label, row);
        panel.series[0].points.append(point);
    }
    panel.finish();
    chart.panels.append(panel);
}

Chart chart(const PaintContext& context, const ResultTable& table) {
    Chart chart;
    chart.stacked = true;
    const RowWords words = rowWords(table);
    const std::vector<std::string> shown = statesShown(table);
    ChartPanel panel = emptyPanel(shown, context.theme);
    ChartSeries& others = panel.series.last();
    for (int r = 0; r < int(table.rows.size()); ++r) {
        const ResultRow& row = table.rows[r];
        std::optional<Origin> origin;
        for (const ResultValue& value : row.values)
            if (isShare(value) && value.median)
                origin = value.origin;
        if (!origin)
            continue;
        const QString label = words.fullName(r);
        const double x = double(chart.categories.size());
        chart.addCategory(label, r);
        const auto add = [&](ChartSeries& series, ChartPoint point) {
            point.x = x;
            point.label = label;
            point.text = decimalText(point.y); // one digit each: numbers of a column are compared
            series.points.append(point);
        };
        double sum = 0;
        for (std::size_t s = 0; s < shown.size(); ++s)
            if (const ResultValue* value = row.find(shown[s])) {
                add(panel.series[int(s)], pointOf(r, *value, {1, {}}));
                sum += *value->median;
            }
        if (const double rest = 100 - sum; rest > 0.05)
            add(others, {.y = rest, .low = rest, .high = rest, .origin = *origin, .row = r});
    }
    if (others.points.isEmpty())
        panel.series.removeLast();
    if (chart.categories.size() == 1) {
        unstack(chart, panel, context.theme);
        return chart;
    }
    panel.finish();
    chart.panels.append(panel);
    chart.legend = panel.series; // even if there is one only
    for (ChartSeries& series : chart.legend)
        series.points.clear();
    return chart;
}

} // namespace

const ChartKind states{
    .key = "states",
    .title = [] { return ChartsText::tr("What warps do"); },
    .missing = [](const PaintContext&, const ResultTable& table) -> std::optional<Emptiness> {
        if (anyRow(table, hasShares))
            return std::nullopt;
        return timeInstead(
            ChartsText::tr("What warps wait for is known where cycles were modelled, or where a GPU was sampled."));
    },
    .chart = chart,
    .suits = [](const ResultTable& table) { return table.rows.size() == 1 && hasShares(table.rows.front()); },
    .scale = ChartScale::Linear,
    .tip =
        [](const Chart& chart, const ChartPanel& panel, const ChartSeries& series, const ChartPoint& point) {
            QStringList told = chartTip(chart, panel, series, point);
            for (const WarpState state : allOf<WarpState>)
                if (series.name == stateName(state) || point.label == stateName(state))
                    told << stateExplained(state).split(QLatin1Char('\n'));
            return told;
        },
};

} // namespace warpglass::charts
