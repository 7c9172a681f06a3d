// SPDX-License-Identifier: GPL-3.0-or-later
// Tensor memory of one block, 128 lanes of 512 columns of 32 bits, and what is under way in it.
//
// A product is made when its thread comes to it, which is one of the orders that the ISA allows. It counts as under way
// until somebody has waited at an mbarrier that a later tcgen05.commit of its thread reports to; who reads what it writes
// before that is told so (DiagnosticKind::AsyncHazard).
#pragma once

#include "gpu/emulator/code/tensor_inst.h"
#include "gpu/emulator/state/async_state.h"
#include "gpu/emulator/state/exec.h"

#include <string>

namespace warpglass::emulator {

// Columns that the block has allocated, as tensorColumns() found.
class TensorColumns {
public:
    explicit operator bool() const { return m_count != 0; }
    std::uint32_t from() const { return m_from; }
    std::uint32_t end() const { return m_from + m_count; }

private:
    friend TensorColumns tensorColumns(Exec& x, const Inst& in, int lane, BlockState& block, std::uint32_t from,
                                       std::uint32_t count);
    TensorColumns() = default;
    TensorColumns(std::uint32_t from, std::uint32_t count) : m_from(from), m_count(count) {}
    std::uint32_t m_from = 0, m_count = 0;
};

struct TensorMemory {
    static constexpr std::uint32_t lanes = 128, columns = 512, piece = 32; // piece: columns that are allocated together

    struct Written { // columns that work writes
        std::shared_ptr<TensorWork> work;
        std::uint32_t from = 0, to = 0;
    };
    struct Asked { // work of a thread of this block that no commit has been waited for
        std::shared_ptr<TensorWork> work;
        std::uint32_t thread = 0;
    };
    std::array<std::uint16_t, columns / piece> taken{}; // [piece] columns of the allocation that it is in; 0: free
    std::vector<Written> written;
    std::vector<Asked> asked;

    // Of a lane, from the first of these columns on. Lanes go around.
    std::uint32_t* row(std::uint32_t lane, TensorColumns of) {
        return cells.data() + std::size_t(lane % lanes) * columns + of.from();
    }

private:
    std::vector<std::uint32_t> cells = std::vector<std::uint32_t>(std::size_t(lanes) * columns); // [lane][column]
};

// Made when it is first asked for.
TensorMemory& tensorOf(BlockState& block);

// An address of tensor memory: the lane above, the column below. Scales have the number of a byte in the highest bits.
struct TensorAddress {
    std::uint32_t lane = 0, column = 0;
    explicit TensorAddress(std::uint32_t bits) : lane(bits >> 16 & 127), column(bits & 0xffff) {}
};
std::uint32_t tensorAddress(Exec& x, const AsyncAddress& a, int lane);
// Columns that this block has allocated, one at least; tells if they are not.
TensorColumns tensorColumns(Exec& x, const Inst& in, int lane, BlockState& block, std::uint32_t from,
                            std::uint32_t count);
bool tensorFault(Exec& x, const Inst& in, int lane, const Message& why);
// Tells of work that nobody has waited for.
void tellEarlyTensor(Exec& x, const Inst& in, int lane, std::uint32_t from, std::uint32_t count);
// The block and, of a pair, the other one, the lower rank first; empty after it was told that there is none.
std::vector<BlockState*> tensorBlocks(Exec& x, const Inst& in, int lane, bool pair);
// nullptr: so much is under way that no commit has been waited for that there is no room for more, which has been told.
std::shared_ptr<TensorWork> newTensorWork(Exec& x, const Inst& in, int lane);

// A matrix in shared memory as a descriptor of tcgen05 names it: the layouts of wgmma's (matrix/wgmma.cpp), and one
// with pieces of 32 bytes that change places.
struct TensorMatrix {
    std::uint64_t start = 0, leading = 0, stride = 0;
    std::uint32_t width = 0; // of a swizzled row; 0: none
    std::uint32_t phase = 0;
    bool wide = false; // 32 bytes keep together
    explicit TensorMatrix(std::uint64_t descriptor);
    bool valid = true;
    // Sixteen bytes: the piece-th of a row along k; the piece-th along the rows for one k.
    std::uint64_t alongK(std::uint32_t row, std::uint32_t piece) const;
    std::uint64_t acrossK(std::uint32_t k, std::uint32_t piece) const;

private:
    std::uint64_t swizzled(std::uint64_t at) const;
};

// Sixteen bytes that hold sixteen elements of four or six bits, to a byte each.
void unpackElements(std::uint32_t bits, std::byte* piece);

Handler tensorHandler(TensorOp op);
bool tensorProduct(Exec& x, const Inst& in);

} // namespace warpglass::emulator
