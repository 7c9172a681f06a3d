// SPDX-License-Identifier: GPL-3.0-or-later
// Two things swept, as a table in words: what a heat map shows, for a terminal.
#include "app/session/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warpglass::session {

namespace {

struct Axis {
    const char* name;
    std::string (*of)(const ResultRow&);
    std::vector<std::string> values; // in order of appearance, which is that of the lists
};

std::vector<Axis> sweptAxes(const std::vector<SweepRow>& rows) {
    const std::array<Axis, 4> all{
        Axis{"kernel", [](const ResultRow& r) { return r.kernel; }, {}},
        Axis{"size", [](const ResultRow& r) { return r.size > 0 ? std::to_string(r.size) : std::string(); }, {}},
        Axis{"grid",
             [](const ResultRow& r) {
                 return r.grid == Dim3{0, 0, 0} ? std::string() : r.grid.text();
             },
             {}},
        Axis{"block",
             [](const ResultRow& r) {
                 return r.block == Dim3{0, 0, 0} ? std::string() : r.block.text();
             },
             {}}};
    std::vector<Axis> swept;
    for (Axis axis : all) {
        for (const SweepRow& row : rows)
            if (const std::string value = axis.of(row.result);
                !value.empty() && std::find(axis.values.begin(), axis.values.end(), value) == axis.values.end())
                axis.values.push_back(value);
        if (axis.values.size() > 1)
            swept.push_back(std::move(axis));
    }
    if (swept.size() > 2) // a grid mostly follows from block and size
        std::erase_if(swept, [](const Axis& axis) { return std::string_view(axis.name) == "grid"; });
    return swept;
}

} // namespace

std::string sweepCross(const std::vector<SweepRow>& rows) {
    const std::vector<Axis> swept = sweptAxes(rows);
    if (swept.size() != 2)
        return {};
    const Axis &down = swept[0], &across = swept[1];
    // The first launch of each pair; a second one differs in something else, and is not for this table.
    const auto at = [&](const std::string& line, const std::string& column) -> const ResultRow* {
        const ResultRow* found = nullptr;
        for (const SweepRow& row : rows)
            if (down.of(row.result) == line && across.of(row.result) == column) {
                if (found)
                    return nullptr;
                found = &row.result;
            }
        return found;
    };
    for (const char* metric : {"duration_ns", "gld_efficiency", "inst_per_warp"}) {
        std::size_t numbers = 0;
        std::size_t wide = std::string(down.name).size() + std::string(across.name).size() + 3;
        for (const std::string& line : down.values)
            wide = std::max(wide, line.size());
        std::string text = fmt::format("\n{}, {} down, {} across\n{:<{}}", metric, down.name, across.name,
                                       fmt::format("{} \\ {}", down.name, across.name), wide);
        for (const std::string& column : across.values)
            text += fmt::format(" {:>12}", column);
        text += '\n';
        for (const std::string& line : down.values) {
            text += fmt::format("{:<{}}", line, wide);
            for (const std::string& column : across.values) {
                const ResultRow* row = at(line, column);
                const ResultValue* value = row ? row->find(metric) : nullptr;
                numbers += value ? 1 : 0;
                text += fmt::format(" {:>12}", value                        ? fmt::format("{:.6g}", *value->median)
                                               : row && !row->error.empty() ? "refused"
                                                                            : "-");
            }
            text += '\n';
        }
        if (numbers >= 4)
            return text;
    }
    return {};
}

} // namespace warpglass::session
