// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/export/guide.h"
#include "views/common/job.h"

#include <QDialog>
#include <QListWidget>
#include <QTextBrowser>

namespace warpglass {

// The guide in the window: its sections on the left, on the right one of them with its picture, which the program paints
// while the text can be read already.
class GuideDialog : public QDialog {
    Q_OBJECT
public:
    GuideDialog(const QString& language, const Theme& theme, QWidget* parent = nullptr);

    bool painted() const { return m_pictures.size() == m_guide.steps.size(); }

private:
    void showSection(int section); // the last one: the keys

    QString m_language;
    Theme m_theme;
    Lesson m_guide;
    QVector<QImage> m_pictures; // so far
    QListWidget* m_sections;
    QTextBrowser* m_text;
    Job m_job;
};

} // namespace warpglass
