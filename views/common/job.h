// SPDX-License-Identifier: GPL-3.0-or-later
// Long work away from the GUI thread, one piece at a time: a newer one cancels the older, whose answer is then thrown
// away, so that a slider can ask for work with every step. What comes back comes back on the thread of the Job.
//
//   m_job->start([request](Progress& progress) { return run(request, progress); },
//                [this](const Answer& answer) { show(answer); });
//
// Work that gives answers as it goes takes a second argument and hands over what to do with each:
//
//   [](Progress& progress, const Job::Tell& tell) { for (...) tell([this, row] { add(row); }); }
//
// Work may outlive a cancel() by the moment that it takes to notice. It may refer to what owns the Job, because the
// Job's end waits for it, and to nothing else that can go away meanwhile.
#pragma once

#include "gpu/base/progress.h"

#include <QFuture>
#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace warpglass {

class Job : public QObject {
    Q_OBJECT
public:
    // Runs what it is given on the Job's thread, after what was told before; nothing happens if the work has been
    // overtaken or cancelled by then.
    using Tell = std::function<void(std::function<void()>)>;

    explicit Job(QObject* parent = nullptr);
    ~Job() override; // cancels and waits

    // work(Progress&) or work(Progress&, const Tell&) in a thread of the pool; then done(what it gave) here.
    template <typename Work, typename Done>
    void start(Work work, Done done) {
        auto told = [work = std::move(work)](Progress& progress, const Tell& tell) mutable {
            if constexpr (std::is_invocable_v<Work&, Progress&, const Tell&>)
                return work(progress, tell);
            else
                return work(progress);
        };
        using Answer = decltype(told(std::declval<Progress&>(), std::declval<const Tell&>()));
        if constexpr (std::is_void_v<Answer>) {
            launch(std::move(told), std::move(done));
        } else {
            const auto answer = std::make_shared<std::optional<Answer>>();
            launch([told = std::move(told),
                    answer](Progress& progress, const Tell& tell) mutable { answer->emplace(told(progress, tell)); },
                   [done = std::move(done), answer]() mutable { done(std::move(**answer)); });
        }
    }
    void stop();   // asks the work to end early; its answer still comes
    void cancel(); // the answer is thrown away

    bool running() const { return m_progress != nullptr; }
    double fraction() const { return m_progress ? m_progress->fraction() : 0; }

signals:
    void progressed(double fraction); // from 300 ms on, a few times a second
    void cancelled();                 // by cancel(); a newer start() is none

private:
    void launch(std::function<void(Progress&, const Tell&)> work, std::function<void()> done);

    std::shared_ptr<Progress> m_progress; // of the newest work; null: nothing runs
    quint64 m_generation = 0;             // what is told by another one is too late
    std::vector<QFuture<void>> m_futures; // the newest, and older ones that have not noticed yet
    QTimer m_poll;
};

} // namespace warpglass
