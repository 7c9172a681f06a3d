// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/check.h"
#include "views/common/job.h"
#include "views/common/theme.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QTreeWidget>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

namespace warpglass {

struct ClaimTarget;
class ClaimsTable;

// What the documents say, each statement with what comes out and the verdict: at first by the values that were measured
// on an H200 and ship with the program, after a check by what this machine works out. Checking runs away from the GUI
// thread and can be stopped; verdicts appear one by one. The chosen claim can be run, and shown where it is seen.
class ClaimsPanel : public QWidget {
    Q_OBJECT
public:
    explicit ClaimsPanel(QWidget* parent = nullptr);
    ~ClaimsPanel() override; // takes its table along, which reads the claims from here
    void setLanguage(const QString& language);
    void setTheme(const Theme& theme);
    int claimCount() const { return int(m_claims ? m_claims->size() : 0); }
    int judgedCount() const { return m_judged; } // by a check on this machine
    int shownCount() const;                      // that the filters let through
    const Claim* chosen() const;
    void choose(int row);
    bool canShow() const; // there is a view for what is chosen
    bool checking() const { return m_job.running(); }
    const CheckedClaim& checked(int row) const { return m_checked[std::size_t(row)]; } // with its claim
    QString textOf(std::size_t row) const; // all that is known of a claim, in lines
    QString checkText() const;             // of the button that checks or stops
    QStringList documents() const;         // their keys
    const QString& language() const { return m_language; }
    const Theme& theme() const { return m_theme; }

public slots:
    void openTable(); // all claims side by side, in a window of their own
    void check();     // all; or stop
    void runChosen();
    void showChosen();

signals:
    void finished();
    void judged(int row);
    void wordsChanged();                                      // language or theme
    void runRequested(const warpglass::ClaimTarget& target);  // the launch it is measured by
    void showRequested(const warpglass::ClaimTarget& target); // the same, in the view where it is seen

protected:
    void changeEvent(QEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    void keyPressEvent(QKeyEvent*) override;

private:
    void fit();
    void fill();
    void filter();
    void retranslate();
    void refreshChosen();
    void start(std::vector<Claim> claims, std::vector<std::size_t> rows);
    void take(std::size_t row, const CheckedClaim& checked);
    void refreshButton();
    std::shared_ptr<const std::vector<Claim>> m_claims;
    std::vector<CheckedClaim> m_checked;
    QTreeWidget* m_list;
    QLabel* m_text;
    QPushButton *m_check, *m_run, *m_show, *m_wide;
    QBoxLayout *m_buttons, *m_filters;
    QPointer<ClaimsTable> m_table;
    QComboBox *m_document, *m_verdict;
    std::size_t m_asked = 0; // claims that the running check looks at
    QString m_language = QStringLiteral("en");
    QString m_problem;
    Theme m_theme = Theme::make(ThemeKind::Light);
    int m_judged = 0;
    Job m_job; // the last member: its end waits for work that looks at the others
};

} // namespace warpglass
