// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/source/source_view.h"

#include "views/source/source_picture.h"

namespace warpglass {

namespace {

class SourceView final : public View {
public:
    QString key() const override { return QStringLiteral("source"); }
    QString title() const override { return SourceText::tr("Source"); }
    QString whyNotAsked(const PaintContext&) const override {
        return SourceText::tr("Source shows sums of the whole run beside each line: there is no moment at which they "
                              "could be predicted.");
    }
    QString question() const override {
        return SourceText::tr("What became of each line, how often did it run, and with how many lanes?");
    }
    QVector<Switch> switches(const PaintContext&) const override { return {shownTextChoice().dropDown()}; }

    std::optional<Emptiness> emptiness(const PaintContext& c) const override {
        if (!c.trace || c.trace->launches.empty() || c.trace->kernels.empty())
            return Emptiness{SourceText::tr("No kernel has been run yet."), QStringLiteral("run"),
                             SourceText::tr("Run the chosen kernel")};
        const Kernel& kernel = c.trace->kernelOf(c.trace->launches[completed(c.selection, *c.trace).launch]);
        if (kernel.source.empty() && kernel.ptx.empty() && c.trace->codes.all.empty())
            return Emptiness{SourceText::tr("This trace holds neither the source nor the PTX of its kernel. Open the "
                                            "kernel's .cu or .ptx file and run it, and its lines are counted here."),
                             QStringLiteral("open"), SourceText::tr("Open a kernel…")};
        return std::nullopt;
    }

protected:
    PicturePtr makePicture(const PaintContext& c, const QRectF& area, Progress&,
                           const PicturePtr& previous) const override {
        return std::make_shared<SourcePicture>(c, area, dynamic_cast<const SourcePicture*>(previous.get()));
    }
};

} // namespace

std::unique_ptr<View> makeSourceView() {
    return std::make_unique<SourceView>();
}

} // namespace warpglass
