// SPDX-License-Identifier: GPL-3.0-or-later
// Words and what passes by them: cursors leave them out, lists do not cut them in two, and what is cut is told by a tip.
#include "tests/qt_tests.h"
#include "tests/views/contexts.h"
#include "tests/views/text_places.h"
#include "views/common/label_row.h"
#include "views/common/marks.h"

#include <QtTest>

using namespace warpglass;

namespace {

class HandPainted final : public Picture {
public:
    explicit HandPainted(std::function<void(QPainter&)> how)
        : Picture(contextOf(nullptr), QRectF(0, 0, 300, 200)), m_how(std::move(how)) {}
    void paint(QPainter& painter) const override { m_how(painter); }
    Spot spotAt(QPointF at) const override { return {{}, at.y() > 100 ? QStringLiteral("below") : QString(), {}, {}}; }

private:
    std::function<void(QPainter&)> m_how;
};

struct Painted {
    explicit Painted(std::function<void(QPainter&)> how) : picture(std::move(how)) {
        QPainter painter(&device);
        words = paintPicture(picture, painter);
    }
    QStringList texts() const {
        QStringList all;
        for (const samples::TextPlace& place : device.places())
            all << place.text;
        return all;
    }
    HandPainted picture;
    samples::TextPlaces device{{300, 200}};
    QVector<PaintedWord> words;
};

} // namespace

class TestPaintedWords : public QObject {
    Q_OBJECT
    const Theme m_theme = Theme::make(ThemeKind::Light);

private slots:
    // Words from 40 to 60 in a column of 200: the line above ends at 40, the one below begins at 60. Beside the words it is whole.
    void aCursorLeavesWordsOut() {
        const auto lines = [&](qreal x) {
            const Painted painted([&](QPainter& p) {
                paintText(p, {20, 40, 200, 20}, QStringLiteral("loads a word"), m_theme.body(), m_theme.text);
                paintCursorLine(p, x, 0, 200, m_theme.attention);
            });
            qreal length = 0;
            int pieces = 0;
            for (const samples::LinePlace& line : painted.device.lines())
                if (line.colour == m_theme.attention) {
                    length += line.length;
                    ++pieces;
                }
            return std::pair<int, qreal>(pieces, length);
        };
        const qreal height = QFontMetricsF(m_theme.body()).height();
        QCOMPARE(lines(30), (std::pair<int, qreal>(2, 200 - height)));
        QCOMPARE(lines(250), (std::pair<int, qreal>(1, 200)));
    }

    void whatIsCutIsToldByATip() {
        const QString whole = QStringLiteral("a name that has no room here at all");
        const Painted painted([&](QPainter& p) {
            p.translate(10, 0); // places are the picture's
            paintText(p, {0, 20, 80, 20}, whole, m_theme.body(), m_theme.text);
            paintText(p, {0, 120, 80, 20}, whole, m_theme.body(), m_theme.text);
            paintText(p, {0, 60, 280, 20}, QStringLiteral("short"), m_theme.body(), m_theme.text);
        });
        QCOMPARE(tipAt(painted.picture, painted.words, {50, 30}), whole);
        QCOMPARE(tipAt(painted.picture, painted.words, {50, 130}), whole + QStringLiteral("\nbelow"));
        QCOMPARE(tipAt(painted.picture, painted.words, {5, 30}), QString());
        QCOMPARE(tipAt(painted.picture, painted.words, {20, 70}), QString());
    }

    // Rows of 20 px in a list of 50: two are painted, of the third there is no half line. What leaves the picture itself is not
    // hidden: a test finds it.
    void aListEndsWithAWholeLine() {
        const auto rows = [&](qreal bottom) {
            return Painted([&](QPainter& p) {
                       p.setClipRect(QRectF(0, 0, 300, bottom), Qt::IntersectClip);
                       for (int row = 0; row < 10; ++row)
                           paintText(p, {0, row * 20.0, 200, 20}, QString::number(row), m_theme.body(), m_theme.text);
                   })
                .texts()
                .size();
        };
        QCOMPARE(rows(50), 2);
        QCOMPARE(rows(60), 3);
        const Painted below([&](QPainter& p) {
            paintText(p, {0, 190, 200, 20}, QStringLiteral("half"), m_theme.body(), m_theme.text);
        });
        QCOMPARE(below.texts(), QStringList{QStringLiteral("half")});
    }

    void aParagraphEndsWhereItsRoomEnds() {
        const QString text = QStringLiteral("one two three four five six seven eight nine ten eleven twelve");
        const qreal line = lineHeight(m_theme.body());
        const auto lines = [&](qreal height) {
            return Painted([&](QPainter& p) {
                       paintShortParagraph(p, {0, 0, 120, height}, text, m_theme.body(), m_theme.text);
                   })
                .texts();
        };
        const QStringList all = lines(20 * line);
        QVERIFY(all.size() > 3 && !all.join(' ').contains(QChar(0x2026)));
        QCOMPARE(lines(2.5 * line).size(), 2);
        QCOMPARE(lines(2.5 * line).front(), all.front());
        QVERIFY(lines(2.5 * line).back().endsWith(QChar(0x2026)));
        QVERIFY(lines(0.5 * line).isEmpty());
    }

    // Labels of 40 px on an axis from 0 to 100, 6 px apart at least: the first is moved in to 0, one at 50 would begin at 30 < 46,
    // one at 70 begins at 50, and one at the end would begin at 60 < 96.
    void labelsOfAnAxisStandApart() {
        LabelRow row(0, 100);
        QCOMPARE(row.place(5, 40), std::optional<qreal>(0));
        QCOMPARE(row.place(50, 40), std::nullopt);
        QCOMPARE(row.place(70, 40), std::optional<qreal>(50));
        QCOMPARE(row.place(100, 40), std::nullopt);
        QCOMPARE(LabelRow(0, 30).place(15, 40), std::nullopt);
    }

    void typeComesDownByOneRule() {
        const QFont font = m_theme.title();
        const QString text = QStringLiteral("a title of some length");
        QCOMPARE(fittedFont(font, text, 1000).pixelSize(), font.pixelSize());
        const QFont smaller = fittedFont(font, text, textWidth(font, text) * 0.8);
        QVERIFY(smaller.pixelSize() < font.pixelSize() && textWidth(smaller, text) <= textWidth(font, text) * 0.8);
        QCOMPARE(fittedFont(font, text, 1).pixelSize(), Theme::leastPixels);
    }
};

WARPGLASS_QT_TEST(TestPaintedWords)
#include "test_painted_words.moc"
