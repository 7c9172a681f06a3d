// SPDX-License-Identifier: GPL-3.0-or-later
// Probes of what goes on beside the threads: copies as they are asked for, and mbarriers as lanes arrive and wait.
//
// A wait is in the way of whoever waits, so that its record is all that stands there: it tells the jump of the loop that polls,
// too, and later tries in vain leave none. Most lanes of a warp mean the same mbarrier; match.all says so, and one of them
// writes for all. cp.async stands where loops are unrolled, many times over: each lane keeps where its copies go and how many
// bytes they are, and the instruction that makes a group of them writes it down.
#include "gpu/probe/body.h"

#include "gpu/ptx/write.h"

#include <fmt/format.h>

namespace warpglass::probe {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Operand;

namespace {

constexpr const char* nowhere = "0xffffffff"; // no address of shared memory

} // namespace

bool BodyWriter::does(AsyncPart part) const {
    for (auto s = m_sites.number.lower_bound({m_function.name, 0});
         s != m_sites.number.end() && s->first.first == m_function.name; ++s)
        if (m_sites.sites[s->second].async == part)
            return true;
    return false;
}

void BodyWriter::startAsync() {
    if (does(AsyncPart::Try))
        line(fmt::format("mov.u32 %wgp_tried, {}", nowhere));
    if (!does(AsyncPart::CopyLanes))
        return;
    line(fmt::format("mov.u32 %wgp_cplace, {}", nowhere));
    line("mov.u32 %wgp_cbytes, 0");
    line("mov.u32 %wgp_csite, 0");
    line("mov.u32 %wgp_cclock, 0");
}

void BodyWriter::async(const Instruction& i, std::uint32_t site) {
    switch (m_sites.sites[site - 1].async) {
    case AsyncPart::Try:
        tryWait(i, site);
        break;
    case AsyncPart::Init:
    case AsyncPart::Arrive:
    case AsyncPart::Expect:
    case AsyncPart::Came:
    case AsyncPart::Inval:
        phase(i, site);
        break;
    case AsyncPart::Bulk:
        bulk(i, site);
        break;
    case AsyncPart::CopyLanes:
        copyLanes(i, site);
        break;
    case AsyncPart::LanesArrive: {
        const std::string guard = keepGuard(i);
        const bool known = sharedAddress(i.operand(0), !i.has(Modifier::Shared) && !i.has(Modifier::SharedCta), "%wgp_w");
        copy(i);
        if (known)
            tellLanes(site, "%wgp_w", guard);
        break;
    }
    case AsyncPart::LanesCommit: {
        const std::string guard = keepGuard(i);
        copy(i);
        tellLanes(site, "", guard);
        break;
    }
    case AsyncPart::LanesWait:
    case AsyncPart::BulkWait:
    case AsyncPart::BulkCommit:
        waitGroups(i, site);
        break;
    case AsyncPart::None:
        break;
    }
}

// A predicate of its own: the instruction may write its guard.
std::string BodyWriter::keepGuard(const Instruction& i) {
    if (!i.guarded())
        return {};
    line(fmt::format("{}.pred %wgp_guard, {}", i.guardNegated ? "not" : "mov", i.guard));
    return "%wgp_guard";
}

// Into %wgp_m.
void BodyWriter::activeLanes(const std::string& guard) {
    line("activemask.b32 %wgp_m");
    if (guard.empty())
        return;
    line(fmt::format("vote.sync.ballot.b32 %wgp_t, {}, %wgp_m", guard));
    line("mov.b32 %wgp_m, %wgp_t");
}

// As an offset in shared memory, 32 bits. False: it is none that can be told.
bool BodyWriter::sharedAddress(const Operand& o, bool generic, const char* into) {
    const bool isAddress = o.kind == Operand::Kind::Address;
    if (!isAddress && o.kind != Operand::Kind::Register && o.kind != Operand::Kind::Symbol)
        return false;
    const bool isRegister = isAddress ? o.baseIsRegister : o.kind == Operand::Kind::Register;
    if (o.name.empty()) {
        line(fmt::format("mov.u32 {}, {}", into, std::uint32_t(o.integer)));
        return true;
    }
    if (!isRegister) {
        line(fmt::format("mov.u32 {}, {}", into, o.name));
    } else if (ptx::bytesOf(registerType(o.name)) == 8) {
        if (generic)
            line(fmt::format("cvta.to.shared.u64 %wgp_d, {}", o.name));
        line(fmt::format("cvt.u32.u64 {}, {}", into, generic ? "%wgp_d" : o.name));
    } else {
        line(fmt::format("mov.b32 {}, {}", into, o.name));
    }
    if (o.integer != 0)
        line(fmt::format("add.s32 {0}, {0}, {1}", into, o.integer));
    return true;
}

// Who writes: %wgp_lead, and for whom: %wgp_v. The lowest of the lanes in %wgp_m for all of them if they mean the same address,
// which is in %wgp_x; else each for itself.
void BodyWriter::sameOf(const Operand& address, const std::string& guard) {
    line("and.b32 %wgp_t, %wgp_m, %wgp_lt");
    line("setp.eq.u32 %wgp_lead, %wgp_t, 0");
    line("mov.b32 %wgp_v, %wgp_m");
    if (address.baseIsRegister || address.kind == Operand::Kind::Register) {
        if (!guard.empty())
            line("activemask.b32 %wgp_n");
        line(fmt::format("match.all.sync.b32 %wgp_t|%wgp_same, %wgp_x, {}", guard.empty() ? "%wgp_m" : "%wgp_n"));
        line("add.u32 %wgp_t, %wgp_lt, 1"); // this lane's bit
        line("selp.b32 %wgp_v, %wgp_m, %wgp_t, %wgp_same");
        line("not.pred %wgp_same, %wgp_same");
        line("or.pred %wgp_lead, %wgp_lead, %wgp_same");
    }
    if (!guard.empty())
        line(fmt::format("and.pred %wgp_lead, %wgp_lead, {}", guard));
}

// By the lanes with %wgp_lead, at %wgp_c: a record and one of words behind it.
void BodyWriter::put(RecordKind kind, std::uint32_t site, const char* a, const char* b,
                     const std::array<std::string, 4>& words) {
    line("min.u32 %wgp_n, %wgp_off, %wgp_limit");
    line("cvt.u64.u32 %wgp_a, %wgp_n");
    line("add.u64 %wgp_a, %wgp_base, %wgp_a");
    if (site != 0) // else it is known already
        line(fmt::format("mov.u32 %wgp_what, {}", site | std::uint32_t(kind) << 24));
    line(fmt::format("@%wgp_lead st.global.v4.u32 [%wgp_a], {{%wgp_c, %wgp_what, {}, {}}}", a, b));
    line(fmt::format("@%wgp_lead st.global.v4.u32 [%wgp_a+16], {{{}, {}, {}, {}}}", words[0], words[1], words[2],
                     words[3]));
    line("@%wgp_lead add.u32 %wgp_off, %wgp_off, 32");
}

void BodyWriter::tryWait(const Instruction& i, std::uint32_t site) {
    const std::string guard = keepGuard(i);
    const bool generic = !i.has(Modifier::Shared) && !i.has(Modifier::SharedCta);
    if (i.operands.size() < 3 || i.operands[0].kind != Operand::Kind::Register ||
        !sharedAddress(i.operands[1], generic, "%wgp_x")) {
        copy(i);
        return;
    }
    std::string parity = "2"; // a phase is named by a state that only the hardware reads
    if (i.has(Modifier::Parity)) {
        parity = "%wgp_y";
        line(fmt::format("mov.b32 %wgp_y, {}", ptx::write(i.operands[2])));
    }
    copy(i);
    line("mov.u32 %wgp_c, %clock");
    const std::string& over = i.operands[0].name;
    activeLanes(guard);
    line(fmt::format("vote.sync.ballot.b32 %wgp_w, {}, %wgp_m", over));
    if (!guard.empty())
        line("and.b32 %wgp_w, %wgp_w, %wgp_m");
    sameOf(i.operands[1], guard);
    line("setp.ne.u32 %wgp_some, %wgp_tried, %wgp_x"); // of further tries in vain nothing is written
    line(fmt::format("or.pred %wgp_some, %wgp_some, {}", over));
    line("and.pred %wgp_lead, %wgp_lead, %wgp_some");
    line(fmt::format("{}selp.b32 %wgp_tried, {}, %wgp_x, {}", guard.empty() ? "" : "@%wgp_guard ", nowhere, over));
    line("and.b32 %wgp_w, %wgp_w, %wgp_v");
    put(RecordKind::Try, site, "%wgp_v", "%wgp_w", {"%wgp_x", parity, "0", "0"});
}

void BodyWriter::phase(const Instruction& i, std::uint32_t site) {
    const std::string guard = keepGuard(i);
    std::size_t n = 0;
    while (n < i.operands.size() && i.operands[n].kind != Operand::Kind::Address)
        ++n;
    const bool generic = !i.has(Modifier::Shared) && !i.has(Modifier::SharedCta) && !i.has(Modifier::SharedCluster);
    if (n == i.operands.size() || !sharedAddress(i.operands[n], generic, "%wgp_x")) {
        copy(i);
        return;
    }
    const Operand* count = n + 1 < i.operands.size() ? &i.operands[n + 1] : nullptr;
    const bool varies = count && count->kind == Operand::Kind::Register;
    if (varies)
        line(fmt::format("mov.b32 %wgp_y, {}", count->name));
    line("mov.u32 %wgp_c, %clock"); // before: whoever passes by it does so later
    copy(i);
    if (varies) { // each lane its own
        line("setp.ne.u32 %wgp_lead, %wgp_lt, 0xffffffff");
        if (!guard.empty())
            line(fmt::format("and.pred %wgp_lead, %wgp_lead, {}", guard));
        line("add.u32 %wgp_v, %wgp_lt, 1");
    } else {
        activeLanes(guard);
        sameOf(i.operands[n], guard);
    }
    put(RecordKind::Phase, site, "%wgp_v", "%wgp_x",
        {varies  ? "%wgp_y"
         : count ? std::to_string(std::uint32_t(count->integer))
                 : "1",
         "0", "0", "0"});
}

// Each lane that asks has a place of its own.
void BodyWriter::bulk(const Instruction& i, std::uint32_t site) {
    const ProbeSite& s = m_sites.sites[site - 1];
    const std::string guard = keepGuard(i);
    // Operands: to, from, [bytes], [mbarrier]. A tensor's are a vector of their own, and its bytes nowhere.
    const bool tensor = s.copy == AsyncCopyKind::Tensor || i.has(Modifier::Tensor);
    std::vector<const Operand*> addresses;
    const Operand* bytes = nullptr;
    for (const Operand& o : i.operands) {
        if (o.kind == Operand::Kind::Address)
            addresses.push_back(&o);
        else if (!bytes && !tensor && (o.kind == Operand::Kind::Register || o.kind == Operand::Kind::Integer))
            bytes = &o;
    }
    const std::size_t at = s.to == MemorySpace::Shared ? 0 : 1;
    if (addresses.size() < 2 || !sharedAddress(*addresses[at], false, "%wgp_x")) {
        copy(i);
        return;
    }
    line(fmt::format("mov.u32 %wgp_y, {}", nowhere));
    if (s.tells && addresses.size() > 2)
        sharedAddress(*addresses[2], false, "%wgp_y");
    if (bytes)
        line(fmt::format("mov.b32 %wgp_w, {}", ptx::write(*bytes)));
    line("mov.u32 %wgp_c, %clock");
    copy(i);
    line("setp.ne.u32 %wgp_lead, %wgp_lt, 0xffffffff"); // always
    if (!guard.empty())
        line(fmt::format("and.pred %wgp_lead, %wgp_lead, {}", guard));
    put(RecordKind::Copy, site, "%wgp_x", "%wgp_y", {bytes ? "%wgp_w" : "0", "0", "0", "0"});
}

void BodyWriter::copyLanes(const Instruction& i, std::uint32_t site) {
    const std::string guard = keepGuard(i), at = guard.empty() ? "" : "@%wgp_guard ";
    const bool known = !i.operands.empty() && sharedAddress(i.operands[0], false, "%wgp_x");
    copy(i);
    if (!known)
        return;
    line(guard.empty() ? "setp.eq.u32 %wgp_some, %wgp_cbytes, 0"
                       : fmt::format("setp.eq.and.u32 %wgp_some, %wgp_cbytes, 0, {}", guard));
    line("@%wgp_some mov.u32 %wgp_cclock, %clock");
    line(fmt::format("@%wgp_some mov.u32 %wgp_csite, {}", site));
    line(at + "min.u32 %wgp_cplace, %wgp_cplace, %wgp_x");
    line(fmt::format("{}add.u32 %wgp_cbytes, %wgp_cbytes, {}", at, m_sites.sites[site - 1].bytesPerElement));
}

// What the lanes have copied so far; site 0: only that, and nothing is closed by it. Without copies of its own a function
// closes a group all the same.
void BodyWriter::tellLanes(std::uint32_t site, const std::string& barrier, const std::string& guard) {
    const bool copies = does(AsyncPart::CopyLanes);
    activeLanes(guard);
    if (copies) {
        line("mov.u32 %wgp_before, %wgp_cbytes"); // lanes beside the guard have no part
        line("mov.u32 %wgp_e, %wgp_cplace");
        line("activemask.b32 %wgp_n");
        if (!guard.empty()) {
            line(fmt::format("selp.b32 %wgp_before, %wgp_before, 0, {}", guard));
            line(fmt::format("selp.b32 %wgp_e, %wgp_e, {}, {}", nowhere, guard));
        }
        line("redux.sync.add.u32 %wgp_before, %wgp_before, %wgp_n");
        line("redux.sync.min.u32 %wgp_e, %wgp_e, %wgp_n");
    }
    line("and.b32 %wgp_t, %wgp_m, %wgp_lt");
    line(guard.empty() ? "setp.eq.u32 %wgp_lead, %wgp_t, 0"
                       : fmt::format("setp.eq.and.u32 %wgp_lead, %wgp_t, 0, {}", guard));
    if (site == 0)
        line("setp.ne.and.u32 %wgp_lead, %wgp_cbytes, 0, %wgp_lead");
    line("mov.u32 %wgp_c, %clock");
    const std::string told = barrier.empty() ? nowhere : barrier;
    if (site == 0) { // by the site of the first: no instruction of its own
        line("mov.u32 %wgp_what, %wgp_csite");
        line(fmt::format("or.b32 %wgp_what, %wgp_what, {}", std::uint32_t(RecordKind::Lanes) << 24));
    }
    if (copies)
        put(RecordKind::Lanes, site, "%wgp_m", "%wgp_e", {"%wgp_before", "%wgp_csite", "%wgp_cclock", told});
    else
        put(RecordKind::Lanes, site, "%wgp_m", nowhere, {"0", "0", "0", told});
    if (!copies)
        return;
    const std::string at = guard.empty() ? "" : "@" + guard + " ";
    line(at + fmt::format("mov.u32 %wgp_cplace, {}", nowhere));
    line(at + "mov.u32 %wgp_cbytes, 0");
}

void BodyWriter::waitGroups(const Instruction& i, std::uint32_t site) {
    const std::string guard = keepGuard(i);
    if (i.has(Modifier::WaitAll) && does(AsyncPart::CopyLanes))
        tellLanes(0, "", guard); // it is for those that no group has, too
    line("mov.u32 %wgp_before, %clock");
    copy(i);
    activeLanes(guard);
    line("and.b32 %wgp_t, %wgp_m, %wgp_lt");
    line(guard.empty() ? "setp.eq.u32 %wgp_lead, %wgp_t, 0"
                       : fmt::format("setp.eq.and.u32 %wgp_lead, %wgp_t, 0, {}", guard));
    line("mov.u32 %wgp_c, %clock");
    put(RecordKind::Groups, site, "%wgp_m", "0", {"%wgp_before", "0", "0", "0"});
}

} // namespace warpglass::probe
