// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/assembler.h"
#include "app/window/pad/pad_panel.h"
#include "gpu/device/device.h"
#include "gpu/device/occupancy.h"
#include "gpu/ptx/parse.h"

namespace warpglass {

void PadPanel::countRegisters() {
    const DeviceSpec* device = findDevice(m_like.options.device);
    if (!device || !m_file->compiled || m_kernel->symbol.empty()) // of Triton's there is no code yet
        return;
    const int capability = device->ccMajor * 10 + device->ccMinor;
    if (m_counted && m_counted->symbol == m_kernel->symbol && m_counted->capability == capability)
        return;
    m_counted = Counted{m_kernel->symbol, capability, {}};
    m_count.start(
        [text = m_file->compiled, asked = *m_counted](Progress&) -> std::optional<std::uint32_t> {
            const std::string assembler = session::findAssembler();
            if (assembler.empty())
                return std::nullopt;
            const auto module = ptx::parse(text->ptx, "pad.ptx");
            return module ? session::assembledRegisters(assembler, *module, asked.symbol, asked.capability)
                          : std::nullopt;
        },
        [this](std::optional<std::uint32_t> registers) {
            if (m_counted && registers) {
                m_counted->registers = registers;
                sayOccupancy();
            }
        });
}

void PadPanel::sayOccupancy() {
    m_occupancy->clear();
    if (!m_file || !m_kernel)
        return;
    const DeviceSpec* device = findDevice(m_like.options.device);
    if (!device)
        return;
    const PadKernel set = m_settings.kernels.value(QString::fromStdString(m_kernel->entry));
    const RunRequest request = padRequest(m_like, m_path, QString(), *m_file, *m_kernel, m_settings);
    if (!request.launch.block) // Triton says it, with the registers
        return;
    const bool counted = m_counted && m_counted->registers;
    OccupancyInput input;
    input.threads = std::uint32_t(request.launch.block->count());
    input.registers = counted ? *m_counted->registers : m_kernel->registers;
    input.sharedStatic = m_kernel->sharedBytes;
    input.sharedDynamic = set.shared;
    input.sharedLimit = SharedLimit::OptIn;
    const Occupancy fits = occupancy(device->limits(), input);
    const QString with = input.registers == 0 ? tr("not counting registers")
                         : counted            ? tr("with %1 registers a thread").arg(input.registers)
                                              : tr("with %1 registers a thread (estimated)").arg(input.registers);
    QString text = tr("%1 blocks of %2 threads fit on an SM: %3 of %4 warps (%5 %), %6.")
                       .arg(fits.blocksPerSm)
                       .arg(input.threads)
                       .arg(fits.activeWarps)
                       .arg(fits.maxWarps)
                       .arg(fits.percent, 0, 'f', 0)
                       .arg(with);
    if (m_kernel->takesDynamicShared && set.shared == 0)
        text += QLatin1Char(' ') + tr("The kernel takes dynamic shared memory, and it gets none.");
    if (m_file->hasMain)
        text += QLatin1Char(' ') +
                tr("This is a whole program; only the kernel is run here. The page \"Program\" runs main().");
    m_occupancy->setText(text);
}

} // namespace warpglass
