// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/turnable.h"

#include "gpu/launch/source_tokens.h"

#include <QRegularExpression>

#include <algorithm>
#include <bit>
#include <limits>
#include <map>

namespace warpglass {

namespace {

constexpr qsizetype mostTurned = 8; // more are no row of sliders

// Blanks in the place of comments and strings, so that places stay what they are.
QString withoutRemarks(QString text) {
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QStringView rest = QStringView(text).sliced(i);
        qsizetype end;
        if (rest.startsWith(QLatin1String("//")))
            end = text.indexOf(QLatin1Char('\n'), i);
        else if (rest.startsWith(QLatin1String("/*")))
            end = (end = text.indexOf(QLatin1String("*/"), i + 2)) < 0 ? end : end + 2;
        else if (text[i] == QLatin1Char('"'))
            for (end = i + 1; end < text.size() && text[end] != QLatin1Char('"') && text[end] != QLatin1Char('\n');)
                end += text[end] == QLatin1Char('\\') ? 2 : 1;
        else
            continue;
        end = end < 0 ? text.size() : std::min(end + (text[i] == QLatin1Char('"') ? 1 : 0), text.size());
        for (; i < end; ++i)
            if (text[i] != QLatin1Char('\n'))
                text[i] = QLatin1Char(' ');
        --i;
    }
    return text;
}

int usesOf(const QString& text, const QString& name) {
    const auto isPart = [&](qsizetype k) {
        return k >= 0 && k < text.size() && (text[k].isLetterOrNumber() || text[k] == QLatin1Char('_'));
    };
    int uses = 0;
    for (qsizetype at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.size()))
        uses += !isPart(at - 1) && !isPart(at + name.size());
    return uses;
}

} // namespace

QVector<Turnable> turnablesIn(const QString& source) {
    const QString text = withoutRemarks(source);
    // A definition of the preprocessor that is no more than a number, or a declaration of a constant whole number.
    static const QRegularExpression constant(
        QStringLiteral(
            "^[ \\t]*#[ \\t]*define[ \\t]+(?<macro>\\w+)[ \\t]+\\(?[ \\t]*(?<number>-?\\d+)[uUlL]*[ \\t]*\\)?[ \\t]*$"
            "|\\b(?:constexpr|const)\\b(?:[ \\t]+(?:static|inline|constexpr|const|unsigned|signed|long|short|int|"
            "size_t|std::size_t|u?int(?:8|16|32|64)_t|std::u?int(?:8|16|32|64)_t|auto))+[ \\t]+(?<name>\\w+)"
            "[ \\t]*(?:=|\\{)[ \\t]*(?<value>-?\\d+)[uUlL]*[ \\t]*\\}?[ \\t]*;"),
        QRegularExpression::MultilineOption);
    QVector<Turnable> found;
    std::map<QString, int> times;
    for (auto all = constant.globalMatch(text); all.hasNext();) {
        const QRegularExpressionMatch one = all.next();
        const QString group =
            one.capturedStart(QStringLiteral("number")) >= 0 ? QStringLiteral("number") : QStringLiteral("value");
        Turnable t;
        t.name = one.captured(group == QLatin1String("number") ? QStringLiteral("macro") : QStringLiteral("name"));
        bool isNumber = false;
        t.value = one.captured(group).toLongLong(&isNumber);
        t.from = one.capturedStart(group);
        t.length = one.capturedLength(group);
        const bool octal = t.length > 1 && one.captured(group).startsWith(QLatin1Char('0'));
        t.line = int(QStringView(text).left(t.from).count(QLatin1Char('\n'))) + 1;
        ++times[t.name];
        if (isNumber && !octal && usesOf(text, t.name) > 1)
            found.append(t);
    }
    found.removeIf([&](const Turnable& t) { return times[t.name] > 1; });
    if (found.size() > mostTurned)
        found.resize(mostTurned);
    return found;
}

QString turned(const QString& text, const QString& name, qint64 value) {
    for (const Turnable& t : turnablesIn(text))
        if (t.name == name)
            return QString(text).replace(t.from, t.length, QString::number(value));
    return text;
}

namespace {
bool isSquare(Dim3 shape) {
    return shape.x == shape.y && shape.x > 1;
}
} // namespace

Dim3 shapeTurned(Dim3 shape, qint64 value) {
    if (isSquare(shape))
        shape.y = std::uint32_t(value);
    shape.x = std::uint32_t(value);
    return shape;
}

QVector<qint64> shapeStops(Dim3 shape, qint64 most) {
    QVector<qint64> stops = powersUpTo(most, shape.x);
    stops.removeIf([&](qint64 stop) {
        const bool fits = qint64(shapeTurned(shape, stop).count()) <= most && !(isSquare(shape) && stop == 1);
        return !fits && stop != qint64(shape.x); // one side of a square is a row, and no way back
    });
    return stops;
}

QVector<qint64> powersUpTo(qint64 most, qint64 value) {
    QVector<qint64> stops;
    for (qint64 n = 1; n <= most; n *= 2)
        stops.append(n);
    if (!stops.contains(value))
        stops.insert(std::upper_bound(stops.begin(), stops.end(), value), value);
    return stops;
}

QVector<qint64> stopsOf(qint64 value) {
    constexpr qint64 least = 4, most = 1 << 20;
    if (value >= least && value <= most && std::has_single_bit(std::uint64_t(value)))
        return powersUpTo(std::min<qint64>(most, 8 * value), value);
    constexpr qint64 some = 8, many = 64; // stops
    const qint64 low = std::min<qint64>(0, value),
                 high = std::max(some, value > std::numeric_limits<qint64>::max() / 2 ? value : 2 * value);
    if (high - low <= many) {
        QVector<qint64> stops;
        for (qint64 n = low; n <= high; ++n)
            stops.append(n);
        return stops;
    }
    // Far from 0: a few on each side, and the powers of two.
    QVector<qint64> stops = powersUpTo(std::min(most, high), value);
    for (qint64 n = value - some; n <= value + some; ++n)
        if (!stops.contains(n))
            stops.append(n);
    std::sort(stops.begin(), stops.end());
    return stops;
}

} // namespace warpglass
