// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/number_axis.h"

#include "views/charts/chart_words.h"
#include "views/common/label_row.h"
#include "views/common/marks.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

double NumberScale::share(double value) const {
    return logarithmic ? std::log(std::max(value, from) / from) / std::log(to / from) : (value - from) / (to - from);
}

QVector<double> NumberScale::ticks(int most) const {
    QVector<double> ticks;
    const double tiny = (to - from) * 1e-9;
    if (logarithmic && to / from >= 10) { // decades, with 2 and 5 between them where there are few
        const bool few = std::log10(to / from) < 2.5;
        for (double decade = std::pow(10, std::floor(std::log10(from))); decade <= to; decade *= 10)
            for (const double n : {1.0, 2.0, 5.0})
                if ((n == 1 || few) && decade * n >= from - tiny && decade * n <= to + tiny)
                    ticks << decade * n;
        if (ticks.size() >= 2)
            return ticks;
        ticks.clear();
    }
    // The smallest step of 1, 2 or 5 that gives no more than asked for; two numbers always are: a span holds two
    // multiples of a third of itself.
    const double raw = (to - from) / std::max(2, most - 1);
    double step = std::pow(10, std::floor(std::log10(raw)));
    for (const double n : {1.0, 2.0, 5.0, 10.0})
        if (step * n >= raw - tiny) {
            step *= n;
            break;
        }
    while (std::floor((to + tiny) / step) - std::ceil((from - tiny) / step) < 1)
        step /= 2;
    for (double n = std::ceil((from - tiny) / step); n * step <= to + tiny; ++n)
        ticks << n * step;
    return ticks;
}

namespace {

QString superscript(int n) {
    static const QString digits = QString::fromUtf8("⁰¹²³⁴⁵⁶⁷⁸⁹");
    QString text = n < 0 ? QString::fromUtf8("⁻") : QString();
    const QString plain = QString::number(std::abs(n));
    for (const QChar c : plain)
        text += digits[c.digitValue()];
    return text;
}

bool isPowerOfTen(double value) {
    const double power = std::log10(std::abs(value));
    return value > 0 && std::abs(power - std::round(power)) < 1e-6; // else two marks would read alike
}

constexpr qreal markLength = 4, besideMark = 3, besideWord = 8; // px at the usual type

} // namespace

QVector<AxisMark> axisMarks(const QVector<double>& values) {
    const auto large = [](double value) { return value >= 1e5 || value < 1e-3; };
    const bool powers =
        std::all_of(values.begin(), values.end(), isPowerOfTen) && std::any_of(values.begin(), values.end(), large);
    QVector<AxisMark> marks;
    for (const double value : values)
        marks.append({value, powers ? QStringLiteral("10") + superscript(int(std::lround(std::log10(value))))
                                    : valueText(value)});
    return marks;
}

QVector<AxisMark> roomyMarks(const NumberScale& scale, int most,
                             const std::function<bool(const QVector<AxisMark>&)>& haveRoom) {
    QVector<AxisMark> marks;
    for (; most >= 2; --most) {
        marks = axisMarks(scale.ticks(most));
        if (haveRoom(marks))
            return marks;
    }
    // Of a logarithmic axis each second decade, each third; of others first and last.
    const QVector<double> all = scale.ticks(2);
    for (qsizetype every = 2; every < all.size(); ++every) {
        QVector<double> some;
        for (qsizetype n = 0; n < all.size(); n += every)
            some << all[n];
        marks = axisMarks(some);
        if (haveRoom(marks))
            return marks;
    }
    marks = axisMarks({all.first(), all.last()});
    return haveRoom(marks) ? marks : marks.last(1);
}

QVector<AxisMark> marksBelow(const NumberScale& scale, qreal length, const Theme& theme) {
    const qreal s = theme.fontScale, gap = besideWord * s;
    return roomyMarks(scale, std::clamp(int(length / (36 * s)), 2, 7), [&](const QVector<AxisMark>& marks) {
        LabelRow row(-12 * s, length + 12 * s, gap);
        return std::all_of(marks.begin(), marks.end(), [&](const AxisMark& mark) {
            return row.place(scale.share(mark.value) * length, textWidth(theme.small(), mark.text)).has_value();
        });
    });
}

QVector<AxisMark> marksBeside(const NumberScale& scale, qreal length, const Theme& theme) {
    const qreal line = lineHeight(theme.small());
    return roomyMarks(scale, std::clamp(int(length / (2.2 * line)), 2, 7), [&](const QVector<AxisMark>& marks) {
        for (qsizetype n = 1; n < marks.size(); ++n)
            if ((scale.share(marks[n].value) - scale.share(marks[n - 1].value)) * length < line)
                return false;
        return true;
    });
}

qreal axisDepth(const Theme& theme) {
    return (markLength + besideMark) * theme.fontScale + lineHeight(theme.small());
}

qreal axisWidth(const QVector<AxisMark>& marks, const Theme& theme) {
    qreal widest = 0;
    for (const AxisMark& mark : marks)
        widest = std::max(widest, textWidth(theme.small(), mark.text));
    return widest + (markLength + besideMark) * theme.fontScale + 1;
}

void paintAxisBelow(QPainter& painter, const NumberAxis& axis, const QRectF& inside, bool grid, qreal left, qreal right,
                    const Theme& theme) {
    const qreal s = theme.fontScale;
    LabelRow row(left, right, besideWord * s / 2);
    for (const AxisMark& mark : axis.marks) {
        const qreal x = axis.pixel(mark.value);
        if (grid) {
            painter.setPen(QPen(theme.border, 0.8 * s));
            painter.drawLine(QPointF(x, inside.top()), QPointF(x, inside.bottom()));
        }
        painter.setPen(QPen(theme.textMuted, s));
        painter.drawLine(QPointF(x, inside.bottom()), QPointF(x, inside.bottom() + markLength * s));
        const qreal width = textWidth(theme.small(), mark.text);
        if (const auto at = row.place(x, width))
            paintText(painter,
                      {*at, inside.bottom() + (markLength + besideMark) * s, width + 2, lineHeight(theme.small())},
                      mark.text, theme.small(), theme.textMuted);
    }
    painter.setPen(QPen(theme.textMuted, s));
    painter.drawLine(inside.bottomLeft(), inside.bottomRight());
}

void paintAxisBeside(QPainter& painter, const NumberAxis& axis, const QRectF& inside, bool grid, const Theme& theme) {
    const qreal s = theme.fontScale, line = lineHeight(theme.small());
    for (const AxisMark& mark : axis.marks) {
        const qreal y = axis.pixel(mark.value);
        if (grid) {
            painter.setPen(QPen(theme.border, 0.8 * s));
            painter.drawLine(QPointF(inside.left(), y), QPointF(inside.right(), y));
        }
        painter.setPen(QPen(theme.textMuted, s));
        painter.drawLine(QPointF(inside.left() - markLength * s, y), QPointF(inside.left(), y));
        const qreal width = textWidth(theme.small(), mark.text);
        paintText(painter, {inside.left() - (markLength + besideMark) * s - width - 1, y - line / 2, width + 2, line},
                  mark.text, theme.small(), theme.textMuted);
    }
    painter.setPen(QPen(theme.textMuted, s));
    painter.drawLine(inside.topLeft(), inside.bottomLeft());
}

} // namespace warpglass
