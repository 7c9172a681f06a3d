// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QVariant>

#include <functional>

namespace warpglass {

class ViewWidget;

// An option of a view that belongs to the reader of a trace and lies in a file of its own beside it.
struct KeptOption {
    QString option;
    std::function<QVariant(const QString& tracePath, QString* problem)> read; // nothing: there is no such file
    std::function<QString(const QString& tracePath, const QVariant&)> write;  // empty, or why not
    // What two readers come to who both began with `base`.
    std::function<QVariant(const QVariant& base, const QVariant& mine, const QVariant& theirs)> merged;
};

// Keeps it there: call follow() whenever another trace is shown, with its path, or with an empty one for a run that was not
// saved. What another window has written meanwhile stays and is shown as soon as this one writes. What belongs to an unsaved
// run is written when the run is saved and follow() names the file with keep = true.
class OptionKeeper : public QObject {
    Q_OBJECT
public:
    OptionKeeper(ViewWidget* view, KeptOption what);
    void follow(const QString& tracePath, bool keep = false);

signals:
    void failed(const QString& problem);

private:
    void save();
    QVariant shown() const;
    QPointer<ViewWidget> m_view;
    KeptOption m_what;
    QString m_path;
    QVariant m_saved;
};

} // namespace warpglass
