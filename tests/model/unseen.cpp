// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/model/unseen.h"

#include "gpu/kernels/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace warpglass::testing {

namespace {

const std::string folder = WARPGLASS_SOURCE_DIR "/tests/model/kernels/";

} // namespace

Dim3 shapeOf(const std::string& text) {
    Dim3 shape{1, 1, 1};
    char between = 0;
    std::istringstream in(text);
    in >> shape.x >> between >> shape.y >> between >> shape.z;
    return {shape.x, std::max(1u, shape.y), std::max(1u, shape.z)};
}

bool allAreAsked() {
    const char* const all = std::getenv("WARPGLASS_ALL");
    return all && std::string(all) != "0";
}

std::vector<UnseenLaunch> unseenLaunches() {
    std::vector<UnseenLaunch> launches;
    std::ifstream in(folder + "launches.txt");
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with('#'))
            continue;
        std::istringstream words(line);
        UnseenLaunch l;
        words >> l.name >> l.role >> std::ws;
        std::getline(words, l.launch);
        launches.push_back(std::move(l));
    }
    return launches;
}

bool isFileLaunch(const std::string& launch) {
    return launch.substr(0, launch.find(' ')).ends_with(".ptx");
}

Result<session::RunRequest> requestOfFileLaunch(const std::string& launch) {
    std::istringstream in(launch);
    std::string word, value;
    in >> word;
    session::RunRequest request;
    request.kernel = folder + word;
    request.countRegisters = false; // the same figures with and without an assembler
    while (in >> word >> value) {
        if (word == "--kernel")
            request.entry = value;
        else if (word == "--grid")
            request.launch.grid = shapeOf(value);
        else if (word == "--block")
            request.launch.block = shapeOf(value);
        else if (word == "--shared")
            request.launch.sharedBytes = std::uint32_t(std::stoul(value));
        else if (word == "--arg")
            request.arguments.push_back(value);
        else if (word == "--global")
            request.globals.push_back(value);
        else
            return Error{fmt::format("unknown word {}", word)};
    }
    return request;
}

Result<LaunchPlan> planOfLaunch(const std::string& launch) {
    if (isFileLaunch(launch)) {
        const auto request = requestOfFileLaunch(launch);
        return request ? session::planOf(*request) : Result<LaunchPlan>(request.error());
    }
    std::istringstream in(launch);
    std::string kernel, word;
    in >> kernel;
    LaunchRequest request;
    while (in >> word) {
        std::string value;
        in >> value;
        if (word == "--size")
            request.size = std::stoll(value);
        else if (word == "--block")
            request.block = shapeOf(value);
        else if (word == "--grid")
            request.grid = shapeOf(value);
        else if (word == "--mode")
            request.mode = value == "as-written" ? CompileMode::AsWritten : CompileMode::Optimised;
        else if (word == "--set")
            request.set[value.substr(0, value.find('='))] = std::stoll(value.substr(value.find('=') + 1));
        else
            return Error{"unknown word " + word};
    }
    const CatalogueEntry* entry = findKernel(kernel);
    if (!entry)
        return Error{"no such kernel: " + kernel};
    return makePlan(*entry, request);
}

} // namespace warpglass::testing
