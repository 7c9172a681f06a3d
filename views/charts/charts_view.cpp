// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/charts_view.h"

#include "views/charts/chart_paint.h"
#include "views/common/marks.h"

#include <QCoreApplication>

#include <cmath>
#include <map>
#include <mutex>
#include <set>

namespace warpglass {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("ChartsView", text);
}

// What the newest picture showed: hover and click ask many times for the same.
struct Shown {
    TracePtr trace, other;
    ResultsPtr results, table;
    std::uint32_t launch = 0;
    QMap<QString, QVariant> options;
    ThemeKind theme = ThemeKind::Light;
    qreal fontScale = 0;
    QString language; // of a text that every language has its own of
    QRectF area;
    Chart chart;
    QVector<ChartZone> zones;
};

class ChartsView : public View {
public:
    QString key() const override { return QStringLiteral("charts"); }
    QString title() const override { return tr("Charts"); }
    QString question() const override {
        return tr("Which launch is faster, and which number explains it? Is the model right?");
    }

    void paint(QPainter& painter, const QRectF& area, const PaintContext& context) const override {
        const ResultsPtr table = tableOf(context);
        if (!table)
            return;
        auto shown = describe(context, table, area);
        shown->zones = paintChart(&painter, area, shown->chart, context.theme);
        const std::scoped_lock lock(m_mutex);
        m_shown = shown;
    }

    void paintOverlay(QPainter& painter, const QRectF& area, const PaintContext& context,
                      QPointF pointer) const override {
        const auto shown = shownAt(area, context);
        if (!shown)
            return;
        const auto zone = zoneAt(shown->zones, pointer, 14 * context.theme.fontScale);
        const int chosen = context.options.value(QStringLiteral("row"), -1).toInt();
        painter.setBrush(Qt::NoBrush);
        for (const ChartZone& one : shown->zones) {
            const bool hovered = zone && one.panel == zone->panel && one.series == zone->series &&
                                 one.point == zone->point && one.category == zone->category;
            const bool keyed = chosen >= 0 && rowOf(*shown, one) == chosen;
            if (!hovered && !keyed)
                continue;
            painter.setPen(QPen(context.theme.attention, 2 * context.theme.fontScale));
            painter.drawRect(one.mark.adjusted(-1, -1, 1, 1));
        }
        if (!zone || zone->series < 0)
            return;
        const ChartPanel& panel = shown->chart.panels[zone->panel];
        const ChartPoint& point = panel.series[zone->series].points[zone->point];
        const QString words = point.text + (panel.unit.isEmpty() ? QString() : QLatin1Char(' ') + panel.unit);
        const qreal width = textWidth(context.theme.body(), words) + 14, height = lineHeight(context.theme.body()) + 6;
        QRectF box(pointer.x() + 14, pointer.y() - height - 6, width, height);
        if (box.right() > area.right())
            box.moveRight(pointer.x() - 10);
        if (box.top() < area.top())
            box.moveTop(pointer.y() + 18);
        painter.setPen(QPen(context.theme.border, 1));
        painter.setBrush(context.theme.panel);
        painter.drawRoundedRect(box, 4, 4);
        paintText(painter, box, words, context.theme.body(), context.theme.text, Qt::AlignCenter);
    }

    QString toolTip(const QRectF& area, const PaintContext& context, QPointF at) const override {
        const auto shown = shownAt(area, context);
        const auto zone = shown ? zoneAt(shown->zones, at, 14 * context.theme.fontScale) : std::nullopt;
        if (!zone)
            return {};
        const int r = rowOf(*shown, *zone);
        const ResultRow* row =
            r >= 0 && r < int(shown->table->rows.size()) ? &shown->table->rows[std::size_t(r)] : nullptr;
        QStringList lines;
        if (zone->series >= 0) {
            const ChartPanel& panel = shown->chart.panels[zone->panel];
            const ChartSeries& series = panel.series[zone->series];
            const ChartPoint& point = series.points[zone->point];
            lines << QStringLiteral("%1: %2 %3 (%4)")
                         .arg(shown->chart.stacked ? series.name : panel.title, point.text, panel.unit,
                              originName(point.origin));
            if (!panel.xTitle.isEmpty() && shown->chart.kind != ChartKind::Lanes)
                lines << QStringLiteral("%1: %2 %3").arg(panel.xTitle, valueText(point.x), panel.xUnit);
            if (shown->chart.kind == ChartKind::Lanes)
                lines << point.label;
            if (point.repeats > 1)
                lines
                    << tr("%1 runs, from %2 to %3").arg(point.repeats).arg(valueText(point.low), valueText(point.high));
        }
        if (row) {
            lines << launchText(*row);
            if (!row->error.empty())
                lines << QString::fromStdString(row->error);
            if (ofSweep(context) && !row->values.empty())
                lines << tr("Click to open this launch.");
        }
        return lines.join(QLatin1Char('\n'));
    }

    QString actionAt(const QRectF& area, const PaintContext& context, QPointF at) const override {
        const auto shown = shownAt(area, context);
        const auto zone =
            shown && ofSweep(context) ? zoneAt(shown->zones, at, 14 * context.theme.fontScale) : std::nullopt;
        const int row = zone ? rowOf(*shown, *zone) : -1;
        if (row < 0 || row >= int(shown->table->rows.size()) || shown->table->rows[std::size_t(row)].values.empty())
            return {};
        return QStringLiteral("openResult:%1").arg(row);
    }

    // Up and down go through the launches, Home shows none; the window opens the chosen one with Enter.
    bool key(const QRectF& area, PaintContext& context, int key, Qt::KeyboardModifiers modifiers) const override {
        const ResultsPtr table = tableOf(context);
        if (!table || modifiers != Qt::NoModifier)
            return false;
        (void)area;
        const int count = int(table->rows.size());
        int row = context.options.value(QStringLiteral("row"), -1).toInt();
        if (key == Qt::Key_Down || key == Qt::Key_S)
            row = row + 1 >= count ? 0 : row + 1;
        else if (key == Qt::Key_Up || key == Qt::Key_W)
            row = row <= 0 ? count - 1 : row - 1;
        else if (key == Qt::Key_Home && row >= 0)
            row = -1;
        else
            return false;
        if (row < 0)
            context.options.remove(QStringLiteral("row"));
        else
            context.options[QStringLiteral("row")] = row;
        return true;
    }

    QString csv(const PaintContext& context) const override {
        const ResultsPtr table = tableOf(context);
        return !table || chartEmptiness(context, *table) ? QString() : chartCsv(chartOf(context, *table));
    }

    QString caption(const PaintContext& context) const override {
        if (!ofSweep(context))
            return {};
        std::set<QString> devices;
        std::set<Origin> times;
        int failed = 0;
        for (const ResultRow& row : context.results->rows) {
            const QString device = QString::fromStdString(row.device);
            devices.insert(row.backend == "cuda" ? tr("run on %1").arg(device) : tr("emulated %1").arg(device));
            if (const ResultValue* time = row.find("duration_ns"))
                times.insert(time->origin);
            failed += row.values.empty() ? 1 : 0;
        }
        QStringList parts{tr("%1 launches").arg(context.results->rows.size())};
        parts << QStringList(devices.begin(), devices.end());
        for (const Origin origin : times)
            parts << tr("times %1").arg(originName(origin));
        if (times.empty())
            parts << tr("no times: counted");
        if (failed > 0)
            parts << tr("%1 did not run").arg(failed);
        return parts.join(QStringLiteral("  ·  "));
    }

    QVector<Switch> switches(const PaintContext& context) const override {
        QVector<Switch> all;
        Switch chart{
            QStringLiteral("chart"), tr("Chart"), {{QStringLiteral("auto"), tr("Automatic")}}, QStringLiteral("auto")};
        for (int k = 0; k <= int(ChartKind::Roofline); ++k)
            chart.choices.append({kindKey(ChartKind(k)), kindTitle(ChartKind(k))});
        if (context.results && context.trace)
            all << Switch{QStringLiteral("of"),
                          tr("Of"),
                          {{QStringLiteral("sweep"), tr("the sweep")}, {QStringLiteral("open"), tr("what is open")}},
                          QStringLiteral("sweep")};
        all << chart;
        const ResultsPtr table = tableOf(context);
        if (!table)
            return all;
        const ChartKind kind = kindToShow(context, *table);
        QVector<QPair<QString, QString>> metrics;
        for (const QString& metric : metricsIn(*table))
            metrics.append({metric, metricTitle(metric)});
        const auto with = [&](std::initializer_list<QPair<QString, QString>> before) {
            QVector<QPair<QString, QString>> choices(before);
            return choices + metrics;
        };
        if (kind == ChartKind::Bars || kind == ChartKind::Lines) {
            all << Switch{QStringLiteral("metrics"), tr("Numbers"),
                          with({{QStringLiteral("usual"), tr("The usual ones")}, {QStringLiteral("all"), tr("All")}}),
                          QStringLiteral("usual")};
            all << Switch{QStringLiteral("beside"), tr("and"), with({{QStringLiteral("none"), tr("nothing else")}}),
                          QStringLiteral("none")};
        }
        if (kind == ChartKind::Scatter) {
            all << Switch{QStringLiteral("x"), tr("Across"), metrics,
                          metrics.isEmpty() ? QString() : scatterAxis(*table, true)};
            all << Switch{QStringLiteral("y"), tr("Up"), metrics,
                          metrics.isEmpty() ? QString() : scatterAxis(*table, false)};
        }
        if (kind == ChartKind::Bars)
            all << Switch{QStringLiteral("sort"),
                          tr("Order"),
                          {{QStringLiteral("swept"), tr("as run")},
                           {QStringLiteral("value"), tr("best first")},
                           {QStringLiteral("name"), tr("by name")}},
                          QStringLiteral("swept")};
        if (kind != ChartKind::States && kind != ChartKind::Residency && kind != ChartKind::Roofline)
            all << Switch{
                QStringLiteral("scale"),
                tr("Scale"),
                {{QStringLiteral("linear"), tr("linear scale")}, {QStringLiteral("log"), tr("logarithmic scale")}},
                kind == ChartKind::Model ? QStringLiteral("log") : QStringLiteral("linear")};
        return all;
    }

    std::optional<Emptiness> emptiness(const PaintContext& context) const override {
        const ResultsPtr table = tableOf(context);
        if (!table)
            return Emptiness{
                tr("Nothing has run yet. Open a trace, or sweep a kernel over block shapes, sizes, policies or "
                   "devices and compare."),
                QStringLiteral("sweep"), tr("Sweep…")};
        return chartEmptiness(context, *table);
    }

private:
    static QString scatterAxis(const ResultTable& table, bool across) {
        const QStringList there = metricsIn(table);
        const auto either = [&](const char* first, const char* second) {
            return there.contains(QLatin1String(first)) ? QString::fromLatin1(first) : QString::fromLatin1(second);
        };
        return across ? either("achieved_occupancy", "theoretical_occupancy") : either("duration_ns", "gld_efficiency");
    }

    static QString launchText(const ResultRow& row) {
        const auto text = [](const std::string& s) { return QString::fromStdString(s); };
        QString line = row.block == Dim3{0, 0, 0}
                           ? text(row.kernel)
                           : QStringLiteral("%1 <<<%2, %3>>>")
                                 .arg(text(row.kernel), text(row.grid.text()), text(row.block.text()));
        for (const std::string& part : {row.device, row.mode, row.policy})
            if (!part.empty())
                line += QStringLiteral("  ·  ") + text(part);
        return line;
    }

    static int rowOf(const Shown& shown, const ChartZone& zone) {
        if (zone.series >= 0)
            return shown.chart.panels[zone.panel].series[zone.series].points[zone.point].row;
        return zone.category >= 0 ? shown.chart.categoryRows.value(zone.category, -1) : -1;
    }

    static bool ofSweep(const PaintContext& context) {
        const bool open = optionOf(context, QStringLiteral("of"), QStringLiteral("sweep")) == QLatin1String("open");
        return context.results && !context.results->rows.empty() && !(open && context.trace);
    }

    // The table of the traces is worked out once, not at every question.
    ResultsPtr tableOf(const PaintContext& context) const {
        if (ofSweep(context))
            return context.results;
        const std::scoped_lock lock(m_mutex);
        if (!m_table || m_trace != context.trace || m_other != context.other || m_companions != context.companions ||
            m_launch != context.selection.launch) {
            m_table = tableToShow(context);
            m_trace = context.trace;
            m_other = context.other;
            m_companions = context.companions;
            m_launch = context.selection.launch;
        }
        return m_table;
    }

    std::shared_ptr<Shown> describe(const PaintContext& context, const ResultsPtr& table, const QRectF& area) const {
        auto shown = std::make_shared<Shown>();
        shown->trace = context.trace;
        shown->other = context.other;
        shown->results = context.results;
        shown->table = table;
        shown->launch = context.selection.launch;
        shown->options = context.options;
        shown->options.remove(QStringLiteral("row"));
        shown->theme = context.theme.kind;
        shown->fontScale = context.theme.fontScale;
        shown->language = title();
        shown->area = area;
        shown->chart = chartOf(context, *table);
        return shown;
    }

    std::shared_ptr<const Shown> shownAt(const QRectF& area, const PaintContext& context) const {
        const ResultsPtr table = tableOf(context);
        if (!table || chartEmptiness(context, *table))
            return nullptr;
        QMap<QString, QVariant> options = context.options;
        options.remove(QStringLiteral("row"));
        {
            const std::scoped_lock lock(m_mutex);
            if (m_shown && m_shown->table == table && m_shown->area == area && m_shown->options == options &&
                m_shown->launch == context.selection.launch && m_shown->theme == context.theme.kind &&
                m_shown->fontScale == context.theme.fontScale && m_shown->language == title())
                return m_shown;
        }
        auto shown = describe(context, table, area);
        shown->zones = paintChart(nullptr, area, shown->chart, context.theme);
        const std::scoped_lock lock(m_mutex);
        m_shown = shown;
        return shown;
    }

    mutable std::mutex m_mutex;
    mutable std::shared_ptr<const Shown> m_shown;
    mutable ResultsPtr m_table;
    mutable TracePtr m_trace, m_other;
    mutable std::vector<TracePtr> m_companions;
    mutable std::uint32_t m_launch = 0;
};

} // namespace

std::unique_ptr<View> makeChartsView() {
    return std::make_unique<ChartsView>();
}

} // namespace warpglass
