// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/virtual/core/modules.h"

#include "gpu/ptx/join.h"
#include "gpu/ptx/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace warpglass::virtual_device {

namespace {

Status refuse(Module& module, Status why, std::string message) {
    module.why = why;
    module.message = std::move(message);
    return why;
}

// PTX texts of a module that came as an image; a text of its own for each file of a program linked on the device.
Status textsOf(Module& module, std::uint32_t capability, std::vector<std::string>& texts) {
    if (!module.text.empty()) {
        texts.push_back(module.text);
        return success;
    }
    auto containers = fatbin::containersAt(module.image);
    if (!containers)
        return refuse(module, invalidImage, containers.error().text());
    std::string other;
    for (const fatbin::Container& container : *containers) {
        const fatbin::Image* image = fatbin::bestPtx(container, capability);
        if (!image) {
            for (const fatbin::Image& i : container.images)
                other = fmt::format(" (it holds machine code for sm_{})", i.arch);
            continue;
        }
        auto text = fatbin::ptxText(*image);
        if (!text)
            return refuse(module, invalidImage, text.error().text());
        // The device's part of the runtime, linked into programs whose kernels launch kernels: it talks to the driver,
        // and the emulator has its functions itself.
        if (text->find("__cuda_syscall_cnp") == std::string::npos)
            texts.push_back(std::move(*text));
    }
    if (texts.empty() && containers->empty())
        return refuse(module, invalidImage, "the image is neither PTX nor a container of nvcc's");
    if (texts.empty())
        return refuse(module, noKernelImage,
                      "the program carries no PTX" + other +
                          ". Build it with -gencode arch=compute_90,code=compute_90 or -arch=sm_90");
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

Status Modules::parse(Module& module) {
    std::vector<std::string> texts;
    if (const Status status = textsOf(module, m_capability, texts); status != success)
        return status;
    std::vector<ptx::Module> parts;
    for (std::string& text : texts) {
        auto part = ptx::parse(std::move(text), module.name);
        if (!part)
            return refuse(module, invalidPtx, part.error().text());
        parts.push_back(std::move(*part));
    }
    auto joined = ptx::join(std::move(parts));
    if (!joined)
        return refuse(module, invalidPtx, joined.error().text());
    auto code = emulator::ResidentModule::load(std::move(*joined), m_memory.global(), m_textures);
    if (!code)
        return refuse(module, invalidPtx, code.error().text());
    module.code = std::move(*code);
    return success;
}

Status Modules::load(Module& module) {
    if (module.tried)
        return module.why;
    module.tried = true;
    if (const Status status = parse(module); status != success)
        return status;
    // A managed variable of the host is a pointer to memory; the device's is that memory itself.
    for (const Module::ManagedVariable& managed : module.managed) {
        const std::uint64_t address = m_memory.allocate(managed.bytes, MemoryKind::Managed);
        emulator::Area* hint = nullptr;
        emulator::Area* area = m_memory.global().find(address, 1, hint);
        if (!area)
            return refuse(module, memoryAllocation, "there is no memory for its managed variables");
        module.code->move(managed.name, *area);
        *managed.hostPointer = area->data;
    }
    return success;
}

void Modules::loadManaged() {
    for (Module& module : m_modules)
        if (!module.managed.empty())
            load(module);
}

Status Modules::kernel(Module& module, const std::string& entry, Kernel*& kernel) {
    if (const Status status = load(module); status != success)
        return status;
    std::unique_ptr<Kernel>& known = module.kernels[entry];
    if (!known) {
        const ptx::Function* function = module.code->source().findFunction(entry);
        if (!function || !function->isEntry) {
            module.kernels.erase(entry);
            return notFound;
        }
        known = std::make_unique<Kernel>();
        known->module = &module;
        known->entry = entry;
        known->parameters = parametersOf(*function);
        m_handles[known.get()] = true;
    }
    kernel = known.get();
    return success;
}

Status Modules::variable(Module& module, const std::string& name, Variable& variable) {
    if (const Status status = load(module); status != success)
        return status;
    const auto& places = module.code->symbols().variables;
    const auto place = places.find(name);
    const ptx::Variable* declared = module.code->source().findVariable(name);
    if (place == places.end() || !declared)
        return notFound;
    variable.data = module.code->bytesOf(name);
    variable.bytes = declared->sizeBytes();
    variable.address = emulator::genericAddress(place->second);
    return success;
}

Status Modules::kernelOf(const void* host, Kernel*& kernel) {
    if (const auto known = m_resolved.find(host); known != m_resolved.end()) {
        kernel = known->second;
        return success;
    }
    if (isKernel(host)) {
        kernel = const_cast<Kernel*>(static_cast<const Kernel*>(host));
        return success;
    }
    const auto symbol = m_kernels.find(host);
    if (symbol == m_kernels.end())
        return invalidDeviceFunction;
    const Status status = this->kernel(*symbol->second.module, symbol->second.name, kernel);
    if (status == success)
        m_resolved[host] = kernel;
    return status == notFound ? invalidDeviceFunction : status;
}

Status Modules::variableOf(const void* host, Variable& variable) {
    const auto symbol = m_variables.find(host);
    if (symbol == m_variables.end())
        return invalidSymbol;
    const Status status = this->variable(*symbol->second.module, symbol->second.name, variable);
    return status == notFound ? invalidSymbol : status;
}

const void* Modules::hostOf(const Kernel* kernel) const {
    for (const auto& [host, symbol] : m_kernels)
        if (symbol.module == kernel->module && symbol.name == kernel->entry)
            return host;
    return kernel;
}

bool Modules::isKernel(const void* handle) const {
    return m_handles.count(handle) > 0;
}

// Constant memory of each module begins at the same address, as a device has it; that of the only one with so much, or
// of the first, is meant.
std::byte* Modules::constantAt(std::uint64_t address, std::uint64_t bytes) {
    if (emulator::windowOf(address) != emulator::Window::Const)
        return nullptr;
    const std::uint64_t at = address - emulator::constWindow;
    for (Module& module : m_modules)
        if (module.code && at + bytes <= module.code->constants().size())
            return module.code->constants().data() + at;
    return nullptr;
}

} // namespace warpglass::virtual_device
