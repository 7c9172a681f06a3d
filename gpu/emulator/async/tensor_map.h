// SPDX-License-Identifier: GPL-3.0-or-later
// The emulator's own 128 bytes of a tensor map, and the boxes that are cut out of a tensor by it (PTX ISA, "Tensors").
#pragma once

#include "gpu/emulator/code/inst.h"
#include "gpu/emulator/state/async_state.h"
#include "gpu/launch/tensor_map.h"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace warpglass::emulator {

using TensorMapBytes = std::array<std::byte, tensorMapBytes>;

TensorMapBytes packTensorMap(const TensorMap& map, std::uint64_t base);
struct UnpackedMap {
    TensorMap map;
    std::uint64_t base = 0;
};
// Fields as they stand there, to change one of them: programs may leave them wrong until the last is set. nullopt: it is none.
std::optional<UnpackedMap> tensorFields(std::span<const std::byte, tensorMapBytes> bytes);
// One whose fields have been held against what a driver encodes. Boxes are cut by no other.
class CheckedMap {
public:
    const TensorMap& map() const { return m_fields.map; }
    std::uint64_t base() const { return m_fields.base; }

private:
    friend Result<CheckedMap> unpackTensorMap(std::span<const std::byte, tensorMapBytes> bytes);
    explicit CheckedMap(const UnpackedMap& fields) : m_fields(fields) {}
    UnpackedMap m_fields;
};
// A kernel can write all of these bytes.
Result<CheckedMap> unpackTensorMap(std::span<const std::byte, tensorMapBytes> bytes);

// What an instruction says of the box. at: coordinates, [0] the fastest; with fourRows (tile::gather4, tile::scatter4)
// [1] to [4] are those of rows that lie anywhere. offsets: of im2col, of the dimensions between the channels' and the
// images'.
struct BoxPlace {
    std::array<std::int32_t, 5> at{};
    std::array<std::uint16_t, 3> offsets{};
    bool fourRows = false;
};
// Where each part of a box lies: tensor address and offset in shared memory, in the order of shared memory. Parts that
// lie outside of the tensor have take 0. shared: where the box begins.
struct BoxPart {
    std::uint64_t tensor = 0, shared = 0;
    std::uint32_t bytes = 0;
    bool inside = true;
};
std::vector<BoxPart> boxParts(const CheckedMap& map, const BoxPlace& place, std::uint64_t shared);
std::uint64_t boxBytes(const CheckedMap& map, bool fourRows); // that are copied
std::uint64_t boxRoom(const CheckedMap& map, bool fourRows);  // that they take in shared memory
// Shared memory is swizzled in pieces of 16 bytes: where byte `offset` is put.
std::uint64_t swizzled(std::uint64_t offset, const TensorMap& map);
ptx::Type elementType(TensorType type); // for reductions
std::uint64_t fillPattern(const TensorMap& map);

Handler tensorHandler(AsyncOp op); // nullptr: none of tensors

} // namespace warpglass::emulator
