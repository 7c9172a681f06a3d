// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/claims/claims_model.h"

#include "app/window/claims/claim_words.h"
#include "app/window/model/documents.h"

#include <limits>

namespace warpglass {

ClaimsModel::ClaimsModel(const ClaimsPanel* panel, QObject* parent) : QAbstractTableModel(parent), m_panel(panel) {}

int ClaimsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_panel->claimCount();
}

QString ClaimsModel::text(int row, Column column) const {
    const CheckedClaim& checked = m_panel->checked(row);
    const Claim& claim = *checked.claim;
    switch (column) {
    case VerdictColumn:
        return QStringLiteral("%1 %2").arg(verdictSign(checked.judgement.verdict),
                                           verdictName(checked.judgement.verdict));
    case DocumentColumn: { // titles begin alike; where the column is narrow the key tells them apart
        const QString key = QString::fromStdString(claim.document);
        return QStringLiteral("%1 · %2").arg(key, documentTitle(key, m_panel->language()));
    }
    case StatementColumn:
        return inLanguage(claim.statement, m_panel->language());
    case ClaimedColumn:
        return claimNumber(claim.claimed, claim);
    case H200Column:
        return claimNumber(checked.measured ? checked.measured : claim.h200, claim);
    case EmulatorColumn:
        return claimNumber(checked.emulated, claim);
    case WhyColumn:
        break;
    }
    const QString why = inLanguage(checked.judgement.why, m_panel->language());
    return why.isEmpty() ? QString::fromStdString(checked.note) : why;
}

QVariant ClaimsModel::key(int row, Column column) const {
    const CheckedClaim& checked = m_panel->checked(row);
    constexpr double none = -std::numeric_limits<double>::infinity(); // together, at the end of the larger ones
    switch (column) {
    case VerdictColumn:
        return int(checked.judgement.verdict);
    case DocumentColumn:
        return QString::fromStdString(checked.claim->document);
    case ClaimedColumn:
        return checked.claim->claimed;
    case H200Column:
        return checked.measured ? *checked.measured : checked.claim->h200.value_or(none);
    case EmulatorColumn:
        return checked.emulated.value_or(none);
    case StatementColumn:
    case WhyColumn:
        break;
    }
    return text(row, column);
}

QVariant ClaimsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= m_panel->claimCount())
        return {};
    const auto column = Column(index.column());
    const bool number = column == ClaimedColumn || column == H200Column || column == EmulatorColumn;
    switch (role) {
    case Qt::DisplayRole: {
        const QString words = text(index.row(), column);
        return words.isEmpty() && number ? QStringLiteral("–") : words;
    }
    case Qt::ToolTipRole: {
        const Claim& claim = *m_panel->checked(index.row()).claim;
        return column == DocumentColumn
                   ? text(index.row(), column) + QLatin1Char('\n') + QString::fromStdString(claim.place)
               : number ? QVariant()
                        : QVariant(text(index.row(), column));
    }
    case Qt::ForegroundRole:
        return column == VerdictColumn
                   ? QVariant(verdictColour(m_panel->checked(index.row()).judgement.verdict, m_panel->theme()))
                   : QVariant();
    case Qt::TextAlignmentRole:
        return int(number ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    case sortRole:
        return key(index.row(), column);
    default:
        return {};
    }
}

QVariant ClaimsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (Column(section)) {
    case VerdictColumn:
        return tr("Verdict");
    case DocumentColumn:
        return tr("Document");
    case StatementColumn:
        return tr("Statement");
    case ClaimedColumn:
        return tr("Claimed");
    case H200Column:
        return tr("NVIDIA H200");
    case EmulatorColumn:
        return tr("Emulator");
    case WhyColumn:
        break;
    }
    return tr("Why");
}

void ClaimsModel::rowChanged(int row) {
    emit dataChanged(index(row, 0), index(row, columns - 1));
}

void ClaimsModel::wordsChanged() {
    emit headerDataChanged(Qt::Horizontal, 0, columns - 1);
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, columns - 1));
}

ClaimsFilter::ClaimsFilter(const ClaimsPanel* panel, QObject* parent) : QSortFilterProxyModel(parent), m_panel(panel) {
    setSortRole(ClaimsModel::sortRole);
    setDynamicSortFilter(true);
}

void ClaimsFilter::show(const QString& document, std::optional<Verdict> verdict, const QString& words) {
    m_document = document;
    m_verdict = verdict;
    m_words = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
}

bool ClaimsFilter::passes(int row, bool whateverVerdict) const {
    const CheckedClaim& checked = m_panel->checked(row);
    if (!m_document.isEmpty() && m_document != QString::fromStdString(checked.claim->document))
        return false;
    if (!whateverVerdict && m_verdict && *m_verdict != checked.judgement.verdict)
        return false;
    if (m_words.isEmpty())
        return true;
    QString all = QString::fromStdString(checked.claim->place);
    for (int column = 0; column < ClaimsModel::columns; ++column)
        all += QLatin1Char('\n') + sourceModel()->index(row, column).data().toString();
    return std::all_of(m_words.begin(), m_words.end(),
                       [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
}

} // namespace warpglass
