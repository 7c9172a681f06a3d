// SPDX-License-Identifier: GPL-3.0-or-later
// Matrices of the host's, whole, and the ways in which cuBLAS is given a part of one. What a call may not read is NaN.
#pragma once

#include "blas.h"

#include <algorithm>
#include <complex>
#include <limits>

using Z = std::complex<double>;
inline cuDoubleComplex* gpu(Z* p) {
    return reinterpret_cast<cuDoubleComplex*>(p);
}
inline double* gpu(double* p) {
    return p;
}

template <class T>
struct Matrix {
    int rows, columns;
    std::vector<T> all;
    Matrix(int r, int c) : rows(r), columns(c), all(std::size_t(r) * std::size_t(c)) {}
    T& operator()(int i, int j) { return all[std::size_t(i + j * rows)]; }
    const T& operator()(int i, int j) const { return all[std::size_t(i + j * rows)]; }
};
template <class T>
T adjoint(T v) {
    if constexpr (std::is_same_v<T, Z>)
        return std::conj(v);
    else
        return v;
}
template <class T>
T nan() {
    const double none = std::numeric_limits<double>::quiet_NaN();
    if constexpr (std::is_same_v<T, Z>)
        return {none, none};
    else
        return none;
}
template <class T>
std::vector<T> randoms(int count, unsigned seed) {
    const std::vector<double> real = numbers<double>(std::size_t(count), seed),
                              imaginary = numbers<double>(std::size_t(count), seed + 77);
    std::vector<T> all;
    for (int k = 0; k < count; ++k)
        if constexpr (std::is_same_v<T, Z>)
            all.emplace_back(real[k], imaginary[k]);
        else
            all.push_back(real[k]);
    return all;
}
template <class T>
Matrix<T> random(int rows, int columns, unsigned seed) {
    Matrix<T> m(rows, columns);
    m.all = randoms<T>(rows * columns, seed);
    return m;
}
// op: N, T or C.
template <class T>
Matrix<T> by(const Matrix<T>& a, char op) {
    if (op == 'N')
        return a;
    Matrix<T> made(a.columns, a.rows);
    for (int i = 0; i < a.rows; ++i)
        for (int j = 0; j < a.columns; ++j)
            made(j, i) = op == 'C' ? adjoint(a(i, j)) : a(i, j);
    return made;
}
template <class T>
Matrix<T> operator*(const Matrix<T>& a, const Matrix<T>& b) {
    Matrix<T> made(a.rows, b.columns);
    for (int i = 0; i < a.rows; ++i)
        for (int j = 0; j < b.columns; ++j)
            for (int k = 0; k < a.columns; ++k)
                made(i, j) += a(i, k) * b(k, j);
    return made;
}
template <class T>
Matrix<T> operator*(T s, Matrix<T> a) {
    for (T& v : a.all)
        v *= s;
    return a;
}
template <class T>
Matrix<T> operator+(Matrix<T> a, const Matrix<T>& b) {
    for (std::size_t k = 0; k < a.all.size(); ++k)
        a.all[k] += b.all[k];
    return a;
}

inline bool isStored(bool upper, int i, int j, int diagonals = 1 << 20) {
    return upper ? i <= j && j - i <= diagonals : i >= j && i - j <= diagonals;
}
template <class T>
std::vector<T> asTriangle(const Matrix<T>& a, bool upper) {
    std::vector<T> made(a.all.size(), nan<T>());
    for (int j = 0; j < a.columns; ++j)
        for (int i = 0; i < a.rows; ++i)
            if (isStored(upper, i, j))
                made[std::size_t(i + j * a.rows)] = a(i, j);
    return made;
}
template <class T>
std::vector<T> asPacked(const Matrix<T>& a, bool upper) { // one stored column behind the other
    std::vector<T> made;
    for (int j = 0; j < a.columns; ++j)
        for (int i = 0; i < a.rows; ++i)
            if (isStored(upper, i, j))
                made.push_back(a(i, j));
    return made;
}
// Rows of diagonals, the uppermost first.
template <class T>
std::vector<T> asBand(const Matrix<T>& a, int below, int above, int leading) {
    std::vector<T> made(std::size_t(leading * a.columns), nan<T>());
    for (int j = 0; j < a.columns; ++j)
        for (int i = std::max(0, j - above); i <= std::min(a.rows - 1, j + below); ++i)
            made[std::size_t(above + i - j + j * leading)] = a(i, j);
    return made;
}

template <class T>
void same(const std::vector<T>& is, const std::vector<T>& wanted, const char* what, double most = 1e-12) {
    for (std::size_t k = 0; k < wanted.size(); ++k)
        if (!(std::abs(is[k] - wanted[k]) <= most)) {
            std::printf("%s: element %zu is %g away\n", what, k, std::abs(is[k] - wanted[k]));
            std::exit(1);
        }
}
// Of a matrix one half.
template <class T>
void sameHalf(const std::vector<T>& is, const Matrix<T>& wanted, bool upper, const char* what) {
    std::vector<T> one, other;
    for (int j = 0; j < wanted.columns; ++j)
        for (int i = 0; i < wanted.rows; ++i)
            if (isStored(upper, i, j))
                one.push_back(is[std::size_t(i + j * wanted.rows)]), other.push_back(wanted(i, j));
            else if (is[std::size_t(i + j * wanted.rows)] == is[std::size_t(i + j * wanted.rows)]) {
                std::printf("%s: the other half is written\n", what);
                std::exit(1);
            }
    same(one, other, what);
}
