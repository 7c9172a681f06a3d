// SPDX-License-Identifier: GPL-3.0-or-later
// What became of copies and mbarriers, worked out by hand from records of two warps.
#include "gpu/probe/async_rows.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace warpglass::probe {
namespace {

// One block of two warps that ends at 1000.
class AsyncRecords : public ::testing::Test {
protected:
    AsyncRecords() {
        trace.launches.push_back({.blockCount = 1});
        trace.blocks.push_back({.end = Time{1000}, .firstWarp = 0, .warpCount = 2});
        trace.warps.resize(2);
        trace.sites.resize(1);
        for (const auto& [site, part] :
             {std::pair(&init, AsyncPart::Init), std::pair(&arrives, AsyncPart::Arrive),
              std::pair(&expects, AsyncPart::Arrive), std::pair(&tries, AsyncPart::Try),
              std::pair(&bulk, AsyncPart::Bulk), std::pair(&box, AsyncPart::Bulk),
              std::pair(&commits, AsyncPart::LanesCommit), std::pair(&waitsButOne, AsyncPart::LanesWait),
              std::pair(&waitsAll, AsyncPart::LanesWait)})
            site->async = part;
        expects.tells = bulk.tells = box.tells = true;
        bulk.copy = AsyncCopyKind::Bulk;
        box.copy = AsyncCopyKind::Tensor;
        waitsButOne.keeps = 1;
        waitsAll.site.text = "cp.async.wait_all;";
    }

    AsyncEvent event(const ProbeSite& what, std::uint32_t warp, std::int64_t time) const {
        AsyncEvent e;
        e.what = &what;
        e.warp = warp;
        e.time = e.begun = Time{time};
        e.lanes = {1};
        e.address = 64;
        return e;
    }
    void onBarrier(const ProbeSite& what, std::uint32_t warp, std::int64_t time, std::uint32_t count) {
        AsyncEvent e = event(what, warp, time);
        e.count = count;
        rows.add(e);
    }
    void copy(const ProbeSite& what, std::uint32_t warp, std::int64_t time, std::uint32_t place, std::uint32_t bytes) {
        AsyncEvent e = event(what, warp, time);
        e.place = place;
        e.count = bytes;
        rows.add(e);
    }
    void tried(std::uint32_t warp, std::int64_t begun, std::int64_t time, std::uint32_t parity, bool passes) {
        AsyncEvent e = event(tries, warp, time);
        e.begun = Time{begun};
        e.cycles = std::uint32_t(time - begun);
        e.parity = parity;
        e.passed = passes ? e.lanes : LaneMask{};
        rows.add(e);
    }
    std::string told() {
        rows.finish();
        std::string text;
        for (const PhaseEvent& e : trace.phaseEvents)
            text += fmt::format("{} {} phase {} count {} {}\n", e.time.value, name(e.kind), e.phase, e.count,
                                e.warp == noIndex ? "-" : std::to_string(e.warp));
        for (const AsyncCopy& c : trace.copies)
            text +=
                fmt::format("copy {} to {}: {} bytes at {}\n", c.issued.value, c.complete.value, c.bytes, int(c.place));
        return text;
    }

    Trace trace;
    ProbeSite init, arrives, expects, tries, bulk, box, commits, waitsButOne, waitsAll;
    AsyncRows rows{trace, 1, 0};
};

// Of the 128 bytes of phase 0 a copy says 28: the box has the other 100. Both have come when the wait, which takes 85, lets
// warp 1 go on. The next wait takes 5, the quickest of all, and so waits for nothing.
TEST_F(AsyncRecords, ABoxHasWhatIsLeftOfItsPhase) {
    onBarrier(init, 0, 10, 1);
    onBarrier(expects, 0, 20, 128);
    copy(box, 0, 30, 1024, 0);
    copy(bulk, 0, 32, 2048, 28);
    onBarrier(expects, 0, 220, 128);
    copy(bulk, 0, 230, 1024, 128);
    tried(1, 15, 100, 0, true);
    tried(1, 300, 305, 1, true);
    EXPECT_EQ(told(), "10 init phase 0 count 1 0\n"
                      "15 wait phase 0 count 0 1\n"
                      "20 expect phase 0 count 128 0\n"
                      "20 arrive phase 0 count 1 0\n"
                      "100 copied phase 0 count 100 -\n"
                      "100 copied phase 0 count 28 -\n"
                      "100 complete phase 0 count 0 -\n"
                      "100 pass phase 0 count 0 1\n"
                      "220 expect phase 1 count 128 0\n"
                      "220 arrive phase 1 count 1 0\n"
                      "305 copied phase 1 count 128 -\n"
                      "305 complete phase 1 count 0 -\n"
                      "305 pass phase 1 count 0 1\n"
                      "copy 30 to 100: 100 bytes at 1024\n"
                      "copy 32 to 100: 28 bytes at 2048\n"
                      "copy 230 to 305: 128 bytes at 1024\n");
}

// A phase of two arrivals is over with the second, at 40, whoever sees it when. Asked for by parity 1 before that, the phase
// before the first holds nobody and is not told; by parity 0 it is phase 0.
TEST_F(AsyncRecords, APhaseOfArrivalsEndsWithTheLast) {
    onBarrier(init, 0, 5, 2);
    tried(0, 6, 8, 1, true);
    onBarrier(arrives, 0, 10, 1);
    tried(0, 20, 25, 0, false);
    tried(0, 30, 45, 0, true);
    onBarrier(arrives, 1, 40, 1);
    EXPECT_EQ(told(), "5 init phase 0 count 2 0\n"
                      "10 arrive phase 0 count 1 0\n"
                      "20 wait phase 0 count 0 0\n"
                      "40 arrive phase 0 count 1 1\n"
                      "40 complete phase 0 count 0 1\n"
                      "45 pass phase 0 count 0 0\n");
    EXPECT_EQ(trace.phaseEvents[1].missing, 1u);
    EXPECT_EQ(trace.phaseEvents[3].missing, 0u);
}

// Two groups; the wait at 50 leaves one under way, the one at 90 none.
TEST_F(AsyncRecords, GroupsComeInOrder) {
    for (const std::int64_t time : {10, 20}) {
        AsyncEvent e = event(commits, 0, time);
        e.begun = Time{time - 5};
        e.address = noIndex;
        e.place = std::uint32_t(time);
        e.count = 64;
        e.copySite = 0;
        rows.add(e);
    }
    rows.add(event(waitsButOne, 0, 50));
    rows.add(event(waitsAll, 0, 90));
    rows.finish();
    ASSERT_EQ(trace.copies.size(), 2u);
    EXPECT_EQ(trace.copies[0].issued.value, 5);
    EXPECT_EQ(trace.copies[0].complete.value, 50);
    EXPECT_EQ(trace.copies[1].issued.value, 15);
    EXPECT_EQ(trace.copies[1].complete.value, 90);
    EXPECT_EQ(trace.copies[0].barrier, noIndex);
}

} // namespace
} // namespace warpglass::probe
