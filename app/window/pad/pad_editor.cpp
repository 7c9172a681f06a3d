// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pad/pad_editor.h"

#include "gpu/ptx/instruction_set.h"
#include "views/common/sentences.h"

#include <Qsci/qscilexercpp.h>
#include <Qsci/qscilexerpython.h>
#include <Qsci/qscistyle.h>

#include <QKeyEvent>
#include <QTextBoundaryFinder>
#include <QToolTip>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

namespace warpglass {

namespace {

constexpr int numberMargin = 0, markMargin = 1, changeMargin = 2;
constexpr int wrongMarker = 8, wrongIndicator = 9;
// Of a changed line, by what it did; the bar in the margin, and behind it the line's ground.
constexpr int firstBar = 10, firstGround = 16;
constexpr Effect effects[] = {Effect::None, Effect::Better, Effect::Worse, Effect::Mixed, Effect::Unknown};

QColor colourOf(Effect effect, const Theme& theme) {
    switch (effect) {
    case Effect::Better:
        return theme.good;
    case Effect::Worse:
        return theme.wrong;
    case Effect::Mixed:
        return theme.attention;
    case Effect::None:
    case Effect::Unknown:
        break;
    }
    return theme.textMuted;
}

// All of PTX's, as the instruction table names them.
const std::string& opcodes() {
    static const std::string words = [] {
        std::string all;
        for (const ptx::Row& row : ptx::allRows().subspan(1)) // the first is for what PTX does not have
            (all += row.name) += ' ';
        return all;
    }();
    return words;
}

// C++ with the words of CUDA, and PTX's own where a file is PTX.
class Lexer : public QsciLexerCPP {
public:
    Lexer(QObject* parent, bool ptx) : QsciLexerCPP(parent), m_ptx(ptx) { setFoldComments(false); }
    const char* keywords(int set) const override {
        if (m_ptx)
            return set == 1 ? opcodes().c_str() : nullptr;
        if (set == 2)
            return "__global__ __device__ __host__ __shared__ __constant__ __managed__ __restrict__ "
                   "__launch_bounds__ __forceinline__ __noinline__ threadIdx blockIdx blockDim gridDim warpSize "
                   "__syncthreads __syncwarp __shfl_sync __shfl_up_sync __shfl_down_sync __shfl_xor_sync "
                   "__ballot_sync __any_sync __all_sync __activemask __match_any_sync __reduce_add_sync atomicAdd "
                   "atomicSub atomicMin atomicMax atomicExch atomicCAS atomicAnd atomicOr atomicXor __threadfence";
        return QsciLexerCPP::keywords(set);
    }

private:
    bool m_ptx;
};

// Python, in the styles of the other: they are painted alike.
class PythonLexer : public QsciLexerPython {
public:
    explicit PythonLexer(QObject* parent) : QsciLexerPython(parent) {}
    const char* keywords(int set) const override {
        return set == 2
                   ? "tl triton jit autotune constexpr program_id num_programs arange load store dot zeros full where "
                     "maximum minimum sum max exp sqrt make_block_ptr advance cdiv range static_range"
                   : QsciLexerPython::keywords(set);
    }
};

// Of either lexer, by what it is.
struct Styles {
    std::vector<int> comments, literals;
    int keyword, names, preprocessor;
};
Styles stylesOf(const QsciLexer& lexer) {
    if (qobject_cast<const QsciLexerPython*>(&lexer))
        return {{QsciLexerPython::Comment, QsciLexerPython::CommentBlock},
                {QsciLexerPython::Number, QsciLexerPython::DoubleQuotedString, QsciLexerPython::SingleQuotedString,
                 QsciLexerPython::TripleSingleQuotedString, QsciLexerPython::TripleDoubleQuotedString},
                QsciLexerPython::Keyword,
                QsciLexerPython::HighlightedIdentifier,
                QsciLexerPython::Decorator};
    return {{QsciLexerCPP::Comment, QsciLexerCPP::CommentLine, QsciLexerCPP::CommentDoc, QsciLexerCPP::CommentLineDoc},
            {QsciLexerCPP::Number, QsciLexerCPP::SingleQuotedString, QsciLexerCPP::DoubleQuotedString},
            QsciLexerCPP::Keyword,
            QsciLexerCPP::KeywordSet2,
            QsciLexerCPP::PreProcessor};
}

// Lines of at most so many Latin letters, broken where the script allows it; an editor breaks no annotation itself. A
// Chinese letter is as wide as two.
QString wrapped(const QString& text, int columns) {
    constexpr int fewest = 24;
    constexpr char16_t firstWide = 0x2e80;
    QStringList lines(QString{});
    int width = 0;
    QTextBoundaryFinder breaks(QTextBoundaryFinder::Line, text);
    for (qsizetype from = 0, to = breaks.toNextBoundary(); to >= 0; from = to, to = breaks.toNextBoundary()) {
        const QString piece = text.mid(from, to - from);
        int wide = 0, blank = 0; // blanks at a line's end take no room
        for (const QChar c : piece) {
            blank = c.isSpace() ? blank + 1 : 0;
            wide += c.unicode() >= firstWide ? 2 : 1;
        }
        if (width > 0 && width + wide - blank > std::max(columns, fewest)) {
            lines.last() = lines.last().trimmed();
            lines << QString();
            width = 0;
        }
        lines.last() += piece;
        width += wide;
    }
    return lines.join(QLatin1Char('\n'));
}

bool runs(const QKeyEvent* event) {
    return event->modifiers() == Qt::ControlModifier &&
           (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter);
}

// Scintilla asks a font for its points, and ours have pixels.
QFont inPoints(QFont font) {
    font.setPointSizeF(font.pixelSize() * 72.0 / 96.0);
    return font;
}

} // namespace

PadEditor::PadEditor(QWidget* parent) : QsciScintilla(parent) {
    setObjectName(QStringLiteral("padEditor"));
    setUtf8(true);
    setFrameShape(QFrame::NoFrame);
    setEolMode(EolUnix);
    setIndentationsUseTabs(false);
    setTabWidth(4);
    setAutoIndent(true);
    setBraceMatching(SloppyBraceMatch);
    setCaretLineVisible(true);
    setScrollWidthTracking(true);
    setScrollWidth(1);
    setMarginType(numberMargin, NumberMargin);
    setMarginType(markMargin, SymbolMargin);
    setMarginWidth(markMargin, 12);
    markerDefine(Circle, wrongMarker);
    setMarginMarkerMask(markMargin, 1 << wrongMarker);
    setMarginType(changeMargin, SymbolMargin);
    setMarginWidth(changeMargin, 5);
    int bars = 0;
    for (const Effect effect : effects) {
        markerDefine(FullRectangle, firstBar + int(effect));
        markerDefine(Background, firstGround + int(effect));
        bars |= 1 << (firstBar + int(effect));
    }
    setMarginMarkerMask(changeMargin, bars);
    indicatorDefine(SquiggleIndicator, wrongIndicator);
    setAnnotationDisplay(AnnotationBoxed);
    connect(this, &QsciScintilla::linesChanged, this,
            [this] { setMarginWidth(numberMargin, QStringLiteral("0%1").arg(std::max(lines(), 10))); });
}

void PadEditor::setFile(const QString& path, const QString& text) {
    QsciLexer* old = lexer();
    if (path.endsWith(QLatin1String(".py")))
        setLexer(new PythonLexer(this));
    else
        setLexer(new Lexer(this, path.endsWith(QLatin1String(".ptx"))));
    delete old;
    setText(text);
    setModified(false);
    setMarks({});
    setChanges({});
    paintAs(m_theme);
}

void PadEditor::setChanges(const QVector<ChangedLine>& changes) {
    m_changes = changes;
    for (const Effect effect : effects) {
        markerDeleteAll(firstBar + int(effect));
        markerDeleteAll(firstGround + int(effect));
    }
    for (const ChangedLine& change : changes)
        if (change.line >= 1 && change.line <= lines()) {
            markerAdd(change.line - 1, firstBar + int(change.effect));
            if (change.effect != Effect::None && change.effect != Effect::Unknown)
                markerAdd(change.line - 1, firstGround + int(change.effect));
        }
}

void PadEditor::replaceText(const QString& text) {
    const QByteArray before = this->text().toUtf8(), now = text.toUtf8();
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xc0u) == 0x80u; };
    qsizetype head = 0, tail = 0;
    const qsizetype both = std::min(before.size(), now.size());
    while (head < both && before[head] == now[head])
        ++head;
    while (head > 0 && head < both && (continues(before[head]) || continues(now[head]))) // of a letter of many bytes
        --head;
    while (tail < both - head && before[before.size() - 1 - tail] == now[now.size() - 1 - tail])
        ++tail;
    while (tail > 0 && continues(now[now.size() - tail]))
        --tail;
    if (head == before.size() && head == now.size())
        return;
    const QByteArray piece = now.mid(head, now.size() - tail - head);
    SendScintilla(SCI_SETTARGETSTART, static_cast<unsigned long>(head));
    SendScintilla(SCI_SETTARGETEND, static_cast<unsigned long>(before.size() - tail));
    SendScintilla(SCI_REPLACETARGET, static_cast<uintptr_t>(piece.size()), piece.constData());
}

void PadEditor::setTheme(const Theme& theme) {
    m_theme = theme;
    paintAs(theme);
    setMarks(m_listed); // in its colours
}

void PadEditor::resizeEvent(QResizeEvent* event) {
    QsciScintilla::resizeEvent(event);
    if (m_marks > 0 && event->size().width() != event->oldSize().width())
        setMarks(m_listed); // in its lines
}

void PadEditor::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        setMarks(m_listed); // in its words
    QsciScintilla::changeEvent(event);
}

void PadEditor::paintAs(const Theme& theme) {
    const QFont font = inPoints(theme.mono());
    setFont(font);
    setColor(theme.text);
    setPaper(theme.panel);
    if (QsciLexer* words = lexer()) {
        for (int style = 0; style < 128; ++style) {
            words->setFont(font, style);
            words->setPaper(theme.panel, style);
            words->setColor(theme.text, style);
        }
        words->setDefaultPaper(theme.panel);
        words->setDefaultColor(theme.text);
        const Styles styles = stylesOf(*words);
        for (const int style : styles.comments)
            words->setColor(theme.textMuted, style);
        words->setColor(theme.accent, styles.keyword);
        words->setColor(theme.originMeasured, styles.names);
        for (const int style : styles.literals)
            words->setColor(theme.originCounted, style);
        words->setColor(theme.originModelled, styles.preprocessor);
    }
    setCaretForegroundColor(theme.text);
    setCaretLineBackgroundColor(theme.sunken);
    setSelectionBackgroundColor(theme.accentSoft);
    setSelectionForegroundColor(theme.text);
    setMarginsBackgroundColor(theme.window);
    setMarginsForegroundColor(theme.textMuted);
    setMarginsFont(font);
    setMatchedBraceBackgroundColor(theme.accentSoft);
    setMatchedBraceForegroundColor(theme.text);
    setUnmatchedBraceForegroundColor(theme.wrong);
    setUnmatchedBraceBackgroundColor(theme.panel);
    setMarkerBackgroundColor(theme.wrong, wrongMarker);
    setMarkerForegroundColor(theme.wrong, wrongMarker);
    for (const Effect effect : effects) {
        constexpr float soft = 0.14F;
        const QColor colour = colourOf(effect, theme), paper = theme.panel;
        setMarkerBackgroundColor(colour, firstBar + int(effect));
        setMarkerForegroundColor(colour, firstBar + int(effect));
        setMarkerBackgroundColor(QColor::fromRgbF(paper.redF() + (colour.redF() - paper.redF()) * soft,
                                                  paper.greenF() + (colour.greenF() - paper.greenF()) * soft,
                                                  paper.blueF() + (colour.blueF() - paper.blueF()) * soft),
                                 firstGround + int(effect));
    }
    setIndicatorForegroundColor(theme.wrong, wrongIndicator);
    setMarginWidth(numberMargin, QStringLiteral("0%1").arg(std::max(lines(), 10)));
}

// Letters of an annotation that are seen beside the margins, if it begins under this column.
int PadEditor::columnsFrom(int column) const {
    const int room = viewport()->width() - marginWidth(numberMargin) - marginWidth(markMargin);
    const int indent = column * QFontMetrics(m_theme.mono()).horizontalAdvance(QLatin1Char('0'));
    return (room - indent) / std::max(QFontMetrics(m_theme.small()).averageCharWidth(), 1) - 2;
}

void PadEditor::setMarks(QVector<PadMark> marks) {
    markerDeleteAll(wrongMarker);
    clearAnnotations();
    if (lines() > 0)
        clearIndicatorRange(0, 0, lines() - 1, lineLength(lines() - 1), wrongIndicator);
    m_marks = 0;
    m_listed = marks;
    for (const PadMark& mark : marks) {
        const int line = mark.line - 1;
        if (line < 0 || line >= lines())
            continue;
        ++m_marks;
        markerAdd(line, wrongMarker);
        const QString here = text(line);
        const int from =
            int(std::find_if(here.begin(), here.end(), [](QChar c) { return !c.isSpace(); }) - here.begin());
        fillIndicatorRange(line, from, line, int(here.trimmed().size()) + from, wrongIndicator);
        annotate(line, wrapped(sentence(mark.text), columnsFrom(from)),
                 QsciStyle(-1, QString(), m_theme.wrong, m_theme.window, inPoints(m_theme.small())));
    }
}

bool PadEditor::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int line = lineAt(viewport()->mapFromGlobal(help->globalPos())) + 1;
        for (const ChangedLine& change : m_changes)
            if (change.line == line) {
                QToolTip::showText(help->globalPos(), change.what, this);
                return true;
            }
        QToolTip::hideText();
    }
    if (event->type() == QEvent::ShortcutOverride &&
        (static_cast<QKeyEvent*>(event)->matches(QKeySequence::Save) ||
         static_cast<QKeyEvent*>(event)->matches(QKeySequence::Undo) ||
         static_cast<QKeyEvent*>(event)->matches(QKeySequence::Redo) || runs(static_cast<QKeyEvent*>(event)))) {
        event->accept();
        return true;
    }
    return QsciScintilla::event(event);
}

void PadEditor::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Save))
        emit saveWanted();
    else if (runs(event))
        emit runWanted();
    else if (event->matches(QKeySequence::Undo))
        emit undoWanted();
    else if (event->matches(QKeySequence::Redo))
        emit redoWanted();
    else
        QsciScintilla::keyPressEvent(event);
    if (event->key() == Qt::Key_Escape) // the editor keeps it for itself
        emit stopWanted();
}

} // namespace warpglass
