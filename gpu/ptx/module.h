// SPDX-License-Identifier: GPL-3.0-or-later
// gpu/ptx: PTX text -> Module. A plain syntax tree; no backend is known here.
//
// parse() (parse.h) reads a whole module; control_flow.h finds basic blocks and immediate post-dominators; write.h
// turns a Module back into text (what the probes do with it is their affair). What a module contains that is not
// understood is kept as text and named, never skipped silently.
#pragma once

#include "gpu/ptx/instruction_set.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass::ptx {

// What a variable is that has no bytes of its own: the driver binds a texture, a sampler or a surface to it.
enum class Opaque : std::uint8_t { None, Texref, Samplerref, Surfref };

// A variable declared at module or function scope: .global, .shared, .const, .local, .param, .reg
struct Variable {
    StateSpace space = StateSpace::Global;
    Type type = Type::B8; // B64 of an opaque one: as wide as its handle
    Opaque opaque = Opaque::None;
    int vector = 1;    // .v2, .v4
    int alignment = 0; // bytes; 0 = natural
    std::string name;
    bool isArray = false;
    std::vector<std::uint64_t> dimensions; // [] extent 0 = unsized (extern .shared)
    bool isExtern = false, isVisible = false, isWeak = false;
    // Initial bytes, zero-padded to the size; empty = none. Addresses of other symbols are listed with their offset.
    std::vector<std::byte> initial;
    struct SymbolAddress {
        std::uint64_t offset;
        std::string symbol;
        std::int64_t addend;
        bool generic;
    };
    std::vector<SymbolAddress> initialAddresses;
    std::vector<std::pair<std::string, std::string>> settings; // of an opaque one: {"addr_mode_0", "wrap"}
    // Words that change nothing here and are written back as read: ".ptr .global .align 4" of a parameter,
    // ".attribute(.managed)".
    std::string attributes;
    int line = 0;

    std::uint64_t sizeBytes() const; // 0 for an unsized array
};

struct Register {
    std::string name;
    Type type = Type::B32;
}; // after expansion of %r<12>

// Which bytes or half-words of a register a video instruction takes: ".b2", ".h10", ".b7654". The digits stand as in
// the text, the highest place first.
struct Part {
    std::uint8_t count = 0; // 0: the whole register
    bool isHalf = false;
    std::array<std::uint8_t, 4> digits{};

    static std::optional<Part> read(std::string_view text); // without the dot
    std::string text() const;                               // with it; "" for the whole register
};

struct Operand {
    enum class Kind : std::uint8_t {
        Register, // name = "%r1"; negated for !%p1
        Integer,  // integer (sign-extended to 64 bits)
        Float32,  // bits in integer (0f3F800000)
        Float64,  // bits in integer (0d...; a decimal literal is also read to this)
        Special,  // name = "%tid", component 0 1 2 3 for .x .y .z .w, -1 for none ("%laneid"); also WARP_SZ
        Symbol,   // name of a variable or function, plus integer offset (mov, call)
        Label,    // name of a label in the function
        Address, // [base + offset]: name = register or symbol, baseIsRegister; integer = offset; absolute if name empty
        Vector,  // {a, b, c, d}: elements
        Pair,    // %r|%p of shfl, setp: elements[0], elements[1]
        Sink,    // _
        List,    // (a, b): elements; call arguments and results
    };
    Kind kind = Kind::Register;
    std::string name;
    std::int64_t integer = 0;
    int component = -1;
    bool negated = false; // !%p1
    bool minus = false;   // -%r1 of vmad
    bool baseIsRegister = false;
    Part part; // %r1.b0 of a video instruction
    std::vector<Operand> elements;
    bool isReal() const { return kind == Kind::Float32 || kind == Kind::Float64; }
};

// An index into Module::places; noPlace if the compiler gave no .loc.
inline constexpr std::uint32_t noPlace = 0xffffffffu;

// One .loc, with its inlined-at chain flattened to indices.
struct Place {
    int file = 0; // the number after .file
    int line = 0, column = 0;
    std::uint32_t inlinedAt = noPlace; // Module::places
    std::string function;              // name of the inlined function, "" = none
};

struct Instruction {
    // Guard predicate: "@%p1" or "@!%p1".
    std::string guard;
    bool guardNegated = false;

    Opcode opcode = Opcode::Unknown;
    std::string otherOpcode;         // the word, if PTX has no such instruction
    std::vector<Modifier> modifiers; // in order of the text
    std::vector<std::string>
        otherModifiers;            // words that PTX does not have, in order; Modifier::Unknown holds the place
    std::vector<Operand> operands; // in order of the text
    int line = 0, column = 0;      // of the PTX text, 1-based
    std::uint32_t place = noPlace;
    std::string text; // as written, one line, guard and semicolon included

    bool has(Modifier modifier) const;
    const Operand& operand(std::size_t n) const; // a sink if the text has fewer
    std::string_view opcodeName() const { return opcode == Opcode::Unknown ? otherOpcode : name(opcode); }
    bool guarded() const { return !guard.empty(); }
};

struct Label {
    std::string name;
    std::uint32_t instruction = 0; // index into Function::body; == body.size() at the end
    int line = 0;
};

// .branchtargets / .calltargets / .callprototype lists
struct TargetList {
    std::string name;
    std::vector<std::string> targets;
};

struct Function {
    std::string name;
    bool isEntry = false;
    bool isExtern = false; // declaration only
    bool isVisible = false, isWeak = false, isNoReturn = false;
    std::vector<Variable> returns, params;
    std::vector<Register> registers;
    std::vector<Variable> locals; // .local, .shared and .param variables of any scope inside the body (call sequences)
    std::vector<Instruction> body;
    std::vector<Label> labels; // ascending instruction
    std::vector<TargetList> targetLists;
    struct Prototype {
        std::string name;
        std::vector<Variable> returns, params;
    };
    std::vector<Prototype> prototypes; // .callprototype
    // Performance directives, 0 = absent.
    std::array<std::uint32_t, 3> maxntid{0, 0, 0}, reqntid{0, 0, 0};
    std::array<std::uint32_t, 3> reqnctapercluster{0, 0, 0}; // blocks of a cluster
    std::uint32_t minnctapersm = 0, maxnreg = 0;
    std::vector<std::string> pragmas;
    // [pragma] the instruction it stands before ("nounroll" is about the loop that follows); noPlace: before the body.
    std::vector<std::uint32_t> pragmaAt;
    std::vector<std::string> otherDirectives; // as written: ".maxclusterrank 4"
    int line = 0, bodyLine = 0, endLine = 0;  // .entry/.func; "{"; "}"

    const TargetList* findTargets(std::string_view list) const;
};

// Label -> the instruction it stands before; lives no longer than the function's labels. One array, for kernels of a hundred
// thousand labels: the time to look one up does not grow with them as it does where each has a node of its own.
class LabelMap {
public:
    LabelMap() = default;
    explicit LabelMap(const Function& function);
    std::optional<std::uint32_t> find(std::string_view name) const;
    bool contains(std::string_view name) const { return find(name).has_value(); }

private:
    std::size_t slotOf(std::string_view name) const;
    const std::vector<Label>* m_labels = nullptr;
    std::vector<std::uint32_t> m_slots; // number of a label, plus 1; a power of two of them, at most half of them taken
};

struct Module {
    std::string text; // as read
    std::string name; // file name for errors
    int versionMajor = 0, versionMinor = 0;
    std::string target;                     // "sm_75" (first word)
    std::vector<std::string> targetOptions; // "debug"
    int addressSize = 64;
    std::vector<Variable> variables;
    std::vector<Function> functions; // declarations too; a definition replaces its declaration
    struct File {
        int number = 0;
        std::string path;
    };
    std::vector<File> files;
    std::vector<Place> places;
    struct Section {
        std::string name;
        std::string text;
        int line = 0;
    };
    std::vector<Section> sections;            // debug sections, kept as text
    std::vector<std::string> otherDirectives; // of the module, as written: ".alias a, b;"

    const Function* findFunction(std::string_view function) const;
    const Variable* findVariable(std::string_view variable) const;
    const File* findFile(int number) const;
};

} // namespace warpglass::ptx
