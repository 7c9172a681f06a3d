// SPDX-License-Identifier: GPL-3.0-or-later
// How a warp's 32 addresses lie in memory decides how much memory must be moved.

// Each thread reads the element stride times its number.
extern "C" __global__ void strided(const float* in, float* out, int stride, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[i * stride];
    }
}

// The reads are shifted against the 32-byte sectors.
extern "C" __global__ void offsetCopy(const float* in, float* out, int offset, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[i + offset];
    }
}

// The same load along three ways: cached in L1 and L2, in L2 only, and as data that no one writes.
extern "C" __global__ void offsetCopyL1(const float* in, float* out, int offset, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = __ldca(in + i + offset);
    }
}

extern "C" __global__ void offsetCopyL2(const float* in, float* out, int offset, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = __ldcg(in + i + offset);
    }
}

extern "C" __global__ void offsetCopyReadOnly(const float* in, float* out, int offset, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = __ldg(in + i + offset);
    }
}

struct Point {
    float x, y, z;
};

// Padded to 16 bytes and aligned to them.
struct __align__(16) AlignedPoint {
    float x, y, z;
};

// Array of structures of 12 bytes: each of the three loads strides by three words.
extern "C" __global__ void aos12(const Point* points, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = points[i].x;
        float y = points[i].y;
        float z = points[i].z;
        out[i] = x + y + z;
    }
}

// Array of structures of 16 bytes: one load can bring a whole structure.
extern "C" __global__ void aos16(const AlignedPoint* points, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        AlignedPoint p = points[i];
        out[i] = p.x + p.y + p.z;
    }
}

// Structure of arrays: each of the three loads takes neighbours.
extern "C" __global__ void soa(const float* x, const float* y, const float* z, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = x[i] + y[i] + z[i];
    }
}
