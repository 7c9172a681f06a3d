// SPDX-License-Identifier: GPL-3.0-or-later
// Programs with one fault each (docs/checks.md), and their twins without it (-D FIXED): what is told of the one, and that of the
// other nothing is.
#include "run_program.h"

#include <gtest/gtest.h>

#include <ostream>
#include <vector>

namespace {

struct FaultyProgram {
    const char* name;
    std::vector<const char*> told; // parts, in this order
    const char* options = "";
};
std::ostream& operator<<(std::ostream& out, const FaultyProgram& f) {
    return out << f.name;
}

ProgramAnswer runFaulty(const FaultyProgram& f, const char* more, const char* as) {
    return recorder(std::string("program ") + f.options + more + " -o '" + at(std::string(f.name) + as).string() +
                    "' '" + WARPGLASS_SOURCE_DIR "/tests/programs/faulty/" + f.name + ".cu'");
}

class Faulty : public testing::TestWithParam<FaultyProgram> {};

} // namespace

TEST_P(Faulty, IsToldAndItsTwinIsNot) {
    if (!hasCompiler())
        GTEST_SKIP() << "no nvcc here";
    const FaultyProgram& f = GetParam();
    const ProgramAnswer wrong = runFaulty(f, "", "");
    std::size_t from = 0;
    for (const char* const part : f.told) {
        const std::size_t found = wrong.err.find(part, from);
        EXPECT_NE(found, std::string::npos) << part << "\nis missing in\n" << wrong.err;
        from = found == std::string::npos ? from : found;
    }
    const ProgramAnswer right = runFaulty(f, " -D FIXED", "-right");
    EXPECT_EQ(right.status, 0) << right.err;
    std::string said = right.err;
    if (std::string(f.options) == "--against twin") { // what it has looked at is said of right ones, too
        const std::size_t end = said.find(" 0 are beyond the tolerance"), note = said.rfind("warpglass-record: ", end);
        ASSERT_NE(end, std::string::npos) << said;
        said.erase(note, said.find('\n', end) - note);
    }
    for (const char* const word : {"operation ", "note:", "was not launched"})
        EXPECT_EQ(said.find(word), std::string::npos) << right.err;
}

INSTANTIATE_TEST_SUITE_P(
    , Faulty,
    testing::Values(
        FaultyProgram{"event_before_work",
                      {"(affine<float>, line 31 of event_before_work.cu) reads 131072 bytes",
                       "writes, and nothing orders the two", "a cudaEventRecord is missing"}},
        FaultyProgram{"frame_refilled_early",
                      {"the host (line 19 of frame_refilled_early.cu) writes byte 0 of the 4096 bytes",
                       "cudaStreamSynchronize or cudaDeviceSynchronize is missing"}},
        FaultyProgram{"freed_in_own_stream",
                      {"(free, line 5 of freed_in_own_stream.cu) frees 256 bytes", "(copy, line 19) reads"}},
        FaultyProgram{"graph_download_edge", {"no edge of their graph leads from one to the other"}},
        FaultyProgram{
            "cooperative_too_large",
            {"relax was not launched", "of its 4096 blocks the device has room for 528, 4 on each of its 132 SMs"}},
        FaultyProgram{"printed_too_much", {"to 1920000 bytes (16 a call, 8 an argument), and the buffer has 1048576"}},
        FaultyProgram{"constant_too_small", {"A copy writes 192 bytes", "64 bytes past the end of weight (128 bytes)"}},
        FaultyProgram{
            "fence_before_stores", {"No fence.proxy.async stands between the store of buf[0]"}, "--arch sm_90a"},
        FaultyProgram{
            "ring_parity_of_stage",
            {"was satisfied by phase 0 that ended before the copy was asked for", "wait needs the other parity"},
            "--arch sm_90a"},
        FaultyProgram{
            "stage_never_freed",
            {"An asynchronous copy is asked for into stage[0], where warp 0 reads at line 37 of stage_never_freed.cu"},
            "--arch sm_90a"},
        FaultyProgram{"acquired_at_block_scope",
                      {"an atomic of the block's scope is one for the threads of its own block alone"}},
        FaultyProgram{"tree_no_fence",
                      {"changed at line 14 and went on, but the write of that at line 19 releases nothing",
                       "line 16 of tree_no_fence.cu"}},
        FaultyProgram{"queue_off_by_one",
                      {"writes this->item[16], but this->item has 16 elements of 4 bytes: that is this->size"},
                      "--nvcc -G"},
        FaultyProgram{
            "pool_piece_past_end",
            {"right past the end of the memory of operation 0, line 10 of pool_piece_past_end.cu (4800 bytes)"}},
        FaultyProgram{"matrix_index_wraps",
                      {"2^32 elements of 4 bytes below byte 9000000000", "a 32-bit index wrapped past 2^31"}},
        FaultyProgram{"table_by_host_name",
                      {"is the host's shadow of table: cudaMemcpyToSymbol",
                       "is the host's shadow of table: a kernel names table"}},
        FaultyProgram{"border_unwritten", {"brings 8192 bytes to the host, of which nobody wrote 752"}},
        FaultyProgram{
            "variance_below_zero", {"A thread makes inf of finite numbers: rcp.rn.f32 of 0"}, "--check finite"},
        FaultyProgram{"variance_one_pass",
                      {"where fp64 makes", "most of the error was made before, by fma.rn.f32 on line 7",
                       "32 numbers that the launch leaves in memory come from there",
                       "line 14 of variance_one_pass.cu"},
                      "--against twin"},
        FaultyProgram{"values_not_counted", {"which has 2048 bytes, 2048 of them dynamic as the launch asks"}},
        FaultyProgram{"texture_pitch", {"over rows of 200 bytes, which is no multiple of 32"}},
        FaultyProgram{"recursion_too_deep",
                      {"of stack, and a thread has 1024: cudaDeviceSetLimit(cudaLimitStackSize, bytes)"}},
        FaultyProgram{"locks_in_two_orders", {"Take them in the same order everywhere"}}),
    [](const auto& test) { return std::string(test.param.name); });
