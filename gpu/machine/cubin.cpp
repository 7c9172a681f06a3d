// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/machine/cubin.h"

#include "gpu/base/messages/files.h"

#include <algorithm>
#include <array>
#include <set>

namespace warpglass::machine {

namespace {

constexpr unsigned firstArch = 70;
constexpr std::uint8_t abiWithArchAbove = 8; // from CUDA 13 on the architecture stands one byte higher in the flags

// Items of .nv.info: a format, an attribute, and 16 bits of value or of the length of what follows.
constexpr std::uint8_t longItem = 4, registerCount = 0x2f, frameSize = 0x11, barrierCount = 0x4c;

template <class Each>
void forItems(Bytes info, Each each) {
    for (std::uint64_t at = 0; at + 4 <= info.size();) {
        const auto format = *valueAt<std::uint8_t>(info, at), attribute = *valueAt<std::uint8_t>(info, at + 1);
        const auto value = *valueAt<std::uint16_t>(info, at + 2);
        at += 4;
        if (format != longItem) {
            each(attribute, value, Bytes());
            continue;
        }
        if (value > info.size() - at)
            return;
        each(attribute, value, info.subspan(at, value));
        at += value;
    }
}

// Of the compiler's note: numbers of 32 bits (the sizes of its name and of what follows, its kind; then a version and where in
// the texts behind them tool, version, build and options begin), "Cuda compilation tools, release 13.0, V13.0.88".
std::string compilerOf(Bytes note) {
    constexpr std::uint64_t head = 12, fields = 24;
    const auto nameBytes = valueAt<std::uint32_t>(note, 0);
    if (!nameBytes)
        return {};
    const std::uint64_t at = head + (std::uint64_t(*nameBytes) + 3) / 4 * 4;
    const auto tool = valueAt<std::uint32_t>(note, at + 8), version = valueAt<std::uint32_t>(note, at + 12);
    if (!tool || !version)
        return {};
    const std::string_view name = textAt(note, at + fields + *tool), whole = textAt(note, at + fields + *version);
    constexpr std::size_t most = 40;
    std::string text(name.substr(0, most));
    if (const std::size_t number = whole.rfind(' '); number != std::string_view::npos)
        text += whole.substr(number, most);
    const auto isPrinted = [](char c) { return c >= ' ' && c <= '~'; };
    return std::ranges::all_of(text, isPrinted) ? text : std::string();
}

std::vector<std::string> linesOf(Bytes text) {
    std::vector<std::string> lines;
    for (std::uint64_t at = 0; at < text.size();) {
        const std::string_view line = textAt(text, at);
        lines.emplace_back(line);
        at += line.size() + 1;
    }
    return lines;
}

// Code that was made to be sampled names lines of the PTX where others name those of the source (gpu/cuda/line_marks.h).
bool isOfPtxMarks(const LineTable& table) {
    return table.files && !table.rows.empty() && std::ranges::all_of(table.rows, [&](const LineRow& row) {
               if (row.file >= table.files->size())
                   return false;
               const std::string_view file = (*table.files)[row.file];
               return file.substr(file.find_last_of('/') + 1) == ptxMarksFile;
           });
}

std::map<std::uint32_t, FunctionFacts> factsOf(const Elf& elf) { // by symbol
    std::map<std::uint32_t, FunctionFacts> facts;
    if (const Section* info = elf.find(".nv.info")) {
        forItems(info->bytes, [&](std::uint8_t attribute, std::uint16_t, Bytes item) {
            const auto symbol = valueAt<std::uint32_t>(item, 0), value = valueAt<std::uint32_t>(item, 4);
            if (!symbol || !value)
                return;
            if (attribute == registerCount)
                facts[*symbol].registers = *value;
            else if (attribute == frameSize)
                facts[*symbol].stackBytes = *value;
        });
    }
    return facts;
}

// By how much a function moves the pointer of the stack (R1) down, at its beginning: VIADD or IADD3 with a number.
std::optional<std::uint32_t> frameBehind(Bytes code, std::uint64_t from) {
    constexpr std::uint64_t look = 16; // instructions
    constexpr std::uint64_t viadd = 0x836, iadd3 = 0x810, pointer = 1;
    for (std::uint64_t at = from; at < from + look * instructionBytes; at += instructionBytes) {
        const auto word = valueAt<std::uint64_t>(code, at);
        if (!word)
            break;
        const std::uint64_t operation = *word & 0xfff, to = *word >> 16 & 0xff, of = *word >> 24 & 0xff;
        const auto number = std::int32_t(*word >> 32);
        if ((operation == viadd || operation == iadd3) && to == pointer && of == pointer && number < 0)
            return std::uint32_t(-std::int64_t(number));
    }
    return std::nullopt;
}

} // namespace

Result<std::map<std::string, FunctionFacts>> readFacts(Bytes bytes) {
    const auto elf = readElf(bytes);
    if (!elf)
        return elf.error();
    if (!isElfOf(Machine::Cuda, bytes))
        return Error{.message = say::CodeUnreadable(say::UnknownContainer)};
    std::map<std::string, FunctionFacts> byName;
    for (const auto& [symbol, facts] : factsOf(*elf))
        if (symbol < elf->symbols.size())
            byName[std::string(elf->symbols[symbol].name)] = facts;
    // Of functions that kernels have of their own ("$kernel$function") the code alone says it.
    for (const Symbol& symbol : elf->symbols)
        if (symbol.name.starts_with('$') && symbol.section < elf->sections.size())
            if (const auto frame = frameBehind(elf->sections[symbol.section].bytes, symbol.value))
                byName[std::string(symbol.name)].stackBytes = frame;
    return byName;
}

Result<Cubin> readCubin(Bytes bytes) {
    const auto elf = readElf(bytes);
    if (!elf)
        return elf.error();
    if (!isElfOf(Machine::Cuda, bytes))
        return Error{.message = say::CodeUnreadable(say::UnknownContainer)};
    Cubin cubin;
    cubin.arch = (elf->abiVersion >= abiWithArchAbove ? elf->flags >> 8U : elf->flags) & 0xffU;
    if (cubin.arch < firstArch)
        return Error{.message = say::CodeUnreadable(say::UnknownContainer)};
    if (const Section* note = elf->find(".note.nv.tkinfo"))
        cubin.compiler = compilerOf(note->bytes);
    const std::map<std::uint32_t, FunctionFacts> facts = factsOf(*elf);
    auto source = lineTablesOf(*elf, ".debug_line"), ptx = lineTablesOf(*elf, ".nv_debug_line_sass");
    std::map<std::uint16_t, std::map<std::uint64_t, std::string>> inner; // by section
    std::map<std::uint16_t, std::size_t> taken;
    std::uint64_t codeBytes = 0;
    for (std::uint32_t number = 0; number < elf->symbols.size(); ++number) {
        const Symbol& symbol = elf->symbols[number];
        constexpr std::uint8_t function = 2;
        if (symbol.type != function || symbol.section >= elf->sections.size())
            continue;
        const Section& text = elf->sections[symbol.section];
        constexpr std::string_view prefix = ".text.";
        if (!text.name.starts_with(prefix))
            continue;
        if (text.name.substr(prefix.size()) != symbol.name) { // a function within another's section has its code there
            if (symbol.value > 0 && symbol.value < text.bytes.size() && symbol.value % instructionBytes == 0)
                inner[symbol.section][symbol.value] =
                    std::string(symbol.name.substr(symbol.name.find_last_of('$') + 1));
            continue;
        }
        if (text.bytes.empty()) // left out of what a recording keeps
            continue;
        codeBytes += text.bytes.size();
        if (!taken.try_emplace(symbol.section, cubin.functions.size()).second ||
            codeBytes > bytes.size()) // sections that lie over each other
            return Error{.message = say::CodeUnreadable(say::ImageOutside)};
        Function f{.name = std::string(symbol.name), .entry = symbol.entry};
        if (const auto known = facts.find(number); known != facts.end()) {
            f.registers = known->second.registers;
            f.stackBytes = known->second.stackBytes;
        }
        if (const Section* shared = elf->find(".nv.shared." + f.name))
            f.sharedBytes = std::uint32_t(std::min<std::uint64_t>(shared->size, UINT32_MAX));
        if (const Section* own = elf->find(".nv.info." + f.name)) {
            forItems(own->bytes, [&](std::uint8_t attribute, std::uint16_t value, Bytes) {
                if (attribute == barrierCount)
                    f.barriers = value;
            });
        }
        for (std::uint64_t at = 0; at + instructionBytes <= text.bytes.size(); at += instructionBytes) {
            const std::uint64_t low = *valueAt<std::uint64_t>(text.bytes, at);
            const std::uint64_t high = *valueAt<std::uint64_t>(text.bytes, at + 8);
            f.bits.push_back({low, high});
            f.code.push_back(decode(low, high, at, cubin.arch));
        }
        if (const auto table = source.extract(symbol.section))
            f.source = std::move(table.mapped());
        if (const auto table = ptx.extract(symbol.section))
            f.ptx = std::move(table.mapped());
        if (isOfPtxMarks(f.source))
            f.ptx = std::exchange(f.source, {});
        cubin.functions.push_back(std::move(f));
    }
    for (auto& [section, names] : inner)
        if (const auto function = taken.find(section); function != taken.end())
            cubin.functions[function->second].inner = std::move(names);
    if (const Section* text = elf->find(".nv_debug_ptx_txt"))
        cubin.ptx = linesOf(text->bytes);
    return cubin;
}

const Disassembled* saidOf(const Disassembly& texts, const std::string& function, std::size_t instruction) {
    const auto of = texts.find(function);
    if (of == texts.end())
        return nullptr;
    const auto said = of->second.find(instruction * instructionBytes);
    return said == of->second.end() ? nullptr : &said->second;
}

std::size_t Function::withoutFilling() const {
    constexpr std::uint16_t nop = 0x918;
    std::size_t end = code.size();
    while (end > 0 && code[end - 1].opcode == nop)
        --end;
    if (end > 0 && code[end - 1].flow == Flow::Branch && code[end - 1].target == (end - 1) * instructionBytes)
        --end;
    return end;
}

std::size_t Function::helpers() const {
    std::size_t first = code.size(), exit = code.size();
    for (std::size_t i = 0; i < code.size() && exit == code.size(); ++i)
        if (code[i].flow == Flow::Exit && code[i].guard == alwaysTrue)
            exit = i;
    const auto beginsAt = [](const LineTable& table, std::uint64_t address) {
        return std::ranges::binary_search(table.rows, address, {}, &LineRow::address);
    };
    for (const Instruction& in : code)
        if (in.flow == Flow::Call && in.target && *in.target % instructionBytes == 0)
            if (const std::uint64_t at = *in.target / instructionBytes;
                at > exit && !beginsAt(source, *in.target) && !beginsAt(ptx, *in.target))
                first = std::min<std::size_t>(first, at);
    return first;
}

std::map<std::string, std::size_t> countByMnemonic(const Function& function, unsigned arch) {
    std::map<std::string, std::size_t> counts;
    for (const Instruction& in : function.code) {
        const std::string_view name = mnemonic(in.opcode, arch);
        ++counts[name.empty() ? "?" : std::string(name)];
    }
    return counts;
}

} // namespace warpglass::machine
