// SPDX-License-Identifier: GPL-3.0-or-later
// What a launch is made of, field by field, for packing.h. A struct that gets a field more does not compile here until
// the field travels, too: structured bindings name all of them.
#pragma once

#include "gpu/base/utf8.h"
#include "gpu/cage/packing.h"
#include "gpu/launch/arguments.h"
#include "gpu/launch/backend.h"

namespace warpglass::cage {

template <class A>
void fields(A& a, Time& s) {
    auto& [value] = s;
    travelAll(a, value);
}
template <class A>
void fields(A& a, LaneMask& s) {
    auto& [bits] = s;
    travelAll(a, bits);
}
template <class A>
void fields(A& a, Dim3& s) {
    auto& [x, y, z] = s;
    travelAll(a, x, y, z);
}
// Who answers may say anything: what the catalogue does not have leaves the text alone.
template <class A>
void fields(A& a, Said& s) {
    std::string text = s, code = s.code();
    travelAll(a, text, code);
    if constexpr (!A::packs)
        s = Said::of(validUtf8(text), code);
}
template <class A>
void fields(A& a, Error& s) {
    auto& [message, file, line, column, remedy] = s;
    travelAll(a, message, file, line, column, remedy);
}

// ---- the plan

template <class A>
void fields(A& a, BufferPointer& s) {
    auto& [offset, buffer, addend] = s;
    travelAll(a, offset, buffer, addend);
}
template <class A>
void fields(A& a, Im2col& s) {
    auto& [lower, upper, channels, pixels, along] = s;
    travelAll(a, lower, upper, channels, pixels, along);
}
template <class A>
void fields(A& a, TensorMap& s) {
    auto& [buffer, offset, type, rank, dims, strides, box, elementStrides, interleave, swizzle, atom, flip, l2, fillNan,
           im2col] = s;
    travelAll(a, buffer, offset, type, rank, dims, strides, box, elementStrides, interleave, swizzle, atom, flip, l2,
              fillNan, im2col);
}

// What a buffer holds at first: words that say it, or its bytes, which the other side asks for as often as it begins anew.
template <class A>
void travelFill(A& a, Fill& fill, std::uint64_t bytes) {
    bool there = fill != nullptr;
    travel(a, there);
    const std::uint32_t number = a.nextBuffer();
    if (!there)
        return;
    const FillOfWords* known = fill.target<FillOfWords>();
    bool isWords = known != nullptr;
    travel(a, isWords);
    if (isWords) {
        FillOfWords words = known ? FillOfWords{known->initial, known->type, known->count, {}} : FillOfWords();
        travelAll(a, words.initial, words.type, words.count);
        if constexpr (!A::packs) {
            auto made = words.initial.starts_with("file:") ? Result<Fill>(Error{})
                                                           : parseInitial({}, words.initial, words.type, words.count);
            if (made)
                fill = std::move(*made);
            else
                a.fail();
        }
        return;
    }
    if constexpr (A::packs)
        a.contents[number] = {fill, bytes};
    else
        fill = [ask = a.ask, number](std::span<std::byte> to) { ask(number, to); };
}
template <class A>
void fields(A& a, Argument& s) {
    auto& [name, isBuffer, type, count, scalar, fill, uninitialised, pointers, tensorMap] = s;
    travelAll(a, name, isBuffer, type, count, scalar, uninitialised, pointers, tensorMap);
    travelFill(a, fill, isBuffer ? count * std::uint64_t(bytesOf(type)) : 0);
}
template <class A>
void fields(A& a, GlobalPatch& s) {
    auto& [symbol, bytes, pointers] = s;
    travelAll(a, symbol, bytes, pointers);
}
template <class A>
void fields(A& a, DumpedVariable& s) {
    auto& [symbol, bytes] = s;
    travelAll(a, symbol, bytes);
}
template <class A>
void fields(A& a, Extent& s) {
    auto& [width, height, depth] = s;
    travelAll(a, width, height, depth);
}
template <class A>
void fields(A& a, TexelArray& s) {
    auto& [name, shape, extent, type, channels, levels, fill] = s;
    travelAll(a, name, shape, extent, type, channels, levels);
    travelFill(a, fill, s.bytes());
}
template <class A>
void fields(A& a, Sampler& s) {
    auto& [address, linear, normalized, asFloat, srgb, seamless, border, mipLinear, bias, minLevel, maxLevel] = s;
    travelAll(a, address, linear, normalized, asFloat, srgb, seamless, border, mipLinear, bias, minLevel, maxLevel);
}
template <class A>
void fields(A& a, TextureBinding& s) {
    auto& [name, array, sampler] = s;
    travelAll(a, name, array, sampler);
}
template <class A>
void fields(A& a, SurfaceBinding& s) {
    auto& [name, array] = s;
    travelAll(a, name, array);
}
template <class A>
void fields(A& a, KeptArea& s) {
    auto& [role, address, bytes, name] = s;
    travelAll(a, role, address, bytes, name);
}
template <class A>
void fields(A& a, KeptMemory& s) {
    auto& [areas, words] = s;
    travelAll(a, areas, words);
}
template <class A>
void fields(A& a, ptx::BranchMeets& s) {
    auto& [function, branch, places, yields] = s;
    travelAll(a, function, branch, places, yields);
}
// All but the check of the result, which whoever asked for the run makes.
template <class A>
void fields(A& a, LaunchPlan& s) {
    auto& [kernelName, moduleName, ptx, entry, sourceName, source, headers, ttgir, mode, grid, block, cluster,
           sharedBytes, size, arguments, globals, globalBuffers, arrays, textures, surfaces, dumped, kept, check,
           pendingLaunchLimit, heapLimit, registers, meets, notCounted] = s;
    travelAll(a, kernelName, moduleName, ptx, entry, sourceName, source, headers, ttgir, mode, grid, block, cluster,
              sharedBytes, size, arguments, globals, globalBuffers, arrays, textures, surfaces, dumped,
              pendingLaunchLimit, heapLimit, registers, meets, notCounted);
    bool isKept = kept != nullptr;
    travel(a, isKept);
    if constexpr (A::packs) {
        if (isKept)
            travel(a, const_cast<KeptMemory&>(*kept)); // a packer changes nothing
    } else if (isKept) {
        auto memory = std::make_shared<KeptMemory>();
        travel(a, *memory);
        kept = std::move(memory);
    }
    (void)check;
}

// ---- how it is to be run

template <class A>
void fields(A& a, Detail& s) {
    auto& [kind, blocks, accesses] = s;
    travelAll(a, kind, blocks, accesses);
}
template <class A>
void fields(A& a, LimitSet& s) {
    auto& [bits] = s;
    travelAll(a, bits);
}
template <class A>
void fields(A& a, L2Range& s) {
    auto& [begin, end] = s;
    travelAll(a, begin, end);
}
template <class A>
void fields(A& a, L2Piece& s) {
    auto& [at, oldest, newest, copied, filled] = s;
    travelAll(a, at, oldest, newest, copied, filled);
}
template <class A>
void fields(A& a, AskedWord& s) {
    auto& [option, value] = s;
    travelAll(a, option, value);
}
template <class A>
void fields(A& a, EstimateAround& s) {
    auto& [reached, inL2] = s;
    travelAll(a, reached, inL2);
}
template <class A>
void fields(A& a, CommonOptions& s) {
    auto& [detail, device, maxEvents, command, asked] = s;
    travelAll(a, detail, device, maxEvents, command, asked);
}
template <class A>
void fields(A& a, WatchedWord& s) {
    auto& [shared, block, object, base, index] = s;
    travelAll(a, shared, block, object, base, index);
}
template <class A>
void fields(A& a, WatchedVariable& s) {
    auto& [name, path, line, block, thread, warp] = s;
    travelAll(a, name, path, line, block, thread, warp);
}
// Bytes that one emulator leaves to another.
template <class A>
void travelFindings(A& a, std::shared_ptr<const std::vector<std::byte>>& findings) {
    bool there = findings != nullptr;
    travel(a, there);
    if (!there)
        return;
    if constexpr (A::packs) {
        putLasting(a, findings->data(), findings->size());
    } else {
        std::vector<std::byte> bytes;
        takeLasting(a, bytes);
        findings = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    }
}
template <class A>
void fields(A& a, EmulatorOptions& s) {
    auto& [timing, policy, without, withoutLines, coldCode, warmL2, l2, estimate, reconvergence, takenSideFirst,
           threads, instructionLimit, checkMemory, checkFirstUse, checkRaces, checkOrder, adverse, checkFinite, results,
           onFault, keepFindings, findings, twin, word, variable] = s;
    travelAll(a, timing, policy, without, withoutLines, coldCode, warmL2, l2, estimate, reconvergence, takenSideFirst,
              threads, instructionLimit, checkMemory, checkFirstUse, checkRaces, checkOrder, adverse, checkFinite,
              results, onFault, keepFindings, twin, word, variable);
    travelFindings(a, findings);
}
template <class A>
void fields(A& a, CudaOptions& s) {
    auto& [counters, timeLimitSeconds] = s;
    travelAll(a, counters, timeLimitSeconds);
}
template <class A>
void fields(A& a, RunOptions& s) {
    fields(a, static_cast<CommonOptions&>(s));
    fields(a, static_cast<EmulatorOptions&>(s));
    fields(a, static_cast<CudaOptions&>(s));
}

} // namespace warpglass::cage
