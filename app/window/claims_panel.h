// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/check.h"
#include "views/common/theme.h"

#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QWidget>

#include <memory>

namespace warpglass {

// What the documents say, each statement with what comes out here and the verdict. Checking runs away from the GUI
// thread and can be stopped; verdicts appear one by one.
class ClaimsPanel : public QWidget {
    Q_OBJECT
public:
    explicit ClaimsPanel(QWidget* parent = nullptr);
    ~ClaimsPanel() override; // stops a running check and waits for it
    void setLanguage(const QString& language);
    void setTheme(const Theme& theme);
    int claimCount() const { return int(m_claims ? m_claims->size() : 0); }
    int judgedCount() const { return m_judged; }

public slots:
    void check(); // or stop

signals:
    void finished();

protected:
    void changeEvent(QEvent*) override;

private:
    void fill();
    void take(std::size_t row, const CheckedClaim& checked);
    void show(std::size_t row);
    void refreshButton();
    std::shared_ptr<const std::vector<Claim>> m_claims;
    std::vector<std::optional<CheckedClaim>> m_checked;
    std::shared_ptr<Progress> m_progress;
    QTreeWidget* m_list;
    QLabel* m_text;
    QPushButton* m_check;
    QString m_language = QStringLiteral("en");
    QString m_problem;
    Theme m_theme = Theme::make(ThemeKind::Light);
    int m_judged = 0;
};

} // namespace warpglass
