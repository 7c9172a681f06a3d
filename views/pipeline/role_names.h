// SPDX-License-Identifier: GPL-3.0-or-later
// What a person calls the roles that were found. The names belong to the reader, as a timeline's notes do: they lie beside the
// trace (FILE.wgt.roles.json) and travel as an option of the view.
#pragma once

#include "views/common/option_keeper.h"
#include "views/common/options.h"
#include "views/pipeline/pipeline_model.h"

#include <QMap>

namespace warpglass {

inline constexpr const char* roleNamesOption = "roles";
using RoleNames = QMap<QString, QString>; // ["matmul 0-3"]: kernel and warps of a block

RoleNames roleNamesOf(const Options& options);
QVariant roleNamesToOption(const RoleNames& names);
QString roleKey(const PipelineModel& model, const PipelineRole& role);
// As it was named, else by what it does.
QString shownRoleName(const PipelineModel& model, const PipelineRole& role, const RoleNames& names);
KeptOption keptRoleNames();

} // namespace warpglass
