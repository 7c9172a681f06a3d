// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/matrix_form.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace warpglass::ptx {
namespace {

// "m16n8k16" -> its numbers; false if it is no shape.
bool readShape(std::string_view text, MatrixForm& form) {
    std::uint32_t* const numbers[] = {&form.m, &form.n, &form.k};
    std::uint32_t found[3] = {};
    std::size_t count = 0;
    for (const char letter : {'m', 'n', 'k'}) {
        if (!text.starts_with(letter))
            break;
        const auto end = std::from_chars(text.data() + 1, text.data() + text.size(), found[count]);
        if (end.ec != std::errc() || found[count] == 0)
            return false;
        text.remove_prefix(std::size_t(end.ptr - text.data()));
        ++count;
    }
    if (count < 2 || !text.empty())
        return false;
    for (std::size_t i = 0; i < count; ++i)
        *numbers[i] = found[i];
    return true;
}

// The types in order of the text -> those of the matrices.
void giveTypes(MatrixForm& form, std::span<const Type> types) {
    switch (types.size()) {
    case 1:
        form.a = form.b = form.c = form.d = types[0];
        break;
    case 2: // wmma.mma on halves: d and c
        form.d = types[0];
        form.c = types[1];
        form.a = form.b = Type::F16;
        break;
    case 3: // wgmma: d, a, b
        form.d = form.c = types[0];
        form.a = types[1];
        form.b = types[2];
        break;
    case 4:
    case 5:
        form.d = types[0];
        form.a = types[1];
        form.b = types[2];
        form.c = types[3];
        form.scale = types.size() == 5 ? types[4] : Type::None;
        break;
    default:
        break;
    }
}

std::uint32_t operandOf(const MatrixForm& form, MatrixRole role) { // elements of the matrix
    const std::uint32_t k = form.sparse && role == MatrixRole::A ? form.k / 2 : form.k;
    return role == MatrixRole::A ? form.m * k : role == MatrixRole::B ? form.n * k : form.m * form.n;
}

bool ofRows(const MatrixForm& form) {
    using Kind = MatrixForm::Kind;
    return form.kind == Kind::LoadRows || form.kind == Kind::StoreRows || form.kind == Kind::Transpose;
}

// m8n8k4 on halves: four products side by side, each of eight lanes: four and the four sixteen lanes behind them.
MatrixCell cellOfQuad(const MatrixForm& form, MatrixRole role, std::uint32_t lane, std::uint32_t i) {
    const std::uint32_t low = lane % 4, high = lane < 16 ? 0u : 4u;
    switch (role) {
    case MatrixRole::A:
        return form.aByRows ? MatrixCell{low + high, i} : MatrixCell{i + high, low};
    case MatrixRole::B:
        return form.bByRows ? MatrixCell{low, i + high} : MatrixCell{i, low + high};
    default:
        if (typeOf(form, role) == Type::F16)
            return {low + high, i};
        return {(low & 1) + (i & 2) + high, (i & 4) + (low & 2) + (i & 1)};
    }
}

} // namespace

std::uint32_t bitsOf(Type type) {
    switch (type) {
    case Type::U4:
    case Type::S4:
    case Type::E2M1:
        return 4;
    case Type::B1:
        return 1;
    default:
        return 8 * std::uint32_t(bytesOf(type));
    }
}

Type typeOf(const MatrixForm& form, MatrixRole role) {
    switch (role) {
    case MatrixRole::A:
        return form.a;
    case MatrixRole::B:
        return form.b;
    case MatrixRole::C:
        return form.c;
    case MatrixRole::D:
        return form.d;
    }
    return Type::None;
}

std::uint32_t MatrixForm::operationsOfThread() const {
    if (kind != Kind::Product && kind != Kind::AsyncProduct)
        return 0;
    const std::uint32_t threads = kind == Kind::AsyncProduct ? 128 : 32, products = quads() ? 4 : 1;
    return 2 * products * m * n * k / threads;
}

std::optional<MatrixForm> matrixForm(Opcode opcode, std::span<const Modifier> modifiers) {
    using Kind = MatrixForm::Kind;
    using M = Modifier;
    const auto has = [&](M m) { return std::find(modifiers.begin(), modifiers.end(), m) != modifiers.end(); };
    MatrixForm form;
    switch (opcode) {
    case Opcode::Mma:
        break;
    case Opcode::Wmma:
        form.wmma = true;
        form.kind = has(M::Load) ? Kind::Load : has(M::Store) ? Kind::Store : Kind::Product;
        form.role = has(M::A) ? MatrixRole::A : has(M::B) ? MatrixRole::B : has(M::C) ? MatrixRole::C : MatrixRole::D;
        break;
    case Opcode::Wgmma:
        if (!has(M::MmaAsync))
            return std::nullopt;
        form.kind = Kind::AsyncProduct;
        break;
    case Opcode::Ldmatrix:
    case Opcode::Stmatrix:
        form.kind = opcode == Opcode::Ldmatrix ? Kind::LoadRows : Kind::StoreRows;
        form.count = has(M::X4) ? 4 : has(M::X2) ? 2 : 1;
        break;
    case Opcode::Movmatrix:
        form.kind = Kind::Transpose;
        break;
    default:
        return std::nullopt;
    }
    std::vector<Type> types;
    std::vector<bool> layouts; // by rows?
    bool shaped = false;
    for (const M m : modifiers) {
        if (const Type type = typeOf(m); type != Type::None)
            types.push_back(type);
        else if (m == M::Row || m == M::Col)
            layouts.push_back(m == M::Row);
        else
            shaped |= readShape(name(m), form);
    }
    if (has(M::B8x16)) {
        types.push_back(Type::B8);
        form.packed = has(M::B4x16P64) ? 4 : 6;
    }
    if (!shaped || types.empty())
        return std::nullopt;
    giveTypes(form, types);
    if (has(M::KindF8f6f4) || has(M::KindMxf8f6f4))
        for (Type* const t : {&form.a, &form.b}) // four bits stand in a byte as in e2m3, whose last two bits are then 0
            *t = *t == Type::E2M1 ? Type::E2M3 : *t;
    form.scales = has(M::ScaleVec4X) ? 4 : has(M::ScaleVec2X) || has(M::KindMxf4) ? 2 : 1;
    if (!layouts.empty())
        form.aByRows = layouts[0];
    if (layouts.size() > 1)
        form.bByRows = layouts[1];
    form.sparse = has(M::Sp) || has(M::SpOrderedMetadata);
    form.transposed = has(M::Trans);
    form.satfinite = has(M::Satfinite);
    form.exclusive = has(M::Xor);
    form.rounding = has(M::Rz)   ? Rounding::Zero
                    : has(M::Rm) ? Rounding::Down
                    : has(M::Rp) ? Rounding::Up
                                 : Rounding::Nearest;
    return form;
}

std::optional<MatrixForm> matrixForm(std::string_view text) {
    std::size_t end = std::min(text.find('.'), text.size());
    const Opcode opcode = parseOpcode(text.substr(0, end));
    if (row(opcode).family != Family::Matrix)
        return std::nullopt;
    std::vector<Modifier> modifiers;
    while (end < text.size()) {
        text.remove_prefix(end + 1);
        end = std::min(text.find('.'), text.size());
        modifiers.push_back(parseModifier(text.substr(0, end)));
    }
    return matrixForm(opcode, modifiers);
}

Fragment fragmentOf(const MatrixForm& form, MatrixRole role) {
    Fragment f;
    f.bits = bitsOf(typeOf(form, role));
    if (ofRows(form)) {
        f.rows = form.linesOfMatrix() * form.count;
        f.columns = 128 / f.bits;
        f.elements = f.rows * f.columns / 32;
        f.registers = f.written = f.elements / f.perRegister();
        return f;
    }
    const std::uint32_t k = form.sparse && role == MatrixRole::A ? form.k / 2 : form.k;
    f.rows = role == MatrixRole::B ? form.k : form.m;
    f.columns = role == MatrixRole::A ? k : form.n;
    const std::uint32_t lanes = form.quads() ? 8 : form.kind == MatrixForm::Kind::AsyncProduct ? 128 : 32;
    f.elements = operandOf(form, role) / lanes;
    f.registers = f.written = f.elements / f.perRegister();
    if (form.wmma && f.bits == 16 && typeOf(form, role) == Type::F16 && role <= MatrixRole::B)
        f.written = 8;
    return f;
}

MatrixCell cellOf(const MatrixForm& form, MatrixRole role, std::uint32_t lane, std::uint32_t element) {
    const std::uint32_t warp = lane / 32, g = lane % 32 / 4, t = lane % 4;
    if (ofRows(form) && form.m == 16) { // bytes, turned
        const std::uint32_t number = element / 4, j = element % 4;
        if (form.kind == MatrixForm::Kind::LoadRows)
            return {16 * (number / 2) + 4 * t + j, 8 * (number % 2) + g};
        return {8 * number + 2 * t + j % 2, 8 * (j / 2) + g};
    }
    if (ofRows(form)) {
        const std::uint32_t together = form.n / 4; // of a lane in a row
        const std::uint32_t matrix = element / together, column = together * t + element % together;
        return form.transposed ? MatrixCell{8 * matrix + column, g} : MatrixCell{8 * matrix + g, column};
    }
    if (form.quads())
        return cellOfQuad(form, role, lane, element);
    const Fragment f = fragmentOf(form, role);
    const std::uint32_t e = f.perRegister(), number = element / e, j = element % e;
    const std::uint32_t rows = form.kind == MatrixForm::Kind::AsyncProduct ? 16 : f.rows;
    const std::uint32_t halves = rows == 8 ? 1 : 2; // tiles of eight rows on top of each other
    switch (role) {
    case MatrixRole::A: {
        const std::uint32_t across = std::max(f.columns / (4 * e), 1u), of16 = number / (across * halves),
                            tile = number % (across * halves);
        return {16 * (warp + of16) + 8 * (tile % halves) + g, tile / halves * 4 * e + t * e + j};
    }
    case MatrixRole::B: {
        const std::uint32_t down = f.rows / (4 * e);
        return {number % down * 4 * e + t * e + j, number / down * 8 + g};
    }
    default: {
        if (form.wmma && form.m == 8 && form.n == 32 && e == 1) { // a product of its own turned: so are its sums (H200)
            MatrixForm turned = form;
            std::swap(turned.m, turned.n);
            const MatrixCell cell = cellOf(turned, role, lane, element);
            return {cell.column, cell.row};
        }
        const std::uint32_t tile = element / (2 * halves), across = f.columns / 8, half = element / 2 % halves;
        return {16 * (warp + tile / across) + 8 * half + g, tile % across * 8 + 2 * t + element % 2};
    }
    }
}

} // namespace warpglass::ptx
