// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/start/start_page.h"

#include "app/window/icons.h"
#include "views/common/marks.h"
#include "views/common/shown_words.h"

#include <QAction>
#include <QApplication>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QVBoxLayout>

namespace warpglass {

namespace {

constexpr int roomForCards = 860, roomForSketch = 900, narrowest = 560; // px at the usual type
constexpr qreal widestText = 760;
constexpr qreal cell = 19, gap = 3;
constexpr int lanes = 32, inARow = 16;

} // namespace

void LanesSketch::setTheme(const Theme& theme) {
    m_theme = theme;
    updateGeometry();
    update();
}

QSize LanesSketch::sizeHint() const {
    const qreal s = m_theme.fontScale;
    return {int(inARow * (cell + gap) * s), int(lineHeight(m_theme.mono()) + 12 * s + 2 * (cell + gap) * s)};
}

void LanesSketch::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const qreal s = m_theme.fontScale, line = lineHeight(m_theme.mono());
    paintText(painter, QRectF(0, 0, width(), line), QStringLiteral("if (threadIdx.x % 2 == 0)  …  else  …"),
              m_theme.mono(), m_theme.text);
    QFont small = m_theme.small();
    small.setPixelSize(qRound(9.5 * s));
    for (int lane = 0; lane < lanes; ++lane) {
        const int row = lane / inARow;
        const QRectF at(lane % inARow * (cell + gap) * s, line + 12 * s + row * (cell + gap) * s, cell * s, cell * s);
        painter.setPen(QPen(m_theme.accent, 1.2));
        painter.setBrush(m_theme.accentSoft);
        painter.drawRoundedRect(at.adjusted(1, 1, -1, -1), 3, 3);
        paintText(painter, at, QString::number(lane), small, m_theme.text, Qt::AlignCenter);
    }
}

QFrame* StartPage::card(const char* name, QLabel*& heading) {
    auto* frame = new QFrame(m_scroll->widget());
    frame->setObjectName(QStringLiteral("startCard"));
    frame->setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(frame);
    column->setContentsMargins(12, 12, 12, 12);
    column->setSpacing(6);
    heading = new QLabel(frame);
    heading->setObjectName(QLatin1String(name));
    heading->setWordWrap(true);
    column->addWidget(heading);
    m_cards->addWidget(frame, 1);
    return frame;
}

StartPage::StartPage(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("startPage"));
    setAttribute(Qt::WA_StyledBackground);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    message = new MessageBar(this);
    auto* messageRow = new QHBoxLayout;
    messageRow->setContentsMargins(24, 8, 24, 0);
    messageRow->addWidget(message);
    outer->addLayout(messageRow);
    m_scroll = new QScrollArea(this);
    m_scroll->setObjectName(QStringLiteral("startScroll"));
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    outer->addWidget(m_scroll, 1);

    auto* page = new QWidget(m_scroll);
    page->setObjectName(QStringLiteral("startContents"));
    m_scroll->setWidget(page);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(28, 18, 28, 20);
    column->setSpacing(16);

    m_look = new QHBoxLayout;
    m_look->setSpacing(6);
    m_look->addStretch(1);
    column->addLayout(m_look);

    auto* words = new QVBoxLayout;
    words->setSpacing(8);
    m_title = new QLabel(page);
    m_title->setObjectName(QStringLiteral("startTitle"));
    m_about = new QLabel(page);
    m_about->setObjectName(QStringLiteral("startAbout"));
    for (QLabel* label : {m_title, m_about}) {
        label->setWordWrap(true);
        words->addWidget(label);
    }
    m_great = new QHBoxLayout;
    m_great->setSpacing(8);
    predict = new QPushButton(page);
    predict->setObjectName(QStringLiteral("primary"));
    tour = new QPushButton(page);
    tour->setObjectName(QStringLiteral("startTour"));
    back = new QPushButton(page);
    back->setObjectName(QStringLiteral("startBack"));
    for (QPushButton* button : {predict, tour, back})
        m_great->addWidget(button);
    m_great->addStretch(1);
    words->addSpacing(4);
    words->addLayout(m_great);
    m_sketch = new LanesSketch(page);
    m_sketch->setObjectName(QStringLiteral("startSketch"));
    m_hero = new QHBoxLayout;
    m_hero->setSpacing(28);
    m_hero->addLayout(words, 1);
    m_hero->addWidget(m_sketch, 0, Qt::AlignVCenter);
    column->addLayout(m_hero);

    m_cards = new QHBoxLayout;
    m_cards->setSpacing(14);
    column->addLayout(m_cards, 1);

    QFrame* frame = card("startLessonsTitle", m_lessonsTitle);
    lessons = new StartList("startLessons", frame);
    frame->layout()->addWidget(lessons);

    frame = card("startKernelsTitle", m_kernelsTitle);
    gallery = new QPushButton(frame);
    gallery->setObjectName(QStringLiteral("startGallery"));
    write = new QPushButton(frame);
    write->setObjectName(QStringLiteral("startWrite"));
    browse = new QPushButton(frame);
    browse->setObjectName(QStringLiteral("startBrowse"));
    for (QPushButton* button : {gallery, write, browse})
        frame->layout()->addWidget(button);
    static_cast<QVBoxLayout*>(frame->layout())->addSpacing(10);
    m_recentTitle = new QLabel(frame);
    m_recentTitle->setObjectName(QStringLiteral("startRecentTitle"));
    m_noRecent = new QLabel(frame);
    m_noRecent->setObjectName(QStringLiteral("muted"));
    m_noRecent->setWordWrap(true);
    m_noRecent->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    recent = new StartList("startRecent", frame);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_recentTitle, m_noRecent, recent})
        frame->layout()->addWidget(widget);
    static_cast<QVBoxLayout*>(frame->layout())->setStretchFactor(recent, 1);
    static_cast<QVBoxLayout*>(frame->layout())->setStretchFactor(m_noRecent, 1);

    frame = card("startExercisesTitle", m_exercisesTitle);
    exercises = new StartList("startExercises", frame);
    frame->layout()->addWidget(exercises);

    connect(recent, &StartList::chosen, this, [this](int row) { emit fileChosen(m_recent.value(row)); });
    setFocusProxy(predict);
    retranslate();
}

void StartPage::addLook(QAction* action, bool begins) {
    if (begins)
        m_look->addSpacing(12);
    auto* button = new QToolButton(m_scroll->widget());
    button->setObjectName(QStringLiteral("startLook"));
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    button->setFocusPolicy(Qt::StrongFocus);
    m_look->addWidget(button);
    if (begins || !m_lastLooks.isEmpty())
        m_lastLooks.append(button);
}

void StartPage::setLessons(const QVector<Lesson>& all) {
    m_lessons = all;
    fill();
}

void StartPage::setExercises(const QVector<QPair<LocalText, LocalText>>& titlesAndSummaries) {
    m_exercises = titlesAndSummaries;
    fill();
}

void StartPage::setKernels(int count) {
    m_kernels = count;
    retranslate();
}

void StartPage::setRecent(const QStringList& files) {
    m_recent = files;
    fill();
}

void StartPage::setOpen(const QString& name) {
    m_open = name;
    retranslate();
}

void StartPage::setLanguage(const QString& language) {
    m_language = language;
    retranslate();
}

void StartPage::setTheme(const Theme& theme) {
    m_theme = theme;
    for (StartList* list : {lessons, exercises, recent})
        list->setTheme(theme);
    m_about->setMaximumWidth(qRound(widestText * theme.fontScale));
    m_sketch->setTheme(theme);
    message->setTheme(theme);
    const QSize icon(qRound(16 * theme.fontScale), qRound(16 * theme.fontScale));
    const auto dress = [&](QPushButton* button, const char* name, const QColor& colour) {
        button->setIcon(themedIcon(QLatin1String(name), colour, theme.border));
        button->setIconSize(icon);
    };
    dress(predict, "play", theme.textOnAccent);
    dress(gallery, "search", theme.text);
    dress(browse, "open", theme.text);
    dress(write, "write", theme.text);
    arrange();
}

void StartPage::fill() {
    QVector<StartList::Row> rows;
    for (int i = 0; i < m_lessons.size(); ++i)
        rows.append({QString::number(i + 1), m_lessons[i].title.in(m_language), m_lessons[i].summary.in(m_language)});
    lessons->setRows(rows);
    rows.clear();
    for (int i = 0; i < m_exercises.size(); ++i)
        rows.append(
            {QString::number(i + 1), m_exercises[i].first.in(m_language), m_exercises[i].second.in(m_language)});
    exercises->setRows(rows);
    rows.clear();
    for (const QString& path : m_recent)
        rows.append({{}, shown(QFileInfo(path).fileName()), shown(QFileInfo(path).absolutePath())});
    recent->setRows(rows);
    recent->setVisible(!rows.isEmpty());
    m_noRecent->setVisible(rows.isEmpty());
}

void StartPage::retranslate() {
    m_title->setText(tr("See how a CUDA kernel really runs"));
    m_about->setText(
        tr("A warp is 32 threads with one instruction stream. What does it do when they disagree? Predict it, "
           "then watch it: no GPU is needed, and nothing has to be installed."));
    predict->setText(tr("Predict your first picture"));
    predict->setToolTip(tr("One question, 32 lanes, and the answer as it really ran: two minutes"));
    tour->setText(tr("A tour of the window"));
    tour->setToolTip(tr("What is where, in seven stations; Esc ends it"));
    back->setText(tr("Back to %1").arg(m_open));
    back->setToolTip(tr("To what is open (Esc)"));
    back->setVisible(!m_open.isEmpty());
    m_lessonsTitle->setText(tr("Lessons, in their order"));
    lessons->setAccessibleName(m_lessonsTitle->text());
    m_kernelsTitle->setText(tr("A kernel"));
    gallery->setText(tr("Choose among %1 in the gallery").arg(m_kernels));
    gallery->setToolTip(tr("Kernels by subject, and recordings of a real GPU (Ctrl+F)"));
    write->setText(tr("Write your own"));
    write->setToolTip(tr("A pad for CUDA C++ or PTX: every view follows what is written (Ctrl+N)"));
    browse->setText(tr("Open a file…"));
    browse->setToolTip(tr("A trace, a kernel, a program's recording or a table (Ctrl+O)"));
    m_recentTitle->setText(tr("Recent files"));
    m_noRecent->setText(
        tr("None yet. Files that you open or save are listed here; one may also be dropped on the window."));
    recent->setAccessibleName(m_recentTitle->text());
    m_exercisesTitle->setText(tr("Exercises: mend a kernel, and it is graded"));
    exercises->setAccessibleName(m_exercisesTitle->text());
    setAccessibleName(tr("Start page"));
    fill();
}

void StartPage::arrange() {
    const bool wide = width() >= roomForCards * m_theme.fontScale;
    m_cards->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    const bool narrow = width() < narrowest * m_theme.fontScale;
    for (QToolButton* button : m_lastLooks) // the menu has them, too
        button->setVisible(!narrow);
    m_great->setDirection(narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    m_sketch->setVisible(width() >= roomForSketch * m_theme.fontScale);
    // The layout asks how high it is at its own width, and the sentence is no wider than this.
    m_about->setMinimumHeight(m_about->heightForWidth(m_about->maximumWidth()));
}

void StartPage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void StartPage::keyPressEvent(QKeyEvent* event) {
    auto* button = qobject_cast<QAbstractButton*>(QApplication::focusWidget());
    if (button && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter))
        button->click();
    else
        QWidget::keyPressEvent(event);
}

void StartPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void StartPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    arrange();
}

} // namespace warpglass
