// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/compare/compare_panel.h"

#include "views/common/marks.h"
#include "views/common/metric_words.h"
#include "views/common/ticks.h"
#include "views/common/whole_file.h"

#include <QAbstractItemView>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QSignalBlocker>
#include <QSplitter>
#include <QVBoxLayout>

#include <cmath>

namespace warpglass {

namespace {

constexpr int sortRole = Qt::UserRole;
constexpr int openHeight = 180; // px, at least
enum Column { MetricColumn, AColumn, AOrigin, BColumn, BOrigin, DifferenceColumn, RatioColumn, ColumnCount };

// Sorts by number where there is one, and puts what is missing last.
class Row : public QTreeWidgetItem {
public:
    using QTreeWidgetItem::QTreeWidgetItem;
    bool operator<(const QTreeWidgetItem& other) const override {
        const int column = treeWidget() ? treeWidget()->sortColumn() : 0;
        const QVariant mine = data(column, sortRole), theirs = other.data(column, sortRole);
        if (mine.isValid() && theirs.isValid())
            return mine.toDouble() < theirs.toDouble();
        if (mine.isValid() != theirs.isValid())
            return mine.isValid();
        return text(column).localeAwareCompare(other.text(column)) < 0;
    }
};

} // namespace

ComparePanel::ComparePanel(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("comparePanel"));
    setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 6, 12, 6);
    column->setSpacing(4);
    auto* head = new QHBoxLayout;
    m_title = new QLabel(this);
    m_title->setObjectName(QStringLiteral("differencesTitle"));
    m_title->setTextFormat(Qt::PlainText);
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_alignLabel = new QLabel(this);
    m_align = new QComboBox(this);
    m_align->setObjectName(QStringLiteral("alignment"));
    m_align->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_alignLabel->setBuddy(m_align);
    m_csv = new QToolButton(this);
    m_csv->setObjectName(QStringLiteral("differencesCsv"));
    m_csv->setText(QStringLiteral("CSV"));
    m_fold = new QToolButton(this);
    m_fold->setObjectName(QStringLiteral("foldDifferences"));
    m_fold->setCheckable(true);
    m_fold->setChecked(true);
    m_fold->setArrowType(Qt::DownArrow);
    head->addWidget(m_fold);
    head->addWidget(m_title, 1);
    head->addWidget(m_alignLabel);
    head->addWidget(m_align);
    head->addWidget(m_csv);
    m_warning = new QLabel(this);
    m_warning->setObjectName(QStringLiteral("differencesWarning"));
    m_warning->setWordWrap(true);
    m_table = new QTreeWidget(this);
    m_table->setObjectName(QStringLiteral("differences"));
    m_table->setRootIsDecorated(false);
    m_table->setUniformRowHeights(true);
    m_table->setAlternatingRowColors(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setColumnCount(ColumnCount);
    m_table->setSortingEnabled(true);
    m_table->header()->setStretchLastSection(false);
    m_table->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->header()->setSectionResizeMode(MetricColumn, QHeaderView::Stretch);
    m_table->header()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_table->sortByColumn(-1, Qt::AscendingOrder); // as the metrics come, until a person sorts
    column->addLayout(head);
    column->addWidget(m_warning);
    column->addWidget(m_table, 1);
    connect(m_fold, &QToolButton::toggled, this, [this](bool open) {
        m_table->setVisible(open);
        m_fold->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
        fit();
        shareRoom();
    });
    connect(m_csv, &QToolButton::clicked, this, &ComparePanel::csvRequested);
    connect(m_align, &QComboBox::currentIndexChanged, this, [this](int index) {
        if (index >= 0)
            emit alignmentChanged(alignment());
    });
    fill();
}

void ComparePanel::setTraces(const TracePtr& a, const TracePtr& b, const QString& nameA, const QString& nameB) {
    m_a = a;
    m_b = b;
    m_nameA = nameA;
    m_nameB = nameB;
    m_rows = a && b ? differences(*a, *b) : QVector<Difference>();
    fill();
}

void ComparePanel::setOpen(bool open) {
    m_fold->setChecked(open);
}

void ComparePanel::setAlignment(const QString& key) {
    if (const int index = m_align->findData(key); index >= 0)
        m_align->setCurrentIndex(index);
}

void ComparePanel::setTheme(const Theme& theme) {
    m_theme = theme;
    fill();
}

void ComparePanel::fill() {
    m_wholeTitle = m_nameB.isEmpty() ? QString() : titleOf(m_nameA, m_nameB);
    m_title->setToolTip(m_wholeTitle);
    m_alignLabel->setText(tr("aligned at"));
    m_align->setAccessibleName(tr("Where both traces are aligned"));
    m_align->setToolTip(tr("The second trace is moved in time so that both come to this place together."));
    m_csv->setToolTip(tr("Write the table to a file"));
    m_csv->setAccessibleName(m_csv->toolTip());
    m_fold->setToolTip(tr("Show or hide the differences"));
    m_fold->setAccessibleName(m_fold->toolTip());
    m_table->setAccessibleName(tr("Differences between both runs"));
    {
        const QSignalBlocker quiet(m_align);
        const QString before = alignment();
        m_align->clear();
        if (m_a && m_b)
            for (const AlignmentChoice& choice : alignmentChoices(*m_a, *m_b))
                m_align->addItem(choice.label, choice.key);
        m_align->setCurrentIndex(std::max(0, m_align->findData(before)));
    }
    const QString warning = m_a && m_b ? differencesWarning(m_rows, *m_a, *m_b) : QString();
    m_warning->setText(warning.isEmpty() ? QString() : QStringLiteral("⚠ ") + warning);
    m_warning->setVisible(!warning.isEmpty());
    QPalette palette = m_warning->palette();
    palette.setColor(QPalette::WindowText, m_theme.attention);
    m_warning->setPalette(palette);

    m_table->setHeaderLabels({tr("metric"), QStringLiteral("A"), tr("origin"), QStringLiteral("B"), tr("origin"),
                              QStringLiteral("B − A"), QStringLiteral("B / A")});
    m_table->headerItem()->setTextAlignment(MetricColumn, Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter));
    for (const int c : {AOrigin, BOrigin})
        m_table->headerItem()->setTextAlignment(c, Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter));
    m_table->setSortingEnabled(false);
    m_table->clear();
    const QString none = QStringLiteral("–");
    for (const Difference& d : m_rows) {
        auto* item = new Row(m_table);
        item->setText(MetricColumn, metricTitle(d.metric));
        QString tip = d.meaning;
        if (d.metric != metricTitle(d.metric))
            tip += QLatin1Char('\n') + d.metric; // as documents call it
        if (!d.nsight.isEmpty())
            tip += QStringLiteral("\nNsight Compute: ") + d.nsight;
        if (!d.why.isEmpty())
            tip += QLatin1Char('\n') + d.why;
        item->setToolTip(MetricColumn, tip.trimmed());
        const auto number = [&](int column, const std::optional<double>& value, const QString& text) {
            item->setText(column, value ? text : none);
            item->setTextAlignment(column, Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
            if (value)
                item->setData(column, sortRole, *value);
        };
        const auto origin = [&](int column, bool there, Origin o) {
            if (!there)
                return;
            item->setText(column, originName(o));
            item->setForeground(column, m_theme.origin(o));
        };
        number(AColumn, d.a, d.a ? figureText(*d.a, d.unit) : QString());
        origin(AOrigin, d.a.has_value(), d.originA);
        number(BColumn, d.b, d.b ? figureText(*d.b, d.unit) : QString());
        origin(BOrigin, d.b.has_value(), d.originB);
        const auto change = d.difference();
        number(DifferenceColumn, change, change ? changeText(*change, d.unit) : QString());
        const auto ratio = d.ratio();
        number(RatioColumn, ratio,
               ratio
                   ? (d.mixed() ? QStringLiteral("⚠ ") : QString()) + QStringLiteral("%1×").arg(decimalText(*ratio, 3))
                   : QString());
        if (d.mixed()) {
            item->setForeground(RatioColumn, m_theme.attention);
            item->setToolTip(RatioColumn,
                             tr("One figure is modelled, the other is not: the ratio holds the model's error."));
        }
    }
    m_table->setSortingEnabled(true);
    fit();
}

// Both runs are named however narrow it is: the shorter name is whole while the longer one has half of the room.
QString ComparePanel::fittedTitle() const {
    const QFontMetrics metrics = m_title->fontMetrics();
    if (m_wholeTitle.isEmpty() || metrics.horizontalAdvance(m_wholeTitle) <= m_title->width())
        return m_wholeTitle;
    const int between = metrics.horizontalAdvance(titleOf({}, {}));
    const int room = std::max(0, m_title->width() - between), half = room / 2;
    const int a = metrics.horizontalAdvance(m_nameA), b = metrics.horizontalAdvance(m_nameB);
    const int roomA = std::max(half, room - b), roomB = std::max(half, room - a);
    return titleOf(metrics.elidedText(m_nameA, Qt::ElideRight, roomA),
                   metrics.elidedText(m_nameB, Qt::ElideRight, roomB));
}

QString ComparePanel::titleOf(const QString& a, const QString& b) {
    return tr("A: %1     B: %2").arg(a, b);
}

void ComparePanel::fit() {
    m_title->setText(fittedTitle());
    // The names are whole; where they leave no room for the numbers these are scrolled to.
    QHeaderView* header = m_table->header();
    const int others = header->length() - header->sectionSize(MetricColumn),
              names = static_cast<QAbstractItemView*>(m_table)->sizeHintForColumn(MetricColumn);
    header->setSectionResizeMode(MetricColumn, m_table->viewport()->width() - others < names
                                                   ? QHeaderView::ResizeToContents
                                                   : QHeaderView::Stretch);
    if (m_fold->isChecked()) {
        setMaximumHeight(QWIDGETSIZE_MAX);
        return;
    }
    const QMargins margins = layout()->contentsMargins();
    int height = margins.top() + margins.bottom() + m_align->sizeHint().height();
    if (m_warning->isVisibleTo(this))
        height += layout()->spacing() + m_warning->heightForWidth(width() - margins.left() - margins.right());
    setMaximumHeight(height);
}

// A splitter does not notice that a part of it has become smaller.
void ComparePanel::shareRoom() {
    auto* splitter = qobject_cast<QSplitter*>(parentWidget());
    if (!splitter || splitter->count() != 2 || !isVisible())
        return;
    const int all = splitter->height() - splitter->handleWidth();
    const int mine = std::min(maximumHeight(), std::max(openHeight, all / 4));
    splitter->setSizes({all - mine, mine});
}

void ComparePanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    QMetaObject::invokeMethod(this, &ComparePanel::shareRoom, Qt::QueuedConnection);
}

void ComparePanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    // In a narrow one the names of the runs come before the label of a box whose tool tip says what it is, and before
    // the room of its longest choice, which the open list has.
    const int letter = fontMetrics().averageCharWidth();
    const bool narrow = width() < m_align->sizeHint().width() + letter * 50;
    m_alignLabel->setVisible(!narrow);
    m_align->setMaximumWidth(narrow ? letter * 16 : QWIDGETSIZE_MAX);
    m_align->view()->setMinimumWidth(m_align->view()->sizeHintForColumn(0) + letter * 3);
    layout()->activate(); // the title has its new width
    fit();
}

QString ComparePanel::exportCsv(const QString& path) const {
    WholeFile file(path);
    const QByteArray bytes = differencesCsv(m_rows, m_nameA, m_nameB).toUtf8();
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return file.whyNot();
    return {};
}

void ComparePanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        if (m_a && m_b)
            m_rows = differences(*m_a, *m_b);
        fill();
    }
    QWidget::changeEvent(event);
}

} // namespace warpglass
