// SPDX-License-Identifier: GPL-3.0-or-later
// A real browser without a window, for tests: Chromium, driven through the pair of pipes that it offers
// (--remote-debugging-pipe), on which commands and events are JSON with a zero byte behind each. Whatever the page
// complains of, asks the network for or pops up is kept.
#pragma once

#include <QElapsedTimer>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QStringList>
#include <QTemporaryDir>
#include <QThread>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace checks {

class Browser {
public:
    static constexpr int patience = 120000; // ms for one answer

    ~Browser() {
        if (m_process.state() != QProcess::NotRunning) {
            m_process.kill();
            m_process.waitForFinished(patience);
        }
        for (const int fd : {m_write, m_read})
            if (fd >= 0)
                ::close(fd);
    }

    // False: there is no such browser here, or it does not start.
    bool start() {
        QString program;
        for (const char* name : {"chromium", "chromium-browser", "google-chrome"})
            if (program.isEmpty())
                program = QStandardPaths::findExecutable(QLatin1String(name));
        int in[2], out[2];
        if (program.isEmpty() || ::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0)
            return false;
        m_write = in[1];
        m_read = out[0];
        const int reads = in[0], writes = out[1];
        m_process.setChildProcessModifier([reads, writes] { // it reads from 3 and writes to 4
            constexpr int aside = 20;
            const int r = ::fcntl(reads, F_DUPFD, aside), w = ::fcntl(writes, F_DUPFD, aside);
            ::dup2(r, 3);
            ::dup2(w, 4);
        });
        m_process.setStandardErrorFile(QProcess::nullDevice());
        m_process.setStandardOutputFile(QProcess::nullDevice());
        m_process.start(program,
                        {"--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
                         "--hide-scrollbars", "--force-color-profile=srgb", "--no-first-run",
                         "--disable-background-networking", "--user-data-dir=" + m_profile.path(), "about:blank"});
        ::close(reads);
        ::close(writes);
        if (!m_process.waitForStarted(patience))
            return false;
        const QString target = call("Target.createTarget", {{"url", "about:blank"}})["targetId"].toString();
        m_session = call("Target.attachToTarget", {{"targetId", target}, {"flatten", true}})["sessionId"].toString();
        for (const char* domain : {"Page", "Runtime", "Log", "Network", "Accessibility"})
            call(QLatin1String(domain) + QLatin1String(".enable"));
        return !m_session.isEmpty();
    }

    QJsonObject call(const QString& method, const QJsonObject& parameters = {}) {
        QJsonObject command{{"id", ++m_last}, {"method", method}, {"params", parameters}};
        if (!m_session.isEmpty())
            command["sessionId"] = m_session;
        const QByteArray bytes = QJsonDocument(command).toJson(QJsonDocument::Compact) + '\0';
        for (qsizetype sent = 0; sent < bytes.size();) {
            const ssize_t n = ::write(m_write, bytes.constData() + sent, std::size_t(bytes.size() - sent));
            if (n <= 0)
                return {};
            sent += n;
        }
        for (;;) {
            const QJsonObject message = next();
            if (message.isEmpty())
                return {};
            if (message["id"].toInt() == m_last) {
                if (message.contains("error"))
                    complaints << method + ": " + message["error"].toObject()["message"].toString();
                return message["result"].toObject();
            }
            heed(message);
        }
    }

    QJsonValue js(const QString& expression) {
        const QJsonObject result =
            call("Runtime.evaluate", {{"expression", expression}, {"returnByValue", true}, {"awaitPromise", true}});
        if (result.contains("exceptionDetails"))
            complaints << expression + ": " + QJsonDocument(result["exceptionDetails"].toObject()).toJson();
        return result["result"].toObject()["value"];
    }
    // Waits for something that becomes true.
    bool until(const QString& expression) {
        QElapsedTimer clock;
        clock.start();
        while (clock.elapsed() < patience) {
            if (js(expression).toBool())
                return true;
            QThread::msleep(20);
        }
        return false;
    }

    bool open(const QString& address) {
        call("Page.navigate", {{"url", "about:blank"}}); // so that a new fragment is a new page
        call("Page.navigate", {{"url", address}});
        return until("document.readyState === 'complete' && document.querySelector('main') !== null");
    }
    void size(int width, int height, bool phone = false) {
        call("Emulation.setDeviceMetricsOverride",
             {{"width", width}, {"height", height}, {"deviceScaleFactor", 1}, {"mobile", phone}});
    }
    void key(const QString& key, int code) {
        for (const char* type : {"keyDown", "keyUp"}) {
            QJsonObject event{{"type", type}, {"key", key}, {"windowsVirtualKeyCode", code}};
            if (key == " " && event["type"] == "keyDown")
                event["text"] = " ";
            call("Input.dispatchKeyEvent", event);
        }
    }
    // Of an element, or of what is in sight.
    QImage picture(const QString& selector = {}) {
        QJsonObject parameters{{"format", "png"}, {"captureBeyondViewport", true}};
        if (!selector.isEmpty()) {
            const QJsonObject box =
                js("(() => { const r = document.querySelector('" + selector +
                   "').getBoundingClientRect(); return {x: r.x + scrollX, y: r.y + scrollY, width: r.width, height: "
                   "r.height}; })()")
                    .toObject();
            QJsonObject clip = box;
            clip["scale"] = 1;
            parameters["clip"] = clip;
        }
        return QImage::fromData(
            QByteArray::fromBase64(call("Page.captureScreenshot", parameters)["data"].toString().toLatin1()), "PNG");
    }
    // Buttons and fields that a screen reader would find without a name.
    int nameless() {
        int count = 0;
        for (const QJsonValue& value : call("Accessibility.getFullAXTree")["nodes"].toArray()) {
            const QJsonObject node = value.toObject();
            const QString role = node["role"].toObject()["value"].toString();
            static const QStringList named{"button", "slider", "combobox", "textbox", "image", "navigation"};
            count += named.contains(role) && !node["ignored"].toBool() &&
                     node["name"].toObject()["value"].toString().trimmed().isEmpty();
        }
        return count;
    }

    QStringList complaints; // of the console, exceptions, violated policies, dialogs
    QStringList requests;   // to anything but files

private:
    QJsonObject next() {
        qsizetype end;
        while ((end = m_buffer.indexOf('\0')) < 0) {
            pollfd waits{m_read, POLLIN, 0};
            if (::poll(&waits, 1, patience) <= 0)
                return {};
            char bytes[65536];
            const ssize_t n = ::read(m_read, bytes, sizeof bytes);
            if (n <= 0)
                return {};
            m_buffer.append(bytes, n);
        }
        const QJsonObject message = QJsonDocument::fromJson(m_buffer.left(end)).object();
        m_buffer.remove(0, end + 1);
        return message;
    }
    void heed(const QJsonObject& event) {
        const QString method = event["method"].toString();
        const QJsonObject parameters = event["params"].toObject();
        if (method == "Network.requestWillBeSent") {
            const QString url = parameters["request"].toObject()["url"].toString();
            if (!url.startsWith("file:") && !url.startsWith("about:") && !url.startsWith("data:"))
                requests << url;
        } else if (method == "Runtime.exceptionThrown" || method == "Runtime.consoleAPICalled" ||
                   method == "Log.entryAdded" || method == "Page.javascriptDialogOpening") {
            complaints << method + " " + QString::fromUtf8(QJsonDocument(parameters).toJson(QJsonDocument::Compact));
            if (method == "Page.javascriptDialogOpening")
                complaints << "a dialog was opened";
        }
    }

    QProcess m_process;
    QTemporaryDir m_profile;
    QString m_session;
    QByteArray m_buffer;
    int m_write = -1, m_read = -1, m_last = 0;
};

} // namespace checks
