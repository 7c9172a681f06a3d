// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of runs, files and launches, in the window's language: messages of the catalogue (gpu/base/messages), and
// what older recordings hold in English (old_sentences.h).
#pragma once

#include "gpu/base/catalogue.h"
#include "gpu/base/result.h"

#include <QString>

namespace warpglass {

QString sentence(const QString& english);
inline QString sentence(const std::string& english) {
    return sentence(QString::fromStdString(english));
}

// As a list has room for it (catalogue.h).
QString sentence(const Message& message);
// The whole of it.
QString sentence(const Said& said);
inline QString sentence(const MessageForm<0>& form) {
    return sentence(Message(form));
}

// The whole of an error for who sits before the window: where, what, and what to do. A place that is an option of the
// command line is called as its field in the window.
QString sentence(const Error& error);

} // namespace warpglass
