// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/trace/trace.h"
#include "views/common/theme.h"

#include <QPlainTextEdit>

namespace warpglass {

// A kernel's code to be read: with line numbers, as large as its longest line lets it be, the line of the moment marked.
class CodeText : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit CodeText(QWidget* parent = nullptr);
    void setCode(const QString& code); // as codeOf says it
    void mark(int line);               // of the source; 0: none
    void setLargest(qreal largest);    // of the window's type, where the lines leave room for it
    void setTheme(const Theme& theme);

protected:
    void resizeEvent(QResizeEvent*) override;

private:
    void fit();
    void paintMark();
    qreal m_largest = 1;
    int m_line = 0;
    QColor m_markInk;
};

// The part of the trace's first kernel that stands in its source, with line numbers; empty if there is no source.
QString codeOf(const Trace& trace);

} // namespace warpglass
