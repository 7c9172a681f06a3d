// SPDX-License-Identifier: GPL-3.0-or-later
// Of programs that call cuFFT: a failed call ends the program; and transforms by their sums.
#pragma once

#include "../sources/check.h"

#include <cufft.h>

#include <cmath>
#include <complex>
#include <vector>

#define FFT(call)                                                                                                      \
    do {                                                                                                               \
        const cufftResult status = (call);                                                                             \
        if (status != CUFFT_SUCCESS) {                                                                                 \
            std::printf("line %d: %s is %d\n", __LINE__, #call, int(status));                                          \
            std::exit(1);                                                                                              \
        }                                                                                                              \
    } while (0)

using Complex = std::complex<double>;

// sum of x_k exp(sign 2 pi i j k / n), for elements that lie `step` apart
inline std::vector<Complex> transformed(const std::vector<Complex>& x, int sign) {
    const double turn = sign * 2 * std::acos(-1.0) / double(x.size());
    std::vector<Complex> all(x.size());
    for (std::size_t j = 0; j < x.size(); ++j)
        for (std::size_t k = 0; k < x.size(); ++k)
            all[j] += x[k] * std::polar(1.0, turn * double(j * k % x.size()));
    return all;
}
inline void expectNear(Complex is, Complex wanted, double most, const char* what) {
    if (!(std::abs(is - wanted) <= most)) {
        std::printf("%s: %g + %g i, not %g + %g i\n", what, is.real(), is.imag(), wanted.real(), wanted.imag());
        std::exit(1);
    }
}
