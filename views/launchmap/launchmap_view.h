// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "views/common/view.h"
namespace warpglass {
std::unique_ptr<View> makeLaunchMapView();
}
