// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/timing/memory_units.h"

namespace warpglass::emulator {

void Dram::works(double at, double sectors, bool writes) {
    const double memory = m_timing.dramMemory, cycles = sectors * m_sector;
    if (at > m_queue.busySince) {
        const double kept = std::exp((m_queue.busySince - at) / memory);
        m_queue.busy *= kept;
        m_queue.writing *= kept;
        m_queue.busySince = at;
    }
    m_queue.busy += cycles / memory;
    if (writes)
        m_queue.writing += cycles / memory;
}

double Dram::loaded() const {
    if (m_queue.busy <= 0)
        return 0;
    const double written = m_queue.writing / m_queue.busy, idle = m_timing.dramIdleShare;
    return std::clamp((m_queue.busy - idle) / (1 - idle), 0.0, 1.0) *
           (m_timing.dramLoaded + m_timing.dramMixed * 4 * written * (1 - written));
}

bool Dram::opensPage(std::int64_t at, std::uint64_t sector) {
    const std::uint64_t number = sector / m_timing.dramPageSectors;
    Page& page = m_pages[(number * 0x9e3779b97f4a7c15ull >> 32) % m_pages.size()];
    const bool opens = page.number != number || at - page.used > m_timing.dramPageOpen;
    page = {number, at};
    return opens;
}

} // namespace warpglass::emulator
