// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of a program and their launches as tables. Nothing is copied out of the program but the order of the rows,
// and a cell is worked out when it is looked at, so that a million launches cost what the visible ones cost.
#pragma once

#include "gpu/trace/tables.h"

#include <QAbstractTableModel>

#include <memory>
#include <vector>

namespace warpglass {

struct ProgramModel; // views/program/program_model.h
using ProgramModelPtr = std::shared_ptr<const ProgramModel>;

class KernelTable : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, Launches, Total, Share, Mean, Least, Most, Durations, Recorded, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;

    void setProgram(ProgramModelPtr program);
    const ProgramModelPtr& program() const { return m_program; }
    std::uint32_t kernelAt(int row) const; // noIndex if there is no such row
    int rowOf(std::uint32_t kernel) const; // -1: none
    void retranslate();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    void arrange();
    ProgramModelPtr m_program;
    std::vector<std::uint32_t> m_order; // [row] kernel
    int m_column = Total;
    Qt::SortOrder m_way = Qt::DescendingOrder;
};

class LaunchTable : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Number, Kernel, Start, Duration, Grid, Block, Stream, Recorded, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;

    void setProgram(ProgramModelPtr program); // all launches
    void setKernel(std::uint32_t kernel);     // its launches alone; all with noIndex
    std::uint32_t kernel() const { return m_kernel; }
    std::uint32_t operationAt(int row) const; // noIndex if there is no such row
    int rowOf(std::uint32_t operation) const; // -1: none
    void retranslate();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    void arrange();
    ProgramModelPtr m_program;
    std::uint32_t m_kernel = noIndex;
    std::vector<std::uint32_t> m_order; // [row] operation
    int m_column = Number;
    Qt::SortOrder m_way = Qt::AscendingOrder;
};

} // namespace warpglass
