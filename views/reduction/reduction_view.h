// SPDX-License-Identifier: GPL-3.0-or-later
// views/reduction: how a block folds its numbers into one, drawn from what it really read and wrote.
//
// In: a Trace with recorded accesses, and the shared Selection (its block, or the first with detail). Out: the cells of
// the array in a row; below, step by step, each addition as a node with its thread, fed from the two cells or lanes it
// read; idle threads grey, warps' borders, and for each step its threads, warps, divergence, stride, sectors or bank
// passes. A wrong tree shows where. gpu/metrics/reduction_tree finds the additions, reduction_layout says where they
// lie, reduction_paint draws them. Options: zoom, centre, top.
#pragma once

#include "views/common/view.h"
#include "views/reduction/reduction_layout.h"

#include <memory>

namespace warpglass {

// One picture before it is painted.
struct ReductionScene {
    const Trace* trace = nullptr;
    std::uint32_t block = noIndex;
    std::shared_ptr<const ReductionTree> tree;
    std::shared_ptr<const std::vector<ReductionRow>> rows;
    ReductionLayout layout;
    Theme theme;
    Selection selection;
    int current = -1;     // the last step that has begun; -1 before the first
    bool playing = false; // time lies inside the run: later steps are shown as yet to come
};

class ReductionView : public View {
public:
    ReductionView();
    ~ReductionView() override;
    QString key() const override { return QStringLiteral("reduction"); }
    QString title() const override;
    QString question() const override;
    void paint(QPainter& painter, const QRectF& area, const PaintContext& context) const override;
    void paintOverlay(QPainter& painter, const QRectF& area, const PaintContext& context,
                      QPointF pointer) const override;
    Selection hit(const QRectF& area, const PaintContext& context, QPointF at) const override;
    QString toolTip(const QRectF& area, const PaintContext& context, QPointF at) const override;
    QString csv(const PaintContext& context) const override;
    bool wheel(const QRectF& area, PaintContext& context, QPointF at, double steps,
               Qt::KeyboardModifiers) const override;
    bool drag(const QRectF& area, PaintContext& context, QPointF from, QPointF to) const override;
    bool key(const QRectF& area, PaintContext& context, int key, Qt::KeyboardModifiers modifiers) const override;
    std::optional<Emptiness> emptiness(const PaintContext& context) const override;

    ReductionScene scene(const QRectF& area, const PaintContext& context) const;

private:
    struct Cache;
    std::unique_ptr<Cache> m_cache; // the trees last used; a cache only
};

std::unique_ptr<View> makeReductionView();

void paintReduction(QPainter& painter, const ReductionScene& scene);
QString reductionToolTip(const ReductionScene& scene, QPointF at);
QString reductionCsv(const Trace& trace, std::uint32_t block, const ReductionTree& tree);
QString sayReduction(const char* english);
QString valueText(const ReductionValue& value); // "25", "3.5"

} // namespace warpglass
