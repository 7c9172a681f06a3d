// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/picture.h"
#include "views/timeline/timeline_model.h"
#include "views/why/why_layout.h"

#include <array>

namespace warpglass {

// The warps' states of the launch as it is and without the chosen limit; both or neither.
struct WhyTimelines {
    std::array<std::shared_ptr<const TimelineModel>, 2> models;
    explicit operator bool() const { return models[0] && models[1]; }
};

class WhyPicture final : public Picture {
public:
    WhyPicture(const PaintContext& of, const QRectF& on, WhyAnswer answer, WhyTimelines both);

    void paint(QPainter& painter) const override;
    void paintOverlay(QPainter& painter, QPointF pointer) const override;
    Spot spotAt(QPointF at) const override;
    std::optional<Change> answer(const Input& input) const override;
    QString csv() const override;
    QString caption() const override;

    const Why& why() const { return **m_answer; }
    const WhyTimelines timelines;
    const std::vector<WhyRow> rows;
    const std::size_t chosen; // of rows
    const double measured;    // ns, by a GPU; 0: nobody has
    const double pinned;      // ns, of the run that is pinned, by the model; 0: none
    const WhyLayout layout;

private:
    const WhyLimit* limit() const; // that is chosen; null: a row of another kind
    std::optional<Change> key(const KeyInput& input) const;
    Change choosing(std::size_t row) const;
    Change choosingLine(int line) const;
    TimeRange window() const; // of both timelines, since their launches began
    Time begin(std::size_t timeline) const;
    void paintBars(QPainter& painter) const;
    void paintDetails(QPainter& painter) const;
    void paintTimelines(QPainter& painter) const;
    void paintStates(QPainter& painter) const;

    WhyAnswer m_answer;
};

QString whyCsv(const Why& why, double measured);

} // namespace warpglass
