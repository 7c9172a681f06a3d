// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/race/race_view.h"

#include "views/race/race_picture.h"
#include "views/race/race_text.h"

namespace warpglass {

namespace {

class RaceView final : public View {
public:
    QString key() const override { return QStringLiteral("race"); }
    QString title() const override { return RaceText::tr("Race"); }
    QString whyNotAsked(const PaintContext&) const override {
        return RaceText::tr(
            "A race is decided by times, and times do not follow from the code alone: nothing is asked of them.");
    }
    QString question() const override { return RaceText::tr("Which of two runs is done first, and by how much?"); }
    QSizeF leastRoom(const PaintContext&) const override { return {520, 300}; }
    Selection looksAt(const Selection& selection) const override { return selection; }

    std::optional<Emptiness> emptiness(const PaintContext& context) const override {
        if (!context.trace || context.trace->launches.empty())
            return Emptiness{RaceText::tr("No kernel has been run yet."), QStringLiteral("run"),
                             RaceText::tr("Run the chosen kernel")};
        const TracePtr opponent = raceOf(context).other;
        if (!opponent || opponent->launches.empty())
            return Emptiness{RaceText::tr("A race needs two runs: this one, and another kernel, policy, size or mode "
                                          "to compare it with."),
                             QStringLiteral("compare"), RaceText::tr("Compare")};
        if (context.trace->info.timeUnit != opponent->info.timeUnit)
            return Emptiness{RaceText::tr("One run counts steps and the other has times: they have no clock in common. "
                                          "Run both with the timing model."),
                             QStringLiteral("timing"), RaceText::tr("Run with the timing model")};
        return std::nullopt;
    }

protected:
    PicturePtr makePicture(const PaintContext& context, const QRectF& area, Progress&,
                           const PicturePtr& previous) const override {
        const auto* last = dynamic_cast<const RacePicture*>(previous.get());
        const TracePtr opponent = raceOf(context).other;
        const RaceWork work = workOf(*context.trace, opponent.get());
        const auto runner = [&](const TracePtr& trace) -> RunnerPtr {
            for (std::size_t i = 0; last && i < 2; ++i)
                if (last->runners[i]->trace == trace && last->runners[i]->work == work)
                    return last->runners[i];
            return runnerOf(trace, work);
        };
        return std::make_shared<RacePicture>(context, area,
                                             std::array<RunnerPtr, 2>{runner(context.trace), runner(opponent)});
    }
};

} // namespace

std::unique_ptr<View> makeRaceView() {
    return std::make_unique<RaceView>();
}

} // namespace warpglass
