// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/virtual/core/host_place.h"
#include "gpu/base/messages/program.h"
#include "gpu/launch/kernel_text.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#if defined WARPGLASS_BACKTRACE && !__has_include(<backtrace.h>) // a reader of the sources with other folders
#undef WARPGLASS_BACKTRACE
#endif
#ifdef WARPGLASS_BACKTRACE
#include <backtrace.h>
#endif
#include <dlfcn.h>

namespace warpglass::virtual_device {

namespace {

constexpr int ofCudas = -1; // a line that is none of the program's

// Headers whose wrappers call for the program.
[[maybe_unused]] bool isCudas(std::string_view file) {
    return file.ends_with("/cuda_runtime.h") || file.ends_with("/cuda_runtime_api.h");
}

HostLine placeOf([[maybe_unused]] std::uint64_t code) {
    HostLine place;
#ifdef WARPGLASS_BACKTRACE
    const auto quiet = [](void*, const char*, int) {};
    static backtrace_state* const state = backtrace_create_state(nullptr, 1, quiet, nullptr);
    backtrace_pcinfo(
        state, code,
        [](void* to, std::uintptr_t, const char* file, int line, const char*) {
            if (!file || line <= 0)
                return 0;
            HostLine& of = *static_cast<HostLine*>(to);
            if (isCudas(file)) { // of what is inlined the innermost comes first
                of.line = ofCudas;
                return 0;
            }
            of = {std::filesystem::path(file).filename().string(), line};
            return 1;
        },
        quiet, &place);
#endif
    return place;
}

} // namespace

std::optional<HostLine> hostLine(const CallPlace& place) {
    if (place.code == 0)
        return std::nullopt;
    static std::map<std::pair<std::uint64_t, std::uint64_t>, HostLine> known;
    const auto [at, isNew] = known.try_emplace({place.code, place.outer});
    if (isNew)
        at->second = placeOf(place.code - 1); // within the call
    if (isNew && at->second.line == ofCudas && place.outer != 0)
        at->second = placeOf(place.outer - 1);
    return at->second.line > 0 ? std::optional(at->second) : std::nullopt;
}

Message hostPlace(std::uint64_t code) {
    if (code == 0)
        return say::HostUnknown;
    if (const HostLine place = placeOf(code); place.line > 0)
        return say::HostAtLine(place.line, place.file);
    Dl_info info;
    if (dladdr(reinterpret_cast<void*>(code), &info) == 0)
        return say::HostUnknown;
    if (info.dli_sname)
        return say::HostInPlace(plainName(info.dli_sname));
    return info.dli_fname ? say::HostInPlace(std::filesystem::path(info.dli_fname).filename().string())
                          : say::HostUnknown;
}

} // namespace warpglass::virtual_device
