// SPDX-License-Identifier: GPL-3.0-or-later
// A row is called by what differs between the rows and by nothing else: what differs in shape is its category, what
// differs in where and how it ran is its series, which has a colour.
#include "views/charts/chart_table.h"

#include "views/charts/charts_text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace warpglass {

namespace {

template <typename Text>
bool differs(const ResultTable& table, Text text) {
    std::set<std::string> values;
    for (const ResultRow& row : table.rows)
        if (std::string value = text(row); !value.empty()) // what is not known is no other
            values.insert(std::move(value));
    return values.size() > 1;
}

std::string shape(Dim3 d) {
    return d == Dim3{0, 0, 0} ? std::string() : d.text();
}

} // namespace

Choice<ChartOf> ofChoice() {
    return {"of",
            ChartsText::tr("Of"),
            {{ChartOf::Sweep, "sweep", ChartsText::tr("the sweep")},
             {ChartOf::Open, "open", ChartsText::tr("what is open")}}};
}

bool showsSweep(const PaintContext& context) {
    const bool open = context.trace && ofChoice().of(context.options) == ChartOf::Open;
    return context.results && !context.results->rows.empty() && !open;
}

ResultsPtr tableToShow(const PaintContext& context) {
    if (showsSweep(context))
        return context.results;
    if (!context.trace || context.trace->launches.empty())
        return nullptr;
    auto table = std::make_shared<ResultTable>();
    const std::uint32_t launch =
        context.selection.launch < context.trace->launches.size() ? context.selection.launch : 0;
    table->rows.push_back(rowOf(context.trace, launch));
    if (context.other && !context.other->launches.empty())
        table->rows.push_back(rowOf(context.other));
    for (const TracePtr& companion : context.companions)
        if (companion && !companion->launches.empty())
            table->rows.push_back(rowOf(companion));
    addSpeedups(*table);
    return table;
}

OpenTraces openTraces(const PaintContext& context) {
    return {context.trace, context.other, context.companions, context.selection.launch};
}

ResultsPtr KeptTable::of(const PaintContext& context) {
    if (showsSweep(context))
        return context.results;
    const std::lock_guard lock(m_mutex);
    if (OpenTraces now = openTraces(context); !m_table || now != m_madeOf) {
        m_table = tableToShow(context);
        m_madeOf = m_table ? std::move(now) : OpenTraces{};
    }
    return m_table;
}

QString RowWords::shortName(int row) const {
    return category[row].isEmpty() ? series[row] : category[row];
}

QString RowWords::fullName(int row) const {
    return series[row].isEmpty() || category[row].isEmpty() ? shortName(row)
                                                            : category[row] + QStringLiteral(" · ") + series[row];
}

RowWords rowWords(const ResultTable& table) {
    RowWords words;
    words.kernels = differs(table, [](const ResultRow& r) { return r.kernel; });
    words.blocks = differs(table, [](const ResultRow& r) { return shape(r.block); });
    words.sizes =
        differs(table, [](const ResultRow& r) { return r.size > 0 ? std::to_string(r.size) : std::string(); });
    // The grid often follows from block and size, and then says nothing of its own.
    std::set<std::string> withGrid, withoutGrid;
    for (const ResultRow& row : table.rows) {
        const std::string rest = row.kernel + "/" + shape(row.block) + "/" + std::to_string(row.size) + "/" +
                                 row.backend + "/" + row.device + "/" + row.mode + "/" + row.policy + "/" + row.label;
        if (shape(row.grid).empty())
            continue;
        withoutGrid.insert(rest);
        withGrid.insert(rest + "/" + shape(row.grid));
    }
    words.grids = withGrid.size() > withoutGrid.size();
    const bool devices = differs(table, [](const ResultRow& r) { return r.device; });
    const bool backends = differs(table, [](const ResultRow& r) { return r.backend; });
    const bool modes = differs(table, [](const ResultRow& r) { return r.mode; });
    const bool policies = differs(table, [](const ResultRow& r) { return r.policy; });
    const bool labels = differs(table, [](const ResultRow& r) { return r.label; });
    // Blocks that differ only because each kernel has its own say nothing either.
    std::set<std::string> kernelBlocks, kernels;
    for (const ResultRow& row : table.rows) {
        kernels.insert(row.kernel);
        kernelBlocks.insert(row.kernel + "/" + shape(row.block));
    }
    const bool blockWords = words.blocks && (!words.kernels || kernelBlocks.size() > kernels.size());
    for (const ResultRow& row : table.rows) {
        QStringList category, series;
        const auto text = [](const std::string& s) { return QString::fromStdString(s); };
        if (labels && !row.label.empty()) {
            category << text(row.label);
        } else {
            if (words.kernels)
                category << text(row.kernel);
            if (blockWords)
                category << text(shape(row.block));
            if (words.grids)
                category << ChartsText::tr("grid %1").arg(text(shape(row.grid)));
            if (words.sizes && row.size > 0)
                category << ChartsText::tr("size %1").arg(row.size);
        }
        if (devices)
            series << text(row.device);
        if (backends)
            series << (row.backend == "cuda" ? ChartsText::tr("GPU") : ChartsText::tr("emulator"));
        if (modes)
            series << ChartsText::tr(row.mode.c_str());
        if (policies && !row.policy.empty())
            series << text(row.policy);
        if (category.isEmpty() && series.isEmpty())
            category << text(row.kernel);
        words.category << category.join(QStringLiteral(" · "));
        words.series << series.join(QStringLiteral(" · "));
    }
    // Nothing but the series differs: they are the categories.
    if (std::all_of(words.category.begin(), words.category.end(), [](const QString& c) { return c.isEmpty(); })) {
        words.category = words.series;
        words.series.fill(QString());
    }
    // The same launch twice is two rows. Each name knows the number that it had last: a table of one launch many times
    // would else try all of them for each row.
    std::set<std::pair<QString, QString>> seen;
    std::map<std::pair<QString, QString>, int> last;
    for (int i = 0; i < words.category.size(); ++i) {
        QString name = words.category[i];
        int& n = last.try_emplace({words.category[i], words.series[i]}, 1).first->second;
        while (!seen.insert({name, words.series[i]}).second)
            name = QStringLiteral("%1 (%2)").arg(words.category[i], QString::number(++n));
        words.category[i] = name;
    }
    return words;
}

QStringList metricsIn(const ResultTable& table) {
    QStringList names;
    for (const ResultRow& row : table.rows)
        for (const ResultValue& value : row.values) {
            const QString name = QString::fromStdString(value.name);
            if (value.median && !name.startsWith(QLatin1String("share_")) &&
                !name.startsWith(QLatin1String("pc_sampl")) && name != QLatin1String("profiler_passes") &&
                !names.contains(name))
                names << name;
        }
    return names;
}

QStringList usualMetrics(const ResultTable& table) {
    const QStringList there = metricsIn(table);
    const auto constant = [&](const char* name) {
        double least = 0, most = 0;
        bool any = false;
        for (const ResultRow& row : table.rows)
            if (const ResultValue* value = row.find(name)) {
                least = any ? std::min(least, *value->median) : *value->median;
                most = any ? std::max(most, *value->median) : *value->median;
                any = true;
            }
        return !any || most - least <= 0.01 * std::abs(most);
    };
    QStringList chosen;
    const auto take = [&](std::initializer_list<const char*> names, int most) {
        for (const char* name : names)
            if (chosen.size() < most && there.contains(QLatin1String(name)) && !chosen.contains(QLatin1String(name)))
                chosen << QString::fromLatin1(name);
    };
    const RowWords words = rowWords(table);
    if (differs(table, [](const ResultRow& r) { return r.policy; })) // what a policy changes
        take({"duration_ns", "achieved_occupancy", "issue_slot_utilization", "stall_sync"}, 4);
    else if (words.kernels && there.contains(QLatin1String("total_speedup"))) {
        take({"duration_ns", "step_speedup", "total_speedup"}, 5);
        if (!constant("gld_efficiency") || !constant("gst_efficiency"))
            take({"gld_efficiency", "gst_efficiency"}, 5);
        else
            take({"effective_bandwidth"}, 5);
    }
    take({"duration_ns", "achieved_occupancy"}, 4);
    if (!there.contains(QLatin1String("achieved_occupancy")))
        take({"theoretical_occupancy"}, 4);
    take({"gld_throughput", "gld_efficiency", "gst_efficiency", "warp_execution_efficiency", "inst_per_warp"}, 4);
    if (chosen.isEmpty())
        chosen = there.mid(0, 4);
    return chosen;
}

} // namespace warpglass
