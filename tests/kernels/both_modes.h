// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/kernels/catalogue.h"

constexpr warpglass::CompileMode bothModes[] = {warpglass::CompileMode::Optimised, warpglass::CompileMode::AsWritten};
