// SPDX-License-Identifier: GPL-3.0-or-later
// A file of tests/ptx: what its head says, the launch that it asks for, and whether buffers hold what must come out.
// tests/ptx/README.md says how such a file looks; whatever does not look so is an error that names file and line.
#pragma once

#include "gpu/launch/plan.h"
#include "gpu/ptx/module.h"
#include "tests/conformance/elements.h"

#include <filesystem>
#include <map>

namespace warpglass::conformance {

struct Parameter {
    std::string name, type;
    ElementKind kind;
    bool isBuffer = true;
    bool compared = false;           // out and inout
    std::vector<std::byte> initial;  // before the launch; of a value: the value
    std::vector<std::byte> expected; // after it
    std::size_t more = 0;            // elements behind these, of which only
    std::uint64_t moreHash = 0;      // this is said (hashOf)
    int line = 0, lastLine = 0;      // of the file
    // Of a texture, a surface or a tensor map: which of them, and what --texture, --surface or the argument takes behind
    // NAME=. It is a parameter of the kernel, or, if the module has a reference of its name, bound to that.
    std::string object, spec;
    bool isReference = false;
};

struct Case {
    std::string name; // "arithmetic/add.sat.s32"
    std::filesystem::path file;
    std::string text;
    std::string form, source, target, skipHardware;
    std::string told; // what the checks say, if they say anything
    Tolerance within;
    Dim3 grid{1}, block{32};
    std::uint32_t sharedBytes = 0;
    std::vector<Parameter> parameters;
    ptx::Module module;
    std::string entry;

    std::vector<const Parameter*> arguments() const; // those that are parameters of the kernel
};

struct Difference {
    const Parameter* parameter = nullptr; // nullptr: there is none
    std::size_t index = 0;
    std::string expected, got;

    std::string text() const; // "d[3]: expected 7, got 9"; empty if there is none
};

Result<Case> readCase(std::string text, std::string name, const std::filesystem::path& file);
LaunchPlan planOf(const Case& c);
Difference firstDifference(const Case& c, const Buffers& buffers);
// The file with these buffers as what must come out, and its source.
std::string withAnswers(const Case& c, const Buffers& buffers, const std::string& source);

// Every file below the folder by its name, but for those of `data` and `models`.
std::map<std::string, std::filesystem::path> casesBelow(const std::filesystem::path& folder);
// Of tests/ptx: those that are kept there, and those that models make.
std::map<std::string, std::filesystem::path> allCases();
std::string readFile(const std::filesystem::path& file);

} // namespace warpglass::conformance
