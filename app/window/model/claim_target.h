// SPDX-License-Identifier: GPL-3.0-or-later
// Where a claim of a document can be seen: the launch it is measured by, the view that shows why, and the place in it.
#pragma once

#include "app/window/model/run_request.h"
#include "views/common/selection.h"

#include <QMap>
#include <QString>
#include <QVariant>

#include <optional>

namespace warpglass {

struct Claim;

struct ClaimTarget {
    std::optional<RunRequest> run, compare; // compare: the second launch of a ratio, if it is another one
    QString view;                           // key; empty: arithmetic or a table, nothing a view could show
    QMap<QString, QVariant> options;        // the view's switches
    QString metric;                         // as "how" names it
};

ClaimTarget targetOf(const Claim& claim);

// The place in a trace where the metric is made: the memory instruction that moves most for least, the branch that
// splits most warps, the first wait at a barrier, the last warp of a block for lanes without a thread. The selection
// that is given, where there is no such place.
Selection placeOf(const Trace& trace, const QString& metric, const Selection& otherwise);

} // namespace warpglass
