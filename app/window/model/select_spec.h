// SPDX-License-Identifier: GPL-3.0-or-later
// The words that say what a picture shows: "launch=0,block=2,warp=0,line=10,option:layer=ptx". Lessons and the render
// command use the same.
//
//   launch=N   row of the launch table, 0 = the host's        block=N  linear blockIdx in that launch
//   warp=N     warp in the block                              lane=N   0 to 31
//   line=N     line of the CUDA source                        ptx=N    line of the PTX
//   time=T     a time in the trace's unit, start, end, a share such as 40%, or event:N = the warp's N-th event (from 0)
//   range=A:B  the visible times                              option:NAME=VALUE  a switch of the view
#pragma once

#include "gpu/base/result.h"
#include "views/common/selection.h"

#include <QMap>
#include <QString>
#include <QVariant>

namespace warpglass {

struct SelectSpec {
    Selection selection;
    QMap<QString, QVariant> options;
    bool hasTime = false;
};

// Error: an unknown word, a number that is none, or a place the trace does not have; the text names it.
Result<SelectSpec> parseSelect(const QString& text, const Trace& trace);

} // namespace warpglass
