// SPDX-License-Identifier: GPL-3.0-or-later
// Declarations: .global .align 4 .b8 table[16] = {1, 0, generic(x)+4};
#include "gpu/base/messages/code.h"
#include "gpu/ptx/parser.h"

#include <fmt/format.h>

#include <cstring>

namespace warpglass::ptx {
namespace {

constexpr std::uint64_t mostInitialBytes = std::uint64_t(64) << 20; // more than any text file can sensibly say

std::optional<StateSpace> stateSpace(std::string_view directive) {
    if (directive == ".global")
        return StateSpace::Global;
    if (directive == ".shared")
        return StateSpace::Shared;
    if (directive == ".local")
        return StateSpace::Local;
    if (directive == ".const")
        return StateSpace::Const;
    if (directive == ".param")
        return StateSpace::Param;
    if (directive == ".reg")
        return StateSpace::Reg;
    return std::nullopt;
}

Opaque opaqueOf(std::string_view directive) {
    return directive == ".texref"       ? Opaque::Texref
           : directive == ".samplerref" ? Opaque::Samplerref
           : directive == ".surfref"    ? Opaque::Surfref
                                        : Opaque::None;
}

} // namespace

bool Parser::readVariableHead(Variable& v) {
    const auto space = stateSpace(peek().text);
    if (!space)
        return failExpected(say::StateSpace);
    next();
    v.space = *space;
    v.type = Type::None;
    while (peek().kind == Token::Kind::Directive) {
        const std::size_t first = m_at;
        const Token& word = next();
        std::int64_t number = 0;
        if (word.is(std::string_view(".align"))) {
            if (!readInt(number, say::AnAlignment))
                return false;
            if (number <= 0 || number > 1 << 20 || (number & (number - 1)) != 0)
                return fail(word, say::AlignmentPower20);
            v.alignment = int(number);
        } else if (word.is(std::string_view(".v2")) || word.is(std::string_view(".v4")) ||
                   word.is(std::string_view(".v8"))) {
            v.vector = word.text[2] - '0';
        } else if (word.is(std::string_view(".ptr"))) {
            while (peek().is(std::string_view(".align")) || stateSpace(peek().text))
                if (next().is(std::string_view(".align")) && !readInt(number, say::AnAlignment))
                    return false;
            v.attributes = textBetween(first, m_at);
        } else if (word.is(std::string_view(".attribute"))) {
            while (!peek().is(')'))
                if (next().kind == Token::Kind::End)
                    return failExpected(say::Mark(")"));
            next();
            v.attributes = textBetween(first, m_at);
        } else if (const Opaque opaque = opaqueOf(word.text); opaque != Opaque::None) {
            v.opaque = opaque;
            v.type = Type::B64;
        } else if (const auto type = parseType(word.text.substr(1))) {
            v.type = *type;
        } else {
            return fail(word, say::UnknownInDeclaration(word.text));
        }
    }
    if (v.type == Type::None)
        return failExpected(say::ATypeWord);
    return true;
}

// ".tex .u64 picture;", the older way to write ".global .texref picture;".
bool Parser::readTexture(Variable v) {
    next();
    if (peek().kind != Token::Kind::Directive || !parseType(peek().text.substr(1)))
        return failExpected(say::TypeOfTexture);
    next();
    v.space = StateSpace::Global;
    v.opaque = Opaque::Texref;
    v.type = Type::B64;
    if (!readName(v.name, say::NameOfTexture))
        return false;
    addVariable(std::move(v));
    return expect(';');
}

bool Parser::readDimensions(Variable& v) {
    while (accept('[')) {
        v.isArray = true;
        const Token& at = peek();
        std::int64_t extent = 0;
        if (!peek().is(']') && !readInt(extent, say::ExtentOfArray))
            return false;
        if (extent < 0 || v.dimensions.size() >= 16)
            return fail(at, say::NoExtent);
        v.dimensions.push_back(std::uint64_t(extent));
        if (!expect(']'))
            return false;
    }
    return true;
}

bool Parser::readSeveral(const Variable& first, std::vector<Variable>& out) {
    constexpr std::uint32_t most = 1 << 16;
    const Token& at = peek();
    std::uint32_t count = 0;
    if (!readUnsigned(count, say::NumberOfVariables) || !expect('>'))
        return false;
    m_numbered += count;
    if (count > most || m_numbered > most + m_module.text.size() / 64)
        return fail(at, say::TooManyVariables);
    for (std::uint32_t k = 0; k < count; ++k) {
        out.push_back(first);
        out.back().name += std::to_string(k);
    }
    return true;
}

bool Parser::readVariables(Variable linkage, std::vector<Variable>& out) {
    if (!readVariableHead(linkage))
        return false;
    do {
        Variable v = linkage;
        v.line = peek().line;
        if (!readName(v.name, say::NameOfVariable))
            return false;
        if (accept('<')) { // %P<2> is %P0 and %P1
            if (!readSeveral(v, out))
                return false;
            continue;
        }
        if (!readDimensions(v))
            return false;
        if (accept('=') && !(v.opaque == Opaque::None ? readInitial(v) : readSettings(v)))
            return false;
        out.push_back(std::move(v));
    } while (accept(','));
    return expect(';');
}

// A register that is a vector becomes one parameter for each element, as a declared one does.
bool Parser::readParameters(std::vector<Variable>& out) {
    if (!expect('('))
        return false;
    bool first = true;
    while (!peek().is(')')) {
        if (!first && !expect(','))
            return false;
        first = false;
        Variable v;
        v.line = peek().line;
        if (!readVariableHead(v) || !readName(v.name, say::NameOfParameter) || !readDimensions(v))
            return false;
        if (v.space == StateSpace::Reg && v.vector > 1 && v.vector <= 4) {
            m_vectorParameters.emplace_back(v.name, std::uint32_t(v.vector));
            Variable element = v;
            element.vector = 1;
            for (std::uint32_t k = 0; k < std::uint32_t(v.vector); ++k) {
                element.name = elementName(v.name, k);
                out.push_back(element);
            }
            continue;
        }
        out.push_back(std::move(v));
    }
    return expect(')');
}

// --- initial values

// { addr_mode_0 = wrap, filter_mode = linear }
bool Parser::readSettings(Variable& v) {
    if (!expect('{'))
        return false;
    while (!peek().is('}')) {
        if (!v.settings.empty() && !expect(','))
            return false;
        std::string key;
        if (!readName(key, say::ASetting) || !expect('='))
            return false;
        if (peek().kind != Token::Kind::Name && peek().kind != Token::Kind::Number)
            return failExpected(say::ValueOfSetting);
        v.settings.emplace_back(std::move(key), next().text);
    }
    return expect('}');
}

bool Parser::readInitial(Variable& v) {
    const Token& at = peek();
    std::uint64_t end = 0;
    if (peek().is('{')) {
        if (!readInitialList(v, 0, 0, 0, end))
            return false;
    } else {
        if (!readInitialElement(v, 0))
            return false;
        end = std::uint64_t(bytesOf(v.type));
    }
    // "x[] = {1, 2}": the list says how long the array is.
    if (!v.dimensions.empty() && v.dimensions[0] == 0) {
        std::uint64_t row = std::uint64_t(bytesOf(v.type)) * std::uint64_t(v.vector);
        for (std::size_t i = 1; i < v.dimensions.size(); ++i)
            row *= v.dimensions[i];
        if (row == 0)
            return fail(at, say::InitialisedNeedsExtents);
        v.dimensions[0] = (end + row - 1) / row;
    }
    if (end > v.sizeBytes())
        return fail(at, say::TooManyValues(v.name));
    if (v.sizeBytes() > mostInitialBytes)
        return fail(at, say::TooLargeToInitialise(v.name));
    m_initialBytes += v.sizeBytes();
    if (m_initialBytes > mostInitialBytes + 4 * m_module.text.size()) // of "0," at least, of eight bytes
        return fail(at, say::TooManyBytes);
    v.initial.resize(v.sizeBytes());
    return true;
}

// A list fills its part of the array from offset on; end is where the last value ended.
bool Parser::readInitialList(Variable& v, std::size_t dimension, std::uint64_t offset, int depth, std::uint64_t& end) {
    if (depth > 16)
        return fail(peek(), say::ValuesTooDeep);
    if (!expect('{'))
        return false;
    std::uint64_t stride = std::uint64_t(bytesOf(v.type));
    for (std::size_t i = dimension + 1; i < v.dimensions.size(); ++i)
        stride = stride > mostInitialBytes ? stride : stride * v.dimensions[i];
    if (stride == 0)
        return fail(peek(), say::NoInitialValues);
    std::uint64_t at = offset;
    end = offset;
    while (!peek().is('}')) {
        if (at != offset && !expect(','))
            return false;
        if (at > mostInitialBytes)
            return fail(peek(), say::TooLargeToInitialise(v.name));
        if (peek().is('{')) {
            if (!readInitialList(v, dimension + 1, at, depth + 1, end))
                return false;
            at += stride;
        } else {
            if (!readInitialElement(v, at))
                return false;
            at += std::uint64_t(bytesOf(v.type));
            end = at;
        }
    }
    return expect('}');
}

bool Parser::readSymbolAddress(Variable::SymbolAddress& address) {
    address.generic = false;
    if (peek().is(std::string_view("generic")) && peek(1).is('(')) {
        address.generic = true;
        next();
        next();
    }
    m_symbolUses.emplace_back(std::string(peek().text), m_at);
    if (!readName(address.symbol, say::NameOfSymbol))
        return false;
    if (address.generic && !expect(')'))
        return false;
    address.addend = 0;
    const bool minus = peek().is('-');
    if ((accept('+') || accept('-')) && !readInt(address.addend, say::AnOffset))
        return false;
    if (minus)
        address.addend = -address.addend;
    return true;
}

// 0xFF00(symbol): one byte of an address in an array of bytes. Eight of them, lowest first, are the address.
bool Parser::readMaskedAddress(Variable& v, std::uint64_t offset) {
    const Token& at = next();
    const auto mask = integerLiteral(at.text);
    Variable::SymbolAddress address{};
    if (!expect('(') || !readSymbolAddress(address) || !expect(')'))
        return false;
    std::uint64_t byte = 0;
    while (byte < 8 && mask != (std::uint64_t(0xff) << (8 * byte)))
        ++byte;
    if (byte == 8 || bytesOf(v.type) != 1 || offset < byte)
        return fail(at, say::OnlyByteMasks);
    address.offset = offset - byte;
    if (byte == 0) {
        v.initialAddresses.push_back(address);
        return true;
    }
    if (v.initialAddresses.empty() || v.initialAddresses.back().offset != address.offset ||
        v.initialAddresses.back().symbol != address.symbol)
        return fail(at, say::BytesNotInOrder);
    return true;
}

bool Parser::readInitialElement(Variable& v, std::uint64_t offset) {
    const std::uint64_t size = std::uint64_t(bytesOf(v.type));
    if (size == 0 || size > 8)
        return fail(peek(), say::NoInitialValues);
    if (offset > mostInitialBytes)
        return fail(peek(), say::TooLargeToInitialise(v.name));
    if (v.initial.size() < offset + size)
        v.initial.resize(offset + size);
    if (peek().kind == Token::Kind::Number && peek(1).is('('))
        return readMaskedAddress(v, offset);
    if (peek().kind == Token::Kind::Name) {
        Variable::SymbolAddress address{};
        if (!readSymbolAddress(address))
            return false;
        address.offset = offset;
        v.initialAddresses.push_back(std::move(address));
        return true;
    }
    Operand value;
    if (!readNumber(value))
        return false;
    std::uint64_t bits = std::uint64_t(value.integer);
    if (value.kind == Operand::Kind::Float64 && v.type == Type::F32) {
        double wide = 0;
        std::memcpy(&wide, &bits, sizeof wide);
        const float narrow = float(wide);
        bits = 0;
        std::memcpy(&bits, &narrow, sizeof narrow);
    } else if (value.kind == Operand::Kind::Integer && (v.type == Type::F32 || v.type == Type::F64)) {
        const double wide = double(value.integer);
        const float narrow = float(value.integer);
        bits = 0;
        if (v.type == Type::F64)
            std::memcpy(&bits, &wide, sizeof wide);
        else
            std::memcpy(&bits, &narrow, sizeof narrow);
    }
    std::memcpy(v.initial.data() + offset, &bits, size); // both are little-endian
    return true;
}

} // namespace warpglass::ptx
