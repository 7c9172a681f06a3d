// SPDX-License-Identifier: GPL-3.0-or-later
// Predict, then play, in the window: which view asks what, and when.
//
// While something is predicted the view in front shows the board of its next question (views/common/prediction.h), and
// every other one a cover: nothing of what is to come is to be seen anywhere. Time stands just before the moment. When
// the board has been checked it is counted; from there either the next question follows, or the view plays on as far as
// the next one, with what is to come hidden.
#pragma once

#include "views/common/selection.h"
#include "views/common/view_widget.h"

#include <QObject>
#include <QPointer>
#include <QVariantAnimation>

#include <functional>
#include <optional>
#include <set>

namespace warpglass {

class TransportBar;
class ViewArea;

class PredictDesk : public QObject {
    Q_OBJECT
public:
    enum class State { Off, Asking, Shown, Playing, Nothing }; // Nothing: there is nothing to ask here
    PredictDesk(ViewArea* views, TransportBar* transport, SelectionModel* selection, QObject* parent);

    State state() const { return m_state; }
    bool on() const { return m_state != State::Off; }
    const PredictionScore& score() const { return m_score; } // of the session
    const std::optional<Prediction>& asked() const { return m_asked; }

    void start(); // with what comes next at the present time
    void stop();  // everything is shown again
    // What somebody has answered elsewhere, laid over the moment of the view in front whose truth that is, as onward() does;
    // nothing happens if it asks of no such moment. It ends when somebody goes on.
    void showGuess(const std::set<int>& items, const std::set<int>& truth);
    void onward(); // check, or the next question: what the board's button does
    void traceChanged();
    void retranslate(); // words of another language
    void viewChanged();
    void addViews(const QVector<ViewWidget*>& others); // that are covered, and never ask

signals:
    void changed();
    void checked(const warpglass::PredictionMarks& judgement);

private:
    void ask(Time after, bool mayBeginAgain);
    void playOn();
    void optionsChanged(ViewWidget* view);
    void selectionChanged(const Selection& now);
    void coverAll(const ViewWidget* but, const QString& note);
    void show(ViewWidget* view, Predicting state, const QString& note = {});
    void clear(ViewWidget* view);
    std::optional<Prediction> next(const ViewWidget& view, Time after) const;
    void become(State state);
    void reveal(); // the moment is played in the view that asked, before it is judged there
    QVector<ViewWidget*> all() const;

    ViewArea* m_views;
    TransportBar* m_transport;
    SelectionModel* m_selection;
    QVector<ViewWidget*> m_others;
    State m_state = State::Off;
    QPointer<ViewWidget> m_view; // that asks
    std::optional<Prediction> m_asked;
    Selection m_place;          // of what is asked
    std::optional<Time> m_next; // of the question up to which the view plays
    PredictionScore m_score;
    std::function<QString()> m_nothing; // why there is nothing to ask, in the language of now
    QVariantAnimation m_reveal;
    bool m_answered = false; // elsewhere: nothing is asked after it
    bool m_changing = false; // options or selection are changed by this
};

} // namespace warpglass
