// SPDX-License-Identifier: GPL-3.0-or-later
// Two cards that stand where there is nothing to draw lane by lane: code without a branch, and the machine code.
#include "views/common/sentences.h"
#include "views/common/ticks.h"
#include "views/lanes/lanes_paint.h"

#include <algorithm>

namespace warpglass {

namespace {

// A white card; text runs down from `y`.
class Card {
public:
    // height 0: only measured, as tall as the area.
    Card(QPainter* painter, const QRectF& area, const Theme& theme, qreal height)
        : m_painter(painter), m_theme(theme), m_scale(theme.fontScale) {
        const qreal width = qMin(area.width(), 720 * m_scale);
        m_card = {area.left() + (area.width() - width) / 2, area.top() + 10 * m_scale, width,
                  area.height() - 20 * m_scale};
        if (height > 0)
            m_card.setHeight(qMin(m_card.height(), height));
        m_inside = m_card.adjusted(26 * m_scale, 22 * m_scale, -26 * m_scale, -22 * m_scale);
        m_y = m_inside.top();
        if (m_painter) {
            m_painter->setPen(QPen(theme.border, 1));
            m_painter->setBrush(theme.panel);
            m_painter->drawRoundedRect(m_card, 8 * m_scale, 8 * m_scale);
        }
    }
    void text(const QString& what, const QFont& font, const QColor& ink, qreal after = 10) {
        const QRectF where(m_inside.left(), m_y, m_inside.width(),
                           std::max(0.0, m_inside.bottom() - buttonHeight() - m_y));
        const qreal height = paintParagraph(nullptr, where, what, font, ink);
        if (m_painter)
            paintShortParagraph(*m_painter, where, what, font, ink);
        m_y += (m_painter ? std::min(height, where.height()) : height) + after * m_scale;
    }
    QRectF button(const QString& what) {
        QFont bold = m_theme.body();
        bold.setBold(true);
        const qreal wide = qMin(textWidth(bold, what) + 36 * m_scale, m_inside.width());
        const QRectF rect(m_inside.left(), m_y + 4 * m_scale, wide, buttonHeight());
        if (m_painter) {
            m_painter->setPen(Qt::NoPen);
            m_painter->setBrush(m_theme.accent);
            m_painter->drawRoundedRect(rect, 6 * m_scale, 6 * m_scale);
            const qreal room = wide - 8 * m_scale;
            paintText(*m_painter, rect.adjusted(4 * m_scale, 0, -4 * m_scale, 0), what, fittedFont(bold, what, room),
                      m_theme.textOnAccent, Qt::AlignCenter);
        }
        m_y = rect.bottom() + 16 * m_scale;
        return rect;
    }
    // A row of cells; the first one is wide.
    void row(const QStringList& cells, bool head, qreal firstShare = 0.4, bool mono = false) {
        const qreal height = lineHeight(m_theme.small()) + 9 * m_scale;
        if (m_y + height > m_inside.bottom() + 8 * m_scale)
            return;
        if (m_painter) {
            m_painter->fillRect(QRectF(m_inside.left(), m_y + height - 1, m_inside.width(), 1), m_theme.border);
            qreal x = m_inside.left();
            for (int i = 0; i < cells.size(); ++i) {
                const qreal width = i == 0 ? m_inside.width() * firstShare
                                           : m_inside.width() * (1 - firstShare) / qMax<qsizetype>(1, cells.size() - 1);
                const QFont font = mono && i == 0 ? m_theme.smallMono() : m_theme.small();
                paintText(*m_painter, {x, m_y, width - 8 * m_scale, height}, cells[i], font,
                          head ? m_theme.textMuted : m_theme.text,
                          (i ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
                x += width;
            }
        }
        m_y += height;
    }
    qreal buttonHeight() const { return lineHeight(m_theme.body()) + 14 * m_scale; }
    void space(qreal by) { m_y += by * m_scale; }
    qreal height() const { return m_y + 14 * m_scale - m_card.top(); }
    bool full() const { return m_y > m_inside.bottom() - 20 * m_scale; }

private:
    QPainter* m_painter;
    const Theme& m_theme;
    qreal m_scale;
    QRectF m_card, m_inside;
    qreal m_y = 0;
};

QString countOrUnknown(std::uint64_t n, bool known) {
    return known ? numberText(n) : QStringLiteral("–");
}

// What became of each decision that is told of, once where several say the same; those that are left first.
QStringList decisionsOf(const MachineSight& machine, bool choices) {
    QStringList sentences;
    for (const bool left : {true, false})
        for (const machine::Decision& d : machine.whole.fates.decisions) {
            const bool isLeft = d.fate == machine::BranchFate::Left;
            if (isLeft != left || (choices && isLeft))
                continue;
            const std::uint32_t line = sourceLineOf(machine.trace->kernels[machine.kernel], d.asked);
            const QString text = LanesText::tr("%1.").arg(sentence(machine::wordsAt(d, line, machine.wordsOf(d))));
            if (!sentences.contains(text))
                sentences << text;
        }
    return sentences;
}

void writeDecisions(Card& card, const MachineSight& machine, bool choices, const Theme& theme) {
    constexpr int most = 8;
    const QStringList all = decisionsOf(machine, choices);
    for (int i = 0; i < all.size() && i < most; ++i)
        card.text(all[i], theme.body(), theme.text, 4);
    if (all.size() > most)
        card.text(LanesText::tr("And %1 more: the source view says it of each line.").arg(all.size() - most),
                  theme.small(), theme.textMuted, 4);
}

QRectF writeNoBranch(Card& card, const Trace& trace, std::uint32_t launch, const MachineSight* machine,
                     const Theme& theme) {
    const Kernel& kernel = trace.kernelOf(trace.launches[launch]);
    card.text(LanesText::tr("No branch is left: that is why branch efficiency reads 100 %"), theme.title(), theme.text,
              8);
    card.text(LanesText::tr(
                  "The source of %1 decides, but the compiler made selects of the decision (%2 in the PTX). Every lane "
                  "works out both values "
                  "and keeps one of them: no lane jumps, no lane waits, and there is no path to walk after another.")
                  .arg(QString::fromStdString(kernel.name), QString::number(kernel.ptxSelects)),
              theme.body(), theme.text);
    if (machine && !machine->whole.fates.decisions.empty()) {
        card.text(LanesText::tr("In the machine code (%1):").arg(machine->origin()), theme.body(), theme.textMuted, 2);
        writeDecisions(card, *machine, true, theme);
        card.space(6);
    }
    card.text(LanesText::tr("To see the branch that the source describes, compile the kernel as it is written."),
              theme.body(), theme.textMuted);
    const QRectF button = card.button(LanesText::tr("Compile as written and run"));
    card.row({LanesText::tr("what decides now (PTX)"), LanesText::tr("source"), LanesText::tr("executed"),
              LanesText::tr("lanes on")},
             true, 0.5);
    for (const InstructionCount& c : trace.countsOf(launch)) {
        const QString text = ptxText(kernel, c.ptxLine);
        if (!text.contains(QLatin1String("selp")) && !text.contains(QLatin1String("setp")))
            continue;
        const std::uint32_t line = sourceLineOf(kernel, c.ptxLine);
        card.row({text, line ? LanesText::tr("line %1").arg(line) : QStringLiteral("–"), numberText(c.executions),
                  percentText(c.executions ? 100.0 * double(c.lanes) / double(c.executions * lanesPerWarp) : 0)},
                 false, 0.5, true);
    }
    card.space(8);
    if (!card.full())
        card.text(LanesText::tr("All numbers: %1. The layer shown is the PTX.").arg(originName(Origin::Counted)),
                  theme.small(), theme.textMuted);
    return button;
}

QRectF writeMachineLayer(Card& card, const Trace& trace, std::uint32_t launch, const MachineSight* machine,
                         const Theme& theme) {
    const Kernel& kernel = trace.kernelOf(trace.launches[launch]);
    const bool known = kernel.cleanInstructions > 0 || kernel.cleanBranches > 0;
    std::uint64_t executed = 0, divergent = 0;
    for (const InstructionCount& c : trace.countsOf(launch)) {
        if (!c.isConditional)
            continue;
        executed += c.executions;
        divergent += c.divergent;
    }
    card.text(LanesText::tr("The branch in three layers"), theme.title(), theme.text, 8);
    card.text(LanesText::tr("A branch in the source need not be one in the PTX (it may have become a select), and a "
                            "branch in the PTX need not be one in "
                            "the machine code (short bodies become predicated instructions: lanes are switched off, "
                            "but nothing jumps)."),
              theme.body(), theme.text);
    card.row({LanesText::tr("layer"), LanesText::tr("conditional branches"), LanesText::tr("executed"),
              LanesText::tr("divergent")},
             true);
    card.row({LanesText::tr("PTX (beside them, selects: %1)").arg(kernel.ptxSelects),
              numberText(std::uint64_t(kernel.ptxBranches)), numberText(executed), numberText(divergent)},
             false);
    if (known || !machine) {
        card.row({LanesText::tr("machine code, as it is timed"), countOrUnknown(kernel.cleanBranches, known),
                  QStringLiteral("–"), QStringLiteral("–")},
                 false);
        card.row({LanesText::tr("machine code, with probes"), countOrUnknown(kernel.probedBranches, known),
                  QStringLiteral("–"), QStringLiteral("–")},
                 false);
    }
    if (machine) {
        const auto& decisions = machine->whole.fates.decisions;
        const auto left = std::count_if(decisions.begin(), decisions.end(), [](const machine::Decision& d) {
            return d.fate == machine::BranchFate::Left || d.fate == machine::BranchFate::Uniform;
        });
        card.row({LanesText::tr("machine code (%1)").arg(machine->origin()), numberText(std::uint64_t(left)),
                  QStringLiteral("–"), QStringLiteral("–")},
                 false);
    }
    card.space(12);
    if (machine) {
        writeDecisions(card, *machine, false, theme);
        card.space(6);
    }
    if (known) {
        card.text(LanesText::tr("Instructions: %1, with probes %2. Registers a thread: %3, with probes %4.")
                      .arg(numberText(std::uint64_t(kernel.cleanInstructions)),
                           numberText(std::uint64_t(kernel.probedInstructions)), QString::number(kernel.registers),
                           QString::number(kernel.probedRegisters)),
                  theme.body(), theme.text);
        if (kernel.probedBranches > kernel.cleanBranches)
            card.text(
                LanesText::tr(
                    "Probing added branches to the machine code: what the recording shows is the probed program."),
                theme.body(), theme.attention);
        return {};
    }
    card.text(machine ? LanesText::tr("This trace comes from the emulator, which runs the PTX: how often a machine "
                                      "instruction is executed is known from a GPU alone.")
                      : LanesText::tr("The machine code is not in this recording, which comes from the emulator: it "
                                      "runs the PTX."),
              theme.body(), theme.textMuted);
    return card.button(LanesText::tr("Run on the GPU"));
}

// Writes twice: to see how tall the card is, in smaller type if it is too tall, and to paint it.
template <typename Write>
QRectF paintCard(QPainter* painter, const QRectF& area, const Theme& theme, Write write) {
    Theme fitted = theme;
    for (;;) {
        Card measured(nullptr, area, fitted, 0);
        write(measured, fitted);
        if (measured.height() <= area.height() - 20 * fitted.fontScale || fitted.fontScale <= 1) {
            Card card(painter, area, fitted, measured.height());
            return write(card, fitted);
        }
        fitted.fontScale = std::max(1.0, fitted.fontScale - 0.1);
    }
}

} // namespace

QRectF paintNoBranch(QPainter* painter, const QRectF& area, const Trace& trace, std::uint32_t launch,
                     const MachineSight* machine, const Theme& theme) {
    return paintCard(painter, area, theme, [&](Card& card, const Theme& fitted) {
        return writeNoBranch(card, trace, launch, machine, fitted);
    });
}

QRectF paintMachineLayer(QPainter* painter, const QRectF& area, const Trace& trace, std::uint32_t launch,
                         const MachineSight* machine, const Theme& theme) {
    return paintCard(painter, area, theme, [&](Card& card, const Theme& fitted) {
        return writeMachineLayer(card, trace, launch, machine, fitted);
    });
}

} // namespace warpglass
