// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/metrics/limit_pairs.h"

#include "gpu/base/csv.h"

namespace warpglass {

extern const char* const limitPairsText;

std::span<const LimitPair> limitPairs() {
    static const std::vector<LimitPair> pairs = [] {
        std::vector<LimitPair> read;
        std::string_view text = limitPairsText;
        int line = 1;
        nextCsvRecord(text, line); // the header
        while (!text.empty()) {
            const std::vector<std::string> fields = nextCsvRecord(text, line);
            if (fields.size() != 5)
                continue;
            if (const auto limit = parseEnum<Limit>(fields[0]))
                read.push_back({*limit, fields[1], fields[2], std::stod(fields[3]) / 100, std::stod(fields[4]) / 100});
        }
        return read;
    }();
    return pairs;
}

std::vector<LimitPair> limitPairs(Limit limit) {
    std::vector<LimitPair> of;
    for (const LimitPair& pair : limitPairs())
        if (pair.limit == limit)
            of.push_back(pair);
    return of;
}

} // namespace warpglass
