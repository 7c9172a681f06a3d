// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/conformance/header.h"

#include "gpu/launch/tensor_map.h"
#include "gpu/launch/texture_words.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <sstream>

namespace warpglass::conformance {
namespace {

// One statement of the head, with the lines that it goes over joined: "out d s32" and "1 2 3".
struct Statement {
    std::string what, value;
    int line = 0, lastLine = 0;
};

std::string trimmed(std::string_view text) {
    const std::size_t from = text.find_first_not_of(" \t\r");
    if (from == std::string_view::npos)
        return {};
    return std::string(text.substr(from, text.find_last_not_of(" \t\r") + 1 - from));
}

std::vector<std::string> words(const std::string& text) {
    std::vector<std::string> found;
    std::istringstream in(text);
    for (std::string word; in >> word;)
        found.push_back(word);
    return found;
}

// A comment states something if one to three words stand before a colon; others are for people.
std::vector<Statement> statements(const std::string& text) {
    std::vector<Statement> found;
    std::istringstream in(text);
    int number = 0;
    bool goesOn = false;
    for (std::string line; std::getline(in, line);) {
        ++number;
        if (!line.starts_with("//"))
            break;
        std::string comment = trimmed(line.substr(2));
        const bool more = comment.ends_with('\\');
        if (more)
            comment = trimmed(comment.substr(0, comment.size() - 1));
        if (goesOn) {
            found.back().value += " " + comment;
            found.back().lastLine = number;
            goesOn = more;
            continue;
        }
        const std::size_t colon = comment.find(':');
        if (colon == std::string::npos || comment.starts_with("SPDX"))
            continue;
        const std::vector<std::string> before = words(comment.substr(0, colon));
        if (before.empty() || before.size() > 3)
            continue;
        found.push_back({trimmed(comment.substr(0, colon)), trimmed(comment.substr(colon + 1)), number, number});
        goesOn = more;
    }
    return found;
}

std::optional<Dim3> shape(const std::string& text) {
    std::array<std::uint32_t, 3> sizes{1, 1, 1};
    const char* at = text.data();
    const char* const end = at + text.size();
    for (std::size_t k = 0; k < 3; ++k) {
        const auto [next, wrong] = std::from_chars(at, end, sizes[k]);
        if (wrong != std::errc{} || sizes[k] == 0)
            return {};
        if (next == end)
            return Dim3{sizes[0], sizes[1], sizes[2]};
        if (*next != ',')
            return {};
        at = next + 1;
    }
    return {};
}

// "2 ulp", "0.0001 absolute", "2^-22 relative"
std::optional<Tolerance> tolerance(const std::string& text) {
    const std::vector<std::string> parts = words(text);
    if (parts.size() != 2)
        return {};
    Tolerance within;
    char* end = nullptr;
    if (parts[0].starts_with("2^"))
        within.size = std::exp2(std::strtod(parts[0].c_str() + 2, &end));
    else
        within.size = std::strtod(parts[0].c_str(), &end);
    if (*end != '\0' || !(within.size > 0))
        return {};
    if (parts[1] == "ulp")
        within.unit = Tolerance::Unit::Ulp;
    else if (parts[1] == "absolute")
        within.unit = Tolerance::Unit::Absolute;
    else if (parts[1] == "relative")
        within.unit = Tolerance::Unit::Relative;
    else
        return {};
    return within;
}

// "texture NAME: SPEC" and "surface NAME: SPEC -> VALUES", the texels after the launch; "tensormap NAME: SPEC".
Result<Parameter> objectParameter(const Statement& s, const std::vector<std::string>& what) {
    Parameter p;
    p.object = what[0];
    p.name = what[1];
    p.isBuffer = false;
    p.line = s.line;
    p.lastLine = s.lastLine;
    const std::size_t arrow = s.value.find(" -> ");
    p.spec = s.value.substr(0, arrow);
    std::erase(p.spec, ' '); // long values go over several lines
    p.initial.resize(8);     // the object itself, which the backend knows
    if (p.object == "tensormap") {
        p.initial.resize(tensorMapBytes);
        auto map = parseTensorMap(p.spec, p.spec);
        return map ? Result<Parameter>(std::move(p)) : map.error();
    }
    if (arrow == std::string::npos)
        return p;
    LaunchPlan plan;
    if (auto ok = addSurface(plan, p.name + "=" + p.spec); !ok)
        return ok.error();
    // Texels are compared by the type of their channels; of halves by their bits.
    const ChannelType type = plan.arrays[0].type;
    p.type = type == ChannelType::F16 ? "b16" : name(type);
    p.kind = elementKind(p.type);
    auto bytes = readElements(s.value.substr(arrow + 4), p.kind);
    if (!bytes)
        return bytes.error();
    if (bytes->size() != plan.arrays[0].bytes())
        return Error{fmt::format("{} has {} bytes of texels, not {}", p.name, plan.arrays[0].bytes(), bytes->size())};
    p.expected = std::move(*bytes);
    p.compared = true;
    return p;
}

Result<Parameter> parameter(const Statement& s, const std::vector<std::string>& what) {
    Parameter p;
    p.name = what[1];
    p.type = what[2];
    p.kind = elementKind(p.type);
    p.line = s.line;
    p.lastLine = s.lastLine;
    p.isBuffer = what[0] != "value";
    p.compared = what[0] == "out" || what[0] == "inout";
    if (p.kind.bytes == 0)
        return Error{fmt::format("there is no type {}", p.type)};
    const auto read = [&](const std::string& text, std::vector<std::byte>& into) -> Result<void> {
        auto bytes = readElements(text, p.kind);
        if (!bytes)
            return bytes.error();
        if (bytes->empty())
            return Error{fmt::format("{} has no values", p.name)};
        into = std::move(*bytes);
        return {};
    };
    // "+N#HASH" behind the values: so many more come out.
    const auto readOut = [&](std::string text) -> Result<void> {
        const std::size_t last = text.rfind(' ') + 1;
        if (text.substr(last).starts_with('+')) {
            const auto [end, wrong] = std::from_chars(text.data() + last + 1, text.data() + text.size(), p.more);
            if (wrong != std::errc{} || p.more == 0 || p.more > mostElements || p.kind.isFloat() || *end != '#' ||
                text.data() + text.size() - end != 17 ||
                std::from_chars(end + 1, end + 17, p.moreHash, 16).ptr != end + 17)
                return Error{fmt::format("{} is no number of further values with their hash", text.substr(last))};
            text.resize(last);
        }
        return read(text, p.expected);
    };
    if (what[0] == "inout") {
        const std::size_t arrow = s.value.find("->");
        if (arrow == std::string::npos)
            return Error{"inout has values before and after ->"};
        if (auto r = read(s.value.substr(0, arrow), p.initial); !r)
            return r.error();
        if (auto r = readOut(s.value.substr(arrow + 2)); !r)
            return r.error();
        const std::size_t before = p.initial.size() / p.kind.bytes, after = p.expected.size() / p.kind.bytes + p.more;
        if (before != after)
            return Error{fmt::format("{} has {} values before and {} after the launch", p.name, before, after)};
        return p;
    }
    if (auto r = p.compared ? readOut(s.value) : read(s.value, p.initial); !r)
        return r.error();
    return p;
}

// What is not about a parameter. False: there is no such word.
Result<bool> setting(Case& c, const Statement& s) {
    const auto wrong = [&](const char* expected) {
        return Error{fmt::format("{} is {}, not {}", s.what, expected, s.value.empty() ? "nothing" : s.value)};
    };
    if (s.what == "form" || s.what == "source" || s.what == "target" || s.what == "skip hardware" || s.what == "told") {
        if (s.value.empty())
            return wrong("some words");
        (s.what == "form"     ? c.form
         : s.what == "source" ? c.source
         : s.what == "target" ? c.target
         : s.what == "told"   ? c.told
                              : c.skipHardware) = s.value;
    } else if (s.what == "grid" || s.what == "block") {
        const auto sizes = shape(s.value);
        if (!sizes)
            return wrong("up to three numbers with commas");
        (s.what == "grid" ? c.grid : c.block) = *sizes;
    } else if (s.what == "shared") {
        const char* const end = s.value.data() + s.value.size();
        const auto [at, error] = std::from_chars(s.value.data(), end, c.sharedBytes);
        if (error != std::errc{} || at != end)
            return wrong("a number of bytes");
    } else if (s.what == "within") {
        const auto within = tolerance(s.value);
        if (!within)
            return wrong("a number and ulp, absolute or relative");
        c.within = *within;
    } else {
        return false;
    }
    return true;
}

} // namespace

Result<Case> readHeader(const std::string& text, const std::string& file) {
    Case c;
    std::set<std::string> seen;
    for (const Statement& s : statements(text)) {
        const auto at = [&](Error error) {
            error.file = file;
            error.line = s.line;
            return error;
        };
        const std::vector<std::string> what = words(s.what);
        const bool isParameter =
            what.size() == 3 && (what[0] == "in" || what[0] == "out" || what[0] == "inout" || what[0] == "value");
        const bool isObject =
            what.size() == 2 && (what[0] == "texture" || what[0] == "surface" || what[0] == "tensormap");
        if (!seen.insert(isParameter || isObject ? "the parameter " + what[1] : s.what).second)
            return at({fmt::format("{} stands here twice", isParameter ? what[1] : s.what)});
        if (isParameter || isObject) {
            auto p = isObject ? objectParameter(s, what) : parameter(s, what);
            if (!p)
                return at(p.error());
            c.parameters.push_back(std::move(*p));
            continue;
        }
        const auto known = setting(c, s);
        if (!known)
            return at(known.error());
        if (!*known)
            return at({fmt::format("the head of a file has no \"{}:\"", s.what)});
    }
    for (const auto& [value, name] : {std::pair{&c.form, "form"}, std::pair{&c.source, "source"}})
        if (value->empty())
            return Error{fmt::format("the head says no \"{}:\"", name), file, 1};
    if (std::none_of(c.parameters.begin(), c.parameters.end(), [](const Parameter& p) { return p.compared; }))
        return Error{"the head names nothing that comes out", file, 1};
    return c;
}

std::string wrapped(const std::string& comment) {
    std::string text, rest = comment;
    constexpr std::size_t width = 116;
    std::size_t first = 3; // behind "// ", then behind "//   "
    while (rest.size() > width) {
        std::size_t blank = rest.rfind(' ', width);
        if (blank == std::string::npos || blank < first) // a word that is longer than a line
            blank = rest.find(' ', width);
        if (blank == std::string::npos)
            break;
        text += rest.substr(0, blank) + " \\\n";
        rest = "//   " + rest.substr(blank + 1);
        first = 5;
    }
    return text + rest + "\n";
}

} // namespace warpglass::conformance
