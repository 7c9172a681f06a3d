// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/emulator.h"
#include "gpu/kernels/catalogue.h"
#include "tests/qt_tests.h"
#include "views/memory/memory_table.h"

#include <QtTest>

#include <set>

using namespace warpglass;

class TestMemoryTableKernels : public QObject {
    Q_OBJECT
private slots:
    // Four instructions, room for one row and what is left: the one that is shown has it, and a click on it is a click on it.
    void theShownAccessStandsInTheTable() {
        const auto plan = makePlan(*findKernel("transpose_smem"), {});
        QVERIFY(plan.ok());
        Progress nobody;
        const auto recording = makeEmulator()->run(*plan, {}, nobody);
        QVERIFY(recording.ok());
        const TracePtr trace = recording->trace;
        const auto lines = accessLines(*trace, 0, SpaceFilter::All);
        QVERIFY(lines.size() == 4);
        const Theme theme = Theme::make(ThemeKind::Light);
        const QRectF where(0, 0, 700, 160);
        for (std::size_t n = 0; n < lines.size(); ++n) {
            AccessRow row;
            row.space = lines[n].space;
            ShownAccess shown;
            shown.row = &row;
            shown.ptxLine = lines[n].ptxLine;
            shown.sourceLine = lines[n].sourceLine;
            std::set<int> rows;
            for (int y = 0; y < 160; ++y)
                rows.insert(memoryTableRowAt(where, lines, shown, QPointF(20, y), theme));
            QVERIFY2(rows.contains(int(n)) && rows.contains(-1) && rows.size() < 5, qPrintable(QString::number(n)));
        }
    }
};

WARPGLASS_QT_TEST(TestMemoryTableKernels)
#include "test_memory_table_kernels.moc"
