// SPDX-License-Identifier: GPL-3.0-or-later
// One reduction tree, laid out: what is painted and pointed at.
#pragma once

#include "gpu/trace/trace.h"
#include "views/common/selection.h"
#include "views/common/theme.h"
#include "views/reduction/reduction_layout.h"

#include <QPainter>

#include <memory>

namespace warpglass {

// What is worked out of a trace, whatever the area and the zoom.
struct ReductionModel {
    TracePtr trace;
    std::uint32_t block = noIndex;
    ReductionTree tree;
    std::vector<ReductionRow> rows; // empty if there is no tree
};
using ReductionModelPtr = std::shared_ptr<const ReductionModel>;
ReductionModelPtr reductionModel(const TracePtr& trace, std::uint32_t block);

struct ReductionScene {
    ReductionModelPtr model;
    QRectF area;
    ReductionLayout layout;
    Theme theme;
    Selection selection;
    int current = -1;           // the last step that has begun; -1 before the first
    ReductionModelPtr pinned{}; // of the run that this one is held against; null: none, or it has no tree
    QString mark{};             // of two that are compared: which it is
    bool playing = false;       // the block has not ended: later steps are shown as yet to come

    const Trace& trace() const { return *model->trace; }
    const ReductionTree& tree() const { return model->tree; }
    const std::vector<ReductionRow>& rows() const { return model->rows; }
};
ReductionScene reductionScene(ReductionModelPtr model, const QRectF& area, const ReductionZoom& zoom,
                              const Selection& selection, const Theme& theme, const QString& mark = {},
                              ReductionModelPtr pinned = {});
ReductionZoom clampedZoom(const ReductionScene& scene, const ReductionZoom& zoom);

// What is at a point of the picture: a sum's node or a cell, or what is told of a step, or nothing.
struct ReductionPlace {
    std::uint32_t value = noIndex; // row of the tree's values
    int step = -1;
};
ReductionPlace placeAt(const ReductionScene& scene, QPointF at);

void paintReduction(QPainter& painter, const ReductionScene& scene);
// The two parts of it: cells, nodes and edges; and the words round them.
void paintReductionTree(QPainter& painter, const ReductionScene& scene);
void paintReductionTitle(QPainter& painter, const ReductionScene& scene);
void paintReductionSides(QPainter& painter, const ReductionScene& scene);
void paintReductionFoot(QPainter& painter, const ReductionScene& scene);
// Frames round everything that a number is made of, up to the first row.
void paintReductionParts(QPainter& painter, const ReductionScene& scene, std::uint32_t value);

bool toCome(const ReductionScene& scene, int step);
QColor fadedTo(const QColor& colour, const Theme& theme, qreal share); // towards the window's ground
QString valueText(const ReductionValue& value);                        // "25", "3.5"
QString sumText(const ReductionTree& tree, std::uint32_t sum);         // "thread 0: 3 + 4 = 7"

// How the numbers of a row are written in its cells: level, upright where columns are narrower, or not at all.
enum class Written { No, Upright, Level };
struct RowWriting {
    Written how = Written::No;
    QFont font; // the largest in which its longest number has room; bold
};
RowWriting writingOf(const ReductionScene& scene, int row);

QString reductionToolTip(const ReductionScene& scene, const ReductionPlace& place);
QString reductionCsv(const ReductionModel& model);

} // namespace warpglass
