// SPDX-License-Identifier: GPL-3.0-or-later
// How the pad's text is compiled: folders of headers, definitions, architecture, further options of nvcc.
#pragma once

#include "app/window/model/pad.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QWidget>

namespace warpglass {

class PadCompilerPage : public QWidget {
    Q_OBJECT
public:
    explicit PadCompilerPage(QWidget* parent = nullptr);

    void show(const PadSettings& settings, const QString& path); // path: folders are meant from there
    void take(PadSettings& settings) const;                      // what the fields say

signals:
    void edited();

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void addFolder();

    QLabel *m_includesLabel, *m_definesLabel, *m_archLabel, *m_nvccLabel;
    QLineEdit *m_includes, *m_defines, *m_nvcc;
    QComboBox* m_arch;
    QToolButton* m_browse;
    QString m_path;
};

} // namespace warpglass
