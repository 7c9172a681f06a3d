// SPDX-License-Identifier: GPL-3.0-or-later
// Probes on request: loads, stores, atomics and shuffles. Every active lane writes two records into its own stream, the
// first with the address, the second with up to 16 bytes of data; lanes of one execution have the same site and clock.
#include "gpu/probe/body.h"

#include "gpu/ptx/describe.h"
#include "gpu/ptx/write.h"

#include <fmt/format.h>

namespace warpglass::probe {

using ptx::Instruction;
using ptx::Operand;

void BodyWriter::recordLane(RecordKind kind, std::uint32_t site, const char* a, const char* b,
                            const std::vector<std::string>& words, const std::string& guard) {
    line(fmt::format("or.b32 %wgp_what, %wgp_s, {}", site | std::uint32_t(kind) << 24));
    line("add.u32 %wgp_t, %wgp_off, 16"); // both or none
    line(guard.empty() ? "setp.lt.u32 %wgp_fits, %wgp_t, %wgp_limit"
                       : fmt::format("setp.lt.and.u32 %wgp_fits, %wgp_t, %wgp_limit, {}", guard));
    line("cvt.u64.u32 %wgp_a, %wgp_off");
    line("add.u64 %wgp_a, %wgp_base, %wgp_a");
    line(fmt::format("@%wgp_fits st.global.v4.u32 [%wgp_a], {{%wgp_c, %wgp_what, {}, {}}}", a, b));
    line(fmt::format("@%wgp_fits st.global.v4.u32 [%wgp_a+16], {{{}, {}, {}, {}}}", words[0], words[1], words[2],
                     words[3]));
    line(guard.empty() ? "add.u32 %wgp_off, %wgp_off, 32" : fmt::format("@{} add.u32 %wgp_off, %wgp_off, 32", guard));
}

namespace {

// Lines that bring the data of up to four operands into %wgp_value0 to 3, packed as in memory.
void packValues(const std::vector<Operand>& data, std::uint8_t bytes, std::vector<std::string>& lines,
                std::vector<std::string>& words) {
    words.assign(4, "0");
    std::size_t at = 0; // 32-bit words used
    for (const Operand& o : data) {
        if (at >= 4)
            break;
        const std::string text = o.kind == Operand::Kind::Sink ? "0" : ptx::write(o);
        if (bytes == 8) {
            if (at + 2 > 4)
                break;
            if (o.kind == Operand::Kind::Sink) {
                at += 2;
                continue;
            }
            lines.push_back(fmt::format("mov.b64 %wgp_d, {}", text));
            lines.push_back(fmt::format("mov.b64 {{%wgp_value{}, %wgp_value{}}}, %wgp_d", at, at + 1));
            words[at] = fmt::format("%wgp_value{}", at);
            words[at + 1] = fmt::format("%wgp_value{}", at + 1);
            at += 2;
        } else { // elements of 1, 2 and 4 bytes take a word each
            words[at] = fmt::format("%wgp_value{}", at);
            lines.push_back(fmt::format("{} %wgp_value{}, {}", "?", at, text));
            ++at;
        }
    }
}

} // namespace

ptx::Type BodyWriter::registerType(const std::string& name) const {
    for (const ptx::Register& r : m_function.registers)
        if (r.name == name)
            return r.type;
    return ptx::Type::B64;
}

void BodyWriter::access(const Instruction& i, std::uint32_t site) {
    const ProbeSite& s = m_sites.sites[site - 1];
    std::size_t address = 0;
    while (address < i.operands.size() && i.operands[address].kind != Operand::Kind::Address)
        ++address;
    if (address == i.operands.size()) {
        copy(i);
        return;
    }
    std::string guard;
    if (i.guarded()) {
        line(fmt::format("{}.pred %wgp_guard, {}", i.guardNegated ? "not" : "mov", i.guard));
        guard = "%wgp_guard";
    }
    // The address first: a load may overwrite its own base.
    const Operand& at = i.operands[address];
    if (at.name.empty())
        line(fmt::format("mov.u64 %wgp_d, {}", at.integer));
    else if (at.baseIsRegister && ptx::bytesOf(registerType(at.name)) == 4)
        line(fmt::format("cvt.u64.u32 %wgp_d, {}", at.name));
    else
        line(fmt::format("mov.u64 %wgp_d, {}", at.name));
    if (at.integer != 0 && !at.name.empty())
        line(fmt::format("add.s64 %wgp_d, %wgp_d, {}", at.integer));
    line("mov.u32 %wgp_s, 0");
    if (s.generic) {
        // Which window, and the offset in it, as an access of that space would have it.
        for (const auto& [space, bit] : {std::pair("shared", 1u << 28), std::pair("local", 2u << 28)}) {
            line(fmt::format("isspacep.{} %wgp_some, %wgp_d", space));
            line(fmt::format("@%wgp_some cvta.to.{}.u64 %wgp_d, %wgp_d", space));
            line(fmt::format("@%wgp_some mov.u32 %wgp_s, {}", bit));
        }
    }
    line("mov.b64 {%wgp_x, %wgp_y}, %wgp_d");
    line("mov.u32 %wgp_c, %clock");

    // Data: what is loaded, after the load; what is stored or combined, before.
    std::vector<Operand> data;
    if (s.access == AccessKind::Load)
        data = i.operands.front().kind == Operand::Kind::Vector ? i.operands.front().elements
                                                                : std::vector<Operand>{i.operands.front()};
    else if (address + 1 < i.operands.size())
        data = i.operands[address + 1].kind == Operand::Kind::Vector ? i.operands[address + 1].elements
                                                                     : std::vector<Operand>{i.operands[address + 1]};
    std::vector<std::string> lines, words;
    if (ptx::describe(i).bytes() == 16 && data.size() == 1 && data[0].kind == Operand::Kind::Register) {
        lines = {fmt::format("mov.b128 {{%wgp_d, %wgp_high}}, {}", data[0].name),
                 "mov.b64 {%wgp_value0, %wgp_value1}, %wgp_d", "mov.b64 {%wgp_value2, %wgp_value3}, %wgp_high"};
        words = {"%wgp_value0", "%wgp_value1", "%wgp_value2", "%wgp_value3"};
    } else {
        packValues(data, s.bytesPerElement, lines, words);
    }
    std::size_t element = 0;
    const auto fetch = [&] {
        for (const std::string& text : lines) {
            if (!text.starts_with("? ")) {
                line(text);
                continue;
            }
            const Operand& o = data[element++];
            // A 4-byte move takes registers of any 4-byte type and immediates; narrower data may lie in a narrower
            // register, from which only whole numbers are widened.
            const ptx::Type type = o.kind == Operand::Kind::Register ? registerType(o.name) : ptx::Type::B32;
            const int bytes = ptx::bytesOf(type);
            if (type == ptx::Type::F16 || type == ptx::Type::BF16) {
                line(fmt::format("mov.b16 %wgp_small, {}", o.name));
                line(fmt::format("cvt.u32.u16 {}, %wgp_small", text.substr(2, text.find(',') - 2)));
            } else {
                const char* word = bytes == 1   ? "cvt.u32.u8 "
                                   : bytes == 2 ? "cvt.u32.u16 "
                                   : bytes == 8 ? "cvt.u32.u64 "
                                                : "mov.b32 ";
                line(word + text.substr(2));
            }
        }
    };
    if (s.access == AccessKind::Load) {
        copy(i);
        fetch();
        recordLane(RecordKind::Access, site, "%wgp_x", "%wgp_y", words, guard);
    } else {
        fetch();
        recordLane(RecordKind::Access, site, "%wgp_x", "%wgp_y", words, guard);
        copy(i);
    }
}

// The same shuffle once more, of lane numbers, says from which lane each lane really got its value.
void BodyWriter::shuffle(const Instruction& i, std::uint32_t site) {
    if (i.operands.size() < 5 || !i.has(ptx::Modifier::Sync)) {
        copy(i);
        return;
    }
    std::string guard;
    if (i.guarded()) {
        line(fmt::format("{}.pred %wgp_guard, {}", i.guardNegated ? "not" : "mov", i.guard));
        guard = "%wgp_guard";
    }
    Instruction lanes = i;
    lanes.operands[0] = Operand{};
    lanes.operands[0].kind = Operand::Kind::Register;
    lanes.operands[0].name = "%wgp_x";
    lanes.operands[1] = lanes.operands[0];
    line("mov.u32 %wgp_x, %laneid");
    copy(std::move(lanes));
    line("mov.u32 %wgp_s, 0");
    line("mov.u32 %wgp_c, %clock");
    copy(i);
    const Operand& result = i.operands[0].kind == Operand::Kind::Pair ? i.operands[0].elements[0] : i.operands[0];
    const std::string value = result.kind == Operand::Kind::Register ? result.name : "0";
    line(fmt::format("mov.b32 %wgp_value0, {}", value));
    recordLane(RecordKind::Shuffle, site, "%wgp_x", "0", {"%wgp_value0", "0", "0", "0"}, guard);
}

} // namespace warpglass::probe
