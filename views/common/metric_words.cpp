// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/metric_words.h"

#include "gpu/metrics/metrics.h"
#include "views/common/shown_words.h"

#include <QCoreApplication>

namespace warpglass {

namespace {

struct MetricText {
    Q_DECLARE_TR_FUNCTIONS(Metrics)
};

} // namespace

QString metricTitle(const QString& name) {
    const MetricDefinition* metric = findMetric(name.toStdString());
    return metric ? MetricText::tr(metric->title.data()) : shown(name);
}

QString metricMeaning(const QString& name) {
    const MetricDefinition* metric = findMetric(name.toStdString());
    return metric ? MetricText::tr(metric->formula.data()) : QString();
}

QString metricLack(const std::string& why) {
    return why.empty() ? QString() : MetricText::tr(why.c_str());
}

bool lowerIsBetter(const QString& name) {
    const MetricDefinition* metric = findMetric(name.toStdString());
    return metric && metric->lowerIsBetter;
}

} // namespace warpglass
