// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/who/who_feature.h"

#include "app/window/model/who_ask.h"
#include "app/window/who/values_table.h"
#include "app/window/window_parts.h"
#include "views/common/agreeing.h"

#include <QCursor>
#include <QMenu>

namespace warpglass {

namespace {

constexpr std::size_t mostShown = 20; // that a screen has room for

QString doesText(const std::string& does) {
    return does == "reads"    ? WhoFeature::tr("reads")
           : does == "writes" ? WhoFeature::tr("writes")
                              : WhoFeature::tr("changes");
}

QString useText(const session::WordUse& use) {
    const QString place = use.told.source.line > 0 ? WhoFeature::tr("line %1").arg(use.told.source.line)
                                                   : WhoFeature::tr("PTX line %1").arg(use.told.ptxLine);
    return WhoFeature::tr("%1. %2 %3 · block %4, thread %5 · %6")
        .arg(QString::number(use.number), doesText(use.does), QString::fromStdString(use.value),
             QString::fromStdString(use.block), QString::fromStdString(use.thread), place);
}

} // namespace

WhoFeature::WhoFeature(Shell& shell) : Feature(shell) {}

ActionSet::Deeds WhoFeature::deeds() {
    return {
        {"who", [this] {
             const QString word =
                 m_bench->trace() ? wordUsedNow(*m_bench->trace(), m_bench->selection().get()) : QString();
             m_at = m_parts->views->mapToGlobal(m_parts->views->rect().center());
             if (word.isEmpty())
                 m_shell.message()->showNote(tr(
                     "Choose a warp, and a moment at which it accesses memory: who else used that word is told then."));
             else
                 ask(word);
         }}};
}

void WhoFeature::connectAll() {
    connect(m_bench, &Workbench::opened, this, [this] { m_job.cancel(); });
}

bool WhoFeature::grant(const QString& wish) {
    const QLatin1String who("who:");
    if (!wish.startsWith(who))
        return false;
    m_at = QCursor::pos();
    ask(wish.mid(who.size()));
    return true;
}

void WhoFeature::ask(const QString& word) {
    if (!current())
        return;
    m_job.start([run = current(), word](Progress& progress) { return askWho(*run, word, progress); },
                [this](const Result<session::Who>& who) {
                    if (who)
                        show(*who);
                    else
                        m_shell.fail(who.error());
                });
}

void WhoFeature::showValues(const session::Who& who) {
    if (!m_bench->trace())
        return;
    auto* table = new ValuesTable(*m_bench->trace(), who, m_theme, m_parts->views);
    const auto now = [this, table] { table->setNow(timeShown(m_bench->selection().get())); };
    connect(&m_bench->selection(), &SelectionModel::changed, table, now);
    connect(m_bench, &Workbench::opened, table, &QDialog::close);
    connect(table, &ValuesTable::chosen, this, [this, who](std::size_t use, int lane) {
        if (!m_bench->trace())
            return;
        Selection there = placeOfUse(*m_bench->trace(), who, use, m_bench->selection().get());
        if (lane >= 0)
            there.lane = lane;
        m_bench->selection().set(there);
    });
    now();
    table->show();
}

void WhoFeature::show(const session::Who& who) {
    if (who.isVariable)
        return showValues(who);
    auto* menu = new QMenu(m_parts->views);
    menu->setObjectName(QStringLiteral("whoMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QString reads = agreeing(tr("%1 {read|reads}"), who.reads),
                  writes = agreeing(tr("%1 {write|writes}"), who.writes);
    menu->addSection(tr("%1: %2, %3; the last first").arg(QString::fromStdString(who.word), writes, reads));
    for (std::size_t n = 0; n < std::min(who.uses.size(), mostShown); ++n)
        menu->addAction(useText(who.uses[n]), this, [this, who, n] {
            if (m_bench->trace())
                m_bench->selection().set(placeOfUse(*m_bench->trace(), who, n, m_bench->selection().get()));
        });
    if (const std::uint64_t all = who.reads + who.writes; all > std::min(who.uses.size(), mostShown))
        menu->addAction(agreeing(tr("and %1 {use|uses} before these"), all - std::min(who.uses.size(), mostShown)))
            ->setEnabled(false);
    if (who.reads + who.writes == 0)
        menu->addAction(tr("Nobody reads or writes it in this launch."))->setEnabled(false);
    menu->popup(m_at);
}

} // namespace warpglass
