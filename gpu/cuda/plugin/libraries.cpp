// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/plugin/libraries.h"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>

namespace warpglass::cuda {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> folders() {
    std::vector<fs::path> all;
    Dl_info self{};
    if (dladdr(reinterpret_cast<const void*>(&findLibrary), &self) && self.dli_fname)
        all.push_back(fs::path(self.dli_fname).parent_path());
#ifdef WARPGLASS_CUDA_LIBRARY_DIR
    all.emplace_back(WARPGLASS_CUDA_LIBRARY_DIR);
#endif
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* home = std::getenv(variable))
            all.push_back(fs::path(home) / "lib64");
    for (const char* folder : {"/usr/local/cuda/lib64", "/usr/local/cuda/lib", "/usr/local/cuda/extras/CUPTI/lib64",
                               "/opt/cuda/lib64", "/usr/lib/x86_64-linux-gnu", "/usr/lib/cuda/lib64"})
        all.emplace_back(folder);
    return all;
}

} // namespace

std::optional<std::string> findLibrary(const std::string& fileName) {
    std::error_code code;
    for (const fs::path& folder : folders())
        if (fs::exists(folder / fileName, code))
            return (folder / fileName).string();
    return std::nullopt;
}

void* openLibrary(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        if (const auto path = findLibrary(name))
            if (void* library = dlopen(path->c_str(), RTLD_NOW | RTLD_GLOBAL))
                return library;
        if (void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_GLOBAL))
            return library;
    }
    return nullptr;
}

} // namespace warpglass::cuda
