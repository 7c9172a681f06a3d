// SPDX-License-Identifier: GPL-3.0-or-later
// A .cu file as its writer brings it. Skipped without nvcc.
#include "program.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

namespace {

class UserSource : public testing::Test {
protected:
    void SetUp() override {
        if (std::system("command -v nvcc >/dev/null || test -x \"$CUDA_HOME/bin/nvcc\"") != 0)
            GTEST_SKIP() << "nvcc is not on PATH";
    }

    static std::string file(const std::string& name, const std::string& text) {
        writeFile(scratch(name), text);
        return "'" + scratch(name).string() + "'";
    }
    template <class T>
    static std::vector<T> dumped(const std::string& name) {
        const std::string bytes = readFile(scratch(name));
        std::vector<T> values(bytes.size() / sizeof(T));
        std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
        return values;
    }
};

const char* const scaleSource = R"(
template <typename T, int N> __global__ void scale(T* out, T by) {
    if (threadIdx.x < N) out[threadIdx.x] = by * T(threadIdx.x);
}
)";

} // namespace

TEST_F(UserSource, makesTheInstanceOfATemplateThatIsAskedFor) {
    const std::string source = file("scale.cu", scaleSource);
    const Answer answer = record("run " + source + " --kernel 'scale<float,3>' --arg out:f32[4]=9 --arg by:f32=0.5" +
                                 " --dump out='" + scratch("scale.bin").string() + "' --json");
    ASSERT_EQ(answer.status, 0) << answer.err;
    EXPECT_EQ(answer.json()["kernel"], "scale<float, 3>");
    EXPECT_EQ(dumped<float>("scale.bin"), (std::vector<float>{0, 0.5f, 1, 9})); // the fourth is left alone
}

TEST_F(UserSource, saysThatATemplateNeedsItsArguments) {
    const Answer answer = record("run " + file("scale.cu", scaleSource) + " --arg out:f32[4]=0 --arg by:f32=1");
    EXPECT_EQ(answer.status, 2);
    EXPECT_NE(answer.err.find("--kernel 'scale<float, 128>'"), std::string::npos) << answer.err;
    const Answer wrong = record("run " + file("scale.cu", scaleSource) + " --kernel 'scale<float>'");
    EXPECT_EQ(wrong.status, 2);
    EXPECT_NE(wrong.err.find("--kernel"), std::string::npos) << wrong.err;
}

// Of the source, whose PTX nobody has seen: its name in what is refused, its line where a launch fails.
TEST_F(UserSource, isThePlaceOfWhatGoesWrong) {
    const std::string source = "run " + file("pl\xc3\xa4tze.cu", "namespace lab {\n"
                                                                 "__global__ void put(int* x, float by) {\n"
                                                                 "    x[threadIdx.x] = int(by);\n"
                                                                 "}\n"
                                                                 "}\n");
    const Answer few = record(source);
    EXPECT_EQ(few.status, 2);
    EXPECT_NE(few.err.find("pl\xc3\xa4tze.cu: lab::put takes 2 arguments and 0 were given"), std::string::npos)
        << few.err;
    EXPECT_NE(record(source + " --kernel get").err.find("pl\xc3\xa4tze.cu: the file has no kernel"), std::string::npos);
    const Answer beyond = record(source + " --arg x:i32[31]=0 --arg by:f32=2");
    EXPECT_EQ(beyond.status, 1);
    EXPECT_NE(beyond.err.find("pl\xc3\xa4tze.cu:3: A thread writes"), std::string::npos) << beyond.err;
    const Answer why = record(std::string(source).replace(0, 3, "why") + " --arg x:i32[31]=0 --arg by:f32=2");
    EXPECT_NE(why.err.find("pl\xc3\xa4tze.cu:3: A thread writes"), std::string::npos) << why.err;
}

TEST_F(UserSource, needsItsDynamicSharedMemory) {
    const std::string source = "run " +
                               file("dynamic.cu", "__global__ void put(int* x) {\n"
                                                  "    extern __shared__ int part[];\n"
                                                  "    part[threadIdx.x] = 1;\n"
                                                  "    x[threadIdx.x] = part[threadIdx.x];\n"
                                                  "}\n") +
                               " --arg x:i32[32]=0";
    const Answer none = record(source);
    EXPECT_EQ(none.status, 1);
    EXPECT_NE(none.err.find("which has 0 bytes; the kernel takes dynamic shared memory, and the launch gives it none "
                            "(--shared, "),
              std::string::npos)
        << none.err;
    const Answer few = record(source + " --shared 64");
    EXPECT_EQ(few.status, 1);
    EXPECT_NE(few.err.find("which has 64 bytes, 64 of them dynamic as the launch asks"), std::string::npos) << few.err;
    EXPECT_EQ(record(source + " --shared 128").status, 0);
}

TEST_F(UserSource, takesDefinitionsAndFoldersOfHeaders) {
    std::filesystem::create_directories(scratch("headers"));
    writeFile(scratch("headers/offset.h"), "#define OFFSET 40\n");
    writeFile(scratch("beside.h"), "#define BESIDE 2\n");
    const std::string source = file("defined.cu", "#include <offset.h>\n#include \"beside.h\"\n"
                                                  "__global__ void k(int* out) { *out = OFFSET + BESIDE + EXTRA; }\n");
    const std::string run =
        "run " + source + " --arg out:i32[1]=0 --dump out='" + scratch("defined.bin").string() + "'";
    const Answer answer = record(run + " -D EXTRA=100 -I '" + scratch("headers").string() + "'");
    ASSERT_EQ(answer.status, 0) << answer.err;
    EXPECT_EQ(dumped<int>("defined.bin"), std::vector<int>{142});
    EXPECT_EQ(record(run + " -D '1x'").status, 2);
    EXPECT_EQ(record(run + " -I /nowhere/at/all").status, 2);
}

TEST_F(UserSource, tellsEveryErrorOfTheCompilerWithItsLine) {
    const Answer answer = record("run " + file("wrong.cu", "__global__ void k(int* out) {\n    *out = first;\n"
                                                           "    *out = second;\n}\n"));
    EXPECT_EQ(answer.status, 2);
    EXPECT_NE(answer.err.find("wrong.cu:2: identifier \"first\" is undefined"), std::string::npos) << answer.err;
    EXPECT_NE(answer.err.find("*out = first;"), std::string::npos) << answer.err;
    EXPECT_NE(answer.err.find("wrong.cu:3: identifier \"second\" is undefined"), std::string::npos) << answer.err;
}

// nvcc hands names to a shell.
TEST_F(UserSource, neverRunsWhatAFilesNameSays) {
    const std::string mark = scratch("made_by_a_name").string();
    const std::string name = "$(cd .. && touch made_by_a_name)`id`.cu";
    std::filesystem::create_directories(scratch("$(cd .. && touch made_by_a_folder)"));
    writeFile(scratch(name), "__global__ void k(int* out) { *out = 1; }\n");
    const std::string path = scratch(name).string();
    const Answer answer = record("run '" + path + "' --arg out:i32[1]=0");
    EXPECT_EQ(answer.status, 0) << answer.err;
    EXPECT_FALSE(std::filesystem::exists(mark));
}

TEST_F(UserSource, neverRunsWhatAnOptionSays) {
    const std::string source = file("plain.cu", "__global__ void k(int* out) { *out = 1; }\n");
    const std::string mark = scratch("made_by_an_option").string();
    for (const std::string& option : {"--nvcc '-DX=$(touch " + mark + ")'", "--nvcc '-O1;touch " + mark + "'",
                                      "--arch 'sm_90;touch " + mark + "'", "--arch '`touch " + mark + "`'"}) {
        const Answer answer = record("run " + source + " --arg out:i32[1]=0 " + option);
        EXPECT_EQ(answer.status, 2) << option;
        EXPECT_NE(answer.err.find("a shell would follow"), std::string::npos) << answer.err;
        const Answer program = record("program " + option + " -o " + scratch("p.wgt").string() + " " + source + " --");
        EXPECT_NE(program.status, 0) << option;
        EXPECT_FALSE(std::filesystem::exists(mark)) << option;
    }
}

TEST_F(UserSource, stopsACompilerThatReadsWithoutEnd) {
    const Answer answer = record("run " + file("endless.cu", "#include \"/dev/zero\"\n__global__ void k() {}\n"));
    EXPECT_EQ(answer.status, 2);
    EXPECT_FALSE(answer.err.empty());
}

TEST_F(UserSource, setsVariablesOfTheModule) {
    const std::string source = file("tables.cu", "__constant__ float weights[4];\n__device__ int offset = 1;\n"
                                                 "namespace demo { __device__ double bias; }\n"
                                                 "__global__ void k(float* out) {\n    int i = threadIdx.x;\n"
                                                 "    if (i < 4) out[i] = weights[i] + offset + demo::bias;\n}\n");
    const std::string run = "run " + source + " --arg out:f32[4]=0 --dump out='" + scratch("tables.bin").string() + "'";
    const Answer answer =
        record(run + " --constant weights:f32[3]=1,2,3 --global offset=10 --global demo::bias:f64[1]=0.5");
    ASSERT_EQ(answer.status, 0) << answer.err;
    EXPECT_EQ(dumped<float>("tables.bin"), (std::vector<float>{11.5f, 12.5f, 13.5f, 10.5f}));
    const Answer wrong = record(run + " --global nothing=1");
    EXPECT_EQ(wrong.status, 2);
    EXPECT_NE(wrong.err.find("weights, offset, demo::bias"), std::string::npos) << wrong.err;
    EXPECT_EQ(record(run + " --global weights:f32[5]=0").status, 2);
    const Answer untyped = record(run + " --global weights=1"); // the PTX has 16 bytes there, and no type
    EXPECT_EQ(untyped.status, 2);
    EXPECT_NE(untyped.err.find("weights:f32[4]="), std::string::npos) << untyped.err;
}

TEST_F(UserSource, dumpsVariablesOfTheModule) {
    const std::string source =
        file("counts.cu", "__device__ int counts[4] = {1, 2, 3, 4};\n__constant__ float weight = 0.5f;\n"
                          "namespace demo { __device__ double sum; }\n"
                          "__global__ void k(const int* in) {\n    counts[threadIdx.x] += in[threadIdx.x];\n"
                          "    if (threadIdx.x == 0) demo::sum = in[0] * weight;\n}\n");
    const std::string run = "run " + source + " --block 4 --arg in:i32[4]=10,20,30,40";
    const auto dump = [](const char* name, const char* to) {
        return std::string(" --dump '") + name + "=" + scratch(to).string() + "'";
    };
    const Answer answer = record(run + dump("counts", "counts.bin") + dump("demo::sum", "sum.bin") +
                                 dump("weight", "weight.bin") + dump("in", "in.bin") + " --constant weight=0.25");
    ASSERT_EQ(answer.status, 0) << answer.err;
    EXPECT_EQ(dumped<int>("counts.bin"), (std::vector<int>{11, 22, 33, 44}));
    EXPECT_EQ(dumped<double>("sum.bin"), std::vector<double>{2.5});
    EXPECT_EQ(dumped<float>("weight.bin"), std::vector<float>{0.25f});
    EXPECT_EQ(dumped<int>("in.bin"), (std::vector<int>{10, 20, 30, 40}));
    const Answer wrong = record(run + dump("count", "never.bin"));
    EXPECT_EQ(wrong.status, 2);
    EXPECT_NE(wrong.err.find("Its buffers are in. The variables of its file are "), std::string::npos) << wrong.err;
    for (const char* name : {"counts", "weight", "demo::sum"})
        EXPECT_NE(wrong.err.find(name), std::string::npos) << wrong.err;
}

TEST_F(UserSource, refusesBuffersOfOtherNumbersThanThePointersLeadTo) {
    const std::string source = file(
        "pointers.cu", "#include <cuda_fp16.h>\nstruct S { int a; float b; };\n"
                       "__global__ void whole(int* a, const unsigned long long* b) {}\n"
                       "__global__ void real(float* a, float4* b, double (*c)[4]) {}\n"
                       "__global__ void small(__half* a, unsigned short* b) {}\n"
                       "__global__ void any(void* a, char* b, const unsigned char* c, S* d, int4* e, int** f) {}\n");
    const auto status = [&](const std::string& words) { return record("run " + source + " --kernel " + words).status; };
    const std::string a = " --arg a:", b = " --arg b:", c = " --arg c:";
    EXPECT_EQ(status("whole" + a + "i32[4]=0" + b + "u64[4]=0"), 0);
    EXPECT_EQ(status("whole" + a + "u32[4]" + b + "i64[4]=0"), 0);
    EXPECT_EQ(status("whole" + a + "f32[4]=1" + b + "u64[4]=0"), 2);
    EXPECT_EQ(status("whole" + a + "f32[4]=0" + b + "u64[4]=0"), 0);
    EXPECT_EQ(status("whole" + a + "u8[16]=1" + b + "u64[4]=0"), 0);
    EXPECT_EQ(status("whole" + a + "i32[4]=0" + b + "i32[4]=0"), 2); // half as wide
    EXPECT_EQ(status("whole" + a + "f32[1]=hex:0000803f" + b + "u64[4]=0"), 0);
    EXPECT_EQ(status("real" + a + "f32[4]=iota" + b + "f32[4]=0" + c + "f64[4]=0"), 0);
    EXPECT_EQ(status("real" + a + "i32[4]=iota" + b + "f32[4]=0" + c + "f64[4]=0"), 2);
    EXPECT_EQ(status("real" + a + "f32[4]=iota" + b + "i32[4]=1" + c + "f64[4]=0"), 2);
    EXPECT_EQ(status("real" + a + "f32[4]=iota" + b + "f32[4]=0" + c + "f32[4]=0"), 2);
    EXPECT_EQ(status("small" + a + "f16[4]=1" + b + "f16[4]=1"), 0);
    EXPECT_EQ(status("small" + a + "u16[4]=1" + b + "u16[4]=1"), 0);
    EXPECT_EQ(status("small" + a + "bf16[4]=1" + b + "u16[4]=1"), 2);
    EXPECT_EQ(status("small" + a + "f32[4]=1" + b + "u16[4]=1"), 2);
    EXPECT_EQ(status("any" + a + "f32[4]=1" + b + "f64[2]=1" + c +
                     "i32[2]=1 --arg d:f32[4]=0 --arg e:f32[4]=0 "
                     "--arg f:ptr[1]=a"),
              0);
    const Answer told = record("run " + source + " --kernel whole" + a + "f32[4]=1" + b + "u64[4]=0");
    EXPECT_NE(told.err.find("argument \"a\" is a buffer of f32"), std::string::npos) << told.err;
    EXPECT_NE(told.err.find("parameter 0 is int*: --arg p0:i32[1024]=0"), std::string::npos) << told.err;
}

// The kernel stands in line 3, after one of another shape.
TEST_F(UserSource, namesTheSourcesLineWhereALaunchDoesNotFitItsKernel) {
    const std::string source = file("bounds.cu", "__global__ void other(int* a) { a[threadIdx.x] = 1; }\n\n"
                                                 "__global__ void __launch_bounds__(64) k(int* a) {\n"
                                                 "    a[threadIdx.x] = 2;\n}\n"
                                                 "__global__ void __cluster_dims__(2, 1, 1) pair(int* a) {\n"
                                                 "    a[threadIdx.x] = 3;\n}\n");
    const Answer bounds = record("run " + source + " --kernel k --block 128 --arg a:i32[128]=0");
    EXPECT_EQ(bounds.status, 2);
    EXPECT_NE(bounds.err.find("bounds.cu:3: the kernel is compiled for at most 64 threads a block"), std::string::npos)
        << bounds.err;
    EXPECT_EQ(bounds.err.find("bounds.ptx"), std::string::npos) << bounds.err;
    const Answer cluster = record("run " + source + " --kernel pair --grid 3 --arg a:i32[128]=0");
    EXPECT_EQ(cluster.status, 2);
    EXPECT_NE(cluster.err.find("bounds.cu:6: a grid of 3 is no whole number of clusters of 2"), std::string::npos)
        << cluster.err;
}

TEST_F(UserSource, passesStructsAndPointersInsideBuffers) {
    const std::string source =
        file("rows.cu", "struct View { int* data; int n; float by[2]; };\n"
                        "__global__ void k(View v, float** rows, float* out) {\n    int i = threadIdx.x;\n"
                        "    if (i < v.n) out[i] = v.data[i] * v.by[1] + rows[i % 2][i];\n}\n");
    const Answer answer =
        record("run " + source + " --arg 'v:{data:ptr=numbers,n:i32=3,by:f32[2]=0;10}' --arg rows:ptr[2]=a,b+4" +
               " --arg out:f32[4]=-1 --buffer numbers:i32[3]=1,2,3 --buffer a:f32[4]=0.5 --buffer b:f32[4]=1,2,3,4" +
               " --dump out='" + scratch("rows.bin").string() + "'");
    ASSERT_EQ(answer.status, 0) << answer.err;
    // 1 * 10 + a[0], 2 * 10 + (b + 1)[1], 3 * 10 + a[2]
    EXPECT_EQ(dumped<float>("rows.bin"), (std::vector<float>{10.5f, 23, 30.5f, -1}));
}

TEST_F(UserSource, namesParametersAsTheSourceDoes) {
    const Answer answer = record("run " + file("named.cu", "__global__ void k(float const* in, double x, int n) {}\n"));
    EXPECT_EQ(answer.status, 2);
    EXPECT_NE(answer.err.find("parameter 0 is float const*: --arg p0:f32[1024]=0"), std::string::npos) << answer.err;
    EXPECT_NE(answer.err.find("parameter 1 is double: --arg p1:f64=0"), std::string::npos) << answer.err;
    EXPECT_NE(answer.err.find("parameter 2 is int: --arg p2:i32=0"), std::string::npos) << answer.err;
}

// __reduce_add_sync needs compute capability 8.0: the emulated H200 has it, a V100 has not.
TEST_F(UserSource, isCompiledForTheDeviceThatIsAskedFor) {
    const std::string source = file("newer.cu", "__global__ void k(int* out) {\n"
                                                "    int sum = __reduce_add_sync(~0u, (int)threadIdx.x);\n"
                                                "    if (threadIdx.x == 0) *out = sum;\n}\n");
    const std::string run = "run " + source + " --arg out:i32[1]=0 --dump out='" + scratch("newer.bin").string() + "'";
    const Answer answer = record(run);
    ASSERT_EQ(answer.status, 0) << answer.err;
    EXPECT_EQ(dumped<int>("newer.bin"), std::vector<int>{496}); // 0 + 1 + ... + 31
    EXPECT_EQ(record(run + " --arch sm_75").status, 2);
    EXPECT_EQ(record(run + " --arch fast").status, 2);
}
