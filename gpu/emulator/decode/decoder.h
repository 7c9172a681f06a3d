// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of the decoder share: the function being decoded, its rows, and how operands become rows.
#pragma once

#include "gpu/emulator/access/atomic_ops.h"
#include "gpu/emulator/access/local_access.h"
#include "gpu/emulator/access/memory_ops.h"
#include "gpu/emulator/access/param_ops.h"
#include "gpu/emulator/code/register_rows.h"
#include "gpu/emulator/decode/decode.h"
#include "gpu/emulator/lanes/alu.h"
#include "gpu/ptx/control_flow.h"
#include "gpu/ptx/describe.h"

#include <map>
#include <string>

namespace warpglass::emulator {

// Numbers of a text may be anything: they go around as addresses do.
inline std::int64_t offsetFrom(std::uint64_t place, std::int64_t offset) {
    return std::int64_t(place + std::uint64_t(offset));
}

// Of "{%r}", as Triton writes one element, and of "%r".
inline const ptx::Operand& withoutBraces(const ptx::Operand& o) {
    return o.kind == ptx::Operand::Kind::Vector && o.elements.size() == 1 ? o.elements[0] : o;
}

// By names that are the function's own.
struct FunctionScope {
    const ptx::Function* source = nullptr;
    std::uint32_t index = 0; // Program::functions
    RegisterRows registers;
    std::unordered_map<std::string_view, ParamSlot> params;           // call sequences' and own parameters, in rows
    std::unordered_map<std::string_view, std::uint32_t> entryParams;  // offsets, entries only
    std::unordered_map<std::string_view, std::uint64_t> locals;       // .local: offset in the frame
    std::map<std::pair<std::uint64_t, std::uint32_t>, Row> constants; // (bits, bytes) -> row
    struct Number {
        std::int64_t value = 0;
        bool only = true;
    };
    std::optional<std::unordered_map<std::string_view, Number>> numbers; // registers that a number is put into
    std::optional<std::unordered_map<std::string_view, const ptx::Instruction*>>
        makers;        // who puts sums and masks into them
    FrameLayout frame; // held against mostFrameBytes when all rows are there
};

// One instruction on its way; the rows it touches are noted for dependences.
struct Decoding {
    const ptx::Instruction& i;
    ptx::Description is;
    Inst inst;
    InstInfo info;
    std::optional<Message> error;
    bool fail(Message why) {
        if (!error)
            error = std::move(why);
        return false;
    }
};

class Decoder {
public:
    Decoder(const ptx::Module& module, const Symbols& symbols, std::span<const ptx::BranchMeets> meets,
            Program& program)
        : m_module(module), m_symbols(symbols), m_meets(meets), m_program(program) {}

    Result<void> run(std::uint32_t entry, std::uint32_t kernel);

private:
    // decode.cpp
    void reach(std::uint32_t entry);
    void findForeign();
    void layoutShared();
    void layoutConstants();
    void layoutFunction(std::uint32_t index);
    void decodeFunction(std::uint32_t index);
    void noteUsedBytes(const FunctionCode& code);
    void noteFirstGuesses(const FunctionCode& code); // first_guess.cpp
    void decodeInstruction(std::uint32_t position, const ptx::Instruction& i);
    void makeRuns();
    void makeSites(std::uint32_t kernel);
    void error(const ptx::Instruction& i, Message why);
    static ParamSlot slotOf(const RegisterRow& r);
    static bool handsOver(Decoding& d, const std::vector<ParamSlot>& given, const std::vector<ptx::Variable>& formal,
                          bool results);
    Row newRow(std::uint32_t bytes);
    Row constant(std::uint64_t bits, std::uint32_t bytes);

    const ptx::BranchMeets* knownMeets(std::uint32_t instruction) const; // nullptr: nobody knows

    // operands (decode_operands.cpp)
    bool read(Decoding& d, std::size_t n, ptx::Type type, Row& row); // a value of the type
    bool readOperand(Decoding& d, const ptx::Operand& o, ptx::Type type, Row& row);
    bool readPredicate(Decoding& d, std::size_t n, Row& row, bool& negated);
    // type: of the result, which the register has the width of; None: a number of whatever width, as the caller sees to.
    bool write(Decoding& d, std::size_t n, ptx::Type type, Row& row, RegisterRow* found = nullptr);
    // The same, and '_' gives noRow.
    bool writeOperand(Decoding& d, const ptx::Operand& o, ptx::Type type, Row& row, RegisterRow* found = nullptr);
    const RegisterRow* registerOf(const std::string& name) const;
    std::optional<Symbols::Place> symbol(const std::string& name) const;
    bool address(Decoding& d, const ptx::Operand& o, AddressSpace& space);
    // The registers of an instruction that computes one value: as its row of the instruction set says.
    bool operands(Decoding& d);
    bool pairOrOne(Decoding& d, ptx::Type type, Row& row, Row& second); // d or d|p
    static bool holds(Decoding& d, const std::string& name, ptx::Type found, ptx::Type type);
    bool vectorRows(Decoding& d, const ptx::Operand& o, bool writing, ptx::Type type);

    // families (decode_arithmetic.cpp, decode_convert.cpp, decode_move.cpp, decode_memory.cpp, decode_control.cpp,
    // decode_warp.cpp, decode_video.cpp)
    bool family(Decoding& d, std::uint32_t position);
    bool arithmetic(Decoding& d);
    bool logicOnPredicates(Decoding& d);
    bool convertOp(Decoding& d);
    bool convertPacked(Decoding& d);
    bool convertSource(Decoding& d, ptx::Type type, std::uint32_t& bytes);
    bool mixedPrecision(Decoding& d);
    bool compareOp(Decoding& d);
    bool move(Decoding& d);
    bool moveVector(Decoding& d);
    bool special(Decoding& d, const ptx::Operand& from, ptx::Type type, const RegisterRow& dst);
    bool select(Decoding& d);
    bool lop3OnPredicate(Decoding& d);
    bool toOrFromGeneric(Decoding& d);
    bool spaceTest(Decoding& d);
    void reaches(Decoding& d, AddressSpace space);
    bool memory(Decoding& d);
    static bool multicast(Decoding& d);
    bool atomic(Decoding& d);
    bool cachePolicy(Decoding& d, std::size_t n);
    bool atomicVectors(Decoding& d);
    bool control(Decoding& d, std::uint32_t position);
    bool call(Decoding& d);
    bool warpWide(Decoding& d);
    bool isOneNumber(const ptx::Operand& o);
    // decode_async.cpp
    bool async(Decoding& d);
    bool asyncAddress(Decoding& d, const ptx::Operand& o, CopySpace space, AsyncAddress& a);
    bool clearsOddBlock(const std::string& name, int depth);
    static std::vector<CopySpace> copySpaces(const ptx::Instruction& i);
    bool mbarrier(Decoding& d, AsyncInst& a);
    bool laneCopy(Decoding& d, AsyncInst& a);
    bool waitGroup(Decoding& d, AsyncInst& a, AsyncOp op);
    bool bulkCopy(Decoding& d, AsyncInst& a);
    bool tensorCopy(Decoding& d, AsyncInst& a);
    bool remoteStore(Decoding& d, AsyncInst& a);
    bool bulkZeros(Decoding& d, AsyncInst& a);
    bool launchControl(Decoding& d, AsyncInst& a);
    bool tensorMapChange(Decoding& d, AsyncInst& a);
    bool clusterAddress(Decoding& d, AsyncInst& a);
    bool clusterBarrier(Decoding& d);
    bool read16(Decoding& d, std::size_t n, Row& row);
    void orderFloats(const AsyncInst& a);
    bool video(Decoding& d);
    bool stack(Decoding& d);

    // textures and surfaces (decode_texture.cpp)
    bool textureOp(Decoding& d);
    bool surfaceOp(Decoding& d);
    bool handle(Decoding& d, const ptx::Operand& o, HandleOperand& handle);
    bool rowsOf(Decoding& d, const ptx::Operand& o, ptx::Type type, std::uint32_t count, Row* rows);
    bool objectAndCoordinates(Decoding& d, const ptx::Operand& o, ptx::Type type, TextureOp& op);
    bool texels(Decoding& d, const ptx::Operand& o, bool writing, ptx::Type type);

    // matrices (decode_matrix.cpp)
    bool matrix(Decoding& d);
    bool matrixRegisters(Decoding& d, std::size_t n, bool writing, const ptx::MatrixForm& form, ptx::MatrixRole role,
                         std::vector<Row>& rows);
    bool matrixScales(Decoding& d, std::size_t n, MatrixCode::Scales& scales);
    bool matrixMetadata(Decoding& d, std::size_t n, MatrixCode& code);
    bool matrixProduct(Decoding& d, MatrixCode& code);
    bool matrixAsync(Decoding& d, MatrixCode& code);
    bool matrixRows(Decoding& d, MatrixCode& code);
    bool matrixMemory(Decoding& d, MatrixCode& code);
    // tcgen05 (decode_tensor.cpp)
    bool tensor(Decoding& d);
    bool tensorMove(Decoding& d, TensorInst& t);
    bool tensorCopyIn(Decoding& d, TensorInst& t);
    bool tensorProduct(Decoding& d, TensorInst& t);
    bool tensorPlace(Decoding& d, std::size_t n, AsyncAddress& a);
    void matrixPieces(Decoding& d, MatrixCode& code, std::uint32_t bytes, bool isStore, AddressSpace space);

    const ptx::Module& m_module;
    const Symbols& m_symbols;
    std::span<const ptx::BranchMeets> m_meets; // where lanes meet, as far as somebody knows
    Program& m_program;
    std::vector<FunctionScope> m_scopes;
    FunctionScope* m_scope = nullptr;
    const ptx::ControlFlow* m_flow = nullptr;
    ptx::LabelMap m_labels;                                  // of the function that is being decoded
    std::unordered_map<std::string, std::uint64_t> m_shared; // name -> offset
    std::vector<Message> m_errors;
    int m_firstErrorLine = 0;
    Result<void> m_frames;       // the first that is too large
    std::size_t m_undefined = 0; // of the errors: calls of functions that are defined nowhere
    std::vector<bool> m_leader;
    bool m_hasIndirect = false;
};

OpClass classOf(ptx::Type type);

} // namespace warpglass::emulator
