// SPDX-License-Identifier: GPL-3.0-or-later
// Products by wgmma: tiles by tensor copies with a warp that asks for them (cooperative or by turns, with multicast,
// by all blocks over k, of several problems, stored by tensor copies), without such a warp, and by cp.async.
#include "hopper.h"

constexpr int most = 4; // problems of a launch

struct Work {
    CUtensorMap a[most], b[most], out;
    void* c[most];
    int rows[most], columns[most], depth[most], firstTile[most + 1];
    int problems;
};

enum class Way { Together, ByTurns, Streamed }; // warpgroups share a tile; take turns; blocks share all of k

// One or two warpgroups of products beside a warp that copies. Each warpgroup has High x 64 rows of a tile of N columns.
template <Of T_, int N_, int High_, int Groups_, int Stages_, Way way_, int Cluster_ = 1, bool Narrow_ = false>
struct Form {
    static constexpr Of T = T_;
    static constexpr int N = N_, High = High_, Groups = Groups_, Stages = Stages_, Cluster = Cluster_;
    static constexpr Way way = way_;
    static constexpr bool Narrow = Narrow_; // results as halves by tensor copies
    static constexpr int rows = 64 * High * (way == Way::ByTurns ? 1 : Groups), size = bytesOf(T),
                         elements = 128 / size;
    static constexpr int stage = (rows + N) * 128, results = Narrow ? 64 * High * Groups * N * 2 : 0;
    static constexpr int shared = 1024 + stage * Stages + results + 16 * Stages + 16, threads = 128 * (Groups + 1);
};

struct Piece { // stages first to last - 1 of a tile
    int problem, row, column, first, last, stages;
};
template <class F>
struct Walk {
    const Work& work;
    int at, end;
    __device__ explicit Walk(const Work& w) : work(w) {
        const long all = long(w.firstTile[1]) * (w.depth[0] / F::elements);
        at = F::way == Way::Streamed ? int(all * blockIdx.x / gridDim.x) : int(blockIdx.x);
        end = F::way == Way::Streamed ? int(all * (blockIdx.x + 1) / gridDim.x) : w.firstTile[w.problems];
    }
    __device__ bool next(Piece& piece) {
        if (at >= end)
            return false;
        int p = 0, tile = at, first = 0;
        if constexpr (F::way == Way::Streamed) {
            const int stages = work.depth[0] / F::elements;
            tile = at / stages;
            first = at % stages;
        } else {
            while (p + 1 < work.problems && tile >= work.firstTile[p + 1])
                ++p;
            tile -= work.firstTile[p];
        }
        const int down = (work.rows[p] + F::rows - 1) / F::rows, stages = work.depth[p] / F::elements;
        piece = {p, tile % down * F::rows, tile / down * F::N, first, stages, stages};
        if constexpr (F::way == Way::Streamed) {
            piece.last = min(stages, first + end - at);
            at += piece.last - first;
        } else {
            at += int(gridDim.x);
        }
        return true;
    }
};

template <class F>
__device__ void give(const Work& work, const Piece& piece, int row, Sum<F::T> (&sums)[F::High][F::N / 2]) {
    const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32 % 4;
    const int rows = work.rows[piece.problem], columns = work.columns[piece.problem];
    auto* c = static_cast<Sum<F::T>*>(work.c[piece.problem]);
    const bool part = F::way == Way::Streamed && piece.last - piece.first < piece.stages;
#pragma unroll
    for (int i = 0; i < F::High; ++i)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const int y = row + 64 * i + 16 * warp + lane / 4 + 8 * half;
            if (y >= rows)
                continue;
            auto* to = c + long(y) * columns + piece.column + lane % 4 * 2;
#pragma unroll
            for (int j = 0; j < F::N / 8; ++j)
                if (part) {
                    atomicAdd(to + 8 * j, sums[i][4 * j + 2 * half]);
                    atomicAdd(to + 8 * j + 1, sums[i][4 * j + 2 * half + 1]);
                } else if (piece.column + 8 * j < columns) {
                    storePair(to + 8 * j, sums[i][4 * j + 2 * half], sums[i][4 * j + 2 * half + 1]);
                }
        }
}
// As halves, through shared memory: boxes of 64 columns x 64 rows, swizzled.
template <class F>
__device__ void giveBoxes(const Work& work, const Piece& piece, int row, unsigned boxes, int group,
                          Sum<F::T> (&sums)[F::High][F::N / 2]) {
    const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32 % 4;
    if (threadIdx.x % 128 == 0)
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    asm volatile("bar.sync %0, 128;" ::"r"(group + 1) : "memory");
#pragma unroll
    for (int i = 0; i < F::High; ++i)
#pragma unroll
        for (int j = 0; j < F::N / 16; ++j) {
            unsigned two[4];
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                const __half2 both =
                    __floats2half2_rn(float(sums[i][8 * j + 2 * k]), float(sums[i][8 * j + 2 * k + 1]));
                two[k] = reinterpret_cast<const unsigned&>(both);
            }
            const unsigned to = boxes + unsigned(i * (F::N / 64) + j / 4) * 8192 +
                                swizzled<128>(16 * warp + lane % 16, j % 4 * 2 + lane / 16);
            asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(two[0]),
                         "r"(two[1]), "r"(two[2]), "r"(two[3])
                         : "memory");
        }
    fenceCopies();
    asm volatile("bar.sync %0, 128;" ::"r"(group + 1) : "memory");
    if (threadIdx.x % 128 == 0) {
        for (int i = 0; i < F::High; ++i)
            for (int j = 0; j < F::N / 64; ++j)
                storeTile(work.out, piece.column + 64 * j, row + 64 * i, boxes + unsigned(i * (F::N / 64) + j) * 8192);
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    }
}

template <class F>
__global__ void __launch_bounds__(F::threads) specialised(const __grid_constant__ Work work) {
    extern __shared__ char raw[];
    const unsigned memory = (sharedAddress(raw) + 1023) & ~1023u, boxes = memory + F::stage * F::Stages;
    const unsigned full = boxes + F::results, empty = full + 8 * F::Stages, turns = empty + 8 * F::Stages;
    const int group = int(threadIdx.x) / 128 - 1, lane = int(threadIdx.x) % 32;
    int rank = 0;
    if constexpr (F::Cluster > 1)
        asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (threadIdx.x == 0) {
        for (int k = 0; k < F::Stages; ++k) {
            initBarrier(full + 8 * k, 1);
            initBarrier(empty + 8 * k, 4 * F::Cluster * (F::way == Way::ByTurns ? 1 : F::Groups));
        }
        initBarrier(turns, 4);
        initBarrier(turns + 8, 4);
        fenceBarriers();
    }
    if constexpr (F::Cluster > 1)
        clusterSync();
    else
        __syncthreads();
    Walk<F> walk(work);
    Piece piece;
    if (group < 0) {
        if constexpr (F::Groups == 2)
            giveRegisters<40>();
        if (threadIdx.x == 0)
            for (int done = 0; walk.next(piece);)
                for (int k = piece.first; k < piece.last; ++k, ++done) {
                    const int s = done % F::Stages, x = k * F::elements;
                    const unsigned a = memory + s * F::stage, b = a + F::rows * 128;
                    if constexpr (F::Cluster > 1)
                        waitInCluster(empty + 8 * s, (done / F::Stages & 1) ^ 1);
                    else
                        waitFor(empty + 8 * s, (done / F::Stages & 1) ^ 1);
                    expectBytes(full + 8 * s, F::stage);
                    copyTile(a, work.a[piece.problem], x, piece.row, full + 8 * s);
                    if constexpr (F::Cluster > 1)
                        copyTileToAll(b + rank * (F::N / F::Cluster) * 128, work.b[0], x,
                                      piece.column + rank * (F::N / F::Cluster), full + 8 * s, (1 << F::Cluster) - 1);
                    else
                        copyTile(b, work.b[piece.problem], x, piece.column, full + 8 * s);
                }
    } else {
        if constexpr (F::Groups == 2)
            takeRegisters<232>();
        const auto release = [&](int s) {
            if constexpr (F::Cluster > 1) {
                if (lane < F::Cluster)
                    arriveAt(empty + 8 * s, lane);
            } else if (lane == 0) {
                arrive(empty + 8 * s);
            }
        };
        const int below = F::way == Way::ByTurns ? 0 : group * 64 * F::High;
        for (int done = 0, turn = 0; walk.next(piece); ++turn) {
            if (F::way == Way::ByTurns && turn % F::Groups != group) {
                done += piece.last - piece.first;
                continue;
            }
            if (F::way == Way::ByTurns) // the other one has seen all of its tiles
                waitFor(turns + 8 * group, (turn / 2 & 1) ^ (group == 0));
            Sum<F::T> sums[F::High][F::N / 2];
            for (int k = piece.first; k < piece.last; ++k, ++done) {
                const int s = done % F::Stages;
                const unsigned tile = memory + s * F::stage;
                waitFor(full + 8 * s, done / F::Stages & 1);
                beginProducts();
#pragma unroll
                for (int step = 0; step < 4; ++step)
#pragma unroll
                    for (int i = 0; i < F::High; ++i)
                        multiplyTiles<F::T, F::N>(sums[i], tileAt(tile + (below + 64 * i) * 128 + 32 * step),
                                                  tileAt(tile + F::rows * 128 + 32 * step),
                                                  k > piece.first || step > 0);
                commitProducts();
                waitForProducts<1>();
                if (k > piece.first)
                    release((done - 1) % F::Stages);
            }
            if (F::way == Way::ByTurns && lane == 0)
                arrive(turns + 8 * (1 - group));
            waitForProducts<0>();
            release((done - 1) % F::Stages);
            if constexpr (F::Narrow)
                giveBoxes<F>(work, piece, piece.row + below, boxes + group * 64 * F::High * F::N * 2, group, sums);
            else
                give<F>(work, piece, piece.row + below, sums);
        }
        if (F::Narrow && threadIdx.x % 128 == 0)
            asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
    if constexpr (F::Cluster > 1)
        clusterSync(); // nobody leaves while others arrive here
}

// One warpgroup, whose first thread asks for tiles. Asynchronous: by tensor copies, else by cp.async of all threads.
template <class F, bool Tensor>
__global__ void __launch_bounds__(128) alone(const __grid_constant__ Work work) {
    extern __shared__ char raw[];
    const unsigned memory = (sharedAddress(raw) + 1023) & ~1023u, full = memory + F::stage * F::Stages;
    const int row = int(blockIdx.y) * F::rows, column = int(blockIdx.x) * F::N, stages = work.depth[0] / F::elements;
    const long stride = long(work.depth[0]) * F::size;
    const Piece piece{0, row, column, 0, stages, stages};
    if (Tensor && threadIdx.x == 0) {
        for (int k = 0; k < F::Stages; ++k)
            initBarrier(full + 8 * k, 1);
        fenceBarriers();
    }
    __syncthreads();
    const auto fetch = [&](int k) {
        const unsigned to = memory + k % F::Stages * F::stage;
        if constexpr (Tensor) {
            if (threadIdx.x == 0 && k < stages) {
                const unsigned barrier = full + 8 * (k % F::Stages);
                expectBytes(barrier, F::stage);
                copyTile(to, work.a[0], k * F::elements, row, barrier);
                copyTile(to + F::rows * 128, work.b[0], k * F::elements, column, barrier);
            }
        } else {
            const char *a = static_cast<const char*>(work.c[1]), *b = static_cast<const char*>(work.c[2]);
            if (k < stages)
#pragma unroll
                for (int p = int(threadIdx.x); p < (F::rows + F::N) * 8; p += 128) {
                    const int r = p / 8;
                    copy16(to + swizzled<128>(r, p % 8),
                           (r < F::rows ? a + (row + r) * stride : b + (column + r - F::rows) * stride) + k * 128 +
                               p % 8 * 16);
                }
            commitCopies();
        }
    };
    for (int k = 0; k < F::Stages - 1; ++k)
        fetch(k);
    Sum<F::T> sums[F::High][F::N / 2];
    for (int k = 0; k < stages; ++k) {
        const unsigned tile = memory + k % F::Stages * F::stage;
        if constexpr (Tensor) {
            waitFor(full + 8 * (k % F::Stages), k / F::Stages & 1);
        } else {
            waitForCopies<F::Stages - 2>();
            fenceCopies();
            __syncthreads();
        }
        beginProducts();
#pragma unroll
        for (int step = 0; step < 4; ++step)
#pragma unroll
            for (int i = 0; i < F::High; ++i)
                multiplyTiles<F::T, F::N>(sums[i], tileAt(tile + 64 * i * 128 + 32 * step),
                                          tileAt(tile + F::rows * 128 + 32 * step), k > 0 || step > 0);
        commitProducts();
        waitForProducts<0>();
        __syncthreads();
        fetch(k + F::Stages - 1);
    }
    give<F>(work, piece, row, sums);
}

struct Shape {
    int rows, columns, depth;
};
template <class F, class Launch>
void measure(const char* name, const std::vector<Shape>& shapes, Launch launch) {
    if (!chosen(name))
        return;
    Memory memory;
    std::vector<Matrix> a, b;
    Work work{};
    work.problems = int(shapes.size());
    for (int p = 0; p < work.problems; ++p) {
        const Shape& s = shapes[p];
        a.push_back(random<F::T>(s.rows, s.depth, std::uint32_t(2 * p + 1)));
        b.push_back(random<F::T>(s.columns, s.depth, std::uint32_t(2 * p + 2)));
        auto *left = memory.holding(a[p].bytes), *right = memory.holding(b[p].bytes);
        work.a[p] = mapOf<F::T>(left, s.rows, s.depth, F::rows);
        work.b[p] = mapOf<F::T>(right, s.columns, s.depth, F::N / F::Cluster);
        work.c[p] = memory.of<Sum<F::T>>(std::size_t(s.rows) * s.columns);
        if (work.problems == 1) {
            work.c[1] = left;
            work.c[2] = right;
        }
        work.rows[p] = s.rows;
        work.columns[p] = s.columns;
        work.depth[p] = s.depth;
        work.firstTile[p + 1] = work.firstTile[p] + (s.rows + F::rows - 1) / F::rows * ((s.columns + F::N - 1) / F::N);
    }
    if (F::Narrow)
        work.out = mapOf<Of::F16>(work.c[0], shapes[0].rows, shapes[0].columns, 64);
    twice(
        [&] {
            if (F::way == Way::Streamed)
                CHECK(cudaMemset(work.c[0], 0, std::size_t(shapes[0].rows) * shapes[0].columns * 4));
        },
        [&] { launch(work); });
    bool right = true;
    for (int p = 0; p < work.problems; ++p) {
        const std::size_t count = std::size_t(shapes[p].rows) * shapes[p].columns;
        if constexpr (F::Narrow) { // sums that a half does not hold are rounded as the kernel rounds them
            const auto c = back(static_cast<const __half*>(work.c[p]), count);
            Random draw{9};
            for (int sample = 0; sample < 500; ++sample) {
                const int i = draw.within(0, shapes[p].rows - 1), j = draw.within(0, shapes[p].columns - 1);
                int sum = 0;
                for (int k = 0; k < shapes[p].depth; ++k)
                    sum += a[p].at(i, k) * b[p].at(j, k);
                right = right && __half2float(c[std::size_t(i) * shapes[p].columns + j]) ==
                                     __half2float(__float2half(float(sum)));
            }
        } else {
            right = right && isProduct(a[p], b[p], back(static_cast<const Sum<F::T>*>(work.c[p]), count));
        }
    }
    say(name, right);
}
template <class F>
void launchSpecialised(const Work& work, int blocks) {
    CHECK(cudaFuncSetAttribute(specialised<F>, cudaFuncAttributeMaxDynamicSharedMemorySize, F::shared));
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(unsigned(blocks));
    config.blockDim = dim3(F::threads);
    config.dynamicSmemBytes = F::shared;
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {F::Cluster, 1, 1};
    config.attrs = &cluster;
    config.numAttrs = F::Cluster > 1 ? 1 : 0;
    CHECK(cudaLaunchKernelEx(&config, specialised<F>, work));
}
// A block for each tile, or as many as there are SMs that go on with the next tile.
template <class F>
void each(const char* name, int rows, int columns, int depth) {
    measure<F>(name, {{rows, columns, depth}}, [](const Work& w) { launchSpecialised<F>(w, w.firstTile[1]); });
}
template <class F>
void lasting(const char* name, const std::vector<Shape>& shapes) {
    measure<F>(name, shapes, [](const Work& w) {
        const int all = F::way == Way::Streamed ? processors() : std::min(processors(), w.firstTile[w.problems]);
        launchSpecialised<F>(w, all / F::Cluster * F::Cluster);
    });
}
template <class F, bool Tensor>
void single(const char* name, int rows, int columns, int depth) {
    measure<F>(name, {{rows, columns, depth}}, [](const Work& w) {
        CHECK(cudaFuncSetAttribute(alone<F, Tensor>, cudaFuncAttributeMaxDynamicSharedMemorySize, F::shared));
        const dim3 grid(unsigned(w.columns[0] / F::N), unsigned(w.rows[0] / F::rows));
        alone<F, Tensor><<<grid, 128, F::shared>>>(w);
    });
}

int main(int argc, char** argv) {
    begin(argc, argv);
    constexpr Way together = Way::Together;
    single<Form<Of::F16, 128, 1, 1, 2, together>, true>("wgmma_f16_alone_two_stages", 1024, 1024, 512);
    single<Form<Of::F16, 128, 1, 1, 4, together>, true>("wgmma_f16_alone_four_stages", 1024, 1024, 512);
    single<Form<Of::BF16, 64, 2, 1, 3, together>, true>("wgmma_bf16_alone_high", 1024, 768, 768);
    single<Form<Of::E4M3, 128, 1, 1, 3, together>, true>("wgmma_e4m3_alone", 768, 1024, 1024);
    single<Form<Of::F16, 128, 1, 1, 3, together>, false>("wgmma_f16_lane_copies", 1024, 1024, 512);
    single<Form<Of::BF16, 128, 2, 1, 4, together>, false>("wgmma_bf16_lane_copies", 768, 1024, 768);
    single<Form<Of::TF32, 64, 1, 1, 3, together>, false>("wgmma_tf32_lane_copies", 512, 512, 1024);
    each<Form<Of::F16, 128, 1, 1, 4, together>>("wgmma_f16_one_group", 1024, 1024, 1024);
    each<Form<Of::F16, 128, 1, 2, 2, together>>("wgmma_f16_two_groups_two_stages", 1024, 1536, 768);
    each<Form<Of::F16, 128, 1, 2, 5, together>>("wgmma_f16_two_groups_five_stages", 1024, 1536, 768);
    each<Form<Of::BF16, 256, 1, 2, 4, together>>("wgmma_bf16_wide_tiles", 1024, 2048, 768);
    each<Form<Of::BF16, 128, 2, 2, 3, together>>("wgmma_bf16_high_tiles", 1536, 1024, 768);
    each<Form<Of::TF32, 128, 1, 2, 4, together>>("wgmma_tf32_square_768", 768, 768, 1024);
    each<Form<Of::E4M3, 128, 1, 2, 4, together>>("wgmma_e4m3_square_1024", 1024, 1024, 2048);
    each<Form<Of::E4M3, 256, 1, 2, 4, together>>("wgmma_e4m3_wide_tiles", 1024, 1536, 1024);
    each<Form<Of::S8, 128, 1, 2, 4, together>>("wgmma_s8_square_1024", 1024, 1024, 2048);
    each<Form<Of::S8, 64, 1, 1, 6, together>>("wgmma_s8_small_tiles", 512, 1024, 2048);
    each<Form<Of::F16, 64, 1, 1, 6, together>>("wgmma_f16_small_256", 256, 256, 2048);
    each<Form<Of::BF16, 64, 1, 1, 6, together>>("wgmma_bf16_thin_64", 64, 8192, 1024);
    each<Form<Of::F16, 128, 1, 2, 4, together, 2>>("wgmma_f16_multicast", 1024, 1024, 1024);
    each<Form<Of::BF16, 256, 1, 2, 4, together, 2>>("wgmma_bf16_multicast_wide", 1024, 2048, 512);
    each<Form<Of::F16, 128, 1, 2, 4, together, 1, true>>("wgmma_f16_stored_by_copies", 1024, 1536, 512);
    lasting<Form<Of::F16, 128, 1, 2, 4, together>>("wgmma_f16_lasting", {{1536, 2048, 512}});
    lasting<Form<Of::BF16, 256, 1, 2, 3, together, 2, true>>("wgmma_bf16_lasting_multicast", {{2048, 2560, 256}});
    lasting<Form<Of::F16, 128, 1, 2, 6, Way::ByTurns>>("wgmma_f16_turns", {{1536, 2048, 512}});
    lasting<Form<Of::BF16, 128, 1, 2, 6, Way::ByTurns, 1, true>>("wgmma_bf16_turns_stored", {{1024, 3072, 512}});
    lasting<Form<Of::E4M3, 256, 1, 2, 4, Way::ByTurns>>("wgmma_e4m3_turns", {{1024, 3072, 512}});
    lasting<Form<Of::F16, 128, 1, 2, 4, Way::Streamed>>("wgmma_f16_streamed", {{1024, 1152, 1024}});
    lasting<Form<Of::BF16, 256, 1, 2, 4, Way::Streamed>>("wgmma_bf16_streamed", {{384, 1024, 2048}});
    lasting<Form<Of::F16, 128, 1, 2, 4, together>>(
        "wgmma_f16_grouped", {{512, 1024, 512}, {100, 1024, 1024}, {256, 512, 2048}, {896, 512, 512}});
    lasting<Form<Of::E4M3, 128, 1, 1, 4, together>>(
        "wgmma_e4m3_grouped", {{64, 2048, 1024}, {17, 2048, 1024}, {190, 2048, 1024}, {300, 2048, 1024}});
    return end();
}
