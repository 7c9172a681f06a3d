// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/export/film.h"

#include "app/window/export/gif.h"
#include "app/window/model/playback.h"
#include "app/window/view_registry.h"
#include "gpu/base/part.h"
#include "views/common/page.h"
#include "views/common/ticks.h"
#include "views/common/whole_file.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QProcess>
#include <QStandardPaths>

#include <algorithm>
#include <cmath>

namespace warpglass {

namespace {

struct FilmText {
    Q_DECLARE_TR_FUNCTIONS(Film)
};

constexpr int mostFrames = 20000;
constexpr qint64 mostPixels = 7680 * 4320; // of a frame: painted again for each moment, and players take no more
constexpr int patience = 120000;           // ms without a byte taken or given: ffmpeg hangs

QString lastLine(const QByteArray& bytes) {
    const QStringList lines = QString::fromUtf8(bytes).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    return lines.isEmpty() ? FilmText::tr("no reason given") : lines.last().trimmed();
}

// The pictures of a film, one after the other; each takes over the model of the one before.
class Frames {
public:
    Frames(const View& view, const PaintContext& base, QSize size, TimeRange range)
        : m_view(view), m_context(base), m_size(size), m_range(range) {}

    // Works out the model, which all frames share.
    void prepare(Progress& progress) {
        m_picture = m_view.compose(m_context, QRectF(QPointF(0, 0), QSizeF(m_size)), progress);
    }
    QImage at(const ScorePoint& point) {
        m_context.selection.time = point.time;
        m_context.selection.motion = point.motion;
        const Time time = timeShown(m_context.selection);
        // Its line is as high for the last frame as for the first: the clock grows.
        const Page page = composePage(m_view, m_context, m_size, m_picture, clock(m_range.length()));
        m_picture = page.picture;
        QImage image(m_size, QImage::Format_RGB32);
        QPainter painter(&image);
        paintPage(page, painter, clock(time - m_range.begin));
        return image;
    }

private:
    QString clock(Time passed) const {
        return timeText(passed, m_context.trace->info.timeUnit); // how long it takes is seen at its end, not before
    }

    const View& m_view;
    PaintContext m_context;
    QSize m_size;
    TimeRange m_range;
    PicturePtr m_picture;
};

// The frames as ffmpeg's standard input, one after the other.
class Encoder {
public:
    Encoder(const FilmRequest& request, QSize size, const QString& output) : m_size(size) {
        QStringList arguments{QStringLiteral("-y"),
                              QStringLiteral("-loglevel"),
                              QStringLiteral("error"),
                              QStringLiteral("-f"),
                              QStringLiteral("rawvideo"),
                              QStringLiteral("-pix_fmt"),
                              QStringLiteral("bgra"),
                              QStringLiteral("-s"),
                              QStringLiteral("%1x%2").arg(size.width()).arg(size.height()),
                              QStringLiteral("-r"),
                              QString::number(request.fps),
                              QStringLiteral("-i"),
                              QStringLiteral("-")};
        arguments << QStringLiteral("-pix_fmt") << QStringLiteral("yuv420p"); // what every player takes
        if (QFileInfo(output).suffix().toLower() == QLatin1String("mp4"))
            arguments << QStringLiteral("-movflags") << QStringLiteral("+faststart");
        arguments << QStringLiteral("-metadata")
                  << QStringLiteral("comment=%1").arg(traceCaption(*request.context.trace, request.context.selection))
                  << output;
        m_process.setProcessChannelMode(QProcess::SeparateChannels);
        m_process.start(ffmpegPath(), arguments);
        m_good = m_process.waitForStarted(patience);
    }
    ~Encoder() {
        if (m_process.state() != QProcess::NotRunning) {
            m_process.kill();
            m_process.waitForFinished(patience);
        }
    }

    bool add(const QImage& frame) {
        for (int y = 0; m_good && y < m_size.height(); ++y)
            m_good = m_process.write(reinterpret_cast<const char*>(frame.constScanLine(y)), m_size.width() * 4) >= 0;
        while (m_good && m_process.bytesToWrite() > 0)
            m_good = m_process.state() == QProcess::Running && m_process.waitForBytesWritten(patience);
        return m_good;
    }
    // Empty, or what ffmpeg said.
    QString finish() {
        m_process.closeWriteChannel();
        m_process.waitForFinished(patience);
        const bool done = m_good && m_process.exitStatus() == QProcess::NormalExit && m_process.exitCode() == 0;
        return done
                   ? QString()
                   : FilmText::tr("ffmpeg could not make the film: %1").arg(lastLine(m_process.readAllStandardError()));
    }

private:
    QProcess m_process;
    QSize m_size;
    bool m_good = false;
};

QString writeFrames(const View& view, const FilmRequest& request, const std::vector<ScorePoint>& times, TimeRange range,
                    Progress& progress) {
    if (!QDir().mkpath(request.output))
        return FilmText::tr("The folder %1 cannot be made. Choose one in which you may create files.")
            .arg(request.output);
    Frames frames(view, request.context, request.size, range);
    frames.prepare(progress);
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (progress.cancelled())
            return FilmText::tr("The film was cancelled after %1 of %2 pictures.").arg(i).arg(times.size());
        const QString path =
            QDir(request.output).filePath(QStringLiteral("frame-%1.png").arg(i + 1, 5, 10, QLatin1Char('0')));
        if (QString problem; !writeWholePng(path, frames.at(times[i]), &problem))
            return problem;
        progress.report(double(i + 1) / double(times.size()));
    }
    return {};
}

QString encode(const View& view, const FilmRequest& request, const std::vector<ScorePoint>& times, TimeRange range,
               Progress& progress) {
    // Half the colours of four pixels are one in most films: sides must be even.
    const QSize size(request.size.width() & ~1, request.size.height() & ~1);
    QString cannot = FilmText::tr("%1 cannot be written.").arg(request.output);
    // ffmpeg takes the format from the ending, so that stays.
    const QString ending = QLatin1Char('.') + QFileInfo(request.output).suffix();
    Part part(QFile::encodeName(request.output).toStdString(), QFile::encodeName(ending).toStdString());
    if (part.problem())
        return cannot;
    QString problem;
    {
        Frames frames(view, request.context, size, range);
        frames.prepare(progress);
        Encoder encoder(request, size, QFile::decodeName(part.path().c_str()));
        for (std::size_t i = 0; i < times.size() && problem.isEmpty(); ++i) {
            if (progress.cancelled())
                problem = FilmText::tr("The film was cancelled.");
            else if (!encoder.add(frames.at(times[i])))
                break;
            progress.report(0.97 * double(i + 1) / double(times.size()));
        }
        if (problem.isEmpty())
            problem = encoder.finish();
    }
    if (problem.isEmpty() && part.finish())
        problem = cannot;
    return problem;
}

QString writeGif(const View& view, const FilmRequest& request, const std::vector<ScorePoint>& times, TimeRange range,
                 Progress& progress) {
    WholeFile file(request.output);
    if (!file.open(QIODevice::WriteOnly))
        return file.whyNot();
    Frames frames(view, request.context, request.size, range);
    frames.prepare(progress);
    GifWriter writer(file, request.size, request.fps);
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (progress.cancelled())
            return FilmText::tr("The film was cancelled.");
        if (!writer.add(frames.at(times[i])))
            return file.whyNot();
        progress.report(double(i + 1) / double(times.size()));
    }
    return writer.finish() && file.commit() ? QString() : file.whyNot();
}

bool isGif(const QString& output) {
    return QFileInfo(output).suffix().toLower() == QLatin1String("gif");
}

} // namespace

bool isFilm(const QString& output) {
    static const QStringList films{QStringLiteral("mp4"), QStringLiteral("webm"), QStringLiteral("mkv"),
                                   QStringLiteral("gif")};
    return films.contains(QFileInfo(output).suffix().toLower());
}

QString ffmpegPath() {
    return QStandardPaths::findExecutable(QStringLiteral("ffmpeg"));
}

int frameCount(const FilmRequest& request) {
    return std::max(2, int(std::lround(request.seconds * request.fps)));
}

std::vector<Time> shownMoments(const PaintContext& c, Progress& progress) {
    const Moments moments = momentsOf(*c.trace, c.other.get(), progress, 1, c.otherShift);
    const bool part = c.selection.visible.end > c.selection.visible.begin;
    std::vector<Time> times;
    for (const std::int64_t t : moments.times)
        if (!part || c.selection.visible.contains({t}))
            times.push_back({t});
    return times;
}

std::vector<Time> frameTimes(const FilmRequest& request, Progress& progress) {
    const std::vector<Time> moments = shownMoments(request.context, progress);
    std::vector<Time> times;
    if (moments.empty())
        return times;
    const int frames = frameCount(request);
    const double last = double(moments.size() - 1);
    for (int i = 0; i < frames; ++i)
        times.push_back(moments[std::size_t(std::llround(last * i / (frames - 1)))]);
    return times;
}

std::vector<ScorePoint> framePoints(const FilmRequest& request, const std::vector<Beat>& beats, Progress& progress) {
    std::vector<ScorePoint> points;
    const std::vector<Time> times = frameTimes(request, progress);
    if (times.empty())
        return points;
    if (beats.empty()) {
        for (const Time time : times)
            points.push_back({time, {}});
        return points;
    }
    const Score score = scoreOf(beats, {times.front(), times.back()});
    for (std::size_t i = 0; i < times.size(); ++i)
        points.push_back(pointAt(score, score.length * double(i) / double(times.size() - 1), request.still));
    return points;
}

QString makeFilm(const FilmRequest& request, Progress& progress) {
    const std::unique_ptr<View> view = makeView(request.view);
    if (!view)
        return FilmText::tr("There is no view \"%1\".").arg(request.view);
    if (!request.context.trace)
        return FilmText::tr("There is no run to film.");
    if (request.size.width() < 2 || request.size.height() < 2)
        return FilmText::tr("A film needs a width and a height of two pixels or more.");
    if (qint64(request.size.width()) * request.size.height() > mostPixels)
        return FilmText::tr("A film of %1 x %2 is too large: its pictures have at most as many pixels as 7680 x 4320.")
            .arg(request.size.width())
            .arg(request.size.height());
    if (!(request.seconds > 0) || request.fps < 1 || request.seconds * request.fps > mostFrames)
        return FilmText::tr("A film lasts longer than nothing and has at most %1 pictures.").arg(mostFrames);
    if (isFilm(request.output) && !isGif(request.output) && ffmpegPath().isEmpty())
        return FilmText::tr("ffmpeg is not installed, so no film can be made. Install it, or give a file that ends in "
                            ".gif, or a folder: the "
                            "pictures are written there.");
    if (const auto empty = view->thoroughEmptiness(request.context))
        return FilmText::tr("This view has nothing to show: %1").arg(empty->why);
    Progress nobody;
    const PicturePtr first =
        view->compose(request.context, QRectF(QPointF(0, 0), QSizeF(request.size)), nobody); // for its beats
    const std::vector<ScorePoint> times = framePoints(request, first ? first->beats() : std::vector<Beat>(), progress);
    if (progress.cancelled())
        return FilmText::tr("The film was cancelled.");
    if (times.empty())
        return FilmText::tr("Nothing happens in this part of the run, so there is nothing to film.");
    const TimeRange range{times.front().time, times.back().time};
    if (isGif(request.output))
        return writeGif(*view, request, times, range, progress);
    return isFilm(request.output) ? encode(*view, request, times, range, progress)
                                  : writeFrames(*view, request, times, range, progress);
}

} // namespace warpglass
