// SPDX-License-Identifier: GPL-3.0-or-later
// The colours come from the palette of Okabe and Ito ("Color Universal Design", 2008): eight hues that stay apart for
// readers with any common kind of colour blindness. The dark theme takes their lighter neighbours so that contrast with
// the ground stays above 4.5 to 1; the print theme keeps the hues, drops every tinted ground and darkens the lines.
//
// Font sizes are set in pixels of 1/96 inch (13.3 px = 10 pt), not in points: a picture then has the same layout on the
// screen, in a PNG, an SVG and a PDF, whatever resolution the device claims.
#include "views/common/theme.h"

#include <array>

namespace warpglass {

namespace {

QFont font(const QStringList& families, qreal pixels, QFont::Weight weight = QFont::Normal) {
    QFont f;
    f.setFamilies(families);
    f.setPixelSize(qMax(1, qRound(pixels)));
    f.setWeight(weight);
    return f;
}

const QStringList& sans() {
    static const QStringList families{QStringLiteral("DejaVu Sans"), QStringLiteral("Noto Sans CJK SC"),
                                      QStringLiteral("Noto Sans SC"), QStringLiteral("sans-serif")};
    return families;
}

const QStringList& monospaced() {
    static const QStringList families{QStringLiteral("DejaVu Sans Mono"), QStringLiteral("Noto Sans Mono CJK SC"),
                                      QStringLiteral("Noto Sans CJK SC"), QStringLiteral("monospace")};
    return families;
}

} // namespace

Theme Theme::make(ThemeKind kind, qreal fontScale) {
    Theme t;
    t.kind = kind;
    t.fontScale = fontScale;
    switch (kind) {
    case ThemeKind::Light:
        t.window = 0xf6f8fa;
        t.panel = 0xffffff;
        t.sunken = 0xeef1f5;
        t.border = 0xdfe4ea;
        t.text = 0x1b232c;
        t.textMuted = 0x5d6875;
        t.textOnAccent = 0xffffff;
        t.accent = 0x0070af;
        t.accentSoft = 0xe2eff8;
        t.laneOn = 0x0072b2;
        t.laneOff = 0xf3d796;
        t.laneExited = 0xe4e8ee;
        t.lanePredicateFalse = 0xf3d796;
        t.attention = 0xb34b00;
        t.good = 0x007b59;
        t.wrong = 0xb3261e;
        t.originMeasured = 0x00694c;
        t.originMeasuredSoft = 0xd9f1e8;
        t.originCounted = 0x005a8d;
        t.originCountedSoft = 0xdcecf7;
        t.originModelled = 0x7d5600;
        t.originModelledSoft = 0xfbedcc;
        break;
    case ThemeKind::Dark:
        t.window = 0x14181d;
        t.panel = 0x1c2128;
        t.sunken = 0x252c35;
        t.border = 0x343c47;
        t.text = 0xe7ebf0;
        t.textMuted = 0x9ba6b3;
        t.textOnAccent = 0x0c151d;
        t.accent = 0x56b4e9;
        t.accentSoft = 0x213648;
        t.laneOn = 0x56b4e9;
        t.laneOff = 0x6d5216;
        t.laneExited = 0x2b323c;
        t.lanePredicateFalse = 0x6d5216;
        t.attention = 0xff8c4a;
        t.good = 0x35c79b;
        t.wrong = 0xff7b72;
        t.originMeasured = 0x5fe0b7;
        t.originMeasuredSoft = 0x103a2e;
        t.originCounted = 0x7cc7f2;
        t.originCountedSoft = 0x143347;
        t.originModelled = 0xf5bd4f;
        t.originModelledSoft = 0x3d2e0c;
        break;
    case ThemeKind::Print:
        t.window = 0xffffff;
        t.panel = 0xffffff;
        t.sunken = 0xf1f1f1;
        t.border = 0xb4b8bd;
        t.text = Qt::black;
        t.textMuted = 0x3c4249;
        t.textOnAccent = 0xffffff;
        t.accent = 0x00588a;
        t.accentSoft = 0xe3eef5;
        t.laneOn = 0x00629a;
        t.laneOff = 0xf6d58a;
        t.laneExited = 0xe6e6e6;
        t.lanePredicateFalse = 0xf6d58a;
        t.attention = 0xb34800;
        t.good = 0x00704f;
        t.wrong = 0x9c1a13;
        t.originMeasured = 0x00523b;
        t.originMeasuredSoft = 0xffffff;
        t.originCounted = 0x00466e;
        t.originCountedSoft = 0xffffff;
        t.originModelled = 0x5e4100;
        t.originModelledSoft = 0xffffff;
        break;
    case ThemeKind::Projector:
        t = make(ThemeKind::Print, fontScale);
        t.kind = kind;
        t.sunken = 0xe9e9e9;
        t.border = 0x6a6f75; // lines that are still there on a wall
        t.textMuted = 0x23282d;
        t.accent = 0x004a75;
        t.accentSoft = 0xcfe4f3;
        t.laneOn = 0x00558a;
        t.laneOff = 0xf6d27a;
        t.laneExited = 0xd2d2d2;
        t.lanePredicateFalse = 0xf6d27a;
        t.attention = 0xa34100;
        t.good = 0x00603f;
        t.wrong = 0x8f1009;
        t.originMeasuredSoft = 0xd9f1e8;
        t.originCountedSoft = 0xdcecf7;
        t.originModelledSoft = 0xfbedcc;
        break;
    }
    return t;
}

Theme Theme::named(const QString& name, qreal fontScale) {
    if (name == QLatin1String("dark"))
        return make(ThemeKind::Dark, fontScale);
    if (name == QLatin1String("print"))
        return make(ThemeKind::Print, fontScale);
    if (name == QLatin1String("projector"))
        return make(ThemeKind::Projector, fontScale);
    return make(ThemeKind::Light, fontScale);
}

QColor Theme::category(int n) const {
    static constexpr std::array<QRgb, 8> light{0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7,
                                               0x56b4e9, 0xd55e00, 0xd9c91d, 0x8c8c8c};
    static constexpr std::array<QRgb, 8> dark{0x3a9bd9, 0xe69f00, 0x1fb58a, 0xd98fb9,
                                              0x8fd0f5, 0xf07a2c, 0xf0e442, 0x9a9a9a};
    const auto& colours = kind == ThemeKind::Dark ? dark : light;
    return QColor(colours[std::size_t(((n % 8) + 8) % 8)]);
}

QColor Theme::state(WarpState s) const {
    switch (s) {
    case WarpState::Selected:
        return good;
    case WarpState::Eligible:
        return category(4);
    case WarpState::StallBarrier:
        return category(5);
    case WarpState::StallLongScoreboard:
        return category(1);
    case WarpState::StallShortScoreboard:
        return category(6);
    case WarpState::StallWait:
        return category(7);
    case WarpState::StallMathPipeThrottle:
        return category(3);
    case WarpState::StallLgThrottle:
        return QColor(0xa6761d);
    case WarpState::StallMioThrottle:
        return QColor(0x7570b3);
    case WarpState::StallBranchResolving:
        return QColor(0xb15a7a);
    case WarpState::StallNoInstruction:
        return QColor(0x5e6773);
    case WarpState::StallMembar:
        return QColor(0x8c510a);
    case WarpState::StallSleeping:
        return QColor(0x80a8b8);
    case WarpState::StallDrain:
        return QColor(0x4d7c8a);
    case WarpState::StallDispatch:
        return QColor(0x7f6a93);
    case WarpState::Count_:
        break;
    }
    return border;
}

QColor Theme::origin(Origin o) const {
    return o == Origin::Measured ? originMeasured : o == Origin::Counted ? originCounted : originModelled;
}

QColor Theme::originSoft(Origin o) const {
    return o == Origin::Measured ? originMeasuredSoft : o == Origin::Counted ? originCountedSoft : originModelledSoft;
}

QFont Theme::body() const {
    return font(sans(), 13.3 * fontScale);
}
QFont Theme::small() const {
    return font(sans(), 11.3 * fontScale);
}
QFont Theme::title() const {
    return font(sans(), 16 * fontScale, QFont::Bold);
}
QFont Theme::figure() const {
    return font(sans(), 24 * fontScale, QFont::Bold);
}
QFont Theme::mono() const {
    return font(monospaced(), 12 * fontScale);
}
QFont Theme::smallMono() const {
    return font(monospaced(), 11.3 * fontScale);
}
QFont Theme::leastTitle() const {
    QFont least = title();
    least.setPixelSize(least.pixelSize() * 2 / 3);
    return least;
}

} // namespace warpglass
