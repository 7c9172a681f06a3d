// SPDX-License-Identifier: GPL-3.0-or-later
// The same launch under each policy, in step: same cycles, same cursor.
#include "views/scheduler/scheduler_picture.h"

#include "views/common/agreeing.h"
#include "views/common/marks.h"
#include "views/common/ticks.h"
#include "views/common/time_chip.h"
#include "views/scheduler/scheduler_csv.h"
#include "views/scheduler/scheduler_text.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

QString percentOf(double share) {
    return share < 0 ? QString(QChar(0x2014)) : percentText(100 * share, 1);
}

std::string nameOf(const SchedulerModel& model) { // and shape
    const Launch& launch = model.trace->launches[model.launch];
    return model.trace->kernelOf(launch).name + " <<<" + launch.grid.text() + ", " + launch.block.text() + ">>>";
}

PolicyLayout layoutOf(const PoliciesPicture& picture) {
    const double line = lineHeight(picture.context.theme.body());
    std::vector<int> rows;
    StateTimes all;
    for (const auto& model : picture.ready->models) {
        rows.push_back(int(model->rows.size()));
        all += timesOfAll(*model);
    }
    const double legend = paintStateLegend(nullptr, picture.area.adjusted(line * 1.1, 0, -line * 1.1, 0), all, all,
                                           false, picture.context.theme);
    const auto arranged = [&](CycleRange window) { return policyLayout(picture.area, rows, line, legend, window); };
    const double pixels = arranged({0, 1}).panes.front().rows.width();
    return arranged(picture.axis.window(picture.unchanged(), pixels));
}

} // namespace

PoliciesPicture::PoliciesPicture(const PaintContext& of, const QRectF& on, SchedulerModelsPtr from)
    : GridPicture(of, on, std::move(from)), m_layout(layoutOf(*this)) {
    grids = m_layout.panes;
}

// Name, cycles, figures. least: it has the fewest cycles of several.
void PoliciesPicture::paintHead(QPainter& painter, std::size_t pane, const QString& name, bool least,
                                CycleRange window) const {
    const Theme& theme = context.theme;
    const SchedulerModel& model = *ready->models[pane];
    const QRectF& head = grids[pane].head;
    const double line = lineHeight(theme.body()), chipTop = head.center().y() - chipHeight(theme) / 2;
    QFont bold = theme.body();
    bold.setBold(true);
    // While it plays nobody is there yet, and nothing is told of what is to come.
    const std::int64_t next = axis.now(unchanged()) + 1;
    const bool there = !context.selection.motion.playing || next >= model.range.end.value;
    const auto come = there ? std::nullopt : std::optional(next);
    const SlotUse whole = model.use(model.range.begin.value, come.value_or(model.range.end.value));
    const SlotUse part = model.use(std::int64_t(std::floor(window.begin)), lastShown(window, come));
    QString figures =
        SchedulerText::tr("issue slots used %1, here %2  ·  latency hidden %3")
            .arg(percentOf(whole.issueShare()), percentOf(part.issueShare()), percentOf(whole.hiddenShare()));
    // Of the whole device: a policy that lets a warp run ahead makes some blocks short and others long.
    if (const BlockLives& lives = model.lives; there && lives.blocks > 1) {
        const TimeUnit unit = model.trace->info.timeUnit;
        figures += QStringLiteral("  ·  ") + SchedulerText::tr("blocks live %1 to %2 (5 to 95 %)")
                                                 .arg(timeText({lives.low}, unit), timeText({lives.high}, unit));
    }
    // The figures' first part before what is told of the name; then whole parts, as many as have room.
    const QString between = QStringLiteral("  ·  ");
    const std::int64_t cycles =
        come ? std::max<std::int64_t>(0, *come - model.range.begin.value) : model.range.length().value;
    const QString length = agreeing(SchedulerText::tr("%1 {cycle|cycles}"), numberText(cycles));
    const double forChip = head.width() * 0.3;
    const double ofTimes = chipWidth(timeChipText(model.trace->info, theme, forChip), theme) + line;
    const double forRest = textWidth(theme.small(), figures.section(between, 0, 0)) + chipWidth(length, theme) +
                           2 * line + (m_layout.title.height() > 0 ? 0 : ofTimes);
    const QString named =
        firstThatFits({name, name.section(QStringLiteral(" · "), 0, 0)}, bold, head.width() - forRest);
    // The length is why one looks here: a name that is longer than its part ends in dots.
    const bool chipHere = pane == 0 && m_layout.title.height() <= 0; // the title would have had it
    const double forLength = chipWidth(length, theme) + line + (chipHere ? ofTimes : 0);
    double x = head.left() + paintText(painter, head.adjusted(0, 0, -forLength, 0), named, bold, theme.text) + line;
    if (chipHere)
        x = paintTimeChip(painter, {x, chipTop}, model.trace->info, theme, forChip).right() + line * 0.6;
    const auto rest = [&] { return QRectF(x, head.top(), head.right() - x, head.height()); };
    if (least && there) {
        const QPointF at(x, head.top() + (head.height() - chipHeight(theme)) / 2);
        x = paintChip(painter, at, length, theme.good, theme.sunken, theme).right() + line * 0.8;
    } else {
        x += paintText(painter, rest(), length, theme.body(), theme.text) + line * 0.8;
    }
    while (!figures.isEmpty() && textWidth(theme.small(), figures) > rest().width())
        figures.truncate(std::max<qsizetype>(0, figures.lastIndexOf(between)));
    paintText(painter, rest(), figures, theme.small(), theme.textMuted);
}

void PoliciesPicture::paint(QPainter& painter) const {
    const Theme& theme = context.theme;
    const CycleRange window = scale().window;
    const std::int64_t cursor = context.paper ? axis.cursor(unchanged()) : axis.now(unchanged());
    const auto begin = std::int64_t(std::floor(window.begin));
    const auto come = context.selection.motion.playing ? std::optional(cursor + 1) : std::nullopt;
    bool oneKernel = true;
    std::int64_t fewest = axis.bounds.length().value;
    StateTimes all, shown;
    for (const auto& model : ready->models) {
        oneKernel = oneKernel && nameOf(*model) == nameOf(*ready->models.front());
        fewest = std::min(fewest, model->range.length().value);
        all += timesOfAll(*model);
        shown += model->times(begin, lastShown(window, come));
    }
    if (m_layout.title.height() > 0)
        paintSchedulerTitle(painter, m_layout.title,
                            oneKernel ? SchedulerText::tr("The same launch under each policy")
                                      : SchedulerText::tr("Launches side by side, cycle by cycle"),
                            SchedulerText::tr("SM %1, scheduler %2").arg(ready->place.sm).arg(ready->place.scheduler),
                            &ready->models.front()->trace->info, theme);
    for (std::size_t n = 0; n < ready->models.size(); ++n) {
        const SchedulerModel& model = *ready->models[n];
        QString name = model.policy.empty() ? QString::fromStdString(nameOf(model)) : policyName(model.policy, true);
        if (!oneKernel && !model.policy.empty())
            name = QString::fromStdString(nameOf(model)) + QStringLiteral(" · ") + name;
        paintHead(painter, n, name, model.range.length().value == fewest && ready->models.size() > 1, window);
        // Warps have the same row in every run of one plan.
        const bool known = oneKernel && context.selection.warp < model.trace->warps.size();
        paintGrid(painter, grids[n], model,
                  {cursor, known ? context.selection.warp : noIndex, context.selection.sourceLine,
                   context.selection.motion.playing, known ? context.selection.followed.warp : noIndex},
                  theme);
    }
    paintStateLegend(&painter, m_layout.legend, all, shown, false, theme);
    if (m_layout.note.height() > 0)
        paintText(painter, m_layout.note,
                  fittedSentences(SchedulerText::tr("cycle %1; zoom, drag and steps move all of them together. Latency "
                                                    "hidden: of the cycles in which a warp waits, those in which "
                                                    "another issues.")
                                      .arg(numberText(cursor)),
                                  theme.small(), {m_layout.note.width(), lineHeight(theme.small())}),
                  theme.small(), theme.textMuted);
}

QString PoliciesPicture::csv() const {
    return policiesCsv(ready->models);
}

} // namespace warpglass
