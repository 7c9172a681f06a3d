// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/ghosts.h"

#include "gpu/trace/file.h"
#include "views/common/ghost.h"

#include <QDir>
#include <QFile>
#include <QTemporaryFile>

#include <algorithm>

namespace warpglass {

namespace {

constexpr std::size_t mostOpened = 8;

// Of memory, about: what its large tables hold once they are unpacked.
std::uint64_t bytesOf(const Trace& trace) {
    constexpr std::uint64_t eventBytes = 8; // about (event_table.h)
    return trace.events.size() * eventBytes + trace.states.size() * sizeof(StateRow) +
           trace.accesses.size() * sizeof(AccessRow) +
           (trace.accessAddresses.size() + trace.accessValues.size() + trace.kept.words.size()) * sizeof(std::uint64_t);
}

TracePtr unpacked(const QString& path) {
    QFile packed(path);
    QTemporaryFile copy; // the file format is read from a disk
    if (!packed.open(QIODevice::ReadOnly) || !copy.open() || copy.write(packed.readAll()) < 0 || !copy.flush())
        return nullptr;
    Progress progress;
    auto trace = readTrace(copy.fileName().toStdString(), progress);
    return trace ? *trace : nullptr;
}

} // namespace

void Ghosts::remember(const TracePtr& trace) {
    if (!trace || trace->info.timeOrigin != Origin::Measured)
        return;
    std::erase_if(m_opened, [&](const Opened& one) { return one.trace.expired() || one.trace.lock() == trace; });
    m_opened.insert(m_opened.begin(), {trace, trace});
    if (m_opened.size() > mostOpened)
        m_opened.pop_back();
    std::uint64_t bytes = 0;
    for (Opened& one : m_opened) {
        if (!one.kept)
            continue;
        const std::uint64_t its = bytesOf(*one.kept);
        if (its > m_mostBytes - bytes)
            one.kept.reset();
        else
            bytes += its;
    }
}

TracePtr Ghosts::opened(const Trace& modelled) const {
    for (const Opened& one : m_opened)
        if (TracePtr trace = one.trace.lock(); trace && recordsLaunchOf(*trace, modelled))
            return trace;
    return nullptr;
}

TracePtr shippedGhost(const Trace& modelled) {
    if (modelled.info.timeOrigin != Origin::Modelled || modelled.launches.empty())
        return nullptr;
    const QString folder = QStringLiteral(":/recordings/"); // names in it: KERNEL-MODE[-SIZE].wgt
    const QString kernel = QString::fromStdString(modelled.kernelOf(modelled.launches.front()).name);
    for (const QString& file : QDir(folder).entryList({kernel + QStringLiteral("-*.wgt")}))
        if (TracePtr trace = unpacked(folder + file); trace && recordsLaunchOf(*trace, modelled))
            return trace;
    return nullptr;
}

} // namespace warpglass
