// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/launch/texture_words.h"

#include "gpu/base/messages/files.h"
#include "gpu/base/messages/launch.h"
#include "gpu/launch/arguments.h"
#include "gpu/launch/elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

namespace warpglass {

namespace {

// One spec being read: its text, for errors, and what it has said so far.
struct Words {
    std::string_view option, spec;
    TexelArray array;
    Sampler sampler;
    bool lodGiven = false;

    Error wrong(Said what) const {
        return Error{.message = std::move(what),
                     .file = fmt::format("{} {}", option, spec),
                     .remedy = option == "--texture" ? say::TextureForm : say::SurfaceForm};
    }
};

std::vector<std::string_view> pieces(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos)
            return parts;
        text.remove_prefix(end + 1);
    }
}

std::optional<float> realNumber(std::string_view text) {
    const auto bits = parseElement(text, ElementType::F32);
    return bits ? std::optional(std::bit_cast<float>(std::uint32_t(*bits))) : std::nullopt;
}

Result<void> readSize(Words& w, std::string_view text) {
    const auto parts = pieces(text, 'x');
    std::vector<std::uint32_t> sizes;
    for (const std::string_view part : parts) {
        const auto size = parseUnsigned(part);
        if (!size || *size == 0 || *size > 0x7fffffff)
            return w.wrong(say::NoSize(text));
        sizes.push_back(std::uint32_t(*size));
    }
    const ArrayShape shape = w.array.shape;
    const std::size_t axes =
        shape == ArrayShape::D1 || shape == ArrayShape::Linear                                          ? 1
        : shape == ArrayShape::D3 || shape == ArrayShape::D2Layered || shape == ArrayShape::CubeLayered ? 3
                                                                                                        : 2;
    if (sizes.size() != axes)
        return w.wrong(say::SizeCount(name(shape), axes, sizes.size()));
    Extent& e = w.array.extent;
    e.width = sizes[0];
    if (shape == ArrayShape::D1Layered)
        e.depth = sizes[1];
    else if (axes > 1)
        e.height = sizes[1];
    if (axes == 3)
        e.depth = sizes[2];
    if (isCube(shape))
        e.depth = axes == 3 ? sizes[2] * 6 : 6;
    return {};
}

Result<void> readFormat(Words& w, std::string_view text) {
    const std::size_t times = text.find('x');
    for (const ChannelType type : allOf<ChannelType>)
        if (text.substr(0, times) == name(type)) {
            const auto channels = times == std::string_view::npos ? std::optional<std::uint64_t>(1)
                                                                  : parseUnsigned(text.substr(times + 1));
            if (!channels || (*channels != 1 && *channels != 2 && *channels != 4))
                return w.wrong(say::NoChannelNumber(text));
            w.array.type = type;
            w.array.channels = std::uint32_t(*channels);
            return {};
        }
    return w.wrong(say::NoFormat(text));
}

Result<bool> readAddressModes(Words& w, std::string_view text) {
    const auto parts = pieces(text, '/');
    std::vector<AddressMode> modes;
    for (const std::string_view part : parts) {
        const auto mode = parseEnum<AddressMode>(part);
        if (!mode)
            return modes.empty() ? Result<bool>(false) : Result<bool>(w.wrong(mode.error().message));
        modes.push_back(*mode);
    }
    if (modes.size() > 3)
        return w.wrong(say::TooManyModes);
    for (std::size_t axis = 0; axis < 3; ++axis)
        w.sampler.address[axis] = modes[std::min(axis, modes.size() - 1)];
    return true;
}

Result<void> readBorder(Words& w, std::string_view text) {
    const auto parts = pieces(text, ';');
    if (parts.size() > 4)
        return w.wrong(say::BorderForm);
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const auto value = realNumber(parts[k]);
        if (!value)
            return w.wrong(say::NoBorderChannel(parts[k]));
        w.sampler.border[k] = *value;
    }
    return {};
}

// False: the word is no option.
Result<bool> readOption(Words& w, std::string_view word) {
    Sampler& s = w.sampler;
    const std::size_t equals = word.find('=');
    const std::string_view key = word.substr(0, equals);
    const std::string_view value = equals == std::string_view::npos ? "" : word.substr(equals + 1);
    if (word == "point" || word == "linear")
        s.linear = word == "linear";
    else if (word == "normalized" || word == "normalised")
        s.normalized = true;
    else if (word == "float")
        s.asFloat = true;
    else if (word == "srgb")
        s.srgb = true;
    else if (key == "border" && equals != std::string_view::npos) {
        if (auto ok = readBorder(w, value); !ok)
            return ok.error();
    } else if (key == "levels") {
        const auto levels = parseUnsigned(value);
        if (!levels || *levels == 0 || *levels > 32)
            return w.wrong(say::NoLevelNumber(value));
        w.array.levels = std::uint32_t(*levels);
    } else if (key == "mip") {
        if (value != "point" && value != "linear")
            return w.wrong(say::NoLevelFilter(value));
        s.mipLinear = value == "linear";
    } else if (key == "bias") {
        const auto bias = realNumber(value);
        if (!bias)
            return w.wrong(say::NoBias(value));
        s.bias = *bias;
    } else if (key == "lod") {
        const std::size_t dots = value.find("..");
        const auto low = realNumber(value.substr(0, dots));
        const auto high = dots == std::string_view::npos ? std::nullopt : realNumber(value.substr(dots + 2));
        if (!low || !high || *low > *high)
            return w.wrong(say::NoLevels(value));
        s.minLevel = *low;
        s.maxLevel = *high;
        w.lodGiven = true;
    } else if (key == "anisotropy" || key == "seamless") {
        return w.wrong(say::OptionUnknown(key));
    } else {
        return readAddressModes(w, word);
    }
    return true;
}

// Options of one part; false if it is none, but the initial contents.
Result<bool> readOptions(Words& w, std::string_view text) {
    bool first = true;
    for (const std::string_view word : pieces(text, ',')) {
        if (word.empty())
            continue;
        auto known = readOption(w, word);
        if (!known)
            return known;
        if (!*known && first)
            return false;
        if (!*known)
            return w.wrong(say::NoTextureOption(word));
        first = false;
    }
    return true;
}

ElementType elementOf(ChannelType type) {
    constexpr std::array<ElementType, 8> types{ElementType::U8,  ElementType::U16, ElementType::U32, ElementType::I8,
                                               ElementType::I16, ElementType::I32, ElementType::F16, ElementType::F32};
    return types[std::size_t(type)];
}

Result<void> readInitial(Words& w, std::string_view text) {
    const std::uint64_t count = w.array.bytes() / bytesOf(w.array.type);
    auto fill = parseInitial(w.spec, text, elementOf(w.array.type), count);
    if (!fill)
        return w.wrong(fill.error().message);
    w.array.fill = std::move(*fill);
    return {};
}

// The array named, of a texture or a surface that is already there.
std::optional<std::uint32_t> arrayOf(const LaunchPlan& plan, std::string_view name) {
    for (const TextureBinding& t : plan.textures)
        if (t.name == name)
            return t.array;
    for (const SurfaceBinding& s : plan.surfaces)
        if (s.name == name)
            return s.array;
    return std::nullopt;
}

// Reads the spec; the array's number in plan.arrays.
Result<std::uint32_t> read(LaunchPlan& plan, Words& w) {
    const std::size_t equals = w.spec.find('=');
    if (equals == std::string_view::npos || equals == 0)
        return w.wrong(say::StartsWithName);
    w.array.name = w.spec.substr(0, equals);
    if (arrayOf(plan, w.array.name))
        return w.wrong(say::NameTwice(w.array.name));
    std::string_view rest = w.spec.substr(equals + 1);
    const auto part = [&] { // the next one; the last may hold colons
        const std::size_t colon = rest.find(':');
        const std::string_view text = rest.substr(0, colon);
        rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
        return text;
    };
    if (rest.starts_with('@')) {
        const std::string_view other = part().substr(1);
        const auto array = arrayOf(plan, other);
        if (!array)
            return w.wrong(say::NoTextureBefore(other));
        const auto options = readOptions(w, rest);
        if (!options)
            return options.error();
        if (!*options)
            return w.wrong(say::ArrayHasContents);
        return *array;
    }
    const std::string_view shape = part();
    const auto known = parseEnum<ArrayShape>(shape);
    if (!known)
        return w.wrong(say::ShapesAre(known.error().message, wordsText<ArrayShape>()));
    w.array.shape = *known;
    if (auto ok = readSize(w, part()); !ok)
        return ok.error();
    if (auto ok = readFormat(w, part()); !ok)
        return ok.error();
    if (!rest.empty()) {
        const std::string_view before = rest;
        const auto options = readOptions(w, part());
        if (!options)
            return options.error();
        if (!*options)
            rest = before;
    }
    if (auto ok = checkArray(w.array); !ok)
        return w.wrong(say::WithRemedy(ok.error().message, ok.error().remedy));
    if (!rest.empty())
        if (auto ok = readInitial(w, rest); !ok)
            return ok.error();
    plan.arrays.push_back(w.array);
    return std::uint32_t(plan.arrays.size() - 1);
}

} // namespace

Result<void> addTexture(LaunchPlan& plan, std::string_view spec) {
    Words w{.option = "--texture", .spec = spec};
    const auto array = read(plan, w);
    if (!array)
        return array.error();
    if (!w.lodGiven)
        w.sampler.maxLevel = float(plan.arrays[*array].levels - 1);
    if (auto ok = checkTexture(plan.arrays[*array], w.sampler); !ok)
        return w.wrong(say::WithRemedy(ok.error().message, ok.error().remedy));
    plan.textures.push_back({std::string(spec.substr(0, spec.find('='))), *array, w.sampler});
    return {};
}

Result<void> addSurface(LaunchPlan& plan, std::string_view spec) {
    Words w{.option = "--surface", .spec = spec};
    const auto array = read(plan, w);
    if (!array)
        return array.error();
    if (auto ok = checkSurface(plan.arrays[*array]); !ok)
        return w.wrong(say::WithRemedy(ok.error().message, ok.error().remedy));
    plan.surfaces.push_back({std::string(spec.substr(0, spec.find('='))), *array});
    return {};
}

} // namespace warpglass
