// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/program/pace.h"

namespace warpglass::program {

// Measured on 2026-11-28 on an H200 (driver 580, CUDA 13.0) in a virtual machine with Xeon processors, medians of 7 to 15 each, two
// runs. Calls: 200 launches in a row 4.5 and 4.6 us each; cudaMemcpyAsync of 256 pinned bytes 2.4 and 1.5, cudaMemsetAsync 1.4 and
// 0.9, cudaEventRecord 1.4, cudaStreamWaitEvent 0.4 and 0.3, cudaMalloc with cudaFree 92 and 62, in a pool 2.5 and 1.5, idle waits
// 0.9 to 0.3. Work by the device's own events, behind other work: bytes from 4 to 128 Mi; 55 bytes a ns by PCIe either way, beside
// each other 0.9 of it, and two copies one way one after the other. A launch with its wait takes 10.3 and 9.3 us, a cudaMemcpy of
// 4 pinned bytes 7.2 and 6.5: start and waitReturn come to 4 us together, and how they share it was not seen. Empty kernels follow each
// other every 1.32 and 1.40 us, of which one itself is estimated at 0.97.
//
// Ten small programs in which these come mixed took 416 70 373 369 421 33 52 96 191 135 us (means of two runs' medians of 40); by these
// figures and estimated kernels 350 68 406 364 376 27 53 86 231 167. Three figures are as those programs had it and not as a row of one
// call: a launch among other calls (3.4 to 4 us), cudaMalloc and cudaFree of memory that was there before, and what lies between a kernel
// and a copy by an engine.
//
// Between devices: two H200 of one host with 18 links of NVLink 4 (2026-11-29, same driver; peer_* of tests/timing/h200-links.csv),
// bytes from 4 to 256 Mi, medians of 7, one copy behind the other. With access to each other's memory 394 bytes a ns either way, both
// ways at once as much each, and two copies one way share it; without, 38. An event that a stream of the other device waits for, there
// and back: 14.6 us, with two streams of one device 4.2.
const Pace& measuredPace() {
    static constexpr Pace pace{.launchCall = 4000,
                               .copyCall = 1900,
                               .fillCall = 1150,
                               .recordCall = 1370,
                               .behindCall = 310,
                               .memoryCall = 25000,
                               .poolCall = 1000,
                               .waitIdle = 600,
                               .waitReturn = 2500,
                               .start = 1500,
                               .between = 400,
                               .otherEngine = 5000,
                               .otherDevice = 5200,
                               .pinnedTo = {2330, 55.3},
                               .pinnedFrom = {1750, 55.3},
                               .pageableTo = {2330, 10.5}, // 96 and 104 us for 1 Mi, 1.42 and 1.45 ms for 16 Mi
                               .pageableFrom = {1750, 9},  // 138 and 153 us, 1.70 and 1.76 ms
                               .within = {1700, 2040},
                               .fill = {1400, 4200},
                               .linkPut = {2700, 394},
                               .linkGet = {12500, 394}, // 14 us up to 256 Ki, 54.5 and 55.4 for 16 Mi
                               .linkThroughHost = {13000, 38}};
    return pace;
}

} // namespace warpglass::program
