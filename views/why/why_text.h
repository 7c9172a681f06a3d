// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>

namespace warpglass {

// Texts of all parts have one translation context.
struct WhyText {
    Q_DECLARE_TR_FUNCTIONS(WhyView)
};

} // namespace warpglass
