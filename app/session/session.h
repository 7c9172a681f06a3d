// SPDX-License-Identifier: GPL-3.0-or-later
// app/session: from what a person asks for to a Recording, the same way from the command line and from the window. No
// Qt.
//
// A RunRequest is plain data: a kernel of the catalogue or a file, a shape, a backend. planOf() turns it into a
// LaunchPlan, refusing what the device could not launch; runRequest() runs it. summary.h turns a Recording into the
// JSON object that tests and users rely on; sweep.h varies a request.
#pragma once

#include "app/session/compile.h"
#include "gpu/base/progress.h"
#include "gpu/base/result.h"
#include "gpu/kernels/catalogue.h"
#include "gpu/launch/backend.h"
#include "gpu/trace/machine_codes.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warpglass::session {

// What the compiler made of a text, and of what: it is used again while nothing of that has changed.
struct CompiledText {
    std::string ptx, text, instance;
    CompileMode mode = CompileMode::Optimised;
};

struct RunRequest {
    std::string kernel;                           // a name of the catalogue, or the path of a .ptx or .cu file
    std::optional<std::string> text;              // of that file, as it is being edited; nothing: what is on the disk
    std::shared_ptr<const CompiledText> compiled; // of text; nothing: it is compiled for the run
    std::string source, sourceName;   // of a .ptx: what it was compiled from, where a recording has it; for the reader
    std::string ttgir;                // the same, of Triton's
    std::string entry;                // --kernel: which entry of a file; empty = its only one. Mangled or plain name
    std::string backend = "emulator"; // or "cuda"
    LaunchRequest launch; // size, grid, block, shared bytes, mode, --set. A file needs grid, block and arguments
    std::vector<std::string> arguments; // --arg specs (gpu/launch/arguments.h), for files
    std::vector<std::string> buffers;   // --buffer: more buffers, which only pointers lead to; specs as for arguments
    std::vector<std::string> textures;  // --texture, --surface: specs as gpu/launch/texture_words.h says, for files
    std::vector<std::string> surfaces;
    std::vector<std::string> globals; // --global: NAME=VALUES or NAME:TYPE[COUNT]=INITIAL of a __device__ or
                                      // __constant__ variable
    CompileOptions compile;           // of a .cu file; its mode is that of launch
    bool modeChosen = false;          // by a person, who finds it so whatever else is chosen after it
    bool documentLaunch = false; // what launch leaves out comes from the document's own launch instead of the small one
    bool meetsByCode = true;    // of a file whose registers are counted: lanes meet as that code says; else by the text
    MachineCodes codes;         // of a run that is made again: they say it, whatever ptxas is there
    bool countRegisters = true; // of a file, for the emulator: by ptxas, where there is one; else they are estimated
    std::uint32_t registers = 0;                  // a thread, where somebody has counted them before; 0: not yet
    bool accesses = false;                        // record accesses even for grids of more than accessBlocks blocks
    std::optional<std::uint32_t> pendingLaunches; // device-side launches that may wait; else the plan's own limit
    RunOptions options;                           // device, detail, timing, policy, threads, ...
    // Of a launch that a program has made, for the emulator: what its memory held, in place of all that describes it.
    std::shared_ptr<const KeptMemory> kept;
    std::optional<std::uint64_t> heapLimit; // bytes of the kernels' malloc; else the plan's own
    std::string command;                    // kept in the trace for the reader of an exported picture
};

// Accesses (addresses and values) of the chosen blocks are recorded without being asked for up to this many blocks a
// grid, because then all of them can be looked at; above it they would cost more than everything else together.
inline constexpr std::uint64_t accessBlocks = 64;

// What the request comes to, before it runs: text, shape, arguments, check. Error: unknown kernel (naming similar
// ones), unreadable file, a shape over the device's limits, arguments that do not fit the entry's parameters.
Result<LaunchPlan> planOf(const RunRequest& request);

// Runs what planOf made of the same request.
Result<Recording> runPlan(const RunRequest& request, const LaunchPlan& plan, Progress& progress);
// The same on a backend that is kept, which for a GPU saves starting its driver anew for each run.
Result<Recording> runPlan(const RunRequest& request, const LaunchPlan& plan, Backend& backend, Progress& progress);

// Of a recording with a fault, as a person is told it: where a kernel of a source file fails is a line of that, not of PTX
// that nobody has seen.
Error faultOf(const Recording& recording, const RunRequest& request);

// Plans and runs. Cancelling progress ends it with an Error. A fault of the kernel itself is in the Recording.
Result<Recording> runRequest(const RunRequest& request, Progress& progress);

// "emulator" or "cuda"; Error: no such backend, or it cannot run here and why.
Result<std::unique_ptr<Backend>> makeBackend(const std::string& name);
// A kernel that came in a file, for the emulator: it runs in the cage (gpu/cage), and nowhere else.
bool isCaged(const RunRequest& request);
// The same for the request: the emulator runs a kernel that came in a file, whoever wrote it, in a process that can do
// nothing else (gpu/cage); those of the catalogue are ours, and run here.
Result<std::unique_ptr<Backend>> backendFor(const RunRequest& request);

} // namespace warpglass::session
