// SPDX-License-Identifier: GPL-3.0-or-later
// views/launchmap: left what the programmer wrote, right what the hardware did.
//
// In: a Trace and the shared Selection. Out: the grid as tiles, the device's SMs with the blocks they hold now,
// resident blocks over time with waves and tail, blocks an SM; then a block folded into warps, and a warp's lanes. It
// answers: which threads share a warp? where did my block run? why did the last wave waste the GPU?
//
// The parts: launchmap_model (what is known of a launch, worked out once), thread_layout (folding), launchmap_layout,
// grid_geometry and panel_geometry (where things lie), launchmap_scene (both together for one picture), paint_* (one
// panel each), launchmap_words (tooltips, CSV). Options: colour = sm | state; show = all | device | block; gridZoom,
// gridX, gridY.
#pragma once

#include "views/common/view.h"
#include "views/launchmap/launchmap_scene.h"

#include <memory>

namespace warpglass {

class LaunchMapView : public View {
public:
    LaunchMapView();
    ~LaunchMapView() override;

    QString key() const override { return QStringLiteral("launchmap"); }
    QString title() const override;
    QString question() const override;
    void paint(QPainter& painter, const QRectF& area, const PaintContext& context) const override;
    bool prepared(const PaintContext& context) const override;
    void prepare(const PaintContext& context, Progress& progress) const override;
    void paintOverlay(QPainter& painter, const QRectF& area, const PaintContext& context,
                      QPointF pointer) const override;
    Selection hit(const QRectF& area, const PaintContext& context, QPointF at) const override;
    QString toolTip(const QRectF& area, const PaintContext& context, QPointF at) const override;
    QString csv(const PaintContext& context) const override;
    QVector<Switch> switches(const PaintContext& context) const override;
    bool wheel(const QRectF& area, PaintContext& context, QPointF at, double steps,
               Qt::KeyboardModifiers) const override;
    bool drag(const QRectF& area, PaintContext& context, QPointF from, QPointF to) const override;
    bool key(const QRectF& area, PaintContext& context, int key, Qt::KeyboardModifiers modifiers) const override;
    std::optional<Emptiness> emptiness(const PaintContext& context) const override;

    // The scene of this picture; for tests and for whoever must know where a thing lies.
    LaunchMapScene scene(const QRectF& area, const PaintContext& context) const;

private:
    LaunchMapModelPtr modelOf(const TracePtr& trace, std::uint32_t launch) const;
    struct Cache;
    std::unique_ptr<Cache> m_cache; // the models last used; a cache only: never changes what is painted
};

std::unique_ptr<View> makeLaunchMapView();

} // namespace warpglass
