// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>

namespace warpglass {

// Texts of all parts of the view have one translation context.
struct LanesText {
    Q_DECLARE_TR_FUNCTIONS(LanesView)
};

} // namespace warpglass
