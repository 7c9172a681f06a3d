// SPDX-License-Identifier: GPL-3.0-or-later
// The machine code of what is open: where the recording does not keep it, it is looked for away from the GUI thread as soon
// as a view shows it.
#pragma once

#include "app/window/feature.h"
#include "views/common/job.h"
#include "views/common/machine_sight.h"

namespace warpglass {

class MachineFeature : public Feature {
    Q_OBJECT
public:
    using Feature::Feature;

    void connectAll() override;
    void halt() override { m_job.cancel(); }

private:
    void ask();
    void show();

    Job m_job;
    std::vector<MachineAnswer> m_answers; // of traces that are open
};

} // namespace warpglass
