// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/predict/predict_desk.h"

#include "app/window/panels/view_area.h"
#include "app/window/play/transport_bar.h"
#include "views/common/prediction_picture.h"

#include <QScopedValueRollback>

#include <algorithm>
#include <utility>

namespace warpglass {

PredictDesk::PredictDesk(ViewArea* views, TransportBar* transport, SelectionModel* selection, QObject* parent)
    : QObject(parent), m_views(views), m_transport(transport), m_selection(selection) {
    for (int i = 0; i < views->count(); ++i)
        connect(views->at(i), &ViewWidget::optionsChanged, this, [this, view = views->at(i)] { optionsChanged(view); });
    connect(selection, &SelectionModel::changed, this, &PredictDesk::selectionChanged);
    constexpr int revealMs = 1600; // 32 lanes, or the passes of an access, can be followed in that
    m_reveal.setDuration(revealMs);
    m_reveal.setStartValue(0.0);
    m_reveal.setEndValue(1.0);
    connect(&m_reveal, &QVariantAnimation::valueChanged, this, [this](const QVariant& way) {
        const QScopedValueRollback<bool> own(m_changing, true);
        if (m_state == State::Shown && m_view)
            m_view->setOption(QLatin1String(predictionWay.key), way);
    });
}

void PredictDesk::reveal() {
    if (m_transport->still() || !predictionStaged(m_view->picture()))
        return;
    m_view->setOption(QLatin1String(predictionWay.key), 0.0);
    m_reveal.start();
}

void PredictDesk::addViews(const QVector<ViewWidget*>& others) {
    m_others += others;
}

QVector<ViewWidget*> PredictDesk::all() const {
    QVector<ViewWidget*> views = m_others;
    for (int i = 0; i < m_views->count(); ++i)
        views.append(m_views->at(i));
    return views;
}

void PredictDesk::clear(ViewWidget* view) {
    if (view == m_view)
        m_reveal.stop();
    Options options = view->context().options;
    clearPrediction(options);
    view->setOptions(options);
    view->setAccessibleDescription(view->view().question());
}

void PredictDesk::show(ViewWidget* view, Predicting state, const QString& note) {
    Options options = view->context().options;
    const Options before = options;
    clearPrediction(options);
    predicting().set(options, state);
    if (state == Predicting::Shown) // what was painted stays
        predictionGuess.set(options, predictionGuess.of(before));
    if (!note.isEmpty())
        predictionNote.set(options, note);
    if (state != Predicting::Cover) {
        predictionScore.set(options, m_score.text());
        predictionPlays.set(options, !m_answered && view->view().hidesWhatIsToCome());
        predictionEnds.set(options, m_answered);
    }
    view->setOptions(options);
    if (state == Predicting::Asked && m_asked) // who cannot see the board is told, too
        view->setAccessibleDescription(m_asked->words.question);
    else if (state == Predicting::Shown && m_asked)
        view->setAccessibleDescription(verdict(*m_asked, Guess::from(predictionGuess.of(options))));
    else if (state == Predicting::Cover && !note.isEmpty()) // why nothing is asked
        view->setAccessibleDescription(note);
}

void PredictDesk::coverAll(const ViewWidget* but, const QString& note) {
    for (ViewWidget* view : all())
        if (view != but)
            show(view, Predicting::Cover, note);
}

std::optional<Prediction> PredictDesk::next(const ViewWidget& view, Time after) const {
    PaintContext context = view.context();
    clearPrediction(context.options);
    context.selection.time = after;
    context.selection.motion = {};
    return context.trace ? view.view().prediction(context) : std::nullopt;
}

void PredictDesk::become(State state) {
    m_state = state;
    emit changed();
}

void PredictDesk::start() {
    ask(m_selection->get().time, true);
}

void PredictDesk::showGuess(const std::set<int>& items, const std::set<int>& truth) {
    ViewWidget* view = m_views->current();
    if (!view || on() || !view->context().trace)
        return;
    constexpr int farthest = 64; // moments that are looked at
    auto asked = next(*view, view->context().trace->range().begin - Time{1});
    for (int n = 0; asked && (asked->asked != Asked::Items || asked->truth != truth); ++n)
        asked = n < farthest ? next(*view, asked->last()) : std::nullopt;
    if (!asked)
        return;
    const QScopedValueRollback<bool> own(m_changing, true);
    m_transport->stop();
    m_view = view;
    m_asked = std::move(asked);
    m_next.reset();
    m_selection->setTime(m_asked->moment - Time{1});
    m_place = m_selection->get();
    view->setOption(QLatin1String(predictionGuess.key), Guess{.items = items, .links = {}, .number = {}}.text());
    m_answered = true;
    show(view, Predicting::Shown);
    become(State::Shown);
    reveal();
}

void PredictDesk::ask(Time after, bool mayBeginAgain) {
    if (std::exchange(m_answered, false)) { // it has been looked at
        stop();
        return;
    }
    ViewWidget* view = m_views->current();
    if (!view)
        return;
    const QScopedValueRollback<bool> own(m_changing, true);
    m_reveal.stop();
    m_transport->stop();
    m_transport->setEnd({});
    m_view = view;
    m_next.reset();
    const bool any = view->context().trace && !view->context().trace->launches.empty();
    m_asked = next(*view, after);
    if (!m_asked && mayBeginAgain && any)
        m_asked = next(*view, view->context().trace->range().begin - Time{1});
    coverAll(view, {});
    m_place = m_selection->get();
    if (!m_asked) {
        const bool never = any && !next(*view, view->context().trace->range().begin - Time{1});
        m_nothing = [this, any, never] {
            if (!any)
                return tr("Run a kernel first: what happens in it is then predicted here.");
            PaintContext context = m_view->context();
            clearPrediction(context.options);
            if (const auto empty = m_view->view().emptiness(context))
                return empty->why;
            QString why = never ? m_view->view().whyNotAsked(context) : QString();
            if (never && why.isEmpty()) { // what the view itself says in place of a picture
                const PicturePtr picture = m_view->view().compose(context, m_view->rect());
                why = picture && picture->emptiness() ? picture->emptiness()->why
                                                      : tr("Nothing of this run can be predicted in this view.");
            }
            return (never ? why : tr("There is nothing more to predict in this view. Enter begins again.")) +
                   QLatin1Char(' ') +
                   tr("Divergence, Memory, Reduction, Launch tree, Scheduler, Occupancy and Launch map ask questions; "
                      "Esc ends it.");
        };
        show(view, Predicting::Cover, m_nothing());
        become(State::Nothing);
        return;
    }
    m_selection->setTime(m_asked->moment - Time{1});
    m_place = m_selection->get();
    show(view, Predicting::Asked);
    view->setFocus();
    become(State::Asking);
}

void PredictDesk::retranslate() {
    if (!m_view || (m_state != State::Asking && m_state != State::Shown && m_state != State::Nothing))
        return;
    const QScopedValueRollback<bool> own(m_changing, true);
    if (m_state == State::Nothing) {
        show(m_view, Predicting::Cover, m_nothing());
        return;
    }
    if (auto same = next(*m_view, m_asked->moment - Time{1}); same && same->moment == m_asked->moment)
        m_asked = std::move(same);
    Options options = m_view->context().options;
    predictionScore.set(options, m_score.text());
    m_view->setOptions(options);
    m_view->setAccessibleDescription(m_state == State::Asking
                                         ? m_asked->words.question
                                         : verdict(*m_asked, Guess::from(predictionGuess.of(options))));
}

void PredictDesk::playOn() {
    ViewWidget* view = m_view;
    const QScopedValueRollback<bool> own(m_changing, true);
    const Time moment = m_asked->moment;
    const auto following = next(*view, m_asked->last());
    m_next = following ? std::optional(following->moment) : std::nullopt;
    m_transport->setEnd(m_next);
    m_selection->setTime(moment - Time{1}, {true, moment, 0});
    clear(view);
    become(State::Playing);
    m_transport->play();
}

void PredictDesk::onward() {
    if (m_state == State::Asking)
        show(m_view, Predicting::Shown);
    else if (m_state == State::Shown)
        ask(m_asked->last(), false);
    else if (m_state == State::Nothing)
        ask(m_selection->get().time, true);
}

void PredictDesk::optionsChanged(ViewWidget* view) {
    if (m_changing || view != m_view || m_state == State::Off)
        return;
    switch (predicting().of(view->context().options)) {
    case Predicting::Shown:
        if (m_state == State::Asking && m_asked) {
            const PredictionMarks judgement = judge(*m_asked, Guess::from(predictionGuess.of(view->context().options)));
            m_score.add(judgement);
            const QScopedValueRollback<bool> own(m_changing, true);
            show(view, Predicting::Shown);
            become(State::Shown);
            reveal();
            emit checked(judgement);
        }
        break;
    case Predicting::Asked: // as much at once as was chosen now
        if (m_state == State::Asking && m_asked &&
            m_asked->length != std::clamp(predictionLength.of(view->context().options), 1, m_asked->longest))
            ask(m_asked->moment - Time{1}, false);
        else if (m_state == State::Asking && m_asked)
            view->setAccessibleDescription(spokenGuess(*m_asked,
                                                       Guess::from(predictionGuess.of(view->context().options)),
                                                       predictionCursor.of(view->context().options)));
        break;
    case Predicting::Next:
        if (m_state == State::Shown)
            ask(m_asked->last(), false);
        else
            ask(m_selection->get().time, true);
        break;
    case Predicting::Play:
        if (m_state == State::Shown)
            playOn();
        break;
    default:
        break;
    }
}

// At rest a view shows everything, so that playing ends in the next question, whoever ended it.
void PredictDesk::selectionChanged(const Selection& now) {
    if (m_changing || !on())
        return;
    if (m_state != State::Playing) { // somebody went elsewhere: there something else comes next
        if (!(now == m_place))
            ask(now.time, true);
        return;
    }
    if (!now.motion.playing)
        ask(m_next && now.time >= *m_next ? *m_next - Time{1} : now.time, false);
}

void PredictDesk::traceChanged() {
    if (on())
        ask(m_selection->get().time, true);
}

void PredictDesk::viewChanged() {
    if (on() && m_views->current() != m_view)
        ask(m_selection->get().time, true);
}

void PredictDesk::stop() {
    if (!on())
        return;
    const QScopedValueRollback<bool> own(m_changing, true);
    m_transport->stop();
    m_transport->setEnd({});
    if (m_state == State::Shown && m_asked) // it has happened
        m_selection->setTime(m_asked->last());
    for (ViewWidget* view : all())
        clear(view);
    m_view = nullptr;
    m_answered = false;
    m_asked.reset();
    become(State::Off);
}

} // namespace warpglass
