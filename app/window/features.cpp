// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/features.h"

#include "app/window/arrange/arrange_feature.h"
#include "app/window/claims/claims_feature.h"
#include "app/window/compare/compare_feature.h"
#include "app/window/exercise/exercise_feature.h"
#include "app/window/export/export_feature.h"
#include "app/window/files/files_feature.h"
#include "app/window/gallery/gallery_feature.h"
#include "app/window/help/help_feature.h"
#include "app/window/keys/keys_feature.h"
#include "app/window/launch/launch_feature.h"
#include "app/window/lesson/lesson_feature.h"
#include "app/window/look/look_feature.h"
#include "app/window/machine/machine_feature.h"
#include "app/window/pad/pad_feature.h"
#include "app/window/palette/palette_feature.h"
#include "app/window/play/play_feature.h"
#include "app/window/predict/predict_feature.h"
#include "app/window/present/present_feature.h"
#include "app/window/program/program_feature.h"
#include "app/window/sides/sides_feature.h"
#include "app/window/start/start_feature.h"
#include "app/window/sweep/sweep_feature.h"
#include "app/window/top/top_feature.h"
#include "app/window/warp/warp_feature.h"
#include "app/window/who/who_feature.h"
#include "app/window/why/why_feature.h"

namespace warpglass {

// The order is that of the tabs, of the keyboard's way through the window, and in which a wish is offered to them.
void addFeatures(Shell& shell) {
    const auto add = [&shell]<class... Features>() { (shell.add(std::make_unique<Features>(shell)), ...); };
    add.operator()<ProgramFeature, StartFeature, GalleryFeature, LessonFeature, ClaimsFeature, LaunchFeature,
                   CompareFeature, PadFeature, WarpFeature, ExerciseFeature, PresentFeature, PredictFeature, WhyFeature,
                   MachineFeature, WhoFeature, SweepFeature, ExportFeature, PaletteFeature, HelpFeature, LookFeature,
                   SidesFeature, ArrangeFeature, TopFeature, KeysFeature, PlayFeature, // whatever nobody else ends
                   FilesFeature>();                                                    // or opens
}

} // namespace warpglass
