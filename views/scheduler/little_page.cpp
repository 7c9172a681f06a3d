// SPDX-License-Identifier: GPL-3.0-or-later
// How many warps hide a latency, with sliders.
#include "views/scheduler/scheduler_picture.h"

#include "views/common/marks.h"
#include "views/scheduler/scheduler_csv.h"
#include "views/scheduler/scheduler_text.h"

#include <algorithm>

namespace warpglass {

LittlePicture::LittlePicture(const PaintContext& of, const QRectF& on, SchedulerModelsPtr from)
    : SchedulerPicture(of, on, std::move(from)), m_layout(littleLayout(area, lineHeight(context.theme.body()))) {
    m_state.figures = littleOf(context.options);
    m_state.resident = ready->resident;
    m_state.known = ready->resident.onSm > 0;
    if (m_state.known)
        m_state.origin = context.trace->info.timeOrigin;
    m_state.chosen = sliderOf(context.options);
}

void LittlePicture::paint(QPainter& painter) const {
    paintSchedulerTitle(painter, m_layout.title, SchedulerText::tr("How many warps hide a latency"),
                        SchedulerText::tr("Little's law: in flight = latency × throughput"), nullptr, context.theme);
    paintLittle(painter, m_layout, m_state, context.theme);
}

std::optional<Change> LittlePicture::slid(QPointF from, QPointF to) const {
    for (int s = 0; s < littleSliders; ++s)
        if (m_layout.slider[s].contains(from)) {
            const QRectF& track = m_layout.track[s];
            Change change = unchanged();
            setLittle(change.options, s, sliderAt(s, (to.x() - track.left()) / std::max(1.0, track.width())));
            return change;
        }
    return std::nullopt;
}

Spot LittlePicture::spotAt(QPointF at) const {
    Spot spot;
    spot.click = slid(at, at);
    return spot;
}

// Up and Down choose a slider, Left and Right move it, Home puts all back.
std::optional<Change> LittlePicture::answer(const Input& input) const {
    if (const auto* drag = std::get_if<DragInput>(&input))
        return slid(drag->from, drag->to);
    const auto* pressed = std::get_if<KeyInput>(&input);
    if (!pressed || pressed->modifiers & Qt::AltModifier)
        return std::nullopt;
    Change change = unchanged();
    const int slider = m_state.chosen;
    switch (pressed->key) {
    case Qt::Key_Up:
    case Qt::Key_Down:
        setSlider(change.options, (slider + (pressed->key == Qt::Key_Down ? 1 : littleSliders - 1)) % littleSliders);
        return change;
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const double value = sliderValue(m_state.figures, slider);
        const SliderRange& range = sliderRanges[slider];
        const int direction = pressed->key == Qt::Key_Right ? 1 : -1;
        const double next = range.step == 0 ? value * (direction > 0 ? 2 : 0.5) : value + direction * range.step;
        setLittle(change.options, slider, std::clamp(next, range.least, range.most));
        return change;
    }
    case Qt::Key_Home:
        resetLittle(change.options);
        return change;
    default:
        return std::nullopt;
    }
}

QString LittlePicture::csv() const {
    return littleCsv(m_state.figures, m_state.resident);
}

} // namespace warpglass
