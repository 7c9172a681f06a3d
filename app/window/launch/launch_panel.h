// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/model/run_request.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QTimer>
#include <QWidget>

namespace warpglass {

// How the chosen kernel is launched: shapes, size, its own parameters, device, mode, policy. Every change runs again, a
// short moment after the last one.
class LaunchPanel : public QWidget {
    Q_OBJECT
public:
    explicit LaunchPanel(QWidget* parent = nullptr);

    // Shows a request (completed with the entry's defaults) without running it. A kernel that is not in the catalogue
    // (a file was opened) disables the fields.
    void show(const RunRequest& request);
    void showNothing();
    void showRecording(const RunRequest& launched); // what a file shows: to be read, not to be changed
    void sayOlderPicture();        // what was asked for did not run: the picture is that of another launch
    void setActualGrid(Dim3 grid); // what an automatic grid came to
    void setAsking(bool asking);   // of something that the grid of the last run may answer
    void setLanguage(const QString& language);

    // Nothing is chosen while a recording is shown.
    RunRequest request() const { return m_recording ? RunRequest() : m_request; }

signals:
    void changed(const warpglass::RunRequest& request);
    void entered(); // with Return: done here

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void rebuildParameters();
    void alignLabels();
    void fieldsFromRequest();
    void nameAutomaticGrid();
    void edited(); // a field was changed: check it, start the timer
    bool requestFromFields();
    void preset(bool document);

    RunRequest m_request;
    QString m_language = QStringLiteral("en");
    bool m_recording = false; // of a file
    bool m_quiet = false;
    bool m_writing = false; // fields that somebody writes in are left alone
    QTimer m_later;
    std::optional<Dim3> m_actualGrid; // of an automatic one, once it ran
    bool m_asking = false;
    QLabel *m_title, *m_problem;
    QComboBox* m_preset;
    QFormLayout *m_form, *m_parameterForm;
    QLineEdit *m_block, *m_grid, *m_size;
    QComboBox *m_mode, *m_device, *m_policy, *m_record;
    QLabel *m_blockLabel, *m_gridLabel, *m_sizeLabel, *m_modeLabel, *m_deviceLabel, *m_policyLabel, *m_recordLabel;
    struct ParameterField {
        std::string name;
        QLabel* label;
        QSpinBox* box;
    };
    std::vector<ParameterField> m_parameters;
};

} // namespace warpglass
