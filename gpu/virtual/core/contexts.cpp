// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/virtual/core/contexts.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

namespace warpglass::virtual_device {

namespace {

struct All {
    std::mutex lock;
    std::vector<std::unique_ptr<Context>> contexts;
};
All& all() {
    static All* const one = new All; // threads may outlive it
    return *one;
}

Context* add(Context context) {
    return all().contexts.emplace_back(std::make_unique<Context>(context)).get();
}

} // namespace

bool ContextStack::push(Context* context) {
    if (count == contexts.size())
        return false;
    contexts[count++] = context;
    return true;
}

void ContextStack::put(Context* context) {
    if (empty())
        ++count;
    contexts[count - 1] = context;
}

void ContextStack::remove(const Context* context) {
    const auto end = contexts.begin() + std::ptrdiff_t(count);
    count = std::size_t(std::remove(contexts.begin(), end, context) - contexts.begin());
}

ContextStack& contextStack() {
    thread_local constinit ContextStack stack{};
    return stack;
}

Context* primaryContext(unsigned device) {
    const std::lock_guard guard(all().lock);
    for (const auto& c : all().contexts)
        if (c->primary && c->device == device)
            return c.get();
    return add({device, true, 0});
}

Context* makeContext(unsigned device, unsigned flags) {
    const std::lock_guard guard(all().lock);
    return add({device, false, flags});
}

Context* contextAt(void* handle) {
    const std::lock_guard guard(all().lock);
    for (const auto& c : all().contexts)
        if (c.get() == handle)
            return c.get();
    return nullptr;
}

bool destroyContext(Context* context) {
    if (context->primary)
        return false;
    contextStack().remove(context);
    const std::lock_guard guard(all().lock);
    std::erase_if(all().contexts, [context](const auto& c) { return c.get() == context; });
    return true;
}

unsigned currentDevice() {
    return contextStack().empty() ? 0 : contextStack().back()->device;
}

void setCurrentDevice(unsigned device) {
    contextStack().put(primaryContext(device));
}

} // namespace warpglass::virtual_device
