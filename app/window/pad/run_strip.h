// SPDX-License-Identifier: GPL-3.0-or-later
// The runs that are kept, each as a small picture of the view in front and a word for what was different: a click pins
// one. Pictures are painted away from the GUI thread, one after the other.
#pragma once

#include "app/window/model/run.h"
#include "views/common/job.h"
#include "views/common/picture.h"

#include <QListWidget>

#include <map>
#include <memory>
#include <vector>

namespace warpglass {

class RunStrip : public QListWidget {
    Q_OBJECT
public:
    struct Shown {
        RunPtr run;
        QString word;
        bool isA = false, isOpen = false;
    };
    explicit RunStrip(QWidget* parent = nullptr);
    void show(const std::vector<Shown>& runs); // from left to right
    // What the pictures are of: the view in front and how it is looked at; its trace is each run's own.
    void look(const QString& view, const PaintContext& context);

signals:
    void pinWanted(const warpglass::RunPtr& run);

protected:
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }
    void keyPressEvent(QKeyEvent*) override;

private:
    void paintNext(); // of those that have no picture yet
    void retell();
    using Weak = std::weak_ptr<const Run>;
    std::vector<Shown> m_runs;
    std::map<Weak, QImage, std::owner_less<>> m_pictures; // of m_view
    QString m_view;
    int m_looks = 0; // changes of what the pictures are of
    PaintContext m_context;
    Job m_job;
};

} // namespace warpglass
