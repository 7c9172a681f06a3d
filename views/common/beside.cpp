// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/beside.h"

#include "views/common/marks.h"
#include "views/common/side_names.h"

#include <algorithm>
#include <array>

namespace warpglass {

namespace {

// The same thread of another trace: block and warp of the same numbers in the launch of the same row.
FollowedThread followedIn(const Trace& to, const FollowedThread& thread, const Trace& from) {
    if (thread.warp >= from.warps.size() || to.launches.empty())
        return {};
    const Warp& warp = from.warps[thread.warp];
    const Block& block = from.blocks[warp.block];
    const Launch& launch = to.launches[std::min<std::uint32_t>(block.launch, std::uint32_t(to.launches.size()) - 1)];
    if (block.index >= launch.blockCount)
        return {};
    const Block& other = to.blocks[launch.firstBlock + block.index];
    return warp.warpInBlock < other.warpCount ? FollowedThread{other.firstWarp + warp.warpInBlock, thread.lane}
                                              : FollowedThread{};
}

// The place of a selection of `from`, looked up by number in `to`; times moved by shift.
Selection carried(const Selection& s, const Trace& from, const Trace& to, Time shift) {
    Selection moved;
    moved.time = s.time + shift;
    moved.motion = s.motion;
    moved.motion.to = s.motion.to + shift;
    if (s.visible.end > s.visible.begin)
        moved.visible = {s.visible.begin + shift, s.visible.end + shift};
    moved.lane = s.lane;
    moved.followed = followedIn(to, s.followed, from);
    if (to.launches.empty())
        return moved;
    moved.launch = std::min<std::uint32_t>(s.launch, std::uint32_t(to.launches.size()) - 1);
    const Launch& launch = to.launches[moved.launch];
    if (s.block < from.blocks.size() && from.blocks[s.block].index < launch.blockCount) {
        moved.block = launch.firstBlock + from.blocks[s.block].index;
        const Block& block = to.blocks[moved.block];
        if (s.warp < from.warps.size() && from.warps[s.warp].warpInBlock < block.warpCount)
            moved.warp = block.firstWarp + from.warps[s.warp].warpInBlock;
    }
    const bool both = s.launch < from.launches.size();
    const Kernel* a = both ? &from.kernelOf(from.launches[s.launch]) : nullptr;
    const Kernel& b = to.kernelOf(launch);
    if (a && a->name == b.name && a->source == b.source)
        moved.sourceLine = s.sourceLine;
    if (a && a->name == b.name && a->ptx == b.ptx)
        moved.ptxLine = s.ptxLine;
    return moved;
}

} // namespace

Time shiftToOther(const PaintContext& context) {
    if (!context.other || !context.trace)
        return {};
    return context.otherShift.value_or(context.other->range().begin - context.trace->range().begin);
}

QString compared(std::size_t trace) {
    return QLatin1Char(char('A' + trace)) + QStringLiteral(" · ");
}

PaintContext contextOfOther(const PaintContext& context) {
    PaintContext other = context;
    other.trace = context.other;
    other.ghost.reset();
    other.pinned.reset();
    other.other = nullptr;
    other.otherShift.reset();
    other.selection = carried(context.selection, *context.trace, *context.other, shiftToOther(context));
    return other;
}

Selection selectionFromOther(const Selection& chosen, const PaintContext& context) {
    return carried(chosen, *context.other, *context.trace, Time{} - shiftToOther(context));
}

namespace {

constexpr qreal gapBeside = 12;
// Options that hold times of the first trace: the second pane does without them.
constexpr const char* timesOfFirst[] = {"notes", "measureFrom", "measureTo"};

bool pair(const PaintContext& c) {
    return c.trace && c.other && !c.other->launches.empty();
}

PaintContext alone(const PaintContext& c) {
    PaintContext one = c;
    one.other = nullptr;
    one.otherShift.reset();
    return one;
}

struct Pane {
    QRectF head, area;
    PaintContext context;
};

Pane paneOf(int i, const QRectF& area, const PaintContext& c, BesideLayout layout) {
    Pane pane;
    PaintContext first = c;
    if (layout == BesideLayout::Rows && !(c.selection.visible.end > c.selection.visible.begin)) {
        // One scale for both, wide enough for the longer one.
        const Time shift = shiftToOther(c);
        const TimeRange a = c.trace->range(), b = c.other->range();
        first.selection.visible = {std::min(a.begin, b.begin - shift), std::max(a.end, b.end - shift)};
    }
    pane.context = i == 0 ? alone(first) : contextOfOther(first);
    pane.context.clickable = false; // a pane that is empty says why, in words alone
    if (i == 1)
        for (const char* option : timesOfFirst)
            pane.context.options.remove(QString::fromLatin1(option));
    QRectF half = area;
    if (layout == BesideLayout::Columns) {
        half.setWidth((area.width() - gapBeside) / 2);
        if (i == 1)
            half.moveRight(area.right());
    } else {
        half.setHeight((area.height() - gapBeside) / 2);
        if (i == 1)
            half.moveBottom(area.bottom());
    }
    const qreal head = lineHeight(c.theme.small()) + 8 * c.theme.fontScale;
    pane.head = QRectF(half.left(), half.top(), half.width(), head);
    pane.area = half.adjusted(0, head, 0, 0);
    return pane;
}

QString marked(const QString& csv, const QString& mark, bool withHeader) {
    QString all;
    bool quoted = false, header = true;
    QString line;
    for (const QChar ch : csv) {
        quoted = quoted != (ch == QLatin1Char('"'));
        line += ch;
        if (ch != QLatin1Char('\n') || quoted)
            continue;
        if (!header || withHeader)
            all += (header ? QStringLiteral("trace") : mark) + QLatin1Char(',') + line;
        header = false;
        line.clear();
    }
    return all;
}

// Both tables under one header, a column more that says whose row it is.
QString bothTables(const QString& first, const QString& second) {
    return marked(first, QStringLiteral("A"), true) + marked(second, QStringLiteral("B"), first.isEmpty());
}

// Two pictures of one view, each with the name of its trace above.
class BesidePicture final : public Picture {
public:
    BesidePicture(const PaintContext& c, const QRectF& on, BesideLayout layout, const std::array<QRectF, 2>& heads,
                  std::array<PicturePtr, 2> panes)
        : Picture(c, on), m_layout(layout), m_heads(heads), m_panes(std::move(panes)) {}

    const PicturePtr& pane(std::size_t i) const { return m_panes[i]; }

    void paint(QPainter& painter) const override {
        const Theme& theme = context.theme;
        for (std::size_t i = 0; i < 2; ++i) {
            const QRectF& head = m_heads[i];
            const Picture& pane = *m_panes[i];
            painter.fillRect(head, theme.panel);
            const qreal inset = 14 * theme.fontScale;
            painter.fillRect(QRectF(head.left(), head.top(), 4 * theme.fontScale, head.height()),
                             theme.category(int(i)));
            const QRectF line = head.adjusted(inset, 0, -inset, 0);
            const QString mark = QStringLiteral("%1   ").arg(QLatin1Char(char('A' + i)));
            paintText(painter, line,
                      mark +
                          captionOfSide(pane.context, i, theme.small(), line.width() - textWidth(theme.small(), mark)),
                      theme.small(), theme.textMuted);
            painter.save();
            painter.setClipRect(pane.area);
            if (const Emptiness* empty = pane.emptiness())
                paintParagraph(&painter, pane.area.adjusted(2 * inset, inset, -2 * inset, -inset), empty->why,
                               theme.body(), theme.textMuted);
            else
                pane.paint(painter);
            painter.restore();
        }
    }
    void paintOverlay(QPainter& painter, QPointF at) const override {
        for (const PicturePtr& pane : m_panes) {
            if (pane->emptiness())
                continue;
            painter.save();
            painter.setClipRect(pane->area);
            // A pointer that is elsewhere still gives the lines of the present moment.
            pane->paintOverlay(painter, pane->area.contains(at) ? at : QPointF(-1, -1));
            painter.restore();
        }
    }
    Spot spotAt(QPointF at) const override {
        const std::size_t i = paneAt(at);
        if (!answers(i, at))
            return {};
        Spot spot = m_panes[i]->spotAt(at);
        if (spot.click)
            spot.click = carriedBack(i, *spot.click);
        return spot;
    }
    std::optional<Change> answer(const Input& input) const override {
        const QPointF at = std::visit(InputCases{[](const WheelInput& wheel) { return wheel.at; },
                                                 [](const DragInput& drag) { return drag.from; },
                                                 [this](const KeyInput&) { return m_panes[0]->area.center(); }},
                                      input);
        const std::size_t i = paneAt(at);
        const auto change = answers(i, at) ? m_panes[i]->answer(input) : std::nullopt;
        return change ? std::optional(carriedBack(i, *change)) : std::nullopt;
    }
    std::vector<Beat> beats() const override { return m_panes[0]->beats(); } // the second is on the first one's clock
    QString csv() const override { return bothTables(m_panes[0]->csv(), m_panes[1]->csv()); }

private:
    std::size_t paneAt(QPointF at) const {
        return (m_layout == BesideLayout::Columns ? at.x() > area.center().x() : at.y() > area.center().y()) ? 1 : 0;
    }
    bool answers(std::size_t i, QPointF at) const { return m_panes[i]->area.contains(at) && !m_panes[i]->emptiness(); }

    // What a change in a pane means for the whole.
    Change carriedBack(std::size_t i, Change change) const {
        const Selection& was = m_panes[i]->context.selection;
        if (change.selection == was) {
            change.selection = context.selection;
        } else {
            // The range that both panes were given is not one that a person chose.
            const bool given = change.selection.visible == was.visible;
            if (i == 1)
                change.selection = selectionFromOther(change.selection, context);
            if (given)
                change.selection.visible = context.selection.visible;
        }
        if (i == 1)
            for (const char* option : timesOfFirst) {
                const QString name = QString::fromLatin1(option);
                change.options.remove(name);
                if (context.options.contains(name))
                    change.options[name] = context.options[name];
            }
        return change;
    }

    BesideLayout m_layout;
    std::array<QRectF, 2> m_heads;
    std::array<PicturePtr, 2> m_panes;
};

// One trace alone is a picture of the view itself.
class BesideView final : public View {
public:
    BesideView(std::unique_ptr<View> first, std::unique_ptr<View> second, BesideLayout layout)
        : m_views{std::move(first), std::move(second)}, m_layout(layout) {}

    QString key() const override { return m_views[0]->key(); }
    QString title() const override { return m_views[0]->title(); }
    QString question() const override { return m_views[0]->question(); }
    QSizeF leastRoom(const PaintContext& c) const override { return m_views[0]->leastRoom(alone(c)); }
    QVector<Switch> switches(const PaintContext& c) const override { return m_views[0]->switches(c); }
    Selection looksAt(const Selection& selection) const override { return m_views[0]->looksAt(selection); }

    std::optional<Prediction> prediction(const PaintContext& c) const override {
        return m_views[0]->prediction(alone(c));
    }
    QString whyNotAsked(const PaintContext& c) const override { return m_views[0]->whyNotAsked(alone(c)); }
    std::optional<PredictionStage> predictionStage(const PaintContext& c, const Prediction& asked, double way,
                                                   const QRectF& area, const Picture* before) const override {
        return m_views[0]->predictionStage(alone(c), asked, way, area, before);
    }
    std::optional<OwnClock> ownClock(const PaintContext& c) const override { return m_views[0]->ownClock(alone(c)); }
    QStringList askedOfKernel() const override { return m_views[0]->askedOfKernel(); }
    bool hidesWhatIsToCome() const override { return m_views[0]->hidesWhatIsToCome(); }

    std::optional<Emptiness> emptiness(const PaintContext& c) const override {
        auto mine = m_views[0]->emptiness(alone(c));
        // One that has something to show is shown, and the other says why it has not.
        if (!mine || !pair(c) || m_views[1]->emptiness(contextOfOther(c)))
            return mine;
        return std::nullopt;
    }
    std::optional<Emptiness> thoroughEmptiness(const PaintContext& c) const override {
        auto mine = m_views[0]->thoroughEmptiness(alone(c));
        if (!mine || !pair(c) || m_views[1]->thoroughEmptiness(contextOfOther(c)))
            return mine;
        return std::nullopt;
    }
    QString tableWithoutPicture(const PaintContext& c) const override {
        const QString mine = m_views[0]->tableWithoutPicture(alone(c));
        return pair(c) ? bothTables(mine, m_views[1]->tableWithoutPicture(contextOfOther(c))) : mine;
    }
    bool quick(const PaintContext& c, const Picture* previous) const override {
        const auto* both = dynamic_cast<const BesidePicture*>(previous);
        return emptiness(c) ||
               (m_views[0]->quick(alone(c), both ? both->pane(0).get() : previous) &&
                (!pair(c) || m_views[1]->quick(contextOfOther(c), both ? both->pane(1).get() : nullptr)));
    }

protected:
    PicturePtr makePicture(const PaintContext& c, const QRectF& area, Progress& progress,
                           const PicturePtr& previous) const override {
        const auto both = std::dynamic_pointer_cast<const BesidePicture>(previous);
        if (!pair(c))
            return m_views[0]->compose(alone(c), area, progress, both ? both->pane(0) : previous);
        std::array<QRectF, 2> heads;
        std::array<PicturePtr, 2> panes;
        for (std::size_t i = 0; i < 2; ++i) {
            const Pane pane = paneOf(int(i), area, c, m_layout);
            heads[i] = pane.head;
            panes[i] = m_views[i]->compose(pane.context, pane.area, progress,
                                           both     ? both->pane(i)
                                           : i == 0 ? previous
                                                    : nullptr);
            if (!panes[i])
                return nullptr;
        }
        return std::make_shared<BesidePicture>(c, area, m_layout, heads, std::move(panes));
    }

private:
    std::array<std::unique_ptr<View>, 2> m_views;
    BesideLayout m_layout;
};

} // namespace

std::unique_ptr<View> makeBesideView(std::unique_ptr<View> (*make)(), BesideLayout layout) {
    return std::make_unique<BesideView>(make(), make(), layout);
}

} // namespace warpglass
