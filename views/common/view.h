// SPDX-License-Identifier: GPL-3.0-or-later
// A view: a name, a question, and how a picture of it is composed. It keeps nothing: what was worked out is in the
// picture. The window shows views (view_widget.h), the render command writes them (page.h); both compose the same
// pictures.
#pragma once

#include "views/common/picture.h"
#include "views/common/prediction.h"

#include <functional>
#include <map>

namespace warpglass {

// What a view shows in the place of the open trace, and plays instead of it: the times that are stepped over, and the
// option that holds the one that is shown.
struct OwnClock {
    TracePtr trace;
    std::vector<std::int64_t> times; // ascending, distinct
    QString option;
    Time now;
};

// A prediction painted where it happens: the view's own picture of the moment, of which nothing is to be seen but what
// was known before, and a cell of it for each item. The moment is then played in the same picture. A number that is
// guessed (predictionGuess in the context's options) is drawn by the ground itself.
struct PredictionStage {
    PicturePtr ground;
    QVector<QRectF> cells{};
    int columns = 1;                                        // that up and down go over
    std::map<PredictedLink, QPointF> sums{};                // beside what joins two items in the ground
    qreal sign = 7;                                         // px: half of what has room there
    std::function<std::optional<Guess>(QPointF)> guessAt{}; // Number: what a hand there says
};

class View {
public:
    virtual ~View() = default;
    virtual QString key() const = 0;      // "launchmap": folder and command-line name
    virtual QString title() const = 0;    // translated
    virtual QString question() const = 0; // translated: what the view answers, one line under the title
    // What its words need beside and below each other at the usual type, in px: in less, larger type comes down to that.
    virtual QSizeF leastRoom(const PaintContext&) const { return {320, 200}; }

    // Drop-downs a person can set.
    virtual QVector<Switch> switches(const PaintContext&) const { return {}; }
    // The options that ask about one kernel ("what if it had 40 registers"): of another one nobody has asked that.
    virtual QStringList askedOfKernel() const { return {}; }
    // If there is nothing to show: why. Cheap, for it is asked without composing; what only a model can tell,
    // makePicture answers with an emptyPicture.
    virtual std::optional<Emptiness> emptiness(const PaintContext&) const { return std::nullopt; }
    // The same with what only a model can tell, whatever that takes: asked before a view goes into a report or a film.
    virtual std::optional<Emptiness> thoroughEmptiness(const PaintContext& context) const { return emptiness(context); }
    // A table that is there even so.
    virtual QString tableWithoutPicture(const PaintContext&) const { return {}; }
    // What happens next in this view, to be predicted (prediction.h): the first that is worth asking after the selection's
    // time. Nothing if there is no more, or the view cannot be predicted.
    virtual std::optional<Prediction> prediction(const PaintContext&) const { return std::nullopt; }
    // Why it never asks anything of what is open, in a sentence; empty: it asks, or has asked all.
    virtual QString whyNotAsked(const PaintContext&) const { return {}; }
    // The stage for it, with the moment played so far (way, 0 to 1). Nothing: there is no room, or the view has none for such
    // a question, and the items lie on a board. Before: the ground of an earlier stage of this same question, whose work is
    // used again; null if there is none.
    virtual std::optional<PredictionStage> predictionStage(const PaintContext&, const Prediction&, double /*way*/,
                                                           const QRectF&, const Picture* /*before*/) const {
        return std::nullopt;
    }
    // Whether it hides what is to come while a run plays, everywhere in its picture.
    virtual bool hidesWhatIsToCome() const { return false; }
    // Nothing: what it shows is played by the open trace's clock.
    virtual std::optional<OwnClock> ownClock(const PaintContext&) const { return std::nullopt; }
    // The part of a selection that pictures show: selections that are the same after this have the same picture. A view
    // that has pictures of what lies between two moments takes the motion, too.
    virtual Selection looksAt(const Selection& selection) const;
    // Whether composing is done before anybody notices, given what the previous picture (may be null) has worked out.
    // If not, the widget composes off the GUI thread and shows progress.
    virtual bool quick(const PaintContext&, const Picture* /*previous*/) const { return true; }

    // The picture; null only if cancelled. What the previous one worked out is used again where it still holds; it may
    // be of any context, and of any view. Safe to call from any thread.
    PicturePtr compose(const PaintContext& context, const QRectF& area, Progress& progress,
                       const PicturePtr& previous = {}) const;
    PicturePtr compose(const PaintContext& context, const QRectF& area) const; // at once, never null

protected:
    // Composes where there is something to show: emptiness() was asked before.
    virtual PicturePtr makePicture(const PaintContext& context, const QRectF& area, Progress& progress,
                                   const PicturePtr& previous) const = 0;
};

// Composes and paints.
void paintView(const View& view, QPainter& painter, const QRectF& area, const PaintContext& context);

} // namespace warpglass
