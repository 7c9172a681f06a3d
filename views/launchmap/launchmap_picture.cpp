// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/launchmap/launchmap_picture.h"

#include "views/common/beside.h"
#include "views/common/marks.h"
#include "views/common/shown_words.h"
#include "views/common/time_chip.h"
#include "views/launchmap/launchmap_text.h"

#include <algorithm>

namespace warpglass {
namespace {

constexpr qreal compareGap = 12;

std::array<QRectF, 2> halves(const QRectF& area) {
    const qreal width = (area.width() - compareGap) / 2;
    return {QRectF(area.left(), area.top(), width, area.height()),
            QRectF(area.right() - width, area.top(), width, area.height())};
}

void outline(QPainter& painter, const QRectF& r, const Theme& theme) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.window, 3.5));
    painter.drawRect(r);
    painter.setPen(QPen(theme.text, 1.5));
    painter.drawRect(r);
}

QRectF grown(QRectF r, qreal least) {
    const qreal dx = std::max(0.0, (least - r.width()) / 2), dy = std::max(0.0, (least - r.height()) / 2);
    return r.adjusted(-dx, -dy, dx, dy);
}

void overlayScene(QPainter& painter, const LaunchMapScene& s, QPointF at) {
    if (const auto block = s.grid.blockAt(at)) {
        if (const Block* b = s.blockRow(std::uint32_t(*block))) {
            outline(painter, grown(s.grid.tileRect(*block), 5), s.theme);
            outline(painter, s.device.smRect(b->sm), s.theme);
        }
    } else if (const int sm = s.device.smAt(at); sm >= 0) {
        outline(painter, s.device.smRect(sm), s.theme);
        for (int place = 0; place < s.device.places; ++place) {
            const std::uint32_t b = s.blockIn(sm, place);
            if (b != noIndex && s.grid.area.contains(s.grid.tileRect(b).center())) {
                outline(painter, grown(s.grid.tileRect(b), 5), s.theme);
            }
        }
    } else if (s.layout.chart.contains(at)) {
        painter.setPen(QPen(s.theme.text, 1, Qt::DashLine));
        painter.drawLine(QPointF(at.x(), s.layout.chart.top()), QPointF(at.x(), s.layout.chart.bottom()));
    } else {
        std::optional<std::pair<std::uint32_t, int>> lane = s.warps.laneAt(at);
        if (const auto thread = s.threadCells.threadAt(at)) {
            lane = {s.threads.warpOf(*thread), s.threads.laneOf(*thread)};
        } else if (const int n = s.lanes.laneAt(at); n >= 0) {
            lane = {s.warp, n};
        }
        if (!lane || lane->second < 0) {
            return;
        }
        outline(painter, s.warps.laneRect(lane->first, lane->second), s.theme);
        if (const auto thread = s.threads.thread(lane->first, lane->second); thread && !s.layout.threads.isEmpty()) {
            outline(painter, s.threadCells.threadRect(*thread), s.theme);
        }
    }
}

void paintScene(QPainter& painter, const LaunchMapScene& s, const QString& title) {
    const QString kernel = shown(QString::fromStdString(s.trace->kernelOf(*s.launch).name));
    QFont font = s.theme.title();
    paintPanelTitle(painter, {}, {}, {}, std::nullopt, s.theme);
    const auto paintHead = [&] {
        painter.setFont(font);
        const QRectF& where = s.layout.title;
        const QRectF& chips = s.layout.chips;
        QString text = title + QStringLiteral(" · ") + kernel;
        if (s.trace->launches.size() > 1) {
            const QString which =
                LaunchMapText::tr(" (launch %1 of %2)").arg(s.launchRow + 1).arg(s.trace->launches.size());
            if (textWidth(font, text + which) + 1 <= chips.right() - where.left())
                text += which;
        }
        // The kernel's name first: what is said of the device yields to it.
        const qreal wide = std::clamp(textWidth(font, text) + 1, 0.0, chips.right() - where.left());
        paintText(painter, {where.left(), where.top(), wide, where.height()}, text, font, s.theme.text);
        const QString name = shown(QString::fromStdString(s.trace->info.deviceName));
        QString device = name;
        if (s.placed() == Origin::Measured) {
            device += QStringLiteral(" · ± ") +
                      spanOf(s, Time{std::max(s.trace->info.clockResidual, s.trace->info.clockStep)});
        } else if (s.trace->info.timeUnit == TimeUnit::Steps) {
            device += QStringLiteral(" · ") + LaunchMapText::tr("time in steps, a warp-instruction each");
        }
        if (isDebugBuild(s.trace->info))
            device += QStringLiteral(" · ") + LaunchMapText::tr("debug build");
        painter.setFont(s.theme.small());
        painter.setPen(s.theme.textMuted);
        const qreal room = chips.right() - where.left() - wide - 12;
        if (textWidth(s.theme.small(), device) > room)
            device = name;
        if (textWidth(s.theme.small(), device) <= room)
            painter.drawText(QRectF(chips.right() - room, chips.top(), room, chips.height()),
                             Qt::AlignRight | Qt::AlignVCenter, device);
    };
    paintHead();
    if (s.ghost) {
        const QRectF& where = s.layout.ghost;
        const QRectF chip = paintOriginChip(painter, {where.left(), where.center().y() - chipHeight(s.theme) / 2},
                                            Origin::Measured, s.theme);
        const QRectF room(chip.right() + 10, where.top(), where.right() - chip.right() - 10, where.height());
        const double width = paintGhostKey(nullptr, room, s.ghost->times, s.theme);
        if (width <= room.width()) // else the chip alone, and the tool tips
            paintGhostKey(&painter, QRectF(room.left(), room.top(), width, room.height()), s.ghost->times, s.theme);
    }
    paintGrid(painter, s);
    paintDevice(painter, s);
    paintResidency(painter, s);
    paintBalance(painter, s);
    paintThreads(painter, s);
    paintWarps(painter, s);
    paintLaneTable(painter, s);
    paintLeader(painter, s);
    paintArrivals(painter, s);
    paintFollowedThread(painter, s);
}

} // namespace

LaunchMapPicture::LaunchMapPicture(const PaintContext& c, const QRectF& on, const LaunchMapModels& models,
                                   const LaunchMapGhostPtr& ghost, const LaunchMapPinnedPtr& pinned)
    : Picture(c, on) {
    if (!models[1]) {
        m_scenes.push_back(launchMapScene(on, c, models[0], ghost, std::nullopt, pinned));
        return;
    }
    const auto parts = halves(on);
    const PaintContext other = contextOfOther(c);
    m_otherSelection = other.selection;
    m_scenes.push_back(launchMapScene(parts[0], c, models[0]));
    m_scenes.push_back(launchMapScene(parts[1], other, models[1]));
}

LaunchMapModelPtr LaunchMapPicture::modelOf(const TracePtr& trace, std::uint32_t launch) const {
    for (const LaunchMapScene& s : m_scenes) {
        if (s.trace == trace.get() && s.launchRow == launch) {
            return s.model;
        }
    }
    return nullptr;
}

std::size_t LaunchMapPicture::sceneIndexAt(QPointF at) const {
    return m_scenes.size() > 1 && at.x() >= halves(area)[1].left() ? 1 : 0;
}

void LaunchMapPicture::paint(QPainter& painter) const {
    if (m_scenes.size() == 1) {
        paintScene(painter, m_scenes[0], LaunchMapText::tr("Where the blocks went"));
        return;
    }
    paintScene(painter, m_scenes[0], LaunchMapText::tr("A"));
    paintScene(painter, m_scenes[1], LaunchMapText::tr("B"));
    painter.setPen(QPen(context.theme.border, 1));
    painter.drawLine(QPointF(area.center().x(), area.top() + 8), QPointF(area.center().x(), area.bottom() - 8));
}

void LaunchMapPicture::paintOverlay(QPainter& painter, QPointF pointer) const {
    if (area.contains(pointer)) {
        overlayScene(painter, m_scenes[sceneIndexAt(pointer)], pointer);
    }
}

// A wave at a time, and in it as many blocks come and go in one beat as in the next: however short the moment is in which
// a wave fills the device, it is seen to fill.
std::vector<Beat> LaunchMapPicture::beats() const {
    constexpr std::size_t mostChanges = 64, mostWaves = 32;
    constexpr double beginOfWave = 2; // beats
    const LaunchMapScene& s = m_scenes.front();
    std::vector<Time> changes;
    for (const Block& block : s.trace->blocksOf(*s.launch))
        if (s.model->range().begin <= block.start && block.start <= block.end) {
            changes.push_back(block.start);
            changes.push_back(block.end);
        }
    std::vector<Beat> beats = beatsOf(std::move(changes), mostChanges);
    const std::uint64_t waves = s.model->waves().count();
    for (std::uint64_t k = 0; k < waves && waves <= mostWaves; ++k) {
        const Beat wave{s.model->waveStart(k), beginOfWave};
        const auto at = std::lower_bound(beats.begin(), beats.end(), wave,
                                         [](const Beat& a, const Beat& b) { return a.time < b.time; });
        if (at != beats.end() && at->time == wave.time)
            at->weight = wave.weight;
        else
            beats.insert(at, wave);
    }
    return beats;
}

QString LaunchMapPicture::csv() const {
    return launchMapCsv(*context.trace, *m_scenes[0].model);
}

} // namespace warpglass
