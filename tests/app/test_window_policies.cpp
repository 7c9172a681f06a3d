// SPDX-License-Identifier: GPL-3.0-or-later
// The window's way to cycles and policies, with the real emulator behind it.
#include "app/window/export/pictures.h"
#include "app/window/language.h"
#include "app/window/main_window.h"
#include "app/window/window_parts.h"
#include "gpu/trace/file.h"
#include "tests/app/window_tests.h"
#include "tests/qt_tests.h"

#include <QComboBox>
#include <QSettings>
#include <QTemporaryDir>
#include <QtTest>

using namespace warpglass;

class TestWindowPolicies : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<OpenWindow> m_window;
    int m_shown = 0, m_seen = 0;

    void settle() {
        QTRY_VERIFY_WITH_TIMEOUT(m_shown > m_seen && !m_window->busy(), 60000);
        m_seen = m_shown;
    }
    ViewWidget* scheduler() { return m_window->views().widget(QStringLiteral("scheduler")); }

    // For a person to look at, if the environment names a folder.
    void keep(const char* name) {
        const QString folder = qEnvironmentVariable("WARPGLASS_PICTURES");
        if (!folder.isEmpty())
            m_window->grab().save(folder + QLatin1Char('/') + QLatin1String(name));
    }

private slots:
    void initTestCase() { prepareWindowTests(QStringLiteral("WarpglassTests")); }

    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder->path());
        m_window = std::make_unique<OpenWindow>();
        m_window->setLanguage(QStringLiteral("en"));
        m_shown = m_seen = 0;
        connect(m_window.get(), &MainWindow::shown, this, [this] { ++m_shown; });
        m_window->resize(1280, 720);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        m_window->runKernel(QStringLiteral("reduce0"));
        settle();
    }

    void cleanup() {
        m_window.reset();
        m_folder.reset();
    }

    void theEmptySchedulerOffersCyclesAndFillsItself() {
        QVERIFY(scheduler());
        m_window->views().showView(QStringLiteral("scheduler"));
        const auto emptiness = scheduler()->view().emptiness(scheduler()->context());
        if (emptiness) { // runs may come with cycles already
            scheduler()->setFocus();
            QTest::keyClick(scheduler(), Qt::Key_Return);
            settle();
        }
        QVERIFY(!m_window->current()->trace->states.empty());
        QVERIFY(!scheduler()->view().emptiness(scheduler()->context()));
        QCOMPARE(m_window->current()->name, QString("reduce0"));
        keep("window-scheduler.png");
    }

    void theRunMenuComparesThreePolicies() {
        const RunPtr before = m_window->current();
        m_window->action(QStringLiteral("policies"))->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(scheduler()->context().companions.size(), std::size_t(3), 60000);
        std::vector<std::string> policies;
        for (const TracePtr& trace : scheduler()->context().companions) {
            QVERIFY(!trace->states.empty());
            QCOMPARE(trace->launches.front().grid.text(), before->trace->launches.front().grid.text());
            policies.push_back(trace->timings.front().policy);
        }
        QCOMPARE(policies, (std::vector<std::string>{"lrr", "gto", "gty"}));
        QCOMPARE(m_window->current(), before); // what is open stays open
        QCOMPARE(m_window->views().currentKey(), QString("scheduler"));
        QCOMPARE(scheduler()->context().options.value("show").toString(), QString("policies"));
        QVERIFY(!scheduler()->view().emptiness(scheduler()->context()));
        keep("window-policies.png");

        // The same from files, without a window.
        RenderRequest request;
        Progress progress;
        QStringList files;
        for (const TracePtr& trace : scheduler()->context().companions) {
            files << m_folder->filePath(QString::fromStdString(trace->timings.front().policy) + ".wgt");
            QVERIFY(writeTrace(*trace, files.last().toStdString(), progress).ok());
        }
        request.file = files[2];
        request.more = {files[0], files[1]};
        request.view = "scheduler";
        request.select = "option:show=policies";
        request.output = m_folder->filePath("policies.csv");
        QCOMPARE(render(request), 0);
        QFile table(request.output);
        QVERIFY(table.open(QIODevice::ReadOnly));
        const QList<QByteArray> lines = table.readAll().trimmed().split('\n');
        QCOMPARE(lines.size(), 4);
        QVERIFY(lines[1].startsWith("reduce0,lrr,"));
        QVERIFY(lines[3].startsWith("reduce0,gty,"));
        m_window->runKernel(QStringLiteral("mathKernel1")); // they belonged to the other launch
        settle();
        QVERIFY(scheduler()->context().companions.empty());
    }

    void aPolicyIsChosenInTheLaunchPanel() {
        auto* record = m_window->findChild<QComboBox*>(QStringLiteral("record"));
        auto* policy = m_window->findChild<QComboBox*>(QStringLiteral("policy"));
        QVERIFY(record && policy);
        if (!policy->isVisibleTo(m_window.get()))
            m_window->action(QStringLiteral("launchFields"))->trigger();
        QVERIFY(policy->isVisibleTo(m_window.get()));
        if (!m_window->current()->request->options.timing) {
            QVERIFY(!policy->isEnabled());
            const int cycles = record->findText(QStringLiteral("with cycles"));
            QVERIFY(cycles >= 0);
            record->setCurrentIndex(cycles);
            emit record->activated(cycles);
            settle();
        }
        QVERIFY(policy->isEnabled());
        const int lrr = policy->findText(QStringLiteral("round robin"));
        QVERIFY(lrr >= 0);
        policy->setCurrentIndex(lrr);
        emit policy->activated(lrr);
        settle();
        QCOMPARE(m_window->current()->trace->timings.front().policy, std::string("lrr"));
    }
};

WARPGLASS_QT_TEST(TestWindowPolicies)
#include "test_window_policies.moc"
#include "views/common/view_widget.h"
