// SPDX-License-Identifier: GPL-3.0-or-later
// tcgen05 but for its products: allocation, moves between tensor memory and registers, copies from shared memory, commit.
#include "gpu/emulator/tcgen05/tensor_memory.h"

#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/access/cluster_access.h"
#include "gpu/emulator/async/copy_ops.h"
#include "gpu/emulator/async/mbarrier_ops.h"
#include "gpu/emulator/matrix/matrix_ops.h"
#include "gpu/emulator/ops/device_launch.h"
#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/record/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace warpglass::emulator {

namespace {

const TensorInst& tensorInst(const Exec& x, const Inst& in) {
    return x.program->tensors[in.async.site];
}

bool allocateColumns(Exec& x, const Inst& in) {
    bool result;
    if (!comeTogether(x, in, result))
        return result;
    const TensorInst& t = tensorInst(x, in);
    const std::uint32_t count = rowAt<const std::uint32_t>(x, t.columns)[0];
    if (count < TensorMemory::piece || count > TensorMemory::columns || !std::has_single_bit(count))
        return tensorFault(x, in, 0, say::TensorCount(count));
    if (t.pair && tensorBlocks(x, in, 0, true).empty())
        return false;
    auto& taken = tensorOf(*x.block).taken;
    const std::uint32_t pieces = count / TensorMemory::piece;
    std::uint32_t at = 0;
    const auto isFree = [&](std::uint32_t from) {
        return std::all_of(taken.begin() + from, taken.begin() + from + pieces,
                           [](std::uint16_t whose) { return whose == 0; });
    };
    while (at < taken.size() && !isFree(at))
        at += pieces;
    if (at >= taken.size()) {
        const auto left = TensorMemory::piece * std::uint32_t(std::count(taken.begin(), taken.end(), 0));
        return tensorFault(x, in, 0, say::TensorNoneLeft(count, left));
    }
    std::fill_n(taken.begin() + at, pieces, std::uint16_t(count));
    Home home;
    std::uint64_t to = 0;
    if (!bulkShared(x, in, 0, t.address, 4, 4, AccessKind::Store, to, home))
        return false;
    const std::uint32_t address = at * TensorMemory::piece;
    std::memcpy(home.block->shared.find(sharedOffset(to), 4), &address, 4);
    markWritten(*home.block, sharedOffset(to), 4);
    return true;
}

bool freeColumns(Exec& x, const Inst& in) {
    bool result;
    if (!comeTogether(x, in, result))
        return result;
    const TensorInst& t = tensorInst(x, in);
    const std::uint32_t count = rowAt<const std::uint32_t>(x, t.columns)[0];
    const TensorAddress at(tensorAddress(x, t.address, 0));
    auto& taken = tensorOf(*x.block).taken;
    const std::uint32_t first = at.column / TensorMemory::piece, pieces = count / TensorMemory::piece;
    const bool whole = pieces > 0 && count % TensorMemory::piece == 0 && at.column % count == 0 &&
                       first + pieces <= taken.size() &&
                       std::all_of(taken.begin() + first, taken.begin() + first + pieces,
                                   [&](std::uint16_t whose) { return whose == count; });
    if (!whole)
        return tensorFault(x, in, 0, say::TensorGivesBack(count, at.column));
    std::fill_n(taken.begin() + first, pieces, std::uint16_t(0));
    return true;
}

// fence, wait, relinquish_alloc_permit: what they order is in order already.
bool keepOrder(Exec& x, const Inst& in) {
    activeMask(x, in);
    return true;
}

// Which cell a thread's register means, from the address on: f(thread, register, lane, column). A shape of sixteen lanes
// is the fragment of a matrix of 32-bit elements (PTX ISA, "Matrix fragments for shape ...").
template <class F>
void eachCell(TensorShape shape, std::uint32_t registers, std::uint32_t split, F f) {
    for (std::uint32_t r = 0; r < registers; ++r)
        for (std::uint32_t t = 0; t < 32; ++t)
            switch (shape) {
            case TensorShape::L32x32b:
                f(t, r, t, r);
                break;
            case TensorShape::L16x64b:
                f(t, r, t / 4 + t % 2 * 8, 2 * r + t / 2 % 2);
                break;
            case TensorShape::L16x128b:
                f(t, r, t / 4 + r % 2 * 8, r / 2 * 4 + t % 4);
                break;
            case TensorShape::L16x256b:
                f(t, r, t / 4 + r / 2 % 2 * 8, r / 4 * 8 + t % 4 * 2 + r % 2);
                break;
            case TensorShape::L16x32bx2:
                f(t, r, t % 16, r + t / 16 * split);
                break;
            }
}

std::uint32_t columnsOf(const TensorInst& t) {
    const auto registers = std::uint32_t(t.data.size());
    switch (t.shape) {
    case TensorShape::L16x64b:
    case TensorShape::L16x128b:
    case TensorShape::L16x256b:
        return 2 * registers; // each fills two columns of sixteen lanes
    case TensorShape::L16x32bx2:
        return registers + t.split;
    default:
        return registers;
    }
}

// PTX ISA, min and max: a number beats NaN unless .NaN is asked for, -0 is less than +0.
float lesser(float a, float b, bool nan) {
    if (std::isnan(a) || std::isnan(b))
        return nan || (std::isnan(a) && std::isnan(b)) ? std::numeric_limits<float>::quiet_NaN()
               : std::isnan(a)                         ? b
                                                       : a;
    return a == b ? (std::signbit(a) ? a : b) : std::min(a, b);
}

// ld.red: each thread's least or greatest value, in the order of its registers.
void reduceValues(Exec& x, const TensorInst& t) {
    for (std::size_t thread = 0; thread < 32; ++thread) {
        const auto value = [&](std::size_t r) { return rowAt<const std::uint32_t>(x, t.data[r])[thread]; };
        std::uint32_t& result = rowAt<std::uint32_t>(x, t.reduced)[thread];
        if (t.reducedType != ptx::Type::F32) {
            const std::uint32_t sign = t.reducedType == ptx::Type::S32 ? 0x80000000u : 0;
            std::uint32_t best = value(0) ^ sign;
            for (std::size_t r = 1; r < t.data.size(); ++r)
                best = t.greatest ? std::max(best, value(r) ^ sign) : std::min(best, value(r) ^ sign);
            result = best ^ sign;
            continue;
        }
        const auto real = [&](std::size_t r) {
            const auto v = std::bit_cast<float>(value(r));
            return t.absolute ? std::fabs(v) : v;
        };
        float best = real(0);
        for (std::size_t r = 1; r < t.data.size(); ++r)
            best = t.greatest ? -lesser(-best, -real(r), t.nan) : lesser(best, real(r), t.nan);
        result = std::isnan(best) ? 0x7fffffffu : std::bit_cast<std::uint32_t>(best);
    }
}

// ld and st. With halves, a register has two neighbouring columns' lower halves.
bool moveCells(Exec& x, const Inst& in) {
    bool result;
    if (!comeTogether(x, in, result))
        return result;
    const TensorInst& t = tensorInst(x, in);
    TensorAddress at(tensorAddress(x, t.address, 0));
    const std::uint32_t quarter = x.warp->number % 4, height = t.shape == TensorShape::L32x32b ? 32 : 16;
    // The lanes of another warp's quarter are out of reach; an address of the first quarter means the warp's own.
    if (at.lane / 32 != quarter && at.lane / 32 != 0)
        return tensorFault(x, in, 0, say::TensorLanes(x.warp->number, at.lane, 32 * quarter, 32 * quarter + 31));
    if (at.lane % 32 + height > 32)
        return tensorFault(x, in, 0, say::TensorFromLane(at.lane, height, height));
    at.lane = at.lane % 32 + 32 * quarter;
    const std::uint32_t times = t.halves ? 2 : 1;
    const std::uint32_t columns =
        t.shape == TensorShape::L16x32bx2 ? times * std::uint32_t(t.data.size()) + t.split : times * columnsOf(t);
    const TensorColumns own = tensorColumns(x, in, 0, *x.block, at.column, columns);
    if (!own)
        return false;
    tellEarlyTensor(x, in, 0, at.column, columns);
    TensorMemory& memory = tensorOf(*x.block);
    const bool loads = t.op == TensorOp::Load;
    const auto registers = std::uint32_t(t.data.size());
    eachCell(t.shape, registers, t.halves ? 0 : t.split,
             [&](std::uint32_t thread, std::uint32_t r, std::uint32_t lane, std::uint32_t column) {
                 std::uint32_t& value = rowAt<std::uint32_t>(x, t.data[r])[thread];
                 std::uint32_t* const cells = memory.row(at.lane + lane, own);
                 if (!t.halves) {
                     loads ? value = cells[column] : cells[column] = value;
                     return;
                 }
                 column = 2 * column + (t.shape == TensorShape::L16x32bx2 ? thread / 16 * t.split : 0);
                 if (loads) {
                     value = (cells[column] & 0xffff) | cells[column + 1] << 16;
                 } else {
                     cells[column] = value & 0xffff;
                     cells[column + 1] = value >> 16;
                 }
             });
    if (t.reduced != noRow)
        reduceValues(x, t);
    return true;
}

bool copyMatrix(Exec& x, const Inst& in) {
    const TensorInst& t = tensorInst(x, in);
    for (std::uint32_t rest = activeMask(x, in); rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const std::vector<BlockState*> blocks = tensorBlocks(x, in, lane, t.pair);
        if (blocks.empty())
            return false;
        const TensorAddress at(tensorAddress(x, t.address, lane));
        const TensorMatrix matrix(rowAt<const std::uint64_t>(x, t.descriptor)[lane]);
        if (!matrix.valid)
            return tensorFault(x, in, lane, say::NoLayout);
        const auto work = newTensorWork(x, in, lane);
        if (!work)
            return false;
        for (BlockState* block : blocks) {
            const TensorColumns columns = tensorColumns(x, in, lane, *block, at.column, t.bytes / 4);
            if (!columns)
                return false;
            TensorMemory& memory = tensorOf(*block);
            memory.written.push_back({work, columns.from(), columns.end()});
            if (work->note)
                work->note->bytes += std::uint64_t(t.rows) * t.bytes;
            for (std::uint32_t row = 0; row < t.rows; ++row)
                for (std::uint32_t piece = 0; piece < t.bytes / 16; ++piece) {
                    const std::uint64_t from = matrix.alongK(row, piece);
                    const std::byte* const found = block->shared.find(from, 16);
                    if (!found)
                        return faultAccess(x, in, lane, from, 16, MemorySpace::Shared, block->shared.size(),
                                           AccessKind::Load);
                    alignas(8) std::byte bytes[16];
                    std::memcpy(bytes, found, 16);
                    if (t.packed != 8)
                        unpackElements(t.packed, bytes);
                    for (std::uint32_t q = 0; q < 4; ++q) {
                        if (t.fourRows ? q != row : t.quarters[q] != row / 32 + 1)
                            continue;
                        const std::uint32_t to = 32 * q + (t.fourRows ? at.lane % 32 : row % 32);
                        std::memcpy(memory.row(to, columns) + 4 * piece, bytes, 16);
                    }
                }
        }
    }
    return true;
}

bool commitWork(Exec& x, const Inst& in) {
    const TensorInst& t = tensorInst(x, in);
    for (std::uint32_t rest = activeMask(x, in); rest; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        BarrierUse use;
        if (!useBarrier(x, in, t.address, lane, use))
            return false;
        PendingCopy copy = newCopy(x, in, 1u << lane, AsyncCopyKind::Product);
        copy.note = nullptr;
        copy.bulk = copy.commits = true;
        copy.arrivals = 1u << lane;
        copy.barrier = use.at;
        const std::uint32_t thread = x.warp->number * 32 + std::uint32_t(lane);
        std::erase_if(tensorOf(*x.block).asked, [](const TensorMemory::Asked& a) { return a.work->done; });
        for (const TensorMemory::Asked& a : tensorOf(*x.block).asked)
            if (a.thread == thread) {
                copy.works.push_back(a.work);
                if (a.work->note && a.work->note->barrier == noIndex)
                    a.work->note->barrier = use.at;
            }
        if (t.multicast == noRow) {
            if (!ask(x, in, *use.home.block, std::move(copy)))
                return false;
            continue;
        }
        const std::uint64_t at = addressOf(x, t.address, lane) & 0xffffffffu;
        const std::size_t blocks = x.block->cluster ? x.block->cluster->members.size() : 1;
        std::uint32_t mask = rowAt<const std::uint32_t>(x, t.multicast)[lane] & 0xffff;
        for (; mask; mask &= mask - 1) {
            const auto rank = std::uint32_t(std::countr_zero(mask));
            if (rank >= blocks)
                return tensorFault(x, in, lane, say::CommitToBlock(rank, blocks));
            Home home;
            if (!sharedBytes(x, in, lane, addressAt(x, at, rank), 8, AccessKind::Atomic, home))
                return false;
            if (!barrierAt(*home.block, use.at).valid)
                return tensorFault(x, in, lane, say::CommitHasNoMbarrier(rank, use.at));
            if (!ask(x, in, *home.block, copy))
                return false;
        }
    }
    return true;
}

} // namespace

TensorMemory& tensorOf(BlockState& block) {
    if (!block.tensor)
        block.tensor = std::make_shared<TensorMemory>();
    return *block.tensor;
}

std::uint32_t tensorAddress(Exec& x, const AsyncAddress& a, int lane) {
    return std::uint32_t(a.offset) + (a.row == noRow ? 0 : rowAt<const std::uint32_t>(x, a.row)[lane]);
}

bool tensorFault(Exec& x, const Inst& in, int lane, const Message& why) {
    x.diagnostics->add(x, DiagnosticKind::OutOfBounds, in.index, lane, 0, why, true);
    return false;
}

TensorColumns tensorColumns(Exec& x, const Inst& in, int lane, BlockState& block, std::uint32_t from,
                            std::uint32_t count) {
    const auto none = [&](const Message& why) {
        tensorFault(x, in, lane, why);
        return TensorColumns();
    };
    if (std::uint64_t(from) + count > TensorMemory::columns)
        return none(say::TensorColumnsOutside(from, std::uint64_t(from) + count - 1));
    const auto& taken = tensorOf(block).taken;
    for (std::uint32_t piece = from / TensorMemory::piece; piece * TensorMemory::piece < from + count; ++piece)
        if (taken[piece] == 0)
            return none(say::TensorColumnFree(std::max(from, piece * TensorMemory::piece), block.index));
    return {from, count};
}

void tellEarlyTensor(Exec& x, const Inst& in, int lane, std::uint32_t from, std::uint32_t count) {
    TensorMemory& memory = tensorOf(*x.block);
    std::erase_if(memory.written, [](const TensorMemory::Written& w) { return w.work->done; });
    for (const TensorMemory::Written& w : memory.written) {
        if (w.to <= from || from + count <= w.from || x.diagnostics->repeated(x, DiagnosticKind::AsyncHazard, in.index))
            continue;
        x.diagnostics->add(x, DiagnosticKind::AsyncHazard, in.index, lane, 0,
                           say::EarlyTensor(x.warp->number, std::max(from, w.from), w.work->warp,
                                            placeText(*x.program, w.work->position)));
        return;
    }
}

std::vector<BlockState*> tensorBlocks(Exec& x, const Inst& in, int lane, bool pair) {
    if (!pair)
        return {x.block};
    const std::uint32_t other = x.block->clusterRank ^ 1;
    if (!x.block->cluster || other >= x.block->cluster->members.size()) {
        tensorFault(x, in, lane, say::PairNeedsEven);
        return {};
    }
    BlockState* const peer = x.block->cluster->members[other].home.block;
    if (!peer) {
        tensorFault(x, in, lane, (x.block->cluster->members[other].ended ? say::PairEnded : say::PairNotBegun)(other));
        return {};
    }
    return other & 1 ? std::vector<BlockState*>{x.block, peer} : std::vector<BlockState*>{peer, x.block};
}

std::shared_ptr<TensorWork> newTensorWork(Exec& x, const Inst& in, int lane) {
    constexpr std::size_t usual = 1024; // of a block at once; what is more than that is counted, and never given back
    auto& asked = tensorOf(*x.block).asked;
    if (asked.size() >= usual &&
        !keep(x, in, lane, sizeof(TensorWork) + sizeof(TensorMemory::Asked) + 2 * sizeof(TensorMemory::Written)))
        return nullptr;
    auto work = std::make_shared<TensorWork>();
    work->warp = x.warp->number;
    work->position = in.index;
    work->note = newCopy(x, in, 1u << lane, AsyncCopyKind::Product).note;
    if (work->note) {
        work->note->from = work->note->to = MemorySpace::Shared;
        x.recorder->copy(work->note);
    }
    asked.push_back({work, x.warp->number * 32 + std::uint32_t(lane)});
    return work;
}

TensorMatrix::TensorMatrix(std::uint64_t descriptor) {
    start = (descriptor & 0x3fff) << 4;
    leading = (descriptor >> 16 & 0x3fff) << 4;
    stride = (descriptor >> 32 & 0x3fff) << 4;
    phase = std::uint32_t(descriptor >> 49 & 7);
    constexpr std::uint32_t widths[] = {0, 128, 128, 0, 64, 0, 32, 0};
    const auto mode = std::uint32_t(descriptor >> 61);
    width = widths[mode];
    wide = mode == 1;
    valid = mode == 0 || width != 0;
}

std::uint64_t TensorMatrix::swizzled(std::uint64_t at) const {
    if (width == 0)
        return at;
    const std::uint64_t row = (at >> 7) - phase;
    return wide ? at ^ (row & 3) << 5 : at ^ (row & (width / 16 - 1)) << 4;
}

std::uint64_t TensorMatrix::alongK(std::uint32_t row, std::uint32_t piece) const {
    const std::uint64_t at = start + row / 8 * stride;
    return swizzled(width == 0 ? at + piece * leading + row % 8 * 16 : at + row % 8 * width + piece * 16);
}

std::uint64_t TensorMatrix::acrossK(std::uint32_t k, std::uint32_t piece) const {
    if (width == 0)
        return start + piece * stride + k / 8 * leading + k % 8 * 16;
    const std::uint32_t of = width / 16, group = wide ? 4 : 8;
    return swizzled(start + piece / of * leading + k / group * stride + k % group * width + piece % of * 16);
}

// Sixteen elements of four or six bits, one behind the other, as bytes: four bits stand above two zeros, as mma takes them.
void unpackElements(std::uint32_t bits, std::byte* piece) {
    std::uint64_t low = 0, high = 0;
    std::memcpy(&low, piece, 8);
    std::memcpy(&high, piece + 8, 8);
    for (std::uint32_t i = 0; i < 16; ++i) {
        const std::uint32_t at = i * bits;
        std::uint64_t v = at < 64 ? low >> at : high >> (at - 64);
        if (at < 64 && at + bits > 64)
            v |= high << (64 - at);
        v &= (1u << bits) - 1;
        piece[i] = std::byte(bits == 4 ? v << 2 : v);
    }
}

Handler tensorHandler(TensorOp op) {
    switch (op) {
    case TensorOp::Alloc:
        return &allocateColumns;
    case TensorOp::Dealloc:
        return &freeColumns;
    case TensorOp::Order:
        return &keepOrder;
    case TensorOp::Load:
    case TensorOp::Store:
        return &moveCells;
    case TensorOp::Commit:
        return &commitWork;
    case TensorOp::Copy:
        return &copyMatrix;
    case TensorOp::Product:
        return &tensorProduct;
    }
    return nullptr;
}

} // namespace warpglass::emulator
