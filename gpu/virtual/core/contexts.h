// SPDX-License-Identifier: GPL-3.0-or-later
// Which device a thread works with: that of the context on top of its stack. The runtime has one context a device, its
// primary one; the driver's programs make more, which share everything with it but their name.
#pragma once

#include <array>
#include <cstddef>

namespace warpglass::virtual_device {

struct Context {
    unsigned device = 0;
    bool primary = false;
    unsigned flags = 0;
};

// Contexts of a thread, the current one last. Nothing of it has to be destroyed: what a program registers is let go when
// the thread's own variables are gone.
struct ContextStack {
    std::array<Context*, 256> contexts;
    std::size_t count;
    bool empty() const { return count == 0; }
    Context* back() const { return contexts[count - 1]; }
    bool push(Context* context); // false: there is no room
    void pop() { --count; }
    void put(Context* context); // in the place of the current one, or as the first
    void remove(const Context* context);
};
ContextStack& contextStack(); // of this thread
// That of the runtime; made when first asked for.
Context* primaryContext(unsigned device);
Context* makeContext(unsigned device, unsigned flags);
// Null if the handle is none.
Context* contextAt(void* handle);
bool destroyContext(Context* context); // false: a primary one stays
// The number of the device of this thread: 0 before anything is said.
unsigned currentDevice();
void setCurrentDevice(unsigned device); // by its primary context

} // namespace warpglass::virtual_device
