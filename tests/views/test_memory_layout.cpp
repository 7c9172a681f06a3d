// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/qt_tests.h"
#include "views/memory/memory_layout.h"

#include <QtTest>

using namespace warpglass;

class TestMemoryLayout : public QObject {
    Q_OBJECT
private slots:
    // An access of one line leaves half of its part empty: a table below it has the room, and shows more rows.
    void aTableBelowHasTheRoomThatAnAccessLeaves() {
        ShownAccess one;
        one.global.sectors.resize(1);
        const QRectF area(0, 0, 880, 540); // 52 lines of text and more put the table beside it
        const MemoryLayout l = memoryLayout(area, &one, 17);
        QCOMPARE(l.lineRows.size(), std::size_t(1));
        QVERIFY(l.table.top() > l.legend.bottom());
        QVERIFY(l.table.top() - l.legend.bottom() < 17);
        QCOMPARE(l.table.bottom(), memoryLayout(area, nullptr, 17).table.bottom());
    }
};

WARPGLASS_QT_TEST(TestMemoryLayout)
#include "test_memory_layout.moc"
