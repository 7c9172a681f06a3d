// SPDX-License-Identifier: GPL-3.0-or-later
// What the rows of the facts share: expectation_facts.cpp holds those of launches and counts, expectation_events.cpp
// those of single warps, accesses and reduction trees, expectation_pipelines.cpp those of copies, mbarriers and products.
#pragma once

#include "app/session/expectation.h"

namespace warpglass::session::asked {

using O = const Observed&;
using P = const FactPlace&;
using Names = std::vector<std::string_view>;

inline FactValue told(double number) {
    return {.number = number};
}
inline FactValue untold(std::string why) {
    return {.why = std::move(why)};
}

inline const Launch* launchAt(O o, P p) {
    const auto row = std::size_t(p.at("launch", 0));
    return row < o.trace->launches.size() ? &o.trace->launches[row] : nullptr;
}

inline const Names accessWords{"load", "store", "atomic", "global", "shared", "local", "other"};
inline const Names otherAlone{"other"};

std::vector<Fact> factsOfEvents();
std::vector<Fact> factsOfPipelines();

} // namespace warpglass::session::asked
