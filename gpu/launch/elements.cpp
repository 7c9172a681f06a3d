// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/launch/elements.h"
#include "gpu/base/messages/code.h"
#include "gpu/base/messages/launch.h"
#include "gpu/base/quantity.h"
#include "gpu/launch/half.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <span>

namespace warpglass {

namespace {

struct TypeName {
    std::string_view text;
    ElementType type;
};
constexpr TypeName typeNames[] = {
    {"i8", ElementType::I8},   {"u8", ElementType::U8},     {"i16", ElementType::I16}, {"u16", ElementType::U16},
    {"i32", ElementType::I32}, {"u32", ElementType::U32},   {"i64", ElementType::I64}, {"u64", ElementType::U64},
    {"f16", ElementType::F16}, {"bf16", ElementType::BF16}, {"f32", ElementType::F32}, {"f64", ElementType::F64},
    {"ptr", ElementType::Ptr},
};

// What people write who come from PTX or from C++.
constexpr TypeName otherNames[] = {
    {"s8", ElementType::I8},        {"s16", ElementType::I16},      {"s32", ElementType::I32},
    {"s64", ElementType::I64},      {"int", ElementType::I32},      {"float", ElementType::F32},
    {"double", ElementType::F64},   {"half", ElementType::F16},     {"bool", ElementType::U8},
    {"char", ElementType::I8},      {"uchar", ElementType::U8},     {"short", ElementType::I16},
    {"uint", ElementType::U32},     {"unsigned", ElementType::U32}, {"long", ElementType::I64},
    {"size_t", ElementType::U64},   {"int8_t", ElementType::I8},    {"int16_t", ElementType::I16},
    {"int32_t", ElementType::I32},  {"int64_t", ElementType::I64},  {"uint8_t", ElementType::U8},
    {"uint16_t", ElementType::U16}, {"uint32_t", ElementType::U32}, {"uint64_t", ElementType::U64},
};

// Parts of text between separators, those inside { } and [ ] and ( ) left whole.
std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        depth += text[i] == '{' || text[i] == '[' || text[i] == '(';
        depth -= text[i] == '}' || text[i] == ']' || text[i] == ')';
        if (text[i] == separator && depth == 0) {
            parts.push_back(text.substr(begin, i - begin));
            begin = i + 1;
        }
    }
    parts.push_back(text.substr(begin));
    return parts;
}

} // namespace

const ElementType* findType(std::string_view text) {
    for (const std::span<const TypeName> names :
         {std::span<const TypeName>(typeNames), std::span<const TypeName>(otherNames)})
        for (const TypeName& name : names)
            if (name.text == text)
                return &name.type;
    return nullptr;
}

std::string typeList() {
    std::string list;
    for (const TypeName& type : typeNames)
        list += (list.empty() ? "" : " ") + std::string(type.text);
    return list;
}

bool isFloat(ElementType type) {
    return type == ElementType::F16 || type == ElementType::BF16 || type == ElementType::F32 ||
           type == ElementType::F64;
}
double floatOf(std::uint64_t bits, ElementType type) {
    switch (type) {
    case ElementType::F16:
        return valueOf(std::uint16_t(bits), binary16);
    case ElementType::BF16:
        return valueOf(std::uint16_t(bits), bfloat16);
    case ElementType::F64:
        return std::bit_cast<double>(bits);
    default:
        return double(std::bit_cast<float>(std::uint32_t(bits)));
    }
}
std::uint64_t floatBits(double value, ElementType type) {
    switch (type) {
    case ElementType::F16:
        return bitsOf(value, binary16);
    case ElementType::BF16:
        return bitsOf(value, bfloat16);
    case ElementType::F64:
        return std::bit_cast<std::uint64_t>(value);
    default:
        return std::bit_cast<std::uint32_t>(float(value));
    }
}
bool isSigned(ElementType type) {
    return type == ElementType::I8 || type == ElementType::I16 || type == ElementType::I32 || type == ElementType::I64;
}

std::optional<std::uint64_t> parseUnsigned(std::string_view text) {
    int base = 10;
    if (text.starts_with("0x") || text.starts_with("0X")) {
        text.remove_prefix(2);
        base = 16;
    }
    std::uint64_t value = 0;
    auto [next, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (text.empty() || error != std::errc{} || next != text.data() + text.size())
        return std::nullopt;
    return value;
}

// The element's bits in the low bytesOf(type) bytes; nothing if it is no number or does not fit the type.
std::optional<std::uint64_t> parseElement(std::string_view text, ElementType type) {
    if (isFloat(type)) {
        double value = 0;
        if (!text.empty() && text.front() == '+')
            text.remove_prefix(1);
        auto [next, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (text.empty() || error != std::errc{} || next != text.data() + text.size())
            return std::nullopt;
        return floatBits(value, type);
    }
    if (text == "true" || text == "false")
        return std::uint64_t(text == "true");
    const bool negative = !text.empty() && text.front() == '-';
    if (negative || (!text.empty() && text.front() == '+'))
        text.remove_prefix(1);
    const auto magnitude = parseUnsigned(text);
    if (!magnitude)
        return std::nullopt;
    const int bits = 8 * bytesOf(type);
    const std::uint64_t largest = ~std::uint64_t(0) >> (64 - bits + (isSigned(type) ? 1 : 0));
    if (negative)
        return isSigned(type) && *magnitude <= largest + 1 ? std::optional(std::uint64_t(0) - *magnitude)
                                                           : std::nullopt;
    return *magnitude <= largest ? magnitude : std::nullopt;
}

Message rangeOf(ElementType type) {
    if (isFloat(type))
        return say::ANumber;
    const int bits = 8 * bytesOf(type);
    const std::uint64_t largest = ~std::uint64_t(0) >> (64 - bits + (isSigned(type) ? 1 : 0));
    return isSigned(type) ? say::WholeNumberSigned(largest + 1, largest) : say::WholeNumber(largest);
}

Error wrongArgument(std::string_view spec, Message what) {
    return Error{.message = std::move(what), .file = fmt::format("--arg {}", spec), .remedy = say::ArgumentForm};
}

Result<void> parsePointers(std::string_view spec, std::string_view text, char separator, std::uint64_t offset,
                           std::uint64_t count, std::vector<BufferPointer>& pointers) {
    const auto items = split(text, separator);
    if (items.size() > count)
        return wrongArgument(spec, say::AddressesFor(items.size(), count));
    for (std::size_t i = 0; i < items.size(); ++i) {
        const std::size_t plus = items[i].find('+');
        const std::string_view buffer = items[i].substr(0, plus);
        const auto addend =
            plus == std::string_view::npos ? std::optional<std::uint64_t>(0) : parseUnsigned(items[i].substr(plus + 1));
        if (buffer.empty() || !addend)
            return wrongArgument(spec, say::NoAddressForm(items[i]));
        if (buffer != "0")
            pointers.push_back({.offset = offset + 8 * i, .buffer = std::string(buffer), .addend = *addend});
    }
    return {};
}

Result<Argument> parseStruct(std::string_view spec, std::string name, std::string_view text) {
    Argument argument{.name = std::move(name), .type = ElementType::U8};
    if (!text.ends_with('}'))
        return wrongArgument(spec, say::StructEnds);
    std::size_t alignment = 1;
    for (const std::string_view field : split(text.substr(1, text.size() - 2), ',')) {
        const std::size_t colon = field.find(':');
        const std::size_t equals = field.find('=');
        const std::string_view shape = colon == std::string_view::npos ? field.substr(0, equals)
                                       : equals == std::string_view::npos
                                           ? field.substr(colon + 1)
                                           : field.substr(colon + 1, equals - std::min(equals, colon + 1));
        const std::size_t bracket = shape.find('[');
        const ElementType* type = findType(shape.substr(0, bracket));
        if (!type)
            return wrongArgument(spec, field.find(":{") != std::string_view::npos ? say::StructInStruct(field)
                                                                                  : say::NoField(field, typeList()));
        std::uint64_t count = 1;
        if (bracket != std::string_view::npos) {
            const auto given = shape.ends_with(']')
                                   ? parseUnsigned(shape.substr(bracket + 1, shape.size() - bracket - 2))
                                   : std::nullopt;
            if (!given || *given == 0 || *given > 4096) // parameters of a kernel have 4 KB in all, 32 KB on newer ones
                return wrongArgument(spec, say::FieldElements(field));
            count = *given;
        }
        const auto width = std::size_t(bytesOf(*type));
        alignment = std::max(alignment, width);
        const std::size_t offset = (argument.scalar.size() + width - 1) / width * width;
        argument.scalar.resize(offset + width * count);
        if (equals == std::string_view::npos)
            continue;
        const std::string_view values = field.substr(equals + 1);
        if (*type == ElementType::Ptr) {
            if (auto ok = parsePointers(spec, values, ';', offset, count, argument.pointers); !ok)
                return ok.error();
            continue;
        }
        const auto items = split(values, ';');
        if (items.size() > count)
            return wrongArgument(spec, say::ValuesFor(items.size(), count, field));
        for (std::size_t i = 0; i < items.size(); ++i) {
            const auto value = parseElement(items[i], *type);
            if (!value)
                return wrongArgument(spec, say::IsNot(items[i], rangeOf(*type)));
            std::memcpy(argument.scalar.data() + offset + i * width, &*value, width);
        }
    }
    argument.scalar.resize((argument.scalar.size() + alignment - 1) / alignment * alignment);
    return argument;
}

} // namespace warpglass
