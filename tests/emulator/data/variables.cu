// SPDX-License-Identifier: GPL-3.0-or-later
// Variables of the source: tests/emulator/variables_test.cpp, and members of what is declared. variables.ptx is made from this
// file:  nvcc -arch=compute_80 -G -ptx variables.cu -o variables.ptx   (the path in .file cut down to the name)
struct Pair {
    int first[4];
    int last;
};

__device__ int twice(int v) {
    int w = 2 * v;
    return w;
}

extern "C" __global__ void sums(const int* in, int* out, int n) {
    int i = threadIdx.x;
    int sum = 0;
    int parts[4];
    for (int k = 0; k < 4; ++k) {
        parts[k] = in[4 * i + k];
        sum += twice(parts[k]);
        bool odd = sum & 2;
        if (odd)
            sum += n;
    }
    double half = sum / 2.0;
    for (int k = 0; k < 2; ++k)
        out[i] += parts[(i + k) & 3] + int(half);
}

// Calls itself; each call has an `all` of its own.
__device__ int factorial(int n) {
    if (n < 2)
        return 1;
    int rest = factorial(n - 1);
    int all = n * rest;
    return all;
}
extern "C" __global__ void factorials(int* out) {
    out[threadIdx.x] = factorial(threadIdx.x + 1);
}

// The member `first` has four elements: index 4 is `last`.
extern "C" __global__ void members(int* out, int n) {
    Pair pair;
    pair.last = 7;
    for (int k = 0; k < n; ++k)
        pair.first[k] = k + threadIdx.x;
    out[threadIdx.x] = pair.last;
}
extern "C" __global__ void sharedMembers(int* out, int n) {
    __shared__ Pair pairs[2];
    if (threadIdx.x == 0)
        for (int k = 0; k < n; ++k)
            pairs[1].first[k] = k;
    __syncthreads();
    out[threadIdx.x] = pairs[1].first[threadIdx.x & 3];
}

// Right: 20 elements of a matrix in one go, and the bits of a struct of floats.
struct Point {
    float place[2];
    float mass;
};
extern "C" __global__ void alongAll(int* out, int n) {
    int matrix[5][4];
    Point point;
    for (int k = 0; k < n; ++k)
        (&matrix[0][0])[k] = k;
    for (int k = 0; k < 3; ++k)
        ((int*)&point)[k] = k;
    out[threadIdx.x] = matrix[4][3] + __float_as_int(point.mass);
}

// Never ends.
__device__ int down(int n) {
    return down(n + 1) + 1;
}
extern "C" __global__ void endless(int* out) {
    out[threadIdx.x] = down(threadIdx.x);
}
