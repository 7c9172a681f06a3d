// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the instruction table: Control, lanes of a warp, stack. instruction_set.h says how to read them.
// clang-format off
{Opcode::Bra, "bra", Family::Branch, "l", 0, {": uni"}},
{Opcode::Brx, "brx", Family::Branch, "ul", 0, {": idx uni"}},
{Opcode::Call, "call", Family::Call, "?*", 0, {": uni"}},
{Opcode::Ret, "ret", Family::End, "", 0, {": uni"}},
{Opcode::Exit, "exit", Family::End, "", 0, {":"}},
{Opcode::Trap, "trap", Family::End, "", 0, {":"}},
{Opcode::Brkpt, "brkpt", Family::End, "", 0, {":"}},
{Opcode::Bar, "bar", Family::Barrier, "?*", 0, {
    ": sync|arrive cta", ": warp! sync!", "u32 : red! popc! cta", "pred : red! and|or cta"}},
{Opcode::Barrier, "barrier", Family::Barrier, "?*", 0, {
    ": sync|arrive aligned cta", "u32 : red! popc! aligned cta", "pred : red! and|or aligned cta",
    ": cluster arrive! release relaxed aligned", ": cluster wait! acquire aligned"}},
{Opcode::Nanosleep, "nanosleep", Family::Hint, "u", 0, {"u32"}},
{Opcode::Pmevent, "pmevent", Family::Hint, "i", 0, {": mask"}},
{Opcode::Griddepcontrol, "griddepcontrol", Family::Hint, "", 0, {": wait|launch_dependents"}},
{Opcode::Setmaxnreg, "setmaxnreg", Family::Hint, "i", 0, {"u32 : inc|dec sync! aligned!"}},

{Opcode::Shfl, "shfl", Family::Warp, "Duuu?u", 0, {"b32 : sync up|down|bfly|idx"}},
{Opcode::Vote, "vote", Family::Warp, "dp?u", 0, {"pred : sync all|any|uni", "b32 : sync ballot!"}},
{Opcode::Match, "match", Family::Warp, "Dtu", 0, {"b32 b64 : sync! any|all"}},
{Opcode::Redux, "redux", Family::Warp, "dtu", 0, {
    "u32 s32 : sync! add|min|max", "b32 : sync! and|or|xor", "f32 : sync! min|max abs NaN"}},
{Opcode::Elect, "elect", Family::Warp, "Du", 0, {": sync!"}},
{Opcode::Activemask, "activemask", Family::Warp, "d", 0, {"b32"}},

{Opcode::Alloca, "alloca", Family::Stack, "dt?i", 0, {"u32 u64"}},
{Opcode::Stacksave, "stacksave", Family::Stack, "d", 0, {"u32 u64"}},
{Opcode::Stackrestore, "stackrestore", Family::Stack, "t", 0, {"u32 u64"}},
// clang-format on
