// SPDX-License-Identifier: GPL-3.0-or-later
// A quotient of whole numbers is made of the divisor's reciprocal and of steps that correct it. ptxas makes the reciprocal once for
// quotients of a straight-line piece by one divisor: what is left of the others are 13 instructions, 19 with signs, of which none
// is on the unit for special functions (machine code for sm_90a, and its time: chain/udiv, chain/sdiv of
// tests/timing/h200-micro.csv). Out of loops it takes reciprocals here and there (of those programs, yes; of the convolutions of
// tests/model/today, no), which is not modelled.
#include "gpu/emulator/timing/passes.h"

#include <algorithm>

namespace warpglass::emulator {

namespace {

struct Rest { // of a quotient whose divisor's reciprocal is there
    std::uint8_t slots;
    std::uint16_t latency;
};
constexpr Rest whole{13, 57}, withSigns{19, 61}; // 69 and 79 cycles in all

bool isQuotient(const InstInfo& info, const MachineOp& op) {
    return info.source && info.opClass == OpClass::Special && !ptx::isFloat(info.is.type()) && op.special == 3 &&
           info.source->operands.size() > 2 && info.source->operand(2).kind == ptx::Operand::Kind::Register;
}

class Reciprocals {
public:
    explicit Reciprocals(Translation& translation) : t(translation), m_writers(t.code.registerCount) {
        for (std::uint32_t k = 0; k < t.code.ops.size(); ++k) {
            for (const std::uint32_t r : t.code.writes(t.code.ops[k]))
                m_writers[r].push_back(k);
        }
    }
    void share() {
        for (const Piece& piece : t.program.pieces) {
            std::vector<std::pair<std::uint32_t, std::uint32_t>> before; // divisor, where
            for (std::uint32_t k = piece.first; k < piece.end; ++k) {
                const InstInfo& info = t.program.info[k];
                MachineOp& op = t.code.ops[k];
                if (!isQuotient(info, op))
                    continue;
                const std::uint32_t divisor = t.number(info, t.program.code[k].b);
                const bool there = std::any_of(before.begin(), before.end(), [&](const auto& b) {
                    return b.first == divisor && !isWritten(divisor, b.second, k);
                });
                before.push_back({divisor, k});
                if (!there)
                    continue;
                const Rest& rest = ptx::isSigned(info.is.type()) ? withSigns : whole;
                op.slots = rest.slots;
                op.latency = rest.latency;
                op.special = 0;
                op.pipe = Pipe::Add; // products, sums and comparisons by turns
            }
        }
    }

private:
    bool isWritten(std::uint32_t r, std::uint32_t from, std::uint32_t to) const {
        return std::any_of(m_writers[r].begin(), m_writers[r].end(),
                           [&](std::uint32_t k) { return k >= from && k <= to; });
    }
    Translation& t;
    std::vector<std::vector<std::uint32_t>> m_writers; // [register], positions
};

} // namespace

void shareReciprocals(Translation& t) {
    Reciprocals(t).share();
}

} // namespace warpglass::emulator
