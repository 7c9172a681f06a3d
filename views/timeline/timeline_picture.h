// SPDX-License-Identifier: GPL-3.0-or-later
// One picture of the timeline: its model (what the trace holds), its layout (where things lie) and its frame (what
// every pixel column shows) are made once; painting, pointing and input only read them. Input is answered in
// timeline_input.cpp.
#pragma once

#include "views/common/picture.h"
#include "views/timeline/timeline_frame.h"
#include "views/timeline/timeline_ghost.h"
#include "views/timeline/timeline_layer.h"
#include "views/timeline/timeline_state.h"
#include "views/timeline/timeline_stills.h"
#include "views/timeline/timeline_view.h"

namespace warpglass {

// A model, and of which trace, launch and grouping it is: what pictures hand on to the next one.
struct TimelineSource {
    std::shared_ptr<const TimelineModel> model;
    std::uint32_t launch = 0;

    bool isOf(const PaintContext& context, TimelineGrouping grouping) const {
        return model && model->trace == context.trace && model->grouping == grouping &&
               launch == context.selection.launch;
    }
};

class TimelinePicture final : public Picture {
public:
    // before: the picture that this one follows, or null.
    TimelinePicture(const PaintContext& c, const QRectF& on, TimelineSource from, const TimelinePicture* before,
                    AskText ask);

    void paint(QPainter& painter) const override;
    bool paintsGround() const override { return true; }
    void paintOverlay(QPainter& painter, QPointF pointer) const override;
    Spot spotAt(QPointF at) const override;
    std::optional<Change> answer(const Input& input) const override;
    QString csv() const override;
    std::vector<Beat> beats() const override; // its rows grow with time

    const TimelineSource source;

private:
    const TimelineModel& model() const { return *source.model; }
    const Trace& trace() const { return *context.trace; }
    const TimelineLine* lineAt(QPointF at) const;
    const TimelineExtra* extraAt(QPointF at) const;
    QString extraToolTip(const TimelineExtra& extra, QPointF at) const;
    std::uint32_t warpAt(const TimelineRow& row, Time time) const; // the warp there at a time, or the nearest one
    Time snapped(const TimelineLine* line, double x) const;        // to an event, if one is near
    bool onScale(QPointF at) const;                                // on the chart of all or the ruler
    Time reach() const;                                            // how far a note may be from what is meant
    int noteAt(Time time) const;                                   // or -1

    void coverComing(QPainter& painter, const QRectF& where, const TimeAxis& axis) const;
    void paintTitle(QPainter& painter) const;
    QString noteToolTip(const TimelineNote& note) const;
    QString headToolTip(const TimelineLine& line, TimeRange pixel) const;
    QString rowToolTip(const TimelineLine& line, TimeRange pixel) const;
    QString lasting(Time begin, Time end) const; // "from 1,216 ns, for 406 ns = 804 cycles"
    QString layerToolTip(std::uint32_t warp, TimeRange pixel) const;
    QString eventToolTip(const Warp& warp, Time time) const;
    QString stateToolTip(const Warp& warp, TimeRange pixel, int state) const;
    QString toolTipAt(QPointF at, const TimelineLine* line) const;
    Change foldedChange(std::uint32_t group) const; // folded if it is open, and the other way round
    Selection selectedAt(QPointF at, const TimelineLine* line) const;
    Selection atNote(const TimelineNote& note) const;

    std::optional<Change> wheel(const WheelInput& input) const;
    std::optional<Change> drag(const DragInput& input) const;
    std::optional<Change> key(const KeyInput& input) const;
    std::optional<Change> bookmark() const;
    std::optional<Change> changeNote(bool remove) const; // the note at the cursor: edited, or taken away
    std::optional<Change> toNote(int direction) const;   // the next or previous one becomes the cursor, in sight
    Change showing(TimeRange window) const;
    Change scrolled(double by) const;

    TimelineState m_state;
    TimelineLayerPtr m_layer; // null: no other profiler's ranges lie over the rows
    QVector<TimelineLegendEntry> m_legend;
    TimelineLayout m_layout;
    std::shared_ptr<const TimelineFrame> m_frame;
    TimelineGhostPtr m_ghost;        // null: nobody recorded this launch
    std::vector<TimeRange> m_pinned; // when the pinned run's warps ran (spansIn); empty: nothing is pinned
    std::shared_ptr<TimelineStills> m_stills;
    AskText m_ask;
};

} // namespace warpglass
