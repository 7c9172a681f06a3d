// SPDX-License-Identifier: GPL-3.0-or-later
// What the documents compute on the CPU: the answers the kernels are held against, and the loops whose order of memory
// accesses is the documents' first lesson.
#pragma once

#include <span>
#include <vector>

namespace warpglass::kernels {

// Folds the second half onto the first, again and again, in place; an odd element is added to the first. Any size but
// 0.
int recursiveReduce(std::span<int> data);
float recursiveReduce(std::span<float> data);

// Sum of an n x n matrix kept by rows, walked along rows and down columns.
long long sumByRows(std::span<const int> matrix, int n);
long long sumByColumns(std::span<const int> matrix, int n);

// C = A B for n x n matrices kept by rows: inner loop over k (B is walked down its columns), and over j (all along
// rows).
std::vector<int> multiplyIjk(std::span<const int> a, std::span<const int> b, int n);
std::vector<int> multiplyIkj(std::span<const int> a, std::span<const int> b, int n);

// out (m x n) = transpose of in (n rows of m).
std::vector<int> transposed(std::span<const int> in, int n, int m);

} // namespace warpglass::kernels
