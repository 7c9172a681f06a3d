// SPDX-License-Identifier: GPL-3.0-or-later
// The picture holds the table it shows and the chart drawn of it; a table made of open traces is made once while the
// traces stay.
#include "views/charts/charts_view.h"

#include "views/charts/chart_drawing.h"
#include "views/charts/chart_kind.h"
#include "views/charts/chart_table.h"
#include "views/charts/charts_text.h"
#include "views/common/agreeing.h"
#include "views/common/marks.h"
#include "views/common/shown_words.h"

#include <set>

namespace warpglass {

namespace {

const ResultRow* rowAt(const ResultTable& table, int row) {
    return row >= 0 && row < int(table.rows.size()) ? &table.rows[row] : nullptr;
}

// Frames round what the pointer is at and what the keys have chosen; beside the pointer its number.
void paintPointed(QPainter& painter, const QRectF& area, const ChartDrawing& drawing, QPointF pointer, int chosen) {
    const Theme& theme = drawing.theme;
    const auto zone = drawing.zoneAt(pointer);
    painter.setBrush(Qt::NoBrush);
    for (const ChartZone& one : drawing.zones) {
        const bool hovered = zone && one.panel == zone->panel && one.series == zone->series &&
                             one.point == zone->point && one.category == zone->category && one.row == zone->row;
        if (!hovered && !(chosen >= 0 && drawing.rowOf(one) == chosen))
            continue;
        painter.setPen(QPen(theme.attention, 2 * theme.fontScale));
        painter.drawRect(one.mark.adjusted(-1, -1, 1, 1));
    }
    if (!zone || zone->series < 0)
        return;
    const QString& unit = drawing.chart.panels[zone->panel].unit;
    const QString words = drawing.pointOf(*zone).text + (unit.isEmpty() ? QString() : QLatin1Char(' ') + unit);
    const qreal width = textWidth(theme.body(), words) + 14, height = lineHeight(theme.body()) + 6;
    QRectF box(pointer.x() + 14, pointer.y() - height - 6, width, height);
    if (box.right() > area.right())
        box.moveRight(pointer.x() - 10);
    if (box.top() < area.top())
        box.moveTop(pointer.y() + 18);
    painter.setPen(QPen(theme.border, 1));
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(box, 4, 4);
    paintText(painter, box, words, theme.body(), theme.text, Qt::AlignCenter);
}

QString launchText(const ResultRow& row) {
    const auto text = [](const std::string& s) { return QString::fromStdString(s); };
    QString line =
        row.block == Dim3{0, 0, 0}
            ? text(row.kernel)
            : QStringLiteral("%1 <<<%2, %3>>>").arg(text(row.kernel), text(row.grid.text()), text(row.block.text()));
    for (const QString& part : {text(row.device), ChartsText::tr(row.mode.c_str()), text(row.policy)})
        if (!part.isEmpty())
            line += QStringLiteral("  ·  ") + part;
    return line;
}

// "5 launches · emulated NVIDIA H200 · times modelled · 1 did not run".
QString sweepCaption(const ResultTable& table) {
    std::set<QString> devices;
    std::set<Origin> times;
    int failed = 0;
    for (const ResultRow& row : table.rows) {
        const QString device = QString::fromStdString(row.device);
        devices.insert(row.backend == "cuda" ? ChartsText::tr("run on %1").arg(device)
                                             : ChartsText::tr("emulated %1").arg(device));
        if (const ResultValue* time = row.find("duration_ns"))
            times.insert(time->origin);
        failed += row.values.empty() ? 1 : 0;
    }
    QStringList parts{agreeing(ChartsText::tr("%1 {launch|launches}"), table.rows.size())};
    parts << QStringList(devices.begin(), devices.end());
    for (const Origin origin : times)
        parts << ChartsText::tr("times %1").arg(originName(origin));
    if (times.empty())
        parts << ChartsText::tr("no times: counted");
    if (failed > 0)
        parts << ChartsText::tr("%1 did not run").arg(failed);
    return parts.join(QStringLiteral("  ·  "));
}

constexpr Setting<int> chosenRow{"row", -1}; // of the table, by the keys; the window opens it with Enter

class ChartsPicture final : public Picture {
public:
    ChartsPicture(const PaintContext& of, const QRectF& on, ResultsPtr shown)
        : Picture(of, on), table(std::move(shown)), m_sweep(showsSweep(of)),
          m_drawing(drawChart(chartOf(of, *table), on, of.theme)) {}

    const ResultsPtr table;

    // Whether the table is what a context shows, too.
    bool serves(const PaintContext& other) const {
        return !m_sweep && !showsSweep(other) && openTraces(context) == openTraces(other);
    }

    void paint(QPainter& painter) const override { paintChart(painter, m_drawing); }

    void paintOverlay(QPainter& painter, QPointF pointer) const override {
        paintPointed(painter, area, m_drawing, pointer, chosenRow.of(context.options));
    }

    Spot spotAt(QPointF at) const override {
        const auto zone = m_drawing.zoneAt(at);
        if (!zone)
            return {};
        Spot spot{.where = zone->mark};
        QStringList lines;
        if (zone->series >= 0) {
            const Chart& chart = m_drawing.chart;
            const ChartPanel& panel = chart.panels[zone->panel];
            lines << chart.kind->tip(chart, panel, panel.series[zone->series], m_drawing.pointOf(*zone));
        }
        const int number = m_drawing.rowOf(*zone);
        if (const ResultRow* row = rowAt(*table, number)) {
            lines << launchText(*row);
            if (!row->error.empty())
                lines << QString::fromStdString(row->error);
            if (m_sweep && !row->values.empty()) {
                lines << ChartsText::tr("Click to open this launch.");
                spot.action = QStringLiteral("openResult:%1").arg(number);
                spot.cursor = Qt::PointingHandCursor;
            }
        }
        spot.toolTip = shown(lines.join(QLatin1Char('\n')));
        return spot;
    }

    // Up and down go through the launches, Home shows none.
    std::optional<Change> answer(const Input& input) const override {
        const auto* pressed = std::get_if<KeyInput>(&input);
        if (!pressed || pressed->modifiers != Qt::NoModifier)
            return std::nullopt;
        const int count = int(table->rows.size()), row = chosenRow.of(context.options);
        Change change = unchanged();
        switch (pressed->key) {
        case Qt::Key_Down:
        case Qt::Key_S:
            chosenRow.set(change.options, row + 1 >= count ? 0 : row + 1);
            return change;
        case Qt::Key_Up:
        case Qt::Key_W:
            chosenRow.set(change.options, row <= 0 ? count - 1 : row - 1);
            return change;
        case Qt::Key_Home:
            chosenRow.clear(change.options);
            return row >= 0 ? std::optional(change) : std::nullopt;
        default:
            return std::nullopt;
        }
    }

    QString csv() const override { return m_drawing.chart.kind->csv(m_drawing.chart); }
    QString caption() const override { return m_sweep ? sweepCaption(*table) : Picture::caption(); }

private:
    bool m_sweep;
    ChartDrawing m_drawing;
};

// The picture whose table serves again, if there is one.
const ChartsPicture* serving(const Picture* previous, const PaintContext& context) {
    const auto* last = dynamic_cast<const ChartsPicture*>(previous);
    return last && last->serves(context) ? last : nullptr;
}

class ChartsView final : public View {
public:
    QString key() const override { return QStringLiteral("charts"); }
    QString title() const override { return ChartsText::tr("Charts"); }
    QSizeF leastRoom(const PaintContext&) const override { return {460, 360}; }
    QString whyNotAsked(const PaintContext&) const override {
        return ChartsText::tr("Charts show sums of whole runs: there is no moment at which they could be predicted.");
    }
    QString question() const override {
        return ChartsText::tr("Which launch is faster, and which number explains it? Is the model right?");
    }

    QVector<Switch> switches(const PaintContext& context) const override {
        QVector<Switch> all;
        if (context.results && context.trace)
            all << ofChoice().dropDown();
        if (const ResultsPtr table = m_tables.of(context))
            all << kindSwitch(*table) << kindSwitches(kindToShow(context, *table), context.options, *table);
        else
            all << kindChoice().dropDown();
        return all;
    }

    // Only whether there is a table; what the kind of chart lacks in it, the picture says.
    std::optional<Emptiness> emptiness(const PaintContext& context) const override {
        if (showsSweep(context) || (context.trace && !context.trace->launches.empty()))
            return std::nullopt;
        return Emptiness{
            ChartsText::tr("Nothing has run yet. Open a trace, or sweep a kernel over block shapes, sizes, policies or "
                           "devices and compare."),
            QStringLiteral("sweep"), ChartsText::tr("Sweep…")};
    }

    std::optional<Emptiness> thoroughEmptiness(const PaintContext& context) const override {
        const auto empty = emptiness(context);
        return empty ? empty : chartEmptiness(context, *m_tables.of(context));
    }

    Selection looksAt(const Selection& selection) const override {
        Selection launch;
        launch.launch = selection.launch;
        return launch;
    }

    // A table is drawn at once; to make one of open traces, or to walk through them, is not if they are large.
    bool quick(const PaintContext& context, const Picture* previous) const override {
        const ChartKind* kind = kindChoice().of(context.options);
        const bool walks = kind && kind->readsTraces;
        if (!walks && (showsSweep(context) || serving(previous, context)))
            return true;
        std::size_t events = 0;
        const auto count = [&](const TracePtr& trace) { events += trace ? trace->events.size() : 0; };
        if (showsSweep(context))
            for (const ResultRow& row : context.results->rows)
                count(row.trace);
        count(context.trace);
        count(context.other);
        for (const TracePtr& companion : context.companions)
            count(companion);
        return events <= smallTraces;
    }

protected:
    PicturePtr makePicture(const PaintContext& context, const QRectF& area, Progress&,
                           const PicturePtr&) const override {
        const ResultsPtr table = m_tables.of(context);
        if (const auto missing = chartEmptiness(context, *table))
            return emptyPicture(context, area, *missing, {}, showsSweep(context) ? sweepCaption(*table) : QString());
        return std::make_shared<ChartsPicture>(context, area, table);
    }

private:
    static constexpr std::size_t smallTraces = 1'000'000; // events

    mutable KeptTable m_tables;
};

} // namespace

std::unique_ptr<View> makeChartsView() {
    return std::make_unique<ChartsView>();
}

} // namespace warpglass
