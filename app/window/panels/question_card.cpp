// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/panels/question_card.h"

#include "app/window/panels/drag_over_buttons.h"
#include "views/common/agreeing.h"
#include "views/common/shown_words.h"

#include <QBoxLayout>
#include <QDoubleValidator>
#include <QEvent>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>

#include <algorithm>

namespace warpglass {

namespace {

constexpr int lanesInARow = 8;

bool isEnter(const QKeyEvent& key) {
    return key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter;
}

} // namespace

QuestionCard::QuestionCard(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("questionCard"));
    setAttribute(Qt::WA_StyledBackground);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(24, 16, 16, 12);
    row->setSpacing(24);
    // The question scrolls where a small window or large type leaves it no room.
    auto* scroll = m_scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* side = new QWidget(scroll);
    side->setObjectName(QStringLiteral("questionSide"));
    m_column = new QVBoxLayout(side);
    m_column->setContentsMargins(0, 0, 8, 0);
    m_column->setSpacing(12);
    m_lead = new QLabel(side);
    m_lead->setObjectName(QStringLiteral("small"));
    m_text = new QLabel(side);
    m_text->setObjectName(QStringLiteral("questionText"));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_show = new QPushButton(side);
    m_show->setObjectName(QStringLiteral("questionShow"));
    m_show->setFlat(true);
    m_column->addWidget(m_lead);
    m_column->addWidget(m_text);
    m_column->addWidget(m_show, 0, Qt::AlignLeft);
    m_column->addStretch(1);
    scroll->setWidget(side);
    row->addWidget(scroll, 2);
    auto* code = new QVBoxLayout;
    m_codeTitle = new QLabel(this);
    m_codeTitle->setObjectName(QStringLiteral("small"));
    m_code = new CodeText(this);
    m_code->setObjectName(QStringLiteral("questionCode"));
    m_code->setLargest(1.6);
    code->addWidget(m_codeTitle);
    code->addWidget(m_code, 1);
    row->addLayout(code, 3);
    connect(m_show, &QPushButton::clicked, this, [this] { emit answered({}, false); });
    retranslate();
}

void QuestionCard::retranslate() {
    m_lead->setText(tr("Predict before you look"));
    m_scroll->setAccessibleName(m_lead->text());
    m_show->setText(tr("Show me"));
    m_show->setToolTip(tr("See the answer without giving one"));
    m_codeTitle->setText(tr("The kernel"));
    m_code->setAccessibleName(tr("The kernel"));
    if (m_give)
        m_give->setText(tr("That is my answer"));
}

void QuestionCard::clear() {
    if (m_answers) { // not at once: one of its buttons may be what asks for the next question
        m_answers->setParent(nullptr);
        m_answers->deleteLater();
    }
    m_answers = new QWidget(this);
    m_answers->setObjectName(QStringLiteral("questionAnswers"));
    m_give = nullptr;
    m_number = nullptr;
    m_lanes = LaneMask::none();
    m_laneButtons.clear();
    m_column->insertWidget(m_column->indexOf(m_text) + 1, m_answers);
}

void QuestionCard::ask(const LessonQuestion& question, const QString& language) {
    const bool same = isVisible() && language == m_language && question.question.en == m_question.question.en;
    if (same) // what was begun is not lost when the run that it is about has come
        return;
    m_question = question;
    m_language = language;
    m_text->setText(shownText(question.question.in(language)));
    clear();
    if (!question.choices.isEmpty())
        addChoices();
    else if (question.lanes)
        addLanes();
    else
        addNumber();
    // Who begins at the first answer hears what is asked.
    const auto controls = m_answers->findChildren<QWidget*>();
    const auto first = std::find_if(controls.begin(), controls.end(),
                                    [](const QWidget* control) { return control->focusPolicy() != Qt::NoFocus; });
    if (first != controls.end() && *first != m_number) // that is named after it
        (*first)->setAccessibleDescription(m_text->text());
    QWidget* before = nullptr; // the answers come before what else stands here, though they were made later
    for (QWidget* control : m_answers->findChildren<QWidget*>()) {
        if (control->focusPolicy() == Qt::NoFocus)
            continue;
        if (before)
            setTabOrder(before, control);
        before = control;
    }
    if (before)
        setTabOrder(before, m_show);
    setTabOrder(m_show, m_code);
    retranslate();
    if (isVisible())
        takeKeys();
}

void QuestionCard::takeKeys() {
    const QWidget* now = window()->focusWidget();
    const bool writes = now && now->isVisible() && now->window() == window() && now->inherits("QLineEdit");
    if (writes && !isAncestorOf(now)) // somebody is typing elsewhere
        return;
    for (QWidget* control : m_answers->findChildren<QWidget*>())
        if (control->focusPolicy() != Qt::NoFocus)
            return control->setFocus(Qt::OtherFocusReason);
}

void QuestionCard::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_answers)
        takeKeys();
}

void QuestionCard::addChoices() {
    auto* column = new QVBoxLayout(m_answers);
    column->setContentsMargins(0, 0, 0, 0);
    for (int i = 0; i < m_question.choices.size(); ++i) {
        const QString words = shownText(m_question.choices[i].in(m_language));
        // A button's text does not wrap; a label over it does, and the button is as high as the label.
        auto* button = new QPushButton(m_answers);
        button->setObjectName(QStringLiteral("questionChoice"));
        button->setAccessibleName(words);
        auto* inside = new QHBoxLayout(button);
        inside->setContentsMargins(12, 8, 12, 8);
        auto* label = new QLabel(QStringLiteral("%1   %2").arg(QChar('A' + i)).arg(words), button);
        label->setWordWrap(true);
        label->setAttribute(Qt::WA_TransparentForMouseEvents);
        inside->addWidget(label);
        QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
        policy.setHeightForWidth(true);
        button->setSizePolicy(policy);
        button->setMinimumHeight(label->sizeHint().height() + 16);
        connect(button, &QPushButton::clicked, this, [this, i, words] { emit answered(words, i == m_question.right); });
        column->addWidget(button);
    }
}

void QuestionCard::addNumber() {
    auto* row = new QHBoxLayout(m_answers);
    row->setContentsMargins(0, 0, 0, 0);
    m_number = new QLineEdit(m_answers);
    m_number->setObjectName(QStringLiteral("questionNumber"));
    m_number->setValidator(new QDoubleValidator(m_number));
    m_number->setAccessibleName(shownText(m_question.question.in(m_language)));
    m_give = new QPushButton(m_answers);
    m_give->setObjectName(QStringLiteral("questionGive"));
    row->addWidget(m_number);
    row->addWidget(m_give);
    row->addStretch(1);
    connect(m_number, &QLineEdit::returnPressed, this, &QuestionCard::giveNumber);
    connect(m_give, &QPushButton::clicked, this, &QuestionCard::giveNumber);
}

void QuestionCard::giveNumber() {
    bool valid = false;
    const double given = QString(m_number->text()).replace(QLatin1Char(','), QLatin1Char('.')).toDouble(&valid);
    if (valid)
        emit answered(m_number->text(), m_question.isRightNumber(given));
}

void QuestionCard::addLanes() {
    auto* column = new QVBoxLayout(m_answers);
    column->setContentsMargins(0, 0, 0, 0);
    auto* grid = new QGridLayout;
    auto* drag = new DragOverButtons(m_answers);
    grid->setSpacing(2);
    for (int lane = 0; lane < lanesPerWarp; ++lane) {
        auto* button = new QToolButton(m_answers);
        button->setObjectName(QStringLiteral("questionLane"));
        button->setText(QString::number(lane));
        button->setCheckable(true);
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        button->setAccessibleName(tr("lane %1").arg(lane));
        connect(button, &QToolButton::toggled, this,
                [this, lane](bool on) { m_lanes = on ? m_lanes | LaneMask::of(lane) : m_lanes & ~LaneMask::of(lane); });
        grid->addWidget(button, lane / lanesInARow, lane % lanesInARow);
        button->installEventFilter(this);
        drag->add(button);
        m_laneButtons.append(button);
    }
    auto* keys = new QLabel(tr("click or drag, or arrows and Space · A: all · Enter: answer"), m_answers);
    keys->setObjectName(QStringLiteral("small"));
    keys->setWordWrap(true);
    m_give = new QPushButton(m_answers);
    m_give->setObjectName(QStringLiteral("questionGive"));
    column->addLayout(grid);
    column->addWidget(keys);
    column->addWidget(m_give, 0, Qt::AlignLeft);
    connect(m_give, &QPushButton::clicked, this, &QuestionCard::giveLanes);
}

void QuestionCard::giveLanes() {
    emit answered(agreeing(tr("%1 {lane|lanes}"), m_lanes.count()), m_question.lanes && m_lanes == *m_question.lanes);
}

// As in a view that asks: arrows go over the grid as it is seen, A marks all or none, Enter answers.
bool QuestionCard::keyOnLane(QWidget* lane, const QKeyEvent& key) {
    const int at = int(m_laneButtons.indexOf(static_cast<QToolButton*>(lane)));
    if (at < 0 || (key.modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier)
        return false;
    const auto go = [&](int to) {
        if (to >= 0 && to < m_laneButtons.size())
            m_laneButtons[to]->setFocus(Qt::OtherFocusReason);
        return true;
    };
    switch (key.key()) {
    case Qt::Key_Left:
        return go(at - 1);
    case Qt::Key_Right:
        return go(at + 1);
    case Qt::Key_Up:
        return go(at - lanesInARow);
    case Qt::Key_Down:
        return go(at + lanesInARow);
    case Qt::Key_Home:
        return go(0);
    case Qt::Key_End:
        return go(lanesPerWarp - 1);
    case Qt::Key_A: {
        const bool all = m_lanes != LaneMask::all();
        for (QToolButton* button : m_laneButtons)
            button->setChecked(all);
        return true;
    }
    default:
        if (isEnter(key))
            giveLanes();
        return isEnter(key);
    }
}

bool QuestionCard::eventFilter(QObject* object, QEvent* event) {
    if (event->type() == QEvent::KeyPress && m_answers && object->parent() == m_answers) {
        const auto& key = static_cast<QKeyEvent&>(*event);
        if (keyOnLane(static_cast<QWidget*>(object), key))
            return true;
    }
    return QWidget::eventFilter(object, event);
}

void QuestionCard::setCode(const QString& code) {
    m_code->setCode(code);
    m_code->setVisible(!code.isEmpty());
    m_codeTitle->setVisible(!code.isEmpty());
}

// Enter presses the button that has the focus: outside of dialogs only Space does.
void QuestionCard::keyPressEvent(QKeyEvent* event) {
    auto* button = qobject_cast<QPushButton*>(window()->focusWidget());
    if (isEnter(*event) && button && isAncestorOf(button))
        button->click();
    else
        QWidget::keyPressEvent(event);
}

void QuestionCard::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

} // namespace warpglass
