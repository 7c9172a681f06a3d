// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/probe/body.h"
#include "gpu/probe/pointer_calls.h"

#include "gpu/ptx/write.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpglass::probe {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

void BodyWriter::line(std::string text) {
    Instruction i;
    i.otherOpcode = std::move(text); // write() puts modifiers and operands behind it: there are none
    i.place = m_place;
    m_out.body.push_back(std::move(i));
}

void BodyWriter::label(std::string name) {
    m_out.labels.push_back({std::move(name), std::uint32_t(m_out.body.size()), 0});
}

void BodyWriter::declareRegisters(ptx::Function& out) {
    using ptx::Type;
    for (const char* name : {"lead", "fits", "guard", "child", "some", "ok", "counted", "early", "again"})
        out.registers.push_back({fmt::format("%wgp_{}", name), Type::Pred});
    for (const char* name :
         {"idx",    "lt",    "off",    "limit",  "m",      "t",     "v",    "c",      "b",       "w",
          "n",      "s",     "x",      "y",      "z",      "gx",    "gy",   "gz",     "bx",      "by",
          "bz",     "sh",    "first",  "warp",   "number", "what",  "e",    "asked",  "tried",   "cplace",
          "cbytes", "csite", "cclock", "before", "voff",   "vsite", "vkey", "vlanes", "vbefore", "held"})
        out.registers.push_back({fmt::format("%wgp_{}", name), Type::B32});
    for (const char* name : {"base", "a", "d", "high", "row", "wrow", "clock", "timer", "cell", "ends", "target",
                             "launch", "stream", "buffer", "given"})
        out.registers.push_back({fmt::format("%wgp_{}", name), Type::B64});
    for (int i = 0; i < 4; ++i)
        out.registers.push_back({fmt::format("%wgp_value{}", i), Type::B32});
    for (std::uint32_t i = 0; i < batchWords; ++i)
        out.registers.push_back({fmt::format("%wgp_q{}", i), Type::B32});
    out.registers.push_back({"%wgp_small", Type::B16});
}

std::uint32_t BodyWriter::siteOf(std::uint32_t instruction) const {
    const auto found = m_sites.number.find({m_function.name, instruction});
    return found == m_sites.number.end() ? 0 : found->second + 1;
}

void BodyWriter::write() {
    // The parts of a launch's shape are caught where the compiler stores them as arguments.
    for (const Instruction& i : m_function.body) {
        const std::string* callee = calledFunction(i);
        if (callee && isBufferRequest(*callee)) {
            noteLaunchArgument(i);
            m_requests = true;
        }
    }
    if (m_requests)
        line("mov.u64 %wgp_given, 0");
    const std::string suffix = m_options.probed ? copySuffix : "";
    std::size_t label = 0, pragma = 0;
    for (m_index = 0; m_index <= m_function.body.size(); ++m_index) {
        const bool labelled = label < m_function.labels.size() && m_function.labels[label].instruction == m_index;
        if (labelled && !m_quiet.contains(m_index))
            flush();
        if (m_polls.contains(m_index))
            startPoll();
        for (; label < m_function.labels.size() && m_function.labels[label].instruction == m_index; ++label) {
            ptx::Label l = m_function.labels[label];
            l.name += suffix;
            l.instruction = std::uint32_t(m_out.body.size());
            m_out.labels.push_back(std::move(l));
        }
        for (pragma = 0; pragma < m_function.pragmaAt.size(); ++pragma)
            if (m_function.pragmaAt[pragma] == m_index) {
                m_out.pragmas.push_back(m_function.pragmas[pragma]);
                m_out.pragmaAt.push_back(std::uint32_t(m_out.body.size()));
            }
        if (m_index < m_function.body.size()) {
            m_place = m_function.body[m_index].place;
            passed();
            if (m_options.probed && endsBatch(m_function.body[m_index], siteOf(m_index)))
                flush();
            instruction(m_index);
            forget(m_function.body[m_index]);
        }
    }
    passed();
    flush();
    if (m_function.isEntry && canFallOff(m_function)) {
        exit(nullptr, siteOf(std::uint32_t(m_function.body.size())));
        line("ret");
    }
    for (ptx::TargetList list : m_function.targetLists) {
        list.name += suffix;
        const bool labels = !list.targets.empty() && m_labels.contains(list.targets.front());
        if (!labels && m_options.probed)
            continue; // call targets: the first copy has declared them under the plain name
        for (std::string& target : list.targets)
            if (labels)
                target += suffix;
        m_out.targetLists.push_back(std::move(list));
    }
}

void BodyWriter::copy(Instruction i) {
    if (m_options.probed)
        for (Operand& o : i.operands)
            if (o.kind == Operand::Kind::Label && ptx::row(i.opcode).family == ptx::Family::Branch)
                o.name += copySuffix;
    m_out.body.push_back(std::move(i));
}

void BodyWriter::instruction(std::uint32_t index) {
    const Instruction& i = m_function.body[index];
    const std::uint32_t site = siteOf(index);
    if (i.opcode == Opcode::St && i.has(Modifier::Param) && i.operands.size() == 2) {
        const auto caught = m_launchArguments.find({i.operands[0].name, i.operands[0].integer});
        if (caught != m_launchArguments.end()) {
            const std::string_view name = caught->second;
            line(fmt::format("mov.{} {}, {}", name == "%wgp_target" ? "b64" : "b32", name, ptx::write(i.operands[1])));
        }
    }
    if (returnsAtOnce(i)) {
        exit(&i, site);
        line(i.guarded() ? "@%wgp_guard exit" : "exit");
    } else if (endsThread(m_function, i)) {
        exit(&i, site);
        copy(i);
    } else if (i.opcode == Opcode::Ret && m_options.probed) {
        if (does(AsyncPart::CopyLanes)) // the caller's group may be that of its copies
            tellLanes(copyAbove(), "", keepGuard(i));
        line("st.global.u32 [%wgp_cell], %wgp_off");
        copy(i);
    } else if (i.opcode == Opcode::Call) {
        call(i);
    } else if (m_options.probed && m_jumpsOver.contains(index)) {
        jumpOverWait(i);
    } else if (const auto tries = m_options.probed && !i.guarded() ? pollThatEndsAt(index) : std::nullopt) {
        pollJump(i, *tries, index);
    } else if (!m_options.probed || site == 0 || !probe(i, site)) {
        copy(i);
    }
    // The result of a launch call has just been fetched.
    if (!m_awaited.empty() && i.opcode == Opcode::Ld && i.has(Modifier::Param) && i.operands.size() == 2 &&
        i.operands[1].name == m_awaited) {
        m_awaited.clear();
        if (m_awaitedIsLaunch)
            afterLaunch(i.operands[0], m_awaitedSite);
        else
            afterBufferRequest(i.operands[0]);
    }
}

bool BodyWriter::probe(const Instruction& i, std::uint32_t site) {
    if (m_sites.sites[site - 1].async != AsyncPart::None)
        async(i, site);
    else if (isConditionalBranch(i))
        branch(i, site);
    else if (isBarrier(i))
        barrier(i, site);
    else if (isMemoryAccess(i))
        access(i, site);
    else if (isShuffle(i))
        shuffle(i, site);
    else
        return false;
    return true;
}

// One record by the lowest of the lanes in %wgp_m (a guarded probe: of those with the guard). No branch: two
// predicates. The clock is read last: machine code keeps its place among the votes, so what stands behind it would wait
// for the votes after it (59 cycles a turn of a lone warp's loop instead of 46 on an H200, where the loop alone takes
// 29).
void BodyWriter::record(RecordKind kind, std::uint32_t site, const char* a, const char* b, const std::string& guard) {
    line("and.b32 %wgp_t, %wgp_m, %wgp_lt");
    line(guard.empty() ? "setp.eq.u32 %wgp_lead, %wgp_t, 0"
                       : fmt::format("setp.eq.and.u32 %wgp_lead, %wgp_t, 0, {}", guard));
    line("min.u32 %wgp_n, %wgp_off, %wgp_limit");
    line("cvt.u64.u32 %wgp_a, %wgp_n");
    line("add.u64 %wgp_a, %wgp_base, %wgp_a");
    line(fmt::format("mov.u32 %wgp_what, {}", site | std::uint32_t(kind) << 24));
    line("mov.u32 %wgp_c, %clock");
    line(fmt::format("@%wgp_lead st.global.v4.u32 [%wgp_a], {{%wgp_c, %wgp_what, {}, {}}}", a, b));
    line("@%wgp_lead add.u32 %wgp_off, %wgp_off, 16");
}

void BodyWriter::ballotOfGuard(const Instruction& i, const char* into) {
    line("activemask.b32 %wgp_m");
    line(fmt::format("vote.sync.ballot.b32 {}, {}{}, %wgp_m", into, i.guardNegated ? "!" : "", i.guard));
}

void BodyWriter::branch(const Instruction& i, std::uint32_t site) {
    for (const auto& [tries, back] : m_polls)
        if (m_index > tries && m_index <= back) {
            pollJump(i, tries, back);
            return;
        }
    if (m_index > 0)
        if (const std::uint32_t before = siteOf(m_index - 1);
            before != 0 && m_sites.sites[before - 1].poll == site - 1) {
            copy(i); // the try's record tells it
            return;
        }
    ballotOfGuard(i, "%wgp_v");
    record(RecordKind::Branch, site, "%wgp_m", "%wgp_v", "");
    copy(i);
}

void BodyWriter::barrier(const Instruction& i, std::uint32_t site) {
    const auto probe = [&](RecordKind kind, bool guarded) {
        if (!guarded) {
            line("activemask.b32 %wgp_m");
            record(kind, site, "%wgp_m", "0", "");
            return;
        }
        line("activemask.b32 %wgp_m");
        line("vote.sync.ballot.b32 %wgp_v, %wgp_guard, %wgp_m");
        line("mov.b32 %wgp_m, %wgp_v");
        record(kind, site, "%wgp_m", "0", "%wgp_guard");
    };
    if (i.guarded()) // kept: bar.red may write the very predicate
        line(fmt::format("{}.pred %wgp_guard, {}", i.guardNegated ? "not" : "mov", i.guard));
    probe(RecordKind::BarrierArrive, i.guarded());
    copy(i);
    if (!isArriveOnly(i))
        probe(RecordKind::BarrierLeave, i.guarded());
}

// Before the end of a thread: the record, the lane's cell, the ends of warp and block.
void BodyWriter::exit(const Instruction* i, std::uint32_t site) {
    const bool guarded = i && i->guarded();
    const bool entry = m_function.isEntry, rows = m_options.blockRecords && entry;
    if (!m_options.probed && !rows)
        return;
    if (guarded)
        line(fmt::format("{}.pred %wgp_guard, {}", i->guardNegated ? "not" : "mov", i->guard));
    const std::string guard = guarded ? "%wgp_guard" : "", at = guarded ? "@%wgp_guard " : "";
    if (m_options.probed || m_options.launches) { // who is the lowest of the leaving lanes?
        line("activemask.b32 %wgp_m");
        if (guarded) {
            line("vote.sync.ballot.b32 %wgp_v, %wgp_guard, %wgp_m");
            line("mov.b32 %wgp_m, %wgp_v");
        }
    }
    if (m_options.probed) {
        record(RecordKind::Exit, site, "%wgp_m", "0", guard);
        if (entry) {
            line(fmt::format("ld.const.u64 %wgp_cell, [{}+{}]", controlSymbol, offsetof(Control, cells)));
            line("mad.wide.u32 %wgp_cell, %wgp_idx, 4, %wgp_cell");
        }
        line(fmt::format("{}st.global.u32 [%wgp_cell], %wgp_off", at));
        if (!entry)
            return;
        line("mov.u64 %wgp_clock, %clock64");
        line("mov.u64 %wgp_timer, %globaltimer");
        line(fmt::format("ld.const.u64 %wgp_wrow, [{}+{}]", controlSymbol, offsetof(Control, warps)));
        line("shr.u32 %wgp_t, %wgp_idx, 5");
        line(fmt::format("mad.wide.u32 %wgp_wrow, %wgp_t, {}, %wgp_wrow", sizeof(WarpRow)));
        line(fmt::format("@%wgp_lead st.global.v2.u64 [%wgp_wrow+{}], {{%wgp_clock, %wgp_timer}}",
                         offsetof(WarpRow, endClock)));
    }
    if (rows && !m_options.launches) {
        m_options.allEnds ? endOfWarp(at) : endOfFirstWarp(guard);
    } else if (rows) {
        if (!m_options.probed) {
            line("mov.u64 %wgp_clock, %clock64");
            line("mov.u32 %wgp_t, %lanemask_lt");
            line("and.b32 %wgp_t, %wgp_m, %wgp_t");
            line(guarded ? "setp.eq.and.u32 %wgp_lead, %wgp_t, 0, %wgp_guard" : "setp.eq.u32 %wgp_lead, %wgp_t, 0");
        }
        line("setp.ne.and.u64 %wgp_lead, %wgp_row, 0, %wgp_lead");
        line(fmt::format("@%wgp_lead red.global.max.u64 [%wgp_row+{}], %wgp_clock", offsetof(BlockRow, end)));
    }
}

// into holds the x part; afterwards the linear number. Uses x, y and z.
void BodyWriter::linear(const char* index, const char* extent, const char* into) {
    line(fmt::format("mov.u32 %wgp_z, %{}.z", index));
    line(fmt::format("mov.u32 %wgp_y, %{}.y", index));
    line(fmt::format("mov.u32 %wgp_x, %{}.y", extent));
    line("mad.lo.u32 %wgp_y, %wgp_z, %wgp_x, %wgp_y");
    line(fmt::format("mov.u32 %wgp_x, %{}.x", extent));
    line(fmt::format("mad.lo.u32 {0}, %wgp_y, %wgp_x, {0}", into));
}

// The warp's word in the Ends buffer. Everything is worked out here, so that nothing has to be kept over the body.
void BodyWriter::endOfWarp(const std::string& guard) {
    line("mov.u32 %wgp_b, %ctaid.x");
    line("mov.u32 %wgp_w, %tid.x");
    if (!m_options.oneDimensional) {
        linear("tid", "ntid", "%wgp_w");
        linear("ctaid", "nctaid", "%wgp_b");
    }
    line(fmt::format("ld.const.u32 %wgp_n, [{}+{}]", controlSymbol, offsetof(Control, hostWarps)));
    line(fmt::format("ld.const.u64 %wgp_ends, [{}+{}]", controlSymbol, offsetof(Control, ends)));
    line("mul.lo.u32 %wgp_b, %wgp_b, %wgp_n");
    line("mad.wide.u32 %wgp_ends, %wgp_b, 4, %wgp_ends"); // the same for the whole block
    line("shr.u32 %wgp_w, %wgp_w, 5");
    line("mad.wide.u32 %wgp_ends, %wgp_w, 4, %wgp_ends");
    line("mov.u32 %wgp_c, %clock");
    line(fmt::format("{}st.global.u32 [%wgp_ends], %wgp_c", guard));
}

// All leaving lanes of warp 0 write the same clock into the block's row: no leader is needed. %wgp_early, warp 0, and
// the row's address come from the entry.
void BodyWriter::endOfFirstWarp(const std::string& guard) {
    if (!guard.empty())
        line(fmt::format("and.pred %wgp_some, %wgp_early, {}", guard));
    line("mov.u64 %wgp_clock, %clock64");
    line(fmt::format("@{} st.global.u64 [%wgp_row+{}], %wgp_clock", guard.empty() ? "%wgp_early" : "%wgp_some",
                     offsetof(BlockRow, end)));
}

// In the clean copy a jump to a bare return becomes the return itself. ptxas does the same where it can; with our store
// before the return it cannot, and would keep all lanes together to the end of the kernel: measured as 10 % of a
// reduction.
bool BodyWriter::returnsAtOnce(const Instruction& i) const {
    if (m_options.probed || m_options.launches || !m_options.blockRecords || !m_function.isEntry ||
        i.opcode != Opcode::Bra)
        return false;
    const auto target = m_labels.find(i.operands.front().name);
    if (!target || *target >= m_function.body.size())
        return false;
    const Instruction& end = m_function.body[*target];
    return endsThread(m_function, end) && !end.guarded();
}

void BodyWriter::call(const Instruction& i) {
    const std::string* callee = calledFunction(i);
    const bool launch = callee && isLaunchCall(*callee);
    const bool request = callee && isBufferRequest(*callee);
    if (launch)
        beforeLaunch(i, siteOf(m_index));
    if (m_options.probed && !callee && m_options.addressTaken) {
        callThroughPointer(i);
        return;
    }
    if (!m_options.probed || !callee || !m_functions.contains(*callee)) {
        copy(i);
        // results come first: call (ret), f, (args)
        if ((launch || request) && i.operands.front().kind == Operand::Kind::List &&
            !i.operands.front().elements.empty()) {
            m_awaited = i.operands.front().elements.front().name;
            m_awaitedIsLaunch = launch;
            m_awaitedSite = siteOf(m_index);
        }
        return;
    }
    // The cursor travels through the lane's cell, the number of the stream as one more argument.
    ptx::Variable argument;
    argument.space = ptx::StateSpace::Param;
    argument.type = ptx::Type::B32;
    argument.name = fmt::format("wgp_argument{}", m_out.locals.size());
    m_out.locals.push_back(argument);
    line("st.global.u32 [%wgp_cell], %wgp_off");
    line(fmt::format("st.param.b32 [{}+0], %wgp_idx", argument.name));
    Instruction changed = i;
    std::size_t name = 0;
    while (changed.operands[name].kind != Operand::Kind::Symbol)
        ++name;
    changed.operands[name].name += copySuffix;
    if (changed.operands.size() == name + 1)
        changed.operands.insert(changed.operands.begin() + std::ptrdiff_t(name) + 1, Operand{Operand::Kind::List});
    Operand extra;
    extra.kind = Operand::Kind::Symbol;
    extra.name = argument.name;
    changed.operands[name + 1].elements.push_back(std::move(extra));
    copy(std::move(changed));
    line("ld.global.u32 %wgp_off, [%wgp_cell]");
}

// pointer_calls.h. A list of targets must name the bridges, too: the probed copy has a list of its own.
void BodyWriter::callThroughPointer(const Instruction& i) {
    Instruction changed = i;
    const auto pointer = std::find_if(changed.operands.begin(), changed.operands.end(),
                                      [](const Operand& o) { return o.kind == Operand::Kind::Register; });
    const auto targets = possibleTargets(m_function, i, *m_options.addressTaken);
    if (pointer == changed.operands.end() || targets.empty()) {
        copy(i);
        return;
    }
    line(fmt::format("mov.b64 %wgp_target, {}", pointer->name));
    for (const ptx::Function* f : targets) {
        line(fmt::format("mov.u64 %wgp_a, {}", f->name));
        line(fmt::format("setp.eq.u64 %wgp_some, {}, %wgp_a", pointer->name));
        line(fmt::format("@%wgp_some mov.u64 %wgp_target, {}{}", f->name, bridgeSuffix));
    }
    pointer->name = "%wgp_target";
    if (const ptx::TargetList* list = m_function.findTargets(i.operands.back().name)) {
        ptx::TargetList both = *list;
        both.name += copySuffix;
        for (const ptx::Function* f : targets)
            both.targets.push_back(f->name + bridgeSuffix);
        changed.operands.back().name = both.name;
        if (!m_out.findTargets(both.name))
            m_out.targetLists.push_back(std::move(both));
    }
    line("st.global.u32 [%wgp_cell], %wgp_off");
    copy(std::move(changed));
    line("ld.global.u32 %wgp_off, [%wgp_cell]");
}

} // namespace warpglass::probe
