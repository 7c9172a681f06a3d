// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/kernel_names.h"

#include <gtest/gtest.h>

using namespace warpglass::session;

// Mangled names as the Itanium C++ ABI builds them: _Z, length and letters of the name, then a letter a type.
TEST(KernelNames, takeAPlainFunctionApart) {
    const KernelName name = kernelName("_Z9vectorAddPKfS0_Pfi");
    EXPECT_EQ(name.plain, "vectorAdd");
    EXPECT_EQ(name.templateArguments, "");
    EXPECT_EQ(name.parameters, (std::vector<std::string>{"float const*", "float const*", "float*", "int"}));
    EXPECT_EQ(name.signature(), "vectorAdd(float const*, float const*, float*, int)");
}

TEST(KernelNames, takeATemplateInANamespaceApart) {
    const KernelName name = kernelName("_ZN4demo5scaleIfLi128EEEvPT_PKS1_i");
    EXPECT_EQ(name.plain, "demo::scale");
    EXPECT_EQ(name.templateArguments, "<float, 128>");
    EXPECT_EQ(name.parameters, (std::vector<std::string>{"float*", "float const*", "int"}));
}

TEST(KernelNames, leaveANameThatIsNotMangled) {
    const KernelName name = kernelName("scale");
    EXPECT_EQ(name.signature(), "scale");
    EXPECT_FALSE(name.hasParameters);
    EXPECT_EQ(matches(name, "scale"), 3);
}

TEST(KernelNames, tellParametersFromAnAnonymousNamespace) {
    const KernelName name = kernelName("_ZN12_GLOBAL__N_11kEPii");
    EXPECT_EQ(name.plain, "(anonymous namespace)::k");
    EXPECT_EQ(name.parameters, (std::vector<std::string>{"int*", "int"}));
    EXPECT_EQ(matches(name, "k"), 1);
}

TEST(KernelNames, matchHoweverTheyAreWritten) {
    const KernelName name = kernelName("_ZN4demo5scaleIfLi128EEEvPT_PKS1_i");
    EXPECT_EQ(matches(name, "scale"), 1);
    EXPECT_EQ(matches(name, "demo::scale"), 1);
    EXPECT_EQ(matches(name, "scale<float,128>"), 2);
    EXPECT_EQ(matches(name, "demo::scale< float, 128u >"), 2);
    EXPECT_EQ(matches(name, "scale<float, 128>(float*, float const*, int)"), 3);
    EXPECT_EQ(matches(name, "scale<float, 64>"), 0);
    EXPECT_EQ(matches(name, "scal"), 0);
    EXPECT_EQ(matches(name, "_ZN4demo5scaleIfLi128EEEvPT_PKS1_i"), 3);
}

TEST(KernelNames, matchWithSomeOfTheirNamespaces) {
    const KernelName name = kernelName("_ZN3lab3one5scaleIN2ns1TEEEvPT_"); // void lab::one::scale<ns::T>(ns::T*)
    for (const char* words : {"scale", "one::scale", "lab::one::scale"})
        EXPECT_EQ(matches(name, words), 1) << words;
    EXPECT_EQ(matches(name, "one::scale<ns::T>"), 2);
    EXPECT_EQ(matches(name, "one::scale<ns::T>(ns::T*)"), 3);
    for (const char* words : {"two::scale", "e::scale", "ne::scale", "T>", "lab::scale", "::scale"})
        EXPECT_EQ(matches(name, words), 0) << words;
    EXPECT_EQ(matches(kernelName("_ZN3lab12_GLOBAL__N_11kEPii"), "k"), 1); // lab::(anonymous namespace)::k
}

TEST(KernelNames, keepLettersThatAreNoSuffix) {
    const KernelName name = kernelName("_Z4add1Pf"); // the 1 belongs to the name
    EXPECT_EQ(matches(name, "add1"), 1);
    EXPECT_EQ(matches(kernelName("_Z5add1uPf"), "add1"), 0);
}

TEST(KernelNames, findTheInstanceThatHasToBeMade) {
    EXPECT_EQ(instanceIn("scale<float, 128>(float*)"), "scale<float, 128>");
    EXPECT_EQ(instanceIn("scale<float, (1 + 2)>"), "scale<float, (1 + 2)>");
    EXPECT_EQ(instanceIn("scale"), "");
}
