// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/pinned_change.h"

#include "gpu/base/messages/why.h"
#include "gpu/metrics/metrics.h"
#include "gpu/metrics/model_accuracy.h"
#include "views/common/line_match.h"
#include "views/common/sentences.h"
#include "views/common/ticks.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <map>

namespace warpglass {

namespace {

class ChangeText {
    Q_DECLARE_TR_FUNCTIONS(PinnedChange)
};

// What is counted by line; smaller is better.
struct LineSums {
    std::uint64_t instructions = 0, divergent = 0, sectors = 0, requests = 0, passes = 0, sharedRequests = 0;
    bool operator==(const LineSums&) const = default;
};

void add(LineSums& sums, const InstructionCount& count) {
    sums.instructions += count.executions;
    sums.divergent += count.divergent;
    if (!count.isMemory)
        return;
    if (count.space == MemorySpace::Shared) {
        sums.passes += count.passes;
        sums.sharedRequests += count.requests;
    } else if (count.space == MemorySpace::Global || count.space == MemorySpace::Local) {
        sums.sectors += count.sectors;
        sums.requests += count.requests;
    }
}

using ByLine = std::map<std::uint32_t, LineSums>; // source line, or of a kernel without source its PTX's

std::string textOf(const Run& run) {
    const Kernel& kernel = run.trace->kernelOf(run.trace->launches.front());
    return run.request && run.request->text ? *run.request->text : kernel.source.empty() ? kernel.ptx : kernel.source;
}

ByLine byLine(const Trace& trace) {
    ByLine lines;
    for (const InstructionCount& count : trace.counts) {
        const Kernel& kernel = trace.kernelOf(trace.launches[count.launch]);
        add(lines[kernel.source.empty() ? count.ptxLine : sourceLineOf(kernel, count)], count);
    }
    return lines;
}

constexpr std::uint64_t LineSums::*lineSums[] = {&LineSums::instructions, &LineSums::divergent,
                                                 &LineSums::sectors,      &LineSums::requests,
                                                 &LineSums::passes,       &LineSums::sharedRequests};

LineSums operator-(LineSums all, const LineSums& part) {
    for (const auto sum : lineSums)
        all.*sum -= part.*sum;
    return all;
}

LineSums sumOf(const ByLine& lines, std::uint32_t begin, std::uint32_t end) {
    LineSums sums;
    for (auto at = lines.lower_bound(begin); at != lines.end() && at->first < end; ++at)
        for (const auto sum : lineSums)
            sums.*sum += at->second.*sum;
    return sums;
}

Effect lessIsBetter(double a, double b) {
    return a == b ? Effect::None : b < a ? Effect::Better : Effect::Worse;
}

Effect together(std::initializer_list<Effect> effects) {
    const auto has = [&](Effect e) { return std::find(effects.begin(), effects.end(), e) != effects.end(); };
    return has(Effect::Mixed) || (has(Effect::Better) && has(Effect::Worse)) ? Effect::Mixed
           : has(Effect::Better)                                             ? Effect::Better
           : has(Effect::Worse)                                              ? Effect::Worse
                                                                             : Effect::None;
}

// What memory does and where warps part says more than how many instructions that took.
Effect effectOf(const LineSums& a, const LineSums& b) {
    const Effect memory =
        together({lessIsBetter(double(a.sectors), double(b.sectors)), lessIsBetter(double(a.passes), double(b.passes)),
                  lessIsBetter(double(a.divergent), double(b.divergent))});
    return memory != Effect::None ? memory : lessIsBetter(double(a.instructions), double(b.instructions));
}

QString arrow(const QString& a, const QString& b) {
    return a + QStringLiteral(" → ") + b;
}

QString arrow(std::uint64_t a, std::uint64_t b) {
    return arrow(numberText(a), numberText(b));
}

QString shortNumber(double value) {
    return decimalText(value, value == std::floor(value) ? 0 : 1);
}

double each(std::uint64_t all, std::uint64_t requests) {
    return requests == 0 ? 0 : double(all) / double(requests);
}

// Where it is one line that asks for more or less, what each request of it comes to, and where; else both sums.
struct Measure {
    std::uint64_t LineSums::*all, LineSums::*requests;
    const char *atLine, *sum;
};

QString measureText(const Measure& m, const ByLine& a, const ByLine& b, const LineMatch& lines, const LineSums& allA,
                    const LineSums& allB) {
    const LineSums none;
    std::uint32_t only = 0;
    int parted = 0;
    for (const auto& [line, now] : b) {
        const auto before = a.find(lines.lineOfA(line));
        if ((before == a.end() ? none : before->second).*m.all != now.*m.all) {
            only = line;
            ++parted;
        }
    }
    const auto before = parted == 1 ? a.find(lines.lineOfA(only)) : a.end();
    if (before != a.end() && only != 0) {
        const LineSums &x = before->second, &y = b.at(only);
        // The line accounts for all of it, and is asked as often as before.
        if (x.*m.requests == y.*m.requests && y.*m.requests > 0 && allB.*m.all - y.*m.all == allA.*m.all - x.*m.all)
            return ChangeText::tr(m.atLine)
                .arg(arrow(shortNumber(each(x.*m.all, x.*m.requests)), shortNumber(each(y.*m.all, y.*m.requests))))
                .arg(only);
    }
    return ChangeText::tr(m.sum).arg(arrow(allA.*m.all, allB.*m.all));
}

constexpr Measure passes{&LineSums::passes, &LineSums::sharedRequests,
                         QT_TRANSLATE_NOOP("PinnedChange", "%1 passes at line %2"),
                         QT_TRANSLATE_NOOP("PinnedChange", "shared passes %1")};
constexpr Measure sectors{&LineSums::sectors, &LineSums::requests,
                          QT_TRANSLATE_NOOP("PinnedChange", "%1 sectors at line %2"),
                          QT_TRANSLATE_NOOP("PinnedChange", "sectors %1")};

std::optional<double> occupancyOf(const Trace& trace) {
    const auto found = metric(trace, 0, "theoretical_occupancy");
    return found ? found->value : std::nullopt;
}

double durationOf(const Trace& trace) {
    if (trace.info.timeUnit != TimeUnit::Nanoseconds)
        return 0;
    if (const auto found = metric(trace, 0, "duration_ns"); found && found->value)
        return *found->value;
    const TimeRange range = trace.range();
    return double(range.length().value);
}

// "−31 %"
QString signedPercent(double share) {
    const double percent = std::abs(100 * share);
    const QString text = percent >= 9.95 ? QString::number(qRound(percent)) : decimalText(percent, 1);
    return (share < 0 ? QStringLiteral("−") : QStringLiteral("+")) + text + QStringLiteral(" %");
}

PinnedChange::Part timePart(const TimeChange& time) {
    const QString change = signedPercent(time.change());
    const int error = qRound(100 * time.error);
    if (!time.errorIsKnown)
        return {ChangeText::tr("time %1, modelled: %2").arg(change, sentence(time.why))};
    if (time.error == 0)
        return {ChangeText::tr("time %1, measured").arg(change), lessIsBetter(time.a, time.b)};
    if (!time.beyondError())
        return {(time.estimated ? ChangeText::tr("time about %1, within the error of %2 %: a draw")
                                : ChangeText::tr("time %1, within the error of %2 %: a draw"))
                    .arg(change)
                    .arg(error)};
    return {(time.estimated ? ChangeText::tr("time about %1, beyond the error of %2 %")
                            : ChangeText::tr("time %1, beyond the error of %2 %"))
                .arg(change)
                .arg(error),
            lessIsBetter(time.a, time.b)};
}

QString timeNumber(double ns) {
    return timeText(Time{std::llround(ns)}, TimeUnit::Nanoseconds);
}

} // namespace

RunSums sumsOf(const Trace& trace) {
    LineSums sums;
    for (const InstructionCount& count : trace.counts)
        add(sums, count);
    return {sums.instructions, sums.divergent, sums.sectors, sums.passes};
}

std::optional<TimeChange> timeChange(const Run& a, const Run& b) {
    TimeChange time{.a = durationOf(*a.trace), .b = durationOf(*b.trace)};
    const auto modelled = [](const Run& run) { return run.trace->info.timeOrigin != Origin::Measured; };
    if (time.a > 0 && time.b > 0) {
        for (const Run* run : {&a, &b})
            if (modelled(*run)) {
                const auto error = expectedError(*run->trace);
                time.errorIsKnown = time.errorIsKnown && error;
                time.error = std::max(time.error, error.value_or(0));
            }
        if (!time.errorIsKnown)
            time.why = kindErrorSentence(expectedError(*a.trace) ? *b.trace : *a.trace);
        return time;
    }
    if (a.estimatedNs <= 0 || b.estimatedNs <= 0)
        return std::nullopt;
    const bool written = a.trace->info.mode == CompileMode::AsWritten && b.trace->info.mode == CompileMode::AsWritten;
    const std::string_view role = written ? "as-written" : quotedRole;
    time = {.a = a.estimatedNs, .b = b.estimatedNs, .error = estimateAccuracy(role).meanError, .estimated = true};
    if (time.error == 0) // nobody has held estimates of such code to anything
        time.error = estimateAccuracy().meanError;
    time.errorIsKnown = modelIsMeasuredOn(a.trace->info.deviceName) && modelIsMeasuredOn(b.trace->info.deviceName);
    if (!time.errorIsKnown)
        time.why = say::DeviceNotMeasured;
    return time;
}

PinnedChange pinnedChange(const Run& a, const Run& b) {
    PinnedChange change;
    QStringList numbers;
    const auto tell = [&](const QString& name, const QString& x, const QString& y) {
        numbers << ChangeText::tr("%1: %2").arg(name, x == y ? x : arrow(x, y));
    };
    if (b.fault) {
        change.parts.append(
            {ChangeText::tr("it ends with a fault: %1").arg(sentence(b.fault->message)), Effect::Worse});
        change.effect = Effect::Worse;
        change.numbers = change.parts.first().text;
        return change;
    }
    // Results first where they are wrong, else last: then nothing else matters so much.
    const std::optional<ResultsHeld> held = a.fault ? std::nullopt : compareResults(a, b);
    const bool checked = b.check.check != Check::None, wrong = b.check.check == Check::Wrong;
    std::optional<PinnedChange::Part> results;
    if (wrong)
        results = {ChangeText::tr("wrong: %1").arg(sentence(b.check.why)), Effect::Worse};
    else if (held && !held->same())
        results = {checked ? ChangeText::tr("right, and other than A's from %1 on").arg(held->first)
                           : ChangeText::tr("other results from %1 on: %2, in A %3").arg(held->first, held->b, held->a),
                   checked ? Effect::None : Effect::Worse};
    else if (checked)
        results = {a.check.check == Check::Wrong ? ChangeText::tr("right now") : ChangeText::tr("still right"),
                   a.check.check == Check::Wrong ? Effect::Better : Effect::None};
    else if (held)
        results = {held->worstRounding > 0 ? ChangeText::tr("same results but for rounding")
                                           : ChangeText::tr("same results")};
    const bool resultsFirst = results && results->effect != Effect::None;
    if (resultsFirst)
        change.parts.append(*results);

    const std::optional<TimeChange> time = timeChange(a, b);
    if (time) {
        if (time->a != time->b && time->beyondError())
            change.parts.append(timePart(*time));
        tell(time->estimated ? ChangeText::tr("time, estimated from counts") : ChangeText::tr("time"),
             timeNumber(time->a), timeNumber(time->b));
    }

    const ByLine linesA = byLine(*a.trace), linesB = byLine(*b.trace);
    const LineSums allA = sumOf(linesA, 0, noIndex), allB = sumOf(linesB, 0, noIndex);
    const LineMatch match = matchLines(textOf(a), textOf(b));
    struct Ranked {
        double far;
        PinnedChange::Part part;
    };
    std::vector<Ranked> ranked;
    const auto rank = [&](double x, double y, const QString& text, bool lessIsGood = true) {
        if (x == y)
            return;
        const double far = x > 0 && y > 0 ? std::abs(std::log(y / x)) : 20; // from or to nothing
        ranked.push_back({far, {text, lessIsGood ? lessIsBetter(x, y) : lessIsBetter(y, x)}});
    };
    rank(double(allA.passes), double(allB.passes), measureText(passes, linesA, linesB, match, allA, allB));
    rank(double(allA.sectors), double(allB.sectors), measureText(sectors, linesA, linesB, match, allA, allB));
    rank(double(allA.divergent), double(allB.divergent),
         ChangeText::tr("divergent branches %1").arg(arrow(allA.divergent, allB.divergent)));
    tell(ChangeText::tr("sectors"), numberText(allA.sectors), numberText(allB.sectors));
    tell(ChangeText::tr("shared passes"), numberText(allA.passes), numberText(allB.passes));
    tell(ChangeText::tr("divergent branches"), numberText(allA.divergent), numberText(allB.divergent));
    if (const auto x = occupancyOf(*a.trace), y = occupancyOf(*b.trace); x && y) {
        rank(*x, *y, ChangeText::tr("occupancy %1").arg(arrow(QString::number(qRound(*x)), percentText(*y, 0))), false);
        tell(ChangeText::tr("occupancy, in theory"), percentText(*x, 1), percentText(*y, 1));
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked& x, const Ranked& y) { return x.far > y.far; });
    for (const Ranked& one : ranked)
        change.parts.append(one.part);
    if (time && time->a != time->b && !time->beyondError()) // a draw says less than what was counted
        change.parts.append(timePart(*time));
    if (allA.instructions != allB.instructions) // the usual price of the rest
        change.parts.append({ChangeText::tr("instructions %1").arg(arrow(allA.instructions, allB.instructions)),
                             lessIsBetter(double(allA.instructions), double(allB.instructions))});
    tell(ChangeText::tr("instructions of warps"), numberText(allA.instructions), numberText(allB.instructions));
    if (results && !resultsFirst)
        change.parts.append(*results);
    if (held)
        numbers << (held->same()
                        ? held->worstRounding > 0
                              ? ChangeText::tr("results: the same but for rounding, %1 at most")
                                    .arg(QString::number(held->worstRounding, 'g', 2))
                              : ChangeText::tr("results: all %1 numbers are A's").arg(numberText(held->elements))
                        : ChangeText::tr("results: %1 of %2 numbers differ")
                              .arg(numberText(held->differing), numberText(held->elements)));
    else if (!checked)
        numbers << ChangeText::tr("results: not comparable");
    change.numbers = numbers.join(QLatin1Char('\n'));
    const bool told = time && time->beyondError() && time->errorIsKnown;
    change.effect = results && results->effect == Effect::Worse ? Effect::Worse
                    : told                                      ? lessIsBetter(time->a, time->b)
                    : time                                      ? Effect::None
                                                                : effectOf(allA, allB);
    return change;
}

QString PinnedChange::line() const {
    QStringList texts;
    for (const Part& part : parts)
        texts << part.text;
    return texts.join(QStringLiteral(" · "));
}

QVector<ChangedLine> changedLines(const Run& a, const Run& b) {
    const std::string before = textOf(a), now = textOf(b);
    const LineMatch match = matchLines(before, now);
    if (match.parts.empty())
        return {};
    const ByLine linesA = byLine(*a.trace), linesB = byLine(*b.trace);
    const LineSums allA = sumOf(linesA, 0, noIndex), allB = sumOf(linesB, 0, noIndex);
    std::vector<LineSums> ownA, ownB;
    LineSums insideA, insideB;
    const auto plus = [](LineSums& to, const LineSums& from) {
        to.instructions += from.instructions;
        to.divergent += from.divergent;
        to.sectors += from.sectors;
        to.requests += from.requests;
        to.passes += from.passes;
        to.sharedRequests += from.sharedRequests;
    };
    for (const ChangedPart& part : match.parts) {
        ownA.push_back(sumOf(linesA, part.beginA, part.endA));
        ownB.push_back(sumOf(linesB, part.beginB, part.endB));
        plus(insideA, ownA.back());
        plus(insideB, ownB.back());
    }
    const bool elsewhere = effectOf(allA - insideA, allB - insideB) != Effect::None;
    QVector<ChangedLine> lines;
    const int last = std::max(1, int(std::count(now.begin(), now.end(), '\n')) + (now.ends_with('\n') ? 0 : 1));
    for (std::size_t n = 0; n < match.parts.size(); ++n) {
        const ChangedPart& part = match.parts[n];
        // One change alone did all that was done, wherever it is counted.
        const bool alone = match.parts.size() == 1;
        const LineSums &x = alone ? allA : ownA[n], &y = alone ? allB : ownB[n];
        Effect effect = effectOf(x, y);
        if (effect == Effect::None && !alone && elsewhere)
            effect = Effect::Unknown;
        QStringList what;
        const auto tell = [&](std::uint64_t p, std::uint64_t q, const QString& text) {
            if (p != q)
                what << text.arg(arrow(p, q));
        };
        tell(x.passes, y.passes, ChangeText::tr("shared passes %1"));
        tell(x.sectors, y.sectors, ChangeText::tr("sectors %1"));
        tell(x.divergent, y.divergent, ChangeText::tr("divergent branches %1"));
        tell(x.instructions, y.instructions, ChangeText::tr("instructions %1"));
        const QString did = effect == Effect::Unknown ? ChangeText::tr("changed; what it did is counted at other lines")
                            : what.isEmpty()          ? ChangeText::tr("changed, and nothing came of it")
                                                      : what.join(QStringLiteral(" · "));
        const std::uint32_t end = std::max(part.endB, part.beginB + 1); // where lines are gone: what follows them
        for (std::uint32_t line = part.beginB; line < end; ++line)
            lines.append({std::min(int(line), last), effect, did});
    }
    return lines;
}

} // namespace warpglass
