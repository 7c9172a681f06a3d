// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/program/settings.h"
#include "gpu/base/messages/files.h"
#include "gpu/base/utf8.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <sstream>

namespace warpglass::program {

using nlohmann::json;

std::string settingsText(const Settings& s) {
    return json{{"folder", s.folder},
                {"command", validUtf8(s.command)},
                {"kernels", s.kernels},
                {"launches", s.launches},
                {"detail", s.detail},
                {"blocks", s.blocks},
                {"accesses", s.accesses},
                {"timing", s.timing},
                {"policy", s.policy},
                {"races", s.races},
                {"finite", s.finite},
                {"twin", s.twin ? json(*s.twin) : json()},
                {"leaks", s.leaks},
                {"adverse", s.adverse ? json(*s.adverse) : json()},
                {"on_fault", s.onFault},
                {"device", s.device},
                {"capability", s.capability},
                {"devices", s.devices},
                {"threads", s.threads},
                {"times", s.times},
                {"max_events", s.maxEvents},
                {"max_instructions", s.maxInstructions},
                {"max_recorded", s.maxRecorded},
                {"keep_memory", s.keepMemory},
                {"in_place", s.inPlace}}
        .dump(-1, ' ', false, json::error_handler_t::replace);
}

Settings settingsFrom(const std::string& text) {
    Settings s;
    const json all = json::parse(text, nullptr, false);
    if (!all.is_object())
        return s;
    try {
        s.folder = all.value("folder", s.folder);
        s.command = all.value("command", s.command);
        s.kernels = all.value("kernels", s.kernels);
        s.launches = all.value("launches", s.launches);
        s.detail = all.value("detail", s.detail);
        s.blocks = all.value("blocks", s.blocks);
        s.accesses = all.value("accesses", s.accesses);
        s.timing = all.value("timing", s.timing);
        s.policy = all.value("policy", s.policy);
        s.races = all.value("races", s.races);
        s.finite = all.value("finite", s.finite);
        if (const auto tolerance = all.find("twin"); tolerance != all.end() && tolerance->is_number())
            s.twin = tolerance->get<double>();
        s.leaks = all.value("leaks", s.leaks);
        if (const auto seed = all.find("adverse"); seed != all.end() && seed->is_number_unsigned())
            s.adverse = seed->get<std::uint64_t>();
        s.onFault = all.value("on_fault", s.onFault);
        s.device = all.value("device", s.device);
        s.capability = all.value("capability", s.capability);
        s.devices = all.value("devices", s.devices);
        s.threads = all.value("threads", s.threads);
        s.times = all.value("times", s.times);
        s.maxEvents = all.value("max_events", s.maxEvents);
        s.maxInstructions = all.value("max_instructions", s.maxInstructions);
        s.maxRecorded = all.value("max_recorded", s.maxRecorded);
        s.keepMemory = all.value("keep_memory", s.keepMemory);
        s.inPlace = all.value("in_place", s.inPlace);
    } catch (const json::exception&) { // somebody else has set the variable
        return Settings{};
    }
    return s;
}

Settings settingsOfProcess() {
    const char* text = std::getenv(settingsVariable);
    Settings settings = settingsFrom(text ? text : "");
    settings.devices = std::clamp(settings.devices, 1u, mostDevices);
    return settings;
}

Result<std::vector<LaunchRange>> parseLaunches(const std::string& text) {
    std::vector<LaunchRange> ranges;
    const auto number = [](std::string_view word, std::uint64_t& n) {
        const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), n);
        return failed == std::errc() && end == word.data() + word.size();
    };
    std::stringstream words(text);
    for (std::string word; std::getline(words, word, ',');) {
        const std::size_t dash = word.find('-');
        LaunchRange range;
        const std::string_view all(word);
        const bool ok = number(all.substr(0, dash), range.first) &&
                        number(dash == std::string::npos ? all : all.substr(dash + 1), range.second);
        if (!ok || range.second < range.first)
            return Error{.message = say::NoLaunchRange(word), .file = "--launches", .remedy = say::LaunchRanges};
        ranges.push_back(range);
    }
    if (ranges.empty())
        return Error{.message = say::NoLaunchNamed, .file = "--launches", .remedy = say::LaunchExample};
    return ranges;
}

} // namespace warpglass::program
