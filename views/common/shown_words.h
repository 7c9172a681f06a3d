// SPDX-License-Identifier: GPL-3.0-or-later
// Words of files in pictures, pages, titles and labels: gpu/base/shown.h for Qt.
#pragma once

#include <QString>

namespace warpglass {

QString shown(const QString& words); // words themselves where there is nothing that must be shown by its number

} // namespace warpglass
