// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of the picture and every word beside them, from the answer and the view's state.
#pragma once

#include "gpu/metrics/why.h"
#include "views/common/options.h"
#include "views/common/selection.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

namespace warpglass {

struct WhyRow {
    enum class Kind { AsIs, Limit, Pair, Floor } kind = Kind::AsIs;
    std::size_t limit = 0; // of Why::limits
    QString key, name;     // "conflicts", "without bank conflicts"
    QString shortName;     // "bank conflicts"
    double ns = 0, saved = 0;
};
// As it is, then the limits that are worth a word, then the best pair and the floor where there are any such limits. As
// long as limits are still asked, those that are known, without what follows from all.
std::vector<WhyRow> whyRows(const Why& why);

// What is shown of the row that is chosen.
struct WhyDetails {
    QString heading, sentence, note; // note: how far the prediction was right on hardware; empty for no limit
    struct Line {
        QString name, code, finding; // code: of the source, trimmed; empty if there is none
        double share = 0;
    };
    std::vector<Line> lines;
    QString noLines; // why there are none
};
WhyDetails whyDetails(const Why& why, const WhyRow& row);

enum class WhyShow { Limits, Timelines };
Choice<WhyShow> whyShow();                               // the drop-down "show"
inline constexpr const char* whyLimitOption = "limit";   // key of a row; none: the first that saves something
inline constexpr Setting<int> whyLine{"line", -1};       // of its lines, where the keyboard is
inline constexpr Setting<double> whyScroll{"whyScroll"}; // px
std::size_t chosenRow(const std::vector<WhyRow>&, const Options&);

// The place that a line names, in all views: the line, and a warp that comes there, at the moment it does.
Selection selectionOf(const Why& why, const WhyLine& line, const Trace& trace, Selection selection);
bool isSelected(const Why& why, const WhyLine& line, const Selection& selection);

// The launch's duration by a GPU's recording of it, in ns; 0 if there is none.
double measuredNs(const Trace* recording);
// How long the model says the pinned run took; 0: nothing is pinned, or it was not modelled.
double pinnedNs(const Trace* pinned);
QString whyTime(double ns); // "6.52 µs"

} // namespace warpglass
