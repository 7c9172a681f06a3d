// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pad/argument_table.h"
#include "app/window/pad/pad_compiler_page.h"
#include "app/window/pad/pad_editor.h"
#include "app/window/pad/pad_panel.h"

namespace warpglass {

void PadPanel::turn(TurnRow::Kind kind, const QString& name, qint64 value, bool settled) {
    if (!m_file || !m_kernel)
        return;
    m_passing = !settled;
    if (kind != TurnRow::Kind::Constant) {
        const RunRequest request = padRequest(m_like, m_path, QString(), *m_file, *m_kernel, m_settings);
        const bool isBlock = kind == TurnRow::Kind::Block;
        (isBlock ? ofKernel().block : ofKernel().grid) =
            shapeTurned(isBlock ? *request.launch.block : *request.launch.grid, value);
        showKernel(); // what is not set follows the number of threads
        m_argumentPause.start(settled ? 0 : m_turnPause.interval());
        return;
    }
    const QString text = turned(textThatRuns(), name, value);
    if (!settled) {
        m_turned = text;
        m_look.cancel();
        m_turnPause.start();
        return;
    }
    m_turnPause.stop();
    m_turned.reset();
    if (m_file->compiled && m_file->compiled->text == text.toStdString())
        m_known = m_file->compiled; // while the slider was held
    m_quiet = true;
    m_editor->replaceText(text);
    m_quiet = false;
    emit titleChanged();
    look();
}

void PadPanel::goBackTo(const RunRequest& request, const PadSettings& settings) {
    for (QTimer* timer : {&m_pause, &m_argumentPause, &m_turnPause})
        timer->stop();
    m_turned.reset();
    m_passing = false;
    m_settings = settings;
    m_known = request.compiled;
    m_quiet = true;
    m_editor->replaceText(QString::fromStdString(*request.text));
    m_compiler->show(m_settings, m_path);
    m_quiet = false;
    adopt(request);
    emit titleChanged();
    look();
    m_goesBack = true; // what it finds is on the screen
}

} // namespace warpglass
