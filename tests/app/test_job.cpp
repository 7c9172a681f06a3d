// SPDX-License-Identifier: GPL-3.0-or-later
// The job helper: what comes back, what is thrown away, what is said meanwhile.
#include "tests/qt_tests.h"
#include "views/common/job.h"

#include <QSignalSpy>
#include <QThread>
#include <QtConcurrent>
#include <QtTest>

#include <atomic>
#include <memory>
#include <numeric>
#include <vector>

using namespace warpglass;

class TestJob : public QObject {
    Q_OBJECT
private slots:
    void theAnswerComesBackOnTheThreadOfTheJob() {
        Job job;
        int answer = 0;
        QThread *worker = nullptr, *here = nullptr;
        job.start(
            [&worker](Progress&) {
                worker = QThread::currentThread();
                return 42;
            },
            [&](int given) {
                answer = given;
                here = QThread::currentThread();
                QVERIFY(!job.running());
            });
        QVERIFY(job.running());
        QTRY_COMPARE(answer, 42);
        QCOMPARE(here, QThread::currentThread());
        QVERIFY(worker != here);
    }

    // As many jobs as there are cores, and more, share their work out at the same time: none holds what another needs.
    void jobsThatShareTheirWorkOutDoNotWaitForEachOther() {
        const int all = QThread::idealThreadCount() + 2;
        std::vector<std::unique_ptr<Job>> jobs;
        std::atomic<int> begun = 0;
        int done = 0;
        for (int n = 0; n < all; ++n) {
            jobs.push_back(std::make_unique<Job>());
            jobs.back()->start(
                [&begun, all](Progress& progress) {
                    ++begun;
                    while (begun < all && !progress.cancelled())
                        QThread::msleep(1);
                    std::vector<int> pieces(100, 1);
                    QtConcurrent::blockingMap(pieces, [](int& piece) { piece *= 2; });
                    return std::accumulate(pieces.begin(), pieces.end(), 0);
                },
                [&done](int sum) { done += sum == 200; });
        }
        QTRY_COMPARE_WITH_TIMEOUT(done, all, 60000);
    }

    void aNewerWorkCancelsTheOlderAndItsAnswerIsThrownAway() {
        Job job;
        QVector<int> answers;
        std::atomic<bool> sawCancel = false;
        QSignalSpy cancelled(&job, &Job::cancelled);
        const auto done = [&answers](int given) { answers << given; };
        job.start(
            [&sawCancel](Progress& progress) {
                while (!progress.cancelled())
                    QThread::msleep(1);
                sawCancel = true;
                return 1;
            },
            done);
        job.start([](Progress&) { return 2; }, done);
        QTRY_COMPARE(answers, QVector<int>{2});
        QTRY_VERIFY(sawCancel);
        QTest::qWait(20);
        QCOMPARE(answers, QVector<int>{2});
        QCOMPARE(cancelled.size(), 0); // nobody asked for an end
    }

    void stoppedWorkStillAnswersAndCancelledWorkDoesNot() {
        Job job;
        QVector<int> answers;
        const auto untilCancelled = [](Progress& progress) {
            while (!progress.cancelled())
                QThread::msleep(1);
            return 7;
        };
        const auto done = [&answers](int given) { answers << given; };
        job.start(untilCancelled, done);
        job.stop();
        QVERIFY(job.running());
        QTRY_COMPARE(answers, QVector<int>{7});
        QSignalSpy cancelled(&job, &Job::cancelled);
        job.start(untilCancelled, done);
        job.cancel();
        QVERIFY(!job.running());
        QCOMPARE(cancelled.size(), 1);
        QTest::qWait(50);
        QCOMPARE(answers, QVector<int>{7});
        job.cancel(); // nothing runs: nothing is said
        QCOMPARE(cancelled.size(), 1);
    }

    void whatWorkTellsComesInOrderBeforeTheAnswer() {
        Job job;
        QStringList told;
        job.start(
            [&told](Progress&, const Job::Tell& tell) {
                for (const char* row : {"one", "two"})
                    tell([&told, row] { told << QLatin1String(row); });
            },
            [&told] { told << QStringLiteral("done"); });
        QTRY_COMPARE(told.size(), 3);
        QCOMPARE(told, (QStringList{"one", "two", "done"}));
    }

    void whatWasToldBeforeACancelIsNotHeardAfterIt() {
        Job job;
        std::atomic<bool> said = false;
        int heard = 0;
        job.start(
            [&](Progress& progress, const Job::Tell& tell) {
                tell([&heard] { ++heard; });
                said = true;
                while (!progress.cancelled())
                    QThread::msleep(1);
            },
            [&heard] { ++heard; });
        while (!said) // without the event loop: nothing is heard yet
            QThread::msleep(1);
        job.cancel();
        QTest::qWait(50);
        QCOMPARE(heard, 0);
    }

    void progressIsToldAfterThreeTenthsOfASecondAndNotBefore() {
        Job job;
        QSignalSpy progressed(&job, &Job::progressed);
        bool done = false;
        QElapsedTimer clock;
        clock.start();
        qint64 first = -1;
        connect(&job, &Job::progressed, this, [&] { first = first < 0 ? clock.elapsed() : first; });
        job.start([](Progress&) { QThread::msleep(50); }, [&done] { done = true; });
        QTRY_VERIFY(done);
        if (clock.elapsed() < 280) // else it took longer on a machine with much to do
            QCOMPARE(progressed.size(), 0);
        progressed.clear();
        first = -1;
        done = false;
        std::atomic<bool> toldTwice = false;
        connect(&job, &Job::progressed, this, [&] { toldTwice = progressed.size() >= 2; });
        clock.restart();
        job.start(
            [&toldTwice](Progress& progress) {
                progress.report(0.25);
                while (!toldTwice) // after some 300 and 400 ms
                    QThread::msleep(1);
            },
            [&done] { done = true; });
        QTRY_VERIFY_WITH_TIMEOUT(done, 60000);
        QVERIFY2(first >= 280, qPrintable(QString::number(first))); // Qt's timers are 5 % early at most
        QCOMPARE(progressed.first().first().toDouble(), 0.25);
        const auto told = progressed.size();
        QTest::qWait(250);
        QCOMPARE(progressed.size(), told); // and not when nothing runs
    }

    void theEndOfTheJobWaitsForItsWork() {
        std::atomic<bool> ended = false;
        {
            Job job;
            job.start(
                [&ended](Progress& progress) {
                    while (!progress.cancelled())
                        QThread::msleep(1);
                    QThread::msleep(30);
                    ended = true;
                },
                [] { QFAIL("the one who asked is gone"); });
        }
        QVERIFY(ended);
    }
};

WARPGLASS_QT_TEST(TestJob)
#include "test_job.moc"
