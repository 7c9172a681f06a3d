// SPDX-License-Identifier: GPL-3.0-or-later
// `schema`: what the objects of --json hold, as the JSON Schema that tests hold them against (docs/json.md).
#include "app/record/command.h"
#include "app/record/json_schema.h"

#include <memory>

namespace warpglass::record {

void addSchema(const Command& app, Action& action) {
    const Command sub = app.command("schema", "The JSON Schema of what commands print under --json");
    sub.whenChosen([&action] { action = [] { return print(std::string(jsonSchema())); }; });
}

} // namespace warpglass::record
