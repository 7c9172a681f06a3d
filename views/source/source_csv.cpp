// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/marks.h"
#include "views/source/listing.h"

namespace warpglass {

QString listingsCsv(const Listings& listings) {
    QString out = QStringLiteral("text,line,source_line,executions_warps,warp_instructions,lanes,lanes_on_percent,"
                                 "divergent,requests,sectors_32B,"
                                 "shared_requests,shared_passes,inlined_warp_instructions,origin,code\n");
    for (const bool ptx : {false, true}) {
        const Listing& listing = ptx ? listings.ptx : listings.source;
        for (int n = 1; n <= listing.lines.size(); ++n) {
            const ListingLine& line = listing.lines[n - 1];
            const LineCount& k = line.count;
            if (!k.any())
                continue;
            const QStringList fields{ptx ? QStringLiteral("ptx") : QStringLiteral("source"),
                                     QString::number(n),
                                     QString::number(ptx ? listings.sourceOfPtx[n] : std::uint32_t(n)),
                                     QString::number(k.executions),
                                     QString::number(k.issued),
                                     QString::number(k.lanes),
                                     QString::number(100 * k.lanesOn(), 'f', 3),
                                     QString::number(k.divergent),
                                     QString::number(k.requests),
                                     QString::number(k.sectors),
                                     QString::number(k.sharedRequests),
                                     QString::number(k.passes),
                                     QString::number(k.inlined),
                                     QStringLiteral("counted"),
                                     csvField(line.text.trimmed())};
            out += fields.join(QLatin1Char(',')) + QLatin1Char('\n');
        }
    }
    return out;
}

} // namespace warpglass
