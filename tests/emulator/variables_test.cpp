// SPDX-License-Identifier: GPL-3.0-or-later
// The values of a source's variables (EmulatorOptions::variable), of kernels compiled with -G.
#include "gpu/base/messages/emulator.h"
#include "tests/emulator/run_kernel.h"

#include <gtest/gtest.h>

#include <numeric>

namespace warpglass::testing {
namespace {

struct Took {
    std::string name, value;
    std::uint32_t line;
    bool operator==(const Took&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Took& t) {
    return out << t.name << " = " << t.value << " at line " << t.line;
}

// in[j] = j, n = 100, so that thread 1's parts are 4, 5, 6 and 7, and w is 8, 10, 12, 14. sum: 0 + 8 = 8, whose bit 1 is not
// set; 8 + 10 = 18 has it: 118; 118 + 12 = 130, too: 230; 230 + 14 = 244 has not. half = 122.
Kernel sumsOf(WatchedVariable variable) {
    std::vector<int> in(16);
    std::iota(in.begin(), in.end(), 0);
    Kernel k("sums", {1}, {4}, {buffer(in, "in"), buffer(std::vector<int>(4), "out"), value(100)}, "variables.ptx");
    k.options.variable = std::move(variable);
    return k;
}

std::vector<Took> tookIn(Kernel k, std::uint32_t thread) {
    const Recording r = k.run();
    std::vector<Took> took;
    for (const Diagnostic& d : r.trace->diagnostics) {
        const Message whole = d.message.message();
        if (whole.id != say::OfThread.id || d.thread != thread)
            continue;
        const Message& what = std::get<std::vector<Message>>(whole.arguments[0]).front();
        took.push_back(
            {std::get<std::string>(what.arguments[0]), std::get<std::string>(what.arguments[1]), d.source.line});
    }
    return took;
}
std::vector<Took> sumsTook(WatchedVariable variable) {
    return tookIn(sumsOf(std::move(variable)), 1);
}
using All = std::vector<Took>;

TEST(Variables, InRegistersAreToldWhenTheyChangeLastFirst) {
    EXPECT_EQ(sumsTook({.name = "sum"}), (All{{"sum", "244", 20},
                                              {"sum", "230", 23},
                                              {"sum", "130", 20},
                                              {"sum", "118", 23},
                                              {"sum", "18", 20},
                                              {"sum", "8", 20},
                                              {"sum", "0", 16}}));
    EXPECT_EQ(sumsTook({.name = "half"}), (All{{"half", "122.0", 25}}));
    EXPECT_EQ(sumsTook({.name = "i"}), (All{{"i", "1", 15}}));
    EXPECT_EQ(sumsTook({.name = "n"}), (All{{"n", "100", 14}})); // a parameter
}

// As long as the launch is timed: the same values, each no earlier than the one before it.
TEST(Variables, TakeTheSameValuesInALaunchThatIsTimed) {
    Kernel timed = sumsOf({.name = "sum"});
    timed.options.timing = true;
    timed.options.detail = {Detail::Kind::None, {}, false};
    EXPECT_EQ(tookIn(std::move(timed), 1), sumsTook({.name = "sum"}));
}

// Two of one name, and one that begins to live anew in each turn of its loop.
TEST(Variables, AreToldApartByScopeAndBeginAnewInIt) {
    EXPECT_EQ(sumsTook({.name = "k"}), (All{{"k", "2", 26},
                                            {"k", "1", 26},
                                            {"k", "0", 26},
                                            {"k", "4", 18},
                                            {"k", "3", 18},
                                            {"k", "2", 18},
                                            {"k", "1", 18},
                                            {"k", "0", 18}}));
    EXPECT_EQ(sumsTook({.name = "odd"}),
              (All{{"odd", "false", 21}, {"odd", "true", 21}, {"odd", "true", 21}, {"odd", "false", 21}}));
}

TEST(Variables, AtALineAreToldWheneverAThreadComesToIt) {
    EXPECT_EQ(sumsTook({.name = "sum", .line = 22}),
              (All{{"sum", "244", 22}, {"sum", "130", 22}, {"sum", "18", 22}, {"sum", "8", 22}}));
    EXPECT_EQ(sumsTook({.name = "k", .line = 27}), (All{{"k", "1", 27}, {"k", "0", 27}})); // the second k
    EXPECT_THROW(sumsTook({.name = "odd", .line = 27}), std::runtime_error);
}

TEST(Variables, InLocalMemoryAreToldByElement) {
    EXPECT_EQ(sumsTook({.name = "parts"}),
              (All{{"parts[3]", "7", 19}, {"parts[2]", "6", 19}, {"parts[1]", "5", 19}, {"parts[0]", "4", 19}}));
    EXPECT_EQ(sumsTook({.name = "parts", .path = "[2]"}), (All{{"parts[2]", "6", 19}}));
    // Nobody has written it when line 19 is come to for the first three times.
    EXPECT_EQ(sumsTook({.name = "parts", .path = "[2]", .line = 19}), (All{{"parts[2]", "6", 19}}));
    EXPECT_THROW(sumsTook({.name = "parts", .path = "[4]"}), std::runtime_error);
}

TEST(Variables, OfFunctionsThatAreCalledAreThoseOfTheCall) {
    EXPECT_EQ(sumsTook({.name = "w"}), (All{{"w", "14", 10}, {"w", "12", 10}, {"w", "10", 10}, {"w", "8", 10}}));
    // factorial(3) in thread 2 calls factorial(2), whose all is 2; then its own is 3 * 2.
    const auto factorials = [](WatchedVariable v) {
        Kernel k("factorials", {1}, {3}, {buffer(std::vector<int>(3), "out")}, "variables.ptx");
        k.options.variable = std::move(v);
        return tookIn(k, 2);
    };
    EXPECT_EQ(factorials({.name = "all"}), (All{{"all", "6", 35}, {"all", "2", 35}}));
    EXPECT_EQ(factorials({.name = "n"}), (All{{"n", "1", 31}, {"n", "2", 31}, {"n", "3", 31}}));
}

TEST(Variables, AreToldOfTheThreadAndTheBlockThatAreMeant) {
    EXPECT_EQ(sumsTook({.name = "half", .thread = 2}), All{});
    EXPECT_EQ(sumsTook({.name = "half", .thread = 1}).size(), 1u);
    EXPECT_EQ(sumsTook({.name = "half", .block = 1}), All{});
    EXPECT_EQ(sumsTook({.name = "half", .warp = 0}).size(), 1u);
}

TEST(Variables, AreUnknownWithoutDebugInformation) {
    EXPECT_THROW(sumsTook({.name = "nothing"}), std::runtime_error);
    Kernel k("halfSum", {1}, {1}, {buffer(std::vector<short>(1)), buffer(std::vector<short>(1)), value(1)},
             "finite.ptx");
    k.options.variable = WatchedVariable{.name = "sum"};
    try {
        k.run();
        FAIL();
    } catch (const std::runtime_error& e) {
        EXPECT_NE(std::string(e.what()).find("tells nothing of variables"), std::string::npos) << e.what();
    }
}

// Of five turns the last writes first[4], which is where `last` lies.
TEST(MemberBounds, AnIndexThatLeavesAMemberIsToldWithWhatItHits) {
    const auto told = [](const char* kernel, int turns) {
        Kernel k(kernel, {1}, {2}, {buffer(std::vector<int>(2), "out"), value(turns)}, "variables.ptx");
        const Recording r = k.run();
        const Diagnostic* d = find(r, DiagnosticKind::OutsideObject);
        return d ? std::string(d->message.text()) : std::string();
    };
    EXPECT_NE(
        told("members", 5).find("writes pair.first[4], but pair.first has 4 elements of 4 bytes: that is pair.last"),
        std::string::npos)
        << told("members", 5);
    EXPECT_NE(
        told("sharedMembers", 5)
            .find("writes pairs[1].first[4], but pairs[1].first has 4 elements of 4 bytes: that is pairs[1].last"),
        std::string::npos)
        << told("sharedMembers", 5);
    EXPECT_EQ(told("members", 4), "");
    EXPECT_EQ(told("sharedMembers", 4), "");
    EXPECT_EQ(told("alongAll", 20), ""); // arrays of arrays, and a struct by way of a pointer to its words
}

TEST(Recursion, WithoutEndIsToldWithItsLineAndDepth) {
    Kernel k("endless", {1}, {1}, {buffer(std::vector<int>(1), "out")}, "variables.ptx");
    const Recording r = k.run();
    ASSERT_TRUE(r.fault);
    const std::string text(r.fault->message.text());
    EXPECT_NE(text.find(" deep and no end is in sight: its stack is used up"), std::string::npos) << text;
    EXPECT_NE(text.find("line 76 of variables.cu"), std::string::npos) << text;
}

} // namespace
} // namespace warpglass::testing
