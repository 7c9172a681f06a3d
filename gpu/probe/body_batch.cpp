// SPDX-License-Identifier: GPL-3.0-or-later
// Records of asynchronous work in straight code, written together.
//
// Each takes its clock where it stands and keeps what it has to say in registers; all of them are written where the code goes on
// to elsewhere (a jump, a label, a barrier), or while tensor cores work on what has just been given to them: before the wait for
// products. So copies that stand behind one another are asked for on time, and who multiplies does so before it writes. This takes
// lanes that say the same: registers that a warp has in common, or code that one lane comes to alone.
//
// A loop that does nothing but ask for a phase is no jump for this. Where its first try is in vain, what is kept is written with
// that try to where it will lie in the end: a hang shows all of it. From then on the loop is the program's own: whoever polls is in
// nobody's way (on an H200 eight warps that wrote at each try held up the ninth, which orders copies).
//
// Reading the clock takes a lone thread as long as several instructions: what stands close behind another one has its clock.
#include "gpu/probe/body.h"

#include "gpu/ptx/register_use.h"
#include "gpu/ptx/write.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpglass::probe {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

namespace {

constexpr std::uint32_t headWords = 3; // the first clock, what, lanes
constexpr std::uint32_t mostOfMember = 4;
constexpr std::uint32_t mostOfFilling = 8; // a wait, bytes that are expected, and two copies: stay together
constexpr std::uint32_t nearby = 24;       // instructions, of which a lone thread takes some 100 cycles

std::string wordName(std::uint32_t word) {
    return fmt::format("%wgp_q{}", word);
}

std::string againLabel(std::uint32_t tries) {
    return fmt::format("wgp_again{}", tries);
}

bool isBlank(const Instruction& i) {
    return i.opcode == Opcode::Bra && !i.guarded();
}

} // namespace

bool BodyWriter::isCommon(const Operand& o) const {
    const bool isRegister = o.kind == Operand::Kind::Register || (o.kind == Operand::Kind::Address && o.baseIsRegister);
    return !isRegister || m_common.alone[m_index] || m_common.registers.contains(o.name);
}

// Loops that only ask: "L: try p; @!p bra L;" and "L: try p; @p bra D; bra L; D:", whose labels nobody else jumps to.
void BodyWriter::findPollLoops() {
    std::map<std::string, int> jumps; // [label] to it
    const auto count = [&](const auto& self, const Operand& o) -> void {
        if (!o.name.empty())
            ++jumps[o.name];
        for (const Operand& e : o.elements)
            self(self, e);
    };
    for (const Instruction& i : m_function.body)
        if (ptx::row(i.opcode).family == ptx::Family::Branch || i.opcode == Opcode::Mov)
            for (const Operand& o : i.operands)
                count(count, o);
    for (const ptx::TargetList& list : m_function.targetLists)
        for (const std::string& name : list.targets)
            ++jumps[name];
    const auto labelsAt = [&](std::uint32_t n) {
        return std::count_if(m_function.labels.begin(), m_function.labels.end(),
                             [&](const ptx::Label& l) { return l.instruction == n; });
    };
    const auto& body = m_function.body;
    for (std::uint32_t n = 0; n + 1 < body.size(); ++n) {
        const std::uint32_t site = siteOf(n);
        if (site == 0 || m_sites.sites[site - 1].poll == noIndex || !body[n].has(Modifier::Parity) ||
            body[n].operands.size() < 3 || labelsAt(n) != 1)
            continue;
        const bool falls = m_sites.sites[site - 1].pollNegated; // through when the phase is over
        const std::uint32_t back = falls ? n + 1 : n + 2;
        if (back + 1 >= body.size() || (!falls && (!isBlank(body[back]) || labelsAt(back) != 0)))
            continue;
        const std::string &head = body[back].operands[0].name, &end = body[n + 1].operands[0].name;
        const auto to = m_labels.find(head), done = m_labels.find(end);
        if (to != n || jumps[head] != 1 || (!falls && (done != back + 1 || jumps[end] != 1 || labelsAt(back + 1) != 1)))
            continue;
        m_index = n;
        if (!isCommon(body[n].operands[1]) || !isCommon(body[n].operands[2]))
            continue;
        m_polls[n] = back;
        m_quiet.insert(n);
        if (!falls)
            m_quiet.insert(back + 1);
    }
    for (std::uint32_t n = 0; n < body.size(); ++n)
        if (const auto tries = waitJumpedOver(m_function, n, m_labels);
            tries && siteOf(n) == 0 && m_polls.contains(*tries) && jumps[body[n].operands[0].name] == 1 &&
            labelsAt(*tries + 2) == 1 && m_common.alone[n] == m_common.alone[*tries] &&
            (m_common.alone[n] || m_common.registers.contains(body[n].guard))) {
            m_jumpsOver[n] = *tries;
            m_quiet.insert(*tries + 2);
        }
    m_index = 0;
}

// Whether the instruction's record may wait, and is written with others.
bool BodyWriter::isKept(std::uint32_t index, std::uint32_t site) const {
    const Instruction& i = m_function.body[index];
    if (i.guarded())
        return false;
    switch (m_sites.sites[site - 1].async) {
    case AsyncPart::ProductsWait:
        return true;
    case AsyncPart::Try:
        return m_polls.contains(index);
    case AsyncPart::Init:
    case AsyncPart::Arrive:
    case AsyncPart::Expect:
    case AsyncPart::Came:
    case AsyncPart::Inval:
    case AsyncPart::Bulk:
        return std::all_of(i.operands.begin(), i.operands.end(), [&](const Operand& o) {
            return o.kind == Operand::Kind::Vector || (&o == &i.operands[0] && o.kind == Operand::Kind::Register) ||
                   isCommon(o);
        });
    default:
        return false;
    }
}

// Whether what is kept must be written before the instruction.
bool BodyWriter::endsBatch(const Instruction& i, std::uint32_t site) const {
    if (m_jumpsOver.contains(m_index))
        return false;
    for (const auto& [n, back] : m_polls)
        if (m_index > n && m_index <= back)
            return false;
    const ptx::Family family = ptx::row(i.opcode).family;
    if (family == ptx::Family::Branch || family == ptx::Family::Call || family == ptx::Family::Barrier ||
        i.opcode == Opcode::Call || i.opcode == Opcode::Ret || endsThread(m_function, i))
        return true;
    if (site == 0)
        return false;
    return m_sites.sites[site - 1].async == AsyncPart::ProductsWait || !isKept(m_index, site) ||
           (!m_polls.contains(m_index) && m_words + mostOfMember > batchWords);
}

// The next word; the first clock stands before what is known last.
std::uint8_t BodyWriter::claim() {
    if (m_words == 0) {
        m_words = headWords;
        return 0;
    }
    return std::uint8_t(m_words++);
}

// An address that an earlier word holds already, or a new one.
std::optional<std::uint8_t> BodyWriter::claimAddress(const Operand& o, bool generic, bool shares) {
    const auto known = m_held.find(ptx::write(o));
    if (known != m_held.end() && shares)
        return known->second;
    const std::uint8_t word = claim();
    if (!sharedAddress(o, generic, wordName(word).c_str()))
        return std::nullopt;
    if (shares)
        m_held[ptx::write(o)] = word;
    return word;
}

void BodyWriter::forget(const Instruction& i) {
    if (m_held.empty() || i.operands.empty())
        return;
    const auto isOf = [](const auto& self, const Operand& o, const std::string& written) -> bool {
        return (o.kind == Operand::Kind::Register && written.find(o.name) != std::string::npos) ||
               std::any_of(o.elements.begin(), o.elements.end(),
                           [&](const Operand& e) { return self(self, e, written); });
    };
    if (i.opcode == Opcode::Unknown)
        m_held.clear();
    else if (ptx::firstIsResult(i) || i.operands[0].kind == Operand::Kind::Pair)
        std::erase_if(m_held, [&](const auto& held) { return isOf(isOf, i.operands[0], held.first); });
}

BatchMember BodyWriter::claimTry(std::uint32_t site) {
    BatchMember member{.site = site - 1, .kind = RecordKind::Try};
    member.before = claim();
    member.clock = claim();
    member.barrier = claim();
    return member;
}

// A wait that is jumped over is a member, too, with no address. Its clocks are then of before the jump.
void BodyWriter::jumpOverWait(const Instruction& i) {
    if (m_words + mostOfFilling > batchWords)
        flush();
    m_mayCome = claimTry(siteOf(m_jumpsOver.at(m_index)));
    line(fmt::format("mov.u32 {}, %clock", wordName(m_mayCome->before)));
    line(fmt::format("mov.b32 {}, {}", wordName(m_mayCome->clock), wordName(m_mayCome->before)));
    line(fmt::format("mov.b32 {}, 0xffffffff", wordName(m_mayCome->barrier)));
    copy(i);
}

void BodyWriter::startPoll() {
    if (!m_mayCome && m_words + mostOfFilling > batchWords)
        flush();
}

void BodyWriter::keepTry(const Instruction& i, std::uint32_t site) {
    const bool jumpedOver = m_mayCome.has_value();
    const BatchMember member = jumpedOver ? *m_mayCome : claimTry(site);
    m_mayCome.reset();
    const bool generic = !i.has(Modifier::Shared) && !i.has(Modifier::SharedCta);
    sharedAddress(i.operands[1], generic, wordName(member.barrier).c_str());
    m_lastAlone = m_common.alone[m_index];
    line(
        fmt::format("lop3.b32 {0}, {1}, 1, {0}, 0xea", wordName(member.barrier), ptx::write(i.operands[2]))); // and, or
    if (!jumpedOver)
        line(fmt::format("mov.u32 {}, %clock", wordName(member.before)));
    copy(i);
    m_members.push_back(member);
    if (m_sites.sites[site - 1].pollNegated) {
        m_behind = fmt::format("wgp_passed{}", m_index);
        line(fmt::format("@{} bra {}", i.operands[0].name, m_behind));
        askAgain(i, m_index);
    }
}

std::optional<std::uint32_t> BodyWriter::pollThatEndsAt(std::uint32_t index) const {
    for (const auto& [tries, back] : m_polls)
        if (back == index)
            return tries;
    return std::nullopt;
}

// The jumps of a loop that only asks. The phase is known to be over only where its jump has been made, or not: the clock is
// read there.
void BodyWriter::pollJump(const Instruction& i, std::uint32_t tries, std::uint32_t back) {
    copy(i);
    if (m_index != back) {
        askAgain(m_function.body[tries], tries);
        copy(i);
        return;
    }
    m_out.body.back().operands[0].name = againLabel(tries);
    m_clockRead = m_index;
    m_clockWanted = true;
    if (back == tries + 1) {
        label(m_behind);
        passed();
    } // else behind its label
}

void BodyWriter::passed() {
    if (!m_clockWanted)
        return;
    m_clockWanted = false;
    line(fmt::format("mov.u32 {}, %clock", wordName(m_members.back().clock)));
}

// Behind the first try: what is kept, and the loop anew.
void BodyWriter::askAgain(const Instruction& tried, std::uint32_t tries) {
    line(fmt::format("mov.u32 {}, %clock", wordName(m_members.back().clock)));
    writeBatch(inVain);
    line(fmt::format("or.b32 {0}, {0}, 2", wordName(m_members.back().barrier)));
    label(againLabel(tries));
    copy(tried);
}

bool BodyWriter::keep(const Instruction& i, std::uint32_t site) {
    const AsyncPart part = m_sites.sites[site - 1].async;
    if (part == AsyncPart::Try) {
        keepTry(i, site);
        return true;
    }
    BatchMember member{.site = site - 1};
    if (part == AsyncPart::ProductsWait) {
        member.kind = RecordKind::Products;
        member.before = claim();
        line(fmt::format("mov.u32 {}, %clock", wordName(member.before)));
        copy(i);
        member.clock = claim();
        line(fmt::format("mov.u32 {}, %clock", wordName(member.clock)));
        m_clockRead = m_index;
        m_members.push_back(member);
        m_lastAlone = m_common.alone[m_index];
        return true;
    }
    std::vector<const Operand*> addresses;
    const Operand* number =
        nullptr; // behind the mbarrier arrivals or bytes, of a copy bytes; those of a tensor's stand nowhere
    const bool tensor = i.has(Modifier::Tensor);
    for (const Operand& o : i.operands) {
        if (o.kind == Operand::Kind::Address)
            addresses.push_back(&o);
        else if (!addresses.empty() && !number && !tensor &&
                 (o.kind == Operand::Kind::Register || o.kind == Operand::Kind::Integer))
            number = &o;
    }
    const bool bulk = part == AsyncPart::Bulk;
    const ProbeSite& s = m_sites.sites[site - 1];
    const std::size_t at = bulk && s.to != MemorySpace::Shared ? 1 : 0;
    if (addresses.size() <= at + (bulk ? 1 - at : 0))
        return false;
    const bool generic =
        !bulk && !i.has(Modifier::Shared) && !i.has(Modifier::SharedCta) && !i.has(Modifier::SharedCluster);
    const bool known = !m_members.empty() && m_index - m_clockRead < nearby;
    member.clock = known ? m_members.back().clock : claim();
    if (bulk) {
        member.kind = number ? RecordKind::Copy : RecordKind::Box;
        const auto place = claimAddress(*addresses[at], false, false);
        const auto barrier =
            s.tells && addresses.size() > 2 ? claimAddress(*addresses[2], false, true) : BatchMember::none;
        if (!place || !barrier)
            return false;
        member.place = *place;
        member.barrier = *barrier;
    } else {
        member.kind = RecordKind::Phase;
        const auto barrier = claimAddress(*addresses[0], generic, true);
        if (!barrier)
            return false;
        member.barrier = *barrier;
    }
    member.constant = number ? std::uint32_t(number->integer) : bulk ? 0 : 1;
    if (number && number->kind == Operand::Kind::Register) {
        member.count = claim();
        line(fmt::format("mov.b32 {}, {}", wordName(member.count), number->name));
    }
    if (!known) {
        line(fmt::format("mov.u32 {}, %clock", wordName(member.clock))); // before: whoever passes by it does so later
        m_clockRead = m_index;
    }
    copy(i);
    m_members.push_back(member);
    m_lastAlone = m_common.alone[m_index];
    return true;
}

void BodyWriter::flush() {
    if (m_members.empty())
        return;
    writeBatch(0);
    line(fmt::format("{}add.u32 %wgp_off, %wgp_off, {}", m_lastAlone ? "" : "@%wgp_lead ", 16 * ((m_words + 3) / 4)));
    m_members.clear();
    m_held.clear();
    m_words = 0;
}

// All that is kept, from %wgp_off on, which stays.
void BodyWriter::writeBatch(std::uint32_t flags) {
    const std::uint32_t last = m_members.back().site;
    m_batches[last] = m_members;
    line(fmt::format("activemask.b32 {}", wordName(2)));
    if (!m_lastAlone)
        leads(wordName(2).c_str(), "");
    place();
    line(fmt::format("mov.u32 {}, {}", wordName(1), (last + 1) | std::uint32_t(RecordKind::Batch) << 24 | flags));
    const char* at = m_lastAlone ? "" : "@%wgp_lead ";
    for (std::uint32_t word = 0; word < m_words; word += 4) {
        const std::uint32_t left = m_words - word;
        const std::string to = fmt::format("[%wgp_a+{}]", 4 * word);
        if (left >= 3)
            line(fmt::format("{}st.global.v4.u32 {}, {{{}, {}, {}, {}}}", at, to, wordName(word), wordName(word + 1),
                             wordName(word + 2), left > 3 ? wordName(word + 3) : wordName(word + 2)));
        else if (left == 2)
            line(fmt::format("{}st.global.v2.u32 {}, {{{}, {}}}", at, to, wordName(word), wordName(word + 1)));
        else
            line(fmt::format("{}st.global.u32 {}, {}", at, to, wordName(word)));
    }
}

} // namespace warpglass::probe
