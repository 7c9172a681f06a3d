// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the launch map in every theme and size into build/pictures, for people to look at, and checks what a machine
// can: that something is drawn, that nothing is drawn outside its area, and that the three themes and states differ.
#include "tests/qt_tests.h"
#include "tests/views/contexts.h"
#include "tests/views/launchmap_traces.h"
#include "views/launchmap/launchmap_view.h"

#include <QDir>
#include <QImage>
#include <QTest>
#include <QTranslator>

using namespace warpglass;
using namespace warpglass::test;

namespace {

QImage picture(const View& view, const PaintContext& c, QSize size) {
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::magenta);
    QPainter painter(&image);
    paintView(view, painter, QRectF(QPointF(0, 0), QSizeF(size)), c);
    return image;
}

void save(const QImage& image, const QString& name) {
    QDir().mkpath(QStringLiteral(WARPGLASS_BINARY_DIR "/pictures"));
    image.save(QStringLiteral(WARPGLASS_BINARY_DIR "/pictures/launchmap-") + name + QStringLiteral(".png"));
}

Selection at(const Trace& trace, std::uint32_t block, std::uint32_t warpInBlock, int lane, double share) {
    Selection s;
    const TimeRange range = trace.range();
    s.time = range.begin + Time{std::int64_t(share * double(range.length().value))};
    s.block = block;
    if (block != noIndex && warpInBlock < trace.blocks[block].warpCount) {
        s.warp = trace.blocks[block].firstWarp + warpInBlock;
        s.lane = lane;
    }
    return s;
}

// The program's translations are kept in one context, whatever a text's own.
class OneContext : public QTranslator {
public:
    QString translate(const char*, const char* text, const char*, int n) const override {
        return QTranslator::translate("Warpglass", text, nullptr, n);
    }
};

} // namespace

class TestLaunchMapPictures : public QObject {
    Q_OBJECT
private slots:
    void shapesOfBlocks_data() {
        QTest::addColumn<int>("x");
        QTest::addColumn<int>("y");
        QTest::addColumn<int>("z");
        QTest::addColumn<int>("theme");
        QTest::newRow("16x16-dark") << 16 << 16 << 1 << int(ThemeKind::Dark);
        QTest::newRow("16x16-light") << 16 << 16 << 1 << int(ThemeKind::Light);
        QTest::newRow("40x2-light") << 40 << 2 << 1 << int(ThemeKind::Light);
        QTest::newRow("40x2-print") << 40 << 2 << 1 << int(ThemeKind::Print);
        QTest::newRow("80x1-dark") << 80 << 1 << 1 << int(ThemeKind::Dark);
        QTest::newRow("8x8x4-light") << 8 << 8 << 4 << int(ThemeKind::Light);
        QTest::newRow("1024x1-light") << 1024 << 1 << 1 << int(ThemeKind::Light);
        QTest::newRow("32x32-dark") << 32 << 32 << 1 << int(ThemeKind::Dark);
    }
    void shapesOfBlocks() {
        QFETCH(int, x);
        QFETCH(int, y);
        QFETCH(int, z);
        QFETCH(int, theme);
        Schedule schedule;
        schedule.grid = {32, 24};
        schedule.block = {std::uint32_t(x), std::uint32_t(y), std::uint32_t(z)};
        schedule.smCount = 132;
        schedule.duration = 12000;
        schedule.spread = 900;
        auto trace = scheduled(schedule);
        const std::uint32_t chosen = 11 * 32 + 20;
        addDetail(*trace, chosen, LaneMask{0x01010101});
        const auto view = makeLaunchMapView();
        PaintContext c = contextOf(trace, ThemeKind(theme));
        const Block& b = trace->blocks[chosen];
        c.selection = at(*trace, chosen, trace->blocks[chosen].warpCount - 1u, 5, 0);
        c.selection.time = b.start + Time{(b.end - b.start).value * 3 / 8}; // between branch and reconvergence
        for (const QSize size : {QSize(1280, 720), QSize(1920, 1080), QSize(800, 760)}) {
            const QImage image = picture(*view, c, size);
            save(image, QStringLiteral("%1-%2x%3")
                            .arg(QString::fromLatin1(QTest::currentDataTag()))
                            .arg(size.width())
                            .arg(size.height()));
            QCOMPARE(image.pixelColor(2, 2), c.theme.window); // the margin is left alone
            QVERIFY(image != picture(*view, contextOf(trace, ThemeKind(theme)), size));
        }
    }

    void grids_data() {
        QTest::addColumn<int>("x");
        QTest::addColumn<int>("y");
        QTest::addColumn<int>("z");
        QTest::newRow("1d-4096") << 4096 << 1 << 1;
        QTest::newRow("1d-7") << 7 << 1 << 1;
        QTest::newRow("3d-12x10x6") << 12 << 10 << 6;
        QTest::newRow("2d-512x2048") << 512 << 2048 << 1;
        QTest::newRow("2d-4096x2") << 4096 << 2 << 1;
    }
    void grids() {
        QFETCH(int, x);
        QFETCH(int, y);
        QFETCH(int, z);
        Schedule schedule;
        schedule.grid = {std::uint32_t(x), std::uint32_t(y), std::uint32_t(z)};
        schedule.block = {256};
        schedule.smCount = 132;
        schedule.blocksPerSm = 8;
        schedule.duration = 5000;
        schedule.spread = 700;
        schedule.origin = Origin::Modelled;
        schedule.unit = x == 7 ? TimeUnit::Steps : TimeUnit::Nanoseconds;
        auto trace = scheduled(schedule);
        const auto view = makeLaunchMapView();
        PaintContext c = contextOf(trace, x == 7 ? ThemeKind::Light : ThemeKind::Dark);
        const auto n = std::uint32_t(schedule.grid.count());
        c.selection = at(*trace, n / 2, 0, -1, 0.52);
        const QImage bySm = picture(*view, c, {1280, 720});
        save(bySm, QString::fromLatin1(QTest::currentDataTag()));
        c.options[QStringLiteral("colour")] = QStringLiteral("state");
        const QImage byState = picture(*view, c, {1280, 720});
        save(byState, QString::fromLatin1(QTest::currentDataTag()) + QStringLiteral("-state"));
        QVERIFY(bySm != byState);
    }

    void partsAndLanguages() {
        Schedule schedule;
        schedule.grid = {64};
        schedule.block = {40, 2};
        schedule.smCount = 16;
        schedule.spread = 300;
        auto trace = scheduled(schedule);
        addDetail(*trace, 40, LaneMask{0x0000ffff});
        const auto view = makeLaunchMapView();
        PaintContext c = contextOf(trace, ThemeKind::Light, 1.6);
        c.selection = at(*trace, 40, 2, 3, 0.3);
        c.selection.time = trace->blocks[40].start + Time{400};
        c.options[QStringLiteral("show")] = QStringLiteral("block");
        save(picture(*view, c, {1280, 720}), QStringLiteral("block-presented"));
        c.options[QStringLiteral("show")] = QStringLiteral("device");
        save(picture(*view, c, {1280, 720}), QStringLiteral("device-presented"));
        c.options.clear();
        c.theme = Theme::make(ThemeKind::Light);
        const QImage english = picture(*view, c, {1280, 720});
        OneContext chinese;
        if (!chinese.load(QStringLiteral(WARPGLASS_BINARY_DIR "/translations/warpglass_zh_CN.qm"))) {
            QSKIP("the Chinese translation is not built here");
        }
        QCoreApplication::installTranslator(&chinese);
        const QImage translated = picture(*view, c, {1280, 720});
        save(translated, QStringLiteral("chinese"));
        QCoreApplication::removeTranslator(&chinese);
        QVERIFY(english != translated);
    }

    void twoTracesSideBySide() {
        Schedule schedule;
        schedule.grid = {8};
        schedule.smCount = 2;
        schedule.blocksPerSm = 1;
        auto two = scheduled(schedule);
        schedule.smCount = 4;
        auto four = scheduled(schedule);
        const auto view = makeLaunchMapView();
        PaintContext c = contextOf(two, ThemeKind::Light);
        c.selection = at(*two, 3, 0, -1, 0.3);
        const QImage alone = picture(*view, c, {1280, 720});
        c.other = four;
        const QImage both = picture(*view, c, {1280, 720});
        save(both, QStringLiteral("compare"));
        QVERIFY(alone != both);
    }

    void aMillionBlocksPaintFromPixels() {
        Schedule schedule;
        schedule.grid = {512, 2048};
        schedule.block = {32, 32};
        schedule.smCount = 132;
        schedule.duration = 5000;
        schedule.spread = 700;
        auto trace = scheduled(schedule);
        const auto view = makeLaunchMapView();
        PaintContext c = contextOf(trace, ThemeKind::Light);
        c.selection = at(*trace, 300000, 0, -1, 0.5);
        QElapsedTimer timer;
        timer.start();
        QImage image(1920, 1080, QImage::Format_ARGB32_Premultiplied);
        PicturePtr newest;
        const auto frame = [&] { // as a widget makes one: the model is worked out once
            Progress nobody;
            newest = view->compose(c, QRectF(image.rect()), nobody, newest);
            QPainter painter(&image);
            paintPicture(*newest, painter);
        };
        frame();
        qInfo("first picture of %zu blocks: %lld ms", trace->blocks.size(), static_cast<long long>(timer.elapsed()));
        timer.restart();
        for (int i = 0; i < 10; ++i) {
            c.selection.time = c.selection.time + Time{5000};
            frame();
        }
        qInfo("each next picture: %.1f ms", double(timer.elapsed()) / 10);
        QVERIFY(trace->blocks.size() == 1048576);
    }
};

WARPGLASS_QT_TEST(TestLaunchMapPictures)
#include "test_launchmap_pictures.moc"
