// SPDX-License-Identifier: GPL-3.0-or-later
// Matrices of which a part is stored: a triangle, a band, either by columns or packed without gaps. A call names the bytes of that part
// alone, since nobody may have written the rest.
#pragma once

#include "gpu/virtual/libraries/blas.h"

#include <algorithm>

namespace warpglass::virtual_device::blas {

// Where the elements lie.
struct Layout {
    enum class Kind { Columns, Packed, Band };
    Kind kind = Kind::Columns;
    int rows = 0, columns = 0;
    int below = 0, above = 0; // diagonals that are stored on either side of the main one
    int leading = 0;          // unless packed

    int first(int j) const { return std::max(0, j - above); }
    int end(int j) const { return std::min(rows, j + below + 1); }
    std::size_t at(int i, int j) const {
        const auto n = std::size_t(rows), row = std::size_t(i), column = std::size_t(j);
        switch (kind) {
        case Kind::Packed:
            return row + (above > 0 ? column * (column + 1) / 2 : column * (2 * n - column - 1) / 2);
        case Kind::Band:
            return std::size_t(above + i - j) + column * std::size_t(leading);
        default:
            return row + column * std::size_t(leading);
        }
    }
};
inline Layout triangle(Fill fill, int n, int leading) {
    const int all = std::max(n - 1, 0);
    return {Layout::Kind::Columns, n, n, fill == Fill::Lower ? all : 0, fill == Fill::Lower ? 0 : all, leading};
}
inline Layout packedTriangle(Fill fill, int n) {
    Layout l = triangle(fill, n, 1);
    l.kind = Layout::Kind::Packed;
    return l;
}
inline Layout bandTriangle(Fill fill, int n, int diagonals, int leading) {
    return {
        Layout::Kind::Band, n, n, fill == Fill::Lower ? diagonals : 0, fill == Fill::Lower ? 0 : diagonals, leading};
}

// A matrix of a call, where its work finds it.
template <class T>
struct Stored {
    Layout layout;
    std::size_t place = 0; // of the first column; the others follow
    T& at(Places m, int i, int j) const {
        const int first = layout.first(j);
        return reinterpret_cast<T*>(m[place + std::size_t(j)])[layout.at(i, j) - layout.at(first, j)];
    }
};
template <class T>
Stored<std::remove_const_t<T>> stored(Call& c, T* at, const Layout& l, Call::Use use) {
    const bool isBand = l.kind == Layout::Kind::Band;
    if (!c.needs(l.rows >= 0 && l.columns >= 0 && l.below >= 0 && l.above >= 0 &&
                 (l.kind == Layout::Kind::Packed || l.leading >= std::max(1, isBand ? l.below + l.above + 1 : l.rows))))
        return {l};
    Stored<std::remove_const_t<T>> made{l, ~std::size_t(0)};
    for (int j = 0; j < std::min(l.columns, l.rows + l.above); ++j) { // columns further right have none
        const std::uint64_t count = std::uint64_t(l.end(j) - l.first(j));
        made.place = std::min(made.place, c.add(at + l.at(l.first(j), j), count * sizeof(T), 1, 0, use));
    }
    return made;
}

} // namespace warpglass::virtual_device::blas
