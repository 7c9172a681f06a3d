// SPDX-License-Identifier: GPL-3.0-or-later
// Two kernels' machine code in figures: of tests/machine/data/fates.cu, read by hand in the listing of `sass`.
#include "app/window/model/machine_differences.h"
#include "gpu/machine/kept.h"
#include "tests/qt_tests.h"

#include <QFile>
#include <QtTest>

using namespace warpglass;

namespace {

TracePtr keptCodeOf(const std::string& kernel) {
    QFile file(QStringLiteral(WARPGLASS_SOURCE_DIR "/tests/machine/data/fates.sm_90.cubin"));
    const QByteArray bytes = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    auto trace = std::make_shared<Trace>();
    Kernel k;
    k.name = k.entry = kernel;
    trace->kernels.push_back(k);
    trace->launches.push_back({});
    (void)machine::keep(trace->codes, std::as_bytes(std::span(bytes.constData(), std::size_t(bytes.size()))), {kernel});
    return trace;
}

} // namespace

class TestMachineDifferences : public QObject {
    Q_OBJECT
private slots:
    // choose: 0 to b0, 12 instructions, 12 registers, one LDG; together: 0 to 1e0, 31, 22 registers, four LDG, one BAR. Both have
    // one STG, which is no difference.
    void kindsThatDifferAreToldMostChangedFirst() {
        const auto rows = machineDifferences(*keptCodeOf("choose"), *keptCodeOf("together"));
        const auto find = [&](const char* name) {
            const auto at = std::find_if(rows.begin(), rows.end(),
                                         [&](const Difference& d) { return d.metric == QLatin1String(name); });
            return at == rows.end() ? std::optional<double>() : at->difference();
        };
        QCOMPARE(find("machine instructions"), std::optional<double>(31 - 12));
        QCOMPARE(find("registers in the machine code"), std::optional<double>(22 - 12));
        QCOMPARE(find("instructions that spill"), std::optional<double>(0));
        QCOMPARE(find("machine code: LDG"), std::optional<double>(4 - 1));
        QCOMPARE(find("machine code: BAR"), std::optional<double>(1));
        QCOMPARE(find("machine code: STG"), std::optional<double>());
        for (qsizetype i = 5; i < rows.size(); ++i)
            QVERIFY(std::abs(*rows[i].difference()) <= std::abs(*rows[i - 1].difference()));
        QVERIFY(machineDifferences(*keptCodeOf("choose"), Trace()).isEmpty());
    }
};

WARPGLASS_QT_TEST(TestMachineDifferences)

#include "test_machine_differences.moc"
