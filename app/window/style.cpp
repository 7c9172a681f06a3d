// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/style.h"

namespace warpglass {

namespace {

constexpr const char* sheet = R"(
QWidget#topBar, QWidget#leftPanel, QWidget#rightPanel, QWidget#transport, QWidget#viewHeader, QWidget#launchPanel,
QWidget#warpPanel, QWidget#stepStrip, QScrollArea#launchScroll, QWidget#launchForm, QWidget#lessonPage, QWidget#claimsPage,
QWidget#stepStrip QLabel, QScrollArea#stepScroll, QWidget#stepTold, QTabWidget#leftTabs, QTabWidget#leftTabs > QWidget, QWidget#galleryPage, QWidget#viewHeader QWidget { background: $panel; }
QWidget#topBar { border-bottom: 1px solid $border; }
QWidget#leftPanel { border-right: 1px solid $border; }
QWidget#rightPanel { border-left: 1px solid $border; }
QWidget#transport { border-top: 1px solid $border; }
QWidget#launchPanel, QWidget#warpPanel { border-top: 1px solid $border; }
QWidget#stepStrip { border-bottom: 1px solid $border; }
QFrame#palette { background: $panel; border: 1px solid $accent; border-radius: 8px; }
QListView#paletteList { background: $panel; }
QListView#paletteList::item { padding: 0; }
QMainWindow#columns::separator { width: 3px; height: 3px; background: $panel; }
QMainWindow#columns::separator:hover { background: $accent; }
QWidget#dockTitle { background: $panel; }
QToolButton#viewList { border: 0; border-radius: 4px; padding: $smallpad; color: $muted; background: $panel; }
QToolButton#viewList:hover { color: $text; background: $sunken; }
QToolButton#viewList[alone="true"] { border-bottom: 3px solid $accent; border-radius: 0; padding: $alonepad; font-weight: bold; color: $text; background: $panel; }
QTabBar#groupViews::tab { padding: $smallpad; border: 0; border-radius: 4px; margin: 0 1px; color: $muted; font-weight: normal; }
QTabBar#groupViews::tab:selected { background: $soft; color: $text; border: 0; }
QTabBar#groupViews::tab:hover { color: $text; }
QToolButton#arrangement { border: 1px solid $border; border-radius: 0; border-left-width: 0; padding: $pad; background: $panel; }
QToolButton#arrangement[end="left"] { border-left-width: 1px; border-top-left-radius: 6px; border-bottom-left-radius: 6px; }
QToolButton#arrangement[end="right"] { border-top-right-radius: 6px; border-bottom-right-radius: 6px; }
QToolButton#arrangement:hover { background: $sunken; }
QToolButton#arrangement:checked { background: $soft; color: $accent; font-weight: bold; }
QToolButton#arrangement:focus { color: $accent; text-decoration: underline; }
QToolButton#launchLine { border: 1px solid transparent; border-radius: 5px; padding: $smallpad; color: $muted; background: transparent; }
QToolButton#launchLine:hover, QToolButton#launchLine:checked { background: $sunken; color: $text; }
QToolButton#launchLine:focus { border: 1px solid $accent; }
QToolButton#origin { border: 1px solid transparent; border-radius: $chipround; padding: $chippad; }
QToolButton#origin:focus { border: 1px solid $accent; }
QToolButton[rail="true"] { border: 0; border-radius: 0; background: $panel; color: $muted; }
QToolButton#leftRail { border-right: 1px solid $border; }
QToolButton#rightRail { border-left: 1px solid $border; }
QToolButton[rail="true"]:hover, QToolButton[rail="true"]:focus { background: $sunken; color: $accent; }
QWidget#learnColumn, QPlainTextEdit#learnCode { background: $panel; }
QWidget#learnColumn { border-right: 1px solid $border; }
QPlainTextEdit#learnCode { font-family: monospace; padding-left: 18px; border: 0; }
QSplitter#learnColumns::handle { background: $border; }
QWidget#stepStrip[beside="true"] { border-bottom: 0; }
QLabel#stepTitle[beside="true"] { font-size: $questionpx; }
QLabel#storyText[beside="true"], QLabel#stepAnswer[beside="true"] { font-size: $leadpx; }
QToolButton#viewList::menu-indicator, QToolButton#origin::menu-indicator { image: none; }
QToolButton#viewList:focus { color: $accent; }
QWidget#startPage, QWidget#startContents { background: $window; }
QFrame#startCard { background: $panel; border: 1px solid $border; border-radius: 8px; }
QFrame#startCard QListView { background: $panel; }
QFrame#startCard QPushButton { text-align: left; padding: $startpad; }
QLabel#startTitle { font-size: $hugepx; font-weight: bold; }
QLabel#startAbout { font-size: $leadpx; color: $muted; }
QLabel#startLessonsTitle, QLabel#startKernelsTitle, QLabel#startExercisesTitle, QLabel#startRecentTitle { font-weight: bold; }
QFrame#tourCard { background: $panel; border: 1px solid $accent; border-radius: 8px; }
QLabel#tourTitle { font-size: $bigpx; font-weight: bold; }
QToolButton#home { border: 1px solid transparent; background: transparent; padding: 1px; min-width: 0; }
QToolButton#home:hover, QToolButton#home:focus { border: 1px solid $accent; border-radius: 6px; }
QLabel#productName { font-size: $bigpx; font-weight: bold; }
QLabel#breadcrumb { font-weight: bold; }
QLabel#muted, QLabel#formLabel, QLabel#storyText { color: $muted; }
QLabel#small, QLabel#padOccupancy { color: $muted; font-size: $smallpx; }
QLabel#exerciseState { font-weight: 600; }
QLabel#panelTitle { font-weight: bold; }
QLabel#stepTitle { font-weight: bold; font-size: $bigpx; }
QSlider#speed { border: 1px solid $panel; background: $panel; }
QSlider#speed:focus { border: 1px solid $accent; border-radius: 4px; }
QWidget#turnRow { background: $panel; border-top: 1px solid $border; }
QWidget#turnRow QSlider { border: 1px solid $panel; background: $panel; }
QWidget#turnRow QSlider:focus { border: 1px solid $accent; border-radius: 4px; }
QListView#runStrip { background: $panel; border-top: 1px solid $border; font-size: $smallpx; }
QListView#runStrip::item { padding: 0; }
QToolButton#pinButton { padding: 2px 9px; }
QLabel#speedText { min-width: 6em; }
QTableView#programKernels QHeaderView::section, QTableView#programLaunches QHeaderView::section { padding: 8px 6px 3px 6px; }
QTableView#programKernels::item, QTableView#programLaunches::item { padding: 0 4px; }
QTableView#programKernels QHeaderView::up-arrow, QTableView#programLaunches QHeaderView::up-arrow,
QTableView#claimsView QHeaderView::up-arrow, QTreeView#differences QHeaderView::up-arrow { image: url($chevup); width: 8px; height: 8px; subcontrol-origin: border; subcontrol-position: top center; }
QTableView#programKernels QHeaderView::down-arrow, QTableView#programLaunches QHeaderView::down-arrow,
QTableView#claimsView QHeaderView::down-arrow, QTreeView#differences QHeaderView::down-arrow { image: url($chevdown); width: 8px; height: 8px; subcontrol-origin: border; subcontrol-position: top center; }
QWidget#questionCard, QWidget#questionCard QScrollArea, QWidget#questionSide, QWidget#questionAnswers { background: $panel; }
QLabel#questionText { font-size: $questionpx; font-weight: bold; }
QLabel#stepAnswer { color: $text; }
QPushButton#questionChoice { text-align: left; }
QToolButton#questionLane { border: 1px solid $border; padding: 4px 0; }
QToolButton#questionLane:checked { background: $soft; border: 2px solid $accent; font-weight: bold; }
QToolButton#questionLane:focus { border: 2px solid $text; }
QPlainTextEdit#questionCode { font-family: monospace; border: 0; }
QListView#gallery, QListView#lessons, QTreeView#claims { background: $panel; }
QListView#gallery::item { padding: 3px 8px; border-radius: 4px; }
QTabBar#viewTabs::tab { padding: $tabpad; }
QTabWidget#leftTabs > QTabBar::tab { padding: $lefttabpad; }
QLineEdit, QAbstractSpinBox, QWidget#launchForm QComboBox { background: $field; border-radius: 4px; padding: 2px 7px; min-height: 1.45em; }
QAbstractSpinBox { padding-right: 2px; }
QLineEdit[wrong="true"] { border: 1px solid $wrong; }
QComboBox { padding-right: 8px; }
QComboBox::drop-down { border: 0; width: 18px; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { border: 0; width: 16px; background: transparent; }
QAbstractSpinBox::up-arrow { image: url($chevup); width: 9px; height: 9px; }
QAbstractSpinBox::down-arrow { image: url($chevdown); width: 9px; height: 9px; }
QComboBox::down-arrow { image: url($chevdown); width: 10px; height: 10px; }
QToolButton#transportButton { padding: 5px; min-width: 0; border-radius: 5px; }
QToolButton#play { padding: 5px; min-width: 0; border-radius: 5px; background: $accent; border-color: $accent; color: $onaccent; }
QPushButton#questionGive, QPushButton#lessonNext:enabled { background: $accent; border-color: $accent; color: $onaccent; }
QPushButton#questionGive:focus, QPushButton#lessonNext:focus { border: 1px solid $text; }
QToolButton#play:disabled, QPushButton#primary:disabled { background: $sunken; color: $muted; border-color: $border; }
QToolButton#menuButton, QToolButton#compareButton { padding: $pad; }
QToolButton::menu-indicator { image: none; }
QToolButton#compareButton::menu-button { border: 0; border-left: 1px solid $border; width: 18px; }
QToolButton#compareButton { padding-right: 24px; }
QToolButton#compareButton::menu-arrow { image: url($chevdown); width: 10px; height: 10px; }
QToolButton#flat { border: 0; background: transparent; padding: 3px; min-width: 0; }
QToolButton#flat:hover { background: $sunken; }
QToolButton#flat:focus { border: 1px solid $accent; }
QWidget#messageBar { background: $wrongsoft; border: 1px solid $wrong; border-radius: 6px; }
QWidget#messageBar[kind="note"] { background: $soft; border-color: $accent; }
QWidget#messageBar QLabel { color: $text; }
QScrollArea#messageScroll, QScrollArea#messageScroll > QWidget { background: transparent; }
QScrollArea#messageScroll:focus { border: 1px solid $accent; }
QDialogButtonBox, QMessageBox { dialogbuttonbox-buttons-have-icons: 0; }
QMessageBox { messagebox-question-icon: url($askicon); messagebox-warning-icon: url($warnicon); messagebox-critical-icon: url($warnicon); }
QProgressBar { min-height: 6px; max-height: 6px; border: 0; border-radius: 3px; }
)";

} // namespace

QString windowStyleSheet(const Theme& theme) {
    QString s = QString::fromLatin1(sheet);
    const auto put = [&s](const char* mark, const QString& value) { s.replace(QLatin1String(mark), value); };
    const auto px = [&theme](qreal n) { return QStringLiteral("%1px").arg(qRound(n * theme.fontScale)); };
    QColor wrongSoft = theme.wrong;
    wrongSoft.setAlpha(28);
    put("$tabpad", QStringLiteral("%1 %2").arg(px(9), px(9)));
    put("$lefttabpad", QStringLiteral("%1 %2").arg(px(9), px(6))); // room for four
    put("$pad", QStringLiteral("%1 %2").arg(px(4), px(9)));
    put("$alonepad", QStringLiteral("%1 %2").arg(px(6), px(9)));
    put("$smallpad", QStringLiteral("%1 %2").arg(px(3), px(7)));
    put("$chippad", QStringLiteral("%1 %2").arg(px(2), px(9)));
    put("$chipround", px(9));
    put("$questionpx", px(20));
    put("$bigpx", px(16));
    put("$hugepx", px(26));
    put("$leadpx", px(14.5));
    put("$startpad", QStringLiteral("%1 %2").arg(px(7), px(10)));
    put("$smallpx", QStringLiteral("%1px").arg(theme.small().pixelSize()));
    put("$wrongsoft",
        QStringLiteral("rgba(%1,%2,%3,40)").arg(theme.wrong.red()).arg(theme.wrong.green()).arg(theme.wrong.blue()));
    put("$wrong", theme.wrong.name());
    put("$panel", theme.panel.name());
    put("$window", theme.window.name());
    put("$border", theme.border.name());
    put("$muted", theme.textMuted.name());
    put("$field", theme.kind == ThemeKind::Print ? theme.panel.name() : theme.window.name());
    put("$soft", theme.accentSoft.name());
    put("$sunken", theme.sunken.name());
    put("$onaccent", theme.textOnAccent.name());
    put("$accent", theme.accent.name());
    put("$text", theme.text.name());
    const QString shade = theme.kind == ThemeKind::Dark ? QStringLiteral("dark") : QStringLiteral("light");
    put("$chevup", QStringLiteral(":/icons/chevron-up-%1.svg").arg(shade));
    put("$chevdown", QStringLiteral(":/icons/chevron-%1.svg").arg(shade));
    put("$askicon", QStringLiteral(":/icons/ask-%1.svg").arg(shade));
    put("$warnicon", QStringLiteral(":/icons/warn-%1.svg").arg(shade));
    return theme.styleSheet() + s;
}

} // namespace warpglass
