// SPDX-License-Identifier: GPL-3.0-or-later
// Traces as files in a folder that goes away.
#pragma once

#include "gpu/trace/file.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

namespace warpglass {

namespace fs = std::filesystem;

class TraceFile : public testing::Test {
protected:
    void SetUp() override {
        m_folder = fs::temp_directory_path() / ("warpglass_file_" + std::to_string(getpid()));
        fs::create_directories(m_folder);
    }
    void TearDown() override { fs::remove_all(m_folder); }

    fs::path path(const std::string& fileName) const { return m_folder / fileName; }

    fs::path written(const Trace& trace, const std::string& fileName = "a.wgt") const {
        Progress progress;
        const auto ok = writeTrace(trace, path(fileName), progress);
        EXPECT_TRUE(ok) << (ok ? "" : ok.error().text());
        return path(fileName);
    }

    static std::string bytesOf(const fs::path& file) {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    static void put(const fs::path& file, const std::string& bytes) {
        std::ofstream(file, std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));
    }
    // The error of reading `bytes`, which must not change the file.
    std::string errorOf(const std::string& bytes) const {
        const fs::path file = path("damaged.wgt");
        put(file, bytes);
        Progress progress;
        const auto trace = readTrace(file, progress);
        EXPECT_EQ(bytesOf(file), bytes) << "the file was touched";
        EXPECT_EQ(std::distance(fs::directory_iterator(m_folder), fs::directory_iterator()), m_files);
        return trace ? "" : trace.error().text();
    }

    fs::path m_folder;
    long m_files = 2; // a.wgt and damaged.wgt
};

} // namespace warpglass
