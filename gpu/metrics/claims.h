// SPDX-License-Identifier: GPL-3.0-or-later
// The documents' claims: each number, table row and statement that can be measured, with how to measure it again. A
// claim holds no verdict. judge() works it out from what was measured; the claim only brings the sentences that explain
// one verdict or another, and they are shown when that verdict is the one that came out.
#pragma once

#include "gpu/base/enum_words.h"
#include "gpu/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass {

struct BilingualText {
    std::string en, zh;
};

enum class Verdict : std::uint8_t {
    Holds,
    HoldsWithDifference, // near, or the claim's order holds and its number does not
    OtherHardware,       // depends on the device or its compiler, and here it is different
    Wrong,
    NotMeasured, // nothing here could measure it
};
template <>
inline constexpr auto enumWords<Verdict> = EnumWords("verdict", {"holds", "holds_with_difference", "other_hardware",
                                                                 "wrong", "not_measured"});

// What the claimed number depends on, and so what a different number means.
enum class DependsOn : std::uint8_t {
    Pattern,  // arithmetic, rules, the kernel's accesses and branches: the same everywhere; another number is wrong
    Compiler, // machine code: other compilers make other instructions
    Device,   // time, bandwidth: other devices are faster
};
template <>
inline constexpr auto enumWords<DependsOn> = EnumWords("thing to depend on", {"pattern", "compiler", "device"});

enum class Comparison : std::uint8_t { Equal, AtLeast, AtMost };
template <>
inline constexpr auto enumWords<Comparison> = EnumWords("comparison", {"equal", "at_least", "at_most"});

struct Claim {
    std::string id;              // "d4-branch-efficiency-1"
    std::string document, place; // "D4", "线程束分化"
    BilingualText statement;
    std::string metric, unit; // unit as in MetricDefinition
    double claimed = 0;
    double tolerance = 0; // absolute, in unit: half of the last digit printed, or what the words allow
    double near = 0;      // absolute; within it a claim holds with a difference
    Comparison comparison = Comparison::Equal;
    DependsOn dependsOn = DependsOn::Pattern;
    std::string device; // the document's
    // How it is measured again, as the caller's measure function understands it: {"run": ..., "metric": ...},
    // {"occupancy": ..., "value": ...}, {"expression": "..."}, {"device": ..., "fact": ...}, {"ratio": [how, how]}.
    std::shared_ptr<const nlohmann::json> how;
    std::optional<double> h200; // measured on an NVIDIA H200; shipped, so that it can be compared on any machine
    std::string h200Origin;     // where that value comes from
    // What the laws of the claim's own device allow: outside, it is wrong whatever other hardware measures.
    std::optional<double> possibleFrom, possibleTo;
    std::map<std::string, BilingualText> why; // by verdict name
};

// Every claim of a claims file. The error names the claim and what is missing.
Result<std::vector<Claim>> readClaims(std::string_view json);

struct Judgement {
    Verdict verdict = Verdict::NotMeasured;
    BilingualText why;
};

// measured: on a GPU (now, or the shipped value); emulated: worked out or counted on this machine.
Judgement judge(const Claim& claim, std::optional<double> measured, std::optional<double> emulated);

struct CheckedClaim {
    const Claim* claim = nullptr;
    std::optional<double> measured, emulated;
    std::string note; // why nothing could be emulated, if it should have been
    Judgement judgement;
};

using Measure = std::function<Result<double>(const nlohmann::json& how)>;

// measure: what this machine can work out; live: what its GPU measures, empty without one.
CheckedClaim check(const Claim& claim, const Measure& measure, const Measure& live = {});

// {"document","statement","metric","claimed","unit","measured","emulated","verdict","why"} and more beside.
nlohmann::ordered_json claimJson(const CheckedClaim& checked);

} // namespace warpglass
