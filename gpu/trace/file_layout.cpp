// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/trace/file_layout.h"

namespace warpglass {

std::vector<std::string> traceTables() {
    std::vector<std::string> statements{chunksSchema, tablesSchema, oldLanesSchema};
    Trace trace;
    FlatRows flat;
    forEachSmallTable(trace, flat, [&]<typename Row>(const char* table, const std::vector<Row>&) {
        statements.push_back(createStatement<Row>(table));
    });
    return statements;
}

} // namespace warpglass
