// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pad/argument_table.h"

#include <QApplication>
#include <QEvent>
#include <QHeaderView>
#include <QLineEdit>

#include <algorithm>

namespace warpglass {

ArgumentTable::ArgumentTable(QWidget* parent) : QTableWidget(0, Columns, parent) {
    setObjectName(QStringLiteral("padArguments"));
    verticalHeader()->hide();
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    horizontalHeader()->setSectionResizeMode(Values, QHeaderView::Stretch);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::AllEditTriggers);
    setTabKeyNavigation(true);
    setShowGrid(false);
    connect(this, &QTableWidget::cellChanged, this, &ArgumentTable::take);
    retranslate();
}

void ArgumentTable::retranslate() {
    setHorizontalHeaderLabels({tr("Parameter"), tr("Type"), tr("Elements"), tr("Values")});
    horizontalHeaderItem(Values)->setToolTip(
        tr("Of a buffer: 5 (all of them), 1,2,3 (the first), iota (0, 1, 2 ...), random(0,9), random(-1,1,seed=7), "
           "file:PATH; empty: undefined. Of a struct: its fields, x:f32=1,n:i32=2"));
    setAccessibleName(tr("Arguments of the kernel"));
}

// A row that goes leaves its neighbour the current one, which is no wish to write there: whoever writes elsewhere would
// write on in it.
bool ArgumentTable::edit(const QModelIndex& index, EditTrigger trigger, QEvent* event) {
    const bool asked =
        trigger != CurrentChanged || (!m_quiet && (hasFocus() || isAncestorOf(QApplication::focusWidget())));
    return asked && QTableWidget::edit(index, trigger, event);
}

// A cell that is being written in is left alone while its parameter stays in its row; else what is written so far counts.
void ArgumentTable::show(std::vector<PadRow> rows, const QMap<QString, PadArgument>& set, Dim3 threads) {
    auto* field = qobject_cast<QLineEdit*>(QApplication::focusWidget());
    const int writingRow = currentRow(), writingColumn = currentColumn();
    const bool writes = field && viewport()->isAncestorOf(field) && writingRow >= 0 && writingRow < int(m_rows.size());
    const std::string parameter = writes ? m_rows[std::size_t(writingRow)].what.name : std::string();
    const QString written = writes ? field->text() : QString();
    const auto at =
        std::find_if(rows.begin(), rows.end(), [&](const PadRow& row) { return writes && row.what.name == parameter; });
    const int nowRow = at == rows.end() ? -1 : int(at - rows.begin());
    const bool stays = writes && nowRow == writingRow;
    m_quiet = true;
    if (writes && !stays)
        closeEditor(field, QAbstractItemDelegate::NoHint);
    m_rows = std::move(rows);
    m_set = set;
    m_threads = threads;
    setRowCount(int(m_rows.size()));
    verticalHeader()->setMinimumSectionSize(0);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    for (int row = 0; row < rowCount(); ++row) {
        const PadRow& of = m_rows[std::size_t(row)];
        const session::KernelParameter& p = of.what;
        const QString name = QString::fromStdString(p.name);
        const PadArgument usual = usualArgument(of, threads), now = set.value(name, usual);
        const auto put = [&](Column column, const QString& text, bool editable, bool ofPerson) {
            if (stays && row == writingRow && int(column) == writingColumn)
                return;
            auto* cell = new QTableWidgetItem(text);
            cell->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable |
                           (editable ? Qt::ItemIsEditable : Qt::NoItemFlags));
            if (editable && !ofPerson) {
                QFont font = cell->font();
                font.setItalic(true);
                cell->setFont(font);
                cell->setToolTip(tr("The usual; write what you want"));
            }
            setItem(row, column, cell);
        };
        put(Name, of.isGlobal ? name.mid(2) : name, false, false);
        const QString type = now.type.isEmpty() ? QString::fromStdString(p.type) : now.type;
        put(Kind, of.array ? QStringLiteral("%1[%2]").arg(type).arg(of.array) : type, p.isUntyped,
            now.type != usual.type);
        put(Count, now.count, !usual.count.isEmpty(), now.count != usual.count);
        put(Values, now.initial, true, now.initial != usual.initial);
        if (of.isGlobal)
            item(row, Values)->setToolTip(tr("Empty: what the source says, else 0"));
    }
    m_quiet = false;
    if (writes && !stays && nowRow >= 0)
        item(nowRow, writingColumn)->setText(written);
}

void ArgumentTable::clear() {
    show({}, {}, Dim3{});
}

void ArgumentTable::take(int row, int) {
    if (m_quiet || row < 0 || row >= int(m_rows.size()))
        return;
    const session::KernelParameter& p = m_rows[std::size_t(row)].what;
    const QString name = QString::fromStdString(p.name);
    const PadArgument now{item(row, Count)->text().trimmed(), item(row, Values)->text().trimmed(),
                          p.isUntyped ? item(row, Kind)->text().trimmed() : QString()};
    if (now == usualArgument(m_rows[std::size_t(row)], m_threads))
        m_set.remove(name);
    else
        m_set[name] = now;
    emit edited();
}

void ArgumentTable::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QTableWidget::changeEvent(event);
}

} // namespace warpglass
