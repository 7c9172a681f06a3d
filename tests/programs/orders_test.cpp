// SPDX-License-Identifier: GPL-3.0-or-later
// Work that nothing orders is told with both operations, and work that something orders is not: one program of many words.
#include "run_program.h"

#include <gtest/gtest.h>

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

} // namespace

TEST_P(ProgramOrders, AreToldWhereTheyAreMissing) {
    const OrderCase& c = GetParam();
    const std::string name = std::string("order-") + c.word;
    const ProgramAnswer answer = recorder("program -o '" + at(name).string() + "' -- '" +
                                          built("orders.cu", "-Xcompiler -g1").string() + "' " + c.word);
    EXPECT_EQ(answer.status, c.status) << answer.out << answer.err;
    std::size_t messages = 0;
    const auto list = listing(name);
    for (const auto& m : list["messages"]) {
        ++messages;
        EXPECT_NE(m["text"].get<std::string>().find(c.told), std::string::npos) << m;
    }
    EXPECT_EQ(messages, *c.told ? 1u : 0u) << answer.err;
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
        OrderCase{"writes", "operation 6 (make) writes 16384 bytes, the first of them byte 0 of the 16384 bytes that "
                            "operation 0 allocated, that operation 5 (use) reads",
                  1},
        OrderCase{"writes-ordered", "", 0}, OrderCase{"halves", "", 0}, OrderCase{"atomics", "", 0},
        OrderCase{"default", "operation 5 (use) reads 16384 bytes, the first of them byte 0 of the 16384 bytes that "
                             "operation 0 allocated, that operation 4 (fill) writes",
                  1},
        OrderCase{"default-ordered", "", 0}, OrderCase{"transitive", "", 0}, OrderCase{"asked", "", 0},
        // 4 allocates, 5 make, 6 record, 7 waits, 8 use in b, 9 frees in a.
        OrderCase{"pool", "operation 9 (free) frees 16384 bytes, the first of them byte 0 of the 16384 bytes that "
                          "operation 4 allocated, that operation 8 (use) reads",
                  1},
        OrderCase{"pool-ordered", "", 0},
        OrderCase{"taken", "operation 5 (make) writes 16384 bytes, the first of them byte 0 of the 16384 bytes that "
                           "operation 4 allocated, that operation 4 (allocation) allocates",
                  1},
        OrderCase{"taken-ordered", "", 0},
        // Operation 5 copies to the pinned memory of operation 2; [7] is byte 28.
        OrderCase{"pinned", "reads byte 28 of the 16384 bytes that operation 2 allocated, which operation 5 (copy) writes, "
                            "and has not waited",
                  1},
        OrderCase{"pinned-ordered", "", 0},
        OrderCase{"source", "writes byte 32 of the 16384 bytes that operation 2 allocated, which operation 4 (copy) reads",
                  1},
        OrderCase{"source-ordered", "", 0}, OrderCase{"pageable", "", 0},
        OrderCase{"managed", "reads byte 28 of the 16384 bytes that operation 3 allocated, which operation 4 (make) writes",
                  1},
        OrderCase{"managed-ordered", "", 0}, OrderCase{"flag", "", 0},
        OrderCase{"print", "operation 4 (say) prints, and the program ends without waiting for it", 0},
        OrderCase{"print-ordered", "", 0}),
    nameOfCase);
