// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/launchmap/launchmap_scene.h"

#include "views/common/marks.h"
#include "views/common/ticks.h"
#include "views/launchmap/launchmap_state.h"
#include "views/launchmap/launchmap_text.h"

#include <algorithm>

namespace warpglass {

std::uint32_t shownLaunch(const Trace& trace, const Selection& selection) {
    if (selection.block < trace.blocks.size()) {
        return trace.blocks[selection.block].launch;
    }
    return selection.launch < trace.launches.size() ? selection.launch : 0;
}

int laneTableRows(Dim3 block) {
    return block.z > 1 ? 6 : 5;
}

LaneTableRow laneTableRow(int row, Dim3 block) {
    return row < 3 || block.z > 1 ? LaneTableRow(row) : LaneTableRow(row + 1);
}

const Block* LaunchMapScene::blockRow(std::uint32_t index) const {
    return index < launch->blockCount ? &trace->blocks[launch->firstBlock + index] : nullptr;
}

const Warp* LaunchMapScene::warpRow(std::uint32_t warpInBlock) const {
    const Block* b = block != noIndex ? blockRow(block) : nullptr;
    return b && warpInBlock < b->warpCount ? &trace->warps[b->firstWarp + warpInBlock] : nullptr;
}

BlockState LaunchMapScene::stateOf(const Block& b) const {
    const BlockState state = blockState(b, now);
    return state == BlockState::Resident && arrivals.isToCome(b.index, b.start) ? BlockState::Waiting : state;
}

BlockCounts LaunchMapScene::counts() const {
    BlockCounts counts = model->counts(now);
    const std::uint64_t coming = std::min<std::uint64_t>(arrivals.toCome(), counts.resident);
    counts.resident -= coming;
    counts.waiting += coming;
    return counts;
}

std::uint32_t LaunchMapScene::blockIn(int sm, int place) const {
    const std::uint32_t held = model->blockIn(sm, place, now);
    const Block* b = held != noIndex ? blockRow(held) : nullptr;
    return b && arrivals.isToCome(held, b->start) ? noIndex : held;
}

namespace {

// A launch that was dropped may have asked for anything, and for more than anybody could draw: nothing of it is drawn.
Dim3 drawable(Dim3 asked, Dim3 most, std::uint64_t count) {
    const bool each = asked.x <= most.x && asked.y <= most.y && asked.z <= most.z;
    return each && asked.count() <= count ? asked : Dim3{0, 1, 1};
}

} // namespace

LaunchMapScene launchMapScene(const QRectF& area, const PaintContext& context, LaunchMapModelPtr model,
                              LaunchMapGhostPtr ghost, std::optional<LaunchMapParts> parts, LaunchMapPinnedPtr pinned) {
    LaunchMapScene s;
    const Trace& trace = *context.trace;
    s.trace = &trace;
    s.launchRow = shownLaunch(trace, context.selection);
    s.launch = &trace.launches[s.launchRow];
    s.model = std::move(model);
    s.ghost = std::move(ghost);
    s.pinned = std::move(pinned);
    s.theme = context.theme;
    s.arrivals = arrivalsOf(*s.model, context.selection);
    s.now = timeShown(context.selection);
    s.playing = context.selection.motion.playing;
    if (const FollowedThread& thread = context.selection.followed; thread.warp < trace.warps.size()) {
        const Warp& warp = trace.warps[thread.warp];
        if (trace.blocks[warp.block].launch == s.launchRow) {
            s.followedBlock = trace.blocks[warp.block].index;
            s.followedWarp = warp.warpInBlock;
            s.followedLane = thread.lane;
        }
    }
    const LaunchMapState state = launchMapState(context.options);
    s.colourBySm = state.colourBySm;

    const qreal line = lineHeight(s.theme.small());
    const Dim3 block = drawable(s.launch->block, {1024, 1024, 64}, 1024);
    s.threads = threadLayout(block);
    LaunchMapParts shown = parts.value_or(state.parts);
    if (shown == LaunchMapParts::Auto)
        shown = context.paper || s.launch->grid.count() <= 1 ? LaunchMapParts::All : LaunchMapParts::Device;
    s.layout = launchMapLayout(area, line, shown, laneTableRows(block), s.threads.warps, s.ghost != nullptr);
    s.grid = gridGeometry(drawable(s.launch->grid, {0x7fffffff, 65535, 65535}, UINT64_MAX), s.layout.grid, state.zoom,
                          1.3 * line);
    s.device = deviceGeometry(s.layout.device, s.model->smCount(), s.model->placesPerSm(), line,
                              textWidth(s.theme.small(), QStringLiteral("000")));
    TimeRange visible = s.model->range();
    if (s.ghost) // its end is to be seen, too
        visible.end = std::max(visible.end, visible.begin + s.ghost->times.recorded);
    if (s.pinned)
        visible.end = std::max(visible.end, visible.begin + s.pinned->model->range().length());
    const TimeRange wanted = context.selection.visible;
    if (wanted.end > wanted.begin && wanted.begin < visible.end && wanted.end > visible.begin) {
        visible = wanted;
    }
    s.chart = {visible, s.layout.chart.left(), std::max(1.0, s.layout.chart.width())};
    s.threadCells = threadGeometry(block, s.layout.threads, 1.2 * line, 2 * line);
    const QString widest = LaunchMapText::tr("warp %1").arg(std::max(0, int(s.threads.warps) - 1));
    const qreal warpLabel = textWidth(s.theme.small(), widest) + 0.8 * line;
    const qreal tableLabel =
        std::max(warpLabel, textWidth(s.theme.small(), QStringLiteral("threadIdx.x")) + 0.6 * line);
    s.warps = warpGeometry(s.layout.warps, s.threads.warps, warpLabel, line);
    if (s.warps.columns == 1) { // lanes of the rows and of the table stand above each other
        s.warps = warpGeometry(s.layout.warps, s.threads.warps, tableLabel, line);
    }
    s.lanes = laneTableGeometry(s.layout.lanes, tableLabel, laneTableRows(block));

    const Selection& sel = context.selection;
    if (sel.block < trace.blocks.size()) {
        s.block = trace.blocks[sel.block].index;
        if (sel.warp < trace.warps.size() && trace.warps[sel.warp].block == sel.block) {
            s.warp = trace.warps[sel.warp].warpInBlock;
            s.warpChosen = true;
        }
    }
    if (!s.warpChosen) { // a warp of a block without detail has no row; the view remembers it by number
        s.warpChosen = state.warp >= 0 && std::uint32_t(state.warp) < s.threads.warps;
        s.warp = s.warpChosen ? std::uint32_t(state.warp) : 0;
    }
    s.lane = sel.lane;
    return s;
}

QString shapeText(Dim3 s) {
    QString text = numberText(std::uint64_t(s.x));
    if (s.y > 1 || s.z > 1) {
        text += QStringLiteral(" × ") + numberText(std::uint64_t(s.y));
    }
    if (s.z > 1) {
        text += QStringLiteral(" × ") + numberText(std::uint64_t(s.z));
    }
    return text;
}

QString stateName(BlockState state) {
    switch (state) {
    case BlockState::Waiting:
        return LaunchMapText::tr("waiting");
    case BlockState::Resident:
        return LaunchMapText::tr("resident");
    case BlockState::Done:
        return LaunchMapText::tr("done");
    case BlockState::NotRun:
        return LaunchMapText::tr("not run");
    }
    return {};
}

QString timeOf(const LaunchMapScene& scene, Time t) {
    return momentText(*scene.trace, t);
}

QString spanOf(const LaunchMapScene& scene, Time length) {
    return timeText(length, scene.trace->info.timeUnit);
}

QColor mixed(const QColor& a, const QColor& b, qreal share) {
    const auto part = [share](int x, int y) { return int(x + (y - x) * share + 0.5); };
    return {part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue())};
}

QColor smColour(int sm, const Theme& theme) {
    return theme.category(sm);
}
QColor warpColour(std::uint32_t warp, const Theme& theme) {
    return theme.category(int(warp % 8));
}

QColor blockColour(const LaunchMapScene& s, const Block& block) {
    const BlockState state = s.stateOf(block);
    if (state == BlockState::Waiting || state == BlockState::NotRun) {
        return mixed(s.theme.panel, s.theme.border, 0.35);
    }
    const bool done = state == BlockState::Done;
    if (s.colourBySm) {
        const QColor c = smColour(block.sm, s.theme);
        return done ? mixed(c, s.theme.panel, 0.68) : c;
    }
    return done ? mixed(s.theme.textMuted, s.theme.panel, 0.6) : s.theme.accent;
}

// Four states in four shapes, so that they are told apart without colour: an outline waits, a full tile is resident, a
// tile that has shrunk is done, a hatched one never ran.
void paintTile(QPainter& painter, const QRectF& tile, BlockState state, const QColor& colour, const Theme& theme) {
    const qreal side = std::min(tile.width(), tile.height());
    const qreal gap = side >= 8 ? 1 : 0.5, radius = side >= 10 ? 2 : 0;
    const QRectF r = tile.adjusted(gap, gap, -gap, -gap);
    if (state == BlockState::NotRun && side >= 4) {
        paintHatch(painter, r, Hatch::Diagonal, theme.textMuted);
    }
    if (state == BlockState::Waiting || state == BlockState::NotRun) {
        if (radius == 0 && state == BlockState::NotRun) {
            return;
        }
        if (radius == 0) {
            painter.fillRect(r, theme.border);
            painter.fillRect(r.adjusted(1, 1, -1, -1), theme.panel);
            return;
        }
        painter.setPen(QPen(theme.border, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(r.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
        return;
    }
    const qreal inset = state == BlockState::Done ? std::min(std::max(1.0, side * 0.14), 6.0) : 0;
    if (radius == 0) {
        painter.fillRect(r.adjusted(inset, inset, -inset, -inset), colour);
        return;
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawRoundedRect(r.adjusted(inset, inset, -inset, -inset), radius, radius);
}

QString fittedTitle(const QString& title, const QFont& font, qreal room) {
    QString fitted = title;
    for (qsizetype at = 0; textWidth(font, fitted) + 2 > room;) {
        at = std::max(fitted.lastIndexOf(QLatin1String(", ")), fitted.lastIndexOf(QChar(0xff0c)));
        if (at <= 0)
            return fitted;
        fitted.truncate(at);
    }
    return fitted;
}

void paintPanelTitle(QPainter& painter, const QRectF& where, const QString& title, const QString& remark,
                     std::optional<Origin> origin, const Theme& theme) {
    if (where.isEmpty()) {
        return;
    }
    QFont bold = theme.body();
    bold.setBold(true);
    qreal right = where.right();
    const qreal centre = where.center().y();
    // The number goes before its chip; what else the title tells stands aside for both.
    QString shown = title;
    if (origin) {
        const qreal width = chipWidth(originName(*origin), theme);
        shown = fittedTitle(title, bold, where.width() - width - 6);
        if (textWidth(bold, shown) + 2 > where.width() - width - 6)
            origin.reset();
    }
    if (!origin)
        shown = fittedTitle(title, bold, where.width());
    if (origin) {
        const qreal width = chipWidth(originName(*origin), theme);
        paintOriginChip(painter, {right - width, centre - chipHeight(theme) / 2}, *origin, theme);
        right -= width + 6;
    }
    const qreal used = std::min(textWidth(bold, shown) + 2, right - where.left());
    paintText(painter, {where.left(), where.top(), used, where.height()}, shown, bold, theme.text);
    const qreal left = where.left() + used + 10;
    // A remark that is cut off says nothing; its last parts go whole.
    QString said = remark;
    while (!said.isEmpty() && textWidth(theme.small(), said) > right - left)
        said.truncate(std::max<qsizetype>(0, said.lastIndexOf(QStringLiteral(" · "))));
    if (!said.isEmpty()) {
        paintText(painter, {left, where.top(), right - left, where.height()}, said, theme.small(), theme.textMuted,
                  Qt::AlignRight | Qt::AlignVCenter);
    }
}

} // namespace warpglass
