// SPDX-License-Identifier: GPL-3.0-or-later
// The table of actions, and that the window's menus, keys and their help are made from it.
#include "app/window/action_set.h"
#include "app/window/main_window.h"
#include "app/window/window_parts.h"
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"
#include "views/common/state_words.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace warpglass;

namespace {

// Menus, entries and keys as a person knows them. Not taken from the table: what is moved or lost there is found here.
struct KnownMenu {
    const char* title;
    QStringList entries; // text, or "-" for a line; a text with a tab: its keys behind it
};

const QVector<KnownMenu>& knownMenus() {
    static const QVector<KnownMenu> menus{
        {"File",
         {"Write a kernel\tCtrl+N", "Open a trace or a kernel…\tCtrl+O", "Open recent", "Save the trace as…\tCtrl+S",
          "Save your kernel", "Save the visible part as…\tCtrl+Shift+S", "-", "Export this view…\tCtrl+E",
          "Export all views…\tCtrl+Shift+E", "Write a report…\tCtrl+Shift+R", "Make a film…\tCtrl+Shift+F",
          "Make a web page that plays…", "Copy the picture\tCtrl+Shift+C", "Copy the numbers\tCtrl+Alt+C",
          "Print…\tCtrl+Alt+P", "-", "Quit\tCtrl+Q"}},
        {"Run",
         {"Run again\tCtrl+R", "Run on the GPU\tCtrl+G", "Compare\tCtrl+D", "Pin this run as A\tCtrl+Shift+D",
          "Sweep and compare…\tCtrl+Shift+W", "Stop", "-", "Run compiled as written", "Run and record accesses",
          "Run and record all blocks", "-", "Back to the run before\tCtrl+Z", "On to the run after\tCtrl+Shift+Z", "-",
          "Run and model cycles", "Ask what the time is spent on", "Ask who used this word of memory\tCtrl+U",
          "Compare scheduling policies\tCtrl+P"}},
        {"Play",
         {"Play or pause\tSpace", "Play backward\tShift+Space", "One moment back\t[", "One moment on\t]",
          "Previous event of the warp\t,", "Next event of the warp\t.", "To the start\tShift+Home",
          "To the end\tShift+End", "-", "Slower\t-", "Faster\t+ =", "Loop\tL", "-", "Without motion",
          "Follow this thread\tT", "-", "Predict, then play\tF6"}},
        {"Go",
         {"Start page\tAlt+Home",
          "Back\tAlt+Left",
          "Forward\tAlt+Right",
          "To the program and back\tAlt+Up",
          "Everything by its name…\tCtrl+K",
          "Views",
          "Find a kernel\tCtrl+F",
          "Lessons and exercises",
          "-",
          "Previous step of the lesson\tPgUp",
          "Next step of the lesson\tPgDown",
          "Ask the step's question again",
          "End the lesson",
          "-",
          "Present\tF5 F11",
          "Presenting: play from the start\tR",
          "Presenting: spotlight\tH",
          "Presenting: pen that vanishes\tP",
          "Presenting: black screen\tB",
          "Presenting: code beside the view\tC",
          "Presenting: notes and clock\tN"}},
        {"Panels",
         {"Learn\tAlt+1", "Explore\tAlt+2", "Build\tAlt+3", "-", "Fold both sides away\tF4",
          "Kernels and launch\tShift+F4", "Source and warp\tCtrl+F4", "Fields of the launch\tCtrl+Shift+L",
          "Facts of the chosen warp", "All buttons of time", "-", "As they were at first"}},
        {"Theme",
         {"Light", "Dark", "For print", "For a projector", "-", "Larger type\tCtrl++ Ctrl+=", "Smaller type\tCtrl+-",
          "Usual type\tCtrl+0"}},
        {"Language · 语言", {"English", "简体中文"}},
        {"Help", {"Guide", "A tour of the window", "Claims of text books, checked", "Keys\t? F1", "About Warpglass"}},
    };
    return menus;
}

QString entryOf(const QAction* action) {
    if (action->isSeparator())
        return QStringLiteral("-");
    QStringList keys;
    for (const QKeySequence& key : action->shortcuts())
        keys << key.toString(QKeySequence::PortableText);
    return keys.isEmpty() ? action->text() : action->text() + '\t' + keys.join(' ');
}

} // namespace

class TestActions : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<OpenWindow> m_window;

private slots:
    void initTestCase() { prepareWindowTests(QStringLiteral("WarpglassActions")); }
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder->path());
        m_window = std::make_unique<OpenWindow>();
        m_window->setLanguage(QStringLiteral("en"));
    }
    void cleanup() {
        m_window.reset();
        m_folder.reset();
    }

    void everyRowHasATextAndADeed() {
        QSet<QString> names;
        for (const ActionRow& row : actionTable()) {
            QVERIFY2(*row.name && *row.text, row.name);
            QVERIFY2(!names.contains(row.name), row.name);
            names.insert(row.name);
            QVERIFY2(findAction(row.name) == &row, row.name);
            if (row.kind != ActionKind::SubMenu)
                QVERIFY2(m_window->action(row.name), row.name);
        }
        QVERIFY(!findAction("nonesuch"));
        for (int i = 0; i < std::min(numberedViews, m_window->views().count()); ++i)
            QVERIFY(m_window->action(viewAction(i)));
    }

    void noKeyMeansTwoThings() {
        QMap<QString, QString> keys;
        int found = 0;
        for (const QAction* action : m_window->actions())
            for (const QKeySequence& key : action->shortcuts()) {
                const QString text = key.toString(QKeySequence::PortableText);
                QCOMPARE(key.count(), 1); // one stroke each
                QVERIFY2(!keys.contains(text),
                         qPrintable(text + ": " + keys.value(text) + ", " + action->objectName()));
                keys[text] = action->objectName();
                ++found;
            }
        QVERIFY(found > 45);
        QCOMPARE(keys.value("Ctrl+1"), QString("view_0"));
        QCOMPARE(keys.value("F10"), QString("menu"));
    }

    void theMenusAreThoseThatPeopleKnow() {
        const QMenu* menu = m_window->findChild<QToolButton*>("menuButton")->menu();
        QVERIFY(menu);
        QCOMPARE(menu->actions().size(), knownMenus().size());
        for (int m = 0; m < knownMenus().size(); ++m) {
            const KnownMenu& known = knownMenus()[m];
            QCOMPARE(menu->actions()[m]->text(), QString::fromUtf8(known.title));
            QStringList entries;
            for (const QAction* action : menu->actions()[m]->menu()->actions())
                entries << entryOf(action);
            QCOMPARE(entries, known.entries);
        }
    }

    void withoutATraceNothingIsOfferedThatNeedsOne() {
        QStringList off;
        for (const ActionRow& row : actionTable())
            if (const QAction* action = m_window->action(row.name); action && !action->isEnabled())
                off << row.name;
        QCOMPARE(off, (QStringList{"save",    "savePart", "export",      "exportAll",     "report", "film",
                                   "page",    "copy",     "copyNumbers", "print",         "run",    "gpu",
                                   "compare", "pin",      "undo",        "redo",          "why",    "who",
                                   "follow",  "back",     "forward",     "program",       "replay", "spotlight",
                                   "pen",     "blackout", "presentCode", "presenterNotes"}));
        int shown = 0;
        connect(m_window.get(), &MainWindow::shown, this, [&shown] { ++shown; });
        m_window->openFile(QStringLiteral(":/recordings/mathKernel1-as-written.wgt"));
        QTRY_COMPARE_WITH_TIMEOUT(shown, 1, 30000);
        QVERIFY(m_window->action("save")->isEnabled() && m_window->action("compare")->isEnabled());
        QVERIFY(!m_window->action("run")->isEnabled()); // a recording is not run again
    }

    void theHelpAboutKeysIsMadeFromTheTable() {
        m_window->action("keys")->trigger();
        const auto* dialog = m_window->findChild<QDialog*>("keysDialog");
        QVERIFY(dialog);
        QStringList words;
        for (const QLabel* label : dialog->findChildren<QLabel*>())
            words << label->text();
        for (const ActionRow& row : actionTable())
            QCOMPARE(words.contains(row.text), *row.keys != 0);
        QVERIFY(words.contains("move in the view")); // what is no action
        for (const char* inTheTimeline :
             {"Ctrl+wheel", "Shift+wheel", "drag on the ruler", "B", "E, Delete", "N, Shift+N"})
            QVERIFY2(words.contains(inTheTimeline), inTheTimeline);
        // Beside the keys the glossary of states, with Nsight's names.
        for (const WarpState state : allOf<WarpState>) {
            QVERIFY2(words.contains(stateName(state)), name(state));
            QVERIFY2(words.contains(stateNsight(state)), name(state));
        }
    }

    void theTableSpeaksTheWindowsLanguage() {
        m_window->setLanguage(QStringLiteral("zh_CN"));
        QTRY_VERIFY(m_window->action("open")->text() != "Open a trace or a kernel…");
        QCOMPARE(m_window->action("language_en")->text(), QString("English"));
        m_window->setLanguage(QStringLiteral("en"));
        QTRY_COMPARE(m_window->action("open")->text(), QString("Open a trace or a kernel…"));
    }
};

WARPGLASS_QT_TEST(TestActions)
#include "test_actions.moc"
