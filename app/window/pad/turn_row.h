// SPDX-License-Identifier: GPL-3.0-or-later
// Sliders for what can be turned without typing: block, grid, and the constants of the text (model/turnable.h). While one
// moves it says so often; when it is let go, once more.
#pragma once

#include "app/window/model/turnable.h"
#include "gpu/base/dim3.h"

#include <QLabel>
#include <QSlider>
#include <QVector>
#include <QWidget>

#include <optional>

namespace warpglass {

class TurnRow : public QWidget {
    Q_OBJECT
public:
    // Of a shape its first number; the whole shape stands beside the slider.
    enum class Kind { Constant, Block, Grid };
    explicit TurnRow(QWidget* parent = nullptr);
    // What there is. A slider that is held is left alone.
    void show(const QVector<Turnable>& constants, Dim3 block, Dim3 grid);
    void clear();
    bool isHeld() const;

signals:
    // settled: the hand has let go, or a key was pressed
    void turned(warpglass::TurnRow::Kind kind, const QString& name, qint64 value, bool settled);

protected:
    void changeEvent(QEvent*) override;
    int heightForWidth(int width) const override;
    bool hasHeightForWidth() const override { return true; }
    void resizeEvent(QResizeEvent*) override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, heightForWidth(width())}; }

private:
    struct Knob {
        Kind kind = Kind::Constant;
        QString name;
        qint64 value = 0;
        Dim3 shape{1};
        QVector<qint64> stops;
        QLabel* label = nullptr;
        QSlider* slider = nullptr;
    };
    void put(std::size_t at, Kind kind, const QString& name, qint64 value, const QVector<qint64>& stops, Dim3 shape);
    void say(const Knob& knob);
    int place(int width, bool really) const;
    std::vector<Knob> m_knobs;
    std::size_t m_used = 0;
    bool m_quiet = false;
};

} // namespace warpglass
