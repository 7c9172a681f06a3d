// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/machine/line_table.h"
#include "gpu/base/byte_reader.h"

#include <algorithm>

namespace warpglass::machine {

namespace {

constexpr std::size_t mostRows = 1 << 22; // of a function: a damaged table ends there

struct Head {
    std::uint8_t instruction = 1;
    std::int8_t lineBase = 0;
    std::uint8_t lineRange = 1, opcodeBase = 1;
    std::vector<std::uint8_t> operands; // of standard operations, from 1
    std::vector<std::string> files;
};

Head readHead(ByteReader& in) {
    Head head;
    head.instruction = in.take<std::uint8_t>();
    in.take<std::uint8_t>(); // whether rows are statements at first
    head.lineBase = in.take<std::int8_t>();
    head.lineRange = std::max<std::uint8_t>(1, in.take<std::uint8_t>());
    head.opcodeBase = std::max<std::uint8_t>(1, in.take<std::uint8_t>());
    for (unsigned i = 1; i < head.opcodeBase; ++i)
        head.operands.push_back(in.take<std::uint8_t>());
    std::vector<std::string_view> folders;
    while (!in.done()) {
        const std::string_view folder = in.text();
        if (folder.empty())
            break;
        folders.push_back(folder);
    }
    while (!in.done()) {
        const std::string_view name = in.text();
        if (name.empty())
            break;
        const std::uint64_t folder = in.unsignedLeb();
        in.unsignedLeb(); // when it was changed
        in.unsignedLeb(); // its bytes
        const bool within = folder >= 1 && folder <= folders.size() && !name.starts_with('/');
        head.files.push_back(within ? std::string(folders[folder - 1]) + "/" + std::string(name) : std::string(name));
    }
    return head;
}

// The state machine of DWARF 2, 6.2.2. A sequence of its rows is about one function.
struct LineMachine {
    const Head& head;
    LineTable* table = nullptr; // of the sequence's function, if it has one
    std::uint64_t address = 0;
    std::int64_t line = 1;
    std::uint64_t file = 1, context = 0;
    std::vector<std::uint32_t> numbers{}; // of the sequence's rows, which NVIDIA counts from 1, in the table

    void reset() {
        table = nullptr;
        address = 0;
        line = 1;
        file = 1;
        context = 0;
        numbers.clear();
    }
    void row() {
        if (!table || table->rows.size() >= mostRows)
            return;
        const std::uint32_t caller = context >= 1 && context <= numbers.size() ? numbers[context - 1] : noRow;
        numbers.push_back(std::uint32_t(table->rows.size()));
        const bool known = file >= 1 && file <= head.files.size();
        table->rows.push_back({.address = address,
                               .file = known ? std::uint32_t(file - 1) : std::uint32_t(head.files.size()),
                               .line = line > 0 && line < INT32_MAX ? std::uint32_t(line) : 0,
                               .inlinedAt = caller});
    }
    void special(std::uint8_t opcode) {
        const unsigned adjusted = opcode - head.opcodeBase;
        address += std::uint64_t(adjusted / head.lineRange) * head.instruction;
        line += head.lineBase + int(adjusted % head.lineRange);
        row();
    }
};

// Rows are kept in the order in which they were made, since others point at them: sorted, the pointers follow.
void sortRows(LineTable& table) {
    std::vector<std::uint32_t> order(table.rows.size()), place(table.rows.size());
    for (std::uint32_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return table.rows[i].address; });
    std::vector<LineRow> rows;
    rows.reserve(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        place[order[i]] = i;
        rows.push_back(table.rows[order[i]]);
    }
    for (LineRow& row : rows)
        if (row.inlinedAt != noRow)
            row.inlinedAt = place[row.inlinedAt];
    table.rows = std::move(rows);
}

} // namespace

const LineRow* LineTable::at(std::uint64_t address) const {
    if (address >= end)
        return nullptr;
    const auto after = std::ranges::upper_bound(rows, address, {}, &LineRow::address);
    return after == rows.begin() ? nullptr : &*(after - 1);
}

std::map<std::uint16_t, LineTable> lineTablesOf(const Elf& elf, std::string_view tableName) {
    std::map<std::uint16_t, LineTable> all;
    const Section* section = elf.find(tableName);
    if (!section)
        return all;
    const std::vector<Relocation> moved = elf.relocationsOf(tableName);
    for (std::uint64_t begin = 0; begin < section->bytes.size();) {
        ByteReader lengths(section->bytes, begin);
        const std::uint64_t unit = lengths.take<std::uint32_t>();
        if (lengths.bad || unit < 6 || unit > section->bytes.size() - begin - 4)
            break;
        ByteReader in(section->bytes.first(begin + 4 + unit), begin + 4);
        begin += 4 + unit;
        in.take<std::uint16_t>(); // version
        const std::uint64_t headLength = in.take<std::uint32_t>();
        const std::uint64_t programAt = in.at() + headLength;
        const Head head = readHead(in);
        if (in.bad || programAt < in.at())
            continue;
        in.skip(programAt - in.at());
        const auto files = [&] {
            auto names = std::make_shared<std::vector<std::string>>(head.files);
            names->emplace_back(); // of rows whose file is not named
            return names;
        }();
        const auto tableAt = [&](std::uint64_t at) -> LineTable* {
            const auto r = std::ranges::lower_bound(moved, at, {}, &Relocation::at);
            if (r == moved.end() || r->at != at || r->symbol >= elf.symbols.size())
                return nullptr;
            LineTable& table = all[elf.symbols[r->symbol].section];
            if (table.files && table.files != files)
                return nullptr; // of another unit: a function has one
            table.files = files;
            return &table;
        };
        LineMachine machine{.head = head};
        while (!in.done()) {
            const auto opcode = in.take<std::uint8_t>();
            if (opcode >= head.opcodeBase) {
                machine.special(opcode);
                continue;
            }
            switch (opcode) {
            case 0: {
                const std::uint64_t length = in.unsignedLeb(), next = in.at() + length;
                if (length == 0 || next < length)
                    break;
                switch (in.take<std::uint8_t>()) {
                case 1: // end of a sequence
                    if (machine.table)
                        machine.table->end = std::max(machine.table->end, machine.address);
                    machine.reset();
                    break;
                case 2: // address
                    machine.table = tableAt(in.at());
                    machine.address = in.take<std::uint64_t>();
                    break;
                case 0x90:
                    machine.context = in.unsignedLeb();
                    break;
                default:
                    break;
                }
                if (next < in.at())
                    in.bad = true;
                else
                    in.skip(next - in.at());
                break;
            }
            case 1:
                machine.row();
                break;
            case 2:
                machine.address += in.unsignedLeb() * head.instruction;
                break;
            case 3:
                machine.line += in.signedLeb();
                break;
            case 4:
                machine.file = in.unsignedLeb();
                break;
            case 8:
                machine.address += std::uint64_t((255 - head.opcodeBase) / head.lineRange) * head.instruction;
                break;
            case 9:
                machine.address += in.take<std::uint16_t>();
                break;
            default: // whatever it says, it is not about lines
                for (unsigned i = 0; i < head.operands[opcode - 1]; ++i)
                    in.unsignedLeb();
            }
        }
    }
    for (auto& [number, table] : all)
        sortRows(table);
    return all;
}

} // namespace warpglass::machine
