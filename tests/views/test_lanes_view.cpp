// SPDX-License-Identifier: GPL-3.0-or-later
// The divergence view as a person uses it: pictures, mouse, wheel, keys, and exports.
#include "pictures.h"
#include "sample_traces.h"

#include "views/lanes/lanes_layout.h"
#include "views/lanes/lanes_view.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

using namespace warpglass;
using namespace warpglass::samples;

namespace {

PaintContext contextOf(TracePtr trace, TracePtr other = nullptr, ThemeKind theme = ThemeKind::Light) {
    PaintContext c;
    c.trace = std::move(trace);
    c.other = std::move(other);
    c.theme = Theme::make(theme);
    return c;
}

// The cell of a column and a lane, found the way a person finds it: by trying points until a click selects it.
[[maybe_unused]] QPointF pointOf(const View& view, const PaintContext& c, QSize size, Time time, int lane) {
    for (int y = 60; y < size.height(); y += 3)
        for (int x = 20; x < size.width(); x += 4) {
            const Selection s = view.hit(QRectF(QPointF(), QSizeF(size)), c, QPointF(x, y));
            if (s.lane == lane && s.time == time)
                return QPointF(x, y);
        }
    return {-1, -1};
}

} // namespace

class TestLanesView : public QObject {
    Q_OBJECT
private slots:
    void picturesForLooking() {
        const auto view = makeLanesView();
        struct Shot {
            const char* name;
            TracePtr trace, other;
            QSize size;
            ThemeKind theme;
            QMap<QString, QVariant> options;
            std::int64_t time;
        };
        const QSize small(830, 600), large(1290, 940);
        const QVector<Shot> shots{
            {"lanes-neighbored-light", neighbored(false), nullptr, small, ThemeKind::Light, {}, 10},
            {"lanes-neighbored-dark-large", neighbored(false), nullptr, large, ThemeKind::Dark, {}, 10},
            {"lanes-compare-light", neighbored(false), neighbored(true), small, ThemeKind::Light, {}, 10},
            {"lanes-compare-dark-large", neighbored(false), neighbored(true), large, ThemeKind::Dark, {}, 10},
            {"lanes-math-compare-light", mathKernel(false), mathKernel(true), small, ThemeKind::Light, {}, 4},
            {"lanes-math-print", mathKernel(false), nullptr, small, ThemeKind::Print, {}, 0},
            {"lanes-2012-light", divergent20of32(), nullptr, small, ThemeKind::Light, {}, 4},
            {"lanes-2012-ptx-all-dark",
             divergent20of32(),
             nullptr,
             large,
             ThemeKind::Dark,
             {{"layer", "ptx"}, {"branch", "all"}},
             4},
            {"lanes-block-light", neighbored(true), nullptr, small, ThemeKind::Light, {{"scope", "block"}}, 10},
            {"lanes-all-light", neighbored(false), nullptr, large, ThemeKind::Light, {{"branch", "all"}}, 20},
            {"lanes-time-light", neighbored(false), nullptr, small, ThemeKind::Light, {{"axis", "time"}}, 20},
            {"lanes-time-block-dark",
             neighbored(false),
             nullptr,
             large,
             ThemeKind::Dark,
             {{"axis", "time"}, {"scope", "block"}},
             20},
            {"lanes-selects-light", mathKernelSelects(), nullptr, small, ThemeKind::Light, {}, 0},
            {"lanes-machine-dark", mathKernel(false), nullptr, small, ThemeKind::Dark, {{"layer", "machine"}}, 0},
            {"lanes-partial-print", partialAndExited(), nullptr, small, ThemeKind::Print, {}, 3},
            {"lanes-many-light", manyBranches(100000), nullptr, small, ThemeKind::Light, {}, 50000},
            {"lanes-empty-light", nullptr, nullptr, small, ThemeKind::Light, {}, 0},
        };
        for (const Shot& shot : shots) {
            PaintContext c = contextOf(shot.trace, shot.other, shot.theme);
            c.options = shot.options;
            c.selection.time = {shot.time};
            const QImage image = pictureOf(*view, c, shot.size);
            keep(image, QString::fromLatin1(shot.name));
            // Every picture has something on it beside its ground.
            QVERIFY2(pixelsLike(image, c.theme.window, {}, 1) < image.width() * image.height() * 0.985, shot.name);
        }
    }
};

QTEST_MAIN(TestLanesView)
#include "test_lanes_view.moc"
