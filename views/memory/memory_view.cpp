// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/memory/memory_view.h"

#include "views/common/agreeing.h"
#include "views/common/marks.h"
#include "views/memory/memory_paint.h"
#include "views/memory/memory_pinned.h"
#include "views/memory/memory_prediction.h"
#include "views/memory/memory_table.h"
#include "views/memory/memory_text.h"
#include "views/memory/tile_picture.h"

#include <algorithm>
#include <bit>

namespace warpglass {

namespace {

Choice<SpaceFilter> filterChoice() {
    return {"space",
            MemoryText::tr("memory"),
            {{SpaceFilter::All, "all", MemoryText::tr("all")},
             {SpaceFilter::Global, "global", MemoryText::tr("global")},
             {SpaceFilter::Shared, "shared", MemoryText::tr("shared")}}};
}

using AccessLines = std::vector<AccessLine>;

class MemoryPicture final : public Picture {
public:
    MemoryPicture(const PaintContext& c, const QRectF& on, ShownAccess shown, const MemoryPicture* previous)
        : Picture(c, on), m_filter(filterChoice().of(c.options)), m_shown(std::move(shown)),
          m_pinned(pinnedAccess(c, m_shown, m_filter)),
          m_layout(memoryLayout(on, &m_shown, lineHeight(c.theme.body()), m_pinned ? &*m_pinned : nullptr)) {
        const bool same = previous && previous->context.trace == c.trace && previous->m_filter == m_filter &&
                          previous->context.selection.launch == c.selection.launch;
        m_lines = same ? previous->m_lines
                       : std::make_shared<const AccessLines>(accessLines(*c.trace, c.selection.launch, m_filter));
    }

    void paint(QPainter& painter) const override {
        paintMemoryPicture(painter, m_layout, m_shown, *context.trace, context.selection.lane,
                           context.selection.followed.warp == m_shown.warp ? context.selection.followed.lane : -1,
                           context.theme, m_pinned ? &*m_pinned : nullptr);
        if (!m_layout.table.isEmpty())
            paintMemoryTable(painter, m_layout.table, *m_lines, m_shown, context.theme);
    }

    Spot spotAt(QPointF at) const override {
        Spot spot;
        if (m_layout.lanes.contains(at)) {
            const int lane = laneAt(at.x());
            Selection selection = context.selection;
            selection.warp = m_shown.warp;
            selection.lane = lane;
            spot.where = m_layout.laneCell(lane);
            spot.click = selecting(completed(selection, *context.trace));
            spot.toolTip = laneText(lane);
            if (m_shown.what.active.has(lane))
                spot.doubleAction = whoUsed(addressOf(lane));
            return spot;
        }
        const int row = memoryTableRowAt(m_layout.table, *m_lines, m_shown, at, context.theme);
        if (row >= 0) {
            Selection selection = context.selection;
            selection.ptxLine = (*m_lines)[std::size_t(row)].ptxLine;
            selection.sourceLine = (*m_lines)[std::size_t(row)].sourceLine;
            spot.click = selecting(selection);
        }
        for (const auto& line : m_layout.lineRows)
            for (const SectorUse& sector : m_shown.global.sectors) {
                const QRectF cell = m_layout.sectorCell(line, int(sector.address / 32 % 4));
                if (sector.address / 128 * 128 != line.address || !cell.contains(at))
                    continue;
                spot.where = cell;
                spot.toolTip =
                    agreeing(MemoryText::tr("sector 0x%1: %2 of 32 bytes used by %3 {lane|lanes}"),
                             QString::number(sector.address, 16), std::popcount(sector.bytes), sector.lanes.count());
                spot.action = whoUsed(sector.address + std::uint64_t(std::countr_zero(sector.bytes)));
                return spot;
            }
        for (const BankWord& word : m_shown.shared.words)
            if (!m_layout.passRows.empty() && m_layout.bankCell(word.pass, word.bank).contains(at)) {
                spot.where = m_layout.bankCell(word.pass, word.bank);
                spot.toolTip = agreeing(MemoryText::tr("bank %1, pass %2: word 0x%3 for %4 {lane|lanes}"), word.bank,
                                        word.pass + 1, QString::number(word.address, 16), word.lanes.count());
                spot.action = whoUsed(word.address);
                return spot;
            }
        return spot;
    }

    // Left and right go to the warp's neighbouring accesses.
    std::optional<Change> answer(const Input& input) const override {
        const auto* key = std::get_if<KeyInput>(&input);
        const bool left = key && (key->key == Qt::Key_Left || key->key == Qt::Key_A);
        const bool right = key && (key->key == Qt::Key_Right || key->key == Qt::Key_D);
        if (!left && !right)
            return std::nullopt;
        const Trace& trace = *context.trace;
        const auto next = neighbourAccess(trace, m_shown, m_filter, right ? 1 : -1);
        if (!next)
            return std::nullopt;
        Change change = unchanged();
        Selection& selection = change.selection;
        selection.warp = m_shown.warp;
        selection.time = trace.events.time(*next, trace.warps[m_shown.warp].start);
        selection.ptxLine = trace.sites[trace.events.site(*next)].ptxLine;
        selection.sourceLine = 0;
        selection = completed(selection, trace);
        return change;
    }

    QString csv() const override { return memoryTableCsv(*m_lines); }

private:
    int laneAt(qreal x) const {
        return std::min(int((x - m_layout.lanes.left()) / m_layout.laneWidth), lanesPerWarp - 1);
    }
    std::uint64_t addressOf(int lane) const {
        return context.trace->addresses(
            *m_shown.row)[std::size_t((m_shown.what.active & LaneMask::firstLanes(lane)).count())];
    }
    // The window answers it (app/window/who).
    QString whoUsed(std::uint64_t address) const {
        const QString word = QStringLiteral("who:0x%1").arg(address, 0, 16);
        const Warp& warp = context.trace->warps[m_shown.warp];
        return m_shown.row->space == MemorySpace::Shared
                   ? QStringLiteral("%1 of block %2").arg(word).arg(context.trace->blockOf(warp).index)
               : m_shown.row->space == MemorySpace::Global ? word
                                                           : QString();
    }
    QString laneText(int lane) const {
        if (!m_shown.what.active.has(lane))
            return MemoryText::tr("lane %1 does not access").arg(lane);
        return MemoryText::tr("lane %1: address 0x%2").arg(lane).arg(addressOf(lane), 0, 16);
    }

    SpaceFilter m_filter;
    ShownAccess m_shown;
    std::optional<ShownAccess> m_pinned; // the same in the run that is pinned
    MemoryLayout m_layout;
    std::shared_ptr<const AccessLines> m_lines;
};

// The access that is predicted, as far as it has been played.
class MemoryStagePicture final : public Picture {
public:
    MemoryStagePicture(const PaintContext& c, const QRectF& on, ShownAccess shown, int lines, double way)
        : Picture(c, on), m_shown(std::move(shown)), m_way(way),
          layout(memoryStageLayout(on, m_shown, lines, lineHeight(c.theme.body()))) {}
    void paint(QPainter& painter) const override {
        paintMemoryStage(painter, layout.parts, m_shown, *context.trace, m_way, context.theme);
    }

private:
    ShownAccess m_shown;
    double m_way;

public:
    const MemoryStageLayout layout;
};

class MemoryView final : public View {
public:
    QString key() const override { return QStringLiteral("memory"); }
    QString title() const override { return MemoryText::tr("Memory"); }
    QString question() const override {
        return MemoryText::tr("What does one access ask of the memory, and what is moved for it?");
    }
    QSizeF leastRoom(const PaintContext&) const override { return {480, 320}; }
    QVector<Switch> switches(const PaintContext& c) const override {
        QVector<Switch> all{memoryPage().dropDown()};
        if (!showsTile(c)) {
            all << filterChoice().dropDown();
            return all;
        }
        all << tileSource().dropDown();
        if (tileSource().of(c.options) == TileSource::Chosen)
            all << tileSwitches(c.options);
        return all;
    }
    std::optional<Prediction> prediction(const PaintContext& c) const override {
        return emptiness(c) || showsTile(c) ? std::nullopt
                                            : memoryPrediction(*c.trace, c.selection, filterChoice().of(c.options));
    }

    std::optional<PredictionStage> predictionStage(const PaintContext& c, const Prediction& asked, double way,
                                                   const QRectF& area, const Picture*) const override {
        const SpaceFilter filter = filterChoice().of(c.options);
        Selection then = c.selection;
        then.time = asked.moment;
        then.ptxLine = asked.ptxLine;
        std::optional<ShownAccess> shown = shownAccess(*c.trace, then, filter);
        if (!shown || shown->what.time != asked.moment || shown->ptxLine != asked.ptxLine)
            return std::nullopt;
        const auto picture = std::make_shared<const MemoryStagePicture>(c, area, std::move(*shown),
                                                                        int(asked.items.size()) / asked.columns, way);
        const MemoryStageLayout& layout = picture->layout;
        return layout.cells.size() == asked.items.size()
                   ? std::optional(PredictionStage{picture, layout.cells, asked.columns})
                   : std::nullopt;
    }

    // Hundreds of layouts are tried on each request.
    bool quick(const PaintContext& c, const Picture* previous) const override {
        return !showsTile(c) || emptiness(c) || serving(previous, c);
    }

    std::optional<Emptiness> emptiness(const PaintContext& c) const override {
        if (showsTile(c) && tileSource().of(c.options) == TileSource::Chosen)
            return std::nullopt;
        if (showsTile(c) && c.trace && !hasAccess(*c.trace, c.selection, SpaceFilter::Shared))
            return Emptiness{MemoryText::tr("No access to shared memory was recorded that could be laid out better."),
                             QStringLiteral("option:tile=chosen"), MemoryText::tr("Choose a pattern")};
        if (!c.trace)
            return Emptiness{MemoryText::tr("No kernel has been run yet."), QStringLiteral("run"),
                             MemoryText::tr("Run the chosen kernel")};
        if (hasAccess(*c.trace, c.selection, filterChoice().of(c.options)))
            return std::nullopt;
        const auto& counts = c.trace->counts;
        if (!c.trace->accesses.empty() && std::any_of(counts.begin(), counts.end(), [](const InstructionCount& count) {
                return count.space == MemorySpace::Texture && count.requests > 0;
            }))
            return Emptiness{
                MemoryText::tr("The recorded accesses are of textures and surfaces: how those lie in memory "
                               "is not published, so no sectors are drawn."),
                QStringLiteral("view:source"), MemoryText::tr("Show them line by line")};
        if (!c.trace->accesses.empty() && filterChoice().of(c.options) != SpaceFilter::All)
            return Emptiness{MemoryText::tr("No access that was recorded is of the kind of memory that is chosen."),
                             QStringLiteral("option:space=all"), MemoryText::tr("Show all memory")};
        if (c.trace->info.recordedAccesses && c.trace->accesses.empty())
            return Emptiness{MemoryText::tr("Accesses were recorded, and there were none: the blocks that were watched "
                                            "touch neither global nor shared memory."),
                             QStringLiteral("view:source"), MemoryText::tr("Show what they do")};
        return Emptiness{
            MemoryText::tr("This recording holds no addresses: they are kept for chosen blocks, when asked for."),
            QStringLiteral("accesses"), MemoryText::tr("Run again with addresses")};
    }
    // Totals of the launch are there without addresses, too.
    QString tableWithoutPicture(const PaintContext& c) const override {
        if (!c.trace || showsTile(c))
            return {};
        return memoryTableCsv(accessLines(*c.trace, c.selection.launch, filterChoice().of(c.options)));
    }

protected:
    PicturePtr makePicture(const PaintContext& c, const QRectF& area, Progress&,
                           const PicturePtr& previous) const override {
        if (showsTile(c)) {
            const ShownTilePtr known = serving(previous.get(), c);
            return std::make_shared<TilePicture>(c, area, known ? known : shownTile(c));
        }
        return std::make_shared<MemoryPicture>(c, area,
                                               *shownAccess(*c.trace, c.selection, filterChoice().of(c.options)),
                                               dynamic_cast<const MemoryPicture*>(previous.get()));
    }

private:
    static bool showsTile(const PaintContext& c) { return memoryPage().of(c.options) == MemoryPage::Tile; }
    static ShownTilePtr serving(const Picture* previous, const PaintContext& c) {
        const auto* last = dynamic_cast<const TilePicture*>(previous);
        return last && shows(*last->tile, c) ? last->tile : nullptr;
    }
};

} // namespace

std::unique_ptr<View> makeMemoryView() {
    return std::make_unique<MemoryView>();
}

} // namespace warpglass
