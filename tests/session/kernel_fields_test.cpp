// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/kernel_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace warpglass::session {

// Through the compiler, which says how large the parameter is; skipped without nvcc.
TEST(KernelFile, FieldsOfStructsAreFoundInTheSourceAndItsHeaders) {
    if (std::system("command -v nvcc >/dev/null || test -x \"$CUDA_HOME/bin/nvcc\"") != 0)
        GTEST_SKIP() << "nvcc is not on PATH";
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "warpglass-struct-test";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "vec.h") << "struct Box { float3 low, high; char tag; };\n";
    RunRequest request;
    request.kernel = (folder / "k.cu").string();
    request.text = "#include \"vec.h\"\n"
                   "struct Matrix { float* data; int width, height; };\n"
                   "namespace demo { __constant__ float inside[2]; } __device__ int counter, unused[3];\n"
                   "__global__ void k(Matrix m, Box b, float4* v)\n"
                   "{ m.data[counter] = b.high.z + v->w + demo::inside[1]; }\n"
                   "extern \"C\" __global__ void plain(const double* in, unsigned char flag, Matrix m)\n"
                   "{ m.data[0] = in[0] + flag; }\n";
    const auto file = lookInto(request);
    std::filesystem::remove_all(folder);
    ASSERT_TRUE(file) << file.error().text();
    ASSERT_EQ(file->kernels.size(), 2u);
    std::vector<std::string> globals; // demo::inside goes by a name that the declaration alone does not tell
    for (const StructField& g : file->globals)
        globals.push_back(g.name + " " + std::to_string(g.count));
    EXPECT_EQ(globals, (std::vector<std::string>{"counter 1", "unused 3"}));
    for (const FileKernel& k : file->kernels) {
        const KernelParameter& m = k.entry == "plain" ? k.parameters[2] : k.parameters[0];
        ASSERT_EQ(m.fields.size(), 3u) << k.entry;
        EXPECT_EQ(m.fields[2].name, "height");
        EXPECT_EQ(m.fields[2].offset, 12u);
        if (k.entry == "plain") {
            EXPECT_EQ(k.parameters[0].element, ElementType::F64);
            EXPECT_TRUE(k.parameters[0].isPointer && k.parameters[0].isConst);
            EXPECT_EQ(k.parameters[1].element, ElementType::U8);
        } else {
            ASSERT_EQ(k.parameters[1].fields.size(), 7u);
            EXPECT_EQ(k.parameters[1].fields[5].name, "high.z");
            EXPECT_EQ(k.parameters[2].element, ElementType::F32);
            EXPECT_EQ(k.parameters[2].elementsEach, 4u);
        }
    }
}

} // namespace warpglass::session
