// SPDX-License-Identifier: GPL-3.0-or-later
// The pad's editor by itself.
#include "app/window/pad/pad_editor.h"
#include "tests/qt_tests.h"

#include <Qsci/qscilexercpp.h>

#include <QtTest>

using namespace warpglass;

class TestPadEditor : public QObject {
    Q_OBJECT
private slots:
    // Each opcode that PTX has is seen as one, whichever is new in the table; a word of no meaning is not.
    void opcodesOfTheTableAreKeywords() {
        PadEditor editor;
        for (const char* word : {"add", "tcgen05", "vabsdiff4", "activemask", "clusterlaunchcontrol", "activemusk"}) {
            editor.setFile(QStringLiteral("own.ptx"), QString::fromLatin1(word) + QStringLiteral(".b32 %r1;"));
            editor.SendScintilla(QsciScintilla::SCI_COLOURISE, 0ul, -1l);
            QCOMPARE(editor.SendScintilla(QsciScintilla::SCI_GETSTYLEAT, 0ul),
                     long(QLatin1String(word) == QLatin1String("activemusk") ? QsciLexerCPP::Identifier
                                                                             : QsciLexerCPP::Keyword));
        }
    }
};

WARPGLASS_QT_TEST(TestPadEditor)
#include "test_pad_editor.moc"
