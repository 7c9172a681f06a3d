// SPDX-License-Identifier: GPL-3.0-or-later
// The window for who does not see it, or has no mouse: names, descriptions, parts of pictures, what is announced; and
// large type.
#include "app/window/action_set.h"
#include "app/window/panels/view_area.h"
#include "app/window/predict/predict_desk.h"
#include "app/window/present/presenter_notes.h"
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"

#include <QAccessible>
#include <QComboBox>
#include <QLineEdit>
#include <QSlider>

using namespace warpglass;

namespace {

struct Told {
    QAccessible::Event what;
    const QObject* of;
};
QVector<Told> told; // by the handler, which is a plain function

void listen(QAccessibleEvent* event) {
    told.append({event->type(), event->object()});
}

} // namespace

class TestWindowAccessible : public QObject, WindowFixture {
    Q_OBJECT

    QAccessibleInterface* of(QWidget* widget) { return QAccessible::queryAccessibleInterface(widget); }
    // Two warps of mathKernel1, whose lanes part at line 24.
    void open(const char* view) {
        RunRequest request;
        request.kernel = "mathKernel1";
        request.launch.size = 64;
        request.launch.block = Dim3{64};
        request.launch.mode = CompileMode::AsWritten;
        request.options.detail.accesses = request.accesses = true;
        m_window->run(request);
        settle();
        m_window->views().showView(QLatin1String(view));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->views().current()->picture(), 60000);
    }

private slots:
    void initTestCase() { prepareWindowTests(QStringLiteral("accessible")); }
    void init() { openWindow({1280, 720}); }
    void cleanup() {
        QAccessible::installUpdateHandler(nullptr);
        m_window->setLanguage(QStringLiteral("en"));
        closeWindow();
    }

    void eachViewSaysWhatItIsAndWhereOneIs() {
        for (int i = 0; i < m_window->views().count(); ++i) { // nothing is open: why, and what to do
            m_window->views().showView(i);
            ViewWidget* view = m_window->views().at(i);
            const QString said = of(view)->text(QAccessible::Description);
            QCOMPARE(of(view)->text(QAccessible::Name), view->view().title());
            QVERIFY2(said.contains(view->view().question()), qPrintable(said));
            if (const Emptiness* empty = view->picture()->emptiness())
                QVERIFY2(said.contains(empty->why) && said.contains(empty->actionText), qPrintable(said));
        }
        open("lanes");
        Selection selection = m_window->selection().get();
        selection.warp = 1;
        selection.block = 0;
        selection.lane = 5;
        m_window->selection().set(selection);
        const QString said = of(m_window->views().current())->text(QAccessible::Description);
        QVERIFY2(said.contains(QLatin1String("mathKernel1 <<<1, 64>>>")), qPrintable(said));
        QVERIFY2(said.contains(QLatin1String("warp 1; lane 5")), qPrintable(said));
        const QAccessibleValueInterface* value = of(m_window->views().current())->valueInterface();
        QVERIFY(value);
        QCOMPARE(value->currentValue().toLongLong(), qlonglong(selection.time.value));
        QCOMPARE(value->maximumValue().toLongLong(), qlonglong(m_window->current()->trace->range().end.value));
    }

    // What the pointer finds in a picture has a name and a place; what can be clicked can be pressed.
    void partsOfPicturesHaveNamesAndArePressed() {
        open("launchmap");
        ViewWidget* view = m_window->views().current();
        QAccessibleInterface* picture = of(view);
        QVERIFY(picture->childCount() > 5);
        QAccessibleInterface* lane = nullptr;
        for (int i = 0; i < picture->childCount(); ++i) {
            QAccessibleInterface* part = picture->child(i);
            QVERIFY(part && part->isValid());
            QVERIFY(!part->text(QAccessible::Name).isEmpty());
            QVERIFY(!part->rect().isEmpty());
            QCOMPARE(picture->indexOfChild(part), i);
            QCOMPARE(part->parent(), picture);
            if (part->actionInterface() && !lane)
                lane = part;
        }
        QVERIFY(lane);
        const Selection before = m_window->selection().get();
        const Options options = view->context().options;
        lane->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QVERIFY(!(m_window->selection().get() == before) || view->context().options != options);
    }

    // Who predicts by ear hears at each key what is under the cursor and how it is painted, and nothing else; parts say it,
    // too; then what was right.
    void aPredictionIsHeard() {
        open("lanes");
        m_window->action(QStringLiteral("predict"))->trigger();
        PredictDesk& desk = m_window->prediction();
        QVERIFY(desk.asked());
        ViewWidget* view = m_window->views().current();
        const auto heard = [&] { return of(view)->text(QAccessible::Description); };
        QCOMPARE(heard(), desk.asked()->words.question);
        QTest::keyClick(view, Qt::Key_Home);
        QCOMPARE(heard(), QString("lane 0: does not go on"));
        QTest::keyClick(view, Qt::Key_Space);
        QCOMPARE(heard(), QString("lane 0: goes on"));
        QTest::keyClick(view, Qt::Key_Right);
        QCOMPARE(heard(), QString("lane 1: does not go on"));
        QStringList parts;
        QVERIFY(view->picture());
        for (int i = 0; i < of(view)->childCount(); ++i)
            parts << of(view)->child(i)->text(QAccessible::Name);
        QVERIFY2(parts.contains("lane 0: goes on") && parts.contains("lane 1: does not go on"),
                 qPrintable(parts.join(QLatin1Char('\n'))));
        QTest::keyClick(view, Qt::Key_Return);
        QVERIFY2(heard().contains("of 32 lanes right"), qPrintable(heard()));
        while (desk.asked()) // to the end of what can be asked, and why nothing more is
            QTest::keyClick(view, Qt::Key_Return);
        QVERIFY2(heard().contains("nothing more to predict"), qPrintable(heard()));
        QTest::keyClick(view, Qt::Key_Escape);
        QVERIFY(heard().contains(view->view().question()));
    }

    void anotherTimeIsAnotherValue() {
        open("lanes");
        QAccessible::installUpdateHandler(listen);
        told.clear();
        QAccessibleInterface* view = of(m_window->views().current());
        m_window->transport().toStart();
        const QString before = view->text(QAccessible::Description);
        m_window->transport().stepForward();
        QTRY_VERIFY(view->text(QAccessible::Description) != before);
        QCOMPARE(view->valueInterface()->currentValue().toLongLong(),
                 qlonglong(m_window->selection().get().time.value));
        const auto heard = [&](QAccessible::Event what) {
            return std::any_of(told.begin(), told.end(),
                               [&](const Told& one) { return one.what == what && one.of == view->object(); });
        };
        if (QAccessible::isActive()) // Qt sends nothing where nobody can listen, as off-screen
            QTRY_VERIFY(heard(QAccessible::ValueChanged) && heard(QAccessible::DescriptionChanged));
        QAccessible::installUpdateHandler(nullptr);
    }

    // Who hears the first answer hears the question, and who hears the picture then, whether the answer was right and what
    // the step says. Where one is comes first: it is what changes from key to key.
    void aLessonIsHeard() {
        m_window->startLesson(QStringLiteral("one-warp-two-paths"));
        settle();
        const QString question = child<QLabel>("questionText")->text();
        QTRY_VERIFY(QApplication::focusWidget()->objectName() == QStringLiteral("questionLane"));
        QCOMPARE(of(QApplication::focusWidget())->text(QAccessible::Description), question);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Right);
        QVERIFY(of(QApplication::focusWidget())->text(QAccessible::Description).isEmpty()); // not at each lane again
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        ViewWidget* view = m_window->views().current();
        QCOMPARE(QApplication::focusWidget(), view);
        QTRY_VERIFY_WITH_TIMEOUT(view->picture(), 60000);
        const QStringList heard = of(view)->text(QAccessible::Description).split(QLatin1Char('\n'));
        QVERIFY2(heard[0].contains(QLatin1String("block 0; warp 0")), qPrintable(heard[0]));
        QCOMPARE(heard[1], child<QLabel>("stepAnswer")->text());
        QVERIFY(heard[1].startsWith(QLatin1String("You said 0 lanes, and that is not so.")));
        QCOMPARE(heard[2], child<QLabel>("storyText")->text());
        QVERIFY(heard[3] == view->view().question());
        m_window->views().showView(QStringLiteral("timeline")); // the others say what they are
        QCOMPARE(m_window->views().current()->accessibleDescription(), m_window->views().current()->view().question());
        QTest::keyClick(m_window->views().current(), Qt::Key_PageDown);
        settle();
        QVERIFY(!m_window->views().current()->accessibleDescription().contains(heard[1]));
    }

    // The lists follow what is open; the focus is where the keys are, and nothing else says that it has it.
    void onlyTheFocusSaysThatItHasIt() {
        QAccessible::installUpdateHandler(listen);
        told.clear();
        m_window->startLesson(QStringLiteral("one-warp-two-paths"));
        settle();
        QCoreApplication::processEvents();
        for (const Told& one : told)
            if (one.what == QAccessible::Focus)
                QVERIFY2(!qobject_cast<const QListWidget*>(one.of), qPrintable(one.of->objectName()));
        QAccessible::installUpdateHandler(nullptr);
    }

    // A clock in a window that is not shown does not speak up every second.
    void hiddenNotesAreSilent() {
        auto* clock = m_window->presenterNotes().findChild<QLabel*>(QStringLiteral("presenterClock"));
        const QString before = clock->text();
        QTest::qWait(1300);
        QCOMPARE(clock->text(), before);
        m_window->presenterNotes().show();
        QTRY_VERIFY(clock->text() != before);
    }

    // What is read of a kernel are its words, without the marks of the type they are set in.
    void kernelsAreReadWithoutMarks() {
        auto* list = child<QListWidget>("gallery");
        int described = 0;
        for (int i = 0; i < list->count(); ++i) {
            const QString said = list->item(i)->data(Qt::AccessibleDescriptionRole).toString();
            described += !said.isEmpty();
            QVERIFY2(!said.contains(QLatin1Char('<') + QStringLiteral("p")) && !said.contains(QStringLiteral("</")),
                     qPrintable(said));
        }
        QVERIFY(described > 20);
    }

    // Whatever can be pressed, chosen or written in has a name, and the Tab key comes there.
    void everythingHasANameAndIsReachedByKeyboard() {
        open("lanes");
        for (const bool start : {false, true}) {
            m_window->showStartPage(start);
            QCoreApplication::processEvents();
            QSet<const QWidget*> reached;
            for (QWidget* w = m_window->nextInFocusChain(); w && w != m_window.get() && !reached.contains(w);
                 w = w->nextInFocusChain())
                reached.insert(w);
            QStringList nameless, unreached;
            for (QWidget* widget : m_window->findChildren<QWidget*>()) {
                const bool meant = qobject_cast<QAbstractButton*>(widget) || qobject_cast<QComboBox*>(widget) ||
                                   qobject_cast<QLineEdit*>(widget) || qobject_cast<QSlider*>(widget) ||
                                   qobject_cast<ViewWidget*>(widget) || qobject_cast<QAbstractScrollArea*>(widget) ||
                                   qobject_cast<QTabWidget*>(widget);
                if (qobject_cast<QAbstractScrollArea*>(widget) && widget->focusPolicy() == Qt::NoFocus)
                    continue;
                if (!meant || !widget->isVisible() || widget->objectName().startsWith(QLatin1String("qt_")))
                    continue;
                if (qobject_cast<QTabBar*>(widget->parentWidget())) // its scroll buttons; the arrows move it
                    continue;
                const QString what = QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char(' ') +
                                     widget->objectName() + QLatin1Char(' ') + widget->toolTip();
                if (of(widget)->text(QAccessible::Name).isEmpty())
                    nameless << what;
                if (widget->isEnabled() && (!(widget->focusPolicy() & Qt::TabFocus) || !reached.contains(widget)))
                    unreached << what;
            }
            QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QLatin1Char('\n'))));
            QVERIFY2(unreached.isEmpty(), qPrintable(unreached.join(QLatin1Char('\n'))));
        }
    }

    // Twice the type, in a usual window and a small one: no button's word is cut off.
    void typeOfTwoHundredPercentIsNotCut() {
        open("lanes");
        m_window->setFontScale(2.0);
        QStringList cut;
        for (const QSize size : {QSize(1600, 900), QSize(1280, 720)}) {
            m_window->resize(size);
            QCoreApplication::sendPostedEvents();
            QCoreApplication::processEvents();
            for (const QAbstractButton* button : m_window->findChildren<QAbstractButton*>()) {
                const bool scrolls = qobject_cast<QTabBar*>(button->parentWidget());
                if (!button->isVisible() || button->text().isEmpty() || scrolls)
                    continue;
                const int words = button->fontMetrics().horizontalAdvance(button->text().remove(QLatin1Char('&')));
                if (button->width() < words || button->height() < button->fontMetrics().height())
                    cut << QStringLiteral("%1 at %2: %3 of %4")
                               .arg(button->text())
                               .arg(size.width())
                               .arg(button->width())
                               .arg(words);
            }
        }
        m_window->setFontScale(1.0);
        QVERIFY2(cut.isEmpty(), qPrintable(cut.join(QLatin1Char('\n'))));
    }
};

WARPGLASS_QT_TEST(TestWindowAccessible)
#include "test_window_accessible.moc"
