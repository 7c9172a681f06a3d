// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/help/dialogs.h"

#include "app/window/icons.h"
#include "app/window/panels/scroll_page.h"
#include "views/common/state_words.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace warpglass {

namespace {

class DialogText {
    Q_DECLARE_TR_FUNCTIONS(DialogText)
};

void showDialog(QDialog* dialog, QVBoxLayout* column) {
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    buttons->button(QDialogButtonBox::Close)->setText(DialogText::tr("Close"));
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    column->addWidget(buttons);
    fitToWindow(*dialog);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

// A line of so many letters.
int wordsWide(const QWidget& widget, int letters) {
    return letters * widget.fontMetrics().averageCharWidth();
}

// The glossary: our words, Nsight's name, what it means.
QWidget* statesPage(QWidget* parent) {
    auto* page = new QWidget(parent);
    page->setObjectName(QStringLiteral("statesPage"));
    auto* grid = new QGridLayout(page);
    grid->setHorizontalSpacing(14);
    grid->setVerticalSpacing(5);
    int row = 0;
    for (const WarpState state : allOf<WarpState>) {
        auto* name = new QLabel(stateName(state), page);
        name->setObjectName(QStringLiteral("panelTitle"));
        auto* nsight = new QLabel(stateNsight(state), page);
        nsight->setObjectName(QStringLiteral("small"));
        auto* meaning = new QLabel(stateMeaning(state), page);
        meaning->setWordWrap(true);
        meaning->setMinimumWidth(wordsWide(*meaning, 54));
        grid->addWidget(name, row, 0);
        grid->addWidget(nsight, row, 1);
        grid->addWidget(meaning, row++, 2);
    }
    grid->setRowStretch(row, 1);
    return page;
}

} // namespace

void showKeysDialog(QWidget* parent, const QVector<QPair<QString, QString>>& keys) {
    auto* dialog = new QDialog(parent);
    dialog->setObjectName(QStringLiteral("keysDialog"));
    dialog->setWindowTitle(DialogText::tr("Keys"));
    auto* outer = new QVBoxLayout(dialog);
    auto* tabs = new QTabWidget(dialog);
    auto* page = new QWidget(tabs);
    auto* column = new QVBoxLayout(page);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(14);
    grid->setVerticalSpacing(4);
    int widestKey = 0, widestText = 0;
    QVector<std::pair<QLabel*, QLabel*>> labels;
    for (const auto& [key, what] : keys) {
        auto* name = new QLabel(key, page);
        name->setObjectName(QStringLiteral("panelTitle"));
        auto* text = new QLabel(what, page);
        labels.emplaceBack(name, text);
        widestKey = std::max(widestKey, name->sizeHint().width());
        widestText = std::max(widestText, text->sizeHint().width());
    }
    constexpr int between = 24, around = 100; // px
    const bool two = 2 * (widestKey + 14 + widestText) + between + around <= parent->window()->width();
    const int rows = int(keys.size() + 1) / (two ? 2 : 1);
    for (int i = 0; i < labels.size(); ++i) {
        grid->addWidget(labels[i].first, i % rows, i / rows * 3);
        grid->addWidget(labels[i].second, i % rows, i / rows * 3 + 1);
    }
    if (two)
        grid->setColumnMinimumWidth(2, between);
    column->addLayout(grid);
    column->addStretch(1);
    tabs->addTab(new ScrollPage(page, tabs), DialogText::tr("Keys"));
    tabs->addTab(new ScrollPage(statesPage(tabs), tabs), DialogText::tr("What warps do"));
    outer->addWidget(tabs);
    showDialog(dialog, outer);
}

void showAboutDialog(QWidget* parent) {
    auto* dialog = new QDialog(parent);
    dialog->setObjectName(QStringLiteral("aboutDialog"));
    dialog->setWindowTitle(DialogText::tr("About Warpglass"));
    auto* column = new QVBoxLayout(dialog);
    column->setContentsMargins(24, 20, 24, 16);
    auto* page = new QWidget(dialog);
    auto* row = new QHBoxLayout(page);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(18);
    auto* logo = new QLabel(dialog);
    logo->setPixmap(logoPixmap(72, dialog->devicePixelRatioF()));
    row->addWidget(logo, 0, Qt::AlignTop);
    auto* text = new QLabel(dialog);
    text->setWordWrap(true);
    text->setMinimumWidth(wordsWide(*text, 50));
    text->setOpenExternalLinks(false);
    text->setTextFormat(Qt::RichText);
    text->setText(
        QStringLiteral("<h2>Warpglass %1</h2><p>%2</p><p>%3</p><p>%4</p>")
            .arg(
                QStringLiteral(WARPGLASS_VERSION),
                DialogText::tr("Shows how a CUDA kernel really runs: blocks, warps, lanes, memory.").toHtmlEscaped(),
                DialogText::tr(
                    "Every number says where it comes from: measured by a GPU's clock, counted exactly, or modelled.")
                    .toHtmlEscaped(),
                DialogText::tr("Free software under the GNU General Public License, version 3 or later. Built with Qt.")
                    .toHtmlEscaped()));
    row->addWidget(text, 1);
    column->addWidget(new ScrollPage(page, dialog), 1);
    showDialog(dialog, column);
}

} // namespace warpglass
