// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of the kinds that people write, small enough for a test. own_kernels_test.cpp launches each and works out on the
// host, in another way, what must come out. own_kernels_75.ptx and own_kernels_90.ptx are made from this file:
//   nvcc -arch=compute_75 -rdc=true -O3 -lineinfo -ptx own_kernels.cu -o own_kernels_75.ptx
// and likewise for 90 (the paths in .file cut down to the names).
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

extern "C" {

// Exclusive scan of one block's 256 elements: up the tree and down again.
__global__ void treeScan(const int* in, int* out) {
    __shared__ int t[256];
    const int i = threadIdx.x;
    t[2 * i] = in[2 * i];
    t[2 * i + 1] = in[2 * i + 1];
    int step = 1;
    for (int d = 128; d > 0; d /= 2, step *= 2) {
        __syncthreads();
        if (i < d)
            t[step * (2 * i + 2) - 1] += t[step * (2 * i + 1) - 1];
    }
    if (i == 0)
        t[255] = 0;
    for (int d = 1; d < 256; d *= 2) {
        step /= 2;
        __syncthreads();
        if (i < d) {
            const int left = t[step * (2 * i + 1) - 1];
            t[step * (2 * i + 1) - 1] = t[step * (2 * i + 2) - 1];
            t[step * (2 * i + 2) - 1] += left;
        }
    }
    __syncthreads();
    out[2 * i] = t[2 * i];
    out[2 * i + 1] = t[2 * i + 1];
}

// Inclusive scan of 1024 elements by shuffles: within warps, then over the sums of the warps.
__global__ void shuffleScan(const int* in, int* out) {
    __shared__ int sums[32];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int v = in[t];
    for (int d = 1; d < 32; d *= 2) {
        const int other = __shfl_up_sync(~0u, v, d);
        v += lane >= d ? other : 0;
    }
    if (lane == 31)
        sums[warp] = v;
    __syncthreads();
    if (warp == 0) {
        int s = sums[lane];
        for (int d = 1; d < 32; d *= 2) {
            const int other = __shfl_up_sync(~0u, s, d);
            s += lane >= d ? other : 0;
        }
        sums[lane] = s;
    }
    __syncthreads();
    out[t] = v + (warp > 0 ? sums[warp - 1] : 0);
}

// 512 keys of each block, in place.
__global__ void bitonicSort(unsigned* keys) {
    __shared__ unsigned t[512];
    const int i = threadIdx.x;
    unsigned* const mine = keys + blockIdx.x * 512;
    t[i] = mine[i];
    __syncthreads();
    for (int size = 2; size <= 512; size *= 2)
        for (int step = size / 2; step > 0; step /= 2) {
            const int other = i ^ step;
            if (other > i) {
                const bool up = (i & size) == 0;
                const unsigned a = t[i], b = t[other];
                if ((a > b) == up) {
                    t[i] = b;
                    t[other] = a;
                }
            }
            __syncthreads();
        }
    mine[i] = t[i];
}

// 1024 keys, a bit at a time: zeros go to the front, ones behind them, in their order.
__global__ void radixSort(unsigned* keys) {
    __shared__ unsigned t[1024];
    __shared__ int zeros[32];
    const int i = threadIdx.x, lane = i % 32, warp = i / 32;
    unsigned key = keys[i];
    for (int bit = 0; bit < 32; ++bit) {
        const bool one = key >> bit & 1;
        const unsigned ballot = __ballot_sync(~0u, !one);
        if (lane == 0)
            zeros[warp] = __popc(ballot);
        __syncthreads();
        int before = 0, all = 0;
        for (int w = 0; w < 32; ++w) {
            before += w < warp ? zeros[w] : 0;
            all += zeros[w];
        }
        before += __popc(ballot & ((1u << lane) - 1));
        t[one ? all + i - before : before] = key;
        __syncthreads();
        key = t[i];
    }
    keys[i] = key;
}

__global__ void histogram(const unsigned char* text, int n, int* bins) {
    __shared__ int own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[text[i]], 1);
    __syncthreads();
    if (own[threadIdx.x])
        atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

// Five points, with a border of zeros; tiles of 16 x 16 with their rims in shared memory.
__global__ void stencil(const float* in, float* out, int w, int h) {
    __shared__ float t[18][18];
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    const auto at = [&](int i, int j) { return i >= 0 && j >= 0 && i < w && j < h ? in[j * w + i] : 0.f; };
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    t[ty][tx] = at(x, y);
    if (threadIdx.x == 0)
        t[ty][0] = at(x - 1, y);
    if (threadIdx.x == 15)
        t[ty][17] = at(x + 1, y);
    if (threadIdx.y == 0)
        t[0][tx] = at(x, y - 1);
    if (threadIdx.y == 15)
        t[17][tx] = at(x, y + 1);
    __syncthreads();
    if (x < w && y < h)
        out[y * w + x] = 0.5f * t[ty][tx] + 0.125f * (t[ty][tx - 1] + t[ty][tx + 1] + t[ty - 1][tx] + t[ty + 1][tx]);
}

__global__ void nBody(const float4* bodies, float4* forces, int n) {
    __shared__ float4 tile[64];
    const int i = blockIdx.x * 64 + threadIdx.x;
    const float4 me = bodies[i];
    float fx = 0, fy = 0, fz = 0;
    for (int first = 0; first < n; first += 64) {
        tile[threadIdx.x] = bodies[first + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k) {
            const float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
            const float r = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), pull = tile[k].w * r * r * r;
            fx += pull * dx;
            fy += pull * dy;
            fz += pull * dz;
        }
        __syncthreads();
    }
    forces[i] = make_float4(fx, fy, fz, 0);
}

// Steps until a point leaves the circle; products are rounded on their own, so that the host's steps are the same.
__global__ void mandelbrot(int* out, int w, int most) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    const float cx = -2.f + x * 0.046875f, cy = -1.25f + y * 0.078125f;
    float a = 0, b = 0;
    int n = 0;
    while (n < most) {
        const float aa = __fmul_rn(a, a), bb = __fmul_rn(b, b), ab = __fmul_rn(a, b);
        if (__fadd_rn(aa, bb) > 4.f)
            break;
        a = __fadd_rn(__fadd_rn(aa, -bb), cx);
        b = __fadd_rn(__fadd_rn(ab, ab), cy);
        ++n;
    }
    out[y * w + x] = n;
}

// What is kept is packed: one atomic for all lanes that keep something.
__global__ void filterAggregated(const int* in, int n, int* out, int* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || in[i] % 3 != 0)
        return;
    const auto group = cg::coalesced_threads();
    int first = 0;
    if (group.thread_rank() == 0)
        first = atomicAdd(count, int(group.size()));
    out[group.shfl(first, 0) + group.thread_rank()] = in[i];
}

// softmax(q k^T) v for one head of 32 numbers: a warp a query, the keys in tiles, with a running maximum and sum.
__global__ void attention(const float* q, const float* k, const float* v, float* out, int keys) {
    __shared__ float tk[32][33], tv[32][33];
    const int lane = threadIdx.x, row = blockIdx.x * blockDim.y + threadIdx.y;
    const float mine = q[row * 32 + lane];
    float most = -1e30f, sum = 0, result = 0;
    for (int first = 0; first < keys; first += 32) {
        for (int j = threadIdx.y; j < 32; j += blockDim.y) {
            tk[j][lane] = k[(first + j) * 32 + lane];
            tv[j][lane] = v[(first + j) * 32 + lane];
        }
        __syncthreads();
        float score = 0; // of key `first + lane`
        for (int d = 0; d < 32; ++d)
            score += __shfl_sync(~0u, mine, d) * tk[lane][d];
        float top = score;
        for (int d = 16; d > 0; d /= 2)
            top = fmaxf(top, __shfl_xor_sync(~0u, top, d));
        const float now = fmaxf(most, top), scale = __expf(most - now), weight = __expf(score - now);
        float all = weight;
        for (int d = 16; d > 0; d /= 2)
            all += __shfl_xor_sync(~0u, all, d);
        sum = sum * scale + all;
        result *= scale;
        for (int j = 0; j < 32; ++j)
            result += __shfl_sync(~0u, weight, j) * tv[j][lane];
        most = now;
        __syncthreads();
    }
    out[row * 32 + lane] = result / sum;
}

// Each grid parts its range and launches one for each side; short ranges are sorted by insertion.
__global__ void quickSort(int* data, int left, int right, int depth) {
    if (right - left < 12 || depth > 14) {
        for (int i = left + 1; i <= right; ++i) {
            const int v = data[i];
            int j = i - 1;
            for (; j >= left && data[j] > v; --j)
                data[j + 1] = data[j];
            data[j + 1] = v;
        }
        return;
    }
    const int pivot = data[(left + right) / 2];
    int i = left, j = right;
    while (i <= j) {
        while (data[i] < pivot)
            ++i;
        while (data[j] > pivot)
            --j;
        if (i <= j) {
            const int v = data[i];
            data[i++] = data[j];
            data[j--] = v;
        }
    }
    if (left < j)
        quickSort<<<1, 1>>>(data, left, j, depth + 1);
    if (i < right)
        quickSort<<<1, 1>>>(data, i, right, depth + 1);
}

// 256 complex numbers a block: bits reversed, then eight rounds of butterflies.
__global__ void fft(const float2* in, float2* out) {
    __shared__ float2 t[256];
    const int i = threadIdx.x;
    for (int k = i; k < 256; k += 128)
        t[__brev(k) >> 24] = in[blockIdx.x * 256 + k];
    __syncthreads();
    for (int half = 1; half < 256; half *= 2) {
        const int j = i % half, a = (i / half) * 2 * half + j, b = a + half;
        float s, c;
        sincospif(-float(j) / half, &s, &c);
        const float2 u = t[a], w = t[b];
        const float2 p = make_float2(w.x * c - w.y * s, w.x * s + w.y * c);
        t[a] = make_float2(u.x + p.x, u.y + p.y);
        t[b] = make_float2(u.x - p.x, u.y - p.y);
        __syncthreads();
    }
    for (int k = i; k < 256; k += 128)
        out[blockIdx.x * 256 + k] = t[k];
}

// Binary search trees as arrays of (key, left, right): how deep each key lies, or minus the depth where it should be.
__global__ void treeWalk(const int3* nodes, const int* wanted, int* depth, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int at = 0, steps = 0;
    while (at >= 0) {
        ++steps;
        const int3 node = nodes[at];
        if (node.x == wanted[i]) {
            depth[i] = steps;
            return;
        }
        at = wanted[i] < node.x ? node.y : node.z;
    }
    depth[i] = -steps;
}

// The same by recursion: sums the keys below a node that are even.
__device__ __noinline__ int evenBelow(const int3* nodes, int at) {
    if (at < 0)
        return 0;
    const int3 node = nodes[at];
    return (node.x % 2 == 0 ? node.x : 0) + evenBelow(nodes, node.y) + evenBelow(nodes, node.z);
}
__global__ void treeSum(const int3* nodes, int* sums) { sums[threadIdx.x] = evenBelow(nodes, threadIdx.x); }

__global__ void cooperativeReduction(const int* in, int n, int* parts, int* out) {
    const auto grid = cg::this_grid();
    const auto block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    __shared__ int sums[8];
    int sum = 0;
    for (int i = grid.thread_rank(); i < n; i += grid.num_threads())
        sum += in[i];
    sum = cg::reduce(warp, sum, cg::plus<int>());
    if (warp.thread_rank() == 0)
        sums[warp.meta_group_rank()] = sum;
    block.sync();
    if (block.thread_rank() == 0) {
        int all = 0;
        for (unsigned w = 0; w < warp.meta_group_size(); ++w)
            all += sums[w];
        parts[blockIdx.x] = all;
    }
    grid.sync();
    if (grid.thread_rank() == 0) {
        int all = 0;
        for (unsigned b = 0; b < gridDim.x; ++b)
            all += parts[b];
        *out = all;
    }
}

// Rows of a sparse matrix, a warp each.
__global__ void sparseTimesVector(const int* first, const int* column, const double* value, const double* x, double* y,
                                  int rows) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    double sum = 0;
    for (int k = first[row] + lane; k < first[row + 1]; k += 32)
        sum += value[k] * x[column[k]];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(~0u, sum, d);
    if (lane == 0)
        y[row] = sum;
}

// All shortest ways, one intermediate point after the other.
__global__ void floydWarshall(int* distance, int n) {
    for (int k = 0; k < n; ++k) {
        for (int e = threadIdx.x; e < n * n; e += blockDim.x) {
            const int way = distance[e / n * n + k] + distance[k * n + e % n];
            if (way < distance[e])
                distance[e] = way;
        }
        __syncthreads();
    }
}

// How many changes turn one word into the other: diagonals, one thread a row.
__global__ void editDistance(const char* a, const char* b, int n, int* out) {
    __shared__ int diagonals[3][129];
    const int i = threadIdx.x; // row, 0 to n
    for (int d = 0; d <= 2 * n; ++d) {
        int *const now = diagonals[d % 3], *const last = diagonals[(d + 2) % 3], *const older = diagonals[(d + 1) % 3];
        const int j = d - i;
        if (j >= 0 && j <= n)
            now[i] = i == 0   ? j
                     : j == 0 ? i
                              : min(min(last[i - 1], last[i]) + 1, older[i - 1] + (a[i - 1] != b[j - 1]));
        __syncthreads();
    }
    if (i == n)
        *out = diagonals[2 * n % 3][n];
}

// Generations of life on a ring of rows, 64 cells a word, one bit each.
__global__ void life(unsigned long long* rows, int generations) {
    __shared__ unsigned long long t[2][64];
    const int y = threadIdx.x;
    t[0][y] = rows[y];
    for (int g = 0; g < generations; ++g) {
        __syncthreads();
        const unsigned long long* const old = t[g % 2];
        unsigned long long next = 0;
        for (int x = 0; x < 64; ++x) {
            int n = 0;
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx)
                    n += (dx || dy) && (old[(y + dy) & 63] >> ((x + dx) & 63) & 1);
            next |= (unsigned long long)(n == 3 || (n == 2 && (old[y] >> x & 1))) << x;
        }
        t[(g + 1) % 2][y] = next;
    }
    rows[y] = t[generations % 2][y];
}

// Two sorted lists become one: each thread finds by bisection where its share begins.
__global__ void mergePath(const int* a, int na, const int* b, int nb, int* out, int share) {
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * share;
    if (first >= na + nb)
        return;
    int low = max(0, first - nb), high = min(first, na);
    while (low < high) {
        const int mid = (low + high) / 2;
        if (a[mid] <= b[first - 1 - mid])
            low = mid + 1;
        else
            high = mid;
    }
    int i = low, j = first - low;
    for (int k = first; k < min(first + share, na + nb); ++k)
        out[k] = j >= nb || (i < na && a[i] <= b[j]) ? a[i++] : b[j++];
}

// Breadth first: a level a round, until no point is new.
__global__ void breadthFirst(const int* first, const int* target, int* level, int n) {
    __shared__ int changed;
    if (threadIdx.x == 0)
        level[0] = 0;
    for (int depth = 0;; ++depth) {
        __syncthreads();
        if (threadIdx.x == 0)
            changed = 0;
        __syncthreads();
        for (int p = threadIdx.x; p < n; p += blockDim.x)
            if (*(volatile int*)&level[p] == depth)
                for (int e = first[p]; e < first[p + 1]; ++e)
                    if (atomicCAS(&level[target[e]], -1, depth + 1) == -1)
                        changed = 1;
        __syncthreads();
        if (!changed)
            return;
    }
}

// Longest way from a number to 1 in a range of starts: 64-bit integers, divergent loops, atomicMax.
__global__ void collatz(int n, unsigned long long* best) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    if (i > n)
        return;
    unsigned long long v = i;
    unsigned steps = 0;
    while (v != 1) {
        v = v % 2 ? 3 * v + 1 : v / 2;
        ++steps;
    }
    atomicMax(best, (unsigned long long)steps << 32 | (unsigned)(n - i));
}

// Matrix product with tiles that are fetched one ahead.
__global__ void matrixTwoBuffers(const float* a, const float* b, float* c, int n) {
    __shared__ float ta[2][16][16], tb[2][16][17];
    const int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
    ta[0][y][x] = a[row * n + x];
    tb[0][y][x] = b[y * n + col];
    float sum = 0;
    for (int k = 0; k < n / 16; ++k) {
        __syncthreads();
        if (k + 1 < n / 16) {
            ta[(k + 1) % 2][y][x] = a[row * n + (k + 1) * 16 + x];
            tb[(k + 1) % 2][y][x] = b[((k + 1) * 16 + y) * n + col];
        }
        for (int d = 0; d < 16; ++d)
            sum += ta[k % 2][y][d] * tb[k % 2][d][x];
    }
    c[row * n + col] = sum;
}

}
