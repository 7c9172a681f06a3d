// SPDX-License-Identifier: GPL-3.0-or-later
// Cycles are finer than the trace's times: the cursor and the range are kept in cycles beside the selection's times, and
// hold as long as both mean the same.
#include "views/scheduler/scheduler_state.h"

#include "views/scheduler/scheduler_text.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

constexpr double pageCell = 11; // px of a cycle where nobody zoomed

// On the open run's page, and on the example's. A range is "begin:end", fractions allowed, or "all".
struct AxisSettings {
    Setting<qlonglong> cursor;
    Setting<QString> window;
};
const AxisSettings shownAxis{{"cycle"}, {"cycles"}}, exampleAxis{{"exampleCycle"}, {"exampleCycles"}};
constexpr Setting<uint> exampleWarp{"exampleWarp"};
const Setting<QString> figures{"figures", QStringLiteral("documents")};
constexpr Setting<int> slider{"slider"};

QString sliderOption(const QString& key, int n) {
    return key + QLatin1Char('.') + QLatin1String(sliderRanges[n].option);
}

std::string policyOf(const Trace& trace) {
    return trace.timings.empty() ? std::string() : trace.timings.front().policy;
}

int policyOrder(const Trace& trace) {
    const auto policy = parseEnum<SchedulingPolicy>(policyOf(trace));
    return policy ? int(*policy) : int(allOf<SchedulingPolicy>.size()); // what is not known comes last
}

std::string kernelOf(const Trace& trace) {
    return trace.launches.empty() ? std::string() : trace.kernelOf(trace.launches.front()).name;
}

std::optional<CycleRange> rangeOf(const QString& text) {
    const QStringList ends = text.split(QLatin1Char(':'));
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

Choice<SchedulerPage> pageChoice() {
    return {"show",
            SchedulerText::tr("show"),
            {{SchedulerPage::Cycles, "cycles", SchedulerText::tr("cycle by cycle")},
             {SchedulerPage::Policies, "policies", SchedulerText::tr("policies side by side")},
             {SchedulerPage::Example, "example", SchedulerText::tr("the documents' four warps")},
             {SchedulerPage::Little, "little", SchedulerText::tr("how many warps are needed")}}};
}

Choice<SchedulingPolicy> ruleChoice() {
    Choice<SchedulingPolicy> choice{"rule", SchedulerText::tr("policy"), {}};
    for (const SchedulingPolicy policy : allOf<SchedulingPolicy>)
        choice.values.push_back({policy, name(policy), policyName(name(policy), true)});
    return choice;
}

const Setting<qlonglong>& exampleCursor() {
    return exampleAxis.cursor;
}

Switch figuresSwitch() {
    Switch all{QString::fromLatin1(figures.key), SchedulerText::tr("figures of"), {}, figures.standard};
    for (const LittleFigures& f : littleFigures()) {
        const QString name = QString::fromStdString(f.name);
        all.choices.append({QString::fromStdString(f.key),
                            f.memoryOfDevice ? SchedulerText::tr("the documents: %1").arg(name) : name});
    }
    return all;
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

std::int64_t CycleAxis::cursor(const Change& state) const {
    return std::clamp(now(state), bounds.begin.value, std::max(bounds.begin.value, bounds.end.value - 1));
}

std::int64_t CycleAxis::now(const Change& state) const {
    if (!shared)
        return exampleAxis.cursor.of(state.options);
    if (const Motion& motion = state.selection.motion; motion.playing) {
        const std::int64_t from = model->clock.cycle(state.selection.time), to = model->clock.cycle(motion.to);
        return from + std::int64_t(motion.way * double(std::max<std::int64_t>(0, to - from)));
    }
    const std::int64_t cycle = shownAxis.cursor.of(state.options);
    if (shownAxis.cursor.isSet(state.options) && model->clock.time(double(cycle)) == state.selection.time)
        return cycle;
    return model->clock.cycle(state.selection.time);
}

CycleRange CycleAxis::window(const Change& state, double pixels) const {
    const auto page = [&] { return cyclesPage(bounds, cursor(state), pixels, pageCell); };
    const QString text = (shared ? shownAxis : exampleAxis).window.of(state.options);
    const auto set = rangeOf(text);
    if (!shared)
        return set ? cyclesWithin(*set, bounds) : page();
    const TimeRange visible = state.selection.visible;
    if (visible.length().value <= 0) {
        const CycleRange all{double(bounds.begin.value), double(bounds.end.value)};
        return text == QLatin1String("all") ? all : page();
    }
    if (set && timesOf(model->clock, *set) == visible)
        return cyclesWithin(*set, bounds);
    CycleRange cycles{double(model->clock.cycle(visible.begin)), double(model->clock.cycle(visible.end))};
    cycles.end = std::max(cycles.end, cycles.begin + 4);
    return cyclesWithin(cycles, bounds);
}

std::uint32_t CycleAxis::warp(const Change& state) const {
    if (model->rows.empty())
        return noIndex;
    const std::uint32_t wanted = shared ? state.selection.warp : exampleWarp.of(state.options);
    return model->rowOfWarp(wanted) >= 0 ? wanted : model->rows.front().states.warpNear(*model->trace, cursor(state));
}

void CycleAxis::setCursor(Change& state, std::int64_t cycle) const {
    const std::int64_t inside =
        std::clamp(cycle, bounds.begin.value, std::max(bounds.begin.value, bounds.end.value - 1));
    (shared ? shownAxis : exampleAxis).cursor.set(state.options, inside);
    if (shared)
        state.selection.time = model->clock.time(double(inside));
}

void CycleAxis::setWindow(Change& state, CycleRange range) const {
    const bool all = range.begin <= double(bounds.begin.value) && range.end >= double(bounds.end.value);
    const QString text = QString::number(range.begin, 'f', 4) + QLatin1Char(':') + QString::number(range.end, 'f', 4);
    if (!shared)
        return exampleAxis.window.set(state.options, text);
    shownAxis.window.set(state.options, all ? QStringLiteral("all") : text);
    // As the text has it, so that both mean the same.
    state.selection.visible = all ? TimeRange{} : timesOf(model->clock, *rangeOf(text));
}

void CycleAxis::setWarp(Change& state, std::uint32_t warp) const {
    if (!shared)
        return exampleWarp.set(state.options, warp);
    state.selection.warp = warp;
    state.selection = completed(state.selection, *model->trace);
}

void CycleAxis::bringIntoSight(Change& state, double pixels) const {
    const CycleRange now = window(state, pixels);
    const double at = double(cursor(state));
    if (at >= std::floor(now.begin) && at + 1 <= std::ceil(now.end))
        return;
    const double begin = at < now.begin ? at - now.length() * 0.8 : at - now.length() * 0.2;
    setWindow(state, cyclesWithin({begin, begin + now.length()}, bounds));
}

LittleFigures littleOf(const Options& options) {
    const QString key = figures.of(options);
    LittleFigures result = littleFigures(key.toStdString());
    for (int s = 0; s < littleSliders; ++s) {
        const QVariant set = options.value(sliderOption(key, s));
        if (set.isValid())
            setSliderValue(result, s, set.toDouble());
    }
    return result;
}

void setLittle(Options& options, int n, double value) {
    options[sliderOption(figures.of(options), n)] = value;
    slider.set(options, n);
}

void resetLittle(Options& options) {
    for (int s = 0; s < littleSliders; ++s)
        options.remove(sliderOption(figures.of(options), s));
}

int sliderOf(const Options& options) {
    return std::clamp(slider.of(options), 0, littleSliders - 1);
}

void setSlider(Options& options, int n) {
    slider.set(options, n);
}

} // namespace warpglass
