// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/launchmap/launchmap_view.h"

#include "views/common/beside.h"
#include "views/launchmap/capacity.h"
#include "views/launchmap/launchmap_scene.h"

#include <QMutex>

#include <algorithm>
#include <array>

namespace warpglass {
namespace {

constexpr qreal compareGap = 12;

// In compare mode two pictures stand side by side, each with its own trace, in step (beside.h).
bool comparing(const PaintContext& context) {
    return context.other && !context.other->launches.empty();
}

std::array<QRectF, 2> halves(const QRectF& area) {
    const qreal width = (area.width() - compareGap) / 2;
    return {QRectF(area.left(), area.top(), width, area.height()),
            QRectF(area.right() - width, area.top(), width, area.height())};
}

// The half under the pointer, with the context it is painted from.
struct Half {
    QRectF area;
    PaintContext context;
    bool second = false;
};

Half halfAt(const QRectF& area, const PaintContext& context, QPointF at) {
    if (!comparing(context)) {
        return {area, context, false};
    }
    const auto parts = halves(area);
    if (at.x() >= parts[1].left()) {
        return {parts[1], contextOfOther(context), true};
    }
    Half first{parts[0], context, false};
    first.context.other = nullptr;
    return first;
}

Selection withBlock(const LaunchMapScene& s, Selection selection, std::uint32_t index) {
    selection.launch = s.launchRow;
    const std::uint32_t row = s.launch->firstBlock + index;
    if (selection.block != row) {
        selection.warp = noIndex;
        selection.lane = -1;
    }
    selection.block = row;
    return selection;
}

// The block whose lanes are meant when none is chosen: the first with detail, or the first.
std::uint32_t blockForLanes(const LaunchMapScene& s) {
    if (s.block != noIndex) {
        return s.block;
    }
    for (std::uint32_t i = 0; i < std::min<std::uint32_t>(s.launch->blockCount, 4096); ++i) {
        if (s.blockRow(i)->warpCount) {
            return i;
        }
    }
    return 0;
}

Selection withLane(const LaunchMapScene& s, Selection selection, std::uint32_t warp, int lane) {
    if (s.launch->blockCount == 0) {
        return selection;
    }
    selection = withBlock(s, selection, blockForLanes(s));
    const Block& b = s.trace->blocks[selection.block];
    selection.warp = warp < b.warpCount ? b.firstWarp + warp : noIndex;
    selection.lane = lane >= 0 && s.threads.thread(warp, lane) ? lane : -1;
    return selection;
}

Selection hitScene(const LaunchMapScene& s, const Selection& selection, QPointF at) {
    if (s.layout.grid.contains(at)) {
        const auto block = s.grid.blockAt(at);
        return block && s.blockRow(std::uint32_t(*block)) ? withBlock(s, selection, std::uint32_t(*block)) : selection;
    }
    if (const int sm = s.device.smAt(at); sm >= 0) {
        std::uint32_t block = s.model->blockIn(sm, s.device.placeAt(sm, at), s.now);
        for (int place = 0; block == noIndex && place < s.device.places && s.device.placeAt(sm, at) < 0; ++place) {
            block = s.model->blockIn(sm, place, s.now);
        }
        return block != noIndex ? withBlock(s, selection, block) : selection;
    }
    if (s.layout.chart.contains(at)) {
        Selection changed = selection;
        changed.time = std::clamp(s.chart.time(at.x()), s.model->range().begin, s.model->range().end);
        return changed;
    }
    if (const auto thread = s.threadCells.threadAt(at)) {
        return withLane(s, selection, s.threads.warpOf(*thread), s.threads.laneOf(*thread));
    }
    if (const auto lane = s.warps.laneAt(at)) {
        return withLane(s, selection, lane->first, lane->second);
    }
    if (const int lane = s.lanes.laneAt(at); lane >= 0) {
        return withLane(s, selection, s.warp, lane);
    }
    return selection;
}

// Moves the chosen block by tiles, within the grid as drawn.
bool moveBlock(const LaunchMapScene& s, PaintContext& context, int dx, int dy) {
    const std::uint64_t n = s.launch->blockCount;
    if (n == 0) {
        return false;
    }
    if (s.block == noIndex) {
        context.selection = withBlock(s, context.selection, 0);
        return true;
    }
    const std::int64_t to = std::int64_t(s.block) + dx + dy * std::int64_t(s.grid.columns);
    if (to < 0 || to >= std::int64_t(n)) {
        return false;
    }
    context.selection = withBlock(s, context.selection, std::uint32_t(to));
    return true;
}

bool moveLane(const LaunchMapScene& s, PaintContext& context, int dLane, int dWarp) {
    const std::int64_t warps = s.threads.warps;
    const std::int64_t warp = std::clamp<std::int64_t>(std::int64_t(s.warp) + (s.warpChosen ? dWarp : 0), 0,
                                                       std::max<std::int64_t>(0, warps - 1));
    const int lane = std::clamp(s.lane + dLane, 0, int(s.threads.threadsIn(std::uint32_t(warp))) - 1);
    context.options[QStringLiteral("warp")] = int(warp);
    context.selection = withLane(s, context.selection, std::uint32_t(warp), lane);
    return true;
}

bool setVisible(PaintContext& context, const TimeRange& range, const TimeRange& whole) {
    const TimeRange next = range == whole ? TimeRange{} : range;
    const bool changed = !(context.selection.visible == next);
    context.selection.visible = next;
    return changed;
}

bool setZoom(PaintContext& context, const LaunchMapScene& s, const GridZoom& zoom, qreal gap) {
    const GridGeometry next = gridGeometry(s.launch->grid, s.grid.area, zoom, gap);
    if (next.zoom == s.grid.zoom) {
        return false;
    }
    setGridZoom(context, next.zoom);
    return true;
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
            const std::uint32_t b = s.model->blockIn(sm, place, s.now);
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
    const QString kernel = QString::fromStdString(s.trace->kernelOf(*s.launch).name);
    QFont font = s.theme.title();
    paintPanelTitle(painter, {}, {}, {}, std::nullopt, s.theme);
    const auto paintHead = [&] {
        painter.setFont(font);
        const QRectF& where = s.layout.title;
        QString text = title + QStringLiteral(" · ") + kernel;
        if (s.trace->launches.size() > 1) {
            text += say(" (launch %1 of %2)").arg(s.launchRow + 1).arg(s.trace->launches.size());
        }
        painter.setPen(s.theme.text);
        painter.drawText(where, Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetricsF(font).elidedText(text, Qt::ElideRight, where.width()));
        QString device = QString::fromStdString(s.trace->info.deviceName);
        if (s.placed() == Origin::Measured) {
            device += QStringLiteral(" · ± ") +
                      spanOf(s, Time{std::max(s.trace->info.clockResidual, s.trace->info.clockStep)});
        } else if (s.trace->info.timeUnit == TimeUnit::Steps) {
            device += QStringLiteral(" · ") + say("time in steps, a warp-instruction each");
        }
        painter.setFont(s.theme.small());
        painter.setPen(s.theme.textMuted);
        const QRectF& right = s.layout.chips;
        painter.drawText(right, Qt::AlignRight | Qt::AlignVCenter,
                         QFontMetricsF(s.theme.small()).elidedText(device, Qt::ElideMiddle, right.width()));
    };
    paintHead();
    paintGrid(painter, s);
    paintDevice(painter, s);
    paintResidency(painter, s);
    paintBalance(painter, s);
    paintThreads(painter, s);
    paintWarps(painter, s);
    paintLaneTable(painter, s);
    paintLeader(painter, s);
}

} // namespace

struct LaunchMapView::Cache {
    struct Entry {
        TracePtr trace;
        std::uint32_t launch = noIndex;
        LaunchMapModelPtr model;
    };
    QMutex mutex;
    std::array<Entry, 2> entries; // two traces may stand side by side
    std::size_t next = 0;
};

LaunchMapView::LaunchMapView() : m_cache(std::make_unique<Cache>()) {}
LaunchMapView::~LaunchMapView() = default;

std::unique_ptr<View> makeLaunchMapView() {
    return std::make_unique<LaunchMapView>();
}

QString LaunchMapView::title() const {
    return say("Launch map");
}
QString LaunchMapView::question() const {
    return say("Which threads share a warp, where did each block run, and why did the last wave waste the GPU?");
}

LaunchMapModelPtr LaunchMapView::modelOf(const TracePtr& trace, std::uint32_t launch) const {
    {
        const QMutexLocker lock(&m_cache->mutex);
        for (const Cache::Entry& e : m_cache->entries) {
            if (e.trace == trace && e.launch == launch) {
                return e.model;
            }
        }
    }
    // Built without the lock: whoever asks prepared() meanwhile must not wait.
    auto model = std::make_shared<LaunchMapModel>(*trace, launch, blocksThatFit(*trace, launch));
    const QMutexLocker lock(&m_cache->mutex);
    m_cache->entries[m_cache->next] = {trace, launch, model};
    m_cache->next = (m_cache->next + 1) % m_cache->entries.size();
    return model;
}

// Below this many blocks the model is there before anybody could notice that it was not.
bool LaunchMapView::prepared(const PaintContext& context) const {
    constexpr std::uint32_t atOnce = 200'000;
    const auto ready = [this](const TracePtr& trace, std::uint32_t launch) {
        if (trace->launches[launch].blockCount <= atOnce) {
            return true;
        }
        const QMutexLocker lock(&m_cache->mutex);
        return std::any_of(m_cache->entries.begin(), m_cache->entries.end(),
                           [&](const Cache::Entry& e) { return e.trace == trace && e.launch == launch; });
    };
    if (emptiness(context)) {
        return true;
    }
    return ready(context.trace, shownLaunch(*context.trace, context.selection)) &&
           (!comparing(context) || ready(context.other, contextOfOther(context).selection.launch));
}

void LaunchMapView::prepare(const PaintContext& context, Progress&) const {
    if (!emptiness(context)) {
        modelOf(context.trace, shownLaunch(*context.trace, context.selection));
        if (comparing(context)) {
            modelOf(context.other, contextOfOther(context).selection.launch);
        }
    }
}

LaunchMapScene LaunchMapView::scene(const QRectF& area, const PaintContext& context) const {
    return launchMapScene(area, context, modelOf(context.trace, shownLaunch(*context.trace, context.selection)));
}

void LaunchMapView::paint(QPainter& painter, const QRectF& area, const PaintContext& context) const {
    const QString heading = say("Where the blocks went");
    if (!comparing(context)) {
        paintScene(painter, scene(area, context), heading);
        return;
    }
    const auto parts = halves(area);
    paintScene(painter, scene(parts[0], context), say("A"));
    paintScene(painter, scene(parts[1], contextOfOther(context)), say("B"));
    painter.setPen(QPen(context.theme.border, 1));
    painter.drawLine(QPointF(area.center().x(), area.top() + 8), QPointF(area.center().x(), area.bottom() - 8));
}

void LaunchMapView::paintOverlay(QPainter& painter, const QRectF& area, const PaintContext& context,
                                 QPointF pointer) const {
    if (!area.contains(pointer)) {
        return;
    }
    const Half half = halfAt(area, context, pointer);
    overlayScene(painter, scene(half.area, half.context), pointer);
}

Selection LaunchMapView::hit(const QRectF& area, const PaintContext& context, QPointF at) const {
    const Half half = halfAt(area, context, at);
    const Selection found = hitScene(scene(half.area, half.context), half.context.selection, at);
    if (!half.second) {
        return found;
    }
    // What was pointed at in the second trace, told in the first one's rows.
    Selection mapped = selectionFromOther(found, context);
    mapped.ptxLine = context.selection.ptxLine;
    mapped.sourceLine = context.selection.sourceLine;
    return mapped;
}

QString LaunchMapView::toolTip(const QRectF& area, const PaintContext& context, QPointF at) const {
    const Half half = halfAt(area, context, at);
    return launchMapToolTip(scene(half.area, half.context), at);
}

QString LaunchMapView::csv(const PaintContext& context) const {
    if (emptiness(context)) {
        return {};
    }
    return launchMapCsv(*context.trace, *modelOf(context.trace, shownLaunch(*context.trace, context.selection)));
}

QVector<View::Switch> LaunchMapView::switches(const PaintContext&) const {
    return {{QStringLiteral("colour"),
             say("Colour by"),
             {{QStringLiteral("sm"), say("SM")}, {QStringLiteral("state"), say("state")}},
             QStringLiteral("sm")},
            {QStringLiteral("show"),
             say("Show"),
             {{QStringLiteral("all"), say("everything")},
              {QStringLiteral("device"), say("grid and device")},
              {QStringLiteral("block"), say("block and warp")}},
             QStringLiteral("all")}};
}

bool LaunchMapView::wheel(const QRectF& area, PaintContext& context, QPointF at, double steps,
                          Qt::KeyboardModifiers) const {
    if (emptiness(context)) {
        return false;
    }
    const Half half = halfAt(area, context, at);
    const LaunchMapScene s = scene(half.area, half.context);
    if (s.layout.grid.contains(at)) {
        return setZoom(context, s, zoomedAt(s.grid, at, steps), s.grid.gap / s.grid.zoom.factor);
    }
    if (s.layout.chart.contains(at) && !half.second) {
        return setVisible(context, s.chart.zoomed(at.x(), steps, s.model->range()), s.model->range());
    }
    if (s.layout.warps.contains(at) || s.layout.lanes.contains(at)) {
        const int to = std::clamp(int(s.warp) - (steps > 0 ? 1 : -1), 0, int(s.threads.warps) - 1);
        if (s.threads.warps == 0 || (to == int(s.warp) && s.warpChosen)) {
            return false;
        }
        context.options[QStringLiteral("warp")] = to;
        if (!half.second) {
            context.selection = withLane(s, context.selection, std::uint32_t(to), -1);
        }
        return true;
    }
    return false;
}

bool LaunchMapView::drag(const QRectF& area, PaintContext& context, QPointF from, QPointF to) const {
    if (emptiness(context)) {
        return false;
    }
    const Half half = halfAt(area, context, from);
    const LaunchMapScene s = scene(half.area, half.context);
    if (s.layout.grid.contains(from)) {
        return setZoom(context, s, panned(s.grid, to - from), s.grid.gap / s.grid.zoom.factor);
    }
    if (s.layout.chart.contains(from) && !half.second) {
        return setVisible(context, s.chart.shifted(to.x() - from.x(), s.model->range()), s.model->range());
    }
    return false;
}

bool LaunchMapView::key(const QRectF& area, PaintContext& context, int key, Qt::KeyboardModifiers modifiers) const {
    if (emptiness(context)) {
        return false;
    }
    const LaunchMapScene s = scene(comparing(context) ? halves(area)[0] : area, context);
    const qreal gap = s.grid.gap / s.grid.zoom.factor;
    const bool shift = modifiers.testFlag(Qt::ShiftModifier);
    const auto pan = [&](qreal dx, qreal dy) {
        return setZoom(context, s, panned(s.grid, {dx * s.grid.area.width(), dy * s.grid.area.height()}), gap);
    };
    switch (key) {
    case Qt::Key_Left:
        return shift ? moveLane(s, context, -1, 0) : moveBlock(s, context, -1, 0);
    case Qt::Key_Right:
        return shift ? moveLane(s, context, 1, 0) : moveBlock(s, context, 1, 0);
    case Qt::Key_Up:
        return shift ? moveLane(s, context, 0, -1) : moveBlock(s, context, 0, -1);
    case Qt::Key_Down:
        return shift ? moveLane(s, context, 0, 1) : moveBlock(s, context, 0, 1);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
    case Qt::Key_W:
        return setZoom(context, s, zoomedAt(s.grid, s.grid.area.center(), 1), gap);
    case Qt::Key_Minus:
    case Qt::Key_S:
        return setZoom(context, s, zoomedAt(s.grid, s.grid.area.center(), -1), gap);
    case Qt::Key_A:
        return pan(0.2, 0);
    case Qt::Key_D:
        return pan(-0.2, 0);
    case Qt::Key_F:
        return s.block != noIndex && setZoom(context, s, framed(s.grid, s.block), gap);
    case Qt::Key_Home:
        setVisible(context, s.model->range(), s.model->range());
        setGridZoom(context, {});
        return true;
    case Qt::Key_Period:
    case Qt::Key_Comma: {
        const auto t = key == Qt::Key_Period ? s.model->nextChange(s.now) : s.model->previousChange(s.now);
        if (t) {
            context.selection.time = *t;
        }
        return t.has_value();
    }
    default:
        return false;
    }
}

std::optional<View::Emptiness> LaunchMapView::emptiness(const PaintContext& context) const {
    if (!context.trace || context.trace->launches.empty()) {
        return Emptiness{
            say("No launch is open. Run a kernel, and every block of its grid appears here with the SM it went to."),
            QStringLiteral("run"), say("Run a kernel")};
    }
    const Launch& launch = context.trace->launches[shownLaunch(*context.trace, context.selection)];
    if (launch.status == LaunchStatus::Dropped) {
        return Emptiness{
            say("This launch was dropped, so no block of it ran: %1").arg(QString::fromStdString(launch.reason)),
            {},
            {}};
    }
    if (launch.blockCount == 0) {
        return Emptiness{say("This trace holds no blocks of this launch."), {}, {}};
    }
    return std::nullopt;
}

} // namespace warpglass
