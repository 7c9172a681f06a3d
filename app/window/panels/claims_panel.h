// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/check.h"
#include "views/common/job.h"
#include "views/common/theme.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

namespace warpglass {

struct ClaimTarget;

// What the documents say, each statement with what comes out and the verdict: at first by the values that were measured
// on an H200 and ship with the program, after a check by what this machine works out. Checking runs away from the GUI
// thread and can be stopped; verdicts appear one by one. The chosen claim can be run, and shown where it is seen.
class ClaimsPanel : public QWidget {
    Q_OBJECT
public:
    explicit ClaimsPanel(QWidget* parent = nullptr);
    void setLanguage(const QString& language);
    void setTheme(const Theme& theme);
    int claimCount() const { return int(m_claims ? m_claims->size() : 0); }
    int judgedCount() const { return m_judged; } // by a check on this machine
    int shownCount() const;                      // that the filters let through
    const Claim* chosen() const;

public slots:
    void check(); // all; or stop
    void runChosen();
    void showChosen();

signals:
    void finished();
    void runRequested(const warpglass::ClaimTarget& target);  // the launch it is measured by
    void showRequested(const warpglass::ClaimTarget& target); // the same, in the view where it is seen

protected:
    void changeEvent(QEvent*) override;
    void keyPressEvent(QKeyEvent*) override;

private:
    void fill();
    void filter();
    void retranslate();
    void refreshChosen();
    void start(std::vector<Claim> claims, std::vector<std::size_t> rows);
    void take(std::size_t row, const CheckedClaim& checked);
    void show(std::size_t row);
    void refreshButton();
    std::shared_ptr<const std::vector<Claim>> m_claims;
    std::vector<std::optional<CheckedClaim>> m_checked;
    QTreeWidget* m_list;
    QLabel* m_text;
    QPushButton *m_check, *m_run, *m_show;
    QComboBox *m_document, *m_verdict;
    std::size_t m_asked = 0; // claims that the running check looks at
    QString m_language = QStringLiteral("en");
    QString m_problem;
    Theme m_theme = Theme::make(ThemeKind::Light);
    int m_judged = 0;
    Job m_job; // the last member: its end waits for work that looks at the others
};

} // namespace warpglass
