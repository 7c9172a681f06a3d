// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pad/run_strip.h"

#include "app/window/model/carry.h"
#include "app/window/view_registry.h"
#include "views/common/machine_sight.h"
#include "views/why/why_view.h"

#include <QKeyEvent>
#include <QScrollBar>

#include <algorithm>
#include <tuple>
#include <utility>

namespace warpglass {

namespace {

constexpr QSize small(88, 52), composed(528, 312); // px; the large one has room for a view's least
constexpr int roomOfWord = 20;

QImage paint(const QString& key, const PaintContext& context, Progress& progress) {
    QImage image(composed, QImage::Format_RGB32);
    image.fill(context.theme.panel);
    std::unique_ptr<View> view = makeView(key);
    if (!view || view->emptiness(context)) // of a run alone, say: its map tells one from the other
        view = makeView(QStringLiteral("launchmap"));
    if (!view || view->emptiness(context))
        return image.scaled(small, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    const PicturePtr picture = view->compose(context, QRectF(QPointF(), QSizeF(composed)), progress);
    if (!picture)
        return {};
    QPainter painter(&image);
    picture->paint(painter);
    painter.end();
    return image.scaled(small, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
}

} // namespace

RunStrip::RunStrip(QWidget* parent) : QListWidget(parent) {
    setObjectName(QStringLiteral("runStrip"));
    setViewMode(QListView::IconMode);
    setFlow(QListView::LeftToRight);
    setWrapping(false);
    setMovement(QListView::Static);
    setUniformItemSizes(true);
    setIconSize(small);
    setFrameShape(QFrame::NoFrame);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTextElideMode(Qt::ElideRight);
    connect(this, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) {
        if (const auto at = std::size_t(row(item)); at < m_runs.size())
            emit pinWanted(RunPtr(m_runs[at].run));
    });
    hide();
}

void RunStrip::show(const std::vector<Shown>& runs) {
    m_runs = runs;
    std::erase_if(m_pictures, [](const auto& known) { return known.first.expired(); });
    retell();
    paintNext();
}

void RunStrip::look(const QString& view, const PaintContext& looked) {
    PaintContext context = looked;
    for (const char* answer : {whyOption, machineOption}) // of the open run alone
        context.options.remove(QLatin1String(answer));
    const auto place = [](const Selection& s) {
        return std::tuple(s.launch, s.block, s.warp, s.ptxLine, s.sourceLine);
    };
    const bool elsewhere = context.trace == m_context.trace && place(context.selection) != place(m_context.selection);
    if (view != m_view || context.theme.kind != m_context.theme.kind || context.options != m_context.options ||
        elsewhere) {
        m_pictures.clear();
        ++m_looks;
    }
    m_view = view;
    m_context = context;
    m_context.theme.fontScale = 1;
    m_context.clickable = false;
    m_context.other.reset();
    m_context.pinned.reset();
    m_context.ghost.reset();
    m_context.companions.clear();
    paintNext();
}

void RunStrip::retell() {
    while (count() > int(m_runs.size()))
        delete takeItem(count() - 1);
    while (count() < int(m_runs.size()))
        addItem(QString());
    setGridSize({small.width() + 12, small.height() + roomOfWord + 4});
    const bool pinned = std::any_of(m_runs.begin(), m_runs.end(), [](const Shown& shown) { return shown.isA; });
    for (std::size_t n = 0; n < m_runs.size(); ++n) {
        const Shown& shown = m_runs[n];
        QListWidgetItem* item = this->item(int(n));
        const QString mark = shown.isA && shown.isOpen ? QStringLiteral("A = B")
                             : shown.isA               ? QStringLiteral("A")
                             : shown.isOpen && pinned  ? QStringLiteral("B") // of an A
                                                       : QString();
        item->setText(mark.isEmpty() || shown.word.isEmpty() ? mark + shown.word
                                                             : mark + QStringLiteral(" · ") + shown.word);
        item->setToolTip(tr("%1: a click pins it as A").arg(titleOf(*shown.run)));
        QFont font = this->font();
        font.setBold(shown.isA || shown.isOpen);
        item->setFont(font);
        const auto picture = m_pictures.find(shown.run);
        QPixmap pixmap(small);
        pixmap.fill(m_context.theme.sunken);
        if (picture != m_pictures.end() && !picture->second.isNull())
            pixmap = QPixmap::fromImage(picture->second);
        {
            QPainter painter(&pixmap);
            painter.setPen(QPen(shown.isA      ? m_context.theme.category(1)
                                : shown.isOpen ? m_context.theme.accent
                                               : m_context.theme.border,
                                shown.isA || shown.isOpen ? 3 : 1));
            painter.drawRect(pixmap.rect().adjusted(0, 0, -1, -1));
        }
        item->setIcon(QIcon(pixmap));
        if (shown.isOpen)
            scrollToItem(item);
    }
    setAccessibleName(tr("Runs that are kept"));
}

void RunStrip::paintNext() {
    if (m_job.running() || m_view.isEmpty())
        return;
    for (const Shown& shown : m_runs) {
        if (m_pictures.contains(shown.run))
            continue;
        PaintContext context = m_context;
        context.selection = carried(m_context.selection, m_context.trace.get(), *shown.run->trace);
        if (context.trace != shown.run->trace)
            context.selection.visible = {};
        context.trace = shown.run->trace;
        m_job.start([view = m_view, context](Progress& progress) { return paint(view, context, progress); },
                    [this, run = Weak(shown.run), looks = m_looks](const QImage& image) {
                        if (looks == m_looks)
                            m_pictures[run] = image;
                        retell();
                        paintNext();
                    });
        return;
    }
}

QSize RunStrip::sizeHint() const {
    return {400, small.height() + roomOfWord + 8 + horizontalScrollBar()->sizeHint().height() / 2};
}

void RunStrip::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space) {
        if (currentItem())
            emit itemClicked(currentItem());
        return;
    }
    QListWidget::keyPressEvent(event);
}

} // namespace warpglass
