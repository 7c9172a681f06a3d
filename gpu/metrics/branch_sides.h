// SPDX-License-Identifier: GPL-3.0-or-later
// What a branch of the PTX means in the source.
//
// A branch in PTX jumps, and a jump is often the opposite of what the source says: `if (c) body` becomes "jump over the
// body if not c". Whoever shows a branch to a reader of the source therefore asks who ENTERS the code that follows (for
// a jump backwards, a loop: who goes round again); only where PTX is shown as such is it told who JUMPS.
#pragma once

#include "gpu/trace/trace.h"

#include <cstdint>
#include <string>

namespace warpglass {

// "$L__BB0_3" of "@%p1 bra $L__BB0_3;", empty if there is none.
std::string jumpTarget(const std::string& instruction);
// 1-based line of the label in the PTX text, or 0.
std::uint32_t labelLine(const Kernel& kernel, const std::string& label);
// Whether the branch's target stands above it: a loop.
bool jumpsBack(const Kernel& kernel, const Site& site);

// Of the lanes that reached the branch, those that enter.
constexpr LaneMask entering(LaneMask active, LaneMask taken, bool back) {
    return back ? active & taken : active & ~taken;
}
// The same of an event, which is a branch; its site is looked up in the kernel's text.
LaneMask entering(const Kernel& kernel, const Site& site, const Event& event);

} // namespace warpglass
