// SPDX-License-Identifier: GPL-3.0-or-later
// Textures and surfaces: the address [object, {coordinates}] or [texture, sampler, {coordinates}], what stands behind it,
// and the data.
#include "gpu/base/messages/code.h"
#include "gpu/emulator/decode/decoder.h"
#include "gpu/emulator/texture/texture_ops.h"

#include <fmt/format.h>

namespace warpglass::emulator {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::Type;

namespace {

Geometry geometryOf(const ptx::Instruction& i) {
    for (const auto& [word, geometry] :
         {std::pair(Modifier::Dim1, Geometry::D1), std::pair(Modifier::Dim3, Geometry::D3),
          std::pair(Modifier::A1d, Geometry::A1d), std::pair(Modifier::A2d, Geometry::A2d),
          std::pair(Modifier::Cube, Geometry::Cube), std::pair(Modifier::Acube, Geometry::Acube)})
        if (i.has(word))
            return geometry;
    return Geometry::D2;
}

bool hasGeometry(const ptx::Instruction& i) {
    return geometryOf(i) != Geometry::D2 || i.has(Modifier::Dim2);
}

// The elements of a vector, or the operand itself.
std::span<const Operand> elementsOf(const Operand& o) {
    return o.kind == Operand::Kind::Vector ? std::span<const Operand>(o.elements) : std::span<const Operand>(&o, 1);
}

} // namespace

bool Decoder::handle(Decoding& d, const Operand& o, HandleOperand& handle) {
    using In = HandleOperand::In;
    if (o.kind == Operand::Kind::Register || (o.kind == Operand::Kind::Address && o.baseIsRegister)) {
        const RegisterRow* r = registerOf(o.name);
        if (!r || r->bytes() != 8)
            return d.fail(say::ObjectNoRegister);
        d.info.reads.push_back(r->row);
        handle = {In::Row, r->row, 0};
        return true;
    }
    if (const auto p = m_scope->entryParams.find(o.name); p != m_scope->entryParams.end()) {
        const auto& parameters = m_scope->source->params;
        const auto own = std::find_if(parameters.begin(), parameters.end(),
                                      [&](const ptx::Variable& v) { return v.name == o.name; });
        if (own == parameters.end() || own->sizeBytes() < sizeof(std::uint64_t))
            return d.fail(say::ParameterSmall(o.name));
        handle = {In::Param, {}, p->second};
        return true;
    }
    const auto s = symbol(o.name);
    if (!s)
        return d.fail(say::NamesNoTexture);
    handle = {In::Constant, {}, s->address};
    return true;
}

bool Decoder::rowsOf(Decoding& d, const Operand& o, Type type, std::uint32_t count, Row* rows) {
    const auto elements = elementsOf(o);
    if (elements.size() < count)
        return d.fail(say::CoordinatesMissing);
    for (std::uint32_t n = 0; n < count; ++n)
        if (!readOperand(d, elements[n], type, rows[n]))
            return false;
    return true;
}

bool Decoder::objectAndCoordinates(Decoding& d, const Operand& o, Type type, TextureOp& op) {
    if (o.kind != Operand::Kind::Address || o.elements.empty() || o.elements.size() > 2)
        return d.fail(say::TextureExpected);
    if (!handle(d, o, op.object) || (o.elements.size() == 2 && !handle(d, o.elements[0], op.sampler)))
        return false;
    const auto elements = elementsOf(o.elements.back());
    const std::uint32_t first = isLayered(op.geometry) ? 1 : 0, axes = axesOf(op.geometry);
    if (elements.size() < first + axes)
        return d.fail(say::CoordinatesMissing);
    if (first && !readOperand(d, elements[0], Type::B32, op.layer))
        return false;
    for (std::uint32_t n = 0; n < axes; ++n) { // of a register the bits are taken
        const bool isRegister = elements[first + n].kind == Operand::Kind::Register;
        if (!readOperand(d, elements[first + n], isRegister ? Type::B32 : type, op.coordinates[n]))
            return false;
    }
    return true;
}

// The registers that a fetch or load writes, or that a store reads.
bool Decoder::texels(Decoding& d, const Operand& o, bool writing, Type type) {
    Inst& in = d.inst;
    const auto elements = elementsOf(o);
    if (elements.size() > 1)
        return vectorRows(d, o, writing, type);
    if (elements.empty())
        return d.fail(say::DataMissing);
    RegisterRow r{{}, type};
    if (writing) {
        if (!writeOperand(d, elements[0], Type::None, in.dst, &r))
            return false;
        if (in.dst == noRow)
            in.dst = newRow(8);
    } else {
        const bool isRegister = elements[0].kind == Operand::Kind::Register;
        if (const RegisterRow* found = isRegister ? registerOf(elements[0].name) : nullptr)
            r = *found;
        if (!readOperand(d, elements[0], r.type, in.dst) || !holds(d, elements[0].name, r.type, type))
            return false;
    }
    in.memory.elements = 1;
    in.memory.rowBytes = std::uint8_t(r.bytes());
    return true;
}

bool Decoder::textureOp(Decoding& d) {
    const ptx::Instruction& i = d.i;
    Inst& in = d.inst;
    in.memory = {};
    TextureOp op;
    op.geometry = geometryOf(i);
    const auto done = [&](Handler handler) {
        in.memory.site = std::uint32_t(m_program.textureOps.size());
        in.run = handler;
        m_program.textureOps.push_back(op);
        return true;
    };
    if (i.operands.size() < 2)
        return d.fail(say::OperandMissing);
    if (d.is.opcode == Opcode::Istypep) {
        d.info.opClass = OpClass::Integer;
        op.query = i.modifiers.empty() ? Modifier::Unknown : i.modifiers.front();
        return write(d, 0, Type::Pred, in.dst) && handle(d, i.operands[1], op.object) && done(isTypeHandler());
    }
    if (d.is.opcode == Opcode::Txq || d.is.opcode == Opcode::Suq) {
        d.info.opClass = OpClass::Integer;
        for (const Modifier m : i.modifiers)
            if (m == Modifier::Level)
                op.level = TextureOp::Level::Given;
            else if (ptx::typeOf(m) == Type::None)
                op.query = m;
        return write(d, 0, Type::B32, in.dst) && handle(d, i.operands[1], op.object) &&
               (op.level == TextureOp::Level::Base || read(d, 2, Type::B32, op.lod)) && done(queryHandler());
    }
    if (!hasGeometry(i))
        return d.fail(say::HowManyDimensions);

    const Type result = d.is.firstType();
    const Type coordinate = d.is.typeCount > 1 ? d.is.types[1] : Type::F32;
    op.whole = coordinate == Type::S32;
    d.is.types[1] = result; // what is recorded are the results
    op.result = result == Type::F16     ? TextureOp::Result::Halves
                : result == Type::F16x2 ? TextureOp::Result::HalfPairs
                                        : TextureOp::Result::Words;
    d.info.opClass = OpClass::Memory;
    d.info.isMemory = true;
    d.info.space = MemorySpace::Texture;
    d.info.access = AccessKind::Load;
    const Operand* to = &i.operands[0];
    if (to->kind == Operand::Kind::Pair) {
        if (!writeOperand(d, to->elements[1], Type::Pred, op.resident))
            return false;
        to = &to->elements[0];
    }
    if (!texels(d, *to, true, op.result == TextureOp::Result::Halves ? Type::B16 : Type::B32) ||
        !objectAndCoordinates(d, i.operands[1], coordinate, op))
        return false;
    if (in.memory.elements != (op.result == TextureOp::Result::HalfPairs ? 2 : 4))
        return d.fail(say::ResultCount);
    in.memory.bytes = op.result == TextureOp::Result::Halves ? 2 : 4;
    std::size_t n = 2;
    const std::uint32_t axes = axesOf(op.geometry);
    if (i.has(Modifier::Level)) {
        op.level = TextureOp::Level::Given;
        if (!read(d, n++, coordinate, op.lod))
            return false;
    } else if (i.has(Modifier::Grad)) {
        op.level = TextureOp::Level::Gradient;
        if (i.operands.size() < 4)
            return d.fail(say::OperandMissing);
        if (!rowsOf(d, i.operands[n], Type::F32, axes, op.dx.data()) ||
            !rowsOf(d, i.operands[n + 1], Type::F32, axes, op.dy.data()))
            return false;
        n += 2;
    }
    if (n < i.operands.size()) {
        const Operand& o = i.operands[n];
        const RegisterRow* r = o.kind == Operand::Kind::Register ? registerOf(o.name) : nullptr;
        const bool compares = o.kind == Operand::Kind::Float32 || (r && (r->type == Type::F32 || axes > 1));
        if (compares || n + 1 < i.operands.size())
            return d.fail(say::ComparesDepth);
        op.hasOffset = true;
        if (!rowsOf(d, o, Type::B32, axes, op.offset.data()))
            return false;
    }
    for (const auto& [word, channel] :
         {std::pair(Modifier::G, 1u), std::pair(Modifier::B, 2u), std::pair(Modifier::A, 3u)})
        if (i.has(word))
            op.channel = channel;
    return done(d.is.opcode == Opcode::Tld4 ? gatherHandler() : fetchHandler());
}

bool Decoder::surfaceOp(Decoding& d) {
    if (d.is.opcode == Opcode::Suq)
        return textureOp(d);
    const ptx::Instruction& i = d.i;
    Inst& in = d.inst;
    in.memory = {};
    TextureOp op;
    op.geometry = geometryOf(i);
    op.whole = true;
    op.formatted = i.has(Modifier::P);
    op.beyond = i.has(Modifier::Clamp)  ? TextureOp::Beyond::Clamp
                : i.has(Modifier::Zero) ? TextureOp::Beyond::Zero
                                        : TextureOp::Beyond::Trap;
    const Type type = d.is.type();
    in.memory.bytes = std::uint8_t(ptx::bytesOf(type));
    if (!hasGeometry(i) || i.operands.size() != 2)
        return d.fail(say::OperandsOrDimensions);
    d.info.opClass = OpClass::Memory;
    d.info.isMemory = true;
    d.info.space = MemorySpace::Texture;
    if (op.formatted && d.is.opcode == Opcode::Suld)
        return d.fail(say::SurfaceFormat);
    const std::size_t object = d.is.opcode == Opcode::Suld ? 1 : 0;
    if (!objectAndCoordinates(d, i.operands[object], Type::S32, op))
        return false;
    const auto done = [&](Handler handler) {
        in.memory.site = std::uint32_t(m_program.textureOps.size());
        in.run = handler;
        m_program.textureOps.push_back(op);
        return true;
    };
    if (d.is.opcode == Opcode::Sured) {
        d.info.opClass = OpClass::Atomic;
        d.info.access = AccessKind::Atomic;
        op.operation = d.is.operation;
        op.isSigned = ptx::isSigned(type);
        in.memory.rowBytes = in.memory.bytes == 8 ? 8 : 4;
        if (!m_program.ordered) {
            m_program.ordered = true;
            m_program.orderReason = "texels of a surface are changed by several blocks";
        }
        return op.operation == ptx::Operation::None ? d.fail(say::NamesNoOperation)
                                                    : read(d, 1, type, in.b) && done(surfaceReduceHandler());
    }
    const bool isStore = d.is.opcode == Opcode::Sust;
    d.info.access = isStore ? AccessKind::Store : AccessKind::Load;
    if (!texels(d, i.operands[1 - object], !isStore, type))
        return false;
    if (in.memory.bytes * in.memory.elements > 16)
        return d.fail(say::SurfaceVectorBytes);
    if (in.memory.elements != d.is.elements)
        return d.fail(say::SurfaceVectorElements);
    return done(surfaceAccessHandler(isStore));
}

} // namespace warpglass::emulator
