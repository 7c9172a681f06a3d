// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/instruction_text.h"

#include "gpu/ptx/describe.h"
#include "gpu/ptx/matrix_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace warpglass::fuzz {

namespace {

using ptx::Modifier;
using ptx::ModifierSet;
using ptx::Opcode;
using ptx::Type;

std::vector<std::string_view> parted(std::string_view text, char by) {
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(by), text.size());
        if (end > 0)
            parts.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

struct Word { // of a shape
    std::vector<Modifier> any;
    bool forbidden = false;
};

struct Shape {
    std::vector<Word> words;
    std::vector<std::string_view> operands;
};

Shape shapeOf(std::string_view words, std::string_view operands) {
    Shape shape;
    for (std::string_view text : parted(words, ' ')) {
        Word word{{}, text.front() == '-'};
        text.remove_prefix(word.forbidden);
        for (const std::string_view each : parted(text, '|'))
            word.any.push_back(ptx::parseModifier(each));
        shape.words.push_back(std::move(word));
    }
    shape.operands = parted(operands, ' ');
    return shape;
}

const std::vector<Shape>& shapesOf(Opcode opcode) {
    static const std::map<Opcode, std::vector<Shape>> all = [] {
        std::map<Opcode, std::vector<Shape>> made;
#define X(opcode, words, operands) made[Opcode::opcode].push_back(shapeOf(words, operands));
#include "tests/fuzz/shapes.inl"
#undef X
        return made;
    }();
    static const std::vector<Shape> none;
    const auto found = all.find(opcode);
    return found == all.end() ? none : found->second;
}

bool fits(const Shape& shape, const ptx::Form& form) {
    const auto has = [&](Modifier m) { return form.modifiers.test(std::size_t(m)); };
    const auto isNeed = [&](Modifier m) { // and no way around it
        return std::any_of(form.needs.begin(), form.needs.end(),
                           [&](const ModifierSet& n) { return n.count() == 1 && n.test(std::size_t(m)); });
    };
    return std::all_of(shape.words.begin(), shape.words.end(), [&](const Word& w) {
        return w.forbidden ? std::none_of(w.any.begin(), w.any.end(), isNeed)
                           : std::any_of(w.any.begin(), w.any.end(), has);
    });
}

// One of the set, of which there is one.
Modifier choose(Dice& dice, const ModifierSet& set) {
    std::size_t nth = dice.below(set.count());
    for (std::size_t k = 0; k < set.size(); ++k)
        if (set.test(k) && nth-- == 0)
            return Modifier(k);
    return Modifier::Unknown;
}

// Words of which an instruction has one, or all.
bool startsWith(std::string_view word, char letter) {
    return word.size() > 1 && word.front() == letter && word[1] >= '0' && word[1] <= '9';
}
bool isShape(std::string_view word) {
    return startsWith(word, 'm');
}
bool isCount(std::string_view word) {
    return startsWith(word, 'x');
}
bool isLayout(std::string_view word) {
    return word.find('x') != std::string_view::npos && word.front() >= '0' && word.front() <= '9';
}
bool isKind(std::string_view word) {
    return word.starts_with("kind::");
}
bool isTeam(std::string_view word) {
    return word.starts_with("cta_group::");
}
bool isSpace(std::string_view word) {
    return word == "global" || word == "local" || word == "const" || word.starts_with("param") ||
           word.starts_with("shared");
}
bool isTogether(std::string_view word) {
    return word == "sync" || word == "aligned";
}
bool isRow(std::string_view word) {
    return word == "row";
}
bool isColumn(std::string_view word) {
    return word == "col";
}
Modifier lowest(const ModifierSet& set) { // of one that is not empty
    std::size_t k = 0;
    while (!set.test(k))
        ++k;
    return Modifier(k);
}

class Instruction {
public:
    Instruction(Body& body, Opcode opcode, const ptx::Form& form)
        : m_body(body), m_dice(body.dice), m_opcode(opcode), m_form(form) {}

    void add() {
        const ptx::Row& row = ptx::row(m_opcode);
        std::vector<const Shape*> shapes;
        for (const Shape& shape : shapesOf(m_opcode))
            if (fits(shape, m_form))
                shapes.push_back(&shape);
        const Shape* shape = shapes.empty() ? nullptr : shapes[m_dice.below(shapes.size())];
        chooseTypes();
        chooseWords(shape);
        write();
        if (m_opcode == Opcode::Cvt)
            conversion();
        else if (shape)
            for (const std::string_view operand : shape->operands)
                conditional(operand);
        else
            for (const char letter : row.operands)
                if (letter == '?') {
                    if (!m_dice.oneIn(3))
                        break;
                } else if (letter != '*') {
                    lettered(letter);
                }
        const std::string guard =
            m_dice.oneIn(6) ? fmt::format("@{}{} ", m_dice.oneIn(2) ? "!" : "", m_body.value(0)) : "";
        m_body.line(fmt::format("{}{} {};", guard, m_text, fmt::join(m_operands, ", ")));
    }

private:
    bool has(Modifier m) const { return m_words.test(std::size_t(m)); }
    Type last() const { return m_types.empty() ? Type::B32 : m_types.back(); }
    Type first() const { return m_types.empty() ? Type::B32 : m_types.front(); }
    static int bytesOf(Type type) {
        return type == Type::Pred ? 0 : type == Type::None ? 4 : std::max(1, ptx::bytesOf(type));
    }
    // A register that takes it: one of eight bits is for packed types alone.
    static int roomOf(Type type) {
        const bool packed = type >= Type::E4M3x2 && type <= Type::E3M2x2;
        return type == Type::Pred ? 0 : packed ? bytesOf(type) : std::max(2, bytesOf(type));
    }

    void chooseTypes() {
        const ModifierSet* const sets[] = {&m_form.types, &m_form.sources, &m_form.further[0], &m_form.further[1],
                                           &m_form.further[2]};
        for (std::size_t k = 0; k < m_form.typeCount; ++k)
            m_types.push_back(ptx::typeOf(choose(m_dice, *sets[k])));
        const bool onlyTwo = m_opcode == Opcode::Vset || m_opcode == Opcode::Vset2 || m_opcode == Opcode::Vset4;
        if (ptx::row(m_opcode).family == ptx::Family::Video && m_types.size() == 2 && !onlyTwo)
            m_types.push_back(m_types[1]);
    }

    // The words of the shape, one of each need and of each group, and a few more.
    void chooseWords(const Shape* shape) {
        const auto use = [&](Modifier m) {
            m_words.set(std::size_t(m));
            m_order.push_back(m);
        };
        ModifierSet forbidden;
        if (shape)
            for (const Word& word : shape->words) {
                ModifierSet possible;
                for (const Modifier m : word.any)
                    (word.forbidden ? forbidden : possible).set(std::size_t(m), m_form.modifiers.test(std::size_t(m)));
                if (!word.forbidden)
                    use(choose(m_dice, possible));
            }
        for (const ModifierSet& need : m_form.needs)
            if ((need & m_words).none())
                use(choose(m_dice, need));
        std::vector<Modifier> more;
        for (std::size_t k = 0; k < m_form.modifiers.size(); ++k)
            if (m_form.modifiers.test(k) && !m_words.test(k) && !forbidden.test(k))
                more.push_back(Modifier(k));
        for (const auto isOfGroup :
             {isShape, isCount, isLayout, isKind, isTeam, isSpace, isTogether, isRow, isColumn}) {
            ModifierSet group;
            for (const Modifier m : more)
                group.set(std::size_t(m), isOfGroup(ptx::name(m)));
            const bool missing = (group & m_words).none();
            const bool column = isOfGroup == isColumn && m_opcode == Opcode::Wmma && has(Modifier::Row);
            if (missing && group.any() && !column && (isOfGroup != isSpace || !m_dice.oneIn(4)))
                for (ModifierSet rest = group; rest.any() && (rest == group || isOfGroup == isTogether);) {
                    const Modifier m = isOfGroup == isTogether ? lowest(rest) : choose(m_dice, rest);
                    use(m);
                    rest.reset(std::size_t(m));
                }
        }
        if (more.empty())
            return;
        for (std::size_t n = m_dice.below(3); n > 0; --n)
            if (const Modifier m = more[m_dice.below(more.size())];
                !has(m) && !isShape(ptx::name(m)) && !isSpace(ptx::name(m)))
                use(m);
    }

    void write() {
        m_text = ptx::name(m_opcode);
        for (const Modifier m : m_order)
            m_text += fmt::format(".{}", ptx::name(m));
        for (const Type type : m_types)
            m_text += fmt::format(".{}", ptx::name(type));
    }

    int elements() const { return has(Modifier::V2) ? 2 : has(Modifier::V4) ? 4 : has(Modifier::V8) ? 8 : 1; }
    std::string operandOf(Type type, bool isResult, int count) {
        const int bytes = roomOf(type);
        if (count > 1)
            return m_body.list(count, bytes, isResult, true);
        if (isResult)
            return m_body.result(bytes);
        if (m_dice.oneIn(8) && (type == Type::F32 || type == Type::F64))
            return type == Type::F32 ? fmt::format("0f{:08x}", hostileNumber(m_dice) & 0xffffffff)
                                     : fmt::format("0d{:016x}", hostileNumber(m_dice));
        if (m_dice.oneIn(8) && type != Type::Pred && bytes >= 2 && bytes <= 8 && !isFloat(type) && !isHalf(type))
            return std::to_string(hostileNumber(m_dice) & (bytes == 8 ? ~0ull : (1ull << 8 * bytes) - 1));
        return m_body.value(bytes);
    }
    void push(std::string text) { m_operands.push_back(std::move(text)); }

    // Of the source several, where the result is packed.
    void conversion() {
        const bool pack = has(Modifier::Pack), four = first() >= Type::E4M3x4 && first() <= Type::E3M2x4;
        const bool two = pack || (last() == Type::F32 && bytesOf(first()) <= 4 && isPacked(first()));
        push(m_body.result(pack ? 4 : roomOf(first())));
        if (four)
            push(m_body.list(4, 4, false));
        for (int k = four ? 1 : 0; k < (two ? 2 : 1); ++k)
            push(operandOf(m_types.size() > 1 ? m_types[1] : last(), false, 1));
        if (m_types.size() > 2 || has(Modifier::Rs))
            push(m_body.value(4));
    }
    static bool isPacked(Type type) {
        return type == Type::F16x2 || type == Type::BF16x2 || type == Type::UE8M0x2 ||
               (type >= Type::E4M3x2 && type <= Type::E3M2x2);
    }

    void lettered(char letter) {
        switch (letter) {
        case 'd':
            return push(operandOf(resultType(), true, elements()));
        case 'D': {
            std::string name = operandOf(resultType(), true, 1);
            const bool both =
                m_opcode == Opcode::Elect || m_opcode == Opcode::Lop3 ? !m_order.empty() : m_dice.oneIn(2);
            return push(both && (m_opcode != Opcode::Match || has(Modifier::All)) ? name + "|" + m_body.result(0)
                                                                                  : name);
        }
        case 'q':
            return push(m_body.result(0));
        case 'p':
            return push(m_body.value(0));
        case 't':
            if (m_types.size() == 2 && isMixed() && m_operands.size() + 1 == ptx::row(m_opcode).operands.size())
                return push(operandOf(first(), false, 1)); // what the narrow ones are added to
            return push(operandOf(last(), false, m_opcode == Opcode::St || memoryVector() ? elements() : 1));
        case 's':
            return push(operandOf(first(), false, 1));
        case 'w':
            return push(m_body.value(roomOf(last()) * (has(Modifier::Wide) ? 2 : 1)));
        case 'u':
            return push(operandOf(Type::U32, false, 1));
        case 'i':
            return push(std::to_string(m_dice.oneIn(4) ? hostileNumber(m_dice) & 0x7fffffff : 8u << m_dice.below(5)));
        case 'm':
            return push(m_body.address(m_words));
        case 'v':
            return push(fragment(m_opcode == Opcode::Mma ? "dabc"[m_operands.size() & 3] : 'd',
                                 m_operands.empty() && m_opcode != Opcode::Stmatrix));
        default:
            return;
        }
    }
    bool isMixed() const { return m_opcode == Opcode::Add || m_opcode == Opcode::Sub || m_opcode == Opcode::Fma; }
    bool memoryVector() const {
        const ptx::Family family = ptx::row(m_opcode).family;
        return family == ptx::Family::Atomic || m_opcode == Opcode::Mov;
    }
    Type resultType() const {
        if (has(Modifier::Wide))
            return last() == Type::U16 || last() == Type::S16 ? Type::B32 : Type::B64;
        if (m_opcode == Opcode::Dp4a || m_opcode == Opcode::Dp2a || m_opcode == Opcode::Popc ||
            m_opcode == Opcode::Clz || m_opcode == Opcode::Bfind || m_opcode == Opcode::Match ||
            m_opcode == Opcode::Elect)
            return Type::B32;
        return m_opcode == Opcode::Setp ? Type::Pred : first();
    }

    void conditional(std::string_view token) {
        if (const std::size_t mark = token.find('?'); mark != std::string_view::npos) {
            const std::string_view condition = token.substr(0, mark);
            if (condition == "~" ? !m_dice.oneIn(3) : !has(ptx::parseModifier(condition)))
                return;
            token.remove_prefix(mark + 1);
        }
        shaped(token);
    }

    void shaped(std::string_view token) {
        static constexpr std::string_view kinds = "pchrdq", results = "PCHRDQ";
        static constexpr int sizes[] = {0, 1, 2, 4, 8, 16};
        if (token.front() == '#') {
            token.remove_prefix(1);
            const auto choices = parted(token, '/');
            return push(choices.empty() || m_dice.oneIn(8) ? std::to_string(hostileNumber(m_dice) & 0x7fffffff)
                                                           : std::string(choices[m_dice.below(choices.size())]));
        }
        if (token.size() == 1) {
            if (const std::size_t at = kinds.find(token.front()); at != std::string_view::npos)
                return push(m_body.value(sizes[at]));
            if (const std::size_t at = results.find(token.front()); at != std::string_view::npos)
                return push(m_body.result(sizes[at]));
        }
        if (token == "T" || token == "t")
            return push(operandOf(textureResult(), token == "T", elements()));
        if (token == "_")
            return push("_");
        if (token == "S")
            return push(m_body.sharedAddress());
        if (token == "G")
            return push(m_body.globalAddress());
        if (token == "A")
            return push(m_body.address(m_words));
        if (token == "B")
            return push(m_body.barrier());
        if (token == "M")
            return push(has(Modifier::SharedCta) && !has(Modifier::CpFenceproxy) ? m_body.sharedAddress()
                        : m_dice.oneIn(3)                                        ? m_body.globalAddress()
                                                                                 : "[map]");
        if (token == "R4")
            return push(m_body.list(4, 4, true));
        if (token == "h2")
            return push(m_body.list(2, 2, false));
        if (token == "f1")
            return push("0.5");
        if (token == "X" || token == "G4")
            return push(tensorPlace(token == "G4" ? 5 : dimensions()));
        if (token == "O") {
            if (has(Modifier::Im2col) || has(Modifier::Im2colW) || has(Modifier::Im2colW128))
                push(m_body.list(has(Modifier::Im2col) ? std::max(1, dimensions() - 2) : 2, 2, false));
            return;
        }
        if (token == "E" || token == "U")
            return push(texturePlace(token == "E"));
        if (token == "e" || token == "u")
            return push(fmt::format("[{}]", handle(token == "e")));
        if (token == "lod")
            return push(m_body.value(4));
        if (token == "grad")
            return push(m_body.list(has(Modifier::Dim1) || has(Modifier::A1d)   ? 1
                                    : has(Modifier::Dim2) || has(Modifier::A2d) ? 2
                                                                                : 4,
                                    4, false));
        if (token == "L+" || token == "l+")
            return push(m_body.list(tensorRegisters(), 4, token == "L+"));
        if (token == "Y" || token == "dY") {
            if (token == "dY" && m_dice.oneIn(2))
                return push(m_body.value(8));
            std::string name = m_body.value(4);
            if (!m_dice.oneIn(3))
                m_body.line(fmt::format("mov.b32 {}, {};", name, m_dice.below(512) | m_dice.below(4) << 21));
            return push(fmt::format("[{}]", name));
        }
        if (token == "da" && m_dice.oneIn(2))
            return push(fragment('a', false));
        if (token == "da")
            return push(m_body.value(8));
        if (token == "w+")
            return warpGroupFlags();
        if (token.size() == 2 && (token.front() == 'f' || token.front() == 'F'))
            return push(fragment(token[1], token.front() == 'F'));
    }

    Type textureResult() const { return ptx::row(m_opcode).family == ptx::Family::Texture ? first() : last(); }
    int dimensions() const {
        return has(Modifier::Dim1)   ? 1
               : has(Modifier::Dim2) ? 2
               : has(Modifier::Dim3) ? 3
               : has(Modifier::Dim4) ? 4
                                     : 5;
    }
    std::string tensorPlace(int coordinates) {
        const std::string at = m_dice.oneIn(6) ? m_body.value(8) : m_dice.oneIn(2) ? "%m" : "map";
        if (at == "%m") { // the parameter's generic address
            const std::string name = m_body.result(8);
            m_body.line(fmt::format("mov.u64 {}, m;", name));
            m_body.line(fmt::format("cvta.param.u64 {}, {};", name, name));
            return fmt::format("[{}, {}]", name, m_body.list(coordinates, 4, false));
        }
        return fmt::format("[{}, {}]", at, m_body.list(coordinates, 4, false));
    }
    std::string handle(bool texture) {
        if (m_dice.oneIn(4))
            return texture ? "img" : "surf";
        if (m_dice.oneIn(6))
            return m_body.value(8);
        const std::string name = m_body.result(8);
        m_body.line(fmt::format("ld.param.u64 {}, [{}];", name, texture ? "t" : "u"));
        return name;
    }
    std::string texturePlace(bool texture) {
        const int coordinates = has(Modifier::Dim1) ? 1 : has(Modifier::Dim2) ? 2 : has(Modifier::A1d) ? 2 : 4;
        return fmt::format("[{}, {}]", handle(texture), m_body.list(coordinates, 4, false));
    }
    int tensorRegisters() const {
        int times = 1;
        for (int k = 0; k < 8; ++k)
            if (has(Modifier(int(Modifier::X1) + k)))
                times = 1 << k;
        const int each = m_text.find(".16x128b") != std::string::npos   ? 2
                         : m_text.find(".16x256b") != std::string::npos ? 4
                                                                        : 1;
        return std::min(times * each, 128);
    }
    void warpGroupFlags() {
        const Type a = m_types.size() > 1 ? m_types[1] : Type::F16;
        const bool halves = a == Type::F16 || a == Type::BF16, whole = a == Type::S8 || a == Type::U8 || a == Type::B1;
        if (whole)
            return;
        for (int k = 0; k < 2; ++k)
            push(m_dice.oneIn(3) ? "-1" : "1");
        const bool inRegisters = m_operands.size() > 1 && m_operands[1].front() == '{';
        for (int k = inRegisters ? 1 : 0; halves && k < 2; ++k)
            push(m_dice.oneIn(2) ? "1" : "0");
    }
    std::string fragment(char which, bool isResult) {
        const auto form = ptx::matrixForm(m_text);
        if (!form)
            return m_body.list(m_opcode == Opcode::Mma ? 4 : 1, 4, isResult);
        const ptx::MatrixRole role = which == 'a'   ? ptx::MatrixRole::A
                                     : which == 'b' ? ptx::MatrixRole::B
                                     : which == 'c' ? ptx::MatrixRole::C
                                                    : ptx::MatrixRole::D;
        const ptx::Fragment f = ptx::fragmentOf(*form, role);
        const int count = int(std::clamp<std::uint32_t>(f.written, 1, 128));
        return m_body.list(count, ptx::typeOf(*form, role) == Type::F64 ? 8 : 4, isResult);
    }

    Body& m_body;
    Dice& m_dice;
    Opcode m_opcode;
    const ptx::Form& m_form;
    std::vector<Type> m_types;
    ModifierSet m_words;
    std::vector<Modifier> m_order;
    std::string m_text;
    std::vector<std::string> m_operands;
};

} // namespace

void addInstruction(Body& body, Opcode opcode, const ptx::Form& form) {
    Instruction(body, opcode, form).add();
}

} // namespace warpglass::fuzz
