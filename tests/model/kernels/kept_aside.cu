// SPDX-License-Identifier: GPL-3.0-or-later
// The other half of the kernels that the timing model was not made with: never looked at while the model is being
// improved, so that what it says of them is what it says of code that it has not seen. See looked_at.cu.
#include <cuda_fp16.h>

extern "C" {

// Nine points of a line, from a tile in shared memory. Blocks of 256.
__global__ void stencil1d_tile(const float* in, float* out, int n) {
    __shared__ float tile[264];
    const int i = blockIdx.x * 256 + threadIdx.x;
    tile[threadIdx.x + 4] = i < n ? in[i] : 0;
    if (threadIdx.x < 4)
        tile[threadIdx.x] = i >= 4 ? in[i - 4] : 0;
    else if (threadIdx.x >= 252)
        tile[threadIdx.x + 8] = i + 4 < n ? in[i + 4] : 0;
    __syncthreads();
    float sum = 0;
    for (int d = 0; d < 9; ++d)
        sum += tile[threadIdx.x + d];
    if (i < n)
        out[i] = sum * (1.0f / 9);
}

// Nine points of a plane out of global memory.
__global__ void stencil2d_naive(const float* in, float* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
        return;
    float sum = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            sum += in[(y + dy) * width + x + dx];
    out[y * width + x] = sum / 9;
}

// Seven points of a cube: planes in shared memory, the two others in registers. Blocks of 32 x 8.
__global__ void stencil3d_tile(const float* in, float* out, int nx, int ny, int nz) {
    __shared__ float tile[10][34];
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1, plane = nx * ny, at = y * nx + x;
    float below = in[at], here = in[plane + at];
    for (int z = 1; z < nz - 1; ++z) {
        const float above = in[(z + 1) * plane + at];
        tile[ty][tx] = here;
        if (threadIdx.x == 0)
            tile[ty][0] = x > 0 ? in[z * plane + at - 1] : 0;
        if (threadIdx.x == 31)
            tile[ty][33] = x < nx - 1 ? in[z * plane + at + 1] : 0;
        if (threadIdx.y == 0)
            tile[0][tx] = y > 0 ? in[z * plane + at - nx] : 0;
        if (threadIdx.y == 7)
            tile[9][tx] = y < ny - 1 ? in[z * plane + at + nx] : 0;
        __syncthreads();
        out[z * plane + at] =
            tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx] + below + above - 6 * here;
        __syncthreads();
        below = here;
        here = above;
    }
}

// Three arrays: two are brought forward by the third and its neighbours.
__global__ void field_both(float* ex, float* ey, const float* hz, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width || y >= height)
        return;
    const int i = y * width + x;
    const float h = hz[i];
    ex[i] -= 0.5f * (h - hz[i - width]);
    ey[i] -= 0.5f * (h - hz[i - 1]);
}

// y = A x, a warp a row: lanes side by side, then summed up by shuffles.
__global__ void matvec_warp_row(const float* a, const float* x, float* y, int rows, int columns) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    float sum = 0;
    for (int c = lane; c < columns; c += 32)
        sum += a[row * columns + c] * x[c];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(~0u, sum, d);
    if (lane == 0)
        y[row] = sum;
}

// Each thread adds up its own row, forwards and with a recurrence: a few warps, sectors used eight times.
__global__ void row_recurrence(const float* a, float* out, int rows, int columns) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float y = 0;
    for (int c = 0; c < columns; ++c)
        y = a[row * columns + c] - 0.5f * y;
    out[row] = y;
}

// Mean and deviation of each column, in two walks down it.
__global__ void column_moments(const float* a, float* mean, float* deviation, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= columns)
        return;
    float sum = 0;
    for (int r = 0; r < rows; ++r)
        sum += a[r * columns + column];
    const float m = sum / rows;
    float squares = 0;
    for (int r = 0; r < rows; ++r) {
        const float d = a[r * columns + column] - m;
        squares += d * d;
    }
    mean[column] = m;
    deviation[column] = sqrtf(squares / rows);
}

// A matrix brought to mean 0 and deviation 1: a root and a division for each element.
__global__ void normalise(float* a, const float* mean, const float* variance, int rows, int columns) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c < columns && r < rows)
        a[r * columns + c] = (a[r * columns + c] - mean[c]) / sqrtf(variance[c] + 1e-5f);
}

// Inclusive scan of each block's elements by shuffles.
__global__ void scan_shuffle(const int* in, int* out, int* sums) {
    __shared__ int totals[32];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32, i = blockIdx.x * blockDim.x + t;
    int v = in[i];
    for (int d = 1; d < 32; d *= 2) {
        const int other = __shfl_up_sync(~0u, v, d);
        if (lane >= d)
            v += other;
    }
    if (lane == 31)
        totals[warp] = v;
    __syncthreads();
    int before = 0;
    for (int w = 0; w < warp; ++w)
        before += totals[w];
    out[i] = v + before;
    if (t == blockDim.x - 1)
        sums[blockIdx.x] = v + before;
}

// 256 bins in shared memory, then added to those in global memory.
__global__ void histogram_shared(const unsigned char* in, unsigned* bins, int n) {
    __shared__ unsigned own[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x)
        own[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[in[i]], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x)
        if (own[b])
            atomicAdd(&bins[b], own[b]);
}

__global__ void scatter(const float* in, const int* index, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[index[i]] = in[i];
}

// One warp's lanes follow one chain together.
__global__ void chase_together(const unsigned* table, unsigned* out, unsigned mask, int steps) {
    unsigned at = blockIdx.x * 40503u & mask;
    for (int s = 0; s < steps; ++s)
        at = (table[at] + s) & mask;
    out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}

// How soon a point of the plane runs away.
__global__ void mandelbrot(unsigned char* out, int width, int height, int most) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    const float cr = -2.25f + 3.0f * x / width, ci = -1.5f + 3.0f * y / height;
    float r = 0, i = 0;
    int k = 0;
    while (k < most && r * r + i * i < 4) {
        const float next = r * r - i * i + cr;
        i = 2 * r * i + ci;
        r = next;
        ++k;
    }
    out[y * width + x] = k;
}

// a x + y of pairs of halves.
__global__ void half2_axpy(const __half2* x, __half2* y, float a, int n) {
    const __half2 factor = __float2half2_rn(a);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = __hfma2(factor, x[i], y[i]);
}

// A polynomial of degree `degree` in double precision.
__global__ void polynomial_fp64(const double* x, const double* coefficient, double* y, int n, int degree) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const double at = x[i];
    double sum = 0;
    for (int k = degree; k >= 0; --k)
        sum = sum * at + coefficient[k];
    y[i] = sum;
}

// Black and Scholes' price of a call: logarithm, exponentials, root and divisions.
__global__ void call_price(const float* price, const float* strike, const float* years, float* out, float rate,
                           float volatility, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float s = price[i], x = strike[i], t = years[i], root = sqrtf(t);
    const float d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
    const float d2 = d1 - volatility * root;
    const auto normal = [](float d) { return 1 / (1 + expf(-1.5976f * d - 0.07056f * d * d * d)); };
    out[i] = s * normal(d1) - x * expf(-rate * t) * normal(d2);
}

// A sparse matrix by a vector, a warp a row.
__global__ void spmv_warp(const int* start, const int* length, const int* column, const float* value, const float* x,
                          float* y, int rows, int shift) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    const int first = start[row] << shift, last = first + length[row];
    float sum = 0;
    for (int k = first + lane; k < last; k += 32)
        sum += value[k] * x[column[k]];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(~0u, sum, d);
    if (lane == 0)
        y[row] = sum;
}

// Three matrices turned at once; stores are a column apart.
__global__ void transpose_three(const float* a, const float* b, const float* c, float* ta, float* tb, float* tc,
                                int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    ta[x * n + y] = a[y * n + x];
    tb[x * n + y] = b[y * n + x];
    tc[x * n + y] = c[y * n + x];
}

// Sums of blocks that lie far apart: whole lines, never two in one page of DRAM.
__global__ void far_blocks(const float4* in, float4* out, int count, int apart) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 sum = make_float4(0, 0, 0, 0);
    for (int k = 0; k < count; ++k) {
        const float4 v = in[k * apart + i];
        sum.x += v.x;
        sum.y += v.y;
        sum.z += v.z;
        sum.w += v.w;
    }
    out[i] = sum;
}

// A blur by rows with weights in constant memory.
__constant__ float blurWeight[17];
__global__ void blur_constant(const float* in, float* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = 0;
    for (int d = -8; d <= 8; ++d) {
        const int at = min(max(x + d, 0), width - 1);
        sum += blurWeight[d + 8] * in[y * width + at];
    }
    out[y * width + x] = sum;
}

// Sorts a block's elements in shared memory.
__global__ void bitonic_block(int* data) {
    extern __shared__ int keys[];
    const int t = threadIdx.x, n = blockDim.x;
    keys[t] = data[blockIdx.x * n + t];
    __syncthreads();
    for (int k = 2; k <= n; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            const int other = t ^ j;
            if (other > t && (keys[t] > keys[other]) == ((t & k) == 0)) {
                const int swap = keys[t];
                keys[t] = keys[other];
                keys[other] = swap;
            }
            __syncthreads();
        }
    data[blockIdx.x * n + t] = keys[t];
}

// C = A B by tiles of 64 x 64, sixteen results a thread in registers. Blocks of 16 x 16.
__global__ void gemm_registers(const float* a, const float* b, float* c, int n) {
    __shared__ float as[16][64], bs[16][64];
    const int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
    const int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    float sum[4][4] = {};
    for (int k0 = 0; k0 < n; k0 += 16) {
        for (int e = t; e < 1024; e += 256) {
            as[e % 16][e / 16] = a[(row0 + e / 16) * n + k0 + e % 16];
            bs[e / 64][e % 64] = b[(k0 + e / 64) * n + column0 + e % 64];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; ++k)
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    sum[i][j] += as[k][ty * 4 + i] * bs[k][tx + 16 * j];
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            c[(row0 + ty * 4 + i) * n + column0 + tx + 16 * j] = sum[i][j];
}

// Layer norm of each row, a warp a row.
__global__ void layer_norm(const float* in, float* out, int rows, int columns) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    float sum = 0, squares = 0;
    for (int c = lane; c < columns; c += 32) {
        const float v = in[row * columns + c];
        sum += v;
        squares += v * v;
    }
    for (int d = 16; d > 0; d /= 2) {
        sum += __shfl_xor_sync(~0u, sum, d);
        squares += __shfl_xor_sync(~0u, squares, d);
    }
    const float mean = sum / columns, scale = rsqrtf(squares / columns - mean * mean + 1e-5f);
    for (int c = lane; c < columns; c += 32)
        out[row * columns + c] = (in[row * columns + c] - mean) * scale;
}

} // extern "C"
