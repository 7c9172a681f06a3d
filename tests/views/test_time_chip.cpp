// SPDX-License-Identifier: GPL-3.0-or-later
// Times of code compiled as written say that they are a debug build's, wherever a picture shows them.
#include "tests/qt_tests.h"
#include "tests/views/contexts.h"
#include "tests/views/launchmap_traces.h"
#include "tests/views/scheduler_traces.h"
#include "tests/views/text_places.h"
#include "views/charts/model_note.h"
#include "views/common/marks.h"
#include "views/common/time_chip.h"
#include "views/launchmap/launchmap_view.h"
#include "views/race/race_view.h"
#include "views/scheduler/scheduler_view.h"
#include "views/timeline/timeline_view.h"

#include <QtTest>

using namespace warpglass;
using namespace warpglass::samples;

namespace {

TracePtr compiled(const Trace& trace, CompileMode mode, TimeUnit unit = TimeUnit::Nanoseconds) {
    auto copy = std::make_shared<Trace>(trace);
    copy->info.mode = mode;
    copy->info.timeUnit = unit;
    copy->info.timing = unit != TimeUnit::Steps;
    copy->info.timeOrigin = Origin::Modelled;
    return copy;
}

// How many texts of the picture say it.
int said(const View& view, const PaintContext& context) {
    constexpr QSize sheet(1100, 640);
    TextPlaces device(sheet);
    QPainter painter(&device);
    Progress nobody;
    view.compose(context, QRectF(QPointF(), QSizeF(sheet)), nobody, nullptr)->paint(painter);
    painter.end();
    int count = 0;
    for (const TextPlace& place : device.places())
        count += place.text.contains(QStringLiteral("debug build"));
    return count;
}

} // namespace

class TestTimeChip : public QObject {
    Q_OBJECT
private slots:
    void theChipSaysItWhereItHasRoom() {
        const Theme theme = Theme::make(ThemeKind::Light);
        TraceInfo info;
        info.timeOrigin = Origin::Modelled;
        info.timeUnit = TimeUnit::Nanoseconds;
        info.mode = CompileMode::Optimised;
        QCOMPARE(timeChipText(info, theme, 1000), QStringLiteral("modelled"));
        info.mode = CompileMode::AsWritten;
        QCOMPARE(timeChipText(info, theme, 1000), QStringLiteral("modelled, debug build"));
        QCOMPARE(timeChipText(info, theme, chipWidth(QStringLiteral("modelled"), theme)), QStringLiteral("modelled"));
        info.timeOrigin = Origin::Measured; // a GPU's debug build is one, too
        QCOMPARE(timeChipText(info, theme, 1000), QStringLiteral("measured, debug build"));
        info.timeUnit = TimeUnit::Steps; // no time, nothing to be wrong about
        QCOMPARE(timeChipText(info, theme, 1000), QStringLiteral("measured"));
    }

    void picturesOfTimeSayIt() {
        const TracePtr states = tenCycles();
        const std::shared_ptr<Trace> blocks = test::scheduled({.grid = Dim3{20}, .duration = 100});
        const auto timeline = makeTimelineView();
        const auto scheduler = makeSchedulerView();
        const auto map = makeLaunchMapView();
        const auto race = makeRaceView();
        const auto told = [&](CompileMode mode, TimeUnit unit) {
            const TracePtr s = compiled(*states, mode, unit), b = compiled(*blocks, mode, unit);
            return QVector<int>{said(*timeline, contextOf(s)), said(*scheduler, contextOf(s)), said(*map, contextOf(b)),
                                said(*race, contextOf(b, b))};
        };
        QCOMPARE(told(CompileMode::AsWritten, TimeUnit::Nanoseconds), (QVector<int>{1, 1, 1, 2}));
        QCOMPARE(told(CompileMode::Optimised, TimeUnit::Nanoseconds), (QVector<int>{0, 0, 0, 0}));
    }

    void chartsOfTimesSayIt() {
        const auto notes = [](const char* mode, Origin origin) {
            ResultTable table;
            table.rows.resize(2);
            table.rows[1].mode = mode;
            Chart chart;
            chart.panels.resize(1);
            chart.panels[0].origins = {origin};
            addModelNote(chart, table);
            return chart.notes.filter(QStringLiteral("debug build")).size();
        };
        QCOMPARE(notes("as-written", Origin::Modelled), 1);
        QCOMPARE(notes("as-written", Origin::Measured), 1);
        QCOMPARE(notes("as-written", Origin::Counted), 0);
        QCOMPARE(notes("optimised", Origin::Modelled), 0);
    }
};

WARPGLASS_QT_TEST(TestTimeChip)
#include "test_time_chip.moc"
