// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/export/export_feature.h"

#include "app/window/export/paper.h"
#include "app/window/lesson/lesson_feature.h"
#include "app/window/palette/command_palette.h"
#include "app/window/program/program_feature.h"
#include "app/window/window_parts.h"
#include "views/common/page.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QPrintDialog>

namespace warpglass {

namespace {
constexpr QSize exportSize{1600, 900};
} // namespace

ActionSet::Deeds ExportFeature::deeds() {
    using What = ExportDialog::What;
    const auto as = [this](What what) { return [this, what] { showDialog(what); }; };
    return {
        {"export", as(What::View)},
        {"exportAll", as(What::AllViews)},
        {"report", as(What::Report)},
        {"film", as(What::Film)},
        {"page",
         [this] { showDialog(m_shell.feature<LessonFeature>().player().playing() ? What::LessonPage : What::Page); }},
        {"copy", [this] { copyPicture(m_shell.view()); }},
        {"copyNumbers", [this] { copyNumbers(m_shell.view()); }},
        {"print", [this] { print(m_shell.view()); }},
    };
}

void ExportFeature::connectAll() {
    QVector<ViewWidget*> views{m_parts->source, m_shell.feature<ProgramFeature>().page()->view};
    for (int i = 0; i < m_parts->views->count(); ++i)
        views.append(m_parts->views->at(i));
    for (ViewWidget* view : views) {
        view->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(view, &QWidget::customContextMenuRequested, this, [this, view](QPoint at) { openMenu(view, at); });
    }
}

// A view's own menu. The source has one, too, and it means the source.
void ExportFeature::openMenu(ViewWidget* view, QPoint at) {
    auto* menu = new QMenu(view);
    menu->setObjectName(QStringLiteral("viewMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const bool any = view->picture() && !view->picture()->emptiness();
    const auto add = [this, view, menu](const char* name, bool possible, auto does) {
        const QAction* known = action(name);
        QAction* entry = menu->addAction(known->text(), this, does);
        if (view == m_shell.view()) // the keys mean that one
            entry->setShortcut(known->shortcut());
        entry->setShortcutVisibleInContextMenu(true);
        entry->setEnabled(possible);
    };
    add("copy", any, [this, view] { copyPicture(view); });
    add("copyNumbers", any && !view->picture()->csv().isEmpty(), [this, view] { copyNumbers(view); });
    add("print", any, [this, view] { print(view); });
    if (view == m_shell.view())
        menu->addAction(action("export"));
    menu->addSeparator();
    menu->addAction(action("back"));
    menu->addAction(action("forward"));
    menu->addAction(action("undo"));
    menu->popup(view->mapToGlobal(at));
}

void ExportFeature::copyPicture(ViewWidget* view) {
    if (!view)
        return;
    QApplication::clipboard()->setPixmap(view->grab());
    m_shell.message()->showNote(tr("The picture is on the clipboard."));
}

void ExportFeature::copyNumbers(ViewWidget* view) {
    const Picture* picture = view ? view->picture() : nullptr;
    if (!picture || picture->csv().isEmpty()) {
        m_shell.message()->showNote(tr("This view has no table of numbers now."));
        return;
    }
    QApplication::clipboard()->setMimeData(tableForClipboard(picture->csv()).release());
    m_shell.message()->showNote(tr("The numbers are on the clipboard."));
}

void ExportFeature::print(ViewWidget* view) {
    if (!view || !view->picture() || view->picture()->emptiness())
        return;
    auto printer = std::make_shared<QPrinter>(QPrinter::HighResolution);
    printer->setPageOrientation(QPageLayout::Landscape);
    printer->setDocName(current() ? current()->name : QStringLiteral("Warpglass"));
    auto* dialog = new QPrintDialog(printer.get(), m_shell.window);
    dialog->setObjectName(QStringLiteral("printDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setOption(QAbstractPrintDialog::PrintPageRange, false);
    connect(dialog, qOverload<QPrinter*>(&QPrintDialog::accepted), this, [this, view, printer] {
        if (const QString problem = printView(view->view(), view->context(), *printer); !problem.isEmpty())
            m_shell.message()->showError(problem);
    });
    connect(dialog, &QObject::destroyed, this, [printer] {}); // it lives as long as the dialog
    dialog->open();
}

QString ExportFeature::exportCurrentView(const QString& path) {
    const ViewWidget* view = m_shell.view();
    if (!view)
        return tr("There is no view to export.");
    const bool seen = view->width() > 200 && view->height() > 150;
    return exportView(view->view(), view->context(), path, seen ? view->size() : exportSize, 2.0);
}

void ExportFeature::showDialog(ExportDialog::What what, const Lesson* lesson) {
    const bool program = m_shell.seen().page == Front::Program;
    if (!current() && !program && !lesson)
        return;
    ExportSubject subject;
    const ViewWidget* front = m_shell.view();
    const bool ofProgram = front && program && what == ExportDialog::What::View;
    subject.current = front ? front->view().key() : QString();
    subject.name = ofProgram ? m_programs->name() : current() ? current()->name : QString();
    subject.file = ofProgram ? m_programs->file() : current() ? current()->file : QString();
    const LessonPlayer& player = m_shell.feature<LessonFeature>().player();
    if (lesson || player.playing())
        subject.lesson = lesson ? *lesson : player.current();
    subject.language = m_shell.language.name();
    if (ofProgram)
        subject.views.append({front->view().key(), front->view().title(), front->context(), front->size()});
    for (int i = 0; i < m_parts->views->count() && !ofProgram; ++i) {
        const ViewWidget* v = m_parts->views->at(i);
        if (!v->view().thoroughEmptiness(v->context()))
            subject.views.append({v->view().key(), v->view().title(), v->context(),
                                  v == m_parts->views->current() ? v->size() : QSize()});
    }
    if (subject.views.isEmpty() && !lesson) {
        m_parts->views->message->showError(tr("There is no view to export."));
        return;
    }
    auto* dialog = new ExportDialog(std::move(subject), what, m_shell.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ExportDialog::written, this,
            [this](const QString& path) { m_shell.message()->showNote(tr("Written to %1.").arg(path)); });
    dialog->open();
}

void ExportFeature::offer(QVector<PaletteItem>& items) {
    const QString language = m_shell.language.name(), other = m_shell.language.otherName();
    for (const Lesson& lesson : m_shell.feature<LessonFeature>().player().lessons())
        items.append({PaletteKind::Step,
                      tr("worksheet"),
                      tr("Worksheet: %1").arg(lesson.title.in(language)),
                      tr("this lesson's questions, to print"),
                      {},
                      QStringLiteral("worksheet PDF ") + lesson.title.in(other),
                      [this, &lesson] { showDialog(ExportDialog::What::Worksheet, &lesson); }});
}

} // namespace warpglass
