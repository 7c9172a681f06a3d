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

constexpr std::size_t mostOpened = 8; // recordings are large

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
    std::erase(m_opened, trace);
    m_opened.insert(m_opened.begin(), trace);
    if (m_opened.size() > mostOpened)
        m_opened.pop_back();
}

TracePtr Ghosts::opened(const Trace& modelled) const {
    const auto at = std::find_if(m_opened.begin(), m_opened.end(),
                                 [&](const TracePtr& one) { return recordsLaunchOf(*one, modelled); });
    return at == m_opened.end() ? nullptr : *at;
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
