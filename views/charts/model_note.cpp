// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/model_note.h"

#include "views/charts/charts_text.h"
#include "views/common/sentences.h"

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
    QStringList said; // of each kind of kernel once
    bool unknown = false;
    for (const ResultRow& row : table.rows) {
        if (row.backend != "emulator" || !row.find("duration_ns"))
            continue;
        unknown |= row.modelError.empty();
        if (const QString of = sentence(row.modelError); !of.isEmpty() && !said.contains(of))
            said << of;
    }
    constexpr qsizetype most = 3;
    chart.notes << said.first(std::min(most, said.size()));
    if (unknown || said.isEmpty() || said.size() > most)
        chart.notes << ChartsText::tr(
            "Of what kind some kernels are is not told: the model's error on them is not known.");
}

} // namespace warpglass
