// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/program/program_layout.h"
#include "views/program/program_text.h"
#include "views/program/program_waits.h"

#include <QPainter>

namespace warpglass {

// The marks of a row on the pixels of a layout.
struct RowMarks {
    std::vector<Mark> upper, lower;
};

// Everything that is painted of a program.
struct ProgramScene {
    ProgramModelPtr model;
    ProgramLayout layout;
    std::vector<RowMarks> marks; // [row]; empty where a row is out of sight
    std::vector<WaitArrow> arrows;
    std::vector<float> overview; // [pixel] share of the time in which launches ran, on any stream
    std::uint32_t operation = noIndex, kernel = noIndex; // chosen
};

// The line below the title: what the chosen operation waited for, else what waited longest; then what there is.
QString headWords(const ProgramScene& scene);
void paintProgramHead(QPainter& painter, const ProgramScene& scene, const Theme& theme);
void paintProgramOverview(QPainter& painter, const ProgramScene& scene, const Theme& theme);
void paintProgramRuler(QPainter& painter, const ProgramScene& scene, const Theme& theme);
void paintProgramRows(QPainter& painter, const ProgramScene& scene, const Theme& theme);
void paintProgramLegend(QPainter& painter, const ProgramScene& scene, const Theme& theme);

// Where a mark is drawn in its line: what did not run all the time is lower.
QRectF markRect(const Mark& mark, const QRectF& line);

} // namespace warpglass
