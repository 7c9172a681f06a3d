// SPDX-License-Identifier: GPL-3.0-or-later
// The asynchronous proxy (PTX ISA, "Async proxy"): bulk and tensor copies and products of matrices come to shared memory by a
// way of their own. What threads stored there they see behind a fence.proxy.async alone, and what they still read nobody may
// write. All of it is told where such an operation is asked for, or waited for: stores pay nothing.
#pragma once

#include "gpu/base/message.h"
#include "gpu/emulator/state/exec.h"
#include "gpu/emulator/state/shared_matrix.h"

#include <optional>
#include <span>

namespace warpglass::emulator {

struct PendingCopy;

Handler proxyFenceHandler(); // fence.proxy.async, of shared memory

// An asynchronous operation of the running warp's reads these bytes of the block's shared memory: told, if what a thread
// stored there is not behind a fence.
void readByProxy(Exec& x, const Inst& in, int lane, BlockState& block, std::uint64_t offset, std::uint64_t bytes,
                 const MessageForm<0>& who);
// A product of matrices of the running warp, which reads these of shared memory: the same, and whether a copy
// into one of them is still under way; kept, until it is waited for.
void readByProduct(Exec& x, const Inst& in, std::span<const MatrixPieces> matrices); // two at most
void commitProducts(Exec& x);
// All but the last `keep` groups are done: told, if somebody overwrote what they read.
void waitForProducts(Exec& x, std::uint32_t keep);

// A copy is asked for that goes into the block's shared memory: told, if somebody may still read or write there.
void writeByProxy(Exec& x, const Inst& in, BlockState& block, const PendingCopy& copy);

// Who wrote there last, of this block's threads, by a store or an atomic whose place is known.
struct LastWriter {
    std::uint32_t thread = 0, position = 0;
};
std::optional<LastWriter> lastWriter(const Exec& x, const BlockState& block, std::uint64_t offset);
// "tile[47]", or "byte 188": an element of so many bytes, of the running program's variables.
Message sharedText(const Exec& x, std::uint64_t offset, std::uint64_t bytes);

} // namespace warpglass::emulator
