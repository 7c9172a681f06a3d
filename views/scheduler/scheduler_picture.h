// SPDX-License-Identifier: GPL-3.0-or-later
// The pictures of the four pages. What was worked out of the traces is SchedulerModels, which the next picture takes
// over while traces, launch and scheduler stay; the layout is each picture's own.
#pragma once

#include "views/scheduler/scheduler_state.h"

namespace warpglass {

struct SchedulerModels {
    SchedulerPage page = SchedulerPage::Cycles;
    std::vector<TracePtr> traces; // of the page
    TracePtr open;
    std::uint32_t launch = 0;
    SchedulerPlace place;
    std::vector<std::shared_ptr<const SchedulerModel>> models; // of the traces that have the place
    ResidentWarps resident;

    // Whether they were worked out of the same; the models are not compared.
    bool sameSource(const SchedulerModels& other) const {
        return page == other.page && traces == other.traces && open == other.open && launch == other.launch &&
               place == other.place;
    }
};
using SchedulerModelsPtr = std::shared_ptr<const SchedulerModels>;

class SchedulerPicture : public Picture {
public:
    SchedulerPicture(const PaintContext& of, const QRectF& on, SchedulerModelsPtr from)
        : Picture(of, on), ready(std::move(from)) {}
    const SchedulerModelsPtr ready;
};

// Pages of rows of cycles: cursor, zoom and steps are the same on all of them. Models must not be empty.
class GridPicture : public SchedulerPicture {
public:
    GridPicture(const PaintContext& of, const QRectF& on, SchedulerModelsPtr from);

    void paintOverlay(QPainter& painter, QPointF pointer) const override;
    Spot spotAt(QPointF at) const override; // a cell: its cycle and its warp
    std::optional<Change> answer(const Input& input) const override;
    std::vector<Beat> beats() const override; // cycle by cycle

    const CycleAxis axis;
    std::vector<GridLayout> grids; // one a model

protected:
    const CycleScale& scale() const { return grids.front().scale; }
    Change stepped(StepButton button) const;
    // How far the content moves when a drag that begins there moves by a pixel.
    virtual double dragFactor(QPointF) const { return 1; }

private:
    std::optional<Change> key(const KeyInput& input) const;
};

// One scheduler: of the open run, or of the documents' example.
class CyclesPicture final : public GridPicture {
public:
    CyclesPicture(const PaintContext& of, const QRectF& on, SchedulerModelsPtr from);
    void paint(QPainter& painter) const override;
    Spot spotAt(QPointF at) const override;
    QString csv() const override;

    CyclesLayout layout;

protected:
    double dragFactor(QPointF from) const override;

private:
    Spot detailSpot(QPointF at) const;
};

class PoliciesPicture final : public GridPicture {
public:
    PoliciesPicture(const PaintContext& of, const QRectF& on, SchedulerModelsPtr from);
    void paint(QPainter& painter) const override;
    QString csv() const override;

private:
    void paintHead(QPainter& painter, std::size_t pane, const QString& name, bool least, CycleRange window) const;
    PolicyLayout m_layout;
};

class LittlePicture final : public SchedulerPicture {
public:
    LittlePicture(const PaintContext& of, const QRectF& on, SchedulerModelsPtr from);
    void paint(QPainter& painter) const override;
    Spot spotAt(QPointF at) const override;
    std::optional<Change> answer(const Input& input) const override;
    QString csv() const override;

private:
    std::optional<Change> slid(QPointF from, QPointF to) const;
    LittleLayout m_layout;
    LittleState m_state;
};

// Title, chip "modelled", and a note while there is room.
void paintSchedulerTitle(QPainter& painter, const QRectF& where, const QString& title, const QString& note,
                         const TraceInfo* times, const Theme& theme);
StateTimes timesOfAll(const SchedulerModel& model);

} // namespace warpglass
