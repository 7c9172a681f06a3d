// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that CUDA's device runtime provides: printf, assert, malloc. Launches are in device_launch.cpp.
#include "gpu/emulator/memory/generic_memory.h"
#include "gpu/emulator/ops/control_ops.h"
#include "gpu/emulator/run/diagnostics.h"

#include <fmt/format.h>

#include <bit>
#include <cstdio>

namespace warpglass::emulator {

Handler launchHandler(std::string_view name); // device_launch.cpp

namespace {

std::uint64_t argument(Exec& x, const Inst& in, std::size_t n, int lane) {
    const CallSite& site = x.program->calls[in.call.site];
    if (n >= site.arguments.size())
        return 0;
    const ParamSlot& s = site.arguments[n];
    std::uint64_t v = rowAt<const std::uint32_t>(x, s.row)[lane];
    if (s.words > 1)
        v |= std::uint64_t(rowAt<const std::uint32_t>(x, s.row + 128)[lane]) << 32;
    return v;
}
void setResult(Exec& x, const Inst& in, int lane, std::uint64_t v) {
    const CallSite& site = x.program->calls[in.call.site];
    if (site.results.empty())
        return;
    const ParamSlot& s = site.results[0];
    rowAt<std::uint32_t>(x, s.row)[lane] = std::uint32_t(v);
    if (s.words > 1)
        rowAt<std::uint32_t>(x, s.row + 128)[lane] = std::uint32_t(v >> 32);
}

std::string readText(Exec& x, int lane, std::uint64_t address) {
    std::string text;
    char c = 0;
    while (text.size() < 65536 && readGeneric(x, lane, address + text.size(), &c, 1) && c != 0)
        text += c;
    return text;
}

// One conversion of the format with the host's printf; arguments are packed by natural alignment, promoted as C does.
std::string formatted(Exec& x, int lane, const std::string& format, std::uint64_t at, int& count) {
    std::string out;
    std::uint64_t offset = 0;
    const auto fetch = [&](std::uint32_t bytes) {
        offset = (offset + bytes - 1) / bytes * bytes;
        std::uint64_t v = 0;
        readGeneric(x, lane, at + offset, &v, bytes);
        offset += bytes;
        return v;
    };
    for (std::size_t k = 0; k < format.size(); ++k) {
        if (format[k] != '%') {
            out += format[k];
            continue;
        }
        std::string spec = "%";
        bool isLong = false;
        std::size_t j = k + 1;
        for (; j < format.size(); ++j) {
            const char c = format[j];
            if (c == 'l' || c == 'j' || c == 'z' || c == 't') {
                isLong = true;
                continue;
            }
            if (c == 'h')
                continue;
            if (c == '*') {
                spec += std::to_string(int(fetch(4)));
                continue;
            }
            if (std::string_view("-+ #0123456789.").find(c) == std::string_view::npos)
                break;
            spec += c;
        }
        if (j >= format.size() || spec.size() > 32) {
            out += format.substr(k);
            break;
        }
        const char c = format[j];
        char text[512];
        text[0] = 0;
        switch (c) {
        case '%':
            out += '%';
            break;
        case 'd':
        case 'i': {
            spec += "lld";
            const std::uint64_t v = fetch(isLong ? 8 : 4);
            std::snprintf(text, sizeof text, spec.c_str(), isLong ? (long long)(v) : (long long)(std::int32_t(v)));
            ++count;
            break;
        }
        case 'u':
        case 'x':
        case 'X':
        case 'o':
            spec += std::string("ll") + c;
            std::snprintf(text, sizeof text, spec.c_str(), (unsigned long long)(fetch(isLong ? 8 : 4)));
            ++count;
            break;
        case 'c':
            spec += 'c';
            std::snprintf(text, sizeof text, spec.c_str(), int(fetch(4)));
            ++count;
            break;
        case 'p':
            std::snprintf(text, sizeof text, "0x%llx", (unsigned long long)(fetch(8)));
            ++count;
            break;
        case 's':
            out += readText(x, lane, fetch(8));
            ++count;
            break;
        default:
            spec += c;
            std::snprintf(text, sizeof text, spec.c_str(), std::bit_cast<double>(fetch(8)));
            ++count;
            break;
        }
        out += text;
        k = j;
    }
    return out;
}

bool print(Exec& x, const Inst& in) {
    for (std::uint32_t m = activeMask(x, in); m; m &= m - 1) {
        const int lane = std::countr_zero(m);
        int count = 0;
        x.block->output +=
            formatted(x, lane, readText(x, lane, argument(x, in, 0, lane)), argument(x, in, 1, lane), count);
        setResult(x, in, lane, std::uint64_t(count));
    }
    return true;
}

bool assertFail(Exec& x, const Inst& in) {
    const std::uint32_t m = activeMask(x, in);
    if (m == 0)
        return true;
    const int lane = std::countr_zero(m);
    const std::string what = readText(x, lane, argument(x, in, 0, lane)),
                      file = readText(x, lane, argument(x, in, 1, lane)),
                      function = readText(x, lane, argument(x, in, 3, lane));
    const auto line = std::uint32_t(argument(x, in, 2, lane));
    for (std::uint32_t rest = m; rest; rest &= rest - 1) {
        const Dim3 t = x.launch->block.at(x.warp->number * 32u + std::uint32_t(std::countr_zero(rest)));
        x.block->output +=
            fmt::format("{}:{}: {}: block: [{},{},{}], thread: [{},{},{}] Assertion `{}` failed.\n", file, line,
                        function, x.block->blockIdx.x, x.block->blockIdx.y, x.block->blockIdx.z, t.x, t.y, t.z, what);
    }
    x.diagnostics->add(x, DiagnosticKind::Trap, in.index, lane, 0,
                       fmt::format("An assertion does not hold: {} ({}:{})", what, file, line), true);
    return false;
}

bool allocate(Exec& x, const Inst& in) {
    for (std::uint32_t m = activeMask(x, in); m; m &= m - 1) {
        const int lane = std::countr_zero(m);
        const std::uint64_t bytes = argument(x, in, 0, lane);
        constexpr std::uint64_t heap = 8u << 20; // cudaLimitMallocHeapSize's default
        std::uint64_t base = 0;
        if (bytes > 0 && bytes <= heap) {
            Area& area = x.global->allocate(bytes, "device heap memory", true);
            area.heap = true;
            base = area.base;
        }
        setResult(x, in, lane, base);
    }
    return true;
}

bool release(Exec& x, const Inst& in) {
    for (std::uint32_t m = activeMask(x, in); m; m &= m - 1) {
        const int lane = std::countr_zero(m);
        const std::uint64_t address = argument(x, in, 0, lane);
        if (address == 0)
            continue;
        x.hint = nullptr;
        Area* area = x.global->find(address, 1, x.hint);
        x.hint = nullptr;
        if (!area || !area->heap || area->base != address) {
            const Area* near = x.global->nearest(address);
            const bool again = near && near->freedBytes && near->base == address;
            x.diagnostics->add(x, DiagnosticKind::Other, in.index, lane, address,
                               fmt::format("A thread frees {:#x}, which {}", address,
                                           again ? "was freed before" : "no malloc of the kernel returned"),
                               true);
            return false;
        }
        area->freedBytes = area->bytes;
        area->bytes = 0;
        area->storage.reset();
        area->data = nullptr;
    }
    return true;
}

} // namespace

Handler builtinHandler(std::string_view name) {
    if (name == "vprintf")
        return &print;
    if (name == "__assertfail" || name == "__assert_fail")
        return &assertFail;
    if (name == "malloc")
        return &allocate;
    if (name == "free")
        return &release;
    return launchHandler(name);
}

} // namespace warpglass::emulator
