// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/csv.h"
#include "gpu/base/messages/session.h"
#include "gpu/metrics/metrics.h"
#include "gpu/metrics/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

namespace warpglass {

namespace {

constexpr std::string_view before[] = {"kernel", "grid", "block", "backend", "device"};
constexpr std::string_view after[] = {"label",   "size",  "mode",    "policy", "check", "error",
                                      "repeats", "units", "origins", "lows",   "highs", "title"};

bool isPlain(std::string_view name) {
    return std::find(std::begin(before), std::end(before), name) != std::end(before) ||
           std::find(std::begin(after), std::end(after), name) != std::end(after);
}

std::string shapeText(Dim3 shape) {
    return shape == Dim3{0, 0, 0} ? "" : shape.text();
}

std::string numberText(double value) {
    return fmt::format("{:.10g}", value);
}

std::optional<double> numberOf(const std::string& text) {
    double value = 0;
    const auto [next, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc{} || next != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

std::int64_t wholeNumberOf(const std::string& text, std::int64_t otherwise, std::int64_t most) {
    const double value = numberOf(text).value_or(double(otherwise));
    return value >= 0 && value <= double(most) ? std::int64_t(value) : otherwise;
}

std::map<std::string, std::string> pairsOf(const std::string& text) { // "a=b;c=d"
    std::map<std::string, std::string> pairs;
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t end = std::min(rest.find(';'), rest.size());
        const std::string_view one = rest.substr(0, end);
        if (const std::size_t equals = one.find('='); equals != std::string_view::npos)
            pairs.emplace(one.substr(0, equals), one.substr(equals + 1));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return pairs;
}

// A table of another program may lack the units: those of the metrics, or of the names' own endings.
std::string usualUnit(const std::string& metric) {
    if (const MetricDefinition* known = findMetric(metric))
        return std::string(known->unit);
    const auto ends = [&](std::string_view tail) { return metric.ends_with(tail); };
    return ends("_ns")                                                   ? "ns"
           : ends("_efficiency") || ends("_occupancy") || ends("_pct")   ? "%"
           : ends("_throughput") || ends("_bandwidth") || ends("_per_s") ? "B/s"
           : ends("_speedup")                                            ? "x"
                                                                         : "1";
}

} // namespace

std::string resultsCsv(const ResultTable& table) {
    std::vector<std::string> names;
    for (const ResultRow& row : table.rows)
        for (const ResultValue& value : row.values)
            if (std::find(names.begin(), names.end(), value.name) == names.end())
                names.push_back(value.name);
    if (names.empty()) // nothing ran: the header is the same all the same
        for (const MetricDefinition& definition : metricDefinitions())
            names.emplace_back(definition.name);
    std::string text;
    const auto header = [&](std::string_view name) { text += (text.empty() ? "" : ",") + csvField(name); };
    for (std::string_view name : before)
        header(name);
    for (const std::string& name : names)
        header(name);
    for (std::string_view name : after)
        header(name);
    text += '\n';
    for (const ResultRow& row : table.rows) {
        text += fmt::format("{},{},{},{},{}", csvField(row.kernel), shapeText(row.grid), shapeText(row.block),
                            csvField(row.backend), csvField(row.device));
        std::string units, origins, lows, highs;
        int repeats = 0;
        const auto pair = [](std::string& to, const std::string& name, const std::string& what) {
            to += fmt::format("{}{}={}", to.empty() ? "" : ";", name, what);
        };
        for (const std::string& name : names) {
            const auto value = std::find_if(row.values.begin(), row.values.end(),
                                            [&](const ResultValue& v) { return v.name == name && v.median; });
            text += ',';
            if (value == row.values.end())
                continue;
            text += numberText(*value->median);
            repeats = std::max(repeats, value->repeats);
            pair(units, name, value->unit);
            pair(origins, name, warpglass::name(value->origin));
            if (value->spread()) {
                pair(lows, name, numberText(value->low));
                pair(highs, name, numberText(value->high));
            }
        }
        text += fmt::format(",{},{},{},{},{},{},{},{},{},{},{},{}\n", csvField(row.label),
                            row.size > 0 ? std::to_string(row.size) : "", csvField(row.mode), csvField(row.policy),
                            csvField(row.check), csvField(row.error), repeats > 0 ? std::to_string(repeats) : "",
                            csvField(units), csvField(origins), csvField(lows), csvField(highs), csvField(table.title));
    }
    return text;
}

Result<ResultTable> readResults(std::string_view csv, const std::string& file) {
    if (csv.starts_with("\xef\xbb\xbf")) // a byte-order mark of a spreadsheet
        csv.remove_prefix(3);
    const char* const remedy = "Give a table that warpglass-record sweep --csv has written.";
    int line = 1;
    const std::vector<std::string> header = nextCsvRecord(csv, line);
    if (std::find(header.begin(), header.end(), "kernel") == header.end())
        return Error{.message = say::NoTableOfLaunches, .file = file, .line = 1, .remedy = remedy};
    ResultTable table;
    while (!csv.empty()) {
        const int at = line;
        const std::vector<std::string> fields = nextCsvRecord(csv, line);
        if (fields.size() == 1 && fields[0].empty())
            continue;
        if (fields.size() != header.size())
            return Error{.message = say::FieldsOfLine(std::to_string(fields.size()), std::to_string(header.size())),
                         .file = file,
                         .line = at,
                         .remedy = remedy};
        const auto field = [&](std::string_view name) -> std::string {
            const auto found = std::find(header.begin(), header.end(), name);
            return found == header.end() ? std::string() : fields[std::size_t(found - header.begin())];
        };
        ResultRow row{.label = field("label"), .kernel = field("kernel")};
        for (const char* name : {"grid", "block"}) {
            const std::string text = field(name);
            const auto shape = parseDim3(text);
            if (!text.empty() && !shape)
                return Error{.message = say::IsNo(text, name), .file = file, .line = at, .remedy = remedy};
            (name[0] == 'g' ? row.grid : row.block) = shape.value_or(Dim3{0, 0, 0});
        }
        if (table.rows.empty())
            table.title = field("title");
        row.size = wholeNumberOf(field("size"), 0, std::int64_t(1) << 53);
        row.backend = field("backend");
        row.device = field("device");
        row.mode = field("mode");
        row.policy = field("policy");
        row.check = field("check");
        row.error = field("error");
        const int repeats = int(wholeNumberOf(field("repeats"), 1, 1 << 30));
        const auto units = pairsOf(field("units")), origins = pairsOf(field("origins")), lows = pairsOf(field("lows")),
                   highs = pairsOf(field("highs"));
        for (std::size_t i = 0; i < header.size(); ++i) {
            const auto value = isPlain(header[i]) ? std::nullopt : numberOf(fields[i]);
            if (!value)
                continue;
            const auto in = [&](const std::map<std::string, std::string>& pairs) {
                const auto found = pairs.find(header[i]);
                return found == pairs.end() ? std::string() : found->second;
            };
            const std::string unit = in(units), origin = in(origins);
            row.values.push_back({.name = header[i],
                                  .unit = unit.empty() ? usualUnit(header[i]) : unit,
                                  .origin = origin.empty() && row.backend == "cuda"
                                                ? Origin::Measured
                                                : parseEnum<Origin>(origin).valueOr(Origin::Counted),
                                  .median = value,
                                  .low = numberOf(in(lows)).value_or(*value),
                                  .high = numberOf(in(highs)).value_or(*value),
                                  .repeats = std::max(repeats, 1)});
        }
        table.rows.push_back(std::move(row));
    }
    if (table.rows.empty())
        return Error{.message = say::TableWithoutRows, .file = file, .line = 1, .remedy = remedy};
    return table;
}

} // namespace warpglass
