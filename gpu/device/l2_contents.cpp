// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/l2_contents.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace warpglass {

namespace {

constexpr std::uint64_t line = 128;
constexpr std::size_t mostEntries = 1024;
constexpr std::uint64_t alongWithCommands = 64 * 1024; // bytes of a copy
// Behind a fill, shares of L2: for what is read, and for what is written; and of what more is written how much takes the place of
// what was read.
constexpr double readBehindFill = 0.48, writtenBehindFill = 0.08, takenByWritten = 0.58;

std::uint64_t bytesOf(const L2Range& r) {
    return r.end - r.begin;
}
std::uint64_t part(std::uint64_t bytes, std::uint64_t of, std::uint64_t among) {
    return std::uint64_t(double(bytes) * (double(of) / double(among)));
}

} // namespace

std::uint64_t L2Contents::room(std::uint64_t l2Bytes) {
    return std::uint64_t(double(l2Bytes) * 0.8);
}

std::uint64_t L2Contents::roomOfCopies(std::uint64_t l2Bytes, std::uint64_t touched) {
    const double all = double(l2Bytes);
    return std::uint64_t(std::clamp(0.8 * all - 2 * double(touched), 0.072 * all, 0.48 * all));
}

std::uint64_t L2Contents::touched() const {
    std::uint64_t bytes = 0;
    for (const Entry& e : m_entries)
        bytes += e.copied ? 0 : bytesOf(e.at);
    return std::min(bytes, room(m_l2Bytes));
}

std::uint64_t L2Contents::since(const Entry& e, std::uint64_t room) const {
    const bool free = room > roomOfCopies(m_l2Bytes, m_l2Bytes);
    return free ? m_copied - e.copy : m_come - e.when;
}

std::uint64_t L2Contents::takeOut(const L2Range& range) {
    std::uint64_t there = 0;
    std::vector<Entry> left;
    for (const Entry& e : m_entries) {
        const L2Range both{std::max(e.at.begin, range.begin), std::min(e.at.end, range.end)};
        if (both.begin >= both.end) {
            left.push_back(e);
            continue;
        }
        there += e.copied ? 0 : bytesOf(both);
        for (const L2Range& rest : {L2Range{e.at.begin, both.begin}, L2Range{both.end, e.at.end}})
            if (rest.begin < rest.end) {
                left.push_back(e);
                left.back().at = rest;
            }
    }
    m_entries = std::move(left);
    return there;
}

void L2Contents::touch(std::vector<L2Range> ranges, bool filled) {
    ++m_group;
    std::vector<Entry> first;
    for (L2Range& r : ranges) {
        r = {r.begin / line * line, (r.end + line - 1) / line * line};
        for (const Entry& e : first) // no byte twice
            if (r.begin < e.at.end && e.at.begin < r.end)
                r = r.begin < e.at.begin ? L2Range{r.begin, e.at.begin} : L2Range{std::max(r.begin, e.at.end), r.end};
        if (r.begin >= r.end)
            continue;
        m_come += bytesOf(r) - takeOut(r);
        first.push_back({.at = r, .filled = filled, .group = m_group});
    }
    m_entries.insert(m_entries.begin(), first.begin(), first.end());
    trim();
}

void L2Contents::launch(std::vector<L2Range> ranges, std::uint64_t written) {
    double unwritten = 0, all = 0;
    for (const Entry& e : m_entries)
        unwritten += e.filled ? double(bytesOf(e.at)) : 0;
    touch(std::move(ranges));
    for (const Entry& e : m_entries)
        all += e.group == m_group ? double(bytesOf(e.at)) : 0;
    const double read = all - std::min(all, double(written)), room = readBehindFill * double(m_l2Bytes),
                 over = std::max(0.0, std::min(double(written), read) - writtenBehindFill * double(m_l2Bytes));
    if (unwritten <= 0 || read <= 0)
        return;
    const double full = std::min(1.0, unwritten / double(L2Contents::room(m_l2Bytes)));
    const double lost = full * std::min(1.0, (std::max(0.0, read - room) + takenByWritten * over) / read);
    for (Entry& e : m_entries) // which of them were read nobody knows, and what was written is not fetched again
        if (e.group == m_group)
            e.at.begin += std::uint64_t(lost * double(bytesOf(e.at))) / line * line;
    std::erase_if(m_entries, [](const Entry& e) { return e.at.begin >= e.at.end; });
}

void L2Contents::copy(L2Range range) {
    if (bytesOf(range) <= alongWithCommands)
        return touch({range});
    range = {range.begin / line * line, (range.end + line - 1) / line * line};
    takeOut(range);
    m_come += bytesOf(range);
    m_copied += bytesOf(range);
    m_entries.insert(m_entries.begin(),
                     {.at = range, .when = m_come, .copy = m_copied, .copied = true, .group = ++m_group});
    trim();
}

void L2Contents::trim() {
    std::vector<Entry> left;
    std::uint64_t before = 0;
    const std::uint64_t touched = room(m_l2Bytes), copied = roomOfCopies(m_l2Bytes, this->touched());
    const auto keep = [&](Entry e, std::uint64_t bytes) { // of its end
        e.at.begin = e.at.end - std::min(bytesOf(e.at), bytes / line * line);
        if (e.at.begin < e.at.end)
            left.push_back(e);
    };
    for (std::size_t k = 0; k < m_entries.size();) {
        std::size_t end = k;
        std::uint64_t together = 0;
        while (end < m_entries.size() && m_entries[end].group == m_entries[k].group)
            together += bytesOf(m_entries[end++].at);
        const std::uint64_t space = touched - std::min(touched, before);
        for (; k < end; ++k) {
            const Entry& e = m_entries[k];
            if (e.copied)
                keep(e, copied - std::min(copied, since(e, copied)));
            else
                keep(e, together <= space ? bytesOf(e.at) : part(bytesOf(e.at), space, together));
        }
        before += m_entries[end - 1].copied ? 0 : together;
    }
    if (left.size() > mostEntries)
        left.resize(mostEntries);
    m_entries = std::move(left);
}

std::vector<L2Piece> L2Contents::pieces() const {
    std::vector<L2Piece> pieces;
    const std::uint64_t copied = roomOfCopies(m_l2Bytes, touched());
    std::uint64_t before = 0;
    for (std::size_t k = 0; k < m_entries.size();) {
        std::size_t end = k;
        std::uint64_t together = 0;
        while (end < m_entries.size() && m_entries[end].group == m_entries[k].group)
            together += bytesOf(m_entries[end++].at);
        for (; k < end; ++k) {
            const Entry& e = m_entries[k];
            if (e.copied)
                pieces.push_back({e.at, since(e, copied) + bytesOf(e.at), since(e, copied), true});
            else
                pieces.push_back({e.at, before + together, before, false, e.filled});
        }
        before += m_entries[end - 1].copied ? 0 : together;
    }
    std::sort(pieces.begin(), pieces.end(), [](const L2Piece& a, const L2Piece& b) { return a.at.begin < b.at.begin; });
    return pieces;
}

std::string text(const std::vector<L2Piece>& pieces) {
    std::string out;
    for (const L2Piece& p : pieces)
        out += fmt::format("{}{}{:x}+{:x}@{:x}-{:x}", out.empty() ? "" : ",",
                           p.copied   ? "c:"
                           : p.filled ? "w:"
                                      : "",
                           p.at.begin, bytesOf(p.at), p.oldest, p.newest);
    return out;
}

Result<std::vector<L2Piece>> parseL2Pieces(std::string_view text) {
    std::vector<L2Piece> pieces;
    const Error wrong{fmt::format("\"{}\" does not say what L2 holds", text)};
    while (!text.empty()) {
        L2Piece p;
        p.copied = text.starts_with("c:");
        p.filled = text.starts_with("w:");
        if (p.copied || p.filled)
            text.remove_prefix(2);
        std::uint64_t bytes = 0;
        const auto number = [&](std::uint64_t& value, char behind) {
            const auto [at, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
            const auto length = std::size_t(at - text.data());
            if (error != std::errc() || (length < text.size() ? text[length] != behind : behind != ','))
                return false;
            text.remove_prefix(std::min(text.size(), length + 1));
            return true;
        };
        if (!number(p.at.begin, '+') || !number(bytes, '@') || !number(p.oldest, '-') || !number(p.newest, ',') ||
            bytes == 0 || p.at.begin + bytes < p.at.begin || p.oldest < p.newest ||
            (!pieces.empty() && pieces.back().at.end > p.at.begin))
            return wrong;
        p.at.end = p.at.begin + bytes;
        pieces.push_back(p);
    }
    return pieces;
}

} // namespace warpglass
