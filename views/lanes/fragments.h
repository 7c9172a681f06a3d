// SPDX-License-Identifier: GPL-3.0-or-later
// The matrices of one instruction, as lanes hold them: who has which element, from the instruction's words in the PTX
// that the trace keeps (gpu/ptx/matrix_form.h says how they lie). No pixels.
#pragma once

#include "gpu/ptx/matrix_form.h"
#include "views/common/selection.h"

#include <QString>
#include <QStringList>
#include <QVector>

#include <optional>

namespace warpglass {

// One register of one lane: a rectangle of elements.
struct FragmentCell {
    int lane = -1, reg = -1;
};

struct FragmentMatrix {
    QString name; // "A", "C and D"
    ptx::MatrixRole role = ptx::MatrixRole::D;
    int rows = 0, columns = 0;         // elements that are shown
    int allRows = 0, allColumns = 0;   // elements of the matrix
    int cellRows = 1, cellColumns = 1; // elements of a cell
    int firstRow = 0;                  // of wgmma: that of the shown warp
    bool inShared = false;             // wgmma: read by a descriptor, nobody holds it
    QVector<FragmentCell> cells;       // [row of cells][column of cells]
    QStringList registers;             // as the instruction names them: "%r12"

    int across() const { return columns / cellColumns; }
    int down() const { return rows / cellRows; }
    FragmentCell cell(int row, int column) const { return cells[row * across() + column]; }
};

struct Fragments {
    ptx::MatrixForm form;
    QString text;           // the instruction
    std::uint32_t line = 0; // of the PTX
    QVector<FragmentMatrix> matrices;
    int quad = -1; // of m8n8k4: which of the four products
    int warp = 0;  // of wgmma: which of the four warps
};

// Of the instruction that is selected, by its line of PTX or by a source line it belongs to; nothing if it is none on
// matrices. lane: whose product is shown where an instruction makes several.
std::optional<Fragments> selectedFragments(const Trace& trace, const Selection& selection);
std::optional<Fragments> fragmentsOf(const QString& instruction, int lane, int warp);

} // namespace warpglass
