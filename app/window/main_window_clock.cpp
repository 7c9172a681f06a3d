// SPDX-License-Identifier: GPL-3.0-or-later
// One transport, one cursor: what is in front says which clock it shows. Mostly that is the open trace's, whose time is
// part of the selection that all views share. A page with an example of its own has that example's, and its time is an
// option of the view; the transport then plays the example, and the open trace rests where it was.
#include "app/window/main_window.h"
#include "app/window/play/transport_bar.h"
#include "app/window/window_parts.h"

namespace warpglass {

void MainWindow::connectClock() {
    connect(m_parts->transport, &TransportBar::timeChanged, this, [this](Time time, const Motion& motion) {
        if (const auto own = ownClock())
            m_parts->views->current()->setOption(own->option, qlonglong(time.value));
        else
            m_bench->selection().setTime(time, motion);
    });
    connect(m_parts->views, &ViewArea::currentChanged, this, [this] { followClock(false); });
    for (int i = 0; i < m_parts->views->count(); ++i)
        connect(m_parts->views->at(i), &ViewWidget::optionsChanged, this, [this] { followClock(false); });
}

std::optional<OwnClock> MainWindow::ownClock() const {
    const ViewWidget* view = m_parts->views->current();
    return view ? view->view().ownClock(view->context()) : std::nullopt;
}

void MainWindow::followClock(bool anew) {
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

} // namespace warpglass
