#include <algorithm>
#include <set>

#include "tenon/scene/formats/decode.h"
#include "tenon/scene/formats/expand.h"
#include "tenon/scene/formats/scene_text.h"

namespace tenon::scene {
namespace {

// Parameters must be known before the first value that uses them is read, wherever they stand.
// Mistakes in the section itself are reported when the document is read.
Scope read_parameters(Reader& r, const Json& root) {
  Scope scope;
  std::vector<Parameter> parameters;
  const Json* section = root.find("parameters");
  if (!section || !section->is_object()) return scope;
  for (const JsonMember& member : section->members) {
    if (!reason_against_name(member.key).empty()) continue;
    if (!member.value.is_number() && !member.value.is_string()) continue;
    parameters.push_back({member.key, member.value, member.place});
  }
  evaluate_parameters(r, parameters, scope);
  return scope;
}

void check_document(Reader& r, const Document& d) {
  std::set<std::pair<std::string, std::string>> pairs;
  for (const MaterialPair& pair : d.pairs) {
    const auto& [a, b] = pair.materials;
    if (pairs.insert({std::min(a, b), std::max(a, b)}).second) continue;
    r.error(pair.place, "the pair of '" + a + "' and '" + b + "' stands twice", "",
            "one entry per pair");
  }
  std::set<std::string> cameras;
  for (const Camera& camera : d.cameras) {
    if (cameras.insert(camera.name).second) continue;
    r.error(camera.place, "the camera name '" + camera.name + "' is already taken", "",
            "another name");
  }
}

std::vector<Error> apply_overrides(Json& root, const LoadOptions& options) {
  std::vector<Error> refused;
  for (size_t i = 0; i < options.overrides.size(); ++i) {
    Status status = apply_override(root, options.overrides[i], i);
    if (!status.ok()) refused.push_back(status.error());
  }
  return refused;
}

void place_all(Json& json, Place place) {
  json.place = place;
  for (Json& item : json.items) place_all(item, place);
  for (JsonMember& member : json.members) {
    member.place = place;
    place_all(member.value, place);
  }
}

// Mistakes in a document that came from a file are told with the places of its entries.
template <class Entry>
void place_entries(Json& root, const char* section, const std::vector<Entry>& entries) {
  Json* list = root.find(section);
  for (size_t i = 0; list && i < entries.size() && i < list->items.size(); ++i) {
    if (entries[i].place.line > 0) place_all(list->items[i], entries[i].place);
  }
}

// Sections are read in the order of their dependence; people read from top to bottom. Errors of one
// place keep their order.
void sort_by_place(std::vector<Error>& errors) {
  auto before = [](const Error& a, const Error& b) {
    return a.line != b.line ? a.line < b.line : a.column < b.column;
  };
  for (auto at = errors.begin(); at != errors.end(); ++at) {
    std::rotate(std::upper_bound(errors.begin(), at, *at, before), at, at + 1);
  }
}

LoadResult decode(Reader& r, const Json& root, std::string file, const LoadOptions& options) {
  LoadResult result;
  for (const Material& material : builtin_materials()) r.materials.push_back(material.name);
  if (!root.is_object()) {
    r.error(root, "a scene must be an object, not " + with_article(name(root.kind)), "{...}");
  } else {
    const Scope globals = read_parameters(r, root);
    r.scope = &globals;
    result.document.source.name = std::move(file);
    read_object(r, root, result.document);
    check_document(r, result.document);
    result.flat = result.document;
    result.flat.bodies.clear();
    result.flat.joints.clear();
    result.flat.connections.clear();
    result.flat.forces.clear();
    result.flat.rules.clear();
    result.flat.anchors.clear();
    result.flat.assembly.wants.clear();
    result.flat.prefabs.clear();
    result.flat.instances.clear();
    result.flat.arrays.clear();
    expand_into(r, result.document, globals, options.max_bodies, result.flat);
    check_cameras(r, result.document, result.flat);
  }
  result.errors = r.take_errors();
  result.warnings = r.take_warnings();
  sort_by_place(result.errors);
  return result;
}

}  // namespace

LoadResult load_scene(std::string_view text, std::string_view file, const LoadOptions& options) {
  ParsedJson parsed = parse_json(text, file, options.json);
  Reader reader{std::string(file), options.overrides, options.max_errors};
  reader.adopt(std::move(parsed.errors));
  if (!parsed.complete) {
    LoadResult result;
    result.errors = reader.take_errors();
    return result;
  }
  const std::vector<Error> refused = apply_overrides(parsed.root, options);
  LoadResult result = decode(reader, parsed.root, std::string(file), options);
  result.errors.insert(result.errors.begin(), refused.begin(), refused.end());
  return result;
}

LoadResult check_scene(const Document& document, const LoadOptions& options) {
  Json root = encode(document);
  place_entries(root, "bodies", document.bodies);
  place_entries(root, "joints", document.joints);
  place_entries(root, "connections", document.connections);
  place_entries(root, "forces", document.forces);
  const std::vector<Error> refused = apply_overrides(root, options);
  Reader reader{document.source.name, options.overrides, options.max_errors};
  LoadResult result = decode(reader, root, document.source.name, options);
  result.errors.insert(result.errors.begin(), refused.begin(), refused.end());
  return result;
}

Result<Document> expand(const Document& document, const LoadOptions& options) {
  LoadResult result = check_scene(document, options);
  if (!result.errors.empty()) return result.errors.front();
  return std::move(result.flat);
}

}  // namespace tenon::scene
