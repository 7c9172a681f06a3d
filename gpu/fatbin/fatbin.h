// SPDX-License-Identifier: GPL-3.0-or-later
// gpu/fatbin: what nvcc puts into a program, from the wrapper that the program registers to the PTX texts inside.
//
// A wrapper points to containers; a container holds images of one source file, each machine code (ELF) or PTX, for one
// architecture, plain or packed with LZ4 or zstd. A program of several files that were linked on the device (-rdc) has a
// wrapper of version 2: machine code of the whole, and beside it the list of the files' own containers, which have the
// PTX. The layout was read off programs that nvcc 11 to 13 had made.
#pragma once

#include "gpu/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace warpglass::fatbin {

inline constexpr std::uint32_t wrapperMagic = 0x466243b1, containerMagic = 0xba55ed50;

struct PackedImage {
    enum class Kind : std::uint8_t { Ptx, Elf, Other };
    Kind kind = Kind::Other;
    std::uint32_t arch = 0;            // 90
    std::span<const std::byte> packed; // as it lies in the container
    enum class Packing : std::uint8_t { None, Lz4, Zstd };
    Packing packing = Packing::None;
    std::uint64_t unpackedBytes = 0;
};

// What a wrapper or a container holds; containers one after the other.
struct Container {
    std::vector<PackedImage> images;
};

// memory: a wrapper, a container, PTX text or machine code, as cuModuleLoadData takes them, in this process. An
// image that is none of the first three has no containers. Error: a container that is cut short or of another layout.
Result<std::vector<Container>> containersAt(const void* memory);
// The same of a file's bytes, which end somewhere.
Result<Container> readContainer(std::span<const std::byte> bytes);

// An image's bytes. Error: they are damaged.
Result<std::string> unpacked(const PackedImage& image);
// A PTX image as text. Error: its bytes are damaged.
Result<std::string> ptxText(const PackedImage& image);
// Of several architectures that which suits a device of this capability (90): the newest not above it, else the newest;
// nullptr if there is no PTX.
const PackedImage* bestPtx(const Container& container, std::uint32_t capability);

// The PTX in an image that suits a device of this capability, a text of its own for each file of a program linked on the
// device; without the device's part of the runtime, which is linked into programs whose kernels launch kernels.
struct PtxTexts {
    std::vector<std::string> texts;
    std::vector<PackedImage> others; // of containers that have none
    bool isContainer = false;        // false: the image is none of nvcc's
};
// newer: PTX for a newer device than this one will do. Error: a container of another layout, or damaged PTX.
Result<PtxTexts> ptxTexts(const void* image, std::uint32_t capability, bool newer);

// One LZ4 block. Error: it does not unpack to exactly so many bytes.
Result<std::vector<std::byte>> unpackLz4(std::span<const std::byte> packed, std::uint64_t bytes);

} // namespace warpglass::fatbin
