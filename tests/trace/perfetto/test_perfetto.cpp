// SPDX-License-Identifier: GPL-3.0-or-later
// The export decoded by protobuf from a description of its own, and checked track by track.
#include "gpu/trace/export.h"
#include "gpu/trace/file.h"
#include "tests/trace/random_trace.h"

#include "perfetto_subset.pb.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <unistd.h>

namespace warpglass {
namespace {

namespace fs = std::filesystem;
namespace pb = perfetto_subset;

struct Slice {
    std::string name;
    std::uint64_t begin = 0, end = 0;
    std::map<std::string, std::string> arguments;
    int depth = 0;
};

struct Track {
    std::string name, kind; // process, thread, track, counter
    std::uint64_t parent = 0;
    int pid = 0;
    std::vector<Slice> slices; // in the order they begin
    std::vector<Slice> instants;
    std::vector<std::pair<std::uint64_t, double>> values;
};

// The tracks of a file. What a viewer would stumble over is a failed expectation: an event on a track that nobody
// described, a slice that ends before it begins or never, an end without a begin, time that runs back on a track, a
// name of an argument that was never said.
std::map<std::uint64_t, Track> tracksOf(const pb::Trace& trace) {
    std::map<std::uint64_t, Track> tracks;
    std::map<std::uint64_t, std::vector<std::size_t>> open;
    std::map<std::uint64_t, std::uint64_t> last;
    std::map<std::uint64_t, std::string> names, texts;
    std::set<std::pair<int, int>> threads;
    std::set<int> processes;
    bool first = true;
    for (const pb::TracePacket& packet : trace.packet()) {
        EXPECT_EQ(packet.trusted_packet_sequence_id(), 1u);
        EXPECT_EQ(packet.sequence_flags(), first ? 1u : 2u); // cleared once, then needed
        first = false;
        for (const auto& n : packet.interned_data().debug_annotation_names())
            names[n.iid()] = n.text();
        for (const auto& n : packet.interned_data().debug_annotation_string_values())
            texts[n.iid()] = n.text();
        if (packet.has_track_descriptor()) {
            const auto& d = packet.track_descriptor();
            EXPECT_NE(d.uuid(), 0u);
            EXPECT_FALSE(tracks.count(d.uuid())) << "two tracks have the number " << d.uuid();
            Track& t = tracks[d.uuid()];
            t.parent = d.parent_uuid();
            if (d.has_process()) {
                t.kind = "process";
                t.name = d.process().process_name();
                t.pid = d.process().pid();
                EXPECT_TRUE(processes.insert(t.pid).second);
            } else if (d.has_thread()) {
                t.kind = "thread";
                t.name = d.thread().thread_name();
                t.pid = d.thread().pid();
                EXPECT_GT(d.thread().tid(), 0);
                EXPECT_TRUE(threads.emplace(d.thread().pid(), d.thread().tid()).second) << "two threads, one number";
                EXPECT_TRUE(processes.count(t.pid)) << "a thread of no process";
            } else {
                t.kind = d.has_counter() ? "counter" : "track";
                t.name = d.name();
                EXPECT_TRUE(tracks.count(t.parent)) << "a track without its parent";
                t.pid = tracks[t.parent].pid;
            }
            EXPECT_FALSE(t.name.empty());
            continue;
        }
        if (!packet.has_track_event())
            continue;
        const pb::TrackEvent& e = packet.track_event();
        const auto at = tracks.find(e.track_uuid());
        if (at == tracks.end()) {
            ADD_FAILURE() << "an event on track " << e.track_uuid() << ", which was not described";
            continue;
        }
        Track& t = at->second;
        EXPECT_TRUE(packet.has_timestamp());
        EXPECT_GE(packet.timestamp(), last[e.track_uuid()]) << t.name;
        EXPECT_LT(packet.timestamp(), 1ull << 62) << "a time before the beginning";
        last[e.track_uuid()] = packet.timestamp();
        Slice slice{e.name(), packet.timestamp(), 0, {}, 0};
        for (const auto& a : e.debug_annotations()) {
            EXPECT_TRUE(a.name_field_case() == pb::DebugAnnotation::kName || names.count(a.name_iid()));
            const std::string label =
                a.name_field_case() == pb::DebugAnnotation::kName ? a.name() : names[a.name_iid()];
            std::string& value = slice.arguments[label];
            switch (a.value_case()) {
            case pb::DebugAnnotation::kIntValue:
                value = std::to_string(a.int_value());
                break;
            case pb::DebugAnnotation::kPointerValue: {
                char hex[20];
                std::snprintf(hex, sizeof hex, "0x%llx", static_cast<unsigned long long>(a.pointer_value()));
                value = hex;
                break;
            }
            case pb::DebugAnnotation::kStringValue:
                value = a.string_value();
                break;
            case pb::DebugAnnotation::kStringValueIid:
                EXPECT_TRUE(texts.count(a.string_value_iid()));
                value = texts[a.string_value_iid()];
                break;
            case pb::DebugAnnotation::kDoubleValue:
                value = std::to_string(a.double_value());
                break;
            default:
                ADD_FAILURE() << "an argument without a value: " << label;
            }
        }
        auto& stack = open[e.track_uuid()];
        switch (e.type()) {
        case pb::TrackEvent::TYPE_SLICE_BEGIN:
            EXPECT_NE(t.kind, "counter");
            EXPECT_FALSE(e.name().empty());
            slice.depth = int(stack.size());
            stack.push_back(t.slices.size());
            t.slices.push_back(std::move(slice));
            break;
        case pb::TrackEvent::TYPE_SLICE_END:
            if (stack.empty()) {
                ADD_FAILURE() << "an end without a begin on " << t.name;
                break;
            }
            t.slices[stack.back()].end = packet.timestamp();
            EXPECT_GE(packet.timestamp(), t.slices[stack.back()].begin);
            stack.pop_back();
            break;
        case pb::TrackEvent::TYPE_INSTANT:
            t.instants.push_back(std::move(slice));
            break;
        case pb::TrackEvent::TYPE_COUNTER:
            EXPECT_EQ(t.kind, "counter");
            t.values.emplace_back(packet.timestamp(),
                                  e.has_counter_value() ? double(e.counter_value()) : e.double_counter_value());
            break;
        default:
            ADD_FAILURE() << "an event without a type";
        }
    }
    for (const auto& [uuid, stack] : open)
        EXPECT_TRUE(stack.empty()) << tracks[uuid].name << " has slices that never end";
    return tracks;
}

// No two slices of the same depth of a track overlap, and each lies within the one that it was begun in.
void expectNoOverlaps(const std::map<std::uint64_t, Track>& tracks) {
    for (const auto& [uuid, track] : tracks) {
        std::map<int, std::uint64_t> free;
        std::vector<std::pair<std::uint64_t, std::uint64_t>> around;
        for (const Slice& s : track.slices) {
            EXPECT_GE(s.begin, free[s.depth]) << track.name << ": " << s.name;
            free[s.depth] = s.end;
            around.resize(std::size_t(s.depth));
            if (!around.empty()) {
                EXPECT_GE(s.begin, around.back().first) << track.name;
                EXPECT_LE(s.end, around.back().second) << track.name;
            }
            around.emplace_back(s.begin, s.end);
        }
    }
}

std::vector<const Track*> ofKind(const std::map<std::uint64_t, Track>& tracks, const std::string& kind,
                                 const std::string& part = "") {
    std::vector<const Track*> found;
    for (const auto& [uuid, track] : tracks)
        if (track.kind == kind && track.name.find(part) != std::string::npos)
            found.push_back(&track);
    return found;
}

class Perfetto : public testing::Test {
protected:
    void SetUp() override {
        m_folder = fs::temp_directory_path() / ("warpglass_perfetto_" + std::to_string(getpid()));
        fs::create_directories(m_folder);
    }
    void TearDown() override { fs::remove_all(m_folder); }

    std::map<std::uint64_t, Track> exported(const Trace& trace) {
        Progress progress;
        const auto ok = exportPerfetto(trace, m_folder / "t.pftrace", progress);
        EXPECT_TRUE(ok) << (ok ? "" : ok.error().text());
        std::ifstream in(m_folder / "t.pftrace", std::ios::binary);
        pb::Trace decoded;
        EXPECT_TRUE(decoded.ParseFromIstream(&in)) << "protobuf cannot read it";
        EXPECT_TRUE(decoded.unknown_fields().empty());
        for (const auto& packet : decoded.packet()) { // every field we write is in the public description
            EXPECT_TRUE(packet.unknown_fields().empty());
            EXPECT_TRUE(packet.track_event().unknown_fields().empty());
            EXPECT_TRUE(packet.track_descriptor().unknown_fields().empty());
            EXPECT_TRUE(packet.interned_data().unknown_fields().empty());
        }
        auto tracks = tracksOf(decoded);
        expectNoOverlaps(tracks);
        return tracks;
    }
    fs::path m_folder;
};

// One block of two warps that were in the same slot at the same time; the first meets a branch.
Trace smallTrace() {
    Trace t;
    t.info.timeUnit = TimeUnit::Nanoseconds;
    t.info.timeOrigin = Origin::Measured;
    Kernel kernel;
    kernel.name = "sum";
    kernel.files = {"sum.cu"};
    t.kernels.push_back(kernel);
    t.sites.push_back({0, SiteKind::Branch, 12, {{0, 7, 3}}, "@%p2 bra $L;"});
    Launch launch;
    launch.grid = {2, 1, 1};
    launch.block = {64, 1, 1};
    launch.start = {1005};
    launch.end = {1095};
    launch.blockCount = 1;
    t.launches.push_back(launch);
    Launch dropped;
    dropped.start = dropped.end = {1050};
    dropped.parentLaunch = 0;
    dropped.depth = 1;
    dropped.status = LaunchStatus::Dropped;
    dropped.reason = "too many launches were pending";
    t.launches.push_back(dropped);
    Block block;
    block.sm = 3;
    block.start = {1010};
    block.end = {1080};
    block.warpCount = 2;
    t.blocks.push_back(block);
    Warp w;
    w.slot = 9;
    w.scheduler = 1;
    w.liveLanes = LaneMask::all();
    w.start = {1010};
    w.end = {1050};
    w.eventCount = 2;
    t.events.push(0, 0, EventKind::Entry, LaneMask::all(), {});
    t.events.push(30, 0, EventKind::Branch, LaneMask::all(), {0xaaaaaaaa});
    t.warps.push_back(w);
    w.warpInBlock = 1;
    w.start = {1040};
    w.firstEvent = 2;
    w.eventCount = 0;
    t.warps.push_back(w);
    t.counters.push_back({0, "branch_efficiency", "", 87.5, "%", Origin::Counted});
    return t;
}

TEST_F(Perfetto, SaysWhatHappenedWhereWithWhichLanes) {
    const auto tracks = exported(smallTrace());
    const auto slots = ofKind(tracks, "thread");
    ASSERT_EQ(slots.size(), 2u); // the second for the warp that overlaps
    EXPECT_EQ(slots[0]->name, "slot 9 (scheduler 1)");
    EXPECT_EQ(slots[1]->name, "slot 9 (scheduler 1, 2)");
    ASSERT_EQ(slots[0]->slices.size(), 3u);
    const Slice& warp = slots[0]->slices[0];
    EXPECT_EQ(warp.name, "block (0) warp 0");
    EXPECT_EQ(warp.begin, 5u); // from the launch's start
    EXPECT_EQ(warp.end, 45u);
    EXPECT_EQ(warp.arguments.at("lanes with a thread"), "0xffffffff");
    EXPECT_EQ(warp.arguments.at("launch"), "0");
    const Slice& branch = slots[0]->slices[2];
    EXPECT_EQ(branch.name, "branch ffffffff");
    EXPECT_EQ(branch.depth, 1);
    EXPECT_EQ(branch.begin, 35u);
    EXPECT_EQ(branch.end, 45u);
    EXPECT_EQ(branch.arguments.at("taken"), "0xaaaaaaaa");
    EXPECT_EQ(branch.arguments.at("lanes on"), "32");
    EXPECT_EQ(branch.arguments.at("source line"), "7");
    EXPECT_EQ(branch.arguments.at("instruction"), "@%p2 bra $L;");
    ASSERT_EQ(ofKind(tracks, "process", "SM 3 (measured)").size(), 1u);
}

TEST_F(Perfetto, ShowsLaunchesAndWhyOneWasDropped) {
    const auto tracks = exported(smallTrace());
    const auto ran = ofKind(tracks, "track", "depth 0");
    ASSERT_EQ(ran.size(), 1u);
    ASSERT_EQ(ran[0]->slices.size(), 1u);
    EXPECT_EQ(ran[0]->slices[0].name, "sum <<<2, 64>>>");
    EXPECT_EQ(ran[0]->slices[0].end - ran[0]->slices[0].begin, 90u);
    EXPECT_EQ(ran[0]->slices[0].arguments.at("branch_efficiency [%, counted]"), "87.500000");
    const auto dropped = ofKind(tracks, "track", "depth 1: dropped");
    ASSERT_EQ(dropped.size(), 1u);
    ASSERT_EQ(dropped[0]->instants.size(), 1u);
    EXPECT_EQ(dropped[0]->instants[0].arguments.at("reason"), "too many launches were pending");
    EXPECT_EQ(dropped[0]->instants[0].arguments.at("parent"), "0");
}

TEST_F(Perfetto, CountsWhatIsResidentAndWhatWasMeasured) {
    const auto tracks = exported(smallTrace());
    const auto resident = ofKind(tracks, "counter", "resident blocks");
    ASSERT_EQ(resident.size(), 1u);
    EXPECT_EQ(resident[0]->values, (std::vector<std::pair<std::uint64_t, double>>{{5, 1}, {75, 0}}));
    const auto metric = ofKind(tracks, "counter", "branch_efficiency [%, counted]");
    ASSERT_EQ(metric.size(), 1u);
    EXPECT_EQ(metric[0]->values, (std::vector<std::pair<std::uint64_t, double>>{{0, 87.5}, {90, 87.5}}));
}

TEST_F(Perfetto, DrawsEveryStateOfASlotOnItsOwnTrack) {
    Trace t = smallTrace();
    t.launches.pop_back();
    t.info.timing = true;
    t.info.timeOrigin = Origin::Modelled;
    t.info.smClockMHz = 2000; // a cycle is half a nanosecond
    t.warps[0].stateCount = 3;
    t.warps[1].firstState = 3;
    t.states = {{{20}, {21}, WarpState::Selected, 5},
                {{21}, {60}, WarpState::StallLongScoreboard, 6},
                {{60}, {100}, WarpState::StallBarrier, 6}};
    const auto tracks = exported(t);
    const auto states = ofKind(tracks, "track", "slot 9 states");
    ASSERT_EQ(states.size(), 2u);
    ASSERT_EQ(states[0]->slices.size(), 3u);
    const Slice& selected = states[0]->slices[0]; // half a nanosecond, of which a microsecond stands for one
    EXPECT_EQ(selected.name, name(WarpState::Selected));
    EXPECT_EQ(selected.begin, 5000u);
    EXPECT_EQ(selected.end, 5500u);
    EXPECT_EQ(selected.arguments.at("cycles"), "1");
    EXPECT_EQ(selected.arguments.at("instruction"), "PTX line 5");
    EXPECT_EQ(states[0]->slices[2].end, 45000u); // with the warp
    EXPECT_EQ(ofKind(tracks, "process", "1 us shown is 1 ns, modelled").size(), 2u);
}

TEST_F(Perfetto, HoldsEveryWarpAndLaunchOfAnyTrace) {
    for (unsigned seed = 0; seed < 12; ++seed) {
        const Trace t = randomTrace(seed, 12, 12, seed % 4 == 1);
        const auto tracks = exported(t);
        std::size_t warps = 0, launches = 0, dropped = 0, ran = 0;
        for (const Track* slot : ofKind(tracks, "thread"))
            for (const Slice& s : slot->slices)
                warps += s.depth == 0;
        EXPECT_EQ(warps, t.warps.size()) << seed;
        for (const Track* track : ofKind(tracks, "track", "depth ")) {
            launches += track->slices.size();
            dropped += track->instants.size();
        }
        for (const Launch& l : t.launches)
            ran += l.status == LaunchStatus::Ran;
        EXPECT_EQ(launches, ran) << seed;
        EXPECT_EQ(launches + dropped, t.launches.size()) << seed;
    }
}

TEST_F(Perfetto, TakesTheRecordingsOfARealGpu) {
    for (const char* recording : {"nestedHelloWorld-optimised.wgt", "gpuRecursiveReduceNosync-optimised-2097152.wgt",
                                  "mathKernel1-as-written.wgt"}) {
        Progress progress;
        const auto trace = readTrace(fs::path(WARPGLASS_SOURCE_DIR "/resources/recordings") / recording, progress);
        ASSERT_TRUE(trace) << trace.error().text();
        const auto tracks = exported(**trace);
        std::size_t warps = 0;
        for (const Track* slot : ofKind(tracks, "thread"))
            for (const Slice& s : slot->slices)
                warps += s.depth == 0;
        EXPECT_EQ(warps, (*trace)->warps.size()) << recording;
        EXPECT_FALSE(ofKind(tracks, "process", "measured").empty());
    }
}

} // namespace
} // namespace warpglass
