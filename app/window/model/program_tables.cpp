// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/program_tables.h"
#include "views/common/sentences.h"

#include "views/common/agreeing.h"
#include "views/common/shown_words.h"
#include "views/common/ticks.h"
#include "views/program/program_model.h"
#include "views/program/program_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <numeric>
#include <type_traits>

namespace warpglass {

namespace {

class Text {
    Q_DECLARE_TR_FUNCTIONS(ProgramPage)
};

// Rows by a key; rows of equal keys stay in the order of the calls, whichever way is sorted.
template <class Key>
void sortBy(std::vector<std::uint32_t>& rows, Qt::SortOrder way, const Key& keyOf) {
    using Value = std::decay_t<decltype(keyOf(0u))>;
    std::vector<std::pair<Value, std::uint32_t>> keyed;
    keyed.reserve(rows.size());
    for (const std::uint32_t row : rows)
        keyed.emplace_back(keyOf(row), row);
    std::stable_sort(keyed.begin(), keyed.end(), [way](const auto& a, const auto& b) {
        return way == Qt::AscendingOrder ? a.first < b.first : b.first < a.first;
    });
    for (std::size_t n = 0; n < rows.size(); ++n)
        rows[n] = keyed[n].second;
}

constexpr int right = int(Qt::AlignRight | Qt::AlignVCenter);

std::uint64_t volume(const Dim3& shape) {
    return shape.count();
}

// Little is not nothing.
QString partText(double percent) {
    return percent > 0 && percent < 0.05 ? QStringLiteral("< 0.1 %") : percentText(percent);
}

} // namespace

ProgramTable::ProgramTable(int columns, int sorted, Qt::SortOrder way, QObject* parent)
    : QAbstractTableModel(parent), m_column(sorted), m_way(way), m_columns(columns) {}

void ProgramTable::show(ProgramModelPtr program, std::vector<std::uint32_t> rows) {
    beginResetModel();
    m_program = std::move(program);
    m_order = std::move(rows);
    if (m_program)
        arrange();
    endResetModel();
}

std::uint32_t ProgramTable::at(int row) const {
    return row >= 0 && std::size_t(row) < m_order.size() ? m_order[std::size_t(row)] : noIndex;
}

void ProgramTable::retranslate() {
    emit headerDataChanged(Qt::Horizontal, 0, m_columns - 1);
}

int ProgramTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_order.size());
}

int ProgramTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_columns;
}

// As a view expects it: what was selected stays selected.
void ProgramTable::sort(int column, Qt::SortOrder order) {
    emit layoutAboutToBeChanged();
    m_column = column;
    m_way = order;
    const std::vector<std::uint32_t> before = m_order;
    if (m_program)
        arrange();
    const QModelIndexList kept = persistentIndexList();
    QModelIndexList moved;
    for (const QModelIndex& one : kept) {
        const auto now = std::find(m_order.begin(), m_order.end(), before[std::size_t(one.row())]);
        moved << index(int(now - m_order.begin()), one.column());
    }
    changePersistentIndexList(kept, moved);
    emit layoutChanged();
}

KernelTable::KernelTable(QObject* parent) : ProgramTable(ColumnCount, Total, Qt::DescendingOrder, parent) {}

void KernelTable::setProgram(ProgramModelPtr program) {
    std::vector<std::uint32_t> rows = matching(program);
    show(std::move(program), std::move(rows));
}

std::vector<std::uint32_t> KernelTable::matching(const ProgramModelPtr& program) const {
    std::vector<std::uint32_t> rows;
    for (std::uint32_t k = 0; program && k < program->kernels.size(); ++k) {
        const program::ProgramKernel& kernel = program->trace->kernels[k];
        const auto has = [&](const std::string& text) {
            return QString::fromStdString(text).contains(m_filter, Qt::CaseInsensitive);
        };
        if (m_filter.isEmpty() || has(kernel.name) || has(kernel.signature))
            rows.push_back(k);
    }
    return rows;
}

void KernelTable::setFilter(const QString& text) {
    m_filter = text;
    show(m_program, matching(m_program));
}

int KernelTable::rowOf(std::uint32_t kernel) const {
    const auto at = std::find(m_order.begin(), m_order.end(), kernel);
    return at == m_order.end() ? -1 : int(at - m_order.begin());
}

QVariant KernelTable::data(const QModelIndex& index, int role) const {
    const std::uint32_t k = kernelAt(index.row());
    if (k == noIndex)
        return {};
    const KernelSum& sum = m_program->kernels[k];
    const program::ProgramKernel& kernel = m_program->trace->kernels[k];
    if (role == Qt::TextAlignmentRole)
        return index.column() == Name || index.column() == Durations ? int(Qt::AlignLeft | Qt::AlignVCenter) : right;
    if (role == Qt::ToolTipRole) {
        QStringList lines{QString::fromStdString(kernel.signature.empty() ? kernel.name : kernel.signature),
                          QString::fromStdString(kernel.entry)};
        if (sum.failed > 0)
            lines << agreeing(Text::tr("%1 {launch|launches} failed"), numberText(sum.failed));
        if (!kernel.unrecorded.empty())
            lines << sentence(kernel.unrecorded);
        return shown(lines.join(QLatin1Char('\n')));
    }
    if (role != Qt::DisplayRole)
        return {};
    const bool ran = !sum.launches.empty() && m_program->deviceTimes && !isOfLibrary(*m_program, sum);
    const QString about = sum.estimated > 0 ? QStringLiteral("≈ ") : QString();
    switch (index.column()) {
    case Name:
        return shown(QString::fromStdString(kernel.name));
    case Launches:
        return numberText(std::uint64_t(sum.launches.size()));
    case Total:
        return ran ? about + durationText(sum.total) : QString();
    case Share:
        return ran ? about + partText(m_program->share(sum)) : QString();
    case Mean:
        return ran ? about + durationText(std::int64_t(sum.mean() + 0.5)) : QString();
    case Least:
        return ran ? about + durationText(sum.least) : QString();
    case Most:
        return ran ? about + durationText(sum.most) : QString();
    case Recorded:
        return sum.recorded ? numberText(sum.recorded) : Text::tr("no");
    default:
        return {};
    }
}

QVariant KernelTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return section == Name || section == Durations ? int(Qt::AlignLeft | Qt::AlignVCenter) : right;
    if (role == Qt::ToolTipRole && section == Durations)
        return Text::tr("How long its launches took, from the first to the last");
    if (role == Qt::ToolTipRole && section == Share)
        return Text::tr("Of the time of all launches together");
    if (role == Qt::ToolTipRole && section >= Total && section <= Most && m_program)
        return clockToolTip(*m_program);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return Text::tr("Kernel");
    case Launches:
        return Text::tr("Launches");
    case Total:
        return Text::tr("Total");
    case Share:
        return Text::tr("Share");
    case Mean:
        return Text::tr("Mean");
    case Least:
        return Text::tr("Min");
    case Most:
        return Text::tr("Max");
    case Durations:
        return Text::tr("Durations");
    case Recorded:
        return Text::tr("Recorded");
    default:
        return {};
    }
}

void KernelTable::arrange() {
    std::sort(m_order.begin(), m_order.end());
    const auto& sums = m_program->kernels;
    const auto by = [&](auto key) { sortBy(m_order, m_way, key); };
    if (!m_program->deviceTimes && m_column != Name && m_column != Launches && m_column != Recorded)
        return; // nobody knows whose time is the longest
    switch (m_column) {
    case Name:
        return by([&](std::uint32_t k) { return m_program->trace->kernels[k].name; });
    case Launches:
        return by([&](std::uint32_t k) { return sums[k].launches.size(); });
    case Mean:
        return by([&](std::uint32_t k) { return sums[k].mean(); });
    case Least:
        return by([&](std::uint32_t k) { return sums[k].least; });
    case Most:
    case Durations:
        return by([&](std::uint32_t k) { return sums[k].most; });
    case Recorded:
        return by([&](std::uint32_t k) { return sums[k].recorded; });
    default:
        return by([&](std::uint32_t k) { return sums[k].total; });
    }
}

LaunchTable::LaunchTable(QObject* parent) : ProgramTable(ColumnCount, Number, Qt::AscendingOrder, parent) {}

void LaunchTable::setProgram(ProgramModelPtr program) {
    m_kernel = m_shape = noIndex;
    std::vector<std::uint32_t> rows = program ? program->launches : std::vector<std::uint32_t>();
    show(std::move(program), std::move(rows));
}

void LaunchTable::setKernel(std::uint32_t kernel) {
    if (!m_program || kernel == m_kernel)
        return;
    m_kernel = kernel < m_program->kernels.size() ? kernel : noIndex;
    setShape(noIndex);
}

void LaunchTable::setShape(std::uint32_t shape) {
    m_shape = shape;
    if (!m_program)
        return;
    std::vector<std::uint32_t> rows = m_kernel == noIndex ? m_program->launches : m_program->kernels[m_kernel].launches;
    if (shape != noIndex)
        std::erase_if(rows, [&](std::uint32_t n) { return m_program->operation(n).shape != shape; });
    show(m_program, std::move(rows));
}

std::vector<ShapeSum> shapesOf(const ProgramModel& program, std::uint32_t kernel) {
    std::vector<ShapeSum> sums(program.trace->shapes.size());
    if (kernel < program.kernels.size())
        for (const std::uint32_t n : program.kernels[kernel].launches)
            if (const program::Operation& o = program.operation(n); o.shape < sums.size()) {
                sums[o.shape].shape = o.shape;
                sums[o.shape].launches += 1;
                sums[o.shape].total += program.deviceTimes ? lengthOf(o) : 0;
            }
    std::erase_if(sums, [](const ShapeSum& s) { return s.launches == 0; });
    std::ranges::stable_sort(sums, [](const ShapeSum& a, const ShapeSum& b) {
        return a.total != b.total ? a.total > b.total : a.launches > b.launches;
    });
    return sums;
}

int LaunchTable::rowOf(std::uint32_t operation) const {
    if (m_column == Number && m_way == Qt::AscendingOrder) {
        const auto at = std::lower_bound(m_order.begin(), m_order.end(), operation);
        return at != m_order.end() && *at == operation ? int(at - m_order.begin()) : -1;
    }
    const auto at = std::find(m_order.begin(), m_order.end(), operation);
    return at == m_order.end() ? -1 : int(at - m_order.begin());
}

QVariant LaunchTable::data(const QModelIndex& index, int role) const {
    const std::uint32_t n = operationAt(index.row());
    if (n == noIndex)
        return {};
    const program::ProgramTrace& trace = *m_program->trace;
    const program::Operation& o = trace.operations[n];
    if (role == Qt::TextAlignmentRole)
        return index.column() == Kernel || index.column() == Stream || index.column() == Recorded
                   ? int(Qt::AlignLeft | Qt::AlignVCenter)
                   : right;
    if (role == Qt::ToolTipRole)
        return operationToolTip(*m_program, n);
    if (role != Qt::DisplayRole)
        return {};
    const program::RecordedShape* shape = o.shape < trace.shapes.size() ? &trace.shapes[o.shape] : nullptr;
    switch (index.column()) {
    case Number:
        return numberText(std::uint64_t(m_program->numberOf(n).value_or(0)));
    case Kernel:
        return kernelText(*m_program, n);
    case Start:
        return durationText(beginOf(o) - m_program->range.begin.value);
    case Duration:
        return launchTimeText(*m_program, n);
    case Grid:
        return shape ? QString::fromStdString(shape->grid.text()) : QString();
    case Block:
        return shape ? QString::fromStdString(shape->block.text()) : QString();
    case Stream:
        return streamText(trace, o.stream);
    case Recorded:
        return program::hasWarps(trace, o) ? Text::tr("✓ yes")
               : o.recording != noIndex    ? Text::tr("code only")
               : o.error                   ? QStringLiteral("✗ ") + errorText(o.error)
                                           : Text::tr("no");
    default:
        return {};
    }
}

QVariant LaunchTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return section == Kernel || section == Stream || section == Recorded ? int(Qt::AlignLeft | Qt::AlignVCenter)
                                                                             : right;
    if (role == Qt::ToolTipRole && (section == Start || section == Duration) && m_program)
        return clockToolTip(*m_program);
    if (role == Qt::ToolTipRole && section == Number)
        return Text::tr("Counted from 0 over the program, as --launches counts them");
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Number:
        return Text::tr("Launch");
    case Kernel:
        return Text::tr("Kernel");
    case Start:
        return Text::tr("Began at");
    case Duration:
        return Text::tr("Duration");
    case Grid:
        return Text::tr("Grid");
    case Block:
        return Text::tr("Block");
    case Stream:
        return Text::tr("Stream");
    case Recorded:
        return Text::tr("Recorded");
    default:
        return {};
    }
}

void LaunchTable::arrange() {
    if (!std::is_sorted(m_order.begin(), m_order.end()))
        std::sort(m_order.begin(), m_order.end());
    const auto& rows = m_program->trace->operations;
    const auto& shapes = m_program->trace->shapes;
    const auto sizeOf = [&](std::uint32_t n, Dim3 program::RecordedShape::*which) {
        return rows[n].shape < shapes.size() ? volume(shapes[rows[n].shape].*which) : 0;
    };
    const auto by = [&](auto key) { sortBy(m_order, m_way, key); };
    switch (m_column) {
    case Kernel:
        return by([&](std::uint32_t n) { return rows[n].kernel; });
    case Start:
        return by([&](std::uint32_t n) { return beginOf(rows[n]); });
    case Duration:
        return by([&](std::uint32_t n) { return lengthOf(rows[n]); });
    case Grid:
        return by([&](std::uint32_t n) { return sizeOf(n, &program::RecordedShape::grid); });
    case Block:
        return by([&](std::uint32_t n) { return sizeOf(n, &program::RecordedShape::block); });
    case Stream:
        return by([&](std::uint32_t n) { return rows[n].stream; });
    case Recorded:
        return by([&](std::uint32_t n) {
            return program::hasWarps(*m_program->trace, rows[n]) ? 0
                   : rows[n].error                               ? 1
                   : rows[n].recording != noIndex                ? 2
                                                                 : 3;
        });
    default:
        return by([&](std::uint32_t n) { return n; });
    }
}

} // namespace warpglass
