// SPDX-License-Identifier: GPL-3.0-or-later
// Products by mma.sync with cp.async in stages: plain, split and shared out over k, of several problems, convolutions.
#include "mma_tiles.h"

// Blocks (x, y, z): columns, rows, parts of k. Each part has a result of its own.
template <class Tile_>
__global__ void __launch_bounds__(Tile_::threads)
    product(const char* a, const char* b, Sum<Tile_::T>* c, int rows, int columns, int depth) {
    extern __shared__ __align__(128) char memory[];
    Tile_ tile;
    tile.clear();
    const long stride = long(depth) * Tile_::size;
    const int row = int(blockIdx.y) * Tile_::BM, column = int(blockIdx.x) * Tile_::BN;
    const int stages = depth / Tile_::elements / int(gridDim.z);
    tile.add(memory, Rows{a + row * stride, stride, rows - row}, Rows{b + column * stride, stride, columns - column},
             int(blockIdx.z) * stages, int(blockIdx.z + 1) * stages);
    c += long(blockIdx.z) * rows * columns;
    tile.each([&](int i, int j, auto first, auto second) {
        if (row + i < rows && column + j < columns)
            storePair(c + long(row + i) * columns + column + j, first, second);
    });
}

__global__ void sumParts(const float4* parts, float4* sum, int count, int number) {
    const int at = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (at >= count)
        return;
    float4 s = parts[at];
    for (int k = 1; k < number; ++k) {
        const float4 more = parts[long(k) * count + at];
        s = {s.x + more.x, s.y + more.y, s.z + more.z, s.w + more.w};
    }
    sum[at] = s;
}

// All blocks get the same number of stages of all tiles (stream-K). Who begins a tile waits for those who go on with it.
template <class Tile_>
__global__ void __launch_bounds__(Tile_::threads)
    sharedOut(const char* a, const char* b, float* c, float* parts, int* ready, int rows, int columns, int depth) {
    extern __shared__ __align__(128) char memory[];
    const long stride = long(depth) * Tile_::size;
    const int across = columns / Tile_::BN, stages = depth / Tile_::elements,
              all = across * (rows / Tile_::BM) * stages;
    const auto begins = [&](int block) { return int(long(all) * block / int(gridDim.x)); };
    const int me = int(blockIdx.x), end = begins(me + 1);
    for (int at = begins(me); at < end;) {
        const int number = at / stages, first = at % stages, last = min(stages, first + end - at);
        const int row = number / across * Tile_::BM, column = number % across * Tile_::BN;
        Tile_ tile;
        tile.clear();
        tile.add(memory, Rows{a + row * stride, stride, rows - row},
                 Rows{b + column * stride, stride, columns - column}, first, last);
        if (first > 0) { // somebody else's tile
            float* part = parts + long(me) * Tile_::BM * Tile_::BN;
            tile.each([&](int i, int j, float x, float y) { storePair(part + i * Tile_::BN + j, x, y); });
            __threadfence();
            __syncthreads();
            if (threadIdx.x == 0)
                atomicExch(ready + me, 1);
        } else {
            for (int other = me + 1, done = last; done < stages; ++other) {
                if (threadIdx.x == 0)
                    while (atomicAdd(ready + other, 0) == 0)
                        ;
                __syncthreads();
                __threadfence();
                const float* part = parts + long(other) * Tile_::BM * Tile_::BN;
                const int warp = int(threadIdx.x) / 32, lane = int(threadIdx.x) % 32;
                const int i0 = warp / (Tile_::BN / Tile_::WN) * Tile_::WM + lane / 4;
                const int j0 = warp % (Tile_::BN / Tile_::WN) * Tile_::WN + lane % 4 * 2;
#pragma unroll
                for (int i = 0; i < Tile_::WM / 16; ++i)
#pragma unroll
                    for (int j = 0; j < Tile_::WN / 8; ++j)
#pragma unroll
                        for (int half = 0; half < 2; ++half) {
                            const float2 more = __ldcg(reinterpret_cast<const float2*>(
                                part + (i0 + 16 * i + 8 * half) * Tile_::BN + j0 + 8 * j));
                            tile.sums[i][j][2 * half] += more.x;
                            tile.sums[i][j][2 * half + 1] += more.y;
                        }
                done = min(stages, done + begins(other + 1) - begins(other));
            }
            tile.each(
                [&](int i, int j, float x, float y) { storePair(c + long(row + i) * columns + column + j, x, y); });
        }
        at += last - first;
    }
}

struct Problem {
    const char *a, *b;
    float* c;
    int rows, columns, depth, firstTile;
};
// Blocks walk over the tiles of all problems.
template <class Tile_>
__global__ void __launch_bounds__(Tile_::threads) grouped(const Problem* problems, int number, int tiles) {
    extern __shared__ __align__(128) char memory[];
    for (int at = int(blockIdx.x), p = 0; at < tiles; at += int(gridDim.x)) {
        while (p + 1 < number && at >= problems[p + 1].firstTile)
            ++p;
        const Problem q = problems[p];
        const long stride = long(q.depth) * Tile_::size;
        const int across = (q.columns + Tile_::BN - 1) / Tile_::BN, own = at - q.firstTile;
        const int row = own / across * Tile_::BM, column = own % across * Tile_::BN;
        Tile_ tile;
        tile.clear();
        tile.add(memory, Rows{q.a + row * stride, stride, q.rows - row},
                 Rows{q.b + column * stride, stride, q.columns - column}, 0, q.depth / Tile_::elements);
        tile.each([&](int i, int j, float x, float y) {
            if (row + i < q.rows && column + j < q.columns)
                storePair(q.c + long(row + i) * q.columns + column + j, x, y);
        });
    }
}

// Images by rows of pixels of channels. A row of the left factor is the surroundings of a pixel of the result: window
// row, window column, channel.
struct Surroundings {
    const char* images;
    int first, pixels, high, wide, channelBytes, window, step, border, outHigh, outWide;
    __device__ const char* place(int row, int byte, bool& inside) const {
        const int pixel = first + row, at = byte / channelBytes,
                  y = pixel / outWide % outHigh * step + at / window - border;
        const int x = pixel % outWide * step + at % window - border;
        inside = pixel < pixels && y >= 0 && y < high && x >= 0 && x < wide;
        return images + (long(pixel / (outWide * outHigh) * high + y) * wide + x) * channelBytes + byte % channelBytes;
    }
    __device__ bool there(int row, int byte) const {
        bool inside;
        place(row, byte, inside);
        return inside;
    }
    __device__ const char* at(int row, int byte) const {
        bool inside;
        const char* p = place(row, byte, inside);
        return inside ? p : images;
    }
};
template <class Tile_>
__global__ void __launch_bounds__(Tile_::threads)
    convolution(Surroundings images, const char* weights, Sum<Tile_::T>* out, int filters) {
    extern __shared__ __align__(128) char memory[];
    const long stride = long(images.window) * images.window * images.channelBytes;
    const int row = int(blockIdx.y) * Tile_::BM, column = int(blockIdx.x) * Tile_::BN;
    images.first = row;
    Tile_ tile;
    tile.clear();
    tile.add(memory, images, Rows{weights + column * stride, stride, filters - column}, 0, int(stride / Tile_::Wide));
    tile.each([&](int i, int j, auto first, auto second) {
        if (row + i < images.pixels)
            storePair(out + long(row + i) * filters + column + j, first, second);
    });
}

template <class K>
void room(K kernel, int bytes) {
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
}
template <class T_>
void plain(const char* name, int rows, int columns, int depth) {
    if (!chosen(name))
        return;
    const Matrix a = random<T_::T>(rows, depth, 1), b = random<T_::T>(columns, depth, 2);
    Memory memory;
    const auto* left = (const char*)memory.holding(a.bytes);
    const auto* right = (const char*)memory.holding(b.bytes);
    auto* c = memory.of<Sum<T_::T>>(std::size_t(rows) * columns);
    const dim3 grid((columns + T_::BN - 1) / T_::BN, (rows + T_::BM - 1) / T_::BM);
    room(product<T_>, T_::shared);
    twice([&] { product<T_><<<grid, T_::threads, T_::shared>>>(left, right, c, rows, columns, depth); });
    say(name, isProduct(a, b, back(c, std::size_t(rows) * columns)));
}
template <class T_>
void split(const char* name, const char* sumName, int rows, int columns, int depth, int parts) {
    if (!chosen(name) && !chosen(sumName))
        return;
    const Matrix a = random<T_::T>(rows, depth, 1), b = random<T_::T>(columns, depth, 2);
    Memory memory;
    const auto* left = (const char*)memory.holding(a.bytes);
    const auto* right = (const char*)memory.holding(b.bytes);
    const std::size_t count = std::size_t(rows) * columns;
    auto *c = memory.of<float>(count * parts), *sum = memory.of<float>(count);
    const dim3 grid((columns + T_::BN - 1) / T_::BN, (rows + T_::BM - 1) / T_::BM, parts);
    room(product<T_>, T_::shared);
    twice([&] { product<T_><<<grid, T_::threads, T_::shared>>>(left, right, c, rows, columns, depth); });
    const auto made = back(c, count * parts);
    std::vector<float> summed(made.begin(), made.begin() + long(count));
    for (std::size_t k = count; k < made.size(); ++k)
        summed[k % count] += made[k];
    say(name, isProduct(a, b, summed));
    twice([&] { sumParts<<<int(count / 4 + 255) / 256, 256>>>((float4*)c, (float4*)sum, int(count / 4), parts); });
    say(sumName, back(sum, count) == summed);
}
template <class T_>
void streamed(const char* name, int rows, int columns, int depth) {
    if (!chosen(name))
        return;
    const Matrix a = random<T_::T>(rows, depth, 1), b = random<T_::T>(columns, depth, 2);
    Memory memory;
    const auto* left = (const char*)memory.holding(a.bytes);
    const auto* right = (const char*)memory.holding(b.bytes);
    const int blocks = processors();
    auto* c = memory.of<float>(std::size_t(rows) * columns);
    auto* parts = memory.of<float>(std::size_t(blocks) * T_::BM * T_::BN);
    auto* ready = memory.of<int>(blocks);
    room(sharedOut<T_>, T_::shared);
    twice([&] { CHECK(cudaMemset(ready, 0, blocks * 4)); },
          [&] {
              sharedOut<T_><<<blocks, T_::threads, T_::shared>>>(left, right, c, parts, ready, rows, columns, depth);
          });
    say(name, isProduct(a, b, back(c, std::size_t(rows) * columns)));
}
struct Shape {
    int rows, columns, depth;
};
template <class T_>
void several(const char* name, const std::vector<Shape>& shapes) {
    if (!chosen(name))
        return;
    Memory memory;
    std::vector<Matrix> a, b;
    std::vector<Problem> problems;
    int tiles = 0;
    for (const Shape& s : shapes) {
        a.push_back(random<T_::T>(s.rows, s.depth, std::uint32_t(tiles + 1)));
        b.push_back(random<T_::T>(s.columns, s.depth, std::uint32_t(tiles + 2)));
        problems.push_back({(const char*)memory.holding(a.back().bytes), (const char*)memory.holding(b.back().bytes),
                            memory.of<float>(std::size_t(s.rows) * s.columns), s.rows, s.columns, s.depth, tiles});
        tiles += (s.rows + T_::BM - 1) / T_::BM * ((s.columns + T_::BN - 1) / T_::BN);
    }
    const Problem* list = memory.holding(problems);
    room(grouped<T_>, T_::shared);
    const int blocks = std::min(processors(), tiles);
    twice([&] { grouped<T_><<<blocks, T_::threads, T_::shared>>>(list, int(problems.size()), tiles); });
    bool right = true;
    for (std::size_t k = 0; k < problems.size(); ++k)
        right = right && isProduct(a[k], b[k], back(problems[k].c, std::size_t(shapes[k].rows) * shapes[k].columns));
    say(name, right);
}
template <class T_>
void convolve(const char* name, int images, int size, int channels, int filters, int window, int step) {
    if (!chosen(name))
        return;
    const int border = window / 2, out = (size + 2 * border - window) / step + 1, pixels = images * out * out;
    const Matrix in = random<T_::T>(images * size * size, channels, 1);
    const Matrix weights = random<T_::T>(filters, window * window * channels, 2);
    Memory memory;
    const auto* data = (const char*)memory.holding(in.bytes);
    const auto* factors = (const char*)memory.holding(weights.bytes);
    auto* result = memory.of<Sum<T_::T>>(std::size_t(pixels) * filters);
    const Surroundings s{data, 0, pixels, size, size, channels * bytesOf(T_::T), window, step, border, out, out};
    const dim3 grid(filters / T_::BN, (pixels + T_::BM - 1) / T_::BM);
    room(convolution<T_>, T_::shared);
    twice([&] { convolution<T_><<<grid, T_::threads, T_::shared>>>(s, factors, result, filters); });
    const auto got = back(result, std::size_t(pixels) * filters);
    Random draw{5};
    bool right = true;
    for (int sample = 0; sample < 500 && right; ++sample) {
        const int pixel = draw.within(0, pixels - 1), f = draw.within(0, filters - 1);
        int sum = 0;
        for (int r = 0; r < window; ++r)
            for (int q = 0; q < window; ++q) {
                const int y = pixel / out % out * step + r - border, x = pixel % out * step + q - border;
                if (y < 0 || y >= size || x < 0 || x >= size)
                    continue;
                for (int c = 0; c < channels; ++c)
                    sum += in.at((pixel / (out * out) * size + y) * size + x, c) *
                           weights.at(f, (r * window + q) * channels + c);
            }
        right = got[std::size_t(pixel) * filters + f] == Sum<T_::T>(sum);
    }
    say(name, right);
}

int main(int argc, char** argv) {
    begin(argc, argv);
    using Large = Tile<Of::F16, 128, 128, 64, 32, 64, 3>;
    using Small = Tile<Of::F16, 64, 64, 32, 32, 128, 3>;
    plain<Large>("mma_f16_square_1024", 1024, 1024, 1024);
    plain<Tile<Of::F16, 128, 128, 64, 32, 64, 2>>("mma_f16_two_stages", 1024, 1024, 512);
    plain<Tile<Of::F16, 128, 128, 64, 32, 64, 4>>("mma_f16_four_stages", 1024, 1024, 512);
    plain<Tile<Of::BF16, 128, 128, 64, 64, 64, 4>>("mma_bf16_square_768", 768, 768, 768);
    plain<Tile<Of::BF16, 128, 64, 32, 32, 128, 3>>("mma_bf16_wide_2048", 512, 2048, 512);
    plain<Tile<Of::TF32, 128, 128, 64, 32, 64, 3>>("mma_tf32_square_768", 768, 768, 768);
    plain<Tile<Of::TF32, 64, 64, 32, 32, 128, 3>>("mma_tf32_small_tiles", 512, 512, 1024);
    plain<Tile<Of::S8, 128, 128, 64, 32, 64, 3>>("mma_s8_square_1024", 1024, 1024, 1024);
    plain<Tile<Of::S8, 64, 64, 32, 32, 128, 4>>("mma_s8_small_512", 512, 512, 2048);
    plain<Tile<Of::E4M3, 128, 128, 64, 32, 64, 4>>("mma_e4m3_square_1024", 1024, 1024, 1024);
    plain<Tile<Of::E4M3, 64, 128, 32, 32, 128, 3>>("mma_e4m3_flat_2048", 256, 2048, 1024);
    plain<Small>("mma_f16_small_256", 256, 256, 1024);
    plain<Small>("mma_f16_deep_256", 256, 256, 4096);
    plain<Tile<Of::F16, 16, 64, 16, 16, 128, 4>>("mma_f16_thin_16", 16, 8192, 2048);
    plain<Tile<Of::BF16, 32, 64, 16, 32, 128, 4>>("mma_bf16_thin_32", 32, 4096, 4096);
    split<Small>("mma_f16_split_8", "sum_of_8_parts", 512, 512, 2048, 8);
    split<Tile<Of::BF16, 128, 64, 32, 32, 64, 4>>("mma_bf16_split_16", "sum_of_16_parts", 256, 512, 4096, 16);
    streamed<Large>("mma_f16_streamed", 1024, 1152, 512);
    streamed<Tile<Of::BF16, 64, 128, 32, 64, 64, 4>>("mma_bf16_streamed", 640, 1024, 1024);
    several<Large>("mma_f16_grouped", {{512, 512, 512}, {100, 1024, 256}, {256, 384, 1024}, {768, 256, 512}});
    several<Tile<Of::BF16, 64, 64, 32, 32, 128, 3>>(
        "mma_bf16_grouped", {{64, 512, 1024}, {17, 512, 1024}, {130, 512, 1024}, {256, 512, 1024}, {1, 512, 1024}});
    convolve<Large>("convolution_f16_3x3", 4, 28, 64, 128, 3, 1);
    convolve<Tile<Of::F16, 128, 64, 32, 32, 128, 3>>("convolution_f16_strided", 8, 28, 64, 128, 3, 2);
    convolve<Tile<Of::F16, 128, 128, 64, 32, 64, 4>>("convolution_f16_1x1", 8, 28, 256, 256, 1, 1);
    convolve<Tile<Of::TF32, 128, 64, 32, 32, 128, 3>>("convolution_tf32_3x3", 2, 32, 32, 128, 3, 1);
    convolve<Tile<Of::S8, 64, 64, 32, 32, 64, 4>>("convolution_s8_5x5", 4, 20, 64, 64, 5, 1);
    convolve<Tile<Of::BF16, 64, 64, 32, 32, 128, 3>>("convolution_bf16_3x3", 4, 14, 256, 256, 3, 1);
    return end();
}
