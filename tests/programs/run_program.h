// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

struct ProgramAnswer {
    int status = -1;
    std::string out, err;
};

// warpglass-record with these words, as a shell reads them.
ProgramAnswer recorder(const std::string& words);
// `program` with sources of this folder ("a.cu b.cu"), and the recording at at("NAME").
ProgramAnswer runSources(const std::string& sources, const std::string& name, const std::string& more = {});
// A program of this folder ("a.cu b.cu", more words for nvcc), built once: for the virtual device with the runtime as a
// shared library, or as nvcc does it by itself.
std::filesystem::path built(const std::string& sources, const std::string& words = {}, bool shared = true);
// A program by itself.
ProgramAnswer plainly(const std::filesystem::path& program, const std::string& words = {});
nlohmann::json listing(const std::string& name);   // `launches --json` of the recording
std::filesystem::path at(const std::string& name); // in a folder that goes away after the tests
std::string readFile(const std::filesystem::path& path);
bool hasCompiler();
