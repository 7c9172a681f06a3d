// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/job.h"
#include "views/common/painted_words.h"
#include "views/common/view.h"

#include <QPixmap>
#include <QWidget>

namespace warpglass {

// Shows a View. It keeps the view's picture until trace, options, selection (as far as the view looks at it), theme or
// size change; hovering paints the overlay alone. What takes long is composed off the GUI thread, with progress after
// 300 ms; the old picture stays meanwhile. Mouse and keys go to the picture, and what it answers goes into the view's
// options and the shared selection.
class ViewWidget : public QWidget {
    Q_OBJECT
public:
    ViewWidget(std::unique_ptr<View> view, SelectionModel* selection, QWidget* parent = nullptr);
    ~ViewWidget() override;

    const View& view() const { return *m_view; }
    const PaintContext& context() const { return m_context; }
    // The picture of the present context, composed now if that is quick; null while it is composed elsewhere.
    const Picture* picture();
    void setTrace(TracePtr trace, TracePtr other = nullptr); // a new trace drops the companions
    void setCompanions(std::vector<TracePtr> companions);
    void setGhost(TracePtr ghost);                 // what a GPU did in this launch; a new trace drops it
    void setLayer(ScopesPtr layer);                // over it; a new trace drops it
    void setPinned(TracePtr pinned);               // the run that lies behind it as a shadow; null: none
    void setOtherShift(std::optional<Time> shift); // how the second trace is aligned
    void setResults(ResultsPtr results);
    void setProgram(std::shared_ptr<const ProgramModel> program);
    void setTheme(const Theme& theme);
    void setOption(const QString& name, const QVariant& value); // an invalid value: as if nobody had set it
    void setOptions(const Options& options);                    // all of them at once
    QSize sizeHint() const override { return {900, 600}; }

signals:
    void optionsChanged();
    void composed(); // a new picture is there, of what is to be shown now
    void actionRequested(const QString& action);

protected:
    bool event(QEvent*) override;
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    void mouseDoubleClickEvent(QMouseEvent*) override;
    void mouseMoveEvent(QMouseEvent*) override;
    void mouseReleaseEvent(QMouseEvent*) override;
    void wheelEvent(QWheelEvent*) override;
    void keyPressEvent(QKeyEvent*) override;
    void leaveEvent(QEvent*) override;
    void changeEvent(QEvent*) override;

private:
    void invalidate();
    void startComposing(); // off the GUI thread, unless that is being done
    void stopComposing();
    bool take(const Input& input);
    void take(const Change& change);
    void paintProgress(QPainter& painter) const;

    std::unique_ptr<View> m_view;
    SelectionModel* m_selection;
    PaintContext m_context;
    PicturePtr m_picture;                  // the newest there is
    bool m_stale = true;                   // m_picture is not of m_context and this size
    quint64 m_changes = 0;                 // of what pictures depend on
    QPixmap m_pixels;                      // the picture as painted
    bool m_unpainted = true;               // m_pixels is not of m_picture
    QVector<PaintedWord> m_words;          // of m_pixels
    Job m_job;                             // composes
    std::optional<PaintContext> m_ordered; // what it composes a picture of
    std::optional<double> m_fraction;      // of it, once it takes so long that a person wants to know
    QPointF m_pointer{-1, -1}, m_pressed, m_dragAt;
    bool m_dragging = false, m_down = false;
};

} // namespace warpglass
