// SPDX-License-Identifier: GPL-3.0-or-later
// gpu/kernels: the documents' kernels, and pipelines of our own, and how each is launched and checked.
//
// The .cu files here are clean: what a textbook prints, no probe and no macro. Their PTX in both compile modes is
// compiled into resources/ptx and built into this library, so that a machine without a toolkit runs them. An entry of
// the catalogue knows its documents, its parameters and how to make a LaunchPlan; it knows no backend.
#pragma once

#include "gpu/base/result.h"
#include "gpu/launch/plan.h"

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass {

struct Reference {
    std::string document;
    std::string section;
}; // "D0", "4.2 Divergence"

struct Parameter { // beside size, grid and block, which every entry has
    std::string name;
    std::int64_t minimum = 0, maximum = 0, standard = 0;
    std::string meaningEn, meaningZh;
};

// What the caller wants; anything left out is the entry's own default.
struct LaunchRequest {
    std::optional<std::int64_t> size;
    std::optional<Dim3> grid, block;
    std::optional<Dim3> cluster; // blocks of one, where the kernel names none
    std::optional<std::uint32_t> sharedBytes;
    CompileMode mode = CompileMode::Optimised;
    std::map<std::string, std::int64_t> set; // --set NAME=VALUE
};

struct CatalogueEntry {
    std::string name;                  // "reduceNeighbored"
    std::string family;                // "reduction-global": gallery group
    std::string entry;                 // in PTX
    std::string source;                // file in gpu/kernels
    std::vector<Reference> references; // none: our own
    std::string storyEn, storyZh;      // one line each
    std::vector<Parameter> parameters;
    LaunchRequest look;     // small enough to look at: a few blocks
    LaunchRequest document; // as in the document
    // Makes the plan; the request has been completed with the look defaults. Error: a parameter out of its range.
    std::function<Result<LaunchPlan>(const LaunchRequest&)> plan;
    // What size counts: elements in a row unless the entry works on a square matrix.
    std::string sizeMeaningEn = "elements", sizeMeaningZh = "元素个数";
};

struct Family {
    std::string key, nameEn, nameZh;
};

std::span<const CatalogueEntry> catalogue();
std::span<const Family> families();                      // in gallery order
const CatalogueEntry* findKernel(std::string_view name); // nullptr if unknown

// Completes the request with the entry's look defaults and makes the plan: sizes, shapes, source text, PTX of the mode.
Result<LaunchPlan> makePlan(const CatalogueEntry& entry, LaunchRequest request);

} // namespace warpglass
