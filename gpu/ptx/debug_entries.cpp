// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/debug_entries.h"

#include "gpu/base/byte_reader.h"

#include <algorithm>

namespace warpglass::ptx {

namespace {

constexpr int mostOrigins = 32; // entries in entries

struct DebugForm {
    std::uint64_t attribute = 0, form = 0;
    std::int64_t implied = 0;
};
struct Abbreviation {
    std::uint64_t tag = 0;
    bool hasChildren = false;
    std::vector<DebugForm> forms;
};

class EntryReader {
public:
    explicit EntryReader(const std::map<std::string, SectionBytes, std::less<>>& sections) : m_sections(sections) {}

    DebugEntries read() {
        const auto info = m_sections.find(".debug_info"), abbreviations = m_sections.find(".debug_abbrev");
        if (info == m_sections.end() || abbreviations == m_sections.end())
            return {};
        m_info = &info->second;
        for (std::uint64_t at = 0; at + 11 < m_info->bytes.size();)
            at = readUnit(at, abbreviations->second.bytes);
        return std::move(m_result);
    }

private:
    std::map<std::uint64_t, Abbreviation> abbreviationsAt(const std::vector<std::byte>& bytes, std::uint64_t at) {
        std::map<std::uint64_t, Abbreviation> all;
        ByteReader in(bytes, at);
        while (!in.done()) {
            const std::uint64_t code = in.unsignedLeb();
            if (code == 0)
                break;
            Abbreviation& one = all[code];
            one.tag = in.unsignedLeb();
            one.hasChildren = in.take<std::uint8_t>() != 0;
            while (!in.done()) {
                DebugForm form{in.unsignedLeb(), in.unsignedLeb()};
                if (form.form == 0x21) // implicit_const
                    form.implied = in.signedLeb();
                if (form.attribute == 0 && form.form == 0)
                    break;
                one.forms.push_back(form);
            }
        }
        return all;
    }

    // Error (false): a form that is not known, behind which nothing is.
    bool take(ByteReader& in, const DebugForm& form, DebugValue& value, unsigned addressBytes, unsigned version) {
        const std::uint64_t at = in.at();
        const auto block = [&](std::uint64_t length) {
            value.isBlock = true;
            value.at = in.at();
            value.length = length;
            in.skip(length);
        };
        value.there = true;
        switch (form.form) {
        case 0x01: // addr
            value.number = addressBytes == 8 ? in.take<std::uint64_t>() : in.take<std::uint32_t>();
            break;
        case 0x03:
            block(in.take<std::uint16_t>());
            break;
        case 0x04:
            block(in.take<std::uint32_t>());
            break;
        case 0x09:
        case 0x18:
            block(in.unsignedLeb());
            break;
        case 0x0a:
            block(in.take<std::uint8_t>());
            break;
        case 0x05:
        case 0x12:
            value.number = in.take<std::uint16_t>();
            break;
        case 0x06:
        case 0x13:
        case 0x17:
            value.number = in.take<std::uint32_t>();
            break;
        case 0x07:
        case 0x14:
        case 0x20:
            value.number = in.take<std::uint64_t>();
            break;
        case 0x0b:
        case 0x0c:
        case 0x11:
            value.number = in.take<std::uint8_t>();
            break;
        case 0x08:
            value.text = in.text();
            value.isText = true;
            break;
        case 0x0d:
            value.number = std::uint64_t(in.signedLeb());
            break;
        case 0x0f:
        case 0x15:
            value.number = in.unsignedLeb();
            break;
        case 0x0e:
            value.text = stringAt(in.take<std::uint32_t>());
            value.isText = true;
            break;
        case 0x10:
            value.number = version <= 2 && addressBytes == 8 ? in.take<std::uint64_t>() : in.take<std::uint32_t>();
            break;
        case 0x19:
            value.number = 1;
            break; // flag_present
        case 0x21:
            value.number = std::uint64_t(form.implied);
            break;
        default:
            return false;
        }
        if (const auto symbol = m_info->symbols.find(at); symbol != m_info->symbols.end() && !value.isBlock)
            value.symbol = symbol->second;
        return !in.bad;
    }

    std::string_view stringAt(std::uint64_t at) {
        const auto strings = m_sections.find(".debug_str");
        return strings == m_sections.end() ? std::string_view() : ByteReader(strings->second.bytes, at).text();
    }

    std::uint64_t readUnit(std::uint64_t begin, const std::vector<std::byte>& abbreviationBytes) {
        const std::uint64_t size = m_info->bytes.size();
        ByteReader head(m_info->bytes, begin);
        const std::uint64_t length = head.take<std::uint32_t>(), end = std::min(size, head.at() + length);
        const unsigned version = head.take<std::uint16_t>();
        const std::uint64_t abbreviationsBegin = head.take<std::uint32_t>();
        const unsigned addressBytes = head.take<std::uint8_t>();
        if (head.bad || version < 2 || version > 4 || length < 7)
            return size;
        const auto abbreviations = abbreviationsAt(abbreviationBytes, abbreviationsBegin);
        ByteReader in(std::span<const std::byte>(m_info->bytes).first(std::size_t(end)), head.at());
        std::vector<std::uint32_t> parents;
        while (!in.done()) {
            const std::uint64_t at = in.at(), code = in.unsignedLeb();
            if (code == 0) {
                if (!parents.empty())
                    parents.pop_back();
                continue;
            }
            const auto known = abbreviations.find(code);
            if (known == abbreviations.end())
                return size;
            DebugEntry entry{known->second.tag, begin, parents.empty() ? DebugEntry::none : parents.back(), {}};
            for (const DebugForm& form : known->second.forms)
                if (DebugValue value; take(in, form, value, addressBytes, version))
                    entry.values[form.attribute] = value;
                else
                    return size;
            m_result.at[at] = std::uint32_t(m_result.all.size());
            if (known->second.hasChildren)
                parents.push_back(std::uint32_t(m_result.all.size()));
            m_result.all.push_back(std::move(entry));
        }
        return end;
    }

    const std::map<std::string, SectionBytes, std::less<>>& m_sections;
    const SectionBytes* m_info = nullptr;
    DebugEntries m_result;
};

const DebugValue noDebugValue;

} // namespace

const DebugValue& DebugEntry::of(std::uint64_t attribute) const {
    const auto found = values.find(attribute);
    return found == values.end() ? noDebugValue : found->second;
}

std::uint32_t DebugEntries::referred(const DebugEntry& from, const DebugValue& reference) const {
    const auto found = reference.there ? at.find(from.unit + reference.number) : at.end(); // of ref4 and its like
    return found == at.end() ? DebugEntry::none : found->second;
}

const DebugValue& DebugEntries::valueOf(std::uint32_t entry, std::uint64_t attribute, std::uint32_t* owner) const {
    for (int k = 0; k < mostOrigins; ++k) {
        const DebugEntry& e = all[entry];
        const DebugValue& own = e.of(attribute);
        const std::uint32_t origin = own.there ? DebugEntry::none : referred(e, e.of(dwarf::AbstractOrigin));
        if (origin == DebugEntry::none) {
            if (owner)
                *owner = entry;
            return own;
        }
        entry = origin;
    }
    return noDebugValue;
}

bool DebugEntries::isBelow(std::uint32_t entry, std::uint32_t above) const {
    for (int k = 0; k < mostOrigins && entry != DebugEntry::none; ++k, entry = all[entry].parent)
        if (all[entry].parent == above)
            return true;
    return false;
}

DebugEntries debugEntries(const std::map<std::string, SectionBytes, std::less<>>& sections) {
    return EntryReader(sections).read();
}

} // namespace warpglass::ptx
