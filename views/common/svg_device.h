// SPDX-License-Identifier: GPL-3.0-or-later
// A drawing as SVG. Qt's own generator drops clips and hatches, so lists run over their frames and bars lose what tells
// them apart in print; this device keeps both. Text stays text and carries the width it had here, so that another
// machine's font does not break the layout.
#pragma once

#include <QPaintDevice>
#include <QPaintEngine>
#include <QSize>
#include <QString>

#include <memory>

namespace warpglass {

class SvgEngine;

// As words in XML or HTML: shown (shown_words.h) and escaped.
QString xmlText(const QString& text);

class SvgDevice : public QPaintDevice {
public:
    // title and description are read out by screen readers. Ids begin with prefix: two drawings in one page need
    // different ones.
    SvgDevice(QSize size, const QString& title, const QString& description, const QString& prefix);
    ~SvgDevice() override;

    // The whole document, in UTF-8. The painter must have ended.
    QByteArray document() const;

    QPaintEngine* paintEngine() const override;

protected:
    int metric(PaintDeviceMetric which) const override;

private:
    QSize m_size;
    QString m_title, m_description;
    std::unique_ptr<SvgEngine> m_engine;
};

} // namespace warpglass
