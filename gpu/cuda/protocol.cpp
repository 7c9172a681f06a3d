// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/protocol.h"
#include "gpu/base/messages/gpu.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

// The library (3.11) knows no optional values.
template <class T>
struct nlohmann::adl_serializer<std::optional<T>> {
    static void to_json(json& j, const std::optional<T>& value) {
        if (value)
            j = *value;
        else
            j = nullptr;
    }
    static void from_json(const json& j, std::optional<T>& value) {
        value.reset();
        if (!j.is_null())
            value = j.get<T>();
    }
};

// What travels of each struct; the library finds these beside the struct itself. A field that is missing is an error,
// except in Error: whoever reports one may know no place.
namespace warpglass {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Dim3, x, y, z)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(BufferPointer, offset, buffer, addend)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Im2col, lower, upper, channels, pixels)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TensorMap, buffer, offset, type, rank, dims, strides, box, elementStrides,
                                   interleave, swizzle, atom, l2, fillNan, im2col)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Argument, name, isBuffer, type, count, pointers, tensorMap)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(GlobalPatch, symbol, bytes, pointers)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Extent, width, height, depth)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TexelArray, name, shape, extent, type, channels, levels)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Sampler, address, linear, normalized, asFloat, srgb, border, mipLinear, bias,
                                   minLevel, maxLevel)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TextureBinding, name, array, sampler)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SurfaceBinding, name, array)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LaunchPlan, kernelName, moduleName, ptx, entry, sourceName, source, headers, ttgir,
                                   mode, grid, block, cluster, sharedBytes, size, arguments, globalBuffers, globals,
                                   arrays, textures, surfaces, pendingLaunchLimit)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Detail, kind, blocks, accesses)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RunOptions, detail, device, maxEvents, counters, timeLimitSeconds, command)
void to_json(json& j, const Said& said) {
    j = {said.text(), said.code()};
}
void from_json(const json& j, Said& said) {
    said = j.is_array() ? Said::of(j.at(0), j.at(1).get<std::string>()) : Said(j.get<std::string>());
}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Error, message, file, line, column, remedy)

} // namespace warpglass

namespace warpglass::cuda {

namespace {

using nlohmann::json;

constexpr std::uint64_t largestFrame = std::uint64_t(1) << 40;

bool writeAll(int fd, const char* data, std::size_t bytes) {
    while (bytes > 0) {
        const ssize_t n = ::write(fd, data, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        data += n;
        bytes -= std::size_t(n);
    }
    return true;
}

bool readAll(int fd, char* data, std::size_t bytes) {
    while (bytes > 0) {
        const ssize_t n = ::read(fd, data, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        data += n;
        bytes -= std::size_t(n);
    }
    return true;
}

// The library's exceptions become errors at this border.
template <typename T>
Result<T> reading(const json& j) {
    try {
        return j.get<T>();
    } catch (const json::exception& e) {
        return Error{say::MessageNotUnderstood(e.what())};
    }
}

} // namespace

bool writeFrame(int fd, FrameKind kind, const void* data, std::size_t bytes) {
    char head[9];
    head[0] = char(kind);
    const std::uint64_t length = bytes;
    std::memcpy(head + 1, &length, sizeof length);
    return writeAll(fd, head, sizeof head) && writeAll(fd, static_cast<const char*>(data), bytes);
}

std::optional<Frame> readFrame(int fd) {
    char head[9];
    if (!readAll(fd, head, sizeof head))
        return std::nullopt;
    std::uint64_t length = 0;
    std::memcpy(&length, head + 1, sizeof length);
    if (length > largestFrame)
        return std::nullopt;
    Frame frame;
    frame.kind = FrameKind(head[0]);
    frame.payload.resize(length);
    if (!readAll(fd, frame.payload.data(), length))
        return std::nullopt;
    return frame;
}

json toJson(const LaunchPlan& plan) {
    return plan;
}
Result<LaunchPlan> planFromJson(const json& j) {
    return reading<LaunchPlan>(j);
}

json toJson(const RunOptions& options) {
    return options;
}
Result<RunOptions> optionsFromJson(const json& j) {
    return reading<RunOptions>(j);
}

json toJson(const Error& error) {
    return error;
}
Error errorFromJson(const json& j) {
    Error error = j;
    if (error.message.empty())
        error.message = say::WorkerWithoutWords;
    return error;
}

std::string protocolVersion() {
    return WARPGLASS_VERSION;
}

Result<void> sameVersion(const json& message) {
    const std::string theirs = message.value("version", "");
    if (theirs == protocolVersion())
        return {};
    return Error{.message = theirs.empty() ? say::OlderVersion(protocolVersion())
                                           : say::OtherVersion(protocolVersion(), theirs),
                 .remedy = say::PackagesOfOneVersion};
}

std::vector<std::byte> initialContents(const Argument& argument) {
    if (!argument.isBuffer)
        return argument.scalar;
    if (!argument.fill)
        return {};
    std::vector<std::byte> bytes(argument.count * std::uint64_t(bytesOf(argument.type)));
    argument.fill(bytes);
    return bytes;
}

std::vector<std::byte> initialContents(const TexelArray& array) {
    if (!array.fill)
        return {};
    std::vector<std::byte> bytes(array.bytes());
    array.fill(bytes);
    return bytes;
}

} // namespace warpglass::cuda
