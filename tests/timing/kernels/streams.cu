// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels that read arrays once, write one, or both, as words, as vectors, as rows of four vectors a thread, and as planes.
// tests/timing/programs/streams.cu measures them.
extern "C" {
__global__ void put1(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = float(i);
}
__global__ void get1(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && a[i] == 1.25f)
        c[i] = 1;
}
__global__ void copy1(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i];
}
__global__ void add1(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
__global__ void same1(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] += 1;
}
__global__ void put4(const float4* a, const float4* b, float4* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4)
        c[i] = make_float4(i, 1, 2, 3);
}
__global__ void copy4(const float4* a, const float4* b, float4* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4)
        c[i] = a[i];
}
__global__ void add4(const float4* a, const float4* b, float4* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4) {
        float4 x = a[i], y = b[i];
        c[i] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
    }
}
__global__ void rows4(const float4* a, const float4* b, float4* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 16)
        for (int k = 0; k < 4; k++) {
            float4 x = a[4 * i + k];
            c[4 * i + k] = make_float4(x.y, x.x, x.w, x.z);
        }
}
__global__ void getrows4(const float4* a, const float4* b, float4* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 16) {
        float s = 0;
        for (int k = 0; k < 4; k++) {
            float4 x = a[4 * i + k];
            s += x.x + x.y + x.z + x.w;
        }
        if (s == 1.25f)
            c[i].x = s;
    }
}
__global__ void putrows4(const float4* a, const float4* b, float4* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 16)
        for (int k = 0; k < 4; k++)
            c[4 * i + k] = make_float4(i, k, 2, 3);
}
__global__ void planes9(const float* a, const float* b, float* c, int n) {
    int m = n / 9, i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m) {
        float v[9], s = 0;
        for (int k = 0; k < 9; k++)
            s += v[k] = a[k * m + i];
        for (int k = 0; k < 9; k++)
            c[k * m + i] = v[k] - s;
    }
}
__global__ void putplanes(const float* a, const float* b, float* c, int n) {
    int m = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 64; k++)
        c[k * m + i] = float(k);
}
}
