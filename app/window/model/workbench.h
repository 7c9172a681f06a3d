// SPDX-License-Identifier: GPL-3.0-or-later
// The workbench: what is open and what of it is looked at. No widget: the window asks it for things and shows what
// comes of it; a test does the same without a window.
//
// What was open before can be had back: undo() and redo() go through it without running anything again.
//
// There is one way in: show(Wanted). What must be run or read first is done away from the GUI thread, a newer wish takes
// the place of the older, and what was open stays open until the new is there. Then, in this order:
//
//   opened()                  current(), other(), moments are the new ones; moments of many events are missing still
//   selection() changes       to the place that was looked at before, if the new trace has it (carry.h)
//   sightReached(sight)       what was to be looked at in them: a view and its switches; the place is chosen after it
//   settled()                 nothing more comes of this wish; after failed(), too
#pragma once

#include "app/window/model/run.h"
#include "views/common/job.h"
#include "views/common/selection.h"

#include <QMap>
#include <QObject>
#include <QTimer>
#include <QVariant>

#include <functional>
#include <map>
#include <memory>
#include <optional>

namespace warpglass {

struct ClaimTarget;

// What to look at: a step of a lesson, the place where a claim's number is made.
struct Sight {
    QString view;                    // key; empty: the view that is in front
    QMap<QString, QVariant> options; // switches of the view
    QString select;                  // the place in words (select_spec.h), or
    QString metric;                  // the place that makes this metric (claim_target.h); both empty: it stays
    QString source;                  // who wants it, for the sentence about words that are wrong
    bool lesson = false;             // a lesson's: its switches are turned back after it
};

struct Wanted {
    std::optional<RunSource> current; // nothing: what is open stays
    std::optional<RunSource> other;   // beside it; nothing: it is shown alone
    QString alignment = QStringLiteral("start");
    std::optional<Sight> sight;
    bool pinned = false;  // as in Opened
    bool passing = false; // one of many on the way to another: it is shown, and not kept
};

class Workbench : public QObject {
    Q_OBJECT
public:
    explicit Workbench(QObject* parent = nullptr);

    void show(Wanted wanted);
    bool stop(); // what runs: stopped() says so; false if nothing does
    bool busy() const { return m_job.running(); }
    bool opening() const { return m_opening; } // what is on the way comes from a file, nothing runs

    // Wishes by name.
    void run(const RunRequest& request); // beside it the other one, launched alike if it is another kernel
    void runAlone(const RunRequest& request);
    void runWith(const RunRequest& asked,
                 const std::function<void(RunRequest&)>& change); // what "again" means, changed
    void open(const RunSource& source) { show({.current = source}); }
    // Beside what is open; of two runs that are there the older is A and stays so, and what is run then is B. Nothing
    // happens while nothing is open.
    void compareWith(const RunSource& source);
    // What somebody has written runs in the place of its run before, told by `its`: beside the other one where two are
    // compared; passing: as in Wanted. One that is neither of both takes the place of B: what is compared with stays.
    void rewrite(const RunRequest& request, const std::function<bool(const RunRequest&)>& its, bool passing = false);
    void stopComparing();
    // A run that all that comes is held against, until somebody pins another or none (null). It may be the open one.
    void pin(const RunPtr& run);
    const RunPtr& pin() const { return m_pin; }
    const RunPtr& heldAgainst() const; // the pinned run, where another one is open alone; else null
    void keepPassing();                // what is open was on the way to another, and is what was wanted
    bool isPassing() const { return m_soFar && m_soFar == m_open.current; }
    void alignAt(const QString& key);                       // both traces, at a place of alignment.h
    void showClaim(const ClaimTarget& target, bool inView); // runs what it is measured by, unless that is open
    void comparePolicies(const RunRequest& request);        // beside what is open: policiesReady()
    // What the open launch's time is spent on: whyReady() when the timing model has answered. A launch whose times are
    // not the model's is run with it first, and is open then.
    void askWhy();
    // Of what is open, while it is asked as far as it is known; also why it cannot be asked; null: nobody has asked.
    WhyAnswer why() const;
    bool asksWhy() const { return m_whyNext || m_why.running(); }
    std::optional<std::pair<int, int>> whyStep() const; // while it is asked: which of its runs, from 1, and of how many
    bool whyIsQuick() const;                            // asking is done before anybody would press a button
    void undo();                                        // what was open before this; what runs is stopped
    void redo();
    void setKeptEvents(std::uint64_t events) { m_keptEvents = events; } // of all that is kept but the newest
    // Walks over the events of what is open, if nobody has; momentsReady() when it is done. For whoever has shown a
    // picture: the walk must not keep a person from it.
    void findMoments();

    const RunPtr& current() const { return m_open.current; }
    const RunPtr& other() const { return m_open.other; }
    const RunPtr& previous() const { return m_previous; } // the run that was open before this one
    // What "again" and a change mean: what is open, or beside a pinned one the newer.
    const RunPtr& edited() const { return editedOf(m_open); }
    std::vector<RunPtr> kept() const;      // runs that were open and are still there, the newest first
    int numberOf(const RunPtr& run) const; // in the order in which they came, from 1; 0: never open
    const Opened& now() const { return m_open; }
    const QString& alignment() const { return m_alignment; } // of two traces, now or the next time
    TracePtr trace() const { return m_open.current ? m_open.current->trace : nullptr; }
    TracePtr otherTrace() const { return m_open.other ? m_open.other->trace : nullptr; }
    bool waiting() const { return m_waiting; } // a launch was asked for and is not what is open: on its way, or failed
    bool canUndo() const { return !m_past.empty(); }
    bool canRedo() const { return !m_future.empty(); }
    RunPtr before() const { return m_past.empty() ? nullptr : editedOf(m_past.back()); } // what undo() would open
    RunPtr after() const { return m_future.empty() ? nullptr : editedOf(m_future.back()); }
    const RunRequest* request() const; // of what is open; null: a file, or nothing
    bool canRunAgain() const;          // what is open has a request, or is the emulator's recording of one
    SelectionModel& selection() { return *m_selection; }

signals:
    void asked(const warpglass::RunRequest& request); // a launch is on its way: what "again" means from now on
    void opened();
    void momentsReady();
    void failed(const warpglass::Error& error); // what was open still is
    void sightReached(const warpglass::Sight& sight);
    void settled();
    void stopped();
    void pinned();   // another run, or none
    void wentBack(); // by undo() or redo(), after opened()
    void turns(std::uint32_t warp,
               int line);             // of what runs: it goes round there without an end in sight; line 0: unknown
    void progressed(double fraction); // from 300 ms on
    void whyReady();
    void whyCame();                                                     // a part of the answer
    void policiesReady(const std::vector<warpglass::TracePtr>& traces); // lrr, gto, gty

private:
    static const RunPtr& editedOf(const Opened& o) { return o.pinned && o.other ? o.other : o.current; }
    void take(const Result<Opened>& answer, const std::optional<Sight>& sight, bool passing = false);
    void become(const Opened& opened); // what is open, and the place in it
    void number(const Opened& opened);
    void reach(const Sight& sight);

    SelectionModel* m_selection;
    Opened m_open;
    bool m_waiting = false, m_opening = false;
    QString m_alignment = QStringLiteral("start");
    RunPtr m_previous, m_pin;
    std::map<std::weak_ptr<const Run>, int, std::owner_less<>> m_numbers;
    int m_lastNumber = 0;
    std::vector<Opened> m_past, m_future; // the newest last
    std::uint64_t m_keptEvents = 20'000'000;
    void watch(const RunRequest& request, bool alone); // alone: nothing is to be shown beside it
    void showSoFar();
    Job m_job, m_policies, m_moments, m_why, m_watch;
    QTimer m_watchTime;
    RunPtr m_turning;       // what runs, as far as it was when it was seen to turn; null: it was not
    RunPtr m_soFar;         // of what is open, the part that gives way to the whole: no run that is kept
    bool m_whyNext = false; // to be asked of what is on the way
    int m_whyDone = 0, m_whyRuns = 1;
    WhyAnswer m_whySoFar; // while it is asked
};

} // namespace warpglass
