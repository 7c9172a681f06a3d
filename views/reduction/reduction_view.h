// SPDX-License-Identifier: GPL-3.0-or-later
// views/reduction: how a block folds its numbers into one, drawn from what it really read and wrote.
//
// In: a Trace with recorded accesses, and the shared Selection (its block, or the first with detail). Out: the cells of
// the array in a row; below, step by step, each addition as a node with its thread, fed from the two cells or lanes it
// read; idle threads grey, warps' borders, and for each step its threads, warps, divergence, stride, sectors or bank
// passes. A wrong tree shows where. gpu/metrics/reduction_tree finds the additions, reduction_scene lays them
// out with reduction_layout and draws them (reduction_tree_paint, reduction_words_paint). Options: zoom, centre, top.
#pragma once

#include "views/common/view.h"
#include "views/reduction/reduction_scene.h"

namespace warpglass {

class ReductionPicture final : public Picture {
public:
    // In compare mode: the other trace's tree, or why it has none.
    struct Second {
        std::optional<ReductionScene> scene;
        QString why;
    };
    ReductionPicture(const PaintContext& of, const QRectF& on, ReductionModelPtr model, Second other,
                     ReductionModelPtr pinned);

    void paint(QPainter& painter) const override;
    void paintOverlay(QPainter& painter, QPointF pointer) const override;
    Spot spotAt(QPointF at) const override;
    std::optional<Change> answer(const Input& input) const override;
    QString csv() const override;
    std::vector<Beat> beats() const override;

    // The model of a block, if this picture shows it.
    ReductionModelPtr modelOf(const TracePtr& trace, std::uint32_t block) const;

    const ReductionScene scene; // of the first trace, which answers the pointer

private:
    Selection atEndOf(int step) const;
    std::optional<Change> zoomed(const ReductionZoom& zoom) const;
    std::optional<Change> key(int key) const;
    Second m_second;
};

std::unique_ptr<View> makeReductionView();

} // namespace warpglass
