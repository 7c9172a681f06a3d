// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/record/serve_tools.h"
#include "app/record/json_schema.h"

#include <algorithm>
#include <set>

namespace warpglass::record {

namespace {

using nlohmann::ordered_json;
using Kind = ArgumentKind;
using Arguments = std::vector<ToolArgument>;

Arguments operator+(Arguments all, const Arguments& more) {
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

const Arguments definitions{
    {"defines", Kind::Define, "-D", "definitions for CUDA source, or Triton's constexpr parameters: N=32", true},
    {"arch", Kind::Name, "--arch", "what CUDA source is compiled for: sm_90; else the device's own"},
};

const Arguments values{
    {"entry", Kind::Name, "--kernel",
     "which kernel of a file or source: its name, or a template's instance: scale<float, 128>"},
    {"args", Kind::Value, "--arg",
     "arguments of a file's kernel, in its order: x:f32[512]=iota (a buffer; or =0, =1,2,3, =random(0,255,seed=1)), "
     "n:i32=512 (a value), v:{data:ptr=x,n:i32=512} (a struct)",
     true},
    {"buffers", Kind::Value, "--buffer", "further buffers, for pointers inside others: NAME:TYPE[COUNT]=INITIAL", true},
    {"textures", Kind::Value, "--texture", "img=2d:64x64:f32:linear,clamp,normalized:iota", true},
    {"surfaces", Kind::Value, "--surface", "out=2d:64x64:f32", true},
    {"globals", Kind::Value, "--global", "__device__ or __constant__ variables: NAME=VALUES", true},
    {"include_folders", Kind::Folder, "-I", "folders of headers, for CUDA source", true},
};

const Arguments oneKernel{
    {"kernel", Kind::Name, "", "a kernel of the catalogue (the tool list names them)"},
    {"file", Kind::File, "", "a .cu or .ptx file, or a recording (.wgt) whose launch is made again"},
    {"source", Kind::Source, "", "instead of a file: the text of a CUDA file, or of PTX (it begins with .version)"},
};

const Arguments launch{
    {"launch", Kind::Whole, "--launch", "of a program's recording: which launch, from 0"},
    {"grid", Kind::Shape, "--grid", "blocks: x, y, z"},
    {"block", Kind::Shape, "--block", "threads of a block: x, y, z"},
    {"cluster", Kind::Shape, "--cluster", "blocks of a cluster: x, y, z"},
    {"shared_bytes", Kind::Whole, "--shared", "bytes of dynamic shared memory a block"},
    {"size", Kind::Whole, "--size", "of a kernel of the catalogue: elements"},
    {"set", Kind::Settings, "--set", "parameters of a kernel of the catalogue"},
    {"device", Kind::Name, "--device", "which GPU to be (the tool devices names them); h200 if none is named"},
    {"max_instructions", Kind::Whole, "--max-instructions", "instructions of a warp after which it is called endless"},
    {"warm_l2", Kind::Flag, "--warm-l2", "with the timing model: data and code lie in L2 already"},
    {"as_in_document", Kind::Flag, "--as-in-document", "of a kernel of the catalogue: the document's sizes"},
};

const Arguments kernelOptions = oneKernel + values + definitions + launch;

const Arguments checks{
    {"checks",
     Kind::Text,
     "--check",
     "look further: for races in global memory, for inf and NaN",
     true,
     false,
     {"race", "finite"}},
    {"on_fault",
     Kind::Text,
     "--on-fault",
     "a wild access ends the launch, or is reported and passed over",
     false,
     false,
     {"stop", "report"}},
};

const std::vector<Tool>& allTools() {
    static const std::vector<Tool> tools{
        {"run", "run", "run",
         "Runs a CUDA kernel on the SIMT emulator and says what it did: memory sectors, bank conflicts, divergent "
         "branches, "
         "occupancy, faults, races, hangs; with timing: true also the modelled duration. No GPU is needed.",
         kernelOptions + checks +
             Arguments{
                 {"timing", Kind::Flag, "--timing", "run the timing model: modelled durations and stalls"},
                 {"accesses", Kind::Flag, "--accesses", "record addresses and values"},
                 {"against", Kind::File, "--against",
                  "a recording of the same launch: says where this one first differs"},
                 {"output", Kind::Written, "--output", "keep the recording: FILE.wgt, which Warpglass opens"},
             },
         true},
        {"why", "why", "why",
         "Says what a launch's time is spent on: the timing model with one limit taken away at a time, with the source "
         "lines "
         "that pay for it and what they could do at best.",
         kernelOptions, true},
        {"who", "who", "who",
         "Says who read and wrote a word of memory in a launch, or what values a variable had, the last first.",
         kernelOptions + Arguments{{"word", Kind::Text, "--word",
                                    "out[17], 'tile[3] of block 5', an address, or a variable of code "
                                    "compiled with -G: 'sum of block 0 thread 3'",
                                    false, true}},
         true},
        {"hang", "run", "hangs",
         "Says whether a launch comes to its end, and if not who waits for whom: barriers, mbarriers, flags, locks.",
         kernelOptions, true},
        {"sass", "sass", "sass",
         "The machine code of a kernel by lines, what became of each PTX line and branch, and which instructions "
         "spill; with "
         "against: what two versions differ in.",
         Arguments{{"file", Kind::File, "", "a cubin, .cu, .ptx or recording (.wgt)"},
                   oneKernel[2],
                   {"entry", Kind::Name, "--kernel", "this function only"},
                   {"against", Kind::File, "--against", "another version"}} +
             definitions,
         true},
        {"rank", "rank", "rank",
         "Orders versions of a kernel by modelled time, with those that are too close to call by the model's error, "
         "and what "
         "each is limited by.",
         Arguments{
             {"files", Kind::File, "", "the versions: .cu or .ptx files", true},
             {"sources", Kind::Sources, "", "or their texts: an object of CUDA or PTX texts by the names they get"}} +
             values + definitions + launch},
        {"expect", "expect", "expect",
         "Holds kernels against budgets on counted numbers and modelled time that a file states.",
         Arguments{{"file", Kind::File, "", "the file of budgets", false, true}}, false, "--no-programs"},
        {"metrics", "metrics", "metrics", "What a recorded launch did, alone or beside what a GPU was measured to do.",
         Arguments{{"file", Kind::File, "", "a recording: FILE.wgt, or a program's", false, true},
                   {"launch", Kind::Whole, "--launch", "of a program's recording: which launch, counted from 0"},
                   {"beside", Kind::File, "--beside", "a report of Nsight Compute (.csv), or a recording of a GPU"},
                   {"beside_launch", Kind::Whole, "--beside-launch", "which launch of that"}}},
        {"launches", "launches", "launches", "What a recorded program did: launches, copies, memory.",
         Arguments{{"file", Kind::File, "", "the recording: its folder or .wgt file", false, true}}},
        {"occupancy", "occupancy", "occupancy", "How many blocks fit on an SM, and what stops the next one.",
         Arguments{{"compute_capability", Kind::Text, "--cc", "9.0"},
                   {"device", Kind::Name, "--device", "instead of a compute capability"},
                   {"threads", Kind::Whole, "--threads", "of a block"},
                   {"registers", Kind::Whole, "--registers", "of a thread; 0: no limit"},
                   {"shared_bytes", Kind::Whole, "--shared", "of static shared memory a block"},
                   {"dynamic_shared_bytes", Kind::Whole, "--dynamic-shared", "of dynamic shared memory a block"},
                   {"shared_limit",
                    Kind::Text,
                    "--shared-limit",
                    "48 KB a block, or what a kernel may ask for",
                    false,
                    false,
                    {"default", "optin"}},
                   {"barriers", Kind::Whole, "--barriers", "named barriers a block"}}},
        {"swizzle", "swizzle", "swizzle",
         "How a tile lies best in shared memory: paddings and swizzles, ranked by passes.",
         Arguments{{"file", Kind::File, "", "a recording made with accesses: the tile that its kernel used"},
                   {"line", Kind::Whole, "--line", "with file: a line that touches it"},
                   {"tile", Kind::Text, "--tile", "rows and columns: 32x64"},
                   {"type", Kind::Name, "--type", "of an element: f32, f16, b128"},
                   {"write", Kind::Text, "--write", "how a warp writes it: row, column, row:4"},
                   {"read", Kind::Text, "--read", "how it reads it"}}},
        {"list", "list", "list", "The kernels of the catalogue, with their parameters.", {}},
        {"devices", "devices", "devices", "The GPUs that the emulator can be, and this machine's own.", {}},
        {"program",
         "program",
         "launches",
         "Runs a whole program of the host on the virtual device, and says what it did.",
         Arguments{{"output", Kind::Written, "-o", "where the recording goes: FILE.wgt", false, true},
                   {"kernels", Kind::Text, "--kernel", "record launches of these kernels only: a regular expression"},
                   {"launches", Kind::Text, "--launches", "record these in detail: 0,3,10-12"},
                   {"timing", Kind::Flag, "--timing", "run the timing model for them"},
                   {"check", Kind::Text, "--check", "look further", true, false, {"race", "finite", "leak"}},
                   {"command", Kind::Command, "--", "the program and its words", false, true}},
         false,
         {},
         true},
    };
    return tools;
}

// References into the schema's definitions, and into theirs.
void collect(const ordered_json& all, const ordered_json& from, std::set<std::string>& names) {
    constexpr std::string_view place = "#/$defs/";
    if (const auto ref = from.is_object() ? from.find("$ref") : from.end(); from.is_object() && ref != from.end())
        if (const std::string name = ref->get<std::string>().substr(place.size()); names.insert(name).second)
            collect(all, all.at(name), names);
    for (const auto& inner : from)
        if (inner.is_structured())
            collect(all, inner, names);
}

// The object of that name, with what it refers to.
ordered_json answerSchema(std::string_view name) {
    static const ordered_json definitionsOfAll = ordered_json::parse(jsonSchema()).at("$defs");
    const auto found = definitionsOfAll.find(std::string(name));
    if (found == definitionsOfAll.end())
        return {};
    ordered_json schema = *found;
    std::set<std::string> names;
    collect(definitionsOfAll, schema, names);
    for (const auto& [key, value] : definitionsOfAll.items())
        if (names.contains(key))
            schema["$defs"][key] = value;
    return schema;
}

ordered_json typeOf(const ToolArgument& a) {
    switch (a.kind) {
    case Kind::Whole:
        return {{"type", "integer"}, {"minimum", 0}};
    case Kind::Flag:
        return {{"type", "boolean"}};
    case Kind::Shape:
        return {{"type", "array"}, {"items", {{"type", "integer"}, {"minimum", 1}}}, {"minItems", 1}, {"maxItems", 3}};
    case Kind::Settings:
        return {{"type", "object"}, {"additionalProperties", {{"type", "integer"}}}};
    case Kind::Sources:
        return {{"type", "object"}, {"additionalProperties", {{"type", "string"}}}};
    case Kind::Command:
        return {{"type", "array"}, {"items", {{"type", "string"}}}, {"minItems", 1}};
    default:
        ordered_json text{{"type", "string"}};
        if (!a.words.empty())
            text["enum"] = a.words;
        return text;
    }
}

} // namespace

std::vector<Tool> toolsOf(const Command& app, bool allowPrograms) {
    const std::vector<Command> commands = app.commands();
    std::vector<Tool> tools;
    for (const Tool& tool : allTools()) {
        const auto command =
            std::find_if(commands.begin(), commands.end(), [&](const Command& c) { return c.name() == tool.command; });
        if (command == commands.end() || (tool.runsPrograms && !allowPrograms))
            continue;
        const auto knows = [&](std::string_view option) { return command->knows(std::string(option)); };
        if (!allowPrograms && !tool.withoutPrograms.empty() && !knows(tool.withoutPrograms))
            continue;
        tools.push_back(tool);
        std::erase_if(tools.back().arguments, [&](const ToolArgument& a) {
            return !a.option.empty() && a.kind != Kind::Command && !knows(a.option);
        });
    }
    return tools;
}

ordered_json describe(const Tool& tool) {
    ordered_json input{{"type", "object"}, {"properties", ordered_json::object()}};
    ordered_json needed = ordered_json::array();
    for (const ToolArgument& a : tool.arguments) {
        ordered_json type = typeOf(a);
        if (a.many)
            type = {{"type", "array"}, {"items", std::move(type)}};
        type["description"] = a.help;
        input["properties"][std::string(a.name)] = std::move(type);
        if (a.needed)
            needed.push_back(a.name);
    }
    if (!needed.empty())
        input["required"] = std::move(needed);
    input["additionalProperties"] = false;
    ordered_json row{{"name", tool.name}, {"description", tool.help}, {"inputSchema", std::move(input)}};
    if (ordered_json answer = answerSchema(tool.answer); !answer.is_null())
        row["outputSchema"] = std::move(answer);
    return row;
}

} // namespace warpglass::record
