// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/model/exercise_desk.h"

#include <algorithm>

namespace warpglass {

PadSettings padSettingsOf(const session::Exercise& exercise) {
    PadSettings settings;
    settings.kernel = QString::fromStdString(exercise.kernel);
    settings.mode = exercise.mode;
    const auto shown = std::find_if(exercise.launches.begin(), exercise.launches.end(),
                                    [](const session::ExerciseLaunch& l) { return !l.hidden; });
    if (shown == exercise.launches.end())
        return settings;
    const RunRequest& request = shown->request;
    PadKernel& kernel = settings.kernels[settings.kernel];
    kernel.grid = request.launch.grid;
    kernel.block = request.launch.block;
    kernel.shared = request.launch.sharedBytes.value_or(0);
    for (const std::string& spec : request.arguments) { // "out:i32[256]=0", "n:i32=256"
        const QString text = QString::fromStdString(spec), type = text.section(QLatin1Char(':'), 1, -1);
        PadArgument argument{{}, type.section(QLatin1Char('='), 1, -1)};
        const QString before = type.section(QLatin1Char('='), 0, 0);
        if (before.contains(QLatin1Char('[')))
            argument.count = before.section(QLatin1Char('['), 1).section(QLatin1Char(']'), 0, 0);
        kernel.arguments[text.section(QLatin1Char(':'), 0, 0)] = argument;
    }
    return settings;
}

void ExerciseDesk::open(int exercise) {
    if (exercise < 0 || exercise >= int(all().size()))
        return;
    m_job.cancel();
    m_exercise = &all()[std::size_t(exercise)];
    m_grade.reset();
    m_hints = 0;
    emit changed();
}

void ExerciseDesk::leave() {
    if (!m_exercise)
        return;
    m_job.cancel();
    m_exercise = nullptr;
    m_grade.reset();
    emit changed();
}

void ExerciseDesk::judge(const QString& file, const QString& text,
                         std::shared_ptr<const session::CompiledText> compiled) {
    if (!m_exercise)
        return;
    session::HandIn handIn{file.toStdString(), text.toStdString(), std::move(compiled)};
    m_job.start([exercise = m_exercise, handIn](
                    Progress& progress) { return session::grade(*exercise, handIn, session::GradeLimits{}, progress); },
                [this](const Result<session::Grade>& grade) {
                    if (grade)
                        m_grade = *grade;
                    else
                        emit failed(grade.error());
                    emit changed();
                });
    emit changed();
}

void ExerciseDesk::showHint() {
    if (!hasHint())
        return;
    ++m_hints;
    emit changed();
}

} // namespace warpglass
