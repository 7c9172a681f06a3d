// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/documents.h"

namespace warpglass {

namespace {

struct Document {
    const char *key, *english, *chinese;
};

// Two authors chose the same title; what tells them apart stands behind it.
constexpr Document documents[] = {
    {"D0", "The CUDA Execution Model (a beginner's guide)", "CUDA 执行模型（入门指引）"},
    {"D1", "CUDA Performance Optimisation (Sun Yat-sen University)", "CUDA性能优化（中山大学）"},
    {"D2", "Professional CUDA C Programming, condensed: Execution Model",
     "读薄《Professional CUDA C Programming》——CUDA执行模型"},
    {"D3", "CUDA Execution Model: From Kernel to Warp Scheduling", "CUDA执行模型：从Kernel到Warp调度"},
    {"D4", "CUDA Programming: Execution Model", "CUDA编程——执行模型"},
};

} // namespace

QString documentTitle(const QString& key, const QString& language) {
    for (const Document& document : documents)
        if (key == QLatin1String(document.key))
            return QString::fromUtf8(language.startsWith(QLatin1String("zh")) ? document.chinese : document.english);
    return key;
}

} // namespace warpglass
