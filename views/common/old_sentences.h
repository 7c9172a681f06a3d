// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences of recordings that are older than messages with identifiers (trace format 7 and before). They stand there in
// English, with names and numbers in them; here they are known again by their form and said once more. What is not known
// stays as it is. Nothing that arises today comes here: it is a row of the catalogue (gpu/base/messages).
#pragma once

#include "gpu/base/message.h"

#include <QString>

namespace warpglass {

QString oldSentence(const QString& english);
// Why a launch was dropped, as a message if it is that too many were pending; else Plain.
Message oldPending(const std::string& reason);

} // namespace warpglass
