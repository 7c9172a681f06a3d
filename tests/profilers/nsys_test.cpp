// SPDX-License-Identifier: GPL-3.0-or-later
// Exports of Nsight Systems: one that nsys 2025.3 made of data/two.cu on an H200 (without the tables that nobody asks for),
// and some made here by its public schema ("SQLite Export Schema Reference"), of which a version may lack columns.
#include "gpu/profilers/nsys.h"
#include "gpu/trace/database.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <unistd.h>

using namespace warpglass;
using namespace warpglass::program;

namespace {

class Nsys : public testing::Test {
protected:
    void make(const std::vector<std::string>& statements) {
        path = std::filesystem::path(testing::TempDir()) / ("nsys-" + std::to_string(getpid()) + ".sqlite");
        std::filesystem::remove(path);
        auto database = Database::create(path);
        ASSERT_TRUE(database) << database.error().text();
        for (const std::string& statement : statements) {
            const auto ok = database->run(statement);
            ASSERT_TRUE(ok) << statement << ": " << ok.error().text();
        }
    }
    ~Nsys() override { std::filesystem::remove(path); }
    std::filesystem::path path;
};

const std::string texts = "CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL)";
const std::string kernels =
    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, "
    "contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, demangledName "
    "INTEGER "
    "NOT NULL, shortName INTEGER NOT NULL, gridX INTEGER NOT NULL, gridY INTEGER NOT NULL, gridZ INTEGER NOT NULL, "
    "blockX "
    "INTEGER NOT NULL, blockY INTEGER NOT NULL, blockZ INTEGER NOT NULL, staticSharedMemory INTEGER NOT NULL, "
    "dynamicSharedMemory INTEGER NOT NULL)";
// Process 77: its number stands in bits 24 to 47 of the global one.
const std::string process77 = std::to_string(77 << 24);

std::vector<std::string> wholeExport() {
    return {
        texts,
        kernels,
        "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, "
        "streamId "
        "INTEGER, correlationId INTEGER, globalPid INTEGER, bytes INTEGER, copyKind INTEGER)",
        "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, "
        "streamId "
        "INTEGER, correlationId INTEGER, globalPid INTEGER, value INTEGER, bytes INTEGER)",
        "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER, "
        "correlationId INTEGER, nameId INTEGER, returnValue INTEGER)",
        "CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER, end INTEGER, deviceId INTEGER, contextId "
        "INTEGER, "
        "streamId INTEGER, correlationId INTEGER, globalPid INTEGER, syncType INTEGER, eventId INTEGER)",
        "CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (deviceId INTEGER, contextId INTEGER, streamId INTEGER, "
        "correlationId "
        "INTEGER, globalPid INTEGER, eventId INTEGER)",
        "CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS (start INTEGER, globalPid INTEGER, deviceId INTEGER, contextId "
        "INTEGER, "
        "address INTEGER, bytes INTEGER, memKind INTEGER, memoryOperationType INTEGER, correlationId INTEGER)",
        "CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT)",
        "CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER)",
        "CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT)",
        "INSERT INTO StringIds VALUES (1, 'void scale<float>(float *, int)'), (2, 'cudaLaunchKernel_v7000'), "
        "(3, 'cudaMemcpyAsync_v3020')",
        "INSERT INTO TARGET_INFO_GPU VALUES (0, 'NVIDIA H200')",
        "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1700000000000000000)",
        "INSERT INTO PROCESSES VALUES (" + process77 + ", 77, '/home/user/train')",
        // An allocation; a copy on stream 13 and, after an event of it, a kernel on stream 14 of device 1.
        "INSERT INTO CUDA_GPU_MEMORY_USAGE_EVENTS VALUES (1000, " + process77 + ", 0, 1, 4096, 800, 2, 0, 1)",
        "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (3000, 5000, 0, 1, 13, 10, " + process77 + ", 800, 1)",
        "INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES (0, 1, 13, 11, " + process77 + ", 5)",
        "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (2700, 2710, 1, 2, 14, 12, " + process77 + ", 2, 5)",
        "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (6000, 9000, 1, 2, 14, 20, " + process77 +
            ", 1, 1, 4, 1, 1, 128, 1, 1, 0, 64)",
        "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (2000, 2100, 0, " + process77 +
            ", 10, 3, 0), (2200, 2300, 0, " + process77 + ", 11, 3, 0), (2800, 2900, 0, " + process77 + ", 20, 2, 0)",
        "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (2950, 9100, 1, 2, 14, 21, " + process77 + ", 3, 0)",
        "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (9500, 9600, 1, 2, 14, 30, " + process77 + ", 0, 512)",
    };
}

} // namespace

TEST_F(Nsys, IsAProgramWithItsStreamsAndDevices) {
    make(wholeExport());
    const auto read = profilers::readNsys(path);
    ASSERT_TRUE(read) << read.error().text();
    const ProgramTrace& p = *read;
    EXPECT_EQ(p.info.device, "NVIDIA H200");
    EXPECT_EQ(p.info.command, "train");
    EXPECT_EQ(p.info.process, 77);
    EXPECT_EQ(p.info.began, 1700000000000000000 + 1000); // the clock's 0 is the first call's
    ASSERT_EQ(p.operations.size(), 7u);
    // In the order of their calls: allocation 1000, copy 2000, record 2200, wait of a stream 2700, launch 2800, wait 2950.
    const std::vector<OperationKind> kinds{OperationKind::Allocate,   OperationKind::Copy,   OperationKind::Record,
                                           OperationKind::StreamWait, OperationKind::Launch, OperationKind::Wait,
                                           OperationKind::Fill};
    for (std::size_t n = 0; n < kinds.size(); ++n)
        EXPECT_EQ(p.operations[n].kind, kinds[n]) << n;
    const Operation& copy = p.operations[1];
    EXPECT_EQ(copy.bytes, 800u);
    EXPECT_EQ(copy.direction, Direction::HostToDevice);
    EXPECT_EQ(copy.start, 3000 - 1000);
    EXPECT_EQ(copy.called, 2000 - 1000);
    EXPECT_EQ(p.streams[copy.stream].name, "stream 13");
    EXPECT_EQ(p.operations[2].from, 5u);
    EXPECT_EQ(p.operations[3].from, 5u);
    const Operation& launch = p.operations[4];
    EXPECT_EQ(p.kernels[launch.kernel].name, "scale<float>");
    EXPECT_EQ(p.shapes[launch.shape].grid.x, 4u);
    EXPECT_EQ(p.shapes[launch.shape].sharedBytes, 64u);
    EXPECT_EQ(p.streams[launch.stream].device, 1u);
    EXPECT_EQ(launch.returned, 2900 - 1000);
    EXPECT_EQ(p.operations[5].from, waitsForStream);
    EXPECT_EQ(p.operations[5].end, 9100 - 1000);
    ASSERT_EQ(p.allocations.size(), 1u);
    EXPECT_EQ(p.allocations[0].bytes, 800u);
}

// data/two.cu on an H200. Its own journal, recorded by ourselves on the same card, has the same operations in the same order:
// three allocations, a copy, a launch, a recorded event, a fill, a stream that waits for it, an allocation and a copy in the
// stream, a launch, a free, three graphs, a wait for a stream, a copy, a wait for a stream and one for the device. (The memory
// of cudaMallocHost comes first here, which our recordings do not list as an operation of the device.)
TEST(NsysExport, IsReadAsItWasMade) {
    const auto read = profilers::readNsys(WARPGLASS_SOURCE_DIR "/tests/profilers/data/two.sqlite");
    ASSERT_TRUE(read) << read.error().text();
    const ProgramTrace& p = *read;
    EXPECT_EQ(p.info.device, "NVIDIA H200");
    EXPECT_EQ(p.info.command, "two");
    using enum OperationKind;
    const std::vector<OperationKind> kinds{Allocate,   Allocate, Allocate, Copy,   Launch, Record, Fill,
                                           StreamWait, Allocate, Copy,     Launch, Free,   Launch, Launch,
                                           Launch,     Wait,     Copy,     Wait,   Wait};
    ASSERT_EQ(p.operations.size(), kinds.size());
    for (std::size_t n = 0; n < kinds.size(); ++n)
        EXPECT_EQ(p.operations[n].kind, kinds[n]) << n;
    EXPECT_EQ(p.kernels[p.operations[4].kernel].signature, "scale(float *, int, float)");
    EXPECT_EQ(p.shapes[p.operations[4].shape].grid.x, 264u);
    EXPECT_EQ(p.operations[5].from, p.operations[7].from); // the event that was recorded
    EXPECT_NE(p.operations[5].stream, p.operations[7].stream);
    EXPECT_EQ(p.operations[10].stream, p.operations[7].stream);
    EXPECT_EQ(p.kernels[p.operations[12].kernel].name, "graph 1");
    EXPECT_FALSE(p.kernels[p.operations[12].kernel].unrecorded.empty());
    EXPECT_EQ(p.operations[15].from, waitsForStream);
    EXPECT_EQ(p.operations[18].from, waitsForDevice);
    EXPECT_EQ(p.operations[3].bytes, 16777216u); // 4 Mi floats
}

// An older version: no processes, no correlation, and waits only among the calls.
TEST_F(Nsys, TakesWhatAnOlderVersionHas) {
    make(
        {texts,
         "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER, "
         "demangledName INTEGER, gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ "
         "INTEGER)",
         "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, correlationId INTEGER, nameId INTEGER)",
         "INSERT INTO StringIds VALUES (1, 'k(int)'), (2, 'cudaDeviceSynchronize_v3020')",
         "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (100, 300, 0, 7, 1, 2, 1, 1, 32, 1, 1)",
         "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (110, 310, 4, 2)"});
    const auto read = profilers::readNsys(path);
    ASSERT_TRUE(read) << read.error().text();
    ASSERT_EQ(read->operations.size(), 2u);
    EXPECT_EQ(read->streams[read->operations[0].stream].name, "default");
    EXPECT_EQ(read->operations[1].kind, OperationKind::Wait);
    EXPECT_EQ(read->operations[1].from, waitsForDevice);
    EXPECT_EQ(read->operations[1].end, 310 - 100);
}

TEST_F(Nsys, RefusesWhatItIsNot) {
    make({"CREATE TABLE other (a INTEGER)", "INSERT INTO other VALUES (1)"});
    auto read = profilers::readNsys(path);
    ASSERT_FALSE(read);
    EXPECT_NE(read.error().text().find("no export of Nsight Systems with work of a GPU"), std::string::npos);
    std::ofstream(path, std::ios::trunc) << "no database at all, but a text that is longer than its head would be";
    read = profilers::readNsys(path);
    EXPECT_FALSE(read);
    EXPECT_FALSE(profilers::readNsys("/nowhere/x.sqlite"));
}

// Views, triggers and worked-out columns are SQL of a stranger's: none of it is run.
TEST_F(Nsys, ReadsTablesAlone) {
    make({texts, "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS SELECT 1 AS start, 2 AS end, 3 AS demangledName"});
    EXPECT_FALSE(profilers::readNsys(path));
    std::string column =
        "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER AS (start + 1), deviceId INTEGER, "
        "streamId INTEGER, demangledName INTEGER, gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER, "
        "blockY INTEGER, blockZ INTEGER)";
    make({texts, column, "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 0, 7, 1, 1, 1, 1, 32, 1, 1)"});
    EXPECT_FALSE(profilers::readNsys(path));
}
