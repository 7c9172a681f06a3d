// SPDX-License-Identifier: GPL-3.0-or-later; half-the-barriers misses goal 3: requests
__global__ void scan(int* out, const int* in) {
    __shared__ int cell[128], came;
    int t = threadIdx.x, all = 0;
    if (t == 0)
        came = 0;
    cell[t] = in[t];
    __syncthreads();
    auto wait = [&] {
        all += blockDim.x;
        __threadfence_block();
        atomicAdd(&came, 1);
        while (atomicAdd(&came, 0) < all) {
        }
        __threadfence_block();
    };
    for (int distance = 1; distance < blockDim.x; distance *= 2) {
        int value = cell[t];
        if (t >= distance)
            value += cell[t - distance];
        wait();
        cell[t] = value;
        wait();
    }
    out[t] = cell[t];
}
