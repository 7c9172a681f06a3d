// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/chart_words.h"

#include "views/charts/charts_text.h"
#include "views/common/state_words.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

struct Title {
    const char *name, *english;
};

// Reasons for waiting that a GPU's sampling tells besides the states of the glossary.
constexpr Title states[] = {
    {"stall_imc_miss", QT_TR_NOOP("constant cache misses")},
    {"stall_misc", QT_TR_NOOP("other reasons")},
    {"others", QT_TR_NOOP("less than 1 % each")},
};

} // namespace

QString stateTitle(const QString& name) {
    const QString state = name.startsWith(QLatin1String("share_")) ? name.mid(6) : name;
    if (const auto known = parseEnum<WarpState>(state.toStdString()))
        return stateName(*known);
    const auto found = std::find_if(std::begin(states), std::end(states),
                                    [&](const Title& title) { return state == QLatin1String(title.name); });
    if (found != std::end(states))
        return ChartsText::tr(found->english);
    return state.startsWith(QLatin1String("stall_")) ? state.mid(6).replace(QLatin1Char('_'), QLatin1Char(' ')) : state;
}

Scaled scaledUnit(const QString& unit, double largest) {
    const auto choose = [largest](std::initializer_list<std::pair<double, const char*>> steps) {
        Scaled best;
        for (const auto& [size, text] : steps)
            if (largest >= size || best.unit.isEmpty())
                best = {1 / size, QString::fromUtf8(text)};
        return best;
    };
    if (unit == QLatin1String("ns"))
        return choose({{1.0, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}});
    if (unit == QLatin1String("B/s"))
        return choose({{1.0, "B/s"}, {1e3, "kB/s"}, {1e6, "MB/s"}, {1e9, "GB/s"}, {1e12, "TB/s"}});
    if (unit == QLatin1String("B"))
        return choose({{1.0, "B"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}});
    if (unit == QLatin1String("x"))
        return {1, QString::fromUtf8("×")};
    if (unit == QLatin1String("1") || unit.isEmpty()) {
        if (largest >= 1e9)
            return {1e-9, ChartsText::tr("billions")};
        if (largest >= 1e6)
            return {1e-6, ChartsText::tr("millions")};
        if (largest >= 1e5)
            return {1e-3, ChartsText::tr("thousands")};
        return {1, {}};
    }
    return {1, unit};
}

QString valueText(double shown) {
    if (shown == 0 || !std::isfinite(shown))
        return QStringLiteral("0");
    const int magnitude = int(std::floor(std::log10(std::abs(shown))));
    QString text = QString::number(shown, 'f', std::clamp(3 - magnitude, 0, 8));
    if (text.contains(QLatin1Char('.'))) {
        while (text.endsWith(QLatin1Char('0')))
            text.chop(1);
        if (text.endsWith(QLatin1Char('.')))
            text.chop(1);
    }
    return text;
}

} // namespace warpglass
