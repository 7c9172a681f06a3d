// SPDX-License-Identifier: GPL-3.0-or-later
// views/source: the CUDA source and the PTX side by side, linked line by line, with the trace's counts in the margin.
//
//   tokens         what a run of letters is, for colouring (no painter)
//   listing        a text as lines with tokens, counts and links (no pixels)
//   source_layout  what goes where (no trace, no painter)
//   source_paint   a pane, and the bands between two
//   source_picture all of it together, once for a picture; answers mouse and keys
#pragma once

#include <QString>
#include <QVector>

namespace warpglass {

enum class TokenKind : quint8 {
    Plain,
    Keyword, // if, for, __global__
    Type,    // int, float, .u32
    Builtin, // threadIdx, __syncthreads, %tid.x
    Number,
    String,
    Comment,
    Directive, // #include, .reg, .loc
    Opcode,    // PTX instruction
    Register,  // PTX register
    Label,     // PTX label, and where it is jumped to
};

struct Token {
    int begin = 0, length = 0;
    TokenKind kind = TokenKind::Plain;
    bool operator==(const Token&) const = default;
};

// Tokens of one line, gapless and in order; spaces belong to a Plain token. inComment says whether the line begins
// inside a block comment, and is set to whether the next one does.
QVector<Token> cudaTokens(const QString& line, bool& inComment);
QVector<Token> pythonTokens(const QString& line, bool& inComment); // a text of three quotes is a comment
QVector<Token> ptxTokens(const QString& line, bool& inComment);

} // namespace warpglass
