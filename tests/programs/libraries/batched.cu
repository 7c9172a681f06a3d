// SPDX-License-Identifier: GPL-3.0-or-later
// Many small products in one call, by strides and by pointers, and elements of 16 and 8 bits.
#include "blas.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace {

constexpr int n = 8, count = 5, size = n * n;

std::vector<float> products(const std::vector<float>& a, const std::vector<float>& b) {
    std::vector<float> c(a.size());
    for (std::size_t each = 0; each < a.size() / size; ++each)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i)
                for (int k = 0; k < n; ++k)
                    c[each * size + i + j * n] += a[each * size + i + k * n] * b[each * size + k + j * n];
    return c;
}

template <class T>
std::vector<T> as(const std::vector<float>& from) {
    std::vector<T> to;
    for (const float v : from)
        to.push_back(T(v));
    return to;
}

} // namespace

int main() {
    // Whole numbers up to 3, which all of these types hold, and whose sums of eight products do so, too.
    std::vector<float> a, b;
    for (int k = 0; k < count * size; ++k) {
        a.push_back(float(k * 7 % 7 - 3 + k % 3));
        b.push_back(float(k * 5 % 11 % 4 - 2));
    }
    const std::vector<float> wanted = products(a, b);
    cublasHandle_t handle = nullptr;
    BLAS(cublasCreate(&handle));
    cudaStream_t stream = nullptr;
    CHECK(cudaStreamCreate(&stream));
    BLAS(cublasSetStream(handle, stream));
    float *A = onDevice(a), *B = onDevice(b), *C = onDevice(std::vector<float>(a.size()));
    const float one = 1, zero = 0;
    BLAS(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, A, n, size, B, n, size, &zero, C, n,
                                   size, count));
    CHECK(cudaStreamSynchronize(stream));
    near(onHost(C, a.size()), wanted, 0, "strided");

    std::vector<float*> pointers[3];
    for (int k = count - 1; k >= 0; --k) { // the last one first
        pointers[0].push_back(A + k * size);
        pointers[1].push_back(B + k * size);
        pointers[2].push_back(C + k * size);
    }
    CHECK(cudaMemset(C, 0xff, a.size() * sizeof(float))); // NaN
    float **listA = onDevice(pointers[0]), **listB = onDevice(pointers[1]), **listC = onDevice(pointers[2]);
    BLAS(cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, listA, n, listB, n, &zero, listC, n, count));
    CHECK(cudaStreamSynchronize(stream));
    near(onHost(C, a.size()), wanted, 0, "by pointers");

    BLAS(cublasSetMathMode(handle, CUBLAS_TENSOR_OP_MATH));
    __half *halfA = onDevice(as<__half>(a)), *halfB = onDevice(as<__half>(b)), *halfC = onDevice(as<__half>(a));
    BLAS(cublasGemmStridedBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, halfA, CUDA_R_16F, n, size, halfB,
                                    CUDA_R_16F, n, size, &zero, C, CUDA_R_32F, n, size, count, CUBLAS_COMPUTE_32F,
                                    CUBLAS_GEMM_DEFAULT_TENSOR_OP));
    CHECK(cudaStreamSynchronize(stream));
    near(onHost(C, a.size()), wanted, 0, "half to float");
    const __half halfOne = __float2half(1), halfZero = __float2half(0);
    BLAS(cublasHgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &halfOne, halfA, n, halfB, n, &halfZero, halfC, n));
    __nv_bfloat16 *bfA = onDevice(as<__nv_bfloat16>(a)), *bfB = onDevice(as<__nv_bfloat16>(b)),
                  *bfC = onDevice(as<__nv_bfloat16>(a));
    BLAS(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, bfA, CUDA_R_16BF, n, bfB, CUDA_R_16BF, n, &zero, bfC,
                      CUDA_R_16BF, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    signed char *byteA = onDevice(as<signed char>(a)), *byteB = onDevice(as<signed char>(b));
    int *wordC = onDevice(std::vector<int>(size));
    const int whole = 2, none = 0;
    BLAS(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &whole, byteA, CUDA_R_8I, n, byteB, CUDA_R_8I, n, &none,
                      wordC, CUDA_R_32I, n, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT));
    CHECK(cudaStreamSynchronize(stream));
    const auto half = onHost(halfC, size);
    const auto bf = onHost(bfC, size);
    const auto words = onHost(wordC, size);
    for (int k = 0; k < size; ++k)
        if (__half2float(half[k]) != wanted[k] || __bfloat162float(bf[k]) != wanted[k] || words[k] != 2 * int(wanted[k])) {
            std::printf("element %d is %g, %g, %d, not %g\n", k, __half2float(half[k]), __bfloat162float(bf[k]), words[k],
                        wanted[k]);
            return 1;
        }
    BLAS(cublasDestroy(handle));
    std::printf("passed\n");
}
