// SPDX-License-Identifier: GPL-3.0-or-later
// gpu/cuda: the backend that runs a kernel on an NVIDIA GPU.
//
// Four parts, so that the program starts and works without driver, toolkit and plug-in, and outlives a sick GPU:
//
// The loader (this folder; no CUDA in it) hands a plan to a worker process and waits for the answer. A kernel that
// never ends, or that leaves the driver unusable, costs the worker its life and the program nothing; cancelling is the
// same.
//
// The worker (worker/) is a small program beside the others that opens the plug-in at run time and says so in a
// sentence if it cannot.
//
// The plug-in (plugin/, libwarpglass_cuda.so; only built where a CUDA toolkit is) has the static CUDA runtime, the
// driver's entry points asked for at run time, and CUPTI opened if it is there.
//
// The compiler (nvrtc/, the program warpglass-nvrtc; always built) opens NVRTC, which may be there without a toolkit.
//
// What the two sides say to each other is in protocol.h.
#pragma once

#include "gpu/launch/backend.h"

#include <memory>
#include <string>
#include <vector>

namespace warpglass {

struct CudaDevice {
    int ordinal = 0;
    std::string name;             // "NVIDIA H200"
    int ccMajor = 0, ccMinor = 0; // compute capability
    int smCount = 0;
    double smClockMHz = 0, memoryClockMHz = 0;
    std::uint64_t memoryBytes = 0;
    std::string driver; // "580.159.03, CUDA 13.0"
};

// Never null; available() says in one sentence why it cannot run here. The plan goes through two runs, never mixed: a
// clean one for the answer, the duration and the counters, a probed one for the events. RunOptions::device is an
// ordinal or a part of a name; "" is the first.
std::unique_ptr<Backend> loadCudaBackend();

// The GPUs of this machine; Error: none can be used, and why.
Result<std::vector<CudaDevice>> cudaDevices();

// CUDA source -> PTX by NVRTC; needs no GPU. as-written keeps the code as the source says it (NVRTC's -G). Error: the
// compiler's own words with file and line, or that NVRTC is not there. arch: "compute_90"; empty: the oldest that there
// is. options: further ones, as NVRTC takes them.
// closed: of a stranger's text: files that are no toolkit's and no system's cannot be read.
Result<std::string> compileCuda(const std::string& source, const std::string& name, CompileMode mode,
                                const std::string& arch = {}, const std::vector<std::string>& options = {},
                                bool closed = false);

} // namespace warpglass
