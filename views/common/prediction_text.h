// SPDX-License-Identifier: GPL-3.0-or-later
// The words of a prediction's board, for its layout and its painting.
#pragma once

#include <QCoreApplication>

namespace warpglass {

struct PredictionText {
    Q_DECLARE_TR_FUNCTIONS(Prediction)
public:
    static QString check() { return tr("Check"); }
    static QString next() { return tr("Next question"); }
    static QString picture() { return tr("See the picture"); }
    static QString play() { return tr("Play on"); }
};

} // namespace warpglass
