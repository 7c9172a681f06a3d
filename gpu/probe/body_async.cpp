// SPDX-License-Identifier: GPL-3.0-or-later
// Probes of what goes on beside the threads: copies as they are asked for, and mbarriers as lanes arrive and wait.
//
// A wait is in the way of whoever waits, so that its record is all that stands there: it tells the jump of the loop that polls,
// too. The lowest of the lanes that mean the same mbarrier writes for all; who these are is told by match.any where they may mean
// different ones. cp.async stands where
// loops are unrolled, many times over: each lane keeps where its copies go and how many bytes they are, and the instruction
// that makes a group of them writes it down.
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
        for (const char* name : {"voff", "vkey", "vsite", "vlanes", "vbefore"})
            line(fmt::format("mov.u32 %wgp_{}, 0", name));
    if (!does(AsyncPart::CopyLanes))
        return;
    line(fmt::format("mov.u32 %wgp_cplace, {}", nowhere));
    line("mov.u32 %wgp_cbytes, 0");
    line("mov.u32 %wgp_cclock, 0");
}

void BodyWriter::async(const Instruction& i, std::uint32_t site) {
    if (isKept(m_index, site) && keep(i, site))
        return;
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
        const bool known =
            sharedAddress(i.operand(0), !i.has(Modifier::Shared) && !i.has(Modifier::SharedCta), "%wgp_w");
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
    case AsyncPart::ProductsWait: // is guarded by none
    case AsyncPart::None:
        copy(i);
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

// Who writes: %wgp_lead, and for whom: %wgp_v, those of %wgp_m whose address, %wgp_x, is the same.
void BodyWriter::sameOf(const Operand& address, const std::string& guard) {
    if (isCommon(address)) {
        line("mov.b32 %wgp_v, %wgp_m");
    } else if (guard.empty()) {
        line("match.any.sync.b32 %wgp_v, %wgp_x, %wgp_m");
    } else {
        line("activemask.b32 %wgp_n");
        line("match.any.sync.b32 %wgp_v, %wgp_x, %wgp_n");
        line("and.b32 %wgp_v, %wgp_v, %wgp_m");
    }
    leads("%wgp_v", guard);
}

void BodyWriter::leads(const char* lanes, const std::string& guard) {
    line(fmt::format("and.b32 %wgp_t, {}, %wgp_lt", lanes));
    line(guard.empty() ? "setp.eq.u32 %wgp_lead, %wgp_t, 0"
                       : fmt::format("setp.eq.and.u32 %wgp_lead, %wgp_t, 0, {}", guard));
}

// At %wgp_c, by the lanes with a predicate, or by all: a record, and one of words behind it if there are any.
void BodyWriter::put(RecordKind kind, std::uint32_t site, const char* a, const char* b,
                     const std::vector<std::string>& words, const std::string& lead) {
    place();
    line(fmt::format("mov.u32 %wgp_what, {}", site | std::uint32_t(kind) << 24));
    store(a, b, words, lead);
}

// Where the lane's next record goes: %wgp_a.
void BodyWriter::place() {
    line("min.u32 %wgp_s, %wgp_off, %wgp_limit");
    line("cvt.u64.u32 %wgp_a, %wgp_s");
    line("add.u64 %wgp_a, %wgp_base, %wgp_a");
}

void BodyWriter::store(const char* a, const char* b, const std::vector<std::string>& words, const std::string& lead) {
    const std::string at = lead.empty() ? "" : "@" + lead + " ";
    line(fmt::format("{}st.global.v4.u32 [%wgp_a], {{%wgp_c, %wgp_what, {}, {}}}", at, a, b));
    if (!words.empty())
        line(fmt::format("{}st.global.v4.u32 [%wgp_a+16], {{{}, {}, {}, {}}}", at, words[0], words[1], words[2],
                         words[3]));
    line(fmt::format("{}add.u32 %wgp_off, %wgp_off, {}", at, words.empty() ? 16 : 32));
}

// While a phase is not over, whoever polls writes the same record again: a wait takes one however long it is, with the clock of
// its first try and of its last. All but the votes stands before the try, where nothing waits for it.
void BodyWriter::tryWait(const Instruction& i, std::uint32_t site) {
    const std::string guard = keepGuard(i);
    const bool generic = !i.has(Modifier::Shared) && !i.has(Modifier::SharedCta);
    if (i.operands.size() < 3 || i.operands[0].kind != Operand::Kind::Register ||
        !sharedAddress(i.operands[1], generic, "%wgp_x")) {
        copy(i);
        return;
    }
    // A phase may be named by a state that only the hardware reads.
    line(i.has(Modifier::Parity) ? fmt::format("mov.b32 %wgp_y, {}", ptx::write(i.operands[2])) : "mov.u32 %wgp_y, 2");
    activeLanes(guard);
    sameOf(i.operands[1], guard);
    line("mad.lo.u32 %wgp_e, %wgp_x, 4, %wgp_y");
    line(fmt::format("setp.eq.u32 %wgp_again, %wgp_vsite, {}", site));
    line("setp.eq.and.u32 %wgp_again, %wgp_voff, %wgp_off, %wgp_again"); // nothing else was recorded since
    line("setp.eq.and.u32 %wgp_again, %wgp_vlanes, %wgp_v, %wgp_again");
    line("setp.eq.and.u32 %wgp_again, %wgp_vkey, %wgp_e, %wgp_again");
    line("mov.b32 %wgp_vkey, %wgp_e");
    line("and.pred %wgp_again, %wgp_again, %wgp_lead");
    line("selp.u32 %wgp_held, 1, 0, %wgp_again");
    line("@%wgp_again sub.u32 %wgp_off, %wgp_off, 32");
    place();
    line(fmt::format("mov.u32 %wgp_what, {}", site | std::uint32_t(RecordKind::Try) << 24));
    // Hardware may hold the thread in the try itself, or rather where its predicate is asked for: the clock stands behind the vote.
    line("@!%wgp_again mov.u32 %wgp_vbefore, %clock");
    copy(i);
    const std::string& over = i.operands[0].name;
    line("activemask.b32 %wgp_n");
    line(fmt::format("vote.sync.ballot.b32 %wgp_w, {}, %wgp_n", over));
    line("mov.u32 %wgp_c, %clock");
    line("and.b32 %wgp_t, %wgp_w, %wgp_m");
    line("setp.ne.u32 %wgp_some, %wgp_t, 0");
    line("and.b32 %wgp_w, %wgp_w, %wgp_v");
    store("%wgp_v", "%wgp_w", {"%wgp_x", "%wgp_y", "%wgp_vbefore", "%wgp_held"}, "%wgp_lead");
    line("selp.u32 %wgp_voff, 0, %wgp_off, %wgp_some");
    line("mov.b32 %wgp_vlanes, %wgp_v");
    line(fmt::format("mov.u32 %wgp_vsite, {}", site));
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
    if (varies) { // each lane for itself
        put(RecordKind::Phase, site, "1", "%wgp_x", {"%wgp_y", "0", "0", "0"}, guard);
        return;
    }
    activeLanes(guard);
    sameOf(i.operands[n], guard);
    const std::string number = count ? std::to_string(std::uint32_t(count->integer)) : "1";
    put(RecordKind::Phase, site, "%wgp_v", "%wgp_x", {number, "0", "0", "0"}, "%wgp_lead");
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
    if (bytes)
        put(RecordKind::Copy, site, "%wgp_x", "%wgp_y", {"%wgp_w", "0", "0", "0"}, guard);
    else
        put(RecordKind::Box, site, "%wgp_x", "%wgp_y", {}, guard);
}

void BodyWriter::copyLanes(const Instruction& i, std::uint32_t site) {
    const std::string guard = keepGuard(i), at = guard.empty() ? "" : "@%wgp_guard ";
    const bool known = !i.operands.empty() && sharedAddress(i.operands[0], false, "%wgp_x");
    if (m_sites.sites[site - 1].copyNear == site - 1)
        line("mov.u32 %wgp_cclock, %clock");
    copy(i);
    if (!known)
        return;
    line(at + "min.u32 %wgp_cplace, %wgp_cplace, %wgp_x");
    line(fmt::format("{}add.u32 %wgp_cbytes, %wgp_cbytes, {}", at, m_sites.sites[site - 1].bytesPerElement));
}

// What the lanes have copied so far. Where a function returns, or waits for all, nothing is made a group: the site is then that
// of a copy.
void BodyWriter::tellLanes(std::uint32_t site, const std::string& barrier, const std::string& guard) {
    const std::string told = barrier.empty() ? nowhere : barrier;
    activeLanes(guard);
    if (!does(AsyncPart::CopyLanes)) {
        leads("%wgp_m", guard);
        line("mov.u32 %wgp_c, %clock");
        put(RecordKind::Lanes, site, "%wgp_m", nowhere, {"0", "0", "0", told}, "%wgp_lead");
        return;
    }
    std::string bytes = "%wgp_cbytes", place = "%wgp_cplace", all = "%wgp_m";
    if (!guard.empty()) { // other lanes have no part
        line(fmt::format("selp.b32 %wgp_before, %wgp_cbytes, 0, {}", guard));
        line(fmt::format("selp.b32 %wgp_e, %wgp_cplace, {}, {}", nowhere, guard));
        line("activemask.b32 %wgp_n");
        bytes = "%wgp_before", place = "%wgp_e", all = "%wgp_n";
    }
    line(fmt::format("redux.sync.add.u32 %wgp_before, {}, {}", bytes, all));
    line(fmt::format("redux.sync.min.u32 %wgp_e, {}, {}", place, all));
    leads("%wgp_m", guard);
    line("mov.u32 %wgp_c, %clock");
    put(RecordKind::Lanes, site, "%wgp_m", "%wgp_e", {"%wgp_before", "0", "%wgp_cclock", told}, "%wgp_lead");
    const std::string at = guard.empty() ? "" : "@" + guard + " ";
    line(at + fmt::format("mov.u32 %wgp_cplace, {}", nowhere));
    line(at + "mov.u32 %wgp_cbytes, 0");
}

// Site + 1 of the nearest copy above, or of the first.
std::uint32_t BodyWriter::copyAbove() const {
    std::uint32_t found = 0;
    for (std::uint32_t n = 0; n < m_function.body.size() && (n < m_index || found == 0); ++n)
        if (const std::uint32_t site = siteOf(n); site != 0 && m_sites.sites[site - 1].async == AsyncPart::CopyLanes)
            found = site;
    return found;
}

void BodyWriter::waitGroups(const Instruction& i, std::uint32_t site) {
    const std::string guard = keepGuard(i);
    if (i.has(Modifier::WaitAll) && does(AsyncPart::CopyLanes))
        tellLanes(copyAbove(), "", guard); // it is for those that no group has, too
    line("mov.u32 %wgp_before, %clock");
    copy(i);
    line("mov.u32 %wgp_c, %clock");
    activeLanes(guard);
    leads("%wgp_m", guard);
    put(RecordKind::Groups, site, "%wgp_m", "%wgp_before", {}, "%wgp_lead");
}

} // namespace warpglass::probe
