// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/model_note.h"

#include "gpu/metrics/model_accuracy.h"
#include "views/charts/charts_text.h"

#include <algorithm>

namespace warpglass {

namespace {
constexpr std::string_view asWritten = name(CompileMode::AsWritten);
} // namespace

void addModelNote(Chart& chart, const ResultTable& table) {
    bool modelled = false, measured = false;
    for (const ChartPanel& panel : chart.panels) {
        modelled |= panel.origins.contains(Origin::Modelled);
        measured |= panel.origins.contains(Origin::Measured);
    }
    if ((modelled || measured) &&
        std::any_of(table.rows.begin(), table.rows.end(), [](const ResultRow& row) { return row.mode == asWritten; }))
        chart.notes << ChartsText::tr("Compiled as written: times of a debug build, not those of optimised code.");
    if (!modelled || chart.fromLibrary)
        return;
    const auto pairs = modelPairs(table);
    if (const auto error = modelError(table, pairs)) {
        chart.notes << (error->rankCorrelation
                            ? ChartsText::tr("Model against hardware, %1 launches: mean error %2 %, rank "
                                             "correlation %3.")
                                  .arg(pairs.size())
                                  .arg(error->meanPercent, 0, 'f', 1)
                                  .arg(*error->rankCorrelation, 0, 'f', 2)
                            : ChartsText::tr("Model against hardware, %1 launches: mean error %2 %.")
                                  .arg(pairs.size())
                                  .arg(error->meanPercent, 0, 'f', 1));
        return;
    }
    const bool h200 = std::any_of(table.rows.begin(), table.rows.end(), [](const ResultRow& row) {
        return modelIsMeasuredOn(row.device) && row.backend == "emulator";
    });
    const ModelAccuracy accuracy = modelAccuracy(quotedRole); // the same as below other pictures
    if (h200 && accuracy.launches > 0)
        chart.notes << ChartsText::tr(
                           "The model against an H200, %1 other launches: mean error %2 %, rank correlation %3.")
                           .arg(accuracy.launches)
                           .arg(100 * accuracy.meanError, 0, 'f', 1)
                           .arg(accuracy.rankCorrelation, 0, 'f', 2);
    else
        chart.notes << ChartsText::tr("The model was not held against this device: its error is not known.");
}

} // namespace warpglass
