// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/machine/compact.h"
#include "gpu/machine/fate.h"
#include "gpu/machine/operations.h"
#include "gpu/ptx/parse.h"

#include "tests/fuzz/targets.h"

namespace warpglass::fuzz {

void cubin(std::string_view bytes) {
    const auto read = machine::readCubin(std::as_bytes(std::span(bytes)));
    if (!read)
        return;
    std::size_t code = 0;
    for (const machine::Function& f : read->functions) {
        code += f.code.size() * machine::instructionBytes;
        for (std::uint64_t i = 0; i < f.code.size(); ++i) {
            (void)machine::plainText(f.code[i], read->arch);
            for (const machine::LineTable* table : {&f.source, &f.ptx}) {
                const machine::LineRow* row = table->at(i * machine::instructionBytes);
                for (std::size_t depth = 0; row && row->inlinedAt != machine::noRow; ++depth) {
                    if (row->file >= table->files->size() || row->inlinedAt >= table->rows.size())
                        wrong("a line lies outside its table");
                    if (depth > table->rows.size())
                        wrong("a line is inlined into itself");
                    row = &table->rows[row->inlinedAt];
                }
            }
        }
    }
    if (code > bytes.size())
        wrong("there is more code than the file has");
    const auto small = machine::compact(std::as_bytes(std::span(bytes)), {});
    if (!small)
        return;
    const auto again = machine::readCubin(std::as_bytes(std::span(*small)));
    if (!again || again->functions.size() != read->functions.size())
        return; // sections that are called as no compiler calls them are left out
    std::string text;
    for (const std::string& line : read->ptx)
        text += line + "\n";
    const auto module = ptx::parse(text);
    for (std::size_t n = 0; n < read->functions.size(); ++n) {
        const machine::Function& f = read->functions[n];
        if (again->functions[n].bits != f.bits || again->functions[n].name != f.name)
            wrong("what a recording would keep is another function");
        const std::size_t some = std::min<std::size_t>(f.code.size(), 64);
        for (std::size_t i = 0; i < some; ++i)
            for (const std::uint32_t awaited : machine::awaited(f, i))
                if (awaited >= f.code.size())
                    wrong("an instruction waits for none");
        if (!module)
            continue;
        const machine::Fates fates = machine::fatesOf(f, read->arch, *module);
        for (const machine::PtxFate& fate : fates.lines) {
            (void)machine::wordsOf(fate, f, read->arch);
            for (const std::uint32_t of : fate.code)
                if (of >= f.code.size())
                    wrong("a line of PTX has code outside of the function");
        }
    }
}

} // namespace warpglass::fuzz
