// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/scheduler/scheduler_view.h"

#include "views/common/marks.h"
#include "views/common/ticks.h"
#include "views/scheduler/example.h"
#include "views/scheduler/scheduler_csv.h"
#include "views/scheduler/scheduler_pages.h"

#include <algorithm>
#include <cmath>
#include <mutex>

namespace warpglass {

namespace {

QString tr(const char* text) {
    return schedulerText(text);
}

constexpr std::size_t smallTrace = 200'000; // rows that are prepared at once, without a thread

int numberOption(const PaintContext& context, const char* name) {
    const QString text = optionOf(context, QLatin1String(name), {});
    bool ok = false;
    const int value = text.toInt(&ok);
    return ok ? value : -1;
}

class SchedulerView final : public View {
public:
    SchedulerView() {
        for (SchedulingPolicy policy : {SchedulingPolicy::Lrr, SchedulingPolicy::Gto, SchedulingPolicy::Gty})
            m_examples.push_back(documentExample(policy));
    }

    QString key() const override { return QStringLiteral("scheduler"); }
    QString title() const override { return tr("Scheduler"); }
    QString question() const override {
        return tr("Which warp issues in each cycle, and what do the others wait for?");
    }

    bool prepared(const PaintContext& context) const override {
        if (matching(context))
            return true;
        std::size_t rows = 0;
        for (const TracePtr& trace : tracesOf(context))
            rows += trace->states.size();
        if (rows + (context.trace ? context.trace->blocks.size() : 0) > smallTrace)
            return false;
        Progress nobody;
        prepare(context, nobody);
        return true;
    }

    void prepare(const PaintContext& context, Progress& progress) const override {
        PreparedScheduler next;
        next.page = schedulerPage(context);
        next.traces = tracesOf(context);
        next.open = context.trace;
        next.launch = launchOf(context);
        next.place = placeOf(context);
        for (const TracePtr& trace : next.traces) {
            auto model = buildSchedulerModel(trace, next.launch, next.place, progress);
            if (!model)
                return; // cancelled
            if (!model->rows.empty())
                next.models.push_back(std::move(model));
        }
        if (next.page == SchedulerPage::Little && context.trace)
            next.resident = residentWarps(*context.trace, context.selection.launch);
        const std::lock_guard lock(m_mutex);
        m_prepared = std::make_shared<const PreparedScheduler>(std::move(next));
    }

    void paint(QPainter& painter, const QRectF& area, const PaintContext& context) const override {
        paintSchedulerPage(painter, area, context, *readyFor(context));
    }

    void paintOverlay(QPainter& painter, const QRectF& area, const PaintContext& context,
                      QPointF pointer) const override {
        if (const auto ready = matching(context))
            paintSchedulerPointer(painter, area, context, *ready, pointer);
    }

    bool press(const QRectF& area, PaintContext& context, QPointF at) const override {
        const auto ready = matching(context);
        return ready && schedulerPress(area, context, *ready, at);
    }

    bool wheel(const QRectF& area, PaintContext& context, QPointF at, double steps,
               Qt::KeyboardModifiers) const override {
        const auto ready = matching(context);
        return ready && schedulerWheel(area, context, *ready, at, steps);
    }

    bool drag(const QRectF& area, PaintContext& context, QPointF from, QPointF to) const override {
        const auto ready = matching(context);
        return ready && schedulerDrag(area, context, *ready, from, to);
    }

    bool key(const QRectF& area, PaintContext& context, int key, Qt::KeyboardModifiers modifiers) const override {
        const auto ready = matching(context);
        return ready && schedulerKey(area, context, *ready, key, modifiers);
    }

    QString toolTip(const QRectF& area, const PaintContext& context, QPointF at) const override {
        const auto ready = matching(context);
        return ready ? schedulerToolTip(area, context, *ready, at) : QString();
    }

    QVector<Switch> switches(const PaintContext& context) const override {
        const SchedulerPage page = schedulerPage(context);
        QVector<Switch> list{{QStringLiteral("show"),
                              tr("show"),
                              {{QStringLiteral("cycles"), tr("cycle by cycle")},
                               {QStringLiteral("policies"), tr("policies side by side")},
                               {QStringLiteral("example"), tr("the documents' four warps")},
                               {QStringLiteral("little"), tr("how many warps are needed")}},
                              QStringLiteral("cycles")}};
        if (page == SchedulerPage::Example) {
            Switch policy{QStringLiteral("rule"), tr("policy"), {}, QStringLiteral("lrr")};
            for (const char* name : {"lrr", "gto", "gty"})
                policy.choices.append({QLatin1String(name), policyName(name, true)});
            list.append(policy);
        } else if (page == SchedulerPage::Little) {
            Switch figures{QStringLiteral("figures"), tr("figures of"), {}, QStringLiteral("documents")};
            for (const LittleFigures& f : littleFigures()) {
                const QString name = QString::fromStdString(f.name);
                figures.choices.append(
                    {QString::fromStdString(f.key), f.memoryOfDevice ? tr("the documents: %1").arg(name) : name});
            }
            list.append(figures);
        } else if (const auto places =
                       placesOf(page == SchedulerPage::Policies ? firstOf(context) : context.trace, launchOf(context));
                   !places.empty()) {
            Switch sm{QStringLiteral("sm"), tr("SM"), {{QString(), tr("of the warp")}}, {}};
            Switch scheduler{QStringLiteral("scheduler"), tr("scheduler"), {{QString(), tr("of the warp")}}, {}};
            const SchedulerPlace here = placeOf(context);
            for (const SchedulerPlace& place : places) {
                const QString number = QString::number(place.sm);
                if (sm.choices.back().first != number)
                    sm.choices.append({number, number});
                if (place.sm == here.sm)
                    scheduler.choices.append({QString::number(place.scheduler), QString::number(place.scheduler)});
            }
            list << sm << scheduler;
        }
        return list;
    }

    QString csv(const PaintContext& context) const override {
        const auto ready = readyFor(context);
        switch (schedulerPage(context)) {
        case SchedulerPage::Little:
            return littleCsv(littleOf(context), ready->resident);
        case SchedulerPage::Policies:
            return policiesCsv(ready->models);
        default:
            return ready->models.empty()
                       ? QString()
                       : cyclesCsv(*ready->models.front(), schedulerAxis(context, *ready).window(context, 1000));
        }
    }

    std::optional<Emptiness> emptiness(const PaintContext& context) const override {
        const SchedulerPage page = schedulerPage(context);
        if (page == SchedulerPage::Example || page == SchedulerPage::Little)
            return std::nullopt;
        if (!context.trace)
            return Emptiness{tr("No kernel has been run yet."), QStringLiteral("run"), tr("Run the chosen kernel")};
        if (page == SchedulerPage::Policies) {
            if (policyTraces(context).size() > 1)
                return std::nullopt;
            return Emptiness{tr("The same launch can be run with three ways to choose the next warp: round robin, "
                                "greedy then oldest, greedy then youngest. They are then shown side by side."),
                             QStringLiteral("policies"), tr("Run with all three policies")};
        }
        if (context.trace->states.empty())
            return Emptiness{context.trace->info.backend == BackendKind::Cuda
                                 ? tr("A GPU does not tell what each warp did in each cycle. The emulator's timing "
                                      "model does: run the kernel there to see its cycles.")
                                 : tr("This run counted instructions, not cycles: its timing model was off."),
                             QStringLiteral("recordTiming"), tr("Run with the timing model")};
        if (placesOf(context.trace, launchOf(context)).empty())
            return Emptiness{tr("This launch was not run cycle by cycle: choose another one."), {}, {}};
        return std::nullopt;
    }

private:
    static std::uint32_t launchOf(const PaintContext& context) {
        return schedulerPage(context) == SchedulerPage::Example ? 0 : context.selection.launch;
    }

    static TracePtr firstOf(const PaintContext& context) {
        const auto traces = policyTraces(context);
        return context.trace && !context.trace->states.empty() ? context.trace
               : traces.empty()                                ? nullptr
                                                               : traces.front();
    }

    std::vector<TracePtr> tracesOf(const PaintContext& context) const {
        switch (schedulerPage(context)) {
        case SchedulerPage::Cycles:
            return context.trace ? std::vector{context.trace} : std::vector<TracePtr>{};
        case SchedulerPage::Policies:
            return policyTraces(context);
        case SchedulerPage::Example: {
            const QString policy = optionOf(context, QStringLiteral("rule"), QStringLiteral("lrr"));
            return {m_examples[policy == QLatin1String("gto") ? 1 : policy == QLatin1String("gty") ? 2 : 0]};
        }
        case SchedulerPage::Little:
            break;
        }
        return {};
    }

    std::vector<SchedulerPlace> placesOf(const TracePtr& trace, std::uint32_t launch) const {
        if (!trace)
            return {};
        const std::lock_guard lock(m_mutex);
        if (m_placesTrace != trace || m_placesLaunch != launch) {
            m_places = schedulerPlaces(*trace, launch);
            m_placesTrace = trace;
            m_placesLaunch = launch;
        }
        return m_places;
    }

    SchedulerPlace placeOf(const PaintContext& context) const {
        const SchedulerPage page = schedulerPage(context);
        const TracePtr trace = page == SchedulerPage::Policies ? firstOf(context) : context.trace;
        if (page == SchedulerPage::Example || page == SchedulerPage::Little || !trace)
            return {};
        const std::uint32_t warp = trace == context.trace ? context.selection.warp : noIndex;
        return chosenPlace(placesOf(trace, launchOf(context)), *trace, warp, numberOption(context, "sm"),
                           numberOption(context, "scheduler"));
    }

    std::shared_ptr<const PreparedScheduler> matching(const PaintContext& context) const {
        std::shared_ptr<const PreparedScheduler> ready;
        {
            const std::lock_guard lock(m_mutex);
            ready = m_prepared;
        }
        const bool same = ready && ready->page == schedulerPage(context) && ready->open == context.trace &&
                          ready->launch == launchOf(context) && ready->traces == tracesOf(context) &&
                          ready->place == placeOf(context);
        return same ? ready : nullptr;
    }

    std::shared_ptr<const PreparedScheduler> readyFor(const PaintContext& context) const {
        if (auto ready = matching(context))
            return ready;
        Progress nobody;
        prepare(context, nobody);
        return matching(context);
    }

    std::vector<TracePtr> m_examples; // lrr, gto, gty
    // What was worked out of the traces; never part of the picture's inputs; built anew when they differ.
    mutable std::mutex m_mutex;
    mutable std::shared_ptr<const PreparedScheduler> m_prepared;
    mutable TracePtr m_placesTrace;
    mutable std::uint32_t m_placesLaunch = 0;
    mutable std::vector<SchedulerPlace> m_places;
};

} // namespace

std::unique_ptr<View> makeSchedulerView() {
    return std::make_unique<SchedulerView>();
}

} // namespace warpglass
