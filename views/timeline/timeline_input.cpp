// SPDX-License-Identifier: GPL-3.0-or-later
// What the wheel, a drag and the keys change in a timeline.
#include "views/timeline/timeline_picture.h"

#include "views/timeline/timeline_text.h"

#include <cmath>

namespace warpglass {

std::optional<Change> TimelinePicture::answer(const Input& input) const {
    return std::visit(InputCases{[&](const WheelInput& i) { return wheel(i); },
                                 [&](const DragInput& i) { return drag(i); },
                                 [&](const KeyInput& i) { return key(i); }},
                      input);
}

// What is shown without a choice is no window, so that it follows the run.
Change TimelinePicture::showing(TimeRange window) const {
    Change change = unchanged();
    change.selection.visible = window == model().frameAt(context.selection.time) ? TimeRange{} : window;
    return change;
}

Change TimelinePicture::scrolled(double by) const {
    Change change = unchanged();
    const double most = std::max(0.0, m_layout.contentHeight - m_layout.rows.height());
    timelineScroll.set(change.options, std::clamp(m_layout.scroll + by, 0.0, most));
    return change;
}

std::optional<Change> TimelinePicture::wheel(const WheelInput& input) const {
    if (input.modifiers & Qt::ControlModifier) {
        Change change = unchanged();
        timelineRowHeight.set(change.options, rowHeightWithin(m_state.rowHeight * std::pow(1.15, input.steps)));
        return change;
    }
    if (input.at.x() < m_layout.rows.left() || (input.modifiers & Qt::ShiftModifier))
        return scrolled(-input.steps * 60);
    return showing(m_layout.scale.zoomed(input.at.x(), std::pow(0.8, input.steps), model().range));
}

std::optional<Change> TimelinePicture::drag(const DragInput& input) const {
    const TimeAxis& scale = m_layout.scale;
    if (onScale(input.from)) { // measuring: a span on the chart or the ruler
        Change change = unchanged();
        // A drag goes on where the last one ended; elsewhere it begins a new measurement.
        const bool goesOn =
            timelineMeasureTo.isSet(context.options) && std::abs(scale.x(m_state.measureTo) - input.from.x()) <= 3;
        if (!goesOn)
            timelineMeasureFrom.set(change.options, scale.time(input.from.x()).value);
        timelineMeasureTo.set(change.options, scale.time(input.to.x()).value);
        return change;
    }
    Change change = scrolled(input.from.y() - input.to.y());
    if (input.from.x() != input.to.x())
        change.selection = showing(scale.shifted(input.to.x() - input.from.x(), model().range)).selection;
    return change;
}

std::optional<Change> TimelinePicture::key(const KeyInput& input) const {
    const TimeAxis& scale = m_layout.scale;
    const TimeRange all = model().range;
    const double middle = scale.left + scale.width / 2, step = scale.width * 0.15;
    switch (input.key) {
    case Qt::Key_W:
        return showing(scale.zoomed(middle, 0.7, all));
    case Qt::Key_S:
        if (input.modifiers != Qt::NoModifier)
            return std::nullopt;
        return showing(scale.zoomed(middle, 1 / 0.7, all));
    case Qt::Key_A:
    case Qt::Key_Left:
        return showing(scale.shifted(step, all));
    case Qt::Key_D:
    case Qt::Key_Right:
        return showing(scale.shifted(-step, all));
    case Qt::Key_Up:
        return scrolled(-60);
    case Qt::Key_Down:
        return scrolled(60);
    case Qt::Key_Home: {
        Change change = showing(scale.window == all ? model().frameAt(context.selection.time) : all);
        timelineMeasureFrom.set(change.options, 0);
        timelineMeasureTo.set(change.options, 0);
        return change;
    }
    case Qt::Key_F: {
        if (context.selection.warp >= trace().warps.size())
            return std::nullopt;
        const Warp& warp = trace().warps[context.selection.warp];
        const Time margin{std::max<std::int64_t>(4, (warp.end - warp.start).value / 20)};
        return showing({std::max(all.begin, warp.start - margin), std::min(all.end, warp.end + margin)});
    }
    case Qt::Key_B:
        return input.modifiers == Qt::NoModifier ? bookmark() : std::nullopt;
    case Qt::Key_E:
    case Qt::Key_Delete:
        return changeNote(input.key == Qt::Key_Delete);
    case Qt::Key_N:
        return toNote(input.modifiers & Qt::ShiftModifier ? -1 : 1);
    default:
        return std::nullopt;
    }
}

std::optional<Change> TimelinePicture::bookmark() const {
    Change change = unchanged();
    const TimelineNote here{context.selection.time, context.selection.warp, {}};
    change.options[notesOption] = notesToOption(withNote(m_state.notes, here));
    return change;
}

std::optional<Change> TimelinePicture::changeNote(bool remove) const {
    const int n = noteAt(context.selection.time);
    if (n < 0)
        return std::nullopt;
    TimelineNotes notes = m_state.notes;
    if (remove) {
        notes.removeAt(n);
    } else {
        const auto text = m_ask(TimelineText::tr("Note at %1").arg(sinceStart(trace(), notes[n].time)), notes[n].text);
        if (!text)
            return std::nullopt;
        notes[n].text = text->simplified();
    }
    Change change = unchanged();
    change.options[notesOption] = notesToOption(notes);
    return change;
}

std::optional<Change> TimelinePicture::toNote(int direction) const {
    const int n = noteAfter(m_state.notes, context.selection.time, direction);
    if (n < 0)
        return std::nullopt;
    const Time time = m_state.notes[n].time;
    Change change{context.options, atNote(m_state.notes[n])};
    const TimeRange window = m_layout.scale.window;
    if (time < window.begin || time >= window.end) {
        const Time half{window.length().value / 2};
        change.selection.visible = TimeAxis{{time - half, time + half}, 0, 1}.shifted(0, model().range);
    }
    return change;
}

} // namespace warpglass
