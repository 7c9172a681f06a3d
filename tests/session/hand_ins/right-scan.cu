// SPDX-License-Identifier: GPL-3.0-or-later; half-the-barriers passes
__global__ void scan(int* out, const int* in) {
    __shared__ int ofWarp[4];
    int t = threadIdx.x, lane = t % 32, value = in[t];
    for (int d = 1; d < 32; d *= 2) {
        int before = __shfl_up_sync(0xffffffff, value, d);
        if (lane >= d)
            value += before;
    }
    if (lane == 31)
        ofWarp[t / 32] = value;
    __syncthreads();
    for (int w = 0; w < t / 32; ++w)
        value += ofWarp[w];
    out[t] = value;
}
