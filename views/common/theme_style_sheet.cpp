// SPDX-License-Identifier: GPL-3.0-or-later
// The same theme for Qt's own widgets. One sheet for the whole window; %-marks are replaced by the theme's colours, so
// a theme is switched live by setting it again.
#include "views/common/theme.h"

namespace warpglass {

namespace {

constexpr const char* sheet = R"(
QWidget { color: $text; background: $window; font-family: "DejaVu Sans", "Noto Sans CJK SC", sans-serif; font-size: $bodypx; }
QMainWindow, QDialog { background: $window; }
QFrame#panel, QWidget#panel, QDockWidget, QStatusBar, QMenuBar, QToolBar { background: $panel; }
QToolBar { border: 0; spacing: $gap; padding: $gap; }
QLabel { background: transparent; }
QLabel#title, QLabel#heading { font-weight: bold; }
QLabel#muted { color: $muted; }
QPushButton, QToolButton, QComboBox { background: $panel; border: 1px solid $border; border-radius: 6px; padding: $pad; }
QToolButton { min-width: 1.2em; }
QPushButton:hover, QToolButton:hover, QComboBox:hover { border-color: $accent; }
QPushButton:focus, QToolButton:focus, QComboBox:focus, QLineEdit:focus, QSpinBox:focus { border: 1px solid $accent; }
QPushButton:pressed, QToolButton:pressed, QToolButton:checked { background: $soft; border-color: $accent; }
QPushButton:default, QPushButton#primary, QToolButton#primary { background: $accent; color: $onaccent; border-color: $accent; }
QPushButton#primary, QToolButton#primary { font-weight: bold; }
QPushButton:disabled, QToolButton:disabled, QComboBox:disabled { color: $muted; border-color: $border; background: $sunken; }
QComboBox { padding-right: 1.6em; border-radius: 10px; }
QComboBox::drop-down { border: 0; width: 1.4em; }
QComboBox QAbstractItemView { background: $panel; selection-background-color: $soft; selection-color: $text; border: 1px solid $border; }
QLineEdit, QSpinBox, QDoubleSpinBox, QPlainTextEdit, QTextEdit, QTextBrowser {
  background: $panel; border: 1px solid $border; border-radius: 6px; padding: 3px; selection-background-color: $accent; selection-color: $onaccent; }
QTreeView, QListView, QTableView { background: $panel; border: 0; outline: 0; alternate-background-color: $sunken; }
QTreeView::item, QListView::item { padding: 3px; border-radius: 4px; }
QTreeView::item:selected, QListView::item:selected, QTableView::item:selected { background: $soft; color: $text; }
QTreeView::item:hover, QListView::item:hover { background: $sunken; }
QHeaderView::section { background: $panel; color: $muted; border: 0; border-bottom: 1px solid $border; padding: 4px; }
QTabWidget::pane { border: 0; border-top: 1px solid $border; }
QTabBar { background: $panel; }
QTabBar::tab { background: transparent; color: $muted; padding: 7px 10px; border: 0; border-bottom: 3px solid transparent; }
QTabBar::tab:selected { color: $text; font-weight: bold; border-bottom-color: $accent; }
QTabBar::tab:hover { color: $text; }
QTabBar::tab:focus { color: $accent; }
QSplitter::handle { background: $border; }
QMenu { background: $panel; border: 1px solid $border; padding: 4px; }
QMenu::item { padding: 5px 22px; border-radius: 4px; }
QMenu::item:selected, QMenuBar::item:selected { background: $soft; }
QMenu::separator { height: 1px; background: $border; margin: 4px; }
QToolTip { background: $panel; color: $text; border: 1px solid $border; padding: 5px; }
QSlider::groove:horizontal { height: 4px; background: $border; border-radius: 2px; }
QSlider::sub-page:horizontal { background: $accent; border-radius: 2px; }
QSlider::handle:horizontal { width: 14px; margin: -5px 0; border-radius: 7px; background: $accent; }
QSlider:focus::handle:horizontal { border: 2px solid $text; }
QScrollBar:vertical { width: 10px; background: transparent; }
QScrollBar:horizontal { height: 10px; background: transparent; }
QScrollBar::handle { background: $border; border-radius: 4px; min-height: 24px; min-width: 24px; }
QScrollBar::handle:hover { background: $muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QProgressBar { border: 1px solid $border; border-radius: 5px; background: $sunken; text-align: center; }
QProgressBar::chunk { background: $accent; border-radius: 4px; }
QGroupBox { border: 1px solid $border; border-radius: 6px; margin-top: 1em; padding-top: 4px; }
QGroupBox::title { subcontrol-origin: margin; left: 8px; color: $muted; }
)";

} // namespace

QString Theme::styleSheet() const {
    QString s = QString::fromLatin1(sheet);
    const auto put = [&s](const char* mark, const QString& value) { s.replace(QLatin1String(mark), value); };
    put("$bodypx", QStringLiteral("%1px").arg(body().pixelSize()));
    put("$gap", QStringLiteral("%1px").arg(qRound(4 * fontScale)));
    put("$pad", QStringLiteral("%1px %2px").arg(qRound(4 * fontScale)).arg(qRound(10 * fontScale)));
    put("$textMuted", textMuted.name());
    put("$text", text.name());
    put("$muted", textMuted.name());
    put("$window", window.name());
    put("$panel", panel.name());
    put("$sunken", sunken.name());
    put("$border", border.name());
    put("$onaccent", textOnAccent.name());
    put("$accent", accent.name());
    put("$soft", accentSoft.name());
    return s;
}

} // namespace warpglass
