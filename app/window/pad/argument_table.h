// SPDX-License-Identifier: GPL-3.0-or-later
// What a kernel is given: a row a parameter, a field of one that is a struct, or a variable of the device, with name and
// type as the source has them, how many elements, and what they are.
#pragma once

#include "app/window/model/pad.h"

#include <QTableWidget>

namespace warpglass {

class ArgumentTable : public QTableWidget {
    Q_OBJECT
public:
    explicit ArgumentTable(QWidget* parent = nullptr);

    // usual: what stands where nothing is set, in grey.
    void show(std::vector<PadRow> rows, const QMap<QString, PadArgument>& set, Dim3 threads);
    void clear();
    QMap<QString, PadArgument> set() const { return m_set; } // what differs from the usual

signals:
    void edited();

protected:
    void changeEvent(QEvent* event) override;
    bool edit(const QModelIndex& index, EditTrigger trigger, QEvent* event) override;

private:
    enum Column { Name, Kind, Count, Values, Columns };
    void retranslate();
    void take(int row, int column);

    std::vector<PadRow> m_rows;
    QMap<QString, PadArgument> m_set;
    Dim3 m_threads;
    bool m_quiet = false;
};

} // namespace warpglass
