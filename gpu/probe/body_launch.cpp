// SPDX-License-Identifier: GPL-3.0-or-later
// Device-side launches, in both copies of a body: a launch costs microseconds, a row of its own costs little beside
// that.
//
// At the request for a parameter buffer the launch gets a number (an atomic counter), room for the rows of its blocks
// and warps, and its parent's half of the LaunchRow; the number is stored into the buffer, behind the child's own
// parameters. At the launch itself the number is read back from the buffer, since in unoptimised code the two calls
// stand in two functions. Where too many launches wait, an H200 hands the same buffer to many threads, so that half of
// them found another one's number there: where both calls stand in one function, a register keeps it. A row whose
// launch nobody saw, be it that there was no buffer, is finished at the request.
#include "gpu/probe/body.h"

#include "gpu/ptx/write.h"

#include <fmt/format.h>

namespace warpglass::probe {

using ptx::Instruction;
using ptx::Operand;

namespace {
const Operand* argumentList(const Instruction& call) {
    const Operand& last = call.operands.back();
    return last.kind == Operand::Kind::List ? &last : nullptr;
}
} // namespace

// Remembers which .param holds which part of the shape, so that instruction() can catch the values as they are stored.
void BodyWriter::noteLaunchArgument(const Instruction& call) {
    const Operand* arguments = argumentList(call);
    if (!arguments || arguments->elements.size() < 4)
        return;
    const auto note = [&](std::size_t argument, std::int64_t offset, const char* name) {
        m_launchArguments[{arguments->elements[argument].name, offset}] = name;
    };
    note(0, 0, "%wgp_target");
    note(1, 0, "%wgp_gx");
    note(1, 4, "%wgp_gy");
    note(1, 8, "%wgp_gz");
    note(2, 0, "%wgp_bx");
    note(2, 4, "%wgp_by");
    note(2, 8, "%wgp_bz");
    note(3, 0, "%wgp_sh");
}

// The launch that a request is for: the next one in its function, in unoptimised code the one of the runtime's wrapper.
BodyWriter::RequestedLaunch BodyWriter::requestedLaunch() const {
    for (std::uint32_t i = m_index + 1; i < m_function.body.size(); ++i) {
        const std::string* callee = calledFunction(m_function.body[i]);
        if (callee && isLaunchCall(*callee))
            return {siteOf(i), parameterSource(m_function.body[i], 1, i)};
    }
    for (std::uint32_t n = 0; n < m_sites.sites.size(); ++n)
        if (m_sites.sites[n].site.kind == SiteKind::Launch)
            return {n + 1, {}};
    return {};
}

void BodyWriter::afterBufferRequest(const Operand& result) {
    const auto control = [&](const char* into, const char* type, std::size_t offset) {
        line(fmt::format("ld.const.{} {}, [{}+{}]", type, into, controlSymbol, offset));
    };
    line(fmt::format("mov.b64 %wgp_buffer, {}", ptx::write(result)));
    line("setp.ne.u64 %wgp_ok, %wgp_buffer, 0");
    control("%wgp_a", "u64", offsetof(Control, counters));
    line(fmt::format("atom.global.add.u32 %wgp_number, [%wgp_a+{}], 1", offsetof(Counters, launches)));
    // The child is told its number + 1, whether there is a row for it or not.
    line("add.u32 %wgp_n, %wgp_number, 1");
    line("cvt.u64.u32 %wgp_d, %wgp_n");
    line(fmt::format("@%wgp_ok st.u64 [%wgp_buffer+{}], %wgp_d", m_options.hiddenOffset));
    control("%wgp_t", "u32", offsetof(Control, launchCapacity));
    line("setp.lt.u32 %wgp_counted, %wgp_number, %wgp_t");
    line("and.pred %wgp_ok, %wgp_ok, %wgp_counted");
    control("%wgp_launch", "u64", offsetof(Control, launches));
    line(fmt::format("mad.wide.u32 %wgp_launch, %wgp_number, {}, %wgp_launch", sizeof(LaunchRow)));
    // Room for the blocks' rows.
    line("mul.lo.u32 %wgp_n, %wgp_gx, %wgp_gy");
    line("mul.lo.u32 %wgp_n, %wgp_n, %wgp_gz");
    line(fmt::format("mov.u32 %wgp_first, {}", noSlot));
    line(fmt::format("@%wgp_ok atom.global.add.u32 %wgp_first, [%wgp_a+{}], %wgp_n", offsetof(Counters, blocks)));
    control("%wgp_t", "u32", offsetof(Control, blockCapacity));
    line("sub.u32 %wgp_v, %wgp_t, %wgp_first");
    line("setp.gt.u32 %wgp_some, %wgp_first, %wgp_t");
    line("setp.gt.or.u32 %wgp_some, %wgp_n, %wgp_v, %wgp_some");
    line(fmt::format("@%wgp_some mov.u32 %wgp_first, {}", noSlot));
    // Room for the warps of the blocks with detail.
    control("%wgp_t", "u32", offsetof(Control, childBlocks));
    line("min.u32 %wgp_w, %wgp_n, %wgp_t");
    line("mul.lo.u32 %wgp_v, %wgp_bx, %wgp_by");
    line("mad.lo.u32 %wgp_v, %wgp_v, %wgp_bz, 31");
    line("shr.u32 %wgp_v, %wgp_v, 5");
    line("mul.lo.u32 %wgp_v, %wgp_v, %wgp_w");
    line(fmt::format("mov.u32 %wgp_warp, {}", noSlot));
    line(fmt::format("@%wgp_ok atom.global.add.u32 %wgp_warp, [%wgp_a+{}], %wgp_v", offsetof(Counters, warps)));
    control("%wgp_t", "u32", offsetof(Control, warpCapacity));
    line("sub.u32 %wgp_x, %wgp_t, %wgp_warp");
    line("setp.gt.u32 %wgp_some, %wgp_warp, %wgp_t");
    line("setp.gt.or.u32 %wgp_some, %wgp_v, %wgp_x, %wgp_some");
    line(fmt::format("@%wgp_some mov.u32 %wgp_warp, {}", noSlot));
    // The parent's half of the row.
    const auto store = [&](const char* type, std::size_t offset, const char* value) {
        line(fmt::format("@%wgp_counted st.global.{} [%wgp_launch+{}], {}", type, offset, value));
    };
    line("mov.u64 %wgp_d, %gridid");
    store("u64", offsetof(LaunchRow, parentGrid), "%wgp_d");
    store("u64", offsetof(LaunchRow, target), "%wgp_target");
    const char* shape[] = {"%wgp_gx", "%wgp_gy", "%wgp_gz", "%wgp_bx", "%wgp_by", "%wgp_bz", "%wgp_sh"};
    for (std::size_t k = 0; k < 7; ++k)
        store("u32", offsetof(LaunchRow, grid) + 4 * k, shape[k]);
    store("u32", offsetof(LaunchRow, firstBlock), "%wgp_first");
    store("u32", offsetof(LaunchRow, firstWarp), "%wgp_warp");
    store("u32", offsetof(LaunchRow, detailBlocks), "%wgp_w");
    line("mov.u32 %wgp_x, %smid");
    store("u32", offsetof(LaunchRow, sm), "%wgp_x");
    for (const auto& [index, extent, offset] : {std::tuple("ctaid", "nctaid", offsetof(LaunchRow, parentBlock)),
                                                std::tuple("tid", "ntid", offsetof(LaunchRow, parentThread))}) {
        line(fmt::format("mov.u32 %wgp_z, %{}.z", index));
        line(fmt::format("mov.u32 %wgp_y, %{}.y", index));
        line(fmt::format("mov.u32 %wgp_x, %{}.y", extent));
        line("mad.lo.u32 %wgp_z, %wgp_z, %wgp_x, %wgp_y");
        line(fmt::format("mov.u32 %wgp_y, %{}.x", extent));
        line(fmt::format("mov.u32 %wgp_x, %{}.x", index));
        line("mad.lo.u32 %wgp_z, %wgp_z, %wgp_y, %wgp_x");
        store("u32", offset, "%wgp_z");
    }
    const RequestedLaunch requested = requestedLaunch();
    if (requested.site != 0) {
        line(fmt::format("mov.u32 %wgp_x, {}", requested.site));
        store("u32", offsetof(LaunchRow, site), "%wgp_x");
        line(fmt::format("mov.u32 %wgp_x, {}", notLaunched));
        line("setp.eq.u64 %wgp_some, %wgp_buffer, 0");
        line(fmt::format("@%wgp_some mov.u32 %wgp_x, {}", noBuffer));
        store("u32", offsetof(LaunchRow, error), "%wgp_x");
        line("mov.u64 %wgp_clock, %clock64");
        store("u64", offsetof(LaunchRow, clock), "%wgp_clock");
        if (!requested.stream.empty() && requested.stream.front() != '%') { // a register may get its value later
            line(fmt::format("mov.u64 %wgp_stream, {}", requested.stream));
            store("u64", offsetof(LaunchRow, stream), "%wgp_stream");
        }
    }
    line("mov.u32 %wgp_asked, %wgp_number");
    line("mov.u64 %wgp_given, %wgp_buffer");
}

// What was stored last into an argument's .param before the call.
std::string BodyWriter::parameterSource(const Instruction& call, std::size_t argument, std::uint32_t before) const {
    const Operand* arguments = argumentList(call);
    if (!arguments || argument >= arguments->elements.size())
        return {};
    for (std::uint32_t i = before; i-- > 0;) {
        const Instruction& st = m_function.body[i];
        if (st.opcode == ptx::Opcode::St && st.has(ptx::Modifier::Param) && st.operands.size() == 2 &&
            st.operands[0].name == arguments->elements[argument].name)
            return ptx::write(st.operands[1]);
    }
    return {};
}

void BodyWriter::beforeLaunch(const Instruction& call, std::uint32_t site) {
    const std::string buffer = parameterSource(call, 0, m_index), stream = parameterSource(call, 1, m_index);
    if (buffer.empty())
        return;
    line(fmt::format("mov.b64 %wgp_buffer, {}", buffer));
    line(fmt::format("mov.b64 %wgp_stream, {}", stream.empty() ? "0" : stream));
    line("setp.ne.u64 %wgp_ok, %wgp_buffer, 0");
    line("mov.u64 %wgp_d, 0");
    line(fmt::format("@%wgp_ok ld.u64 %wgp_d, [%wgp_buffer+{}]", m_options.hiddenOffset));
    line("cvt.u32.u64 %wgp_number, %wgp_d");
    line("sub.u32 %wgp_number, %wgp_number, 1"); // no buffer: beyond every capacity
    if (m_requests) {
        line("setp.eq.and.u64 %wgp_some, %wgp_buffer, %wgp_given, %wgp_ok");
        line("@%wgp_some mov.u32 %wgp_number, %wgp_asked");
    }
    line(fmt::format("ld.const.u32 %wgp_t, [{}+{}]", controlSymbol, offsetof(Control, launchCapacity)));
    line("setp.lt.u32 %wgp_ok, %wgp_number, %wgp_t");
    line(fmt::format("ld.const.u64 %wgp_launch, [{}+{}]", controlSymbol, offsetof(Control, launches)));
    line(fmt::format("mad.wide.u32 %wgp_launch, %wgp_number, {}, %wgp_launch", sizeof(LaunchRow)));
    line("mov.u64 %wgp_clock, %clock64");
    line(fmt::format("@%wgp_ok st.global.u64 [%wgp_launch+{}], %wgp_stream", offsetof(LaunchRow, stream)));
    line(fmt::format("@%wgp_ok st.global.u64 [%wgp_launch+{}], %wgp_clock", offsetof(LaunchRow, clock)));
    line(fmt::format("mov.u32 %wgp_x, {}", site));
    line(fmt::format("@%wgp_ok st.global.u32 [%wgp_launch+{}], %wgp_x", offsetof(LaunchRow, site)));
}

void BodyWriter::afterLaunch(const Operand& result, std::uint32_t site) {
    line(fmt::format("mov.b32 %wgp_e, {}", ptx::write(result)));
    line(fmt::format("@%wgp_ok st.global.u32 [%wgp_launch+{}], %wgp_e", offsetof(LaunchRow, error)));
    if (!m_options.probed || site == 0)
        return;
    line("setp.eq.u32 %wgp_some, %wgp_e, 0");
    line("activemask.b32 %wgp_m");
    line("vote.sync.ballot.b32 %wgp_v, %wgp_some, %wgp_m");
    record(RecordKind::Launch, site, "%wgp_m", "%wgp_v", "");
}

} // namespace warpglass::probe
