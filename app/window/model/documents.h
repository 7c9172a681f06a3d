// SPDX-License-Identifier: GPL-3.0-or-later
// The documents that kernels and claims come from, by the titles that their readers know them by.
#pragma once

#include <QString>

namespace warpglass {

// key: "D0" to "D4". A key that is not one of them is its own title.
QString documentTitle(const QString& key, const QString& language);

} // namespace warpglass
