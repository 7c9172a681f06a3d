// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/launchtree/launchtree_view.h"

#include "views/common/agreeing.h"
#include "views/common/beside.h"
#include "views/common/marks.h"
#include "views/common/pinned.h"
#include "views/launchtree/launchtree_layout.h"
#include "views/launchtree/launchtree_paint.h"
#include "views/launchtree/launchtree_prediction.h"
#include "views/launchtree/launchtree_text.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

// Puts the row's id into the list of the ones that were opened (groups) or closed (single grids), or takes it out.
void toggle(Options& options, const TreeRow& row) {
    const Setting<QString>& setting = row.isGroup ? unfoldedGroups : closedRows;
    QStringList ids = setting.of(options).split(QLatin1Char(','), Qt::SkipEmptyParts);
    const QString id = QString::fromStdString(row.id);
    if (ids.removeAll(id) == 0)
        ids << id;
    ids.sort();
    setting.set(options, ids.join(QLatin1Char(',')));
}

class LaunchTreePicture final : public Picture {
    // Below the last row, where there is room: how long the pinned tree took on this axis, and how many grids it was.
    void paintPinned(QPainter& painter) const {
        const LaunchTreePane& pane = panes.front();
        const auto range = pinnedRange(context);
        const QRectF row = pane.rowRect(pane.endRow());
        if (!range || panes.size() > 1 || row.bottom() > pane.rows.bottom())
            return;
        const QString grids =
            agreeing(LaunchTreeText::tr("%1 {grid|grids}"), numberText(treeTotals(*context.pinned).ran));
        paintPinnedSpan(painter, {pane.bars.left(), row.top() + 2, pane.bars.width(), row.height() - 4},
                        pane.axis.x(range->begin), pane.axis.x(range->end),
                        pinnedLengthText(context) + QStringLiteral(" \u00b7 ") + grids, context.theme);
    }

public:
    LaunchTreePicture(const PaintContext& of, const QRectF& on, const std::vector<LaunchTreePane>& last)
        : Picture(of, on), panes(launchTreePanes(on, of, last)) {}

    const std::vector<LaunchTreePane> panes; // not empty

    void paint(QPainter& painter) const override {
        for (const LaunchTreePane& pane : panes) {
            const bool own = &pane == &panes.front(); // the selection is of the first trace
            paintTreeHead(painter, pane, context.theme);
            paintTreeRows(painter, pane, context.theme, own ? context.selection.launch : noIndex,
                          own ? std::optional(timeShown(context.selection)) : std::nullopt,
                          own ? followedLaunch() : noIndex);
            paintTreeNote(painter, pane, context.theme);
        }
        paintPinned(painter);
    }

    Spot spotAt(QPointF at) const override {
        for (const LaunchTreePane& pane : panes) {
            if (const QRectF link = timelineLink(pane); link.contains(at)) {
                Spot spot{.where = link, .action = QStringLiteral("view:timeline")};
                spot.cursor = Qt::PointingHandCursor;
                return spot;
            }
            const int n = pane.rowAt(at);
            if (n < 0)
                continue;
            const TreeRow& row = pane.tree->rows[std::size_t(n)];
            Spot spot{.where = pane.rowRect(n), .toolTip = rowToolTip(pane.trace(), row)};
            if (folds(pane, n, at)) {
                spot.click = unchanged();
                toggle(spot.click->options, row);
            } else if (&pane == &panes.front()) {
                spot.click = selecting(selectionOf(row));
            }
            return spot;
        }
        return {};
    }

    std::optional<Change> answer(const Input& input) const override {
        return std::visit(InputCases{[this](const WheelInput& i) { return wheel(i); },
                                     [this](const DragInput& i) { return drag(i); },
                                     [this](const KeyInput& i) { return key(i.key); }},
                          input);
    }

    QString csv() const override;

    std::vector<Beat> beats() const override {
        constexpr std::size_t mostBeats = 96;
        constexpr int partsOfTime = 16; // where no launch begins or ends, bars grow for a while all the same
        std::vector<Time> times;
        for (const Beat& beat : evenBeats(panes.front().whole, partsOfTime))
            times.push_back(beat.time);
        const Time shift = shiftToOther(context);
        for (const LaunchTreePane& pane : panes)
            for (const Launch& launch : pane.trace().launches)
                for (const Time t : {launch.start, launch.end})
                    times.push_back(&pane == &panes.front() ? t : t - shift);
        return beatsOf(std::move(times), mostBeats);
    }

private:
    std::uint32_t followedLaunch() const {
        const std::uint32_t warp = context.selection.followed.warp;
        return warp < context.trace->warps.size() ? context.trace->blockOf(context.trace->warps[warp]).launch : noIndex;
    }

    // A group has nothing else to be clicked for; a single grid folds at its chevron.
    static bool folds(const LaunchTreePane& pane, int n, QPointF at) {
        const TreeRow& row = pane.tree->rows[std::size_t(n)];
        const QRectF chevron = pane.chevronOf(n);
        return row.hasChildren && pane.labels.contains(at) &&
               (row.isGroup || (at.x() >= chevron.left() && at.x() <= chevron.right()));
    }

    Selection selectionOf(const TreeRow& row) const {
        Selection selection = context.selection;
        selection.launch = row.launches.front();
        selection.block = selection.warp = noIndex;
        selection.lane = -1;
        return selection;
    }

    // Over the bars the time zooms at the pointer; over the tree, or with Shift, the list scrolls.
    std::optional<Change> wheel(const WheelInput& input) const {
        const LaunchTreePane& pane = panes.front();
        Change change = unchanged();
        if (input.at.x() < pane.bars.left() || (input.modifiers & Qt::ShiftModifier)) {
            treeScroll.set(change.options, std::max(0.0, (pane.firstRow - input.steps * 3) * pane.rowHeight));
            return change;
        }
        const TimeRange next = pane.axis.zoomed(input.at.x(), std::pow(0.8, input.steps), pane.whole, 2);
        change.selection.visible = next.length() >= pane.whole.length() ? TimeRange{} : next;
        return change;
    }

    std::optional<Change> drag(const DragInput& input) const {
        const LaunchTreePane& pane = panes.front();
        Change change = unchanged();
        treeScroll.set(change.options, std::clamp(treeScroll.of(context.options) + input.from.y() - input.to.y(), 0.0,
                                                  pane.mostScroll()));
        if (context.selection.visible.length().value > 0)
            change.selection.visible = pane.axis.shifted(input.to.x() - input.from.x(), pane.whole);
        return change;
    }

    std::optional<Change> key(int pressed) const {
        const LaunchTreePane& pane = panes.front();
        const std::vector<TreeRow>& rows = pane.tree->rows;
        const auto now = std::find_if(rows.begin(), rows.end(), [this](const TreeRow& row) {
            return row.launches.front() == context.selection.launch;
        });
        const int at = now == rows.end() ? 0 : int(now - rows.begin());
        Change change = unchanged();
        switch (pressed) {
        case Qt::Key_Down:
            return choosing(at + 1);
        case Qt::Key_Up:
            return choosing(at - 1);
        case Qt::Key_Return:
        case Qt::Key_Space:
            if (now == rows.end() || !now->hasChildren)
                return std::nullopt;
            toggle(change.options, *now);
            return change;
        case Qt::Key_Home:
            change.selection.visible = {};
            treeScroll.set(change.options, 0);
            return change;
        default:
            return std::nullopt;
        }
    }

    Change choosing(int n) const {
        const LaunchTreePane& pane = panes.front();
        const int at = std::clamp(n, 0, int(pane.tree->rows.size()) - 1);
        Change change = unchanged();
        change.selection.launch = pane.tree->rows[std::size_t(at)].launches.front();
        change.selection.block = change.selection.warp = noIndex;
        if (at < pane.firstRow || at >= pane.firstRow + pane.visibleRows) {
            const int first = std::max(0, at - pane.visibleRows / 2);
            treeScroll.set(change.options, first * pane.rowHeight);
        }
        return change;
    }
};

QString LaunchTreePicture::csv() const {
    const Trace& trace = *context.trace;
    QString csv = QStringLiteral("launch,kernel,grid,block,depth,parent_launch,parent_block,parent_thread,stream,"
                                 "status,start_%1,end_%1,origin,reason\n")
                      .arg(QLatin1String(name(trace.info.timeUnit)));
    const auto index = [](std::uint32_t i) { return i == noIndex ? QString() : QString::number(i); };
    for (std::size_t i = 0; i < trace.launches.size(); ++i) {
        const Launch& launch = trace.launches[i];
        const QStringList fields = {QString::number(i),
                                    QString::fromStdString(trace.kernelOf(launch).name),
                                    QString::fromStdString(launch.grid.text()),
                                    QString::fromStdString(launch.block.text()),
                                    QString::number(launch.depth),
                                    index(launch.parentLaunch),
                                    index(launch.parentBlock),
                                    index(launch.parentThread),
                                    QString::fromLatin1(name(launch.stream)),
                                    QString::fromLatin1(name(launch.status)),
                                    QString::number(launch.start.value),
                                    QString::number(launch.end.value),
                                    QString::fromLatin1(name(trace.info.timeOrigin)),
                                    csvField(QString::fromStdString(launch.reason))};
        csv += fields.join(QLatin1Char(',')) + QLatin1Char('\n');
    }
    return csv;
}

class LaunchTreeView final : public View {
public:
    QString key() const override { return QStringLiteral("launchtree"); }
    QString title() const override { return LaunchTreeText::tr("Launch tree"); }
    QString question() const override {
        return LaunchTreeText::tr("Which grid launched which, and did all of them run?");
    }
    QSizeF leastRoom(const PaintContext& of) const override { return {420, of.other ? 440.0 : 300.0}; }

    Selection looksAt(const Selection& selection) const override { return selection; }

    std::optional<Emptiness> emptiness(const PaintContext& context) const override {
        if (!context.trace || context.trace->launches.empty())
            return Emptiness{LaunchTreeText::tr("No kernel has been run yet."), QStringLiteral("run"),
                             LaunchTreeText::tr("Run the chosen kernel")};
        return std::nullopt;
    }
    std::optional<Prediction> prediction(const PaintContext& context) const override {
        return emptiness(context) ? std::nullopt : launchTreePrediction(*context.trace, context.selection);
    }
    QString whyNotAsked(const PaintContext& context) const override {
        if (context.trace && hasUnseenLaunches(*context.trace))
            return LaunchTreeText::tr(
                "A GPU that drops launches has no place even for the arguments of some, and those "
                "are in no recording: how many there were cannot be asked. On the emulator it can.");
        const bool nested = context.trace && std::any_of(context.trace->launches.begin(), context.trace->launches.end(),
                                                         [](const Launch& launch) { return launch.depth > 0; });
        return nested
                   ? QString()
                   : LaunchTreeText::tr("No grid of this run launches another one: the tree has no branch to predict.");
    }

protected:
    PicturePtr makePicture(const PaintContext& context, const QRectF& area, Progress&,
                           const PicturePtr& previous) const override {
        const auto* last = dynamic_cast<const LaunchTreePicture*>(previous.get());
        return std::make_shared<LaunchTreePicture>(context, area, last ? last->panes : std::vector<LaunchTreePane>{});
    }
};

} // namespace

std::unique_ptr<View> makeLaunchTreeView() {
    return std::make_unique<LaunchTreeView>();
}

} // namespace warpglass
