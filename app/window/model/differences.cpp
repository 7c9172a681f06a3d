// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/differences.h"

#include "app/window/model/machine_differences.h"
#include "gpu/metrics/metrics.h"
#include "gpu/metrics/model_accuracy.h"
#include "views/common/marks.h"
#include "views/common/metric_words.h"
#include "views/common/sentences.h"
#include "views/common/ticks.h"

#include <QCoreApplication>

#include <cmath>

namespace warpglass {

namespace {

class DifferencesText {
    Q_DECLARE_TR_FUNCTIONS(Differences)
};

struct Side {
    std::optional<double> value;
    Origin origin;
    QString why;
};

struct Named {
    QString name, nsight, unit;
    QVector<Side> sides[2];
};

void collect(QVector<Named>& all, const std::vector<Metric>& metrics, int side) {
    for (const Metric& m : metrics) {
        const QString name = QString::fromStdString(m.name);
        auto at = std::find_if(all.begin(), all.end(), [&](const Named& n) { return n.name == name; });
        if (at == all.end()) {
            all.append(Named{name, QString::fromStdString(m.nsight), QString::fromStdString(m.unit), {}});
            at = all.end() - 1;
        }
        at->sides[side].append(Side{m.value, m.origin, metricLack(m.why)});
    }
}

Difference row(const Named& named, const Side* a, const Side* b) {
    Difference d;
    d.metric = named.name;
    d.nsight = named.nsight;
    d.unit = named.unit;
    d.meaning = metricMeaning(named.name);
    if (a) {
        d.a = a->value;
        d.originA = a->origin;
        d.why = a->why;
    }
    if (b) {
        d.b = b->value;
        d.originB = b->origin;
        if (d.why.isEmpty())
            d.why = b->why;
    }
    return d;
}

// Same origins first; what is left over is set against each other in order; what is alone stays alone.
void pairUp(const Named& named, QVector<Difference>& rows) {
    QVector<Side> a = named.sides[0], b = named.sides[1];
    for (qsizetype i = 0; i < a.size();) {
        const auto at = std::find_if(b.begin(), b.end(), [&](const Side& s) { return s.origin == a[i].origin; });
        if (at == b.end()) {
            ++i;
            continue;
        }
        rows.append(row(named, &a[i], &*at));
        b.erase(at);
        a.removeAt(i);
    }
    for (qsizetype i = 0; i < std::max(a.size(), b.size()); ++i)
        rows.append(row(named, i < a.size() ? &a[i] : nullptr, i < b.size() ? &b[i] : nullptr));
}

void count(QVector<Difference>& rows, const QString& name, double a, double b) {
    Difference d;
    d.metric = name;
    d.unit = QStringLiteral("1");
    d.a = a;
    d.b = b;
    rows.append(d);
}

double grids(const Trace& trace, LaunchStatus status) {
    return double(std::count_if(trace.launches.begin(), trace.launches.end(),
                                [&](const Launch& l) { return l.status == status; }));
}

} // namespace

std::optional<double> Difference::difference() const {
    return a && b ? std::optional(*b - *a) : std::nullopt;
}

std::optional<double> Difference::ratio() const {
    return a && b && *a != 0 ? std::optional(*b / *a) : std::nullopt;
}

bool Difference::mixed() const {
    return a && b && (originA == Origin::Modelled) != (originB == Origin::Modelled);
}

QVector<Difference> differences(const Trace& a, const Trace& b) {
    QVector<Difference> rows;
    if (a.launches.empty() || b.launches.empty())
        return rows;
    QVector<Named> all;
    collect(all, metrics(a, 0), 0);
    collect(all, metrics(b, 0), 1);
    for (const Named& named : all)
        pairUp(named, rows);
    count(rows, DifferencesText::tr("grids that ran"), grids(a, LaunchStatus::Ran), grids(b, LaunchStatus::Ran));
    count(rows, DifferencesText::tr("grids dropped"), grids(a, LaunchStatus::Dropped), grids(b, LaunchStatus::Dropped));
    count(rows, DifferencesText::tr("blocks"), double(a.blocks.size()), double(b.blocks.size()));
    count(rows, DifferencesText::tr("warps recorded"), double(a.warps.size()), double(b.warps.size()));
    count(rows, DifferencesText::tr("events recorded"), double(a.events.size()), double(b.events.size()));
    count(rows, DifferencesText::tr("events lost"), double(a.lostEvents()), double(b.lostEvents()));
    return rows + machineDifferences(a, b);
}

QString figureText(double value, const QString& unit) {
    const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
    if (unit == QLatin1String("ns"))
        return std::abs(value) >= 1e6   ? QStringLiteral("%1 ms").arg(decimalText(value / 1e6, 3))
               : std::abs(value) >= 1e3 ? QStringLiteral("%1 us").arg(decimalText(value / 1e3, 2))
                                        : QStringLiteral("%1 ns").arg(decimalText(value, whole ? 0 : 1));
    if (unit == QLatin1String("B/s"))
        return QStringLiteral("%1 GB/s").arg(decimalText(value / 1e9, 2));
    const QString text = decimalText(value, whole && unit != QLatin1String("%") ? 0 : 2);
    return unit.isEmpty() || unit == QLatin1String("1") ? text : QStringLiteral("%1 %2").arg(text, unit);
}

QString changeText(double change, const QString& unit) {
    const QString sign = change > 0 ? QStringLiteral("+") : QString();
    if (unit == QLatin1String("%")) // of shares, not of the first figure
        return sign + DifferencesText::tr("%1 points").arg(decimalText(change, 2));
    return sign + figureText(change, unit);
}

QString differencesCsv(const QVector<Difference>& rows, const QString& nameA, const QString& nameB) {
    const auto number = [](const std::optional<double>& v) { return v ? QString::number(*v, 'g', 15) : QString(); };
    const auto origin = [](bool there, Origin o) { return there ? QString::fromLatin1(name(o)) : QString(); };
    QString csv = QStringLiteral("metric,nsight,unit,%1,origin of A,%2,origin of B,B - A,B / A,note\n")
                      .arg(csvField(QStringLiteral("A: ") + nameA), csvField(QStringLiteral("B: ") + nameB));
    for (const Difference& d : rows) {
        const QStringList fields{
            d.metric,
            d.nsight,
            d.unit,
            number(d.a),
            origin(d.a.has_value(), d.originA),
            number(d.b),
            origin(d.b.has_value(), d.originB),
            number(d.difference()),
            number(d.ratio()),
            d.mixed() ? DifferencesText::tr("modelled against another origin: the ratio holds the model's error")
                      : d.why};
        for (qsizetype i = 0; i < fields.size(); ++i)
            csv += (i > 0 ? QStringLiteral(",") : QString()) + csvField(fields[i]);
        csv += QLatin1Char('\n');
    }
    return csv;
}

QString differencesWarning(const QVector<Difference>& rows, const Trace& a, const Trace& b) {
    if (a.info.timeUnit != b.info.timeUnit)
        return DifferencesText::tr(
            "One run counts steps, the other nanoseconds: only the order of events can be compared, not times.");
    const Difference* worst = nullptr;
    for (const Difference& d : rows) {
        const auto error = [](const Difference& x) {
            const double measured = x.originA == Origin::Modelled ? *x.b : *x.a;
            const double modelled = x.originA == Origin::Modelled ? *x.a : *x.b;
            return std::abs(modelled / measured - 1);
        };
        if (d.mixed() && *d.a != 0 && *d.b != 0 && (!worst || error(d) > error(*worst)))
            worst = &d;
    }
    if (!worst) {
        const bool mixed = a.info.timeOrigin != b.info.timeOrigin;
        return mixed ? DifferencesText::tr("The times of one run are %1, those of the other %2.")
                           .arg(originName(a.info.timeOrigin), originName(b.info.timeOrigin))
                     : QString();
    }
    const double modelled = worst->originA == Origin::Modelled ? *worst->a : *worst->b;
    const double other = worst->originA == Origin::Modelled ? *worst->b : *worst->a;
    const double percent = 100 * (modelled / other - 1);
    const Launch &first = a.launches.front(), &second = b.launches.front();
    const bool sameLaunch = a.kernelOf(first).name == b.kernelOf(second).name && first.grid == second.grid &&
                            first.block == second.block && a.info.size == b.info.size && a.info.mode == b.info.mode;
    QString warning =
        sameLaunch
            ? DifferencesText::tr(
                  "Modelled figures stand beside others of the same launch: the largest error of the model is %1 %, in "
                  "%2.")
                  .arg((percent > 0 ? QStringLiteral("+") : QString()) + decimalText(percent, 1), worst->metric)
            : DifferencesText::tr("Modelled figures stand beside others, of another launch.");
    return warning + QLatin1Char(' ') + sentence(kindErrorSentence(worst->originA == Origin::Modelled ? a : b));
}

} // namespace warpglass
