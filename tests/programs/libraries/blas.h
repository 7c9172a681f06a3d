// SPDX-License-Identifier: GPL-3.0-or-later
// Of programs that call cuBLAS: a failed call ends the program.
#pragma once

#include "../sources/check.h"

#include <cublas_v2.h>

#include <cmath>
#include <vector>

#define BLAS(call)                                                                                                     \
    do {                                                                                                               \
        const cublasStatus_t status = (call);                                                                          \
        if (status != CUBLAS_STATUS_SUCCESS) {                                                                         \
            std::printf("line %d: %s is %s\n", __LINE__, #call, cublasGetStatusName(status));                          \
            std::exit(1);                                                                                              \
        }                                                                                                              \
    } while (0)

template <class T>
T* onDevice(const std::vector<T>& values) {
    T* at = nullptr;
    CHECK(cudaMalloc(&at, values.size() * sizeof(T)));
    CHECK(cudaMemcpy(at, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
    return at;
}
template <class T>
std::vector<T> onHost(const T* at, std::size_t count) {
    std::vector<T> values(count);
    CHECK(cudaMemcpy(values.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
}
// Numbers that are the same each time, from -1 to 1.
template <class T>
std::vector<T> numbers(std::size_t count, unsigned seed) {
    std::vector<T> values(count);
    for (T& v : values) {
        seed = seed * 1664525u + 1013904223u;
        v = T(double(seed >> 8) / (1 << 23) - 1);
    }
    return values;
}
template <class T>
void near(const std::vector<T>& is, const std::vector<T>& wanted, double most, const char* what) {
    for (std::size_t k = 0; k < wanted.size(); ++k)
        if (!(std::fabs(double(is[k]) - double(wanted[k])) <= most)) {
            std::printf("%s: element %zu is %g, not %g\n", what, k, double(is[k]), double(wanted[k]));
            std::exit(1);
        }
}
