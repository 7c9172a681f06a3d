// SPDX-License-Identifier: GPL-3.0-or-later
// How wide the columns of the page's two lists are, and which of them there is room for.
#include "app/window/program/program_page.h"
#include "views/common/shown_words.h"
#include "views/program/program_layout.h"
#include "views/program/program_model.h"
#include "views/program/program_text.h"

#include <QEvent>
#include <QHeaderView>

#include <algorithm>
#include <initializer_list>

namespace warpglass {

// Widths that hold what usually stands there.
void ProgramPage::refreshColumns() {
    const QFontMetrics metrics(kernels->font());
    const auto widen = [&](QTableView* t, int column, const QString& sample) {
        const QString head = t->model()->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        t->setColumnWidth(column,
                          std::max(metrics.horizontalAdvance(sample) + 14, metrics.horizontalAdvance(head) + 24));
    };
    widen(kernels, KernelTable::Launches, QStringLiteral("100,000"));
    for (const int c : {KernelTable::Total, KernelTable::Mean, KernelTable::Least, KernelTable::Most})
        widen(kernels, c, QStringLiteral("≈ 123.4 ms"));
    widen(kernels, KernelTable::Share, QStringLiteral("≈ 100.0 %"));
    widen(kernels, KernelTable::Durations, QStringLiteral("durations"));
    widen(kernels, KernelTable::Recorded, QStringLiteral("100"));
    // "no" in every row says less than a name does; that nothing was recorded stands at the top.
    const bool recorded = !m_program || std::any_of(m_program->kernels.begin(), m_program->kernels.end(),
                                                    [](const KernelSum& sum) { return sum.recorded > 0; });
    kernels->setColumnHidden(KernelTable::Recorded, !recorded);
    widen(launches, LaunchTable::Number, QStringLiteral("100,000"));
    widen(launches, LaunchTable::Kernel, QStringLiteral("a kernel's"));
    widen(launches, LaunchTable::Start, QStringLiteral("123.4 ms"));
    widen(launches, LaunchTable::Duration, QStringLiteral("≈ 123.4 ms"));
    widen(launches, LaunchTable::Grid, QStringLiteral("1024x1"));
    widen(launches, LaunchTable::Block, QStringLiteral("32x32"));
    QString stream = QStringLiteral("stream 1"); // the longest name of those that have launches
    for (std::size_t r = 0; m_program && r < m_program->rows.size(); ++r)
        if (const ProgramRow& row = m_program->rows[r]; !row.host && !row.upper.items.empty())
            if (const QString name = rowText(*m_program, row); name.size() > stream.size())
                stream = name;
    widen(launches, LaunchTable::Stream, stream.left(24));
    fitNames();
}

// Names get what the numbers leave.
void ProgramPage::fitNames() {
    // last: how wide the last column is at least; mayGo: in this order, where a name has no room beside them.
    const auto fit = [](QTableView* t, int name, int last, std::initializer_list<int> mayGo) {
        const int least = t->isColumnHidden(name) ? 0 : t->fontMetrics().averageCharWidth() * 10;
        const auto left = [&] {
            int width = t->viewport()->width();
            for (int c = 0; c < t->model()->columnCount(); ++c)
                width -= c == name || t->isColumnHidden(c)    ? 0
                         : c + 1 == t->model()->columnCount() ? last
                                                              : t->columnWidth(c);
            return width;
        };
        for (const int c : mayGo)
            t->setColumnHidden(c, false);
        for (const int c : mayGo)
            t->setColumnHidden(c, left() < least);
        t->setColumnWidth(name, std::max(left(), least));
    };
    fit(kernels, KernelTable::Name, kernels->columnWidth(KernelTable::Recorded),
        {KernelTable::Least, KernelTable::Most, KernelTable::Durations});
    fit(launches, LaunchTable::Kernel, launches->horizontalHeader()->sectionSizeHint(LaunchTable::Recorded) + 12,
        {LaunchTable::Start});
}

bool ProgramPage::eventFilter(QObject* object, QEvent* event) {
    if ((object == kernels->viewport() || object == launches->viewport()) && event->type() == QEvent::Resize)
        fitNames();
    return QWidget::eventFilter(object, event);
}

} // namespace warpglass
