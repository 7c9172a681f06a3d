// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/claims/claims_panel.h"

#include "app/window/claims/claim_words.h"
#include "app/window/claims/claims_table.h"
#include "app/window/model/claim_target.h"
#include "app/window/model/documents.h"

#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace warpglass {

namespace {

constexpr int rowRole = Qt::UserRole;
} // namespace

ClaimsPanel::ClaimsPanel(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("claimsPage"));
    setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 6);
    m_check = new QPushButton(this);
    m_check->setObjectName(QStringLiteral("checkClaims"));
    m_wide = new QPushButton(this);
    m_wide->setObjectName(QStringLiteral("openClaimsTable"));
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
    const auto combo = [this](const char* name) {
        auto* box = new QComboBox(this);
        box->setObjectName(QLatin1String(name));
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(6);
        connect(box, &QComboBox::currentIndexChanged, this, &ClaimsPanel::filter);
        return box;
    };
    m_document = combo("claimDocument");
    m_verdict = combo("claimVerdict");
    m_run = new QPushButton(this);
    m_run->setObjectName(QStringLiteral("runClaim"));
    m_show = new QPushButton(this);
    m_show->setObjectName(QStringLiteral("showClaim"));
    m_filters = new QHBoxLayout;
    m_filters->addWidget(m_document, 1);
    m_filters->addWidget(m_verdict, 2);
    m_buttons = new QHBoxLayout;
    m_buttons->addWidget(m_run, 1);
    m_buttons->addWidget(m_show, 2);
    column->addLayout(m_filters);
    m_list->setMinimumHeight(5 * fontMetrics().height());
    column->addWidget(m_list, 1);
    column->addWidget(m_text);
    column->addLayout(m_buttons);
    column->addWidget(m_check);
    column->addWidget(m_wide);
    setFocusProxy(m_list);
    Result<std::vector<Claim>> claims = session::shippedClaims();
    if (claims)
        m_claims = std::make_shared<const std::vector<Claim>>(std::move(*claims));
    else
        m_problem = QString::fromStdString(claims.error().text());
    for (std::size_t i = 0; m_claims && i < m_claims->size(); ++i) { // what the shipped values say
        const Claim& claim = (*m_claims)[i];
        m_checked.push_back(CheckedClaim{.claim = &claim,
                                         .measured = claim.h200,
                                         .emulated = {},
                                         .note = {},
                                         .judgement = judge(claim, claim.h200, std::nullopt)});
    }
    connect(m_check, &QPushButton::clicked, this, &ClaimsPanel::check);
    connect(m_wide, &QPushButton::clicked, this, &ClaimsPanel::openTable);
    connect(m_run, &QPushButton::clicked, this, &ClaimsPanel::runChosen);
    connect(m_show, &QPushButton::clicked, this, &ClaimsPanel::showChosen);
    connect(m_list, &QTreeWidget::currentItemChanged, this, &ClaimsPanel::refreshChosen);
    connect(m_list, &QTreeWidget::itemActivated, this, &ClaimsPanel::showChosen);
    retranslate();
    fill();
}

ClaimsPanel::~ClaimsPanel() {
    delete m_table;
}

void ClaimsPanel::setLanguage(const QString& language) {
    m_language = language;
    retranslate();
    fill();
    emit wordsChanged();
}

void ClaimsPanel::setTheme(const Theme& theme) {
    m_theme = theme;
    fill();
    emit wordsChanged();
}

// The filters' words; what is chosen stays chosen.
void ClaimsPanel::retranslate() {
    const QSignalBlocker quietDocument(m_document), quietVerdict(m_verdict);
    const QString document = m_document->currentData().toString();
    const int verdict = m_verdict->currentIndex() < 0 ? -1 : m_verdict->currentData().toInt();
    m_document->clear();
    m_document->addItem(tr("All"), QString());
    for (const QString& key : documents())
        m_document->addItem(QStringLiteral("%1 · %2").arg(key, documentTitle(key, m_language)), key);
    m_verdict->clear();
    m_verdict->addItem(tr("all verdicts"), -1);
    for (const Verdict v : verdictsInOrder)
        m_verdict->addItem(QStringLiteral("%1 %2").arg(verdictSign(v), verdictName(v)), int(v));
    m_document->setCurrentIndex(std::max(0, m_document->findData(document)));
    m_verdict->setCurrentIndex(std::max(0, m_verdict->findData(verdict)));
    m_document->setAccessibleName(tr("Document"));
    m_verdict->setAccessibleName(tr("Verdict"));
    m_run->setText(tr("Run it"));
    m_run->setToolTip(tr("Runs the launch that the claim is measured by, and judges the claim by it"));
    m_wide->setText(tr("All in a table…"));
    m_wide->setToolTip(tr("Claimed, measured, emulated, verdict and why, side by side, to sort and to search"));
    m_show->setText(tr("Show it in the view"));
    m_show->setToolTip(tr("Opens the view in which it can be seen, at the place that makes the number"));
}

QString ClaimsPanel::checkText() const {
    return m_job.running() ? tr("Stop checking (%1 of %2)").arg(m_judged).arg(m_asked) : tr("Check all claims here");
}

void ClaimsPanel::refreshButton() {
    m_check->setText(checkText());
    m_check->setEnabled(claimCount() > 0);
}

QStringList ClaimsPanel::documents() const {
    QStringList keys;
    for (std::size_t i = 0; m_claims && i < m_claims->size(); ++i)
        if (const QString key = QString::fromStdString((*m_claims)[i].document); !keys.contains(key))
            keys << key;
    keys.sort();
    return keys;
}

void ClaimsPanel::openTable() {
    if (!m_table)
        m_table = new ClaimsTable(this);
    m_table->show();
    m_table->raise();
    m_table->activateWindow();
}

void ClaimsPanel::choose(int row) {
    QTreeWidgetItem* item = m_list->topLevelItem(row);
    if (!item)
        return;
    if (item->isHidden()) { // what is chosen must be in sight
        m_document->setCurrentIndex(0);
        m_verdict->setCurrentIndex(0);
    }
    m_list->setCurrentItem(item);
}

bool ClaimsPanel::canShow() const {
    const Claim* claim = chosen();
    return claim && !targetOf(*claim).view.isEmpty();
}

const Claim* ClaimsPanel::chosen() const {
    const QTreeWidgetItem* item = m_list->currentItem();
    return item && !item->isHidden() && m_claims ? &(*m_claims)[std::size_t(item->data(0, rowRole).toInt())] : nullptr;
}

int ClaimsPanel::shownCount() const {
    int shown = 0;
    for (int i = 0; i < m_list->topLevelItemCount(); ++i)
        shown += !m_list->topLevelItem(i)->isHidden();
    return shown;
}

void ClaimsPanel::filter() {
    const QString document = m_document->currentData().toString();
    const int verdict = m_verdict->currentData().toInt();
    for (int i = 0; i < m_list->topLevelItemCount(); ++i) {
        const auto row = std::size_t(m_list->topLevelItem(i)->data(0, rowRole).toInt());
        const bool fits = (document.isEmpty() || document == QString::fromStdString((*m_claims)[row].document)) &&
                          (verdict < 0 || verdict == int(m_checked[row].judgement.verdict));
        m_list->topLevelItem(i)->setHidden(!fits);
    }
    refreshChosen();
}

void ClaimsPanel::refreshChosen() {
    const Claim* claim = chosen();
    m_run->setEnabled(claim && !m_job.running());
    m_show->setEnabled(canShow());
    if (claim)
        m_text->setText(textOf(std::size_t(claim - m_claims->data())));
    else
        m_text->setText(
            !m_problem.isEmpty()
                ? m_problem
                : tr("%1 of %2 statements. Choose one to see what came out.").arg(shownCount()).arg(claimCount()));
}

void ClaimsPanel::fill() {
    const int row = m_list->currentItem() ? m_list->currentItem()->data(0, rowRole).toInt() : -1;
    {
        const QSignalBlocker quiet(m_list);
        m_list->clear();
        m_list->setAccessibleName(tr("Claims of the documents"));
        refreshButton();
        for (std::size_t i = 0; m_claims && i < m_claims->size(); ++i) {
            const Claim& claim = (*m_claims)[i];
            const Verdict verdict = m_checked[i].judgement.verdict;
            auto* item = new QTreeWidgetItem(m_list);
            const QString statement = inLanguage(claim.statement, m_language);
            item->setText(0, verdictSign(verdict));
            item->setForeground(0, verdictColour(verdict, m_theme));
            item->setToolTip(0, verdictName(verdict));
            item->setText(1, QStringLiteral("%1 %2").arg(QString::fromStdString(claim.document), statement));
            item->setToolTip(1, statement);
            item->setData(0, rowRole, int(i));
            if (int(i) == row)
                m_list->setCurrentItem(item);
        }
    }
    filter();
}

QString ClaimsPanel::textOf(std::size_t row) const {
    const CheckedClaim& checked = m_checked[row];
    const Claim& claim = *checked.claim;
    QStringList lines{inLanguage(claim.statement, m_language)};
    lines << tr("Claimed: %1 (%2, %3)")
                 .arg(claimNumber(claim.claimed, claim),
                      documentTitle(QString::fromStdString(claim.document), m_language),
                      QString::fromStdString(claim.place));
    if (checked.measured)
        lines << tr("Measured on an NVIDIA H200: %1").arg(claimNumber(*checked.measured, claim));
    if (checked.emulated)
        lines << tr("Emulator: %1").arg(claimNumber(*checked.emulated, claim));
    lines << QStringLiteral("%1 %2").arg(verdictSign(checked.judgement.verdict), verdictName(checked.judgement.verdict))
          << inLanguage(checked.judgement.why, m_language);
    lines.removeAll(QString());
    return lines.join(QLatin1Char('\n'));
}

void ClaimsPanel::check() {
    if (m_job.running()) {
        m_job.stop();
        return;
    }
    if (!m_claims)
        return;
    std::vector<std::size_t> rows(m_claims->size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] = i;
    start(*m_claims, std::move(rows));
}

void ClaimsPanel::runChosen() {
    const Claim* claim = chosen();
    if (!claim || m_job.running())
        return;
    const ClaimTarget target = targetOf(*claim);
    if (target.run)
        emit runRequested(target);
    start({*claim}, {std::size_t(claim - m_claims->data())});
}

void ClaimsPanel::showChosen() {
    const Claim* claim = chosen();
    if (!claim)
        return;
    if (const ClaimTarget target = targetOf(*claim); !target.view.isEmpty())
        emit showRequested(target);
}

// claims[i] is what stands in row rows[i] of the list.
void ClaimsPanel::start(std::vector<Claim> claims, std::vector<std::size_t> rows) {
    m_judged = 0;
    m_asked = claims.size();
    // A single claim is waited for; all of them at once are checked without the timing model, which takes longer.
    session::CheckOptions options;
    options.timing = claims.size() == 1;
    m_job.start(
        [this, asked = std::move(claims), rows = std::move(rows), options](Progress& progress, const Job::Tell& tell) {
            session::checkClaims(asked, options, progress, [&](const CheckedClaim& checked) {
                const std::size_t row = rows[std::size_t(checked.claim - asked.data())];
                CheckedClaim answer = checked;
                answer.claim = nullptr; // asked ends with this job; the row says which claim it is
                tell([this, row, answer] { take(row, answer); });
            });
        },
        [this] {
            refreshButton();
            refreshChosen();
            emit finished();
        });
    refreshButton();
    refreshChosen();
}

void ClaimsPanel::take(std::size_t row, const CheckedClaim& checked) {
    if (row >= m_checked.size())
        return;
    m_checked[row] = checked;
    m_checked[row].claim = &(*m_claims)[row];
    ++m_judged;
    refreshButton();
    if (QTreeWidgetItem* item = m_list->topLevelItem(int(row))) {
        const Verdict verdict = checked.judgement.verdict;
        item->setText(0, verdictSign(verdict));
        item->setToolTip(0, verdictName(verdict));
        item->setForeground(0, verdictColour(verdict, m_theme));
        const int wanted = m_verdict->currentData().toInt();
        if (item == m_list->currentItem())
            m_text->setText(textOf(row)); // stays in sight even if its verdict has changed
        else if (wanted >= 0)
            item->setHidden(item->isHidden() || wanted != int(verdict));
    }
    emit judged(int(row));
}

// The list has answered Return already and lets it go on; nobody else may answer it, too.
void ClaimsPanel::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        event->accept();
    else
        QWidget::keyPressEvent(event);
}

// What has no room side by side, as in larger type, stands one below the other; the list and the text say the rest.
void ClaimsPanel::fit() {
    const int room = width() - layout()->contentsMargins().left() - layout()->contentsMargins().right();
    for (QBoxLayout* row : {m_buttons, m_filters}) {
        int wide = row->spacing();
        for (int i = 0; i < row->count(); ++i)
            wide += row->itemAt(i)->widget()->sizeHint().width();
        row->setDirection(wide > room ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    }
}

void ClaimsPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

void ClaimsPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        fill();
    }
    QWidget::changeEvent(event);
}

} // namespace warpglass
