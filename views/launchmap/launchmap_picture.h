// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/picture.h"
#include "views/launchmap/launchmap_scene.h"

#include <array>
#include <vector>

namespace warpglass {

using LaunchMapModels = std::array<LaunchMapModelPtr, 2>; // of the trace, and of the second one; null: not compared

// One scene, or two side by side, each of its own trace and in step (beside.h).
class LaunchMapPicture final : public Picture {
public:
    LaunchMapPicture(const PaintContext& c, const QRectF& on, const LaunchMapModels& models,
                     const LaunchMapGhostPtr& ghost = nullptr, const LaunchMapPinnedPtr& pinned = nullptr);

    // For tests and for whoever must know where a thing lies; the second: of the second trace.
    const LaunchMapScene& scene(std::size_t i = 0) const { return m_scenes[i]; }
    LaunchMapModelPtr modelOf(const TracePtr& trace, std::uint32_t launch) const; // null if it is of another

    void paint(QPainter& painter) const override;
    void paintOverlay(QPainter& painter, QPointF pointer) const override;
    Spot spotAt(QPointF at) const override;
    std::optional<Change> answer(const Input& input) const override;
    QString csv() const override;
    std::vector<Beat> beats() const override;

private:
    std::size_t sceneIndexAt(QPointF at) const;
    bool wheel(Change& change, const WheelInput& input) const;
    bool drag(Change& change, const DragInput& input) const;
    bool key(Change& change, const KeyInput& input) const;

    std::vector<LaunchMapScene> m_scenes;
    Selection m_otherSelection; // in the rows of the second trace
};

} // namespace warpglass
