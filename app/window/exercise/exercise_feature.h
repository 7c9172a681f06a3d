// SPDX-License-Identifier: GPL-3.0-or-later
// An exercise in the pad: what is written there is graded after each pause in the typing.
#pragma once

#include "app/window/exercise/exercise_page.h"
#include "app/window/feature.h"
#include "app/window/model/lessons.h"

namespace warpglass {

class ExerciseFeature : public Feature {
    Q_OBJECT
public:
    explicit ExerciseFeature(Shell& shell);
    ExerciseDesk& desk() { return *m_desk; }
    QVector<QPair<LocalText, LocalText>> titlesAndSummaries() const;
    void start(int exercise); // of the program's; opens its starter in the pad

    void connectAll() override;
    void refresh() override;
    void retranslate() override;
    void setLanguage(const QString& language) override { m_page->setLanguage(language); }
    void offer(QVector<PaletteItem>& items) override;

private:
    void openInPad(const session::ExerciseSource& source);
    void showSolution();
    void judge(const std::shared_ptr<const session::CompiledText>& compiled); // what is in the pad

    ExerciseDesk* m_desk;
    ExercisePage* m_page;
};

} // namespace warpglass
