// SPDX-License-Identifier: GPL-3.0-or-later
// A program in place of warpglass-cage.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include <stdlib.h>

namespace warpglass::tests {

class Scratch {
public:
    Scratch() {
        std::string name = (std::filesystem::temp_directory_path() / "cage-test-XXXXXX").string();
        path = mkdtemp(name.data());
    }
    ~Scratch() { std::filesystem::remove_all(path); }
    std::filesystem::path path;
};

inline std::filesystem::path standIn(const Scratch& scratch, const std::string& does) {
    const std::filesystem::path file = scratch.path / "stand-in";
    std::ofstream(file) << "#!/bin/sh\n" << does << '\n';
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return file;
}

} // namespace warpglass::tests
