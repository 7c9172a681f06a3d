// SPDX-License-Identifier: GPL-3.0-or-later
// Opening and saving traces; the files of the days before; the notes that lie beside a trace.
#pragma once

#include "app/window/feature.h"
#include "gpu/trace/trace.h"

#include <QStringList>

namespace warpglass {

class OptionKeeper;

class FilesFeature : public Feature {
    Q_OBJECT
public:
    explicit FilesFeature(Shell& shell);
    const QStringList& recent() const { return m_recent; } // the newest first

    ActionSet::Deeds deeds() override;
    void connectAll() override;
    void offer(QVector<PaletteItem>& items) override;
    bool open(const QString& path) override; // whatever nobody else opens
    void readSettings(const QSettings& settings) override;
    void writeSettings(QSettings& settings) override;
    void remember(SessionMemory& memory) const override;
    bool resume(const SessionMemory& memory) override;

private:
    void openDialog();
    void saveDialog();
    void savePartDialog();                               // what the timeline shows now, as a trace of its own
    bool write(const Trace& trace, const QString& path); // with a sentence
    void follow(const QString& tracePath, bool keep = false);
    void keep(const QString& path); // among the recent ones

    QVector<OptionKeeper*> m_keepers; // notes of the timeline, names of roles
    QStringList m_recent;
};

} // namespace warpglass
