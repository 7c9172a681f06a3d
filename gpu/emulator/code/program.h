// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel as the interpreter runs it: PTX decoded once into a dense array of fixed-size instructions.
//
// Every operand is the byte offset of a row in the frame of the function: a row holds one register for the 32 lanes of
// a warp, 128 bytes for registers of up to 32 bits, 256 or 512 bytes for wider ones; a predicate is one 32-bit mask.
// Constants are rows too (written once when the frame is made), so no handler ever asks whether an operand is a
// register or a constant. A handler is a function specialised for opcode and types; it runs one instruction for one
// warp. Straight-line pieces (Piece) are counted as a whole, which makes exact counting nearly free.
#pragma once

#include "gpu/base/result.h"
#include "gpu/emulator/code/inst.h"
#include "gpu/emulator/code/stretch.h"
#include "gpu/emulator/code/tensor_inst.h"
#include "gpu/emulator/code/texture_op.h"
#include "gpu/ptx/matrix_form.h"
#include "gpu/ptx/module.h"
#include "gpu/trace/tables.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace warpglass::emulator {

inline constexpr std::size_t mostElements = 8; // of a vector operand

// What an instruction keeps busy; the timing model gives each class a pipe and a latency.
enum class OpClass : std::uint8_t {
    Integer,
    Move,
    Float32,
    Float64,
    Half,
    Special,
    Convert,
    Control,
    Barrier,
    Memory,
    Atomic,
    Shuffle,
    Vote,
    Call,
    Fence,
    Async,
    Matrix,
    Other
};

// What readers of the code (dead_loads.h and its like) tell apart among instructions of one opcode.
enum class Role : std::uint8_t {
    Other,
    EntryParam,   // takes a parameter of the kernel
    ParamLoad,    // takes an argument or a result of a call,
    ParamStore,   // or puts one down
    LocalDirect,  // a load or store of a .local variable by its name
    LocalAddress, // takes the address of one
    Call          // of a function of the module
};

// What is known of an instruction before it runs and not needed to run it.
struct InstInfo {
    const ptx::Instruction* source = nullptr; // nullptr for the end of a function
    ptx::Description is;                      // what it says
    std::uint32_t function = 0;
    OpClass opClass = OpClass::Other;
    Role role = Role::Other;
    bool isBranch = false, isConditional = false;
    bool isMemory = false, isShuffle = false, isBarrier = false, isLaunch = false, isExit = false;
    bool isGuess = false;  // a plain load whose value a compare-and-swap of the same word checks
    bool isAsked = false;  // what a volatile or other strong load or an atomic finds decides a branch
    bool isAsync = false;  // asks for a copy, or arrives or waits at an mbarrier
    bool byRounds = false; // several accesses, which the handler tells the recorder itself
    MemorySpace space = MemorySpace::Global;
    bool genericSpace = false; // found at run time
    AccessKind access = AccessKind::Load;
    std::uint32_t usedBytes = ~0u;    // of what a load fetches, a bit each: the others, padding, may hold anything
    std::uint32_t site = noIndex;     // Program-local site of its own kind
    std::uint32_t pathSite = noIndex; // of the first instruction of a basic block
    std::vector<Row> reads, writes;   // for dependences
};

// A straight-line piece: entered at first, left after end - 1.
struct Piece {
    std::uint32_t first = 0, end = 0;
    bool endsInControl = false; // the last instruction sets Exec::pc itself
    bool yields = false;        // who comes to it lets the others go first
    bool meets = false; // lanes may come to it that are waited for here by more than the running entry's own parent
};

struct ConstantRow {
    Row row;
    std::uint32_t bytes = 4; // 4, 8; 0 for a predicate
    std::uint64_t bits = 0;
};

// One parameter or result of a function: 32-bit words of one row each, or a register that is passed as it is.
struct ParamSlot {
    enum class Kind : std::uint8_t { Words, Register, Predicate };
    Row row; // the first
    std::uint32_t words = 0;
    Kind kind = Kind::Words;
    // Whether values go from one to the other word by word, or as predicates.
    bool agrees(const ParamSlot& other) const {
        return words == other.words && (kind == Kind::Predicate) == (other.kind == Kind::Predicate);
    }
};

struct FunctionCode {
    const ptx::Function* source = nullptr;
    std::uint32_t first = 0, end = 0;       // code[end - 1] is the end-of-function instruction
    std::uint32_t frameBytes = 0;           // rows of one frame
    std::uint32_t zeroFrom = 0, zeroTo = 0; // rows cleared when the frame is taken
    std::vector<ConstantRow> constants;
    std::vector<ParamSlot> params, returns; // where this function keeps its own
    std::uint32_t localBytes = 0;           // .local variables of one frame, a thread
    std::uint64_t handedBytes = 0;          // of a thread's stack, for what it hands over in calls (layout.cpp)
    Row stackRow = noRow;                   // bytes that alloca has taken behind them; noRow: it takes none
    bool isForeign = false;                 // from other files than the entry, or from none: a header's atomicAdd
};

struct CallSite {
    std::uint32_t function = noIndex;          // noIndex: through a register
    Row pointer;                               // to the function
    std::vector<ParamSlot> arguments, results; // rows in the caller's frame
};

// How a register of wmma's fragments lies in the matrix's lines, all lanes together.
enum class FragmentLayout : std::uint8_t {
    Anyhow,
    Words,  // each lane's is one word
    Rows,   // and those of four neighbours follow each other
    Turned, // halves: as Rows, after each 8 x 8 of them has been turned
};

// An instruction on matrices: more than fits in an Inst. MemoryPart::site counts into Program::matrices.
struct MatrixCode {
    ptx::MatrixForm form;
    std::vector<Row> a, b, c, d; // the fragments' registers
    Row metadata = noRow;        // of sparse products
    std::uint32_t selector = 0;
    // Of block scales: rows of the words that hold them, of the number of the byte, and of the lanes that give them.
    struct Scales {
        Row words = noRow, byte = noRow, lanes = noRow;
    };
    Scales scalesA, scalesB;
    // wgmma: rows of the descriptors (of a only if it is not in registers), and whether d is added: always, or a
    // predicate.
    Row descriptorA = noRow, descriptorB = noRow, scaleD = noRow;
    bool scaleDNegated = false, negatesA = false, negatesB = false, turnsA = false, turnsB = false;
    // Moves between memory and lanes go by pieces of up to 16 bytes, one a lane and round: an access like any other,
    // whose data rows (and, of wmma, address row) are of the decoder's own. Then the lanes share out what it brought.
    Inst pieces;
    Row stride = noRow; // elements from line to line of wmma's matrix; noRow: close together
    std::uint32_t lines = 0, piecesOfLine = 0, pieceBytes = 0; // of wmma's matrix in memory
    std::vector<std::uint16_t> places;    // [round][lane] not of shared memory: bytes from the lines' beginning on
    std::vector<std::uint16_t> positions; // [element of a lane][lane] of wmma: its number in the lines
    ptx::Fragment fragment;               // of wmma's moves
    std::vector<FragmentLayout> layouts;  // [register] of it
    bool allByRows = false;               // all of them are Rows, and no register is written a third time
    std::vector<std::uint16_t> starts;    // [register][lane] of it: its first element's, in bytes of the lines
};

// A variable in shared, local or constant memory.
struct DeclaredObject {
    const ptx::Variable* source = nullptr;
    ptx::StateSpace space = ptx::StateSpace::Shared;
    std::uint64_t begin = 0, bytes = 0; // in its memory, or the frame; bytes 0: as far as the memory goes
    std::uint32_t function = noIndex;   // of a local one
};
// An access whose place is held against what its address was made of (watch/declared_bounds.h).
struct BoundedAccess {
    std::uint32_t object = noIndex; // Program::objects; noIndex: nobody knows, and it is to lie in one
    Stretch own;                    // the object; of a frame's, without where the frame begins
    // Nobody knows: from where an access of this size ends in another one, in order. All of a size share them.
    std::shared_ptr<const std::vector<std::uint64_t>> across;
};

// The code of one entry and of everything it can call.
// A row of floating-point numbers, one or a pair a lane.
struct FloatRow {
    Row row;
    ptx::Type type = ptx::Type::F32;
};
// An operation of which watch/non_finite.h says whether it makes infinity or NaN of finite numbers.
struct FiniteWatch {
    Handler run = nullptr; // the operation itself; nullptr: it is not watched
    std::vector<FloatRow> results, sources;
    bool wholeWarp = false; // each lane's results are of all lanes' sources
};

// An instruction that uses what a wgmma at `product` is still to write.
struct RegistersUnderWay {
    Handler run = nullptr; // the instruction itself
    std::uint32_t product = 0;
};

// An access to an array that is a member of what is declared, or lies beside others in local memory, as debug information has
// it (watch/member_bounds.h). Its address is `base` and an index.
struct MemberAccess {
    Handler run = nullptr;                    // the instruction itself
    Row base, address;                        // registers of 64 bits
    std::int64_t offset = 0;                  // added to the address
    std::uint64_t before = 0, bytes = 0;      // of the array: before base, and in all
    std::uint32_t each = 0, object = noIndex; // bytes of an element; Program::objects that it lies in, or noIndex:
    // A pointer of this type leads to it.
    std::uint32_t root = noIndex; // ptx::DebugInfo::types, of the variable or of what the pointer points to
    std::uint64_t rootAt = 0;     // where that begins in the object; of a pointer's: where the array begins in that
    std::string name;             // "pair.first"
};

struct Program {
    const ptx::Module* module = nullptr;
    std::uint32_t moduleEntry = 0; // index of the entry in Module::functions
    std::string name;              // as the user calls the kernel
    std::vector<Inst> code;
    std::vector<InstInfo> info; // [position]
    std::vector<Piece> pieces;
    std::vector<FunctionCode> functions; // [0] is the entry
    std::vector<CallSite> calls;
    std::vector<AsyncInst> asyncs;
    std::vector<TensorInst> tensors;
    std::vector<MatrixCode> matrices;
    std::vector<std::vector<std::uint32_t>> targets;                   // of brx.idx, positions
    std::vector<std::uint32_t> meets;                                  // positions, a branch's one behind the other
    std::vector<std::array<Row, mostElements>> vectors;                // of vector operands; noRow for "_"
    std::unordered_map<std::uint32_t, std::uint32_t> functionOfModule; // index in Module::functions -> functions
    std::vector<TextureOp> textureOps;
    std::vector<DeclaredObject> objects; // each space by begin
    std::vector<BoundedAccess> bounded;
    std::vector<FiniteWatch> finite; // [position]; none where it is not asked for
    // What uses registers of a product that is under way there (watch/registers_under_way.h), by position.
    std::map<std::uint32_t, RegistersUnderWay> underWay;
    std::map<std::uint32_t, MemberAccess> members; // by position
    std::vector<Handler> stageReads;               // [position] the load itself (watch/stages.h), or nothing
    std::vector<Site> sites;
    std::uint32_t entrySite = 0;
    std::uint32_t sharedStatic = 0; // bytes, variables of known size
    std::uint32_t sharedDynamicAt = 0;
    bool takesDynamicShared = false;
    std::uint32_t paramBytes = 0;
    std::vector<std::uint32_t> paramOffsets;
    bool usesReservedShared = false; // cooperative groups keep notes in shared memory that the system reserves
    bool fineShared = false;         // shared memory is accessed in pieces of less than 4 bytes
    bool ordered = false;            // blocks must run in order for a repeatable result; orderReason says why
    std::string orderReason;
    bool allocates = false; // global memory, by calls of its own
    bool readsSmId = false;
    bool usesCluster = false; // barriers of the cluster
    bool usesTensorMemory = false;
    bool readsByProxy = false; // shared memory, by bulk copies out of it or products of matrices
    std::uint32_t barriers = 1;
    std::uint32_t branches = 0, selects = 0;
};

} // namespace warpglass::emulator
