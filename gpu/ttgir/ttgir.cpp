// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ttgir/ttgir.h"

#include <algorithm>
#include <charconv>

namespace warpglass::ttgir {

namespace {

constexpr int mostNestedPlaces = 32; // of locations within each other
constexpr std::size_t mostPlaces = 16;

std::uint32_t numberAt(std::string_view text, std::size_t at) {
    std::uint32_t value = 0;
    if (at < text.size())
        std::from_chars(text.data() + at, text.data() + text.size(), value);
    return value;
}

std::uint32_t attribute(std::string_view text, std::string_view name) {
    const std::size_t at = text.find(name);
    const std::size_t equals = at == std::string_view::npos ? at : text.find("= ", at);
    return equals == std::string_view::npos ? 0 : numberAt(text, equals + 2);
}

// Up to where the bracket before `at` is closed; of '<' '(' '[' '{'. "->" closes none.
std::size_t closing(std::string_view text, std::size_t at) {
    int depth = 1;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        depth += c == '<' || c == '(' || c == '[' || c == '{';
        depth -= (c == '>' && text[at - 1] != '-') || c == ')' || c == ']' || c == '}';
        if (depth == 0)
            return at;
    }
    return std::string_view::npos;
}

// "64x32xf16, #blocked", "1024x!tt.ptr<f32>, #blocked": what stands between the brackets of tensor<> or memdesc<>.
Tensor tensorOf(std::string_view inside, bool shared) {
    Tensor t;
    t.shared = shared;
    while (!inside.empty() && std::isdigit(static_cast<unsigned char>(inside.front())) != 0) {
        const std::size_t by = inside.find('x');
        if (by == std::string_view::npos)
            break;
        t.shape.push_back(numberAt(inside, 0));
        inside.remove_prefix(by + 1);
    }
    std::size_t comma = 0;
    for (int depth = 0; comma < inside.size() && (inside[comma] != ',' || depth > 0); ++comma)
        depth += inside[comma] == '<', depth -= inside[comma] == '>';
    std::string_view type = inside.substr(0, comma);
    constexpr std::string_view pointer = "!tt.ptr<";
    const bool isPointer = type.starts_with(pointer);
    if (isPointer)
        type = type.substr(pointer.size(), type.size() - pointer.size() - 1);
    const std::size_t digits = type.find_first_of("0123456789");
    t.bits = digits == std::string_view::npos ? 0 : numberAt(type, digits); // "f8E4M3FN", "bf16", "i1"
    t.type = (isPointer ? "*" : "") + std::string(type);
    if (comma < inside.size()) {
        std::string_view rest = inside.substr(comma + 1);
        while (!rest.empty() && rest.front() == ' ')
            rest.remove_prefix(1);
        std::size_t end = 0;
        for (int depth = 0; end < rest.size() && (rest[end] != ',' || depth > 0); ++end)
            depth += rest[end] == '<' || rest[end] == '[' || rest[end] == '{',
                depth -= rest[end] == '>' || rest[end] == ']' || rest[end] == '}';
        t.encoding = std::string(rest.substr(0, end));
    }
    return t;
}

std::vector<Tensor> tensorsOf(std::string_view line) {
    std::vector<Tensor> all;
    for (std::size_t at = 0; at < line.size();) {
        // "-> <64x32xf16, #shared, ...>": of copies into shared memory.
        const std::size_t tensor = line.find("tensor<", at),
                          memory = std::min(line.find("memdesc<", at), line.find("-> <", at));
        const std::size_t begin = std::min(tensor, memory);
        if (begin == std::string_view::npos)
            break;
        const std::size_t open = line.find('<', begin) + 1, close = closing(line, open);
        if (close == std::string_view::npos)
            break;
        // What a tensor copy brings lies in shared memory as its descriptor says.
        const bool described = line.substr(0, begin).ends_with("tensordesc<");
        Tensor t = tensorOf(line.substr(open, close - open), memory < tensor || described);
        if (!t.shape.empty() && !t.encoding.empty() && std::find(all.begin(), all.end(), t) == all.end())
            all.push_back(std::move(t));
        at = close;
    }
    return all;
}

// "loc(...)" with what "#loc7" stands for.
class Locations {
public:
    void add(std::string_view name, std::string_view text) { m_all[std::string(name)] = std::string(text); }

    void placesOf(std::string_view text, std::vector<SourceLine>& places, int nested = 0) const {
        if (nested > mostNestedPlaces || places.size() >= mostPlaces)
            return;
        if (text.starts_with("loc(") && text.ends_with(')'))
            text = text.substr(4, text.size() - 5);
        if (text.starts_with('#')) {
            if (const auto at = m_all.find(text.substr(0, text.find_first_of(" ,)]"))); at != m_all.end())
                placesOf(at->second, places, nested + 1);
        } else if (text.starts_with("callsite(")) {
            const std::size_t at = text.find(" at ");
            if (at == std::string_view::npos)
                return;
            placesOf(text.substr(9, at - 9), places, nested + 1);
            placesOf(text.substr(at + 4, text.size() - at - 5), places, nested + 1);
        } else if (text.starts_with("fused")) {
            if (const std::size_t open = text.rfind('['); open != std::string_view::npos)
                placesOf(text.substr(open + 1, text.find_first_of(",]", open) - open - 1), places, nested + 1);
        } else if (text.starts_with('"')) {
            const std::size_t end = text.find('"', 1);
            if (end == std::string_view::npos)
                return;
            if (end + 1 < text.size() && text[end + 1] == ':')
                places.push_back({std::string(text.substr(1, end - 1)), numberAt(text, end + 2)});
            else if (end + 1 < text.size() && text[end + 1] == '(') // a name, and where it is
                placesOf(text.substr(end + 2, text.size() - end - 3), places, nested + 1);
        }
    }

private:
    std::map<std::string, std::string, std::less<>> m_all;
};

// "%3 = tt.load %1, ..." or "tt.store ...": the operation's word.
std::string_view wordOf(std::string_view line) {
    while (!line.empty() && line.front() == ' ')
        line.remove_prefix(1);
    if (line.starts_with('%')) {
        const std::size_t equals = line.find(" = ");
        if (equals == std::string_view::npos)
            return {};
        line.remove_prefix(equals + 3);
    }
    if (line.starts_with('"')) // the generic form: "tt.reduce"(%3) <{...}>
        line.remove_prefix(1);
    const std::string_view word = line.substr(0, line.find_first_of(" \"(<{:"));
    const std::size_t dot = word.find('.');
    return dot == std::string_view::npos || dot == 0 ? std::string_view() : word;
}

// The location at the end of a line: "loc(#loc7)"; empty if there is none.
std::string_view locationIn(std::string_view line) {
    const std::size_t at = line.rfind(" loc(");
    return at == std::string_view::npos || !line.ends_with(')') ? std::string_view() : line.substr(at + 1);
}

template <class F>
void forEachLine(std::string_view text, F take) {
    for (std::uint32_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        while (!line.empty() && (line.back() == '\r' || line.back() == ' '))
            line.remove_suffix(1);
        take(number, line);
    }
}

} // namespace

std::optional<Ttgir> readTtgir(std::string_view text) {
    Ttgir module;
    Locations locations;
    forEachLine(text, [&](std::uint32_t, std::string_view line) {
        const std::size_t equals = line.find(" = ");
        if (!line.starts_with('#') || equals == std::string_view::npos)
            return;
        const std::string_view name = line.substr(0, equals), value = line.substr(equals + 3);
        if (value.starts_with("loc("))
            locations.add(name, value);
        else
            module.aliases[std::string(name)] = std::string(value);
    });
    using Open = std::pair<std::string, std::uint32_t>;
    std::vector<Open> open;
    forEachLine(text, [&](std::uint32_t number, std::string_view line) {
        if (line.starts_with("module ")) {
            module.warps = attribute(line, "\"ttg.num-warps\"");
            module.threadsPerWarp = attribute(line, "\"ttg.threads-per-warp\"");
            module.blocks = attribute(line, "\"ttg.num-ctas\"");
            return;
        }
        // Of one with a body ("tt.reduce") the types stand behind it.
        std::string_view word = wordOf(line);
        std::uint32_t begin = number;
        if (line.ends_with("({")) {
            open.emplace_back(std::string(word), number);
            return;
        }
        const std::size_t first = line.find_first_not_of(' ');
        Open closed;
        if (first != std::string_view::npos && line.substr(first).starts_with("})") && !open.empty()) {
            closed = std::move(open.back());
            open.pop_back();
            word = closed.first;
            begin = closed.second;
        }
        if (word == "tt.func") {
            const std::size_t at = line.find('@');
            if (at != std::string_view::npos && module.kernel.empty())
                module.kernel = std::string(line.substr(at + 1, line.find('(', at) - at - 1));
            return;
        }
        if (word.empty())
            return;
        TensorOperation o{std::string(word), begin, {}, tensorsOf(line)};
        if (o.tensors.empty())
            return;
        locations.placesOf(locationIn(line), o.places);
        module.operations.push_back(std::move(o));
    });
    if (module.aliases.empty() || module.warps == 0)
        return std::nullopt;
    return module;
}

} // namespace warpglass::ttgir
