// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/workbench.h"

#include "app/session/asked.h"
#include "app/window/model/carry.h"
#include "app/window/model/claim_target.h"
#include "app/window/model/requests.h"
#include "app/window/model/select_spec.h"
#include "app/window/model/why_ask.h"

#include <algorithm>
#include <utility>

namespace warpglass {

namespace {

// What is kept of what was open: enough to go back over a slip, little enough to leave the memory to what is open. An
// event takes about 30 bytes. The newest is kept whatever its size: the run that took longest is the one to be had back,
// and previous() keeps its trace anyway.
constexpr std::size_t keptRuns = 12;
// What has not ended by then is looked into: the first instructions of each warp are run once more, beside it. A warp that
// has not ended after them is on the way round, and what it did until then is little enough to be shown.
constexpr int watchAfterMs = 1000;
constexpr std::uint64_t watchedInstructions = 300'000, watchedEvents = 1'000'000;

std::uint64_t eventsOf(const Opened& opened) {
    return opened.current->trace->events.size() + (opened.other ? opened.other->trace->events.size() : 0);
}

void keep(std::vector<Opened>& past, const Opened& opened, std::uint64_t keptEvents) {
    past.push_back(opened);
    std::uint64_t events = 0;
    for (std::size_t n = 0; n < past.size(); ++n) {
        events += eventsOf(past[past.size() - 1 - n]);
        if (n >= keptRuns || (n > 0 && events > keptEvents)) { // this one and the older ones go
            past.erase(past.begin(), past.end() - std::ptrdiff_t(n));
            return;
        }
    }
}

} // namespace

Workbench::Workbench(QObject* parent) : QObject(parent), m_selection(new SelectionModel(this)) {
    m_watchTime.setSingleShot(true);
    for (Job* job : {&m_job, &m_policies})
        connect(job, &Job::progressed, this, &Workbench::progressed);
    connect(&m_why, &Job::progressed, this,
            [this](double fraction) { emit progressed(std::min(1.0, (m_whyDone + fraction) / m_whyRuns)); });
}

const RunRequest* Workbench::request() const {
    return m_open.current && m_open.current->request ? &*m_open.current->request : nullptr;
}

bool Workbench::canRunAgain() const {
    const TracePtr open = trace();
    return request() || (open && !open->asked.empty() && session::requestOf(*open));
}

void Workbench::show(Wanted wanted) {
    m_whyNext = false;
    if (!wanted.current && !m_open.current)
        return;
    if (!wanted.current && !wanted.other && !m_open.other && !busy()) { // it is there already
        if (wanted.sight)
            reach(*wanted.sight);
        return;
    }
    const auto runs = [](const std::optional<RunSource>& source) {
        return source && std::holds_alternative<RunRequest>(*source);
    };
    m_opening = !runs(wanted.current) && !runs(wanted.other);
    m_watch.cancel();
    m_turning.reset();
    if (const std::optional<RunSource>& first = runs(wanted.current) ? wanted.current : wanted.other; runs(first))
        watch(std::get<RunRequest>(*first), !wanted.other);
    else
        m_watchTime.stop();
    RunSource current = wanted.current ? std::move(*wanted.current) : RunSource(m_open.current);
    m_job.start([current = std::move(current), other = std::move(wanted.other), alignment = wanted.alignment](
                    Progress& progress) { return obtain(current, other, progress, alignment); },
                [this, sight = std::move(wanted.sight), pinned = wanted.pinned,
                 passing = wanted.passing](Result<Opened> answer) {
                    if (answer)
                        answer->pinned = pinned;
                    take(answer, sight, passing);
                });
}

void Workbench::watch(const RunRequest& request, bool alone) {
    m_watchTime.disconnect();
    m_watchTime.start(watchAfterMs);
    connect(&m_watchTime, &QTimer::timeout, this, [this, request, alone] {
        if (!m_job.running() || request.backend != "emulator")
            return;
        RunRequest few = request;
        few.options.instructionLimit = watchedInstructions;
        few.options.maxEvents = std::min(few.options.maxEvents, watchedEvents);
        few.options.timing = false;
        m_watch.start([few](Progress& progress) { return obtain(RunSource(few), progress); },
                      [this, request, alone](const Result<RunPtr>& run) {
                          if (!run || !m_job.running())
                              return;
                          const Trace& trace = *(*run)->trace;
                          for (const Diagnostic& d : trace.diagnostics)
                              if (d.fatal && d.kind == DiagnosticKind::EndlessLoop && !m_turning) {
                                  auto shown = std::make_shared<Run>(**run);
                                  shown->request = request;
                                  m_turning = std::move(shown);
                                  const std::uint32_t warp = d.thread != noIndex ? d.thread / lanesPerWarp : 0;
                                  const Kernel& kernel = trace.kernelOf(trace.launches.front());
                                  const std::uint32_t line = sourceLineOf(kernel, d.ptxLine);
                                  if (alone)
                                      showSoFar();
                                  emit turns(warp, int(line ? line : d.ptxLine));
                              }
                      });
    });
}

// What turns is shown while it goes on: whoever has written a loop without an end sees it, and stops nothing first.
void Workbench::showSoFar() {
    if (m_open.current && m_open.current != m_soFar)
        keep(m_past, m_open, m_keptEvents);
    m_future.clear();
    m_soFar = m_turning;
    become(Opened{.current = m_turning});
    m_waiting = true; // the whole is still on its way
    emit settled();
}

bool Workbench::stop() {
    const bool working = m_job.running() || m_policies.running() || m_why.running();
    m_whyNext = false;
    m_watch.cancel();
    if (const RunPtr turning = std::exchange(m_turning, nullptr); turning && m_job.running()) {
        m_job.cancel();
        take(Opened{.current = turning}, std::nullopt);
        m_soFar.reset(); // it is what there is
        return true;
    }
    m_job.cancel();
    m_why.cancel();
    m_policies.cancel();
    if (working)
        emit stopped();
    return working;
}

void Workbench::run(const RunRequest& request) {
    if (const RunPtr newer = m_open.pinned ? m_open.other : nullptr;
        newer && newer->request && newer->request->kernel == request.kernel) {
        m_waiting = true;
        emit asked(request);
        show({.other = request, .alignment = m_alignment, .pinned = true});
        return;
    }
    std::optional<RunSource> beside;
    if (const RunPtr& other = m_open.other) {
        beside = other;
        if (other->request && other->request->kernel != request.kernel)
            beside = withKernel(request, other->request->kernel);
    }
    m_waiting = true;
    emit asked(request);
    show({.current = request, .other = beside, .alignment = m_alignment});
}

void Workbench::runAlone(const RunRequest& request) {
    m_waiting = true;
    emit asked(request);
    show({.current = request});
}

void Workbench::runWith(const RunRequest& asked, const std::function<void(RunRequest&)>& change) {
    RunRequest wanted = asked;
    if (asked.kernel.empty()) {
        if (const RunRequest* open = request()) {
            wanted = *open;
        } else if (m_open.current) {
            auto kept = session::requestOf(*m_open.current->trace);
            if (!kept) {
                emit failed(kept.error());
                return;
            }
            wanted = std::move(*kept);
        } else {
            if (!catalogue().empty())
                runAlone(firstLook(catalogue().front(), nullptr));
            return;
        }
    }
    change(wanted);
    run(wanted);
}

void Workbench::compareWith(const RunSource& source) {
    const RunPtr open = edited();
    const auto* run = std::get_if<RunPtr>(&source);
    const int number = run ? numberOf(*run) : 0;
    if (!open || !number)
        show({.other = source, .alignment = m_alignment});
    else if (number < numberOf(open))
        show({.current = source, .other = open, .alignment = m_alignment, .pinned = true});
    else
        show({.current = open, .other = source, .alignment = m_alignment, .pinned = true});
}

void Workbench::stopComparing() {
    if (m_open.other)
        show({.current = edited()});
}

void Workbench::rewrite(const RunRequest& request, const std::function<bool(const RunRequest&)>& its, bool passing) {
    const auto is = [&](const RunPtr& run) { return run && run->request && its(*run->request); };
    const RunPtr current = m_open.current, other = m_open.other;
    m_waiting = true;
    emit asked(request);
    if (!other)
        show({.current = request, .passing = passing});
    else if (is(current) && !is(other))
        show({.current = request, .other = other, .alignment = m_alignment, .passing = passing});
    else // the newer of two of its own, or of two that are somebody else's
        show({.other = request,
              .alignment = m_alignment,
              .pinned = m_open.pinned || is(current) || !is(other),
              .passing = passing});
}

void Workbench::pin(const RunPtr& run) {
    if (run == m_pin)
        return;
    m_pin = run;
    emit pinned();
}

const RunPtr& Workbench::heldAgainst() const {
    static const RunPtr none;
    return !m_open.other && m_open.current != m_pin ? m_pin : none;
}

void Workbench::keepPassing() {
    if (!isPassing())
        return;
    m_soFar.reset();
    number(m_open);
}

std::vector<RunPtr> Workbench::kept() const {
    std::vector<RunPtr> runs;
    const auto add = [&](const RunPtr& run) {
        if (run && run != m_open.current && run != m_open.other &&
            std::find(runs.begin(), runs.end(), run) == runs.end())
            runs.push_back(run);
    };
    add(m_previous);
    for (const std::vector<Opened>* all : {&m_past, &m_future})
        for (const Opened& opened : *all) {
            add(opened.current);
            add(opened.other);
        }
    std::sort(runs.begin(), runs.end(), [this](const RunPtr& a, const RunPtr& b) { return numberOf(a) > numberOf(b); });
    return runs;
}

int Workbench::numberOf(const RunPtr& run) const {
    const auto at = m_numbers.find(run);
    return at == m_numbers.end() ? 0 : at->second;
}

void Workbench::number(const Opened& opened) {
    std::erase_if(m_numbers, [](const auto& known) { return known.first.expired(); });
    for (const RunPtr& run : {opened.current, opened.other})
        if (run && m_numbers.try_emplace(run, m_lastNumber + 1).second)
            ++m_lastNumber;
}

void Workbench::alignAt(const QString& key) {
    if (m_open.other && key != m_alignment)
        show({.other = m_open.other, .alignment = key, .pinned = m_open.pinned});
}

void Workbench::showClaim(const ClaimTarget& target, bool inView) {
    Sight sight;
    if (inView && !target.view.isEmpty())
        sight = {.view = target.view, .options = target.options, .metric = target.run ? target.metric : QString()};
    const auto shows = [](const RunPtr& run, const std::optional<RunRequest>& wanted) {
        return !wanted ? !run : run && run->request && sameLaunch(*run->request, *wanted);
    };
    if (!target.run || (shows(m_open.current, target.run) && shows(m_open.other, target.compare))) {
        reach(sight);
        return;
    }
    Wanted wanted{.current = *target.run, .sight = sight};
    if (target.compare)
        wanted.other = *target.compare;
    show(std::move(wanted));
}

void Workbench::comparePolicies(const RunRequest& request) {
    m_policies.start([request](Progress& progress) { return obtainPolicies(request, progress); },
                     [this](const Result<std::vector<TracePtr>>& traces) {
                         if (traces)
                             emit policiesReady(*traces);
                         else
                             emit failed(traces.error());
                     });
}

void Workbench::take(const Result<Opened>& answer, const std::optional<Sight>& sight, bool passing) {
    const bool ask = std::exchange(m_whyNext, false);
    m_watch.cancel();
    m_watchTime.stop();
    m_turning.reset();
    if (!answer) {
        emit failed(answer.error());
        emit settled();
        return;
    }
    if (m_open.current && m_open.current != m_soFar)
        keep(m_past, m_open, m_keptEvents);
    m_future.clear();
    if (!passing || answer->other)
        number(*answer);
    become(*answer);
    m_soFar = passing && !answer->other ? answer->current : nullptr;
    if (sight)
        reach(*sight);
    if (ask)
        askWhy();
    emit settled();
}

void Workbench::become(const Opened& next) {
    m_policies.cancel(); // of another launch
    m_why.cancel();
    m_moments.cancel();
    const RunPtr before = m_open.current;
    if (before && before != next.current && before != m_soFar)
        m_previous = before;
    m_open = next;
    m_waiting = false;
    if (m_open.other)
        m_alignment = m_open.alignment;
    const Selection place = carried(m_selection->get(), before ? before->trace.get() : nullptr, *trace());
    emit opened();
    m_selection->reset(place);
}

WhyAnswer Workbench::why() const {
    if (m_why.running() && m_whySoFar)
        return m_whySoFar;
    if (m_open.why || !m_open.current)
        return m_open.why;
    const auto request = whyRequest(*m_open.current);
    return request ? nullptr : std::make_shared<const Result<Why>>(request.error());
}

bool Workbench::whyIsQuick() const {
    return m_open.current && whyRequest(*m_open.current) && isQuicklyAnswered(*trace());
}

std::optional<std::pair<int, int>> Workbench::whyStep() const {
    return m_why.running() && m_whyRuns > 1 ? std::optional(std::pair(std::min(m_whyDone + 1, m_whyRuns), m_whyRuns))
                                            : std::nullopt; // how many there will be, the first of them tells
}

void Workbench::askWhy() {
    if (!m_open.current || m_open.why || m_why.running())
        return;
    const auto request = whyRequest(*m_open.current);
    if (!request) {
        emit failed(request.error());
        return;
    }
    if (!isModelled(*trace())) {
        emit asked(*request);
        show({.current = *request});
        m_whyNext = true;
        return;
    }
    m_whyDone = 0;
    m_whyRuns = 1;
    m_whySoFar.reset();
    m_why.start(
        [this, request = *request, open = m_open.current](Progress& progress, const Job::Tell& tell) {
            return warpglass::askWhy(
                request, *open, progress,
                [this, tell](int done, int runs) {
                    tell([this, done, runs] {
                        m_whyDone = done;
                        m_whyRuns = runs;
                    });
                },
                [this, tell](Why part) {
                    tell([this, answer = std::make_shared<const Result<Why>>(std::move(part))] {
                        m_whySoFar = answer;
                        emit whyCame();
                    });
                });
        },
        [this](Result<Why> why) {
            m_whySoFar.reset();
            if (why) {
                m_open.why = std::make_shared<const Result<Why>>(std::move(why));
                emit whyReady();
            } else {
                emit failed(why.error());
            }
        });
}

void Workbench::undo() {
    if (m_past.empty())
        return;
    stop();
    if (!isPassing())
        m_future.push_back(m_open);
    const Opened before = m_past.back();
    m_past.pop_back();
    become(before);
    m_soFar.reset();
    emit wentBack();
    emit settled();
}

void Workbench::redo() {
    if (m_future.empty())
        return;
    stop();
    keep(m_past, m_open, m_keptEvents);
    const Opened next = m_future.back();
    m_future.pop_back();
    become(next);
    m_soFar.reset();
    emit wentBack();
    emit settled();
}

void Workbench::findMoments() {
    if (!m_open.current || m_open.moments || m_moments.running())
        return;
    m_moments.start([open = m_open](Progress& progress) { return momentsOf(open, progress); },
                    [this](std::shared_ptr<const Moments> moments) {
                        m_open.moments = std::move(moments);
                        emit momentsReady();
                    });
}

void Workbench::reach(const Sight& sight) {
    emit sightReached(sight);
    if (!m_open.current)
        return;
    const Trace& trace = *m_open.current->trace;
    if (!sight.select.isEmpty()) {
        const Result<SelectSpec> spec = parseSelect(sight.select, trace);
        if (!spec) {
            Error error = spec.error();
            error.file = sight.source.toStdString();
            emit failed(error);
            return;
        }
        Selection selection = spec.value().selection;
        if (!spec.value().hasTime)
            selection.time = m_selection->get().time;
        m_selection->set(completed(selection, trace));
    } else if (!sight.metric.isEmpty()) {
        m_selection->set(completed(placeOf(trace, sight.metric, m_selection->get()), trace));
    }
}

} // namespace warpglass
