// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/scratch.h"

#include "tests/fuzz/targets.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace warpglass::fuzz {

namespace {

namespace fs = std::filesystem;

struct Folder {
    fs::path path;
    Folder() {
        const fs::path memory = "/dev/shm";
        std::error_code failed;
        std::string name =
            ((fs::is_directory(memory, failed) ? memory : fs::temp_directory_path()) / "warpglass-fuzz-XXXXXX")
                .string();
        if (!mkdtemp(name.data()))
            wrong("no scratch folder");
        path = name;
    }
    ~Folder() {
        std::error_code failed;
        fs::remove_all(path, failed);
    }
};

} // namespace

const fs::path& scratchFolder() {
    static const Folder folder;
    return folder.path;
}

fs::path filesToBeginWith() {
    const char* copy = std::getenv("WARPGLASS_FUZZ_FILES");
    return copy ? fs::path(copy) : fs::path(WARPGLASS_SOURCE_DIR) / "tests/fuzz";
}

std::string contentsOf(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace warpglass::fuzz
