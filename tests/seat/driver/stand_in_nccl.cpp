// SPDX-License-Identifier: GPL-3.0-or-later
// A library for tests under the name of NCCL's: what it is asked for it "does" by launching a kernel of its own, in a group at
// the group's end, one for all of it, as NCCL does.
#include <cstddef>
#include <cstring>

#define STAND_IN extern "C" __attribute__((visibility("default")))

extern "C" {
int cuModuleLoadData(void**, const void*);
int cuModuleGetFunction(void**, void*, const char*);
int cuLaunchKernel(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**);
}

namespace {

struct Comm {
    int rank = 0, ranks = 0;
};
struct UniqueId {
    char internal[128];
};
int depth = 0;
bool asked = false;
void* askedOn = nullptr;

int launch(void* stream) {
    static const char ptx[] =
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry ncclDevKernel() {\n ret;\n}\n";
    static void *module = nullptr, *kernel = nullptr;
    if (!module && (cuModuleLoadData(&module, ptx) != 0 || cuModuleGetFunction(&kernel, module, "ncclDevKernel") != 0))
        return 1;
    return cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, stream, nullptr, nullptr);
}

int work(void* stream) {
    if (depth == 0)
        return launch(stream);
    asked = true;
    askedOn = stream;
    return 0;
}

} // namespace

STAND_IN int ncclCommInitRank(void** comm, int ranks, UniqueId, int rank) {
    *comm = new Comm{rank, ranks};
    return 0;
}
STAND_IN int ncclCommSplit(void* comm, int, int, void** to, void*) {
    *to = new Comm{static_cast<Comm*>(comm)->rank / 2, 2};
    return 0;
}
STAND_IN int ncclCommUserRank(void* comm, int* rank) {
    *rank = static_cast<Comm*>(comm)->rank;
    return 0;
}
STAND_IN int ncclCommCount(void* comm, int* ranks) {
    *ranks = static_cast<Comm*>(comm)->ranks;
    return 0;
}
STAND_IN int ncclGroupStart() {
    ++depth;
    return 0;
}
STAND_IN int ncclGroupEnd() {
    if (--depth > 0 || !asked)
        return 0;
    asked = false;
    return launch(askedOn);
}
STAND_IN int ncclAllReduce(const void*, void*, std::size_t, int, int, void*, void* stream) {
    return work(stream);
}
STAND_IN int ncclAllGather(const void*, void*, std::size_t, int, void*, void* stream) {
    return work(stream);
}
STAND_IN int ncclSend(const void*, std::size_t, int, int, void*, void* stream) {
    return work(stream);
}
STAND_IN int ncclRecv(void*, std::size_t, int, int, void*, void* stream) {
    return work(stream);
}
