// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/beside.h"

#include "views/common/marks.h"

#include <algorithm>
#include <array>

namespace warpglass {

namespace {

// The place of a selection of `from`, looked up by number in `to`; times moved by shift.
Selection carried(const Selection& s, const Trace& from, const Trace& to, Time shift) {
    Selection moved;
    moved.time = s.time + shift;
    if (s.visible.end > s.visible.begin)
        moved.visible = {s.visible.begin + shift, s.visible.end + shift};
    moved.lane = s.lane;
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

PaintContext contextOfOther(const PaintContext& context) {
    PaintContext other = context;
    other.trace = context.other;
    other.other = nullptr;
    other.otherShift.reset();
    other.selection = carried(context.selection, *context.trace, *context.other, shiftToOther(context));
    return other;
}

Selection selectionFromOther(const Selection& chosen, const PaintContext& context) {
    return carried(chosen, *context.other, *context.trace, Time{} - shiftToOther(context));
}

namespace {

constexpr qreal gap = 12;
// Options that hold times of the first trace: the second pane does without them.
constexpr const char* timesOfFirst[] = {"notes", "measureFrom", "measureTo"};

class BesideView : public View {
public:
    BesideView(std::unique_ptr<View> first, std::unique_ptr<View> second, BesideLayout layout)
        : m_views{std::move(first), std::move(second)}, m_layout(layout) {}

    QString key() const override { return m_views[0]->key(); }
    QString title() const override { return m_views[0]->title(); }
    QString question() const override { return m_views[0]->question(); }
    QString caption(const PaintContext& c) const override { return m_views[0]->caption(c); }
    QVector<Switch> switches(const PaintContext& c) const override { return m_views[0]->switches(c); }

    std::optional<Emptiness> emptiness(const PaintContext& c) const override {
        const auto mine = m_views[0]->emptiness(alone(c));
        // One that has something to show is shown, and the other says why it has not.
        if (!mine || !pair(c) || m_views[1]->emptiness(contextOfOther(c)))
            return mine;
        return std::nullopt;
    }
    bool prepared(const PaintContext& c) const override {
        return m_views[0]->prepared(alone(c)) && (!pair(c) || m_views[1]->prepared(contextOfOther(c)));
    }
    void prepare(const PaintContext& c, Progress& progress) const override {
        m_views[0]->prepare(alone(c), progress);
        if (pair(c) && !progress.cancelled())
            m_views[1]->prepare(contextOfOther(c), progress);
    }

    void paint(QPainter& painter, const QRectF& area, const PaintContext& c) const override {
        if (!pair(c)) {
            m_views[0]->paint(painter, area, c);
            return;
        }
        for (int i = 0; i < 2; ++i) {
            const Pane pane = paneOf(i, area, c);
            const Theme& theme = c.theme;
            painter.fillRect(pane.head, theme.panel);
            const qreal inset = 14 * theme.fontScale;
            painter.fillRect(QRectF(pane.head.left(), pane.head.top(), 4 * theme.fontScale, pane.head.height()),
                             theme.category(i));
            paintText(painter, pane.head.adjusted(inset, 0, -inset, 0),
                      QStringLiteral("%1   %2")
                          .arg(QLatin1Char(char('A' + i)))
                          .arg(traceCaption(*pane.context.trace, pane.context.selection)),
                      theme.small(), theme.textMuted);
            painter.save();
            painter.setClipRect(pane.area);
            if (const auto empty = m_views[std::size_t(i)]->emptiness(pane.context))
                paintParagraph(&painter, pane.area.adjusted(2 * inset, inset, -2 * inset, -inset), empty->why,
                               theme.body(), theme.textMuted);
            else
                m_views[std::size_t(i)]->paint(painter, pane.area, pane.context);
            painter.restore();
        }
    }
    void paintOverlay(QPainter& painter, const QRectF& area, const PaintContext& c, QPointF at) const override {
        if (!pair(c)) {
            m_views[0]->paintOverlay(painter, area, c, at);
            return;
        }
        for (int i = 0; i < 2; ++i) {
            const Pane pane = paneOf(i, area, c);
            if (m_views[std::size_t(i)]->emptiness(pane.context))
                continue;
            painter.save();
            painter.setClipRect(pane.area);
            // A pointer that is elsewhere still gives the lines of the present moment.
            m_views[std::size_t(i)]->paintOverlay(painter, pane.area, pane.context,
                                                  pane.area.contains(at) ? at : QPointF(-1, -1));
            painter.restore();
        }
    }
    Selection hit(const QRectF& area, const PaintContext& c, QPointF at) const override {
        const int i = paneAt(area, c, at);
        const Pane pane = paneOf(i, area, c);
        if (!answers(i, pane, c, at))
            return c.selection;
        const Selection chosen = m_views[std::size_t(i)]->hit(pane.area, pane.context, at);
        if (chosen == pane.context.selection)
            return c.selection;
        return back(i, chosen, pane, c);
    }
    QString actionAt(const QRectF& area, const PaintContext& c, QPointF at) const override {
        const int i = paneAt(area, c, at);
        const Pane pane = paneOf(i, area, c);
        return answers(i, pane, c, at) ? m_views[std::size_t(i)]->actionAt(pane.area, pane.context, at) : QString();
    }
    QString toolTip(const QRectF& area, const PaintContext& c, QPointF at) const override {
        const int i = paneAt(area, c, at);
        const Pane pane = paneOf(i, area, c);
        return answers(i, pane, c, at) ? m_views[std::size_t(i)]->toolTip(pane.area, pane.context, at) : QString();
    }
    bool wheel(const QRectF& area, PaintContext& c, QPointF at, double steps, Qt::KeyboardModifiers m) const override {
        return change(area, c, at,
                      [&](const View& v, const QRectF& a, PaintContext& pc) { return v.wheel(a, pc, at, steps, m); });
    }
    bool drag(const QRectF& area, PaintContext& c, QPointF from, QPointF to) const override {
        return change(area, c, from,
                      [&](const View& v, const QRectF& a, PaintContext& pc) { return v.drag(a, pc, from, to); });
    }
    bool press(const QRectF& area, PaintContext& c, QPointF at) const override {
        return change(area, c, at,
                      [&](const View& v, const QRectF& a, PaintContext& pc) { return v.press(a, pc, at); });
    }
    bool key(const QRectF& area, PaintContext& c, int k, Qt::KeyboardModifiers m) const override {
        const QPointF first = paneOf(0, area, c).area.center();
        return change(area, c, first,
                      [&](const View& v, const QRectF& a, PaintContext& pc) { return v.key(a, pc, k, m); });
    }
    // Both tables under one header, a column more that says whose row it is.
    QString csv(const PaintContext& c) const override {
        const QString mine = m_views[0]->csv(alone(c));
        if (!pair(c))
            return mine;
        return marked(mine, QStringLiteral("A"), true) +
               marked(m_views[1]->csv(contextOfOther(c)), QStringLiteral("B"), mine.isEmpty());
    }

private:
    struct Pane {
        QRectF head, area;
        PaintContext context;
    };

    static bool pair(const PaintContext& c) { return c.trace && c.other && !c.other->launches.empty(); }
    static PaintContext alone(const PaintContext& c) {
        PaintContext one = c;
        one.other = nullptr;
        one.otherShift.reset();
        return one;
    }

    Pane paneOf(int i, const QRectF& area, const PaintContext& c) const {
        if (!pair(c))
            return {{}, area, c};
        Pane pane;
        PaintContext first = c;
        if (m_layout == BesideLayout::Rows && !(c.selection.visible.end > c.selection.visible.begin)) {
            // One scale for both, wide enough for the longer one.
            const Time shift = shiftToOther(c);
            const TimeRange a = c.trace->range(), b = c.other->range();
            first.selection.visible = {std::min(a.begin, b.begin - shift), std::max(a.end, b.end - shift)};
        }
        pane.context = i == 0 ? alone(first) : contextOfOther(first);
        if (i == 1)
            for (const char* option : timesOfFirst)
                pane.context.options.remove(QString::fromLatin1(option));
        QRectF half = area;
        if (m_layout == BesideLayout::Columns) {
            half.setWidth((area.width() - gap) / 2);
            if (i == 1)
                half.moveRight(area.right());
        } else {
            half.setHeight((area.height() - gap) / 2);
            if (i == 1)
                half.moveBottom(area.bottom());
        }
        const qreal head = lineHeight(c.theme.small()) + 8 * c.theme.fontScale;
        pane.head = QRectF(half.left(), half.top(), half.width(), head);
        pane.area = half.adjusted(0, head, 0, 0);
        return pane;
    }
    int paneAt(const QRectF& area, const PaintContext& c, QPointF at) const {
        if (!pair(c))
            return 0;
        return m_layout == BesideLayout::Columns ? at.x() > area.center().x() : at.y() > area.center().y();
    }
    bool answers(int i, const Pane& pane, const PaintContext& c, QPointF at) const {
        return !pair(c) || (pane.area.contains(at) && !m_views[std::size_t(i)]->emptiness(pane.context));
    }
    Selection back(int i, const Selection& chosen, const Pane& pane, const PaintContext& c) const {
        Selection s = i == 0 ? chosen : selectionFromOther(chosen, c);
        // The range that both panes were given is not one that a person chose.
        if (chosen.visible == pane.context.selection.visible)
            s.visible = c.selection.visible;
        return s;
    }

    template <typename Change>
    bool change(const QRectF& area, PaintContext& c, QPointF at, Change&& does) const {
        const int i = paneAt(area, c, at);
        const Pane pane = paneOf(i, area, c);
        if (!answers(i, pane, c, at))
            return false;
        PaintContext changed = pane.context;
        if (!does(*m_views[std::size_t(i)], pane.area, changed))
            return false;
        if (i == 1 && pair(c)) {
            for (const char* option : timesOfFirst) {
                const QString name = QString::fromLatin1(option);
                changed.options.remove(name);
                if (c.options.contains(name))
                    changed.options[name] = c.options[name];
            }
        }
        c.options = changed.options;
        c.selection = back(i, changed.selection, pane, c);
        return true;
    }

    static QString marked(const QString& csv, const QString& mark, bool withHeader) {
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

    std::array<std::unique_ptr<View>, 2> m_views;
    BesideLayout m_layout;
};

} // namespace

std::unique_ptr<View> makeBesideView(std::unique_ptr<View> (*make)(), BesideLayout layout) {
    return std::make_unique<BesideView>(make(), make(), layout);
}

} // namespace warpglass
