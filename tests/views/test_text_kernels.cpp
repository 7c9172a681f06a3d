// SPDX-License-Identifier: GPL-3.0-or-later
// The words of every view of every kernel of the gallery, in the sizes, types and languages in which people look at them:
// none lies on another one, under a line or a cursor, is cut off, or ends in dots without a tip that says it whole.
//
// A kernel is looked at in one of 48 windows, and in each view at one of its moments and one of its switches, in turn: all
// kernels, views, windows and switches occur. WARPGLASS_ALL=1 looks at every kernel in every window.
#include "gpu/emulator/emulator.h"
#include "gpu/kernels/catalogue.h"
#include "tests/qt_tests.h"
#include "tests/sample_program.h"
#include "tests/views/chart_tables.h"
#include "tests/views/chinese.h"
#include "tests/views/contexts.h"
#include "tests/views/pictures.h"
#include "tests/views/text_faults.h"
#include "tests/views/view_rooms.h"
#include "views/charts/charts_view.h"
#include "views/common/beside.h"
#include "views/lanes/lanes_view.h"
#include "views/launchmap/launchmap_view.h"
#include "views/launchtree/launchtree_view.h"
#include "views/memory/memory_view.h"
#include "views/occupancy/occupancy_view.h"
#include "views/pipeline/pipeline_view.h"
#include "views/program/program_graph.h"
#include "views/program/program_model.h"
#include "views/program/program_view.h"
#include "views/race/race_view.h"
#include "views/reduction/reduction_view.h"
#include "views/scheduler/scheduler_view.h"
#include "views/source/source_view.h"
#include "views/timeline/timeline_view.h"
#include "views/why/why_view.h"

#include <QtTest>

using namespace warpglass;

namespace {

struct Room : samples::ViewRoom {
    int ratio; // of the screen's pixels
    bool chinese;

    QString name() const {
        return QStringLiteral("%1x%2 of scale %3, %4, %5 % %6")
            .arg(window.width() * ratio)
            .arg(window.height() * ratio)
            .arg(ratio)
            .arg(QLatin1String(sides ? "both sides" : "no sides"))
            .arg(100 * type)
            .arg(QLatin1String(chinese ? "zh_CN" : "en"));
    }
};

// 1280x720 is 2560x1440 of scale 2, too.
QVector<Room> rooms() {
    QVector<Room> all;
    for (const bool chinese : {false, true})
        for (const samples::ViewRoom& room : samples::viewRooms)
            for (int ratio = 1; ratio <= (room.window == QSize(1280, 720) ? 2 : 1); ++ratio)
                all << Room{room, ratio, chinese};
    return all;
}

std::vector<std::unique_ptr<View>> allViews() {
    std::vector<std::unique_ptr<View>> all;
    all.push_back(makeLaunchMapView());
    all.push_back(makeBesideView(makeTimelineView, BesideLayout::Rows));
    all.push_back(makeLanesView());
    all.push_back(makeReductionView());
    all.push_back(makeBesideView(makeMemoryView, BesideLayout::Columns));
    all.push_back(makeLaunchTreeView());
    all.push_back(makeSchedulerView());
    all.push_back(makeBesideView(makeOccupancyView, BesideLayout::Columns));
    all.push_back(makeBesideView(makePipelineView, BesideLayout::Rows));
    all.push_back(makeChartsView());
    all.push_back(makeBesideView(makeSourceView, BesideLayout::Columns));
    all.push_back(makeRaceView());
    all.push_back(makeWhyView());
    all.push_back(makeProgramView());
    all.push_back(makeProgramGraphView());
    return all;
}

TracePtr traceOf(const CatalogueEntry& kernel, bool timing) {
    const auto plan = makePlan(kernel, kernel.look);
    if (!plan)
        qFatal("%s", plan.error().text().c_str());
    if (plan->grid.count() == 0) // runs on the host
        return nullptr;
    RunOptions options;
    options.detail.kind = Detail::Kind::All;
    options.detail.accesses = true;
    options.timing = timing;
    Progress nobody;
    const auto recording = makeEmulator()->run(*plan, options, nobody);
    if (!recording)
        qFatal("%s: %s", kernel.name.c_str(), recording.error().text().c_str());
    return recording->trace;
}

// An answer as the model gives it, with invented times: what is told of a limit is as long as it ever is.
WhyAnswer whyOf(const TracePtr& trace) {
    Why why;
    why.trace = trace;
    why.ns = 10'000;
    why.floorNs = 2'000;
    why.modelError = 0.1;
    double ns = 6'000;
    for (const Limit limit : allOf<Limit>) {
        WhyLimit one{.limit = limit, .ns = ns};
        one.trace = trace;
        for (const InstructionCount& c : trace->countsOf(0))
            if (c.isMemory && one.lines.size() < 2)
                one.lines.push_back({.line = sourceLineOf(trace->kernels.front(), c.ptxLine),
                                     .access = c.access,
                                     .ptxLines = {c.ptxLine},
                                     .savedNs = 3'000,
                                     .share = 0.75,
                                     .found = 32.0,
                                     .least = 1});
        why.limits.push_back(one);
        ns = std::min(9'900.0, ns + 700);
    }
    return std::make_shared<const Result<Why>>(why);
}

// As it is first, then each choice of its switches by itself.
QVector<Options> waysToShow(const View& view, const PaintContext& context) {
    QVector<Options> all{context.options};
    for (const Switch& one : view.switches(context))
        for (const auto& [value, label] : one.choices)
            if (value != optionOf(context.options, one.option, one.standard)) {
                all.append(context.options);
                all.back()[one.option] = value;
            }
    return all;
}

QStringList faultsOf(const View& view, const PaintContext& context, const Room& room, const QString& name) {
    const QSize size = room.view;
    const PicturePtr picture = view.compose(context, QRectF(QPointF(), QSizeF(size)));
    samples::TextPlaces device(size, room.ratio);
    QPainter painter(&device);
    const QVector<PaintedWord> words = paintPicture(*picture, painter);
    picture->paintOverlay(painter, QPointF(-1, -1));
    painter.end();
    QStringList wrong = samples::textFaults(device, context.theme) + samples::elidedWithoutTip(device, *picture, words);
    for (QString& one : wrong)
        one = view.key() + QLatin1Char(' ') + one;
    if (!wrong.isEmpty() && qEnvironmentVariableIsSet("WARPGLASS_PICTURES")) {
        QImage image(size * room.ratio, QImage::Format_RGB32);
        image.setDevicePixelRatio(room.ratio);
        QPainter on(&image);
        paintPicture(*picture, on);
        on.end();
        samples::keep(image, name + QLatin1Char(' ') + view.key());
    }
    return wrong;
}

QString told(const QStringList& wrong) {
    constexpr int most = 12;
    return QStringLiteral("%1 faults\n").arg(wrong.size()) + wrong.first(std::min(most, int(wrong.size()))).join('\n');
}

// Paints what it is told to.
class HandPicture final : public Picture {
public:
    HandPicture(std::function<void(QPainter&)> how, QString tip = {})
        : Picture(contextOf(nullptr), QRectF(0, 0, 300, 200)), m_how(std::move(how)), m_tip(std::move(tip)) {}
    void paint(QPainter& painter) const override { m_how(painter); }
    Spot spotAt(QPointF) const override { return {{}, m_tip, {}, {}}; }

private:
    std::function<void(QPainter&)> m_how;
    QString m_tip;
};

} // namespace

class TestTextKernels : public QObject {
    Q_OBJECT

    samples::Chinese m_chinese;
    QVector<Room> m_rooms = rooms();
    std::vector<std::unique_ptr<View>> m_views = allViews();
    std::map<bool, TracePtr> m_last; // run before, with cycles or without

    static QStringList faultsOfHand(std::function<void(QPainter&)> how) {
        const HandPicture picture(std::move(how));
        samples::TextPlaces device({300, 200});
        QPainter painter(&device);
        paintPicture(picture, painter);
        painter.end();
        QStringList kinds;
        for (const QString& one : samples::textFaults(device, picture.context.theme))
            kinds << one.section(QLatin1Char(':'), 0, 0);
        return kinds;
    }

private slots:
    // The search itself, with pictures that are wrong on purpose.
    void whatIsWrongIsFound() {
        const Theme theme = Theme::make(ThemeKind::Light);
        const QFont font = theme.body();
        const auto word = [&](QPainter& p, QPointF at, const QString& text = QStringLiteral("Wolkig")) {
            p.setFont(font);
            p.setPen(theme.text);
            p.drawText(at, text);
        };
        const auto right = [&](QPainter& p) {
            word(p, {20, 40});
            word(p, {20, 60}); // the next line
        };
        QCOMPARE(faultsOfHand(right), QStringList());
        QCOMPARE(faultsOfHand([&](QPainter& p) {
                     word(p, {20, 40});
                     word(p, {30, 44}, QStringLiteral("Regen"));
                 }),
                 QStringList{"over"});
        QCOMPARE(faultsOfHand([&](QPainter& p) { // the same word twice, a little aside
                     word(p, {20, 40});
                     word(p, {24, 40});
                 }),
                 QStringList{"over"});
        QCOMPARE(faultsOfHand([&](QPainter& p) { // turned upright beside the first, and over it
                     word(p, {20, 40});
                     p.translate(50, 100);
                     p.rotate(-90);
                     word(p, {0, 0}, QStringLiteral("Sturm, Sturm"));
                 }),
                 QStringList{"over"});
        const auto line = [&](QPainter& p) {
            p.setPen(QPen(theme.accent, 1.5));
            p.drawLine(QPointF(35, 0), QPointF(35, 200));
        };
        QCOMPARE(faultsOfHand([&](QPainter& p) { // a cursor after the words, and before them
                     word(p, {20, 40});
                     line(p);
                 }),
                 QStringList{"struck"});
        QCOMPARE(faultsOfHand([&](QPainter& p) {
                     line(p);
                     word(p, {20, 40});
                 }),
                 QStringList{"struck"});
        QCOMPARE(faultsOfHand([&](QPainter& p) { // a ground of its own parts them
                     line(p);
                     p.fillRect(QRectF(15, 20, 80, 30), theme.panel);
                     word(p, {20, 40});
                 }),
                 QStringList());
        QCOMPARE(faultsOfHand([&](QPainter& p) {
                     word(p, {20, 40});
                     p.fillRect(QRectF(40, 0, 100, 100), theme.panel);
                 }),
                 QStringList{"covered"});
        QCOMPARE(faultsOfHand([&](QPainter& p) { // all of it: it is not seen
                     word(p, {20, 40});
                     p.fillRect(QRectF(0, 0, 100, 100), theme.panel);
                     word(p, {22, 41}, QStringLiteral("Regen"));
                 }),
                 QStringList());
        QCOMPARE(faultsOfHand([&](QPainter& p) { word(p, {280, 40}); }), QStringList{"cut"}); // by the picture's end
        QCOMPARE(faultsOfHand([&](QPainter& p) {
                     p.setClipRect(QRectF(0, 0, 40, 100));
                     word(p, {20, 40});
                 }),
                 QStringList{"cut"});
        QCOMPARE(faultsOfHand([&](QPainter& p) { // scrolled away
                     p.setClipRect(QRectF(0, 50, 300, 100));
                     word(p, {20, 40});
                 }),
                 QStringList());

        const auto dots = [&](const QString& tip) {
            const HandPicture picture(
                [&](QPainter& p) {
                    word(p, {20, 40}, QStringLiteral("Wolk") + QChar(0x2026));
                },
                tip);
            samples::TextPlaces device({300, 200});
            QPainter painter(&device);
            paintPicture(picture, painter);
            painter.end();
            return samples::elidedWithoutTip(device, picture, {}).size();
        };
        QCOMPARE(dots({}), 1);
        QCOMPARE(dots(QStringLiteral("Regen")), 1);
        QCOMPARE(dots(QStringLiteral("Wolkig, später heiter")), 0);
    }

    void kernels_data() {
        QTest::addColumn<int>("kernel");
        for (std::size_t k = 0; k < catalogue().size(); ++k)
            QTest::newRow(catalogue()[k].name.c_str()) << int(k);
    }
    void kernels() {
        QFETCH(int, kernel);
        const bool all = qEnvironmentVariableIntValue("WARPGLASS_ALL") != 0;
        const bool timing = kernel % 4 != 3; // the fourth counts steps
        const TracePtr trace = traceOf(catalogue()[std::size_t(kernel)], timing);
        if (!trace)
            QSKIP("runs on the host");
        const TracePtr before = std::exchange(m_last[timing], trace);
        const ResultsPtr sweep = samples::blockSweep();
        const auto program = makeProgramModel(samples::handProgram());
        const WhyAnswer why = whyOf(trace);
        QStringList wrong;
        // 5 has no divisor in common with 48: 48 kernels after one another have a window each, and neighbours differ much.
        const int first = kernel * 5 % int(m_rooms.size());
        for (int r = 0; r < (all ? int(m_rooms.size()) : 1); ++r) {
            const Room& room = m_rooms[(first + r) % m_rooms.size()];
            if (room.chinese)
                QCoreApplication::installTranslator(&m_chinese);
            int turn = kernel + r;
            for (const auto& view : m_views) {
                ++turn;
                PaintContext context = contextOf(trace, ThemeKind::Light, room.type);
                const bool race = view->key() == QLatin1String("race");
                if (race || turn % 5 == 0)
                    context.other = before ? before : trace;
                if (view->key() == QLatin1String("charts") && turn % 2 == 0)
                    context.results = sweep;
                if (view->key() == QLatin1String("program"))
                    context.program = program;
                if (view->key() == QLatin1String("why"))
                    context.options[QLatin1String(whyOption)] = whyToOption(why);
                context.selection.block = trace->launches[0].firstBlock;
                const TimeRange range = trace->range();
                context.selection.time = range.begin + Time{range.length().value * (turn % 3) / 2};
                const QVector<Options> ways = waysToShow(*view, context);
                context.options = ways[(turn / 3) % ways.size()];
                for (const QString& one :
                     faultsOf(*view, context, room, QString::fromStdString(catalogue()[std::size_t(kernel)].name)))
                    wrong << QStringLiteral("[%1, moment %2, way %3%4] ")
                                     .arg(room.name())
                                     .arg(turn % 3)
                                     .arg((turn / 3) % ways.size())
                                     .arg(QLatin1String(context.other ? ", two" : "")) +
                                 one;
            }
            QCoreApplication::removeTranslator(&m_chinese);
        }
        if (const QString log = qEnvironmentVariable("WARPGLASS_TEXT_LOG"); !log.isEmpty()) {
            QFile file(log);
            if (file.open(QIODevice::Append))
                for (const QString& one : wrong)
                    file.write(
                        (QString::fromStdString(catalogue()[std::size_t(kernel)].name) + ' ' + one + '\n').toUtf8());
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(told(wrong)));
    }
};

WARPGLASS_QT_TEST(TestTextKernels)
#include "test_text_kernels.moc"
