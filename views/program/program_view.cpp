// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/program_view.h"

#include "views/common/agreeing.h"
#include "views/program/program_paint.h"

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

using program::Operation;
using program::OperationKind;

constexpr std::int64_t leastWindow = 100; // ns that are shown at the closest

// Launches of all streams over the whole program: what the strip above shows.
std::vector<float> overviewOf(const ProgramModel& model, const TimeAxis& axis) {
    std::vector<float> busy(std::size_t(std::max(1.0, axis.width)), 0.0F);
    for (const ProgramRow& row : model.rows) {
        if (row.host)
            continue;
        for (const Mark& mark : marksOf(row.upper, axis, noIndex)) {
            const auto from = std::size_t(std::max(0.0, mark.left - axis.left));
            const auto to = std::min(busy.size(), std::size_t(std::ceil(mark.left + mark.width - axis.left)));
            for (std::size_t x = from; x < to; ++x)
                busy[x] = std::max(busy[x], mark.busy);
        }
    }
    return busy;
}

class ProgramPicture final : public Picture {
public:
    ProgramPicture(const PaintContext& of, const QRectF& on, const ProgramPicture* last) : Picture(of, on) {
        scene.model = of.program;
        const ProgramModel& model = *scene.model;
        scene.kernel = programKernel.of(of.options);
        scene.operation = programOperation.of(of.options);
        if (scene.kernel >= model.kernels.size())
            scene.kernel = noIndex;
        if (scene.operation >= model.trace->operations.size())
            scene.operation = noIndex;
        scene.layout = layoutProgram(on, of.theme, model, of.selection.visible, programScroll.of(of.options));
        const ProgramLayout& l = scene.layout;
        const bool same = last && last->scene.model == scene.model;
        scene.overview =
            same && last->scene.layout.whole.left == l.whole.left && last->scene.layout.whole.width == l.whole.width
                ? last->scene.overview
                : overviewOf(model, l.whole);
        scene.arrows = waitArrows(model, l, scene.operation);
        const bool sameMarks = same && last->scene.kernel == scene.kernel && last->scene.layout.rows == l.rows &&
                               last->scene.layout.axis.window == l.axis.window && last->scene.layout.scroll == l.scroll;
        if (sameMarks) {
            scene.marks = last->scene.marks;
            return;
        }
        scene.marks.resize(std::size_t(l.count));
        for (int r = 0; r < l.count; ++r) {
            const QRectF row = l.rowRect(r);
            if (row.bottom() < l.rows.top() || row.top() > l.rows.bottom())
                continue;
            const ProgramRow& of_ = model.rows[std::size_t(r)];
            scene.marks[std::size_t(r)] = {marksOf(of_.upper, l.axis, scene.kernel),
                                           marksOf(of_.lower, l.axis, scene.kernel)};
        }
    }

    ProgramScene scene;

    void paint(QPainter& painter) const override {
        paintProgramHead(painter, scene, context.theme);
        paintProgramOverview(painter, scene, context.theme);
        paintProgramRuler(painter, scene, context.theme);
        paintProgramRows(painter, scene, context.theme);
        paintProgramLegend(painter, scene, context.theme);
    }

    void paintOverlay(QPainter& painter, QPointF at) const override {
        const auto [mark, line] = under(at);
        if (!mark)
            return;
        painter.setPen(QPen(context.theme.text, 1.2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(markRect(*mark, line).adjusted(-1, -1, 1, 1));
    }

    Spot spotAt(QPointF at) const override {
        if (scene.layout.overview.contains(at)) {
            Spot spot{.where = scene.layout.overview};
            spot.click = centredAt(scene.layout.whole.time(at.x()));
            return spot;
        }
        if (scene.layout.head.contains(at))
            return Spot{.where = scene.layout.head,
                        .toolTip = headWords(scene) + QLatin1Char('\n') + clockToolTip(*scene.model)};
        const auto [mark, line] = under(at);
        if (!mark) {
            if (!scene.layout.rows.contains(at) || (scene.operation == noIndex && scene.kernel == noIndex))
                return {};
            Spot away; // a click beside everything chooses nothing
            away.click = choosing(noIndex);
            return away;
        }
        Spot spot{.where = markRect(*mark, line), .toolTip = markToolTip(*scene.model, *mark)};
        spot.click = choosing(mark->operation);
        if (scene.model->operation(mark->operation).kind == OperationKind::Launch)
            spot.doubleAction = QLatin1String(openLaunchAction) + QString::number(mark->operation);
        spot.cursor = Qt::PointingHandCursor;
        return spot;
    }

    std::optional<Change> answer(const Input& input) const override {
        return std::visit(InputCases{[this](const WheelInput& i) { return wheel(i); },
                                     [this](const DragInput& i) { return drag(i); },
                                     [this](const KeyInput& i) { return key(i); }},
                          input);
    }

    QString caption() const override {
        const program::ProgramInfo& info = scene.model->trace->info;
        QStringList parts{QString::fromStdString(info.command), deviceText(info), clockText(*scene.model),
                          endText(info)};
        if (info.lost > 0)
            parts << agreeing(ProgramText::tr("%1 {operation|operations} lost"), info.lost);
        return parts.join(QStringLiteral("  ·  "));
    }

    QString csv() const override;

private:
    QString originOf(const Operation& o) const;
    struct Under {
        const Mark* mark = nullptr;
        QRectF line;
    };
    Under under(QPointF at) const {
        const ProgramLayout& l = scene.layout;
        const int row = l.rows.contains(at) ? l.rowAt(at.y()) : -1;
        if (row < 0)
            return {};
        const bool upper = at.y() < l.upper(row).bottom() + l.rowHeight * 0.03;
        const RowMarks& marks = scene.marks[std::size_t(row)];
        return {markAt(upper ? marks.upper : marks.lower, at.x(), 3), upper ? l.upper(row) : l.lower(row)};
    }

    // A window as large as the program is no window, so that it follows the program.
    Change showing(TimeRange window) const {
        Change change = unchanged();
        change.selection.visible = window.length() >= scene.model->range.length() ? TimeRange{} : window;
        return change;
    }
    Change centredAt(Time time) const {
        const Time half{scene.layout.axis.window.length().value / 2};
        return showing(timesWithin({time - half, time + half}, scene.model->range));
    }
    Change scrolled(double by) const {
        Change change = unchanged();
        programScroll.set(change.options, std::clamp(scene.layout.scroll + by, 0.0, scene.layout.mostScroll()));
        return change;
    }
    // The operation and, of a launch, its kernel; nothing with noIndex.
    Change choosing(std::uint32_t operation) const {
        Change change = unchanged();
        if (operation == noIndex) {
            programOperation.clear(change.options);
            programKernel.clear(change.options);
            return change;
        }
        programOperation.set(change.options, operation);
        const Operation& o = scene.model->operation(operation);
        if (o.kind == OperationKind::Launch && o.kernel < scene.model->kernels.size())
            programKernel.set(change.options, o.kernel);
        return change;
    }

    std::optional<Change> wheel(const WheelInput& input) const {
        const ProgramLayout& l = scene.layout;
        if (input.at.x() < l.rows.left() || (input.modifiers & Qt::ShiftModifier))
            return scrolled(-input.steps * l.rowHeight);
        return showing(l.axis.zoomed(input.at.x(), std::pow(0.8, input.steps), scene.model->range, leastWindow));
    }
    std::optional<Change> drag(const DragInput& input) const {
        if (scene.layout.overview.contains(input.from))
            return centredAt(scene.layout.whole.time(input.to.x()));
        Change change = scrolled(input.from.y() - input.to.y());
        if (input.from.x() != input.to.x())
            change.selection =
                showing(scene.layout.axis.shifted(input.to.x() - input.from.x(), scene.model->range)).selection;
        return change;
    }
    std::optional<Change> key(const KeyInput& input) const {
        const ProgramLayout& l = scene.layout;
        const TimeRange all = scene.model->range;
        const double middle = l.axis.left + l.axis.width / 2, step = l.axis.width * 0.15;
        if (input.modifiers & (Qt::ControlModifier | Qt::AltModifier))
            return std::nullopt;
        switch (input.key) {
        case Qt::Key_W:
            return showing(l.axis.zoomed(middle, 0.7, all, leastWindow));
        case Qt::Key_S:
            return showing(l.axis.zoomed(middle, 1 / 0.7, all, leastWindow));
        case Qt::Key_A:
        case Qt::Key_Left:
            return showing(l.axis.shifted(step, all));
        case Qt::Key_D:
        case Qt::Key_Right:
            return showing(l.axis.shifted(-step, all));
        case Qt::Key_Up:
            return scrolled(-l.rowHeight);
        case Qt::Key_Down:
            return scrolled(l.rowHeight);
        case Qt::Key_Home:
            return showing(all);
        case Qt::Key_F:
            return framed();
        case Qt::Key_Period:
            return stepped(1);
        case Qt::Key_Comma:
            return stepped(-1);
        default:
            return std::nullopt;
        }
    }
    std::optional<Change> framed() const {
        if (scene.operation == noIndex)
            return std::nullopt;
        const Operation& o = scene.model->operation(scene.operation);
        const Time begin{beginOf(o)}, margin{std::max<std::int64_t>(leastWindow / 2, lengthOf(o) / 4)};
        return showing(timesWithin({begin - margin, begin + Time{lengthOf(o)} + margin}, scene.model->range));
    }
    // To the next or the previous operation: of the chosen kernel, else of all, in the order of the calls.
    std::optional<Change> stepped(int direction) const {
        const std::int64_t count = std::int64_t(scene.model->trace->operations.size());
        std::int64_t next =
            scene.operation == noIndex ? (direction > 0 ? 0 : count - 1) : std::int64_t(scene.operation) + direction;
        if (scene.kernel != noIndex) {
            const std::vector<std::uint32_t>& own = scene.model->kernels[scene.kernel].launches;
            const auto after = std::upper_bound(own.begin(), own.end(), scene.operation);
            const auto from = std::lower_bound(own.begin(), own.end(), scene.operation);
            if (scene.operation == noIndex)
                next = own.empty() ? -1 : direction > 0 ? own.front() : own.back();
            else if (direction > 0)
                next = after == own.end() ? -1 : *after;
            else
                next = from == own.begin() ? -1 : *(from - 1);
        }
        if (next < 0 || next >= count)
            return std::nullopt;
        Change change = choosing(std::uint32_t(next));
        const Operation& o = scene.model->operation(std::uint32_t(next));
        const TimeRange shown = scene.layout.axis.window;
        if (beginOf(o) < shown.begin.value || beginOf(o) >= shown.end.value)
            change.selection = centredAt({beginOf(o)}).selection;
        return change;
    }
};

// Where start and end of an operation come from.
QString ProgramPicture::originOf(const Operation& o) const {
    if (scene.model->durations.measured)
        return QStringLiteral("measured");
    if (!scene.model->deviceTimes)
        return QStringLiteral("emulator");
    return o.timed == program::TimeOrigin::None ? QStringLiteral("order") : QString::fromLatin1(name(o.timed));
}

QString ProgramPicture::csv() const {
    const program::ProgramTrace& trace = *scene.model->trace;
    QString csv =
        QStringLiteral("operation,kind,start_ns,end_ns,origin,stream,kernel,grid,block,launch,recorded,direction,"
                       "bytes,error,behind,waited_ns\n");
    for (std::uint32_t n = 0; n < trace.operations.size(); ++n) {
        const Operation& o = trace.operations[n];
        const bool launch = o.kind == OperationKind::Launch;
        const program::Waited* wait = scene.model->waitOf(n);
        const program::RecordedShape* shape = o.shape < trace.shapes.size() ? &trace.shapes[o.shape] : nullptr;
        const QStringList fields{QString::number(n),
                                 QString::fromLatin1(name(o.kind)),
                                 QString::number(beginOf(o)),
                                 QString::number(beginOf(o) + lengthOf(o)),
                                 originOf(o),
                                 isOfHost(o.kind) ? QString() : QString::number(o.stream),
                                 (launch || o.kind == OperationKind::Library) && o.kernel < trace.kernels.size()
                                     ? csvField(QString::fromStdString(trace.kernels[o.kernel].name))
                                     : QString(),
                                 launch && shape ? csvField(QString::fromStdString(shape->grid.text())) : QString(),
                                 launch && shape ? csvField(QString::fromStdString(shape->block.text())) : QString(),
                                 launch ? QString::number(scene.model->numberOf(n).value_or(0)) : QString(),
                                 launch ? QString::number(program::hasWarps(trace, o) ? 1 : 0) : QString(),
                                 o.direction == program::Direction::None ? QString()
                                                                         : QString::fromLatin1(name(o.direction)),
                                 o.bytes ? QString::number(o.bytes) : QString(),
                                 QString::number(o.error),
                                 wait ? QString::number(wait->behind) : QString(),
                                 wait ? QString::number(wait->ns) : QString()};
        csv += fields.join(QLatin1Char(',')) + QLatin1Char('\n');
    }
    return csv;
}

class ProgramView final : public View {
public:
    QString key() const override { return QStringLiteral("program"); }
    QString title() const override { return ProgramText::tr("Program"); }
    QString question() const override {
        return ProgramText::tr("What did the program do with the device, and where did the time go?");
    }

    std::optional<Emptiness> emptiness(const PaintContext& context) const override {
        if (!context.program)
            return Emptiness{ProgramText::tr("No program is open."), {}, {}};
        if (context.program->trace->operations.empty())
            return Emptiness{ProgramText::tr("The program did nothing with the device: it called nothing of CUDA. "
                                             "Record it again when it does."),
                             {},
                             {}};
        return std::nullopt;
    }

    Selection looksAt(const Selection& selection) const override {
        Selection seen;
        seen.visible = selection.visible;
        return seen;
    }

protected:
    PicturePtr makePicture(const PaintContext& context, const QRectF& area, Progress&,
                           const PicturePtr& previous) const override {
        return std::make_shared<ProgramPicture>(context, area, dynamic_cast<const ProgramPicture*>(previous.get()));
    }
};

} // namespace

std::unique_ptr<View> makeProgramView() {
    return std::make_unique<ProgramView>();
}

} // namespace warpglass
