// SPDX-License-Identifier: GPL-3.0-or-later
// A launch beside itself in fp64 (EmulatorOptions::twin): each floating-point number that an operation makes has a twin in
// double, made by the same operation of its operands' twins. It goes where the number goes: registers, shuffles, shared, local
// and global memory. Branches, choices, addresses and whole numbers are the kernel's own; where a comparison would come out
// otherwise for the twins, that is counted. At the end the numbers that the launch leaves in global memory are held against
// their twins, and of those that are too far off it is told where the tolerance was passed and which operation made the error.
//
// What a number is judged by: its error relative to the largest number that the same store leaves. An element that happens to be
// near zero among others that are not is as good as they are; where all of them are left over from larger ones that cancelled
// out, nothing larger stands beside them. What is a rounding error on purpose (isRoundingError()) is not judged.
//
// A twin begins anew with the kernel's number where nobody follows it: bit tricks, rounding to whole numbers (also by adding a
// constant that leaves no room for a fraction), products of matrices, asynchronous copies, textures, formats of 8 bits and fewer,
// calls. Doubles keep theirs in registers alone. Others pay nothing: only instructions that matter are marked.
#pragma once

#include "gpu/emulator/record/diagnostics.h"
#include "gpu/emulator/watch/twin_numbers.h"

#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace warpglass::emulator {

class TwinWatch {
public:
    // Marks the instructions of these programs, once. tolerance: relative; 0: half of a type's digits.
    TwinWatch(double tolerance, const std::vector<std::unique_ptr<Program>>& programs);
    ~TwinWatch(); // takes the marks away
    TwinWatch(const TwinWatch&) = delete;
    TwinWatch& operator=(const TwinWatch&) = delete;

    void restart(); // the launch is made once more
    bool step(Exec& x, const Inst& in);
    // What is told of the launch, whose memory this is now.
    std::vector<Diagnostic> told(GlobalMemory& memory) const;

private:
    // Two or four bytes of a lane's register.
    struct Part {
        std::uint32_t row = 0; // byte of the frame
        std::uint8_t width = 4, byte = 0;
    };
    struct Move {
        Part to, from;
        std::uint8_t bytes = 4;
    };
    enum class Does : std::uint8_t {
        Nothing,
        Computes, // one number, or two, of those of its operands
        Compares,
        RoundsToWhole, // to an integer
        Moves,         // and whatever else writes registers: those that it does not move lose their twins
        Chooses,
        Shuffles,
        Accesses,
        Adds // an atomic
    };
    struct Step {
        Handler run = nullptr; // the instruction itself
        Does does = Does::Nothing;
        bool isWhole = false; // its result is rounded to a whole number, on purpose
        bool narrows = false; // two numbers to a pair, the first one to the upper half
        FloatRow result;
        std::vector<FloatRow> sources;
        std::vector<Move> moves; // of a choice those from its first source, then as many from its second
        std::vector<Part> writes;
    };
    struct Code {
        Program* program = nullptr;
        std::vector<Step> steps; // [position]
        std::uint32_t first = 0; // number of the first one among all programs'
    };
    struct Value {
        double real = 0;
        TwinNumber number;
    };
    struct Values {
        std::array<Value, 3> of;
        std::size_t count = 0;
    };
    struct Loss { // where the tolerance was passed
        Diagnostics::Spot at;
        std::uint32_t step = noIndex;
        Values operands; // none: nobody has kept them
        Value result;
    };
    struct Decision {
        Diagnostics::Spot at;
        Values operands;
    };
    struct Left { // in global memory
        std::uint64_t address = 0;
        double real = 0, error = 0; // relative to what it is judged by
        TwinNumber number;
        bool isBad = false;
    };
    using Lefts = std::map<std::uint64_t, std::vector<Left>>; // by an area's base

    void mark(Code& code, Program& program) const;
    const Step& stepAt(const Exec& x, const Inst& in);
    std::uint32_t numberOf(const Inst& in) const { return m_last->first + in.index; }

    // Of the running frame.
    struct Owner { // of a room: whose it was last
        const void* what = nullptr;
        const Program* program = nullptr;
        std::uint32_t function = 0, launch = 0, warp = 0;
        std::uint64_t block = 0;
        bool operator==(const Owner&) const = default;
    };
    struct Owned {
        Owner owner;
        TwinRoom room;
    };
    using Rooms = std::unordered_map<const void*, Owned>;
    static TwinRoom& roomOf(Rooms& rooms, const Owner& owner);
    TwinRoom& registers(Exec& x);
    Value numberAt(Exec& x, const FloatRow& row, int lane, std::size_t which);
    void put(Exec& x, const FloatRow& row, int lane, std::size_t which, const TwinNumber& number);
    TwinWord take(Exec& x, const Part& from, int lane, std::uint8_t bytes);
    void give(Exec& x, const Part& to, int lane, std::uint8_t bytes, const TwinWord& word);
    void forget(Exec& x, const Step& s, std::uint32_t m);

    TwinNumber made(Exec& x, const Inst& in, const Step& s, int lane, double real, const Values& of);
    void settle(Exec& x, const Inst& in, int lane, Value& result, double ideal, double worst, const TwinNumber* from,
                const Values& of);
    std::uint32_t lose(Exec& x, const Inst& in, int lane, const Value& result, const Values& of);
    void decide(Exec& x, const Inst& in, int lane, const Values& of);

    bool compute(Exec& x, const Inst& in, const Step& s, std::uint32_t m);
    bool compare(Exec& x, const Inst& in, const Step& s, std::uint32_t m);
    bool move(Exec& x, const Inst& in, const Step& s, std::uint32_t m);
    bool shuffle(Exec& x, const Inst& in, const Step& s, std::uint32_t m);
    bool access(Exec& x, const Inst& in, const Step& s, std::uint32_t m);
    bool add(Exec& x, const Inst& in, const Step& s, std::uint32_t m);

    struct Place {                // of what a lane accesses
        TwinRoom* room = nullptr; // nullptr: nobody follows what lies there
        std::uint64_t at = 0;
        std::uint32_t lane = 0, lanes = 1; // words of a warp's local memory lie side by side
        std::byte* bytes = nullptr;        // not of local memory
        std::uint64_t wordOf(std::uint64_t byte) const { return (at + byte) / 4 * lanes + lane; }
    };
    Place placeOf(Exec& x, const Inst& in, int lane, std::uint64_t bytes);
    std::array<std::array<Values, 2>, 32> m_before; // scratch: operands of each lane's numbers
    double tolerance(std::uint8_t digits) const { return m_tolerances[digits]; }

    Lefts lefts(GlobalMemory& memory) const;
    Message operandsText(const Values& of, bool twins) const;
    Message elementText(GlobalMemory& memory, const Left& left) const;

    std::array<double, TwinNumber::exactDigits + 1> m_tolerances{};
    std::vector<Code> m_codes;
    const Code* m_last = nullptr;
    Rooms m_registers, m_shared, m_local; // by rows, block and warp
    const void* m_rows = nullptr;         // of the frame that ran last, and its room
    Owner m_rowsOwner;
    TwinRoom* m_rowsRoom = nullptr;
    mutable TwinRoom m_global;
    std::vector<Loss> m_losses; // in the order of time
    std::unordered_map<std::uint32_t, std::uint32_t> m_lossesOf,
        m_unkept;                       // [step] how many, and the record of all further ones
    std::optional<Decision> m_decision; // the first one that comes out otherwise
    std::uint64_t m_decisions = 0;
};

Handler twinHandler(const InstInfo& info); // of a marked instruction

} // namespace warpglass::emulator
