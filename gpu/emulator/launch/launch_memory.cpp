// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/launch/launch_memory.h"
#include "gpu/base/large_pages.h"
#include "gpu/base/messages/emulator.h"
#include "gpu/emulator/async/tensor_map.h"
#include "gpu/emulator/launch/kept_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace warpglass::emulator {

namespace {

std::uint64_t alignmentOf(const ptx::Variable& v) {
    return v.alignment ? std::uint64_t(v.alignment) : std::uint64_t(std::max(1, ptx::bytesOf(v.type) * v.vector));
}

Area& allocate(LaunchMemory& image, const Argument& a) {
    const std::uint64_t bytes = a.count * std::uint64_t(bytesOf(a.type));
    Area& area = image.memory.allocate(bytes, say::BufferNamed(a.name), a.uninitialised);
    askForLargePages(area.whole().data(), bytes);
    if (a.fill)
        a.fill(area.whole());
    image.buffers.push_back(&area);
    return area;
}

void placeVariables(const ptx::Module& module, LaunchMemory& image) {
    for (std::uint32_t f = 0; f < module.functions.size(); ++f)
        image.symbols.functions[module.functions[f].name] = f;
    const auto place = [&](const ptx::Variable& v) {
        if (v.opaque != ptx::Opaque::None)
            return; // bindTextures
        if (v.space == ptx::StateSpace::Const) {
            const std::uint64_t at = (image.constants.size() + alignmentOf(v) - 1) / alignmentOf(v) * alignmentOf(v);
            image.constants.resize(at + v.sizeBytes());
            std::copy(v.initial.begin(), v.initial.end(), image.constants.begin() + std::ptrdiff_t(at));
            image.symbols.variables[v.name] = {v.space, at};
        } else if (v.space == ptx::StateSpace::Global) {
            Area& area = image.memory.allocate(v.sizeBytes(), say::VariableNamed(v.name));
            std::copy(v.initial.begin(),
                      v.initial.begin() + std::ptrdiff_t(std::min<std::uint64_t>(v.initial.size(), area.bytes)),
                      area.whole().begin());
            image.symbols.variables[v.name] = {v.space, area.base};
        }
    };
    for (const auto& v : module.variables)
        place(v);
    for (const auto& f : module.functions)
        for (const auto& v : f.locals)
            if (v.space == ptx::StateSpace::Global || v.space == ptx::StateSpace::Const)
                place(v);
}

// A .samplerref's own settings, in independent texture mode.
Sampler samplerOf(const ptx::Variable& v) {
    Sampler sampler{.normalized = true};
    for (const auto& [key, value] : v.settings) {
        if (key == "filter_mode")
            sampler.linear = value == "linear";
        else if (key == "force_unnormalized_coords")
            sampler.normalized = value != "1" && value != "true";
        else if (key.starts_with("addr_mode_") && key.back() >= '0' && key.back() <= '2')
            sampler.address[std::size_t(key.back() - '0')] = value == "wrap"              ? AddressMode::Wrap
                                                             : value == "mirror"          ? AddressMode::Mirror
                                                             : value == "clamp_to_border" ? AddressMode::Border
                                                                                          : AddressMode::Clamp;
    }
    return sampler;
}

bool names(const ptx::Operand& o, const std::string& name) {
    return o.name == name ||
           std::any_of(o.elements.begin(), o.elements.end(), [&](const ptx::Operand& e) { return names(e, name); });
}

// The plan's textures and surfaces, and the module's references to them. Error: a reference that the kernel may use is
// bound to nothing.
Result<void> bindTextures(const ptx::Module& module, const LaunchPlan& plan, std::uint32_t entry, LaunchMemory& image) {
    image.textures.bind(plan, image.memory);
    for (const ptx::Variable& v : module.variables) {
        if (v.opaque == ptx::Opaque::None)
            continue;
        if (v.opaque == ptx::Opaque::Samplerref && !image.textures.handleOf(v.name))
            image.textures.bindSampler(v.name, samplerOf(v));
        const auto handle = image.textures.handleOf(v.name);
        image.symbols.variables[v.name] = {ptx::StateSpace::Global, handle.value_or(0)};
        if (handle)
            continue;
        const bool isTexture = v.opaque == ptx::Opaque::Texref;
        for (std::uint32_t f = 0; f < module.functions.size(); ++f)
            if (f == entry || !module.functions[f].isEntry)
                for (const ptx::Instruction& i : module.functions[f].body)
                    for (const ptx::Operand& o : i.operands)
                        if (names(o, v.name))
                            return Error{
                                (isTexture ? say::TextureUnbound : say::SurfaceUnbound)(plan.kernelName, v.name),
                                module.name, i.line, 0,
                                say::BindIt(isTexture
                                                ? fmt::format("--texture {}=2d:64x64:f32:linear,clamp:iota", v.name)
                                                : fmt::format("--surface {}=2d:64x64:f32", v.name))};
    }
    return {};
}

void placeAddresses(const ptx::Module& module, LaunchMemory& image) {
    for (const auto& v : module.variables)
        for (const auto& a : v.initialAddresses) {
            const std::span<std::byte> bytes = bytesOfVariable(image, v.name);
            std::uint64_t address = 0;
            if (const auto s = image.symbols.variables.find(a.symbol); s != image.symbols.variables.end())
                address = a.generic ? genericAddress(s->second) : s->second.address;
            else if (const auto f = image.symbols.functions.find(a.symbol); f != image.symbols.functions.end())
                address = codeWindow + 16ull * f->second;
            address += std::uint64_t(a.addend);
            if (bytes.size() >= 8 && a.offset <= bytes.size() - 8)
                std::memcpy(bytes.data() + a.offset, &address, 8);
        }
}

// In the order of LaunchMemory::buffers.
const Argument& bufferOf(const LaunchPlan& plan, std::size_t n) {
    return n < plan.arguments.size() ? plan.arguments[n] : plan.globalBuffers[n - plan.arguments.size()];
}

Result<void> writePointers(const LaunchPlan& plan, const LaunchMemory& image,
                           const std::vector<BufferPointer>& pointers, std::span<std::byte> into) {
    for (const BufferPointer& pointer : pointers) {
        if (const auto handle = image.textures.handleOf(pointer.buffer); handle && pointer.offset + 8 <= into.size()) {
            std::memcpy(into.data() + pointer.offset, &*handle, 8);
            continue;
        }
        const Area* target = nullptr;
        for (std::size_t n = 0; n < image.buffers.size() && !target; ++n)
            if (image.buffers[n] && bufferOf(plan, n).name == pointer.buffer)
                target = image.buffers[n];
        if (!target || pointer.offset + 8 > into.size())
            return Error{(target ? say::AddressHasNoRoom : say::AddressOfNoBuffer)(pointer.buffer, pointer.offset),
                         plan.moduleName};
        const std::uint64_t address = target->base + pointer.addend;
        std::memcpy(into.data() + pointer.offset, &address, 8);
    }
    return {};
}

Result<void> writeMap(const LaunchPlan& plan, const LaunchMemory& image, const TensorMap& map, std::byte* to) {
    for (std::size_t n = 0; n < image.buffers.size(); ++n)
        if (image.buffers[n] && bufferOf(plan, n).name == map.buffer) {
            const TensorMapBytes bytes = packTensorMap(map, image.buffers[n]->base + map.offset);
            std::memcpy(to, bytes.data(), bytes.size());
            return {};
        }
    return Error{say::MapNamesNoBuffer(map.buffer), plan.moduleName};
}

} // namespace

std::span<std::byte> bytesOfVariable(LaunchMemory& image, const std::string& name) {
    const auto v = image.symbols.variables.find(name);
    if (v == image.symbols.variables.end())
        return {};
    if (v->second.space == ptx::StateSpace::Const)
        return std::span(image.constants).subspan(v->second.address);
    Area* hint = nullptr;
    const Area* area = image.memory.find(v->second.address, 1, hint);
    return area ? area->whole().subspan(v->second.address - area->base) : std::span<std::byte>();
}

void placeModule(const ptx::Module& module, LaunchMemory& image) {
    placeVariables(module, image);
    placeAddresses(module, image);
}

Result<std::unique_ptr<LaunchMemory>> makeLaunchMemory(const ptx::Module& module, const LaunchPlan& plan,
                                                       std::uint32_t entry) {
    if (plan.kept)
        return launchMemoryOf(module, *plan.kept);
    auto image = std::make_unique<LaunchMemory>();
    placeModule(module, *image);
    if (auto ok = bindTextures(module, plan, entry, *image); !ok)
        return ok.error();
    std::vector<std::pair<std::size_t, std::uint64_t>> values; // arguments that are none: number, place in params
    std::vector<std::pair<std::size_t, std::uint64_t>> maps;   // those of them that are tensor maps
    const ptx::Function& f = module.functions[entry];
    if (f.params.size() != plan.arguments.size())
        return Error{say::ArgumentCount(f.name, f.params.size(), plan.arguments.size()), module.name, f.line, 0,
                     say::GiveOneEach};
    for (std::size_t n = 0; n < f.params.size(); ++n) {
        const ptx::Variable& v = f.params[n];
        const Argument& a = plan.arguments[n];
        const std::uint64_t at = (image->params.size() + alignmentOf(v) - 1) / alignmentOf(v) * alignmentOf(v);
        image->params.resize(at + v.sizeBytes());
        if (a.isBuffer) {
            const std::uint64_t address = allocate(*image, a).base;
            if (v.sizeBytes() != 8)
                return Error{say::BufferForNoPointer(a.name), module.name, f.line};
            std::memcpy(image->params.data() + at, &address, 8);
        } else {
            image->buffers.push_back(nullptr);
            values.emplace_back(n, at);
            if (a.scalar.size() != v.sizeBytes())
                return Error{say::ArgumentBytes(a.name, a.scalar.size(), v.sizeBytes()), module.name, f.line, 0,
                             say::GiveParametersType};
            std::memcpy(image->params.data() + at, a.scalar.data(), a.scalar.size());
            if (a.tensorMap)
                maps.emplace_back(n, at);
        }
    }
    for (const Argument& a : plan.globalBuffers)
        allocate(*image, a);
    for (const auto& [n, at] : values)
        if (auto ok = writePointers(plan, *image, plan.arguments[n].pointers,
                                    {image->params.data() + at, plan.arguments[n].scalar.size()});
            !ok)
            return ok.error();
    for (const auto& [n, at] : maps)
        if (auto ok = writeMap(plan, *image, *plan.arguments[n].tensorMap, image->params.data() + at); !ok)
            return ok.error();
    for (std::size_t n = 0; n < image->buffers.size(); ++n)
        if (Area* area = image->buffers[n])
            if (auto ok = writePointers(plan, *image, bufferOf(plan, n).pointers, area->whole()); !ok)
                return ok.error();
    for (const GlobalPatch& p : plan.globals) {
        const ptx::Variable* v = module.findVariable(p.symbol);
        const std::span<std::byte> at = bytesOfVariable(*image, p.symbol);
        const std::uint64_t bytes = v ? std::min<std::uint64_t>(v->sizeBytes(), at.size()) : 0;
        if (bytes == 0 || p.bytes.size() > bytes)
            return Error{say::VariableNotSet(p.symbol), module.name};
        std::copy(p.bytes.begin(), p.bytes.end(), at.begin());
        if (auto ok = writePointers(plan, *image, p.pointers, at.first(bytes)); !ok)
            return ok.error();
    }
    return image;
}

Buffers takeBuffers(const LaunchPlan& plan, LaunchMemory& image) {
    Buffers buffers;
    const auto take = [&](Area* area) { // one after the other, so that no more than the largest is there twice
        buffers.emplace_back();
        if (!area)
            return;
        buffers.back().reserve(area->bytes);
        askForLargePages(buffers.back().data(), area->bytes);
        buffers.back().assign(area->whole().begin(), area->whole().end());
        area->dropFirstUse();
        area->storage.reset();
    };
    for (Area* area : image.buffers)
        take(area);
    for (Area* area : image.textures.areas())
        take(area);
    for (const DumpedVariable& variable : plan.dumped) {
        const std::span<std::byte> found = bytesOfVariable(image, variable.symbol);
        auto& bytes = buffers.emplace_back(variable.bytes);
        std::copy_n(found.begin(), std::min<std::uint64_t>(found.size(), bytes.size()), bytes.begin());
    }
    return buffers;
}

} // namespace warpglass::emulator
