// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps in the window: the dialog, the chart that fills, the way from a bar to its launch, tables of others.
#include "app/window/export/pictures.h"
#include "app/window/language.h"
#include "app/window/main_window.h"
#include "app/window/window_parts.h"
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"

#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

using namespace warpglass;

class TestWindowSweep : public QObject {
    Q_OBJECT
    template <typename T>
    static T* field(SweepDialog* dialog, const char* name) {
        return dialog->findChild<T*>(QString::fromLatin1(name));
    }
    static QLineEdit* kernels(SweepDialog* dialog) {
        return dialog->findChild<QWidget*>(QStringLiteral("sweepKernels"))->findChild<QLineEdit*>();
    }
    static void keepPicture(QWidget* widget, const char* name) { // for a person to look at
        const QString folder = qEnvironmentVariable("WARPGLASS_PICTURES");
        if (!folder.isEmpty())
            widget->grab().save(QStringLiteral("%1/%2.png").arg(folder, QLatin1String(name)));
    }
    // Does something and waits until its answer is on the screen (which may be at once).
    static void shows(OpenWindow& window, const std::function<void()>& does) {
        QSignalSpy shown(&window, &MainWindow::shown);
        does();
        QTRY_VERIFY_WITH_TIMEOUT(!shown.isEmpty(), 60000);
    }

private slots:
    void initTestCase() {
        initialiseResources();
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("WarpglassTest"));
        QCoreApplication::setApplicationName(QStringLiteral("WarpglassSweepTest"));
    }

    void aSweepFillsTheChartAndABarOpensItsLaunch() {
        OpenWindow window;
        window.setLanguage(QStringLiteral("en"));
        window.resize(1400, 860);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        shows(window, [&] { window.runKernel(QStringLiteral("sumMatrix2D")); });
        window.action(QStringLiteral("sweep"))->trigger();
        SweepDialog* dialog = window.sweep().dialog();
        QVERIFY(dialog && dialog->isVisible());
        QCOMPARE(kernels(dialog)->text(), QStringLiteral("sumMatrix2D")); // from the launch that is open

        auto* start = dialog->findChild<QPushButton*>(QStringLiteral("primary"));
        auto* blocks = field<QLineEdit>(dialog, "sweepBlocks");
        blocks->setText(QStringLiteral("32x32, 16y16"));
        QVERIFY(!start->isEnabled()); // and says which word it is
        QVERIFY(!dialog->request());
        QVERIFY(dialog->request().error().message.find("16y16") != std::string::npos);
        blocks->clear();
        QTest::keyClicks(blocks, QStringLiteral("32x32, 16x16, 8x16, 256x8"));
        field<QLineEdit>(dialog, "sweepSizes")->setText(QStringLiteral("64"));
        QVERIFY(start->isEnabled());
        QCOMPARE(session::requestsOf(*dialog->request()).size(), std::size_t(4));
        keepPicture(dialog, "sweep-dialog");

        QSignalSpy finished(&window.sweep(), &SweepControl::finished);
        QTest::mouseClick(start, Qt::LeftButton);
        QVERIFY(finished.wait(60000));
        const ResultsPtr results = window.sweep().results();
        QVERIFY(results);
        QCOMPARE(results->rows.size(), std::size_t(4));
        QVERIFY(results->rows[3].values.empty() && !results->rows[3].error.empty()); // 2048 threads
        QCOMPARE(*results->rows[2].find("gld_efficiency")->median, 50.0);
        QCOMPARE(window.views().currentKey(), QStringLiteral("charts"));
        QCOMPARE(window.views().current()->context().results, results);
        dialog->close();
        QTest::qWait(50);
        keepPicture(&window, "sweep-window");

        shows(window, [&] { window.openResult(2); });
        QVERIFY(window.current()->trace == results->rows[2].trace);
        QVERIFY(window.current()->trace->launches.front().block == (Dim3{8, 16, 1}));
        // The same by keys: down to the second row, Enter.
        window.views().showView(QStringLiteral("charts"));
        ViewWidget* charts = window.views().current();
        charts->setFocus();
        QTest::keyClick(charts, Qt::Key_Down);
        QTest::keyClick(charts, Qt::Key_Down);
        shows(window, [&] { QTest::keyClick(charts, Qt::Key_Return); });
        QVERIFY(window.current()->trace->launches.front().block == (Dim3{16, 16, 1}));
        // A sweep stands for its own kernels: another one that is opened is what the charts show, and the sweep is kept.
        QCOMPARE(charts->context().options.value(QStringLiteral("of")).toString(), QString());
        shows(window, [&] { window.runKernel(QStringLiteral("vectorAdd")); });
        QCOMPARE(charts->context().options.value(QStringLiteral("of")).toString(), QStringLiteral("open"));
        QCOMPARE(window.sweep().results(), results);
        window.openResult(3); // never ran, but its request is known: the refusal is told in words
        QTRY_VERIFY_WITH_TIMEOUT(window.views().message->showsError(), 20000);
        QVERIFY2(window.views().message->text().contains(QStringLiteral("2,048")),
                 qPrintable(window.views().message->text()));
    }

    // Three blocks and two sizes: the dialog says what will be drawn, the chart is it, and a cell opens its launch.
    void twoListsBecomeAHeatMapWhoseCellsOpenTheirLaunches() {
        OpenWindow window;
        window.setLanguage(QStringLiteral("en"));
        window.resize(1400, 860);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        shows(window, [&] { window.runKernel(QStringLiteral("reduceNeighbored")); });
        window.action(QStringLiteral("sweep"))->trigger();
        SweepDialog* dialog = window.sweep().dialog();
        field<QLineEdit>(dialog, "sweepBlocks")->setText(QStringLiteral("64, 128, 256"));
        field<QLineEdit>(dialog, "sweepSizes")->setText(QStringLiteral("1024, 2048"));
        const auto says = [&](const QString& text) {
            const auto labels = dialog->findChildren<QLabel*>();
            return std::any_of(labels.begin(), labels.end(), [&](const QLabel* l) { return l->text() == text; });
        };
        QVERIFY(says(QStringLiteral("6 launches, drawn as a heat map: Blocks by Sizes")));
        field<QLineEdit>(dialog, "sweepSizes")->setText(QStringLiteral("1024"));
        QVERIFY(says(QStringLiteral("3 launches")));
        field<QLineEdit>(dialog, "sweepSizes")->setText(QStringLiteral("1024, 2048"));
        QSignalSpy finished(&window.sweep(), &SweepControl::finished);
        QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("primary")), Qt::LeftButton);
        QVERIFY(finished.wait(60000));
        dialog->close();
        ViewWidget* charts = window.views().current();
        QTRY_VERIFY(charts->picture() && charts->picture()->csv().startsWith("table,Block,Problem size,"));
        keepPicture(&window, "sweep-heat-map");
        // The cell of 256 threads and 2,048 numbers, wherever it lies.
        QPoint cell(-1, -1);
        for (int y = 0; y < charts->height() && cell.x() < 0; y += 6)
            for (int x = 0; x < charts->width() && cell.x() < 0; x += 6) {
                const QString tip = charts->picture()->spotAt(QPointF(x, y)).toolTip;
                if (tip.contains("Block: 256") && tip.contains("Problem size: 2048"))
                    cell = {x + 4, y + 4};
            }
        QVERIFY(cell.x() >= 0);
        shows(window, [&] { QTest::mouseClick(charts, Qt::LeftButton, {}, cell); });
        QVERIFY(window.current()->trace->launches.front().block == (Dim3{256, 1, 1}));
        QCOMPARE(window.current()->trace->info.size, std::int64_t(2048));
    }

    void aSweepCanBeStopped() {
        SweepJob job;
        session::SweepRequest sweep;
        sweep.base.kernel = "reduceNeighbored";
        sweep.base.launch.size = 1 << 20;
        for (int i = 0; i < 200; ++i)
            sweep.blocks.push_back({128, 1, 1});
        QSignalSpy row(&job, &SweepJob::rowDone), finished(&job, &SweepJob::finished);
        job.start(sweep);
        QVERIFY(row.wait(60000));
        QVERIFY(job.running());
        QVERIFY(job.fraction() > 0 && job.fraction() < 1);
        job.stop();
        QVERIFY(!job.running());
        QCOMPARE(finished.size(), 1);
        const std::size_t rows = job.rows().size();
        QVERIFY(rows >= 1 && rows < 200); // those that were done stay
        QTest::qWait(100);
        QCOMPARE(job.rows().size(), rows);
    }

    void aTableOfAnotherMachineIsChartedAndItsLaunchRuns() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("h200.csv"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("kernel,grid,block,backend,device,duration_ns,size,mode\n"
                   "mathKernel1,1,64,emulator,NVIDIA H200,1800,64,as-written\n"
                   "secretKernel,1,64,cuda,NVIDIA H200,1900,64,optimised\n");
        file.close();
        OpenWindow window;
        window.setLanguage(QStringLiteral("en"));
        window.show();
        window.openFile(path);
        QVERIFY(window.sweep().results());
        QCOMPARE(window.views().currentKey(), QStringLiteral("charts"));
        shows(window, [&] { window.openResult(0); });
        QCOMPARE(window.current()->name, QStringLiteral("mathKernel1"));
        QVERIFY(window.current()->trace->info.mode == CompileMode::AsWritten);
        window.openResult(1);
        QVERIFY(window.views().message->showsError()); // no such kernel here
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write("nonsense\n1\n");
        file.close();
        window.openFile(path);
        QVERIFY(window.views().message->text().contains(QStringLiteral("h200.csv")));
    }

    // `warpglass render TABLE.csv RECORDING.wgt --view charts`: rows of both in one drawing.
    void tablesAndTracesAreRenderedTogether() {
        QTemporaryDir folder;
        QFile table(folder.filePath(QStringLiteral("mine.csv")));
        QVERIFY(table.open(QIODevice::WriteOnly));
        table.write("kernel,grid,block,backend,device,duration_ns,gld_efficiency,mode\n"
                    "myReduce,64,128,cuda,NVIDIA H200,2500,75,optimised\n");
        table.close();
        RenderRequest request;
        request.file = table.fileName();
        request.more = {QStringLiteral(WARPGLASS_SOURCE_DIR "/resources/recordings/reduce0-optimised.wgt")};
        request.view = QStringLiteral("charts");
        request.output = folder.filePath(QStringLiteral("both.svg"));
        request.select = QStringLiteral("option:metrics=duration_ns+gld_efficiency");
        QCOMPARE(render(request), 0);
        QFile drawing(request.output);
        QVERIFY(drawing.open(QIODevice::ReadOnly));
        const QByteArray svg = drawing.readAll();
        for (const char* word : {">myReduce<", ">reduce0<", ">2.5<", ">75<", ">measured<"})
            QVERIFY2(svg.contains(word), word);
        request.output = folder.filePath(QStringLiteral("both.csv"));
        QCOMPARE(render(request), 0);
        request.more = {folder.filePath(QStringLiteral("nowhere.wgt"))};
        QCOMPARE(render(request), 2);
    }

    void presetsAndRecordingsAreOffered() {
        SweepJob job;
        SweepDialog dialog(&job);
        dialog.setBase({});
        for (const session::SweepPreset& preset : session::sweepPresets()) {
            dialog.choosePreset(QString::fromStdString(preset.key));
            const auto sweep = dialog.request();
            QVERIFY2(sweep.ok(), preset.key.c_str());
            QVERIFY(sweep->base.options.timing);
            QCOMPARE(session::requestsOf(*sweep).size(), preset.kernels.size() *
                                                             std::max<std::size_t>(preset.blocks.size(), 1) *
                                                             std::max<std::size_t>(preset.policies.size(), 1));
        }
        dialog.setLanguage(QStringLiteral("zh_CN"));
        keepPicture(&dialog, "sweep-dialog-presets");
    }
};

WARPGLASS_QT_TEST(TestWindowSweep)
#include "test_window_sweep.moc"
#include "views/common/view_widget.h"
