// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/why/why_layout.h"

#include <algorithm>

namespace warpglass {

namespace {
constexpr double wide = 56;        // lines of width from which both columns have room
constexpr double slim = 26;        // below it times are left to the tool tips
constexpr double leastStack = 2.6; // lines
} // namespace

QRectF WhyLayout::bar(std::size_t row) const {
    const QRectF& r = rows[row];
    const double inset = r.height() * 0.2;
    return {plot.left(), r.top() + inset, plot.width(), r.height() - 2 * inset};
}

WhyLayout whyLayout(const QRectF& area, const WhySizes& sizes, const WhyWords& words, std::size_t rows, double most,
                    int legendLines, double scroll) {
    WhyLayout l;
    l.most = std::max(1.0, most);
    const double L = sizes.line, S = sizes.small;
    const QRectF in = area.adjusted(1.2 * L, 0.7 * L, -1.2 * L, 0);
    const bool columns = in.width() >= wide * L;
    const double gap = 2 * L;
    const double left = columns ? std::floor(in.width() * 0.54) : in.width();
    const double rightAt = columns ? in.left() + left + gap : in.left();
    const double right = columns ? in.width() - left - gap : in.width();

    double y = 0; // from the top of the content
    const auto text = [&](QRectF& where, double at, double width, const QString& words_, bool small, double after) {
        const double height = words_.isEmpty() ? 0 : sizes.paragraph(words_, width, small);
        where = {at, y, width, height};
        y += height + (height > 0 ? after : 0);
    };
    l.title = {in.left(), y, in.width(), 1.6 * L};
    y += 1.6 * L;
    text(l.headline, in.left(), in.width(), words.headline, false, 0.7 * L);
    const double top = y;

    l.withTimes = in.width() >= slim * L;
    const double names = std::min(13.5 * L, left * (l.withTimes ? 0.36 : 0.46));
    const double numbers = (columns ? 9.2 : l.withTimes ? 8.2 : 4.4) * L;
    const double rowHeight = 1.5 * L;
    l.plot = {in.left() + names, y, std::max(4 * L, left - names - numbers), rowHeight * double(rows)};
    for (std::size_t n = 0; n < rows; ++n, y += rowHeight)
        l.rows.push_back({in.left(), y, left, rowHeight});
    l.ruler = {l.plot.left(), y, l.plot.width(), 1.3 * S};
    y += 1.3 * S + 0.5 * L;
    text(l.nothing, in.left(), left, words.nothing, true, 0.3 * L);
    text(l.error, in.left(), left, words.error, true, 0.3 * L);
    const double foot = y;

    if (columns)
        y = top;
    else
        y += 0.5 * L;
    const WhyDetails& d = words.details;
    l.heading = {rightAt, y, right, 1.4 * L};
    y += 1.4 * L;
    text(l.sentence, rightAt, right, d.sentence, false, 0.4 * L);
    const double beside = WhyLayout::share(L) + 0.5 * L;
    if (!d.lines.empty()) {
        l.who = {rightAt, y, right, 1.2 * S};
        y += 1.3 * S;
        for (const WhyDetails::Line& line : d.lines) {
            const double height = L + sizes.paragraph(line.finding, right - beside, true) + 0.5 * L;
            l.lines.push_back({rightAt, y, right, height});
            y += height;
        }
        y += 0.3 * L;
    } else {
        text(l.who, rightAt, right, d.noLines, true, 0.4 * L);
    }
    text(l.note, rightAt, right, d.note, true, 0.3 * L);
    y = std::max(y, foot);

    if (words.timelines) {
        y += 0.6 * L;
        l.together = {in.left(), y, in.width(), 1.3 * L};
        y += 1.3 * L;
        const double legend = S * (0.4 + legendLines), head = 1.2 * S;
        const double fixed = 2 * head + 1.4 * S + legend + 1.2 * L;
        const double stack = std::clamp((area.height() - 0.7 * L - y - fixed) / 2, leastStack * L, 7 * L);
        const double labels = 5 * L;
        for (std::size_t i = 0; i < 2; ++i) {
            l.heads[i] = {in.left(), y, in.width(), head};
            l.stacks[i] = {std::round(in.left() + labels), std::round(y + head), std::floor(in.width() - labels),
                           std::round(stack)};
            y += head + stack + 0.3 * L;
        }
        l.stackRuler = {l.stacks[0].left(), y, l.stacks[0].width(), 1.3 * S};
        y += 1.5 * S;
        l.legend = {in.left(), y, in.width(), legend};
        y += legend;
    }
    l.contentHeight = y + 1.4 * L;
    l.scroll = std::clamp(scroll, 0.0, std::max(0.0, l.contentHeight - area.height()));
    const double by = in.top() - std::ceil(l.scroll);
    for (QRectF* r : {&l.title, &l.headline, &l.plot, &l.ruler, &l.nothing, &l.error, &l.heading, &l.sentence, &l.who,
                      &l.note, &l.together, &l.stackRuler, &l.legend})
        r->translate(0, by);
    for (auto* list : {&l.rows, &l.lines})
        for (QRectF& r : *list)
            r.translate(0, by);
    for (auto* two : {&l.heads, &l.stacks})
        for (QRectF& r : *two)
            r.translate(0, by);
    return l;
}

} // namespace warpglass
