// SPDX-License-Identifier: GPL-3.0-or-later
// u_xx + u_yy = f on a torus by two transforms of real numbers, in double, out of place and in place with padded rows.
#include "fourier.h"

constexpr int nx = 16, ny = 24, half = ny / 2 + 1;

__global__ void solve(cufftDoubleComplex* f) {
    const int j = threadIdx.x, i = blockIdx.x;
    const double kx = i <= nx / 2 ? i : i - nx, ky = j, square = kx * kx + ky * ky;
    const double by = square > 0 ? -1 / (square * nx * ny) : 0;
    f[i * half + j].x *= by;
    f[i * half + j].y *= by;
}

int main() {
    const double turn = 2 * std::acos(-1.0);
    std::vector<double> f(nx * ny), u(nx * ny);
    for (int i = 0; i < nx; ++i)
        for (int j = 0; j < ny; ++j) {
            const double x = turn * i / nx, y = turn * j / ny;
            u[i * ny + j] = std::sin(3 * x) * std::cos(2 * y) + std::cos(y);
            f[i * ny + j] = -13 * std::sin(3 * x) * std::cos(2 * y) - std::cos(y); // 9 + 4; 1
        }
    double *real = nullptr, *padded = nullptr;
    cufftDoubleComplex* frequencies = nullptr;
    CHECK(cudaMalloc(&real, nx * ny * sizeof(double)));
    CHECK(cudaMalloc(&frequencies, nx * half * sizeof(cufftDoubleComplex)));
    CHECK(cudaMalloc(&padded, nx * half * sizeof(cufftDoubleComplex)));
    CHECK(cudaMemcpy(real, f.data(), nx * ny * sizeof(double), cudaMemcpyHostToDevice));
    cufftHandle forward = 0, backward = 0;
    FFT(cufftPlan2d(&forward, nx, ny, CUFFT_D2Z));
    FFT(cufftPlan2d(&backward, nx, ny, CUFFT_Z2D));
    FFT(cufftExecD2Z(forward, real, frequencies));
    solve<<<nx, half>>>(frequencies);
    FFT(cufftExecZ2D(backward, frequencies, real));
    std::vector<double> is(nx * ny);
    CHECK(cudaMemcpy(is.data(), real, nx * ny * sizeof(double), cudaMemcpyDeviceToHost));
    for (int k = 0; k < nx * ny; ++k)
        expectNear(is[k], u[k], 1e-12, "out of place");

    CHECK(cudaMemcpy2D(padded, 2 * half * sizeof(double), f.data(), ny * sizeof(double), ny * sizeof(double), nx,
                       cudaMemcpyHostToDevice));
    auto* const same = reinterpret_cast<cufftDoubleComplex*>(padded);
    FFT(cufftExecD2Z(forward, padded, same));
    solve<<<nx, half>>>(same);
    FFT(cufftExecZ2D(backward, same, padded));
    CHECK(cudaMemcpy2D(is.data(), ny * sizeof(double), padded, 2 * half * sizeof(double), ny * sizeof(double), nx,
                       cudaMemcpyDeviceToHost));
    for (int k = 0; k < nx * ny; ++k)
        expectNear(is[k], u[k], 1e-12, "in place");
    std::printf("passed\n");
}
