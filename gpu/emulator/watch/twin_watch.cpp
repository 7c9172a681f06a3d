// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/watch/twin_watch.h"
#include "gpu/emulator/watch/non_finite.h"
#include "gpu/emulator/watch/twin_places.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace warpglass::emulator {

using ptx::Opcode;
using ptx::Type;

namespace {

constexpr std::uint32_t mostLossesOfStep = 4096; // that are kept with their operands

bool twinStep(Exec& x, const Inst& in) {
    return x.twin->step(x, in);
}
// Lanes that shuffle from several places take part in one only if that has one handler.
template <ptx::ShuffleMode mode>
bool twinShuffle(Exec& x, const Inst& in) {
    return x.twin->step(x, in);
}

} // namespace

Handler twinHandler(const InstInfo& info) {
    if (info.is.opcode != Opcode::Shfl)
        return &twinStep;
    switch (info.is.shuffle) {
    case ptx::ShuffleMode::Up:
        return &twinShuffle<ptx::ShuffleMode::Up>;
    case ptx::ShuffleMode::Down:
        return &twinShuffle<ptx::ShuffleMode::Down>;
    case ptx::ShuffleMode::Bfly:
        return &twinShuffle<ptx::ShuffleMode::Bfly>;
    case ptx::ShuffleMode::Idx:
        break;
    }
    return &twinShuffle<ptx::ShuffleMode::Idx>;
}

TwinWatch::TwinWatch(double tolerance, const std::vector<std::unique_ptr<Program>>& programs) {
    for (std::size_t digits = 0; digits < m_tolerances.size(); ++digits)
        m_tolerances[digits] = tolerance > 0 ? tolerance : std::exp2(-double(digits) / 2);
    std::uint32_t first = 0;
    for (const auto& program : programs) {
        watchFinite(*program, false);
        m_codes.push_back({program.get(), {}, first});
        first += std::uint32_t(program->code.size());
        mark(m_codes.back(), *program);
    }
}

TwinWatch::~TwinWatch() {
    for (const Code& code : m_codes) {
        watchFinite(*code.program, false); // which has been put over these
        for (std::uint32_t at = 0; at < code.steps.size(); ++at)
            if (code.steps[at].run)
                code.program->code[at].run = code.steps[at].run;
    }
}

void TwinWatch::restart() {
    m_registers.clear();
    m_shared.clear();
    m_local.clear();
    m_rows = nullptr;
    m_global.clear();
    m_losses.clear();
    m_lossesOf.clear();
    m_unkept.clear();
    m_decision.reset();
    m_decisions = 0;
}

const TwinWatch::Step& TwinWatch::stepAt(const Exec& x, const Inst& in) {
    if (!m_last || m_last->program != x.program)
        m_last = &*std::ranges::find(m_codes, x.program, &Code::program);
    return m_last->steps[in.index];
}

TwinRoom& TwinWatch::roomOf(Rooms& rooms, const Owner& owner) {
    Owned& owned = rooms[owner.what];
    if (owned.owner != owner) {
        owned.owner = owner;
        owned.room.clear();
    }
    return owned.room;
}

TwinRoom& TwinWatch::registers(Exec& x) {
    const Owner owner{x.rows, x.program, x.frame->function, x.launch->launch, x.warp->number, x.block->index};
    if (m_rows != x.rows || m_rowsOwner != owner) {
        m_rowsRoom = &roomOf(m_registers, owner);
        m_rows = x.rows;
        m_rowsOwner = owner;
    }
    return *m_rowsRoom;
}

TwinWatch::Value TwinWatch::numberAt(Exec& x, const FloatRow& row, int lane, std::size_t which) {
    const NumberPlace place = placeIn(row.type, lane, which);
    const std::byte* const from = x.rows + row.row + place.byte;
    const std::uint32_t at = byteOf(row.row) + place.byte;
    Value value{realOf(from, place.type), {}};
    TwinRoom& room = registers(x);
    const TwinWord* const word = room.find(at / 4);
    if (word && !word->isEmpty() && word->bits == twinValueAt<std::uint32_t>(x.rows + row.row + place.byte / 4 * 4)) {
        if (place.type == Type::F64) {
            const TwinWord* const upper = room.find(at / 4 + 1);
            if (word->low.type == Type::F64 && upper && upper->low.type == Type::F64 &&
                upper->low.twin == word->low.twin && upper->bits == twinValueAt<std::uint32_t>(from + 4))
                value.number = word->low;
        } else if (place.type == Type::F32) {
            if (word->low.type == Type::F32)
                value.number = word->low;
            else if (word->high.type == Type::BF16 && (word->bits & 0xffff) == 0) // a bfloat16 is half of a float
                value.number = word->high;
        } else if (const TwinNumber& half = at % 4 ? word->high : word->low; half.type == place.type) {
            value.number = half;
        }
    }
    if (value.number.type == Type::None)
        value.number = anew(value.real, place.type);
    return value;
}

// Behind forget(), in a row that is written.
void TwinWatch::put(Exec& x, const FloatRow& row, int lane, std::size_t which, const TwinNumber& number) {
    const NumberPlace place = placeIn(row.type, lane, which);
    const std::uint32_t at = byteOf(row.row) + place.byte;
    const std::byte* const words = x.rows + row.row + place.byte / 4 * 4;
    TwinRoom& room = registers(x);
    if (place.type == Type::F64) { // both words have it: one of them alone is no number
        TwinWord& upper = room.at(at / 4 + 1);
        upper.bits = twinValueAt<std::uint32_t>(words + 4);
        upper.low = number;
        upper.low.type = Type::F64;
    }
    TwinWord& word = room.at(at / 4);
    word.bits = twinValueAt<std::uint32_t>(words);
    TwinNumber& to = at % 4 ? word.high : word.low;
    to = number;
    to.type = place.type;
}

TwinWord TwinWatch::take(Exec& x, const Part& from, int lane, std::uint8_t bytes) {
    const std::uint32_t at = from.row + std::uint32_t(lane) * from.width + from.byte;
    const auto bits = twinValueAt<std::uint32_t>(x.rows + at / 4 * 4);
    TwinWord taken;
    if (const TwinWord* const word = registers(x).find(at / 4); word && word->bits == bits)
        taken = *word;
    taken.bits = bits;
    if (bytes == 4)
        return taken;
    taken.bits = at % 4 ? bits >> 16 : bits & 0xffff;
    if (at % 4)
        taken.low = taken.high;
    if (taken.low.type != Type::F16 && taken.low.type != Type::BF16)
        taken.low.type = Type::None;
    taken.high.type = Type::None;
    return taken;
}

void TwinWatch::give(Exec& x, const Part& to, int lane, std::uint8_t bytes, const TwinWord& word) {
    const std::uint32_t at = to.row + std::uint32_t(lane) * to.width + to.byte;
    TwinRoom& room = registers(x);
    TwinWord* own = room.find(at / 4);
    if (!own && word.isEmpty())
        return;
    if (!own)
        own = &room.at(at / 4);
    const auto bits = twinValueAt<std::uint32_t>(x.rows + at / 4 * 4);
    if (bytes == 4) {
        own->low = word.low;
        own->high = word.high;
        if (bits != word.bits)
            own->clear();
    } else {
        const bool same = word.bits == (at % 4 ? bits >> 16 : bits & 0xffff);
        TwinNumber& half = at % 4 ? own->high : own->low;
        half = word.low;
        if (!same)
            half.type = Type::None;
    }
    own->bits = bits;
}

// What an instruction writes loses its twins.
void TwinWatch::forget(Exec& x, const Step& s, std::uint32_t m) {
    TwinRoom& room = registers(x);
    for (const Part& part : s.writes)
        eachLane(m, [&](int lane) {
            for (std::uint32_t byte = 0; byte < part.width; byte += 4)
                if (TwinWord* const word = room.find((part.row + std::uint32_t(lane) * part.width + byte) / 4))
                    word->clear();
        });
}

std::uint32_t TwinWatch::lose(Exec& x, const Inst& in, int lane, const Value& result, const Values& of) {
    const std::uint32_t step = numberOf(in);
    const bool isKept = ++m_lossesOf[step] <= mostLossesOfStep;
    if (!isKept)
        if (const auto found = m_unkept.find(step); found != m_unkept.end())
            return found->second;
    Loss loss;
    loss.at = Diagnostics::spotOf(x, in.index, lane);
    loss.step = step;
    loss.result = result;
    if (isKept)
        loss.operands = of;
    else
        m_unkept[step] = std::uint32_t(m_losses.size());
    m_losses.push_back(loss);
    return std::uint32_t(m_losses.size() - 1);
}

// Where a result's error comes from: this operation, whose exact result of its own operands is ideal, or, with at most `worst`
// of it, from one of its operands.
void TwinWatch::settle(Exec& x, const Inst& in, int lane, Value& result, double ideal, double worst,
                       const TwinNumber* from, const Values& of) {
    TwinNumber& n = result.number;
    const double own = twinError(result.real, ideal);
    if (from && worst >= own)
        n.rounded = from->rounded;
    else if (own > 0)
        n.rounded = numberOf(in);
    const double relative = twinRelative(result.real, n.twin);
    if (relative > tolerance(n.digits))
        n.lost = from && worst >= own && from->lost != noIndex ? from->lost : lose(x, in, lane, result, of);
}

TwinNumber TwinWatch::made(Exec& x, const Inst& in, const Step& s, int lane, double real, const Values& of) {
    const Type type = placeIn(s.result.type, 0, 0).type;
    const ptx::Description& is = x.program->info[in.index].is;
    Value result{real, anew(real, type)};
    if (s.isWhole)
        return result.number;
    const auto evaluate = [&](const std::array<double, 3>& v) {
        double r = twinResult(is.opcode, v, of.count);
        if (is.sat)
            r = r > 0 ? std::fmin(r, 1.0) : 0.0;
        if (is.relu)
            r = std::fmax(r, 0.0);
        return r;
    };
    std::array<double, 3> reals{}, twins{};
    std::array<TwinNumber, 3> numbers{};
    TwinNumber& n = result.number;
    n.digits = twinDigits(s.result.type);
    bool differ = false;
    for (std::size_t k = 0; k < of.count; ++k) {
        reals[k] = of.of[k].real;
        numbers[k] = of.of[k].number;
        twins[k] = numbers[k].twin;
        if (twinError(reals[k], twins[k]) == 0)
            continue;
        differ = true;
        n.digits = std::min(n.digits, numbers[k].digits);
    }
    const double ideal = evaluate(reals);
    n.twin = differ ? evaluate(twins) : ideal;
    n.scale = twinScale(is.opcode, numbers, of.count, n.twin);
    double worst = 0;
    const TwinNumber* from = nullptr;
    for (std::size_t k = 0; differ && k < of.count; ++k) {
        if (twinError(reals[k], twins[k]) == 0)
            continue;
        auto one = reals;
        one[k] = twins[k];
        if (const double part = twinError(evaluate(one), ideal); part > worst || !from) {
            worst = part;
            from = &of.of[k].number;
        }
    }
    settle(x, in, lane, result, ideal, worst, from, of);
    return n;
}

bool TwinWatch::compute(Exec& x, const Inst& in, const Step& s, std::uint32_t m) {
    const std::size_t numbers = numbersIn(s.result.type);
    auto& before = m_before; // the result may take an operand's row
    eachLane(m, [&](int lane) {
        for (std::size_t k = 0; k < numbers; ++k) {
            Values& of = before[std::size_t(lane)][k];
            of.count = s.narrows ? 1 : s.sources.size();
            for (std::size_t n = 0; n < of.count; ++n)
                of.of[n] = s.narrows ? numberAt(x, s.sources[1 - k], lane, 0)
                                     : numberAt(x, s.sources[n], lane, std::min(k, numbersIn(s.sources[n].type) - 1));
        }
    });
    if (!s.run(x, in))
        return false;
    forget(x, s, m);
    const ptx::Description& is = x.program->info[in.index].is;
    eachLane(m, [&](int lane) {
        for (std::size_t k = 0; k < numbers; ++k) {
            const NumberPlace place = placeIn(s.result.type, lane, k);
            const double real = realOf(x.rows + s.result.row + place.byte, place.type);
            const Values& of = before[std::size_t(lane)][k];
            if (s.isWhole && is.opcode == Opcode::Cvt &&
                wholeOf(of.of[0].real, is.rounding) != wholeOf(of.of[0].number.twin, is.rounding))
                decide(x, in, lane, of);
            put(x, s.result, lane, k, made(x, in, s, lane, real, of));
        }
    });
    return true;
}

void TwinWatch::decide(Exec& x, const Inst& in, int lane, const Values& of) {
    ++m_decisions;
    if (!m_decision)
        m_decision = {Diagnostics::spotOf(x, in.index, lane), of};
}

// Comparisons, and conversions to integers.
bool TwinWatch::compare(Exec& x, const Inst& in, const Step& s, std::uint32_t m) {
    const ptx::Description& is = x.program->info[in.index].is;
    const std::size_t numbers = numbersIn(s.sources[0].type);
    eachLane(m, [&](int lane) {
        for (std::size_t k = 0; k < numbers; ++k) {
            Values of;
            of.count = s.sources.size();
            bool differ = false;
            for (std::size_t n = 0; n < of.count; ++n) {
                of.of[n] = numberAt(x, s.sources[n], lane, k);
                differ = differ || twinError(of.of[n].real, of.of[n].number.twin) != 0;
            }
            const auto otherwise = [&] {
                if (s.does == Does::RoundsToWhole) {
                    const ptx::Rounding rounding = is.rounds ? is.rounding : ptx::Rounding::Zero;
                    return wholeOf(of.of[0].real, rounding) != wholeOf(of.of[0].number.twin, rounding);
                }
                return compares(is.compare, of.of[0].real, of.of[1].real) !=
                       compares(is.compare, of.of[0].number.twin, of.of[1].number.twin);
            };
            if (differ && otherwise())
                decide(x, in, lane, of);
        }
    });
    if (!s.run(x, in))
        return false;
    forget(x, s, m);
    return true;
}

bool TwinWatch::move(Exec& x, const Inst& in, const Step& s, std::uint32_t m) {
    const std::size_t count = s.does == Does::Chooses ? s.moves.size() / 2 : s.moves.size();
    std::vector<std::array<TwinWord, 32>> taken(count);
    const std::uint32_t second = s.does != Does::Chooses ? 0
                                 : in.compare.negated    ? predicate(x, in.c)
                                                         : ~predicate(x, in.c);
    for (std::size_t k = 0; k < count; ++k)
        eachLane(m, [&](int lane) {
            const Move& move = s.moves[second >> lane & 1 ? count + k : k];
            taken[k][std::size_t(lane)] = take(x, move.from, lane, move.bytes);
        });
    if (!s.run(x, in))
        return false;
    forget(x, s, m);
    for (std::size_t k = 0; k < count; ++k)
        eachLane(m, [&](int lane) { give(x, s.moves[k].to, lane, s.moves[k].bytes, taken[k][std::size_t(lane)]); });
    return true;
}

// PTX ISA, shfl.sync: from which lane each takes its value. One that it does not get has other bits.
bool TwinWatch::shuffle(Exec& x, const Inst& in, const Step& s, std::uint32_t m) {
    std::array<TwinWord, 32> all;
    for (int lane = 0; lane < 32; ++lane)
        all[std::size_t(lane)] = take(x, s.moves[0].from, lane, 4);
    std::array<int, 32> from{};
    const auto *b = rowAt<const std::uint32_t>(x, in.b), *c = rowAt<const std::uint32_t>(x, in.c);
    const ptx::ShuffleMode mode = x.program->info[in.index].is.shuffle;
    for (int lane = 0; lane < 32; ++lane) {
        const int by = int(b[lane] & 31), clamp = int(c[lane] & 31), segment = int(c[lane] >> 8 & 31),
                  most = (lane & segment) | (clamp & ~segment);
        int& source = from[std::size_t(lane)];
        source = mode == ptx::ShuffleMode::Up     ? lane - by
                 : mode == ptx::ShuffleMode::Down ? lane + by
                 : mode == ptx::ShuffleMode::Bfly ? lane ^ by
                                                  : (lane & segment) | (by & ~segment);
        if (mode == ptx::ShuffleMode::Up ? source < most : source > most)
            source = lane;
    }
    if (!s.run(x, in))
        return false;
    forget(x, s, m);
    eachLane(m, [&](int lane) { give(x, s.moves[0].to, lane, 4, all[std::size_t(from[std::size_t(lane)] & 31)]); });
    return true;
}

bool TwinWatch::step(Exec& x, const Inst& in) {
    const Step& s = stepAt(x, in);
    const std::uint32_t m = in.guard ? guardMask(x, in) : x.mask;
    switch (s.does) {
    case Does::Computes:
        return compute(x, in, s, m);
    case Does::Compares:
    case Does::RoundsToWhole:
        return compare(x, in, s, m);
    case Does::Moves:
    case Does::Chooses:
        return move(x, in, s, m);
    case Does::Shuffles:
        return shuffle(x, in, s, m);
    case Does::Accesses:
        return access(x, in, s, m);
    case Does::Adds:
        return add(x, in, s, m);
    case Does::Nothing:
        break;
    }
    return s.run(x, in);
}

} // namespace warpglass::emulator
