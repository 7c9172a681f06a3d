// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/watch/word_watch.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/record/object_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace warpglass::emulator {

namespace {

// As a person reads it, by the type of the instruction that used it.
std::string valueOf(ptx::Type type, std::span<const std::byte> bytes) {
    const std::size_t count = bytes.size();
    if (count > 8) {
        std::string text = "0x";
        for (std::size_t k = count; k-- > 0;)
            text += fmt::format("{:02x}", unsigned(bytes[k]));
        return text;
    }
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data(), count);
    if (type == ptx::Type::F32 && count == 4)
        return fmt::format("{:#}", std::bit_cast<float>(std::uint32_t(bits))); // told from the bits of one
    if (type == ptx::Type::F64 && count == 8)
        return fmt::format("{:#}", std::bit_cast<double>(bits));
    const int shift = 64 - 8 * int(count);
    return fmt::format("{}", std::int64_t(bits << shift) >> shift);
}

} // namespace

// Where the object begins that is asked for, in that block's memory.
std::optional<std::uint64_t> WordWatch::baseIn(const Exec& x, MemorySpace space, const BlockState& home) {
    if (m_asked.shared != (space == MemorySpace::Shared) || (m_asked.shared && m_asked.block != home.index))
        return std::nullopt;
    if (!m_asked.shared || m_asked.object.empty())
        return m_asked.base;
    if (m_program != x.program) { // of a child perhaps
        m_program = x.program;
        m_sharedBase.reset();
        for (const DeclaredObject& o : x.program->objects)
            if (o.space == ptx::StateSpace::Shared && nameOf(o) == m_asked.object)
                m_sharedBase = o.begin;
    }
    return m_sharedBase;
}

// The element of an access from `at` on that is asked for; nothing: none.
std::optional<std::uint64_t> WordWatch::elementOf(std::uint64_t base, std::uint64_t at, std::uint64_t each,
                                                  std::uint64_t count) const {
    const std::uint64_t from = m_asked.index ? base + *m_asked.index * each : base, bytes = m_asked.index ? each : 4;
    for (std::uint64_t k = 0; k < count; ++k)
        if (const std::uint64_t element = at + k * each; element < from + bytes && from < element + each)
            return k;
    return std::nullopt;
}

void WordWatch::keep(const Exec& x, AccessKind kind, std::uint32_t position, int lane, std::uint64_t address,
                     ptx::Type type, std::span<const std::byte> value) {
    const std::uint64_t before = m_reads + m_writes;
    (kind == AccessKind::Load ? m_reads : m_writes) += 1;
    if (m_uses.size() < mostWordUses)
        m_uses.emplace_back();
    Use& use = m_uses[before % mostWordUses];
    use.at = Diagnostics::spotOf(x, position, lane);
    use.kind = kind;
    use.type = type;
    use.size = std::uint32_t(value.size());
    std::copy(value.begin(), value.end(), use.value.begin());
    use.address = address;
    use.step = x.warp->issued;
}

void WordWatch::access(Exec& x, const Inst& in) {
    const AccessSummary& s = x.access;
    const auto base = baseIn(x, s.space, *x.block);
    if (!base || (s.space != MemorySpace::Global && s.space != MemorySpace::Shared))
        return;
    const std::uint64_t each = in.memory.bytes ? in.memory.bytes : s.bytes,
                        count = std::max<std::uint64_t>(1, s.bytes / each);
    // A whole warp's addresses are looked at only if the word can be among them.
    eachLane(s.active.bits, [&](int lane) {
        std::uint64_t at = x.address[std::size_t(lane)];
        if (s.space == MemorySpace::Shared)
            at = std::uint32_t(at) & 0xffffff;
        const auto element = elementOf(*base, at, each, count);
        if (!element)
            return;
        at += *element * each;
        std::byte bytes[16] = {};
        const std::uint64_t size = std::min<std::uint64_t>(each, sizeof bytes);
        const std::byte* from =
            s.space == MemorySpace::Shared ? x.block->shared.find(at, size) : x.global->find(at, size, x.hint).bytes();
        if (s.kind == AccessKind::Store && in.memory.bytes && x.program->info[in.index].opClass != OpClass::Matrix)
            if (const Row row = dataRows(x, in)[*element]; row != noRow)
                from = x.rows + row + std::size_t(lane) * in.memory.rowBytes;
        if (from)
            std::memcpy(bytes, from, size);
        keep(x, s.kind, in.index, lane, s.space == MemorySpace::Shared ? sharedWindow + at : at,
             x.program->info[in.index].is.type(), std::span(bytes).first(size));
    });
}

void WordWatch::copied(Exec& x, MemorySpace space, AccessKind kind, const BlockState& home, std::uint64_t at,
                       std::uint64_t bytes, const std::byte* values, std::uint32_t position, int lane) {
    const auto base = baseIn(x, space, home);
    if (!base || bytes < 4)
        return;
    const std::uint64_t from = m_asked.index ? *base + *m_asked.index * 4 : *base; // whose elements nobody knows
    if (from < at || from + 4 > at + bytes)
        return;
    constexpr std::array<std::byte, 4> zero{};
    keep(x, kind, position, lane, space == MemorySpace::Shared ? sharedWindow + from : from, ptx::Type::S32,
         std::span(values ? values + (from - at) : zero.data(), 4));
}

std::vector<Diagnostic> WordWatch::told() const {
    std::vector<Diagnostic> all;
    for (std::size_t back = 1; back <= m_uses.size(); ++back) {
        const Use& u = m_uses[(m_reads + m_writes - back) % mostWordUses];
        const auto does = u.kind == AccessKind::Load    ? say::Reads
                          : u.kind == AccessKind::Store ? say::Writes
                                                        : say::Changes;
        all.push_back(Diagnostics::describe(
            u.at, say::WordUsed(does, valueOf(u.type, std::span(u.value).first(u.size)), u.step)));
        all.back().address = u.address;
    }
    Diagnostic sum;
    sum.message = say::WordUses(m_reads, m_writes, m_uses.size());
    all.push_back(std::move(sum));
    return all;
}

Result<WatchedWord> placeOfWord(const WatchedWord& asked, const Program& program, GlobalMemory& memory) {
    WatchedWord found = asked;
    if (asked.object.empty())
        return found;
    if (asked.shared) {
        for (const DeclaredObject& o : program.objects)
            if (o.space == ptx::StateSpace::Shared && nameOf(o) == asked.object)
                return found;
    } else {
        for (const auto& area : memory.areas())
            for (const Message::Argument& part : area->name.message().arguments) // buffer "out", variable lock
                if (const auto* name = std::get_if<std::string>(&part); name && shortName(*name) == asked.object) {
                    found.base = area->base;
                    found.object.clear();
                    return found;
                }
    }
    return Error{.message = say::NoWordOf(asked.object)};
}

} // namespace warpglass::emulator
