// SPDX-License-Identifier: GPL-3.0-or-later
// What why() found, as text and as JSON.
#include "app/session/summary.h"
#include "app/session/why.h"
#include "gpu/metrics/model_accuracy.h"
#include "gpu/metrics/why_words.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace warpglass::session {

namespace {

std::string percent(double share) {
    return fmt::format("{:.0f} %", std::round(100 * share) + 0.0); // never "-0 %"
}

} // namespace

nlohmann::ordered_json whyJson(const Why& why) {
    using nlohmann::ordered_json;
    const Launch& launch = why.trace->launches.front();
    ordered_json object{{"kernel", why.trace->kernels[launch.kernel].name},
                        {"device", why.trace->info.deviceName},
                        {"grid", shapeJson(launch.grid)},
                        {"block", shapeJson(launch.block)},
                        {"duration_ns", why.ns},
                        {"floor_ns", why.floorNs},
                        {"origin", "modelled"}};
    object["warm_l2"] = why.warmL2;
    object["model_error"] = why.modelError > 0 ? ordered_json(why.modelError) : ordered_json();
    object["kind"] = name(kindOf(*why.trace));
    object["error_sentence"] = errorSentence(why).text();
    object["lines"] = why.fromSource ? "source" : "ptx";
    object["remains"] = remains(why).text();
    object["pipeline"] = pipelineSentence(why).text();
    object["compiler"] = nlohmann::ordered_json::array();
    for (const Said& more : why.compiler)
        object["compiler"].push_back(more.text());
    object["idle_sms"] = idleSms(why).text();
    object["spent"] = ordered_json::array();
    for (const Said& more : spent(why))
        object["spent"].push_back(more.text());
    object["limits"] = ordered_json::array();
    for (const WhyLimit& limit : why.limits) {
        ordered_json row{{"limit", name(limit.limit)},
                         {"duration_ns", limit.ns},
                         {"saved", why.saved(limit.ns)},
                         {"sentence", sentence(why, limit).text()}};
        row["lines"] = ordered_json::array();
        for (const WhyLine& line : limit.lines) {
            ordered_json l{{"line", line.line}};
            l["access"] = line.access ? ordered_json(name(*line.access)) : ordered_json();
            l["share"] = line.share;
            l["saved"] = line.savedNs ? ordered_json(*line.savedNs / why.ns) : ordered_json();
            l["found"] = line.found;
            l["least"] = line.least;
            l["mostly"] = line.mostly ? ordered_json(name(*line.mostly)) : ordered_json();
            l["layout"] = nullptr;
            if (line.layout)
                l["layout"] = {{"name", nameOf(line.layout->layout, 1)},
                               {"passes", line.layout->passes()},
                               {"present_passes", line.passes}};
            l["sentence"] = sentence(why, limit, line).text();
            row["lines"].push_back(std::move(l));
        }
        object["limits"].push_back(std::move(row));
    }
    object["pair"] = nullptr;
    if (why.pair)
        object["pair"] = {{"limits", {name(why.pair->first), name(why.pair->second)}},
                          {"duration_ns", why.pair->ns},
                          {"saved", why.saved(why.pair->ns)}};
    return object;
}

std::string whyText(const Why& why) {
    const Launch& launch = why.trace->launches.front();
    const Said error = kindError(*why.trace);
    std::string out = fmt::format("{}, grid {}, block {}: {}{}\n\n", why.trace->kernels[launch.kernel].name,
                                  launch.grid.text(), launch.block.text(), nsText(why.ns),
                                  error.empty() ? std::string(" (modelled; nothing was measured on this device)")
                                                : fmt::format(" (modelled; {})", error.text()));
    if (const Said pipeline = pipelineSentence(why); !pipeline.empty())
        out += pipeline + "\n";
    if (const Said idle = idleSms(why); !idle.empty())
        out += idle + "\n";
    for (const Said& more : why.compiler)
        out += more + "\n";
    for (const WhyLimit& limit : why.limits) {
        const std::string text = sentence(why, limit).text();
        if (text.empty())
            continue;
        out += text + "\n";
        for (const WhyLine& line : limit.lines)
            out += "    " + (sentence(why, limit, line) + "\n");
    }
    for (const Said& more : {nothingAtAll(why), remains(why)})
        if (!more.empty())
            out += more + "\n";
    for (const Said& more : spent(why))
        out += more + "\n";
    if (why.warmL2)
        out += warmSentence() + "\n";
    out += fmt::format("\n{:<26} {:>11} {:>8}\n", "without", "time", "saves");
    std::string nothing; // what would save less than half a per cent is a name and no row
    for (const WhyLimit& limit : why.limits)
        if (const std::string saves = percent(why.saved(limit.ns)); saves != "0 %")
            out += fmt::format("{:<26} {:>11} {:>8}\n", name(limit.limit), nsText(limit.ns), saves);
        else
            nothing += (nothing.empty() ? "" : ", ") + std::string(name(limit.limit));
    if (why.pair)
        out += fmt::format("{:<26} {:>11} {:>8}\n",
                           fmt::format("{} and {}", name(why.pair->first), name(why.pair->second)),
                           nsText(why.pair->ns), percent(why.saved(why.pair->ns)));
    out += fmt::format("{:<26} {:>11} {:>8}\n", "all of them", nsText(why.floorNs), percent(why.saved(why.floorNs)));
    if (!nothing.empty())
        out += "nothing to gain from: " + nothing + "\n";
    return out;
}

} // namespace warpglass::session
