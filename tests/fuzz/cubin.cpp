// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/machine/cubin.h"

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
}

} // namespace warpglass::fuzz
