// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/record/command.h"
#include "gpu/base/quantity.h"
#include "gpu/metrics/tile_use.h"
#include "gpu/trace/file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <memory>

namespace warpglass::record {

namespace {

using nlohmann::ordered_json;

struct SwizzleCommand {
    std::string file; // a recording: its own accesses, not a pattern
    std::uint32_t block = 0, line = 0;
    std::string tile = "32x32", type = "f32", write = "row", read = "column";
    bool json = false;
};

std::optional<std::uint32_t> wholeNumber(std::string_view text) {
    std::uint32_t n = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), n);
    return read.ec == std::errc{} && read.ptr == text.data() + text.size() ? std::optional(n) : std::nullopt;
}

// "column", "row:4".
Result<Tile::Side> sideOf(const std::string& text, const char* option) {
    const std::size_t colon = text.find(':');
    const auto walk = parseEnum<TileWalk>(text.substr(0, colon), option);
    if (!walk)
        return walk.error();
    const auto elements = colon == std::string::npos ? 1 : wholeNumber(std::string_view(text).substr(colon + 1));
    if (!elements)
        return Error{.message = fmt::format("\"{}\" does not say how many elements a lane takes at once", text),
                     .file = option,
                     .remedy = "Write row, column, or row:4."};
    return Tile::Side{*walk, *elements};
}

Result<Tile> tileOf(const SwizzleCommand& command) {
    Tile tile;
    const std::size_t x = command.tile.find('x');
    const auto rows = wholeNumber(std::string_view(command.tile).substr(0, x));
    const auto columns =
        x == std::string::npos ? std::nullopt : wholeNumber(std::string_view(command.tile).substr(x + 1));
    if (!rows || !columns)
        return Error{.message = fmt::format("\"{}\" is no shape of a tile", command.tile),
                     .file = "--tile",
                     .remedy = "Write rows and columns: 32x64."};
    tile.rows = *rows;
    tile.columns = *columns;
    tile.elementBytes = bytesOfType(command.type);
    if (tile.elementBytes == 0)
        return Error{.message = fmt::format("there is no type \"{}\" of 1 to 16 bytes", command.type),
                     .file = "--type",
                     .remedy = "Types are f32, f16, bf16, f64, u8, s32, b128 and the like."};
    const auto writer = sideOf(command.write, "--write"), reader = sideOf(command.read, "--read");
    if (!writer)
        return writer.error();
    if (!reader)
        return reader.error();
    tile.writer = *writer;
    tile.reader = *reader;
    const TileFault fault = faultOf(tile);
    if (fault == TileFault::Shape)
        return Error{
            .message = fmt::format("a tile of {} rows and {} columns is not possible", tile.rows, tile.columns),
            .file = "--tile",
            .remedy = fmt::format("Choose 1 to {} of each, and at most {} bytes.", largestTileSide, largestTileBytes)};
    if (fault != TileFault::None)
        return Error{.message = "a lane cannot take so many elements at once",
                     .file = fault == TileFault::Writer ? "--write" : "--read",
                     .remedy = "A lane takes 1, 2, 4, 8 or 16 bytes, and a whole number of times a row."};
    return tile;
}

ordered_json rowOf(const RankedLayout& r, std::uint32_t elementBytes) {
    ordered_json row{{"layout", name(r.layout.order)},
                     {"name", nameOf(r.layout, elementBytes)},
                     {"write_passes", r.writePasses},
                     {"read_passes", r.readPasses},
                     {"bytes_lost", r.lost}};
    if (r.layout.order == TileOrder::Padded)
        row["row_padding_bytes"] = r.layout.padding;
    if (r.layout.bits > 0)
        row["swizzle_of_bytes"] = {{"bits", r.layout.bits}, {"base", r.layout.base}, {"shift", r.layout.shift}};
    if (r.layout.order == TileOrder::Boxes)
        row["box_row_bytes"] = r.layout.span;
    return row;
}

// What the line of the source touches of shared memory in the recorded block; 0: the first line that touches any.
Result<RecordedTile> recordedOf(const SwizzleCommand& command) {
    Progress progress;
    const auto trace = readTrace(command.file, progress);
    if (!trace)
        return trace.error();
    const Trace& t = **trace;
    const Error none{.message = "no access to shared memory is recorded there",
                     .file = command.file,
                     .remedy = "Record the launch with --accesses, and name a line that loads from shared memory."};
    std::uint32_t block = noIndex;
    for (std::uint32_t b = 0; b < t.blocks.size() && block == noIndex; ++b)
        if (t.blocks[b].launch == 0 && t.blocks[b].index == command.block)
            block = b;
    if (block == noIndex)
        return none;
    const Kernel& kernel = t.kernelOf(t.launchOf(t.blocks[block]));
    std::optional<RecordedTile> best;
    for (const Site& site : t.sites)
        if (site.kind == SiteKind::Access &&
            (command.line == 0 || sourceLineOf(kernel, site) == command.line || site.ptxLine == command.line))
            if (auto tile = recordedTile(t, block, site.ptxLine); tile && (!best || tile->use.bytes > best->use.bytes))
                best = std::move(tile);
    return best ? Result<RecordedTile>(std::move(*best)) : none;
}

int tell(const SwizzleCommand& command, const TileUse& use, ordered_json object, std::string text) {
    const LayoutRanking ranking = rankLayouts(use);
    std::vector<RankedLayout> all{ranking.plain};
    all.insert(all.end(), ranking.best.begin(), ranking.best.end());
    if (command.json) {
        object["bytes"] = use.bytes;
        object["least_write_passes"] = ranking.leastWrites;
        object["least_read_passes"] = ranking.leastReads;
        object["layouts"] = ordered_json::array();
        for (const RankedLayout& r : all)
            object["layouts"].push_back(rowOf(r, use.elementBytes));
        return print(object.dump(2) + "\n");
    }
    text += fmt::format(": {} to write and {} to read without conflicts\n",
                        quantity(ranking.leastWrites, "pass", "passes"), ranking.leastReads);
    text += fmt::format("  {:<26} {:>8} {:>8} {:>12}\n", "", "write", "read", "bytes lost");
    for (const RankedLayout& r : all)
        text += fmt::format("  {:<26} {:>8} {:>8} {:>12}\n", nameOf(r.layout, use.elementBytes), r.writePasses,
                            r.readPasses, r.lost);
    return print(text);
}

int run(const SwizzleCommand& command) {
    if (!command.file.empty()) {
        const auto tile = recordedOf(command);
        if (!tile)
            return report(tile.error(), badInput);
        return tell(command, tile->use,
                    {{"first_byte", tile->base},
                     {"element_bytes", tile->use.elementBytes},
                     {"requests", tile->requests},
                     {"requests_left_out", tile->left},
                     {"write_ptx_line", tile->writeLine},
                     {"read_ptx_line", tile->readLine},
                     {"copies", tile->copies}},
                    fmt::format("{} from byte {} on, by {} of block {}", quantity(tile->use.bytes, "byte"), tile->base,
                                quantity(tile->requests, "recorded request"), command.block));
    }
    const auto tile = tileOf(command);
    if (!tile)
        return report(tile.error(), badInput);
    return tell(command, useOf(*tile),
                {{"rows", tile->rows}, {"columns", tile->columns}, {"element_bytes", tile->elementBytes}},
                fmt::format("{} x {} elements of {}", tile->rows, tile->columns, quantity(tile->elementBytes, "byte")));
}

} // namespace

void addSwizzle(const Command& app, Action& action) {
    auto command = std::make_shared<SwizzleCommand>();
    const Command sub =
        app.command("swizzle", "How a tile lies best in shared memory: paddings and swizzles, by passes");
    sub.option("FILE", &command->file,
               "a recording made with --accesses: the tile that its kernel wrote and read, instead of a pattern");
    sub.option("--line", &command->line,
               "with FILE: a line of the source, or of the PTX, that loads from or stores to it");
    sub.option("--block", &command->block, "with FILE: the block, by its linear number").showDefault();
    sub.option("--tile", &command->tile, "rows and columns of the tile").showDefault();
    sub.option("--type", &command->type, "type of an element: f32, f16, b128").showDefault();
    sub.option("--write", &command->write,
               "how a warp goes through it to write: row or column; row:4: a lane takes four of a row at once")
        .showDefault();
    sub.option("--read", &command->read, "the same to read; column:8 of f16 is ldmatrix").showDefault();
    sub.flag("--json", command->json, "print one JSON object");
    sub.whenChosen([command, &action] { action = [command] { return run(*command); }; });
}

} // namespace warpglass::record
