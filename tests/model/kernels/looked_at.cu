// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of the kinds that people write, none of them from the documents, to see how far the timing model is from a
// GPU on code that it was not made with. These may be looked at while the model is being improved; kept_aside.cu holds
// others of the same kinds, which may not. launches.txt says how each is launched; compile.py makes the PTX.
#include <cuda_fp16.h>

extern "C" {

// Seven points of a line, each read from global memory.
__global__ void stencil1d_naive(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 3 || i >= n - 3)
        return;
    float sum = 0;
    for (int d = -3; d <= 3; ++d)
        sum += in[i + d];
    out[i] = sum * (1.0f / 7);
}

// Five points of a plane, from a tile in shared memory with its border. Blocks of 32 x 8.
__global__ void stencil2d_tile(const float* in, float* out, int width, int height) {
    __shared__ float tile[10][34];
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    const auto at = [&](int px, int py) {
        px = min(max(px, 0), width - 1);
        py = min(max(py, 0), height - 1);
        return in[py * width + px];
    };
    tile[ty][tx] = at(x, y);
    if (threadIdx.x == 0)
        tile[ty][0] = at(x - 1, y);
    if (threadIdx.x == 31)
        tile[ty][33] = at(x + 1, y);
    if (threadIdx.y == 0)
        tile[0][tx] = at(x, y - 1);
    if (threadIdx.y == 7)
        tile[9][tx] = at(x, y + 1);
    __syncthreads();
    if (x < width && y < height)
        out[y * width + x] =
            0.5f * tile[ty][tx] + 0.125f * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]);
}

// Seven points of a cube; a thread walks along z.
__global__ void stencil3d_naive(const float* in, float* out, int nx, int ny, int nz) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
        return;
    const int plane = nx * ny;
    for (int z = 1; z < nz - 1; ++z) {
        const int i = z * plane + y * nx + x;
        out[i] = in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - plane] + in[i + plane] - 6 * in[i];
    }
}

// Three arrays of a field: one is read and written, two are read at neighbours.
__global__ void field_step(const float* ex, const float* ey, float* hz, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width - 1 || y >= height - 1)
        return;
    const int i = y * width + x;
    hz[i] -= 0.7f * (ex[i + 1] - ex[i] + ey[i + width] - ey[i]);
}

// y = A x, a thread a row: lanes are a row apart.
__global__ void matvec_thread_row(const float* a, const float* x, float* y, int rows, int columns) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0;
    for (int c = 0; c < columns; ++c)
        sum += a[row * columns + c] * x[c];
    y[row] = sum;
}

// y = A^T x, a thread a column: a few warps walk down the whole matrix, each load side by side.
__global__ void matvec_thread_column(const float* a, const float* x, float* y, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= columns)
        return;
    float sum = 0;
    for (int r = 0; r < rows; ++r)
        sum += a[r * columns + column] * x[r];
    y[column] = sum;
}

// Each thread walks along its own row, where the next element is only known from this one: no loads overlap.
__global__ void row_walk(const int* a, int* out, int rows, int columns, int steps) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    int column = row % columns, sum = 0;
    for (int s = 0; s < steps; ++s) {
        const int v = a[row * columns + column];
        sum += v;
        column = (column + 1 + (v & 15)) % columns;
    }
    out[row] = sum;
}

// Inclusive scan of each block's elements, doubling the distance (Hillis and Steele).
__global__ void scan_doubling(const int* in, int* out, int* sums) {
    extern __shared__ int buffer[];
    const int t = threadIdx.x, n = blockDim.x, i = blockIdx.x * n + t;
    int* from = buffer;
    int* to = buffer + n;
    from[t] = in[i];
    __syncthreads();
    for (int d = 1; d < n; d *= 2) {
        to[t] = from[t] + (t >= d ? from[t - d] : 0);
        __syncthreads();
        int* swap = from;
        from = to;
        to = swap;
    }
    out[i] = from[t];
    if (t == n - 1)
        sums[blockIdx.x] = from[t];
}

// 256 bins in global memory.
__global__ void histogram_global(const unsigned char* in, unsigned* bins, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[in[i]], 1u);
}

__global__ void gather(const float* table, const int* index, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = table[index[i]];
}

// Every lane follows a chain of its own through a table.
__global__ void chase_lanes(const unsigned* table, unsigned* out, unsigned mask, int steps) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned at = i * 2654435761u & mask;
    for (int s = 0; s < steps; ++s)
        at = (table[at] + s) & mask;
    out[i] = at;
}

// Forces between all bodies, by tiles of a block's size in shared memory: bound by arithmetic.
__global__ void nbody_tile(const float4* bodies, float4* force, int n) {
    extern __shared__ float4 tile4[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float4 me = bodies[i];
    float fx = 0, fy = 0, fz = 0;
    for (int base = 0; base < n; base += blockDim.x) {
        tile4[threadIdx.x] = bodies[base + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < blockDim.x; ++k) {
            const float4 other = tile4[k];
            const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
            const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
            const float s = other.w * inverse * inverse * inverse;
            fx += s * dx;
            fy += s * dy;
            fz += s * dz;
        }
        __syncthreads();
    }
    force[i] = make_float4(fx, fy, fz, 0);
}

// Pairs of halves, summed up in float.
__global__ void half2_dot(const __half2* a, const __half2* b, float* out, int n) {
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const float2 product = __half22float2(__hmul2(a[i], b[i]));
        sum += product.x + product.y;
    }
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(~0u, sum, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}

// Special functions over an array.
__global__ void wave(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = sinf(in[i]) * expf(-0.1f * in[i]);
}

// A sparse matrix by a vector, a thread a row. Row r has length[r] elements from start[r] << shift on.
__global__ void spmv_thread(const int* start, const int* length, const int* column, const float* value, const float* x,
                            float* y, int rows, int shift) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    const int first = start[row] << shift, last = first + length[row];
    float sum = 0;
    for (int k = first; k < last; ++k)
        sum += value[k] * x[column[k]];
    y[row] = sum;
}

// A thread reads elements that lie a large stride apart.
__global__ void stride_read(const float* in, float* out, int count, int stride) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < count; ++k)
        sum += in[(long long)i * stride + k * 37 % stride];
    out[i] = sum;
}

// Points of a square from a linear congruential generator, and how many lie in the circle.
__global__ void monte_carlo(unsigned* inside, int points) {
    unsigned state = (blockIdx.x * blockDim.x + threadIdx.x) * 747796405u + 2891336453u;
    unsigned count = 0;
    for (int k = 0; k < points; ++k) {
        state = state * 1664525u + 1013904223u;
        const float x = (state >> 8) * (1.0f / 16777216);
        state = state * 1664525u + 1013904223u;
        const float y = (state >> 8) * (1.0f / 16777216);
        count += x * x + y * y < 1;
    }
    for (int d = 16; d > 0; d /= 2)
        count += __shfl_down_sync(~0u, count, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd(inside, count);
}

// One step of a bitonic sort in global memory.
__global__ void bitonic_step(int* data, int j, int k) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ j;
    if (other <= i)
        return;
    const int a = data[i], b = data[other];
    if ((a > b) == ((i & k) == 0)) {
        data[i] = b;
        data[other] = a;
    }
}

// Softmax of each row, a block a row.
__global__ void softmax_row(const float* in, float* out, int columns) {
    __shared__ float part[32];
    const float* row = in + blockIdx.x * columns;
    const int t = threadIdx.x, lane = t % 32, warp = t / 32, warps = blockDim.x / 32;
    float top = -1e30f;
    for (int c = t; c < columns; c += blockDim.x)
        top = fmaxf(top, row[c]);
    for (int d = 16; d > 0; d /= 2)
        top = fmaxf(top, __shfl_xor_sync(~0u, top, d));
    if (lane == 0)
        part[warp] = top;
    __syncthreads();
    for (int w = 0; w < warps; ++w)
        top = fmaxf(top, part[w]);
    __syncthreads();
    float sum = 0;
    for (int c = t; c < columns; c += blockDim.x)
        sum += __expf(row[c] - top);
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(~0u, sum, d);
    if (lane == 0)
        part[warp] = sum;
    __syncthreads();
    sum = 0;
    for (int w = 0; w < warps; ++w)
        sum += part[w];
    for (int c = t; c < columns; c += blockDim.x)
        out[blockIdx.x * columns + c] = __expf(row[c] - top) / sum;
}

// A 5 x 5 convolution with weights in global memory.
__global__ void convolve_global(const float* in, const float* weight, float* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2)
        return;
    float sum = 0;
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx)
            sum += weight[(dy + 2) * 5 + dx + 2] * in[(y + dy) * width + x + dx];
    out[y * width + x] = sum;
}

// Sixteen oscillators a thread, all in registers: what limits how many warps are resident is the register file.
__global__ void oscillators(const float* in, float* out, int steps) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    float place[16], speed[16];
#pragma unroll
    for (int k = 0; k < 16; ++k) {
        place[k] = in[k * n + i];
        speed[k] = 0;
    }
    for (int s = 0; s < steps; ++s) {
#pragma unroll
        for (int k = 0; k < 16; ++k)
            speed[k] += 0.01f * (place[(k + 1) % 16] + place[(k + 15) % 16] - 2 * place[k]);
#pragma unroll
        for (int k = 0; k < 16; ++k)
            place[k] += 0.01f * speed[k];
    }
#pragma unroll
    for (int k = 0; k < 16; ++k)
        out[k * n + i] = place[k];
}

} // extern "C"
