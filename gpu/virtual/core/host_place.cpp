// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/virtual/core/host_place.h"
#include "gpu/base/messages/program.h"
#include "gpu/launch/kernel_text.h"

#include <filesystem>
#include <string>

#if defined WARPGLASS_BACKTRACE && !__has_include(<backtrace.h>) // a reader of the sources with other folders
#undef WARPGLASS_BACKTRACE
#endif
#ifdef WARPGLASS_BACKTRACE
#include <backtrace.h>
#endif
#include <dlfcn.h>

namespace warpglass::virtual_device {

namespace {

struct Place {
    std::string file;
    int line = 0;
};

Place placeOf([[maybe_unused]] std::uint64_t code) {
    Place place;
#ifdef WARPGLASS_BACKTRACE
    const auto quiet = [](void*, const char*, int) {};
    static backtrace_state* const state = backtrace_create_state(nullptr, 1, quiet, nullptr);
    backtrace_pcinfo(
        state, code,
        [](void* to, std::uintptr_t, const char* file, int line, const char*) {
            if (!file || line <= 0)
                return 0;
            *static_cast<Place*>(to) = {std::filesystem::path(file).filename().string(), line};
            return 1; // the innermost is enough
        },
        quiet, &place);
#endif
    return place;
}

} // namespace

Message hostPlace(std::uint64_t code) {
    if (code == 0)
        return say::HostUnknown;
    if (const Place place = placeOf(code); place.line > 0)
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
