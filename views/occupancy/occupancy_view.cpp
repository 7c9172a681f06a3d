// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/occupancy/occupancy_view.h"

#include "gpu/metrics/metrics.h"
#include "views/common/ghost.h"
#include "views/common/marks.h"
#include "views/common/ticks.h"
#include "views/occupancy/occupancy_prediction.h"
#include "views/occupancy/occupancy_scene.h"
#include "views/occupancy/occupancy_text.h"

#include <algorithm>

namespace warpglass {

namespace {

OccupancyScene sceneOf(const PaintContext& context, const QRectF& area) {
    OccupancyScene scene;
    scene.layout = occupancyLayout(area, context.theme);
    scene.theme = context.theme;
    scene.question = occupancyQuestion(context.trace.get(), context.selection.launch, context.options);
    const CapabilityLimits& limits = *scene.question.limits;
    if (scene.question.fromLaunch) {
        const Trace& trace = *context.trace;
        scene.what = QString::fromStdString(trace.kernelOf(trace.launches[context.selection.launch]).name);
    }
    scene.result = occupancy(limits, scene.question.input);
    scene.containers = containers(limits, scene.question.input, scene.result);
    for (std::size_t n = 0; n < occupancyAxes.size(); ++n)
        scene.curves[n] = occupancyCurve(limits, scene.question.input, occupancyAxes[n].axis);
    return scene;
}

class OccupancyPicture final : public Picture {
public:
    OccupancyPicture(const PaintContext& of, const QRectF& on, const OccupancyPicture* previous)
        : Picture(of, on), m_scene(sceneOf(of, on)) {
        const int columns = std::max(1, int(m_scene.layout.residencyPlot.width()));
        m_scene.achieved = previous && previous->reached(of, columns)
                               ? previous->m_scene.achieved
                               : achievedBy(of.trace, of.selection.launch, columns);
        if (of.pinned && m_scene.question.fromLaunch) {
            const auto told = [&](const char* name) {
                const auto found = metric(*of.pinned, 0, name);
                return found ? found->value : std::nullopt;
            };
            m_scene.pinnedTheoretical = told("theoretical_occupancy");
            m_scene.pinnedAchieved = told("achieved_occupancy");
        }
        if (!of.ghost || !of.trace || of.selection.launch != 0 || !recordsLaunchOf(*of.ghost, *of.trace))
            return;
        const AchievedPtr before = previous ? previous->m_scene.ghost : nullptr;
        const bool same = before && before->trace == of.ghost && before->resident.size() == std::size_t(columns);
        m_scene.ghost = same ? before : achievedBy(of.ghost, 0, columns);
    }

    void paint(QPainter& painter) const override { paintOccupancy(painter, m_scene); }

    Spot spotAt(QPointF at) const override {
        Spot spot;
        for (std::size_t n = 0; n < occupancyAxes.size(); ++n) {
            if (!m_scene.layout.curve[n].contains(at))
                continue;
            spot.click = moved(n, at.x());
            if (!m_scene.layout.plot[n].contains(at))
                continue;
            spot.where = m_scene.layout.plot[n];
            OccupancyInput input = m_scene.question.input;
            const std::uint32_t value = m_scene.valueAt(n, at.x());
            const Axis axis = occupancyAxes[n].axis;
            (axis == Axis::Threads     ? input.threads
             : axis == Axis::Registers ? input.registers
                                       : input.sharedDynamic) = value;
            if (axis == Axis::Shared)
                input.sharedStatic = 0;
            spot.toolTip =
                occupancyAxisTitle(axis, input, m_scene.question.registersEstimated && axis != Axis::Registers) +
                QLatin1Char('\n') + percentText(occupancy(*m_scene.question.limits, input).percent, 1) +
                QLatin1Char('\n') + OccupancyText::tr("click or drag: compute with it");
        }
        return spot;
    }

    std::optional<Change> answer(const Input& input) const override {
        if (const auto* drag = std::get_if<DragInput>(&input)) {
            for (std::size_t n = 0; n < occupancyAxes.size(); ++n)
                if (m_scene.layout.curve[n].contains(drag->from))
                    return moved(n, drag->to.x());
            return std::nullopt;
        }
        const auto* key = std::get_if<KeyInput>(&input);
        return key ? pressed(*key) : std::nullopt;
    }

    QString csv() const override {
        const CapabilityLimits& limits = *m_scene.question.limits;
        QString csv = QStringLiteral("input,value,occupancy_pct,compute_capability,origin\n");
        for (std::size_t n = 0; n < occupancyAxes.size(); ++n)
            for (const CurvePoint& point : m_scene.curves[n])
                csv += QStringLiteral("%1,%2,%3,%4.%5,counted\n")
                           .arg(QLatin1String(occupancyAxes[n].option.key))
                           .arg(point.x)
                           .arg(point.percent, 0, 'f', 2)
                           .arg(limits.major)
                           .arg(limits.minor);
        return csv;
    }

private:
    bool reached(const PaintContext& of, int columns) const {
        const Achieved& known = *m_scene.achieved;
        return known.trace == of.trace && known.launch == of.selection.launch &&
               (!known.trace || known.resident.size() == std::size_t(columns));
    }

    Change moved(std::size_t axis, double x) const {
        Change change = unchanged();
        occupancyAxes[axis].option.set(change.options, m_scene.valueAt(axis, x));
        return change;
    }

    // Left and right change the threads, with Shift the registers, with Ctrl the shared memory; Home goes back to the
    // launch.
    std::optional<Change> pressed(const KeyInput& input) const {
        Change change = unchanged();
        if (input.key == Qt::Key_Home) {
            for (const OccupancyAxis& axis : occupancyAxes)
                axis.option.clear(change.options);
            return change;
        }
        if (input.key != Qt::Key_Left && input.key != Qt::Key_Right)
            return std::nullopt;
        const std::size_t n = input.modifiers & Qt::ShiftModifier ? 1 : input.modifiers & Qt::ControlModifier ? 2 : 0;
        const OccupancyAxis& axis = occupancyAxes[n];
        const int least[] = {32, 1, 0}, most[] = {1024, 255, int(m_scene.question.limits->sharedPerSm)};
        const int step = input.key == Qt::Key_Right ? int(axis.step) : -int(axis.step);
        const int now = int(valueOf(m_scene.question.input, axis.axis));
        axis.option.set(change.options, uint(std::clamp(now + step, least[n], most[n])));
        return change;
    }

    OccupancyScene m_scene;
};

class OccupancyView final : public View {
public:
    QString key() const override { return QStringLiteral("occupancy"); }
    QString title() const override { return OccupancyText::tr("Occupancy"); }
    QString question() const override { return OccupancyText::tr("How full is an SM, and what stops the next block?"); }

    QVector<Switch> switches(const PaintContext& context) const override {
        Switch cc{QString::fromLatin1(capabilitySetting.key), OccupancyText::tr("compute capability"), {}, {}};
        cc.choices.append({QString(), context.trace ? OccupancyText::tr("as the launch") : OccupancyText::tr("9.0")});
        for (const CapabilityLimits& limits : allCapabilities()) {
            const QString text = QStringLiteral("%1.%2").arg(limits.major).arg(limits.minor);
            cc.choices.append({text, text});
        }
        return {cc, sharedLimitChoice().dropDown()};
    }
    QSizeF leastRoom(const PaintContext&) const override { return {640, 420}; }

    QStringList askedOfKernel() const override {
        return {QLatin1String(threadsSetting.key), QLatin1String(registersSetting.key),
                QLatin1String(sharedSetting.key), QLatin1String(capabilitySetting.key),
                QLatin1String(sharedLimitChoice().key)};
    }
    std::optional<Prediction> prediction(const PaintContext& context) const override {
        return blocksPrediction(context);
    }

    Selection looksAt(const Selection& selection) const override {
        Selection launch;
        launch.launch = selection.launch;
        return launch;
    }

protected:
    PicturePtr makePicture(const PaintContext& context, const QRectF& area, Progress&,
                           const PicturePtr& previous) const override {
        return std::make_shared<OccupancyPicture>(context, area, dynamic_cast<const OccupancyPicture*>(previous.get()));
    }
};

} // namespace

std::unique_ptr<View> makeOccupancyView() {
    return std::make_unique<OccupancyView>();
}

} // namespace warpglass
