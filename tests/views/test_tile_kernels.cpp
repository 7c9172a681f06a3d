// SPDX-License-Identifier: GPL-3.0-or-later
// The Memory view's page of tiles: the accesses that kernels of the catalogue really made, what another layout would do for them,
// and that the emulator finds just that in the kernel that has the layout.
#include "gpu/emulator/emulator.h"
#include "gpu/kernels/catalogue.h"
#include "tests/qt_tests.h"
#include "tests/views/chinese.h"
#include "tests/views/contexts.h"
#include "tests/views/text_faults.h"
#include "tests/views/view_rooms.h"
#include "views/common/page.h"
#include "views/memory/memory_view.h"
#include "views/memory/tile_picture.h"

#include <QtTest>

using namespace warpglass;

namespace {

TracePtr tileTraceOf(const char* kernel) {
    LaunchRequest request;
    request.size = 64; // 2 x 2 blocks of 32 x 32
    request.block = Dim3{32, 32};
    auto plan = makePlan(*findKernel(kernel), request);
    if (!plan) {
        qWarning("%s", plan.error().text().c_str());
        return nullptr;
    }
    RunOptions options;
    options.detail.kind = Detail::Kind::All;
    options.detail.accesses = true;
    Progress progress;
    auto recording = makeEmulator()->run(*plan, options, progress);
    return recording ? recording->trace : nullptr;
}

PaintContext tileContext(const TracePtr& trace) {
    PaintContext context = contextOf(trace);
    memoryPage().set(context.options, MemoryPage::Tile);
    return context;
}

// Passes of the launch's loads from shared memory, as the emulator counted them.
std::uint64_t countedPasses(const Trace& trace, bool stores) {
    std::uint64_t passes = 0;
    for (const InstructionCount& count : trace.counts)
        if (count.isMemory && count.space == MemorySpace::Shared && (count.access == AccessKind::Store) == stores)
            passes += count.passes;
    return passes;
}

} // namespace

class TestTileKernels : public QObject {
    Q_OBJECT
private slots:
    // transpose_smem has rows of 32 floats. Padded by a word they take as many passes as the emulator counts in transpose_padded,
    // which has such rows: 4 blocks of 32 warps, a pass each.
    void whatPaddingDoesIsWhatThePaddedKernelDoes() {
        const TracePtr plain = tileTraceOf("transpose_smem"), padded = tileTraceOf("transpose_padded");
        QVERIFY(plain && padded);
        const ShownTilePtr tile = shownTile(tileContext(plain));
        QVERIFY(tile->recorded);
        QCOMPARE(tile->use.bytes, std::uint64_t(4096));
        const auto found = std::find_if(tile->layouts.begin(), tile->layouts.end(), [](const RankedLayout& r) {
            return r.layout.order == TileOrder::Padded && r.layout.padding == 4;
        });
        QVERIFY(found != tile->layouts.end());
        QCOMPARE(4 * tile->layouts[0].readPasses, countedPasses(*plain, false));
        QCOMPARE(4 * tile->layouts[0].writePasses, countedPasses(*plain, true));
        QCOMPARE(4 * found->readPasses, countedPasses(*padded, false));
        QCOMPARE(4 * found->writePasses, countedPasses(*padded, true));
        QCOMPARE(found->readPasses, std::uint64_t(32));
        // As it is recorded there, nothing is left to mend.
        const ShownTilePtr mended = shownTile(tileContext(padded));
        QCOMPARE(mended->layoutShown({}), std::size_t(0));
        QCOMPARE(mended->layouts[0].passes(), mended->leastReads + mended->leastWrites);
    }

    // A column of the tile lies in one bank, a lane in each of 32 lines; in the layout that is best no two lanes share a bank.
    void theMapShowsWhereTheSlowestRequestLies() {
        const PaintContext context = tileContext(tileTraceOf("transpose_smem"));
        const PicturePtr picture = makeMemoryView()->compose(context, QRectF(0, 0, 1600, 1100));
        const auto& shown = dynamic_cast<const TilePicture&>(*picture);
        QCOMPARE(shown.maps().size(), std::size_t(2));
        const auto banksOf = [](const TilePicture::Map& map) {
            std::map<int, int> lanes; // [bank]
            for (std::size_t cell = 0; cell < map.lanes.size(); ++cell)
                if (map.lanes[cell] >= 0)
                    ++lanes[int(cell % 32)];
            return lanes;
        };
        QCOMPARE(shown.maps()[0].hidden, 0);
        QCOMPARE(banksOf(shown.maps()[0]), (std::map<int, int>{{0, 32}}));
        QCOMPARE(banksOf(shown.maps()[1]).size(), std::size_t(32));
        const QRectF cell = shown.maps()[0].cellAt(1, 0);
        QVERIFY(picture->spotAt(cell.center()).toolTip.contains(QStringLiteral("bank 0: row 1 of the tile, byte 0")));
        QVERIFY(
            picture->spotAt(cell.center()).toolTip.contains(QStringLiteral("lane 1 takes it, in turn with others")));
        QVERIFY(picture->csv().contains(QStringLiteral("as it is,32,1024,0,counted")));
        // Up and down go through the layouts.
        const auto next = picture->answer(KeyInput{Qt::Key_Down, Qt::NoModifier});
        QVERIFY(next);
        QCOMPARE(tileLayoutOption.of(next->options), int(shown.layout) + 1);
    }

    // 64 x 64 halves, written and read by eights: 64 * 64 / 8 / 32 = 16 requests a side, each of 16 bytes a lane in four parts: 64
    // passes are the least. TMA's swizzle over 128 bytes, whose rows these are, gives them.
    void aPatternOfOnesOwnNeedsNoRun() {
        PaintContext context;
        context.theme = Theme::make(ThemeKind::Light);
        memoryPage().set(context.options, MemoryPage::Tile);
        tileSource().set(context.options, TileSource::Chosen);
        for (const auto& [option, value] :
             {std::pair("rows", "64"), std::pair("columns", "64"), std::pair("type", "f16"),
              std::pair("write", "row:8"), std::pair("read", "column:8")})
            context.options[option] = QString::fromLatin1(value);
        const auto view = makeMemoryView();
        QVERIFY(!view->emptiness(context));
        const ShownTilePtr tile = shownTile(context);
        QCOMPARE(tile->leastWrites, std::uint64_t(64));
        QCOMPARE(tile->leastReads, std::uint64_t(64));
        const auto tma = std::find_if(tile->layouts.begin(), tile->layouts.end(), [](const RankedLayout& r) {
            return r.layout.order == TileOrder::Boxes && r.layout.bits == 3;
        });
        QVERIFY(tma != tile->layouts.end());
        QCOMPARE(tma->passes(), std::uint64_t(128));
        QVERIFY(tileSentences(*tile, *tma, nullptr)
                    .join(' ')
                    .contains(QStringLiteral("16 bytes at once are served in 4 parts")));
        // What is not in the list stays in it once it was said.
        context.options[QStringLiteral("rows")] = QStringLiteral("48");
        QCOMPARE(chosenTile(context.options).rows, 48u);
        bool isThere = false;
        for (const Switch& s : view->switches(context))
            for (const auto& choice : s.choices)
                isThere |= s.option == QLatin1String("rows") && choice.first == QLatin1String("48");
        QVERIFY(isThere);
    }

    // Words stand clear in every window, in both languages; and all of them are there in Chinese.
    void wordsAreClear_data() {
        QTest::addColumn<bool>("isChinese");
        QTest::newRow("en") << false;
        QTest::newRow("zh_CN") << true;
    }
    void wordsAreClear() {
        QFETCH(bool, isChinese);
        samples::Chinese chinese;
        if (isChinese)
            QCoreApplication::installTranslator(&chinese);
        QStringList wrong;
        const auto view = makeMemoryView();
        QVector<PaintContext> contexts{tileContext(tileTraceOf("transpose_smem")), tileContext(nullptr)};
        tileSource().set(contexts[1].options, TileSource::Chosen);
        contexts << contexts[1];
        contexts[2].options[QStringLiteral("write")] = QStringLiteral("row:4");
        tileLayoutOption.set(contexts[2].options, 4);
        for (PaintContext context : contexts)
            for (const samples::ViewRoom& room : samples::viewRooms) {
                context.theme = Theme::make(ThemeKind::Light, room.type);
                const PicturePtr picture = view->compose(context, QRectF(QPointF(), QSizeF(room.view)));
                samples::TextPlaces device(room.view);
                QPainter painter(&device);
                const QVector<PaintedWord> words = paintPicture(*picture, painter);
                painter.end();
                for (const QString& fault :
                     samples::textFaults(device, context.theme) + samples::elidedWithoutTip(device, *picture, words))
                    wrong << QStringLiteral("%1x%2 %3: %4")
                                 .arg(room.view.width())
                                 .arg(room.view.height())
                                 .arg(room.type)
                                 .arg(fault);
                for (int y = 0; y < room.view.height(); y += 12)
                    for (int x = 0; x < room.view.width(); x += 40)
                        picture->spotAt(QPointF(x, y));
                view->switches(context);
            }
        const auto known = shownTile(contexts[0]);
        for (const RankedLayout& r : known->layouts)
            tileSentences(*known, r, nullptr);
        QCoreApplication::removeTranslator(&chinese);
        QVERIFY2(wrong.isEmpty(),
                 qPrintable(QStringLiteral("%1 faults\n").arg(wrong.size()) + wrong.mid(0, 20).join('\n')));
        QVERIFY2(chinese.missing().isEmpty(), qPrintable(QStringList(chinese.missing().values()).join('\n')));
    }
};

WARPGLASS_QT_TEST(TestTileKernels)
#include "test_tile_kernels.moc"
