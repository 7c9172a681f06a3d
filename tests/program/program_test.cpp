// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/base/catalogue.h"
#include "gpu/base/messages/gpu.h"
#include "gpu/base/messages/program.h"
#include "gpu/program/journal.h"
#include "gpu/program/program_file.h"
#include "gpu/program/settings.h"
#include "gpu/trace/database.h"
#include "gpu/trace/file.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <tuple>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace warpglass;
using namespace warpglass::program;
namespace fs = std::filesystem;

namespace {

fs::path file(const std::string& name) {
    return fs::path(testing::TempDir()) / ("warpglass-program-" + std::to_string(getpid()) + "-" + name);
}

struct Removed {
    fs::path path;
    ~Removed() { fs::remove_all(path); }
};

const ProgramKernel kernel{
    "k<int>", "void k<int>(int*, unsigned int, double)", "_Zk", {{"u64", 0, 8}, {"u32", 8, 4}, {"f64", 16, 8}}, ""};

std::vector<std::byte> arguments(std::uint64_t pointer, std::uint32_t n, double x) {
    std::vector<std::byte> bytes(24);
    std::memcpy(bytes.data(), &pointer, 8);
    std::memcpy(bytes.data() + 8, &n, 4);
    std::memcpy(bytes.data() + 16, &x, 8);
    return bytes;
}

Operation allocate(std::uint64_t address, std::uint64_t bytes) {
    Operation o;
    o.kind = OperationKind::Allocate;
    o.to = address, o.bytes = bytes;
    return o;
}

// An allocation, n launches, its end; and another at the same address.
void write(Journal& journal, std::uint32_t n) {
    journal.add(ProgramStream{.name = "default"});
    EXPECT_EQ(journal.add(kernel), 0u);
    EXPECT_EQ(journal.shape({{4, 1, 1}, {128, 1, 1}}), 0u);
    EXPECT_EQ(journal.shape({{8, 1, 1}, {128, 1, 1}}), 1u);
    EXPECT_EQ(journal.shape({{4, 1, 1}, {128, 1, 1}}), 0u);
    EXPECT_EQ(journal.add(allocate(0x1000, 256)), 0u);
    for (std::uint32_t k = 0; k < n; ++k) {
        Operation o;
        o.kernel = 0, o.shape = k % 2;
        o.start = 1000 + 10 * std::int64_t(k), o.end = o.start + 7;
        EXPECT_EQ(journal.add(o, arguments(0x1010, k, -0.5)), k + 1);
    }
    Operation end;
    end.kind = OperationKind::Free;
    end.to = 0x1000;
    journal.add(end);
    journal.add(allocate(0x1000, 64));
    journal.add(ProgramRecording{2, "launch-1.wgt"});
    journal.add(ProgramMessage{3, "something"});
}

void check(const ProgramTrace& p, std::uint32_t n) {
    ASSERT_EQ(p.operations.size(), n + 3);
    EXPECT_EQ(p.kernels.size(), 1u);
    EXPECT_EQ(p.kernels[0].signature, kernel.signature);
    EXPECT_EQ(p.shapes.size(), 2u);
    EXPECT_EQ(p.operations[2].recording, 0u);
    EXPECT_EQ(p.operations[3].recording, noIndex);
    EXPECT_EQ(p.messages[0].text, "something");
    for (std::uint32_t k = 0; k < n; k += 997) {
        const Operation& o = p.operations[k + 1];
        ASSERT_EQ(o.start, 1000 + 10 * std::int64_t(k));
        ASSERT_EQ(o.end - o.start, 7);
        ASSERT_EQ(o.shape, k % 2);
        const auto words = argumentWords(p, k + 1);
        ASSERT_EQ(words.size(), 3u);
        EXPECT_EQ(words[0].type, "int*");
        ASSERT_NE(words[0].allocation, nullptr);
        EXPECT_EQ(words[0].allocation->bytes, 256u); // not the later one of the same address
        EXPECT_EQ(words[0].offset, 16u);
        EXPECT_EQ(words[1].value, std::to_string(k));
        EXPECT_EQ(words[2].value, "-0.5");
    }
    ASSERT_EQ(p.allocations.size(), 2u);
    EXPECT_EQ(p.allocations[0].freed, n + 1);
    EXPECT_EQ(p.allocations[1].freed, noIndex);
}

} // namespace

TEST(Journal, BecomesAProgramAndAFile) {
    const Removed journal{file("a.journal")}, out{file("a.wgt")};
    constexpr std::uint32_t n = 200'000; // several chunks
    {
        auto made = Journal::create(journal.path, {.command = "app 1 2", .device = "h200"});
        ASSERT_TRUE(made) << made.error().text();
        write(**made, n);
    }
    auto program = readJournal(journal.path);
    ASSERT_TRUE(program);
    check(*program, n);
    program->info.exitStatus = 3;
    ASSERT_TRUE(writeProgram(*program, out.path));
    EXPECT_LT(fs::file_size(out.path), 4u * n); // of 96 bytes each
    ASSERT_TRUE(isProgramFile(out.path));
    auto read = readProgram(out.path);
    ASSERT_TRUE(read) << read.error().text();
    check(*read, n);
    EXPECT_EQ(read->info.command, "app 1 2");
    EXPECT_EQ(read->info.exitStatus, 3);
}

// A launch asked for at 100 and answered at 105 is at first listed as done then; later a GPU says that it ran from 2,000
// to 2,500. The copy before it has no such word.
TEST(Journal, LearnsLaterWhenSomethingWasDone) {
    const Removed journal{file("t.journal")}, out{file("t.wgt")};
    {
        auto made = Journal::create(journal.path, {.backend = BackendKind::Cuda});
        ASSERT_TRUE(made) << made.error().text();
        Operation copy;
        copy.kind = OperationKind::Copy;
        copy.start = copy.called = 40, copy.end = copy.returned = 90;
        (*made)->add(copy);
        (*made)->add(kernel);
        Operation launch;
        launch.kernel = 0;
        launch.start = launch.called = 100, launch.end = launch.returned = 105;
        (*made)->add(launch, arguments(0, 1, 2));
        (*made)->add(OperationTime{1, 2000, 2500});
        (*made)->add(OperationTime{7, 1, 2}); // of no operation
    }
    const auto fromJournal = readJournal(journal.path);
    ASSERT_TRUE(fromJournal);
    ASSERT_TRUE(writeProgram(*fromJournal, out.path));
    const auto read = readProgram(out.path);
    ASSERT_TRUE(read) << read.error().text();
    for (const ProgramTrace* p : {&*fromJournal, &*read}) {
        ASSERT_EQ(p->operations.size(), 2u);
        const Operation &copy = p->operations[0], &launch = p->operations[1];
        EXPECT_EQ(std::tie(copy.start, copy.end, copy.called, copy.returned), std::tuple(40, 90, 40, 90));
        EXPECT_EQ(std::tie(launch.start, launch.end, launch.called, launch.returned), std::tuple(2000, 2500, 100, 105));
        EXPECT_EQ(p->info.backend, BackendKind::Cuda);
    }
}

// One that is like most, one that took the host 5 s (more than 32 bits of nanoseconds hold), one that was refused, and one
// that ran at another time than the call.
TEST(Journal, KeepsAllOfALaunchInWhicheverForm) {
    const Removed journal{file("f.journal")};
    std::vector<Operation> launches(4);
    for (std::uint32_t n = 0; n < launches.size(); ++n) {
        Operation& o = launches[n];
        o.stream = 3 + n, o.kernel = 0, o.shape = 1;
        o.called = o.start = 1'000'000'000'000 + n, o.returned = o.end = o.called + 250 + n;
    }
    launches[1].returned = launches[1].end = launches[1].called + 5'000'000'000;
    launches[2].error = 700;
    launches[3].start = launches[3].called + 9000, launches[3].end = launches[3].start + 77;
    {
        auto made = Journal::create(journal.path, {});
        ASSERT_TRUE(made);
        (*made)->add(kernel);
        for (std::uint32_t n = 0; n < launches.size(); ++n)
            EXPECT_EQ((*made)->add(launches[n], arguments(0x10, n, 0.5)), n);
    }
    const auto read = readJournal(journal.path);
    ASSERT_TRUE(read);
    ASSERT_EQ(read->operations.size(), launches.size());
    const auto fields = [](const Operation& o) {
        return std::tie(o.start, o.end, o.called, o.returned, o.stream, o.kernel, o.shape, o.error, o.kind,
                        o.recording);
    };
    for (std::uint32_t n = 0; n < launches.size(); ++n) {
        EXPECT_EQ(fields(read->operations[n]), fields(launches[n])) << n;
        EXPECT_EQ(argumentWords(*read, n)[1].value, std::to_string(n));
    }
}

// From where a message arises to where it is read: its identifier, its arguments and its kind.
TEST(Journal, KeepsWhatAMessageIs) {
    const Removed journal{file("m.journal")}, out{file("m.wgt")};
    const Message inner = say::UnfreedAlike(3, 4000, say::DeviceMemory(), 12000, "0, 1, 2");
    {
        auto made = Journal::create(journal.path, {});
        ASSERT_TRUE(made);
        (*made)->add(ProgramKernel{.name = "k", .entry = "k", .unrecorded = say::NoPtxOfIt});
        (*made)->add(messageOf(0, say::KernelRace(counted(plain("Who comes first?"), 2))));
        (*made)->add(messageOf(noIndex, inner));
        (*made)->add(messageOf(1, say::KernelNote(plain("a \xff b")))); // no UTF-8
    }
    const auto read = readJournal(journal.path);
    ASSERT_TRUE(read);
    ASSERT_TRUE(writeProgram(*read, out.path));
    const auto again = readProgram(out.path);
    ASSERT_TRUE(again) << again.error().text();
    for (const ProgramTrace* p : {&*read, &*again}) {
        ASSERT_EQ(p->messages.size(), 3u);
        EXPECT_EQ(p->messages[0].kind, MessageKind::Race);
        EXPECT_EQ(p->messages[0].text, "Who comes first? (2 times)");
        EXPECT_EQ(text(p->messages[0].message), p->messages[0].text);
        EXPECT_EQ(p->messages[1].message.id, say::UnfreedAlike.id);
        EXPECT_EQ(text(p->messages[1].message, {MessageLanguage::Chinese, {}, {}}),
                  text(inner, {MessageLanguage::Chinese, {}, {}}));
        EXPECT_EQ(p->messages[2].kind, MessageKind::Note);
        EXPECT_TRUE(hasFailed(*p));
        ASSERT_EQ(p->kernels.size(), 1u); // and why its launches have no warps
        EXPECT_EQ(p->kernels[0].unrecorded, Said(say::NoPtxOfIt));
    }
}

// Kinds decide whether a run has failed, not words; of a fault the program itself gets CUDA's number.
TEST(Program, HasFailedByKinds) {
    const auto of = [](Message message, std::uint32_t error = 0) {
        ProgramTrace p;
        p.operations.resize(1);
        p.operations[0].error = error;
        p.messages = {messageOf(0, std::move(message))};
        return hasFailed(p);
    };
    EXPECT_FALSE(of(say::KernelNote(plain("Two threads race, A thread reads through a null pointer "))));
    EXPECT_TRUE(of(say::KernelRace(plain("?"))));
    EXPECT_TRUE(of(say::KernelPassedOver(plain("?"))));
    EXPECT_FALSE(of(say::KernelHang(plain("?")), 702));
    EXPECT_FALSE(of(say::FreedTwice(plain("?"), 1), 1));      // cudaErrorInvalidValue
    EXPECT_FALSE(of(say::LaunchRefused("k", plain("?")), 9)); // cudaErrorInvalidConfiguration
}

// Recordings that are older than kinds say what they say by words alone.
TEST(ProgramFile, FindsTheKindsOfOlderRecordings) {
    const Removed out{file("old.wgt")};
    ProgramTrace p;
    p.operations.resize(2);
    p.operations[1].error = 700;
    using K = MessageKind;
    const std::vector<std::tuple<std::uint32_t, const char*, K>> old{
        {0, "Two threads race: this one reads 1 from a word of shared memory", K::Race},
        {0, "A thread reads 4 bytes at 0x10, 4 bytes past the end of buffer \"a\" (64 bytes): k", K::PassedOver},
        {0, "A thread reads byte 0 of buffer \"a\" before anything was written there", K::Note},
        {1, "A thread reads 4 bytes at 0x10, 4 bytes past the end of buffer \"a\" (64 bytes): k", K::Fault},
        {1, "A loop that never finishes, since it waits for what is never written: k", K::Hang},
        {1, "k was not run: operation 1 had failed", K::NotRun},
        {noIndex, "k was not launched: a grid of (0, 1) has no blocks", K::Refused},
        {noIndex, "500 bytes of managed memory are never freed: allocated by operation 3.", K::Leak}};
    for (const auto& [operation, words, kind] : old)
        p.messages.push_back({operation, words});
    ASSERT_TRUE(writeProgram(p, out.path));
    const auto read = readProgram(out.path);
    ASSERT_TRUE(read) << read.error().text();
    ASSERT_EQ(read->messages.size(), old.size());
    for (std::size_t n = 0; n < old.size(); ++n) {
        EXPECT_EQ(read->messages[n].kind, std::get<2>(old[n])) << read->messages[n].text;
        EXPECT_EQ(read->messages[n].text, std::get<1>(old[n]));
        EXPECT_TRUE(read->messages[n].message.arguments.empty());
    }
}

TEST(Journal, OutlivesAProcessThatIsKilled) {
    const Removed journal{file("b.journal")};
    const pid_t child = fork();
    if (child == 0) {
        auto made = Journal::create(journal.path, {});
        write(**made, 100);
        raise(SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    const auto program = readJournal(journal.path);
    ASSERT_TRUE(program);
    check(*program, 100);
}

// A limit on the size of files does to a mapped file what a full disk does. A page without room would kill the program
// that is recorded, so room is asked for, and what finds none is counted.
TEST(Journal, OnAFullDiskKeepsWhatFitsAndCountsTheRest) {
    const Removed none{file("e.journal")}, part{file("f.journal")};
    struct rlimit before {};
    getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const auto limit = [&](rlim_t bytes) {
        const struct rlimit small { bytes, before.rlim_max };
        setrlimit(RLIMIT_FSIZE, &small);
    };
    limit(4096);
    const auto refused = Journal::create(none.path, {});
    limit(4 << 20); // what it takes at first, and no more
    bool made = false;
    {
        auto journal = Journal::create(part.path, {});
        if ((made = journal.ok()))
            write(**journal, 100'000);
    }
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("File too large"), std::string::npos) << refused.error().text();
    const auto empty = readJournal(none.path);
    ASSERT_FALSE(empty);
    EXPECT_EQ(empty.error().message, "nothing of the program could be recorded");
    ASSERT_TRUE(made);
    const auto program = readJournal(part.path);
    ASSERT_TRUE(program) << program.error().text();
    EXPECT_GT(program->operations.size(), 10'000u);
    EXPECT_LT(program->operations.size(), 100'000u);
}

TEST(Journal, OfWhichTheEndIsMissingKeepsTheRest) {
    const Removed journal{file("c.journal")};
    {
        auto made = Journal::create(journal.path, {});
        write(**made, 100);
    }
    const auto whole = fs::file_size(journal.path);
    for (std::uint64_t cut = 1; cut < 300; ++cut) {
        fs::resize_file(journal.path, whole - cut);
        const auto program = readJournal(journal.path);
        ASSERT_TRUE(program);
        EXPECT_GE(program->operations.size(), 100u);
    }
    fs::resize_file(journal.path, 8);
    EXPECT_FALSE(readJournal(journal.path));
}

// Recorders once cut a kernel's name at its first parenthesis: of an anonymous namespace's nothing was left.
TEST(ProgramFile, NamesThatWereCutAreMade) {
    const Removed out{file("names.wgt")};
    ProgramTrace program;
    program.kernels.resize(2);
    program.kernels[0].entry = "_ZN12_GLOBAL__N_17softmaxIfEEvPT_";
    program.kernels[0].name = "";
    program.kernels[1].entry = "cutlass_80_gemm"; // not mangled: it stays
    program.kernels[1].name = "cutlass_80_gemm";
    ASSERT_TRUE(writeProgram(program, out.path));
    const auto read = readProgram(out.path);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->kernels[0].name, "(anonymous namespace)::softmax<float>");
    EXPECT_EQ(read->kernels[1].name, "cutlass_80_gemm");
}

// A forged file's differences came to more than a time holds.
TEST(ProgramFile, TimesThatNoProgramHasAreNone) {
    const Removed out{file("times.wgt")};
    ProgramTrace program;
    program.operations.resize(2);
    program.operations[0].start = program.operations[0].end = program.operations[0].returned = std::int64_t(1) << 62;
    program.operations[1].end = program.operations[1].returned = 7;
    ASSERT_TRUE(writeProgram(program, out.path));
    const auto read = readProgram(out.path);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->operations[0].end, 0);
    EXPECT_EQ(read->operations[1].end, 7);
}

TEST(ProgramFile, RefusesWhatIsDamagedAndWhatIsNone) {
    const Removed journal{file("d.journal")}, out{file("d.wgt")};
    {
        auto made = Journal::create(journal.path, {});
        write(**made, 1000);
    }
    ASSERT_TRUE(writeProgram(*readJournal(journal.path), out.path));
    std::string bytes;
    {
        std::ifstream in(out.path, std::ios::binary);
        bytes.assign(std::istreambuf_iterator<char>(in), {});
    }
    Progress progress; // whoever takes it for the trace of one launch is told what it is
    const auto asTrace = openTrace(out.path, progress);
    ASSERT_FALSE(asTrace);
    EXPECT_NE(asTrace.error().text().find("whole program"), std::string::npos) << asTrace.error().text();
    for (std::size_t at = 0; at < bytes.size(); at += 61) { // nothing crashes; rows are cut where they lead nowhere
        std::string bad = bytes;
        bad[at] = char(bad[at] ^ 0x55);
        std::ofstream(out.path, std::ios::binary) << bad;
        const auto read = readProgram(out.path);
        for (std::uint32_t n = 0; read && n < read->operations.size(); n += 100)
            (void)argumentWords(*read, n);
    }
    std::ofstream(out.path, std::ios::binary) << "no database at all";
    EXPECT_FALSE(readProgram(out.path));
    EXPECT_FALSE(isProgramFile(out.path));
    EXPECT_FALSE(readProgram(file("missing")));
}

// As a stranger changes a file that Warpglass has written.
Result<ProgramTrace> readChanged(const fs::path& path, const std::string& sql) {
    ProgramTrace program;
    program.kernels.resize(1);
    if (auto ok = writeProgram(program, path); !ok)
        return ok.error();
    {
        auto db = Database::create(path);
        if (!db)
            return db.error();
        if (auto ok = db->run(sql); !ok)
            return ok.error();
    }
    return readProgram(path);
}

TEST(ProgramFile, RefusesMoreShapesThanItsBytesHold) {
    const Removed out{file("shapes.wgt")};
    ASSERT_TRUE(readChanged(out.path, "UPDATE chunks SET rows = 0 WHERE name = 'shapes'"));
    // 2^62 shapes of 44 bytes are 0 bytes in 64 bits.
    const auto read = readChanged(out.path, "UPDATE chunks SET rows = 4611686018427387904 WHERE name = 'shapes'");
    ASSERT_FALSE(read);
    EXPECT_NE(read.error().text().find("shapes"), std::string::npos) << read.error().text();
}

TEST(ProgramFile, RefusesARowWithoutEnd) {
    const Removed out{file("row.wgt")};
    const auto brackets = [](int bytes) { // half as many zeros are as many hexadecimal digits
        return "UPDATE kernels SET row = replace(hex(zeroblob(" + std::to_string(bytes / 2) + ")), '0', '[')";
    };
    EXPECT_TRUE(readChanged(out.path, brackets(1 << 20)));
    EXPECT_FALSE(readChanged(out.path, brackets(20 << 20)));
}

TEST(ProgramFile, HasTracesInsideIfAskedFor) {
    const Removed folder{file("parts")}, journal{file("e.journal")}, out{file("e.wgt")};
    fs::create_directories(folder.path);
    std::ofstream(folder.path / "launch-1.wgt") << "a trace";
    {
        auto made = Journal::create(journal.path, {});
        write(**made, 10);
    }
    ASSERT_TRUE(writeProgram(*readJournal(journal.path), out.path, folder.path));
    fs::remove(folder.path / "launch-1.wgt");
    const auto read = readProgram(out.path);
    ASSERT_TRUE(read);
    const auto trace = recordingFile(out.path, *read, 0, folder.path);
    ASSERT_TRUE(trace) << trace.error().text();
    std::ifstream in(*trace);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "a trace");
}

TEST(ProgramSettings, SurviveTheEnvironment) {
    Settings s;
    s.folder = "/a b/\"c\"", s.kernels = "^k.*$", s.launches = {{0, 0}, {3, 7}};
    s.detail = "blocks", s.blocks = {1, 5}, s.timing = s.accesses = true, s.threads = 3, s.maxRecorded = 9;
    const Settings t = settingsFrom(settingsText(s));
    EXPECT_EQ(settingsText(t), settingsText(s));
    EXPECT_EQ(t.launches, s.launches);
    EXPECT_EQ(t.folder, s.folder);
    EXPECT_EQ(settingsFrom("nonsense").folder, "");
    EXPECT_EQ(settingsFrom("{\"folder\": 7}").folder, "");
}

TEST(ProgramSettings, ReadLaunchesAndRanges) {
    const auto ranges = parseLaunches("0,3,10-12");
    ASSERT_TRUE(ranges);
    EXPECT_EQ(*ranges, (std::vector<LaunchRange>{{0, 0}, {3, 3}, {10, 12}}));
    for (const char* wrong : {"", "a", "3-1", "1-", "-1", "1,,2", "1 2"})
        EXPECT_FALSE(parseLaunches(wrong)) << wrong;
}

TEST(ProgramFile, saysHowTheProgramWasStarted) {
    ProgramTrace p;
    p.info.origin = {"/home/someone", {"a.cu", "b.cu"}, {"--size", "7"}, {"-I", "include"}, "{}", "0123"};
    p.streams = {{"default"}};
    Operation o;
    o.kind = OperationKind(200); // none that there is
    o.direction = Direction(200);
    o.memory = MemoryKind(200);
    p.operations = {o};
    const Removed path{file("origin.wgt")};
    ASSERT_TRUE(writeProgram(p, path.path));
    const auto read = readProgram(path.path);
    ASSERT_TRUE(read);
    const ProgramOrigin& origin = read->info.origin;
    EXPECT_TRUE(origin.known());
    EXPECT_EQ(origin.folder, "/home/someone");
    EXPECT_EQ(origin.sources, p.info.origin.sources);
    EXPECT_EQ(origin.words, p.info.origin.words);
    EXPECT_EQ(origin.options, p.info.origin.options);
    EXPECT_EQ(origin.settings, "{}");
    EXPECT_EQ(origin.seal, "0123");
    EXPECT_EQ(read->operations[0].kind, OperationKind::HostFunction); // a reader may use it as an index
    EXPECT_EQ(read->operations[0].direction, Direction::None);
    EXPECT_EQ(read->operations[0].memory, MemoryKind::Device);
    p.info.origin = {};
    ASSERT_TRUE(writeProgram(p, path.path));
    EXPECT_FALSE(readProgram(path.path)->info.origin.known());
}
