// SPDX-License-Identifier: GPL-3.0-or-later
// What waits for what: for each operation of a program, those that had to be done before it, as CUDA orders them.
//
// What a stream was given is done one after the other; a stream that waits for an event comes behind its recording; the
// legacy default stream and those that do not say otherwise wait for each other; the host waits for a stream, an event or a
// device. What another wait implies is left out, so that n operations have about n waits.
#pragma once

#include "gpu/program/program.h"

#include <map>
#include <utility>
#include <vector>

namespace warpglass::program {

enum class WaitReason : std::uint8_t {
    Stream,        // given to its own stream before
    Event,         // the stream was told to wait for an event
    DefaultStream, // the legacy default stream and the others wait for each other
    Host,          // the host waits for it
};
struct Dependency {
    std::uint32_t operation = 0; // that has to be done before
    WaitReason reason = WaitReason::Stream;
    std::uint32_t stream = noIndex; // whose latest it is; noIndex: it is the recording of the event that is waited for
};

// Takes the operations in the order of their calls.
class Order {
public:
    Order() = default;
    Order(const Order&) = delete; // its streams point to its devices, which stay where they are when it moves
    Order& operator=(const Order&) = delete;
    Order(Order&&) = default;
    Order& operator=(Order&&) = default;
    explicit Order(const std::vector<ProgramStream>& streams);
    void add(const ProgramStream& stream); // the next row
    // What the operation of that row waits for, until the next call.
    const std::vector<Dependency>& next(const Operation& operation, std::uint32_t row);

private:
    struct Given {                                    // to a stream
        std::uint32_t last = noIndex;                 // its latest operation
        bool sinceDefault = false, sinceHost = false; // it is in the lists below
    };
    struct Device {
        std::uint32_t defaultStream = noIndex;
        std::vector<std::uint32_t> sinceDefault; // streams that were given something since the default stream was
        std::vector<std::uint32_t> sinceHost;    // and since the host waited for the device
    };
    Device& deviceOf(std::uint32_t stream) { return *m_streams[stream].of; }
    bool blocking(std::uint32_t stream) const;
    void behind(std::uint32_t stream, WaitReason reason);
    void ofStream(const Operation& o, std::uint32_t stream);
    void ofHost(const Operation& o, std::uint32_t stream);
    void given(std::uint32_t stream, std::uint32_t operation);

    struct Stream : ProgramStream, Given {
        Device* of = nullptr;
    };
    std::vector<Stream> m_streams;
    // Devices and events are a process' own.
    std::map<std::pair<std::uint32_t, std::uint32_t>, Device> m_devices;       // [process, device]
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> m_events; // [process, event] its latest recording
    std::vector<Dependency> m_found;
};

// Work (a launch, copy, fill, function of the host) behind work of another stream, or the host behind work. Events pass on
// what they wait for.
struct Waited {
    std::uint32_t operation = 0, behind = 0;
    WaitReason reason = WaitReason::Event;
    // How much later it began (the host: went on) for that alone. 0: it was done before, something else took longer, or it
    // is not known when the device works.
    std::int64_t ns = 0;
};
// By operation, one each: what held it up longest. Times as they stand in the program: measured, or placed.
std::vector<Waited> waitsOf(const ProgramTrace& program);

} // namespace warpglass::program
