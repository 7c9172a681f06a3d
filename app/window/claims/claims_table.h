// SPDX-License-Identifier: GPL-3.0-or-later
// All claims at once, in a window of their own that is as wide as one likes: how many hold, a filter for documents,
// verdicts and words, and a table to sort. What is chosen there is chosen in the panel, too; running, checking and
// showing is the panel's.
#pragma once

#include "app/window/claims/claim_words.h"
#include "app/window/claims/claims_model.h"

#include <QDialog>
#include <QLineEdit>
#include <QTableView>

#include <array>

namespace warpglass {

// How many claims there are of each verdict, as parts of a bar.
class VerdictBar : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    void show(const std::array<int, std::size(verdictsInOrder)>& counts, const Theme& theme);
    QSize sizeHint() const override { return {200, 10}; }

protected:
    void paintEvent(QPaintEvent*) override;

private:
    std::array<int, std::size(verdictsInOrder)> m_counts{};
    Theme m_theme = Theme::make(ThemeKind::Light);
};

class ClaimsTable : public QDialog {
    Q_OBJECT
public:
    explicit ClaimsTable(ClaimsPanel* panel);
    int shownCount() const { return m_filter->rowCount(); }
    QString csv() const; // of what is shown, in its order

protected:
    void changeEvent(QEvent*) override;
    void resizeEvent(QResizeEvent*) override;

private:
    void retranslate();
    void filter();
    void refresh(); // counts, buttons, what is told of the chosen row
    void arrange(); // the columns' widths
    void choose();
    void saveCsv();
    int chosenRow() const; // of the claims, or -1

    ClaimsPanel* m_panel;
    ClaimsModel* m_model;
    ClaimsFilter* m_filter;
    QLabel *m_summary, *m_text;
    VerdictBar* m_bar;
    std::array<QPushButton*, std::size(verdictsInOrder)> m_verdicts{};
    QComboBox* m_document;
    QLineEdit* m_words;
    QTableView* m_table;
    QPushButton *m_check, *m_run, *m_show, *m_save, *m_close;
};

} // namespace warpglass
