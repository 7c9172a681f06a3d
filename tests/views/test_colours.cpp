// SPDX-License-Identifier: GPL-3.0-or-later
// Colours that everybody can tell apart, or that do not stand alone; words that can be read on every ground.
//
// Colour blindness is simulated by the matrices of G. M. Machado, M. M. Oliveira and L. A. F. Fernandes, "A
// Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE Transactions on Visualization and Computer
// Graphics 15 (6), 2009, table 1, severity 1.0, on linear RGB. Differences are CIE 1976's, in L*a*b* for D65.
#include "tests/qt_tests.h"
#include "tests/views/pictures.h"
#include "views/common/marks.h"
#include "views/common/state_words.h"

#include <QtTest>

#include <array>
#include <cmath>

using namespace warpglass;

namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

struct Sight {
    const char* name;
    Matrix matrix;
};
constexpr std::array<Sight, 4> sights{{
    {"all colours", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
    {"protanopia",
     {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}}},
    {"deuteranopia",
     {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}},
    {"tritanopia",
     {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}},
}};

Triple linearOf(const QColor& c) {
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return {linear(c.redF()), linear(c.greenF()), linear(c.blueF())};
}

Triple times(const Matrix& m, const Triple& v) {
    Triple product{};
    for (std::size_t row = 0; row < 3; ++row)
        product[row] = std::clamp(m[row][0] * v[0] + m[row][1] * v[1] + m[row][2] * v[2], 0.0, 1.0);
    return product;
}

Triple labOf(const Triple& rgb) {
    const double x = (0.4124564 * rgb[0] + 0.3575761 * rgb[1] + 0.1804375 * rgb[2]) / 0.95047,
                 y = 0.2126729 * rgb[0] + 0.7151522 * rgb[1] + 0.0721750 * rgb[2],
                 z = (0.0193339 * rgb[0] + 0.1191920 * rgb[1] + 0.9503041 * rgb[2]) / 1.08883;
    const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
    return {116 * f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))};
}

double difference(const QColor& a, const QColor& b, const Sight& sight) {
    const Triple p = labOf(times(sight.matrix, linearOf(a))), q = labOf(times(sight.matrix, linearOf(b)));
    return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

constexpr double apart = 12; // neighbours in a legend are told apart at once from about 10 on
constexpr std::array<ThemeKind, 4> themes{ThemeKind::Light, ThemeKind::Dark, ThemeKind::Print, ThemeKind::Projector};

QString pairText(const QString& a, const QString& b, const Sight& sight, ThemeKind theme) {
    return QStringLiteral("%1 and %2, %3, theme %4").arg(a, b, QLatin1String(sight.name)).arg(int(theme));
}

} // namespace

class TestColours : public QObject {
    Q_OBJECT
private slots:
    // Worked out by hand: the matrices leave grey grey, and white is (100, 0, 0).
    void theSimulationLeavesGreyAlone() {
        for (const Sight& sight : sights) {
            const Triple lab = labOf(times(sight.matrix, linearOf(Qt::white)));
            QVERIFY(std::abs(lab[0] - 100) < 0.1 && std::abs(lab[1]) < 0.1 && std::abs(lab[2]) < 0.1);
        }
        // Red and green of one lightness: 150 apart for most, near for who has no red or no green cones.
        const QColor red(0xd0, 0x30, 0x30), green(0x5a, 0x78, 0x10);
        QVERIFY(difference(red, green, sights[0]) > 60);
        QVERIFY(difference(red, green, sights[2]) < difference(red, green, sights[0]) / 2);
    }

    void wordsCanBeReadOnEveryGround() {
        for (const ThemeKind kind : themes) {
            const Theme t = Theme::make(kind);
            for (const QColor& ground : {t.window, t.panel, t.sunken, t.accentSoft})
                for (const QColor& ink : {t.text, t.textMuted, t.accent, t.attention, t.good, t.wrong})
                    QVERIFY2(samples::contrast(ink, ground) >= 4.5,
                             qPrintable(QStringLiteral("%1 on %2, theme %3: %4")
                                            .arg(ink.name(), ground.name())
                                            .arg(int(kind))
                                            .arg(samples::contrast(ink, ground))));
            for (const Origin o : {Origin::Measured, Origin::Counted, Origin::Modelled})
                for (const QColor& ground : {t.originSoft(o), t.window, t.panel})
                    QVERIFY(samples::contrast(t.origin(o), ground) >= 4.5);
            QVERIFY(samples::contrast(t.textOnAccent, t.accent) >= 4.5);
            for (const WarpState state : allOf<WarpState>) // near black or white is written on it
                QVERIFY(samples::contrast(inkOn(t.state(state)), t.state(state)) >= 4.5);
        }
    }

    // Two states that look alike to somebody carry different marks.
    void statesOfWarpsAreToldApartByEverybody() {
        for (const ThemeKind kind : themes) {
            const Theme theme = Theme::make(kind);
            for (const Sight& sight : sights)
                for (const WarpState a : allOf<WarpState>)
                    for (const WarpState b : allOf<WarpState>) {
                        if (a >= b || stateHatch(a) != stateHatch(b))
                            continue;
                        QVERIFY2(difference(theme.state(a), theme.state(b), sight) >= apart,
                                 qPrintable(pairText(stateName(a), stateName(b), sight, kind)));
                    }
        }
    }

    void statesOfLanesAreToldApartByEverybody() {
        const std::array<LaneMark, 5> marks{LaneMark::On, LaneMark::Off, LaneMark::Exited, LaneMark::Absent,
                                            LaneMark::Away};
        for (const ThemeKind kind : themes) {
            const Theme theme = Theme::make(kind);
            for (const Sight& sight : sights)
                for (const LaneMark a : marks)
                    for (const LaneMark b : marks) {
                        if (a >= b)
                            continue;
                        const QColor x = laneColour(a, theme), y = laneColour(b, theme);
                        QVERIFY2(difference(x, y, sight) >= apart || hatchOf(a, theme) != hatchOf(b, theme),
                                 qPrintable(pairText(laneMarkName(a), laneMarkName(b), sight, kind)));
                    }
        }
    }

private:
    // The mark as it is painted: where the picture of a cell differs from its ground.
    static QVector<QPoint> hatchOf(LaneMark mark, const Theme& theme) {
        QImage image(24, 24, QImage::Format_RGB32);
        image.fill(theme.panel);
        QPainter painter(&image);
        paintLane(painter, QRectF(0, 0, 24, 24), mark, theme);
        painter.end();
        QVector<QPoint> points;
        for (int y = 4; y < 20; ++y)
            for (int x = 4; x < 20; ++x)
                if (samples::contrast(image.pixelColor(x, y), laneColour(mark, theme)) > 1.25)
                    points.append({x, y});
        return points;
    }
};

WARPGLASS_QT_TEST(TestColours)
#include "test_colours.moc"
