// SPDX-License-Identifier: GPL-3.0-or-later
// Instructions on matrices: their fragments' registers, descriptors, and the pieces in which memory is moved.
#include "gpu/base/messages/code.h"
#include "gpu/emulator/decode/decoder.h"
#include "gpu/emulator/matrix/matrix_ops.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpglass::emulator {

using ptx::MatrixForm;
using ptx::MatrixRole;
using ptx::Operand;
using ptx::Type;

namespace {

AddressSpace matrixSpace(ptx::StateSpace s) {
    switch (s) {
    case ptx::StateSpace::Global:
        return AddressSpace::Global;
    case ptx::StateSpace::Shared:
        return AddressSpace::Shared;
    default:
        return AddressSpace::Generic;
    }
}

// A constant of 1 or -1.
bool scaleOf(const Operand& o, bool& negates) {
    negates = o.integer == -1;
    return o.kind == Operand::Kind::Integer && (o.integer == 1 || o.integer == -1);
}
bool flagOf(const Operand& o, bool& flag) {
    flag = o.integer == 1;
    return o.kind == Operand::Kind::Integer && (o.integer == 0 || o.integer == 1);
}

// positions: [element][lane], as many elements as a register of 32 bits holds.
FragmentLayout layoutOf(const std::uint16_t* positions, std::uint32_t elements, std::uint32_t bits) {
    bool words = true, follow = true, turned = bits == 16;
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        for (std::uint32_t j = 0; j < elements; ++j) {
            const std::uint32_t at = positions[j * 32 + lane], quad = lane / 4 * 4;
            words &= at == positions[lane] + j && positions[lane] % elements == 0;
            follow &= positions[lane] == positions[quad] + (lane - quad) * elements;
            turned &= at == positions[j * 32 + lane % 4] + lane / 4;
        }
    return words && follow ? FragmentLayout::Rows
           : words         ? FragmentLayout::Words
           : turned        ? FragmentLayout::Turned
                           : FragmentLayout::Anyhow;
}

} // namespace

bool Decoder::matrixRegisters(Decoding& d, std::size_t n, bool writing, const MatrixForm& form, MatrixRole role,
                              std::vector<Row>& rows) {
    if (n >= d.i.operands.size())
        return d.fail(say::OperandMissing);
    const Operand& o = d.i.operands[n];
    const ptx::Fragment fragment = ptx::fragmentOf(form, role);
    const std::size_t count = o.kind == Operand::Kind::Vector ? o.elements.size() : 1;
    if (count != fragment.written)
        return d.fail(say::OperandRegisters(n + 1, fragment.written, count));
    const bool wide = fragment.bits == 64;
    const Type number = ptx::typeOf(form, role) == Type::F32 ? Type::F32 : Type::B32;
    for (std::size_t k = 0; k < count; ++k) {
        const Operand& element = o.kind == Operand::Kind::Vector ? o.elements[k] : o;
        Row row = noRow;
        if (writing) {
            RegisterRow found;
            if (!writeOperand(d, element, Type::None, row, &found))
                return false;
            if (row == noRow)
                row = newRow(wide ? 8 : 4);
            else if (found.bytes() != (wide ? 8u : 4u))
                return d.fail(say::RegisterWidth(element.name));
        } else if (!readOperand(d, element, wide ? Type::F64 : element.isReal() ? number : Type::B32, row)) {
            return false;
        }
        rows.push_back(row);
    }
    return true;
}

// "{%r}, {byte, lanes}", the first braces are often left out.
bool Decoder::matrixScales(Decoding& d, std::size_t n, MatrixCode::Scales& scales) {
    const Operand& place = d.i.operands[n + 1];
    if (place.kind != Operand::Kind::Vector || place.elements.size() != 2)
        return d.fail(say::ScaleForm);
    return readOperand(d, withoutBraces(d.i.operands[n]), Type::B32, scales.words) &&
           readOperand(d, place.elements[0], Type::B16, scales.byte) &&
           readOperand(d, place.elements[1], Type::B16, scales.lanes);
}

bool Decoder::matrixProduct(Decoding& d, MatrixCode& code) {
    const MatrixForm& form = code.form;
    d.info.opClass = OpClass::Matrix;
    if (!matrixRegisters(d, 1, false, form, MatrixRole::A, code.a) ||
        !matrixRegisters(d, 2, false, form, MatrixRole::B, code.b) ||
        !matrixRegisters(d, 3, false, form, MatrixRole::C, code.c) ||
        !matrixRegisters(d, 0, true, form, MatrixRole::D, code.d))
        return false;
    const bool byRowsAndColumns = form.aByRows && !form.bByRows;
    if (!form.wmma && !form.quads() && !byRowsAndColumns)
        return d.fail(say::LayoutsRowCol);
    // The handlers take the registers of the one sum for as many as those of the other.
    if (!form.wmma && (form.quads() ? form.c == Type::F32 && form.d != Type::F32 : form.c != form.d))
        return d.fail(form.quads() ? say::ResultF32 : say::AddedType);
    const std::size_t scales = form.scale != Type::None ? 4 : 0, sparse = form.sparse ? 2 : 0;
    if (d.i.operands.size() != 4 + sparse + scales)
        return d.fail(scales && d.i.operands.size() < 4 + sparse + scales ? say::NeedsScales : say::OperandCount);
    d.inst.run = matrixProductHandler(form);
    return (!sparse || matrixMetadata(d, 4, code)) &&
           (!scales || (matrixScales(d, 4 + sparse, code.scalesA) && matrixScales(d, 6 + sparse, code.scalesB)));
}

// Metadata, perhaps in braces, and the number of the lanes that give it: as many of four as it takes, one, two or all.
bool Decoder::matrixMetadata(Decoding& d, std::size_t n, MatrixCode& code) {
    const MatrixForm& form = code.form;
    if (d.i.operands.size() <= n + 1 || d.i.operands[n + 1].kind != Operand::Kind::Integer)
        return d.fail(say::NeedsMetadata);
    if (!readOperand(d, withoutBraces(d.i.operands[n]), Type::B32, code.metadata))
        return false;
    code.selector = std::uint32_t(d.i.operands[n + 1].integer);
    const std::uint32_t bitsOfRow = form.k / (form.a == Type::TF32 ? 2u : ptx::bitsOf(form.a) == 4 ? 8u : 4u) * 4;
    const std::uint32_t selectors = 64 / bitsOfRow;
    return code.selector < selectors || d.fail(say::SelectorBelow(selectors));
}

bool Decoder::matrixAsync(Decoding& d, MatrixCode& code) {
    const MatrixForm& form = code.form;
    d.info.opClass = OpClass::Matrix;
    const auto& o = d.i.operands;
    if (o.size() < (form.sparse ? 6 : 4))
        return d.fail(say::OperandMissing);
    const bool fromRegisters = o[1].kind == Operand::Kind::Vector;
    if (fromRegisters ? !matrixRegisters(d, 1, false, form, MatrixRole::A, code.a)
                      : !read(d, 1, Type::B64, code.descriptorA))
        return false;
    const std::size_t sparse = form.sparse ? 2 : 0, next = 3 + sparse; // scale-d
    if (!read(d, 2, Type::B64, code.descriptorB) || (sparse && !matrixMetadata(d, 3, code)) ||
        !readPredicate(d, next, code.scaleD, code.scaleDNegated) ||
        !matrixRegisters(d, 0, true, form, MatrixRole::D, code.d))
        return false;
    for (const Row row : code.d)
        d.info.reads.push_back(row);
    const bool isWhole = form.d == Type::S32, turns = ptx::bitsOf(form.a) == 16;
    const std::size_t scales = isWhole ? 0 : 2, flags = turns ? (fromRegisters ? 1 : 2) : 0;
    if (o.size() != next + 1 + scales + flags)
        return d.fail(say::OperandCount);
    if (scales && (!scaleOf(o[next + 1], code.negatesA) || !scaleOf(o[next + 2], code.negatesB)))
        return d.fail(say::ScalesOne);
    if (flags && (!flagOf(o[next + 2 + flags], code.turnsB) || (flags == 2 && !flagOf(o[next + 3], code.turnsA))))
        return d.fail(say::Transpositions);
    d.inst.run = matrixAsyncHandler(form);
    m_program.readsByProxy = true;
    return true;
}

namespace {

// How a fragment is moved where memory is not known to be shared: register by register. An access has four bytes a lane, two
// registers where they are neighbours in memory (those of 64 bits: 8 or 16 bytes), and, where a lane's bytes lie in different
// lines, one of a byte each. Halves that lie so are moved by lines and turned between the lanes (MOVM) instead. ptxas of
// CUDA 13.0 makes these instructions of all of wmma's shapes for sm_90; which lane has which element of tf32 it does not show:
// there as elsewhere four lanes have sixteen bytes of a line.
std::uint32_t lanePlaces(MatrixCode& code) {
    const ptx::Fragment& f = code.fragment;
    const std::vector<std::uint16_t>& at = code.positions; // [element][lane]
    const auto place = [&](std::uint32_t position) { code.places.push_back(std::uint16_t(position * f.bits / 8)); };
    if (f.bits >= 32) {
        bool pairs = f.elements % 2 == 0;
        for (std::uint32_t k = 0; pairs && k < f.elements * 32; ++k)
            pairs = k / 32 % 2 == 0 || at[k] == at[k - 32] + 1;
        const std::uint32_t together = pairs ? 2 : 1;
        for (std::uint32_t k = 0; k < f.elements * 32; ++k)
            if (k / 32 % together == 0)
                place(at[k]);
        return together * f.bits / 8;
    }
    const std::uint32_t elements = f.perRegister();
    bool bytes = false;
    for (std::uint32_t r = 0; r < f.registers; ++r) {
        const std::uint16_t* const own = at.data() + std::size_t(r) * elements * 32;
        const FragmentLayout layout = code.layouts[r];
        bytes = layout == FragmentLayout::Anyhow;
        for (std::uint32_t k = 0; k < (bytes ? elements * 32 : 32); ++k)
            place(layout == FragmentLayout::Turned ? own[k / 4 % 2 * 32 + k / 8] + k % 4 * elements : own[k]);
    }
    return bytes ? f.bits / 8 : 4;
}

} // namespace

// An access of `bytes` a lane whose data rows are of the decoder's own.
void Decoder::matrixPieces(Decoding& d, MatrixCode& code, std::uint32_t bytes, bool isStore, AddressSpace space) {
    decltype(m_program.vectors)::value_type rows;
    rows.fill(noRow);
    for (std::size_t k = 0; k < std::max(bytes / 4, 1u); ++k)
        rows[k] = newRow(4);
    MemoryPart& memory = d.inst.memory;
    memory.bytes = std::uint8_t(std::min(bytes, 4u));
    memory.elements = std::uint8_t(std::max(bytes / 4, 1u));
    d.inst.dst = rows[0];
    memory.rowBytes = 4;
    memory.space = space;
    memory.vector = std::uint32_t(m_program.vectors.size());
    m_program.vectors.push_back(rows);
    reaches(d, space);
    code.pieces = d.inst;
    code.pieces.guard = {};
    code.pieces.memory.inPlace = !isStore && bytes == 16 && space == AddressSpace::Shared;
    code.pieces.run = isStore ? storeHandler(space) : loadHandler(space, false);
    code.pieces.memory.moveBy = moveBy(m_program, code.pieces);
    d.info.opClass = OpClass::Memory;
    d.info.access = isStore ? AccessKind::Store : AccessKind::Load;
}

bool Decoder::matrixRows(Decoding& d, MatrixCode& code) {
    const bool isStore = code.form.kind == MatrixForm::Kind::StoreRows;
    AddressSpace space = matrixSpace(d.is.space);
    const std::size_t at = isStore ? 0 : 1, data = isStore ? 1 : 0;
    if (d.i.operands.size() <= at || !address(d, d.i.operands[at], space) ||
        !matrixRegisters(d, data, !isStore, code.form, MatrixRole::D, code.d))
        return d.fail(say::OperandMissing);
    matrixPieces(d, code, 16, isStore, space);
    d.inst.run = matrixMoveHandler(code.form);
    return true;
}

bool Decoder::matrixMemory(Decoding& d, MatrixCode& code) {
    const MatrixForm& form = code.form;
    const bool isStore = form.kind == MatrixForm::Kind::Store;
    AddressSpace space = matrixSpace(d.is.space);
    const auto& o = d.i.operands;
    const std::size_t at = isStore ? 0 : 1, data = isStore ? 1 : 0;
    if (o.size() < 2 || o.size() > 3)
        return d.fail(say::OperandCount);
    if (!address(d, o[at], space) || !matrixRegisters(d, data, !isStore, form, form.role, code.d))
        return false;
    if (o.size() == 3 && !read(d, 2, Type::B32, code.stride))
        return false;
    const ptx::Fragment f = ptx::fragmentOf(form, form.role);
    if (f.bits < 8 && form.aByRows != (form.role == MatrixRole::A)) // a lane's would lie in parts of bytes
        return d.fail(say::NarrowLayout);
    const std::uint32_t length = form.aByRows ? f.columns : f.rows, bytes = length * f.bits / 8;
    code.lines = form.aByRows ? f.rows : f.columns;
    const std::uint32_t piece = std::min(bytes, 16u);
    code.piecesOfLine = bytes / piece;
    code.pieceBytes = piece;
    for (std::uint32_t element = 0; element < f.elements; ++element)
        for (std::uint32_t lane = 0; lane < 32; ++lane) {
            const ptx::MatrixCell cell = ptx::cellOf(form, form.role, lane, element);
            code.positions.push_back(
                std::uint16_t(form.aByRows ? cell.row * length + cell.column : cell.column * length + cell.row));
        }
    code.fragment = f;
    for (std::uint32_t r = 0; f.bits <= 32 && r < f.registers; ++r) {
        const std::uint16_t* positions = code.positions.data() + r * f.perRegister() * 32;
        code.layouts.push_back(layoutOf(positions, f.perRegister(), f.bits));
        for (std::uint32_t lane = 0; lane < 32; ++lane)
            code.starts.push_back(std::uint16_t(positions[lane] * f.bits / 8));
    }
    code.allByRows =
        !code.layouts.empty() && f.written <= 2 * f.registers &&
        std::ranges::all_of(code.layouts, [](FragmentLayout layout) { return layout == FragmentLayout::Rows; });
    // The handler works out the address of each piece: from the one in the text, which `inst` keeps.
    matrixPieces(d, code, space == AddressSpace::Shared ? piece : lanePlaces(code), isStore, space);
    d.info.byRounds = !code.places.empty();
    code.pieces.a = newRow(8);
    code.pieces.memory.offset = 0;
    code.pieces.memory.wideAddress = true;
    code.pieces.memory.noBase = false;
    d.inst.run = matrixMoveHandler(form);
    return true;
}

bool Decoder::matrix(Decoding& d) {
    using Kind = MatrixForm::Kind;
    if (d.is.opcode == ptx::Opcode::Tcgen05)
        return tensor(d);
    if (d.is.opcode == ptx::Opcode::Wgmma && !d.i.has(ptx::Modifier::MmaAsync)) {
        if (d.i.has(ptx::Modifier::WaitGroup) &&
            (d.i.operands.size() != 1 || d.i.operand(0).kind != Operand::Kind::Integer || d.i.operand(0).integer < 0))
            return d.fail(say::GroupsConstant);
        d.info.opClass = OpClass::Other; // it orders this warp's own work and nobody's memory
        d.inst.run = matrixOrderHandler(d.i.has(ptx::Modifier::WaitGroup)     ? MatrixOrder::Wait
                                        : d.i.has(ptx::Modifier::CommitGroup) ? MatrixOrder::Commit
                                                                              : MatrixOrder::Fence);
        if (d.i.has(ptx::Modifier::WaitGroup))
            d.inst.memory.offset = d.i.operand(0).integer;
        return true;
    }
    const auto form = ptx::matrixForm(d.i.opcode, d.i.modifiers);
    if (!form)
        return d.fail(say::ShapeMissing);
    MatrixCode code;
    code.form = *form;
    bool ok = false;
    switch (form->kind) {
    case Kind::Product:
        ok = matrixProduct(d, code);
        break;
    case Kind::AsyncProduct:
        ok = matrixAsync(d, code);
        break;
    case Kind::LoadRows:
    case Kind::StoreRows:
        ok = matrixRows(d, code);
        break;
    case Kind::Load:
    case Kind::Store:
        ok = matrixMemory(d, code);
        break;
    case Kind::Transpose:
        d.info.opClass = OpClass::Shuffle;
        d.inst.run = matrixMoveHandler(*form);
        ok = write(d, 0, Type::B32, d.inst.dst) && read(d, 1, Type::B32, d.inst.a);
        break;
    }
    d.inst.memory.site = std::uint32_t(m_program.matrices.size());
    m_program.matrices.push_back(std::move(code));
    return ok;
}

} // namespace warpglass::emulator
