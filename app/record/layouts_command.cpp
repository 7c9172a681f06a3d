// SPDX-License-Identifier: GPL-3.0-or-later
// `layouts` says of a Triton kernel which lane holds which element of its tiles, line by line of its Python.
#include "app/record/command.h"
#include "app/record/recorded_launch.h"
#include "app/session/triton.h"
#include "gpu/base/quantity.h"
#include "gpu/base/read_file.h"
#include "gpu/ttgir/ttgir.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <optional>

namespace warpglass::record {

namespace {

using nlohmann::ordered_json;
using namespace ttgir;

constexpr std::uint64_t mostText = 256 << 20; // bytes of a file
constexpr const char *notKnown = "this layout is not known here, or the tile's sides are no powers of two",
                     *unknownLine = "      this layout is not known here, or the tile's sides are no powers of two\n";

struct LayoutsCommand {
    std::string file, element;
    RunWords words;
    std::uint32_t line = 0, warp = 0;
    std::int64_t lane = -1, launch = -1;
    bool json = false;
};

// Neighbours of a lane along one dimension.
struct Run {
    Place first;
    std::size_t dimension = 0;
    std::uint32_t value = 0, count = 1; // which of the lane's, and how many follow each other
};

std::vector<Run> runsOf(const TileLayout& layout, std::uint32_t warp, std::uint32_t lane) {
    std::vector<Run> runs;
    for (std::uint32_t r = 0; r < layout.registerCount(); ++r) {
        const Place at = layout.element(warp, lane, r);
        if (!runs.empty()) {
            Run& run = runs.back();
            const auto follows = [&](std::size_t d) {
                Place next = run.first;
                next[d] += run.count;
                return next == at;
            };
            const std::size_t from = run.count > 1 ? run.dimension : 0, to = run.count > 1 ? from + 1 : at.size();
            std::size_t d = to;
            while (d > from && !follows(d - 1)) // the last dimension first
                --d;
            if (d > from) {
                run.dimension = d - 1;
                ++run.count;
                continue;
            }
        }
        runs.push_back({at, at.size() - 1, r, 1});
    }
    return runs;
}

std::string placeText(const Place& place) {
    return fmt::format("[{}]", fmt::join(place, ", "));
}

std::string runText(const Run& run, std::uint32_t bits) {
    std::string text = "[";
    for (std::size_t d = 0; d < run.first.size(); ++d) {
        text += d ? ", " : "";
        text += d == run.dimension && run.count > 1 ? fmt::format("{}..{}", run.first[d], run.first[d] + run.count - 1)
                                                    : fmt::format("{}", run.first[d]);
    }
    text += run.count > 1 ? fmt::format("] as values {} to {}", run.value, run.value + run.count - 1)
                          : fmt::format("] as value {}", run.value);
    return bits >= 8 ? text + fmt::format(", {} bytes", run.count * bits / 8) : text;
}

std::string tensorText(const Tensor& t, const Aliases& aliases) {
    std::string text =
        fmt::format("{} {}{} {}", fmt::join(t.shape, "x"), t.type, t.shared ? " in shared memory" : "", t.encoding);
    if (const std::string whole = writtenOut(t.encoding, aliases); whole != t.encoding)
        text += " = " + whole;
    return text;
}

std::optional<Place> elementOf(const std::string& text) {
    Place place;
    const char *at = text.data(), *const end = at + text.size();
    while (at < end) {
        std::uint32_t value = 0;
        const auto read = std::from_chars(at, end, value);
        if (read.ec != std::errc() || (read.ptr < end && *read.ptr != ','))
            return std::nullopt;
        place.push_back(value);
        at = read.ptr < end ? read.ptr + 1 : end;
    }
    return place;
}

bool isInside(const Place& place, const Place& shape) {
    if (place.size() != shape.size())
        return false;
    for (std::size_t d = 0; d < shape.size(); ++d)
        if (place[d] >= shape[d])
            return false;
    return true;
}

// What is told of a tensor: in registers, whose lanes hold what; in shared memory, where an element lies.
class Teller {
public:
    Teller(const Ttgir& of, const LayoutsCommand& asked, std::optional<Place> element)
        : m_module(of), m_asked(asked), m_element(std::move(element)) {}

    std::string text(const Tensor& t) const {
        std::string text = "    " + tensorText(t, m_module.aliases) + "\n";
        if (t.shared) {
            const auto layout = sharedLayout(t.encoding, t.shape, t.bits, m_module.aliases);
            return text + (layout ? sharedText(*layout) : std::string(unknownLine));
        }
        const auto layout = tileLayout(t.encoding, t.shape, m_module.aliases);
        if (!layout)
            return text + unknownLine;
        text += fmt::format("      {} a lane", quantity(layout->registerCount(), "value", "values"));
        if (t.bits >= 8)
            text += fmt::format(" ({})", quantity(std::uint64_t(layout->registerCount()) * t.bits / 8, "byte"));
        text += "\n";
        if (m_element && isInside(*m_element, t.shape)) {
            for (const Holder& h : holdersOf(*layout, *m_element))
                text +=
                    fmt::format("      {}: warp {}, lane {}, value {}\n", placeText(*m_element), h.warp, h.lane, h.reg);
            return text;
        }
        const std::uint32_t lanes = m_asked.lane >= 0 ? 1 : 2,
                            first = m_asked.lane >= 0 ? std::uint32_t(m_asked.lane) : 0;
        for (std::uint32_t lane = first; lane < first + lanes;
             ++lane) { // without a wish, the first two: how they follow each other
            text += fmt::format("      warp {}, lane {}:\n", m_asked.warp, lane);
            const std::vector<Run> runs = runsOf(*layout, m_asked.warp, lane);
            const std::size_t shown = m_asked.lane >= 0 ? runs.size() : std::min<std::size_t>(runs.size(), 4);
            for (std::size_t k = 0; k < shown; ++k)
                text += "        " + runText(runs[k], t.bits) + "\n";
            if (shown < runs.size())
                text += fmt::format("        and {} more: --lane {}\n", runs.size() - shown, lane);
        }
        return text;
    }

    ordered_json json(const Tensor& t) const {
        ordered_json row{{"shape", t.shape},
                         {"type", t.type},
                         {"shared", t.shared},
                         {"encoding", writtenOut(t.encoding, m_module.aliases)}};
        if (t.shared) {
            const auto layout = sharedLayout(t.encoding, t.shape, t.bits, m_module.aliases);
            if (!layout)
                row["unknown"] = notKnown;
            else
                row["offset_bases"] = layout->offsets;
            if (layout && m_element && isInside(*m_element, t.shape))
                row["byte"] = layout->offsetOf(*m_element) * layout->elementBytes;
            return row;
        }
        const auto layout = tileLayout(t.encoding, t.shape, m_module.aliases);
        if (!layout) {
            row["unknown"] = notKnown;
            return row;
        }
        row["values_a_lane"] = layout->registerCount();
        row["value_bases"] = layout->registers;
        row["lane_bases"] = layout->lanes;
        row["warp_bases"] = layout->warps;
        if (m_element && isInside(*m_element, t.shape)) {
            row["holders"] = ordered_json::array();
            for (const Holder& h : holdersOf(*layout, *m_element))
                row["holders"].push_back({{"warp", h.warp}, {"lane", h.lane}, {"value", h.reg}});
        }
        if (m_asked.lane >= 0) {
            row["elements"] = ordered_json::array();
            for (std::uint32_t r = 0; r < layout->registerCount(); ++r)
                row["elements"].push_back(layout->element(m_asked.warp, std::uint32_t(m_asked.lane), r));
        }
        return row;
    }

private:
    std::string sharedText(const SharedLayout& layout) const {
        const auto at = [&](const Place& element) {
            return fmt::format("{} at byte {}", placeText(element), layout.offsetOf(element) * layout.elementBytes);
        };
        if (m_element && isInside(*m_element, layout.shape))
            return "      " + at(*m_element) + "\n";
        // How the rows lie: their first elements.
        constexpr std::uint32_t mostRows = 8;
        std::string text;
        for (std::uint32_t row = 0; row < std::min(mostRows, layout.shape.front()); ++row) {
            Place element(layout.shape.size(), 0);
            element.front() = row;
            text += (text.empty() ? "      " : ", ") + at(element);
        }
        return text + "\n";
    }

    const Ttgir& m_module;
    const LayoutsCommand& m_asked;
    std::optional<Place> m_element;
};

// Operations by the line of Python that they are of: of a line within a function that was called, the calling line has them, too.
struct OfLine {
    SourceLine place;
    std::vector<const TensorOperation*> operations;
};
std::vector<OfLine> byLine(const Ttgir& module, std::uint32_t line) {
    std::vector<OfLine> lines;
    for (const TensorOperation& o : module.operations)
        for (const SourceLine& place : o.places) {
            if (line && place.line != line)
                continue;
            auto at = std::find_if(lines.begin(), lines.end(), [&](const OfLine& l) { return l.place == place; });
            if (at == lines.end())
                at = lines.insert(lines.end(), {place, {}});
            at->operations.push_back(&o);
        }
    std::stable_sort(lines.begin(), lines.end(), [](const OfLine& a, const OfLine& b) {
        return std::pair(a.place.file, a.place.line) < std::pair(b.place.file, b.place.line);
    });
    return lines;
}

Result<std::string> ttgirOfLaunch(const LayoutsCommand& command) {
    const auto trace =
        openLaunch(command.file, command.launch < 0 ? std::nullopt : std::optional(std::uint64_t(command.launch)));
    if (!trace)
        return trace.error();
    const Kernel& kernel = (*trace)->kernelOf((*trace)->launches.front());
    if (!kernel.ttgir.empty())
        return kernel.ttgir;
    return Error{"this recording has no TTGIR of its kernel", command.file, 0, 0,
                 "Record it again where Triton's cache is, or give the .ttgir that lies there beside the .ptx."};
}

Result<std::string> textOf(const LayoutsCommand& command) {
    if (isRecording(command.file))
        return ttgirOfLaunch(command);
    if (!session::isTritonFile(command.file)) {
        auto text = readFile(command.file, mostText);
        if (!text)
            return Error{text.error().message, command.file, 0, 0, text.error().remedy};
        return *text;
    }
    auto request = requestOf(command.file, command.words);
    return request ? session::ttgirByTriton(*request) : Result<std::string>(request.error());
}

int tell(const LayoutsCommand& command) {
    std::optional<Place> element;
    if (!command.element.empty() && !(element = elementOf(command.element)))
        return report(Error{fmt::format("\"{}\" is no element of a tile", command.element), "--element", 0, 0,
                            "Write its place along each dimension: 5,13."},
                      badInput);
    const auto text = textOf(command);
    if (!text)
        return report(text.error(), badInput);
    auto module = readTtgir(*text);
    if (!module)
        return report(Error{"this is no TTGIR: it has no layouts", command.file, 0, 0,
                            "Give the .ttgir that Triton keeps beside the .ptx in its cache."},
                      badInput);
    if (command.lane > 31 || command.warp >= module->warps)
        return report(Error{fmt::format("the kernel has {} of 32 lanes", quantity(module->warps, "warp", "warps")),
                            "--warp, --lane"},
                      badInput);
    const std::vector<OfLine> lines = byLine(*module, command.line);
    if (command.line && lines.empty())
        return report(Error{fmt::format("line {} has no tensors", command.line), command.file}, badInput);
    const Teller teller(*module, command, element);
    if (command.json) {
        ordered_json all{{"kernel", module->kernel}, {"warps", module->warps}, {"lines", ordered_json::array()}};
        for (const OfLine& l : lines) {
            ordered_json line{{"file", l.place.file}, {"line", l.place.line}, {"operations", ordered_json::array()}};
            for (const TensorOperation* o : l.operations) {
                ordered_json row{{"name", o->name}, {"ttgir_line", o->textLine}, {"tensors", ordered_json::array()}};
                for (const Tensor& t : o->tensors)
                    row["tensors"].push_back(teller.json(t));
                line["operations"].push_back(std::move(row));
            }
            all["lines"].push_back(std::move(line));
        }
        return print(all.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
    }
    std::string said = fmt::format("{}: {}\n", module->kernel, quantity(module->warps, "warp", "warps"));
    for (const OfLine& l : lines) {
        said += fmt::format("\n{}:{}\n", std::filesystem::path(l.place.file).filename().string(), l.place.line);
        std::vector<std::pair<std::string, std::vector<Tensor>>> before; // said already of this line
        for (const TensorOperation* o : l.operations) {
            const auto same = std::pair(o->name, o->tensors);
            if (std::find(before.begin(), before.end(), same) != before.end())
                continue;
            before.push_back(same);
            said += fmt::format("  {}\n", o->name);
            for (const Tensor& t : o->tensors)
                said += teller.text(t);
        }
    }
    return print(said);
}

} // namespace

void addLayouts(const Command& app, Action& action) {
    auto command = std::make_shared<LayoutsCommand>();
    const Command sub =
        app.command("layouts", "Say of a Triton kernel which warp, lane and value holds which element of its tiles");
    sub.option("FILE", &command->file,
               "the .ttgir that Triton keeps beside its .ptx; a recording, which has it; "
               "or a .py file, which is compiled by the Triton that is here")
        .required();
    sub.option("--launch", &command->launch,
               "of a program's recording: which launch, counted from 0; else its only one");
    sub.option("--kernel", &command->words.entry, "of a .py file: which of its kernels");
    sub.option("--arg", &command->words.arguments, "of a .py file: an argument, NAME:TYPE[COUNT] or NAME:TYPE=VALUE")
        .onceEach();
    sub.option("-D", &command->words.compile.defines,
               "of a .py file: a constexpr parameter, NAME=VALUE, or num_warps=8 and the like")
        .onceEach();
    sub.option("--arch", &command->words.compile.arch, "of a .py file: sm_90 and the like");
    sub.option("--line", &command->line, "a line of the Python alone");
    sub.option("--warp", &command->warp, "of this warp");
    sub.option("--lane", &command->lane, "all elements of this lane");
    sub.option("--element", &command->element, "who holds this element: its place along each dimension, 5,13");
    sub.flag("--json", command->json, "print one JSON object");
    sub.whenChosen([command, &action] { action = [command] { return tell(*command); }; });
}

} // namespace warpglass::record
