// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>

namespace warpglass {

// ReductionText::tr() in every file of this folder.
struct ReductionText {
    Q_DECLARE_TR_FUNCTIONS(reduction)
};

} // namespace warpglass
