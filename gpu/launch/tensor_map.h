// SPDX-License-Identifier: GPL-3.0-or-later
// A tensor in global memory as the unit for bulk copies is told of it: what a host says to cuTensorMapEncodeTiled or
// cuTensorMapEncodeIm2col. The 128 bytes that come of it are each backend's own affair: the driver makes them for a GPU, the emulator keeps its own.
#pragma once

#include "gpu/base/enum_words.h"
#include "gpu/base/result.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpglass {

inline constexpr std::uint32_t tensorMapBytes = 128;

// In the order of PTX's numbers (PTX ISA, "tensormap.replace", field elemtype).
// Sixteen of four or six bits travel together; P: with room behind them that makes sixteen bytes of it in shared memory.
enum class TensorType : std::uint8_t {
    U8,
    U16,
    U32,
    S32,
    U64,
    S64,
    F16,
    F32,
    F32Ftz,
    F64,
    BF16,
    TF32,
    TF32Ftz,
    B4x16,
    B4x16P64,
    B6x16P32
};
template <>
inline constexpr auto enumWords<TensorType> = EnumWords("type of a tensor map",
                                                        {"u8", "u16", "u32", "s32", "u64", "s64", "f16", "f32",
                                                         "f32.ftz", "f64", "bf16", "tf32", "tf32.ftz", "b4x16",
                                                         "b4x16p64", "b6x16p32"});
// What a copy moves at least: one element, or sixteen of less than a byte.
struct TensorUnit {
    std::uint32_t elements = 1, bytes = 0, room = 0; // room: bytes in shared memory
};
TensorUnit unitOf(TensorType type);

// Instead of a box: so many pixels in the order of memory, each with so many channels (PTX ISA, "im2col mode"). Dimension 0
// is the channels', the last one the images'; the corners are of those between, fastest first, and count from the first and
// from the last element. Along says where the pixel behind a row's last one lies: All: in the next row, Width and Width128 in
// the same row of the next image (PTX ISA, "im2col::w and im2col::w::128 modes"), of which Width128 has 128 pixels.
struct Im2col {
    enum class Along : std::uint8_t { All, Width, Width128 };
    std::array<std::int32_t, 3> lower{}, upper{};
    std::uint32_t channels = 0, pixels = 0;
    Along along = Along::All;
};

struct TensorMap {
    std::string buffer;       // of the plan
    std::uint64_t offset = 0; // bytes into it
    TensorType type = TensorType::F32;
    std::uint32_t rank = 0;                 // 1 to 5
    std::array<std::uint64_t, 5> dims{};    // elements; [0] is the fastest
    std::array<std::uint64_t, 4> strides{}; // bytes from one index of dimension n + 1 to the next
    std::array<std::uint32_t, 5> box{}, elementStrides{1, 1, 1, 1, 1};
    std::uint32_t interleave = 0; // 0, 16, 32
    std::uint32_t swizzle = 0;    // 0, 32, 64, 128
    std::uint32_t atom = 16;      // bytes that a swizzle of 128 moves together: 16, 32, 64
    bool flip = false;            // of such 32 the halves of each 16 change places in every second row of 128 bytes
    std::uint32_t l2 = 0;         // 0, 64, 128, 256: bytes that L2 fetches
    bool fillNan = false;         // outside of the tensor: NaN instead of 0
    std::optional<Im2col> im2col;
};

// "{base=in,type=f32,dims=64;32,box=16;16,strides=256,swizzle=128,...}": base, dims and box must be there; strides
// are those of a dense tensor unless they are given. Dimensions are parted by ;, the fastest first. With pixels=64,
// channels=8 and perhaps lower=-1;-1,upper=-1;-1 instead of box it is one for im2col; with wide=w or wide=w128, too, for
// im2col::w and im2col::w::128.
Result<TensorMap> parseTensorMap(std::string_view spec, std::string_view text);
// What the functions of the driver would refuse.
Result<void> checkTensorMap(const TensorMap& map);
// The same but for the buffer: of a map that was found in memory, where anybody may have written it.
Result<void> checkTensorFields(const TensorMap& map);

} // namespace warpglass
