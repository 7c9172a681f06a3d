// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/play/play_feature.h"

#include "app/window/model/motion.h"
#include "app/window/window_parts.h"
#include "views/common/follow.h"

#include <QKeyEvent>

namespace warpglass {

ActionSet::Deeds PlayFeature::deeds() {
    TransportBar* transport = m_parts->transport;
    const auto play = [transport](void (TransportBar::*what)()) { return [transport, what] { (transport->*what)(); }; };
    return {
        {"play", play(&TransportBar::play)},
        {"reverse", play(&TransportBar::playBackward)},
        {"stepForward", play(&TransportBar::stepForward)},
        {"stepBack", play(&TransportBar::stepBack)},
        {"nextEvent", [this] { toEvent(1); }},
        {"previousEvent", [this] { toEvent(-1); }},
        {"toStart", play(&TransportBar::toStart)},
        {"toEnd", play(&TransportBar::toEnd)},
        {"faster", play(&TransportBar::faster)},
        {"slower", play(&TransportBar::slower)},
        {"loop", play(&TransportBar::toggleLoop)},
        {"follow",
         [this, selection = &m_bench->selection()] {
             if (const TracePtr trace = m_bench->trace())
                 selection->set(followingToggled(selection->get(), *trace));
         }},
        {"still",
         [this, transport] {
             setMotionReduced(!transport->still());
             transport->setStill(motionReduced());
             m_shell.actions().check(QStringLiteral("still"), motionReduced());
         }},
        {"replay",
         [transport] {
             transport->toStart();
             transport->play();
         }},
    };
}

void PlayFeature::connectAll() {
    TransportBar* transport = m_parts->transport;
    connect(transport, &TransportBar::timeChanged, this, [this](Time time, const Motion& motion) {
        if (const auto own = ownClock())
            m_parts->views->current()->setOption(own->option, qlonglong(time.value));
        else
            m_bench->selection().setTime(time, motion);
    });
    // Of a program's launch, on to the launch beside it.
    connect(transport, &TransportBar::left, this, [this](int direction) {
        if (!ownClock() && current() && m_programs->operationOf(current()->file) != noIndex)
            m_shell.wish(direction > 0 ? QStringLiteral("launchAfter") : QStringLiteral("launchBefore"));
    });
    connect(m_parts->views, &ViewArea::currentChanged, this, [this] { follow(false); });
    for (int i = 0; i < m_parts->views->count(); ++i)
        connect(m_parts->views->at(i), &ViewWidget::optionsChanged, this, [this] { follow(false); });
    connect(m_bench, &Workbench::opened, this, [this] { follow(true); });
    connect(m_bench, &Workbench::momentsReady, this, [this] { follow(true); });
    connect(&m_bench->selection(), &SelectionModel::changed, this,
            [this, transport](const Selection& now, Selection before) {
                follow(false);
                before.motion = now.motion;
                before.time = now.time;
                if (!(before == now))
                    transport->beatsChanged();
            });
    transport->setBeats([this] {
        ViewWidget* view = m_shell.view();
        const Picture* picture = view ? view->picture() : nullptr;
        return picture ? picture->beats() : std::vector<Beat>();
    });
    connect(m_parts->views, &ViewArea::currentChanged, transport, &TransportBar::beatsChanged);
}

void PlayFeature::readSettings(const QSettings&) {
    m_parts->transport->setStill(motionReduced());
    m_shell.actions().check(QStringLiteral("still"), m_parts->transport->still());
}

std::optional<OwnClock> PlayFeature::ownClock() const {
    const ViewWidget* view = m_parts->views->current();
    return view ? view->view().ownClock(view->context()) : std::nullopt;
}

void PlayFeature::follow(bool anew) {
    TransportBar* transport = m_parts->transport;
    if (const auto own = ownClock()) {
        if (transport->trace() != own->trace) {
            Moments moments;
            moments.times = own->times;
            moments.range = {Time{own->times.front()}, Time{own->times.back()}};
            moments.density.assign(own->times.size(), 1);
            transport->setTrace(own->trace, std::make_shared<const Moments>(std::move(moments)));
        }
        transport->setTime(own->now);
        return;
    }
    if (anew || transport->trace() != m_bench->trace())
        transport->setTrace(m_bench->trace(), m_bench->now().moments);
    transport->setTime(m_bench->selection().get().time);
}

void PlayFeature::toEvent(int direction) {
    if (m_shell.stepInPage(direction) || !current())
        return;
    TransportBar* transport = m_parts->transport;
    transport->stop();
    const Trace& trace = *current()->trace;
    const Selection& selection = m_bench->selection().get();
    std::optional<Time> time;
    if (selection.warp < trace.warps.size())
        time = neighbourEvent(trace, trace.warps[selection.warp], selection.time, direction);
    else if (selection.block < trace.blocks.size())
        time = neighbourEvent(trace, trace.blocks[selection.block], selection.time, direction);
    else
        direction > 0 ? transport->stepForward() : transport->stepBack();
    if (time)
        m_bench->selection().setTime(*time);
}

bool PlayFeature::step(int direction) {
    if (!m_shell.now().presenting || m_shell.now().predicting)
        return false;
    direction > 0 ? m_parts->transport->stepForward() : m_parts->transport->stepBack();
    return true;
}

bool PlayFeature::escape() {
    m_parts->transport->stop();
    return true;
}

void PlayFeature::halt() {
    m_parts->transport->stop();
}

// What the views did not want moves in time.
bool PlayFeature::press(const QKeyEvent& key) {
    if (m_shell.seen().page != Front::Launch)
        return false;
    Selection next = m_bench->selection().get();
    if (key.key() == Qt::Key_Home && next.visible != TimeRange{}) {
        next.visible = {};
        m_bench->selection().set(next);
    } else if (key.key() == Qt::Key_Left) {
        m_parts->transport->stepBack();
    } else if (key.key() == Qt::Key_Right) {
        m_parts->transport->stepForward();
    } else {
        return false;
    }
    return true;
}

} // namespace warpglass
