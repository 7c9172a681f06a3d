// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/messages/gpu.h"
#include "gpu/probe/body.h"
#include "gpu/probe/pointer_calls.h"
#include "gpu/probe/probe.h"

#include "gpu/ptx/control_flow.h"
#include "gpu/ptx/parse.h"
#include "gpu/ptx/write.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace warpglass::probe {
namespace {

using ptx::Function;

constexpr const char* cleanLabel = "wgp_clean";
constexpr const char* probedLabel = "wgp_probed";
constexpr const char* rowDoneLabel = "wgp_row_done";

bool launchesKernels(const Function& f) {
    return std::any_of(f.body.begin(), f.body.end(), [](const ptx::Instruction& i) {
        const std::string* callee = calledFunction(i);
        return callee && (isBufferRequest(*callee) || isLaunchCall(*callee));
    });
}

std::uint64_t naturalAlignment(const ptx::Variable& v) {
    const std::uint64_t natural = std::uint64_t(std::max(1, ptx::bytesOf(v.type))) * std::uint64_t(v.vector);
    return std::max<std::uint64_t>(natural, std::uint64_t(v.alignment));
}

// Where an entry's own parameters end in its parameter buffer.
std::uint64_t parameterEnd(const Function& f) {
    std::uint64_t at = 0;
    for (const ptx::Variable& v : f.params) {
        const std::uint64_t alignment = naturalAlignment(v);
        at = (at + alignment - 1) / alignment * alignment + v.sizeBytes();
    }
    return at;
}

// Probes need activemask, which is younger than many a module.
void askForProbes(ptx::Module& module) {
    if (std::pair(module.versionMajor, module.versionMinor) < std::pair(6, 2))
        std::tie(module.versionMajor, module.versionMinor) = std::pair(6, 2);
    if (module.target.size() != 5 || !(module.target.starts_with("sm_1") || module.target.starts_with("sm_2")))
        return;
    module.target = "sm_30";
    std::erase(module.targetOptions, "map_f64_to_f32"); // of devices without doubles
}

// The empty shell of a function: everything but its body.
Function shell(const Function& f) {
    Function out = f;
    out.body.clear();
    out.labels.clear();
    out.targetLists.clear();
    std::vector<std::string> pragmas;
    std::vector<std::uint32_t> at;
    for (std::size_t i = 0; i < f.pragmas.size(); ++i)
        if (i >= f.pragmaAt.size() || f.pragmaAt[i] == ptx::noPlace) {
            pragmas.push_back(f.pragmas[i]);
            at.push_back(ptx::noPlace);
        }
    out.pragmas = std::move(pragmas);
    out.pragmaAt = std::move(at);
    return out;
}

// Loads the lane's stream: %wgp_idx -> base, limit, cell.
void openStream(BodyWriter& w) {
    w.line(fmt::format("ld.const.u64 %wgp_a, [{}+{}]", controlSymbol, offsetof(Control, streams)));
    w.line("mad.wide.u32 %wgp_a, %wgp_idx, 8, %wgp_a");
    w.line("ld.global.v2.u32 {%wgp_x, %wgp_y}, [%wgp_a]");
    w.line(fmt::format("ld.const.u64 %wgp_base, [{}+{}]", controlSymbol, offsetof(Control, records)));
    w.line("mad.wide.u32 %wgp_base, %wgp_x, 16, %wgp_base");
    w.line("sub.u64 %wgp_base, %wgp_base, 16");
    w.line("sub.u32 %wgp_limit, %wgp_y, %wgp_x");
    w.line("shl.b32 %wgp_limit, %wgp_limit, 4");
    w.line("add.u32 %wgp_limit, %wgp_limit, 16");
    w.line(fmt::format("ld.const.u64 %wgp_cell, [{}+{}]", controlSymbol, offsetof(Control, cells)));
    w.line("mad.wide.u32 %wgp_cell, %wgp_idx, 4, %wgp_cell");
}

// The linear thread number in the block. Uses x, y, z and v.
void linearThread(BodyWriter& w, const char* into, bool oneDimensional) {
    w.line(fmt::format("mov.u32 {}, %tid.x", into));
    if (oneDimensional)
        return;
    w.line("mov.u32 %wgp_x, %ntid.x");
    w.line("mov.u32 %wgp_y, %tid.y");
    w.line("mov.u32 %wgp_z, %tid.z");
    w.line("mov.u32 %wgp_v, %ntid.y");
    w.line("mad.lo.u32 %wgp_y, %wgp_z, %wgp_v, %wgp_y");
    w.line(fmt::format("mad.lo.u32 {0}, %wgp_y, %wgp_x, {0}", into));
}

struct EntryPlan {
    std::uint32_t number = 0; // index + 1
    bool launches = false;    // of the module
    bool oneDimensional = false;
    bool blockRecords = true;
    std::string hidden; // name of the hidden parameter
};

// Before both bodies: where am I, the block's row, and which body. Leaves %wgp_b (linear block), %wgp_row, %wgp_warp
// (first warp row of the block).
void chooseBody(BodyWriter& w, const EntryPlan& plan) {
    const auto control = [&](const char* into, const char* type, std::size_t offset) {
        w.line(fmt::format("ld.const.{} {}, [{}+{}]", type, into, controlSymbol, offset));
    };
    w.line("mov.u64 %wgp_clock, %clock64");
    w.line("mov.u32 %wgp_b, %ctaid.x");
    linearThread(w, "%wgp_t", plan.oneDimensional);
    if (!plan.oneDimensional) {
        w.line("mov.u32 %wgp_x, %nctaid.x");
        w.line("mov.u32 %wgp_y, %ctaid.y");
        w.line("mov.u32 %wgp_z, %ctaid.z");
        w.line("mov.u32 %wgp_v, %nctaid.y");
        w.line("mad.lo.u32 %wgp_y, %wgp_z, %wgp_v, %wgp_y");
        w.line("mad.lo.u32 %wgp_b, %wgp_y, %wgp_x, %wgp_b");
    }
    w.line("setp.eq.u32 %wgp_lead, %wgp_t, 0"); // thread 0 of the block
    if (plan.launches) {
        // A child finds its rows in the LaunchRow that its parent made; the host's launch begins at row 0.
        w.line(fmt::format("ld.param.u64 %wgp_d, [{}]", plan.hidden));
        w.line("cvt.u32.u64 %wgp_number, %wgp_d");
        w.line("setp.ne.u32 %wgp_child, %wgp_number, 0");
        w.line("sub.u32 %wgp_n, %wgp_number, 1");
        control("%wgp_t", "u32", offsetof(Control, launchCapacity));
        w.line("setp.lt.and.u32 %wgp_some, %wgp_n, %wgp_t, %wgp_child");
        control("%wgp_launch", "u64", offsetof(Control, launches));
        w.line(fmt::format("mad.wide.u32 %wgp_launch, %wgp_n, {}, %wgp_launch", sizeof(LaunchRow)));
        w.line("mov.u32 %wgp_first, 0");
        w.line(fmt::format("@%wgp_child mov.u32 %wgp_first, {}", noSlot));
        w.line(fmt::format("mov.u32 %wgp_warp, {}", noSlot));
        w.line("mov.u32 %wgp_w, 0");
        w.line(fmt::format("@%wgp_some ld.global.u32 %wgp_first, [%wgp_launch+{}]", offsetof(LaunchRow, firstBlock)));
        w.line(fmt::format("@%wgp_some ld.global.u32 %wgp_warp, [%wgp_launch+{}]", offsetof(LaunchRow, firstWarp)));
        w.line(fmt::format("@%wgp_some ld.global.u32 %wgp_w, [%wgp_launch+{}]", offsetof(LaunchRow, detailBlocks)));
        w.line("setp.eq.and.u32 %wgp_some, %wgp_b, 0, %wgp_some");
        w.line("and.pred %wgp_some, %wgp_some, %wgp_lead");
        w.line("mov.u64 %wgp_d, %gridid");
        w.line(fmt::format("@%wgp_some st.global.u64 [%wgp_launch+{}], %wgp_d", offsetof(LaunchRow, childGrid)));
        w.line(fmt::format("mov.u32 %wgp_t, {}", plan.number));
        w.line(fmt::format("@%wgp_some st.global.u32 [%wgp_launch+{}], %wgp_t", offsetof(LaunchRow, entry)));
    }
    w.line("mov.u64 %wgp_row, 0");
    if (plan.blockRecords && !plan.launches) { // only warp 0 has something to write: others jump over it
        w.line("setp.lt.u32 %wgp_early, %wgp_t, 32");
        w.line(fmt::format("@!%wgp_early bra.uni {}", rowDoneLabel));
    }
    if (plan.blockRecords) {
        control("%wgp_a", "u64", offsetof(Control, blocks));
        if (plan.launches) {
            w.line(fmt::format("setp.ne.u32 %wgp_ok, %wgp_first, {}", noSlot));
            w.line("add.u32 %wgp_t, %wgp_first, %wgp_b");
            w.line(fmt::format("mad.wide.u32 %wgp_a, %wgp_t, {}, %wgp_a", sizeof(BlockRow)));
            w.line("@%wgp_ok mov.u64 %wgp_row, %wgp_a");
            w.line("and.pred %wgp_lead, %wgp_lead, %wgp_ok");
        } else {
            w.line(fmt::format("mad.wide.u32 %wgp_row, %wgp_b, {}, %wgp_a", sizeof(BlockRow)));
        }
        w.line(fmt::format("@%wgp_lead st.global.u64 [%wgp_row+{}], %wgp_clock", offsetof(BlockRow, start)));
        w.line("mov.u32 %wgp_t, %smid");
        w.line("add.u32 %wgp_t, %wgp_t, 1");
        w.line(fmt::format("@%wgp_lead st.global.u32 [%wgp_row+{}], %wgp_t", offsetof(BlockRow, sm)));
    }
    if (plan.blockRecords && !plan.launches)
        w.label(rowDoneLabel);
    // Chosen? A comparison and a multiplication tell most blocks "no" at once; the slot table knows exactly.
    control("%wgp_x", "u32", offsetof(Control, chooseBelow));
    control("%wgp_y", "u32", offsetof(Control, chooseFactor));
    control("%wgp_z", "u32", offsetof(Control, chooseOffset));
    control("%wgp_v", "u32", offsetof(Control, chooseBound));
    w.line("setp.lt.u32 %wgp_ok, %wgp_b, %wgp_x");
    w.line("mad.lo.u32 %wgp_y, %wgp_b, %wgp_y, %wgp_z");
    w.line("setp.le.or.u32 %wgp_ok, %wgp_y, %wgp_v, %wgp_ok");
    if (!plan.launches) {
        w.line(fmt::format("@%wgp_ok bra.uni {}", probedLabel));
        return;
    }
    // Host: the slot table. Child: the first blocks of those that got warp rows.
    w.line("not.pred %wgp_some, %wgp_child");
    w.line("and.pred %wgp_ok, %wgp_ok, %wgp_some");
    control("%wgp_a", "u64", offsetof(Control, slots));
    w.line("mad.wide.u32 %wgp_a, %wgp_b, 4, %wgp_a");
    w.line(fmt::format("mov.u32 %wgp_s, {}", noSlot));
    w.line("@%wgp_ok ld.global.u32 %wgp_s, [%wgp_a]");
    w.line(fmt::format("setp.ne.and.u32 %wgp_ok, %wgp_s, {}, %wgp_ok", noSlot));
    control("%wgp_t", "u32", offsetof(Control, hostWarps));
    w.line("@%wgp_ok mul.lo.u32 %wgp_warp, %wgp_s, %wgp_t");
    w.line("mov.u32 %wgp_x, %ntid.x");
    w.line("mov.u32 %wgp_y, %ntid.y");
    w.line("mov.u32 %wgp_z, %ntid.z");
    w.line("mul.lo.u32 %wgp_x, %wgp_x, %wgp_y");
    w.line("mad.lo.u32 %wgp_x, %wgp_x, %wgp_z, 31");
    w.line("shr.u32 %wgp_x, %wgp_x, 5");
    w.line(fmt::format("setp.ne.and.u32 %wgp_some, %wgp_warp, {}, %wgp_child", noSlot));
    w.line("setp.lt.and.u32 %wgp_some, %wgp_b, %wgp_w, %wgp_some");
    w.line("@%wgp_some mad.lo.u32 %wgp_warp, %wgp_b, %wgp_x, %wgp_warp");
    w.line("or.pred %wgp_ok, %wgp_ok, %wgp_some");
    w.line(fmt::format("@%wgp_ok bra.uni {}", probedLabel));
}

// At the probed label: the test said "perhaps", the slot table says which slot or that it was a false alarm.
void findSlot(BodyWriter& w) {
    w.line(fmt::format("ld.const.u64 %wgp_a, [{}+{}]", controlSymbol, offsetof(Control, slots)));
    w.line("mad.wide.u32 %wgp_a, %wgp_b, 4, %wgp_a");
    w.line("ld.global.u32 %wgp_warp, [%wgp_a]");
    w.line(fmt::format("setp.eq.u32 %wgp_ok, %wgp_warp, {}", noSlot));
    w.line(fmt::format("@%wgp_ok bra.uni {}", cleanLabel));
    w.line(fmt::format("ld.const.u32 %wgp_t, [{}+{}]", controlSymbol, offsetof(Control, hostWarps)));
    w.line("mul.lo.u32 %wgp_warp, %wgp_warp, %wgp_t");
}

bool isTile(const ptx::Variable& v) {
    return v.space == ptx::StateSpace::Shared && !v.isExtern;
}

// The shared arrays of a function that has two copies become the module's: each copy's own would take the room twice.
// One whose name another function has for an array of its own stays.
void moveTiles(const ptx::Module& module, Function& plain, Function& copy, std::vector<ptx::Variable>& variables) {
    const auto isNamed = [](const Function& f, const std::string& name) {
        return std::any_of(f.locals.begin(), f.locals.end(), [&](const auto& v) { return v.name == name; });
    };
    for (const ptx::Variable& v : copy.locals)
        if (isTile(v) && !module.findVariable(v.name) &&
            std::none_of(module.functions.begin(), module.functions.end(),
                         [&](const Function& f) { return f.name != plain.name && isNamed(f, v.name); })) {
            variables.push_back(v);
            std::erase_if(plain.locals, [&](const auto& local) { return local.name == v.name; });
        }
    std::erase_if(copy.locals, [&](const auto& v) { return isTile(v) && !isNamed(plain, v.name); });
}

// First lines of the probed copy of an entry: the lane's stream and the warp's row.
void startWarp(BodyWriter& w, bool oneDimensional) {
    linearThread(w, "%wgp_t", oneDimensional);
    w.line("shr.u32 %wgp_x, %wgp_t, 5");
    w.line("add.u32 %wgp_x, %wgp_x, %wgp_warp");
    w.line("and.b32 %wgp_t, %wgp_t, 31");
    w.line("shl.b32 %wgp_idx, %wgp_x, 5");
    w.line("or.b32 %wgp_idx, %wgp_idx, %wgp_t");
    w.line(fmt::format("ld.const.u64 %wgp_wrow, [{}+{}]", controlSymbol, offsetof(Control, warps)));
    w.line(fmt::format("mad.wide.u32 %wgp_wrow, %wgp_x, {}, %wgp_wrow", sizeof(WarpRow)));
    w.line("mov.u32 %wgp_lt, %lanemask_lt");
    openStream(w);
    w.line("mov.u32 %wgp_off, 16");
    w.line("activemask.b32 %wgp_m");
    w.line("and.b32 %wgp_t, %wgp_m, %wgp_lt");
    w.line("setp.eq.u32 %wgp_lead, %wgp_t, 0");
    w.line("mov.u64 %wgp_clock, %clock64");
    w.line("mov.u64 %wgp_timer, %globaltimer");
    w.line("mov.u32 %wgp_x, %smid");
    w.line("mov.u32 %wgp_y, %warpid");
    w.line(fmt::format("@%wgp_lead st.global.v2.u64 [%wgp_wrow+{}], {{%wgp_clock, %wgp_timer}}",
                       offsetof(WarpRow, startClock)));
    w.line(fmt::format("@%wgp_lead st.global.v2.u32 [%wgp_wrow+{}], {{%wgp_x, %wgp_y}}", offsetof(WarpRow, sm)));
    w.line(fmt::format("@%wgp_lead st.global.u32 [%wgp_wrow+{}], %wgp_m", offsetof(WarpRow, live)));
}

ptx::Variable parameter(std::string name, ptx::Type type) {
    ptx::Variable v;
    v.space = ptx::StateSpace::Param;
    v.type = type;
    v.name = std::move(name);
    return v;
}

} // namespace

std::uint32_t ProbedModule::fillerBytesOf(const std::string& entry) const {
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (entries[i] == entry && i < filler.size())
            return filler[i];
    return 0;
}

Result<ProbedModule> insertProbes(const ptx::Module& module, const ProbeOptions& options) {
    ProbedModule result;
    result.options = options;
    for (const Function& f : module.functions)
        if (Result<ptx::ControlFlow> flow = ptx::controlFlow(f); !flow)
            return flow.error();
    if (module.findVariable(controlSymbol))
        return Error{say::ProbedAlready, module.name, 0, 0, say::AsTheCompilerMadeIt};

    const bool bridges = std::none_of(module.functions.begin(), module.functions.end(), launchesKernels);
    const std::vector<const Function*> byPointer = bridges ? addressTaken(module) : std::vector<const Function*>();
    const std::set<std::string> all = probedFunctions(module, byPointer);
    const SiteTable sites = collectSites(module, all, options);
    if (sites.sites.size() >= (1u << 24) - 1)
        return Error{say::TooManyPlaces, module.name};
    result.sites = sites.sites;
    std::set<std::string> copied; // functions, not entries, with a probed copy
    std::uint64_t hiddenOffset = 0;
    for (const Function& f : module.functions) {
        result.launches = result.launches || launchesKernels(f);
        if (f.isEntry && f.bodyLine != 0) {
            result.entries.push_back(f.name);
            hiddenOffset = std::max(hiddenOffset, (parameterEnd(f) + 7) / 8 * 8);
        } else if (all.contains(f.name)) {
            copied.insert(f.name);
        }
    }
    for (const std::string& name : result.entries)
        result.filler.push_back(result.launches ? std::uint32_t(hiddenOffset - parameterEnd(*module.findFunction(name)))
                                                : 0);
    result.hiddenBytes = result.launches ? 8 : 0;

    ptx::Module out = module;
    askForProbes(out);
    out.text.clear();
    out.functions.clear();
    ptx::Variable control;
    control.space = ptx::StateSpace::Const;
    control.type = ptx::Type::B8;
    control.alignment = 16;
    control.name = controlSymbol;
    control.isArray = true;
    control.isVisible = true;
    control.dimensions = {sizeof(Control)};
    out.variables.push_back(control);

    const auto keepBatches = [&](const BodyWriter& writer) {
        for (const auto& [site, members] : writer.batches())
            result.sites[site].batch = members;
    };
    for (const Function* f : byPointer) { // bodies follow at the end
        Function declaration = bridge(*f);
        declaration.body.clear();
        declaration.locals.clear();
        declaration.registers.clear();
        declaration.bodyLine = 0;
        out.functions.push_back(std::move(declaration));
    }
    bool exitInFunction = false, pointers = false;
    for (const Function& f : module.functions) {
        if (f.bodyLine == 0) {
            out.functions.push_back(f);
            continue;
        }
        for (const ptx::Instruction& i : f.body) {
            exitInFunction = exitInFunction || (!f.isEntry && i.opcode == ptx::Opcode::Exit);
            pointers = pointers || (i.opcode == ptx::Opcode::Call && !calledFunction(i));
        }
        BodyOptions clean;
        clean.blockRecords = options.blockRecords;
        clean.hiddenOffset = std::uint32_t(hiddenOffset);
        clean.launches = result.launches;
        clean.allEnds = options.allEnds;
        clean.oneDimensional = options.oneDimensional && !result.launches;
        clean.flatBlocks = (options.flatBlocks || options.oneDimensional) && !result.launches;
        BodyOptions probed = clean;
        probed.probed = true;
        probed.addressTaken = bridges ? &byPointer : nullptr;

        if (!f.isEntry) {
            Function plain = shell(f);
            if (launchesKernels(f))
                BodyWriter::declareRegisters(plain);
            BodyWriter(module, f, sites, copied, clean, plain).write();
            out.functions.push_back(std::move(plain));
            if (!copied.contains(f.name))
                continue;
            Function copy = shell(f);
            copy.name += copySuffix;
            // Its parameters and results keep their names: they are names of this function alone.
            copy.params.push_back(parameter("wgp_index", ptx::Type::B32));
            copy.isVisible = copy.isWeak = false;
            moveTiles(module, out.functions.back(), copy, out.variables);
            BodyWriter::declareRegisters(copy);
            BodyWriter w(module, f, sites, copied, probed, copy);
            w.line("ld.param.u32 %wgp_idx, [wgp_index]");
            w.line("mov.u32 %wgp_lt, %lanemask_lt");
            openStream(w);
            w.line("ld.global.u32 %wgp_off, [%wgp_cell]");
            w.startAsync();
            w.write();
            keepBatches(w);
            out.functions.push_back(std::move(copy));
            continue;
        }

        Function entry = shell(f);
        EntryPlan plan;
        for (std::size_t i = 0; i < result.entries.size(); ++i)
            if (result.entries[i] == f.name) {
                plan.number = std::uint32_t(i) + 1;
                if (result.filler[i] > 0) {
                    ptx::Variable filler = parameter(f.name + "_wgp_filler", ptx::Type::B8);
                    filler.isArray = true;
                    filler.dimensions = {result.filler[i]};
                    entry.params.push_back(std::move(filler));
                }
            }
        plan.launches = result.launches;
        plan.oneDimensional = options.oneDimensional && !result.launches;
        plan.blockRecords = options.blockRecords;
        plan.hidden = f.name + "_wgp_hidden";
        if (result.launches)
            entry.params.push_back(parameter(plan.hidden, ptx::Type::U64));
        BodyWriter::declareRegisters(entry);
        // The clean copy first: most blocks fall straight into it.
        BodyWriter first(module, f, sites, copied, clean, entry);
        chooseBody(first, plan);
        entry.labels.push_back({cleanLabel, std::uint32_t(entry.body.size()), 0});
        first.write();
        entry.labels.push_back({probedLabel, std::uint32_t(entry.body.size()), 0});
        BodyWriter second(module, f, sites, copied, probed, entry);
        if (!plan.launches)
            findSlot(second);
        startWarp(second, plan.oneDimensional);
        second.startAsync();
        second.write();
        keepBatches(second);
        out.functions.push_back(std::move(entry));
    }
    for (const Function* f : byPointer)
        out.functions.push_back(bridge(*f));
    if (pointers && !bridges)
        result.notes.push_back(say::NoProbesThroughPointers);
    if (exitInFunction)
        result.notes.push_back(say::FunctionEndsThreads);

    result.ptx = ptx::write(out);
    // What leaves here must be PTX; a mistake of ours should be told here and not by the driver.
    if (Result<ptx::Module> again = ptx::parse(result.ptx, module.name + " with probes"); !again)
        return again.error();
    return result;
}

} // namespace warpglass::probe
