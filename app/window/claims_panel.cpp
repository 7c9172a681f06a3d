// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/claims_panel.h"

#include "views/common/ticks.h"

#include <QCoreApplication>
#include <QEvent>
#include <QFuture>
#include <QHeaderView>
#include <QPointer>
#include <QVBoxLayout>
#include <QtConcurrent>

namespace warpglass {

namespace {

constexpr int rowRole = Qt::UserRole;

// A sign beside the colour, so that the verdict is not told by colour alone.
QString signOf(Verdict verdict) {
    switch (verdict) {
    case Verdict::Holds:
        return QStringLiteral("✓");
    case Verdict::HoldsWithDifference:
        return QStringLiteral("≈");
    case Verdict::OtherHardware:
        return QStringLiteral("◇");
    case Verdict::Wrong:
        return QStringLiteral("✗");
    case Verdict::NotMeasured:
        break;
    }
    return QStringLiteral("–");
}

QColor colourOf(Verdict verdict, const Theme& theme) {
    switch (verdict) {
    case Verdict::Holds:
        return theme.good;
    case Verdict::Wrong:
        return theme.wrong;
    case Verdict::NotMeasured:
        return theme.textMuted;
    case Verdict::HoldsWithDifference:
    case Verdict::OtherHardware:
        break;
    }
    return theme.attention;
}

QString numbered(double value, const std::string& unit) {
    const QString text = std::abs(value) < 1000 ? QString::number(value, 'g', 5) : decimalText(value, 0);
    return unit.empty() || unit == "1" ? text : QStringLiteral("%1 %2").arg(text, QString::fromStdString(unit));
}

} // namespace

ClaimsPanel::ClaimsPanel(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("claimsPage"));
    setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 6);
    m_check = new QPushButton(this);
    m_check->setObjectName(QStringLiteral("checkClaims"));
    m_list = new QTreeWidget(this);
    m_list->setObjectName(QStringLiteral("claims"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setColumnCount(2);
    m_list->setHeaderHidden(true);
    m_list->setRootIsDecorated(false);
    m_list->setIndentation(0);
    m_list->setUniformRowHeights(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->header()->setStretchLastSection(true);
    m_list->header()->setMinimumSectionSize(8);
    m_list->header()->setSectionResizeMode(0, QHeaderView::Fixed);
    m_list->header()->resizeSection(0, 20);
    m_text = new QLabel(this);
    m_text->setObjectName(QStringLiteral("small"));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(m_check);
    column->addWidget(m_list, 1);
    column->addWidget(m_text);
    setFocusProxy(m_list);
    Result<std::vector<Claim>> claims = session::shippedClaims();
    if (claims)
        m_claims = std::make_shared<const std::vector<Claim>>(std::move(*claims));
    else
        m_problem = QString::fromStdString(claims.error().text());
    m_checked.resize(m_claims ? m_claims->size() : 0);
    connect(m_check, &QPushButton::clicked, this, &ClaimsPanel::check);
    connect(m_list, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
        if (item && item->data(0, rowRole).isValid())
            show(std::size_t(item->data(0, rowRole).toInt()));
    });
    fill();
}

ClaimsPanel::~ClaimsPanel() {
    if (m_progress)
        m_progress->cancel();
}

void ClaimsPanel::setLanguage(const QString& language) {
    m_language = language;
    fill();
}

void ClaimsPanel::setTheme(const Theme& theme) {
    m_theme = theme;
    fill();
}

void ClaimsPanel::refreshButton() {
    m_check->setText(m_progress ? tr("Stop checking (%1 of %2)").arg(m_judged).arg(claimCount())
                                : tr("Check all claims here"));
    m_check->setEnabled(claimCount() > 0);
}

void ClaimsPanel::fill() {
    const int row = m_list->currentItem() ? m_list->currentItem()->data(0, rowRole).toInt() : -1;
    m_list->clear();
    m_list->setAccessibleName(tr("Claims of the documents"));
    refreshButton();
    m_text->setText(m_problem.isEmpty()
                        ? tr("Numbers and statements of the documents. Check them to see which hold here.")
                        : m_problem);
    const bool zh = m_language.startsWith(QLatin1String("zh"));
    for (std::size_t i = 0; m_claims && i < m_claims->size(); ++i) {
        const Claim& claim = (*m_claims)[i];
        const Verdict verdict = m_checked[i] ? m_checked[i]->judgement.verdict : Verdict::NotMeasured;
        auto* item = new QTreeWidgetItem(m_list);
        const QString statement = QString::fromStdString(zh ? claim.statement.zh : claim.statement.en);
        item->setText(0, m_checked[i] ? signOf(verdict) : QStringLiteral(" "));
        item->setForeground(0, colourOf(verdict, m_theme));
        item->setText(1, QStringLiteral("%1 %2").arg(QString::fromStdString(claim.document), statement));
        item->setToolTip(1, statement);
        item->setData(0, rowRole, int(i));
        if (int(i) == row)
            m_list->setCurrentItem(item);
    }
}

void ClaimsPanel::show(std::size_t row) {
    const Claim& claim = (*m_claims)[row];
    const bool zh = m_language.startsWith(QLatin1String("zh"));
    const auto in = [zh](const BilingualText& text) {
        return QString::fromStdString(zh && !text.zh.empty() ? text.zh : text.en);
    };
    QStringList lines{in(claim.statement)};
    lines << tr("Claimed: %1 (%2, %3)")
                 .arg(numbered(claim.claimed, claim.unit), QString::fromStdString(claim.document),
                      QString::fromStdString(claim.place));
    const std::optional<CheckedClaim>& checked = m_checked[row];
    const std::optional<double> measured = checked ? checked->measured : claim.h200;
    if (measured)
        lines << tr("Measured on an NVIDIA H200: %1").arg(numbered(*measured, claim.unit));
    if (checked) {
        if (checked->emulated)
            lines << tr("Emulator: %1").arg(numbered(*checked->emulated, claim.unit));
        lines << in(checked->judgement.why);
    }
    lines.removeAll(QString());
    m_text->setText(lines.join(QLatin1Char('\n')));
}

void ClaimsPanel::check() {
    if (m_progress) {
        m_progress->cancel();
        return;
    }
    if (!m_claims)
        return;
    m_checked.assign(m_claims->size(), std::nullopt);
    m_judged = 0;
    const auto progress = std::make_shared<Progress>();
    m_progress = progress;
    fill();
    const QPointer<ClaimsPanel> self(this);
    QtConcurrent::run([claims = m_claims, progress, self] {
        session::checkClaims(*claims, {}, *progress, [&](const CheckedClaim& checked) {
            const auto row = std::size_t(checked.claim - claims->data());
            QMetaObject::invokeMethod(qApp, [self, row, checked] {
                if (self)
                    self->take(row, checked);
            });
        });
    }).then(this, [this] {
        m_progress.reset();
        refreshButton();
        emit finished();
    });
}

void ClaimsPanel::take(std::size_t row, const CheckedClaim& checked) {
    if (row >= m_checked.size())
        return;
    m_checked[row] = checked;
    ++m_judged;
    refreshButton();
    if (QTreeWidgetItem* item = m_list->topLevelItem(int(row))) {
        item->setText(0, signOf(checked.judgement.verdict));
        item->setForeground(0, colourOf(checked.judgement.verdict, m_theme));
        if (item == m_list->currentItem())
            show(row);
    }
}

void ClaimsPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        fill();
    QWidget::changeEvent(event);
}

} // namespace warpglass
