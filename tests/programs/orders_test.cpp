// SPDX-License-Identifier: GPL-3.0-or-later
// Work that nothing orders is told with both operations, and work that something orders is not: one program of many words.
#include "run_program.h"

#include <gtest/gtest.h>

#include <regex>
#include <string>

namespace {

struct OrderCase {
    const char* word;
    const char* told; // part of the only message of its kind; "": there is none
    int status;
};
std::ostream& operator<<(std::ostream& out, const OrderCase& c) {
    return out << c.word;
}

class ProgramOrders : public testing::TestWithParam<OrderCase> {
protected:
    void SetUp() override {
        if (!hasCompiler())
            GTEST_SKIP() << "no nvcc here";
    }
};

std::string nameOfCase(const testing::TestParamInfo<OrderCase>& test) {
    std::string name = test.param.word;
    for (char& c : name)
        c = c == '-' ? '_' : c;
    return name;
}

// Without the program's lines, which change as it does.
std::string withoutLines(std::string text) {
    text = std::regex_replace(text, std::regex(", line \\d+( of [\\w.]+)?\\)"), ")");
    return std::regex_replace(text, std::regex(" \\(line \\d+( of [\\w.]+)?\\) allocated"), " allocated");
}

void expectTold(const char* source, const OrderCase& c) {
    const std::string name = std::string(source) + c.word;
    const ProgramAnswer answer = recorder("program -o '" + at(name).string() + "' -- '" +
                                          built(source, "-Xcompiler -g1").string() + "' " + c.word);
    EXPECT_EQ(answer.status, c.status) << answer.out << answer.err;
    std::size_t messages = 0;
    const auto list = listing(name);
    for (const auto& m : list["messages"]) {
        ++messages;
        EXPECT_NE(withoutLines(m["text"]).find(c.told), std::string::npos) << m;
    }
    EXPECT_EQ(messages, *c.told ? 1u : 0u) << answer.err;
}

} // namespace

TEST_P(ProgramOrders, AreToldWhereTheyAreMissing) {
    expectTold("orders.cu", GetParam());
}

// Operations: 0 to 3 allocate v, w, pinned and managed, of 4 * 4096 = 16384 bytes each; the scenario's own come behind.
INSTANTIATE_TEST_SUITE_P(
    , ProgramOrders,
    testing::Values(
        // 4 make in a, 5 the record, 6 use in b.
        OrderCase{"streams",
                  "operation 6 (use) reads 16384 bytes, the first of them byte 0 of the 16384 bytes that operation 0 "
                  "allocated, that operation 4 (make) writes, and nothing orders the two",
                  1},
        OrderCase{"streams-ordered", "", 0},
        // 4 fill and 5 use in a, 6 make in b: the last of the two that it meets is told.
        OrderCase{"writes",
                  "operation 6 (make) writes 16384 bytes, the first of them byte 0 of the 16384 bytes that "
                  "operation 0 allocated, that operation 5 (use) reads",
                  1},
        OrderCase{"writes-ordered", "", 0}, OrderCase{"halves", "", 0}, OrderCase{"atomics", "", 0},
        OrderCase{"default",
                  "operation 5 (use) reads 16384 bytes, the first of them byte 0 of the 16384 bytes that "
                  "operation 0 allocated, that operation 4 (fill) writes",
                  1},
        OrderCase{"default-ordered", "", 0}, OrderCase{"transitive", "", 0}, OrderCase{"asked", "", 0},
        // 4 allocates, 5 make, 6 record, 7 waits, 8 use in b, 9 frees in a.
        OrderCase{"pool",
                  "operation 9 (free) frees 16384 bytes, the first of them byte 0 of the 16384 bytes that "
                  "operation 4 allocated, that operation 8 (use) reads",
                  1},
        OrderCase{"pool-ordered", "", 0},
        OrderCase{"taken",
                  "operation 5 (make) writes 16384 bytes, the first of them byte 0 of the 16384 bytes that "
                  "operation 4 allocated, that operation 4 (allocation) allocates",
                  1},
        OrderCase{"taken-ordered", "", 0},
        // Operation 5 copies to the pinned memory of operation 2; [7] is byte 28.
        OrderCase{"pinned",
                  "reads byte 28 of the 16384 bytes that operation 2 allocated, which operation 5 (copy) writes, "
                  "and has not waited",
                  1},
        OrderCase{"pinned-ordered", "", 0},
        OrderCase{"source",
                  "writes byte 32 of the 16384 bytes that operation 2 allocated, which operation 4 (copy) reads", 1},
        OrderCase{"source-ordered", "", 0}, OrderCase{"pageable", "", 0},
        OrderCase{"managed",
                  "reads byte 28 of the 16384 bytes that operation 3 allocated, which operation 4 (make) writes", 1},
        OrderCase{"managed-ordered", "", 0}, OrderCase{"flag", "", 0},
        OrderCase{"print", "operation 4 (say) prints, and the program ends without waiting for it", 0},
        OrderCase{"print-ordered", "", 0}),
    nameOfCase);

// Each has its line in orders.cu: v comes from 48, `make` from 55, `use` from 59. The file is named once.
TEST(ProgramOrderLines, AreTheHosts) {
    if (!hasCompiler())
        GTEST_SKIP() << "no nvcc here";
    const ProgramAnswer answer = recorder("program -o '" + at("lines").string() + "' -- '" +
                                          built("orders.cu", "-Xcompiler -g1").string() + "' streams");
    const auto messages = listing("lines")["messages"];
    ASSERT_EQ(messages.size(), 1u) << answer.err;
    EXPECT_EQ(
        messages[0]["text"].get<std::string>().find(
            "operation 6 (use, line 59 of orders.cu) reads 16384 bytes, the first of them byte 0 of the 16384 bytes "
            "that operation 0 (line 48) allocated, that operation 4 (make, line 55) writes"),
        0u)
        << messages[0];
}

class ProgramTextureOrders : public ProgramOrders {};

TEST_P(ProgramTextureOrders, AreToldWhereTheyAreMissing) {
    expectTold("texture_orders.cu", GetParam());
}

// 64 * 32 floats are 8192 bytes, a row of them 256.
INSTANTIATE_TEST_SUITE_P(
    , ProgramTextureOrders,
    testing::Values(OrderCase{"copied", "(fetchAll) reads 8192 bytes", 1}, OrderCase{"copied-ordered", "", 0},
                    OrderCase{"refilled", "(fetchAll) reads, and nothing orders the two", 1},
                    OrderCase{"refilled-ordered", "", 0}, OrderCase{"linear", "(fetchRow) reads 256 bytes", 1},
                    OrderCase{"linear-ordered", "", 0},
                    OrderCase{"surface", "(store) writes, and nothing orders the two", 1},
                    OrderCase{"surface-ordered", "", 0}, OrderCase{"apart", "", 0}, OrderCase{"both-read", "", 0}),
    nameOfCase);

class ProgramOrigins : public ProgramOrders {};

TEST_P(ProgramOrigins, AreNamed) {
    expectTold("origins.cu", GetParam());
}

// a and b of operations 0 and 1 have 600 floats, 2400 bytes; 2 fills a.
INSTANTIATE_TEST_SUITE_P(
    , ProgramOrigins,
    testing::Values(
        // 4 blocks of 128 write 512 floats, the first 2048 bytes; 352 are left.
        OrderCase{
            "tail",
            "operation 4 (copy) brings 2400 bytes to the host, of which nobody wrote 352: the first is byte 2048 of "
            "the 2400 bytes that operation 1 allocated. The last launch that was given this memory is operation 3 "
            "(twice), of 4 blocks of 128 threads",
            0},
        OrderCase{"tail-right", "", 0},
        OrderCase{"short", "operation 3 (copy) wrote the first 600 of its 2400 bytes", 0},
        OrderCase{"short-right", "", 0}, OrderCase{"freed", "It was freed by operation 3 (free)", 1},
        OrderCase{"freed-right", "", 0},
        OrderCase{"again", "is freed a second time: operation 3 (free) had freed it", 1},
        OrderCase{"shadow", "is the host's shadow of weights", 1}, OrderCase{"shadow-right", "", 0},
        OrderCase{"grid", "grid.sync() traps, since this launch is not cooperative", 1}, OrderCase{"grid-right", "", 0},
        OrderCase{"wrap", "its address mode wrap is ignored", 0}, OrderCase{"wrap-right", "", 0}),
    nameOfCase);

// A parent reads what its child writes, which runs when it has ended; a tail launch does so rightly. The line of the read is
// the parent's, 12 of the source; the child's launch is line 11.
TEST(ProgramChildren, AreNotWaitedFor) {
    if (!hasCompiler())
        GTEST_SKIP() << "no nvcc here";
    for (const bool tail : {false, true}) {
        const std::string name = tail ? "child-tail" : "child-read";
        const ProgramAnswer answer =
            recorder("program -o '" + at(name).string() + "' -- '" +
                     built("child_reads.cu", "-rdc=true -lcudadevrt").string() + "'" + (tail ? " tail" : ""));
        EXPECT_EQ(answer.status, tail ? 0 : 1) << answer.err;
        const auto messages = listing(name)["messages"];
        ASSERT_EQ(messages.size(), tail ? 0u : 1u) << messages;
        if (tail)
            continue;
        const std::string text = messages[0]["text"];
        EXPECT_EQ(messages[0]["kind"], "race");
        EXPECT_NE(text.find("A thread reads byte 0 of"), std::string::npos) << text;
        EXPECT_NE(text.find("its child put (launched at line 11 of child_reads.cu"), std::string::npos) << text;
        EXPECT_NE(text.find("line 12 of child_reads.cu"), std::string::npos) << text;
    }
}
