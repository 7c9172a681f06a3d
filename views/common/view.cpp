// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/view.h"

namespace warpglass {

namespace {

// A picture made of a view's hooks, each of which works everything out anew.
class LegacyPicture final : public Picture {
public:
    LegacyPicture(const View& view, const PaintContext& c, const QRectF& on) : Picture(c, on), m_view(view) {}

    void paint(QPainter& painter) const override { m_view.paint(painter, area, context); }
    void paintOverlay(QPainter& painter, QPointF pointer) const override {
        m_view.paintOverlay(painter, area, context, pointer);
    }
    Spot spotAt(QPointF at) const override {
        Spot spot;
        spot.toolTip = m_view.toolTip(area, context, at);
        spot.action = m_view.actionAt(area, context, at);
        PaintContext changed = context;
        if (m_view.press(area, changed, at))
            spot.click = Change{changed.options, changed.selection};
        else
            spot.click = selecting(m_view.hit(area, context, at));
        spot.cursor = spot.action.isEmpty() ? Qt::ArrowCursor : Qt::PointingHandCursor;
        return spot;
    }
    std::optional<Change> answer(const Input& input) const override {
        PaintContext c = context;
        const bool changed = std::visit(
            InputCases{[&](const WheelInput& i) { return m_view.wheel(area, c, i.at, i.steps, i.modifiers); },
                       [&](const DragInput& i) { return m_view.drag(area, c, i.from, i.to); },
                       [&](const KeyInput& i) { return m_view.key(area, c, i.key, i.modifiers); }},
            input);
        return changed ? std::optional(Change{c.options, c.selection}) : std::nullopt;
    }
    QString csv() const override { return m_view.csv(context); }
    QString caption() const override {
        const QString own = m_view.caption(context);
        return own.isEmpty() ? Picture::caption() : own;
    }

private:
    const View& m_view;
};

} // namespace

bool View::quick(const PaintContext& context, const Picture*) const {
    return emptiness(context) || prepared(context);
}

PicturePtr View::compose(const PaintContext& context, const QRectF& area, Progress& progress,
                         const PicturePtr& previous) const {
    if (const auto empty = emptiness(context))
        return emptyPicture(context, area, *empty, tableWithoutPicture(context));
    PicturePtr made = makePicture(context, area, progress, previous);
    return progress.cancelled() ? nullptr : made;
}

PicturePtr View::compose(const PaintContext& context, const QRectF& area) const {
    Progress nobody;
    return compose(context, area, nobody);
}

PicturePtr View::makePicture(const PaintContext& context, const QRectF& area, Progress& progress,
                             const PicturePtr&) const {
    if (!prepared(context))
        prepare(context, progress);
    return std::make_shared<LegacyPicture>(*this, context, area);
}

void paintView(const View& view, QPainter& painter, const QRectF& area, const PaintContext& context) {
    paintPicture(*view.compose(context, area), painter);
}

QString optionOf(const PaintContext& context, const QString& name, const QString& standard) {
    return optionOf(context.options, name, standard);
}

} // namespace warpglass
