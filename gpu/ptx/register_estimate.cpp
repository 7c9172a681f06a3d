// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/register_estimate.h"

#include "gpu/ptx/register_pressure.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace warpglass::ptx {

namespace {

// Of the function and of what it calls, one beneath the other.
struct Tree {
    const Module& module;
    std::set<const Function*> seen;
    std::optional<RegisterPressure> most;

    // The function and all that it calls, one after the other: chains of calls may be as long as a file.
    bool add(const Function& entry) {
        std::unordered_map<std::string_view, const Function*> byName;
        for (const Function& f : module.functions)
            byName.try_emplace(f.name, &f);
        std::vector<const Function*> open{&entry};
        while (!open.empty()) {
            const Function& function = *open.back();
            open.pop_back();
            if (!seen.insert(&function).second || function.body.empty())
                continue;
            const auto p = registerPressure(function);
            if (!p)
                return false;
            if (!most)
                most = p;
            most->words = std::max(most->words, p->words);
            most->hoisted = std::max(most->hoisted, p->hoisted);
            most->loopLoads = std::max(most->loopLoads, p->loopLoads);
            most->predicates = std::max(most->predicates, p->predicates);
            for (const Instruction& i : function.body)
                for (const Operand& o : i.operands)
                    if (i.opcode == Opcode::Call && o.kind == Operand::Kind::Symbol)
                        if (const auto callee = byName.find(o.name); callee != byName.end())
                            open.push_back(callee->second);
        }
        return true;
    }
};

// What .maxnreg, and threads of a block times blocks of an SM, leave to a thread, of 65,536 registers an SM that are
// handed out to warps by 8 a thread. 255 is the most that an instruction can name.
std::uint32_t registersAllowed(const Function& entry) {
    std::uint32_t most = 255;
    if (entry.maxnreg != 0)
        most = std::min(most, entry.maxnreg);
    const auto& bound = entry.reqntid[0] != 0 ? entry.reqntid : entry.maxntid;
    if (bound[0] != 0) {
        const std::uint64_t threads = std::uint64_t(bound[0]) * std::max(1u, bound[1]) * std::max(1u, bound[2]);
        const std::uint64_t warps = (threads + 31) / 32 * std::max(1u, entry.minnctapersm);
        most = std::min(
            most, std::uint32_t(std::max<std::uint64_t>(16, 65536 / 32 / std::max<std::uint64_t>(1, warps) / 8 * 8)));
    }
    return most;
}

} // namespace

std::optional<std::uint32_t> estimateRegisters(const Module& module, std::string_view entry) {
    const Function* function = module.findFunction(entry);
    if (!function || !function->isEntry)
        return std::nullopt;
    Tree tree{module, {}, {}};
    if (!tree.add(*function) || !tree.most)
        return std::nullopt;
    const RegisterPressure& p = *tree.most;
    const auto& options = module.targetOptions;
    const bool debug = std::find(options.begin(), options.end(), "debug") != options.end();
    const double calls = p.calls ? 1 : 0;
    // Loads are moved up only as far as nothing is lost by it: with up to 32 registers an SM is full of warps.
    const std::uint32_t words = std::max(p.words, std::min(p.hoisted + 2 * p.loopLoads, 26u));
    const double registers = debug ? 10 + 0.585 * p.words + 2.2 * p.predicates + 8.5 * calls
                                   : 5.84 + 0.97 * words + 0.23 * p.predicates + 12.8 * calls;
    return std::min(registersAllowed(*function), std::uint32_t(std::lround(registers)));
}

} // namespace warpglass::ptx
