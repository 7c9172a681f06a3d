// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/picture.h"
#include "views/race/race_layout.h"
#include "views/race/race_model.h"

#include <array>

namespace warpglass {

// The two that race, the second as `other`: those that are compared; else the open run and the pinned one, which is A.
PaintContext raceOf(const PaintContext& context);

class RacePicture final : public Picture {
public:
    RacePicture(const PaintContext& of, const QRectF& on, std::array<RunnerPtr, 2> both);

    void paint(QPainter& painter) const override;
    Spot spotAt(QPointF at) const override;
    QString csv() const override;
    std::vector<Beat> beats() const override;

    // How long each has run by the present moment; on paper, all the way.
    double elapsed(std::size_t runner) const;
    bool finished(std::size_t runner) const;

    const std::array<RunnerPtr, 2> runners;
    const RaceLayout layout;

private:
    QString letterOf(std::size_t runner) const;
    double since(std::size_t runner) const; // the present moment, since its start
    void paintTrack(QPainter& painter, std::size_t runner) const;
    void paintRuler(QPainter& painter) const;
    void paintResult(QPainter& painter) const;
    QString note() const;

    PaintContext m_race;
};

} // namespace warpglass
