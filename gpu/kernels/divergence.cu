// SPDX-License-Identifier: GPL-3.0-or-later
// Warp divergence: what it costs when lanes of one warp want different paths, and what a programmer can do about it.

// The mathKernels give 100 or 200 to every element; they differ in who decides. None checks a bound: the array is as long
// as the grid.

extern "C" __global__ void warmup(float* c) {
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    float a = 0.0f;
    float b = 0.0f;
    if ((tid / warpSize) % 2 == 0) {
        a = 100.0f;
    } else {
        b = 200.0f;
    }
    c[tid] = a + b;
}

// Neighbouring lanes disagree: every warp walks both paths.
extern "C" __global__ void mathKernel1(float* c) {
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    float a = 0.0f;
    float b = 0.0f;
    if (tid % 2 == 0) {
        a = 100.0f;
    } else {
        b = 200.0f;
    }
    c[tid] = a + b;
}

// Whole warps decide together: no warp walks both paths.
extern "C" __global__ void mathKernel2(float* c) {
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    float a = 0.0f;
    float b = 0.0f;
    if ((tid / warpSize) % 2 == 0) {
        a = 100.0f;
    } else {
        b = 200.0f;
    }
    c[tid] = a + b;
}

// Two ifs in place of one if and its else: two branches diverge.
extern "C" __global__ void mathKernel3(float* c) {
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    float a = 0.0f;
    float b = 0.0f;
    bool even = (tid % 2 == 0);
    if (even) {
        a = 100.0f;
    }
    if (!even) {
        b = 200.0f;
    }
    c[tid] = a + b;
}

// One if and its else on a bool computed before.
extern "C" __global__ void mathKernel3Bool(float* c) {
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    float a = 0.0f;
    float b = 0.0f;
    bool even = (tid % 2 == 0);
    if (even) {
        a = 100.0f;
    } else {
        b = 200.0f;
    }
    c[tid] = a + b;
}

// Lanes over the threshold loop a hundred times while the others wait for them.
extern "C" __global__ void divergent_kernel(int* data, int threshold) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    int value = data[idx];
    if (value > threshold) {
        for (int i = 0; i < 100; i++) {
            value = value * value + i;
        }
    } else {
        value = value + 1;
    }
    data[idx] = value;
}

// The same with the length of the long path as an argument.
extern "C" __global__ void divergentLoops(int* data, int threshold, int loops, int n) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < n) {
        int value = data[idx];
        if (value > threshold) {
            for (int i = 0; i < loops; i++) {
                value = value * value + i;
            }
        } else {
            value = value + 1;
        }
        data[idx] = value;
    }
}

// The lane number decides: the compiler can see how each warp will split.
extern "C" __global__ void halfWarp(const int* in, int* out, int n) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < n) {
        if (threadIdx.x % 32 < 16) {
            out[idx] = in[idx] * 3;
        } else {
            out[idx] = in[idx] + 7;
        }
    }
}

// Every lane loops as often as its element says: the longest one decides for the warp.
extern "C" __global__ void loopDivergence(const int* data, int* out, int n) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < n) {
        int sum = 0;
        for (int i = 0; i < data[idx]; i++) {
            sum += i ^ idx;
        }
        out[idx] = sum;
    }
}

// The short path is said to be the likely one: this moves code about, it takes no divergence away.
extern "C" __global__ void branchHint(int* data, int threshold, int n) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < n) {
        int value = data[idx];
        if (__builtin_expect(value > threshold, 1)) {
            for (int i = 0; i < 100; i++) {
                value = value * value + i;
            }
        } else {
            value = value + 1;
        }
        data[idx] = value;
    }
}

extern "C" __global__ void sqrtBranch(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        if (x[i] > 0.0f) {
            y[i] = sqrtf(x[i]);
        } else {
            y[i] = 0.0f;
        }
    }
}

// Both results are computed and one is taken: no branch depends on the data.
extern "C" __global__ void sqrtSelect(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float root = sqrtf(fmaxf(x[i], 0.0f));
        y[i] = (x[i] > 0.0f) ? root : 0.0f;
    }
}

// One lane of each warp adds what all 32 could add together.
extern "C" __global__ void sumByLaneZero(const float* value, float* sums, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x % 32 == 0) {
        float sum = 0.0f;
        for (int k = 0; k < 32; k++) {
            if (i + k < n) {
                sum += value[i + k];
            }
        }
        sums[i / 32] = sum;
    }
}

// Five shuffles in which every lane takes part.
extern "C" __global__ void sumByShuffle(const float* value, float* sums, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = (i < n) ? value[i] : 0.0f;
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    }
    if (threadIdx.x % 32 == 0) {
        sums[i / 32] = sum;
    }
}

struct Vector {
    float x, y, z;
};

// Two triangles that share the edge p2 p3.
struct Quad {
    Vector p1, p2, p3, p4;
};

__device__ Vector minus(Vector a, Vector b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}

// Square of twice the triangle's area.
__device__ float area(Vector a, Vector b, Vector c) {
    Vector u = minus(b, a);
    Vector v = minus(c, a);
    float x = u.y * v.z - u.z * v.y;
    float y = u.z * v.x - u.x * v.z;
    float z = u.x * v.y - u.y * v.x;
    return x * x + y * y + z * z;
}

// The ray goes down the z axis; it hits the triangle on whose side of the diagonal it passes.
__device__ bool hitsFirstTriangle(Vector ray, Quad q) {
    float side = (q.p3.x - q.p2.x) * (ray.y - q.p2.y) - (q.p3.y - q.p2.y) * (ray.x - q.p2.x);
    return side > 0.0f;
}

// Each path does the whole work: it is done twice when a warp divides.
extern "C" __global__ void rayHitBranches(const Vector* rays, const Quad* quads, float* out, int n) {
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid < n) {
        Quad q = quads[tid];
        if (hitsFirstTriangle(rays[tid], q)) {
            out[tid] = area(q.p1, q.p2, q.p3);
        } else {
            out[tid] = area(q.p2, q.p3, q.p4);
        }
    }
}

// The paths only choose a corner; the work they share comes after them, once.
extern "C" __global__ void rayHitCommonTask(const Vector* rays, const Quad* quads, float* out, int n) {
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid < n) {
        Quad q = quads[tid];
        Vector p;
        if (hitsFirstTriangle(rays[tid], q)) {
            p = q.p1;
        } else {
            p = q.p4;
        }
        out[tid] = area(p, q.p2, q.p3);
    }
}
