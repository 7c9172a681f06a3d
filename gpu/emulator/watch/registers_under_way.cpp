// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/watch/registers_under_way.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/watch/code_ways.h"
#include "gpu/emulator/watch/program_checks.h"

#include <algorithm>
#include <set>
#include <utility>

namespace warpglass::emulator {

namespace {

constexpr std::uint32_t mostSteps = 1 << 14; // of the ways from one product: more is not looked at

bool usesThem(Exec& x, const Inst& in) {
    const RegistersUnderWay& u = x.program->underWay.at(in.index);
    if (x.checkMemory && (in.guard ? guardMask(x, in) : x.mask) != 0 &&
        !x.diagnostics->repeated(x, DiagnosticKind::AsyncHazard, in.index))
        x.diagnostics->add(x, DiagnosticKind::AsyncHazard, in.index, std::countr_zero(x.mask), 0,
                           say::RegistersUnderWay(placeText(*x.program, u.product)));
    return u.run(x, in);
}

bool isProduct(const Program& program, std::uint32_t at) {
    const InstInfo& info = program.info[at];
    return info.source && info.is.opcode == ptx::Opcode::Wgmma && info.opClass == OpClass::Matrix;
}

struct Way {
    std::uint32_t at = 0, commits = 0;
    std::set<Row> rows; // of the product, and what they were moved to
};

bool meets(const std::vector<Row>& rows, const std::set<Row>& of) {
    return std::any_of(rows.begin(), rows.end(), [&](Row r) { return of.contains(r); });
}

// What comes behind this instruction; false: the way is over.
bool go(Program& program, std::uint32_t product, Way& way) {
    const InstInfo& info = program.info[way.at];
    if (!info.source || info.opClass == OpClass::Call)
        return false;
    if (info.is.opcode == ptx::Opcode::Wgmma) {
        way.commits += info.source->has(ptx::Modifier::CommitGroup);
        return !info.source->has(ptx::Modifier::WaitGroup) ||
               way.commits <= std::uint32_t(program.code[way.at].memory.offset);
    }
    const bool uses = meets(info.reads, way.rows);
    if (uses && info.is.opcode == ptx::Opcode::Mov) {
        way.rows.insert(info.writes.begin(), info.writes.end());
        return true;
    }
    if (uses && !program.underWay.contains(way.at))
        program.underWay[way.at] = {std::exchange(program.code[way.at].run, &usesThem), product};
    for (const Row row : info.writes)
        way.rows.erase(row);
    return !way.rows.empty();
}

void follow(Program& program, std::uint32_t product) {
    const std::vector<Row>& d = program.matrices[program.code[product].memory.site].d;
    std::vector<Way> ways;
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen; // position, commits
    const auto add = [&](std::uint32_t from, const Way& way) {
        for (const std::uint32_t to : nextOnes(program, from).at)
            if (to != noIndex && seen.emplace(to, std::min(way.commits, 8u)).second)
                ways.push_back({to, way.commits, way.rows});
    };
    add(product, {product, 0, {d.begin(), d.end()}});
    for (std::uint32_t steps = 0; !ways.empty() && steps < mostSteps; ++steps) {
        Way way = std::move(ways.back());
        ways.pop_back();
        if (go(program, product, way))
            add(way.at, way);
    }
}

} // namespace

void markRegistersUnderWay(Program& program) {
    for (std::uint32_t at = 0; at < program.code.size(); ++at)
        if (isProduct(program, at))
            follow(program, at);
}

} // namespace warpglass::emulator
