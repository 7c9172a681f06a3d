// SPDX-License-Identifier: GPL-3.0-or-later
// What is reached without a place of its own in the window: the palette of everything by its name, the menus under the
// right mouse button, the clipboard and paper.
#include "app/window/action_set.h"
#include "app/window/export/export_dialog.h"
#include "app/window/export/paper.h"
#include "app/window/main_window.h"
#include "app/window/model/requests.h"
#include "app/window/window_parts.h"
#include "views/common/shown_words.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QPrintDialog>

namespace warpglass {

QVector<PaletteItem> MainWindow::paletteItems() {
    QVector<PaletteItem> items;
    const QString language = m_language.name(),
                  other = language.startsWith(QLatin1String("zh")) ? QStringLiteral("en") : QStringLiteral("zh_CN");
    for (const QString& path : m_recent)
        items.append({tr("file"),
                      warpglass::shown(QFileInfo(path).fileName()),
                      warpglass::shown(path),
                      {},
                      QStringLiteral("file"),
                      [this, path] { openFile(path); }});
    for (int i = 0; i < m_parts->views->count(); ++i) {
        const View& view = m_parts->views->at(i)->view();
        const QString keys = i < numberedViews ? tr("Ctrl+%1").arg(i + 1) : QString();
        items.append({tr("view"), view.title(), view.question(), keys, view.key(), [this, i] {
                          showProgramPage(false);
                          m_parts->views->showView(i);
                      }});
    }
    for (const CatalogueEntry& entry : catalogue()) {
        const QString name = QString::fromStdString(entry.name);
        items.append(
            {tr("kernel"),
             name,
             storyOf(entry, language),
             {},
             QStringList{storyOf(entry, other), familyName(entry.family, language), familyName(entry.family, other)}
                 .join(QLatin1Char('\n')),
             [this, name] { runKernel(name); }});
    }
    const QDir recordings(QStringLiteral(":/recordings"));
    for (const QString& file : recordings.entryList({QStringLiteral("*.wgt")}))
        items.append({tr("recording"),
                      QFileInfo(file).completeBaseName(),
                      tr("as a real GPU ran it"),
                      {},
                      QStringLiteral("H200 GPU"),
                      [this, path = recordings.filePath(file)] { openFile(path); }});
    for (int i = 0; i < m_lessons.lessons().size(); ++i) {
        const Lesson& lesson = m_lessons.lessons()[i];
        items.append({tr("lesson"),
                      lesson.title.in(language),
                      lesson.summary.in(language),
                      {},
                      lesson.title.in(other) + QLatin1Char('\n') + lesson.summary.in(other),
                      [this, i] { startLesson(i, 0); }});
    }
    if (PadPanel* pad = m_parts->pad; pad->isOpen())
        items.append({tr("your kernel"),
                      warpglass::shown(QFileInfo(pad->path()).fileName()),
                      pad->hasFile() && !pad->modified() ? warpglass::shown(pad->path()) : tr("not saved"),
                      {},
                      tr("Your kernel") + QStringLiteral(" own kernel pad"),
                      [this] {
                          showProgramPage(false);
                          showStartPage(false);
                          showPad(*m_parts);
                      }});
    const std::string said = language.toStdString(), unsaid = other.toStdString();
    for (int i = 0; i < int(m_exercises->all().size()); ++i) {
        const session::Exercise& e = m_exercises->all()[std::size_t(i)];
        items.append({tr("exercise"),
                      QString::fromStdString(e.title.in(said)),
                      QString::fromStdString(e.summary.in(said)),
                      {},
                      QString::fromStdString(e.title.in(unsaid) + "\n" + e.summary.in(unsaid)),
                      [this, i] { startExercise(i); }});
    }
    for (int i = 0; i < m_lessons.lessons().size(); ++i) { // behind the lessons themselves
        const Lesson& lesson = m_lessons.lessons()[i];
        for (int s = 0; s < lesson.steps.size(); ++s)
            items.append({tr("step"),
                          lesson.steps[s].title.in(language),
                          lesson.title.in(language),
                          {},
                          lesson.steps[s].title.in(other) + QLatin1Char('\n') + lesson.title.in(other),
                          [this, i, s] { startLesson(i, s); }});
        items.append({tr("worksheet"),
                      tr("Worksheet: %1").arg(lesson.title.in(language)),
                      tr("this lesson's questions, to print"),
                      {},
                      QStringLiteral("worksheet PDF ") + lesson.title.in(other),
                      [this, i] { exportDialog(int(ExportDialog::What::Worksheet), &m_lessons.lessons()[i]); }});
    }
    for (const ActionRow& row : actionTable()) {
        QAction* does = action(QLatin1String(row.name));
        if (!does || !does->isEnabled() || qstrcmp(row.name, "palette") == 0)
            continue;
        QString about = QCoreApplication::translate("Actions", title(row.menu));
        if (does->isCheckable() && does->isChecked())
            about += QStringLiteral(" · ✓");
        QString words = QString::fromUtf8(row.text);
        if (row.menu == MenuPlace::Language) // whoever wants one may not read the one that is shown
            words += qstrcmp(row.name, "language_en") == 0
                         ? QStringLiteral(" language English \u8bed\u8a00 \u82f1\u6587 \u82f1\u8bed")
                         : QStringLiteral(" language Chinese \u8bed\u8a00 \u4e2d\u6587");
        items.append({tr("action"), does->text(), about, does->shortcut().toString(QKeySequence::NativeText), words,
                      [does] { does->trigger(); }});
    }
    return items;
}

void MainWindow::showPalette() {
    if (!m_palette) {
        m_palette = new CommandPalette(this);
        connect(m_palette, &CommandPalette::closed, this, &MainWindow::focusView);
    }
    m_palette->setTheme(m_theme);
    m_palette->open(paletteItems());
}

// A view's own menu: what goes out of it, and the ways back. The source has one, too, and it means the source.
void MainWindow::connectMenus() {
    QVector<ViewWidget*> views{m_parts->source, m_parts->program->view};
    for (int i = 0; i < m_parts->views->count(); ++i)
        views.append(m_parts->views->at(i));
    for (ViewWidget* view : views) {
        view->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(view, &QWidget::customContextMenuRequested, this, [this, view](QPoint at) {
            auto* menu = new QMenu(view);
            menu->setObjectName(QStringLiteral("viewMenu"));
            menu->setAttribute(Qt::WA_DeleteOnClose);
            const bool any = view->picture() && !view->picture()->emptiness();
            const auto add = [this, view, menu](const char* name, bool possible, auto does) {
                const QAction* known = action(QLatin1String(name));
                QAction* entry = menu->addAction(known->text(), this, does);
                if (view == viewInFront()) // the keys mean that one
                    entry->setShortcut(known->shortcut());
                entry->setShortcutVisibleInContextMenu(true);
                entry->setEnabled(possible);
            };
            add("copy", any, [this, view] { copyPicture(view); });
            add("copyNumbers", any && !view->picture()->csv().isEmpty(), [this, view] { copyNumbers(view); });
            add("print", any, [this, view] { printDialog(view); });
            if (view == viewInFront())
                menu->addAction(action(QStringLiteral("export")));
            menu->addSeparator();
            menu->addAction(action(QStringLiteral("back")));
            menu->addAction(action(QStringLiteral("forward")));
            menu->addAction(action(QStringLiteral("undo")));
            menu->popup(view->mapToGlobal(at));
        });
    }
    WarpPanel* warp = m_parts->warp;
    warp->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(warp, &QWidget::customContextMenuRequested, this, [this, warp](QPoint at) {
        auto* menu = new QMenu(warp);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addAction(action(QStringLiteral("copyNumbers"))->text(), this, [this, warp] {
            QApplication::clipboard()->setMimeData(tableForClipboard(warp->csv()).release());
            messageInFront()->showNote(tr("The numbers are on the clipboard."));
        });
        menu->popup(warp->mapToGlobal(at));
    });
    connect(m_parts->gallery, &GalleryPanel::compareRequested, this, [this](const QString& name) {
        if (const RunRequest* open = m_bench->request(); open && findKernel(name.toStdString()))
            compareWith(withKernel(*open, name.toStdString()));
        else if (const CatalogueEntry* entry = findKernel(name.toStdString()))
            compareWith(firstLook(*entry, nullptr));
        else
            compareWith(name); // a recording
    });
}

void MainWindow::copyPicture(ViewWidget* view) {
    if (!view)
        return;
    QApplication::clipboard()->setPixmap(view->grab());
    messageInFront()->showNote(tr("The picture is on the clipboard."));
}

void MainWindow::copyNumbers(ViewWidget* view) {
    const Picture* picture = view ? view->picture() : nullptr;
    if (!picture || picture->csv().isEmpty()) {
        messageInFront()->showNote(tr("This view has no table of numbers now."));
        return;
    }
    QApplication::clipboard()->setMimeData(tableForClipboard(picture->csv()).release());
    messageInFront()->showNote(tr("The numbers are on the clipboard."));
}

void MainWindow::printDialog(ViewWidget* view) {
    if (!view || !view->picture() || view->picture()->emptiness())
        return;
    auto printer = std::make_shared<QPrinter>(QPrinter::HighResolution);
    printer->setPageOrientation(QPageLayout::Landscape);
    printer->setDocName(current() ? current()->name : QStringLiteral("Warpglass"));
    auto* dialog = new QPrintDialog(printer.get(), this);
    dialog->setObjectName(QStringLiteral("printDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setOption(QAbstractPrintDialog::PrintPageRange, false);
    connect(dialog, qOverload<QPrinter*>(&QPrintDialog::accepted), this, [this, view, printer] {
        if (const QString problem = printView(view->view(), view->context(), *printer); !problem.isEmpty())
            messageInFront()->showError(problem);
    });
    connect(dialog, &QObject::destroyed, this, [printer] {}); // it lives as long as the dialog
    dialog->open();
}

} // namespace warpglass
