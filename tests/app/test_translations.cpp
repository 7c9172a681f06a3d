// SPDX-License-Identifier: GPL-3.0-or-later
// Every text that the window and the views show has a Chinese translation: the sources are read for the texts they ask
// to be translated, and the translation that is built into the program is asked for each.
#include "app/window/language.h"
#include "gpu/metrics/metrics.h"
#include "tests/qt_tests.h"

#include <QDirIterator>
#include <QRegularExpression>
#include <QtTest>

using namespace warpglass;

namespace {

// The texts of tr("..."), say("..."), QT_TR_NOOP("...") and translate("Context", "..."); neighbouring literals are one.
QStringList textsOf(QString code) {
    static const QRegularExpression comments(QStringLiteral(R"re(^\s*//.*$)re"), QRegularExpression::MultilineOption);
    code.remove(comments); // they quote what they explain
    static const QString literals = QStringLiteral(R"re(((?:"(?:[^"\\]|\\.)*"\s*)+))re");
    static const QRegularExpression calls(
        QStringLiteral(R"re(\b(?:(?:tr|say\w*|QT_TR_NOOP)\(\s*|translate\(\s*"[^"]*",\s*))re") + literals);
    static const QRegularExpression literal(QStringLiteral(R"re("((?:[^"\\]|\\.)*)")re"));
    QStringList texts;
    for (auto call = calls.globalMatch(code); call.hasNext();) {
        QString text;
        for (auto part = literal.globalMatch(call.next().captured(1)); part.hasNext();)
            text += part.next().captured(1);
        text.replace(QStringLiteral("\\\""), QStringLiteral("\""))
            .replace(QStringLiteral("\\n"), QStringLiteral("\n"))
            .replace(QStringLiteral("\\\\"), QStringLiteral("\\"));
        if (!text.isEmpty())
            texts << text;
    }
    return texts;
}

} // namespace

class TestTranslations : public QObject {
    Q_OBJECT
private slots:
    void textsAreFoundInCode() {
        QCOMPARE(textsOf(QStringLiteral("a = tr(\"one\"); b = Text::tr(\"two \"\n  \"parts\"); c = "
                                        "X::translate(\"Ctx\", \"three\"); d = str(\"no\");")),
                 (QStringList{"one", "two parts", "three"}));
    }

    void everyTextHasAChineseTranslation() {
        initialiseResources();
        PlainTranslator chinese;
        QVERIFY(chinese.load(QStringLiteral(":/i18n/warpglass_zh_CN.qm")));
        QStringList missing;
        int found = 0;
        for (const char* folder : {"views", "app/window"}) {
            QDirIterator files(QStringLiteral(WARPGLASS_SOURCE_DIR "/") + QString::fromLatin1(folder), {"*.cpp", "*.h"},
                               QDir::Files, QDirIterator::Subdirectories);
            while (files.hasNext()) {
                QFile file(files.next());
                QVERIFY(file.open(QIODevice::ReadOnly));
                for (const QString& text : textsOf(QString::fromUtf8(file.readAll()))) {
                    ++found;
                    if (chinese.translate("", text.toUtf8().constData()).isEmpty())
                        missing << QStringLiteral("%1: %2").arg(QFileInfo(file).fileName(), text);
                }
            }
        }
        QVERIFY(found > 150); // the reader of sources itself works
        QVERIFY2(missing.isEmpty(), qPrintable(QStringLiteral("without Chinese:\n") + missing.join(QLatin1Char('\n'))));
    }

    // The program looks a text up without its context: a word that is a noun in one place and a verb in another needs two.
    void anEnglishTextHasOneChinese() {
        QHash<QString, QString> chineseOf;
        QStringList twice;
        QDirIterator parts(QStringLiteral(WARPGLASS_SOURCE_DIR "/resources/translations/parts"), {"*.tsv"},
                           QDir::Files);
        while (parts.hasNext()) {
            QFile file(parts.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            for (const QString& line : QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'))) {
                const QStringList columns = line.split(QLatin1Char('\t'));
                if (line.startsWith(QLatin1Char('#')) || columns.size() < 2)
                    continue;
                const QString english = columns[columns.size() - 2], chinese = columns.back();
                if (chineseOf.value(english, chinese) != chinese)
                    twice << QStringLiteral("%1: %2, %3").arg(english, chineseOf.value(english), chinese);
                chineseOf[english] = chinese;
            }
        }
        QVERIFY(chineseOf.size() > 1500);
        QVERIFY2(twice.isEmpty(), qPrintable(twice.join(QLatin1Char('\n'))));
    }

    void everyMetricHasAChineseTitle() {
        initialiseResources();
        PlainTranslator chinese;
        QVERIFY(chinese.load(QStringLiteral(":/i18n/warpglass_zh_CN.qm")));
        for (const MetricDefinition& metric : metricDefinitions()) {
            QVERIFY2(!chinese.translate("", metric.title.data()).isEmpty(), metric.title.data());
            QVERIFY2(!chinese.translate("", metric.formula.data()).isEmpty(), metric.formula.data()); // a tool tip
        }
        for (const char* further : {"issue_slot_utilization", "l1_hit_rate", "operations", "global_bytes",
                                    "effective_bandwidth", "step_speedup", "total_speedup"})
            QVERIFY2(!chinese.translate("", findMetric(further)->title.data()).isEmpty(), further);
    }

    void placeholdersSurviveTranslation() {
        initialiseResources();
        PlainTranslator chinese;
        QVERIFY(chinese.load(QStringLiteral(":/i18n/warpglass_zh_CN.qm")));
        static const QRegularExpression place(QStringLiteral("%[1-9]"));
        QDirIterator files(QStringLiteral(WARPGLASS_SOURCE_DIR "/views"), {"*.cpp", "*.h"}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            for (const QString& text : textsOf(QString::fromUtf8(file.readAll()))) {
                const QString translated = chinese.translate("", text.toUtf8().constData());
                for (auto match = place.globalMatch(text); match.hasNext();) {
                    const QString mark = match.next().captured();
                    QVERIFY2(translated.isEmpty() || translated.contains(mark),
                             qPrintable(text + QStringLiteral(" -> ") + translated));
                }
            }
        }
    }
};

WARPGLASS_QT_TEST(TestTranslations)
#include "test_translations.moc"
