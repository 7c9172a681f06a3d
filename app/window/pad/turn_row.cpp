// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pad/turn_row.h"

#include <QEvent>
#include <QWheelEvent>

#include <algorithm>

namespace warpglass {

namespace {
constexpr qint64 mostThreads = 1024, mostBlocks = 1024;
constexpr int gap = 12, margin = 12, sliderWidth = 84; // px
constexpr const char* movedSince = "movedSincePressed";

// A wheel that goes by does not turn it: only of the one that has the keys.
class Slider final : public QSlider {
public:
    using QSlider::QSlider;

protected:
    void wheelEvent(QWheelEvent* event) override { hasFocus() ? QSlider::wheelEvent(event) : event->ignore(); }
};
} // namespace

TurnRow::TurnRow(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("turnRow"));
    setAttribute(Qt::WA_StyledBackground);
    QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    hide();
}

bool TurnRow::isHeld() const {
    return std::any_of(m_knobs.begin(), m_knobs.end(), [](const Knob& knob) { return knob.slider->isSliderDown(); });
}

void TurnRow::show(const QVector<Turnable>& constants, Dim3 block, Dim3 grid) {
    if (isHeld())
        return;
    std::size_t at = 0;
    for (const Turnable& t : constants)
        put(at++, Kind::Constant, t.name, t.value, stopsOf(t.value), Dim3{1});
    put(at++, Kind::Block, {}, block.x, shapeStops(block, mostThreads), block);
    put(at++, Kind::Grid, {}, grid.x, shapeStops(grid, mostBlocks), grid);
    m_used = at;
    for (std::size_t n = 0; n < m_knobs.size(); ++n) {
        m_knobs[n].label->setVisible(n < m_used);
        m_knobs[n].slider->setVisible(n < m_used);
    }
    setVisible(true);
    updateGeometry();
    place(width(), true);
}

void TurnRow::clear() {
    m_used = 0;
    setVisible(false);
}

void TurnRow::put(std::size_t at, Kind kind, const QString& name, qint64 value, const QVector<qint64>& stops,
                  Dim3 shape) {
    if (at == m_knobs.size()) {
        Knob knob;
        knob.label = new QLabel(this);
        knob.label->setTextFormat(Qt::PlainText);
        knob.slider = new Slider(Qt::Horizontal, this);
        knob.slider->setFocusPolicy(Qt::StrongFocus);
        knob.label->setBuddy(knob.slider);
        const auto turn = [this, at](bool settled) {
            Knob& one = m_knobs[at];
            one.value = one.stops[one.slider->value()];
            one.slider->setProperty(movedSince, !settled);
            say(one);
            emit turned(one.kind, one.name, one.value, settled);
        };
        connect(knob.slider, &QSlider::valueChanged, this, [this, turn, slider = knob.slider] {
            if (!m_quiet)
                turn(!slider->isSliderDown());
        });
        connect(knob.slider, &QSlider::sliderPressed, this,
                [slider = knob.slider] { slider->setProperty(movedSince, false); });
        connect(knob.slider, &QSlider::sliderReleased, this, [turn, slider = knob.slider] {
            // Led round and back: what was seen on the way is open, and the first is wanted.
            if (slider->property(movedSince).toBool())
                turn(true);
        });
        m_knobs.push_back(knob);
    }
    Knob& knob = m_knobs[at];
    knob.kind = kind;
    knob.name = name;
    knob.value = value;
    knob.shape = shape;
    // The same stops while one turns further: a slider must not run away under the hand.
    if (!(knob.slider->objectName() == QStringLiteral("turn ") + name && knob.stops.contains(value)))
        knob.stops = stops;
    m_quiet = true;
    knob.slider->setObjectName(QStringLiteral("turn ") + (kind == Kind::Block  ? QStringLiteral("block")
                                                          : kind == Kind::Grid ? QStringLiteral("grid")
                                                                               : name));
    knob.slider->setRange(0, int(knob.stops.size()) - 1);
    knob.slider->setPageStep(1);
    knob.slider->setValue(int(knob.stops.indexOf(value)));
    m_quiet = false;
    say(knob);
}

void TurnRow::say(const Knob& knob) {
    const QString whole = QString::fromStdString(shapeTurned(knob.shape, knob.value).text());
    const QString text = knob.kind == Kind::Block ? tr("block %1").arg(whole)
                         : knob.kind == Kind::Grid
                             ? tr("grid %1").arg(whole)
                             : QStringLiteral("%1 %2").arg(knob.name, QString::number(knob.value));
    knob.label->setText(text);
    knob.slider->setAccessibleName(text);
    knob.slider->setToolTip(knob.kind == Kind::Block ? tr("Threads of a block, along x")
                            : knob.kind == Kind::Grid
                                ? tr("Blocks of the grid, along x")
                                : tr("The constant %1: the text follows when you let go").arg(knob.name));
}

// Label and slider together, as many on a line as have room. Returns the height.
int TurnRow::place(int width, bool really) const {
    if (m_used == 0)
        return 0;
    int x = margin, y = 4, height = 0;
    for (std::size_t n = 0; n < m_used; ++n) // all on one line, whatever script their labels have
        height = std::max({height, m_knobs[n].label->sizeHint().height(), m_knobs[n].slider->sizeHint().height()});
    for (std::size_t n = 0; n < m_used; ++n) {
        const Knob& knob = m_knobs[n];
        const int letters = knob.label->sizeHint().width() + 4;
        const int wide = letters + sliderWidth;
        if (x > margin && x + wide > width - margin) {
            x = margin;
            y += height + 2;
        }
        if (really) {
            knob.label->setGeometry(x, y, letters, height);
            knob.slider->setGeometry(x + letters, y, sliderWidth, height);
        }
        x += wide + gap;
    }
    return y + height + 4;
}

int TurnRow::heightForWidth(int width) const {
    return place(width, false);
}

QSize TurnRow::sizeHint() const {
    return {300, heightForWidth(std::max(width(), 300))};
}

void TurnRow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    place(width(), true);
    if (minimumHeight() != heightForWidth(width()))
        setFixedHeight(heightForWidth(width()));
}

void TurnRow::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        for (std::size_t n = 0; n < m_used; ++n)
            say(m_knobs[n]);
    QWidget::changeEvent(event);
}

} // namespace warpglass
