#include <algorithm>

#include "tenon/scene/gltf/colliders.h"
#include "tenon/scene/gltf/import_gltf.h"

namespace tenon::scene::gltf {
namespace {

constexpr size_t kMostPaired = 64;  // materials of which all pairs are written out

enum class Combine { kAverage, kMinimum, kMaximum, kMultiply };  // the first of two decides

struct Surface {
  Material material;
  Combine friction = Combine::kAverage, restitution = Combine::kAverage;
};

Combine read_combine(const Json& json, const char* key) {
  const Json* word = json.find(key);
  if (!word || word->string == "average") return Combine::kAverage;
  if (word->string == "minimum") return Combine::kMinimum;
  return word->string == "maximum" ? Combine::kMaximum : Combine::kMultiply;
}

double combine(Combine a, Combine b, double x, double y) {
  switch (std::min(a, b)) {
    case Combine::kAverage:
      return 0.5 * (x + y);
    case Combine::kMinimum:
      return std::min(x, y);
    case Combine::kMaximum:
      return std::max(x, y);
    case Combine::kMultiply:
      return x * y;
  }
  return x;
}

Surface read_surface(Source& source, const Json& json, const std::string& name) {
  source.unused.others("physicsMaterials", json,
                       {"staticFriction", "dynamicFriction", "restitution", "frictionCombine",
                        "restitutionCombine"});
  Surface surface;
  Material& m = surface.material;
  m.name = name;
  m.static_friction = std::max(0.0, read_number(json, "staticFriction", 0.6));
  m.sliding_friction = std::max(0.0, read_number(json, "dynamicFriction", 0.6));
  m.restitution = std::clamp(read_number(json, "restitution", 0), 0.0, 1.0);
  if (m.sliding_friction > m.static_friction) {
    source.warn(json, "what slides is held more than what rests: the smaller friction is taken",
                name, "dynamicFriction up to staticFriction");
    m.sliding_friction = m.static_friction;
  }
  surface.friction = read_combine(json, "frictionCombine");
  surface.restitution = read_combine(json, "restitutionCombine");
  return surface;
}

// Scenes take the geometric mean of two materials where nothing else is said.
void add_pair(const Surface& a, const Surface& b, Document& document) {
  const Material &m = a.material, &n = b.material;
  MaterialPair pair;
  pair.materials = {m.name, n.name};
  pair.restitution = combine(a.restitution, b.restitution, m.restitution, n.restitution);
  pair.static_friction = combine(a.friction, b.friction, m.static_friction, n.static_friction);
  pair.sliding_friction = combine(a.friction, b.friction, m.sliding_friction, n.sliding_friction);
  const bool same =
      m.restitution == n.restitution && *pair.restitution == m.restitution &&
      m.static_friction == n.static_friction && *pair.static_friction == m.static_friction &&
      m.sliding_friction == n.sliding_friction && *pair.sliding_friction == m.sliding_friction;
  if (!same) document.pairs.push_back(std::move(pair));
}

void add_group(const std::string& name, Document& document) {
  for (const Group& group : document.groups)
    if (group.name == name) return;
  Group group;
  group.name = name;
  document.groups.push_back(std::move(group));
}

std::vector<std::string> read_words(const Json& object, const char* key, Document& document) {
  std::vector<std::string> words;
  const Json* list = object.find(key);
  for (size_t i = 0; list && i < list->items.size(); ++i) {
    if (!list->items[i].is_string() || list->items[i].string.empty()) continue;
    words.push_back(list->items[i].string);
    add_group(words.back(), document);
  }
  return words;
}

void append(std::vector<std::string>& to, const std::vector<std::string>& from) {
  for (const std::string& word : from)
    if (std::find(to.begin(), to.end(), word) == to.end()) to.push_back(word);
}

}  // namespace

std::vector<std::string> read_materials(Source& source, Document& document) {
  const Json& root = source.file.root;
  std::vector<Surface> surfaces;
  std::vector<std::string> names;
  for (size_t i = 0; i < count_listed(root, kPhysics, "physicsMaterials"); ++i) {
    const Json& json = *find_listed(root, kPhysics, "physicsMaterials", static_cast<int>(i));
    const Json* said = json.find("name");
    std::string name = said && said->is_string() && !said->string.empty()
                           ? said->string
                           : "surface_" + std::to_string(i);
    while (std::find(names.begin(), names.end(), name) != names.end())
      name += "_" + std::to_string(i);
    names.push_back(name);
    surfaces.push_back(read_surface(source, json, name));
    document.materials.push_back(surfaces.back().material);
  }
  if (surfaces.size() > kMostPaired) {
    source.report.notes.push_back("more than " + std::to_string(kMostPaired) +
                                  " materials: two of them have the geometric mean of both");
    return names;
  }
  for (size_t i = 0; i < surfaces.size(); ++i)
    for (size_t j = i; j < surfaces.size(); ++j) add_pair(surfaces[i], surfaces[j], document);
  return names;
}

void read_filter(Source& source, const Json& collider, Document& document, Body& body) {
  const int index = read_index(collider, "collisionFilter", size_t{1} << 30);
  const Json* filter = find_listed(source.file.root, kPhysics, "collisionFilters", index);
  if (!filter) return;
  source.unused.others("collisionFilters", *filter,
                       {"collisionSystems", "collideWithSystems", "notCollideWithSystems"});
  append(body.groups, read_words(*filter, "collisionSystems", document));
  append(body.ignores, read_words(*filter, "notCollideWithSystems", document));
  if (!filter->find("collideWithSystems")) return;
  if (!body.collides_with) body.collides_with.emplace();
  append(*body.collides_with, read_words(*filter, "collideWithSystems", document));
}

}  // namespace tenon::scene::gltf
