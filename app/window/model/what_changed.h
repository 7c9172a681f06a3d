// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/model/run_request.h"

#include <QString>

namespace warpglass {

// What `to` was asked that `from` was not, in a few words: "block 128, line 4: sum += x[i];"; empty: nothing. Translated.
QString whatChanged(const RunRequest& from, const RunRequest& to);

// The same in a word or two, for under a small picture: "block 128", "PAD 1", "line 4"; empty: nothing.
QString changeWord(const RunRequest& from, const RunRequest& to);

} // namespace warpglass
