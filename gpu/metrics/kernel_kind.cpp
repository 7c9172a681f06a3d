// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/metrics/kernel_kind.h"

#include "gpu/base/messages/why.h"
#include "gpu/metrics/ptx_lines.h"
#include "gpu/ptx/describe.h"

#include <algorithm>

namespace warpglass {

namespace {

struct Has {
    bool tensorMemory = false, wgmma = false, wmma = false, mma = false, cluster = false, bulk = false, texture = false,
         match = false, exponential = false, root = false, shuffle = false, atomic = false, fp64 = false,
         function = false, barrier = false;
};

void look(Has& has, std::string_view opcode) {
    using ptx::Opcode;
    const ptx::Description is = ptx::describe(opcode);
    has.cluster |= is.cluster && is.opcode != Opcode::Cp; // whose shared memory is its own by that name, too
    switch (is.opcode) {
    case Opcode::Tcgen05:
        has.tensorMemory = true;
        break;
    case Opcode::Wgmma:
        has.wgmma = true;
        break;
    case Opcode::Wmma:
        has.wmma = true;
        break;
    case Opcode::Mma:
        has.mma = true;
        break;
    case Opcode::Mapa:
    case Opcode::Getctarank:
    case Opcode::Multimem:
    case Opcode::Clusterlaunchcontrol:
        has.cluster = true;
        break;
    case Opcode::Cp:
        has.bulk |= opcode.find(".bulk") != std::string_view::npos;
        break;
    case Opcode::Match:
        has.match = true;
        break;
    case Opcode::Ex2:
    case Opcode::Tanh:
        has.exponential = has.function = true;
        break;
    case Opcode::Sqrt:
    case Opcode::Rsqrt:
        has.root = has.function = true;
        break;
    case Opcode::Lg2:
    case Opcode::Sin:
    case Opcode::Cos:
        has.function = true;
        break;
    case Opcode::Shfl:
    case Opcode::Redux:
        has.shuffle = true;
        break;
    case Opcode::Atom:
    case Opcode::Red:
        has.atomic = true;
        break;
    case Opcode::Bar:
    case Opcode::Barrier:
        has.barrier = true;
        break;
    case Opcode::Tex:
    case Opcode::Tld4:
    case Opcode::Suld:
    case Opcode::Sust:
    case Opcode::Sured:
        has.texture = true;
        break;
    case Opcode::Add:
    case Opcode::Sub:
    case Opcode::Mul:
    case Opcode::Mad:
    case Opcode::Fma:
    case Opcode::Div:
    case Opcode::Rcp:
        has.fp64 |= is.type() == ptx::Type::F64;
        break;
    default:
        break;
    }
}

} // namespace

KernelKind kindOf(const Trace& trace, std::uint32_t launch) {
    if (launch >= trace.launches.size())
        return KernelKind::GlobalMemory;
    if (std::any_of(trace.launches.begin(), trace.launches.end(),
                    [&](const Launch& l) { return l.parentLaunch == launch; }))
        return KernelKind::DeviceLaunches;
    Has has;
    const auto lines = linesOf(trace.kernelOf(trace.launches[launch]).ptx);
    const auto counts = trace.countsOf(launch);
    for (const InstructionCount& count : counts)
        if (count.ptxLine > 0 && count.ptxLine <= lines.size() && count.executions > 0)
            look(has, opcodeOf(lines[count.ptxLine - 1]));
    if (counts.empty())
        for (const std::string_view line : lines)
            look(has, opcodeOf(line));
    const std::pair<bool, KernelKind> kinds[] = {
        {has.tensorMemory, KernelKind::TensorMemory},
        {has.wgmma && has.exponential, KernelKind::AttentionWgmma},
        {has.wgmma, KernelKind::ProductsWgmma},
        {has.wmma, KernelKind::ProductsWmma},
        {has.mma && has.exponential, KernelKind::AttentionMma},
        {has.mma, KernelKind::ProductsMma},
        {has.cluster, KernelKind::Clusters},
        {has.bulk, KernelKind::BulkCopies},
        {has.texture, KernelKind::Textures},
        {has.match, KernelKind::Matching},
        {has.exponential && has.shuffle, KernelKind::ExponentialSums},
        {has.root && has.shuffle, KernelKind::Norms},
        {has.shuffle, KernelKind::WarpSums},
        {has.atomic, KernelKind::Atomics},
        {has.fp64, KernelKind::Doubles},
        {has.function, KernelKind::SpecialFunctions},
        {has.barrier, KernelKind::SharedMemory},
    };
    const auto* const first =
        std::find_if(std::begin(kinds), std::end(kinds), [](const auto& kind) { return kind.first; });
    return first == std::end(kinds) ? KernelKind::GlobalMemory : first->second;
}

MessageForm<0> wordsOf(KernelKind kind) {
    switch (kind) {
    case KernelKind::DeviceLaunches:
        return say::KindDeviceLaunches;
    case KernelKind::TensorMemory:
        return say::KindTensorMemory;
    case KernelKind::AttentionWgmma:
        return say::KindAttentionWgmma;
    case KernelKind::ProductsWgmma:
        return say::KindProductsWgmma;
    case KernelKind::ProductsWmma:
        return say::KindProductsWmma;
    case KernelKind::AttentionMma:
        return say::KindAttentionMma;
    case KernelKind::ProductsMma:
        return say::KindProductsMma;
    case KernelKind::Clusters:
        return say::KindClusters;
    case KernelKind::BulkCopies:
        return say::KindBulkCopies;
    case KernelKind::Textures:
        return say::KindTextures;
    case KernelKind::Matching:
        return say::KindMatching;
    case KernelKind::ExponentialSums:
        return say::KindExponentialSums;
    case KernelKind::Norms:
        return say::KindNorms;
    case KernelKind::WarpSums:
        return say::KindWarpSums;
    case KernelKind::Atomics:
        return say::KindAtomics;
    case KernelKind::Doubles:
        return say::KindDoubles;
    case KernelKind::SpecialFunctions:
        return say::KindSpecialFunctions;
    case KernelKind::SharedMemory:
        return say::KindSharedMemory;
    case KernelKind::GlobalMemory:
        break;
    }
    return say::KindGlobalMemory;
}

} // namespace warpglass
