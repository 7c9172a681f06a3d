// SPDX-License-Identifier: GPL-3.0-or-later
// Where the parts lie: bars left and what is chosen of them right (below each other where it is narrow), both timelines
// at the foot. What does not fit is reached by scrolling; on paper everything is in sight.
#pragma once

#include "views/why/why_model.h"

#include <QRectF>

#include <functional>

namespace warpglass {

// All words whose height matters.
struct WhyWords {
    QString headline, nothing, error;
    WhyDetails details;
    bool timelines = false; // there are two to show
};

struct WhySizes {
    double line = 0, small = 0; // height of a line of body and of small text
    std::function<double(const QString& text, double width, bool small)> paragraph; // height of a wrapped text
};

struct WhyLayout {
    QRectF title, headline;
    QRectF plot;              // of the bars: from no time to `most`
    std::vector<QRectF> rows; // whole rows, names and numbers with them
    double most = 1;          // ns
    bool withTimes = true;    // beside what each bar saves
    QRectF ruler, nothing, error;
    QRectF heading, sentence, who, note;
    std::vector<QRectF> lines; // of the row that is chosen
    QRectF together;           // heading of the two timelines
    std::array<QRectF, 2> heads, stacks;
    QRectF stackRuler, legend;
    double contentHeight = 0, scroll = 0;

    double x(double ns) const { return plot.left() + ns / most * plot.width(); }
    QRectF bar(std::size_t row) const;
    static double share(double line) { return 4.2 * line; } // width of a line's share, its bar and number
};

WhyLayout whyLayout(const QRectF& area, const WhySizes& sizes, const WhyWords& words, std::size_t rows, double most,
                    int legendLines, double scroll);

} // namespace warpglass
