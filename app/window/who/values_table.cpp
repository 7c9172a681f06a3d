// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/who/values_table.h"

#include "views/common/agreeing.h"
#include "views/common/ticks.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace warpglass {

namespace {

// How many threads the warp has that was asked for.
int threadsOf(const Trace& trace, const session::Who& who) {
    if (who.uses.empty() || who.uses.front().told.launch >= trace.launches.size())
        return lanesPerWarp;
    const Diagnostic& told = who.uses.front().told;
    const auto before = std::int64_t(told.thread) / lanesPerWarp * lanesPerWarp;
    return int(
        std::clamp<std::int64_t>(std::int64_t(trace.launches[told.launch].block.count()) - before, 1, lanesPerWarp));
}

} // namespace

ValuesModel::ValuesModel(LaneValues values, TimeUnit unit, const Theme& theme, QObject* parent)
    : QAbstractTableModel(parent), m_values(std::move(values)), m_unit(unit), m_theme(theme) {}

int ValuesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_values.rows.size());
}
int ValuesModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columnsBefore + lanesPerWarp;
}

QVariant ValuesModel::data(const QModelIndex& index, int role) const {
    const LaneValues::Row& row = m_values.rows[std::size_t(index.row())];
    const int lane = index.column() - columnsBefore;
    switch (role) {
    case Qt::DisplayRole:
        if (index.column() == 0)
            return row.time ? timeText(*row.time, m_unit) : tr("step %1").arg(row.step);
        if (index.column() == 1)
            return row.line > 0 ? QString::number(row.line) : QString();
        if (index.column() == 2)
            return row.name;
        return row.values[std::size_t(lane)].isEmpty() ? QStringLiteral("\u00b7") : row.values[std::size_t(lane)];
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter | (index.column() == 2 ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::ForegroundRole: // what did not change here stays behind what did
        return lane < 0 || row.changed.has(lane) ? m_theme.text : m_theme.textMuted;
    case Qt::BackgroundRole:
        return index.row() == m_now ? QVariant(m_theme.accentSoft) : QVariant();
    case Qt::FontRole: {
        QFont font = lane >= 0 ? m_theme.mono() : m_theme.body();
        font.setBold(lane >= 0 && row.changed.has(lane));
        return font;
    }
    default:
        return {};
    }
}

QVariant ValuesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal)
        return {};
    return section == 0   ? tr("when")
           : section == 1 ? tr("line")
           : section == 2 ? tr("name")
                          : QString::number(section - columnsBefore);
}

void ValuesModel::setNow(int row) {
    if (row == m_now)
        return;
    const int before = std::exchange(m_now, row);
    for (const int changed : {before, row})
        if (changed >= 0 && changed < rowCount())
            emit dataChanged(index(changed, 0), index(changed, columnCount() - 1));
}

ValuesTable::ValuesTable(const Trace& trace, const session::Who& who, const Theme& theme, QWidget* parent)
    : QDialog(parent), m_model(new ValuesModel(laneValues(trace, who), trace.info.timeUnit, theme, this)),
      m_view(new QTableView(this)) {
    setObjectName(QStringLiteral("valuesTable"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Values of %1").arg(QString::fromStdString(who.word)));
    QStringList said{
        tr("A column for each lane, a row for each change; bold is what changed. The row of the present moment "
           "is marked; a click goes there.")};
    if (who.writes > who.uses.size())
        said << agreeing(tr("%1 {value|values} before these"), who.writes - who.uses.size());
    if (who.known < who.scope)
        said << tr("At %1 of the %2 instructions of its scope the compiler does not say where it keeps it: there "
                   "stands · or an older value.")
                    .arg(QString::number(who.scope - who.known), QString::number(who.scope));
    if (who.uses.empty())
        said = {tr("It has no value in this warp that is known.")};
    auto* words = new QLabel(said.join(QLatin1Char('\n')), this);
    words->setObjectName(QStringLiteral("valuesWords"));
    words->setWordWrap(true);
    m_view->setModel(m_model);
    m_view->setSelectionMode(QAbstractItemView::NoSelection);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setDefaultSectionSize(int(QFontMetricsF(theme.mono()).height() * 1.4));
    m_view->setAccessibleName(windowTitle());
    m_view->resizeColumnsToContents();
    for (int lane = threadsOf(trace, who); lane < lanesPerWarp; ++lane) // there is no thread
        m_view->setColumnHidden(ValuesModel::columnsBefore + lane, true);
    auto* box = new QVBoxLayout(this);
    box->addWidget(words);
    box->addWidget(m_view, 1);
    resize(960, 420);
    const auto go = [this](const QModelIndex& at) {
        const LaneValues::Row& row = m_model->values().rows[std::size_t(at.row())];
        emit chosen(row.use, at.column() < ValuesModel::columnsBefore ? -1 : at.column() - ValuesModel::columnsBefore);
    };
    connect(m_view, &QTableView::clicked, this, go);
    connect(m_view, &QTableView::activated, this, go); // by the Enter key
}

void ValuesTable::setNow(Time time) {
    const int row = m_model->values().rowAt(time);
    m_model->setNow(row);
    if (row >= 0)
        m_view->scrollTo(m_model->index(row, 0));
}

} // namespace warpglass
