// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/program/program.h"

#include "gpu/base/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <unordered_map>

namespace warpglass::program {

ProgramMessage messageOf(std::uint32_t operation, Message message) {
    std::string words = text(message);
    return {operation, std::move(words), message.kind(), std::move(message)};
}

bool hasFailed(const ProgramTrace& program) {
    return std::any_of(program.messages.begin(), program.messages.end(),
                       [](const ProgramMessage& m) { return isFailure(m.kind); });
}

std::string signalName(std::int64_t signal) {
    const char* const name = signal > 0 && signal < NSIG ? sigabbrev_np(int(signal)) : nullptr;
    return name ? std::string("SIG") + name : std::string("?");
}

bool hasWarps(const ProgramTrace& program, const Operation& launch) {
    return launch.recording != noIndex &&
           (launch.kernel >= program.kernels.size() || program.kernels[launch.kernel].unrecorded.empty());
}

std::size_t launchesWithWarps(const ProgramTrace& program) {
    return std::size_t(std::ranges::count_if(program.recordings, [&](const ProgramRecording& r) {
        return r.operation < program.operations.size() && hasWarps(program, program.operations[r.operation]);
    }));
}

std::span<const std::byte> ProgramTrace::argumentsOf(const Operation& launch) const {
    if (launch.kernel >= kernels.size())
        return {};
    const std::uint64_t bytes = kernels[launch.kernel].parameterBytes();
    if (launch.arguments > arguments.size() || bytes > arguments.size() - launch.arguments)
        return {};
    return {arguments.data() + launch.arguments, bytes};
}

std::string ProgramProcess::name() const {
    return rank >= 0 ? fmt::format("rank {}", rank) : fmt::format("process {}", process);
}

std::uint32_t ProgramTrace::processOf(const Operation& o) const {
    return o.stream < streams.size() ? streams[o.stream].process : 0;
}

const Allocation* ProgramTrace::allocationAt(std::uint64_t address, std::uint32_t operation) const {
    const std::uint32_t process = operation < operations.size() ? processOf(operations[operation]) : 0;
    if (byAddress.size() == allocations.size()) {
        const std::uint32_t row = byAddress.find(allocations, {process, address}, operation);
        return row == noIndex ? nullptr : &allocations[row];
    }
    for (const Allocation& a : allocations) {
        if (a.born > operation)
            break;
        if (a.process == process && address >= a.address && address - a.address < a.bytes && a.freed > operation)
            return &a;
    }
    return nullptr;
}

std::vector<Allocation> allocationsOf(const std::vector<Operation>& operations,
                                      const std::vector<ProgramStream>& streams) {
    std::vector<Allocation> all;
    std::vector<std::unordered_map<std::uint64_t, std::size_t>> everyone(1); // [process][address]
    for (std::size_t n = 0; n < operations.size(); ++n) {
        const Operation& o = operations[n];
        if (o.error)
            continue;
        const std::uint32_t process = o.stream < streams.size() ? streams[o.stream].process : 0;
        if (process >= everyone.size())
            everyone.resize(process + 1);
        auto& living = everyone[process];
        if (o.kind == OperationKind::Allocate) {
            living[o.to] = all.size();
            all.push_back({o.to, o.bytes, std::uint32_t(n), noIndex, o.memory, process});
        } else if (const auto found = living.find(o.to); o.kind == OperationKind::Free && found != living.end()) {
            all[found->second].freed = std::uint32_t(n);
            living.erase(found);
        }
    }
    return all;
}

void listAllocations(ProgramTrace& program) {
    for (ProgramStream& s : program.streams) // of a damaged file
        s.process = s.process < program.info.processes.size() ? s.process : 0;
    program.allocations = allocationsOf(program.operations, program.streams);
    program.byAddress = AllocationIndex(program.allocations);
}

namespace {

// "void k<float>(float*, Pair<int, int>)" -> {"float*", "Pair<int, int>"}; nothing if there are none.
std::vector<std::string> declaredTypes(const std::string& signature) {
    std::vector<std::string> types;
    if (!signature.ends_with(')'))
        return types;
    int depth = 0;
    std::size_t open = signature.size();
    while (open > 0) { // the parenthesis that the last one closes
        --open;
        depth += signature[open] == ')' ? 1 : signature[open] == '(' ? -1 : 0;
        if (depth == 0)
            break;
    }
    std::string word;
    depth = 0;
    for (std::size_t k = open + 1; k + 1 < signature.size(); ++k) {
        const char c = signature[k];
        depth += c == '<' || c == '(' || c == '[' ? 1 : c == '>' || c == ')' || c == ']' ? -1 : 0;
        if (c == ',' && depth == 0) {
            types.push_back(word);
            word.clear();
        } else if (c != ' ' || !word.empty()) {
            word += c;
        }
    }
    if (!word.empty())
        types.push_back(word);
    return types;
}

template <class T>
T as(std::span<const std::byte> bytes) {
    T value{};
    std::memcpy(&value, bytes.data(), std::min(sizeof value, bytes.size()));
    return value;
}

std::string hexadecimal(std::span<const std::byte> bytes) {
    std::string text;
    for (const std::byte b : bytes.first(std::min<std::size_t>(bytes.size(), 64)))
        text += fmt::format("{:02x}", unsigned(b));
    return bytes.size() > 64 ? text + "..." : text;
}

std::string number(std::span<const std::byte> bytes, const std::string& type, const std::string& declared) {
    const bool isUnsigned = declared.find("unsigned") != std::string::npos || declared == "bool";
    if (declared == "bool")
        return as<std::uint8_t>(bytes) ? "true" : "false";
    if (type == "f32" || declared == "float")
        return fmt::format("{}", as<float>(bytes));
    if (type == "f64" || declared == "double")
        return fmt::format("{}", as<double>(bytes));
    // PTX calls every integer of a parameter unsigned, and without PTX only its size is known (b32); the signature knows
    // better.
    if (type[0] == 's' || ((type[0] == 'u' || type[0] == 'b') && !declared.empty() && !isUnsigned))
        switch (bytes.size()) {
        case 1:
            return fmt::format("{}", int(as<std::int8_t>(bytes)));
        case 2:
            return fmt::format("{}", as<std::int16_t>(bytes));
        case 4:
            return fmt::format("{}", as<std::int32_t>(bytes));
        default:
            return fmt::format("{}", as<std::int64_t>(bytes));
        }
    return fmt::format("{}", as<std::uint64_t>(bytes));
}

} // namespace

std::vector<std::uint32_t> launchRows(const ProgramTrace& program) {
    std::vector<std::uint32_t> rows;
    for (std::uint32_t n = 0; n < program.operations.size(); ++n)
        if (program.operations[n].kind == OperationKind::Launch)
            rows.push_back(n);
    return rows;
}

std::vector<ArgumentWords> argumentWords(const ProgramTrace& program, std::uint32_t operation) {
    std::vector<ArgumentWords> words;
    if (operation >= program.operations.size())
        return words;
    const Operation& o = program.operations[operation];
    const std::span<const std::byte> bytes = program.argumentsOf(o);
    if (o.kind != OperationKind::Launch || o.kernel >= program.kernels.size() || bytes.empty())
        return words;
    const ProgramKernel& kernel = program.kernels[o.kernel];
    std::vector<std::string> declared = declaredTypes(kernel.signature);
    if (declared.size() != kernel.parameters.size())
        declared.assign(kernel.parameters.size(), {});
    for (std::size_t n = 0; n < kernel.parameters.size(); ++n) {
        const Parameter& p = kernel.parameters[n];
        const auto own = bytes.subspan(p.offset, p.bytes);
        ArgumentWords w;
        w.type = declared[n].empty() ? p.type : declared[n];
        const bool whole = p.bytes == 8 && (p.type == "u64" || p.type == "b64" || p.type == "s64");
        const bool pointer = declared[n].ends_with('*');
        const std::uint64_t address = whole ? as<std::uint64_t>(own) : 0;
        if (whole && (pointer || declared[n].empty()))
            w.allocation = program.allocationAt(address, operation);
        if (w.allocation)
            w.offset = address - w.allocation->address;
        if (w.allocation || pointer)
            w.value = fmt::format("0x{:x}", address);
        else if (p.type == "b8" || p.bytes > 8)
            w.value = hexadecimal(own);
        else
            w.value = number(own, p.type, declared[n]);
        words.push_back(std::move(w));
    }
    return words;
}

} // namespace warpglass::program
