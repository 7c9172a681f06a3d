// SPDX-License-Identifier: GPL-3.0-or-later
// What goes where: lanes above, tensor cores and slots below them, all over one axis of time; under it what they lacked.
#pragma once

#include "views/common/theme.h"
#include "views/common/time_axis.h"

#include <QRectF>
#include <QVector>

namespace warpglass {

struct PipelineLayout {
    QRectF title, sub;
    double labels = 0; // width, left of the plot
    QRectF plot;       // all rows
    QVector<QRectF> lanes, ringSlots;
    QRectF units; // the tensor cores, or the schedulers
    QRectF ruler, legend, idle;
    QRectF shares; // what each lane did with its time, where there is room; else empty
    TimeAxis scale;
    int hidden = 0;              // slots that have no row
    int causes = 0, columns = 1; // of what the units lacked: the largest that have room, beside each other
    double rowHeight = 0, shareHeight = 0;

    QRectF labelOf(const QRectF& row) const { return {plot.left() - labels, row.top(), labels - 8, row.height()}; }
};

struct PipelineSizes {
    int lanes = 0, ringSlots = 0, causes = 0;
    double label = 0; // what the labels need
    int legendLines = 1, subLines = 1;
};
PipelineLayout pipelineLayout(const QRectF& area, const Theme& theme, const PipelineSizes& sizes, TimeRange window);

} // namespace warpglass
