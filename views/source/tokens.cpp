// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/source/tokens.h"

#include <QSet>

namespace warpglass {

namespace {

bool isWordStart(QChar c) {
    return c.isLetter() || c == QLatin1Char('_');
}
bool isWord(QChar c) {
    return c.isLetterOrNumber() || c == QLatin1Char('_');
}

// Collects tokens; neighbours of one kind are one token.
class Line {
public:
    void add(int begin, int end, TokenKind kind) {
        if (end <= begin)
            return;
        if (!m_tokens.isEmpty() && m_tokens.back().kind == kind &&
            m_tokens.back().begin + m_tokens.back().length == begin)
            m_tokens.back().length += end - begin;
        else
            m_tokens.push_back({begin, end - begin, kind});
    }
    QVector<Token> take() { return std::move(m_tokens); }

private:
    QVector<Token> m_tokens;
};

// Comments, strings and spaces are the same in both languages. Returns the end of what was taken, or `at`.
int common(const QString& line, int at, bool& inComment, Line& out) {
    const int n = int(line.size());
    if (inComment) {
        const auto end = line.indexOf(QLatin1String("*/"), at);
        inComment = end < 0;
        const int stop = end < 0 ? n : int(end) + 2;
        out.add(at, stop, TokenKind::Comment);
        return stop;
    }
    const QStringView rest = QStringView(line).mid(at);
    if (rest.startsWith(QLatin1String("//"))) {
        out.add(at, n, TokenKind::Comment);
        return n;
    }
    if (rest.startsWith(QLatin1String("/*"))) {
        const auto end = line.indexOf(QLatin1String("*/"), at + 2);
        inComment = end < 0;
        const int stop = end < 0 ? n : int(end) + 2;
        out.add(at, stop, TokenKind::Comment);
        return stop;
    }
    const QChar c = line[at];
    if (c == QLatin1Char('"') || (c == QLatin1Char('\'') && at + 1 < n)) {
        int end = at + 1;
        while (end < n && line[end] != c)
            end += line[end] == QLatin1Char('\\') ? 2 : 1;
        end = qMin(n, end + 1);
        out.add(at, end, TokenKind::String);
        return end;
    }
    return at;
}

int number(const QString& line, int at) {
    int end = at + 1;
    while (end < line.size()) {
        const QChar c = line[end];
        const bool exponentSign = (c == QLatin1Char('+') || c == QLatin1Char('-')) &&
                                  (line[end - 1] == QLatin1Char('e') || line[end - 1] == QLatin1Char('E'));
        if (!isWord(c) && c != QLatin1Char('.') && !exponentSign)
            break;
        ++end;
    }
    return end;
}

TokenKind cudaWord(const QString& word) {
    static const QSet<QString> keywords{"alignas",
                                        "auto",
                                        "bool",
                                        "break",
                                        "case",
                                        "catch",
                                        "class",
                                        "const",
                                        "constexpr",
                                        "continue",
                                        "default",
                                        "delete",
                                        "do",
                                        "else",
                                        "enum",
                                        "extern",
                                        "false",
                                        "for",
                                        "goto",
                                        "if",
                                        "inline",
                                        "namespace",
                                        "new",
                                        "nullptr",
                                        "operator",
                                        "private",
                                        "public",
                                        "return",
                                        "sizeof",
                                        "static",
                                        "struct",
                                        "switch",
                                        "template",
                                        "this",
                                        "true",
                                        "typedef",
                                        "typename",
                                        "union",
                                        "using",
                                        "virtual",
                                        "volatile",
                                        "while",
                                        "__global__",
                                        "__device__",
                                        "__host__",
                                        "__shared__",
                                        "__constant__",
                                        "__restrict__",
                                        "__forceinline__",
                                        "__launch_bounds__"};
    static const QSet<QString> types{
        "void",   "int",     "unsigned", "char",    "short",   "long",     "float",    "double",   "bool",   "size_t",
        "int8_t", "uint8_t", "int16_t",  "int32_t", "int64_t", "uint16_t", "uint32_t", "uint64_t", "dim3",   "int2",
        "int3",   "int4",    "uint2",    "uint3",   "uint4",   "float2",   "float3",   "float4",   "double2"};
    static const QSet<QString> builtins{"threadIdx",
                                        "blockIdx",
                                        "blockDim",
                                        "gridDim",
                                        "warpSize",
                                        "printf",
                                        "assert",
                                        "cudaStreamTailLaunch",
                                        "cudaStreamFireAndForget"};
    if (keywords.contains(word))
        return TokenKind::Keyword;
    if (types.contains(word))
        return TokenKind::Type;
    if (builtins.contains(word) || word.startsWith(QLatin1String("__")) || word.startsWith(QLatin1String("atomic")))
        return TokenKind::Builtin;
    return TokenKind::Plain;
}

} // namespace

QVector<Token> cudaTokens(const QString& line, bool& inComment) {
    Line out;
    const int n = int(line.size());
    int at = 0;
    bool first = true; // nothing but spaces so far: a # begins a directive
    while (at < n) {
        if (const int end = common(line, at, inComment, out); end != at) {
            at = end;
            first = false;
            continue;
        }
        const QChar c = line[at];
        int end = at + 1;
        TokenKind kind = TokenKind::Plain;
        if (first && c == QLatin1Char('#')) {
            while (end < n && (line[end].isSpace() || isWord(line[end])) &&
                   !(line[end].isSpace() && end > at + 1 && isWord(line[end - 1])))
                ++end;
            kind = TokenKind::Directive;
        } else if (isWordStart(c)) {
            while (end < n && isWord(line[end]))
                ++end;
            kind = cudaWord(line.mid(at, end - at));
        } else if (c.isDigit() || (c == QLatin1Char('.') && end < n && line[end].isDigit())) {
            end = number(line, at);
            kind = TokenKind::Number;
        }
        out.add(at, end, kind);
        first = first && c.isSpace();
        at = end;
    }
    return out.take();
}

QVector<Token> pythonTokens(const QString& line, bool& inComment) {
    static const QSet<QString> keywords{"and",    "as",     "assert", "break", "class", "continue", "def",  "elif",
                                        "else",   "except", "False",  "for",   "from",  "global",   "if",   "import",
                                        "in",     "is",     "lambda", "None",  "not",   "or",       "pass", "raise",
                                        "return", "True",   "try",    "while", "with",  "yield"};
    static const QSet<QString> builtins{"tl", "gl", "triton", "range", "print", "len", "constexpr"};
    const QLatin1String quotes("\"\"\"");
    Line out;
    const int n = int(line.size());
    int at = 0;
    while (at < n) {
        const QChar c = line[at];
        const bool opens = QStringView(line).mid(at).startsWith(quotes);
        int end = at + 1;
        TokenKind kind = TokenKind::Plain;
        if (inComment || opens) {
            const auto close = line.indexOf(quotes, inComment ? at : at + 3);
            inComment = close < 0;
            end = close < 0 ? n : int(close) + 3;
            kind = TokenKind::Comment;
        } else if (c == QLatin1Char('#')) {
            end = n;
            kind = TokenKind::Comment;
        } else if (c == QLatin1Char('"') || c == QLatin1Char('\'')) {
            while (end < n && line[end] != c)
                end += line[end] == QLatin1Char('\\') ? 2 : 1;
            end = qMin(n, end + 1);
            kind = TokenKind::String;
        } else if (isWordStart(c) || (c == QLatin1Char('@') && QStringView(line).left(at).trimmed().isEmpty())) {
            while (end < n && (isWord(line[end]) || (c == QLatin1Char('@') && line[end] == QLatin1Char('.'))))
                ++end;
            const QString word = line.mid(at, end - at);
            kind = c == QLatin1Char('@')     ? TokenKind::Directive // a decorator
                   : keywords.contains(word) ? TokenKind::Keyword
                   : builtins.contains(word) ? TokenKind::Builtin
                                             : TokenKind::Plain;
        } else if (c.isDigit()) {
            end = number(line, at);
            kind = TokenKind::Number;
        }
        out.add(at, end, kind);
        at = end;
    }
    return out.take();
}

QVector<Token> ptxTokens(const QString& line, bool& inComment) {
    static const QSet<QString> special{"tid",         "ntid",        "ctaid",       "nctaid",      "laneid",
                                       "warpid",      "nwarpid",     "smid",        "nsmid",       "clock",
                                       "clock64",     "globaltimer", "lanemask_lt", "lanemask_le", "lanemask_eq",
                                       "lanemask_gt", "lanemask_ge"};
    Line out;
    const int n = int(line.size());
    int at = 0;
    bool opcodeAhead = true; // the first word of an instruction is its opcode
    while (at < n) {
        if (const int end = common(line, at, inComment, out); end != at) {
            at = end;
            continue;
        }
        const QChar c = line[at];
        int end = at + 1;
        TokenKind kind = TokenKind::Plain;
        const auto word = [&](int from) {
            int to = from;
            while (to < n && (isWord(line[to]) || line[to] == QLatin1Char('$')))
                ++to;
            return to;
        };
        if (c == QLatin1Char('.')) { // .reg .u32 .entry at the beginning, or after another directive
            end = word(at + 1);
            const QString name = line.mid(at + 1, end - at - 1);
            const bool type =
                name.size() <= 4 && name.size() >= 2 && QStringLiteral("usbf").contains(name[0]) && name[1].isDigit();
            kind = type || name == QLatin1String("pred") ? TokenKind::Type : TokenKind::Directive;
            opcodeAhead = false;
        } else if (c == QLatin1Char('%')) {
            end = word(at + 1);
            const QString name = line.mid(at + 1, end - at - 1);
            kind = TokenKind::Register;
            if (special.contains(name)) {
                kind = TokenKind::Builtin;
                if (end + 1 < n && line[end] == QLatin1Char('.') && QStringLiteral("xyz").contains(line[end + 1]))
                    end += 2;
            }
        } else if (c == QLatin1Char('@')) {
            end = at + 1 + (at + 1 < n && line[at + 1] == QLatin1Char('!'));
            end = word(end + (end < n && line[end] == QLatin1Char('%')));
            kind = TokenKind::Register;
        } else if (c == QLatin1Char('$') || isWordStart(c)) {
            end = word(at + 1);
            const bool label = end < n && line[end] == QLatin1Char(':');
            if (c == QLatin1Char('$') || label) {
                kind = TokenKind::Label;
            } else if (opcodeAhead) {
                while (end < n && (isWord(line[end]) || line[end] == QLatin1Char('.') || line[end] == QLatin1Char(':')))
                    ++end; // st.global.u32, shfl.sync.down.b32
                kind = TokenKind::Opcode;
                opcodeAhead = false;
            }
        } else if (c.isDigit()) {
            end = number(line, at);
            kind = TokenKind::Number;
        } else if (c == QLatin1Char(';') || c == QLatin1Char('{') || c == QLatin1Char('}')) {
            opcodeAhead = true;
        }
        out.add(at, end, kind);
        at = end;
    }
    return out.take();
}

} // namespace warpglass
