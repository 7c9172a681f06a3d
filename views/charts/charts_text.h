// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>

namespace warpglass {

// ChartsText::tr() in every file of this folder.
struct ChartsText {
    Q_DECLARE_TR_FUNCTIONS(ChartsView)
};

} // namespace warpglass
