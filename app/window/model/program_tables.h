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

// What both are: rows in an order of their own, by any column either way.
class ProgramTable : public QAbstractTableModel {
public:
    const ProgramModelPtr& program() const { return m_program; }
    void retranslate();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    void sort(int column, Qt::SortOrder order) override;

protected:
    ProgramTable(int columns, int sorted, Qt::SortOrder way, QObject* parent);
    // The rows of another program, or others of the same one.
    void show(ProgramModelPtr program, std::vector<std::uint32_t> rows);
    std::uint32_t at(int row) const; // noIndex if there is no such row
    // Puts m_order, whose program is there, into the order of m_column.
    virtual void arrange() = 0;

    ProgramModelPtr m_program;
    std::vector<std::uint32_t> m_order; // [row] what the row shows
    int m_column;
    Qt::SortOrder m_way;

private:
    int m_columns;
};

class KernelTable : public ProgramTable {
    Q_OBJECT
public:
    enum Column { Name, Launches, Total, Share, Mean, Least, Most, Durations, Recorded, ColumnCount };
    explicit KernelTable(QObject* parent = nullptr);

    void setProgram(ProgramModelPtr program);
    void setFilter(const QString& text); // kernels with this in their name or signature alone, in either case
    std::uint32_t kernelAt(int row) const { return at(row); } // noIndex if there is no such row
    int rowOf(std::uint32_t kernel) const;                    // -1: none

    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void arrange() override;
    std::vector<std::uint32_t> matching(const ProgramModelPtr& program) const;
    QString m_filter;
};

// Launches of a kernel in one shape.
struct ShapeSum {
    std::uint32_t shape = noIndex; // ProgramTrace::shapes
    std::uint64_t launches = 0;
    std::int64_t total = 0; // ns
};
// By their time, the longest first; where nobody knows it, by their number.
std::vector<ShapeSum> shapesOf(const ProgramModel& program, std::uint32_t kernel);

class LaunchTable : public ProgramTable {
    Q_OBJECT
public:
    enum Column { Number, Kernel, Start, Duration, Grid, Block, Stream, Recorded, ColumnCount };
    explicit LaunchTable(QObject* parent = nullptr);

    void setProgram(ProgramModelPtr program); // all launches
    void setKernel(std::uint32_t kernel);     // its launches alone; all with noIndex
    void setShape(std::uint32_t shape);       // of these, those of this shape alone; all with noIndex
    std::uint32_t kernel() const { return m_kernel; }
    std::uint32_t operationAt(int row) const { return at(row); } // noIndex if there is no such row
    int rowOf(std::uint32_t operation) const;                    // -1: none

    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void arrange() override;
    std::uint32_t m_kernel = noIndex, m_shape = noIndex;
};

} // namespace warpglass
