// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/base/progress.h"
#include "gpu/metrics/results.h"
#include "views/common/selection.h"
#include "views/common/theme.h"

#include <QMap>
#include <QPainter>
#include <QPixmap>
#include <QVariant>
#include <QVector>
#include <QWidget>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace warpglass {

// Everything a picture depends on. Painting is a pure function of this and the area.
struct PaintContext {
    TracePtr trace;                   // may be null: the view says why it is empty
    TracePtr other;                   // compare mode: the second trace, or null
    std::optional<Time> otherShift;   // other's time of a moment of trace; unset: both start together (see beside.h)
    std::vector<TracePtr> companions; // more runs of the same launch (other policies), for views that show several
    ResultsPtr results;               // launches side by side, of a sweep or a table; null: none
    Selection selection;
    Theme theme;
    QMap<QString, QVariant>
        options; // the view's own switches ("layer", "scope", ...), as its widget or --select set them
};

// A view: a name, one paint function, and what it can export. The widget (ViewWidget) shows it; the render command
// paints it without one. Both use the same object and the same function.
class View {
public:
    virtual ~View() = default;
    virtual QString key() const = 0;      // "launchmap": folder and command-line name
    virtual QString title() const = 0;    // translated
    virtual QString question() const = 0; // translated: what the view answers, one line under the title

    // Paints into area (device-independent pixels); never touches the trace. No hover here.
    virtual void paint(QPainter& painter, const QRectF& area, const PaintContext& context) const = 0;
    // Long work a picture needs first (indexes of a large trace). The widget does it off the GUI thread and shows
    // progress; paint() does it itself where nobody did. prepared() is cheap; prepare() may be cancelled, and is then
    // not prepared.
    virtual bool prepared(const PaintContext&) const { return true; }
    virtual void prepare(const PaintContext&, Progress&) const {}
    // Hover and cursor on top of the picture.
    virtual void paintOverlay(QPainter&, const QRectF& /*area*/, const PaintContext&, QPointF /*pointer*/) const {}
    // What a click at this point selects; the selection unchanged if nothing is there.
    virtual Selection hit(const QRectF& /*area*/, const PaintContext& context, QPointF) const {
        return context.selection;
    }
    // The window's action behind a button painted in the picture at this point ("as-written"), or empty.
    virtual QString actionAt(const QRectF& /*area*/, const PaintContext&, QPointF) const { return {}; }
    virtual QString toolTip(const QRectF& /*area*/, const PaintContext&, QPointF) const { return {}; }
    // The data of the picture with units and origin, comma-separated, header first; empty if there is none.
    virtual QString csv(const PaintContext&) const { return {}; }
    // What an exported picture says about itself in one line; empty: what traceCaption() says of the traces.
    virtual QString caption(const PaintContext&) const { return {}; }
    // Switches a person can set: option name, label, choices (value, label); the widget shows them as drop-downs.
    struct Switch {
        QString option, label;
        QVector<QPair<QString, QString>> choices;
        QString standard;
    };
    virtual QVector<Switch> switches(const PaintContext&) const { return {}; }
    // Wheel, drag and keys. Return true if options or selection changed.
    virtual bool wheel(const QRectF&, PaintContext&, QPointF /*at*/, double /*steps*/, Qt::KeyboardModifiers) const {
        return false;
    }
    virtual bool drag(const QRectF&, PaintContext&, QPointF /*from*/, QPointF /*to*/) const { return false; }
    // A click that changes the view itself (folds a row, say) rather than the selection; asked before hit().
    virtual bool press(const QRectF&, PaintContext&, QPointF) const { return false; }
    virtual bool key(const QRectF&, PaintContext&, int /*key*/, Qt::KeyboardModifiers) const { return false; }
    // If the view has nothing to show: why, and which action fills it (an action name of the window, may be empty).
    struct Emptiness {
        QString why;
        QString action;
        QString actionText;
    };
    virtual std::optional<Emptiness> emptiness(const PaintContext&) const { return std::nullopt; }
};

// The value of a switch, or its standard if nobody set it.
QString optionOf(const PaintContext& context, const QString& name, const QString& standard);

// Ground, then the picture, or, if the view is empty, why. Returns where the button of the empty state was painted
// (null rectangle if there is none; withAction false paints none, for pictures that cannot be clicked).
QRectF paintView(const View& view, QPainter& painter, const QRectF& area, const PaintContext& context,
                 bool withAction = true);

// Shows a View: caches the picture, repaints only the overlay on hover, forwards mouse and keys, writes the selection.
class ViewWidget : public QWidget {
    Q_OBJECT
public:
    ViewWidget(std::unique_ptr<View> view, SelectionModel* selection, QWidget* parent = nullptr);
    ~ViewWidget() override;

    const View& view() const { return *m_view; }
    const PaintContext& context() const { return m_context; }
    void setTrace(TracePtr trace, TracePtr other = nullptr); // a new trace drops the companions
    void setCompanions(std::vector<TracePtr> companions);
    void setOtherShift(std::optional<Time> shift); // how the second trace is aligned
    void setResults(ResultsPtr results);
    void setTheme(const Theme& theme);
    void setOption(const QString& name, const QVariant& value);
    QSize sizeHint() const override { return {900, 600}; }

signals:
    void optionsChanged();
    void actionRequested(const QString& action);

protected:
    bool event(QEvent*) override;
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    void mouseMoveEvent(QMouseEvent*) override;
    void mouseReleaseEvent(QMouseEvent*) override;
    void wheelEvent(QWheelEvent*) override;
    void keyPressEvent(QKeyEvent*) override;
    void leaveEvent(QEvent*) override;
    void changeEvent(QEvent*) override;

private:
    void invalidate();
    std::unique_ptr<View> m_view;
    SelectionModel* m_selection;
    PaintContext m_context;
    QPixmap m_picture;
    bool m_dirty = true;
    struct Preparation; // the running job of View::prepare, if any
    void startPreparing();
    std::unique_ptr<Preparation> m_preparation;
    QPointF m_pointer{-1, -1}, m_pressed, m_dragAt;
    bool m_dragging = false, m_down = false;
    QRectF m_actionRect;
    void take(const PaintContext& changed); // options and selection that the view's input functions changed
};

// Title, question and the view's switches as drop-downs, for a window to put above a ViewWidget. Follows the widget's
// options and the language.
class SwitchBar : public QWidget {
    Q_OBJECT
public:
    explicit SwitchBar(ViewWidget* widget, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent*) override;

private:
    void rebuild();
    ViewWidget* m_widget;
    QWidget* m_row = nullptr;
};

// What an exported picture must say about itself in one line: kernel, shape, device, backend, origin of the times,
// losses, clock error. Translated.
QString traceCaption(const Trace& trace, const Selection& selection);

// The picture of a page: the view and, below it, one line that says where its numbers come from. note stands at the
// right end of that line.
void paintPage(const View& view, QPainter& painter, QSize size, const PaintContext& context, const QString& note = {});
// The same as one SVG document, text as text.
QByteArray svgOf(const View& view, const PaintContext& context, QSize size);

// Paints the view into a file; the format by suffix: .png .svg .pdf .csv. size in pixels (PNG) or points (SVG, PDF).
// Returns an empty string, or why not.
QString exportView(const View& view, const PaintContext& context, const QString& path, QSize size, qreal scale = 1.0);

} // namespace warpglass
