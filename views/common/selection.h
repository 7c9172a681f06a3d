// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/trace/trace.h"

#include <QObject>
#include <QVector>

namespace warpglass {

// How far a run that plays has come from one moment to the next. At rest everything that happens at the selection's time
// has happened, and a view may show what is to come; while it plays, the present moment is on its way and what is to come
// stays hidden.
struct Motion {
    bool playing = false; // it plays, or was halted on the way
    Time to;              // the next moment; of use while it plays
    double way = 1;       // 0 = the moment begins, 1 = it is done
    bool operator==(const Motion&) const = default;
};

// A thread that is followed: marked in every view, whatever else is selected meanwhile.
struct FollowedThread {
    std::uint32_t warp = noIndex; // row of the trace; noIndex = none is followed
    int lane = 0;
    bool operator==(const FollowedThread&) const = default;
};

// What is looked at, the same for all views. Rows are those of the trace's tables; noIndex = none.
struct Selection {
    std::uint32_t launch = 0;
    std::uint32_t block = noIndex;
    std::uint32_t warp = noIndex;
    int lane = -1;
    std::uint32_t ptxLine = 0;    // 1-based; 0 = none
    std::uint32_t sourceLine = 0; // 1-based line of the kernel's own source; 0 = none
    Time time;                    // now, of the transport
    TimeRange visible;            // {0,0} = everything
    Motion motion{};              // from time on
    FollowedThread followed{};
    bool operator==(const Selection&) const = default;
};

// The one shared selection of a window. Views write what the user points at and read what others did; a history of
// changes that a person made (not of playing time) gives back and forward.
class SelectionModel : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    const Selection& get() const { return m_now; }
    void set(const Selection& selection);        // enters the history unless only time changed; at rest in a new time
    void setTime(Time time, const Motion& = {}); // playing: no history
    bool canGoBack() const { return m_at > 0; }
    bool canGoForward() const { return m_at + 1 < m_history.size(); }
    void back();
    void forward();
    void reset(const Selection& selection = {}); // new trace: history is emptied

signals:
    void changed(const warpglass::Selection& now, const warpglass::Selection& before);

private:
    void apply(const Selection& selection);
    Selection m_now;
    QVector<Selection> m_history{Selection{}};
    int m_at = 0;
    bool m_zooming = false; // the newest entry came from zooming: the next zoom step replaces it
};

// The time that a run has come to: the selection's, or while it plays a part of the way on to the next moment.
Time timeShown(const Selection& selection);
// The same with its fraction, in the trace's unit.
double exactTime(const Selection& selection);

// The selection moved to the next (direction > 0) or previous event of its warp; unchanged if it has no warp or no such
// event.
Selection stepped(Selection selection, const Trace& trace, int direction);

// The warp a view shows when none was chosen: the first warp of the chosen block, else of the first block of the chosen
// launch that has detail. noIndex if the trace has none.
std::uint32_t warpToShow(const Selection& selection, const Trace& trace);

// Fills in what follows from what is there: the block of a warp, the launch of a block.
Selection completed(Selection selection, const Trace& trace);

} // namespace warpglass
