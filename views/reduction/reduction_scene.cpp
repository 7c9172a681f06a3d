// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/reduction/reduction_scene.h"

#include "views/common/marks.h"
#include "views/reduction/reduction_pinned.h"

namespace warpglass {

namespace {

qreal lineOf(const Theme& theme) {
    return lineHeight(theme.small());
}

ReductionLayout layoutOf(const ReductionModel& model, const QRectF& area, const ReductionZoom& zoom,
                         const Theme& theme) {
    return reductionLayout(area, lineOf(theme), model.tree.columns, int(model.tree.steps.size()), zoom,
                           8 * lineOf(theme));
}

} // namespace

ReductionModelPtr reductionModel(const TracePtr& trace, std::uint32_t block) {
    auto model = std::make_shared<ReductionModel>();
    model->trace = trace;
    model->block = block;
    model->tree = reductionTree(*trace, block);
    if (model->tree.found())
        model->rows = reductionRows(model->tree);
    return model;
}

ReductionScene reductionScene(ReductionModelPtr model, const QRectF& area, const ReductionZoom& zoom,
                              const Selection& selection, const Theme& theme, const QString& mark,
                              ReductionModelPtr pinned) {
    ReductionScene s;
    s.pinned = std::move(pinned);
    s.mark = mark;
    s.model = std::move(model);
    s.area = area;
    s.theme = theme;
    s.selection = selection;
    s.layout = layoutOf(*s.model, area, zoom, theme);
    for (std::size_t i = 0; i < s.tree().steps.size(); ++i)
        if (s.tree().steps[i].begin <= selection.time)
            s.current = int(i);
    const Block& block = s.trace().blocks[s.model->block];
    s.playing = selection.time < block.end;
    return s;
}

ReductionZoom clampedZoom(const ReductionScene& s, const ReductionZoom& zoom) {
    return layoutOf(*s.model, s.area, zoom, s.theme).zoom;
}

ReductionPlace placeAt(const ReductionScene& s, QPointF at) {
    ReductionPlace place;
    place.value = sumAt(s.tree(), s.layout, at);
    if (place.value == noIndex)
        place.value = valueAt(s.rows(), s.layout, at);
    for (int i = 0; i < s.layout.steps && place.value == noIndex && place.step < 0; ++i)
        if (s.layout.side.contains(at) && s.layout.sideRect(i).contains(at))
            place.step = i;
    return place;
}

void paintReduction(QPainter& painter, const ReductionScene& s) {
    paintReductionTitle(painter, s);
    paintReductionTree(painter, s);
    paintReductionPinned(painter, s);
    paintReductionSides(painter, s);
    paintReductionFoot(painter, s);
}

bool toCome(const ReductionScene& s, int step) {
    return s.playing && step > s.current;
}

QColor fadedTo(const QColor& c, const Theme& theme, qreal share) {
    const auto part = [share](int a, int b) { return int(a + (b - a) * share + 0.5); };
    return {part(c.red(), theme.window.red()), part(c.green(), theme.window.green()),
            part(c.blue(), theme.window.blue())};
}

} // namespace warpglass
