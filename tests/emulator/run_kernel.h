// SPDX-License-Identifier: GPL-3.0-or-later
// Runs one small kernel of tests/emulator/data on the emulator.
#pragma once

#include "gpu/emulator/emulator.h"

#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace warpglass::testing {

inline std::string readText(const std::string& file) {
    std::ifstream in(std::string(WARPGLASS_SOURCE_DIR) + "/tests/emulator/data/" + file);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

template <class T>
ElementType elementType() {
    if constexpr (std::is_same_v<T, float>)
        return ElementType::F32;
    else if constexpr (std::is_same_v<T, double>)
        return ElementType::F64;
    else if constexpr (sizeof(T) == 1)
        return ElementType::U8;
    else if constexpr (sizeof(T) == 2)
        return ElementType::U16;
    else if constexpr (sizeof(T) == 8)
        return ElementType::U64;
    else
        return ElementType::I32;
}

template <class T>
Argument buffer(std::vector<T> data, std::string name = "data") {
    Argument a;
    a.name = std::move(name);
    a.isBuffer = true;
    a.type = elementType<T>();
    a.count = data.size();
    a.fill = [data](std::span<std::byte> to) { std::memcpy(to.data(), data.data(), to.size()); };
    return a;
}
template <class T>
Argument value(T v) {
    Argument a;
    a.name = "value";
    a.type = elementType<T>();
    a.scalar.resize(sizeof v);
    std::memcpy(a.scalar.data(), &v, sizeof v);
    return a;
}

struct Kernel {
    LaunchPlan plan;
    RunOptions options;

    Kernel(const std::string& entry, Dim3 grid, Dim3 block, std::vector<Argument> arguments,
           const std::string& file = "traps.ptx") {
        plan.kernelName = plan.entry = entry;
        plan.moduleName = file;
        plan.ptx = readText(file);
        plan.grid = grid;
        plan.block = block;
        plan.arguments = std::move(arguments);
        options.threads = 1;
    }
    Recording run() {
        Progress progress;
        auto recording = makeEmulator()->run(plan, options, progress);
        if (!recording)
            throw std::runtime_error(recording.error().text());
        return std::move(*recording);
    }
};

template <class T>
std::vector<T> values(const Recording& r, std::size_t argument) {
    std::vector<T> v(r.buffers[argument].size() / sizeof(T));
    std::memcpy(v.data(), r.buffers[argument].data(), v.size() * sizeof(T));
    return v;
}

inline const Diagnostic* find(const Recording& r, DiagnosticKind kind) {
    for (const Diagnostic& d : r.trace->diagnostics)
        if (d.kind == kind)
            return &d;
    return nullptr;
}

} // namespace warpglass::testing
