// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/device_facts.h"

#include <gtest/gtest.h>

using namespace warpglass;

namespace {

std::vector<std::string> values(const char* device) {
    std::vector<std::string> all;
    for (const DeviceFact& fact : deviceFacts(*findDevice(device)))
        all.push_back(fact.value);
    return all;
}

} // namespace

// Two of the documents print what a device query said on their own cards.
TEST(DeviceFacts, equalTheDocumentsPrintouts) {
    EXPECT_EQ(values("rtx3090"),
              (std::vector<std::string>{"82", "64.00 KB", "48.00 KB", "65536", "32", "1024", "1536", "48"}));
    EXPECT_EQ(values("rtx4070"),
              (std::vector<std::string>{"46", "64.00 KB", "48.00 KB", "65536", "32", "1024", "1536", "48"}));
}

TEST(DeviceFacts, differWhereDevicesDiffer) {
    EXPECT_EQ(values("m2070"),
              (std::vector<std::string>{"14", "64.00 KB", "48.00 KB", "32768", "32", "1024", "1536", "48"}));
    EXPECT_EQ(values("h200"),
              (std::vector<std::string>{"132", "64.00 KB", "48.00 KB", "65536", "32", "1024", "2048", "64"}));
}
