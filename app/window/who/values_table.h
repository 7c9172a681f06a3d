// SPDX-License-Identifier: GPL-3.0-or-later
// The values of a variable of the source in the lanes of a warp: a row for each moment at which one changes, the row of the
// present moment marked. A click takes the cursor to the moment, the line and the lane.
#pragma once

#include "app/session/who.h"
#include "app/window/model/who_ask.h"
#include "views/common/theme.h"

#include <QAbstractTableModel>
#include <QDialog>

class QTableView;

namespace warpglass {

class ValuesModel : public QAbstractTableModel {
    Q_OBJECT
public:
    ValuesModel(LaneValues values, TimeUnit unit, const Theme& theme, QObject* parent);

    static constexpr int columnsBefore = 3; // time, line, name
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    const LaneValues& values() const { return m_values; }
    void setNow(int row); // -1: before the first

private:
    LaneValues m_values;
    TimeUnit m_unit;
    Theme m_theme;
    int m_now = -1;
};

class ValuesTable : public QDialog {
    Q_OBJECT
public:
    ValuesTable(const Trace& trace, const session::Who& who, const Theme& theme, QWidget* parent);

    void setNow(Time time); // of the trace
signals:
    void chosen(std::size_t use, int lane); // lane -1: none

private:
    ValuesModel* m_model;
    QTableView* m_view;
};

} // namespace warpglass
