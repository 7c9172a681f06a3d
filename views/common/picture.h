// SPDX-License-Identifier: GPL-3.0-or-later
// A picture: what a view shows of one context on one area, worked out once.
//
// A view composes it (view.h): there the trace is read, the model built and everything laid out. From then on the
// picture does not change, and whoever holds it asks as often as he likes: it paints itself, says what is under the
// pointer, answers the wheel and the keys, and writes its table. None of that builds anything anew, and nothing can
// disagree about where a thing lies. The widget keeps a picture until what it depends on changes; an export makes one
// and throws it away.
//
// Input does not change a picture. It answers a Change, which whoever holds it applies, and then composes the next one.
// That may take over from the previous picture what is still true, above all its model (see View::compose).
#pragma once

#include "gpu/base/progress.h"
#include "gpu/metrics/results.h"
#include "views/common/options.h"
#include "views/common/painted_words.h"
#include "views/common/playing.h"
#include "views/common/selection.h"
#include "views/common/theme.h"

#include <QPainter>

#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace warpglass {

struct ProgramModel; // views/program/program_model.h
namespace profilers {
struct ScopeTrace; // gpu/profilers/scopes.h
}
using ScopesPtr = std::shared_ptr<const profilers::ScopeTrace>;

// Everything a picture depends on, with the area. Composing is a pure function of both.
struct PaintContext {
    TracePtr trace;                   // may be null: the view says why it is empty
    TracePtr other;                   // compare mode: the second trace, or null
    std::optional<Time> otherShift;   // other's time of a moment of trace; unset: both start together (see beside.h)
    std::vector<TracePtr> companions; // more runs of the same launch (other policies), for views that show several
    TracePtr ghost;                   // a GPU's recording of the launch that is modelled (ghost.h), or null
    ScopesPtr layer;                  // ranges of this kernel that another profiler timed, or null
    TracePtr pinned;                  // a run that a person holds this one against: a shadow behind it; null: none
    ResultsPtr results;               // launches side by side, of a sweep or a table; null: none
    std::shared_ptr<const ProgramModel> program; // what a whole program did; null: none
    Selection selection;
    Theme theme;
    Options options;       // the view's own state, as its widget or --select set it
    bool clickable = true; // false on paper: no buttons
    bool paper = false; // leaves the program: nothing can be pressed or scrolled there, so everything must be in sight
};

// Why there is nothing to show, and which action fills it (an action name of the window, may be empty).
struct Emptiness {
    QString why;
    QString action;
    QString actionText;
};

// The view's state and the selection after an input, whole.
struct Change {
    Options options;
    Selection selection;
    bool operator==(const Change&) const = default;
};

// What is under the pointer, and what a click there does: either the window's action ("as-written"), or a change. A
// double click may ask for an action of its own, after the click has done its part.
struct Spot {
    QRectF where; // of the thing; null if it has no rectangle of its own
    QString toolTip;
    QString action;
    std::optional<Change> click;
    QString doubleAction{};
    Qt::CursorShape cursor = Qt::ArrowCursor;
};

struct WheelInput {
    QPointF at;
    double steps = 0; // notches, away from the person is positive
    Qt::KeyboardModifiers modifiers;
};
struct DragInput {
    QPointF from, to;    // a piece of a drag: from where the last piece ended
    bool begins = false; // the first piece: from where the button was pressed
};
struct KeyInput {
    int key = 0;
    Qt::KeyboardModifiers modifiers;
};
using Input = std::variant<WheelInput, DragInput, KeyInput>;

class Picture {
public:
    Picture(PaintContext of, const QRectF& on) : context(std::move(of)), area(on) {}
    virtual ~Picture() = default;
    Picture(const Picture&) = delete;
    Picture& operator=(const Picture&) = delete;

    const PaintContext context; // what it was made from
    const QRectF area;          // device-independent pixels

    // Into the area, over a ground that is painted already (paintPicture does both).
    virtual void paint(QPainter& painter) const = 0;
    // Hover and cursor on top of the picture. A pointer that is elsewhere lies outside the area.
    virtual void paintOverlay(QPainter&, QPointF /*pointer*/) const {}
    // Asked at every move of the pointer.
    virtual Spot spotAt(QPointF) const { return {}; }
    // What an input changes; nothing if it means nothing here.
    virtual std::optional<Change> answer(const Input&) const { return std::nullopt; }
    // The data of the picture with units and origin, comma-separated, header first; empty if there is none.
    virtual QString csv() const { return {}; }
    // The moments at which something happens in this picture, for whoever plays it; empty: those of the trace.
    virtual std::vector<Beat> beats() const { return {}; }
    // What an exported picture says about itself in one line; here: what its traces say.
    virtual QString caption() const;
    // Null if there is something to show.
    virtual const Emptiness* emptiness() const { return nullptr; }
    // Whether paint() paints the ground, too: the theme's colour of a window, all over the area.
    virtual bool paintsGround() const { return false; }

    // The change that changes nothing, to begin with; and a click that selects, nothing if that is selected already.
    Change unchanged() const { return {context.options, context.selection}; }
    std::optional<Change> selecting(const Selection& selection) const {
        return selection == context.selection ? std::nullopt : std::optional(Change{context.options, selection});
    }
};

using PicturePtr = std::shared_ptr<const Picture>;

// The picture of a view that has nothing to show: why, and the button that fills it. A view without a picture may have
// a table still, and a caption of its own.
PicturePtr emptyPicture(const PaintContext& context, const QRectF& area, const Emptiness& emptiness,
                        const QString& csv = {}, const QString& caption = {});

// Ground, then the picture, clipped to its area. Tells where words stand in it.
QVector<PaintedWord> paintPicture(const Picture& picture, QPainter& painter);

// To tell the kinds of input apart: std::visit(InputCases{[](const WheelInput&) {...}, ...}, input).
template <typename... Cases>
struct InputCases : Cases... {
    using Cases::operator()...;
};
template <typename... Cases>
InputCases(Cases...) -> InputCases<Cases...>;

} // namespace warpglass
