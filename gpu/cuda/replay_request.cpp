// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/replay_request.h"
#include "gpu/base/messages/gpu.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace warpglass {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KeptArea, role, address, bytes, name)

} // namespace warpglass

namespace warpglass::cuda {

using nlohmann::json;

json toJson(const ReplayRequest& r) {
    return {{"what", "replay"},
            {"version", protocolVersion()},
            {"plan", toJson(r.plan)},
            {"options", toJson(r.options)},
            {"trace", r.trace},
            {"device", r.device},
            {"cooperative", r.cooperative},
            {"once", r.once},
            {"sharedBytes", r.sharedBytes},
            {"parameters", r.parameters},
            {"parameterBytes", r.parameterBytes},
            {"settings", r.settings},
            {"limits", r.limits},
            {"variables", r.variables},
            {"areas", r.areas}};
}

Result<ReplayRequest> replayFromJson(const json& j) {
    ReplayRequest r;
    try {
        auto plan = planFromJson(j.at("plan"));
        if (!plan)
            return plan.error();
        auto options = optionsFromJson(j.at("options"));
        if (!options)
            return options.error();
        r.plan = std::move(*plan);
        r.options = std::move(*options);
        j.at("trace").get_to(r.trace);
        j.at("device").get_to(r.device);
        j.at("cooperative").get_to(r.cooperative);
        j.at("once").get_to(r.once);
        j.at("sharedBytes").get_to(r.sharedBytes);
        j.at("parameters").get_to(r.parameters);
        j.at("parameterBytes").get_to(r.parameterBytes);
        j.at("settings").get_to(r.settings);
        j.at("limits").get_to(r.limits);
        j.at("variables").get_to(r.variables);
        j.at("areas").get_to(r.areas);
    } catch (const json::exception& e) {
        return Error{say::MessageNotUnderstood(e.what())};
    }
    return r;
}

std::vector<AddressRange> rangesOf(const std::vector<KeptArea>& areas) {
    std::vector<AddressRange> all;
    for (const KeptArea& a : areas)
        if (a.address != 0 && a.bytes != 0) {
            const std::uint64_t first = a.address / addressStep * addressStep;
            const std::uint64_t end = (a.address + a.bytes + addressStep - 1) / addressStep * addressStep;
            all.push_back({first, end - first});
        }
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.address < b.address; });
    std::vector<AddressRange> merged;
    for (const AddressRange& r : all)
        if (!merged.empty() && r.address <= merged.back().address + merged.back().bytes)
            merged.back().bytes = std::max(merged.back().bytes, r.address + r.bytes - merged.back().address);
        else
            merged.push_back(r);
    return merged;
}

} // namespace warpglass::cuda
