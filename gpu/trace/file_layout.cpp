// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/trace/file_layout.h"

namespace warpglass {

const std::vector<std::string>& traceTables() {
    static const std::vector<std::string> all = [] {
        std::vector<std::string> statements{chunksSchema, tablesSchema, oldLanesSchema, textsSchema,
                                            createStatement<KernelTextsRow>("kernel_texts", traceFileVersion)};
        Trace trace;
        FlatRows flat;
        forEachSmallTable(trace, flat, [&]<typename Row>(const char* table, const std::vector<Row>&) {
            statements.push_back(createStatement<Row>(table, traceFileVersion));
            if (std::string older = createStatement<Row>(table, 1); older != statements.back())
                statements.push_back(std::move(older));
        });
        return statements;
    }();
    return all;
}

} // namespace warpglass
