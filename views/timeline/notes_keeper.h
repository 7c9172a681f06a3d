// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QVariant>

namespace warpglass {

class ViewWidget;

// Keeps a timeline's notes in the file beside the trace that it shows: call follow() whenever another trace is shown,
// with its path, or with an empty one for a run that was not saved. What another window has written meanwhile stays
// and is shown as soon as this one writes. Notes of an unsaved run are written when the run is saved
// and follow() names the file with keep = true.
class NotesKeeper : public QObject {
    Q_OBJECT
public:
    explicit NotesKeeper(ViewWidget* timeline);
    void follow(const QString& tracePath, bool keep = false);

signals:
    void failed(const QString& problem);

private:
    void save();
    QPointer<ViewWidget> m_timeline;
    QString m_path;
    QVariant m_saved;
};

} // namespace warpglass
