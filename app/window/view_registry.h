// SPDX-License-Identifier: GPL-3.0-or-later
// Which views there are, in the order of the tabs and of Ctrl+1 to Ctrl+9. The one place that names them all.
#pragma once

#include "gpu/base/result.h"
#include "views/common/view.h"

#include <QStringList>
#include <QVector>

namespace warpglass {

struct ViewEntry {
    QString key;
    std::unique_ptr<View> (*make)();
};

QVector<ViewEntry> viewEntries();
QStringList viewKeys();
std::unique_ptr<View> makeView(const QString& key); // null if there is none of that name
Error noSuchView(const QString& key);

// The view of a whole program, which has a page of its own beside the tabs of a launch's views.
inline constexpr const char* programViewKey = "program";

} // namespace warpglass
