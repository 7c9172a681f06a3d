// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>

namespace warpglass {

// PipelineText::tr() in every file of this folder.
struct PipelineText {
    Q_DECLARE_TR_FUNCTIONS(PipelineView)
};

} // namespace warpglass
