// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/held_arguments.h"
#include "gpu/base/messages/session.h"

#include "app/session/kernel_names.h"
#include "gpu/base/quantity.h"
#include "gpu/launch/elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>

namespace warpglass::session {

namespace {

constexpr std::uint64_t pointerBytes = 8;

// The word that --arg has for elements of such a type of the source; by the PTX's where it has none.
const char* elementOf(std::string_view type, ptx::Type ptxType) {
    for (const auto& [word, spec] : std::initializer_list<std::pair<const char*, const char*>>{
             {"unsigned long", "u64"},
             {"unsigned char", "u8"},
             {"unsigned short", "u16"},
             {"unsigned", "u32"},
             {"uchar", "u8"},
             {"ushort", "u16"},
             {"uint", "u32"},
             {"ulong", "u64"},
             {"dim3", "u32"},
             {"bfloat16", "bf16"},
             {"__half", "f16"},
             {"double", "f64"},
             {"float", "f32"},
             {"long", "i64"},
             {"bool", "u8"},
             {"char", "i8"},
             {"short", "i16"},
         })
        if (type.find(word) != std::string_view::npos)
            return spec;
    return ptxType == ptx::Type::F32 ? "f32" : ptxType == ptx::Type::F64 ? "f64" : "i32";
}

// CUDA's vectors and numbers of two bytes, which are structs to the PTX; empty for other structs.
std::string valueOfStruct(const std::string& type, const char* element) {
    if (type == "__half" || type == "__nv_bfloat16")
        return fmt::format("{}=0", element);
    static constexpr std::string_view vectors[] = {"char",  "uchar",    "short",     "ushort", "int",    "uint", "long",
                                                   "ulong", "longlong", "ulonglong", "float",  "double", "dim"};
    const std::string_view base = std::string_view(type).substr(0, type.size() - 1);
    const int fields = type.back() - '0';
    if (std::find(std::begin(vectors), std::end(vectors), base) == std::end(vectors) || fields < 1 || fields > 4)
        return {};
    std::string text;
    for (int k = 0; k < fields; ++k)
        text += fmt::format("{}{}:{}={}", k ? "," : "", "xyzw"[k], element, base == "dim" ? 1 : 0);
    return '{' + text + '}';
}

// How a person would describe this parameter, for the message that asks for it: by the type in the source where the
// kernel's name tells it, else by that of the PTX.
std::string exampleOf(const ptx::Variable& parameter, const KernelName& name, std::size_t index) {
    const bool told = index < name.parameters.size();
    const std::string type = told ? name.parameters[index] : fmt::format(".{}", ptx::name(parameter.type));
    std::string what = fmt::format("parameter {} is {}", index, type);
    const char* const element = elementOf(told ? type : "", parameter.type);
    if (parameter.isArray) {
        if (const std::string value = valueOfStruct(type, element); !value.empty())
            return fmt::format("{}: --arg p{}:{}", what, index, value);
        return fmt::format("{}, a struct of {}: --arg p{}:{{x:f32=0,n:i32=0}} with its fields", what,
                           quantity(parameter.sizeBytes(), "byte"), index);
    }
    if (told && type.ends_with("**"))
        return fmt::format("{}: --arg p{}:ptr[2]=a,b with --buffer a:{}[1024]=0 --buffer b:{}[1024]=0", what, index,
                           element, element);
    if (told && type.find('*') != std::string::npos) // of an array, too: float (*) [16]
        return fmt::format("{}: --arg p{}:{}[1024]=0", what, index, element);
    const std::uint64_t bytes = parameter.sizeBytes();
    if (!told && bytes == 8 && parameter.type != ptx::Type::F64)
        return fmt::format("{}: --arg p{}:i32[1024]=0 for a pointer, p{}:i64=0 for a number", what, index, index);
    const ElementType* known = findType(element);
    if (known && std::uint64_t(bytesOf(*known)) == bytes)
        return fmt::format("{}: --arg p{}:{}=0", what, index, element);
    for (const char* whole : {"i64", "u16", "u8"}) // of an enumeration, whose type nobody tells
        if (std::uint64_t(bytesOf(*findType(whole))) == bytes)
            return fmt::format("{}: --arg p{}:{}=0", what, index, whole);
    return what;
}

// Of a value of as many bytes: whether the kernel would take it for another number. Of the PTX's whole numbers nobody
// knows what they are, unless the source tells.
bool isAnotherNumber(const ptx::Variable& parameter, const KernelName& name, std::size_t index, const Argument& given) {
    const auto isReal = [](ptx::Type type) { return type == ptx::Type::F32 || type == ptx::Type::F64; };
    const bool told = index < name.parameters.size(), real = isReal(parameter.type);
    if (given.isBuffer || given.tensorMap || !given.pointers.empty() || parameter.isArray || (!real && !told))
        return false;
    return real ? given.type == ElementType::I32 || given.type == ElementType::U32 || given.type == ElementType::I64 ||
                      given.type == ElementType::U64
                : given.type == ElementType::F32 || given.type == ElementType::F64;
}

// What a pointer's type in the source says that it leads to, where that is a number of CUDA C++ or a vector of such.
struct Pointee {
    ElementType type = ElementType::I32;
    bool isVector = false;
};

std::optional<Pointee> pointeeOf(std::string_view type) {
    const std::size_t star = type.find('*');
    if (star == std::string_view::npos || type.find('*', star + 1) != std::string_view::npos || type.find('<') < star ||
        (star > 0 && type[star - 1] == '(' && !type.substr(star).starts_with("*) [")))
        return std::nullopt;
    std::string base; // without what says nothing about the type
    for (std::string_view rest = type.substr(0, type[star - 1] == '(' ? star - 1 : star); !rest.empty();) {
        const std::size_t blank = std::min(rest.find(' '), rest.size());
        const std::string_view word = rest.substr(0, blank);
        if (!word.empty() && word != "const" && word != "volatile")
            base += (base.empty() ? "" : " ") + std::string(word);
        rest.remove_prefix(std::min(blank + 1, rest.size()));
    }
    using enum ElementType;
    static constexpr std::pair<std::string_view, ElementType> numbers[] = {
        {"short", I16},   {"unsigned short", U16}, {"int", I32},       {"unsigned int", U32},
        {"long", I64},    {"unsigned long", U64},  {"long long", I64}, {"unsigned long long", U64},
        {"float", F32},   {"double", F64},         {"__half", F16},    {"__nv_bfloat16", BF16},
        {"__half2", F16}, {"__nv_bfloat162", BF16}};
    static constexpr std::pair<std::string_view, ElementType> vectors[] = {
        {"short", I16}, {"ushort", U16},   {"int", I32},       {"uint", U32},  {"long", I64},
        {"ulong", U64}, {"longlong", I64}, {"ulonglong", U64}, {"float", F32}, {"double", F64}};
    const auto in = [](const auto& all, std::string_view word) -> std::optional<ElementType> {
        const auto* const found =
            std::find_if(std::begin(all), std::end(all), [&](const auto& pair) { return pair.first == word; });
        return found == std::end(all) ? std::nullopt : std::optional(found->second);
    };
    if (const auto number = in(numbers, base))
        return Pointee{*number, false};
    if (base.size() > 1 && base.back() >= '1' && base.back() <= '4')
        if (const auto number = in(vectors, std::string_view(base).substr(0, base.size() - 1)))
            return Pointee{*number, true};
    return std::nullopt;
}

// Of a buffer: whether its elements are other numbers to the kernel, or of other widths. Whole numbers of one width are
// the same but for their sign, and those of 16 bits hold the small floats, too; vectors of whole numbers carry anything.
// Bytes from a file, of digits or of bytes are what they are, and zeros are zero in all of a width.
bool isOfOtherNumbers(const KernelName& name, std::size_t index, const Argument& given, std::string_view spec) {
    const std::string_view initial = spec.substr(std::min(spec.find('='), spec.size()));
    if (!given.isBuffer || index >= name.parameters.size() || bytesOf(given.type) == 1 ||
        initial.starts_with("=file:") || initial.starts_with("=hex:"))
        return false;
    const auto wanted = pointeeOf(name.parameters[index]);
    if (!wanted || wanted->type == given.type)
        return false;
    const bool whole = !isFloat(wanted->type) && !isFloat(given.type);
    const bool small = bytesOf(wanted->type) == 2 && (!isFloat(wanted->type) || !isFloat(given.type));
    const bool zero = initial.empty() || initial == "=0";
    if ((whole || small || zero) && bytesOf(wanted->type) == bytesOf(given.type))
        return false;
    return !wanted->isVector || isFloat(wanted->type);
}

} // namespace

Result<void> holdAgainstParameters(const ptx::Function& entry, const std::vector<Argument>& arguments,
                                   std::span<const std::string> specs, const std::string& file, int line) {
    const KernelName name = kernelName(entry.name);
    if (arguments.size() != entry.params.size()) {
        std::string wanted;
        for (std::size_t i = 0; i < entry.params.size(); ++i)
            wanted += (i ? "; " : "") + exampleOf(entry.params[i], name, i);
        return Error{.message = say::ArgumentsGiven(name.plain, entry.params.size(), arguments.size()),
                     .file = file,
                     .line = line,
                     .remedy = wanted.empty() ? Said(say::LeaveArgOut) : Said(say::OneArgEach(wanted))};
    }
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::uint64_t wanted = entry.params[i].sizeBytes();
        const std::uint64_t given = arguments[i].isBuffer ? pointerBytes : arguments[i].scalar.size();
        if (given != wanted)
            return Error{.message = say::ArgumentOfBytes(arguments[i].name, given, std::to_string(i), wanted),
                         .file = file,
                         .line = line,
                         .remedy = say::InTheKernel(exampleOf(entry.params[i], name, i))};
        if (isAnotherNumber(entry.params[i], name, i, arguments[i]))
            return Error{.message = say::ArgumentOtherNumber(arguments[i].name, warpglass::name(arguments[i].type),
                                                             std::to_string(i)),
                         .file = file,
                         .line = line,
                         .remedy = say::InTheKernel(exampleOf(entry.params[i], name, i))};
        if (isOfOtherNumbers(name, i, arguments[i], i < specs.size() ? specs[i] : ""))
            return Error{.message = say::BufferOtherNumbers(arguments[i].name, warpglass::name(arguments[i].type),
                                                            std::to_string(i)),
                         .file = file,
                         .line = line,
                         .remedy = say::InTheKernelBytes(exampleOf(entry.params[i], name, i))};
    }
    return {};
}

} // namespace warpglass::session
