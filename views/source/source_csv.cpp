// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/marks.h"
#include "views/source/machine_listing.h"

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

QString machineCsv(const MachineListing& machine) {
    QString out = QStringLiteral(
        "machine_place,ptx_line,source_line,ptx_executions_warps,executed_warps,executed_lanes,modelled_stalled_cycles,"
        "stall_samples,stall_reasons,live_registers,stall_cycles,yields,waits,writes,reads,spill,code\n");
    for (int n = 0; n < machine.rows.size(); ++n) {
        const MachineRow& row = machine.rows[n];
        const machine::Control& c = machine.sight->code().code[std::size_t(n)].control;
        QString waits;
        for (int b = 0; b < 6; ++b)
            if (c.waits >> b & 1)
                waits += (waits.isEmpty() ? QString() : QStringLiteral(" ")) + QString::number(b);
        QStringList reasons;
        for (const auto& [reason, count] : row.samples)
            reasons << reason + QLatin1Char(' ') + QString::number(count);
        const auto sets = [](std::uint8_t s) { return s == machine::noScoreboard ? QString() : QString::number(s); };
        const QStringList fields{QStringLiteral("0x") + placeText(n + 1),
                                 QString::number(row.ptx),
                                 QString::number(row.source),
                                 QString::number(row.executions),
                                 row.counted ? QString::number(row.warps) : QString(),
                                 row.counted ? QString::number(row.lanes) : QString(),
                                 QString::number(row.stalled),
                                 QString::number(row.sampled),
                                 csvField(reasons.join(QStringLiteral("; "))),
                                 row.live ? QString::number(row.live) : QString(),
                                 QString::number(c.stall),
                                 QString::number(int(c.yields)),
                                 waits,
                                 sets(c.writes),
                                 sets(c.reads),
                                 QString::number(int(row.spill)),
                                 csvField(machine.listing.lines[n].text)};
        out += fields.join(QLatin1Char(',')) + QLatin1Char('\n');
    }
    return out;
}

} // namespace warpglass
