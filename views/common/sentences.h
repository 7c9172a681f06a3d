// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences of the emulator, the checks and the files, in the window's language. They are made in English, where they
// stand in recordings and on the command line, with names and numbers in them; here they are known again by their form
// and said once more. What is not known stays as it is.
#pragma once

#include "gpu/base/message.h"
#include "gpu/base/result.h"

#include <QString>

namespace warpglass {

QString sentence(const QString& english);
inline QString sentence(const std::string& english) {
    return sentence(QString::fromStdString(english));
}

// Of a message the words are known: they stand in its catalogue, in both languages. What it holds of other sentences is said
// as above.
QString sentence(const Message& message);

// The whole of an error for who sits before the window: where, what, and what to do. A place that is an option of the
// command line is called as its field in the window.
QString sentence(const Error& error);

} // namespace warpglass
