// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/trace/columns.h"
#include "gpu/base/messages/files.h"

#include <bit>
#include <cassert>
#include <fmt/format.h>
#include <memory>
#include <new>
#include <zstd.h>
#include <zstd_errors.h>

namespace warpglass {

namespace {

// Level 3 is zstd's default; higher levels gain a few percent here and cost several times the time.
constexpr int compressionLevel = 3;

struct FreeCompressor {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};
struct FreeDecompressor {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

int bytesNeeded(const std::vector<std::uint64_t>& column) {
    std::uint64_t bits = 0;
    for (const std::uint64_t n : column)
        bits |= n;
    return (std::bit_width(bits) + 7) / 8;
}

} // namespace

std::vector<std::byte> compress(std::span<const std::uint8_t> plain) {
    const std::unique_ptr<ZSTD_CCtx, FreeCompressor> context(ZSTD_createCCtx());
    if (!context)
        throw std::bad_alloc();
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, compressionLevel);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
    std::vector<std::byte> packed(ZSTD_compressBound(plain.size()));
    const std::size_t size = ZSTD_compress2(context.get(), packed.data(), packed.size(), plain.data(), plain.size());
    if (ZSTD_isError(size)) // the bound leaves no other reason to fail
        throw std::bad_alloc();
    packed.resize(size);
    packed.shrink_to_fit();
    return packed;
}

Result<std::vector<std::uint8_t>> decompress(std::span<const std::byte> bytes, std::size_t least, std::size_t most) {
    const unsigned long long promised = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
    if (promised == ZSTD_CONTENTSIZE_ERROR || promised == ZSTD_CONTENTSIZE_UNKNOWN || promised > most ||
        promised < least)
        return Error{say::DataBeginning};
    std::vector<std::uint8_t> plain(promised);
    // Kept for the next one: making it takes longer than a small chunk.
    thread_local std::unique_ptr<ZSTD_DCtx, FreeDecompressor> context;
    if (!context)
        context.reset(ZSTD_createDCtx());
    if (!context)
        throw std::bad_alloc();
    const std::size_t size = ZSTD_decompressDCtx(context.get(), plain.data(), plain.size(), bytes.data(), bytes.size());
    if (ZSTD_getErrorCode(size) == ZSTD_error_memory_allocation)
        throw std::bad_alloc();
    if (ZSTD_isError(size))
        return Error{say::DataDamaged(ZSTD_getErrorName(size))};
    plain.resize(size);
    return plain;
}

// Layout before compression: one byte a column, how many planes it has; then the planes, column after column.
std::vector<std::byte> packColumns(const Columns& columns) {
    const std::size_t rows = columns.empty() ? 0 : columns.front().size();
    std::vector<int> widths;
    std::size_t planes = 0;
    for (const auto& column : columns) {
        assert(column.size() == rows && rows <= chunkRows);
        widths.push_back(bytesNeeded(column));
        planes += std::size_t(widths.back());
    }
    std::vector<std::uint8_t> plain(columns.size() + planes * rows);
    std::uint8_t* out = plain.data();
    for (const int width : widths)
        *out++ = std::uint8_t(width);
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const std::uint64_t* in = columns[c].data();
        for (int plane = 0; plane < widths[c]; ++plane, out += rows)
            for (std::size_t row = 0; row < rows; ++row)
                out[row] = std::uint8_t(in[row] >> (8 * plane));
    }

    return compress(plain);
}

Result<Columns> unpackColumns(std::span<const std::byte> bytes, std::size_t columns, std::size_t rows) {
    const std::size_t most = columns + columns * 8 * rows;
    const auto unpacked = decompress(bytes, columns, most);
    if (!unpacked)
        return unpacked.error();
    const std::vector<std::uint8_t>& plain = *unpacked;

    std::size_t planes = 0;
    for (std::size_t c = 0; c < columns; ++c) {
        if (plain[c] > 8)
            return Error{say::ColumnWidths};
        planes += plain[c];
    }
    if (plain.size() != columns + planes * rows)
        return Error{say::DataLength};

    Columns result(columns, std::vector<std::uint64_t>(rows, 0));
    const std::uint8_t* in = plain.data() + columns;
    for (std::size_t c = 0; c < columns; ++c) {
        std::uint64_t* out = result[c].data();
        for (int plane = 0; plane < plain[c]; ++plane, in += rows)
            for (std::size_t row = 0; row < rows; ++row)
                out[row] |= std::uint64_t(in[row]) << (8 * plane);
    }
    return result;
}

} // namespace warpglass
