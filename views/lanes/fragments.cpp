// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lanes/fragments.h"

#include "views/lanes/lanes_paint.h"
#include "views/lanes/lanes_text.h"

#include <algorithm>

namespace warpglass {

namespace {

using ptx::MatrixForm;
using ptx::MatrixRole;
using Kind = MatrixForm::Kind;

constexpr int mostColumns = 32; // of C and D that are shown: wgmma has up to 256

// The registers of each operand in braces, and which operand each stands for.
struct Group {
    int operand = 0;
    QStringList names;
};
QVector<Group> groupsOf(const QString& text) {
    QVector<Group> groups;
    int operand = 0;
    bool inside = false;
    QString word;
    for (const QChar c : text) {
        if (c == u'{') {
            inside = true;
            groups << Group{operand, {}};
            word.clear();
        } else if (c == u'}') {
            inside = false;
            groups.last().names << word.trimmed();
            word.clear();
        } else if (c == u',') {
            if (inside)
                groups.last().names << word.trimmed();
            else
                ++operand;
            word.clear();
        } else {
            word += c;
        }
    }
    return groups;
}

FragmentMatrix matrixOf(const MatrixForm& form, MatrixRole role, int quad, int warp) {
    FragmentMatrix m;
    m.role = role;
    const ptx::Fragment f = ptx::fragmentOf(form, role);
    const bool async = form.kind == Kind::AsyncProduct;
    m.allRows = int(f.rows);
    m.allColumns = int(f.columns);
    m.rows = async && role != MatrixRole::B ? 16 : int(f.rows);
    m.columns = std::min(int(f.columns), role == MatrixRole::A ? int(f.columns) : mostColumns);
    m.firstRow = async && role != MatrixRole::B ? 16 * warp : 0;
    const auto each = f.perRegister();
    const auto at = [&](std::uint32_t lane, std::uint32_t element) {
        return ptx::cellOf(form, role, lane + (async ? 32u * std::uint32_t(warp) : 0), element);
    };
    // Two elements of a register lie beside or below each other.
    if (each > 1) {
        const std::uint32_t lane = quad > 0 ? 4u * std::uint32_t(quad) : 0u;
        const bool below = at(lane, 0).column == at(lane, 1).column;
        (below ? m.cellRows : m.cellColumns) = int(each);
    }
    m.cells.resize(m.across() * m.down());
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        if (quad >= 0 && int(lane % 16 / 4) != quad)
            continue;
        for (std::uint32_t r = 0; r < f.registers; ++r) {
            const ptx::MatrixCell cell = at(lane, r * each);
            const int row = (int(cell.row) - m.firstRow) / m.cellRows, column = int(cell.column) / m.cellColumns;
            if (column < m.across() && row < m.down())
                m.cells[row * m.across() + column] = {int(lane), int(r)};
        }
    }
    return m;
}

} // namespace

std::optional<Fragments> fragmentsOf(const QString& instruction, int lane, int warp) {
    Fragments found;
    found.text = instruction.trimmed();
    QString words = found.text;
    if (words.startsWith(u'@'))
        words = words.section(u' ', 1).trimmed();
    const auto form = ptx::matrixForm(words.section(u' ', 0, 0).section(u';', 0, 0).toStdString());
    if (!form)
        return std::nullopt;
    found.form = *form;
    found.quad = form->quads() ? std::max(lane, 0) % 16 / 4 : -1;
    found.warp = warp;
    const QVector<Group> groups = groupsOf(words.section(u' ', 1));
    const auto registers = [&](int operand) {
        for (const Group& g : groups)
            if (g.operand == operand)
                return g.names;
        return QStringList{};
    };
    const auto add = [&](MatrixRole role, const QString& name, int operand) {
        FragmentMatrix m = matrixOf(*form, role, found.quad, warp);
        m.name = name;
        m.registers = registers(operand);
        found.matrices << m;
    };
    const QString a = QStringLiteral("A"), b = QStringLiteral("B"), c = QStringLiteral("C"), d = QStringLiteral("D");
    switch (form->kind) {
    case Kind::Product:
        add(MatrixRole::A, form->sparse ? LanesText::tr("A, what is there of it") : a, 1);
        add(MatrixRole::B, b, 2);
        // C lies as D does unless only one of them is in halves.
        add(MatrixRole::D, form->c == form->d ? LanesText::tr("C and D") : d, 0);
        break;
    case Kind::AsyncProduct:
        add(MatrixRole::A, a, 1);
        found.matrices.last().inShared = registers(1).isEmpty();
        add(MatrixRole::B, b, 2);
        found.matrices.last().inShared = true;
        add(MatrixRole::D, d, 0);
        break;
    case Kind::Load:
    case Kind::Store:
        add(form->role,
            form->role == MatrixRole::A   ? a
            : form->role == MatrixRole::B ? b
            : form->role == MatrixRole::C ? c
                                          : d,
            form->kind == Kind::Load ? 0 : 1);
        break;
    default:
        add(MatrixRole::D, LanesText::tr("rows of eight"), form->kind == Kind::StoreRows ? 1 : 0);
        break;
    }
    return found;
}

std::optional<Fragments> selectedFragments(const Trace& trace, const Selection& selection) {
    if (selection.launch >= trace.launches.size() || (!selection.ptxLine && !selection.sourceLine))
        return std::nullopt;
    const Kernel& kernel = trace.kernelOf(trace.launches[selection.launch]);
    const std::uint32_t warp = warpToShow(selection, trace);
    const int ofFour = warp == noIndex ? 0 : int(trace.warps[warp].warpInBlock % 4);
    const auto at = [&](std::uint32_t line) {
        auto found = fragmentsOf(ptxText(kernel, line), selection.lane, ofFour);
        if (found)
            found->line = line;
        return found;
    };
    if (selection.ptxLine)
        return at(selection.ptxLine);
    for (const LineLink& link : kernel.lines)
        if (link.callLine == selection.sourceLine || link.source.line == selection.sourceLine)
            if (auto found = at(link.ptxLine))
                return found;
    return std::nullopt;
}

} // namespace warpglass
