// SPDX-License-Identifier: GPL-3.0-or-later
// Twelve kernels more that the timing model was not made with, of kinds that the other files do not have. They were modelled
// once when they had been measured, and are never looked at while the model is being improved. See kept_aside.cu.

extern "C" {

// One step of Gaussian elimination below row k; the first column keeps the factors.
__global__ void gauss_step(float* a, int n, int k) {
    const int j = k + blockIdx.x * blockDim.x + threadIdx.x, i = k + 1 + blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n)
        return;
    const float factor = a[i * n + k] / (a[k * n + k] + 2.0f);
    if (j > k)
        a[i * n + j] -= factor * a[k * n + j];
}

// A gas on a lattice of nine directions, each an array: what comes from the neighbours, and a step towards rest.
__global__ void lattice_step(const float* from, float* to, int width, int height, float rate) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
        return;
    const int plane = width * height, at = y * width + x;
    const int dx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, dy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    const float weight[9] = {4.0f / 9,  1.0f / 9,  1.0f / 9,  1.0f / 9, 1.0f / 9,
                             1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};
    float f[9], mass = 0, ux = 0, uy = 0;
    for (int d = 0; d < 9; ++d) {
        f[d] = from[d * plane + at - dy[d] * width - dx[d]];
        mass += f[d];
        ux += float(dx[d]) * f[d];
        uy += float(dy[d]) * f[d];
    }
    ux = __fdividef(ux, mass);
    uy = __fdividef(uy, mass);
    const float speed = 1.5f * (ux * ux + uy * uy);
    for (int d = 0; d < 9; ++d) {
        const float along = 3 * (float(dx[d]) * ux + float(dy[d]) * uy);
        const float rest = weight[d] * mass * (1 + along + 0.5f * along * along - speed);
        to[d * plane + at] = f[d] + rate * (rest - f[d]);
    }
}

// All shortest ways of a graph, those through node k.
__global__ void floyd_step(int* way, int n, int k) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n)
        return;
    const int through = way[i * n + k] + way[k * n + j];
    if (through < way[i * n + j])
        way[i * n + j] = through;
}

// How many letters must change to make one word of another, a pair of words a block: diagonals one after the other, a
// thread a row. Words of blockDim.x letters.
__global__ void edit_distance(const unsigned char* first, const unsigned char* second, int* distance) {
    extern __shared__ int rows[];
    const int n = blockDim.x, t = threadIdx.x;
    int *before = rows, *last = rows + n + 1, *now = rows + 2 * (n + 1);
    const unsigned char letter = first[blockIdx.x * n + t];
    const unsigned char* other = second + blockIdx.x * n;
    for (int d = 0; d < 2 * n - 1; ++d) {
        const int column = d - t;
        if (column >= 0 && column < n) {
            const int up = t == 0 ? column + 1 : last[t], left = column == 0 ? t + 1 : last[t + 1];
            const int corner = t == 0 ? column : column == 0 ? t : before[t];
            now[t + 1] = min(min(up, left) + 1, corner + (letter != other[column]));
        }
        __syncthreads();
        int* const free = before;
        before = last;
        last = now;
        now = free;
    }
    if (t == n - 1)
        distance[blockIdx.x] = last[n];
}

// The nearest of some centres, four coordinates a point.
__global__ void nearest_centre(const float4* point, const float4* centre, int* nearest, int n, int centres) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float4 p = point[i];
    float least = 1e30f;
    int best = 0;
    for (int c = 0; c < centres; ++c) {
        const float4 q = centre[c];
        const float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z, w = p.w - q.w;
        const float far = x * x + y * y + z * z + w * w;
        if (far < least) {
            least = far;
            best = c;
        }
    }
    nearest[i] = best;
}

// A picture made smooth but for its edges: 25 neighbours, weighted by how alike they are.
__global__ void smooth_edges(const float* in, float* out, int width, int height, float sharp) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    const float here = in[y * width + x];
    float sum = 0, weights = 0;
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) {
            const float there = in[min(max(y + dy, 0), height - 1) * width + min(max(x + dx, 0), width - 1)];
            const float apart = there - here;
            const float weight = __expf(-0.1f * float(dx * dx + dy * dy) - sharp * apart * apart);
            sum += weight * there;
            weights += weight;
        }
    out[y * width + x] = __fdividef(sum, weights);
}

// Products of small matrices, 4 x 4, a thread a product, rows as vectors.
__global__ void small_products(const float4* a, const float4* b, float4* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 row[4];
    for (int k = 0; k < 4; ++k)
        row[k] = b[4 * i + k];
    for (int r = 0; r < 4; ++r) {
        const float4 v = a[4 * i + r];
        c[4 * i + r] = make_float4(v.x * row[0].x + v.y * row[1].x + v.z * row[2].x + v.w * row[3].x,
                                   v.x * row[0].y + v.y * row[1].y + v.z * row[2].y + v.w * row[3].y,
                                   v.x * row[0].z + v.y * row[1].z + v.z * row[2].z + v.w * row[3].z,
                                   v.x * row[0].w + v.y * row[1].w + v.z * row[2].w + v.w * row[3].w);
    }
}

// Random numbers by shifts and exclusive or, with a state of four words a thread; each is stored.
__global__ void shift_random(unsigned* out, int each, unsigned seed) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    unsigned x = seed + 2654435761u * i, y = x ^ 362436069u, z = y * 521288629u, w = z ^ 88675123u;
    for (int k = 0; k < each; ++k) {
        const unsigned t = x ^ (x << 11);
        x = y;
        y = z;
        z = w;
        w = w ^ (w >> 19) ^ t ^ (t >> 8);
        out[k * threads + i] = w;
    }
}

// Sums of rows that are of different lengths, a thread a row: up to 32 places in which a row has something.
__global__ void uneven_rows(const int* length, const int* column, const float* value, const float* x, float* y,
                            int rows) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows)
        return;
    float sum = 0;
    const int end = r * 32 + length[r];
    for (int k = r * 32; k < end; ++k)
        sum += value[k] * x[column[k]];
    y[r] = sum;
}

// Numbers above a bound, put side by side: a warp asks for its places at once.
__global__ void keep_above(const int* in, int* out, int* count, int n, int bound) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    const int v = i < n ? in[i] : bound;
    const unsigned keep = __ballot_sync(~0u, v > bound);
    int first = 0;
    if (lane == 0)
        first = atomicAdd(count, __popc(keep));
    first = __shfl_sync(~0u, first, 0);
    if (v > bound)
        out[first + __popc(keep & ((1u << lane) - 1))] = v;
}

// Check sums of messages, a thread a message of so many words, by a table in shared memory. Blocks of 256.
__global__ void check_sums(const unsigned* message, unsigned* sum, int words) {
    __shared__ unsigned table[256];
    unsigned entry = threadIdx.x;
    for (int bit = 0; bit < 8; ++bit)
        entry = entry & 1 ? entry >> 1 ^ 0xedb88320u : entry >> 1;
    table[threadIdx.x] = entry;
    __syncthreads();
    const int i = blockIdx.x * 256 + threadIdx.x, messages = gridDim.x * 256;
    unsigned crc = ~0u;
    for (int k = 0; k < words; ++k) {
        const unsigned word = message[k * messages + i];
        for (int byte = 0; byte < 32; byte += 8)
            crc = crc >> 8 ^ table[(crc ^ word >> byte) & 255];
    }
    sum[i] = ~crc;
}

// Where in a sorted table a number belongs, by halves.
__global__ void search_sorted(const int* table, const int* wanted, int* place, int n, int size) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const int value = wanted[i];
    int low = 0, high = size;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (table[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    place[i] = low;
}
}
