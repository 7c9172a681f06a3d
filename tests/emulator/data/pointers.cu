// SPDX-License-Identifier: GPL-3.0-or-later
// Functions called through pointers that differ from lane to lane, or that another grid has stored.
// pointers.ptx: nvcc -ptx -O3 -rdc=true -arch=compute_90

typedef int (*Function)(int);
__device__ int addTen(int x) { return x + 10; }
__device__ int twice(int x) { return x * 2; }
__device__ Function table[2] = {addTen, twice};

extern "C" __global__ void throughATable(int* out, int first) {
    out[threadIdx.x] = table[(threadIdx.x + first) & 1](threadIdx.x);
}

extern "C" __global__ void child(Function* stored, int* out) {
    out[threadIdx.x] = stored[threadIdx.x & 1](threadIdx.x);
}

extern "C" __global__ void parent(Function* stored, int* out, int which) {
    stored[0] = addTen;
    stored[1] = which > 0 ? twice : addTen;
    child<<<1, 32>>>(stored, out);
}
