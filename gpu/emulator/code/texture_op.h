// SPDX-License-Identifier: GPL-3.0-or-later
// An instruction of textures and surfaces as its handler reads it. They have more operands than an Inst has room for:
// MemoryPart::site is the number of one of these, Inst::memory and the rows of the data are as those of a load or store.
#pragma once

#include "gpu/emulator/code/row.h"
#include "gpu/ptx/describe.h"

#include <array>
#include <cstdint>

namespace warpglass::emulator {

enum class Geometry : std::uint8_t { D1, D2, D3, A1d, A2d, Cube, Acube };
constexpr bool isLayered(Geometry g) {
    return g == Geometry::A1d || g == Geometry::A2d || g == Geometry::Acube;
}
constexpr bool isCube(Geometry g) {
    return g == Geometry::Cube || g == Geometry::Acube;
}
constexpr std::uint32_t axesOf(Geometry g) { // without the layer; of a cube, a direction
    return g == Geometry::D1 || g == Geometry::A1d ? 1 : g == Geometry::D2 || g == Geometry::A2d ? 2 : 3;
}

// Where the 64-bit object stands.
struct HandleOperand {
    enum class In : std::uint8_t { Nowhere, Row, Constant, Param } in = In::Nowhere;
    Row row;
    std::uint64_t value = 0; // the handle itself, or its offset in the parameters
};

struct TextureOp {
    Geometry geometry = Geometry::D2;
    HandleOperand object, sampler;
    bool whole = false; // coordinates are integers
    Row layer;
    std::array<Row, 3> coordinates{};
    bool hasOffset = false;
    std::array<Row, 3> offset{};
    enum class Level : std::uint8_t { Base, Given, Gradient } level = Level::Base;
    Row lod;
    std::array<Row, 3> dx{}, dy{};
    Row resident = noRow; // predicate of d|p
    enum class Result : std::uint8_t { Words, Halves, HalfPairs } result = Result::Words;
    std::uint32_t channel = 0;                    // of tld4
    ptx::Modifier query = ptx::Modifier::Unknown; // of txq, suq and istypep
    enum class Beyond : std::uint8_t { Trap, Clamp, Zero } beyond = Beyond::Trap;
    bool formatted = false; // .p
    bool isSigned = false;  // of sured
    ptx::Operation operation = ptx::Operation::None;
};

} // namespace warpglass::emulator
