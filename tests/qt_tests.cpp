// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/qt_tests.h"

#include <QApplication>
#include <QtTest>

#include <algorithm>
#include <cstdio>

namespace warpglass::tests {

std::vector<QtTest>& qtTests() {
    static std::vector<QtTest> tests;
    return tests;
}

} // namespace warpglass::tests

int main(int argc, char** argv) {
    const auto& tests = warpglass::tests::qtTests();
    const std::string wanted = argc > 1 ? argv[1] : "";
    const auto test = std::find_if(tests.begin(), tests.end(), [&](const auto& t) { return t.name == wanted; });
    if (test == tests.end()) {
        std::fprintf(stderr, "usage: %s TEST [a function, or options of Qt Test]; the tests:\n", argv[0]);
        for (const auto& t : tests)
            std::fprintf(stderr, "  %s\n", t.name.c_str());
        return 2;
    }
    std::rotate(argv + 1, argv + 2, argv + argc); // Qt sees a program that holds this test alone
    --argc;
    QCoreApplication::setAttribute(Qt::AA_Use96Dpi);
    QApplication application(argc, argv);
    const std::unique_ptr<QObject> object = test->make();
    return QTest::qExec(object.get(), argc, argv);
}
