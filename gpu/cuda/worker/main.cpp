// SPDX-License-Identifier: GPL-3.0-or-later
// The worker: opens the plug-in that lies beside it and lets it serve the requests on standard input. If the plug-in
// cannot be opened, the answer is the sentence why.
#include "gpu/base/messages/files.h"
#include "gpu/base/messages/gpu.h"
#include "gpu/cuda/protocol.h"

#include <csignal>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/prctl.h>
#include <unistd.h>

namespace {

using namespace warpglass;

int fail(int out, Error error) {
    const std::string answer = nlohmann::json{{"error", cuda::toJson(error)}}.dump();
    cuda::writeFrame(out, cuda::FrameKind::Json, answer.data(), answer.size());
    return 1;
}

} // namespace

int main(int words, char**) {
    // A worker has no life of its own: it goes when the program that started it goes, or else when its pipe does.
    if (words == 1)
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    // Kernels print to standard output, so the answers move to a pipe end that nobody prints to.
    const int in = dup(STDIN_FILENO), out = dup(STDOUT_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);

    std::error_code code;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", code);
    const std::string path = (self.parent_path() / "libwarpglass_cuda.so").string();
    void* plugin = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!plugin) {
        const bool missing = !std::filesystem::exists(path, code);
        const char* why = dlerror();
        const Error error = missing ? Error{say::NoPlugin, "", 0, 0, say::InstallGpuPart}
                                    : Error{why ? say::PluginNotOpened(why) : Message(say::PluginNotOpenedAtAll)};
        return fail(out, error);
    }
    using Serve = int (*)(int in, int out);
    const auto serve = reinterpret_cast<Serve>(dlsym(plugin, "warpglassCudaServe"));
    if (!serve)
        return fail(out, Error{say::OtherPlugin, path, 0, 0, say::BuildAgain});
    return serve(in, out);
}
