// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/trace/trace.h"

#include <QObject>
#include <QVector>

namespace warpglass {

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
    bool operator==(const Selection&) const = default;
};

// The one shared selection of a window. Views write what the user points at and read what others did; a history of
// changes that a person made (not of playing time) gives back and forward.
class SelectionModel : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    const Selection& get() const { return m_now; }
    void set(const Selection& selection); // enters the history unless only time changed
    void setTime(Time time);              // playing: no history
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

// The selection moved to the next (direction > 0) or previous event of its warp; unchanged if it has no warp or no such
// event.
Selection stepped(Selection selection, const Trace& trace, int direction);

// The warp a view shows when none was chosen: the first warp of the chosen block, else of the first block of the chosen
// launch that has detail. noIndex if the trace has none.
std::uint32_t warpToShow(const Selection& selection, const Trace& trace);

// Fills in what follows from what is there: the block of a warp, the launch of a block.
Selection completed(Selection selection, const Trace& trace);

} // namespace warpglass
