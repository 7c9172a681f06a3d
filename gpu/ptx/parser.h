// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/ptx/lexer.h"
#include "gpu/ptx/module.h"

#include <map>
#include <memory_resource>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace warpglass::ptx {

// The value of a constant expression.
struct Constant {
    std::uint64_t bits = 0;
    double real = 0;
    bool isUnsigned = false, isReal = false;
};

// A recursive-descent reader over tokens; private to this folder. Every read*() returns false after the first error,
// which is kept in m_error. Its parts: parse.cpp (module level), parse_variable.cpp (declarations and initial values),
// parse_body.cpp (statements, scopes, labels, source places), parse_operand.cpp (instructions and operands),
// parse_parameter.cpp (parameters whose address is taken), parse_wide.cpp (parts of registers of 128 bits),
// parse_expression.cpp (constants that are computed).
class Parser {
public:
    Parser(std::string text, std::string name);
    Result<Module> run();

private:
    struct TextHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>()(s); }
    };
    template <typename Value>
    using NameMap = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

    // A name of an inner { } means something until the brace closes; Function is flat, so a name used twice gets a
    // suffix.
    struct Local {
        std::string flat;
        bool isRegister = true; // or a variable
    };
    using TakenLabels = std::pmr::unordered_map<std::string, bool, TextHash, std::equal_to<>>;
    using TakenLabel = std::pair<const std::string, bool>; // a flat name; false: of a list or a prototype
    struct Scope {
        Scope(std::size_t above, std::pmr::memory_resource* memory) : parent(above), labels(memory) {}
        std::size_t parent;
        NameMap<Local> names; // registers and variables
        // -> flat name; complete only at the end of the body, since jumps go forwards
        std::pmr::unordered_map<std::string_view, const TakenLabel*> labels;
    };
    // A label or target list named before its place in the text is known.
    struct LabelUse {
        std::size_t scope = 0, token = 0;
        std::size_t instruction = 0, operand = 0; // operand of the instruction, or
        std::size_t list = 0, target = 0;         // target of the list
        bool inList = false;
    };
    // A parameter whose address is taken, and the local variable that stands for it (parse_parameter.cpp).
    struct Moved {
        std::string parameter, local;
        bool isResult = false;
    };
    struct Location { // one .loc
        int file = 0, line = 0, column = 0;
        std::string function;
        std::size_t inlinedAt = ~std::size_t(0); // into m_locations
        std::uint32_t place = noPlace;           // once an instruction needed it
    };

    // --- tokens
    const Token& peek(std::size_t ahead = 0) const {
        return m_tokens[m_at + ahead < m_tokens.size() ? m_at + ahead : m_tokens.size() - 1];
    }
    const Token& next();
    bool accept(char mark);
    bool accept(std::string_view word);
    bool expect(char mark);
    bool fail(const Token& at, Message message, Said remedy = {});
    bool failExpected(Message what);
    bool readName(std::string& name, MessageForm<0> what);
    bool readInt(std::int64_t& value, MessageForm<0> what);
    bool readUnsigned(std::uint32_t& value, MessageForm<0> what);
    // What stands between two tokens on one line: comments dropped, white space folded.
    std::string textBetween(std::size_t firstToken, std::size_t endToken) const;

    // --- module level
    bool readModule();
    bool readTopLevel();
    bool readSection();
    bool readFile();
    bool readLinkage();
    bool readFunction(Function function);
    bool readFunctionDirectives(Function& function);
    bool readTriple(std::array<std::uint32_t, 3>& triple);
    void addFunction(Function function);
    void addVariable(Variable variable);
    void tidy(); // what a definition has replaced goes
    void resolveInlinedNames();

    // --- declarations
    bool readVariables(Variable linkage, std::vector<Variable>& out); // from the state space to ';'
    bool readSeveral(const Variable& first, std::vector<Variable>& out);
    bool readParameters(std::vector<Variable>& out); // '(' ... ')'
    bool readVariableHead(Variable& v);              // state space, alignment, type
    bool readTexture(Variable v);                    // ".tex", deprecated
    bool readDimensions(Variable& v);
    bool readInitial(Variable& v);
    bool readSettings(Variable& v);
    bool readInitialList(Variable& v, std::size_t dimension, std::uint64_t offset, int depth, std::uint64_t& end);
    bool readInitialElement(Variable& v, std::uint64_t offset);
    bool readMaskedAddress(Variable& v, std::uint64_t offset);
    bool readSymbolAddress(Variable::SymbolAddress& address);

    // --- bodies
    bool readBody(Function& function);
    bool readStatement(Function& function);
    bool readRegisters(Function& function);
    bool readLocal(Function& function);
    bool readLocation();
    bool readLabel(Function& function);
    bool declareLabel(const Token& at, std::string& flat, bool isPlace);
    bool readTargetList(Function& function, std::string name);
    bool readPrototype(Function& function, std::string name);
    bool finishBody(Function& function);
    void moveParameters(Function& function);
    std::vector<Instruction> copyParameter(Function& function, const Variable& v, const Moved& moved);
    bool declareRegister(Function& function, const Token& at, const std::string& name, Type type,
                         std::uint32_t elements);
    std::string flatName(std::string_view name, bool inner);
    const Local* findLocal(std::string_view name) const;
    const TakenLabel* findLabel(std::string_view name, std::size_t scope) const;
    const std::string* findList(std::string_view name) const;
    std::size_t operandsAhead() const; // of the instruction or the list that is being read
    std::uint32_t placeOf(std::size_t location);

    // --- instructions
    bool readInstruction(Function& function);
    void readModifier(Instruction& instruction);
    bool readOperand(Operand& operand, int depth);
    bool readNamed(Operand& operand);
    bool readPair(Operand& operand);
    bool readPart(Operand& operand);
    void moveSpecials(Function& function, Operand& vector);
    bool readSum(Function& function, Operand& operand);
    // parse_wide.cpp: what moves less than 16 bytes to or from a register of 128 bits.
    bool movesPart(const Instruction& i) const;
    void addPartMove(Function& function, Instruction i);
    bool readSequence(Operand& operand, char close, int depth);
    bool readAddress(Operand& operand, int depth);
    bool readNumber(Operand& operand);

    // --- constant expressions
    bool readExpression(Constant& value, int depth);
    bool readBinary(Constant& value, int least, int depth);
    bool readUnary(Constant& value, int depth);
    bool readOffset(std::int64_t& value);
    bool continuesExpression(std::size_t ahead) const; // an operator stands there

    Module m_module;
    std::unordered_map<std::string, std::size_t> m_functionAt, m_variableAt; // by name, in the module
    std::vector<std::size_t> m_replacedFunctions, m_replacedVariables;
    std::vector<Token> m_tokens;
    std::size_t m_at = 0;
    // Of the whole text, which says all of it in few words: %r<1000>, x<1000>, x[1000] = {1}.
    std::uint64_t m_registers = 0, m_numbered = 0, m_initialBytes = 0;
    std::optional<Error> m_error;

    // Of the function being read.
    std::pmr::monotonic_buffer_resource m_labelMemory; // a kernel has a hundred thousand of them
    std::vector<Scope> m_scopes;
    std::size_t m_scope = 0;
    std::unordered_set<std::string> m_taken;  // flat names of registers and variables
    NameMap<int> m_suffixes, m_labelSuffixes; // of names that occur in several scopes: the next to try
    std::unordered_set<std::string> m_wide;   // flat names of registers of 128 bits
    NameMap<std::uint32_t> m_vectors;         // flat names of registers that are vectors -> elements
    std::vector<std::pair<std::string, std::uint32_t>> m_vectorParameters; // parameters that are such vectors
    TakenLabels m_takenLabels{&m_labelMemory};                             // their nodes are TakenLabel
    std::vector<LabelUse> m_labelUses;
    std::vector<Location> m_locations;
    std::map<std::tuple<int, int, int>, std::size_t> m_latestLocation;

    // Of the module.
    std::map<std::tuple<int, int, int, std::uint32_t, std::string>, std::uint32_t> m_placeIndex;
    std::vector<std::pair<std::string, std::size_t>> m_symbolUses; // module-level names used, with the token to blame
};

// The register that stands for an element of a register that is a vector: ("%v", 1) -> "%v$y".
std::string elementName(std::string_view vector, std::uint32_t element);
// The value of an integer literal (decimal, 0x, 0b, leading 0 octal, suffix U); nothing if it is none or too large.
std::optional<std::uint64_t> integerLiteral(std::string_view text);
// The bits of 0f…, 0d… or a decimal fraction; single tells which of the two.
struct FloatLiteral {
    std::uint64_t bits = 0;
    bool single = false;
};
std::optional<FloatLiteral> floatLiteral(std::string_view text);

} // namespace warpglass::ptx
