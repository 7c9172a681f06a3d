// SPDX-License-Identifier: GPL-3.0-or-later
// views/lanes: which lanes of a warp go where at a branch, and what the others pay for it.
//
//   branch_model, paths  what a trace says about branches and serialised paths (no pixels)
//   scene                one panel's worth of that: the chosen warp or block, and which executions are the columns
//   lanes_state          what a person set
//   lanes_layout         what goes where (no trace, no painter)
//   paint_*              one part of the picture each
//   lanes_picture        all of it together, once for a picture: one panel, or two when traces are compared
//   lanes_input          what is under the pointer, and what wheel, drag and keys do
//   lanes_csv            the table
//   fragments*           instead of all that, where an instruction on matrices is selected: which lane holds what
#pragma once

#include "views/common/picture.h"
#include "views/lanes/lanes_paint.h"
#include "views/lanes/lanes_state.h"

namespace warpglass {

class LanesPicture final : public Picture {
public:
    // Scenes of the previous picture (may be null) are shown again where they are of the same warp and branch.
    LanesPicture(const PaintContext& c, const QRectF& on, std::shared_ptr<const LanesScene> first,
                 const LanesPicture* previous);
    // The first scene of a context's picture.
    static std::shared_ptr<const LanesScene> sceneOf(const PaintContext& c, const LanesPicture* previous);
    // Of a stage (LanesState): the present step's lanes, from lane 0; empty where they would be too small for a hand.
    QVector<QRectF> stageCells() const;

    void paint(QPainter& painter) const override;
    void paintOverlay(QPainter& painter, QPointF at) const override;
    Spot spotAt(QPointF at) const override;
    std::optional<Change> answer(const Input& input) const override;
    QString csv() const override;
    std::vector<Beat> beats() const override;

private:
    static std::shared_ptr<const LanesScene> scene(const SceneRequest& request, const LanesPicture* previous);
    void layOut(const LanesPicture* previous);
    void layOutTogether();
    std::shared_ptr<const LanesScene> sceneOfPinned(const LanesPicture* previous) const;
    LanesPlay playOf(int panel) const;
    int followedLane(int panel) const;
    QString headline() const;
    QString subtitle() const;
    QString selectNote() const;
    QString fateNote() const; // what became of the chosen branch in the machine code
    QRectF cardArea() const;
    QRectF paintCard(QPainter* painter) const;
    QVector<LegendEntry> legend() const;

    QString toolTipAt(QPointF at) const;
    Selection selectedAt(QPointF at) const;
    Selection selectColumn(Selection s, int panel, int column, int lane) const;
    std::optional<Change> wheel(const WheelInput& input) const;
    std::optional<Change> drag(const DragInput& input) const;
    std::optional<Change> key(const KeyInput& input) const;
    std::optional<Change> pan(double by) const;
    std::optional<Change> zoom(qreal x, double factor) const;

    LanesState m_state;
    QVector<std::shared_ptr<const LanesScene>> m_scenes; // one or two
    std::shared_ptr<const LanesScene> m_pinned;          // the same branch in the run that is pinned; null: none
    MachineSightPtr m_machine;                           // null: there is none
    QVector<int> m_current;                              // column that is now
    QVector<int> m_pathColumn;
    QVector<std::optional<Serialised>> m_paths;
    double m_pathScale = 0; // of both, where one of them is undivided
    QVector<LanesPlay> m_plays;
    LanesLayout m_layout;
    QRectF m_card, m_button; // a card stands instead of the panels; null if panels are drawn
};

QString kernelName(const LanesScene& scene);
// The times in sight on a time axis: those chosen, else all of the warp or block.
TimeRange timesInSight(const Selection& selection, const LanesScene& scene);

} // namespace warpglass
