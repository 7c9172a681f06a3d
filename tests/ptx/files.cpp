// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ptx/files.h"

#include "gpu/ptx/parse.h"
#include "gpu/ptx/write.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <unistd.h>

namespace warpglass::ptx::test {

std::string readFile(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

std::vector<std::filesystem::path> corpus() {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(WARPGLASS_SOURCE_DIR "/tests/ptx/data"))
        if (entry.path().extension() == ".ptx")
            found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

std::filesystem::path ptxas() {
    std::vector<std::filesystem::path> folders;
    if (const char* home = std::getenv("CUDA_HOME"))
        folders.emplace_back(std::filesystem::path(home) / "bin");
    std::stringstream path(std::getenv("PATH") ? std::getenv("PATH") : "");
    for (std::string folder; std::getline(path, folder, ':');)
        folders.emplace_back(folder);
    for (const auto& folder : folders)
        if (access((folder / "ptxas").c_str(), X_OK) == 0)
            return folder / "ptxas";
    return {};
}

std::string assemble(const std::string& ptx, bool debug, const std::filesystem::path& cubin) {
    const std::filesystem::path source = cubin.string() + ".ptx", log = cubin.string() + ".log";
    std::ofstream(source) << ptx;
    const std::string command = fmt::format("'{}' -arch=sm_90 -c {} '{}' -o '{}' > '{}' 2>&1", ptxas().string(),
                                            debug ? "-g" : "", source.string(), cubin.string(), log.string());
    const int status = std::system(command.c_str());
    std::string said = status == 0 ? "" : readFile(log);
    std::filesystem::remove(source);
    std::filesystem::remove(log);
    return said;
}

Module parsed(const std::string& text) {
    Result<Module> module = parse(text, "test.ptx");
    EXPECT_TRUE(module.ok()) << module.error().text();
    return module ? std::move(*module) : Module{};
}

namespace {

std::string show(const Variable& v) {
    std::string text =
        fmt::format("{} {} v{} align{} {} {} [{}] {}{}{} {} init", int(v.space), name(v.type), v.vector, v.alignment,
                    v.name, v.isArray, fmt::join(v.dimensions, ","), v.isExtern, v.isVisible, v.isWeak, v.attributes);
    for (const std::byte b : v.initial)
        text += fmt::format(" {:02x}", unsigned(b));
    for (const auto& a : v.initialAddresses)
        text += fmt::format(" {}:{}+{}{}", a.offset, a.symbol, a.addend, a.generic ? "g" : "");
    return text;
}

// One line a part, so that the first line that differs tells where.
std::vector<std::string> show(const Module& m) {
    std::vector<std::string> lines;
    lines.push_back(fmt::format("{}.{} {} {} {}", m.versionMajor, m.versionMinor, m.target,
                                fmt::join(m.targetOptions, ","), m.addressSize));
    for (const auto& v : m.variables)
        lines.push_back(show(v));
    for (const auto& f : m.files)
        lines.push_back(fmt::format("file {} {}", f.number, f.path));
    for (const auto& p : m.places)
        lines.push_back(fmt::format("place {} {} {} {} {}", p.file, p.line, p.column, p.inlinedAt, p.function));
    for (const auto& s : m.sections)
        lines.push_back("section " + s.name + s.text);
    // Declarations come before definitions in what is written; each kind keeps its order.
    for (const bool defined : {false, true})
        for (const auto& f : m.functions) {
            if ((f.bodyLine != 0) != defined)
                continue;
            lines.push_back(fmt::format("function {} {}{}{}{}{} {} {} {} {} {} {}", f.name, f.isEntry, f.isExtern,
                                        f.isVisible, f.isWeak, f.isNoReturn, fmt::join(f.maxntid, ","),
                                        fmt::join(f.reqntid, ","), f.minnctapersm, f.maxnreg,
                                        fmt::format("{}@{}", fmt::join(f.pragmas, ","), fmt::join(f.pragmaAt, ",")),
                                        fmt::join(f.otherDirectives, ",")));
            for (const auto* list : {&f.returns, &f.params, &f.locals})
                for (const auto& v : *list)
                    lines.push_back(show(v));
            for (const auto& r : f.registers)
                lines.push_back(fmt::format("reg {} {}", r.name, name(r.type)));
            for (const auto& p : f.prototypes)
                lines.push_back(fmt::format("prototype {} {} {}", p.name, p.returns.size(), p.params.size()));
            for (const auto& t : f.targetLists)
                lines.push_back(fmt::format("targets {} {}", t.name, fmt::join(t.targets, ",")));
            for (const auto& l : f.labels)
                lines.push_back(fmt::format("label {} {}", l.name, l.instruction));
            for (const auto& i : f.body)
                lines.push_back(fmt::format("{} place {}", write(i), i.place));
        }
    return lines;
}

} // namespace

std::string difference(const Module& a, const Module& b) {
    const std::vector<std::string> left = show(a), right = show(b);
    for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
        const std::string l = i < left.size() ? left[i] : "(end)", r = i < right.size() ? right[i] : "(end)";
        if (l != r)
            return fmt::format("{}\nis not\n{}", l, r);
    }
    return {};
}

} // namespace warpglass::ptx::test
