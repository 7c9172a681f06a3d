// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a person types becomes bytes here, and nowhere else. Parsing does all that can fail (numbers out of range, files
// that are too short), so that filling a buffer later, perhaps twice and on another thread, cannot.
#include "gpu/launch/arguments.h"

#include "gpu/base/messages/launch.h"
#include "gpu/base/new_file.h"
#include "gpu/base/quantity.h"
#include "gpu/base/read_file.h"
#include "gpu/launch/elements.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>
#include <random>

namespace warpglass {

static_assert(std::endian::native == std::endian::little, "buffers are little-endian as on the GPU");

namespace {

constexpr std::uint64_t largestBuffer = std::uint64_t(1) << 40; // bytes; more than any device holds

Error wrong(std::string_view spec, Message what) {
    return wrongArgument(spec, std::move(what));
}

void put(std::span<std::byte> bytes, std::size_t element, int width, std::uint64_t value) {
    std::memcpy(bytes.data() + element * std::size_t(width), &value, std::size_t(width));
}

using Fill = std::function<void(std::span<std::byte>)>;

// Who writes a word where a number stands is told what else a buffer can begin with.
bool isWord(std::string_view item) {
    return !item.empty() && (std::isalpha(static_cast<unsigned char>(item[0])) || item[0] == '_');
}

Result<Fill> constantOrList(std::string_view spec, std::string_view initial, ElementType type, std::uint64_t count) {
    std::vector<std::uint64_t> values;
    for (std::string_view rest = initial;;) {
        const std::size_t comma = rest.find(',');
        const std::string_view item = rest.substr(0, comma);
        const auto value = parseElement(item, type);
        if (!value)
            return wrong(spec, (isWord(item) ? say::IsNotContents : say::IsNot)(item, rangeOf(type)));
        values.push_back(*value);
        if (comma == std::string_view::npos)
            break;
        rest.remove_prefix(comma + 1);
    }
    if (values.size() > count)
        return wrong(spec, say::InitialValuesFor(values.size(), count));
    const int width = bytesOf(type);
    if (initial.find(',') != std::string_view::npos)
        return Fill([values, width](std::span<std::byte> bytes) {
            for (std::size_t i = 0; i < values.size(); ++i)
                put(bytes, i, width, values[i]);
        });
    if (values[0] == 0) // buffers are zeroed before
        return Fill([](std::span<std::byte>) {});
    return Fill([value = values[0], width](std::span<std::byte> bytes) {
        for (std::size_t i = 0; i < bytes.size() / std::size_t(width); ++i)
            put(bytes, i, width, value);
    });
}

Fill iota(ElementType type) {
    return [type](std::span<std::byte> bytes) {
        const int width = bytesOf(type);
        for (std::uint64_t i = 0; i < bytes.size() / std::size_t(width); ++i) {
            std::uint64_t value = i;
            if (isFloat(type))
                value = floatBits(double(i), type);
            put(bytes, i, width, value);
        }
    };
}

Fill randomFloats(double low, double high, ElementType type, std::uint32_t seed) {
    return [=](std::span<std::byte> bytes) {
        std::mt19937 engine(seed);
        const int width = bytesOf(type);
        for (std::size_t i = 0; i < bytes.size() / std::size_t(width); ++i) {
            const double value = low + (high - low) * (double(engine()) * 0x1p-32);
            put(bytes, i, width, floatBits(value, type));
        }
    };
}

Fill randomIntegers(std::uint64_t low, std::uint64_t span, ElementType type, std::uint32_t seed) { // span 0 = 2^64
    return [=](std::span<std::byte> bytes) {
        std::mt19937 engine(seed);
        const int width = bytesOf(type);
        const bool wide = span == 0 || span > 0x100000000ull;
        for (std::size_t i = 0; i < bytes.size() / std::size_t(width); ++i) {
            std::uint64_t draw = engine();
            if (wide)
                draw |= std::uint64_t(engine()) << 32;
            put(bytes, i, width, low + (span == 0 ? draw : draw % span));
        }
    };
}

// random(A,B) or random(A,B,seed=S)
Result<Fill> parseRandom(std::string_view spec, std::string_view inside, ElementType type) {
    std::vector<std::string_view> parts;
    for (std::string_view rest = inside;;) {
        const std::size_t comma = rest.find(',');
        parts.push_back(rest.substr(0, comma));
        if (comma == std::string_view::npos)
            break;
        rest.remove_prefix(comma + 1);
    }
    const bool seeded = parts.size() == 3 && parts[2].starts_with("seed=");
    if (parts.size() != 2 && !seeded)
        return wrong(spec, say::RandomForm);
    // The ends of 16-bit floats need not be such numbers themselves: what is drawn is rounded.
    const ElementType ends = isFloat(type) && bytesOf(type) == 2 ? ElementType::F32 : type;
    const auto low = parseElement(parts[0], ends), high = parseElement(parts[1], ends);
    if (!low || !high)
        return wrong(spec, say::IsNot(!low ? parts[0] : parts[1], rangeOf(ends)));
    std::uint32_t seed = 1;
    if (seeded) {
        const auto given = parseUnsigned(parts[2].substr(5));
        if (!given || *given > 0xffffffffu)
            return wrong(spec, say::SeedForm(parts[2].substr(5)));
        seed = std::uint32_t(*given);
    }
    if (isFloat(type)) {
        const double from = floatOf(*low, ends), to = floatOf(*high, ends);
        if (from > to)
            return wrong(spec, say::RandomEnds);
        return randomFloats(from, to, type, seed);
    }
    if (isSigned(type) ? std::int64_t(*low) > std::int64_t(*high) : *low > *high)
        return wrong(spec, say::RandomEnds);
    return randomIntegers(*low, *high - *low + 1, type, seed);
}

Result<Fill> fromFile(std::string_view spec, std::string_view path, std::uint64_t needed) {
    if (!mayBeRead(path))
        return wrong(spec, say::NoFileBut(path));
    std::ifstream in(std::string(path), std::ios::binary | std::ios::ate);
    if (!in)
        return wrong(spec, say::FileUnreadable(path));
    const auto size = std::uint64_t(std::max<std::streamoff>(in.tellg(), 0));
    if (size < needed)
        return wrong(spec, say::FileTooShort(path, size, needed));
    auto bytes = std::make_shared<std::vector<std::byte>>(needed);
    in.seekg(0);
    if (!in.read(reinterpret_cast<char*>(bytes->data()), std::streamsize(needed)))
        return wrong(spec, say::FileUnreadable(path));
    return Fill([bytes](std::span<std::byte> to) {
        std::memcpy(to.data(), bytes->data(), std::min(to.size(), bytes->size()));
    });
}

// Two digits a byte, in the order of memory; what is not given stays zero.
Result<Fill> fromDigits(std::string_view spec, std::string_view digits, std::uint64_t room) {
    auto bytes = std::make_shared<std::vector<std::byte>>();
    bytes->reserve(digits.size() / 2);
    for (std::size_t i = 0; i < digits.size(); i += 2) {
        unsigned value = 0;
        const char* end = digits.data() + std::min(i + 2, digits.size());
        if (const auto [next, error] = std::from_chars(digits.data() + i, end, value, 16);
            error != std::errc{} || next != end || i + 2 > digits.size())
            return wrong(spec, say::HexDigits(digits.substr(i, 2), i / 2));
        bytes->push_back(std::byte(value));
    }
    if (bytes->size() > room)
        bytes->resize(room); // as of a file that is longer
    return Fill([bytes](std::span<std::byte> to) {
        std::copy_n(bytes->begin(), std::min(to.size(), bytes->size()), to.begin());
    });
}

Result<Fill> ofWords(std::string_view spec, std::string_view initial, ElementType type, std::uint64_t count) {
    if (initial == "iota")
        return iota(type);
    if (initial.starts_with("random(") && initial.ends_with(")"))
        return parseRandom(spec, initial.substr(7, initial.size() - 8), type);
    if (initial.starts_with("hex:"))
        return fromDigits(spec, initial.substr(4), count * std::uint64_t(bytesOf(type)));
    return constantOrList(spec, initial, type, count);
}

} // namespace

Result<Fill> parseInitial(std::string_view spec, std::string_view initial, ElementType type, std::uint64_t count) {
    if (initial.starts_with("file:"))
        return fromFile(spec, initial.substr(5), count * std::uint64_t(bytesOf(type)));
    auto fill = ofWords(spec, initial, type, count);
    if (!fill)
        return fill.error();
    return Fill(FillOfWords{std::string(initial), type, count, std::move(*fill)});
}

Result<Argument> parseArgument(std::string_view spec) {
    Argument argument;
    const std::size_t colon = spec.find(':');
    if (colon == std::string_view::npos || colon == 0)
        return wrong(spec, say::ArgumentStart);
    argument.name = spec.substr(0, colon);

    std::string_view rest = spec.substr(colon + 1);
    if (rest.starts_with('{'))
        return parseStruct(spec, std::move(argument.name), rest);
    if (constexpr std::string_view tensor = "tensormap="; rest.starts_with(tensor)) {
        auto map = parseTensorMap(spec, rest.substr(tensor.size()));
        if (!map)
            return map.error();
        argument.type = ElementType::U8;
        argument.scalar.resize(tensorMapBytes);
        argument.tensorMap = std::move(*map);
        return argument;
    }
    const std::size_t typeEnd = std::min({rest.find('['), rest.find('='), rest.size()});
    const ElementType* type = findType(rest.substr(0, typeEnd));
    if (!type)
        return wrong(spec, say::NoTypeOf(rest.substr(0, typeEnd), typeList()));
    argument.type = *type;
    rest.remove_prefix(typeEnd);

    if (rest.starts_with('[')) {
        const std::size_t close = rest.find(']');
        const auto count = close == std::string_view::npos ? std::nullopt : parseUnsigned(rest.substr(1, close - 1));
        if (!count || *count == 0)
            return wrong(spec, say::ElementCount);
        if (*count > largestBuffer / std::uint64_t(bytesOf(argument.type)))
            return wrong(spec, say::TooManyElements(*count));
        argument.isBuffer = true;
        argument.count = *count;
        rest.remove_prefix(close + 1);
    }
    if (rest.empty() && argument.isBuffer) {
        argument.uninitialised = true;
        return argument;
    }
    if (!rest.starts_with('=') || rest.size() == 1)
        return wrong(spec, argument.isBuffer ? say::ContentsAfterCount : say::ValueNeeds);
    rest.remove_prefix(1);

    if (argument.type == ElementType::Ptr) {
        if (auto ok = parsePointers(spec, rest, ',', 0, argument.count, argument.pointers); !ok)
            return ok.error();
        argument.scalar.resize(argument.isBuffer ? 0 : 8);
        return argument;
    }
    if (argument.isBuffer) {
        auto fill = parseInitial(spec, rest, argument.type, argument.count);
        if (!fill)
            return fill.error();
        argument.fill = std::move(*fill);
        return argument;
    }
    const auto value = parseElement(rest, argument.type);
    if (!value)
        return wrong(spec, say::IsNot(rest, rangeOf(argument.type)));
    argument.scalar.resize(std::size_t(bytesOf(argument.type)));
    std::memcpy(argument.scalar.data(), &*value, argument.scalar.size());
    return argument;
}

Result<std::vector<Argument>> parseArguments(std::span<const std::string> specs) {
    std::vector<Argument> arguments;
    for (const std::string& spec : specs) {
        auto argument = parseArgument(spec);
        if (!argument)
            return argument.error();
        for (const Argument& other : arguments)
            if (other.name == argument->name)
                return wrong(spec, say::NameTwice(other.name));
        arguments.push_back(std::move(*argument));
    }
    return arguments;
}

Result<void> checkPointers(const LaunchPlan& plan) {
    std::vector<const Argument*> buffers;
    std::string names;
    for (const auto* all : {&plan.arguments, &plan.globalBuffers})
        for (const Argument& a : *all)
            if (a.isBuffer) {
                buffers.push_back(&a);
                names += (names.empty() ? "" : ", ") + a.name;
            }
    const auto isObject = [&](const std::string& name) { // a texture or a surface
        const auto named = [&](const auto& object) { return object.name == name; };
        return std::any_of(plan.textures.begin(), plan.textures.end(), named) ||
               std::any_of(plan.surfaces.begin(), plan.surfaces.end(), named);
    };
    const auto check = [&](const std::vector<BufferPointer>& pointers, const std::string& where) -> Result<void> {
        for (const BufferPointer& pointer : pointers)
            if (!isObject(pointer.buffer) && std::none_of(buffers.begin(), buffers.end(),
                                                          [&](const Argument* a) { return a->name == pointer.buffer; }))
                return Error{.message = say::PointsToNone(where, pointer.buffer),
                             .file = "--arg",
                             .remedy = names.empty() ? say::AddBuffer : say::BuffersAre(names)};
        return {};
    };
    for (const auto* all : {&plan.arguments, &plan.globalBuffers})
        for (const Argument& a : *all)
            if (auto ok = check(a.pointers, a.name); !ok)
                return ok;
    for (const GlobalPatch& g : plan.globals)
        if (auto ok = check(g.pointers, g.symbol); !ok)
            return ok;
    return {};
}

Result<DumpRequest> parseDump(std::string_view spec) {
    const std::size_t equals = spec.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == spec.size())
        return Error{.message = say::DumpForm, .file = fmt::format("--dump {}", spec), .remedy = say::DumpExample};
    return DumpRequest{std::string(spec.substr(0, equals)),
                       std::filesystem::path(std::string(spec.substr(equals + 1)))};
}

Result<void> dump(const DumpRequest& request, std::span<const Argument> arguments, const Buffers& buffers) {
    std::string names;
    for (std::size_t i = 0; i < arguments.size() && i < buffers.size(); ++i) {
        if (!arguments[i].isBuffer)
            continue;
        names += (names.empty() ? "" : ", ") + arguments[i].name;
        if (arguments[i].name != request.argument)
            continue;
        NewFile out(request.file);
        out.stream().write(reinterpret_cast<const char*>(buffers[i].data()), std::streamsize(buffers[i].size()));
        if (!out.finish())
            return Error{.message = say::BytesUnwritten(buffers[i].size()),
                         .file = request.file.string(),
                         .remedy = say::CheckFolder};
        return {};
    }
    return Error{.message = say::NoBufferNamed(request.argument),
                 .file = "--dump",
                 .remedy = names.empty() ? say::NoBuffersAtAll : say::ItsBuffers(names)};
}

} // namespace warpglass
