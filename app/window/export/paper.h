// SPDX-License-Identifier: GPL-3.0-or-later
// A view on its way out of the window by other ways than a file: onto paper, and as numbers for a table.
#pragma once

#include "views/common/view.h"

#include <QMimeData>
#include <QPrinter>

#include <memory>

namespace warpglass {

// One page, in the colours for print, with the line that says where its numbers come from. "" or why not.
QString printView(const View& view, const PaintContext& context, QPrinter& printer);

// Comma-separated text as a spreadsheet takes it from the clipboard: cells divided by tabs, quotes undone. A cell keeps
// neither tabs nor line ends.
QString tabSeparated(const QString& csv);

// The same numbers in both forms.
std::unique_ptr<QMimeData> tableForClipboard(const QString& csv);

} // namespace warpglass
