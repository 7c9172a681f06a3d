// SPDX-License-Identifier: GPL-3.0-or-later
// Two runs on one track, with every number worked out by hand.
#include "gpu/metrics/model_accuracy.h"
#include "tests/qt_tests.h"
#include "tests/views/launchmap_traces.h"
#include "tests/views/pictures.h"
#include "tests/views/text_places.h"
#include "views/common/beside.h"
#include "views/common/side_names.h"
#include "views/race/race_picture.h"
#include "views/race/race_view.h"

#include <QTest>

using namespace warpglass;
using namespace warpglass::samples;

namespace {

constexpr QSize raceSize(900, 560);

// Twenty blocks on eight places: eight are done after one duration, sixteen after two, all after three.
std::shared_ptr<Trace> run(std::int64_t duration) {
    test::Schedule schedule;
    schedule.grid = Dim3{20};
    schedule.duration = duration;
    return test::scheduled(schedule);
}

PaintContext racing(TracePtr a, TracePtr b) {
    PaintContext c;
    c.trace = std::move(a);
    c.other = std::move(b);
    c.theme = Theme::make(ThemeKind::Light);
    return c;
}

QRectF wholeRace() {
    return {QPointF(), QSizeF(raceSize)};
}

} // namespace

class TestRace : public QObject {
    Q_OBJECT
private slots:
    void aRunnerIsAsFarAsItsBlocksAreDone() {
        const RunnerPtr runner = runnerOf(run(100), RaceWork::Blocks);
        QCOMPARE(runner->length().value, 300);
        QCOMPARE(runner->share(99), 0.0);
        QCOMPARE(runner->share(100), 8 / 20.0);
        QCOMPARE(runner->share(250), 16 / 20.0);
        QCOMPARE(runner->share(300), 1.0);
    }

    // 300 against 150.
    void theRatioIsOfTheWholeTimes() {
        const RunnerPtr slow = runnerOf(run(100), RaceWork::Blocks), fast = runnerOf(run(50), RaceWork::Blocks);
        const auto result = resultOf(*slow, *fast);
        QVERIFY(result.has_value());
        QCOMPARE(result->ratio, 2.0);
        QCOMPARE(result->faster, 1);
        QCOMPARE(result->lead.value, 150);
        QCOMPARE(resultOf(*fast, *slow)->faster, 0);
        QCOMPARE(resultOf(*slow, *slow)->faster, -1);
    }

    // Pinned A, twenty blocks of 100 on eight places: 300. What is open now takes 150: B is there first, 150 earlier, and A
    // is above, as of two that are compared.
    void thePinnedRunRacesToo() {
        PaintContext context;
        context.trace = run(50);
        context.theme = Theme::make(ThemeKind::Light);
        const auto view = makeRaceView();
        QVERIFY(view->emptiness(context)); // alone
        context.pinned = run(100);
        QVERIFY(!view->emptiness(context));
        context.selection.time = context.trace->range().begin + Time{150};
        const PicturePtr picture = view->compose(context, wholeRace());
        const auto* race = dynamic_cast<const RacePicture*>(picture.get());
        QVERIFY(race);
        QCOMPARE(race->runners[0]->length().value, 150);
        QCOMPARE(race->runners[1]->length().value, 300);
        QVERIFY(race->finished(0));
        QCOMPARE(race->elapsed(1), 150.0); // both began together
        QVERIFY(!race->finished(1));
        QVERIFY(race->layout.tracks[1].field.top() < race->layout.tracks[0].field.top());
        context.selection.time = context.trace->range().begin + Time{300};
        TextPlaces device(raceSize);
        QPainter painter(&device);
        view->compose(context, wholeRace())->paint(painter);
        painter.end();
        QStringList texts;
        for (const TextPlace& place : device.places())
            texts << place.text;
        QVERIFY2(!texts.filter(QStringLiteral("B is there first, 150 ns earlier")).isEmpty(),
                 qPrintable(texts.join('|')));
        QVERIFY(race->csv().contains(QStringLiteral("\nA,300.00,100.000,blocks")));
    }

    // Modelled times: 312 is 4 % more than 300, less than the model's error; 600 is twice as much, and more. Measured, 4 %
    // are 4 %.
    void withinTheModelsErrorNobodyIsFirst() {
        const auto of = [](std::int64_t duration, Origin origin) {
            auto trace = run(duration);
            trace->info.timeOrigin = origin;
            trace->info.deviceName = "NVIDIA H200";
            return trace;
        };
        const double error = *expectedError(*of(100, Origin::Modelled));
        QVERIFY(error > 0.04 && error < 1);
        const auto ran = [&](std::int64_t a, std::int64_t b, Origin origin) {
            return *resultOf(*runnerOf(of(a, origin), RaceWork::Blocks), *runnerOf(of(b, origin), RaceWork::Blocks));
        };
        const RaceResult draw = ran(100, 104, Origin::Modelled);
        QCOMPARE(draw.faster, -1);
        QCOMPARE(draw.lead.value, 12);
        QCOMPARE(draw.error.value_or(0), error);
        QCOMPARE(ran(104, 100, Origin::Modelled).faster, -1);
        QCOMPARE(ran(100, 200, Origin::Modelled).faster, 0);
        QCOMPARE(ran(100, 104, Origin::Measured).faster, 0);
        // On a device that nobody has measured the error is not known, and no other one stands in its place.
        auto elsewhere = of(104, Origin::Modelled);
        elsewhere->info.deviceName = "another";
        const auto unknown =
            resultOf(*runnerOf(of(100, Origin::Modelled), RaceWork::Blocks), *runnerOf(elsewhere, RaceWork::Blocks));
        QVERIFY(!unknown->error);
        QCOMPARE(unknown->faster, 0);
    }

    // Before anything has played there is nothing of the race but its start; on paper all of it.
    void theFinishIsNotThereBeforeItIsPlayed() {
        const auto slow = run(100), fast = run(50);
        const auto view = makeRaceView();
        PaintContext c = racing(slow, fast);
        c.selection.time = slow->launches[0].start;
        const auto racesIn = [&] {
            return std::dynamic_pointer_cast<const RacePicture>(view->compose(c, wholeRace()));
        };
        QVERIFY(!racesIn()->finished(0) && !racesIn()->finished(1));
        QCOMPARE(racesIn()->elapsed(0), 0.0);
        const QRect result = racesIn()->layout.result.toRect();
        QCOMPARE(pixelsLike(pictureOf(*view, c, raceSize), c.theme.good, result), 0);
        c.selection.time = slow->launches[0].end;
        QVERIFY(racesIn()->finished(0) && racesIn()->finished(1));
        c.selection.time = slow->launches[0].start;
        c.clickable = false;
        QVERIFY(racesIn()->finished(0) && racesIn()->finished(1));
    }

    // 320 px in lines of 17 px, as a small window leaves beside the table of differences: margins 13.6 px, title and question
    // 54.4, below the tracks a result of two lines and a ruler, 64.6, so that the tracks share 173.8 px; of its 86.9 each
    // gives 2.8 lines to its name.
    void aLowRaceIsMostlyItsTracks() {
        const RaceLayout low = raceLayout({0, 0, 450, 320}, 17, {100}, false);
        QVERIFY(std::abs(low.tracks[0].field.height() - 39.3) < 0.1);
        QVERIFY(std::abs(low.tracks[1].field.height() - 39.3) < 0.1);
        QCOMPARE(low.note.height(), 0.0);
        QVERIFY(raceLayout({0, 0, 450, 320}, 17, {100}, true).note.height() > 17);
    }

    // One kernel beside itself, as it was before: what a trace tells is the same of both, their names are not.
    void bothSidesBearTheirNames() {
        PaintContext c = racing(run(100), run(100));
        const QFont font = c.theme.small();
        QCOMPARE(captionOfSide(c, 0, font, 4000), captionOfSide(contextOfOther(c), 1, font, 4000));
        nameOfFirst.set(c.options, QStringLiteral("run 1"));
        nameOfSecond.set(c.options, QStringLiteral("run 2: block 64"));
        QVERIFY(captionOfSide(c, 0, font, 4000).startsWith(QString::fromUtf8("run 1  ·  ")));
        QVERIFY(captionOfSide(contextOfOther(c), 1, font, 4000).startsWith(QString::fromUtf8("run 2: block 64  ·  ")));
    }

    // At 150 of the slow one's 300 the fast one is there, the slow one has eight of its twenty blocks.
    void bothGrowOnOneScaleUpToTheirFinish() {
        const auto slow = run(100), fast = run(50);
        const auto view = makeRaceView();
        PaintContext c = racing(slow, fast);
        c.selection.time = slow->launches[0].end;
        const PicturePtr rest = view->compose(c, wholeRace());
        const auto& picture = dynamic_cast<const RacePicture&>(*rest);
        QVERIFY(picture.finished(0) && picture.finished(1));
        QCOMPARE(picture.layout.axis.window.length().value, 300);
        const std::vector<Beat> beats = rest->beats();
        QCOMPARE(beats.front().time.value, slow->launches[0].start.value);
        QCOMPARE(beats.back().time.value, slow->launches[0].end.value);

        c.selection.time = slow->launches[0].start + Time{100};
        c.selection.motion = {true, slow->launches[0].start + Time{200}, 0.5};
        const PicturePtr middle = view->compose(c, wholeRace());
        const auto& now = dynamic_cast<const RacePicture&>(*middle);
        QCOMPARE(now.elapsed(0), 150.0);
        QVERIFY(!now.finished(0));
        QVERIFY(now.finished(1));
        QCOMPARE(now.runners[0]->share(now.elapsed(0)), 0.4);

        // Nothing of the slow one beyond half of its field, and no result yet.
        const QImage image = pictureOf(*view, c, raceSize);
        const QRectF field = now.layout.tracks[0].field;
        const QRect later(QPoint(int(field.center().x()) + 60, int(field.top()) + 3),
                          QPoint(int(field.right()) - 2, int(field.top() + field.height() * 0.45)));
        QCOMPARE(pixelsLike(image, c.theme.panel, later), later.width() * later.height());
        const QRect result = now.layout.result.toRect();
        QCOMPARE(pixelsLike(image, c.theme.good, result), 0);
        PaintContext done = c;
        done.selection.motion = {};
        done.selection.time = slow->launches[0].end;
        QVERIFY(pixelsLike(pictureOf(*view, done, raceSize), c.theme.good, result) > 30);
    }

    void aClickGoesToThatMoment() {
        const auto slow = run(100), fast = run(50);
        const auto view = makeRaceView();
        const PaintContext c = racing(slow, fast);
        const PicturePtr picture = view->compose(c, wholeRace());
        const auto& race = dynamic_cast<const RacePicture&>(*picture);
        const Spot spot = picture->spotAt(race.layout.tracks[1].field.center());
        QVERIFY(spot.click.has_value());
        QCOMPARE(spot.click->selection.time.value, slow->launches[0].start.value + 150);
        QVERIFY(spot.toolTip.contains("100"));
        QVERIFY(picture->csv().startsWith("run,since_start_ns,done_percent"));
    }

    void whatCannotRaceSaysWhy() {
        const auto view = makeRaceView();
        QCOMPARE(view->emptiness(racing(run(100), nullptr))->action, QString("compare"));
        auto steps = run(50);
        steps->info.timeUnit = TimeUnit::Steps;
        QCOMPARE(view->emptiness(racing(run(100), steps))->action, QString("timing"));
        QVERIFY(!view->emptiness(racing(run(100), run(50))));
    }

    // Fewer than eight blocks come in leaps: then events tell how far a run is.
    void fewBlocksAreMeasuredByTheirEvents() {
        test::Schedule few;
        few.grid = Dim3{2};
        const auto small = test::scheduled(few);
        test::addDetail(*small, 0, LaneMask{0xffffu});
        QVERIFY(workOf(*small, small.get()) == RaceWork::Events);
        QVERIFY(workOf(*run(100), run(50).get()) == RaceWork::Blocks);
        QCOMPARE(runnerOf(small, RaceWork::Events)->done.size(), std::size_t(small->events.size()));
    }

    void pictures() {
        const auto view = makeRaceView();
        for (const auto& [name, kind, way] : {std::tuple{"race-light", ThemeKind::Light, -1.0},
                                              {"race-dark", ThemeKind::Dark, -1.0},
                                              {"race-on-the-way", ThemeKind::Light, 0.5}}) {
            PaintContext c = racing(run(100), run(50));
            c.theme = Theme::make(kind);
            c.selection.time = {300};
            if (way >= 0) {
                c.selection.time = {100};
                c.selection.motion = {true, {200}, way};
            }
            const QImage image = pictureOf(*view, c, raceSize);
            keep(image, name);
            QVERIFY(pixelsLike(image, c.theme.category(0)) > 100);
        }
    }
};

WARPGLASS_QT_TEST(TestRace)
#include "test_race.moc"
