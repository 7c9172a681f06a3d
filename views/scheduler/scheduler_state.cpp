// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/scheduler/scheduler_state.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

constexpr double pageCell = 11; // px of a cycle where nobody zoomed

QString sliderOption(const QString& figures, int slider) {
    return figures + QLatin1Char('.') + QLatin1String(sliderRanges[std::size_t(slider)].option);
}

std::string policyOf(const Trace& trace) {
    return trace.timings.empty() ? std::string() : trace.timings.front().policy;
}

int policyOrder(const Trace& trace) {
    const std::string policy = policyOf(trace);
    return policy == "lrr" ? 0 : policy == "gto" ? 1 : policy == "gty" ? 2 : 3;
}

std::string kernelOf(const Trace& trace) {
    return trace.launches.empty() ? std::string() : trace.kernelOf(trace.launches.front()).name;
}

// "A:B" in cycles, fractions allowed.
std::optional<CycleRange> rangeOption(const PaintContext& context, const char* name) {
    const QStringList ends = context.options.value(QLatin1String(name)).toString().split(QLatin1Char(':'));
    if (ends.size() != 2)
        return std::nullopt;
    const CycleRange range{ends[0].toDouble(), ends[1].toDouble()};
    return range.end > range.begin ? std::optional(range) : std::nullopt;
}

TimeRange timesOf(const CycleClock& clock, CycleRange cycles) {
    TimeRange times{clock.time(std::floor(cycles.begin)), clock.time(std::ceil(cycles.end))};
    times.end = std::max(times.end, times.begin + Time{1});
    return times;
}

} // namespace

SchedulerPage schedulerPage(const PaintContext& context) {
    const QString show = optionOf(context, QStringLiteral("show"), QStringLiteral("cycles"));
    return show == QLatin1String("policies")  ? SchedulerPage::Policies
           : show == QLatin1String("example") ? SchedulerPage::Example
           : show == QLatin1String("little")  ? SchedulerPage::Little
                                              : SchedulerPage::Cycles;
}

std::vector<TracePtr> policyTraces(const PaintContext& context) {
    std::vector<TracePtr> traces;
    const auto add = [&](const TracePtr& trace, bool newPolicyOnly) {
        if (!trace || trace->states.empty())
            return;
        for (const TracePtr& one : traces)
            if (one == trace ||
                (newPolicyOnly && policyOf(*one) == policyOf(*trace) && kernelOf(*one) == kernelOf(*trace)))
                return;
        traces.push_back(trace);
    };
    add(context.trace, true);
    for (const TracePtr& companion : context.companions)
        add(companion, true);
    add(context.other, false);
    std::stable_sort(traces.begin(), traces.end(),
                     [](const TracePtr& a, const TracePtr& b) { return policyOrder(*a) < policyOrder(*b); });
    return traces;
}

std::int64_t CycleAxis::cursor(const PaintContext& context) const {
    const auto within = [this](std::int64_t cycle) {
        return std::clamp(cycle, bounds.begin.value, std::max(bounds.begin.value, bounds.end.value - 1));
    };
    if (!shared)
        return within(context.options.value(QStringLiteral("exampleCycle")).toLongLong());
    const QVariant set = context.options.value(QStringLiteral("cycle"));
    const std::int64_t cycle = set.toLongLong();
    if (set.isValid() && model->clock.time(double(cycle)) == context.selection.time)
        return within(cycle);
    return within(model->clock.cycle(context.selection.time));
}

CycleRange CycleAxis::window(const PaintContext& context, double pixels) const {
    const auto page = [&] { return cyclesPage(bounds, cursor(context), pixels, pageCell); };
    const auto set = rangeOption(context, shared ? "cycles" : "exampleCycles");
    if (!shared)
        return set ? cyclesWithin(*set, bounds) : page();
    const TimeRange visible = context.selection.visible;
    if (visible.length().value <= 0) {
        const CycleRange all{double(bounds.begin.value), double(bounds.end.value)};
        return optionOf(context, QStringLiteral("cycles"), {}) == QLatin1String("all") ? all : page();
    }
    if (set && timesOf(model->clock, *set) == visible)
        return cyclesWithin(*set, bounds);
    CycleRange cycles{double(model->clock.cycle(visible.begin)), double(model->clock.cycle(visible.end))};
    cycles.end = std::max(cycles.end, cycles.begin + 4);
    return cyclesWithin(cycles, bounds);
}

std::uint32_t CycleAxis::warp(const PaintContext& context) const {
    if (model->rows.empty())
        return noIndex;
    const std::uint32_t wanted =
        shared ? context.selection.warp : context.options.value(QStringLiteral("exampleWarp")).toUInt();
    return model->rowOfWarp(wanted) >= 0 ? wanted : model->rows.front().states.warpNear(*model->trace, cursor(context));
}

void CycleAxis::setCursor(PaintContext& context, std::int64_t cycle) const {
    const std::int64_t inside =
        std::clamp(cycle, bounds.begin.value, std::max(bounds.begin.value, bounds.end.value - 1));
    context.options[shared ? QStringLiteral("cycle") : QStringLiteral("exampleCycle")] = qlonglong(inside);
    if (shared)
        context.selection.time = model->clock.time(double(inside));
}

void CycleAxis::setWindow(PaintContext& context, CycleRange range) const {
    const bool all = range.begin <= double(bounds.begin.value) && range.end >= double(bounds.end.value);
    const QString text = QString::number(range.begin, 'f', 4) + QLatin1Char(':') + QString::number(range.end, 'f', 4);
    if (!shared) {
        context.options[QStringLiteral("exampleCycles")] = text;
        return;
    }
    context.options[QStringLiteral("cycles")] = all ? QStringLiteral("all") : text;
    // As the text has it, so that both mean the same.
    context.selection.visible = all ? TimeRange{} : timesOf(model->clock, *rangeOption(context, "cycles"));
}

void CycleAxis::setWarp(PaintContext& context, std::uint32_t warp) const {
    if (!shared) {
        context.options[QStringLiteral("exampleWarp")] = warp;
        return;
    }
    context.selection.warp = warp;
    context.selection = completed(context.selection, *model->trace);
}

void CycleAxis::bringIntoSight(PaintContext& context, double pixels) const {
    const CycleRange now = window(context, pixels);
    const double at = double(cursor(context));
    if (at >= std::floor(now.begin) && at + 1 <= std::ceil(now.end))
        return;
    const double begin = at < now.begin ? at - now.length() * 0.8 : at - now.length() * 0.2;
    setWindow(context, cyclesWithin({begin, begin + now.length()}, bounds));
}

LittleFigures littleOf(const PaintContext& context) {
    const QString key = optionOf(context, QStringLiteral("figures"), QStringLiteral("documents"));
    LittleFigures figures = littleFigures(key.toStdString());
    for (int s = 0; s < littleSliders; ++s) {
        const QVariant set = context.options.value(sliderOption(key, s));
        if (set.isValid())
            setSliderValue(figures, s, set.toDouble());
    }
    return figures;
}

void setLittle(PaintContext& context, int slider, double value) {
    const QString key = optionOf(context, QStringLiteral("figures"), QStringLiteral("documents"));
    context.options[sliderOption(key, slider)] = value;
    context.options[QStringLiteral("slider")] = slider;
}

void resetLittle(PaintContext& context) {
    const QString key = optionOf(context, QStringLiteral("figures"), QStringLiteral("documents"));
    for (int s = 0; s < littleSliders; ++s)
        context.options.remove(sliderOption(key, s));
}

} // namespace warpglass
