// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/machine/machine_feature.h"

#include "app/window/model/machine_ask.h"
#include "app/window/window_parts.h"

namespace warpglass {

namespace {

constexpr const char* itsViews[] = {"source", "lanes"};

} // namespace

void MachineFeature::connectAll() {
    connect(m_bench, &Workbench::opened, this, [this] {
        m_job.cancel();
        std::erase_if(m_answers, [](const MachineAnswer& answer) { return answer.trace.expired(); });
        ask();
    });
    connect(m_parts->views, &ViewArea::currentChanged, this, &MachineFeature::ask);
    connect(&m_bench->selection(), &SelectionModel::changed, this,
            [this](const Selection& now, const Selection& before) {
                if (now.launch != before.launch)
                    ask();
            });
}

void MachineFeature::ask() {
    const QString view = m_parts->views->currentKey();
    if (m_job.running() || std::none_of(std::begin(itsViews), std::end(itsViews),
                                        [&](const char* its) { return view == QLatin1String(its); }))
        return;
    const auto known = std::make_shared<const std::vector<MachineAnswer>>(m_answers);
    for (const TracePtr& trace : {m_bench->trace(), m_bench->otherTrace()}) {
        if (!trace || trace->launches.empty())
            continue;
        const std::uint32_t launch = m_bench->selection().get().launch;
        const std::uint32_t kernel = trace->launches[launch < trace->launches.size() ? launch : 0].kernel;
        if (machineAnswerOf(known, trace, kernel) || !isMachineToAsk(*trace, kernel))
            continue;
        m_job.start([trace, kernel](Progress&) { return askMachine(trace, kernel); },
                    [this](MachineAnswer answer) {
                        m_answers.push_back(std::move(answer));
                        show();
                        ask(); // of the other one
                    });
        return;
    }
}

void MachineFeature::show() {
    const auto answers = std::make_shared<const std::vector<MachineAnswer>>(m_answers);
    for (const char* view : itsViews)
        if (ViewWidget* widget = m_parts->views->widget(QLatin1String(view)))
            widget->setOption(QLatin1String(machineOption), machineToOption(answers));
}

} // namespace warpglass
