// SPDX-License-Identifier: GPL-3.0-or-later
// One program for the Qt tests of a folder: each file says WARPGLASS_QT_TEST(TestWindow) where a program of its own
// would say QTEST_MAIN, and `test_app test_window [Qt Test's words]` runs the class of test_window.cpp. So a folder is
// linked once, and ctest still gives every file a process and a time limit of its own.
#pragma once

#include <QObject>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace warpglass::tests {

struct QtTest {
    std::string name; // of its file, without folder and ending
    std::function<std::unique_ptr<QObject>()> make;
};

std::vector<QtTest>& qtTests(); // of this program

template <class Test>
bool addQtTest(const std::string& file) {
    const std::size_t name = file.rfind('/') + 1;
    qtTests().push_back({file.substr(name, file.rfind('.') - name), [] { return std::make_unique<Test>(); }});
    return true;
}

} // namespace warpglass::tests

#define WARPGLASS_QT_TEST(Test)                                                                                        \
    [[maybe_unused]] static const bool added##Test = warpglass::tests::addQtTest<Test>(__FILE__);
