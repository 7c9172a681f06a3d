// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/program/rows_json.h"

#include "gpu/base/catalogue.h"
#include "gpu/base/message_json.h"
#include "gpu/base/utf8.h"

namespace warpglass::program {

using nlohmann::json;

namespace {

template <class T>
void take(const json& from, const char* name, T& to) {
    const auto found = from.find(name);
    if (found == from.end())
        return;
    if constexpr (std::is_same_v<T, std::string>) {
        if (found->is_string())
            to = found->template get<std::string>();
    } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
        if (found->is_array())
            for (const json& word : *found)
                if (word.is_string())
                    to.push_back(word);
    } else {
        if (found->is_number_integer())
            to = found->template get<T>();
    }
}

std::vector<std::string> validWords(const std::vector<std::string>& words) {
    std::vector<std::string> valid;
    valid.reserve(words.size());
    for (const std::string& word : words)
        valid.push_back(validUtf8(word));
    return valid;
}

json toJson(const ProgramOrigin& o) {
    return {{"folder", validUtf8(o.folder)},    {"sources", validWords(o.sources)}, {"words", validWords(o.words)},
            {"options", validWords(o.options)}, {"settings", o.settings},           {"seal", o.seal}};
}

void fromJson(const json& from, ProgramOrigin& o) {
    take(from, "folder", o.folder);
    take(from, "sources", o.sources);
    take(from, "words", o.words);
    take(from, "options", o.options);
    take(from, "settings", o.settings);
    take(from, "seal", o.seal);
}

} // namespace

json toJson(const ProgramInfo& i) {
    json all{{"backend", warpglass::name(i.backend)},
             {"command", validUtf8(i.command)},
             {"device", i.device},
             {"made", i.made},
             {"process", i.process},
             {"exit_status", i.exitStatus},
             {"lost", i.lost},
             {"began", i.began}};
    if (i.rank >= 0)
        all["rank"] = i.rank;
    for (const ProgramProcess& p : i.processes)
        all["processes"].push_back({{"rank", p.rank}, {"process", p.process}, {"exit_status", p.exitStatus}});
    if (i.origin.known())
        all["origin"] = toJson(i.origin);
    return all;
}
json toJson(const ProgramKernel& k) {
    json parameters = json::array();
    for (const Parameter& p : k.parameters)
        parameters.push_back({p.type, p.offset, p.bytes});
    json row{
        {"name", validUtf8(k.name)}, {"signature", validUtf8(k.signature)},   {"entry", validUtf8(k.entry)},
        {"parameters", parameters},  {"unrecorded", validUtf8(k.unrecorded)}, {"unrecorded_code", k.unrecorded.code()}};
    if (!k.maker.empty())
        row["maker"] = validUtf8(k.maker);
    return row;
}
json toJson(const ProgramStream& s) {
    return {{"name", s.name},
            {"priority", s.priority},
            {"blocking", s.blocking},
            {"device", s.device},
            {"process", s.process}};
}
json toJson(const ProgramRecording& r) {
    return {{"operation", r.operation}, {"file", validUtf8(r.file)}};
}
json toJson(const ProgramMessage& m) {
    json row{{"operation", m.operation}, {"text", validUtf8(m.text)}};
    if (m.kind != MessageKind::Unknown) {
        row["kind"] = warpglass::name(m.kind);
        row.update(toJson(m.message));
    }
    return row;
}

json toJson(const ProgramGraph& g) {
    json nodes = json::array();
    for (const ProgramGraphNode& n : g.nodes) {
        json node{{"kind", warpglass::name(n.kind)}};
        if (n.direction != Direction::None)
            node["direction"] = warpglass::name(n.direction);
        const auto tell = [&node](const char* name, std::uint32_t row) {
            if (row != noIndex)
                node[name] = row;
        };
        tell("parent", n.parent);
        tell("kernel", n.kernel);
        tell("shape", n.shape);
        if (n.body)
            node["body"] = n.body;
        if (n.bytes)
            node["bytes"] = n.bytes;
        if (!n.behind.empty())
            node["behind"] = n.behind;
        nodes.push_back(std::move(node));
    }
    return {{"nodes", std::move(nodes)}};
}

void fromJson(const json& from, ProgramInfo& i) {
    std::string backend;
    take(from, "backend", backend);
    i.backend = backend == warpglass::name(BackendKind::Cuda) ? BackendKind::Cuda : BackendKind::Emulator;
    take(from, "command", i.command);
    take(from, "device", i.device);
    take(from, "made", i.made);
    take(from, "process", i.process);
    take(from, "exit_status", i.exitStatus);
    take(from, "lost", i.lost);
    take(from, "began", i.began);
    take(from, "rank", i.rank);
    if (const auto list = from.find("processes"); list != from.end() && list->is_array())
        for (const json& row : *list) {
            ProgramProcess& p = i.processes.emplace_back();
            if (!row.is_object())
                continue;
            take(row, "rank", p.rank);
            take(row, "process", p.process);
            take(row, "exit_status", p.exitStatus);
        }
    if (const auto origin = from.find("origin"); origin != from.end() && origin->is_object())
        fromJson(*origin, i.origin);
}
void fromJson(const json& from, ProgramKernel& k) {
    take(from, "name", k.name);
    take(from, "signature", k.signature);
    take(from, "entry", k.entry);
    take(from, "maker", k.maker);
    std::string why, code;
    take(from, "unrecorded", why);
    take(from, "unrecorded_code", code);
    k.unrecorded = Said::of(std::move(why), code);
    const auto list = from.find("parameters");
    if (list == from.end() || !list->is_array())
        return;
    for (const json& p : *list)
        if (p.is_array() && p.size() == 3 && p[0].is_string() && p[1].is_number_unsigned() && p[2].is_number_unsigned())
            k.parameters.push_back({p[0], p[1], p[2]});
}
void fromJson(const json& from, ProgramStream& s) {
    take(from, "name", s.name);
    take(from, "priority", s.priority);
    take(from, "blocking", s.blocking);
    take(from, "device", s.device);
    take(from, "process", s.process);
}
void fromJson(const json& from, ProgramRecording& r) {
    take(from, "operation", r.operation);
    take(from, "file", r.file);
}
void fromJson(const json& from, ProgramMessage& m) {
    take(from, "operation", m.operation);
    take(from, "text", m.text);
    std::string kind;
    take(from, "kind", kind);
    m.kind = parseEnum<MessageKind>(kind).valueOr(MessageKind::Unknown);
    m.message = warpglass::messageOf(from).value_or(Message());
}
void fromJson(const json& from, ProgramGraph& g) {
    const auto nodes = from.find("nodes");
    if (nodes == from.end() || !nodes->is_array())
        return;
    for (const json& node : *nodes) {
        ProgramGraphNode& n = g.nodes.emplace_back();
        if (!node.is_object())
            continue;
        std::string kind, direction;
        take(node, "kind", kind);
        take(node, "direction", direction);
        n.kind = parseEnum<GraphNodeKind>(kind).valueOr(GraphNodeKind::Other);
        n.direction = parseEnum<Direction>(direction).valueOr(Direction::None);
        take(node, "parent", n.parent);
        take(node, "body", n.body);
        take(node, "kernel", n.kernel);
        take(node, "shape", n.shape);
        take(node, "bytes", n.bytes);
        if (const auto behind = node.find("behind"); behind != node.end() && behind->is_array())
            for (const json& row : *behind)
                if (row.is_number_unsigned())
                    n.behind.push_back(row);
    }
}

} // namespace warpglass::program
