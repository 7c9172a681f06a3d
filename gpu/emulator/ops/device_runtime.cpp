// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/ops/device_runtime.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/base/quantity.h"
#include "gpu/emulator/access/generic_memory.h"
#include "gpu/emulator/ops/call_words.h"
#include "gpu/emulator/ops/device_launch.h"
#include "gpu/emulator/record/diagnostics.h"

#include "gpu/device/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

namespace warpglass::emulator {

namespace {

// CUDA's error numbers (cudaError_t).
constexpr std::uint32_t invalidValue = 1, outOfMemory = 2, invalidDirection = 21, invalidDevice = 101,
                        unsupportedLimit = 215;

std::uint32_t answer(Exec& x, std::uint32_t error) {
    if (error != 0)
        x.device->lastError = error;
    return error;
}

// --- copies and fills

std::byte* rowOf(GlobalMemory& memory, std::uint64_t address, std::uint64_t bytes, Area*& area) {
    const Found found = windowOf(address) == Window::Global ? memory.find(address, bytes, area) : Found();
    area = found;
    return found.bytes();
}

// Calls f(destination row, source row) with addresses, until it says false.
template <class F>
bool eachRow(const Transfer& t, F f) {
    if (t.width == 0)
        return true;
    for (std::uint64_t z = 0; z < t.depth; ++z)
        for (std::uint64_t y = 0; y < t.height; ++y)
            if (!f(t.to + z * t.toSlice + y * t.toPitch, t.from + z * t.fromSlice + y * t.fromPitch))
                return false;
    return true;
}

// From the first byte to the last one of rows that follow each other; nothing: there are no such addresses.
std::optional<std::uint64_t> spanOf(const Transfer& t, std::uint64_t pitch, std::uint64_t slice) {
    std::uint64_t rows = 0, slices = 0, span = 0;
    if (__builtin_mul_overflow(t.height - 1, pitch, &rows) || __builtin_mul_overflow(t.depth - 1, slice, &slices) ||
        __builtin_add_overflow(rows, slices, &span) || __builtin_add_overflow(span, t.width, &span))
        return std::nullopt;
    return span;
}
// Whether all rows lie in one allocation on either side. Rows that do not overlap are no more than it has bytes.
bool lies(GlobalMemory& memory, const Transfer& t) {
    if (t.width == 0 || t.height == 0 || t.depth == 0)
        return true;
    Area* area = nullptr;
    const auto to = spanOf(t, t.toPitch, t.toSlice), from = spanOf(t, t.fromPitch, t.fromSlice);
    return to && rowOf(memory, t.to, *to, area) && (t.fills || (from && rowOf(memory, t.from, *from, area)));
}
// From slice to slice; too far for any span, if there are no such addresses.
std::uint64_t sliceOf(std::uint64_t pitch, std::uint64_t rows) {
    std::uint64_t bytes = 0;
    return __builtin_mul_overflow(pitch, rows, &bytes) ? ~std::uint64_t(0) : bytes;
}
// Whether each row and each slice begins behind the one before it, as CUDA asks for.
bool isOrderly(const Transfer& t, std::uint64_t pitch, std::uint64_t rowsOfSlice) {
    return t.width <= pitch && (t.depth <= 1 || t.height <= rowsOfSlice);
}

// The transfer now or in its turn; false after a fault.
bool request(Exec& x, const Inst& in, int lane, const Transfer& transfer, std::uint64_t stream) {
    if (!lies(*x.global, transfer)) {
        x.diagnostics->add(
            x, DiagnosticKind::OutOfBounds, in.index, lane, transfer.to,
            transfer.fills
                ? say::FillOutside(transfer.height * transfer.depth, transfer.width, fmt::format("{:#x}", transfer.to))
                : say::CopyOutside(transfer.height * transfer.depth, transfer.width,
                                   fmt::format("{:#x}", transfer.from), fmt::format("{:#x}", transfer.to)),
            true);
        return false;
    }
    if (x.device->children.empty()) {
        carryOut(*x.global, transfer);
    } else {
        ChildLaunch child;
        child.transfer = transfer;
        child.accepted = true;
        child.stream = streamOf(stream);
        x.device->children.push_back(std::move(child));
        constexpr std::uint64_t copies = 3; // the list grows by twice its size, and is there twice meanwhile
        if (!keep(x, in, lane, copies * sizeof child))
            return false;
    }
    callResult(x, in, lane, 0);
    return true;
}

template <class F>
bool lanes(Exec& x, const Inst& in, F f) {
    for (std::uint32_t m = activeMask(x, in); m; m &= m - 1)
        if (!f(std::countr_zero(m)))
            return false;
    return true;
}

// Copies go from device memory to device memory: cudaMemcpyDeviceToDevice or cudaMemcpyDefault.
bool goesOnDevice(std::uint32_t kind) {
    return kind == 3 || kind == 4;
}

// (to, from, bytes, kind, stream)
bool copy(Exec& x, const Inst& in) {
    return lanes(x, in, [&](int lane) {
        if (!goesOnDevice(callWord(x, in, 3, 0, lane)))
            return callResult(x, in, lane, answer(x, invalidDirection)), true;
        Transfer t;
        t.to = callWide(x, in, 0, lane);
        t.from = callWide(x, in, 1, lane);
        t.width = callWide(x, in, 2, lane);
        return request(x, in, lane, t, callWide(x, in, 4, lane));
    });
}
// (to, pitch, from, pitch, width, height, kind, stream)
bool copyRows(Exec& x, const Inst& in) {
    return lanes(x, in, [&](int lane) {
        Transfer t;
        t.to = callWide(x, in, 0, lane);
        t.toPitch = callWide(x, in, 1, lane);
        t.from = callWide(x, in, 2, lane);
        t.fromPitch = callWide(x, in, 3, lane);
        t.width = callWide(x, in, 4, lane);
        t.height = callWide(x, in, 5, lane);
        if (!goesOnDevice(callWord(x, in, 6, 0, lane)))
            return callResult(x, in, lane, answer(x, invalidDirection)), true;
        if (t.width > t.toPitch || t.width > t.fromPitch)
            return callResult(x, in, lane, answer(x, invalidValue)), true;
        return request(x, in, lane, t, callWide(x, in, 7, lane));
    });
}

// A cudaMemcpy3DParms of 64-bit words: array, position and pitched pointer of the source, the same of the destination,
// extent, kind. Pointers are pitch, width and height after the address.
bool copyBox(Exec& x, const Inst& in) {
    return lanes(x, in, [&](int lane) {
        std::array<std::uint64_t, 20> p{};
        if (!readGeneric(x, lane, callWide(x, in, 0, lane), p.data(), sizeof p))
            return callResult(x, in, lane, answer(x, invalidValue)), true;
        Transfer t;
        const auto place = [](const std::uint64_t* at, std::uint64_t& address, std::uint64_t& pitch,
                              std::uint64_t& slice) { // at: array, x, y, z, pointer, pitch, width, height
            pitch = at[5];
            slice = sliceOf(at[5], at[7]);
            address = at[4] + at[1] + at[2] * pitch + at[3] * slice;
        };
        place(p.data(), t.from, t.fromPitch, t.fromSlice);
        place(p.data() + 8, t.to, t.toPitch, t.toSlice);
        t.width = p[16];
        t.height = p[17];
        t.depth = p[18];
        if (p[0] != 0 || p[8] != 0 || !isOrderly(t, t.toPitch, p[15]) || !isOrderly(t, t.fromPitch, p[7]))
            return callResult(x, in, lane, answer(x, invalidValue)), true;
        if (!goesOnDevice(std::uint32_t(p[19])))
            return callResult(x, in, lane, answer(x, invalidDirection)), true;
        return request(x, in, lane, t, callWide(x, in, 1, lane));
    });
}
// (to, value, bytes, stream)
bool fill(Exec& x, const Inst& in) {
    return lanes(x, in, [&](int lane) {
        Transfer t;
        t.to = callWide(x, in, 0, lane);
        t.value = std::uint8_t(callWord(x, in, 1, 0, lane));
        t.width = callWide(x, in, 2, lane);
        t.fills = true;
        return request(x, in, lane, t, callWide(x, in, 3, lane));
    });
}
// (to, pitch, value, width, height, stream)
bool fillRows(Exec& x, const Inst& in) {
    return lanes(x, in, [&](int lane) {
        Transfer t;
        t.to = callWide(x, in, 0, lane);
        t.toPitch = callWide(x, in, 1, lane);
        t.value = std::uint8_t(callWord(x, in, 2, 0, lane));
        t.width = callWide(x, in, 3, lane);
        t.height = callWide(x, in, 4, lane);
        t.fills = true;
        if (t.width > t.toPitch)
            return callResult(x, in, lane, answer(x, invalidValue)), true;
        return request(x, in, lane, t, callWide(x, in, 5, lane));
    });
}
// (cudaPitchedPtr, value, cudaExtent, stream)
bool fillBox(Exec& x, const Inst& in) {
    return lanes(x, in, [&](int lane) {
        const auto part = [&](std::size_t argument, std::uint32_t n) {
            return callWord(x, in, argument, 2 * n, lane) | std::uint64_t(callWord(x, in, argument, 2 * n + 1, lane))
                                                                << 32;
        };
        Transfer t;
        t.to = part(0, 0);
        t.toPitch = part(0, 1);
        t.toSlice = sliceOf(t.toPitch, part(0, 3));
        t.value = std::uint8_t(callWord(x, in, 1, 0, lane));
        t.width = part(2, 0);
        t.height = part(2, 1);
        t.depth = part(2, 2);
        t.fills = true;
        if (!isOrderly(t, t.toPitch, part(0, 3)))
            return callResult(x, in, lane, answer(x, invalidValue)), true;
        return request(x, in, lane, t, callWide(x, in, 3, lane));
    });
}

// --- memory

// (where the address goes, bytes)
bool takeMemory(Exec& x, const Inst& in) {
    return lanes(x, in, [&](int lane) {
        const std::uint64_t address = takeHeap(x, in, lane, callWide(x, in, 1, lane));
        if (x.stop == Stop::Fault)
            return false;
        const bool told = writeGeneric(x, lane, callWide(x, in, 0, lane), &address, sizeof address);
        callResult(x, in, lane, answer(x, !told ? invalidValue : address == 0 ? outOfMemory : 0));
        return true;
    });
}
bool giveMemory(Exec& x, const Inst& in) {
    return lanes(x, in, [&](int lane) {
        if (!giveHeap(x, in, lane, callWide(x, in, 0, lane)))
            return false;
        callResult(x, in, lane, 0);
        return true;
    });
}

// --- streams and events, which are numbers: what they order here goes in the order of the calls anyway

bool makeHandle(Exec& x, const Inst& in) {
    return lanes(x, in, [&](int lane) {
        const std::uint64_t handle = ++x.device->handles + firstHandle;
        const bool told = writeGeneric(x, lane, callWide(x, in, 0, lane), &handle, sizeof handle);
        callResult(x, in, lane, answer(x, told ? 0 : invalidValue));
        return true;
    });
}
bool succeed(Exec& x, const Inst& in) {
    return lanes(x, in, [&](int lane) { return callResult(x, in, lane, 0), true; });
}

// cudaDeviceSynchronize of older programs: what the grid has launched runs now.
bool synchronise(Exec& x, const Inst& in) {
    return lanes(x, in, [&](int lane) {
        if (!x.device->children.empty() && x.device->runChildren && !x.device->runChildren()) {
            x.diagnostics->add(x, DiagnosticKind::Other, in.index, lane, 0, say::ChildFailed, true);
            return false;
        }
        callResult(x, in, lane, 0);
        return true;
    });
}

// --- questions

// Numbers of cudaDeviceAttr.
std::optional<std::uint32_t> attribute(const DeviceSpec& device, std::uint32_t number) {
    const CapabilityLimits& limits = device.limits();
    const std::pair<std::uint32_t, std::uint32_t> known[] = {{1, limits.threadsPerBlock},
                                                             {2, 1024},
                                                             {3, 1024},
                                                             {4, 64},
                                                             {5, 0x7fffffff},
                                                             {6, 65535},
                                                             {7, 65535},
                                                             {8, 48 * 1024},
                                                             {9, std::uint32_t(device.constantBytes)},
                                                             {10, 32},
                                                             {12, limits.registersPerBlock},
                                                             {13, std::uint32_t(device.smClockMHz * 1000)},
                                                             {16, std::uint32_t(device.smCount)},
                                                             {37, std::uint32_t(device.busBits)},
                                                             {38, std::uint32_t(device.l2Bytes)},
                                                             {39, limits.warpsPerSm * 32},
                                                             {75, std::uint32_t(device.ccMajor)},
                                                             {76, std::uint32_t(device.ccMinor)},
                                                             {81, limits.sharedPerSm},
                                                             {82, limits.registersPerSm},
                                                             {97, limits.sharedPerBlockOptIn},
                                                             {106, limits.blocksPerSm},
                                                             {111, limits.sharedReserved}};
    for (const auto& [n, value] : known)
        if (n == number)
            return value;
    return std::nullopt;
}

// (where the value goes, attribute, device)
bool deviceAttribute(Exec& x, const Inst& in) {
    return lanes(x, in, [&](int lane) {
        std::uint32_t error = callWord(x, in, 2, 0, lane) == 0 ? 0 : invalidDevice;
        const auto value = attribute(*x.device->spec, callWord(x, in, 1, 0, lane));
        if (error == 0 && (!value || !writeGeneric(x, lane, callWide(x, in, 0, lane), &*value, sizeof *value)))
            error = invalidValue;
        callResult(x, in, lane, answer(x, error));
        return true;
    });
}
// (handle, value): a node of a graph looks at the word that the handle is the address of.
bool setCondition(Exec& x, const Inst& in) {
    return lanes(x, in, [&](int lane) {
        const std::uint32_t value = callWord(x, in, 1, 0, lane);
        writeGeneric(x, lane, callWide(x, in, 0, lane), &value, sizeof value);
        return true;
    });
}
// (where the value goes, limit)
bool deviceLimit(Exec& x, const Inst& in) {
    return lanes(x, in, [&](int lane) {
        constexpr std::uint64_t stack = 1024, fifo = 1 << 20;
        const std::uint32_t limit = callWord(x, in, 1, 0, lane);
        const std::uint64_t value = limit == 0   ? stack
                                    : limit == 1 ? fifo
                                    : limit == 2 ? x.device->heapLimit
                                                 : x.device->pendingLimit;
        std::uint32_t error = limit <= 2 || limit == 4 ? 0 : unsupportedLimit;
        if (error == 0 && !writeGeneric(x, lane, callWide(x, in, 0, lane), &value, sizeof value))
            error = invalidValue;
        callResult(x, in, lane, answer(x, error));
        return true;
    });
}
template <std::uint32_t value>
bool constantAnswer(Exec& x, const Inst& in) {
    return lanes(x, in, [&](int lane) {
        const std::uint32_t v = value;
        const bool told = writeGeneric(x, lane, callWide(x, in, 0, lane), &v, sizeof v);
        callResult(x, in, lane, answer(x, told ? 0 : invalidValue));
        return true;
    });
}

struct ErrorText {
    std::uint32_t error;
    const char *name, *text;
};
constexpr ErrorText errorTexts[] = {
    {0, "cudaSuccess", "no error"},
    {invalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {outOfMemory, "cudaErrorMemoryAllocation", "out of memory"},
    {9, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {invalidDirection, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    {65, "cudaErrorLaunchMaxDepthExceeded", "launch would exceed maximum depth of nested launches"},
    {69, "cudaErrorLaunchPendingCountExceeded", "launch failed because of too many pending launches"},
    {98, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {invalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {unsupportedLimit, "cudaErrorUnsupportedLimit", "limit is not supported on this architecture"},
};

// The text lies in global memory from the first question on.
template <bool named>
bool errorText(Exec& x, const Inst& in) {
    return lanes(x, in, [&](int lane) {
        const std::uint32_t error = callWord(x, in, 0, 0, lane);
        const auto* known = std::find_if(std::begin(errorTexts), std::end(errorTexts),
                                         [&](const ErrorText& e) { return e.error == error; });
        const bool unknown = known == std::end(errorTexts); // they share one text
        std::uint64_t& address = x.device->texts[{unknown ? noIndex : error, named}];
        if (address == 0) {
            const std::string_view text = unknown ? "unrecognized error code" : named ? known->name : known->text;
            Area& area = x.global->allocate(text.size() + 1, "text of an error");
            std::memcpy(area.whole().data(), text.data(), text.size());
            address = area.base;
        }
        callResult(x, in, lane, address);
        return true;
    });
}

} // namespace

bool carryOut(GlobalMemory& memory, const Transfer& t) {
    if (!lies(memory, t))
        return false;
    Area *to = nullptr, *from = nullptr;
    return eachRow(t, [&](std::uint64_t destination, std::uint64_t source) {
        std::byte* at = rowOf(memory, destination, t.width, to);
        if (t.fills)
            std::memset(at, t.value, t.width);
        else
            std::memmove(at, rowOf(memory, source, t.width, from), t.width);
        to->noteWritten(destination, t.width);
        return true;
    });
}

std::string_view runtimeName(std::string_view name) {
    if (name.starts_with("__cudaCDP2"))
        name.remove_prefix(10);
    else if (name.starts_with("cuda"))
        name.remove_prefix(4);
    else
        return {};
    if (name.ends_with("_ptsz"))
        name.remove_suffix(5);
    return name;
}

Handler runtimeHandler(std::string_view name) {
    const std::pair<std::string_view, Handler> known[] = {{"MemcpyAsync", &copy},
                                                          {"Memcpy2DAsync", &copyRows},
                                                          {"Memcpy3DAsync", &copyBox},
                                                          {"MemsetAsync", &fill},
                                                          {"Memset2DAsync", &fillRows},
                                                          {"Memset3DAsync", &fillBox},
                                                          {"Malloc", &takeMemory},
                                                          {"Free", &giveMemory},
                                                          {"StreamCreateWithFlags", &makeHandle},
                                                          {"EventCreateWithFlags", &makeHandle},
                                                          {"StreamDestroy", &succeed},
                                                          {"StreamWaitEvent", &succeed},
                                                          {"EventRecord", &succeed},
                                                          {"EventRecordWithFlags", &succeed},
                                                          {"EventDestroy", &succeed},
                                                          {"DeviceSynchronize", &synchronise},
                                                          {"DeviceGetAttribute", &deviceAttribute},
                                                          {"DeviceGetLimit", &deviceLimit},
                                                          {"GraphSetConditional", &setCondition},
                                                          {"DeviceGetCacheConfig", &constantAnswer<0>},
                                                          {"DeviceGetSharedMemConfig", &constantAnswer<1>},
                                                          {"GetDevice", &constantAnswer<0>},
                                                          {"GetDeviceCount", &constantAnswer<1>},
                                                          {"RuntimeGetVersion", &constantAnswer<13000>},
                                                          {"GetErrorString", &errorText<false>},
                                                          {"GetErrorName", &errorText<true>}};
    const std::string_view wanted = runtimeName(name);
    for (const auto& [n, handler] : known)
        if (n == wanted)
            return handler;
    return nullptr;
}

} // namespace warpglass::emulator
