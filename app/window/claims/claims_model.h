// SPDX-License-Identifier: GPL-3.0-or-later
// The documents' claims as a table: what is claimed, what an H200 and the emulator gave, the verdict and why. The panel
// of the claims holds the numbers; this only writes them out, and sorts and filters them.
#pragma once

#include "app/window/claims/claims_panel.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

namespace warpglass {

class ClaimsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        VerdictColumn,
        DocumentColumn,
        StatementColumn,
        ClaimedColumn,
        H200Column,
        EmulatorColumn,
        WhyColumn
    };
    static constexpr int columns = WhyColumn + 1;
    static constexpr int sortRole = Qt::UserRole; // numbers as numbers, verdicts in their order

    explicit ClaimsModel(const ClaimsPanel* panel, QObject* parent = nullptr);
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : columns; }
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    void rowChanged(int row);
    void wordsChanged(); // another language or theme

private:
    QString text(int row, Column column) const;
    QVariant key(int row, Column column) const;
    const ClaimsPanel* m_panel;
};

// By document, by verdict, and by words that a row must hold, all of them, anywhere.
class ClaimsFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    ClaimsFilter(const ClaimsPanel* panel, QObject* parent = nullptr);
    void show(const QString& document, std::optional<Verdict> verdict, const QString& words);
    bool passes(int row, bool whateverVerdict) const; // a row of the claims

protected:
    bool filterAcceptsRow(int row, const QModelIndex&) const override { return passes(row, false); }

private:
    const ClaimsPanel* m_panel;
    QString m_document;
    std::optional<Verdict> m_verdict;
    QStringList m_words;
};

} // namespace warpglass
