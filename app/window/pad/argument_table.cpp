// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pad/argument_table.h"

#include <QApplication>
#include <QEvent>
#include <QHeaderView>
#include <QLineEdit>

#include <algorithm>
#include <optional>

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

// What is being written in a cell is written on, in its parameter's row, wherever that is now.
void ArgumentTable::show(std::vector<PadRow> rows, const QMap<QString, PadArgument>& set, std::uint64_t threads) {
    struct Writing {
        std::string parameter;
        int column;
        QString text;
        int cursor;
    };
    std::optional<Writing> writing;
    if (auto* field = viewport()->findChild<QLineEdit*>();
        field && field->hasFocus() && currentRow() >= 0 && currentRow() < int(m_rows.size()))
        writing = {m_rows[std::size_t(currentRow())].what.name, currentColumn(), field->text(),
                   field->cursorPosition()};
    m_quiet = true;
    if (writing) // by name: the row may be another's now
        closeEditor(viewport()->findChild<QLineEdit*>(), QAbstractItemDelegate::NoHint);
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
        put(Kind, QString::fromStdString(p.type) + (of.array ? QStringLiteral("[%1]").arg(of.array) : QString()), false,
            false);
        put(Count, now.count, !usual.count.isEmpty(), now.count != usual.count);
        put(Values, now.initial, true, now.initial != usual.initial);
        if (of.isGlobal)
            item(row, Values)->setToolTip(tr("Empty: what the source says, else 0"));
    }
    const auto at = std::find_if(m_rows.begin(), m_rows.end(),
                                 [&](const PadRow& row) { return writing && row.what.name == writing->parameter; });
    if (at != m_rows.end()) {
        QTableWidgetItem* cell = item(int(at - m_rows.begin()), writing->column);
        setCurrentItem(cell);
        editItem(cell);
        for (auto* field : viewport()->findChildren<QLineEdit*>())
            if (field->hasFocus()) {
                field->setText(writing->text);
                field->setCursorPosition(writing->cursor);
            }
    }
    m_quiet = false;
}

void ArgumentTable::clear() {
    show({}, {}, 1);
}

void ArgumentTable::take(int row, int) {
    if (m_quiet || row < 0 || row >= int(m_rows.size()))
        return;
    const session::KernelParameter& p = m_rows[std::size_t(row)].what;
    const QString name = QString::fromStdString(p.name);
    const PadArgument now{item(row, Count)->text().trimmed(), item(row, Values)->text().trimmed()};
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
