// SPDX-License-Identifier: GPL-3.0-or-later
// The instruction set: each opcode of PTX said once, in one row.
//
// A row tells the opcode's name, the family it belongs to (which decides who decodes it), the shape of its operands,
// the operations that a thread does in it, and its forms: which types it takes and which modifiers each of them may
// carry, as the PTX ISA lists them. A form that the emulator does not run is marked. Parser, decoder, timing, probes
// and metrics look things up here (describe.h says what one instruction's words mean), so that no opcode and no
// modifier is spelt out anywhere else.
//
// To add an instruction: a row in gpu/ptx/rows (or the mark off its form), a handler in gpu/emulator/ops and its line in the
// decoder of the family, a test.
#pragma once

#include "gpu/base/message.h"
#include "gpu/ptx/types.h"

#include <array>
#include <bitset>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass::ptx {

struct Instruction;

// In the order of the rows. Unknown: a word that PTX does not have; the instruction keeps it as text.
// clang-format off
enum class Opcode : std::uint8_t {
    Unknown,
    // Whole numbers and floats.
    Add, Sub, Mul, Mad, Fma, Div, Rem, Abs, Neg, Min, Max, Sad, Mul24, Mad24, Dp4a, Dp2a, Copysign, Addc, Subc, Madc,
    Rcp, Sqrt, Rsqrt, Sin, Cos, Lg2, Ex2, Tanh,
    // Bits.
    And, Or, Xor, Not, Cnot, Lop3, Shl, Shr, Shf, Popc, Clz, Brev, Bfind, Fns, Bfe, Bfi, Szext, Bmsk, Prmt,
    // Comparison and choice.
    Setp, Set, Selp, Slct, Testp,
    // Moves.
    Mov, Cvt, Cvta, Isspacep,
    // Memory.
    Ld, Ldu, St, Atom, Red, Prefetch, Prefetchu, Discard, Applypriority, Membar, Fence,
    // Control.
    Bra, Brx, Call, Ret, Exit, Trap, Brkpt, Bar, Barrier, Nanosleep, Pmevent, Griddepcontrol, Setmaxnreg,
    // Lanes of a warp.
    Shfl, Vote, Match, Redux, Elect, Activemask,
    // Stack.
    Alloca, Stacksave, Stackrestore,
    // Clusters and asynchronous work.
    Mapa, Getctarank, Mbarrier, Cp, Createpolicy, Tensormap, Multimem, Clusterlaunchcontrol,
    // Matrices.
    Ldmatrix, Stmatrix, Movmatrix, Mma, Wmma, Wgmma, Tcgen05,
    // Textures and surfaces.
    Tex, Tld4, Txq, Istypep, Suld, Sust, Sured, Suq,
    // Video instructions.
    Vadd, Vsub, Vabsdiff, Vmin, Vmax, Vshl, Vshr, Vmad, Vset, Vadd2, Vsub2, Vavrg2, Vabsdiff2, Vmin2, Vmax2, Vset2,
    Vadd4, Vsub4, Vavrg4, Vabsdiff4, Vmin4, Vmax4, Vset4,
    Count
};
// clang-format on

// A word behind the opcode. Unknown: PTX has no such word; the instruction keeps it as text.
enum class Modifier : std::uint16_t {
    Unknown,
#define X(name, text) name,
#include "gpu/ptx/modifiers.inl"
#undef X
    Count
};
using ModifierSet = std::bitset<std::size_t(Modifier::Count)>;

Opcode parseOpcode(std::string_view text);     // "ld"
Modifier parseModifier(std::string_view text); // "global", without the dot
std::string_view name(Opcode opcode);
std::string_view name(Modifier modifier);
Type typeOf(Modifier modifier); // None if it names no type

enum class Family : std::uint8_t {
    Unknown,
    Arithmetic, // one result computed from registers, a lane at a time
    Predicate,  // the same with a predicate as result: testp
    Compare,
    Select,
    Move,
    Address, // cvta, isspacep
    Convert,
    Load,
    Store,
    Atomic,
    Fence,
    Hint, // changes nothing but time
    Branch,
    Call,
    End, // ret, exit, trap, brkpt
    Barrier,
    Warp,
    Stack,
    Cluster,
    Async,
    Matrix,
    Texture,
    Surface,
    Video,
};

struct Row {
    Opcode opcode = Opcode::Unknown;
    std::string_view name;
    Family family = Family::Unknown;
    // One letter an operand, in the order of the text:
    //   d result    D result, or a pair p|q of them    t value of the (last) type    s value of the first of two types
    //   u 32-bit number whatever the type is    w value as wide as the result of .wide    p predicate
    //   q predicate result    i constant    m address    l label or function    v registers of a matrix
    //   ? the rest may be missing
    //   * anything may follow
    std::string_view operands;
    std::uint8_t operations = 0; // arithmetic operations a thread does, for the rate of operations
    // "TYPES < SOURCES : MODIFIERS": an instruction is of a form if its type is among TYPES (its second one, if it has
    // several, among SOURCES; of video instructions the third one, too; those of matrices go on with "< THIRD < FOURTH < FIFTH")
    // and its other words among MODIFIERS. A form that begins with '-' is not emulated.
    // Words that begin with '@' stand for several: instruction_set.cpp lists them. Of "lo|hi|wide" one must be there, and
    // "popc!" itself.
    std::string_view forms[36]{};
};
const Row& row(Opcode opcode);
std::span<const Row> allRows(); // [0] is Opcode::Unknown

// Whether PTX has this instruction and the emulator runs it.
struct Support {
    enum class Kind : std::uint8_t { Runs, NotEmulated, Unknown } kind = Kind::Runs;
    Said why; // names the word; empty if it runs
};
Support support(const Instruction& instruction);

// The form strings, read: for the test of the table.
struct Form {
    ModifierSet types, sources, modifiers;
    std::vector<ModifierSet> needs;       // of each, an instruction names one
    std::array<ModifierSet, 3> further{}; // the third to the fifth type
    std::uint8_t typeCount = 0;           // how many types an instruction of this form names
    bool untyped = false;                 // an instruction without a type is of this form
    bool emulated = true;
};
std::span<const Form> formsOf(Opcode opcode);

} // namespace warpglass::ptx
