// SPDX-License-Identifier: GPL-3.0-or-later
// Vectors of types that the call names; rotations; and products of groups, each of its own shape. What is wanted is worked out by hand, or
// by what defines it.
#include "stored.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace {

cublasHandle_t h = nullptr;

template <class T>
std::vector<T> of(std::initializer_list<float> values) {
    std::vector<T> all;
    for (const float v : values)
        all.push_back(T(v));
    return all;
}
template <class T>
std::vector<double> values(const T* at, std::size_t count) {
    std::vector<double> all;
    for (const T& v : onHost(at, count))
        all.push_back(double(float(v)));
    return all;
}

// Every second of six: 1, 2, 3; backwards: 3, 2, 1.
template <class T>
void vectors(cudaDataType type, cudaDataType in) {
    T *x = onDevice(of<T>({1, 9, 2, 9, 3, 9})), *y = onDevice(of<T>({10, 20, 30}));
    const float two = 2;
    BLAS(cublasAxpyEx(h, 3, &two, CUDA_R_32F, x, type, 2, y, type, 1, in));
    near(values(y, 3), {12, 24, 36}, 0, "AxpyEx");
    BLAS(cublasAxpyEx(h, 3, &two, CUDA_R_32F, x, type, -2, y, type, 1, in));
    near(values(y, 3), {18, 28, 38}, 0, "AxpyEx backwards");
    BLAS(cublasScalEx(h, 3, &two, CUDA_R_32F, x, type, 2, in));
    near(values(x, 6), {2, 9, 4, 9, 6, 9}, 0, "ScalEx");
    T* dot = onDevice(of<T>({0}));
    BLAS(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE));
    BLAS(cublasDotEx(h, 3, x, type, 2, y, type, 1, dot, type, in));
    BLAS(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST));
    near(values(dot, 1), {36 + 112 + 228}, 0, "DotEx");
    BLAS(cublasSwapEx(h, 3, x, type, 2, y, type, 1));
    BLAS(cublasCopyEx(h, 3, x, type, 2, dot = onDevice(of<T>({0, 0, 0})), type, 1));
    near(values(y, 3), {2, 4, 6}, 0, "SwapEx");
    near(values(dot, 3), {18, 28, 38}, 0, "CopyEx");
}

void reductions() {
    __half* x = onDevice(of<__half>({-3, 4, 0, 12}));
    float result = 0;
    __half half = 0;
    BLAS(cublasNrm2Ex(h, 4, x, CUDA_R_16F, 1, &half, CUDA_R_16F, CUDA_R_32F));
    WANT(float(half) == 13); // 9 + 16 + 144
    BLAS(cublasAsumEx(h, 4, x, CUDA_R_16F, 1, &result, CUDA_R_32F, CUDA_R_32F));
    WANT(result == 19);
    int largest = 0, least = 0;
    BLAS(cublasIamaxEx(h, 4, x, CUDA_R_16F, 1, &largest));
    BLAS(cublasIaminEx(h, 4, x, CUDA_R_16F, 1, &least));
    WANT(largest == 4 && least == 3);
    // (1 + 2i)* (3 - i) = 3 - 2 - i - 6i = 1 - 7i
    cuDoubleComplex *a = onDevice(std::vector<cuDoubleComplex>{{1, 2}}),
                    *b = onDevice(std::vector<cuDoubleComplex>{{3, -1}}), dot{};
    BLAS(cublasDotcEx(h, 1, a, CUDA_C_64F, 1, b, CUDA_C_64F, 1, &dot, CUDA_C_64F, CUDA_C_64F));
    WANT(dot.x == 1 && dot.y == -7);
    WANT(cublasDotEx(h, 1, a, CUDA_R_8I, 1, b, CUDA_R_8I, 1, &dot, CUDA_R_32I, CUDA_R_32I) ==
         CUBLAS_STATUS_NOT_SUPPORTED);
}

// (c s; -s* c) takes (a b) to (r 0), and c^2 + |s|^2 = 1.
void rotations() {
    for (const auto& [a0, b0] : {std::pair(3.0, 4.0), {-4.0, 3.0}, {0.0, 2.0}, {0.0, 0.0}, {5.0, 0.0}}) {
        double a = a0, b = b0, c = 0, s = 0;
        BLAS(cublasDrotg(h, &a, &b, &c, &s));
        near(std::vector<double>{c * a0 + s * b0, c * b0 - s * a0, c * c + s * s}, {a, 0, 1}, 1e-14, "rotg");
    }
    const Z a0(1, -2), b0(3, 0.5);
    Z a = a0, b = b0, s = 0;
    double c = 0;
    BLAS(cublasZrotg(h, gpu(&a), gpu(&b), &c, gpu(&s)));
    same<Z>({c * a0 + s * b0, c * b0 - std::conj(s) * a0, c * c + std::norm(s)}, {a, 0, 1}, "Zrotg");
    Z *x = onDevice(std::vector<Z>{a0, 2}), *y = onDevice(std::vector<Z>{b0, 1});
    BLAS(cublasZrot(h, 2, gpu(x), 1, gpu(y), 1, &c, gpu(&s)));
    same<Z>(onHost(x, 2), {a, 2 * c + s}, "Zrot");
    same<Z>(onHost(y, 2), {0, c - 2.0 * std::conj(s)}, "Zrot");
    float *u = onDevice(std::vector<float>{3}), *v = onDevice(std::vector<float>{4});
    const float cosine = 0.6f, sine = 0.8f;
    BLAS(cublasRotEx(h, 1, u, CUDA_R_32F, 1, v, CUDA_R_32F, 1, &cosine, &sine, CUDA_R_32F, CUDA_R_32F));
    near(onHost(u, 1), {5}, 1e-6, "RotEx");
    near(onHost(v, 1), {0}, 1e-6, "RotEx");
}

// H takes (x y) to (x' 0) and keeps the sum of squares: H^T D' H = D. Each kind of H, and scales that are put right.
void modified() {
    const double cases[][4] = {{1, 1, 3, 1},         {1, 1, 1, 3},     {2, 0.5, 1, 1}, {1e10, 1, 1, 0.5},
                               {1e-12, 1e-12, 2, 1}, {1, -0.25, 2, 1}, {1, 1, 2, 0}};
    bool seen[4] = {};
    for (const auto& one : cases) {
        double d1 = one[0], d2 = one[1], x1 = one[2], p[5] = {-9, -9, -9, -9, -9};
        BLAS(cublasDrotmg(h, &d1, &d2, &x1, &one[3], p));
        seen[int(p[0]) + 2] = true;
        if (p[0] == -2)
            continue;
        WANT((p[0] == -1) == (p[1] != -9 && p[2] != -9)); // what the flag says is not written
        double *x = onDevice(std::vector<double>{one[2], 1, 0}), *y = onDevice(std::vector<double>{one[3], 0, 1});
        BLAS(cublasDrotm(h, 3, x, 1, y, 1, p));
        const std::vector<double> u = onHost(x, 3), v = onHost(y, 3); // behind the first, the columns of H
        const double tiny = 1e-13 * std::fmax(one[0], std::fabs(one[1]));
        near(std::vector<double>{u[0], v[0]}, {x1, 0}, 1e-13 * std::fabs(x1), "rotm");
        near(std::vector<double>{d1 * u[1] * u[1] + d2 * v[1] * v[1], d1 * u[1] * u[2] + d2 * v[1] * v[2],
                                 d1 * u[2] * u[2] + d2 * v[2] * v[2]},
             {one[0], 0, one[1]}, tiny, "rotmg");
        const double most = 4096 * 4096.0;
        WANT(d1 < most && d1 > 1 / most);
    }
    WANT(seen[0] && seen[1] && seen[2] && seen[3]);
    double d1 = -1, d2 = 1, x1 = 1, y1 = 1, p[5];
    BLAS(cublasDrotmg(h, &d1, &d2, &x1, &y1, p));
    WANT(p[0] == -1 && p[1] == 0 && p[4] == 0 && d1 == 0 && x1 == 0);
}

void groups() {
    const int count = 2, sizes[] = {2, 1}, m[] = {2, 3}, n[] = {3, 1}, k[] = {4, 2}, lda[] = {2, 2}, ldb[] = {4, 2},
              ldc[] = {2, 3};
    const cublasOperation_t a[] = {CUBLAS_OP_N, CUBLAS_OP_T}, b[] = {CUBLAS_OP_N, CUBLAS_OP_N};
    const double alpha[] = {2, -1}, beta[] = {0, 1};
    std::vector<double*> As, Bs, Cs;
    std::vector<Matrix<double>> wanted;
    for (int p = 0; p < 3; ++p) {
        const int g = p / 2;
        const Matrix<double> x = g ? random<double>(k[g], m[g], 80) : random<double>(m[g], k[g], 81 + p),
                             y = random<double>(k[g], n[g], 90 + p), z = random<double>(m[g], n[g], 95);
        As.push_back(onDevice(x.all)), Bs.push_back(onDevice(y.all)), Cs.push_back(onDevice(z.all));
        wanted.push_back(alpha[g] * (by(x, g ? 'T' : 'N') * y) + beta[g] * z);
    }
    BLAS(cublasDgemmGroupedBatched(h, a, b, m, n, k, alpha, onDevice(As), lda, onDevice(Bs), ldb, beta, onDevice(Cs),
                                   ldc, count, sizes));
    for (int p = 0; p < 3; ++p)
        same(onHost(Cs[p], wanted[p].all.size()), wanted[p].all, "gemmGroupedBatched");
    // Of half precision, scales in single: 1 x 1, one product a group: 3 * 4 and -2 * 5 + 1.
    __half *x = onDevice(of<__half>({3, -2})), *y = onDevice(of<__half>({4, 5})), *z = onDevice(of<__half>({7, 1}));
    const int ones[] = {1, 1};
    const float one[] = {1, 1}, old[] = {0, 1};
    const cublasOperation_t plain[] = {CUBLAS_OP_N, CUBLAS_OP_N};
    const auto list = [](__half* p) { return reinterpret_cast<void**>(onDevice(std::vector<__half*>{p, p + 1})); };
    BLAS(cublasGemmGroupedBatchedEx(h, plain, plain, ones, ones, ones, one, list(x), CUDA_R_16F, ones, list(y),
                                    CUDA_R_16F, ones, old, list(z), CUDA_R_16F, ones, 2, ones, CUBLAS_COMPUTE_32F));
    near(values(z, 2), {12, -9}, 0, "GemmGroupedBatchedEx");
}

} // namespace

int main() {
    BLAS(cublasCreate(&h));
    vectors<float>(CUDA_R_32F, CUDA_R_32F);
    vectors<__half>(CUDA_R_16F, CUDA_R_32F);
    vectors<__nv_bfloat16>(CUDA_R_16BF, CUDA_R_32F);
    reductions();
    rotations();
    modified();
    groups();
    BLAS(cublasDestroy(h));
    return passed();
}
