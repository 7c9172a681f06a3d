// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/trace/tables.h"

#include <QLabel>
#include <QPushButton>
#include <QWidget>

#include <memory>
#include <vector>

namespace warpglass {

struct ProgramModel; // views/program/program_model.h
using ProgramModelPtr = std::shared_ptr<const ProgramModel>;

// Under the launches: what the chosen one is, why it has no warps to look at if it has none, and what can be done.
class LaunchFoot : public QWidget {
    Q_OBJECT
public:
    explicit LaunchFoot(QWidget* parent = nullptr);

    void setLaunch(const ProgramModelPtr& program, std::uint32_t operation, std::uint32_t kernel);
    void setWhyNoMore(const QString& why); // why no launch can be recorded; empty: it can
    void setBusy(bool busy);               // something runs: no second is begun
    void offerRecording();                 // the keyboard to the button that records the chosen launch
    void retranslate();
    std::vector<QWidget*> stops() const { return {m_open, m_record, m_recordFirst, m_recordAll}; } // of the Tab key

signals:
    void openRequested(quint32 operation);
    void recordRequested(const std::vector<std::uint64_t>& launches);

private:
    void refresh();
    std::vector<std::uint64_t> unrecorded(std::size_t most) const; // of the kernel

    ProgramModelPtr m_program;
    std::uint32_t m_operation = noIndex, m_kernel = noIndex;
    QLabel* m_note;
    QPushButton *m_open, *m_record, *m_recordFirst, *m_recordAll;
    QString m_whyNoMore;
    bool m_busy = false;
};

} // namespace warpglass
