// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/virtual/core/modules.h"
#include "gpu/base/catalogue.h"
#include "gpu/base/messages/program.h"

#include "gpu/launch/kernel_text.h"
#include "gpu/machine/cubin.h"
#include "gpu/machine/own_code.h"
#include "gpu/ptx/join.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace warpglass::virtual_device {

namespace {

Status refuse(Module::Loaded& there, Status why, Said message) {
    there.why = why;
    there.message = std::move(message);
    return why;
}

// PTX texts of a module that came as an image; a text of its own for each file of a program linked on the device.
Status textsOf(const Module& module, Module::Loaded& there, std::uint32_t capability, std::vector<std::string>& texts) {
    if (!module.text.empty()) {
        texts.push_back(module.text);
        return success;
    }
    auto found = fatbin::ptxTexts(module.image, capability, true);
    if (!found)
        return refuse(there, invalidImage, wholeOf(found.error()));
    if (found->texts.empty() && !found->isContainer)
        return refuse(there, invalidImage, say::NeitherPtxNorContainer);
    if (found->texts.empty())
        return refuse(there, noKernelImage,
                      found->others.empty() ? Said(say::NoPtxInProgram)
                                            : Said(say::OnlyMachineCode(std::to_string(found->others.back().arch))));
    texts = std::move(found->texts);
    return success;
}

std::vector<program::Parameter> parametersOf(const ptx::Function& entry) {
    std::vector<program::Parameter> parameters;
    std::uint64_t at = 0;
    for (const ptx::Variable& v : entry.params) {
        const std::uint64_t alignment =
            v.alignment ? std::uint64_t(v.alignment) : std::uint64_t(std::max(1, ptx::bytesOf(v.type) * v.vector));
        at = (at + alignment - 1) / alignment * alignment;
        parameters.push_back({std::string(ptx::name(v.type)), std::uint32_t(at), std::uint32_t(v.sizeBytes())});
        at += v.sizeBytes();
    }
    return parameters;
}

} // namespace

Module* Modules::add(const void* image) {
    Module& module = m_modules.emplace_back();
    module.on.resize(m_textures.size());
    module.name = fmt::format("module {}", ++m_count);
    module.image = image;
    return &module;
}

Module* Modules::addText(std::string ptx) {
    Module* module = add(nullptr);
    module->text = std::move(ptx);
    return module;
}

void Modules::remove(Module* module) {
    for (const auto& [name, kernel] : module->kernels)
        m_handles.erase(kernel.get());
    const auto ours = [module](const auto& entry) { return entry.second.module == module; };
    std::erase_if(m_resolved, [module](const auto& entry) { return entry.second->module == module; });
    std::erase_if(m_kernels, ours);
    std::erase_if(m_variables, ours);
    m_modules.remove_if([module](const Module& m) { return &m == module; });
}

Status Modules::parse(Module& module, unsigned device) {
    Module::Loaded& there = module.on[device];
    std::vector<std::string> texts;
    if (const Status status = textsOf(module, there, m_capability, texts); status != success)
        return status;
    auto joined = ptx::parseTogether(std::move(texts), module.name);
    if (!joined)
        return refuse(there, invalidPtx, wholeOf(joined.error()));
    auto code = emulator::ResidentModule::load(std::move(*joined), m_memory.global(device), *m_textures[device]);
    if (!code)
        return refuse(there, invalidPtx, wholeOf(code.error()));
    there.code = std::move(*code);
    return success;
}

Status Modules::load(Module& module, unsigned device) {
    Module::Loaded& there = module.on[device];
    if (there.tried)
        return there.why;
    there.tried = true;
    if (const Status status = parse(module, device); status != success)
        return status;
    // A managed variable of the host is a pointer to memory; the devices' is that memory itself.
    for (Module::ManagedVariable& managed : module.managed) {
        const bool first = managed.address == 0;
        if (first)
            managed.address = m_memory.allocate(managed.bytes, MemoryKind::Managed, device);
        emulator::Area* hint = nullptr;
        emulator::Area* area = m_memory.global(device).find(managed.address, 1, hint);
        if (!area)
            return refuse(there, memoryAllocation, say::NoMemoryForManaged);
        there.code->move(managed.name, *area, first);
        *managed.hostPointer = area->whole().data();
    }
    return success;
}

void Modules::reset(unsigned device) {
    const auto registered = [&](const Module& module) {
        const auto ofIt = [&](const auto& entry) { return entry.second.module == &module; };
        return std::any_of(m_kernels.begin(), m_kernels.end(), ofIt) ||
               std::any_of(m_variables.begin(), m_variables.end(), ofIt);
    };
    for (Module& module : m_modules) {
        Module::Loaded& there = module.on[device];
        if (!there.code || !module.managed.empty())
            continue;
        there = {};
        if (!registered(module)) // its handles are used without asking; of the others' next use loads it
            load(module, device);
    }
}

void Modules::loadManaged() {
    for (Module& module : m_modules)
        if (!module.managed.empty())
            load(module, 0);
}

Status Modules::kernel(Module& module, const std::string& entry, LoadedKernel*& kernel, unsigned device) {
    if (const Status status = load(module, device); status != success)
        return status;
    std::unique_ptr<LoadedKernel>& known = module.kernels[entry];
    if (!known) {
        const ptx::Function* function = module.code(device).source().findFunction(entry);
        if (!function || !function->isEntry) {
            module.kernels.erase(entry);
            return notFound;
        }
        known = std::make_unique<LoadedKernel>();
        known->module = &module;
        known->entry = entry;
        known->parameters = parametersOf(*function);
        m_handles[known.get()] = true;
    }
    kernel = known.get();
    return success;
}

Status Modules::variable(Module& module, const std::string& name, Variable& variable, unsigned device) {
    if (const Status status = load(module, device); status != success)
        return status;
    const auto& places = module.code(device).symbols().variables;
    const auto place = places.find(name);
    const ptx::Variable* declared = module.code(device).source().findVariable(name);
    if (place == places.end() || !declared)
        return notFound;
    variable.data = module.code(device).bytesOf(name);
    variable.bytes = declared->sizeBytes();
    variable.address = module.code(device).addressOf(place->second);
    return success;
}

Status Modules::kernelOf(const void* host, LoadedKernel*& kernel, unsigned device) {
    if (const auto known = m_resolved.find(host); known != m_resolved.end()) {
        kernel = known->second;
        return load(*kernel->module, device);
    }
    if (isKernel(host)) {
        kernel = const_cast<LoadedKernel*>(static_cast<const LoadedKernel*>(host));
        return load(*kernel->module, device);
    }
    const auto symbol = m_kernels.find(host);
    if (symbol == m_kernels.end())
        return invalidDeviceFunction;
    const Status status = this->kernel(*symbol->second.module, symbol->second.name, kernel, device);
    if (status == success)
        m_resolved[host] = kernel;
    return status == notFound ? invalidDeviceFunction : status;
}

Status Modules::variableOf(const void* host, Variable& variable, unsigned device) {
    const auto symbol = m_variables.find(host);
    if (symbol == m_variables.end())
        return invalidSymbol;
    const Status status = this->variable(*symbol->second.module, symbol->second.name, variable, device);
    return status == notFound ? invalidSymbol : status;
}

std::optional<std::uint32_t> Modules::registersOf(LoadedKernel& kernel) const {
    if (std::exchange(kernel.registersAsked, true))
        return kernel.registers;
    const std::string cubin = machine::ownCubin(kernel.module->image, m_capability, kernel.entry);
    const auto facts = machine::readFacts(std::as_bytes(std::span(cubin)));
    if (!facts)
        return std::nullopt;
    if (const auto of = facts->find(kernel.entry); of != facts->end()) {
        kernel.registers = of->second.registers;
        const std::string inner = "$" + kernel.entry + "$";
        for (const auto& [name, function] : *facts)
            if (const bool own = name.starts_with(inner); own || !name.starts_with('$'))
                kernel.frames[own ? name.substr(inner.size()) : name] = function.stackBytes.value_or(0);
    }
    return kernel.registers;
}

const MachineCodes& Modules::codesOf(LoadedKernel& kernel, unsigned device) const {
    if (!kernel.codes) {
        const ptx::Function* text = kernel.module->code(device).source().findFunction(kernel.entry);
        kernel.codes = machine::ownCode(machine::ownCubin(kernel.module->image, m_capability, kernel.entry), text);
    }
    return *kernel.codes;
}

std::optional<std::string> Modules::shadowAt(std::uint64_t address, unsigned device) {
    const auto after = m_variables.upper_bound(reinterpret_cast<const void*>(address));
    if (after == m_variables.begin())
        return std::nullopt;
    const auto& [host, symbol] = *std::prev(after);
    Variable v;
    if (variable(*symbol.module, symbol.name, v, device) != success ||
        address - reinterpret_cast<std::uint64_t>(host) >= v.bytes)
        return std::nullopt;
    return plainName(symbol.name);
}

const void* Modules::hostOf(const LoadedKernel* kernel) const {
    for (const auto& [host, symbol] : m_kernels)
        if (symbol.module == kernel->module && symbol.name == kernel->entry)
            return host;
    return kernel;
}

bool Modules::isKernel(const void* handle) const {
    return m_handles.count(handle) > 0;
}

} // namespace warpglass::virtual_device
