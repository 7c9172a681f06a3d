// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/program/program_traces.h"

#include "gpu/base/memory_limit.h"
#include "gpu/trace/file_layout.h"

#include <zstd.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <map>
#include <memory>
#include <optional>

namespace warpglass::program {

namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::byte>;

constexpr int traceLevel = 3;
constexpr std::size_t largestBase = 16 << 20; // bytes: each trace behind it reads all of it once more
constexpr std::size_t allBases = 256 << 20;   // bytes that are kept at hand
constexpr std::uint64_t longestTrace = 1'000'000'000;

struct FreePacker {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

Bytes packTrace(std::span<const std::byte> bytes, std::span<const std::byte> base) {
    const std::unique_ptr<ZSTD_CCtx, FreePacker> context(ZSTD_createCCtx());
    if (!context)
        throw std::bad_alloc();
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, traceLevel);
    if (!base.empty()) { // all of it within reach to the end
        const int reach = int(std::bit_width(bytes.size() + base.size()));
        ZSTD_CCtx_setParameter(context.get(), ZSTD_c_windowLog, std::clamp(reach, 10, 27));
        ZSTD_CCtx_refPrefix(context.get(), base.data(), base.size());
    }
    Bytes out(ZSTD_compressBound(bytes.size()));
    const std::size_t size = ZSTD_compress2(context.get(), out.data(), out.size(), bytes.data(), bytes.size());
    if (ZSTD_isError(size)) // the bound leaves no other reason to fail
        throw std::bad_alloc();
    out.resize(size);
    return out;
}

// Nothing of what is damaged, or longer than there is room.
Bytes unpackTrace(std::span<const std::byte> data, std::span<const std::byte> base) {
    const std::uint64_t size = ZSTD_getFrameContentSize(data.data(), data.size());
    if (size > std::min<std::uint64_t>(longestTrace, memoryLimit())) // also what zstd says of no frame
        return {};
    const std::unique_ptr<ZSTD_DCtx, FreePacker> context(ZSTD_createDCtx());
    if (!context)
        throw std::bad_alloc();
    Bytes out(size);
    const std::size_t got = ZSTD_decompress_usingDict(context.get(), out.data(), out.size(), data.data(), data.size(),
                                                      base.data(), base.size());
    return !ZSTD_isError(got) && got == size ? out : Bytes();
}

Bytes readAll(const fs::path& path) {
    std::ifstream in(path, std::ios::binary | std::ios::ate);
    Bytes bytes(in ? std::size_t(in.tellg()) : 0);
    in.seekg(0);
    in.read(reinterpret_cast<char*>(bytes.data()), std::streamsize(bytes.size()));
    return bytes;
}

// Which texts its kernels have; nothing of a file that does not say it.
std::optional<std::int64_t> digestOfTexts(const fs::path& trace) {
    auto database = Database::openReadOnly(trace, {traceTables(), warpglass::longestValue});
    if (!database)
        return std::nullopt;
    auto select = database->prepare("SELECT digest FROM tables WHERE name = 'texts'");
    if (!select)
        return std::nullopt;
    const auto row = select->step();
    return row && *row ? std::optional(select->integer(0)) : std::nullopt;
}

struct Base {
    std::uint32_t recording = noIndex;
    Bytes bytes;
};

} // namespace

Result<void> writeTraces(Database& database, const ProgramTrace& program, const fs::path& folder) {
    auto insert = database.prepare("INSERT INTO traces VALUES (?, ?, ?)");
    if (!insert)
        return insert.error();
    std::map<std::int64_t, Base> bases; // [digest of texts]
    std::size_t held = 0;
    for (std::uint32_t r = 0; r < program.recordings.size(); ++r) {
        const fs::path file = folder / program.recordings[r].file;
        Bytes bytes = readAll(file);
        const auto digest = bytes.size() <= largestBase ? digestOfTexts(file) : std::nullopt;
        const auto base = digest ? bases.find(*digest) : bases.end();
        const bool behind = base != bases.end();
        const Bytes data = packTrace(bytes, behind ? base->second.bytes : Bytes());
        insert->bind(0, std::int64_t(r));
        insert->bind(1, std::int64_t(behind ? base->second.recording : noIndex));
        insert->bind(2, std::span(data));
        if (auto ok = insert->run(); !ok)
            return ok;
        if (digest && !behind && held + bytes.size() <= allBases) {
            held += bytes.size();
            bases[*digest] = {r, std::move(bytes)};
        }
    }
    return {};
}

Result<Bytes> readTrace(Database& database, std::uint32_t recording, int version) {
    auto select = database.prepare(version < 6 ? "SELECT data, 0 FROM traces WHERE recording = ?"
                                               : "SELECT data, base FROM traces WHERE recording = ?");
    if (!select)
        return select.error();
    select->bind(0, std::int64_t(recording));
    const auto row = select->step();
    if (!row)
        return row.error();
    if (!*row)
        return Bytes();
    const std::span<const std::byte> data = select->blob(0);
    if (version < 6)
        return Bytes(data.begin(), data.end());
    const std::int64_t base = select->integer(1);
    if (base == std::int64_t(noIndex))
        return unpackTrace(data, {});
    auto other =
        database.prepare("SELECT data FROM traces WHERE recording = ? AND base = ?"); // one that is packed alone
    if (!other)
        return other.error();
    other->bind(0, base);
    other->bind(1, std::int64_t(noIndex));
    if (const auto found = other->step(); !found || !*found)
        return Bytes();
    const Bytes prefix = unpackTrace(other->blob(0), {});
    return prefix.empty() ? Bytes() : unpackTrace(data, prefix);
}

} // namespace warpglass::program
