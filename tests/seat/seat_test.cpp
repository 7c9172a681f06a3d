// SPDX-License-Identifier: GPL-3.0-or-later
// What the seat takes down of a program's calls, whichever way the program comes by the driver. The driver is a stand-in
// (driver/), so these need no GPU; warps are recorded in tests/programs, on one.

#include "gpu/program/ends.h"
#include "tests/seat/seat_run.h"

#include <algorithm>
#include <filesystem>

#include <unistd.h>

using namespace warpglass;
using namespace warpglass::program;
namespace fs = std::filesystem;

namespace {

using warpglass::testing::Answer;
class Seat : public warpglass::testing::SeatRun {};

std::string kindsOf(const ProgramTrace& p) {
    std::string all;
    for (const Operation& o : p.operations)
        all += std::string(name(o.kind)) + std::to_string(o.stream) + " ";
    return all;
}

} // namespace

// What caller.cpp does, line by line.
TEST_F(Seat, TakesDownEveryCallWhicheverWayItComes) {
    for (const char* way : {"linked", "dlsym", "asked"}) {
        SCOPED_TRACE(way);
        const Answer answer = recorded(way);
        EXPECT_EQ(answer.out, "passed\n");
        EXPECT_EQ(answer.status, 0) << answer.err;
        const ProgramTrace p = opened();
        EXPECT_EQ(p.info.backend, BackendKind::Cuda);
        EXPECT_EQ(p.info.device, "stand-in");
        EXPECT_EQ(p.info.exitStatus, 0);
        ASSERT_EQ(kindsOf(p), "allocate0 copy0 launch1 launch0 launch0 fill0 wait1 copy0 free0 ");
        ASSERT_EQ(p.kernels.size(), 1u);
        EXPECT_EQ(p.kernels[0].name, "scale");
        EXPECT_EQ(p.streams[1].blocking, 0u);
        const Operation &allocated = p.operations[0], &first = p.operations[2], &second = p.operations[3];
        EXPECT_EQ(allocated.bytes, 256u);
        EXPECT_EQ(p.operations[1].direction, Direction::HostToDevice);
        EXPECT_EQ(p.operations[1].bytes, 16u);
        EXPECT_EQ(p.operations[5].bytes, 8u); // two words
        EXPECT_EQ(p.operations[7].direction, Direction::DeviceToHost);
        const RecordedShape &large = p.shapes[first.shape], &small = p.shapes[second.shape];
        EXPECT_EQ(std::tuple(large.grid.x, large.grid.y, large.block.x, large.sharedBytes),
                  std::tuple(4u, 2u, 64u, 128u));
        EXPECT_EQ(std::tuple(small.grid.x, small.block.x, small.sharedBytes), std::tuple(1u, 32u, 0u));
        EXPECT_EQ(p.operations[4].error, 1u);    // refused by the driver, and listed as that
        for (const std::uint32_t n : {2u, 3u}) { // one by one, and as one buffer
            const auto words = argumentWords(p, n);
            ASSERT_EQ(words.size(), 3u);
            EXPECT_EQ(words[0].type, "float*");
            ASSERT_NE(words[0].allocation, nullptr);
            EXPECT_EQ(words[0].allocation->bytes, 256u);
            EXPECT_EQ(words[0].offset, 16u);
            EXPECT_EQ(words[1].value, "-7");
            EXPECT_EQ(words[2].value, "2.5");
        }
        for (const Operation& o : p.operations)
            EXPECT_LE(o.called, o.returned);
    }
}

TEST_F(Seat, KeepsWhatAKilledProgramDid) {
    const Answer answer = recorded("kill");
    EXPECT_EQ(answer.status, 128 + 9);
    const ProgramTrace p = opened();
    EXPECT_EQ(p.info.exitStatus, 128 + 9);
    EXPECT_EQ(kindsOf(p), "allocate0 copy0 launch1 launch0 launch0 ");
}

// A process each, on one clock: the child's one launch comes between the parent's calls, and its addresses are its own.
TEST_F(Seat, PutsAForkedChildBesideItsParent) {
    const Answer answer = recorded("fork");
    EXPECT_EQ(answer.out, "passed\n");
    const ProgramTrace p = opened();
    ASSERT_EQ(p.info.processes.size(), 2u);
    EXPECT_EQ(p.info.processes[0].name(), "process " + std::to_string(p.info.process));
    EXPECT_EQ(p.info.processes[0].exitStatus, 0);
    EXPECT_EQ(p.info.processes[1].exitStatus, endedSilently); // by _exit()
    std::vector<std::uint32_t> of(2);
    for (const Operation& o : p.operations)
        if (++of[p.processOf(o)]; p.processOf(o) == 1) {
            EXPECT_EQ(p.shapes.at(o.shape).grid.x, 9u);
            EXPECT_EQ(p.kernels.at(o.kernel).name, "scale");
        }
    EXPECT_EQ(of, (std::vector<std::uint32_t>{9, 1})); // the parent's as without a child
    EXPECT_EQ(p.kernels.size(), 1u);
    EXPECT_TRUE(std::is_sorted(p.operations.begin(), p.operations.end(),
                               [](const Operation& a, const Operation& b) { return a.called < b.called; }));
    EXPECT_EQ(std::distance(fs::directory_iterator(folder / "rec"), fs::directory_iterator()), 1);

    // With itself, as if another machine had done the same: four processes, and the ones' addresses are not the others'.
    const Answer merged =
        run("'" WARPGLASS_BINARY_DIR "/bin/warpglass-record' launches rec --merge rec/program.wgt -o both.wgt");
    EXPECT_EQ(merged.status, 0) << merged.err;
    const auto both = readProgram(folder / "both.wgt");
    ASSERT_TRUE(both);
    EXPECT_EQ(both->info.processes.size(), 4u);
    EXPECT_EQ(both->operations.size(), 20u);
    EXPECT_EQ(both->allocations.size(), 2u);
    EXPECT_EQ(both->allocations[0].process ^ both->allocations[1].process, 2u);
}

// An image of machine code without sections: 64 bytes of head, then one table of one segment of 56 bytes. The same bytes in
// a compiler's cache have their PTX beside them; one byte else, and it is another kernel's.
TEST_F(Seat, FindsThePtxOfMachineCodeInACompilersCache) {
    std::string image(64 + 56, '\0');
    image.replace(0, 6,
                  std::string("\x7f"
                              "ELF\x02\x01"));
    image[32] = 64; // the table of segments
    image[54] = 56; // bytes of one
    image[56] = 1;
    const fs::path kernel = folder / "cache" / "ABC";
    fs::create_directories(kernel);
    const auto write = [](const fs::path& file, const std::string& text) { std::ofstream(file) << text; };
    write(folder / "kernel.cubin", image);
    write(kernel / "_Z5scalePfif.cubin", image);
    write(kernel / "_Z5scalePfif.ptx", ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry _Z5scalePfif("
                                       ".param .u64 a, .param .s32 b, .param .f32 c) {\n ret;\n}\n");
    write(kernel / "_Z5scalePfif.json", R"({"triton_version": "9.8.7", "num_warps": 4, "num_stages": 1})");
    write(folder / "cache" / "no folder", "");
    setenv("TRITON_CACHE_DIR", (folder / "cache").c_str(), 1);
    EXPECT_EQ(recorded("linked").status, 0);
    const ProgramTrace found = opened();
    ASSERT_EQ(found.kernels.size(), 1u);
    EXPECT_EQ(found.kernels[0].maker, "Triton 9.8.7, 4 warps, 1 stage");
    EXPECT_TRUE(found.kernels[0].unrecorded.empty());
    EXPECT_EQ(found.kernels[0].parameters[1].type, "s32");
    EXPECT_NE(run("'" WARPGLASS_BINARY_DIR "/bin/warpglass-record' launches rec")
                  .out.find("scale (Triton 9.8.7, 4 warps, 1 stage)\n"),
              std::string::npos);
    image.back() = 'x';
    write(kernel / "_Z5scalePfif.cubin", image);
    EXPECT_EQ(recorded("linked").status, 0);
    unsetenv("TRITON_CACHE_DIR");
    const ProgramTrace other = opened();
    EXPECT_EQ(other.kernels.at(0).maker, "");
    EXPECT_EQ(other.kernels.at(0).parameters.at(1).type, "b32");
    EXPECT_EQ(other.kernels.at(0).unrecorded, "it was loaded as machine code, without PTX");
}

TEST_F(Seat, AsksNvrtcForThePtxOfWhatItMade) {
    const Answer answer = recorded("nvrtc");
    EXPECT_EQ(answer.out, "passed\n") << answer.err;
    const ProgramTrace p = opened();
    ASSERT_EQ(p.kernels.size(), 1u);
    EXPECT_EQ(p.kernels[0].maker, "NVRTC");
    EXPECT_EQ(p.kernels[0].parameters[1].type, "u16"); // as its PTX alone says
    EXPECT_TRUE(p.kernels[0].unrecorded.empty());
}

// The stand-in runs nothing, so a launch cannot be recorded: the program goes on, and the recording says so.
TEST_F(Seat, LetsAProgramGoOnThatItCannotRecord) {
    const Answer answer = recorded("linked", "");
    EXPECT_EQ(answer.out, "passed\n");
    EXPECT_EQ(answer.status, 0);
    const ProgramTrace p = opened();
    EXPECT_EQ(p.operations.size(), 9u);
    EXPECT_TRUE(p.recordings.empty());
    ASSERT_EQ(p.messages.size(), 1u);
    EXPECT_EQ(p.messages[0].operation, 2u);
    EXPECT_NE(p.messages[0].text.find("scale was not recorded in detail: "), std::string::npos) << p.messages[0].text;
}

// What goes into a graph has not been done yet. Nothing is recorded in detail meanwhile, since nothing may be waited for.
TEST_F(Seat, ListsNothingOfACapture) {
    const Answer answer = recorded("capture", "--launches 0,3-4");
    EXPECT_EQ(answer.out, "passed\n");
    const ProgramTrace p = opened();
    std::vector<unsigned> grids;
    for (const Operation& o : p.operations)
        if (o.kind == OperationKind::Launch)
            grids.push_back(p.shapes.at(o.shape).grid.x);
    EXPECT_EQ(grids, (std::vector<unsigned>{4, 1, 1, 8, 9}));
    std::vector<std::uint32_t> tried; // each fails here, and says so
    for (const ProgramMessage& m : p.messages)
        tried.push_back(m.operation);
    EXPECT_EQ(tried, (std::vector<std::uint32_t>{2, 6})); // launches 0 and 4, not 3, which was made during the capture
}

// A program that never touches a GPU does not notice.
TEST_F(Seat, StaysOutOfOtherPrograms) {
    const Answer answer = run("LD_PRELOAD='" WARPGLASS_BINARY_DIR "/bin/libwarpglass_seat.so' sh -c 'echo $((6 * 7))'");
    EXPECT_EQ(answer.out, "42\n");
    EXPECT_EQ(answer.err, "");
}

// A function that the library keeps to itself is never asked.
TEST_F(Seat, ShowsEveryFunctionThatItHas) {
    const Answer names = run("nm -D --defined-only '" WARPGLASS_BINARY_DIR "/bin/libwarpglass_seat.so'");
    ASSERT_EQ(names.status, 0) << names.err;
    const auto shown = [&](const std::string& name) {
        EXPECT_NE(names.out.find(" T " + name + "\n"), std::string::npos) << name;
    };
#define CALL_none(name)
#define CALL__ptsz(name) shown(#name "_ptsz");
#define CALL__ptds(name) shown(#name "_ptds");
#define CALL(name, asked, version, other)                                                                              \
    shown(#name);                                                                                                      \
    CALL_##other(name)
#include "gpu/seat/driver_calls.inl"
}
