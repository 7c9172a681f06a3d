// SPDX-License-Identifier: GPL-3.0-or-later
// An asynchronous instruction or one of clusters, decoded: more operands than Inst has room for. Inst::async names it.
#pragma once

#include "gpu/emulator/code/row.h"
#include "gpu/launch/tensor_map.h"
#include "gpu/ptx/describe.h"
#include "gpu/trace/tables.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace warpglass::emulator {

enum class AsyncOp : std::uint8_t {
    // mbarrier
    Init,
    Inval,
    Arrive,
    ArriveDrop,
    ExpectBytes,
    CompleteBytes,
    TestWait,
    TryWait,
    PendingCount,
    // copies of a few bytes a thread
    CopyLanes,
    CommitLanes,
    WaitLanes, // size: groups that may be under way; noIndex: none at all
    ArriveAfterLanes,
    // copies by the unit for large ones
    CopyBulk,
    CopyTensor,
    CommitBulk,
    WaitBulk,
    Prefetch,
    StoreRemote,  // st.async
    ReduceRemote, // red.async
    ReplaceField, // tensormap.replace
    CopyMap,      // tensormap.cp_fenceproxy
    ZeroShared,   // st.bulk
    TryCancel,    // clusterlaunchcontrol.try_cancel
    QueryCancel,  // clusterlaunchcontrol.query_cancel
    // clusters
    MapAddress, // mapa
    RankOf,     // getctarank
    ClusterArrive,
    ClusterWait,
};

enum class CopySpace : std::uint8_t { Global, Own, Cluster, Generic }; // Own, Cluster: shared memory

struct AsyncAddress {
    Row row = noRow; // noRow: the offset alone
    std::int64_t offset = 0;
    bool wide = false; // the row is 64 bits wide
    CopySpace space = CopySpace::Generic;
    // A program that clears bit 24 of an address of the cluster means the even block of its pair. Here a block's own
    // memory has no bits there, so that the decoder looks for who clears it.
    bool ofEvenBlock = false;
};

struct AsyncInst {
    AsyncOp op = AsyncOp::Init;
    AsyncAddress to, from, barrier; // of copies; of an mbarrier instruction: barrier
    Row dst = noRow;                // of results
    bool dstIs64 = false;
    Row count = noRow; // arrivals, bytes, phase or parity
    Row bytes = noRow; // of arrive.expect_tx; of a copy
    Row sourceBytes = noRow;
    Row ignore = noRow; // the predicate that asks for zeros
    bool ignoreNegated = false;
    Row multicast = noRow;        // the mask of blocks
    bool multicastsToAll = false; // of the cluster
    Row byteMask = noRow;
    std::vector<Row> values;     // st.async, red.async; coordinates of a tensor copy
    std::vector<Row> offsets;    // of im2col; of im2col::w the halo and the offset
    std::uint8_t valueBytes = 4; // of one
    bool parity = false, noComplete = false, noIncrement = false, readOnly = false, halt = false, remote = false;
    bool byBarrier = false; // completion is told to an mbarrier, otherwise to the thread's bulk groups
    bool prefetches = false, fourRows = false; // fourRows: tile::gather4, tile::scatter4
    std::optional<Im2col::Along> im2col;
    bool ofPair = false;    // cta_group::2: the mbarrier may be the other block's of the pair
    std::uint32_t keep = 0; // of wait_group
    std::uint32_t kept() const {
        return halt ? noIndex : keep;
    }                                     // groups of cp.async that are not waited for; noIndex: none
    std::uint32_t field = 0, ordinal = 0; // of tensormap.replace
    ptx::Operation operation = ptx::Operation::None;
    ptx::Type type = ptx::Type::None;
};

} // namespace warpglass::emulator
