// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/metrics/claims.h"
#include "gpu/base/messages/session.h"

#include "gpu/base/expression.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace warpglass {

using nlohmann::json;

namespace {

// A number, or an expression that gives one.
Result<double> numberOf(const json& value) {
    if (value.is_number())
        return value.get<double>();
    if (value.is_string())
        return evaluateExpression(value.get<std::string>());
    return Error{say::NumberExpected};
}

BilingualText textOf(const json& object) {
    return {object.value("en", ""), object.value("zh", "")};
}

Error broken(const std::string& id, const std::string& what) {
    return Error{.message = say::ClaimBroken(id, what), .file = "claims.json"};
}

Result<Claim> readClaim(const json& object) {
    Claim claim;
    claim.id = object.value("id", "");
    for (const char* field : {"id", "document", "place", "metric", "unit"})
        if (!object.contains(field) || !object[field].is_string())
            return broken(claim.id, fmt::format("\"{}\" is missing", field));
    for (const char* field : {"statement", "how"})
        if (!object.contains(field) || !object[field].is_object())
            return broken(claim.id, fmt::format("\"{}\" is missing", field));
    claim.document = object["document"];
    claim.place = object["place"];
    claim.statement = textOf(object["statement"]);
    if (claim.statement.en.empty() || claim.statement.zh.empty())
        return broken(claim.id, "the statement must be in English and in Chinese");
    claim.metric = object["metric"];
    claim.unit = object["unit"];
    claim.device = object.value("device", "");
    claim.how = std::make_shared<const json>(object["how"]);

    for (const auto& [field, to] : {std::pair("claimed", &claim.claimed), std::pair("tolerance", &claim.tolerance)}) {
        const auto value = object.contains(field) ? numberOf(object[field]) : Result<double>(Error{say::IsMissing});
        if (!value)
            return broken(claim.id, fmt::format("{}: {}", field, value.error().message.text()));
        *to = *value;
    }
    claim.near = object.value("near", 0.05 * std::abs(claim.claimed));

    const auto comparison = parseEnum<Comparison>(object.value("comparison", "equal"));
    if (!comparison)
        return broken(claim.id, fmt::format("comparison is {}", wordsText<Comparison>()));
    claim.comparison = *comparison;
    const auto depends = parseEnum<DependsOn>(object.value("depends_on", "pattern"));
    if (!depends)
        return broken(claim.id, fmt::format("depends_on is {}", wordsText<DependsOn>()));
    claim.dependsOn = *depends;

    if (object.contains("h200")) {
        claim.h200 = object["h200"].value("value", 0.0);
        claim.h200Origin = object["h200"].value("origin", "");
    }
    for (const auto& [field, to] : {std::pair("from", &claim.possibleFrom), std::pair("to", &claim.possibleTo)})
        if (object.contains("possible") && object["possible"].contains(field)) {
            const auto value = numberOf(object["possible"][field]);
            if (!value)
                return broken(claim.id, value.error().message);
            *to = *value;
        }
    if (object.contains("why"))
        for (const auto& [verdict, text] : object["why"].items())
            claim.why[verdict] = textOf(text);
    return claim;
}

bool within(const Claim& claim, double value, double margin) {
    margin +=
        1e-9 * std::abs(claim.claimed); // a number that is exactly half a digit away is not an accident of doubles
    switch (claim.comparison) {
    case Comparison::Equal:
        return std::abs(value - claim.claimed) <= margin;
    case Comparison::AtLeast:
        return value >= claim.claimed - margin;
    case Comparison::AtMost:
        return value <= claim.claimed + margin;
    }
    return false;
}

Verdict verdictOf(const Claim& claim, std::optional<double> measured, std::optional<double> emulated) {
    if ((claim.possibleFrom && claim.claimed < *claim.possibleFrom) ||
        (claim.possibleTo && claim.claimed > *claim.possibleTo))
        return Verdict::Wrong;
    // A pattern is the same everywhere, so the exact count decides; anything else only hardware can tell.
    const std::optional<double> value = claim.dependsOn == DependsOn::Pattern && emulated ? emulated : measured;
    if (!value || !std::isfinite(*value))
        return Verdict::NotMeasured;
    if (within(claim, *value, claim.tolerance))
        return Verdict::Holds;
    if (within(claim, *value, std::max(claim.near, claim.tolerance)))
        return Verdict::HoldsWithDifference;
    return claim.dependsOn == DependsOn::Pattern ? Verdict::Wrong : Verdict::OtherHardware;
}

nlohmann::ordered_json optionalJson(std::optional<double> value) {
    return value && std::isfinite(*value) ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

} // namespace

Result<std::vector<Claim>> readClaims(std::string_view text) {
    const json document = json::parse(text, nullptr, false);
    if (document.is_discarded() || !document.contains("claims") || !document["claims"].is_array())
        return Error{.message = say::ClaimsNotRead, .file = "claims.json"};
    std::vector<Claim> claims;
    std::set<std::string> ids;
    for (const json& object : document["claims"]) {
        auto claim = readClaim(object);
        if (!claim)
            return claim.error();
        if (!ids.insert(claim->id).second)
            return broken(claim->id, "the id is used twice");
        claims.push_back(std::move(*claim));
    }
    return claims;
}

Judgement judge(const Claim& claim, std::optional<double> measured, std::optional<double> emulated) {
    Judgement judgement{.verdict = verdictOf(claim, measured, emulated)};
    if (const auto found = claim.why.find(name(judgement.verdict)); found != claim.why.end())
        judgement.why = found->second;
    else if (judgement.verdict == Verdict::OtherHardware)
        judgement.why = {"The number belongs to the document's device and compiler; another one gives another number.",
                         "这个数值属于文档所用的设备和编译器；换一种硬件，数值就不同。"};
    return judgement;
}

CheckedClaim check(const Claim& claim, const Measure& measure, const Measure& live) {
    CheckedClaim checked{.claim = &claim, .measured = claim.h200};
    if (live)
        if (const auto value = live(*claim.how))
            checked.measured = *value;
    if (const auto value = measure(*claim.how))
        checked.emulated = *value;
    else
        checked.note = value.error().message;
    checked.judgement = judge(claim, checked.measured, checked.emulated);
    return checked;
}

nlohmann::ordered_json claimJson(const CheckedClaim& checked) {
    const Claim& claim = *checked.claim;
    nlohmann::ordered_json object{{"document", claim.document},
                                  {"statement", claim.statement.en},
                                  {"metric", claim.metric},
                                  {"claimed", claim.claimed},
                                  {"unit", claim.unit},
                                  {"measured", optionalJson(checked.measured)},
                                  {"emulated", optionalJson(checked.emulated)},
                                  {"verdict", name(checked.judgement.verdict)},
                                  {"why", checked.judgement.why.en},
                                  {"id", claim.id},
                                  {"place", claim.place},
                                  {"statement_zh", claim.statement.zh},
                                  {"why_zh", checked.judgement.why.zh},
                                  {"tolerance", claim.tolerance},
                                  {"device", claim.device}};
    if (claim.h200)
        object["measured_origin"] = claim.h200Origin;
    if (!checked.note.empty())
        object["note"] = checked.note;
    return object;
}

} // namespace warpglass
