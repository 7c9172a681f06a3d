// SPDX-License-Identifier: GPL-3.0-or-later
// Which views there are, in the order of the tabs and of Ctrl+1 to Ctrl+9. The one place that names them all.
#pragma once

#include "gpu/base/result.h"
#include "views/common/view.h"

#include <QStringList>
#include <QVector>

namespace warpglass {

// By the question that a view answers: where something ran, when, which lanes and threads, what memory moved, why it took
// so long; and the code, which stands at the side.
enum class ViewGroup : std::uint8_t { Where, When, Who, Memory, Why, Code };
inline constexpr int viewGroups = int(ViewGroup::Code) + 1;

struct ViewEntry {
    QString key;
    std::unique_ptr<View> (*make)();
    ViewGroup group;
    // Whether it has something to say of what is open: where it has not, it is listed and has no tab.
    bool (*says)(const View& view, const PaintContext& context);
    bool slow = false; // what only a model can tell is asked, too, away from the GUI thread
};

QVector<ViewEntry> viewEntries();
QStringList viewKeys();
std::unique_ptr<View> makeView(const QString& key); // null if there is none of that name
Error noSuchView(const QString& key);

// The views of a whole program, which has a page of its own beside the tabs of a launch's views.
inline constexpr const char *programViewKey = "program", *programGraphViewKey = "programgraph";
bool isOfProgram(const QString& key);

} // namespace warpglass
