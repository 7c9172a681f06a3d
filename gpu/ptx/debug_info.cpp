// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/debug_info.h"

#include "gpu/base/byte_reader.h"
#include "gpu/base/whole_number.h"
#include "gpu/ptx/debug_entries.h"

#include <algorithm>
#include <map>

namespace warpglass::ptx {

namespace {

constexpr std::uint32_t noDebug = DebugInfo::none;
constexpr int deepestDebug = 32; // types in types, blocks in blocks
constexpr std::size_t mostPlaces = 1 << 20;

struct DebugSpot { // of a label
    std::uint32_t function = noDebug, instruction = 0;
};

class DebugReader {
public:
    explicit DebugReader(const Module& module) : m_sections(sectionBytes(module)), m_module(module) {}

    DebugInfo read() {
        const auto info = m_sections.find(".debug_info");
        if (info == m_sections.end())
            return {};
        m_info = &info->second;
        m_entries = debugEntries(m_sections);
        for (std::uint32_t f = 0; f < m_module.functions.size(); ++f)
            for (const Label& label : m_module.functions[f].labels)
                m_labels.emplace(label.name, DebugSpot{f, label.instruction});
        for (std::uint32_t e = 0; e < m_entries.all.size(); ++e)
            if (const std::uint64_t tag = m_entries.all[e].tag; tag == dwarf::Variable || tag == dwarf::FormalParameter)
                addVariable(e);
        for (std::size_t k = 0; k < m_pointers.size(); ++k) { // after all else: chains of pointers are long
            const std::uint32_t meant = typeOf(m_pointers[k].second);
            m_result.types[m_pointers[k].first].of = meant;
        }
        return std::move(m_result);
    }

private:
    std::uint32_t typeOf(std::uint32_t e, int depth = 0) {
        std::uint32_t owner = e;
        const DebugValue& reference = m_entries.valueOf(e, dwarf::Type, &owner);
        return typeAt(m_entries.referred(m_entries.all[owner], reference), depth);
    }
    std::uint32_t typeAt(std::uint32_t e, int depth) {
        if (e == noDebug || depth > deepestDebug)
            return noDebug;
        if (const auto known = m_types.find(e); known != m_types.end())
            return known->second;
        const DebugEntry& entry = m_entries.all[e];
        switch (entry.tag) {
        case dwarf::TypedefType:
        case dwarf::ConstType:
        case dwarf::VolatileType:
        case dwarf::RestrictType:
            return m_types[e] = typeOf(e, depth + 1);
        default:
            break;
        }
        const auto number = std::uint32_t(m_result.types.size());
        m_types[e] = number; // a struct may point to itself
        m_result.types.emplace_back();
        const DebugInfo::Type type = makeType(e, entry, depth);
        m_result.types[number] = type;
        return number;
    }
    DebugInfo::Type makeType(std::uint32_t e, const DebugEntry& entry, int depth) {
        using Kind = DebugInfo::Type::Kind;
        DebugInfo::Type type;
        type.bytes = entry.of(dwarf::ByteSize).number;
        switch (entry.tag) {
        case dwarf::BaseType: {
            const std::uint64_t encoding = entry.of(dwarf::Encoding).number; // DWARF 4, 7.8
            type.kind = encoding == 2                    ? Kind::Bool
                        : encoding == 4                  ? Kind::Float
                        : encoding == 5 || encoding == 6 ? Kind::Signed
                        : encoding == 7 || encoding == 8 ? Kind::Unsigned
                                                         : Kind::Other;
            break;
        }
        case dwarf::EnumerationType:
            type.kind = Kind::Signed;
            break;
        case dwarf::PointerType:
        case dwarf::ReferenceType:
        case dwarf::RvalueReferenceType:
            type.kind = Kind::Pointer;
            type.bytes = 8;
            m_pointers.emplace_back(m_types[e], e);
            break;
        case dwarf::StructureType:
        case dwarf::ClassType:
        case dwarf::UnionType:
            type.kind = Kind::Struct;
            for (std::uint32_t child = e + 1; child < m_entries.all.size() && m_entries.isBelow(child, e); ++child)
                if (const DebugEntry& m = m_entries.all[child]; m.tag == dwarf::Member && m.parent == e)
                    if (const auto offset = memberOffset(m))
                        type.members.push_back(
                            {std::string(m.of(dwarf::Name).text), typeOf(child, depth + 1), *offset});
            break;
        case dwarf::ArrayType:
            makeArray(e, type, depth);
            break;
        default:
            break;
        }
        return type;
    }
    // An array of arrays for each extent but the last.
    void makeArray(std::uint32_t e, DebugInfo::Type& type, int depth) {
        type.kind = DebugInfo::Type::Kind::Array;
        std::vector<std::uint64_t> extents;
        for (std::uint32_t child = e + 1; child < m_entries.all.size() && m_entries.isBelow(child, e); ++child)
            if (const DebugEntry& range = m_entries.all[child]; range.tag == dwarf::Subrange) {
                const DebugValue &count = range.of(dwarf::Count), &last = range.of(dwarf::UpperBound);
                extents.push_back(count.there ? count.number : last.there ? last.number + 1 : 0);
            }
        type.of = typeOf(e, depth + 1);
        for (std::size_t k = extents.size(); k-- > 1;) {
            DebugInfo::Type inner{DebugInfo::Type::Kind::Array, bytesOf(type.of) * extents[k], type.of, extents[k], {}};
            type.of = std::uint32_t(m_result.types.size());
            m_result.types.push_back(std::move(inner));
        }
        type.count = extents.empty() ? 0 : extents[0];
        type.bytes = bytesOf(type.of) * type.count;
    }
    std::uint64_t bytesOf(std::uint32_t type) const { return type == noDebug ? 0 : m_result.types[type].bytes; }
    std::optional<std::uint64_t> memberOffset(const DebugEntry& m) const {
        const DebugValue& value = m.of(dwarf::MemberLocation);
        if (!value.isBlock)
            return value.number; // none: of a union
        ByteReader in(std::span<const std::byte>(m_info->bytes).first(std::size_t(value.at + value.length)), value.at);
        if (in.take<std::uint8_t>() != dwarf::PlusConstant)
            return std::nullopt;
        const std::uint64_t offset = in.unsignedLeb();
        return in.bad || !in.done() ? std::nullopt : std::optional(offset);
    }

    // From low_pc to high_pc of the innermost that has one.
    bool scopeOf(std::uint32_t e, DebugInfo::Variable& v) const {
        for (int k = 0; k < 2 * deepestDebug && e != noDebug; ++k, e = m_entries.all[e].parent) {
            const DebugValue &low = m_entries.all[e].of(dwarf::LowPc), &high = m_entries.all[e].of(dwarf::HighPc);
            const DebugSpot begin = spotOf(low.symbol), end = spotOf(high.symbol);
            if (begin.function == noDebug || begin.function != end.function)
                continue;
            v.function = begin.function;
            v.begin = begin.instruction;
            v.end = end.instruction;
            return true;
        }
        return false;
    }
    DebugSpot spotOf(std::string_view label) const {
        const auto found = m_labels.find(label);
        return found == m_labels.end() ? DebugSpot() : found->second;
    }

    void addVariable(std::uint32_t e) {
        const DebugEntry& entry = m_entries.all[e];
        DebugInfo::Variable v;
        v.name = m_entries.valueOf(e, dwarf::Name).text;
        if (v.name.empty() || entry.parent == noDebug || !scopeOf(entry.parent, v) || v.begin >= v.end)
            return;
        v.file = int(m_entries.valueOf(e, dwarf::DeclaredFile).number);
        v.line = int(m_entries.valueOf(e, dwarf::DeclaredLine).number);
        v.type = typeOf(e);
        v.isParameter = entry.tag == dwarf::FormalParameter;
        if (const DebugValue& location = entry.of(dwarf::Location); location.isBlock)
            addPlace(m_info->bytes, m_info->symbols, location.at, location.length, v, {v.begin, v.end}, true);
        else if (location.there)
            addList(location.number, v);
        if (const DebugValue& constant = m_entries.valueOf(e, dwarf::ConstValue); constant.there && v.places.empty())
            addConstant(constant, v);
        m_result.variables.push_back(std::move(v));
    }

    void addConstant(const DebugValue& constant, DebugInfo::Variable& v) {
        std::uint64_t bits = constant.number;
        if (constant.isBlock && constant.length <= 8)
            std::memcpy(&bits, m_info->bytes.data() + constant.at, std::size_t(constant.length));
        else if (constant.isBlock || constant.isText)
            return;
        v.places.push_back({DebugInfo::Place::Kind::Constant, v.begin, v.end, {}, bits, true});
    }

    using Range = std::pair<std::uint32_t, std::uint32_t>;
    void addPlace(const std::vector<std::byte>& bytes, const std::unordered_map<std::uint64_t, std::string>& symbols,
                  std::uint64_t at, std::uint64_t length, DebugInfo::Variable& v, Range range, bool always) {
        if (at > bytes.size() || length > bytes.size() - at || m_places++ > mostPlaces || range.first >= range.second)
            return;
        ByteReader in(std::span<const std::byte>(bytes).first(std::size_t(at + length)), at);
        DebugInfo::Place place{DebugInfo::Place::Kind::Register, range.first, range.second, {}, 0, always};
        switch (in.take<std::uint8_t>()) {
        case dwarf::RegisterX:
            for (std::uint64_t letters = in.unsignedLeb(); letters != 0; letters >>= 8)
                place.name.insert(place.name.begin(), char(letters & 0xff));
            break;
        case dwarf::Address: {
            const auto symbol = symbols.find(in.at());
            if (symbol == symbols.end())
                return;
            place.kind = DebugInfo::Place::Kind::Memory;
            place.name = symbol->second;
            place.offset = in.take<std::uint64_t>();
            if (!in.done() && in.take<std::uint8_t>() == dwarf::PlusConstant)
                place.offset += in.unsignedLeb();
            break;
        }
        default:
            return;
        }
        if (!in.bad && in.done()) // nothing else is done to it
            v.places.push_back(std::move(place));
    }
    void addList(std::uint64_t at, DebugInfo::Variable& v) {
        const auto section = m_sections.find(".debug_loc");
        if (section == m_sections.end())
            return;
        const SectionBytes& list = section->second;
        ByteReader in(list.bytes, at);
        while (!in.done()) {
            const auto begin = list.symbols.find(in.at());
            const std::uint64_t first = in.take<std::uint64_t>();
            const auto end = list.symbols.find(in.at());
            const std::uint64_t last = in.take<std::uint64_t>();
            if (first == 0 && last == 0 && begin == list.symbols.end() && end == list.symbols.end())
                break;
            const std::uint64_t length = in.take<std::uint16_t>(), expression = in.at();
            in.skip(length);
            if (in.bad || begin == list.symbols.end() || end == list.symbols.end())
                continue;
            const DebugSpot from = spotOf(begin->second), to = spotOf(end->second);
            if (from.function == v.function && to.function == v.function)
                addPlace(list.bytes, list.symbols, expression, length, v, {from.instruction, to.instruction}, false);
        }
    }

    const std::map<std::string, SectionBytes, std::less<>> m_sections;
    const Module& m_module;
    const SectionBytes* m_info = nullptr;
    std::unordered_map<std::string_view, DebugSpot> m_labels;
    DebugEntries m_entries;
    std::map<std::uint32_t, std::uint32_t> m_types;                  // entry -> DebugInfo::types
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_pointers; // type, entry
    std::size_t m_places = 0;
    DebugInfo m_result;
};

} // namespace

bool DebugInfo::knows(std::string_view name) const {
    return std::any_of(variables.begin(), variables.end(), [&](const Variable& v) { return v.name == name; });
}

DebugInfo debugInfo(const Module& module) {
    return DebugReader(module).read();
}

std::optional<DebugPart> partOf(const DebugInfo& info, std::uint32_t type, std::string_view path) {
    DebugPart part{0, type};
    while (!path.empty()) {
        if (part.type >= info.types.size())
            return std::nullopt;
        const DebugInfo::Type& t = info.types[part.type];
        const std::size_t end = path.front() == '[' ? path.find(']') : path.find_first_of(".[", 1);
        const std::string_view word = path.substr(1, end == std::string_view::npos ? end : end - 1);
        if (path.front() == '[') {
            const auto index = wholeNumber<std::uint64_t>(std::string(word));
            if (end == std::string_view::npos || !index || *index >= t.count || t.of >= info.types.size())
                return std::nullopt;
            part = {part.offset + *index * info.types[t.of].bytes, t.of};
            path.remove_prefix(end + 1);
        } else {
            const auto found = std::find_if(t.members.begin(), t.members.end(),
                                            [&](const DebugInfo::Member& m) { return m.name == word; });
            if (path.front() != '.' || found == t.members.end())
                return std::nullopt;
            part = {part.offset + found->offset, found->type};
            path.remove_prefix(std::min(end, path.size()));
        }
    }
    return part;
}

std::optional<DebugPath> pathAt(const DebugInfo& info, std::uint32_t type, std::uint64_t offset, std::uint64_t bytes) {
    DebugPath found{{}, {0, type}};
    for (int depth = 0; depth < deepestDebug && found.part.type < info.types.size(); ++depth) {
        const DebugInfo::Type& t = info.types[found.part.type];
        const std::uint64_t within = offset - found.part.offset;
        if (t.isScalar() || (bytes != 0 && t.bytes == bytes))
            return within < t.bytes ? std::optional(found) : std::nullopt;
        if (t.kind == DebugInfo::Type::Kind::Array) {
            const std::uint64_t each = t.of < info.types.size() ? info.types[t.of].bytes : 0;
            if (each == 0 || within / each >= t.count)
                return std::nullopt;
            found.path += "[" + std::to_string(within / each) + "]";
            found.part = {found.part.offset + within / each * each, t.of};
            continue;
        }
        const auto inside = std::find_if(t.members.begin(), t.members.end(), [&](const DebugInfo::Member& m) {
            return m.type < info.types.size() && m.offset <= within && within - m.offset < info.types[m.type].bytes;
        });
        if (inside == t.members.end())
            return std::nullopt;
        found.path += "." + inside->name;
        found.part = {found.part.offset + inside->offset, inside->type};
    }
    return std::nullopt;
}

} // namespace warpglass::ptx
