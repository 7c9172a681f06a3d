// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/companion.h"

namespace warpglass {

namespace fs = std::filesystem;

fs::path companionOf(const fs::path& folder, const fs::path& name) {
    std::error_code failed;
    for (const fs::path& place : {folder, folder / "../lib/warpglass"})
        if (fs::exists(place / name, failed))
            return fs::weakly_canonical(place / name, failed);
    return folder / name;
}

fs::path companion(const fs::path& name) {
    std::error_code failed;
    return companionOf(fs::read_symlink("/proc/self/exe", failed).parent_path(), name);
}

} // namespace warpglass
