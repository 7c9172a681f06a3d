// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/panels/scroll_page.h"

#include <QLayout>
#include <QScrollBar>
#include <QStyle>

#include <algorithm>

namespace warpglass {

ScrollPage::ScrollPage(QWidget* contents, QWidget* parent) : QScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setWidget(contents);
}

QSize ScrollPage::sizeHint() const {
    QSize hint = widget()->sizeHint().expandedTo(widget()->minimumSizeHint());
    if (widget()->layout() && widget()->layout()->hasHeightForWidth())
        hint.setHeight(widget()->layout()->totalHeightForWidth(hint.width()));
    return hint;
}

QSize ScrollPage::minimumSizeHint() const {
    const int bar = verticalScrollBar()->sizeHint().width(), line = fontMetrics().height();
    return {std::min(sizeHint().width() + bar, 20 * line), std::min(sizeHint().height(), 4 * line)};
}

void fitToWindow(QDialog& dialog) {
    for (QWidget* part : dialog.findChildren<QWidget*>()) { // as large as the style makes it, shown or not
        part->ensurePolished();
        if (part->layout())
            part->layout()->invalidate();
    }
    dialog.layout()->invalidate();
    dialog.layout()->activate();
    fitToWindow(dialog, dialog.sizeHint());
    if (dialog.isVisible())
        return;
    const auto grow = [&dialog] { // by what has no room all the same: a form is wider than it says before it is shown
        QSize wanted = dialog.size();
        for (const ScrollPage* page : dialog.findChildren<ScrollPage*>())
            wanted += QSize(page->horizontalScrollBar()->maximum(), page->verticalScrollBar()->maximum());
        if (dialog.isVisible() && wanted != dialog.size())
            fitToWindow(dialog, wanted);
    };
    QMetaObject::invokeMethod(&dialog, grow, Qt::QueuedConnection);
}

void fitToWindow(QDialog& dialog, QSize wanted) {
    if (const QWidget* window = dialog.parentWidget() ? dialog.parentWidget()->window() : nullptr) {
        if (wanted.height() > window->height()) // it scrolls, and the bar takes none of the page's width
            wanted.rwidth() += dialog.style()->pixelMetric(QStyle::PM_ScrollBarExtent) + dialog.fontMetrics().height();
        wanted = wanted.boundedTo(window->size());
    }
    dialog.resize(wanted);
}

} // namespace warpglass
