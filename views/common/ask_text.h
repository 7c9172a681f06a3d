// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>
#include <optional>

namespace warpglass {

// Asks a person for a text, nothing if they changed their mind.
using AskText = std::function<std::optional<QString>(const QString& title, const QString& now)>;
// By a small dialog, in which the text is called so.
AskText askByDialog(std::function<QString()> label);

} // namespace warpglass
