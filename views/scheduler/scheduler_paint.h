// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/marks.h"
#include "views/common/picture.h"
#include "views/common/state_words.h"
#include "views/scheduler/little.h"
#include "views/scheduler/scheduler_layout.h"

namespace warpglass {

QString policyName(const std::string& policy, bool full); // "lrr", "round robin"; the key itself if unknown
QColor stateFill(WarpState state, const Theme& theme);
QString warpText(const Trace& trace, std::uint32_t warp); // "warp 1 of block (2)"
QString asText(std::string_view text);

// What cells show. cursor, hovered: a cycle, or none.
struct GridLook {
    std::int64_t cursor = -1;
    std::uint32_t warp = noIndex;     // its row is marked
    std::uint32_t sourceLine = 0;     // what is issued of it is underlined; 0 = none
    bool playing = false;             // cells end with the cursor's
    std::uint32_t followed = noIndex; // warp of the thread that is followed
    bool asked = false;               // what comes after the cursor: no word tells how long a stall still lasts
};
void paintGrid(QPainter& painter, const GridLayout& grid, const SchedulerModel& model, const GridLook& look,
               const Theme& theme);
void paintCycleRuler(QPainter& painter, const GridLayout& grid, const Theme& theme);
void paintOverview(QPainter& painter, const QRectF& label, const QRectF& strip, const SchedulerModel& model,
                   CycleRange window, std::int64_t cursor, bool playing, const Theme& theme);

// Names, marks and shares; entries of states that occur in `all`, shares of `shown`. Returns the height; paints nothing
// if painter is null. brief: a word for each state instead of a sentence.
double paintStateLegend(QPainter* painter, const QRectF& where, const StateTimes& all, const StateTimes& shown,
                        bool brief, const Theme& theme);
// come: the cycle before which what plays has come to; nothing: all is told.
std::int64_t lastShown(CycleRange window, std::optional<std::int64_t> come);
void paintFigures(QPainter& painter, const QRectF& where, const SchedulerModel& model, CycleRange window,
                  std::optional<std::int64_t> come, const Theme& theme);
// What happens in a cycle: the issued instruction, and what the warp does.
void paintDetail(QPainter& painter, const QRectF& where, const SchedulerModel& model, std::int64_t cycle,
                 std::uint32_t warp, const Theme& theme);
// The same for a cell, in lines of text: for the card beside the pointer.
QStringList cellLines(const SchedulerModel& model, int row, std::int64_t cycle);
void paintCard(QPainter& painter, const QRectF& area, QPointF at, const QStringList& lines, const Theme& theme);
void paintPushButton(QPainter& painter, const QRectF& where, const QString& text, const Theme& theme);

// Little's law.
struct LittleState {
    LittleFigures figures; // as the sliders have them
    ResidentWarps resident;
    bool known = false; // resident is: a launch with times is open
    std::optional<Origin> origin;
    int chosen = 0; // slider that the keys move
};
struct SliderRange {
    const char* option;
    double least, most, step;
    bool logarithmic;
};
extern const std::array<SliderRange, littleSliders> sliderRanges;
double sliderValue(const LittleFigures& figures, int slider);
void setSliderValue(LittleFigures& figures, int slider, double value);
double sliderShare(int slider, double value); // 0 to 1, where the knob is
double sliderAt(int slider, double share);    // the value there, on the slider's steps
void paintLittle(QPainter& painter, const LittleLayout& layout, const LittleState& state, const Theme& theme);

} // namespace warpglass
