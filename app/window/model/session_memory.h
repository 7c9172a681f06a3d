// SPDX-License-Identifier: GPL-3.0-or-later
// What the window was at when it was closed, as text: to begin there the next time.
#pragma once

#include "app/window/model/run_request.h"

#include <QByteArray>
#include <QString>

#include <optional>

namespace warpglass {

struct SessionMemory {
    QString lesson; // its name; empty: none was given
    int step = 0;
    QString file;                      // of a trace or a program
    std::optional<RunRequest> request; // a kernel of the catalogue, as it was launched
    QString view;
    bool empty() const { return lesson.isEmpty() && file.isEmpty() && !request; }
};

QByteArray written(const SessionMemory& memory);
// What cannot be read, or names a kernel that is no more, is left out: nobody wants a fault from the day before.
SessionMemory readSession(const QByteArray& text);

} // namespace warpglass
