// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/profilers/scopes.h"

#include "gpu/base/messages/files.h"
#include "gpu/profilers/tables.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

namespace warpglass::profilers {

namespace {

using nlohmann::json;

constexpr std::size_t mostScopes = 20'000'000, mostNames = 4096;
constexpr std::size_t mostHeld = 1'000'000; // values of the file in memory at once: a range is some twenty
constexpr int mostDepth = 16;
constexpr double mostNs = 9e15;

const json* memberOf(const json& object, const char* name) {
    const auto found = object.is_object() ? object.find(name) : object.end();
    return object.is_object() && found != object.end() ? &*found : nullptr;
}

const std::string* textOf(const json& object, const char* name) {
    const json* member = memberOf(object, name);
    return member ? member->get_ptr<const std::string*>() : nullptr;
}

std::optional<double> numberOf(const json* member) {
    if (!member || !member->is_number() || std::abs(member->get<double>()) > mostNs)
        return std::nullopt;
    return member->get<double>();
}

std::optional<std::uint32_t> countOf(const json* member) {
    const std::optional<double> number = numberOf(member);
    return number && *number >= 0 && *number < 4294967295.0 ? std::optional(std::uint32_t(*number)) : std::nullopt;
}

// As the parser counts them: the value itself and all in it, at most mostDepth deep.
std::size_t valuesOf(const json& whole) {
    std::size_t all = 1;
    if (whole.is_structured())
        for (const json& one : whole)
            all += valuesOf(one);
    return all;
}

// The number behind a word: "warp 3 (line 0)" after "warp".
std::optional<std::uint32_t> numberAfter(std::string_view text, std::string_view word) {
    const std::size_t found = text.rfind(word);
    if (found == std::string_view::npos)
        return std::nullopt;
    std::size_t at = found + word.size();
    at += at < text.size() && text[at] == ' ' ? 1 : 0;
    std::uint64_t number = 0;
    const std::size_t first = at;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9' && number < 4294967295u; ++at)
        number = number * 10 + std::uint64_t(text[at] - '0');
    return at > first && number < 4294967295u ? std::optional(std::uint32_t(number)) : std::nullopt;
}

// Takes each object as the parser ends it, and lets it go: a file of gigabytes is never held as a tree.
class ScopeReader {
public:
    bool full = false;
    std::vector<ScopeTrace> traces;

    // Whether the object is none of ours and stays where it is.
    bool take(const json& object) {
        if (textOf(object, "ph") && textOf(object, "tid"))
            return takeProton(object);
        if (textOf(object, "rangeName") || textOf(object, "markerName"))
            return takeIket(object);
        if (memberOf(object, "warpLocation"))
            return takeLifetime(object);
        if (const std::string* kernel = textOf(object, "kernelName"); kernel && memberOf(object, "ranges")) {
            m_launch.kernel = nameOf(*kernel);
            if (!m_launch.scopes.empty())
                traces.push_back(std::move(m_launch));
            m_launch = {.profiler = "IKET"};
            m_names.clear();
            m_known = false;
            return false;
        }
        return true;
    }

private:
    ScopeTrace m_launch{.profiler = "IKET"}; // whose ranges are being read: the launch's own name comes after them
    std::unordered_map<std::string, std::uint32_t> m_names;
    std::unordered_map<std::string, std::size_t> m_kernels; // of Proton: row of `traces`
    std::size_t m_scopes = 0;
    bool m_known = false; // something of m_launch has a time

    void add(ScopeTrace& trace, const std::string& key, const std::string& name, Scope scope, bool known) {
        if (++m_scopes > mostScopes) {
            full = true;
            return;
        }
        const auto [row, isNew] = m_names.try_emplace(key, std::uint32_t(trace.names.size()));
        if (isNew && trace.names.size() >= mostNames) {
            m_names.erase(row);
            full = true;
            return;
        }
        if (isNew)
            trace.names.push_back(name);
        scope.name = row->second;
        trace.begin = known ? std::min(trace.begin, scope.begin) : scope.begin;
        trace.scopes.push_back(scope);
    }

    bool takeProton(const json& object) {
        const std::string *kernel = textOf(object, "cat"), *name = textOf(object, "name");
        const std::string *process = textOf(object, "pid"), *thread = textOf(object, "tid");
        const auto begin = numberOf(memberOf(object, "ts")), length = numberOf(memberOf(object, "dur")); // us
        if (*textOf(object, "ph") != "X" || !kernel || !name || !process || !begin || !length || *length < 0)
            return false;
        const auto block = numberAfter(*process, "CTA"), warp = numberAfter(*thread, "warp");
        if (!block || !warp || std::abs(*begin) + *length > mostNs / 1000)
            return false;
        const auto [row, isNew] = m_kernels.try_emplace(*kernel, traces.size());
        if (isNew)
            traces.push_back({.profiler = "Proton", .kernel = nameOf(*kernel), .clockOfBlock = true});
        ScopeTrace& trace = traces[row->second];
        const auto ns = [](double us) { return std::int64_t(std::llround(us * 1000)); };
        add(trace, std::to_string(row->second) + ' ' + *name, *name,
            {.block = {*block, 0, 0}, .warp = *warp, .begin = ns(*begin), .end = ns(*begin + *length)},
            !trace.scopes.empty());
        return false;
    }

    static std::optional<Scope> placeOf(const json& location) {
        const json* block = memberOf(location, "ctaId");
        const auto warp = countOf(memberOf(location, "warpId"));
        if (!block || !block->is_array() || block->size() != 3 || !warp)
            return std::nullopt;
        const auto x = countOf(&(*block)[0]), y = countOf(&(*block)[1]), z = countOf(&(*block)[2]);
        return x && y && z ? std::optional(Scope{.block = {*x, *y, *z}, .warp = *warp}) : std::nullopt;
    }

    void addIket(const std::string& name, const json& location, double begin, double end) {
        std::optional<Scope> scope = placeOf(location);
        if (!scope)
            return;
        scope->begin = std::llround(begin);
        scope->end = std::llround(end);
        add(m_launch, name, name, *scope, m_known);
        m_known = true;
    }

    bool takeIket(const json& object) {
        if (const std::string* name = textOf(object, "markerName")) {
            const json* location = memberOf(object, "location");
            if (const auto time = numberOf(memberOf(object, "timestamp")); time && location)
                addIket(*name, *location, *time, *time);
            return false;
        }
        const auto begin = numberOf(memberOf(object, "startTs")), end = numberOf(memberOf(object, "endTs"));
        const json* places = memberOf(object, "warpLocs");
        if (begin && end && *end >= *begin && places && places->is_array())
            for (const json& place : *places)
                addIket(*textOf(object, "rangeName"), place, *begin, *end);
        return false;
    }

    bool takeLifetime(const json& object) {
        if (const auto begin = numberOf(memberOf(object, "startTs"))) {
            const std::int64_t at = std::llround(*begin);
            m_launch.begin = m_known ? std::min(m_launch.begin, at) : at;
            m_known = true;
        }
        return false;
    }
};

} // namespace

Result<std::vector<ScopeTrace>> readScopes(std::string_view text, const std::string& file) {
    ScopeReader reader;
    std::size_t held = 0;
    bool isForeign = false;
    const auto each = [&](int depth, json::parse_event_t event, json& parsed) {
        using Event = json::parse_event_t;
        held += event == Event::value || event == Event::object_end || event == Event::array_end ? 1 : 0;
        isForeign = isForeign || depth > mostDepth || held > mostHeld;
        if (isForeign || reader.full)
            return false;
        if (event != Event::object_end || reader.take(parsed))
            return true;
        held -= valuesOf(parsed);
        return false;
    };
    const json whole = json::parse(text, each, false);
    if (reader.full)
        return Error{.message = say::ReportTooLong(mostScopes), .file = file};
    if (isForeign || whole.is_discarded() || reader.traces.empty())
        return Error{.message = say::ScopesNone, .file = file, .remedy = say::ScopesRemedy};
    return std::move(reader.traces);
}

} // namespace warpglass::profilers
