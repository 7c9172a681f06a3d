// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/compiler.h"
#include "app/session/program.h"
#include "gpu/base/messages/files.h"
#include "gpu/base/messages/session.h"
#include "gpu/base/read_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include <elf.h>

namespace warpglass::session {

namespace fs = std::filesystem;

namespace {

// Names of an ELF file's sections and of the libraries it needs.
struct ElfNames {
    std::vector<std::string> sections, libraries;
};

template <class T>
bool readAt(std::ifstream& in, std::uint64_t at, T* to, std::size_t count) {
    in.seekg(std::streamoff(at));
    return bool(in.read(reinterpret_cast<char*>(to), std::streamsize(count * sizeof(T))));
}

std::string textAt(const std::string& table, std::uint64_t at) {
    constexpr std::size_t most = 256; // more than the names that are looked for
    return at < table.size() ? std::string(table.c_str() + at, strnlen(table.c_str() + at, most)) : std::string();
}

ElfNames namesOf(const fs::path& path) {
    ElfNames names;
    if (!mayBeRead(path))
        return names;
    std::ifstream in(path, std::ios::binary);
    Elf64_Ehdr head{};
    if (!readAt(in, 0, &head, 1) || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
        head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_shentsize != sizeof(Elf64_Shdr))
        return names;
    std::vector<Elf64_Shdr> sections(head.e_shnum);
    if (!readAt(in, head.e_shoff, sections.data(), sections.size()))
        return names;
    constexpr std::uint64_t mostBytes = 64 << 20;
    const auto contents = [&](std::size_t n) {
        std::string bytes;
        if (n < sections.size() && sections[n].sh_size < mostBytes) {
            bytes.resize(sections[n].sh_size);
            if (!readAt(in, sections[n].sh_offset, bytes.data(), bytes.size()))
                bytes.clear();
        }
        return bytes;
    };
    const std::string text = contents(head.e_shstrndx);
    bool isDynamic = false;
    for (const Elf64_Shdr& s : sections) {
        names.sections.push_back(textAt(text, s.sh_name));
        if (s.sh_type != SHT_DYNAMIC || std::exchange(isDynamic, true)) // a linker makes one
            continue;
        const std::string strings = contents(s.sh_link);
        std::vector<Elf64_Dyn> entries(std::min(s.sh_size, mostBytes) / sizeof(Elf64_Dyn));
        if (readAt(in, s.sh_offset, entries.data(), entries.size()))
            for (const Elf64_Dyn& e : entries)
                if (e.d_tag == DT_NEEDED)
                    names.libraries.push_back(textAt(strings, e.d_un.d_val));
    }
    return names;
}

bool endsWith(const std::string& text, std::initializer_list<const char*> ends) {
    return std::any_of(ends.begin(), ends.end(), [&](const char* end) { return text.ends_with(end); });
}

// For sm_90a, sm_120f and their like nvcc 13 puts machine code in, but PTX without what is only there: it has to be asked.
std::string architectureWord(const std::string& arch) {
    if (!arch.starts_with("sm_") || (!arch.ends_with('a') && !arch.ends_with('f')))
        return "-arch=" + arch;
    const std::string number = arch.substr(3);
    return fmt::format("-gencode=arch=compute_{0},code=[sm_{0},compute_{0}]", number);
}

// NVIDIA's libraries of which the linker, as it said, has found no function.
std::vector<std::string> librariesFor(const std::string& said) {
    std::vector<std::string> words;
    for (const char* name : {"cublas", "cufft", "curand"})
        if (said.find(fmt::format("undefined reference to `{}", name)) != std::string::npos)
            words.push_back(fmt::format("-l{}", name));
    return words;
}

} // namespace

Result<void> checkRuntime(const fs::path& program) {
    const ElfNames names = namesOf(program);
    const auto has = [](const std::vector<std::string>& all, const char* start) {
        return std::any_of(all.begin(), all.end(), [&](const std::string& name) { return name.starts_with(start); });
    };
    // Code that nvcc has compiled registers itself with a runtime: one of its libraries, or one inside the program.
    if (has(names.sections, ".nvFatBinSegment") && !has(names.libraries, "libcudart.so"))
        return Error{.message = say::CarriesRuntime, .file = program.string(), .remedy = say::BuildShared};
    return {};
}

Result<fs::path> buildProgram(const ProgramRequest& request, const fs::path& folder, const std::string& arch) {
    const fs::path source = request.sources.front();
    if (auto ok = checkOptions(request.compile); !ok)
        return ok.error();
    const std::string compiler = findCompiler();
    if (compiler.empty())
        return Error{.message = say::NvccNotFound, .file = source.string(), .remedy = say::InstallNvcc};
    const fs::path built = folder / "program", said = folder / "said.txt";
    const char* runtime = request.backend == BackendKind::Emulator ? "shared" : "static";
    // -g1: lines of the host's code, which messages name; it costs the code nothing.
    std::vector<std::string> words{compiler,
                                   "-cudart",
                                   runtime,
                                   "-lineinfo",
                                   "-Xcompiler",
                                   "-g1",
                                   architectureWord(request.compile.arch.empty() ? arch : request.compile.arch)};
    if (request.sources.size() > 1)
        words.push_back("-rdc=true");
    words.push_back(request.compile.mode == CompileMode::AsWritten ? "-G" : "-O3");
    words.insert(words.end(), request.compile.nvcc.begin(), request.compile.nvcc.end());
    std::vector<fs::path> sources;
    for (const std::string& file : request.sources) {
        std::error_code failed;
        if (!fs::is_regular_file(file, failed))
            return Error{.message = say::NoSuchFile, .file = file};
        const std::string end = fs::path(file).extension().string();
        const bool isPlain =
            std::all_of(end.begin(), end.end(), [](unsigned char c) { return c == '.' || std::isalnum(c); });
        const fs::path plain = folder / fmt::format("source{}{}", sources.size(), isPlain ? end : "");
        if (endsWith(file, {".cu", ".cpp", ".cc", ".cxx", ".c"})) {
            auto text = readFile(file);
            if (!text)
                return text.error();
            auto whole = wholeSource(file, *text, request.compile);
            if (!whole)
                return whole.error();
            if (auto ok = writeAll(plain, *whole); !ok)
                return ok.error();
        } else { // an object, a library
            fs::create_symlink(fs::absolute(file), plain, failed);
        }
        words.push_back(plain.string());
        sources.emplace_back(file);
    }
    if (auto ok = addIncludes(words, folder, sources, request.compile); !ok)
        return ok.error();
    words.insert(words.end(), {"-o", built.string()});
    const auto build = [&](const std::vector<std::string>& with) {
        std::vector<std::string> all = words;
        all.insert(all.end(), with.begin(), with.end());
        return runChild(all, said);
    };
    ChildEnd end = build({});
    std::string text = readAll(said);
    // Kernels that launch kernels need relocatable code; the compiler says so by that option's name.
    if (end.how == ChildEnd::How::Exited && end.status != 0 && request.sources.size() == 1 &&
        text.find("separate compilation") != std::string::npos) {
        end = build({"-rdc=true"});
        text = readAll(said);
    }
    if (const auto libraries = librariesFor(text);
        end.how == ChildEnd::How::Exited && end.status != 0 && !libraries.empty()) {
        end = build(libraries);
        text = readAll(said);
    }
    if (end.how != ChildEnd::How::Exited)
        return endedBadly(source, compiler, end);
    if (end.status != 0) {
        if (text.find("undefined reference to `main'") != std::string::npos)
            return Error{.message = say::NoMain, .file = source.string(), .remedy = say::GiveMain};
        const bool undefined = text.find("undefined reference") != std::string::npos;
        Error error = text.empty() ? silentFailure(source, folder) : compilerError(source, text);
        if (undefined && endsWith(error.file, {".o", ".cu", ".cpp"}))
            error.remedy = say::GiveAllFiles;
        return error;
    }
    const fs::path program = folder / source.stem(); // what it calls itself
    std::error_code failed;
    fs::rename(built, program, failed);
    return failed ? built : program;
}

} // namespace warpglass::session
