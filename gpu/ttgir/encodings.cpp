// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ttgir/encodings.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <numeric>
#include <optional>

namespace warpglass::ttgir {

namespace {

constexpr int mostNested = 16;              // of encodings within each other
constexpr std::uint32_t mostSide = 1 << 20; // of a tile

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\n'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\n'))
        text.remove_suffix(1);
    return text;
}

// "name = value, ..." at the outermost level of brackets.
struct Fields {
    std::string kind; // "blocked", "nvidia_mma"
    std::map<std::string, std::string, std::less<>> values;

    const std::string* find(std::string_view name) const {
        const auto at = values.find(name);
        return at == values.end() ? nullptr : &at->second;
    }
    std::optional<std::uint32_t> number(std::string_view name) const {
        const std::string* text = find(name);
        std::uint32_t value = 0;
        if (!text)
            return std::nullopt;
        const auto read = std::from_chars(text->data(), text->data() + text->size(), value);
        return read.ec == std::errc() ? std::optional(value) : std::nullopt;
    }
    std::vector<std::uint32_t> list(std::string_view name) const {
        std::vector<std::uint32_t> all;
        const std::string* text = find(name);
        for (std::size_t at = 0; text && at < text->size();) {
            if (std::isdigit(static_cast<unsigned char>((*text)[at])) == 0) {
                ++at;
                continue;
            }
            std::uint32_t value = 0;
            const auto read = std::from_chars(text->data() + at, text->data() + text->size(), value);
            all.push_back(value);
            at = std::size_t(read.ptr - text->data());
        }
        return all;
    }
    // "[[0, 1], [0, 2]]"; rank: where there are none.
    std::vector<Place> places(std::string_view name) const {
        std::vector<Place> all;
        const std::string* text = find(name);
        if (!text)
            return all;
        int depth = 0;
        for (std::size_t at = 0; at < text->size();) {
            const char c = (*text)[at];
            if (c == '[' && ++depth == 2)
                all.emplace_back();
            if (c == ']')
                --depth;
            if (std::isdigit(static_cast<unsigned char>(c)) == 0) {
                ++at;
                continue;
            }
            std::uint32_t value = 0;
            const auto read = std::from_chars(text->data() + at, text->data() + text->size(), value);
            if (depth == 2)
                all.back().push_back(value);
            at = std::size_t(read.ptr - text->data());
        }
        return all;
    }
};

// "#ttg.blocked<{a = [1, 4], b = #mma}>"
Fields fieldsOf(std::string_view text) {
    Fields fields;
    const std::size_t open = text.find('<');
    const std::size_t dot = text.rfind('.', open);
    if (open == std::string_view::npos || dot == std::string_view::npos)
        return fields;
    fields.kind = std::string(text.substr(dot + 1, open - dot - 1));
    std::string_view rest = text.substr(open + 1);
    if (const std::size_t last = rest.rfind('>'); last != std::string_view::npos)
        rest = rest.substr(0, last);
    rest = trimmed(rest);
    if (rest.starts_with('{') && rest.ends_with('}'))
        rest = rest.substr(1, rest.size() - 2);
    int depth = 0;
    std::size_t begin = 0;
    const auto take = [&](std::string_view field) {
        const std::size_t equals = field.find('=');
        if (equals != std::string_view::npos)
            fields.values[std::string(trimmed(field.substr(0, equals)))] = trimmed(field.substr(equals + 1));
    };
    for (std::size_t at = 0; at < rest.size(); ++at) {
        const char c = rest[at];
        depth += c == '[' || c == '{' || c == '<' || c == '(';
        depth -= c == ']' || c == '}' || c == '>' || c == ')';
        if (c == ',' && depth == 0) {
            take(rest.substr(begin, at - begin));
            begin = at + 1;
        }
    }
    take(rest.substr(begin));
    return fields;
}

// A layout that is being put together: what comes next is laid beside what is there.
class Builder {
public:
    // order: dimensions, the one that runs fastest first.
    Builder(std::size_t rank, std::vector<std::uint32_t> order) : m_size(rank, 1), m_order(std::move(order)) {}

    enum class Of { Register, Lane, Warp };
    void add(Of of, std::size_t dimension, std::uint32_t size) {
        for (std::uint32_t step = 1; step < size; step *= 2)
            basis(of, dimension, m_size[dimension] * step);
        m_size[dimension] *= std::max(1u, size);
    }
    // Bits that tell no elements apart.
    void addCopies(Of of, std::uint32_t size) {
        for (std::uint32_t step = 1; step < size; step *= 2)
            basis(of, 0, 0);
    }
    void add(Of of, const std::vector<std::uint32_t>& sizes, const std::vector<std::uint32_t>& order) {
        for (const std::uint32_t d : order)
            add(of, d, sizes[d]);
    }
    // What is left of the tile goes to more registers; bits beyond it are copies.
    TileLayout fitted(const Place& shape) {
        for (const std::uint32_t d : m_order)
            if (m_size[d] < shape[d])
                add(Of::Register, d, shape[d] / m_size[d]);
        for (std::vector<Place>* bases : {&m_layout.registers, &m_layout.lanes, &m_layout.warps})
            for (Place& b : *bases)
                for (std::size_t d = 0; d < shape.size(); ++d)
                    if (b[d] >= shape[d])
                        b[d] = 0;
        m_layout.shape = shape;
        return std::move(m_layout);
    }

private:
    void basis(Of of, std::size_t dimension, std::uint32_t step) {
        Place b(m_size.size(), 0);
        b[dimension] = step;
        (of == Of::Register ? m_layout.registers
         : of == Of::Lane   ? m_layout.lanes
                            : m_layout.warps)
            .push_back(std::move(b));
    }
    TileLayout m_layout;
    Place m_size;
    std::vector<std::uint32_t> m_order;
};

bool isPowerOfTwo(std::uint32_t n) {
    return std::has_single_bit(n);
}

bool isOrder(const std::vector<std::uint32_t>& order, std::size_t rank) {
    if (order.size() != rank)
        return false;
    std::vector<bool> seen(rank, false);
    for (const std::uint32_t d : order) {
        if (d >= rank || seen[d])
            return false;
        seen[d] = true;
    }
    return true;
}

// Of a cluster: each block has its part of the tile, in the order of CTAOrder; its bits come last.
struct Cluster {
    std::vector<std::uint32_t> split, order;
    bool isOne() const {
        return std::all_of(split.begin(), split.end(), [](std::uint32_t n) { return n == 1; });
    }
};
Cluster clusterOf(const Fields& f, std::size_t rank) {
    Cluster c{f.list("CTASplitNum"), f.list("CTAOrder")};
    if (c.split.size() != rank || !isOrder(c.order, rank))
        c = {std::vector<std::uint32_t>(rank, 1), {}};
    return c;
}

TileLayout overCluster(Builder& builder, const Cluster& cluster, const Place& shape) {
    Place own = shape;
    for (std::size_t d = 0; d < shape.size(); ++d)
        own[d] = std::max(1u, shape[d] / std::max(1u, cluster.split[d]));
    TileLayout layout = builder.fitted(own);
    for (const std::uint32_t d : cluster.order)
        for (std::uint32_t step = 1; step < cluster.split[d]; step *= 2) {
            Place b(shape.size(), 0);
            b[d] = own[d] * step < shape[d] ? own[d] * step : 0;
            layout.blocks.push_back(std::move(b));
        }
    layout.shape = shape;
    return layout;
}

std::optional<TileLayout> blocked(const Fields& f, const Place& shape) {
    const std::size_t rank = shape.size();
    const auto size = f.list("sizePerThread"), lanes = f.list("threadsPerWarp"), warps = f.list("warpsPerCTA"),
               order = f.list("order");
    if (size.size() != rank || lanes.size() != rank || warps.size() != rank || !isOrder(order, rank))
        return std::nullopt;
    for (const auto* all : {&size, &lanes, &warps})
        if (!std::all_of(all->begin(), all->end(), isPowerOfTwo))
            return std::nullopt;
    Builder b(rank, order);
    b.add(Builder::Of::Register, size, order);
    b.add(Builder::Of::Lane, lanes, order);
    b.add(Builder::Of::Warp, warps, order);
    return overCluster(b, clusterOf(f, rank), shape);
}

// PTX ISA, "Matrix Fragments for mma": 4 lanes along the inner dimension with `width` elements each, 8 along the outer one, then
// further registers outwards and inwards.
void addMmaTile(Builder& b, std::uint32_t outerSize, std::uint32_t innerSize, std::uint32_t width, std::size_t outer,
                std::size_t inner) {
    b.add(Builder::Of::Register, inner, width);
    b.add(Builder::Of::Lane, inner, 4);
    b.add(Builder::Of::Lane, outer, 8);
    b.add(Builder::Of::Register, outer, outerSize / 8);
    b.add(Builder::Of::Register, inner, innerSize / (width * 4));
}

struct Mma {
    std::uint32_t version = 0;
    std::vector<std::uint32_t> warps, instruction;
    Cluster cluster;
    // Of warps: in the order of rows with mma.sync, of columns with wgmma.
    std::vector<std::uint32_t> warpOrder() const {
        return version == 2 ? std::vector<std::uint32_t>{1, 0} : std::vector<std::uint32_t>{0, 1};
    }
};

std::optional<Mma> mmaOf(const Fields& f) {
    Mma m{f.number("versionMajor").value_or(0), f.list("warpsPerCTA"), f.list("instrShape"), clusterOf(f, 2)};
    const bool known = (m.version == 2 || m.version == 3) && m.warps.size() == 2 && m.instruction.size() >= 2 &&
                       std::all_of(m.warps.begin(), m.warps.end(), isPowerOfTwo) && m.instruction[0] == 16 &&
                       m.instruction[1] >= 8 && isPowerOfTwo(m.instruction[1]);
    if (!known)
        return std::nullopt;
    return m;
}

std::optional<TileLayout> mma(const Fields& f, const Place& shape) {
    const auto m = mmaOf(f);
    if (!m)
        return std::nullopt;
    if (shape.size() != 2)
        return std::nullopt;
    Builder b(2, {1, 0});
    addMmaTile(b, m->instruction[0], m->instruction[1], 2, 0, 1);
    b.add(Builder::Of::Warp, m->warps, m->warpOrder());
    return overCluster(b, m->cluster, shape);
}

std::optional<TileLayout> dotOperand(const Fields& f, const Place& shape, const Aliases& aliases) {
    const std::string* parent = f.find("parent");
    const auto m = mmaOf(fieldsOf(parent ? writtenOut(*parent, aliases) : std::string()));
    const std::uint32_t width = f.number("kWidth").value_or(0), which = f.number("opIdx").value_or(2);
    if (!m)
        return std::nullopt;
    if (shape.size() != 2 || width == 0 || !isPowerOfTwo(width) || which > 1 || (which == 1 && m->version != 2))
        return std::nullopt;
    const bool isA = which == 0;
    const std::uint32_t k = isA ? 1 : 0;
    Builder b(2, isA ? std::vector<std::uint32_t>{1, 0} : std::vector<std::uint32_t>{0, 1});
    addMmaTile(b, isA ? 16 : 8, width * 8, width, 1 - k, k);
    for (const std::uint32_t d : m->warpOrder())
        if (d == k)
            b.addCopies(Builder::Of::Warp, m->warps[d]); // warps side by side along k read the same
        else
            b.add(Builder::Of::Warp, d, m->warps[d]);
    return overCluster(b, {{1, 1}, {}}, shape);
}

std::optional<TileLayout> written(const Fields& f, const Place& shape) {
    TileLayout layout{shape, f.places("register"), f.places("lane"), f.places("warp"), f.places("block")};
    for (const auto* bases : {&layout.registers, &layout.lanes, &layout.warps, &layout.blocks}) {
        if (bases->size() > 20)
            return std::nullopt;
        for (const Place& b : *bases)
            if (b.size() != shape.size())
                return std::nullopt;
    }
    return layout;
}

std::optional<TileLayout> layoutOf(std::string_view encoding, const Place& shape, const Aliases& aliases, int nested);

// The parent's with that dimension left out: what lay along it are copies, and of a lane's own one is enough.
std::optional<TileLayout> slice(const Fields& f, const Place& shape, const Aliases& aliases, int nested) {
    const std::string* parent = f.find("parent");
    const std::uint32_t d = f.number("dim").value_or(~0u);
    if (!parent || d > shape.size())
        return std::nullopt;
    Place whole = shape;
    whole.insert(whole.begin() + d, 1);
    auto layout = layoutOf(*parent, whole, aliases, nested + 1);
    if (!layout)
        return layout;
    for (auto* bases : {&layout->registers, &layout->lanes, &layout->warps, &layout->blocks})
        for (Place& b : *bases)
            b.erase(b.begin() + d);
    std::erase_if(layout->registers, [](const Place& b) {
        return std::all_of(b.begin(), b.end(), [](std::uint32_t step) { return step == 0; });
    });
    layout->shape = shape;
    return layout;
}

std::optional<TileLayout> layoutOf(std::string_view encoding, const Place& shape, const Aliases& aliases, int nested) {
    if (nested > mostNested)
        return std::nullopt;
    const std::string text = writtenOut(encoding, aliases);
    const Fields f = fieldsOf(text);
    if (const std::string* cluster = f.find("CGALayout");
        cluster && cluster->find_first_of("0123456789") != std::string::npos)
        return std::nullopt; // of several blocks of a cluster
    return f.kind == "blocked"      ? blocked(f, shape)
           : f.kind == "nvidia_mma" ? mma(f, shape)
           : f.kind == "dot_op"     ? dotOperand(f, shape, aliases)
           : f.kind == "slice"      ? slice(f, shape, aliases, nested)
           : f.kind == "linear"     ? written(f, shape)
                                    : std::nullopt;
}

bool isShape(const Place& shape) {
    return !shape.empty() && shape.size() <= 8 &&
           std::all_of(shape.begin(), shape.end(), [](std::uint32_t n) { return isPowerOfTwo(n) && n <= mostSide; });
}

// Rows of `columns` elements, each row's groups of `group` exchanged by its phase; then what is left of the tile: further rows,
// then further columns.
SharedLayout swizzled(const Place& shape, std::size_t row, std::size_t column, std::uint32_t rows,
                      std::uint32_t columns, std::uint32_t group, std::uint32_t rowsOfPhase, std::uint32_t phases) {
    SharedLayout layout{.shape = shape, .offsets = {}, .elementBytes = 0};
    const auto basis = [&](std::uint32_t r, std::uint32_t c) {
        Place b(shape.size(), 0);
        b[column] = c;
        if (row != column)
            b[row] = r;
        layout.offsets.push_back(std::move(b));
    };
    for (std::uint32_t c = 1; c < std::min(columns, shape[column]); c *= 2)
        basis(0, c);
    if (row == column)
        return layout;
    for (std::uint32_t r = 1; r < std::min(rows, shape[row]); r *= 2)
        basis(r, group * (r / rowsOfPhase % phases) % std::min(columns, shape[column]));
    for (std::uint32_t r = rows; r < shape[row]; r *= 2)
        basis(r, 0);
    for (std::uint32_t c = columns; c < shape[column]; c *= 2)
        basis(0, c);
    return layout;
}

} // namespace

std::string writtenOut(std::string_view encoding, const Aliases& aliases) {
    const std::string_view name = trimmed(encoding);
    const auto found = aliases.find(name);
    return found == aliases.end() ? std::string(name) : found->second;
}

std::optional<TileLayout> tileLayout(std::string_view encoding, const Place& shape, const Aliases& aliases) {
    if (!isShape(shape))
        return std::nullopt;
    return layoutOf(encoding, shape, aliases, 0);
}

std::optional<SharedLayout> sharedLayout(std::string_view encoding, const Place& shape, std::uint32_t elementBits,
                                         const Aliases& aliases) {
    const std::string text = writtenOut(encoding, aliases);
    const Fields f = fieldsOf(text);
    const std::size_t rank = f.kind == "nvmma_shared" ? 2 : f.list("order").size();
    if (rank > 0 && shape.size() > rank && shape.size() <= 8) {
        // Several of them one behind the other: stages of a pipeline, of which there may be three.
        const std::size_t outer = shape.size() - rank;
        auto all =
            sharedLayout(encoding, Place(shape.begin() + std::ptrdiff_t(outer), shape.end()), elementBits, aliases);
        if (!all)
            return all;
        for (Place& b : all->offsets)
            b.insert(b.begin(), outer, 0);
        for (std::size_t d = outer; d-- > 0;)
            for (std::uint32_t step = 1; step < std::min(shape[d], mostSide); step *= 2) {
                Place b(shape.size(), 0);
                b[d] = step;
                all->offsets.push_back(std::move(b));
            }
        all->shape = shape;
        return all;
    }
    if (!isShape(shape))
        return std::nullopt;
    SharedLayout layout;
    if (f.kind == "swizzled_shared") {
        const std::uint32_t group = f.number("vec").value_or(0), rowsOfPhase = f.number("perPhase").value_or(0),
                            phases = f.number("maxPhase").value_or(0);
        const auto order = f.list("order");
        if (group == 0 || rowsOfPhase == 0 || phases == 0 || !isOrder(order, shape.size()) || shape.size() > 2)
            return std::nullopt;
        const std::size_t column = order[0], row = order.size() > 1 ? order[1] : column;
        layout = swizzled(shape, row, column, shape[row], shape[column], group, rowsOfPhase, phases);
    } else if (f.kind == "nvmma_shared") {
        const std::uint32_t bytes = f.number("swizzlingByteWidth").value_or(~0u),
                            bits = f.number("elementBitWidth").value_or(0);
        const std::string* turned = f.find("transposed");
        const bool known = (bytes == 0 || bytes == 32 || bytes == 64 || bytes == 128) &&
                           (bits == 8 || bits == 16 || bits == 32) && shape.size() == 2;
        if (!known || f.find("fp4Padded"))
            return std::nullopt;
        // PTX ISA, "Shared Memory Matrix Layout": eight rows of so many bytes, of which groups of 16 are exchanged.
        const std::size_t column = turned && *turned == "true" ? 0 : 1;
        const std::uint32_t columns = 8 * std::max(16u, bytes) / bits, phases = std::max(1u, bytes / 16),
                            rowsOfPhase = bytes == 0 ? 1 : 128 / bytes;
        layout = swizzled(shape, 1 - column, column, 8, columns, 128 / bits, rowsOfPhase, phases);
    } else {
        return std::nullopt;
    }
    layout.elementBytes = elementBits / 8;
    return layout;
}

} // namespace warpglass::ttgir
