// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/panels/code_text.h"

#include "views/common/shown_words.h"

#include <QTextBlock>

#include <algorithm>

namespace warpglass {

CodeText::CodeText(QWidget* parent) : QPlainTextEdit(parent) {
    setReadOnly(true);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setTabChangesFocus(true);
}

void CodeText::setCode(const QString& code) {
    if (const QString words = shown(code); words != toPlainText())
        setPlainText(words);
    fit();
    paintMark();
}

void CodeText::mark(int line) {
    if (line == m_line)
        return;
    m_line = line;
    paintMark();
}

void CodeText::setLargest(qreal largest) {
    m_largest = largest;
    fit();
}

void CodeText::setTheme(const Theme& theme) {
    m_markInk = theme.attention;
    m_markInk.setAlpha(46);
    fit();
    paintMark();
}

void CodeText::paintMark() {
    QList<QTextEdit::ExtraSelection> marks;
    for (QTextBlock block = document()->begin(); block.isValid() && m_line > 0; block = block.next()) {
        if (block.text().trimmed().section(QLatin1Char(' '), 0, 0).toInt() != m_line)
            continue;
        QTextEdit::ExtraSelection mark;
        mark.cursor = QTextCursor(block);
        mark.format.setBackground(m_markInk);
        mark.format.setProperty(QTextFormat::FullWidthSelection, true);
        marks.append(mark);
        break;
    }
    setExtraSelections(marks);
}

// Lines of a class's type are longer than half its wall: they are set smaller, as far as the last row can read them.
void CodeText::fit() {
    // Of the window's type; longer lines go on below. Where they may not, all of a line counts more.
    const qreal smallest = lineWrapMode() == QPlainTextEdit::NoWrap ? 0.7 : 0.85;
    const int usual = QFontInfo(parentWidget()->font()).pixelSize();
    QFont type = font();
    type.setPixelSize(usual);
    const QFontMetricsF metrics(type);
    qreal longest = 1;
    const QStringList lines = toPlainText().split(QLatin1Char('\n'));
    for (const QString& line : lines)
        longest = std::max(longest, metrics.horizontalAdvance(line));
    const qreal across = viewport()->width() - 2 * document()->documentMargin() - 1;
    const qreal down = viewport()->height() - 2 * document()->documentMargin() - 1;
    // Larger than usual as far as all of it is seen; smaller for the length of a line alone.
    const qreal larger = std::min({m_largest, across / longest, down / (metrics.lineSpacing() * qreal(lines.size()))});
    const int fits = int(usual * std::max(larger, std::clamp(across / longest, smallest, 1.0)));
    if (QFontInfo(font()).pixelSize() != fits)
        setStyleSheet(QStringLiteral("font-size: %1px").arg(fits));
}

void CodeText::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    fit();
}

namespace {

constexpr qsizetype briefKernel = 8; // lines

// First and last line of the function of the kernel's file, that is no kernel, to which most of what was compiled belongs.
std::pair<qsizetype, qsizetype> busiestFunction(const Kernel& kernel, const QStringList& lines) {
    const QString name = QString::fromStdString(kernel.sourceName).section(QLatin1Char('/'), -1);
    std::pair<qsizetype, qsizetype> found{-1, -1};
    qsizetype most = 0;
    for (qsizetype begin = 0; begin < lines.size(); ++begin) {
        if (!lines[begin].startsWith(QLatin1String("__device__")) || lines[begin].contains(QLatin1Char(';')))
            continue;
        qsizetype end = begin;
        while (end + 1 < lines.size() && lines[end] != QLatin1String("}"))
            ++end;
        const qsizetype links = std::count_if(kernel.lines.begin(), kernel.lines.end(), [&](const LineLink& link) {
            return qsizetype(link.source.line) > begin && qsizetype(link.source.line) <= end + 1 &&
                   link.source.file < kernel.files.size() &&
                   QString::fromStdString(kernel.files[link.source.file]).endsWith(name);
        });
        if (links > most) {
            most = links;
            found = {begin > 0 && lines[begin - 1].startsWith(QLatin1String("template")) ? begin - 1 : begin, end};
        }
    }
    return found;
}

} // namespace

QString codeOf(const Trace& trace) {
    if (trace.launches.empty())
        return {};
    const Kernel& kernel = trace.kernelOf(trace.launches.front());
    const QStringList lines = QString::fromStdString(kernel.source).split(QLatin1Char('\n'));
    // Of the kernels that stand in the file the one that most of the executed lines belong to: functions that it calls
    // have lines elsewhere.
    qsizetype first = -1, last = -1, most = 0;
    for (qsizetype begin = 0; begin < lines.size(); ++begin) {
        if (!lines[begin].contains(QLatin1String("__global__")))
            continue;
        qsizetype end = begin;
        while (end + 1 < lines.size() && lines[end] != QLatin1String("}"))
            ++end;
        const qsizetype links = std::count_if(kernel.lines.begin(), kernel.lines.end(), [&](const LineLink& link) {
            return qsizetype(link.callLine) > begin && qsizetype(link.callLine) <= end + 1;
        });
        if (links > most) {
            most = links;
            first = begin;
            last = end;
        }
    }
    if (first < 0)
        return {};
    QString code;
    const auto add = [&](qsizetype from, qsizetype to) {
        for (qsizetype line = from; line <= to; ++line)
            code += QStringLiteral("%1  %2\n").arg(line + 1, 3).arg(lines[line]);
    };
    // A kernel that only calls says little: what it calls stands before it.
    if (last - first < briefKernel)
        if (const auto [begin, end] = busiestFunction(kernel, lines); begin >= 0)
            add(begin, end);
    add(first, last);
    return code;
}

} // namespace warpglass
