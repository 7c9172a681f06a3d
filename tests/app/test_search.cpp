// SPDX-License-Identifier: GPL-3.0-or-later
// Which of many things is meant by a few words, and what the window remembers of a session.
#include "app/window/export/paper.h"
#include "app/window/model/search.h"
#include "app/window/model/session_memory.h"
#include "gpu/kernels/catalogue.h"
#include "tests/qt_tests.h"

#include <QtTest>

using namespace warpglass;

class TestSearch : public QObject {
    Q_OBJECT
private slots:
    void namesComeBeforeSummaries() {
        // One thing for each way a word can be in it, the worst first.
        const QVector<Findable> things{{"other", "tells of a sum"},   // in the summary
                                       {"seeUpMore", "nothing"},      // s-u-m begin its parts
                                       {"presumed", "nothing"},       // within the name
                                       {"warpSum", "nothing"},        // begins a part
                                       {"sumArrays", "nothing"},      // begins the name
                                       {"sum", "nothing"},            // is the name
                                       {"transpose", "of a matrix"}}; // nowhere
        QCOMPARE(ranked(things, QStringLiteral("SUM")), (QVector<int>{5, 4, 3, 2, 1, 0}));
        QCOMPARE(ranked(things, QString()), (QVector<int>{0, 1, 2, 3, 4, 5, 6})); // all, as they stand
    }

    void everyWordMustBeThere() {
        const QVector<Findable> things{{"reduce", "a tree of sums"}, {"reduceTree", "sums"}, {"tree", "a plant"}};
        QCOMPARE(ranked(things, QStringLiteral("reduce tree")), (QVector<int>{1, 0})); // both in the name, one of them
        QCOMPARE(ranked(things, QStringLiteral("reduce plant")), QVector<int>{});
    }

    void initialsFindANumberedName() {
        const Findable kernel{"mathKernel1", {}};
        QVERIFY(fit(kernel, {QStringLiteral("mk1")}));
        QVERIFY(fit(kernel, {QStringLiteral("matker")}));
        QVERIFY(!fit(kernel, {QStringLiteral("k1m")})); // out of order
        QVERIFY(!fit(kernel, {QStringLiteral("mh")}));  // h begins nothing
    }

    void ofTheCatalogueTheKernelItselfIsFirst() {
        QVector<Findable> things;
        QStringList names;
        for (const CatalogueEntry& entry : catalogue()) {
            names << QString::fromStdString(entry.name);
            things.append({names.last(), QString::fromStdString(entry.storyEn)});
        }
        for (const QString& name : names)
            QCOMPARE(names[ranked(things, name).value(0, 0)], name);
    }

    void aSessionIsReadAsItWasWritten() {
        SessionMemory memory;
        memory.view = QStringLiteral("scheduler");
        memory.request = RunRequest{};
        memory.request->kernel = "reduceNeighbored";
        memory.request->launch.size = 4096;
        memory.request->launch.block = Dim3{128, 1, 1};
        memory.request->launch.mode = CompileMode::AsWritten;
        memory.request->options.device = "h200";
        memory.request->options.timing = true;
        memory.request->options.policy = SchedulingPolicy::Lrr;
        const SessionMemory again = readSession(written(memory));
        QCOMPARE(again.view, memory.view);
        QVERIFY(again.request);
        QCOMPARE(again.request->kernel, memory.request->kernel);
        QCOMPARE(*again.request->launch.size, 4096);
        QCOMPARE(*again.request->launch.block, (Dim3{128, 1, 1}));
        QVERIFY(!again.request->launch.grid);
        QCOMPARE(again.request->launch.mode, CompileMode::AsWritten);
        QVERIFY(again.request->options.timing);
        QCOMPARE(again.request->options.policy, SchedulingPolicy::Lrr);
        const SessionMemory lesson = readSession(written({.lesson = QStringLiteral("waves"), .step = 3}));
        QCOMPARE(lesson.lesson, QString("waves"));
        QCOMPARE(lesson.step, 3);
    }

    void aSessionThatCannotBeIsNone_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("no JSON") << QByteArray("{\"run\":");
        QTest::newRow("a kernel that is no more") << QByteArray("{\"run\":{\"kernel\":\"gone\"}}");
        QTest::newRow("another type") << QByteArray("[1,2]");
    }
    void aSessionThatCannotBeIsNone() {
        QFETCH(QByteArray, text);
        QVERIFY(readSession(text).empty());
    }

    void numbersGoToATableByTabs() {
        QCOMPARE(tabSeparated(QStringLiteral("a,b\n\"1,024\",\"say \"\"x\"\"\"\n")),
                 QString("a\tb\n1,024\tsay \"x\"\n"));
        QCOMPARE(tabSeparated(QStringLiteral("\"two\nlines\",c")), QString("two lines\tc"));
    }
};

WARPGLASS_QT_TEST(TestSearch)
#include "test_search.moc"
