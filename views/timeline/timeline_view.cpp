// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_view.h"

#include "views/common/marks.h"
#include "views/common/ticks.h"
#include "views/timeline/timeline_paint.h"

#include <QApplication>
#include <QInputDialog>

#include <cmath>
#include <mutex>

namespace warpglass {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("TimelineView", text);
}

std::set<std::uint32_t> toggledOf(const PaintContext& context) {
    std::set<std::uint32_t> groups;
    for (const QString& one : context.options.value("toggled").toString().split(',', Qt::SkipEmptyParts))
        groups.insert(one.toUInt());
    return groups;
}

TimelineGrouping groupingOf(const PaintContext& context) {
    return optionOf(context, "rows", "hardware") == "program" ? TimelineGrouping::Program : TimelineGrouping::Hardware;
}

double rowHeightOf(const PaintContext& context) {
    const double standard = lineHeight(context.theme.small()) * 1.35;
    const double set = context.options.value("rowHeight").toDouble();
    return set > 0 ? std::clamp(set, 2.0, 80.0) : standard;
}

TimelineLayout layoutOf(const QRectF& area, const TimelineModel& model, const PaintContext& context) {
    return timelineLayout(area, model, lineHeight(context.theme.body()), rowHeightOf(context),
                          context.options.value("scroll").toDouble(), context.selection.visible, toggledOf(context));
}

const TimelineLine* lineAt(const TimelineLayout& layout, QPointF at) {
    if (at.y() < layout.rows.top() || at.y() >= layout.rows.bottom())
        return nullptr;
    for (const TimelineLine& line : layout.lines)
        if (at.y() >= line.y && at.y() < line.y + line.height)
            return &line;
    return nullptr;
}

// The warp of a row that is there at a time, or the nearest one.
std::uint32_t warpAt(const TimelineModel& model, const TimelineRow& row, Time time) {
    std::uint32_t best = row.warps.front();
    for (std::uint32_t w : row.warps)
        if (model.trace->warps[w].start <= time)
            best = w;
    return best;
}

// The event boundary nearest to a point, if it is within 6 pixels: measuring and clicking snap to it.
Time snapped(const TimelineLayout& layout, const TimelineModel& model, const TimelineLine* line, double x) {
    const Time time = layout.scale.time(x);
    if (!line || line->row == noIndex)
        return time;
    const Warp& warp = model.trace->warps[warpAt(model, model.rows[line->row], time)];
    const std::int64_t before = model.trace->eventAt(warp, time);
    Time best = time;
    double distance = 6;
    for (std::int64_t i = std::max<std::int64_t>(0, before); i <= before + 1 && i < std::int64_t(warp.eventCount);
         ++i) {
        const Time t = model.trace->event(warp, std::uint32_t(i)).time;
        if (std::abs(layout.scale.x(t) - x) < distance) {
            distance = std::abs(layout.scale.x(t) - x);
            best = t;
        }
    }
    return best;
}

// How much of the run is here: events are recorded of chosen blocks, and a part must not pass for the whole.
QString warpsText(const Trace& trace) {
    std::uint64_t ran = 0;
    for (const Launch& launch : trace.launches)
        if (launch.status == LaunchStatus::Ran)
            ran += launch.grid.count() * warpsFor(launch.block.count());
    const QString warps = numberText(std::uint64_t(trace.warps.size()));
    const QString events = numberText(std::uint64_t(trace.events.size()));
    return trace.warps.size() < ran ? tr("%1 of %2 warps were recorded, %3 events").arg(warps, numberText(ran), events)
                                    : tr("%1 warps, %2 events").arg(warps, events);
}

TimelineNotes notesOf(const PaintContext& context) {
    return notesFromOption(context.options.value(notesOption));
}

// How far a note may be from the pointer or the cursor to be meant: six pixels.
Time reachOf(const TimelineLayout& layout) {
    return {std::max<std::int64_t>(
        1, std::int64_t(6 * double(layout.scale.window.length().value) / std::max(1.0, layout.scale.width)))};
}

std::optional<QString> askByDialog(const QString& title, const QString& now) {
    bool accepted = false;
    const QString text =
        QInputDialog::getText(QApplication::activeWindow(), title, tr("note"), QLineEdit::Normal, now, &accepted);
    return accepted ? std::optional(text) : std::nullopt;
}

class TimelineView final : public View {
public:
    explicit TimelineView(AskText ask) : m_ask(std::move(ask)) {}

    QString key() const override { return "timeline"; }
    QString title() const override { return tr("Timeline"); }
    QString question() const override { return tr("Do the warps go forward together, and who waits for whom?"); }

    bool prepared(const PaintContext& context) const override {
        const std::lock_guard lock(m_mutex);
        return !context.trace || (m_model && fits(context));
    }

    void prepare(const PaintContext& context, Progress& progress) const override {
        if (!context.trace)
            return;
        auto model = buildTimelineModel(context.trace, context.selection.launch, groupingOf(context), progress);
        if (!model)
            return; // cancelled
        const std::lock_guard lock(m_mutex);
        m_model = std::move(model);
        m_launch = context.selection.launch;
    }

    void paint(QPainter& painter, const QRectF& area, const PaintContext& context) const override {
        const auto model = modelOf(context);
        if (!model)
            return;
        const Theme& theme = context.theme;
        const TimelineLayout layout = layoutOf(area, *model, context);
        const Trace& trace = *context.trace;
        const QString title = tr("When each warp ran and waited");
        paintText(painter, layout.title, title, theme.title(), theme.text);
        QPointF chip(layout.title.left() + textWidth(theme.title(), title) + 14,
                     layout.title.top() + (layout.title.height() - chipHeight(theme)) / 2);
        const QRectF first = paintOriginChip(painter, chip, trace.info.timeOrigin, theme);
        QStringList notes;
        if (trace.info.clockResidual > 0)
            notes << tr("clocks agree to ± %1").arg(timeText({trace.info.clockResidual}, trace.info.timeUnit));
        if (trace.info.timeUnit == TimeUnit::Steps)
            notes << tr("time in steps: one warp instruction each, no latency");
        const std::uint64_t lost = trace.lostEvents();
        if (lost > 0)
            notes << tr("%1 events did not fit and are missing").arg(numberText(lost));
        if (model->rows.size() > 0)
            notes << warpsText(trace);
        paintText(painter,
                  QRectF(first.right() + 12, layout.title.top(), layout.title.right() - first.right() - 12,
                         layout.title.height()),
                  notes.join("  ·  "), theme.small(), lost > 0 ? theme.wrong : theme.textMuted);
        paintTimelineOverview(painter, layout, *model, theme);
        paintTimelineStack(painter, layout.stacked, *model, nullptr, layout.scale.window, true, theme);
        paintTimelineRuler(painter, layout, trace, theme);
        paintTimelineRows(painter, layout, *model, context);
        paintTimelineNotes(painter, layout, notesOf(context), theme);
        paintTimelineLegend(painter, layout.legend, *model, theme);
        paintMarks(painter, layout, context);
        const double x = layout.scale.x(context.selection.time);
        if (x >= layout.rows.left() && x <= layout.rows.right()) {
            painter.setPen(QPen(theme.attention, 1.5));
            painter.drawLine(QPointF(x, layout.stacked.top()), QPointF(x, layout.rows.bottom()));
        }
    }

    void paintOverlay(QPainter& painter, const QRectF& area, const PaintContext& context,
                      QPointF pointer) const override {
        const auto model = readyModel(context);
        if (!model)
            return;
        const TimelineLayout layout = layoutOf(area, *model, context);
        if (pointer.x() < layout.rows.left() || pointer.x() > layout.rows.right() ||
            pointer.y() < layout.stacked.top() || pointer.y() > layout.rows.bottom())
            return;
        const Theme& theme = context.theme;
        const Time time = snapped(layout, *model, lineAt(layout, pointer), pointer.x());
        const double x = layout.scale.x(time);
        painter.setPen(QPen(theme.textMuted, 1, Qt::DashLine));
        painter.drawLine(QPointF(x, layout.stacked.top()), QPointF(x, layout.rows.bottom()));
        const QString text = timeText(time - context.trace->range().begin, context.trace->info.timeUnit);
        const double width = textWidth(theme.small(), text) + 10;
        const QRectF label(std::min(x + 4, layout.rows.right() - width),
                           layout.ruler.top() - lineHeight(theme.small()) - 2, width, lineHeight(theme.small()) + 2);
        painter.fillRect(label, theme.panel);
        paintText(painter, label, text, theme.small(), theme.text, Qt::AlignCenter);
    }

    Selection hit(const QRectF& area, const PaintContext& context, QPointF at) const override {
        Selection selection = context.selection;
        const auto model = readyModel(context);
        if (!model)
            return selection;
        const TimelineLayout layout = layoutOf(area, *model, context);
        if (layout.overview.contains(at)) { // the window moves there
            const TimelineScale whole{model->range, layout.overview.left(), layout.overview.width()};
            const Time half{layout.scale.window.length().value / 2};
            const Time middle = whole.time(at.x());
            selection.visible = TimelineScale{{middle - half, middle + half}, 0, 1}.shifted(0, model->range);
            return selection;
        }
        if (at.x() < layout.labels.left() || at.x() > layout.rows.right())
            return selection;
        const TimelineLine* line = lineAt(layout, at);
        if (at.x() >= layout.rows.left())
            selection.time = snapped(layout, *model, line, at.x());
        if (at.y() >= layout.stacked.top() && at.y() < layout.rows.top()) {
            const TimelineNotes notes = notesOf(context);
            const int n = noteNear(notes, layout.scale.time(at.x()), reachOf(layout));
            return n < 0 ? selection : atNote(selection, context, notes[n]);
        }
        if (line && line->row != noIndex) {
            selection.warp = warpAt(*model, model->rows[line->row], selection.time);
            selection.block = context.trace->warps[selection.warp].block;
            selection = completed(selection, *context.trace);
        }
        return selection;
    }

    bool press(const QRectF& area, PaintContext& context, QPointF at) const override {
        const auto model = readyModel(context);
        if (!model)
            return false;
        const TimelineLayout layout = layoutOf(area, *model, context);
        const TimelineLine* line = lineAt(layout, at);
        if (!line || line->row != noIndex || at.x() > layout.labels.right())
            return false;
        std::set<std::uint32_t> toggled = toggledOf(context);
        if (!toggled.erase(line->group))
            toggled.insert(line->group);
        QStringList list;
        for (std::uint32_t group : toggled)
            list << QString::number(group);
        context.options["toggled"] = list.join(',');
        return true;
    }

    QString toolTip(const QRectF& area, const PaintContext& context, QPointF at) const override {
        const auto model = readyModel(context);
        if (!model)
            return {};
        const TimelineLayout layout = layoutOf(area, *model, context);
        const TimelineLine* line = lineAt(layout, at);
        if (at.y() >= layout.stacked.top() && at.y() < layout.rows.top()) {
            const TimelineNotes notes = notesOf(context);
            const int n = noteNear(notes, layout.scale.time(at.x()), reachOf(layout));
            return n < 0 ? QString() : noteText(context, notes[n]);
        }
        if (!line || at.x() < layout.rows.left() || at.x() > layout.rows.right())
            return {};
        TimelineColumns columns;
        columns.reset(1, model->categories);
        const TimeRange pixel{layout.scale.time(at.x()), layout.scale.time(at.x() + 1) + Time{1}};
        QString text;
        if (line->row == noIndex) {
            model->stacked(&model->groups[line->group], pixel, columns);
            text = tr("warps by state at %1")
                       .arg(timeText(pixel.begin - context.trace->range().begin, context.trace->info.timeUnit));
            for (int k = 0; k < model->categories; ++k)
                if (columns.share(0, k) > 0.005f)
                    text += QString("\n%1: %2")
                                .arg(timelineCategoryName(*model, k), decimalText(double(columns.share(0, k)), 1));
            return text;
        }
        const TimelineRow& row = model->rows[line->row];
        model->columns(row, pixel, columns);
        const Warp& warp = context.trace->warps[warpAt(*model, row, pixel.begin)];
        const Block& block = context.trace->blockOf(warp);
        text = tr("warp %1 of block %2 on SM %3")
                   .arg(warp.warpInBlock)
                   .arg(QString::fromStdString(context.trace->blockIndex(block).indexText()))
                   .arg(block.sm);
        if (columns.count(0) == 0)
            return text + "\n" + tr("not there");
        text += "\n" + timelineCategoryName(*model, std::max(0, columns.dominant(0)));
        TimelineColumns masks;
        masks.reset(1, 2);
        model->lanes(row, pixel, masks);
        if (masks.count(0) > 1)
            text += "\n" + tr("%1 events under this pixel").arg(numberText(std::uint64_t(masks.count(0))));
        if (masks.count(0) > 0)
            text += "\n" + tr("lanes on: 0x%1").arg(masks.any(0).bits, 8, 16, QLatin1Char('0'));
        return text + "\n" + originName(context.trace->info.timeOrigin);
    }

    bool wheel(const QRectF& area, PaintContext& context, QPointF at, double steps,
               Qt::KeyboardModifiers modifiers) const override {
        const auto model = readyModel(context);
        if (!model)
            return false;
        const TimelineLayout layout = layoutOf(area, *model, context);
        if (modifiers & Qt::ControlModifier) {
            context.options["rowHeight"] = std::clamp(rowHeightOf(context) * std::pow(1.15, steps), 2.0, 80.0);
            return true;
        }
        if (at.x() < layout.rows.left() || (modifiers & Qt::ShiftModifier)) {
            context.options["scroll"] =
                std::clamp(layout.scroll - steps * 60, 0.0, std::max(0.0, layout.contentHeight - layout.rows.height()));
            return true;
        }
        const TimeRange next = layout.scale.zoomed(at.x(), std::pow(0.8, steps), model->range);
        context.selection.visible = next == model->range ? TimeRange{} : next;
        return true;
    }

    bool drag(const QRectF& area, PaintContext& context, QPointF from, QPointF to) const override {
        const auto model = readyModel(context);
        if (!model)
            return false;
        const TimelineLayout layout = layoutOf(area, *model, context);
        if (from.y() < layout.rows.top() &&
            from.y() >= layout.stacked.top()) { // measuring: a span on the chart or the ruler
            // A drag goes on where the last one ended; elsewhere it begins a new measurement.
            const double last = layout.scale.x({context.options.value("measureTo").toLongLong()});
            if (!context.options.contains("measureTo") || std::abs(last - from.x()) > 3)
                context.options["measureFrom"] = QVariant::fromValue<qlonglong>(layout.scale.time(from.x()).value);
            context.options["measureTo"] = QVariant::fromValue<qlonglong>(layout.scale.time(to.x()).value);
            return true;
        }
        context.options["scroll"] = std::clamp(layout.scroll + from.y() - to.y(), 0.0,
                                               std::max(0.0, layout.contentHeight - layout.rows.height()));
        if (from.x() != to.x()) {
            const TimeRange next = layout.scale.shifted(to.x() - from.x(), model->range);
            context.selection.visible = next == model->range ? TimeRange{} : next;
        }
        return true;
    }

    bool key(const QRectF& area, PaintContext& context, int key, Qt::KeyboardModifiers modifiers) const override {
        const auto model = readyModel(context);
        if (!model)
            return false;
        const TimelineLayout layout = layoutOf(area, *model, context);
        const auto show = [&](TimeRange next) {
            context.selection.visible = next == model->range ? TimeRange{} : next;
            return true;
        };
        const double middle = layout.scale.left + layout.scale.width / 2, step = layout.scale.width * 0.15;
        switch (key) {
        case Qt::Key_W:
            return show(layout.scale.zoomed(middle, 0.7, model->range));
        case Qt::Key_S:
            return modifiers == Qt::NoModifier && show(layout.scale.zoomed(middle, 1 / 0.7, model->range));
        case Qt::Key_A:
        case Qt::Key_Left:
            return show(layout.scale.shifted(step, model->range));
        case Qt::Key_D:
        case Qt::Key_Right:
            return show(layout.scale.shifted(-step, model->range));
        case Qt::Key_Up:
        case Qt::Key_Down:
            context.options["scroll"] = std::clamp(layout.scroll + (key == Qt::Key_Down ? 60.0 : -60.0), 0.0,
                                                   std::max(0.0, layout.contentHeight - layout.rows.height()));
            return true;
        case Qt::Key_Home:
            context.options["measureFrom"] = context.options["measureTo"] = 0;
            return show(model->range);
        case Qt::Key_F: {
            if (context.selection.warp == noIndex || context.selection.warp >= context.trace->warps.size())
                return false;
            const Warp& warp = context.trace->warps[context.selection.warp];
            const Time margin{std::max<std::int64_t>(4, (warp.end - warp.start).value / 20)};
            return show(
                {std::max(model->range.begin, warp.start - margin), std::min(model->range.end, warp.end + margin)});
        }
        case Qt::Key_B:
            if (modifiers != Qt::NoModifier)
                return false;
            context.options[notesOption] =
                notesToOption(withNote(notesOf(context), {context.selection.time, context.selection.warp, {}}));
            return true;
        case Qt::Key_E:
        case Qt::Key_Delete:
            return changeNote(layout, context, key == Qt::Key_Delete);
        case Qt::Key_N:
            return toNote(layout, *model, context, modifiers & Qt::ShiftModifier ? -1 : 1);
        default:
            return false;
        }
    }

    QVector<Switch> switches(const PaintContext&) const override {
        return {{"rows",
                 tr("rows"),
                 {{"hardware", tr("SM and warp slot")}, {"program", tr("block and warp")}},
                 "hardware"}};
    }

    QString csv(const PaintContext& context) const override {
        const auto model = modelOf(context);
        if (!model)
            return {};
        // Warps by state over the visible time, in 1000 equal parts.
        const TimeRange window =
            context.selection.visible.length().value > 0 ? context.selection.visible : model->range;
        TimelineColumns columns;
        columns.reset(1000, model->categories);
        model->stacked(nullptr, window, columns);
        QString csv = QString("time_%1").arg(name(context.trace->info.timeUnit));
        for (int k = 0; k < model->categories; ++k)
            csv += QString(",warps_%1")
                       .arg(model->hasStates() ? name(WarpState(k))
                            : k == 1           ? "waiting_at_barrier"
                                               : "running");
        csv += ",origin\n";
        for (std::size_t c = 0; c < columns.size(); ++c) {
            csv += QString::number(window.begin.value +
                                   std::int64_t(double(window.length().value) * double(c) / double(columns.size())));
            for (int k = 0; k < model->categories; ++k)
                csv += QString(",%1").arg(double(columns.share(c, k)), 0, 'f', 3);
            csv += QString(",%1\n").arg(name(context.trace->info.timeOrigin));
        }
        return csv;
    }

    std::optional<Emptiness> emptiness(const PaintContext& context) const override {
        if (!context.trace)
            return Emptiness{tr("No kernel has been run yet."), "run", tr("Run the chosen kernel")};
        if (context.trace->warps.empty())
            return Emptiness{tr("This recording holds no warps: only totals were kept."), "recordDetail",
                             tr("Run again with detail")};
        return std::nullopt;
    }

private:
    bool fits(const PaintContext& context) const {
        return m_model->trace == context.trace && m_launch == context.selection.launch &&
               m_model->grouping == groupingOf(context);
    }

    // Whatever is ready; for pointing, which must not wait.
    std::shared_ptr<const TimelineModel> readyModel(const PaintContext& context) const {
        const std::lock_guard lock(m_mutex);
        return context.trace && m_model && fits(context) ? m_model : nullptr;
    }

    std::shared_ptr<const TimelineModel> modelOf(const PaintContext& context) const {
        if (!context.trace)
            return nullptr;
        if (!prepared(context)) {
            Progress nobody;
            prepare(context, nobody);
        }
        return readyModel(context);
    }

    static Selection atNote(Selection selection, const PaintContext& context, const TimelineNote& note) {
        selection.time = note.time;
        if (note.warp < context.trace->warps.size()) {
            selection.warp = note.warp;
            selection.block = context.trace->warps[note.warp].block;
        }
        return completed(selection, *context.trace);
    }

    static QString noteText(const PaintContext& context, const TimelineNote& note) {
        const QString when = timeText(note.time - context.trace->range().begin, context.trace->info.timeUnit);
        return note.text.isEmpty() ? tr("bookmark at %1").arg(when) : note.text + "\n" + when;
    }

    // The note at the cursor: edited, or taken away.
    bool changeNote(const TimelineLayout& layout, PaintContext& context, bool remove) const {
        TimelineNotes notes = notesOf(context);
        const int n = noteNear(notes, context.selection.time, reachOf(layout));
        if (n < 0)
            return false;
        if (remove) {
            notes.removeAt(n);
        } else {
            const auto text =
                m_ask(tr("Note at %1")
                          .arg(timeText(notes[n].time - context.trace->range().begin, context.trace->info.timeUnit)),
                      notes[n].text);
            if (!text)
                return false;
            notes[n].text = text->simplified();
        }
        context.options[notesOption] = notesToOption(notes);
        return true;
    }

    // The next or previous note becomes the cursor, and comes into sight.
    static bool toNote(const TimelineLayout& layout, const TimelineModel& model, PaintContext& context, int direction) {
        const TimelineNotes notes = notesOf(context);
        const int n = noteAfter(notes, context.selection.time, direction);
        if (n < 0)
            return false;
        context.selection = atNote(context.selection, context, notes[n]);
        const TimeRange window = layout.scale.window;
        if (notes[n].time < window.begin || notes[n].time >= window.end) {
            const Time half{window.length().value / 2};
            context.selection.visible =
                TimelineScale{{notes[n].time - half, notes[n].time + half}, 0, 1}.shifted(0, model.range);
        }
        return true;
    }

    void paintMarks(QPainter& painter, const TimelineLayout& layout, const PaintContext& context) const {
        const Theme& theme = context.theme;
        const auto from = context.options.value("measureFrom").toLongLong(),
                   to = context.options.value("measureTo").toLongLong();
        if (from == to)
            return;
        const double a = std::clamp(layout.scale.x({std::min(from, to)}), layout.rows.left(), layout.rows.right());
        const double b = std::clamp(layout.scale.x({std::max(from, to)}), layout.rows.left(), layout.rows.right());
        QColor veil = theme.accent;
        veil.setAlphaF(0.14f);
        painter.fillRect(QRectF(a, layout.stacked.top(), b - a, layout.rows.bottom() - layout.stacked.top()), veil);
        QString text = timeText({std::abs(to - from)}, context.trace->info.timeUnit);
        if (context.trace->info.timeUnit == TimeUnit::Nanoseconds && context.trace->info.smClockMHz > 0)
            text += tr(" = %1 cycles")
                        .arg(numberText(std::int64_t(
                            std::llround(double(std::abs(to - from)) * context.trace->info.smClockMHz / 1000))));
        const double width = textWidth(theme.body(), text) + 16;
        const double x = std::clamp((a + b) / 2 - width / 2, layout.rows.left(), layout.rows.right() - width);
        const QRectF label(x, layout.stacked.top() + 2, width, lineHeight(theme.body()) * 1.3);
        paintCell(painter, label, theme.accent, Hatch::None, theme.text, 4);
        paintText(painter, label, text, theme.body(), theme.textOnAccent, Qt::AlignCenter);
    }

    AskText m_ask;
    // The one thing a view keeps: what it worked out of the trace. Never part of the picture's inputs; built anew when
    // they differ.
    mutable std::mutex m_mutex;
    mutable std::shared_ptr<const TimelineModel> m_model;
    mutable std::uint32_t m_launch = 0;
};

} // namespace

std::unique_ptr<View> makeTimelineView() {
    return makeAskingTimelineView(askByDialog);
}

std::unique_ptr<View> makeAskingTimelineView(AskText ask) {
    return std::make_unique<TimelineView>(std::move(ask));
}

} // namespace warpglass
