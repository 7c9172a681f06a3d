// SPDX-License-Identifier: GPL-3.0-or-later
// What kernels for compute capability 9.0a are made of: mbarriers, tensor copies, products of a warpgroup.
#pragma once

#include "mma_tiles.h"

#include <cuda.h>

__device__ inline void initBarrier(unsigned barrier, int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}
__device__ inline void expectBytes(unsigned barrier, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
__device__ inline void arrive(unsigned barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}
__device__ inline void arriveAt(unsigned barrier, int block) { // of the cluster
    asm volatile("{\n.reg .b32 there;\nmapa.shared::cluster.u32 there, %0, %1;\n"
                 "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there];\n}" ::"r"(barrier),
                 "r"(block)
                 : "memory");
}
__device__ inline void waitFor(unsigned barrier, int parity) {
    asm volatile("{\n.reg .pred done;\nagain: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra again;\n}" ::"r"(barrier),
                 "r"(parity)
                 : "memory");
}
__device__ inline void waitInCluster(unsigned barrier, int parity) { // for arrivals of other blocks, too
    asm volatile(
        "{\n.reg .pred done;\nagain: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], %1;\n"
        "@!done bra again;\n}" ::"r"(barrier),
        "r"(parity)
        : "memory");
}
__device__ inline void fenceBarriers() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ inline void fenceCopies() {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
__device__ inline void clusterSync() {
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}
__device__ inline void copyTile(unsigned to, const CUtensorMap& map, int x, int y, unsigned barrier) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
            to),
        "l"(&map), "r"(x), "r"(y), "r"(barrier)
        : "memory");
}
__device__ inline void copyTileToAll(unsigned to, const CUtensorMap& map, int x, int y, unsigned barrier, int blocks) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
                 "[%1, {%2, %3}], [%4], %5;" ::"r"(to),
                 "l"(&map), "r"(x), "r"(y), "r"(barrier), "h"(short(blocks))
                 : "memory");
}
__device__ inline void storeTile(const CUtensorMap& map, int x, int y, unsigned from) {
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map), "r"(x),
                 "r"(y), "r"(from)
                 : "memory");
}
template <int Registers>
__device__ inline void giveRegisters() {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Registers));
}
template <int Registers>
__device__ inline void takeRegisters() {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Registers));
}

// Tiles of rows of 128 bytes, swizzled by 128 bytes, at multiples of 1,024; `turned`: k from row to row, `boxes` bytes
// from one box of 64 columns to the next.
__device__ inline std::uint64_t tileAt(unsigned address) {
    return std::uint64_t(address >> 4) | std::uint64_t(1) << 16 | std::uint64_t(1024 >> 4) << 32 |
           std::uint64_t(1) << 62;
}
__device__ inline std::uint64_t turnedTileAt(unsigned address, int boxes) {
    return std::uint64_t(address >> 4) | std::uint64_t(boxes >> 4) << 16 | std::uint64_t(1024 >> 4) << 32 |
           std::uint64_t(1) << 62;
}
__device__ inline void beginProducts() {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ inline void commitProducts() {
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int Left>
__device__ inline void waitForProducts() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Left) : "memory");
}

#define TODAY_D4(letter, k) letter(d[k]), letter(d[k + 1]), letter(d[k + 2]), letter(d[k + 3])
#define TODAY_D16(letter, k)                                                                                           \
    TODAY_D4(letter, k), TODAY_D4(letter, k + 4), TODAY_D4(letter, k + 8), TODAY_D4(letter, k + 12)
#define TODAY_D32(letter, k) TODAY_D16(letter, k), TODAY_D16(letter, k + 16)
#define TODAY_D64(letter, k) TODAY_D32(letter, k), TODAY_D32(letter, k + 32)
#define TODAY_D128(letter, k) TODAY_D64(letter, k), TODAY_D64(letter, k + 64)
#define TODAY_LIST32                                                                                                   \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "                                           \
    "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define TODAY_LIST64                                                                                                   \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "                                           \
    "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "                                 \
    "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "                                 \
    "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define TODAY_LIST128                                                                                                  \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "                                           \
    "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "                                 \
    "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "                                 \
    "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "                                 \
    "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "                                 \
    "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "                                 \
    "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "                     \
    "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"

// The sums' registers are 0 to n / 2 - 1; a, b and `more` (whether what the sums hold is kept) follow.
#define TODAY_SHARED(n, count, first, second, third, name, letter, tail)                                               \
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %" #third ", 0;\nwgmma.mma_async.sync.aligned.m64n" #n name         \
                 " {" TODAY_LIST##count "}, %" #first ", %" #second ", p" tail ";\n}"                                  \
                 : TODAY_D##count(letter, 0)                                                                           \
                 : "l"(a), "l"(b), "r"(more))
#define TODAY_WIDE(name, letter, tail)                                                                                 \
    if constexpr (N == 64)                                                                                             \
        TODAY_SHARED(64, 32, 32, 33, 34, name, letter, tail);                                                          \
    else if constexpr (N == 128)                                                                                       \
        TODAY_SHARED(128, 64, 64, 65, 66, name, letter, tail);                                                         \
    else                                                                                                               \
        TODAY_SHARED(256, 128, 128, 129, 130, name, letter, tail)
template <Of T, int N>
__device__ inline void multiplyTiles(Sum<T> (&d)[N / 2], std::uint64_t a, std::uint64_t b, int more) {
    static_assert(N == 64 || N == 128 || N == 256);
    if constexpr (T == Of::F16) {
        TODAY_WIDE("k16.f32.f16.f16", "+f", ", 1, 1, 0, 0");
    } else if constexpr (T == Of::BF16) {
        TODAY_WIDE("k16.f32.bf16.bf16", "+f", ", 1, 1, 0, 0");
    } else if constexpr (T == Of::TF32) {
        TODAY_WIDE("k8.f32.tf32.tf32", "+f", ", 1, 1");
    } else if constexpr (T == Of::E4M3) {
        TODAY_WIDE("k32.f32.e4m3.e4m3", "+f", ", 1, 1");
    } else {
        TODAY_WIDE("k32.s32.s8.s8", "+r", "");
    }
}
// a from registers, b turned.
#define TODAY_REGISTERS(n, count, r0, r1, r2, r3, second, third)                                                       \
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %" #third ", 0;\nwgmma.mma_async.sync.aligned.m64n" #n              \
                 "k16.f32.f16.f16 {" TODAY_LIST##count "}, {%" #r0 ", %" #r1 ", %" #r2 ", %" #r3 "}, %" #second        \
                                                       ", p, 1, 1, 1;\n}"                                              \
                 : TODAY_D##count("+f", 0)                                                                             \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(more))
template <int N>
__device__ inline void multiplyRegisters(float (&d)[N / 2], const unsigned (&a)[4], std::uint64_t b, int more) {
    static_assert(N == 64 || N == 128);
    if constexpr (N == 64)
        TODAY_REGISTERS(64, 32, 32, 33, 34, 35, 36, 37);
    else
        TODAY_REGISTERS(128, 64, 64, 65, 66, 67, 68, 69);
}

// A matrix of rows of `columns` elements, by boxes of 128 bytes x `boxRows`.
template <Of T>
CUtensorMap mapOf(const void* memory, int rows, int columns, int boxRows) {
    CUtensorMap map;
    const cuuint64_t sizes[] = {cuuint64_t(columns), cuuint64_t(rows)}, strides[] = {cuuint64_t(columns) * bytesOf(T)};
    const cuuint32_t box[] = {cuuint32_t(128 / bytesOf(T)), cuuint32_t(boxRows)}, steps[] = {1, 1};
    const CUtensorMapDataType type = T == Of::F16    ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16
                                     : T == Of::BF16 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16
                                     : T == Of::TF32 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32
                                                     : CU_TENSOR_MAP_DATA_TYPE_UINT8;
    const CUresult made = cuTensorMapEncodeTiled(&map, type, 2, const_cast<void*>(memory), sizes, strides, box, steps,
                                                 CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                                                 CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (made != CUDA_SUCCESS) {
        std::printf("no tensor map: %d\n", int(made));
        std::exit(1);
    }
    return map;
}
