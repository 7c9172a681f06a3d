// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/sweep/sweep_job.h"
#include "gpu/base/result.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QTimer>

namespace warpglass {

// What to sweep: a table of the documents, recordings against the model, or lists of one's own. The window stays
// usable while it runs; the chart fills row by row.
class SweepDialog : public QDialog {
    Q_OBJECT
public:
    explicit SweepDialog(SweepJob* job, QWidget* parent = nullptr);

    void setBase(const session::RunRequest& request); // the launch that is open: what is left out comes from it
    void setLanguage(const QString& language);
    void choosePreset(const QString& key);         // "" = lists of one's own
    Result<session::SweepRequest> request() const; // of the fields; Error: which one cannot be read

public slots:
    void start();

protected:
    void changeEvent(QEvent*) override;

private:
    QString countText(const session::SweepRequest& sweep) const;
    void retranslate();
    void refresh(); // how many launches, what is wrong, which fields matter
    void showProgress();
    QComboBox *m_preset, *m_backend;
    QLineEdit *m_kernels, *m_blocks, *m_grids, *m_sizes, *m_devices;
    QCheckBox *m_modes[2], *m_policies[3], *m_timing;
    QSpinBox* m_repeats;
    QFormLayout* m_form;
    QVector<QPair<QLabel*, const char*>> m_labels;
    QLabel *m_story, *m_count;
    QProgressBar* m_progress;
    QPushButton *m_start, *m_close, *m_family;
    QTimer m_poll;
    SweepJob* m_job;
    session::RunRequest m_base;
    QString m_language = QStringLiteral("en");
};

} // namespace warpglass
