// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/model/lessons.h"
#include "views/common/job.h"
#include "views/common/view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>

#include <memory>

namespace warpglass {

// What the window shows, for the dialog to take away.
struct ExportSubject {
    struct OneView {
        QString key, title;
        PaintContext context;
        QSize size; // on the screen; null if it was not shown yet
    };
    QVector<OneView> views;                  // those that have something to show, in the order of the tabs
    QString current;                         // key of the view in front
    QString name;                            // of the run, for file names
    QString file;                            // the trace's, may be empty
    std::optional<Lesson> lesson;            // that is given
    QString language = QStringLiteral("en"); // of the window, for what is written in one
};

// Everything that leaves the program as a picture: this view, all views, a report, a film, a page that plays by itself; of
// the lesson that is given, such a page and a sheet of its questions. Writing runs away from the
// GUI thread, shows how far it is and can be stopped.
class ExportDialog : public QDialog {
    Q_OBJECT
public:
    enum class What { View, AllViews, Report, Film, Page, LessonPage, Worksheet };
    ExportDialog(ExportSubject subject, What what, QWidget* parent = nullptr);

    bool working() const { return m_job.running(); }

signals:
    void written(const QString& path);
    void failed(const QString& problem);

public slots:
    void reject() override; // while something runs: stops it

private:
    void build();
    void refresh(); // fields of what is chosen
    void suggest(); // a file name of the right ending
    void usePreset();
    void browse();
    void start();
    What what() const { return What(m_what->currentData().toInt()); }
    QString suffix() const { return m_format->currentData().toString(); }
    PaintContext contextOf(const ExportSubject::OneView& view) const;
    bool ofLesson() const { return what() == What::LessonPage || what() == What::Worksheet; }

    ExportSubject m_subject;
    bool m_suggested = true; // the path is still ours
    QFormLayout* m_form;
    QComboBox *m_what, *m_view, *m_format, *m_preset, *m_theme;
    QSpinBox *m_width, *m_height, *m_fps;
    QDoubleSpinBox *m_scale, *m_seconds;
    QWidget* m_sizeRow;
    QListWidget* m_views;
    QLineEdit* m_path;
    QWidget* m_pathRow;
    QCheckBox *m_still, *m_answers;
    QLabel* m_note;
    QProgressBar* m_bar;
    QPushButton *m_write, *m_cancel;
    Job m_job;
};

} // namespace warpglass
