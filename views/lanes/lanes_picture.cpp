// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lanes/lanes_picture.h"

#include "views/common/beside.h"
#include "views/common/pinned.h"
#include "views/common/sentences.h"
#include "views/lanes/one_path.h"

namespace warpglass {

namespace {

constexpr int columnsSearched = 100'000; // for the first divergent one

int firstDivergent(const LanesScene& scene) {
    const int end = qMin(scene.count(), columnsSearched);
    for (int i = 0; i < end; ++i)
        if (scene.splitOf(i).diverges())
            return i;
    return -1;
}

} // namespace

QString kernelName(const LanesScene& scene) {
    const Trace& trace = *scene.request.trace;
    return QString::fromStdString(trace.kernelOf(trace.launches[scene.request.launch]).name);
}

TimeRange timesInSight(const Selection& selection, const LanesScene& scene) {
    if (selection.visible.end > selection.visible.begin)
        return selection.visible;
    if (scene.request.warp == noIndex)
        return {};
    const Trace& trace = *scene.request.trace;
    const Block& block = trace.blocks[scene.request.block];
    const Warp& warp = trace.warps[scene.request.warp];
    TimeRange all = scene.request.wholeBlock ? TimeRange{block.start, block.end} : TimeRange{warp.start, warp.end};
    if (all.end <= all.begin)
        all.end = all.begin + Time{1};
    return all;
}

std::shared_ptr<const LanesScene> LanesPicture::scene(const SceneRequest& request, const LanesPicture* previous) {
    if (previous)
        for (const auto& kept : previous->m_scenes)
            if (kept->request == request)
                return kept;
    if (previous && previous->m_pinned && previous->m_pinned->request == request)
        return previous->m_pinned;
    return makeLanesScene(request);
}

std::shared_ptr<const LanesScene> LanesPicture::sceneOf(const PaintContext& c, const LanesPicture* previous) {
    const LanesState state = lanesState(c.options);
    return scene(requestFor(c.trace, c.selection, state.branches(), state.wholeBlock, state.allBranches), previous);
}

LanesPicture::LanesPicture(const PaintContext& c, const QRectF& on, std::shared_ptr<const LanesScene> first,
                           const LanesPicture* previous)
    : Picture(c, on), m_state(lanesState(c.options)), m_scenes{std::move(first)} {
    if (c.other && !c.other->launches.empty())
        m_scenes << scene(requestBeside(m_scenes[0]->request, c.other), previous);
    m_pinned = sceneOfPinned(previous);
    if (!m_state.stage)
        m_machine = machineSightOf(c.trace, m_scenes[0]->request.launch, c.options.value(QLatin1String(machineOption)),
                                   previous ? previous->m_machine : MachineSightPtr());
    layOut(previous);
    m_card = cardArea();
    if (!m_card.isNull())
        m_button = paintCard(nullptr);
}

std::shared_ptr<const LanesScene> LanesPicture::sceneOfPinned(const LanesPicture* previous) const {
    const LanesScene& mine = *m_scenes[0];
    if (m_state.stage || m_state.wholeBlock || m_state.allBranches || m_state.overTime || mine.branches().empty() ||
        mine.request.warp == noIndex)
        return nullptr;
    const Branch& branch = mine.branches()[mine.chosen];
    PaintContext here = context;
    here.selection.sourceLine = branch.sourceLine;
    here.selection.ptxLine = branch.ptxLine;
    const auto there = contextOfPinned(here);
    if (!there || (!there->selection.sourceLine && !there->selection.ptxLine))
        return nullptr;
    SceneRequest request = requestBeside(mine.request, there->trace);
    request.sourceLine = there->selection.sourceLine;
    request.ptxLine = there->selection.ptxLine;
    auto its = scene(request, previous);
    if (its->branches().empty() || its->branches()[its->chosen].sourceLine != request.sourceLine)
        return nullptr; // another branch, which says nothing of this one
    return its;
}

void LanesPicture::layOut(const LanesPicture* previous) {
    const Theme& theme = context.theme;
    LanesRequest r;
    r.area = area;
    r.scale = theme.fontScale;
    r.titleHeight = lineHeight(theme.title());
    r.bodyHeight = lineHeight(theme.body());
    r.smallHeight = lineHeight(theme.small());
    r.columnWidth = m_state.columnWidth;
    r.from = m_state.from;
    const QRectF inside = area.adjusted(22 * r.scale, 0, -22 * r.scale, 0);
    r.legendHeight =
        paintLegend(nullptr, inside, legendFor(*m_scenes[0], m_state.allBranches || m_scenes.size() > 1), theme);
    r.bare = m_state.stage;
    if (const QString note = selectNote(); !note.isEmpty())
        r.noteHeight = paintParagraph(nullptr, inside, note, theme.small(), theme.text);
    for (int i = 0; i < m_scenes.size(); ++i) {
        const LanesScene& s = *m_scenes[i];
        // The second is in step: as many steps as the first has done.
        const int now = i == 0 ? s.columnAt(context.selection.time) : qMin(m_current[0], s.count() - 1);
        m_current << now;
        m_paths << std::nullopt;
        m_pathColumn << -1;
        LanesPanelRequest panel;
        panel.columns = s.count();
        panel.tableRows = int(s.branches().size());
        panel.current = now;
        panel.fill = m_state.overTime;
        panel.summaryRows = m_state.wholeBlock || m_state.overTime ? 1 : 2;
        if (!m_state.wholeBlock && !m_state.overTime && s.request.warp != noIndex && s.count()) {
            panel.paths = true;
            const int column = now >= 0 || context.selection.motion.playing ? now : firstDivergent(s);
            m_pathColumn[i] = column;
            // While a step plays it is the same in picture after picture.
            if (previous && i < previous->m_scenes.size() && previous->m_scenes[i] == m_scenes[i] &&
                previous->m_pathColumn[i] == column)
                m_paths[i] = previous->m_paths[i];
            else if (column >= 0 && s.splitOf(column).diverges())
                m_paths[i] = serialisedPaths(*s.request.trace, s.warp.warp, s.columns[std::size_t(column)]);
        }
        if (m_state.stage) { // how often it comes by is not told either
            constexpr int mostSteps = 4;
            panel.columns = std::max(now + 1, 1);
            panel.tableRows = panel.summaryRows = 0;
            r.columnWidth =
                std::min(3 * widestColumn * r.scale, area.width() * 0.4 / double(std::min(panel.columns, mostSteps)));
        }
        r.panels << panel;
    }
    layOutTogether();
    for (int i = 0; i < m_scenes.size(); ++i)
        m_plays << playOf(i);
    m_layout = layoutLanes(r);
}

// Of two runs, one of which parts its lanes where the other does not: what the undivided one walks, to the same scale.
void LanesPicture::layOutTogether() {
    const auto parts = [this](int i) { return m_paths[i] && m_paths[i]->timed && !m_paths[i]->together; };
    const bool one = m_scenes.size() == 2 && parts(0) != parts(1) &&
                     m_scenes[0]->request.trace->info.timeUnit == m_scenes[1]->request.trace->info.timeUnit;
    for (std::optional<Serialised>& paths : m_paths)
        if (!one && paths && paths->together)
            paths.reset();
    if (!one)
        return;
    const int i = parts(0) ? 1 : 0;
    const LanesScene& s = *m_scenes[i];
    if (!m_paths[i] && m_pathColumn[i] >= 0)
        m_paths[i] = undividedPath(*s.request.trace, s.warp.warp, s.columns[std::size_t(m_pathColumn[i])]);
    if (m_paths[i] && m_paths[i]->together)
        m_pathScale = double(std::max(m_paths[0]->length(), m_paths[1]->length()).value);
}

int LanesPicture::followedLane(int i) const {
    const FollowedThread& thread = context.selection.followed;
    const SceneRequest &first = m_scenes[0]->request, &here = m_scenes[i]->request;
    if (thread.warp >= context.trace->warps.size() || here.warp == noIndex)
        return -1;
    // The second panel shows the warp that corresponds to the first one's.
    return thread.warp == first.warp || (here.wholeBlock && context.trace->warps[thread.warp].block == first.block)
               ? thread.lane
               : -1;
}

LanesPlay LanesPicture::playOf(int i) const {
    const Motion& motion = context.selection.motion;
    if (!motion.playing)
        return {};
    // The steps of both panels go on together; between two steps the last one is done.
    const int now = m_current[0];
    const bool onTheWay = now >= 0 && m_scenes[0]->column(now).time == context.selection.time;
    const Serialised* paths = m_paths[i] ? &*m_paths[i] : nullptr;
    if (m_pathScale > 0 && m_paths[1 - i]->segments.size() > paths->segments.size())
        paths = &*m_paths[1 - i]; // both at one pace
    return lanesPlay(onTheWay ? motion.way : 1, paths);
}

std::vector<Beat> LanesPicture::beats() const {
    if (!m_card.isNull())
        return {};
    const LanesScene& scene = *m_scenes[0];
    constexpr int partsOfTime = 64;
    if (m_state.overTime)
        return evenBeats(timesInSight(context.selection, scene), partsOfTime);
    return lanesBeats(scene, !m_state.wholeBlock);
}

void LanesPicture::paint(QPainter& painter) const {
    const Theme& theme = context.theme;
    if (m_state.stage) {
        const LanesPanelPicture panel{*m_scenes[0],    m_layout.panels[0],
                                      theme,           context.selection,
                                      m_current[0],    m_paths[0] ? &*m_paths[0] : nullptr,
                                      m_pathColumn[0], 0,
                                      m_plays[0],      followedLane(0)};
        paintColumns(painter, panel);
        paintPaths(painter, panel);
        return;
    }
    paintHeading(painter, m_layout.title, headline(), theme);
    if (!m_layout.question.isEmpty())
        paintText(painter, m_layout.question, subtitle(), theme.small(), theme.textMuted);
    if (!m_card.isNull()) {
        paintCard(&painter);
        return;
    }
    if (!m_layout.note.isNull())
        paintParagraph(&painter, m_layout.note, selectNote(), theme.small(), theme.originModelled);
    for (int i = 0; i < m_scenes.size(); ++i) {
        Selection selection = context.selection;
        if (i > 0) { // lines and times of the first trace say nothing about the second
            selection.sourceLine = selection.ptxLine = 0;
            selection.time = m_current[i] >= 0 ? m_scenes[i]->column(m_current[i]).time : Time{-1};
            selection.motion.to = selection.time;
        }
        const LanesScene& scene = *m_scenes[i];
        const LanesPanelPicture panel{scene,
                                      m_layout.panels[i],
                                      theme,
                                      selection,
                                      m_current[i],
                                      m_paths[i] ? &*m_paths[i] : nullptr,
                                      m_pathColumn[i],
                                      m_pathScale,
                                      m_plays[i],
                                      followedLane(i),
                                      i == 0 ? m_pinned.get() : nullptr};
        paintPanelHeading(painter, panel,
                          (m_scenes.size() > 1 ? compared(std::size_t(i)) : QString()) + kernelName(scene));
        if (scene.request.warp == noIndex) {
            paintParagraph(&painter, m_layout.panels[i].cells,
                           LanesText::tr("No block of this launch was recorded in detail."), theme.body(),
                           theme.textMuted);
            continue;
        }
        if (m_state.overTime) {
            paintLanesOverTime(painter, panel, timesInSight(i == 0 ? context.selection : Selection{}, scene));
        } else if (scene.branches().empty()) {
            paintNoBranch(&painter, m_layout.panels[i].whole.adjusted(0, m_layout.panels[i].heading.height(), 0, 0),
                          *scene.request.trace, scene.request.launch, nullptr, theme);
            continue;
        } else {
            paintColumns(painter, panel);
            paintPaths(painter, panel);
        }
        paintFollowedLane(painter, panel);
        if (!m_layout.panels[i].summary.isEmpty())
            paintSummary(painter, panel);
        paintBranchTable(painter, panel);
    }
    if (!m_layout.legend.isEmpty())
        paintLegend(&painter, m_layout.legend, legend(), theme);
    if (m_scenes.size() > 1) {
        const QRectF &left = m_layout.panels[0].whole, &right = m_layout.panels[1].whole;
        const qreal x = (left.right() + right.left()) / 2;
        painter.setPen(QPen(theme.border, 1, Qt::DashLine));
        painter.drawLine(QPointF(x, left.top()), QPointF(x, left.bottom()));
    }
}

void LanesPicture::paintOverlay(QPainter& painter, QPointF at) const {
    if (!m_card.isNull() || m_state.overTime)
        return;
    for (const LanesPanel& panel : m_layout.panels) {
        const int column = panel.columnAt(at.x()), lane = panel.laneAt(at.y());
        if (column < 0 || lane < 0)
            continue;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(context.theme.text, 1.5));
        for (const LanesPanel& both : m_layout.panels) // in step: the same cell in both
            if (column < both.columns && both.cells.intersects(both.cell(column, lane)))
                painter.drawRoundedRect(both.cell(column, lane).adjusted(-1, -1, 1, 1), 3, 3);
    }
}

QVector<QRectF> LanesPicture::stageCells() const {
    constexpr qreal leastHeight = 4.5, leastWidth = 20; // px; a drag paints many
    const LanesPanel& panel = m_layout.panels[0];
    QVector<QRectF> cells;
    if (m_current[0] < 0 || panel.cell(m_current[0], 0).height() < leastHeight || panel.columnWidth < leastWidth)
        return cells;
    for (int lane = 0; lane < lanesPerWarp; ++lane)
        cells << panel.cell(m_current[0], lane);
    return cells;
}

QVector<LegendEntry> LanesPicture::legend() const {
    if (m_state.overTime && !m_state.wholeBlock)
        return {{LaneMark::On, LanesText::tr("on")},
                {LaneMark::Off, LanesText::tr("off: waits for the others")},
                {LaneMark::Exited, laneMarkName(LaneMark::Exited)}};
    if (m_state.overTime)
        return {{LaneMark::On, LanesText::tr("on in all warps (paler: in fewer)")},
                {LaneMark::Off, LanesText::tr("on in none")}};
    return legendFor(*m_scenes[0], m_state.allBranches || m_scenes.size() > 1);
}

QString LanesPicture::headline() const {
    const LanesScene& s = *m_scenes[0];
    if (m_state.machine())
        return LanesText::tr("Which branches are left in the machine code");
    if (m_state.overTime)
        return LanesText::tr("Which lanes are on, over time");
    if (s.branches().empty() && m_scenes.size() < 2)
        return LanesText::tr("Which lanes take the branch");
    if (m_state.allBranches || s.branches().empty())
        return LanesText::tr("Which lanes take each branch, step by step");
    return LanesText::tr("Which lanes take the branch of %1, step by step")
        .arg(placeName(s.branches()[s.chosen], m_state.branches()));
}

QString LanesPicture::subtitle() const {
    if (m_state.machine())
        return LanesText::tr("Layer: machine code");
    if (m_state.overTime)
        return LanesText::tr("From entry, branches, path changes and exits of the warp");
    const LanesScene& s = *m_scenes[0];
    if (m_state.layer == LanesLayer::Ptx)
        return s.branches().empty() || m_state.allBranches
                   ? LanesText::tr(
                         "Layer: PTX. The predicate says who jumps, often the opposite of the source's condition")
                   : LanesText::tr("Layer: PTX, %1").arg(QString::fromStdString(s.branches()[s.chosen].text));
    QString text;
    if (!s.branches().empty() && !m_state.allBranches) {
        const Trace& trace = *s.request.trace;
        text = sourceText(trace.kernelOf(trace.launches[s.request.launch]), s.branches()[s.chosen].sourceLine);
    }
    return text.isEmpty() ? LanesText::tr("Layer: source") : LanesText::tr("Layer: source, %1").arg(text);
}

QString LanesPicture::fateNote() const {
    const LanesScene& s = *m_scenes[0];
    if (!m_machine || m_state.machine() || m_state.overTime || m_state.allBranches || s.branches().empty())
        return {};
    const Branch& branch = s.branches()[s.chosen];
    const machine::Decision* d = m_machine->decisionAt(branch.ptxLine);
    if (!d)
        return {};
    return LanesText::tr("In the machine code: %1.").arg(sentence(machine::wordsHere(*d, m_machine->wordsOf(*d))));
}

// A kernel may keep some branches and lose others: said above the picture.
QString LanesPicture::selectNote() const {
    const Trace& trace = *context.trace;
    const Kernel& kernel = trace.kernelOf(trace.launches[completed(context.selection, trace).launch]);
    if (kernel.ptxSelects == 0 || kernel.ptxBranches == 0 || trace.info.mode == CompileMode::AsWritten)
        return fateNote();
    const QString fate = fateNote();
    return (fate.isEmpty() ? QString() : fate + QLatin1Char(' ')) +
           LanesText::tr("Not every decision of the source is a branch: the compiler also made selects (%1 in the "
                         "PTX), for which no lane waits.")
               .arg(kernel.ptxSelects);
}

QRectF LanesPicture::cardArea() const {
    const bool noBranch = m_scenes.size() < 2 && !m_state.overTime && m_scenes[0]->branches().empty();
    if (!m_state.machine() && !noBranch)
        return {};
    QRectF card = m_layout.panels[0].whole;
    if (m_layout.panels.size() > 1)
        card.setRight(m_layout.panels[1].whole.right());
    card.setBottom(m_layout.legend.bottom());
    return card;
}

QRectF LanesPicture::paintCard(QPainter* painter) const {
    const std::uint32_t launch = m_scenes[0]->request.launch;
    if (m_state.machine())
        return paintMachineLayer(painter, m_card, *context.trace, launch, m_machine.get(), context.theme);
    return paintNoBranch(painter, m_card, *context.trace, launch, m_machine.get(), context.theme);
}

} // namespace warpglass
