// SPDX-License-Identifier: GPL-3.0-or-later
// The real window with a real mouse and keyboard, and the real emulator behind it.
#include "app/window/language.h"
#include "app/window/play/transport_bar.h"
#include "app/window/warp/warp_panel.h"
#include "gpu/trace/file.h"
#include "tests/app/hand_trace.h"
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"
#include "views/common/marks.h"
#include "views/common/ticks.h"

#include <QLineEdit>
#include <QSignalSpy>
#include <QtTest>

#include <optional>

using namespace warpglass;

class TestWindow : public QObject, WindowFixture {
    Q_OBJECT
private slots:
    void initTestCase() { prepareWindowTests(QStringLiteral("WarpglassTests")); }
    void init() { openWindow({1280, 720}); }
    void cleanup() { closeWindow(); }

    void anEmptyWindowOffersToRun() {
        QVERIFY(!m_window->current());
        ViewWidget* view = m_window->views().current();
        QVERIFY(view);
        const auto emptiness = view->view().emptiness(view->context());
        QVERIFY(emptiness.has_value());
        QVERIFY(!emptiness->why.isEmpty());
        view->setFocus();
        QTest::keyClick(view, Qt::Key_Return); // the offered action, from the keyboard
        settle();
        QVERIFY(m_window->current());
    }

    void choosingAKernelRunsItAndShowsItsTrace() {
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        QVERIFY(m_window->current());
        QCOMPARE(m_window->current()->name, QString("mathKernel1"));
        QCOMPARE(m_window->current()->check.check, Check::Ok);
        QCOMPARE(m_window->views().current()->context().trace, m_window->current()->trace);
        QVERIFY(m_window->selection().get().warp != noIndex);
    }

    void aRecordingOfARealGpuOpensFromTheGallery() {
        auto* list = child<QListWidget>("gallery");
        child<QTabWidget>("leftTabs")->setCurrentIndex(0);
        QListWidgetItem* item = nullptr;
        for (int i = 0; i < list->count(); ++i) {
            if (list->item(i)->data(Qt::UserRole).toString() ==
                QLatin1String(":/recordings/mathKernel1-as-written.wgt"))
                item = list->item(i);
        }
        QVERIFY(item);
        list->scrollToItem(item);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, Qt::NoModifier, list->visualItemRect(item).center());
        settle();
        const Trace& trace = *m_window->current()->trace;
        QCOMPARE(trace.info.backend, BackendKind::Cuda);
        QCOMPARE(trace.info.timeOrigin, Origin::Measured);
        QCOMPARE(QString::fromStdString(trace.info.deviceName), QString("NVIDIA H200"));

        // The transport's clock is the rulers': it ends where the launch ends, whenever the first event came.
        auto* transport = child<TransportBar>("transport");
        QTRY_VERIFY(transport->moments());
        transport->toEnd();
        const TimeRange range = trace.range();
        QCOMPARE(transport->time().value, std::max(range.end, transport->moments()->range.end).value);
        const QString clock = momentText(trace, transport->time());
        bool shown = false;
        for (const QLabel* label : transport->findChildren<QLabel*>())
            shown = shown || label->text().startsWith(clock + QStringLiteral(" · "));
        QVERIFY2(shown, qPrintable(clock));
        transport->toStart();
        QCOMPARE(transport->time().value, std::min(range.begin, transport->moments()->range.begin).value);
    }

    void theSideStripHasTheSourcesColours() {
        // Even lanes enter at mathKernel1's branch: they are blue, as in the divergence view; odd ones wait.
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        auto* panel = child<WarpPanel>("warpPanel");
        const Theme theme = m_window->views().current()->context().theme;
        QImage image = panel->grab().toImage();
        const double scale = image.devicePixelRatio();
        const QRectF strip = panel->strip();
        const double pitch = strip.width() / lanesPerWarp;
        const auto laneAt = [&](int lane) { // beside the hatch, which runs through the middle
            return image.pixelColor(int(scale * (strip.left() + (lane + 0.45) * pitch)),
                                    int(scale * (strip.top() + strip.height() * 0.2)));
        };
        const WarpFacts facts = warpFacts(*m_window->current()->trace, m_window->selection().get());
        QVERIFY(facts.divergent);
        for (int lane = 0; lane < lanesPerWarp; ++lane)
            QCOMPARE(laneAt(lane), laneColour(lane % 2 ? LaneMark::Off : LaneMark::On, theme));
    }

    void theSearchFieldHidesOtherKernels() {
        QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier);
        auto* field = child<QLineEdit>("gallerySearch");
        QTRY_VERIFY(field->hasFocus());
        QTest::keyClicks(field, QStringLiteral("interleaved"));
        auto* list = child<QListWidget>("gallery");
        int shown = 0;
        for (int i = 0; i < list->count(); ++i) {
            if (!list->item(i)->isHidden() && !list->item(i)->data(Qt::UserRole).toString().isEmpty())
                ++shown;
        }
        QVERIFY(shown >= 1);
        QVERIFY(shown < 10);
    }

    void playingMovesTheTimeAndPausingStopsIt() {
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        QTest::keyClick(m_window.get(), Qt::Key_Home, Qt::ShiftModifier);
        const Time start = m_window->selection().get().time;
        for (int i = 0; i < 6; ++i)
            QTest::keyClick(m_window.get(), Qt::Key_Plus); // faster
        auto* play = child<QToolButton>("play");
        click(play);
        QVERIFY(m_window->transport().playback().playing);
        QTRY_VERIFY(m_window->selection().get().time > start);
        click(play);
        QVERIFY(!m_window->transport().playback().playing);
        const Time paused = m_window->selection().get().time;
        QTest::qWait(150);
        QCOMPARE(m_window->selection().get().time.value, paused.value);
    }

    void spacePlaysFromTheKeyboard() {
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        m_window->views().current()->setFocus();
        QTest::keyClick(m_window->views().current(), Qt::Key_Space);
        QVERIFY(m_window->transport().playback().playing);
        QTest::keyClick(m_window->views().current(), Qt::Key_Space, Qt::ShiftModifier);
        QCOMPARE(m_window->transport().playback().direction, -1);
        QTest::keyClick(m_window->views().current(), Qt::Key_Escape);
        QVERIFY(!m_window->transport().playback().playing);
    }

    void stepsGoOneMomentOnAndBack() {
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        const std::vector<std::int64_t>& times = m_window->transport().moments()->times;
        QVERIFY(times.size() > 3);
        QTest::keyClick(m_window.get(), Qt::Key_Home, Qt::ShiftModifier);
        QCOMPARE(m_window->selection().get().time.value, times[0]);
        QTest::keyClick(m_window.get(), Qt::Key_BracketRight);
        QTest::keyClick(m_window.get(), Qt::Key_BracketRight);
        QCOMPARE(m_window->selection().get().time.value, times[2]);
        QTest::keyClick(m_window.get(), Qt::Key_BracketLeft);
        QCOMPARE(m_window->selection().get().time.value, times[1]);
        QTest::keyClick(m_window.get(), Qt::Key_End, Qt::ShiftModifier);
        QCOMPARE(m_window->selection().get().time.value, times.back());
    }

    void pointAndCommaStepTheSelectedWarp() {
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        const Trace& trace = *m_window->current()->trace;
        const Warp& warp = trace.warps[m_window->selection().get().warp];
        QTest::keyClick(m_window.get(), Qt::Key_Home, Qt::ShiftModifier);
        m_window->selection().setTime(warp.start);
        const Time second = *neighbourEvent(trace, warp, warp.start, 1);
        QTest::keyClick(m_window.get(), Qt::Key_Period);
        QCOMPARE(m_window->selection().get().time.value, second.value);
        QTest::keyClick(m_window.get(), Qt::Key_Comma);
        QCOMPARE(m_window->selection().get().time.value, warp.start.value);
    }

    void clickingTheTimeLineGoesThere() {
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        auto* strip = child<QWidget>("densityStrip");
        QTest::mouseClick(strip, Qt::LeftButton, Qt::NoModifier, QPoint(8, strip->height() / 2));
        const Time early = m_window->selection().get().time;
        QTest::mouseClick(strip, Qt::LeftButton, Qt::NoModifier, QPoint(strip->width() - 8, strip->height() / 2));
        QVERIFY(m_window->selection().get().time > early);
    }

    void compareShowsTheVariantAndPlaysInStep() {
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        QTest::keyClick(m_window.get(), Qt::Key_D, Qt::ControlModifier);
        settle();
        QVERIFY(m_window->other());
        QCOMPARE(m_window->other()->name, QString("mathKernel2"));
        QCOMPARE(m_window->views().current()->context().other, m_window->other()->trace);
        QTest::keyClick(m_window.get(), Qt::Key_D, Qt::ControlModifier);
        settle();
        QVERIFY(!m_window->other());
    }

    void theSelectionHasBackAndForward() {
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        Selection selection = m_window->selection().get();
        selection.lane = 3;
        m_window->selection().set(selection);
        selection.lane = 9;
        m_window->selection().set(selection);
        QTest::keyClick(m_window.get(), Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(m_window->selection().get().lane, 3);
        QTest::keyClick(m_window.get(), Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(m_window->selection().get().lane, 9);
    }

    void themesAreSwitchedLive() {
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        const QImage light = m_window->grab().toImage();
        m_window->action(QStringLiteral("theme_dark"))->trigger();
        QCoreApplication::processEvents();
        const QImage dark = m_window->grab().toImage();
        QVERIFY(light.pixelColor(5, 5).lightness() > 200);
        QVERIFY(dark.pixelColor(5, 5).lightness() < 80);
        const QPoint inView = m_window->views().current()->mapTo(m_window.get(), QPoint(3, 3));
        QVERIFY(dark.pixelColor(inView).lightness() < 80);
    }

    void theLanguageIsSwitchedLive() {
        m_window->action(QStringLiteral("language_zh_CN"))->trigger();
        QTRY_COMPARE(child<QTabWidget>("leftTabs")->tabText(0), QString::fromUtf8("核函数库"));
        m_window->action(QStringLiteral("language_en"))->trigger();
        QTRY_COMPARE(child<QTabWidget>("leftTabs")->tabText(0), QString("Gallery"));
    }

    void viewsAreReachedByNumber() {
        QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier);
        const QString second = m_window->views().currentKey();
        QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
        QVERIFY(m_window->views().currentKey() != second);
    }

    void presentationShowsOnlyTheViewAndTheStep() {
        m_window->startLesson(0, 0);
        settle();
        QTest::keyClick(m_window.get(), Qt::Key_F5);
        QVERIFY(!child<QWidget>("topBar")->isVisible());
        QVERIFY(!child<QWidget>("leftPanel")->isVisible());
        QVERIFY(m_window->views().strip->isVisible());
        QVERIFY(m_window->theme().fontScale >= 1.6);
        QTest::keyClick(m_window.get(), Qt::Key_Escape);
        QVERIFY(child<QWidget>("topBar")->isVisible());
        QCOMPARE(m_window->theme().fontScale, 1.0);
    }

    void aLessonGoesStepByStep() {
        m_window->startLesson(QStringLiteral("one-warp-two-paths"));
        settle();
        QCOMPARE(m_window->current()->name, QString("mathKernel1"));
        QCOMPARE(m_window->views().currentKey(), QString("lanes"));
        click(m_window->views().strip->next); // shows what was asked
        QVERIFY(!m_window->views().question->isVisible());
        click(m_window->views().strip->next);
        settle();
        QVERIFY(m_window->other());
        QCOMPARE(m_window->other()->name, QString("mathKernel2"));
        click(m_window->views().strip->previous);
        settle();
        QVERIFY(!m_window->other());
    }

    void aLessonAsksBeforeItShows() {
        m_window->startLesson(QStringLiteral("grid-block-warp")); // 16 x 16 threads: how many warps? 8
        settle();
        auto* card = child<QWidget>("questionCard");
        QVERIFY(card->isVisible());
        QVERIFY(!m_window->views().current()->isVisible());
        QVERIFY(!child<QLabel>("stepAnswer")->isVisible());
        QVERIFY(child<QPlainTextEdit>("questionCode")->toPlainText().contains(QStringLiteral("index2D")));
        QTest::keyClicks(child<QLineEdit>("questionNumber"), QStringLiteral("7"));
        m_window->setLanguage(QStringLiteral("zh_CN"));
        QVERIFY(child<QLabel>("questionText")->text().contains(QStringLiteral("线程束")));
        m_window->setLanguage(QStringLiteral("en"));
        QTest::keyClicks(child<QLineEdit>("questionNumber"), QStringLiteral("8"));
        QTest::keyClick(child<QLineEdit>("questionNumber"), Qt::Key_Return);
        QVERIFY(!card->isVisible());
        QVERIFY(m_window->views().current()->isVisible());
        QVERIFY(child<QLabel>("stepAnswer")->text().startsWith(QStringLiteral("Right: 8.")));
        QVERIFY(child<QLabel>("storyText")->text().contains(QStringLiteral("8 warps")));

        click(m_window->views().strip->next); // in which warp? 1; of the same run, so nothing has to be waited for
        QVERIFY(card->isVisible());
        QTest::keyClicks(child<QLineEdit>("questionNumber"), QStringLiteral("2"));
        click(child<QPushButton>("questionGive"));
        QVERIFY(child<QLabel>("stepAnswer")->text().startsWith(QStringLiteral("You said 2,")));

        click(m_window->views().strip->next); // which lanes? the first 16
        settle();
        const auto lanes = card->findChildren<QToolButton*>(QStringLiteral("questionLane"));
        QCOMPARE(lanes.size(), 32);
        for (int lane = 0; lane < 16; ++lane)
            click(lanes[lane]);
        click(child<QPushButton>("questionGive"));
        QVERIFY(child<QLabel>("stepAnswer")->text().startsWith(QStringLiteral("Right")));
    }

    // Choices, "Show me", and going back: what was answered is not asked again before the lesson is begun anew.
    void aLessonsAnswersStayWhileItIsGiven() {
        const QString lesson = QStringLiteral("loops-of-different-length");
        m_window->startLesson(lesson);
        settle();
        auto* card = child<QWidget>("questionCard");
        auto* answer = child<QLabel>("stepAnswer");
        QTRY_VERIFY(card->isVisible());
        const auto choices = card->findChildren<QPushButton*>(QStringLiteral("questionChoice"));
        QVERIFY(choices.size() >= 2);
        const QString words = choices[1]->accessibleName();
        click(choices[1]);
        QTRY_VERIFY(!card->isVisible());
        QVERIFY2(answer->text().contains(words), qPrintable(answer->text()));

        click(m_window->views().strip->next);
        QTRY_VERIFY(card->isVisible());
        click(child<QPushButton>("questionShow"));
        QTRY_VERIFY(!card->isVisible());
        QVERIFY(answer->isVisible() && !answer->text().startsWith(QStringLiteral("Right")) &&
                !answer->text().startsWith(QStringLiteral("You said")));

        click(m_window->views().strip->previous);
        QTRY_VERIFY(!m_window->busy());
        QVERIFY(!card->isVisible() && answer->isVisible());
        click(m_window->views().strip->next);
        QTRY_VERIFY(!m_window->busy());
        QVERIFY(!card->isVisible());

        m_window->startLesson(QStringLiteral("grid-block-warp"));
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->busy(), 60000);
        m_window->startLesson(lesson);
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->busy(), 60000);
        QVERIFY(card->isVisible());
    }

    void theSwitchesOfALessonAreTurnedBackAfterIt() {
        ViewWidget* lanes = m_window->views().widget(QStringLiteral("lanes"));
        lanes->setOption(QStringLiteral("layer"), QStringLiteral("ptx"));
        m_window->startLesson(QStringLiteral("one-warp-two-paths"));
        settle();
        QCOMPARE(lanes->context().options.value("layer").toString(), QString("source"));
        QCOMPARE(lanes->context().options.value("scope").toString(), QString("warp"));
        m_window->runKernel(QStringLiteral("mathKernel1"));
        QCOMPARE(lanes->context().options.value("layer").toString(), QString("ptx"));
        QVERIFY(!lanes->context().options.contains("scope"));
        settle();
    }

    void exportWritesEveryFormat() {
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        m_window->views().showView(QStringLiteral("lanes"));
        const QHash<QString, QByteArray> starts{{"png", "\x89PNG"}, {"svg", "<?xml"}, {"pdf", "%PDF"}};
        for (auto it = starts.cbegin(); it != starts.cend(); ++it) {
            const QString path = m_folder->filePath(QStringLiteral("picture.") + it.key());
            QCOMPARE(m_window->exportCurrentView(path), QString());
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadOnly));
            QVERIFY(file.read(5).startsWith(it.value()));
            QVERIFY(file.size() > 1000);
        }
        QVERIFY(!m_window->exportCurrentView(QStringLiteral("/no/such/folder/picture.png")).isEmpty());
    }

    void aTraceFileIsOpenedAndShown() {
        Progress progress;
        const QString path = m_folder->filePath(QStringLiteral("hand.wgt"));
        QVERIFY(writeTrace(*handTrace(), path.toStdString(), progress).ok());
        m_window->openFile(path);
        settle();
        QVERIFY(m_window->current());
        QCOMPARE(m_window->current()->trace->warps.size(), std::size_t(2));
        QCOMPARE(m_window->transport().moments()->times.size(), std::size_t(5));
    }

    // 150,000 blocks of two warps of two events each, at 10 and 20: the picture is there first, and then there is
    // something to play.
    void aLargeTraceIsShownBeforeItCanBePlayed() {
        constexpr std::uint32_t blocks = 150'000;
        auto trace = std::make_shared<Trace>(*handTrace());
        trace->events = {};
        trace->warps.clear();
        trace->blocks.clear();
        for (std::uint32_t n = 0; n < blocks; ++n) {
            trace->blocks.push_back(
                {.index = n, .start = {10}, .end = {20}, .firstWarp = 2 * n, .warpCount = 2, .sm = 0});
            for (std::uint16_t w = 0; w < 2; ++w) {
                Warp warp{.block = n, .warpInBlock = w, .slot = w, .liveLanes = LaneMask::all()};
                warp.start = {10};
                warp.end = {20};
                warp.firstEvent = trace->events.size();
                warp.eventCount = 2;
                trace->events.push(0, 0, EventKind::Entry, LaneMask::all(), {});
                trace->events.push(10, 2, EventKind::Exit, LaneMask::all(), LaneMask::all());
                trace->warps.push_back(warp);
            }
        }
        trace->launches.front().grid = {blocks, 1, 1};
        trace->launches.front().blockCount = blocks;
        Progress progress;
        const QString path = m_folder->filePath(QStringLiteral("many.wgt"));
        const auto written = writeTrace(*trace, path.toStdString(), progress);
        QVERIFY2(written.ok(), written ? "" : written.error().text().c_str());
        m_window->views().showView(QStringLiteral("timeline"));
        ViewWidget* view = m_window->views().current();
        std::optional<bool> pictureFirst;
        connect(view, &ViewWidget::composed, view, [&] {
            if (const TracePtr shown = view->context().trace; !pictureFirst && shown && shown->blocks.size() == blocks)
                pictureFirst = !m_window->transport().moments();
        });
        m_window->openFile(path);
        settle();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->transport().moments(), 60000);
        QVERIFY(pictureFirst && *pictureFirst);
        QCOMPARE(m_window->transport().moments()->times, (std::vector<std::int64_t>{10, 20}));
        QVERIFY(child<QToolButton>("play")->isEnabled());
    }

    void damagedFilesGiveASentence_data() {
        QTest::addColumn<QByteArray>("contents");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("foreign") << QByteArray("this is a letter, not a trace\n").repeated(50);
        Progress progress;
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("hand.wgt"));
        QVERIFY(writeTrace(*handTrace(), path.toStdString(), progress).ok());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray whole = file.readAll();
        QTest::newRow("cut off") << whole.first(whole.size() / 3);
    }
    void damagedFilesGiveASentence() {
        QFETCH(QByteArray, contents);
        clickKernel(QStringLiteral("mathKernel1"));
        settle();
        const RunPtr before = m_window->current();
        const QString path = m_folder->filePath(QStringLiteral("damaged.wgt"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(contents);
        file.close();
        m_window->openFile(path);
        settle();
        QVERIFY(m_window->views().message->showsError());
        QVERIFY(m_window->views().message->text().contains(QStringLiteral("damaged.wgt")));
        QCOMPARE(m_window->current(), before);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), contents); // the file is not touched
    }

    void everyControlHasANameForScreenReaders() {
        for (QWidget* widget : m_window->findChildren<QWidget*>()) {
            if (!widget->isVisible() || !(widget->focusPolicy() & Qt::TabFocus) || widget->focusProxy())
                continue;
            if (widget->objectName().startsWith(QLatin1String("qt_")) ||
                qobject_cast<QAbstractScrollArea*>(widget->parentWidget()))
                continue;
            const QString text = widget->property("text").toString() + widget->accessibleName() + widget->toolTip();
            const bool named = !text.isEmpty() || qobject_cast<QSplitter*>(widget) ||
                               qobject_cast<QTabWidget*>(widget) || qobject_cast<QTabWidget*>(widget->parentWidget());
            QVERIFY2(named, qPrintable(QStringLiteral("%1 %2").arg(
                                QString::fromLatin1(widget->metaObject()->className()), widget->objectName())));
        }
    }

    void themeLanguageAndViewAreRemembered() {
        m_window->setThemeName(QStringLiteral("dark"));
        m_window->setLanguage(QStringLiteral("zh_CN"));
        m_window->views().showView(1);
        const QString view = m_window->views().currentKey();
        m_window->close();
        m_window = std::make_unique<OpenWindow>();
        QCOMPARE(m_window->theme().kind, ThemeKind::Dark);
        QCOMPARE(child<QTabWidget>("leftTabs")->tabText(0), QString::fromUtf8("核函数库"));
        QCOMPARE(m_window->views().currentKey(), view);
        m_window->setLanguage(QStringLiteral("en"));
    }
};

WARPGLASS_QT_TEST(TestWindow)
#include "test_window.moc"
#include "views/common/view_widget.h"
