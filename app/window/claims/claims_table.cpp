// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/claims/claims_table.h"

#include "app/window/model/documents.h"
#include "app/window/panels/scroll_page.h"
#include "views/common/marks.h"
#include "views/common/whole_file.h"

#include <QEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMessageBox>
#include <QPainter>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <numeric>

namespace warpglass {

void VerdictBar::show(const std::array<int, std::size(verdictsInOrder)>& counts, const Theme& theme) {
    m_counts = counts;
    m_theme = theme;
    update();
}

void VerdictBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const int all = std::max(1, std::accumulate(m_counts.begin(), m_counts.end(), 0));
    const QRectF bar = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.fillRect(bar, m_theme.sunken);
    double x = bar.left();
    for (std::size_t n = 0; n < m_counts.size(); ++n) {
        const QRectF part(x, bar.top(), bar.width() * m_counts[n] / all, bar.height());
        const Verdict verdict = verdictsInOrder[n];
        painter.fillRect(part, verdict == Verdict::NotMeasured ? m_theme.border : verdictColour(verdict, m_theme));
        if (verdict == Verdict::OtherHardware) // of the colour of its neighbour
            paintHatch(painter, part, Hatch::Diagonal, m_theme.panel);
        x += part.width();
    }
}

ClaimsTable::ClaimsTable(ClaimsPanel* panel)
    : QDialog(panel->window()), m_panel(panel), m_model(new ClaimsModel(panel, this)),
      m_filter(new ClaimsFilter(panel, this)) {
    setObjectName(QStringLiteral("claimsTable"));
    setWindowFlags(Qt::Window);
    m_filter->setSourceModel(m_model);
    const auto label = [this](const char* name) {
        auto* made = new QLabel(this);
        made->setObjectName(QLatin1String(name));
        return made;
    };
    const auto button = [this](const char* name) {
        auto* made = new QPushButton(this);
        made->setObjectName(QLatin1String(name));
        made->setAutoDefault(false);
        return made;
    };
    m_summary = label("heading");
    m_bar = new VerdictBar(this);
    m_bar->setFixedHeight(10);
    auto* verdicts = new QHBoxLayout;
    for (std::size_t n = 0; n < m_verdicts.size(); ++n) {
        m_verdicts[n] = button(("tableVerdict_" + std::string(name(verdictsInOrder[n]))).c_str());
        m_verdicts[n]->setCheckable(true);
        verdicts->addWidget(m_verdicts[n]);
        connect(m_verdicts[n], &QPushButton::clicked, this, [this, n](bool on) {
            for (std::size_t other = 0; other < m_verdicts.size(); ++other)
                m_verdicts[other]->setChecked(on && other == n);
            filter();
        });
    }
    verdicts->addStretch(1);
    m_document = new QComboBox(this);
    m_document->setObjectName(QStringLiteral("tableDocument"));
    m_document->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_document->setMinimumContentsLength(24);
    m_words = new QLineEdit(this);
    m_words->setObjectName(QStringLiteral("tableWords"));
    m_words->setClearButtonEnabled(true);
    auto* filters = new QHBoxLayout;
    filters->addWidget(m_document, 2);
    filters->addWidget(m_words, 3);
    m_table = new QTableView(this);
    m_table->setObjectName(QStringLiteral("claimsView"));
    m_table->setModel(m_filter);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(-1, Qt::AscendingOrder); // as the documents tell them
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setAlternatingRowColors(true);
    m_table->setShowGrid(false);
    m_table->setWordWrap(true);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_text = label("small");
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_check = button("tableCheck");
    m_run = button("tableRun");
    m_show = button("tableShow");
    m_save = button("tableSave");
    m_close = button("tableClose");
    auto* buttons = new QHBoxLayout;
    for (QPushButton* one : {m_run, m_show, m_check, m_save})
        buttons->addWidget(one);
    buttons->addStretch(1);
    buttons->addWidget(m_close);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_summary);
    column->addWidget(m_bar);
    column->addLayout(verdicts);
    column->addLayout(filters);
    column->addWidget(m_table, 1);
    column->addWidget(m_text);
    column->addLayout(buttons);

    connect(m_document, &QComboBox::currentIndexChanged, this, &ClaimsTable::filter);
    connect(m_words, &QLineEdit::textChanged, this, &ClaimsTable::filter);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ClaimsTable::choose);
    connect(m_table, &QTableView::activated, m_panel, &ClaimsPanel::showChosen);
    connect(m_check, &QPushButton::clicked, m_panel, &ClaimsPanel::check);
    connect(m_run, &QPushButton::clicked, m_panel, &ClaimsPanel::runChosen);
    connect(m_show, &QPushButton::clicked, m_panel, &ClaimsPanel::showChosen);
    connect(m_save, &QPushButton::clicked, this, &ClaimsTable::saveCsv);
    connect(m_close, &QPushButton::clicked, this, &QDialog::close);
    connect(m_panel, &ClaimsPanel::judged, this, [this](int row) {
        m_model->rowChanged(row);
        refresh();
    });
    connect(m_panel, &ClaimsPanel::finished, this, &ClaimsTable::refresh);
    connect(m_panel, &ClaimsPanel::wordsChanged, this, &ClaimsTable::retranslate);
    fitToWindow(*this, {1280, 760});
    retranslate();
}

void ClaimsTable::retranslate() {
    setWindowTitle(tr("Claims of the documents"));
    {
        const QSignalBlocker quiet(m_document);
        const QString chosen = m_document->currentData().toString();
        m_document->clear();
        m_document->addItem(tr("all documents"), QString());
        for (const QString& key : m_panel->documents())
            m_document->addItem(documentTitle(key, m_panel->language()), key);
        m_document->setCurrentIndex(std::max(0, m_document->findData(chosen)));
    }
    m_document->setAccessibleName(tr("Document"));
    m_words->setPlaceholderText(tr("words that a row must hold"));
    m_words->setAccessibleName(m_words->placeholderText());
    m_table->setAccessibleName(windowTitle());
    m_run->setText(tr("Run it"));
    m_show->setText(tr("Show it in the view"));
    m_save->setText(tr("Save the table…"));
    m_close->setText(tr("Close"));
    m_table->verticalHeader()->setDefaultSectionSize(int(2.35 * lineHeight(m_panel->theme().body())));
    m_model->wordsChanged();
    arrange();
    filter();
}

void ClaimsTable::filter() {
    std::optional<Verdict> verdict;
    for (std::size_t n = 0; n < m_verdicts.size(); ++n)
        if (m_verdicts[n]->isChecked())
            verdict = verdictsInOrder[n];
    m_filter->show(m_document->currentData().toString(), verdict, m_words->text());
    refresh();
}

int ClaimsTable::chosenRow() const {
    const QModelIndex index = m_filter->mapToSource(m_table->currentIndex());
    return index.isValid() ? index.row() : -1;
}

// Counts are of what document and words let through, so that each verdict says what a click on it will show.
void ClaimsTable::refresh() {
    std::array<int, std::size(verdictsInOrder)> counts{};
    int all = 0;
    for (int row = 0; row < m_panel->claimCount(); ++row)
        if (m_filter->passes(row, true)) {
            ++all;
            const Verdict verdict = m_panel->checked(row).judgement.verdict;
            for (std::size_t n = 0; n < counts.size(); ++n)
                counts[n] += verdictsInOrder[n] == verdict ? 1 : 0;
        }
    m_summary->setText(
        tr("%1 of %2 statements: %3 hold, %4 nearly, %5 on other hardware only, %6 wrong, %7 not measured")
            .arg(all)
            .arg(m_panel->claimCount())
            .arg(counts[0])
            .arg(counts[1])
            .arg(counts[2])
            .arg(counts[3])
            .arg(counts[4]));
    for (std::size_t n = 0; n < counts.size(); ++n)
        m_verdicts[n]->setText(
            QStringLiteral("%1 %2: %3")
                .arg(verdictSign(verdictsInOrder[n]), verdictName(verdictsInOrder[n]), QString::number(counts[n])));
    m_bar->show(counts, m_panel->theme());
    m_check->setText(m_panel->checkText());
    const int row = chosenRow();
    m_run->setEnabled(row >= 0 && !m_panel->checking());
    m_show->setEnabled(row >= 0 && m_panel->canShow());
    m_text->setText(row >= 0 ? m_panel->textOf(std::size_t(row))
                             : tr("Choose a statement to see what came out; a click on a heading sorts."));
}

void ClaimsTable::choose() {
    if (const int row = chosenRow(); row >= 0)
        m_panel->choose(row);
    refresh();
}

void ClaimsTable::arrange() {
    const QFont font = m_panel->theme().body();
    const auto wide = [&](const QString& text) { return int(textWidth(font, text)) + 26; };
    int verdict = 0;
    for (const Verdict v : verdictsInOrder)
        verdict = std::max(verdict, wide(QStringLiteral("◇ ") + verdictName(v)));
    const int number = wide(QStringLiteral("999,999 GB/s"));
    const int rest = std::max(360, m_table->viewport()->width() - verdict - 3 * number);
    const int widths[ClaimsModel::columns] = {verdict, rest * 22 / 100, rest * 43 / 100, number, number, number, 0};
    int used = 0;
    for (int column = 0; column < ClaimsModel::columns; ++column) {
        const bool last = column + 1 == ClaimsModel::columns;
        const int width = last ? std::max(120, m_table->viewport()->width() - used) : widths[column];
        m_table->setColumnWidth(column, width);
        used += width;
    }
}

QString ClaimsTable::csv() const {
    QString text = QStringLiteral("id,document,place,statement,claimed,unit,h200,emulator,verdict,why\n");
    const auto number = [](std::optional<double> value) {
        return value ? QString::number(*value, 'g', 12) : QString();
    };
    for (int n = 0; n < m_filter->rowCount(); ++n) {
        const CheckedClaim& checked = m_panel->checked(m_filter->mapToSource(m_filter->index(n, 0)).row());
        const Claim& claim = *checked.claim;
        const QStringList fields{csvField(QString::fromStdString(claim.id)),
                                 csvField(documentTitle(QString::fromStdString(claim.document), m_panel->language())),
                                 csvField(QString::fromStdString(claim.place)),
                                 csvField(inLanguage(claim.statement, m_panel->language())),
                                 number(claim.claimed),
                                 csvField(QString::fromStdString(claim.unit)),
                                 number(checked.measured ? checked.measured : claim.h200),
                                 number(checked.emulated),
                                 QString::fromLatin1(name(checked.judgement.verdict)),
                                 csvField(inLanguage(checked.judgement.why, m_panel->language()))};
        text += fields.join(QLatin1Char(',')) + QLatin1Char('\n');
    }
    return text;
}

void ClaimsTable::saveCsv() {
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Save the table"), QStringLiteral("claims.csv"), tr("Tables (*.csv)"));
    if (path.isEmpty())
        return;
    WholeFile file(path);
    const QByteArray text = csv().toUtf8();
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit())
        QMessageBox::warning(this, windowTitle(), file.whyNot());
}

void ClaimsTable::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QDialog::changeEvent(event);
}

void ClaimsTable::resizeEvent(QResizeEvent* event) {
    QDialog::resizeEvent(event);
    arrange();
}

} // namespace warpglass
